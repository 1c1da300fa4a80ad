//! An opening book by self-play.
//!
//! Games begin with some random plies. Then, as deep as the book reaches, each move is sometimes random, otherwise the book's own as
//! it stands, otherwise a player's; so a move that the book has come to like is tried again until it has earned it. Symmetric positions are one,
//! and so are moves that lead to the same position. Of a position with enough games the book keeps the move whose score has the highest
//! lower bound, so a single lucky win is not enough.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quintet_agent::Seat;
use quintet_eval::{Spec, write_book};
use quintet_game::bits::mix;
use quintet_game::{
    AnyLine, GameSpec, Limit, Line, Outcome, Playable, Player, Rng, SeedableRng, Stop, canonical, carry_over, with_game,
};
use rand_core::Rng as _;
use serde::{Deserialize, Serialize};

use crate::share::{banded, wilson};
use crate::{LearnError, Metric, Pipeline, Product, Progress, Recipe, Step, TrainContext};

/// What a recipe says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Games in all.
    games: u64,
    /// Each seat of each game draws one of them.
    players: Vec<String>,
    /// Each game draws one of these numbers of random plies at the start.
    random: Vec<usize>,
    /// Beyond them, the share of random moves within the book's reach.
    epsilon: f64,
    /// Moves before this ply are gathered.
    plies: usize,
    /// Games that a position needs before it has a move in the book.
    least: u32,
    /// How many standard deviations the lower bound lies below the score.
    z: f64,
    /// Games per step; they use the book as it was before the step.
    block: u64,
    /// The game's spec, if not the default one.
    spec: Option<String>,
}

/// Wins, draws and losses of the player who moved.
type Counts = [u32; 3];

/// How the games went after each move of each position.
type Tally = BTreeMap<String, BTreeMap<String, Counts>>;

/// The whole state.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BookState {
    games: u64,
    /// Of all games: wins, draws and losses of the first player.
    results: Counts,
    tally: Tally,
}

struct BookPipeline {
    with: Parameters,
    recipe: Recipe,
    spec: GameSpec,
    seed: u64,
    state: BookState,
}

/// Starts the pipeline.
pub(crate) fn start(
    recipe: &Recipe,
    seed: u64,
    state: Option<serde_json::Value>,
) -> Result<Box<dyn Pipeline>, LearnError> {
    let with: Parameters = recipe.parameters()?;
    let wrong = |why: &str| Err(LearnError::Recipe(why.into()));
    if with.players.is_empty() || with.random.is_empty() {
        return wrong("players, random: name at least one of each.");
    }
    if !(0.0..=1.0).contains(&with.epsilon) || !(0.0..=10.0).contains(&with.z) {
        return wrong("epsilon must lie between 0 and 1, z between 0 and 10.");
    }
    if with.block == 0 || with.least == 0 {
        return wrong("block and least must be above 0.");
    }
    for player in &with.players {
        Spec::parse(player)?;
    }
    let spec = GameSpec::parse(with.spec.as_deref().unwrap_or(recipe.game));
    let spec = spec.map_err(|error| LearnError::Recipe(format!("spec: {error}")))?;
    let state = state.map(serde_json::from_value).transpose()?.unwrap_or_default();
    Ok(Box::new(BookPipeline { with, recipe: recipe.clone(), spec, seed, state }))
}

impl Pipeline for BookPipeline {
    fn step(&mut self, context: &TrainContext) -> Result<Step, LearnError> {
        let until = (self.state.games + self.with.block).min(self.with.games);
        let numbers = self.state.games..until;
        let block =
            Block { with: &self.with, spec: &self.spec, seed: self.seed, tally: &self.state.tally, numbers, context };
        let games = with_game!(self.spec, |game| block.visit(game))?;
        for game in games {
            self.state.results[half(game.outcome, Player::First)] += 1;
            for (position, mv, mover) in game.moves {
                self.state.tally.entry(position).or_default().entry(mv).or_default()[half(game.outcome, mover)] += 1;
            }
        }
        let tenth = |games: u64| 10 * games / self.with.games.max(1);
        let snapshot = tenth(until) > tenth(self.state.games);
        self.state.games = until;
        Ok(Step { metrics: vec![self.metric()], snapshot })
    }

    fn progress(&self) -> Progress {
        let says = format!("{} positions in the book", self.size());
        Progress { done: self.state.games, total: self.with.games, unit: "games", says }
    }

    fn save(&self) -> serde_json::Value {
        serde_json::to_value(&self.state).expect("texts and numbers always serialize")
    }

    fn product(&self) -> Product {
        let Parameters { players, random, epsilon, plies, least, z, block, .. } = &self.with;
        let mut how = String::new();
        let _ = write!(how, "players {}; random plies {random:?}; epsilon {epsilon}; ", players.join(", "));
        let _ = write!(how, "to ply {plies}; {least} games per position; z {z}; {block} games per step");
        let command = format!("quintet train {} --games {} --seed {}", self.recipe.token(), self.with.games, self.seed);
        let notes = [
            ("command", command),
            ("games", self.state.games.to_string()),
            ("seed", self.seed.to_string()),
            ("how", how),
        ];
        Product::File { ending: "csv", text: write_book(&self.spec, &notes, &self.moves()) }
    }
}

impl BookPipeline {
    /// The book as it stands.
    fn moves(&self) -> BTreeMap<String, String> {
        let chosen = self.state.tally.iter().filter_map(|(position, moves)| {
            Some((position.clone(), choose(moves, self.with.least, self.with.z)?.to_owned()))
        });
        chosen.collect()
    }

    /// How many positions it has.
    fn size(&self) -> usize {
        self.state.tally.values().filter(|moves| games_of(moves) >= self.with.least).count()
    }

    fn metric(&self) -> Metric {
        let counts = self.state.results;
        let (score, games) = score(counts);
        let positions = [("seen", self.state.tally.len()), ("in the book", self.size())];
        let mut values: Vec<(String, f64)> =
            positions.map(|(which, count)| (format!("positions/{which}"), count as f64)).into();
        values.extend(banded("score/first player", score, games));
        values.extend(banded("score/draws", f64::from(counts[1]) / games.max(1.0), games));
        Metric::new(self.state.games, values)
    }
}

/// The place of a result in [`Counts`].
fn half(outcome: Option<Outcome>, view: Player) -> usize {
    match outcome.and_then(Outcome::winner) {
        Some(winner) => {
            if winner == view {
                0
            } else {
                2
            }
        }
        None => 1,
    }
}

/// The score, where a draw is half a point, and the number of games.
fn score([wins, draws, losses]: Counts) -> (f64, f64) {
    let games = f64::from(wins + draws + losses);
    ((f64::from(wins) + f64::from(draws) / 2.0) / games.max(1.0), games)
}

/// Wilson's lower bound of a score.
fn lower_bound(counts: Counts, z: f64) -> f64 {
    let (share, n) = score(counts);
    wilson(share, n, z)[0]
}

/// The move of a position with at least `least` games: the one with the highest lower bound, the first of equals.
fn choose(moves: &BTreeMap<String, Counts>, least: u32, z: f64) -> Option<&str> {
    if games_of(moves) < least {
        return None;
    }
    let mut best: Option<(&str, f64)> = None;
    for (mv, counts) in moves {
        let bound = lower_bound(*counts, z);
        if best.is_none_or(|(_, high)| bound > high) {
            best = Some((mv, bound));
        }
    }
    best.map(|(mv, _)| mv)
}

fn games_of(moves: &BTreeMap<String, Counts>) -> u32 {
    moves.values().flatten().sum()
}

/// The representative of `pos` up to symmetry, and the first of its moves that leads where `mv` leads.
fn fold<G: Playable>(game: &G, pos: &G::Pos, mv: G::Move) -> (String, G::Move) {
    let (text, stands) = canonical(game, pos);
    let mv = carry_over(game, pos, mv, &stands).expect("a position is an image of its representative");
    let after = |mv: G::Move| {
        let mut next = stands.clone();
        game.play(&mut next, mv);
        next
    };
    let next = after(mv);
    let images: Vec<G::Pos> =
        game.symmetries(&next).iter().map(|symmetry| game.map_position(*symmetry, &next)).collect();
    let mut moves = Vec::new();
    game.moves(&stands, &mut moves);
    let first = moves.into_iter().find(|other| images.contains(&after(*other)));
    (text, first.unwrap_or(mv))
}

/// A finished game: what was played within the book's reach, and by whom.
struct BookGame {
    number: u64,
    moves: Vec<(String, String, Player)>,
    outcome: Option<Outcome>,
}

/// The games of a step.
struct Block<'a> {
    with: &'a Parameters,
    spec: &'a GameSpec,
    seed: u64,
    tally: &'a Tally,
    numbers: std::ops::Range<u64>,
    context: &'a TrainContext<'a>,
}

impl Block<'_> {
    /// Plays the games on all threads and returns them in order.
    fn visit<G: Playable>(self, game: G) -> Result<Vec<BookGame>, LearnError> {
        let game = Arc::new(game);
        let next = AtomicU64::new(self.numbers.start);
        let work = || {
            let mut played = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.numbers.end {
                    return Ok(played);
                }
                self.context.go_on()?;
                played.push(self.play(&game, number)?);
            }
        };
        let threads = self.context.threads.max(1);
        let all = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let joined = workers.into_iter().map(|worker| worker.join().expect("games do not panic"));
            joined.collect::<Result<Vec<Vec<BookGame>>, LearnError>>()
        })?;
        let mut games: Vec<BookGame> = all.into_iter().flatten().collect();
        games.sort_by_key(|game| game.number);
        Ok(games)
    }
}

/// A game that lasts longer is a draw.
const MOST_PLIES: usize = 400;

impl Block<'_> {
    /// One game: its chances are a function of the seed and its number.
    fn play<G: Playable>(&self, game: &Arc<G>, number: u64) -> Result<BookGame, LearnError> {
        let mut rng = Rng::seed_from_u64(mix(self.seed ^ mix(number)));
        let mut draw = |below: usize| (rng.next_u64() % below as u64) as usize;
        let random = self.with.random[draw(self.with.random.len())];
        let seats = [0, 1].map(|_| draw(self.with.players.len()));
        let mut players = self.sit(seats, number)?;
        let mut moves = Vec::new();
        let mut any_line = <dyn AnyLine>::new(*self.spec, Line::new(game.clone()));
        let outcome = loop {
            let line = any_line.typed::<G>().expect("a line of this game");
            if line.outcome().is_some() || line.plies() >= MOST_PLIES {
                break line.outcome();
            }
            let reach = line.plies() < self.with.plies;
            let (pos, mover) = (line.position(), line.to_move());
            let chance = rng.next_u64() as f64 / u64::MAX as f64;
            let any = line.plies() < random || (reach && chance < self.with.epsilon);
            let mv = if any {
                game.random_move(pos, &mut rng)
            } else if let Some(mv) = reach.then(|| self.known(&**game, pos)).flatten() {
                mv
            } else {
                let thought = players[mover.index()].think(&*any_line, &Limit::default(), &Stop::never(), &mut |_| {});
                let thought = thought.map_err(|error| LearnError::Outside(error.to_string()))?;
                game.read_move(&thought.mv).map_err(|fault| LearnError::Outside(fault.to_string()))?
            };
            if reach {
                let (position, mv) = fold(&**game, pos, mv);
                moves.push((position, game.write_move(mv), mover));
            }
            any_line.typed_mut::<G>().expect("a line of this game").play(mv);
        };
        Ok(BookGame { number, moves, outcome })
    }

    /// Seats are type-erased here: with types, every search would be compiled once more for every game.
    fn sit(&self, seats: [usize; 2], number: u64) -> Result<Vec<Box<dyn Seat>>, LearnError> {
        let sit = |(seat, player): (usize, usize)| {
            let seed = mix(mix(self.seed ^ mix(number)) ^ (seat as u64 + 1));
            Ok(self.context.agents.seat(self.spec, &self.with.players[player], seed)?)
        };
        seats.into_iter().enumerate().map(sit).collect()
    }

    /// The book's move as it stands, if it has one here.
    fn known<G: Playable>(&self, game: &G, pos: &G::Pos) -> Option<G::Move> {
        let (text, stands) = canonical(game, pos);
        let mv = choose(self.tally.get(&text)?, self.with.least, self.with.z)?;
        carry_over(game, &stands, game.read_move(mv).ok()?, pos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_wilsons() {
        // 15 of 20: from 53.13 to 88.81 per cent at 95 %, as in the tables of statistics; draws count half.
        for counts in [[15, 0, 5], [10, 10, 0], [14, 2, 4]] {
            assert!((lower_bound(counts, 1.959_964) - 0.5313).abs() < 5e-5, "{counts:?}");
        }
        assert_eq!(lower_bound([3, 0, 1], 0.0), 0.75);
        assert_eq!(lower_bound([0, 0, 4], 2.0), 0.0);
        assert_eq!(lower_bound([0, 0, 0], 2.0), 0.0);
    }

    #[test]
    fn a_lucky_move_is_not_chosen() {
        let moves = |list: &[(&str, Counts)]| list.iter().map(|(mv, counts)| ((*mv).to_owned(), *counts)).collect();
        let seen: BTreeMap<String, Counts> = moves(&[("lucky", [1, 0, 0]), ("sound", [8, 1, 3]), ("weak", [9, 0, 21])]);
        assert_eq!(choose(&seen, 6, 1.28), Some("sound"));
        assert_eq!(choose(&seen, 6, 0.0), Some("lucky"), "the score alone would choose it");
        assert_eq!(choose(&seen, 44, 1.28), None, "43 games are fewer than 44");
        assert_eq!(choose(&moves(&[("b", [2, 0, 0]), ("a", [2, 0, 0])]), 1, 1.0), Some("a"), "the first of equal ones");
    }
}
