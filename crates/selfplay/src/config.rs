//! How games are played.

use crate::SelfPlayError;

/// The most games at once, in each of the two halves.
pub const MOST_GAMES: usize = 1 << 20;
/// The most threads.
pub const MOST_THREADS: usize = 1024;
/// The most simulations of a search.
pub const MOST_SIMULATIONS: u32 = 1 << 20;
/// The most actions that a node keeps, or that are drawn at the root.
pub const MOST_WIDTH: usize = 1 << 16;

/// How games are played.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Games at once, in each of the two halves: the size of a batch.
    pub games: usize,
    /// Threads that walk the trees, never more than games; 0 takes all cores.
    pub threads: usize,
    /// The seed of all randomness.
    pub seed: u64,
    /// How a move is searched.
    pub search: Search,
    /// Simulations for each action that is searched in full.
    pub simulations: u32,
    /// Playout-cap randomisation: some actions are searched less, and not learned from.
    pub fast: Option<Fast>,
    /// Inner nodes keep this many actions, those with the highest priors. The root keeps all.
    pub width: usize,
    /// Games begin with up to this many random moves.
    pub opening: u32,
    /// A game of more moves is a draw.
    pub most_moves: u32,
    /// Once this many pieces are on the board, the ending hook is asked after each move.
    pub solve_from: u32,
    /// A player whose searches twice in a row gave a value below this one resigns. Off by default: games that are played to their end teach
    /// how to win and how to defend.
    pub resign: Option<f32>,
    /// Each sample is one of its symmetric images, chosen at random.
    pub symmetries: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            games: 1024,
            threads: 0,
            seed: 1,
            search: Search::Gumbel(Gumbel::default()),
            simulations: 32,
            fast: None,
            width: 32,
            opening: 2,
            most_moves: 1000,
            solve_from: u32::MAX,
            resign: None,
            symmetries: true,
        }
    }
}

/// Playout-cap randomisation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fast {
    /// The share of actions that are searched less.
    pub share: f32,
    /// With how many simulations.
    pub simulations: u32,
}

/// A way to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// Gumbel AlphaZero: some actions are drawn by their priors, and sequential halving finds the best of them. The policy to learn is
    /// the prior improved by the values found; actions without visits get the mean of the others.
    Gumbel(Gumbel),
    /// AlphaZero: PUCT with noise at the root. The policy to learn is the share of visits.
    Puct(Puct),
}

/// The parameters of Gumbel AlphaZero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gumbel {
    /// Actions that are drawn at the root.
    pub considered: usize,
    /// A value q from 0 to 1 weighs `(visit + most visits of an action) * scale * q` against the logarithm of the prior.
    pub visit: f32,
    /// See `visit`.
    pub scale: f32,
    /// The noise is multiplied by this: 0 takes the actions with the highest priors.
    pub noise: f32,
}

impl Default for Gumbel {
    fn default() -> Gumbel {
        Gumbel { considered: 16, visit: 50.0, scale: 1.0, noise: 1.0 }
    }
}

/// The parameters of PUCT.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Puct {
    /// How much priors weigh against values.
    pub exploration: f32,
    /// An action without visits is worth this much less than its parent (values from -1 to 1).
    pub reduction: f32,
    /// The alpha of the Dirichlet noise is this divided by the number of actions.
    pub alpha: f32,
    /// The share of the noise in the root's priors.
    pub noise: f32,
    /// How many moves at the start of a game are drawn by their visits; later the most visited one is played.
    pub drawn_moves: u32,
}

impl Default for Puct {
    fn default() -> Puct {
        Puct { exploration: 1.5, reduction: 0.25, alpha: 10.0, noise: 0.25, drawn_moves: 16 }
    }
}

impl Config {
    /// Checks that every number is in its range.
    pub(crate) fn check(&self) -> Result<(), SelfPlayError> {
        let whole = [
            ("games", self.games as u64, 1, MOST_GAMES as u64),
            ("threads", self.threads as u64, 0, MOST_THREADS as u64),
            ("simulations", self.simulations.into(), 1, MOST_SIMULATIONS.into()),
            ("width", self.width as u64, 1, MOST_WIDTH as u64),
            ("most_moves", self.most_moves.into(), 1, u32::MAX.into()),
            ("fast simulations", self.fast.map_or(1, |fast| fast.simulations).into(), 1, MOST_SIMULATIONS.into()),
        ];
        for (name, value, least, most) in whole {
            if !(least..=most).contains(&value) {
                return Err(SelfPlayError::Config(format!("{name} is {value}: it must be from {least} to {most}.")));
            }
        }
        let none = f32::MAX;
        let mut parts = vec![("fast share", self.fast.map_or(0.0, |fast| fast.share), 0.0, 1.0)];
        parts.push(("resign", self.resign.unwrap_or(0.0), -1.0, 1.0));
        match self.search {
            Search::Gumbel(gumbel) => parts.extend([
                ("considered", gumbel.considered as f32, 1.0, MOST_WIDTH as f32),
                ("visit", gumbel.visit, 0.0, none),
                ("scale", gumbel.scale, 0.0, none),
                ("noise", gumbel.noise, 0.0, none),
            ]),
            Search::Puct(puct) => parts.extend([
                ("exploration", puct.exploration, 0.0, none),
                ("reduction", puct.reduction, 0.0, 2.0),
                ("alpha", puct.alpha, f32::MIN_POSITIVE, none),
                ("noise", puct.noise, 0.0, 1.0),
            ]),
        }
        for (name, value, least, most) in parts {
            if !(least..=most).contains(&value) {
                let most = if most == none { "any larger number".to_owned() } else { most.to_string() };
                return Err(SelfPlayError::Config(format!("{name} is {value}: it must be from {least} to {most}.")));
            }
        }
        Ok(())
    }
}
