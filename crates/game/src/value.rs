//! What is known of a position under perfect play.

use std::cmp::Ordering;
use std::fmt;

/// How a game ends for one side under perfect play of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Proof {
    /// It wins.
    Win,
    /// Neither side can force a win.
    Draw,
    /// It loses.
    Loss,
}

/// From a loss to a win.
impl Ord for Proof {
    fn cmp(&self, other: &Proof) -> Ordering {
        (*other as u8).cmp(&(*self as u8))
    }
}

impl PartialOrd for Proof {
    fn partial_cmp(&self, other: &Proof) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Proof {
    /// `win`, `draw` or `loss`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Proof::Win => "win",
            Proof::Draw => "draw",
            Proof::Loss => "loss",
        }
    }

    /// The same for the other side.
    #[must_use]
    pub const fn turned(self) -> Proof {
        match self {
            Proof::Win => Proof::Loss,
            Proof::Draw => Proof::Draw,
            Proof::Loss => Proof::Win,
        }
    }
}

/// The exact value of a position for one side: how the game ends, and how soon where that is known.
///
/// ```
/// use quintet_game::{Proof, Value};
/// let child = Value::loss_in(4);
/// assert_eq!(child.before(), Value::win_in(5)); // moving to a position that is lost in 4 wins in 5
/// assert_eq!(Value::win_in(5).to_string(), "wins in 5");
/// assert!(Value::win_in(3).merit() > Value::win_in(5).merit());
/// assert_eq!(Value::from(Proof::Draw), Value::DRAW);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// How it ends.
    pub proof: Proof,
    /// Plies to the end, if the winner hurries and the loser delays; `None` if unknown, and for a draw, which has no distance.
    pub plies: Option<u32>,
}

impl Value {
    /// Neither side can force a win.
    pub const DRAW: Value = Value { proof: Proof::Draw, plies: None };

    /// A win after this many plies.
    #[must_use]
    pub const fn win_in(plies: u32) -> Value {
        Value { proof: Proof::Win, plies: Some(plies) }
    }

    /// A loss after this many plies.
    #[must_use]
    pub const fn loss_in(plies: u32) -> Value {
        Value { proof: Proof::Loss, plies: Some(plies) }
    }

    /// Is it a win?
    #[must_use]
    pub const fn is_win(self) -> bool {
        matches!(self.proof, Proof::Win)
    }

    /// The value of a move that leads to a position of this value, for the side that makes the move: one ply later, seen from the other
    /// side.
    #[must_use]
    pub fn before(self) -> Value {
        Value { proof: self.proof.turned(), plies: self.plies.map(|plies| plies + 1) }
    }

    /// The value of a position whose children have these values for *their* side to move; without children it is a loss.
    ///
    /// ```
    /// use quintet_game::Value;
    /// assert_eq!(Value::of_children([Value::win_in(3), Value::loss_in(4), Value::loss_in(6)]), Value::win_in(5));
    /// assert_eq!(Value::of_children([Value::win_in(3), Value::win_in(7)]), Value::loss_in(8));
    /// assert_eq!(Value::of_children([Value::win_in(3), Value::DRAW]), Value::DRAW);
    /// ```
    pub fn of_children(children: impl IntoIterator<Item = Value>) -> Value {
        children.into_iter().map(Value::before).max_by_key(|value| value.merit()).unwrap_or(Value::loss_in(0))
    }

    /// How good it is, larger is better: near wins before far ones, then draws, then far losses before near ones.
    #[must_use]
    pub fn merit(self) -> i64 {
        let plies = i64::from(self.plies.unwrap_or(0));
        match self.proof {
            Proof::Win => (2 << 32) - plies,
            Proof::Draw => 1 << 32,
            Proof::Loss => plies,
        }
    }
}

impl From<Proof> for Value {
    /// The value without a distance.
    fn from(proof: Proof) -> Value {
        Value { proof, plies: None }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.proof {
            Proof::Win => "wins",
            Proof::Draw => return f.write_str("draws"),
            Proof::Loss => "loses",
        };
        match self.plies {
            Some(plies) => write!(f, "{word} in {plies}"),
            None => f.write_str(word),
        }
    }
}
