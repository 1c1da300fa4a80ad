//! Batched self-play for nets that are evaluated in Python.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::{
    AllowTypeChange, IntoPyArray as _, PyArray1, PyArray2, PyArray3, PyArrayLike1, PyArrayLike2, PyArrayMethods as _,
    PyReadwriteArray3,
};
use pyo3::prelude::*;
use quintet_agent::{EndgameProver, MidgameProver, Prover, Provers, SmallBoardProver, TableProver, exact};
use quintet_game::{AnyLine, Game as _, Limit, Outcome, Proof, Stop};
use quintet_selfplay::{
    Config, EndingHook, Fast, Gumbel, MOST_GAMES, MOST_SIMULATIONS, MOST_THREADS, MOST_WIDTH, Puct, Search,
    SelfPlay as Engine, SelfPlayError,
};
use quintet_solve::pentago;

use crate::agent::data_directory;
use crate::errors::{failure, value_error};
use crate::game::Game;
use crate::game_of;
use crate::numbers::{Whole, contiguous, whole, within, within_or_none};

/// Many games at once, played in threads of Rust with a net that you evaluate: for training by self-play.
///
/// There are two halves of ``games`` games. :meth:`step` waits for the positions of one half, packed as :meth:`State.packed`, and :meth:`answer`
/// lets it go on with your logits and values and returns at once; so one half walks its trees while you evaluate the other. The halves take
/// turns, and both may be with you at the same time, so that a GPU has its next batch before the last one is answered. Finished games
/// become samples, which :meth:`take` gives. The same seed and the same answers give the same samples, whatever the number of threads.
///
/// Other Python threads run while :meth:`step` waits, but only one at a time may use the object: the calls of another one raise RuntimeError.
///
/// >>> import numpy as np
/// >>> import quintet
/// >>> play = quintet.SelfPlay("pathwayz(rows=2,cols=3)", games=16, simulations=8)
/// >>> while play.ready < 50:
/// ...     words = play.step()                                     # uint32 (16, 2, 3)
/// ...     planes = play.game.unpack(words)                        # what a net would read
/// ...     play.answer(np.zeros((16, 12)), np.zeros(16))           # what it would answer: logits of actions, values
/// >>> samples = play.take(50)
/// >>> samples.packed.shape, samples.policies.shape, samples.results.shape
/// ((50, 2, 3), (50, 12), (50,))
///
/// ``search`` is ``'gumbel'`` (Gumbel AlphaZero: ``considered``, ``visit``, ``scale``, ``noise``) or ``'puct'`` (AlphaZero: ``exploration``, ``reduction``,
/// ``alpha``, ``noise``, ``drawn_moves``).
///
/// =================== ==============================================================================================================
/// ``games``           games at once in each half: the size of a batch
/// ``simulations``     simulations for each action that is searched in full
/// ``fast``            playout-cap randomisation: (share of actions that are searched less and not learned from, their simulations)
/// ``width``           inner nodes keep this many actions, those with the highest priors
/// ``opening``         games begin with up to this many random moves
/// ``most_moves``      a game of more moves is a draw
/// ``solve_from``      once this many pieces are on the board, exact solvers are asked after each move, and end the game if they know
/// ``solve_nodes``     how many positions they may look at
/// ``resign``          a player whose searches twice in a row gave a value below it resigns; None for never
/// ``symmetries``      each sample is one of its symmetric images, chosen at random
/// ``threads``         threads that walk the trees, never more than games; 0 takes all cores
/// ``seed``            the seed of all randomness
/// ``considered``      Gumbel: actions that are drawn at the root
/// ``visit, scale``    Gumbel: a value q from 0 to 1 weighs (visit + most visits of an action) * scale * q against the logarithm of the prior
/// ``noise``           Gumbel: the noise is multiplied by this (1); PUCT: the share of Dirichlet noise in the root's priors (0.25)
/// ``exploration``     PUCT: how much priors weigh against values
/// ``reduction``       PUCT: an action without visits is worth this much less than its parent
/// ``alpha``           PUCT: the alpha of the Dirichlet noise is this divided by the number of actions
/// ``drawn_moves``     PUCT: how many moves at the start of a game are drawn by their visits; later the most visited one is played
/// =================== ==============================================================================================================
#[pyclass(module = "quintet")]
pub struct SelfPlay {
    game: Game,
    engine: Mutex<Engine>,
}

/// Positions to learn from.
#[pyclass(module = "quintet", frozen, get_all)]
pub struct Samples {
    /// uint32 (N, rows, columns): packed positions, which :meth:`Game.unpack` reads.
    packed: Py<PyArray3<u32>>,
    /// float32 (N, actions): the policies to learn, which sum to 1.
    policies: Py<PyArray2<f32>>,
    /// bool (N, actions): which actions are legal.
    legal_mask: Py<PyArray2<bool>>,
    /// float32 (N): how the game ended for the side to move: 1, 0 or -1.
    results: Py<PyArray1<f32>>,
    /// float32 (N): what the search found for the side to move, from -1 to 1.
    values: Py<PyArray1<f32>>,
    /// float32 (N): how many moves the game still took.
    moves_left: Py<PyArray1<f32>>,
}

#[pymethods]
impl Samples {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.results.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<quintet.Samples {}>", self.__len__(py)?))
    }
}

#[pymethods]
impl SelfPlay {
    #[new]
    #[pyo3(signature = (game, *, games=1024, simulations=32, search="gumbel", fast=None, width=32, opening=2, most_moves=1000,
        solve_from=None, solve_nodes=2000, resign=None, symmetries=true, threads=0, seed=1, considered=16, visit=50.0, scale=1.0, noise=None,
        exploration=1.5, reduction=0.25, alpha=10.0, drawn_moves=16))]
    #[allow(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        game: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = whole)] games: i128,
        #[pyo3(from_py_with = whole)] simulations: i128,
        search: &str,
        fast: Option<(f32, Whole)>,
        #[pyo3(from_py_with = whole)] width: i128,
        #[pyo3(from_py_with = whole)] opening: i128,
        #[pyo3(from_py_with = whole)] most_moves: i128,
        solve_from: Option<Whole>,
        #[pyo3(from_py_with = whole)] solve_nodes: i128,
        resign: Option<f32>,
        symmetries: bool,
        #[pyo3(from_py_with = whole)] threads: i128,
        #[pyo3(from_py_with = whole)] seed: i128,
        #[pyo3(from_py_with = whole)] considered: i128,
        visit: f32,
        scale: f32,
        noise: Option<f32>,
        exploration: f32,
        reduction: f32,
        alpha: f32,
        #[pyo3(from_py_with = whole)] drawn_moves: i128,
    ) -> PyResult<SelfPlay> {
        let game = Game { spec: game_of(game)? };
        let considered = within("considered", considered, 1, MOST_WIDTH)?;
        let drawn_moves = within("drawn_moves", drawn_moves, 0, u32::MAX)?;
        let search = match search {
            "gumbel" => Search::Gumbel(Gumbel { considered, visit, scale, noise: noise.unwrap_or(1.0) }),
            "puct" => Search::Puct(Puct { exploration, reduction, alpha, noise: noise.unwrap_or(0.25), drawn_moves }),
            _ => return Err(value_error(format!("search is 'gumbel' or 'puct', not '{search}'."))),
        };
        let fast = match fast {
            Some((share, Whole(simulations))) => {
                let simulations = within("fast simulations", simulations, 1, MOST_SIMULATIONS)?;
                Some(Fast { share, simulations })
            }
            None => None,
        };
        let solve_from = within_or_none("solve_from", solve_from, 0, u32::MAX)?;
        let solve_nodes = within("solve_nodes", solve_nodes, 0, u64::MAX)?;
        let ending = solve_from.is_some().then(|| ending(solve_nodes));
        let config = Config {
            games: within("games", games, 1, MOST_GAMES)?,
            threads: within("threads", threads, 0, MOST_THREADS)?,
            seed: within("seed", seed, 0, u64::MAX)?,
            search,
            simulations: within("simulations", simulations, 1, MOST_SIMULATIONS)?,
            fast,
            width: within("width", width, 1, MOST_WIDTH)?,
            opening: within("opening", opening, 0, u32::MAX)?,
            most_moves: within("most_moves", most_moves, 1, u32::MAX)?,
            solve_from: solve_from.unwrap_or(u32::MAX),
            resign,
            symmetries,
        };
        let engine = Engine::new(&game.spec, config, ending).map_err(value_error)?;
        Ok(SelfPlay { game, engine: Mutex::new(engine) })
    }

    /// The game.
    #[getter]
    fn game(&self) -> Game {
        self.game
    }

    /// The number of positions in a batch.
    #[getter]
    fn batch(&mut self) -> usize {
        self.engine().batch()
    }

    /// The number of samples that wait to be taken.
    #[getter]
    fn ready(&mut self) -> usize {
        self.engine().ready()
    }

    /// What has been played so far: games, moves, wins of each player, draws, evaluated positions, samples.
    #[getter]
    fn stats<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stats = self.engine().stats();
        let answer = serde_json::json!({
            "games": stats.games, "moves": stats.moves, "wins": stats.wins, "draws": stats.draws,
            "positions": stats.positions, "samples": stats.samples,
        });
        crate::to_python(py, &answer)
    }

    /// Waits for the next half and gives its positions: uint32 (batch, rows, columns). With ``out``, an array of that shape and type, they are written
    /// there, for example into memory that a GPU reads.
    #[pyo3(signature = (*, out=None))]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray3<u32>>>,
    ) -> PyResult<Bound<'py, PyArray3<u32>>> {
        let [_, rows, columns] = self.game.shape();
        let engine = self.engine();
        match out {
            Some(out) => {
                let mut held: PyReadwriteArray3<'_, u32> = out.try_readwrite().map_err(value_error)?;
                let words = held.as_slice_mut().map_err(|_| value_error("out must be contiguous."))?;
                py.detach(|| engine.step(words)).map_err(said)?;
                drop(held);
                Ok(out)
            }
            None => {
                let batch = engine.batch();
                let mut words = vec![0; batch * rows * columns];
                py.detach(|| engine.step(&mut words)).map_err(said)?;
                words.into_pyarray(py).reshape([batch, rows, columns])
            }
        }
    }

    /// Answers the oldest batch that is not answered yet: logits of all actions (those of illegal actions are ignored), shape (batch, actions), and values for the side to move from -1
    /// to 1, shape (batch). The half goes on in the background.
    fn answer(
        &mut self,
        py: Python<'_>,
        logits: PyArrayLike2<'_, f32, AllowTypeChange>,
        values: PyArrayLike1<'_, f32, AllowTypeChange>,
    ) -> PyResult<()> {
        let (logits, values) = (contiguous(&logits), contiguous(&values));
        let engine = self.engine();
        py.detach(|| engine.answer(&logits, &values)).map_err(said)
    }

    /// Takes samples of finished games, the oldest first: all that are ready, or at most this many.
    #[pyo3(signature = (most=None))]
    fn take(&mut self, py: Python<'_>, most: Option<Whole>) -> PyResult<Samples> {
        let most = within_or_none("most", most, 0, usize::MAX)?;
        let [_, rows, columns] = self.game.shape();
        let engine = self.engine();
        let samples = py.detach(|| engine.take(most.unwrap_or(usize::MAX)));
        let (count, actions) = (samples.len(), engine.actions());
        Ok(Samples {
            packed: samples.words.into_pyarray(py).reshape([count, rows, columns])?.unbind(),
            policies: samples.policies.into_pyarray(py).reshape([count, actions])?.unbind(),
            legal_mask: samples.legal.into_pyarray(py).reshape([count, actions])?.unbind(),
            results: samples.results.into_pyarray(py).unbind(),
            values: samples.values.into_pyarray(py).unbind(),
            moves_left: samples.moves_left.into_pyarray(py).unbind(),
        })
    }

    fn __repr__(&mut self) -> String {
        let spec = self.game.spec;
        let engine = self.engine();
        format!("<quintet.SelfPlay {spec}, two halves of {} games, {} finished>", engine.batch(), engine.stats().games)
    }
}

impl SelfPlay {
    fn engine(&mut self) -> &mut Engine {
        self.engine.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

fn said(why: SelfPlayError) -> PyErr {
    if why == SelfPlayError::Stopped { failure(why) } else { value_error(why) }
}

/// Asks what knows exact values by the position alone: tables of the data directory, and solvers that may look at this many positions.
fn ending(nodes: u64) -> EndingHook {
    let tables = data_directory().map(|data| data.join("tables")).filter(|folder| folder.is_dir());
    let tables = tables.map(|folder| Arc::new(TableProver::new(&folder)) as Arc<dyn Prover>);
    let searches: [Arc<dyn Prover>; 2] = [Arc::new(SmallBoardProver::new(nodes)), Arc::new(EndgameProver::new(nodes))];
    let provers: Provers = tables.into_iter().chain(searches).collect();
    let with_midgame: Provers = provers.iter().cloned().chain([Arc::new(MidgameProver) as Arc<dyn Prover>]).collect();
    Arc::new(move |line: &dyn AnyLine| {
        let midgame = line
            .typed::<quintet_game::pentago::Pentago>()
            .is_some_and(|line| pentago::patterns(line.game().cells() - line.game().pieces(line.position())) <= nodes);
        let provers = if midgame { &with_midgame } else { &provers };
        let known = exact(provers, line, &Limit::nodes(nodes), &Stop::never()).ok()?;
        let mover = line.to_move();
        Some(match known.value.proof {
            Proof::Win => Outcome::Win(mover),
            Proof::Draw => Outcome::Draw,
            Proof::Loss => Outcome::Win(mover.other()),
        })
    })
}
