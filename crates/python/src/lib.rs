//! The Python package `quintet`: the native half of it. The other half, and what is documented for people, is in `python/quintet`.

mod actions;
mod agent;
mod arena;
mod errors;
mod game;
mod numbers;
mod selfplay;
mod solve;
mod state;
mod symmetry;
mod vector;
mod work;

use pyo3::prelude::*;
use quintet_game::GameSpec;

use errors::{type_error, value_error};

/// The game of an argument: a game, or the text of its spec.
fn game_of(game: &Bound<'_, PyAny>) -> PyResult<GameSpec> {
    if let Ok(game) = game.cast::<game::Game>() {
        return Ok(game.get().spec);
    }
    let text: String =
        game.extract().map_err(|_| type_error("a game is named by a spec such as \"pylos\", or loaded."))?;
    GameSpec::parse(&text).map_err(value_error)
}

/// JSON as Python's own objects.
fn to_python<'py>(py: Python<'py>, value: &serde_json::Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value.to_string(),))
}

/// The command line: runs it with these arguments, the program's name first, and gives its exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| quintet_cli::main(arguments))
}

/// Which build this is. Machines that train together must have the same.
#[pyfunction]
fn build() -> PyResult<String> {
    quintet_cli::build().map_err(pyo3::exceptions::PyRuntimeError::new_err)
}

#[pymodule]
mod _quintet {
    #[pymodule_export]
    use super::agent::{_agent, _choice, Agent, Choice, Report, agent, agents};
    #[pymodule_export]
    use super::arena::{_match_result, _played_game, MatchResult, PlayedGame, Statistics, play_match, statistics};
    #[pymodule_export]
    use super::errors::IllegalMove;
    #[pymodule_export]
    use super::game::{Game, games, load};
    #[pymodule_export]
    use super::selfplay::{Samples, SelfPlay};
    #[pymodule_export]
    use super::solve::{Solution, perft, solve};
    #[pymodule_export]
    use super::state::{_restore, State, from_record};
    #[pymodule_export]
    use super::symmetry::Symmetry;
    #[pymodule_export]
    use super::vector::{Step, VectorEnv};
    #[pymodule_export]
    use super::{build, main};
}
