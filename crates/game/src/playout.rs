//! Random games, as fast as the rules allow.

use crate::{Game, GameSpec, Outcome, Rng, SeedableRng};

/// Plays uniformly random moves to the end. Holds the buffer that repetition needs, so that nothing is allocated per game.
///
/// ```
/// use quintet_game::{Game, Rng, SeedableRng, pentago::Pentago, playout::Playouts};
/// let game = Pentago::standard();
/// let mut rng = Rng::seed_from_u64(1);
/// let (outcome, plies) = Playouts::new(&game).run(game.start(), &mut rng);
/// assert!(outcome.is_some() && (9..=36).contains(&plies));
/// ```
#[derive(Debug)]
pub struct Playouts<'g, G> {
    game: &'g G,
    keys: Vec<u64>,
}

/// The longest random game. The registered games never come near it; a new game with a loop in its rules must not hang its callers.
pub const MOST_PLIES: usize = 5000;

impl<'g, G: Game> Playouts<'g, G> {
    /// A player of random games.
    pub fn new(game: &'g G) -> Playouts<'g, G> {
        Playouts { game, keys: Vec::new() }
    }

    /// Plays from `pos` to the end: the outcome and the number of plies; no outcome after [`MOST_PLIES`].
    /// Third repetition counts from `pos` on, by the positions' keys.
    #[inline]
    pub fn run(&mut self, pos: G::Pos, rng: &mut Rng) -> (Option<Outcome>, usize) {
        self.game.playout(pos, rng, &mut self.keys)
    }
}

/// What random games came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games that were played.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Won by the first, won by the second, drawn (or longer than [`MOST_PLIES`]).
    pub outcomes: [u64; 3],
}

/// Plies between two calls of [`random_games`]' `go_on`: about a millisecond of the slowest game.
const PLIES_PER_CALL: u64 = 10_000;

/// Plays random games from the start, one after another, until `go_on`, which hears what they came to so far, returns false.
/// It is called every ten thousand plies or so, so that it costs the games no time.
///
/// ```
/// use quintet_game::{GameSpec, playout::random_games};
/// let spec = GameSpec::parse("pathwayz").unwrap();
/// let tally = random_games(&spec, 1, &mut |tally| tally.games < 1000);
/// assert!(tally.games >= 1000 && tally.plies <= 96 * tally.games);
/// assert_eq!(tally.outcomes.iter().sum::<u64>(), tally.games);
/// ```
pub fn random_games(spec: &GameSpec, seed: u64, go_on: &mut dyn FnMut(&Tally) -> bool) -> Tally {
    with_game!(spec, |game| random_games_of(&game, seed, go_on))
}

/// A function of its own for each game: all of them in one would have to share its registers.
#[inline(never)]
fn random_games_of<G: Game>(game: &G, seed: u64, go_on: &mut dyn FnMut(&Tally) -> bool) -> Tally {
    let (mut playouts, mut rng) = (Playouts::new(game), Rng::seed_from_u64(seed));
    let mut tally = Tally::default();
    loop {
        let next_call = tally.plies + PLIES_PER_CALL;
        while tally.plies < next_call {
            let (outcome, plies) = playouts.run(game.start(), &mut rng);
            tally.games += 1;
            tally.plies += plies as u64;
            match outcome {
                Some(Outcome::Win(player)) => tally.outcomes[player.index()] += 1,
                Some(Outcome::Draw) | None => tally.outcomes[2] += 1,
            }
        }
        if !go_on(&tally) {
            return tally;
        }
    }
}

/// The way that works for every game: ask for the outcome, draw a move, play it. Leaves `pos` at the last position.
#[inline]
pub fn move_by_move<G: Game>(
    game: &G,
    pos: &mut G::Pos,
    rng: &mut Rng,
    keys: &mut Vec<u64>,
) -> (Option<Outcome>, usize) {
    keys.clear();
    for plies in 0..=MOST_PLIES {
        if let Some(outcome) = game.outcome(pos) {
            return (Some(outcome), plies);
        }
        if G::REPEATS {
            let key = game.key(pos);
            if keys.iter().filter(|&&earlier| earlier == key).count() >= 2 {
                return (Some(Outcome::Draw), plies);
            }
            keys.push(key);
        }
        let mv = game.random_move(pos, rng);
        game.play(pos, mv);
    }
    (None, MOST_PLIES)
}
