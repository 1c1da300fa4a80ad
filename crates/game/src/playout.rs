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

/// Plays random games from the start, one after another, until `heard`, which gets the outcome and the plies of each, returns false.
///
/// ```
/// use quintet_game::{GameSpec, playout::random_games};
/// let mut games = 0;
/// random_games(&GameSpec::parse("pathwayz").unwrap(), 1, &mut |_, plies| {
///     assert!(plies <= 96);
///     games += 1;
///     games < 10
/// });
/// assert_eq!(games, 10);
/// ```
pub fn random_games(spec: &GameSpec, seed: u64, heard: &mut dyn FnMut(Option<Outcome>, usize) -> bool) {
    with_game!(spec, |game| {
        let (mut playouts, mut rng) = (Playouts::new(&game), Rng::seed_from_u64(seed));
        loop {
            let (outcome, plies) = playouts.run(game.start(), &mut rng);
            if !heard(outcome, plies) {
                break;
            }
        }
    });
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
