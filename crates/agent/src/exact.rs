//! Agents that know: Pylos by its solved table, Pentago and Pentago-Twist by solving the rest of the game.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use quintet_game::pentago::{Move, Pentago};
use quintet_game::pylos::{Move as Placing, Position as Pyramid, Pylos};
use quintet_game::{Game as _, GameSpec, Line};
use quintet_search::{Choice, Limit, Proof, Search, Watch};
use quintet_solve::Worth;
use quintet_solve::pentago::{Value, bytes, patterns, solve};
use quintet_solve::pylos::{Near, Strategy, Table};

/// The kind's name in specs.
pub(crate) const KIND: &str = "exact";

/// What it may take when nobody says, in MiB.
pub(crate) const MEMORY: u64 = 1024;

/// What a proven result is worth as a value, less a point a ply to the end.
const CERTAIN: f64 = 1e6;

/// Plays by the table: the shortest win, a draw, the longest loss.
pub(crate) struct ByTable {
    pub table: Arc<Table>,
}

/// What a move is worth to the one who makes it, by what the position after it is worth to the other.
pub(crate) fn turned(worth: Worth) -> (Proof, Option<u32>) {
    match worth {
        Worth::Win(plies) => (Proof::Loss, Some(u32::from(plies) + 1)),
        Worth::Draw => (Proof::Draw, None),
        Worth::Loss(plies) => (Proof::Win, Some(u32::from(plies) + 1)),
    }
}

pub(crate) fn value(proof: Proof, plies: Option<u32>) -> f64 {
    let plies = plies.map_or(0.0, f64::from);
    match proof {
        Proof::Win => CERTAIN - plies,
        Proof::Draw => 0.0,
        Proof::Loss => plies - CERTAIN,
    }
}

impl Search<Pylos> for ByTable {
    fn think(&mut self, line: &Line<Pylos>, _limit: &Limit, _watch: &mut dyn Watch<Pylos>) -> Choice<Pylos> {
        let mut moves = Vec::new();
        line.game().moves(line.position(), &mut moves);
        let worth = |mv| {
            let mut after = *line.position();
            line.game().play(&mut after, mv);
            turned(self.table.worth(&after))
        };
        let nodes = moves.len() as u64;
        // The first of equals.
        let rated = moves.into_iter().map(|mv| (mv, worth(mv))).rev();
        let best = rated.max_by(|(_, a), (_, b)| value(a.0, a.1).total_cmp(&value(b.0, b.1)));
        let (mv, (proof, plies)) = best.expect("the game is not over");
        Choice {
            mv,
            value: value(proof, plies),
            proof: Some(proof),
            chances: None,
            line: vec![mv],
            nodes,
            depth: plies.unwrap_or(0),
        }
    }
}

/// Plays by what is carried along of a table: the second player's way to win from the start. Where that does not know a win, and
/// none is near, it asks another agent.
pub(crate) struct ByStrategy {
    pub strategy: Arc<Strategy>,
    pub near: Near,
    pub other: Box<dyn Search<Pylos>>,
}

/// Positions that a look for a near win may take.
pub(crate) const NEAR: u64 = 200_000;

/// The nearest win that a strategy and a search beside it know, with its plies.
pub(crate) fn carried_win(strategy: &Strategy, near: &mut Near, position: &Pyramid) -> Option<(Placing, u8)> {
    // What is near comes first: the strategy may know a longer way from there.
    near.win(position, strategy.near(), NEAR).or_else(|| strategy.answer(position))
}

impl Search<Pylos> for ByStrategy {
    fn think(&mut self, line: &Line<Pylos>, limit: &Limit, watch: &mut dyn Watch<Pylos>) -> Choice<Pylos> {
        let Some((mv, plies)) = carried_win(&self.strategy, &mut self.near, line.position()) else {
            return self.other.think(line, limit, watch);
        };
        Choice {
            mv,
            value: value(Proof::Win, Some(plies.into())),
            proof: Some(Proof::Win),
            chances: None,
            line: vec![mv],
            nodes: 1,
            depth: plies.into(),
        }
    }
}

/// The strategies that come with the program.
static STRATEGIES: [(&str, &[u8]); 2] = [
    ("pylos", include_bytes!("../../../strategies/pylos-standard.strategy")),
    ("pylos(rules=children)", include_bytes!("../../../strategies/pylos-children.strategy")),
];

/// The strategy of a game that comes with the program.
pub(crate) fn carried(game: &GameSpec) -> Option<Arc<Strategy>> {
    static READ: [OnceLock<Arc<Strategy>>; STRATEGIES.len()] = [const { OnceLock::new() }; STRATEGIES.len()];
    let text = game.to_string();
    let at = STRATEGIES.iter().position(|(of, _)| *of == text)?;
    let read = || Arc::new(Strategy::read(game, STRATEGIES[at].1).expect("a strategy that comes with the program"));
    Some(Arc::clone(READ[at].get_or_init(read)))
}

/// Solves the rest of the game where that fits into the limit, and asks another agent before that. Of equally good moves it plays the other agent's, where that one's is among them.
pub(crate) struct ByMiddle {
    pub other: Box<dyn Search<Pentago>>,
    pub threads: usize,
    /// Bytes that may be taken.
    pub memory: u64,
}

/// Patterns that a thread looks at in a second, by a cautious count; sets of Pentago-Twist are sixteen times as large.
const A_SECOND: f64 = 20e6;
/// Patterns of a solution that nobody limits: 20 marbles in Pentago.
const USUAL: u64 = 21_000_000;
/// Positions that the other agent may look at to say which of equally good moves it likes best.
const TASTE: u64 = 20_000;

impl ByMiddle {
    /// Can the position be solved within the limit?
    fn fits(&self, line: &Line<Pentago>, limit: &Limit) -> bool {
        let game = line.game();
        let empty = game.cells() - game.pieces(line.position());
        if empty > 20 || bytes(game, empty) > self.memory {
            return false;
        }
        let work = patterns(empty) * if game.mirrors() { 16 } else { 1 };
        let speed = A_SECOND * self.threads as f64;
        match (limit.time, limit.nodes) {
            (None, None) => work <= USUAL,
            (time, nodes) => {
                time.is_none_or(|time| work as f64 / speed <= 0.8 * time.as_secs_f64())
                    && nodes.is_none_or(|nodes| work <= nodes)
            }
        }
    }
}

impl Search<Pentago> for ByMiddle {
    fn think(&mut self, line: &Line<Pentago>, limit: &Limit, watch: &mut dyn Watch<Pentago>) -> Choice<Pentago> {
        let began = Instant::now();
        if !self.fits(line, limit) {
            return self.other.think(line, limit, watch);
        }
        let late = || limit.stopped() || limit.time.is_some_and(|time| began.elapsed() >= time.mul_f64(0.9));
        let solved = solve(line.game(), line.position(), self.threads, &late);
        let left = limit.time.map(|time| time.saturating_sub(began.elapsed()).max(Duration::from_millis(1)));
        let Some(solution) = solved else {
            return self.other.think(line, &Limit { time: left, ..limit.clone() }, watch);
        };
        let keeps: Vec<Move> =
            solution.moves.iter().filter(|(_, value)| *value == solution.value).map(|(mv, _)| *mv).collect();
        let proof = match solution.value {
            Value::Win => Proof::Win,
            Value::Draw => Proof::Draw,
            Value::Loss => Proof::Loss,
        };
        let mv = self.among(line, &keeps, left, watch);
        Choice {
            mv,
            value: value(proof, None),
            proof: Some(proof),
            chances: None,
            line: vec![mv],
            nodes: solution.patterns,
            depth: 0,
        }
    }
}

impl ByMiddle {
    /// One of some moves that are equally good: one that ends the game, the other agent's, or the first.
    fn among(
        &mut self,
        line: &Line<Pentago>,
        keeps: &[Move],
        time: Option<Duration>,
        watch: &mut dyn Watch<Pentago>,
    ) -> Move {
        let ends = keeps.iter().find(|mv| {
            let mut after = *line.position();
            line.game().play(&mut after, **mv);
            line.game().outcome(&after).is_some()
        });
        if let Some(mv) = ends {
            return *mv;
        }
        let limit = Limit { time, nodes: Some(TASTE), ..Limit::default() };
        let choice = self.other.think(line, &limit, watch).mv;
        if keeps.contains(&choice) { choice } else { keeps[0] }
    }
}
