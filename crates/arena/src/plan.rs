//! What is to be played: players, openings, budget, and the order of the games.

use quintet_eval::SpecError;
use quintet_game::bits::mix;
use quintet_game::clock::ClockKind;
use quintet_game::{GameSpec, GameSpecError, Limit};
use serde::{Deserialize, Serialize};

use crate::adjudication::Adjudication;
use crate::stats::{Model, Sprt, SprtError};

/// A player of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contestant {
    /// Its name in tables.
    pub name: String,
    /// Its spec, or its name in the catalogue.
    pub agent: String,
}

/// Which players meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every player meets every other.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

/// How long a run is; decided before it starts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Length {
    /// This many games per pairing.
    Games(u64),
    /// Until a sequential test is decided, or `most` games are played.
    Sprt {
        /// The Elo of the first claim.
        elo0: f64,
        /// The Elo of the second.
        elo1: f64,
        /// The most games.
        most: u64,
    },
}

/// Everything that decides a run: the same plan gives the same games on any machine, unless the budget is a time.
///
/// ```
/// use quintet_arena::{Length, Plan};
/// let plan = Plan::duel("pylos", ["mcts(visits=50)", "random"], Length::Games(4)).unwrap();
/// let games: Vec<_> = plan.fixtures().collect();
/// assert_eq!(games.len(), 4);
/// assert_eq!((games[0].seats, games[1].seats), ([0, 1], [1, 0])); // one opening, both colours
/// assert_eq!(games[0].opening, games[1].opening);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The game.
    pub game: String,
    /// The players, at least two.
    pub players: Vec<Contestant>,
    /// Which players meet.
    pub format: Format,
    /// How many games.
    pub length: Length,
    /// Random plies before the players take over.
    pub opening_plies: u32,
    /// Are only openings drawn that the game's net holds for near even?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub even: bool,
    /// What a player may spend on a move, whichever limit is reached first. If empty, each agent's own limit.
    pub budget: Limit,
    /// A game of this many plies is a draw.
    pub max_plies: u32,
    /// The seed of openings and players.
    pub seed: u64,
    /// The player whose rating is 0; by default the first.
    pub anchor: usize,
    /// The clock of a budget of time. Outside engines have clocks of their own.
    #[serde(default, skip_serializing_if = "is_wall")]
    pub clock: ClockKind,
    /// When a game may end before its last move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adjudicate: Vec<Adjudication>,
}

fn is_wall(clock: &ClockKind) -> bool {
    *clock == ClockKind::Wall
}

/// The most plies of a game by default.
pub const MAX_PLIES: u32 = 400;

/// One game of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its place in the plan, from 0.
    pub number: u64,
    /// The number of its opening.
    pub opening: u64,
    /// The players who move first and second.
    pub seats: [usize; 2],
}

impl Plan {
    /// A match of two agents with the defaults: no random opening, each agent's own limits, seed 1.
    ///
    /// # Errors
    /// When the game's spec is wrong.
    pub fn duel(game: &str, agents: [&str; 2], length: Length) -> Result<Plan, GameSpecError> {
        let game = GameSpec::parse(game)?.to_string();
        let players = agents.map(|agent| Contestant { name: agent.to_owned(), agent: agent.to_owned() }).to_vec();
        Ok(Plan {
            game,
            players,
            format: Format::RoundRobin,
            length,
            opening_plies: 0,
            even: false,
            budget: Limit::default(),
            max_plies: MAX_PLIES,
            seed: 1,
            anchor: 0,
            clock: ClockKind::Wall,
            adjudicate: Vec::new(),
        })
    }

    /// The limit of every move, with the clock that counts its time.
    #[must_use]
    pub fn limit(&self) -> Limit {
        Limit { clock: self.clock, ..self.budget }
    }

    /// The sequential test that decides the length, if one does: logistic Elo, both errors 5 %.
    ///
    /// # Errors
    /// When its bounds are out of order.
    pub fn test(&self) -> Result<Option<Sprt>, SprtError> {
        match self.length {
            Length::Games(_) => Ok(None),
            Length::Sprt { elo0, elo1, .. } => Sprt::new(elo0, elo1, 0.05, 0.05, Model::Logistic).map(Some),
        }
    }

    /// Does a player that cannot be built for this reason fail its own games only? So it is among many, if the player is right but cannot play this variant here; two need both.
    pub(crate) fn is_open_to(&self, why: &SpecError) -> bool {
        self.players.len() > 2 && matches!(why, SpecError::Unusable { .. })
    }

    /// The pairs of players that meet.
    #[must_use]
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let all = |first: usize| (first + 1..self.players.len()).map(move |second| [first, second]);
        match self.format {
            Format::RoundRobin => (0..self.players.len()).flat_map(all).collect(),
            Format::Gauntlet => all(0).collect(),
        }
    }

    /// Games per pairing, at most.
    #[must_use]
    pub fn games_per_pairing(&self) -> u64 {
        match self.length {
            Length::Games(games) => games,
            Length::Sprt { most, .. } => most,
        }
    }

    /// The most games of all.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games_per_pairing() * self.pairings().len() as u64
    }

    /// All games in their order: opening by opening, pairing by pairing, both colours next to each other.
    pub fn fixtures(&self) -> impl Iterator<Item = Fixture> + use<> {
        let pairings = self.pairings();
        let games = self.games_per_pairing();
        let rows = (0..games.div_ceil(2)).flat_map(move |opening| {
            let colours = if 2 * opening + 1 < games { 2 } else { 1 };
            let of_pairing =
                move |[a, b]: [usize; 2]| [[a, b], [b, a]].into_iter().take(colours).map(move |seats| (opening, seats));
            pairings.clone().into_iter().flat_map(of_pairing)
        });
        rows.enumerate().map(|(number, (opening, seats))| Fixture { number: number as u64, opening, seats })
    }

    /// One game by its number; none beyond the last.
    #[must_use]
    pub fn fixture(&self, number: u64) -> Option<Fixture> {
        let (pairings, games) = (self.pairings(), self.games_per_pairing());
        if number >= self.games() {
            return None;
        }
        let opening = number / (2 * pairings.len() as u64);
        let place = number % (2 * pairings.len() as u64);
        let colours = if 2 * opening + 1 < games { 2 } else { 1 };
        let [a, b] = pairings[(place / colours) as usize];
        Some(Fixture { number, opening, seats: if place.is_multiple_of(colours) { [a, b] } else { [b, a] } })
    }

    /// The seed of a seat's random stream in a game.
    #[must_use]
    pub fn seed_of(&self, fixture: &Fixture, seat: usize) -> u64 {
        mix(mix(self.seed ^ mix(fixture.number)) ^ seat as u64)
    }
}
