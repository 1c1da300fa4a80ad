//! How often an agent keeps the value of positions whose values are known, and how often it guesses that value.

use std::collections::BTreeMap;
use std::fmt;

use quintet_agent::{Catalogue, exact};
use quintet_game::notation::Fault;
use quintet_game::{AnyLine, GameSpec, Limit, Proof, Rng, SeedableRng as _, Stop};
use serde::Deserialize;

use crate::stats::wilson;

/// A position with its value under perfect play, and those of its moves where they are known: all for the side to move.
///
/// ```
/// use quintet_arena::KnownPosition;
/// let text = r#"{"game": "pentago", "position": "xxxx../oooo../....../....../....../...... x", "value": "win", "moves": {"e1": 1, "f6q1l": -1}}"#;
/// let known = KnownPosition::read(text).unwrap();
/// assert!(known.is_contested());
/// assert_eq!(known.keeps("f6q1l"), Some(false));
/// ```
#[derive(Clone, Debug, Deserialize)]
pub struct KnownPosition {
    /// The game's spec.
    pub game: String,
    /// The position's text.
    pub position: String,
    /// Its value.
    pub value: Proof,
    /// Every legal move: 1 wins, 0 draws, -1 loses. Empty if they are not known.
    #[serde(default)]
    pub moves: BTreeMap<String, i8>,
    /// Is the game over?
    #[serde(default)]
    pub over: bool,
}

impl KnownPosition {
    /// Reads a line of JSON; other fields are ignored.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(line: &str) -> Result<KnownPosition, Fault> {
        serde_json::from_str(line).map_err(|error| Fault(error.to_string()))
    }

    /// Does a move keep the value? `None` if the moves are not known.
    #[must_use]
    pub fn keeps(&self, mv: &str) -> Option<bool> {
        self.moves.get(mv).map(|worth| proof(*worth) >= self.value)
    }

    /// Can the side to move go wrong? Not where all moves are equally good.
    #[must_use]
    pub fn is_contested(&self) -> bool {
        self.moves.values().any(|worth| proof(*worth) < self.value)
    }

    /// How likely a random move keeps the value.
    fn by_chance(&self) -> f64 {
        let keep = self.moves.values().filter(|worth| proof(**worth) >= self.value).count();
        keep as f64 / self.moves.len() as f64
    }
}

fn proof(worth: i8) -> Proof {
    match worth.signum() {
        1 => Proof::Win,
        0 => Proof::Draw,
        _ => Proof::Loss,
    }
}

/// Some of a number of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Part {
    /// How many it was right about.
    pub right: u64,
    /// Of how many.
    pub of: u64,
    /// How many a random move is expected to be right about.
    pub by_chance: f64,
}

impl Part {
    fn count(&mut self, right: bool, by_chance: f64) {
        self.right += u64::from(right);
        self.of += 1;
        self.by_chance += by_chance;
    }

    /// The share that it was right about; 0 of none.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.right as f64 / self.of.max(1) as f64
    }
}

/// `104 of 113, 92.04 % [85.56, 95.75]`, with Wilson's 95 % interval.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} of {}", self.right, self.of)?;
        match wilson(self.right, self.of) {
            Some(interval) => write!(f, ", {:.2} % {interval}", 100.0 * self.share()),
            None => Ok(()),
        }
    }
}

/// How well an agent did in positions whose values are known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ValueKept {
    /// Won positions in which it could go wrong: how many it still wins after its move.
    pub wins: Part,
    /// The same for drawn positions.
    pub draws: Part,
    /// All positions: how often the value lies in the third of its expectation, from 0 for a loss to 1 for a win.
    pub guesses: Part,
    /// Positions that were left out because no prover knew their value, or that of the move.
    pub unknown: u64,
}

impl ValueKept {
    /// Lets an agent think about one position after another, each time as a new agent with this seed.
    ///
    /// ```
    /// use quintet_agent::Catalogue;
    /// use quintet_arena::{KnownPosition, ValueKept};
    /// use quintet_game::Limit;
    /// let text = r#"{"game": "pentago", "position": "xxxx../oooo../....../....../....../...... x", "value": "win", "moves": {"e1": 1, "f6q1l": -1}}"#;
    /// let known = [KnownPosition::read(text).unwrap()];
    /// let kept = ValueKept::measure(Catalogue::embedded(), "mcts", &Limit::visits(500), 1, &known).unwrap();
    /// assert_eq!(kept.wins.to_string(), "1 of 1, 100.00 % [20.65, 100.00]");
    /// assert_eq!((kept.wins.by_chance, kept.guesses.right), (0.5, 1));
    /// ```
    ///
    /// # Errors
    /// When a position cannot be read, or the agent cannot play it.
    pub fn measure(
        agents: &Catalogue,
        agent: &str,
        limit: &Limit,
        seed: u64,
        known: &[KnownPosition],
    ) -> Result<ValueKept, Fault> {
        let mut kept = ValueKept::default();
        for position in known.iter().filter(|known| !known.over) {
            let spec = GameSpec::parse(&position.game).map_err(|error| Fault(error.to_string()))?;
            let line = spec.line_at(&position.position).map_err(|error| Fault(error.to_string()))?;
            let thought = think(agents, agent, &*line, limit, seed)?;
            match (thought.keeps(position), position.value) {
                (Some(right), Proof::Win) => kept.wins.count(right, position.by_chance()),
                (Some(right), Proof::Draw) => kept.draws.count(right, position.by_chance()),
                _ => {}
            }
            kept.guesses.count(thought.guess == Some(position.value), 1.0 / 3.0);
        }
        Ok(kept)
    }

    /// Lets an agent play against itself after some random plies, and asks the catalogue's provers about every position and move, with a limit for each question.
    /// Won and drawn positions count whether or not the agent could go wrong.
    ///
    /// ```
    /// use quintet_agent::Catalogue;
    /// use quintet_arena::{OwnGames, ValueKept};
    /// use quintet_game::{GameSpec, Limit};
    /// let spec = GameSpec::parse("twixt(size=5,swap=off)").unwrap();
    /// let games = OwnGames { spec, games: 2, random_plies: 2, proof: Limit::nodes(20_000), seed: 1 };
    /// let kept = ValueKept::in_own_games(Catalogue::embedded(), "twixt:greedy", &Limit::default(), &games).unwrap();
    /// assert!(kept.wins.of + kept.draws.of > 0);
    /// ```
    ///
    /// # Errors
    /// When the agent cannot play the game.
    pub fn in_own_games(agents: &Catalogue, agent: &str, limit: &Limit, own: &OwnGames) -> Result<ValueKept, Fault> {
        let (mut kept, provers) = (ValueKept::default(), agents.provers());
        let value =
            |line: &dyn AnyLine| exact(&provers, line, &own.proof, &Stop::never()).ok().map(|it| it.value.proof);
        for seed in own.seed..own.seed + own.games {
            let (mut line, mut rng) = (own.spec.line(), Rng::seed_from_u64(seed));
            for _ in 0..own.random_plies {
                if let Some(mv) = line.random_move(&mut rng) {
                    line.try_play(&mv).map_err(|error| Fault(error.to_string()))?;
                }
            }
            while line.end().is_none() {
                let before = value(&*line);
                let thought = think(agents, agent, &*line, limit, seed)?;
                line.try_play(&thought.mv).map_err(|error| Fault(error.to_string()))?;
                // A lost position has nothing to keep.
                let after = if before == Some(Proof::Loss) { before } else { value(&*line).map(Proof::turned) };
                match (before, after) {
                    (Some(Proof::Win), Some(after)) => kept.wins.count(after == Proof::Win, 0.0),
                    (Some(Proof::Draw), Some(after)) => kept.draws.count(after == Proof::Draw, 0.0),
                    (Some(Proof::Loss), _) => {}
                    _ => kept.unknown += 1,
                }
                if before.is_some() {
                    kept.guesses.count(thought.guess == before, 1.0 / 3.0);
                }
            }
        }
        Ok(kept)
    }
}

/// Games of an agent against itself.
#[derive(Clone, Copy, Debug)]
pub struct OwnGames {
    /// The game.
    pub spec: GameSpec,
    /// How many.
    pub games: u64,
    /// Random plies before the agent takes over.
    pub random_plies: u32,
    /// The limit of each question to the provers.
    pub proof: Limit,
    /// The seed of the first game; each has its own.
    pub seed: u64,
}

/// What an agent played, and what it expects.
struct Thought {
    mv: String,
    guess: Option<Proof>,
}

impl Thought {
    /// Does its move keep the value? `None` where it could not go wrong.
    fn keeps(&self, known: &KnownPosition) -> Option<bool> {
        known.keeps(&self.mv).filter(|_| known.is_contested())
    }
}

fn think(agents: &Catalogue, agent: &str, line: &dyn AnyLine, limit: &Limit, seed: u64) -> Result<Thought, Fault> {
    let spec = line.spec();
    let mut seat = agents.seat(&spec, agent, seed).map_err(|error| Fault(error.to_string()))?;
    let choice = seat.think(line, limit, &Stop::never(), &mut |_| {}).map_err(|error| Fault(error.to_string()))?;
    let guess = agents.expectation(&spec, agent, &choice).map(|expected| match expected {
        expected if expected < 1.0 / 3.0 => Proof::Loss,
        expected if expected > 2.0 / 3.0 => Proof::Win,
        _ => Proof::Draw,
    });
    Ok(Thought { mv: choice.mv, guess })
}
