//! Exact answers: values of positions, and counts of move sequences.

use pyo3::prelude::*;
use quintet_agent::exact;
use quintet_game::{AnyLine, Stop, Value};

use crate::agent::{catalogue, limit};
use crate::errors::value_error;
use crate::numbers::{Whole, within};
use crate::state::State;
use crate::work;

/// How a position must end, as :func:`solve` found it.
#[pyclass(module = "quintet", frozen, get_all)]
pub struct Solution {
    /// ``'win'``, ``'draw'`` or ``'loss'`` for the side to move.
    value: &'static str,
    /// Plies to the end with best play of both sides, if known.
    distance: Option<u32>,
    /// The known moves, the best first: (move, value for the side that makes it, distance).
    moves: Vec<(String, &'static str, Option<u32>)>,
    /// Is every legal move among them?
    complete: bool,
    /// Who knows it: a table, a strategy, or a search to the end.
    by: String,
}

#[pymethods]
impl Solution {
    fn __repr__(&self) -> String {
        let distance = self.distance.map_or(String::new(), |distance| format!(" in {distance}"));
        format!("<quintet.Solution {}{distance}, by {}>", self.value, self.by)
    }
}

/// The exact value of a position, by solved tables of the data directory, strategies, or search to the end, whichever knows it. ``time`` (in
/// seconds) limits all of them together, and ``nodes`` each of them. Raises ValueError with the reason where the value cannot be found.
///
/// >>> import quintet
/// >>> state = quintet.load("pentago").from_text("xxxx../oooo../....../....../....../...... x")
/// >>> solution = quintet.solve(state)
/// >>> solution.value, solution.distance
/// ('win', 1)
/// >>> quintet.solve(quintet.load("twixt").start(), nodes=1000)
/// Traceback (most recent call last):
///     ...
/// ValueError: ...
#[pyfunction]
#[pyo3(signature = (state, *, time=None, nodes=None))]
pub fn solve(state: &Bound<'_, State>, time: Option<f64>, nodes: Option<Whole>) -> PyResult<Solution> {
    let limit = limit(time, nodes, None, None)?;
    let provers = catalogue()?.provers();
    let line = state.borrow().whole()?;
    let known = work::quietly(state.py(), |stop| exact(&provers, &*line, &limit, stop))?.map_err(value_error)?;
    let rated = |(mv, Value { proof, plies }): (String, Value)| (mv, proof.name(), plies);
    Ok(Solution {
        value: known.value.proof.name(),
        distance: known.value.plies,
        moves: known.moves.into_iter().map(rated).collect(),
        complete: known.complete,
        by: known.by,
    })
}

/// The number of legal sequences of exactly ``depth`` moves from a state; one that ends the game early counts only at the depth where it ends.
///
/// >>> import quintet
/// >>> quintet.perft(quintet.load("pylos").start(), 3)
/// 3360
#[pyfunction]
pub fn perft(state: &Bound<'_, State>, depth: Whole) -> PyResult<u64> {
    let depth = within("depth", depth.0, 0, u32::MAX)?;
    let mut line = state.borrow().whole()?;
    work::quietly(state.py(), |stop| count(&mut *line, depth, stop))
}

/// Plies that are counted without looking at the flag: a second at most.
const AT_ONCE: u32 = 3;

fn count(line: &mut dyn AnyLine, depth: u32, stop: &Stop) -> u64 {
    if depth <= AT_ONCE {
        return line.perft(depth, &mut |_, _| {});
    }
    let mut total = 0;
    for mv in line.legal_moves() {
        if stop.stopped() {
            return 0; // the interrupt is raised in its place
        }
        if line.try_play(&mv).is_ok() {
            total += count(line, depth - 1, stop);
            line.undo();
        }
    }
    total
}
