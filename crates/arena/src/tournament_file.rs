//! Tournament files, in TOML or JSON.

use std::time::Duration;

use quintet_game::clock::ClockKind;
use quintet_game::{GameSpec, GameSpecError, Limit};
use serde::Deserialize;

use crate::adjudication::Adjudication;
use crate::plan::{Contestant, Format, Length, MAX_PLIES, Plan};

/// The most games of a sequential test by default.
pub const MOST: u64 = 20_000;

/// The contents of a tournament file.
///
/// ```
/// use std::time::Duration;
/// use quintet_arena::TournamentFile;
/// let written: TournamentFile = serde_json::from_str(r#"{"game": "pylos", "players": ["random", "mcts"], "time": "50ms", "games": 10}"#).unwrap();
/// assert_eq!(written.plan().unwrap().budget.time, Some(Duration::from_millis(50)));
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentFile {
    game: String,
    players: Vec<PlayerEntry>,
    #[serde(default)]
    format: Format,
    /// Games per pairing.
    games: Option<u64>,
    /// Bounds of a sequential test.
    sprt: Option<[f64; 2]>,
    /// The most games of a sequential test.
    most: Option<u64>,
    #[serde(default)]
    openings: u32,
    /// Are only openings drawn that are near even?
    #[serde(default)]
    even: bool,
    time: Option<String>,
    nodes: Option<u64>,
    depth: Option<u32>,
    visits: Option<u64>,
    #[serde(default = "default_max_plies")]
    max_plies: u32,
    #[serde(default = "one")]
    seed: u64,
    anchor: Option<String>,
    #[serde(default)]
    clock: ClockKind,
    #[serde(default)]
    adjudicate: Vec<Adjudication>,
}

fn default_max_plies() -> u32 {
    MAX_PLIES
}

fn one() -> u64 {
    1
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum PlayerEntry {
    Agent(String),
    Named(Contestant),
}

/// The most players of a tournament, and games of a pairing.
const MOST_PLAYERS: u64 = 1024;
const MOST_GAMES: u64 = 10_000_000;

/// What is wrong with a tournament.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TournamentFileError {
    /// The game cannot be read.
    #[error(transparent)]
    Game(#[from] GameSpecError),
    /// Too few play.
    #[error("players: a tournament has at least two")]
    Alone,
    /// Two have one name.
    #[error("players: two are called \"{0}\"; give one another name: {{ name = \"…\", agent = \"…\" }}")]
    Namesakes(String),
    /// No player has the anchor's name.
    #[error("anchor: no player is called \"{0}\"")]
    Anchor(String),
    /// Two lengths.
    #[error("games and sprt: a run has one length; leave one of them out")]
    TwoLengths,
    /// A sequential test of more than two players.
    #[error("sprt: a sequential test is between two players")]
    TestOfMany,
    /// Bounds out of order.
    #[error("sprt: two numbers, the smaller first, as in [0, 20]")]
    Bounds,
    /// No games.
    #[error("games: must be at least 1")]
    NoGames,
    /// More than can be played.
    #[error("{what}: at most {most}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: u64,
    },
    /// A time that cannot be read.
    #[error("time: \"{0}\" is not a time such as 2s or 50ms")]
    Time(String),
}

impl TournamentFile {
    /// The plan that the file describes.
    ///
    /// # Errors
    /// When it makes no sense.
    pub fn plan(self) -> Result<Plan, TournamentFileError> {
        let spec = GameSpec::parse(&self.game)?;
        let length = self.length()?;
        let time = self
            .time
            .as_deref()
            .map(|text| quintet_eval::read_time(text).ok_or_else(|| TournamentFileError::Time(text.to_owned())));
        // Whole milliseconds, as the store keeps them.
        let time = time.transpose()?.map(|time| Duration::from_millis(time.as_millis() as u64));
        let budget = Limit { time, nodes: self.nodes, depth: self.depth, visits: self.visits, ..Limit::default() };
        let players: Vec<Contestant> = self
            .players
            .into_iter()
            .map(|player| match player {
                PlayerEntry::Agent(agent) => Contestant { name: agent.clone(), agent },
                PlayerEntry::Named(contestant) => contestant,
            })
            .collect();
        if players.len() < 2 {
            return Err(TournamentFileError::Alone);
        }
        if players.len() as u64 > MOST_PLAYERS {
            return Err(TournamentFileError::TooMany { what: "players", most: MOST_PLAYERS });
        }
        for (number, player) in players.iter().enumerate() {
            if players[..number].iter().any(|other| other.name == player.name) {
                return Err(TournamentFileError::Namesakes(player.name.clone()));
            }
        }
        let anchor = match self.anchor {
            None => 0,
            Some(name) => {
                players.iter().position(|player| player.name == name).ok_or(TournamentFileError::Anchor(name))?
            }
        };
        Ok(Plan {
            game: spec.to_string(),
            players,
            format: self.format,
            length,
            opening_plies: self.openings,
            even: self.even,
            budget,
            max_plies: self.max_plies,
            seed: self.seed,
            anchor,
            clock: self.clock,
            adjudicate: self.adjudicate,
        })
    }

    fn length(&self) -> Result<Length, TournamentFileError> {
        match (self.games, self.sprt) {
            (Some(_), Some(_)) => Err(TournamentFileError::TwoLengths),
            (None, Some(_)) if self.players.len() > 2 => Err(TournamentFileError::TestOfMany),
            (None, Some(_)) if self.most.is_some_and(|most| most > MOST_GAMES) => {
                Err(TournamentFileError::TooMany { what: "most", most: MOST_GAMES })
            }
            (None, Some([elo0, elo1])) if elo0 < elo1 && elo0.is_finite() && elo1.is_finite() => {
                Ok(Length::Sprt { elo0, elo1, most: self.most.unwrap_or(MOST) })
            }
            (None, Some(_)) => Err(TournamentFileError::Bounds),
            (Some(games), None) if games > MOST_GAMES => {
                Err(TournamentFileError::TooMany { what: "games", most: MOST_GAMES })
            }
            (Some(0), None) => Err(TournamentFileError::NoGames),
            (games, None) => Ok(Length::Games(games.unwrap_or(100))),
        }
    }
}
