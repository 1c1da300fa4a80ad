//! Games of two searching agents, in which every searched node is recorded.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use quintet_eval::pylos::Svr;
use quintet_game::bits::mix;
use quintet_game::pylos::{Position, Pylos};
use quintet_game::{Game, Limit, Line, Outcome, Player, Rng, SeedableRng};
use quintet_search::{Search, Watch};
use serde::{Deserialize, Serialize};

use super::sample::Sample;
use crate::{LearnError, TrainContext};

/// A game of more plies is a draw: the paper has no rule for loops.
const MOST_PLIES: usize = 400;

/// Builds a seat with its random stream.
pub type Seats<'a> = &'a (dyn Fn(u64) -> Result<Box<dyn Search<Pylos>>, LearnError> + Sync);

/// How games are played and what is kept of them.
pub struct Rules<'a> {
    pub game: Arc<Pylos>,
    pub seats: Seats<'a>,
    /// Nodes per move.
    pub nodes: u64,
    /// Random plies at the start.
    pub openings: u32,
    /// Scores of searches no deeper than this are dropped.
    pub ahead: u32,
    /// Scores of known ends are clamped to this.
    pub most: f64,
    /// The weight of the outcome.
    pub outcome: f64,
}

/// What was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Games won by the first player, drawn, won by the second.
    pub results: [u64; 3],
    /// Moves that were searched for.
    pub moves: u64,
    /// Positions looked at.
    pub nodes: u64,
    /// Searched nodes: board, depth and score.
    pub records: u64,
    /// Those that look far enough ahead.
    pub eligible: u64,
}

impl Counts {
    /// All games.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    pub(super) fn add(&mut self, other: &Counts) {
        self.results.iter_mut().zip(other.results).for_each(|(sum, more)| *sum += more);
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.records += other.records;
        self.eligible += other.eligible;
    }
}

/// A finished game.
pub struct SampledGame {
    pub counts: Counts,
    pub samples: Vec<Sample>,
}

/// Plays the games of these numbers on the context's threads and returns them in order. `bar` is the rank below which a game's records are kept.
pub fn play_all(
    rules: &Rules,
    numbers: std::ops::Range<u64>,
    seed: u64,
    bar: &(dyn Fn(u64) -> u64 + Sync),
    context: &TrainContext,
) -> Result<Vec<SampledGame>, LearnError> {
    let next = AtomicU64::new(numbers.start);
    let played = Mutex::new(Vec::new());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return;
            }
            let game = play(rules, mix(seed ^ mix(number)), bar(number), context);
            let failed = game.is_err();
            played.lock().unwrap_or_else(PoisonError::into_inner).push((number, game));
            if failed {
                return;
            }
        }
    };
    thread::scope(|scope| (0..context.threads.max(1)).for_each(|_| drop(scope.spawn(work))));
    let mut played = played.into_inner().unwrap_or_else(PoisonError::into_inner);
    played.sort_by_key(|(number, _)| *number);
    played.into_iter().map(|(_, game)| game).collect()
}

/// Hears all scores of one side's searches.
struct Listener {
    view: Player,
    ahead: u32,
    /// The game's random stream, and the number of its next record.
    seed: u64,
    bar: u64,
    records: u64,
    eligible: u64,
    /// Rank, board, side and score of those that may be kept; the outcome is not known yet.
    heard: Vec<(u64, u64, Player, f64)>,
}

impl Watch<Pylos> for Listener {
    fn scored(&mut self, pos: &Position, depth: u32, value: f64) {
        self.records += 1;
        if depth <= self.ahead {
            return;
        }
        let rank = mix(self.seed ^ mix(self.eligible));
        self.eligible += 1;
        if rank < self.bar {
            self.heard.push((rank, Svr::board(pos, self.view), self.view, value));
        }
    }
}

/// One game: some random plies, then two agents. Its seed decides everything.
fn play(rules: &Rules, seed: u64, bar: u64, context: &TrainContext) -> Result<SampledGame, LearnError> {
    let mut line = Line::new(rules.game.clone());
    let mut rng = Rng::seed_from_u64(mix(seed));
    for _ in 0..rules.openings {
        if line.outcome().is_none() {
            line.play(rules.game.random_move(line.position(), &mut rng));
        }
    }
    let mut seats = [(rules.seats)(mix(seed ^ 1))?, (rules.seats)(mix(seed ^ 2))?];
    let limit = Limit::nodes(rules.nodes);
    let mut listener =
        Listener { view: Player::First, ahead: rules.ahead, seed, bar, records: 0, eligible: 0, heard: Vec::new() };
    let mut counts = Counts::default();
    while line.outcome().is_none() && line.plies() < MOST_PLIES {
        context.go_on()?;
        listener.view = line.to_move();
        let choice = seats[listener.view.index()].think(&line, &limit, &mut listener);
        counts.moves += 1;
        counts.nodes += choice.nodes;
        line.play(choice.mv);
    }
    let outcome = line.outcome().unwrap_or(Outcome::Draw);
    counts.results[outcome.winner().map_or(1, |winner| 2 * winner.index())] = 1;
    (counts.records, counts.eligible) = (listener.records, listener.eligible);
    let samples = listener.heard.into_iter().map(|(rank, board, view, value)| {
        let z = value.clamp(-rules.most, rules.most);
        Sample { rank, board, target: rules.outcome * worth(outcome, view) + z }
    });
    Ok(SampledGame { counts, samples: samples.collect() })
}

/// The paper's y: 1 for a win, 0 for a draw, -1 for a loss.
fn worth(outcome: Outcome, view: Player) -> f64 {
    match outcome.winner() {
        None => 0.0,
        Some(winner) if winner == view => 1.0,
        Some(_) => -1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet_agent::Catalogue;
    use quintet_eval::{Spec, evaluation};
    use quintet_game::{Notation, Stop};
    use quintet_search::{Ends, Minimax};

    const OUTCOME: f64 = 10.0;

    fn seat(seed: u64) -> Result<Box<dyn Search<Pylos>>, LearnError> {
        let eval = evaluation(&Pylos::default(), &Spec::parse("difference")?)?;
        let search = Minimax::new(eval, Ends::default(), 1).with_seed(seed).with_pruning();
        Ok(Box::new(search.with_deepening(true).with_memory(1 << 20)))
    }

    fn rules(ahead: u32, most: f64) -> Rules<'static> {
        let game = Arc::new(Pylos::default());
        Rules { game, seats: &seat, nodes: 400, openings: 3, ahead, most, outcome: OUTCOME }
    }

    /// Every call as text: the position, whose search it was, the depth, the score.
    struct Notes(Pylos, Player, Vec<(String, Player, u32, f64)>);

    impl Watch<Pylos> for Notes {
        fn scored(&mut self, pos: &Position, depth: u32, value: f64) {
            self.2.push((self.0.write_position(pos), self.1, depth, value));
        }
    }

    /// The sixty booleans of a position's text as a number: own balls level by level from bit 0, then the opponent's.
    fn bits(text: &str, view: Player) -> u64 {
        let own = if view == Player::First { 'L' } else { 'D' };
        let cells = text.split(' ').next().unwrap().chars().filter(|cell| *cell != '/');
        let bit = |(n, ball): (usize, char)| match ball {
            '.' => 0,
            ball if ball == own => 1 << n,
            _ => 1 << (n + 30),
        };
        cells.enumerate().map(bit).sum()
    }

    /// A game played once more by hand, and the samples as the paper defines them.
    #[test]
    fn samples_are_ten_times_the_outcome_and_the_score() {
        let context = TrainContext { agents: Catalogue::embedded(), threads: 1, stop: &Stop::never() };
        let mut known_ends = 0;
        for seed in 1..=6 {
            let (ahead, most) = (2, 4.0);
            let game = play(&rules(ahead, most), seed, u64::MAX, &context).unwrap();
            let mut line = Line::new(Arc::new(Pylos::default()));
            let mut rng = Rng::seed_from_u64(mix(seed));
            (0..3).for_each(|_| line.play(line.game().random_move(line.position(), &mut rng)));
            let mut seats = [1, 2].map(|n| seat(mix(seed ^ n)).unwrap());
            let mut notes = Notes(Pylos::default(), Player::First, Vec::new());
            while line.outcome().is_none() {
                notes.1 = line.to_move();
                let choice = seats[notes.1.index()].think(&line, &Limit::nodes(400), &mut notes);
                line.play(choice.mv);
            }
            let y = |view| match line.outcome().unwrap() {
                Outcome::Draw => 0.0,
                outcome if outcome == Outcome::Win(view) => 10.0,
                _ => -10.0,
            };
            let far = notes.2.iter().filter(|note| note.2 > 2);
            let expected: Vec<(u64, f64)> =
                far.map(|(text, view, _, z)| (bits(text, *view), y(*view) + z.clamp(-4.0, 4.0))).collect();
            let found: Vec<(u64, f64)> = game.samples.iter().map(|sample| (sample.board, sample.target)).collect();
            assert_eq!(found, expected);
            assert_eq!(game.counts.records, notes.2.len() as u64);
            assert_eq!((game.counts.eligible, game.counts.games()), (expected.len() as u64, 1));
            assert_eq!(game.counts.moves, line.plies() as u64 - 3);
            known_ends += notes.2.iter().filter(|note| note.2 > 2 && note.3.abs() > 1e5).count();
            // Only what may still be kept is brought back.
            let few = play(&rules(ahead, most), seed, u64::MAX / 4, &context).unwrap().samples;
            let wanted: Vec<Sample> = game.samples.into_iter().filter(|sample| sample.rank < u64::MAX / 4).collect();
            assert_eq!(few, wanted);
        }
        assert!(known_ends > 0, "no known win was clamped");
    }
}
