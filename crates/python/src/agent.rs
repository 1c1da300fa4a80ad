//! Agents: what they are called, and what they think.

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, TryLockError};
use std::time::Duration;

use pyo3::prelude::*;
use quintet_agent::{Catalogue, Seat, ThinkError};
use quintet_game::{GameSpec, Limit};
use quintet_search::{Choice as FoundChoice, Report as SearchReport};

use crate::errors::{failure, value_error};
use crate::numbers::{Whole, whole, within, within_or_none};
use crate::state::State;
use crate::work;

/// The user's data directory, as the command line finds it.
pub fn data_directory() -> Option<PathBuf> {
    quintet_cli::data_directory(std::env::var_os("QUINTET_DATA").map(Into::into))
}

/// The agents of the package and of the user's data directory, which is the one of the command line.
pub fn catalogue() -> PyResult<&'static Catalogue> {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    if let Some(catalogue) = CATALOGUE.get() {
        return Ok(catalogue);
    }
    let read = match data_directory() {
        Some(directory) => Catalogue::with_folder(&directory).map_err(value_error)?,
        None => Catalogue::embedded().clone(),
    };
    Ok(CATALOGUE.get_or_init(|| read))
}

/// The limits of a search.
pub fn limit(time: Option<f64>, nodes: Option<Whole>, depth: Option<Whole>, visits: Option<Whole>) -> PyResult<Limit> {
    let time = time.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|why| value_error(format!("time is a number of seconds: {why}.")))?;
    let nodes = within_or_none("nodes", nodes, 0, u64::MAX)?;
    let depth = within_or_none("depth", depth, 0, u32::MAX)?;
    let visits = within_or_none("visits", visits, 0, u64::MAX)?;
    Ok(Limit { time, nodes, depth, visits, ..Limit::default() })
}

/// An agent: a search over an evaluation. Made by :func:`agent`.
///
/// It keeps its trees and tables from one move of a game to the next, and its random numbers follow from its seed: a new game begins with a
/// new agent, or after :meth:`reset`. The same seed and a limit other than time give the same moves.
///
/// >>> import quintet
/// >>> state = quintet.load("pylos").start()
/// >>> agent = quintet.agent("mcts", seed=1)
/// >>> choice = agent.think(state, visits=200)
/// >>> choice.move in state.legal_moves(), choice.nodes
/// (True, 200)
#[pyclass(module = "quintet", frozen)]
pub struct Agent {
    spec: String,
    seed: u64,
    seat: Mutex<Option<(GameSpec, Box<dyn Seat>)>>,
}

/// The agent of a spec such as ``alphabeta(eval=distance,depth=4)``, or of a name such as ``pentago:exact`` or ``level:4``; :func:`agents`
/// lists the names. With a game, whatever is wrong with the spec is said at once; without, when it first thinks.
///
/// >>> import quintet
/// >>> quintet.agent("nobody", game="pylos")
/// Traceback (most recent call last):
///     ...
/// ValueError: ...
#[pyfunction]
#[pyo3(signature = (spec, *, game=None, seed=1))]
pub fn agent(spec: &str, game: Option<&Bound<'_, PyAny>>, #[pyo3(from_py_with = whole)] seed: i128) -> PyResult<Agent> {
    let seed = within("seed", seed, 0, u64::MAX)?;
    let agent = Agent { spec: spec.to_owned(), seed, seat: Mutex::new(None) };
    if let Some(game) = game {
        agent.build(crate::game_of(game)?)?;
    }
    Ok(agent)
}

/// The named agents of a game, or of all games: name, kind of search, paper, and what each does.
///
/// >>> import quintet
/// >>> [entry["name"] for entry in quintet.agents("pentago")][:2]
/// ['pentago:random', 'pentago:greedy']
#[pyfunction]
#[pyo3(signature = (game=None))]
pub fn agents<'py>(py: Python<'py>, game: Option<&str>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let entries = catalogue()?.entries().filter(|entry| game.is_none_or(|game| entry.game == game));
    let row = |entry: &quintet_agent::Entry| {
        crate::to_python(
            py,
            &serde_json::json!({
                "name": entry.token(), "game": entry.game, "search": entry.search(), "eval": entry.eval(),
                "paper": entry.paper, "about": entry.about, "needs": entry.needs,
            }),
        )
    };
    entries.map(row).collect()
}

#[pymethods]
impl Agent {
    /// Its spec or name.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// The seed of its random numbers.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// Chooses a move. Whichever limit is reached first ends the search; without any, the agent's own limits hold. ``time`` is in seconds.
    ///
    /// ``on_report`` is called with a :class:`Report` after every depth, and with ``every`` (in seconds) also in between, at most that
    /// often. Other Python threads run meanwhile. Ctrl-C, or an exception of ``on_report``, ends the search and is raised.
    ///
    /// >>> import quintet
    /// >>> depths = []
    /// >>> state = quintet.load("pylos").start()
    /// >>> _ = quintet.agent("pvs(eval=difference)").think(state, depth=3, on_report=lambda report: depths.append(report.depth))
    /// >>> depths
    /// [1, 2, 3]
    #[pyo3(signature = (state, *, time=None, nodes=None, depth=None, visits=None, on_report=None, every=None))]
    #[allow(clippy::too_many_arguments, reason = "keywords in Python")]
    fn think(
        &self,
        state: &Bound<'_, State>,
        time: Option<f64>,
        nodes: Option<Whole>,
        depth: Option<Whole>,
        visits: Option<Whole>,
        on_report: Option<Bound<'_, PyAny>>,
        every: Option<f64>,
    ) -> PyResult<Choice> {
        let py = state.py();
        let limit = limit(time, nodes, depth, visits)?;
        let every = every.map(Duration::try_from_secs_f64).transpose();
        let every = every.map_err(|why| value_error(format!("every is a number of seconds: {why}.")))?;
        let line = state.borrow().whole()?;
        let spec = line.spec();
        let mut seat = self.lock()?;
        if seat.as_ref().is_none_or(|(game, _)| *game != spec) {
            *seat = Some((spec, self.new_seat(&spec)?));
        }
        let Some((_, seat)) = &mut *seat else { return Err(failure("the agent was not built.")) };
        if let Some(every) = every {
            seat.watch_closely(every);
        }
        let listening = on_report.is_some();
        let on_report = on_report.map(Bound::unbind);
        let chosen = work::run(
            py,
            |stop, reports| {
                seat.think(&*line, &limit, stop, &mut |report| {
                    if listening {
                        let _ = reports.send(report.clone());
                    }
                })
            },
            |py, report: SearchReport<String>| match &on_report {
                Some(on_report) => on_report.call1(py, (Report::from(report),)).map(drop),
                None => Ok(()),
            },
        )?;
        chosen.map(Choice::from).map_err(|why| match why {
            ThinkError::Refused(_) | ThinkError::NoSteps => value_error(why),
            ThinkError::Engine { .. } | ThinkError::Failed(_) | ThinkError::Resigned => failure(why),
        })
    }

    /// Forgets the game: trees, tables and random numbers begin afresh.
    fn reset(&self) -> PyResult<()> {
        *self.lock()? = None;
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("quintet.agent({:?}, seed={})", self.spec, self.seed)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&str, u64))> {
        Ok((py.import("quintet._quintet")?.getattr("_agent")?, (&self.spec, self.seed)))
    }
}

/// What a pickle of an agent holds.
#[pyfunction]
pub fn _agent(spec: &str, seed: u64) -> Agent {
    Agent { spec: spec.to_owned(), seed, seat: Mutex::new(None) }
}

type KeptSeat<'a> = std::sync::MutexGuard<'a, Option<(GameSpec, Box<dyn Seat>)>>;

impl Agent {
    /// The agent for one thought; a second one at the same time is refused, since the first may wait for its caller.
    fn lock(&self) -> PyResult<KeptSeat<'_>> {
        match self.seat.try_lock() {
            Ok(seat) => Ok(seat),
            // What panicked may have left anything behind, so it begins afresh.
            Err(TryLockError::Poisoned(seat)) => {
                let mut seat = seat.into_inner();
                *seat = None;
                self.seat.clear_poison();
                Ok(seat)
            }
            Err(TryLockError::WouldBlock) => {
                Err(failure("this agent is thinking already; another one may think at the same time."))
            }
        }
    }

    fn new_seat(&self, spec: &GameSpec) -> PyResult<Box<dyn Seat>> {
        catalogue()?.seat(spec, &self.spec, self.seed).map_err(value_error)
    }

    fn build(&self, spec: GameSpec) -> PyResult<()> {
        *self.lock()? = Some((spec, self.new_seat(&spec)?));
        Ok(())
    }
}

/// What an agent has chosen.
#[pyclass(module = "quintet", frozen, get_all)]
#[derive(Clone)]
pub struct Choice {
    /// The move.
    r#move: String,
    /// The search's own number for it, larger is better for the side to move.
    value: f64,
    /// ``'win'``, ``'draw'`` or ``'loss'`` for the side to move, if it is proven.
    proven: Option<String>,
    /// Plies to the end with best play of both sides, if known.
    distance: Option<u32>,
    /// Shares of wins and draws for the side to move, from searches that count them.
    chances: Option<(f64, f64)>,
    /// The expected line, the chosen move first.
    line: Vec<String>,
    /// Positions searched.
    nodes: u64,
    /// Plies searched in full.
    depth: u32,
    /// Seconds used.
    elapsed: f64,
}

#[pymethods]
impl Choice {
    fn __repr__(&self) -> String {
        let known = self.proven.as_ref().map_or(String::new(), |proven| match self.distance {
            Some(distance) => format!(", proven {proven} in {distance}"),
            None => format!(", proven {proven}"),
        });
        format!(
            "<quintet.Choice {} value {:.4}{known}, {} nodes, depth {}>",
            self.r#move, self.value, self.nodes, self.depth
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PickledChoice)> {
        let choice = self.clone();
        let search = (choice.nodes, choice.depth, choice.elapsed);
        let found = (choice.r#move, choice.value, choice.proven, choice.distance, choice.chances, choice.line, search);
        Ok((py.import("quintet._quintet")?.getattr("_choice")?, found))
    }
}

/// What a pickle of a choice holds: move, value, proof, distance, chances, line, and nodes, depth and time of the search.
type PickledChoice = (String, f64, Option<String>, Option<u32>, Option<(f64, f64)>, Vec<String>, (u64, u32, f64));

/// A choice from its pickle.
#[pyfunction]
pub fn _choice(
    r#move: String,
    value: f64,
    proven: Option<String>,
    distance: Option<u32>,
    chances: Option<(f64, f64)>,
    line: Vec<String>,
    search: (u64, u32, f64),
) -> Choice {
    let (nodes, depth, elapsed) = search;
    Choice { r#move, value, proven, distance, chances, line, nodes, depth, elapsed }
}

impl From<FoundChoice<String>> for Choice {
    fn from(choice: FoundChoice<String>) -> Choice {
        Choice {
            value: choice.value,
            proven: choice.known.map(|value| value.proof.name().to_owned()),
            distance: choice.plies(),
            chances: choice.chances.map(|[win, draw]| (win, draw)),
            nodes: choice.nodes,
            depth: choice.depth,
            elapsed: choice.elapsed.as_secs_f64(),
            line: choice.line,
            r#move: choice.mv,
        }
    }
}

/// How far a search has come.
#[pyclass(module = "quintet", frozen, get_all)]
pub struct Report {
    /// Plies searched in full.
    depth: u32,
    /// Positions searched.
    nodes: u64,
    /// Seconds since the start.
    elapsed: f64,
    /// The value of the best move so far, for the side to move; None before the first depth is done.
    value: Option<f64>,
    /// The best line so far.
    line: Vec<String>,
    /// The moves of the root: (move, value, visits), as far as they are known; the best first.
    moves: Vec<(String, f64, Option<u64>)>,
    /// The priors of these moves, if the search goes by priors; otherwise empty.
    priors: Vec<f64>,
    /// The used share of the search's table, if it has one.
    fill: Option<f64>,
}

#[pymethods]
impl Report {
    fn __repr__(&self) -> String {
        format!("<quintet.Report depth {}, {} nodes, {}>", self.depth, self.nodes, self.line.join(" "))
    }
}

impl From<SearchReport<String>> for Report {
    fn from(report: SearchReport<String>) -> Report {
        Report {
            depth: report.depth,
            nodes: report.nodes,
            elapsed: report.elapsed.as_secs_f64(),
            value: report.value,
            line: report.line,
            priors: report.roots.iter().filter_map(|root| root.prior).collect(),
            moves: report.roots.into_iter().map(|root| (root.mv, root.value, root.visits)).collect(),
            fill: report.fill,
        }
    }
}
