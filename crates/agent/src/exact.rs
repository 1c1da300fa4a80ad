//! Agents that play exact values: Pylos by its solved table, Pentago and Pentago-Twist by solving the rest of the game.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quintet_data::{Data, DataError, File};
use quintet_game::clock::{ClockKind, Stopwatch};
use quintet_game::pentago::{Move, Pentago};
use quintet_game::pylos::{Move as Placing, Position as Pyramid, Pylos};
use quintet_game::{Game as _, GameSpec, Limit, Line, Proof, Stop, Value};
use quintet_search::{Choice, LastRoots, Search, Watch};
use quintet_solve::pentago::{best, bytes, patterns, prove};
use quintet_solve::pylos::{Near, Strategy, Table, TableError};
use sha2::{Digest as _, Sha256};

use crate::build::all_cores;

/// The kind's name in specs.
pub(crate) const KIND: &str = "exact";

/// The default memory for Pentago, in MiB: of the solver and of the other agent together.
pub(crate) const MEMORY: u64 = 1024;

/// The default memory of the search for near wins of Pylos, in MiB.
pub(crate) const NEAR_MEMORY: u64 = 128;

/// The score of a proven result, minus one point per ply to the end.
const CERTAIN: f64 = 1e6;

/// Plays by the table: the shortest win, a draw, the longest loss.
pub(crate) struct ByTable {
    pub table: Table,
    /// Why the table could not be read for the last choice.
    pub fault: Option<String>,
}

/// A proven value as a search's score.
pub(crate) fn score(value: Value) -> f64 {
    let plies = value.plies.map_or(0.0, f64::from);
    match value.proof {
        Proof::Win => CERTAIN - plies,
        Proof::Draw => 0.0,
        Proof::Loss => plies - CERTAIN,
    }
}

/// A move whose value is known.
fn known<M: Copy>(mv: M, value: Value, nodes: u64) -> Choice<M> {
    Choice { known: Some(value), nodes, depth: value.plies.unwrap_or(0), ..Choice::plain(mv, score(value)) }
}

impl Search<Pylos> for ByTable {
    fn think(&mut self, line: &Line<Pylos>, _limit: &Limit, _watch: &mut dyn Watch<Pylos>) -> Choice<Placing> {
        let mut moves = Vec::new();
        line.game().moves(line.position(), &mut moves);
        let value = |mv: &Placing| {
            let mut after = *line.position();
            line.game().play(&mut after, *mv);
            Ok((*mv, self.table.value(&after)?.before()))
        };
        let rated: Result<Vec<(Placing, Value)>, TableError> = moves.iter().map(value).collect();
        let rated = rated.unwrap_or_else(|error| {
            self.fault = Some(error.to_string());
            Vec::new()
        });
        // The first of equals.
        match rated.into_iter().rev().max_by(|(_, a), (_, b)| score(*a).total_cmp(&score(*b))) {
            Some((mv, value)) => known(mv, value, moves.len() as u64),
            None => Choice::plain(moves[0], 0.0),
        }
    }

    fn fault(&mut self) -> Option<String> {
        self.fault.take()
    }
}

/// Plays by a built-in strategy: the winner's way from the start. Where the strategy does not know a win, and none
/// is near, it asks another agent.
pub(crate) struct ByStrategy {
    pub strategy: Arc<Strategy>,
    pub near: Near,
    pub other: Box<dyn Search<Pylos>>,
}

/// The most positions of a search for a near win.
pub(crate) const NEAR: u64 = 200_000;

/// The nearest win that a strategy, or a search next to it, knows, with its plies.
pub(crate) fn strategy_win(strategy: &Strategy, near: &mut Near, position: &Pyramid) -> Option<(Placing, u8)> {
    // Near wins come first: the strategy may know only a longer way from there.
    near.win(position, strategy.near(), NEAR).or_else(|| strategy.answer(position))
}

impl Search<Pylos> for ByStrategy {
    fn think(&mut self, line: &Line<Pylos>, limit: &Limit, watch: &mut dyn Watch<Pylos>) -> Choice<Placing> {
        match strategy_win(&self.strategy, &mut self.near, line.position()) {
            Some((mv, plies)) => known(mv, Value::win_in(plies.into()), 1),
            None => self.other.think(line, limit, watch),
        }
    }

    fn memory(&self) -> usize {
        self.near.bytes() + self.other.memory()
    }

    fn forget(&mut self) {
        self.other.forget();
    }

    fn fault(&mut self) -> Option<String> {
        self.other.fault()
    }
}

/// The files of strategies, by their games.
const STRATEGIES: [(&str, &str); 6] = [
    ("pylos", "pylos-standard"),
    ("pylos(takeback=free)", "pylos-standard-free"),
    ("pylos(end=spent)", "pylos-standard-spent"),
    ("pylos(rules=children)", "pylos-children"),
    ("pylos(rules=children,end=spent)", "pylos-children-spent"),
    ("pylos(rules=expert,takeback=free)", "pylos-expert-free"),
];

/// A strategy with its game and the bytes it was read from.
type ReadStrategy = (&'static str, Cow<'static, [u8]>, Arc<Strategy>);

/// The strategy of a game: the user's, or the built-in one. The same bytes are parsed only once.
pub(crate) fn strategy_for(game: &GameSpec, data: &Data) -> Result<Option<Arc<Strategy>>, DataError> {
    static READ: Mutex<Vec<ReadStrategy>> = Mutex::new(Vec::new());
    let text = game.to_string();
    let Some((of, name)) = STRATEGIES.into_iter().find(|(of, _)| *of == text) else { return Ok(None) };
    let Some(file) = data.find(&format!("strategies/{name}.strategy"))? else { return Ok(None) };
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((.., known)) = read.iter().find(|(game, bytes, _)| *game == of && *bytes == file.bytes) {
        return Ok(Some(Arc::clone(known)));
    }
    let strategy = Strategy::read(game, &file.bytes).map_err(|error| file.wrong(error.to_string()))?;
    let strategy = Arc::new(strategy);
    read.push((of, file.bytes, Arc::clone(&strategy)));
    Ok(Some(strategy))
}

/// What decides exact play of a game besides the program: the name and checksum of its table, or of its strategy where there is no table.
pub(crate) fn checksums(game: &GameSpec, data: &Data) -> Result<Vec<(String, String)>, DataError> {
    if let Some(table) = data.directory().and_then(|data| Table::open(&data.join("tables"), game).ok()) {
        return Ok(vec![("table".to_owned(), table.checksum().to_owned())]);
    }
    let text = game.to_string();
    let Some((_, name)) = STRATEGIES.into_iter().find(|(of, _)| *of == text) else { return Ok(Vec::new()) };
    let file = data.find(&format!("strategies/{name}.strategy"))?;
    let sum = |file: File| Sha256::digest(&file.bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(file.map(|file| ("strategy".to_owned(), sum(file))).into_iter().collect())
}

/// Plays exact values where possible: proves a win or a loss forward, solves the rest of the game if that fits into the
/// limit, and asks another agent where neither succeeds. Of equally good moves it plays the other agent's, if that is among them; in a lost position one
/// that resists long.
pub(crate) struct ByMiddle {
    pub other: Box<dyn Search<Pentago>>,
    /// Threads, if configured.
    pub threads: Option<usize>,
    /// The most bytes that it and the other agent may use.
    pub memory: u64,
}

/// Patterns that a thread solves per second, somewhat fewer than measured; sets of Pentago-Twist are sixteen times as large.
const PER_SECOND: f64 = 30e6;
/// Patterns of a solution without a limit: 20 marbles in Pentago.
const USUAL: u64 = 21_000_000;
/// The most positions that the other agent may search to choose among equally good moves.
const TIE_NODES: u64 = 20_000;
/// The share of the time spent on proving a win or a loss where the rest of the game is too long to solve.
const SHARE: f64 = 0.3;
/// A pattern of the proof search takes as long as this many of a solution.
const COSTS: u64 = 100;
/// Patterns of the proof search before a solution: it finds near wins, and their shortest way.
const GLANCE: u64 = 2_000;
/// Bytes of the proof search's table.
const TABLE: u64 = 64 << 20;
/// Bytes of the table for one of the moves of a lost position.
const SMALL_TABLE: u64 = 1 << 20;
/// The most moves of a lost position that are compared.
const RESISTING: usize = 40;
/// With fewer marbles than this, no win can be proven in a few seconds.
const FEWEST: u32 = 9;

impl ByMiddle {
    /// All cores against the wall clock, since others may need them too; one where work or its time is counted. The result is the same.
    fn threads(&self, limit: &Limit) -> usize {
        let usual = || match (limit.nodes, limit.clock) {
            (Some(_), _) | (_, ClockKind::Cpu) => 1,
            (None, ClockKind::Wall) => all_cores(),
        };
        self.threads.unwrap_or_else(usual)
    }

    /// Can the position be solved within the limit?
    fn fits(&self, line: &Line<Pentago>, limit: &Limit) -> bool {
        let game = line.game();
        let empty = game.cells() - game.pieces(line.position());
        if empty > 20 || bytes(game, empty) > self.memory {
            return false;
        }
        let work = patterns(empty) * if game.mirrors() { 16 } else { 1 };
        let speed = PER_SECOND * self.threads(limit) as f64;
        match (limit.time, limit.nodes) {
            (None, None) => work <= USUAL,
            (time, nodes) => {
                time.is_none_or(|time| work as f64 / speed <= 0.9 * time.as_secs_f64())
                    && nodes.is_none_or(|nodes| work <= nodes)
            }
        }
    }

    /// What a forward search proves: a quick one before a solution, otherwise with a share of the limit.
    fn proven(&self, line: &Line<Pentago>, limit: &Limit, stop: &Stop, glance: bool) -> Option<Known> {
        let nodes = match limit.nodes {
            _ if glance => Some(GLANCE),
            Some(nodes) => Some((nodes as f64 * SHARE) as u64 / COSTS),
            None if limit.time.is_some() => None,
            None => Some(USUAL / COSTS),
        };
        let limit =
            Limit { time: limit.time.map(|time| time.mul_f64(SHARE)), nodes, clock: limit.clock, ..Limit::default() };
        let memory = TABLE.min(self.memory.saturating_sub(self.other.memory() as u64));
        let proven = prove(line.game(), line.position(), &limit, memory, &|| stop.stopped());
        // A draw needs the moves that keep it, which only a solution finds.
        let proof = proven.value().filter(|proof| *proof != Proof::Draw)?;
        Some(Known { proof, keeps: proven.wins, moves: proven.moves, nodes: proven.nodes })
    }

    /// The result of solving the rest of the game, if there is time.
    fn solved(&mut self, line: &Line<Pentago>, limit: &Limit, stop: &Stop, began: &Stopwatch) -> Option<Known> {
        let empty = line.game().cells() - line.game().pieces(line.position());
        if bytes(line.game(), empty) + self.other.memory() as u64 > self.memory {
            self.other.forget();
        }
        let late = || stop.stopped() || limit.time.is_some_and(|time| began.elapsed() >= time.mul_f64(0.95));
        let solution = best(line.game(), line.position(), self.threads(limit), &late)?;
        let keeps = solution.moves.into_iter().map(|(mv, _)| mv).collect();
        Some(Known { proof: solution.value, keeps, moves: None, nodes: solution.patterns })
    }
}

/// What is proven about a position.
struct Known {
    proof: Proof,
    /// Moves that keep the value; if empty, all do as far as known.
    keeps: Vec<Move>,
    /// The winner's moves to the end.
    moves: Option<u32>,
    nodes: u64,
}

impl Known {
    /// With plies to the end; the losing side makes the first of them.
    fn value(&self) -> Value {
        let plies = |moves: u32| if self.proof == Proof::Loss { 2 * moves } else { 2 * moves - 1 };
        Value { proof: self.proof, plies: self.moves.map(plies) }
    }
}

impl Search<Pentago> for ByMiddle {
    fn think(&mut self, line: &Line<Pentago>, limit: &Limit, watch: &mut dyn Watch<Pentago>) -> Choice<Move> {
        let (began, stop) = (limit.start(), watch.stop());
        let fits = self.fits(line, limit);
        let early = line.game().pieces(line.position()) < FEWEST;
        let mut found = if early { None } else { self.proven(line, limit, &stop, fits) };
        if found.is_none() && fits {
            found = self.solved(line, limit, &stop, &began);
        }
        let left = limit.time.map(|time| time.saturating_sub(began.elapsed()).max(Duration::from_millis(1)));
        let Some(found) = found else {
            return self.other.think(line, &Limit { time: left, ..*limit }, watch);
        };
        let left = Limit { time: left, ..*limit };
        let mv = match found.proof {
            Proof::Loss => self.resisting(line, &left, &stop, watch),
            _ => self.among(line, &found.keeps, &left, watch),
        };
        Choice { elapsed: began.elapsed(), ..known(mv, found.value(), found.nodes) }
    }

    quintet_search::forward_to!(other);
}

impl ByMiddle {
    /// One of some equally good moves: one that ends the game, the other agent's, or the first. If there are none, the
    /// other agent's.
    fn among(&mut self, line: &Line<Pentago>, keeps: &[Move], limit: &Limit, watch: &mut dyn Watch<Pentago>) -> Move {
        let ends = keeps.iter().find(|mv| {
            let mut after = *line.position();
            line.game().play(&mut after, **mv);
            line.game().outcome(&after).is_some()
        });
        if let Some(mv) = ends {
            return *mv;
        }
        let limit = Limit { nodes: Some(TIE_NODES), depth: None, visits: None, ..*limit };
        let choice = self.other.think(line, &limit, watch).mv;
        if keeps.contains(&choice) { choice } else { keeps.first().copied().unwrap_or(choice) }
    }

    /// The move of a lost position that resists longest: of the moves that the other agent likes best, the first after which no win is found with a few
    /// patterns, else the one after which it takes most moves.
    fn resisting(&mut self, line: &Line<Pentago>, limit: &Limit, stop: &Stop, watch: &mut dyn Watch<Pentago>) -> Move {
        let began = limit.start();
        let most = Limit {
            time: limit.time.map(|time| time / 2),
            nodes: Some(TIE_NODES),
            depth: None,
            visits: None,
            ..*limit
        };
        let mut last = LastRoots::new(watch);
        let chosen = self.other.think(line, &most, &mut last).mv;
        let mut moves: Vec<Move> = Vec::new();
        line.game().moves(line.position(), &mut moves);
        let liked = |mv: &Move| last.roots.iter().find(|root| root.mv == *mv).and_then(|root| root.visits);
        moves.sort_by_cached_key(|mv| (*mv != chosen, Reverse(liked(mv))));
        let late = || stop.stopped() || limit.time.is_some_and(|time| began.elapsed() >= time);
        let mut longest = (0, chosen);
        for mv in moves.into_iter().take(RESISTING) {
            let mut after = *line.position();
            line.game().play(&mut after, mv);
            // A move that ends the game here loses it.
            if line.game().outcome(&after).is_some() || late() {
                continue;
            }
            let proven = prove(line.game(), &after, &Limit::nodes(GLANCE), SMALL_TABLE, &late);
            let plies = proven.value().and(proven.moves).unwrap_or(u32::MAX);
            if plies > longest.0 {
                longest = (plies, mv);
            }
            if plies == u32::MAX {
                break;
            }
        }
        longest.1
    }
}
