//! Agents that play exact values: Pylos by its solved table, Pentago and Pentago-Twist by solving the rest of the game.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};

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
    /// Was the last move one of a known win? Then the search for a near win goes on to its end, whatever time there is: it may be needed to keep the win.
    pub winning: bool,
}

/// The most positions of a search for a near win.
pub(crate) const NEAR: u64 = 200_000;

/// The share of the time that a search for a near win may take where no win is known.
const NEAR_SHARE: f64 = 0.5;

/// The nearest win that a strategy, or a search next to it, knows, with its plies. The search ends with its share of the limit's time.
pub(crate) fn strategy_win(
    strategy: &Strategy,
    near: &mut Near,
    position: &Pyramid,
    limit: &Limit,
    stop: &Stop,
) -> Option<(Placing, u8)> {
    let (began, most) = (limit.start(), limit.time.map(|time| time.mul_f64(NEAR_SHARE)));
    let halt = || stop.stopped() || most.is_some_and(|most| began.elapsed() >= most);
    // Near wins come first: the strategy may know only a longer way from there.
    near.win(position, strategy.near(), NEAR, &halt).or_else(|| strategy.answer(position))
}

impl Search<Pylos> for ByStrategy {
    fn think(&mut self, line: &Line<Pylos>, limit: &Limit, watch: &mut dyn Watch<Pylos>) -> Choice<Placing> {
        let began = limit.start();
        let near_limit = if self.winning { Limit::default() } else { *limit };
        let win = strategy_win(&self.strategy, &mut self.near, line.position(), &near_limit, &watch.stop());
        self.winning = win.is_some();
        match win {
            Some((mv, plies)) => known(mv, Value::win_in(plies.into()), 1),
            None => self.other.think(line, &limit.after(&began), watch),
        }
    }

    fn memory(&self) -> usize {
        self.near.bytes() + self.other.memory()
    }

    fn forget(&mut self) {
        self.winning = false;
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

/// Patterns that a thread solves per second, somewhat fewer than measured, in Pentago; [`size_of_set`] says how many times as long one takes in Pentago-Twist.
const PER_SECOND: f64 = 30e6;
/// Patterns of a solution without a limit: 20 marbles in Pentago.
const USUAL: u64 = 21_000_000;
/// The most positions that the other agent may search to choose among equally good moves.
const TIE_NODES: u64 = 20_000;
/// The share of the time spent on proving a win or a loss where the rest of the game is too long to solve.
const SHARE: f64 = 0.3;
/// A pattern of the proof search takes as long as this many of a solution.
const COSTS: u64 = 100;
/// Patterns of the proof search that take as long as a visit of a tree search with a net.
const A_VISIT: u64 = 32;
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
    /// The cores that the limit leaves it against the wall clock; one where work or its time is counted. The result is the same.
    fn threads(&self, limit: &Limit) -> usize {
        let usual = || match (limit.nodes, limit.clock) {
            (Some(_), _) | (_, ClockKind::Cpu) => 1,
            (None, ClockKind::Wall) => all_cores().min(limit.cores.unwrap_or(usize::MAX)).max(1),
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
        let work = patterns(empty) * size_of_set(game);
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
        let nodes = if glance { Some(GLANCE) } else { patterns_to_prove(line.game(), limit) };
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

/// How large a set of orientations is, and with it the work on a pattern, where Pentago's is 1.
fn size_of_set(game: &Pentago) -> u64 {
    if game.mirrors() { 16 } else { 1 }
}

/// The most patterns of the proof search where the rest of the game is too long to solve: its share of the work that the limit counts. Time is counted besides.
fn patterns_to_prove(game: &Pentago, limit: &Limit) -> Option<u64> {
    let share = |work: u64| (work as f64 * SHARE) as u64;
    let by_nodes = limit.nodes.map(|nodes| share(nodes) / COSTS);
    let by_visits = limit.visits.map(|visits| share(visits.saturating_mul(A_VISIT)) / size_of_set(game));
    let least = [by_nodes, by_visits].into_iter().flatten().min();
    if limit.time.is_some() { least } else { Some(least.unwrap_or(u64::MAX).min(USUAL / COSTS)) }
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
        let left = limit.after(&began);
        let Some(found) = found else {
            return self.other.think(line, &left, watch);
        };
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
        let limit = limit.smaller(&Limit::nodes(TIE_NODES));
        let choice = self.other.think(line, &limit, watch).mv;
        if keeps.contains(&choice) { choice } else { keeps.first().copied().unwrap_or(choice) }
    }

    /// The move of a lost position that resists longest: of the moves that the other agent likes best, the first after which no win is found with a few
    /// patterns, else the one after which it takes most moves.
    fn resisting(&mut self, line: &Line<Pentago>, limit: &Limit, stop: &Stop, watch: &mut dyn Watch<Pentago>) -> Move {
        let began = limit.start();
        let most = limit.smaller(&Limit::nodes(TIE_NODES));
        let most = Limit { time: limit.time.map(|time| time / 2), ..most };
        let mut last = LastRoots::new(watch);
        let chosen = self.other.think(line, &most, &mut last).mv;
        let mut moves: Vec<Move> = Vec::new();
        line.game().moves(line.position(), &mut moves);
        let liked = |mv: &Move| last.roots.iter().find(|root| root.mv == *mv).and_then(|root| root.visits);
        moves.sort_by_cached_key(|mv| (*mv != chosen, Reverse(liked(mv))));
        let late = || stop.stopped() || limit.time.is_some_and(|time| began.elapsed() >= time);
        let mut longest = (0, chosen);
        let mut patterns = patterns_to_prove(line.game(), limit).unwrap_or(u64::MAX);
        for mv in moves.into_iter().take(RESISTING) {
            let mut after = *line.position();
            line.game().play(&mut after, mv);
            // A move that ends the game here loses it.
            if line.game().outcome(&after).is_some() || late() || patterns == 0 {
                continue;
            }
            let proven = prove(line.game(), &after, &Limit::nodes(GLANCE.min(patterns)), SMALL_TABLE, &late);
            patterns = patterns.saturating_sub(proven.nodes);
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

#[cfg(test)]
mod tests {
    use quintet_game::{AnyGame, Notation as _};
    use quintet_search::{Quiet, RandomMove};

    use super::*;

    fn pentago(spec: &str, position: &str) -> Line<Pentago> {
        let spec = GameSpec::parse(spec).unwrap();
        let AnyGame::Pentago(game) = spec.rules() else { unreachable!() };
        let at = game.read_position(position).unwrap();
        Line::new(Arc::new(game)).at(at)
    }

    /// Remembers the limits that it is asked with.
    #[derive(Default)]
    struct Asked(Arc<Mutex<Vec<Limit>>>);

    impl Search<Pentago> for Asked {
        fn think(&mut self, line: &Line<Pentago>, limit: &Limit, watch: &mut dyn Watch<Pentago>) -> Choice<Move> {
            self.0.lock().unwrap().push(*limit);
            RandomMove::new(1).think(line, limit, watch)
        }
    }

    #[test]
    fn the_other_agent_keeps_the_visits_of_the_limit() {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let other = Box::new(Asked(Arc::clone(&asked)));
        let mut agent = ByMiddle { other, threads: Some(1), memory: 1 << 26 };
        // A lost position, and one of which nothing is known.
        for position in ["xoxxxo/oxox.o/xoooxo/xx.ox./o.ooox/xo.x.x x", "x...../....../....../....../....../...... o"] {
            asked.lock().unwrap().clear();
            agent.think(&pentago("pentago", position), &Limit::visits(7), &mut Quiet);
            let asked = asked.lock().unwrap();
            assert!(!asked.is_empty() && asked.iter().all(|limit| limit.visits == Some(7)), "{position}: {asked:?}");
        }
    }

    #[test]
    fn the_proof_search_takes_a_share_of_what_is_counted() {
        let game = pentago("pentago", "x...../....../....../....../....../...... o").game().clone();
        let patterns = |limit: Limit| patterns_to_prove(&game, &limit);
        assert_eq!(patterns(Limit::default()), Some(USUAL / COSTS));
        assert_eq!(patterns(Limit::visits(100)), Some(960));
        assert_eq!(patterns(Limit::nodes(1_000_000)), Some(3_000));
        assert_eq!(patterns(Limit::time(std::time::Duration::from_secs(1))), None);
    }

    #[test]
    fn it_takes_no_more_cores_than_it_is_left() {
        let agent = ByMiddle { other: Box::new(RandomMove::new(1)), threads: None, memory: 1 << 26 };
        let second = Limit::time(std::time::Duration::from_secs(1));
        assert_eq!(agent.threads(&second), all_cores());
        assert_eq!(agent.threads(&Limit { cores: Some(1), ..second }), 1);
        assert_eq!(agent.threads(&Limit::nodes(10)), 1);
    }
}
