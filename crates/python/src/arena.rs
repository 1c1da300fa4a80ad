//! Matches of agents, and what their results mean.

use std::num::NonZero;
use std::thread::available_parallelism;

use pyo3::prelude::*;
use quintet_arena::stats::{Estimate, Model, Pairs, Sprt, Summary as Sample, Wdl};
use quintet_arena::{Adjudication, Contestant, Format, Length, MOST, Plan, Played, Results};
use quintet_game::Stop;
use quintet_game::clock::ClockKind;
use quintet_game::record::result_text;
use quintet_selfplay::MOST_THREADS;

use crate::agent::{catalogue, limit};
use crate::errors::value_error;
use crate::numbers::{Whole, whole, within, within_or_none};
use crate::{game_of, to_python, work};

/// The games of a match, and everything that follows from them.
#[pyclass(module = "quintet", frozen)]
pub struct MatchResult {
    results: Results,
}

/// One game of a match.
#[pyclass(module = "quintet", frozen, get_all)]
#[derive(Clone)]
pub struct PlayedGame {
    /// Its place in the match, from 0.
    number: u64,
    /// The numbers of the players who moved first and second.
    seats: (usize, usize),
    /// ``'first'``, ``'second'`` or ``'draw'``.
    result: String,
    /// Why it ended: the rules' own word, ``cap``, ``resigned``, ``adjudicated: …``, or ``forfeit: …``.
    reason: String,
    /// Plies, including the opening.
    plies: usize,
    /// The game as one line of text, which :func:`from_record` reads.
    record: String,
}

#[pymethods]
impl PlayedGame {
    fn __repr__(&self) -> String {
        format!("<quintet.PlayedGame {}>", self.record)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PickledGame)> {
        let game = self.clone();
        let played = (game.number, game.seats, game.result, game.reason, game.plies, game.record);
        Ok((py.import("quintet._quintet")?.getattr("_played_game")?, played))
    }
}

/// What a pickle of a game holds.
type PickledGame = (u64, (usize, usize), String, String, usize, String);

/// A game from its pickle.
#[pyfunction]
pub fn _played_game(
    number: u64,
    seats: (usize, usize),
    result: String,
    reason: String,
    plies: usize,
    record: String,
) -> PlayedGame {
    PlayedGame { number, seats, result, reason, plies, record }
}

/// A match from its pickle: plan and games as JSON.
#[pyfunction]
pub fn _match_result(plan: &str, games: &str) -> PyResult<MatchResult> {
    let plan = serde_json::from_str(plan).map_err(value_error)?;
    let games = serde_json::from_str(games).map_err(value_error)?;
    Ok(MatchResult { results: Results::new(plan, games) })
}

impl From<&Played> for PlayedGame {
    fn from(played: &Played) -> PlayedGame {
        PlayedGame {
            number: played.number,
            seats: played.seats.into(),
            result: result_text(played.result).to_owned(),
            reason: played.reason.to_string(),
            plies: played.plies,
            record: played.record.clone(),
        }
    }
}

#[pymethods]
impl MatchResult {
    /// The games, in order.
    #[getter]
    fn games(&self) -> Vec<PlayedGame> {
        self.results.games.iter().map(PlayedGame::from).collect()
    }

    /// Wins, draws and losses of player ``a`` against player ``b``.
    #[pyo3(signature = (a=0, b=1))]
    fn wdl(
        &self,
        #[pyo3(from_py_with = whole)] a: i128,
        #[pyo3(from_py_with = whole)] b: i128,
    ) -> PyResult<(u64, u64, u64)> {
        let (a, b) = (self.player(a)?, self.player(b)?);
        let Wdl { wins, draws, losses } = self.results.wdl(a, b);
        Ok((wins, draws, losses))
    }

    /// What the games of player ``a`` against player ``b`` say. The unit is the pair: one opening played twice, with the seats swapped.
    #[pyo3(signature = (a=0, b=1))]
    fn statistics(
        &self,
        #[pyo3(from_py_with = whole)] a: i128,
        #[pyo3(from_py_with = whole)] b: i128,
    ) -> PyResult<Statistics> {
        let (a, b) = (self.player(a)?, self.player(b)?);
        let sample = self.results.pairs(a, b).summary().or_else(|| self.results.wdl(a, b).summary());
        sample.map(|sample| Statistics { sample }).ok_or_else(|| value_error("no games were played."))
    }

    /// Everything at once: players with ratings, pairings with wins, draws, losses, Elo and tests, forfeits. Elo is None where the players
    /// repeat their games too much for it to mean anything.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.results.summary())
    }

    fn __repr__(&self) -> String {
        let names: Vec<&str> = self.results.plan.players.iter().map(|player| player.name.as_str()).collect();
        let score = if names.len() == 2 { format!(": {}", self.results.wdl(0, 1)) } else { String::new() };
        format!(
            "<quintet.MatchResult {}, {}{score}, {} games>",
            self.results.plan.game,
            names.join(" - "),
            self.results.games.len()
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let plan = serde_json::to_string(&self.results.plan).map_err(value_error)?;
        let games = serde_json::to_string(&self.results.games).map_err(value_error)?;
        Ok((py.import("quintet._quintet")?.getattr("_match_result")?, (plan, games)))
    }
}

impl MatchResult {
    fn player(&self, number: i128) -> PyResult<usize> {
        let players = self.results.plan.players.len();
        usize::try_from(number).ok().filter(|number| *number < players).ok_or_else(|| {
            let number = Whole(number);
            value_error(format!("there is no player {number}; they are numbered from 0 to {}.", players - 1))
        })
    }
}

/// The most games of a match, as in the files of tournaments.
const MOST_GAMES: u64 = 10_000_000;

/// One rule that ends games early, or several.
#[derive(FromPyObject)]
pub enum Rules {
    One(String),
    All(Vec<String>),
}

impl Rules {
    fn read(self) -> PyResult<Vec<Adjudication>> {
        let rules = match self {
            Rules::One(rule) => vec![rule],
            Rules::All(rules) => rules,
        };
        let read = |rule: &String| rule.parse().map_err(|why| value_error(format!("adjudicate={rule:?}: {why}.")));
        rules.iter().map(read).collect()
    }
}

/// Plays a match of two agents, or a round robin of more. Games come in pairs from one opening of ``openings`` random plies, with the seats
/// swapped. Limits hold for each move; without any, each agent's own. The same seed and a limit other than time give the same games,
/// whatever the number of threads. With ``sprt=(elo0, elo1)`` a match of two goes on until the sequential test is decided.
///
/// With ``even=True`` only openings are drawn that the game's net holds for near even: the side to move expects 35 to 65 %.
///
/// ``clock="cpu"`` counts ``time`` by the work of the processor instead of by what passes. ``adjudicate`` ends games whose result is settled:
/// ``"proof"`` (an agent of ours has proven it), ``"score"`` (both expect the same winner), or a list of both; ``"score(share=0.98,moves=4)"``
/// says how sure they must be, and for how long.
///
/// ``on_game`` is called with every :class:`PlayedGame` as it ends. Ctrl-C ends the match.
///
/// >>> import quintet
/// >>> result = quintet.match("pylos", "mcts", "random", games=4, visits=100)
/// >>> result
/// <quintet.MatchResult pylos, mcts - random: 4-0-0, 4 games>
/// >>> result.statistics().score
/// 1.0
/// >>> result = quintet.match("pylos", "mcts", "random", games=2, visits=400, adjudicate="proof")
/// >>> {game.reason for game in result.games}
/// {'adjudicated: proof'}
#[pyfunction]
#[pyo3(name = "match", signature = (game, *players, games=100, sprt=None, openings=0, even=false, time=None, nodes=None, depth=None,
    visits=None, clock="wall", adjudicate=None, seed=1, max_plies=400, threads=None, on_game=None))]
#[allow(clippy::too_many_arguments, reason = "keywords in Python")]
pub fn play_match(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    players: Vec<String>,
    #[pyo3(from_py_with = whole)] games: i128,
    sprt: Option<(f64, f64)>,
    #[pyo3(from_py_with = whole)] openings: i128,
    even: bool,
    time: Option<f64>,
    nodes: Option<Whole>,
    depth: Option<Whole>,
    visits: Option<Whole>,
    clock: &str,
    adjudicate: Option<Rules>,
    #[pyo3(from_py_with = whole)] seed: i128,
    #[pyo3(from_py_with = whole)] max_plies: i128,
    threads: Option<Whole>,
    on_game: Option<Bound<'_, PyAny>>,
) -> PyResult<MatchResult> {
    if players.len() < 2 {
        return Err(value_error("a match has at least two players."));
    }
    if sprt.is_some() && players.len() > 2 {
        return Err(value_error("a sequential test is for two players."));
    }
    let games = within("games", games, 1, MOST_GAMES)?;
    let length = match sprt {
        Some((elo0, elo1)) => Length::Sprt { elo0, elo1, most: MOST },
        None => Length::Games(games),
    };
    let contestant = |agent: String| Contestant { name: agent.clone(), agent };
    let plan = Plan {
        game: game_of(game)?.to_string(),
        players: players.into_iter().map(contestant).collect(),
        format: Format::RoundRobin,
        length,
        opening_plies: within("openings", openings, 0, u32::MAX)?,
        even,
        budget: limit(time, nodes, depth, visits)?,
        max_plies: within("max_plies", max_plies, 1, u32::MAX)?,
        seed: within("seed", seed, 0, u64::MAX)?,
        anchor: 0,
        clock: clock.parse::<ClockKind>().map_err(|why| value_error(format!("clock={clock:?}: {why}.")))?,
        adjudicate: adjudicate.map_or_else(|| Ok(Vec::new()), Rules::read)?,
    };
    plan.test().map_err(value_error)?;
    let threads = within_or_none("threads", threads, 1, MOST_THREADS)?;
    let threads = threads.unwrap_or_else(|| available_parallelism().map_or(1, NonZero::get));
    let threads = threads.min(usize::try_from(plan.games()).unwrap_or(usize::MAX));
    let agents = catalogue()?;
    let on_game = on_game.map(Bound::unbind);
    let results = work::run(
        py,
        |stop: &Stop, played| {
            quintet_arena::run(&plan, agents, Vec::new(), threads, stop, &mut |game| {
                let _ = played.send(PlayedGame::from(game));
                Ok(())
            })
        },
        |py, played| match &on_game {
            Some(on_game) => on_game.call1(py, (played,)).map(drop),
            None => Ok(()),
        },
    )?;
    Ok(MatchResult { results: results.map_err(value_error)? })
}

/// What a sample of games says about a difference in strength. Made by :func:`statistics` and :meth:`MatchResult.statistics`.
#[pyclass(module = "quintet", frozen)]
pub struct Statistics {
    sample: Sample,
}

#[pymethods]
impl Statistics {
    /// The score: 1 is every game won, 1/2 equality.
    #[getter]
    fn score(&self) -> f64 {
        self.sample.score()
    }

    /// The 95 % interval of the score.
    #[getter]
    fn interval(&self) -> (f64, f64) {
        let interval = self.sample.interval();
        (interval.low, interval.high)
    }

    /// The difference in Elo, with its 95 % error. None where it has no finite value, as after games that were all won; ``elo_interval`` has
    /// the bound.
    #[getter]
    fn elo(&self) -> Option<(f64, f64)> {
        pair(self.sample.elo())
    }

    /// The 95 % interval of the difference in Elo; an open end is None.
    ///
    /// >>> import quintet
    /// >>> low, high = quintet.statistics(wdl=(20, 0, 0)).elo_interval
    /// >>> round(low), high
    /// (287, None)
    #[getter]
    fn elo_interval(&self) -> (Option<f64>, Option<f64>) {
        let elo = self.sample.elo();
        (elo.low, elo.high)
    }

    /// The normalized Elo, with its 95 % error; None where every result is the same.
    #[getter]
    fn normalized_elo(&self) -> Option<(f64, f64)> {
        self.sample.normalized_elo().and_then(pair)
    }

    /// The likelihood that the player is the stronger one, from 0 to 1.
    #[getter]
    fn los(&self) -> f64 {
        self.sample.los()
    }

    /// The two-sided p-value of the score against 1/2.
    #[getter]
    fn p_value(&self) -> f64 {
        self.sample.p_value()
    }

    /// The sequential test of H0 (the difference is ``elo0``) against H1 (it is ``elo1``), with both errors 5 %: the log-likelihood ratio,
    /// its bounds, and the decision.
    ///
    /// >>> import quintet
    /// >>> test = quintet.statistics(wdl=(21404, 40708, 21184)).sprt(0.5, 2.5)
    /// >>> round(test["llr"], 2), test["decision"]
    /// (-1.57, 'go on')
    #[pyo3(signature = (elo0, elo1, *, normalized=false))]
    fn sprt<'py>(&self, py: Python<'py>, elo0: f64, elo1: f64, normalized: bool) -> PyResult<Bound<'py, PyAny>> {
        let model = if normalized { Model::Normalized } else { Model::Logistic };
        let test = Sprt::new(elo0, elo1, 0.05, 0.05, model).map_err(value_error)?;
        let answer = serde_json::json!({
            "llr": test.llr(&self.sample), "bounds": test.bounds(), "decision": test.decide(&self.sample).to_string(),
        });
        to_python(py, &answer)
    }

    fn __repr__(&self) -> String {
        let score = 100.0 * self.sample.score();
        format!("<quintet.Statistics score {score:.1} % {}, Elo {}>", self.sample.interval(), self.sample.elo())
    }
}

fn pair(estimate: Estimate) -> Option<(f64, f64)> {
    estimate.value.zip(estimate.error())
}

/// Statistics of counted results: ``wdl=(wins, draws, losses)`` of single games, or ``pairs=(ll, ld, wl, dd, wd, ww)`` where each opening was
/// played twice with the seats swapped.
///
/// >>> import quintet
/// >>> quintet.statistics(wdl=(136, 111, 96))
/// <quintet.Statistics score 55.8 % [51.52, 60.14], Elo 40.70 +- 30.43>
#[pyfunction]
#[pyo3(signature = (*, wdl=None, pairs=None))]
pub fn statistics(wdl: Option<[Whole; 3]>, pairs: Option<[Whole; 6]>) -> PyResult<Statistics> {
    let sample = match (wdl, pairs) {
        (Some(counts), None) => {
            let [wins, draws, losses] = counted("wdl", counts)?;
            Wdl { wins, draws, losses }.summary()
        }
        (None, Some(counts)) => {
            let [ll, ld, wl, dd, wd, ww] = counted("pairs", counts)?;
            Pairs { ll, ld, wl, dd, wd, ww }.summary()
        }
        _ => return Err(value_error("give either wdl=(wins, draws, losses) or pairs=(ll, ld, wl, dd, wd, ww).")),
    };
    sample.map(|sample| Statistics { sample }).ok_or_else(|| value_error("no games were counted."))
}

/// Numbers of games.
fn counted<const N: usize>(name: &str, counts: [Whole; N]) -> PyResult<[u64; N]> {
    let mut numbers = [0; N];
    for (number, count) in numbers.iter_mut().zip(counts) {
        *number = within(&format!("a number of {name}"), count.0, 0, u64::MAX)?;
    }
    Ok(numbers)
}
