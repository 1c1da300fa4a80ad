//! Why games end.

use std::cmp::Ordering;
use std::fmt;

/// Why a game ended: by the rules, or by what its players did. Its text is what records say.
///
/// ```
/// use quintet_game::{EndReason, Forfeit};
/// assert_eq!(EndReason::from("resigned"), EndReason::Resigned);
/// assert_eq!(EndReason::Forfeit(Forfeit::Crash).to_string(), "forfeit: crash");
/// assert_eq!(EndReason::from("agreed"), EndReason::Other("agreed".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// Pathwayz: a path from one border to the other.
    Path,
    /// Pathwayz and both Pentagos: the board is full.
    FullBoard,
    /// TwixT: a chain of links from one border to the other.
    Chain,
    /// TwixT: neither player has a hole left.
    NoHoleLeft,
    /// Pylos: a ball on the apex.
    Apex,
    /// Pylos: a player has no balls left.
    Spent,
    /// Pylos: a player cannot move.
    Stuck,
    /// Both Pentagos: five in a row.
    Five,
    /// Both Pentagos: five in a row for both players at once.
    BothHaveFive,
    /// The same position for the third time.
    Repetition,
    /// The loser gave up.
    Resigned,
    /// The loser's clock ran out.
    Time,
    /// The most plies of a match were played.
    Cap,
    /// An agent proved how it ends.
    AdjudicatedByProof,
    /// Both players expected the same winner.
    AdjudicatedByScore,
    /// The match was stopped; the game is worth nothing.
    Stopped,
    /// It was given up because it took too long.
    Cut,
    /// The loser was at fault.
    Forfeit(Forfeit),
    /// A game from elsewhere: the loser was at fault, it is not said how.
    Forfeited,
    /// A game from elsewhere: its result is given and no reason.
    Recorded,
    /// What other programs, versions and games say.
    Other(String),
}

/// What a player does wrong when it loses by a fault.
///
/// ```
/// assert_eq!(quintet_game::Forfeit::IllegalMove.name(), "illegal-move");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forfeit {
    /// It ended, or closed its output, before it answered.
    Crash,
    /// It did not answer in time.
    TimeOut,
    /// Its move is illegal.
    IllegalMove,
    /// Its answer cannot be read.
    Garbage,
    /// It writes too much.
    TooMuchOutput,
    /// It cannot be run, or does not become ready.
    NotStarted,
    /// It is not made for this variant of the game.
    CannotPlay,
    /// It chose no move.
    RefusedToPlay,
}

const FORFEIT: &str = "forfeit: ";
const ADJUDICATED: &str = "adjudicated: ";

/// The texts of all reasons, in both directions.
macro_rules! texts {
    ($($text:literal => $($reason:ident)::+ $(($what:path))?,)*) => {
        impl EndReason {
            /// The text; none for what others say.
            const fn known(&self) -> Option<&'static str> {
                match self {
                    $($($reason)::+ $(($what))? => Some($text),)*
                    EndReason::Other(_) => None,
                }
            }
        }

        impl From<&str> for EndReason {
            fn from(text: &str) -> EndReason {
                match text {
                    $($text => $($reason)::+ $(($what))?,)*
                    _ => EndReason::Other(text.to_owned()),
                }
            }
        }
    };
}

texts! {
    "path" => EndReason::Path,
    "full board" => EndReason::FullBoard,
    "chain" => EndReason::Chain,
    "no hole left" => EndReason::NoHoleLeft,
    "apex" => EndReason::Apex,
    "spent" => EndReason::Spent,
    "stuck" => EndReason::Stuck,
    "five" => EndReason::Five,
    "both have five" => EndReason::BothHaveFive,
    "third repetition" => EndReason::Repetition,
    "resigned" => EndReason::Resigned,
    "time" => EndReason::Time,
    "cap" => EndReason::Cap,
    "adjudicated: proof" => EndReason::AdjudicatedByProof,
    "adjudicated: score" => EndReason::AdjudicatedByScore,
    "stopped" => EndReason::Stopped,
    "cut" => EndReason::Cut,
    "forfeit: crash" => EndReason::Forfeit(Forfeit::Crash),
    "forfeit: time-out" => EndReason::Forfeit(Forfeit::TimeOut),
    "forfeit: illegal-move" => EndReason::Forfeit(Forfeit::IllegalMove),
    "forfeit: garbage" => EndReason::Forfeit(Forfeit::Garbage),
    "forfeit: too-much-output" => EndReason::Forfeit(Forfeit::TooMuchOutput),
    "forfeit: not-started" => EndReason::Forfeit(Forfeit::NotStarted),
    "forfeit: cannot play this variant" => EndReason::Forfeit(Forfeit::CannotPlay),
    "forfeit: refused to play" => EndReason::Forfeit(Forfeit::RefusedToPlay),
    "forfeit" => EndReason::Forfeited,
    "recorded" => EndReason::Recorded,
}

impl EndReason {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            EndReason::Other(text) => text,
            reason => reason.known().unwrap_or_default(),
        }
    }

    /// The reason in a field that may be empty.
    ///
    /// ```
    /// use quintet_game::EndReason;
    /// assert_eq!(EndReason::given("apex"), Some(EndReason::Apex));
    /// assert_eq!(EndReason::given(""), None);
    /// ```
    #[must_use]
    pub fn given(text: &str) -> Option<EndReason> {
        (!text.is_empty()).then(|| text.into())
    }

    /// Whether an arbiter gave the game to a player for the other's fault, also one that this version does not know.
    #[must_use]
    pub fn is_forfeit(&self) -> bool {
        self.as_str().starts_with(FORFEIT)
    }

    /// Whether an arbiter ended the game because its result was settled, also by a rule that this version does not know.
    #[must_use]
    pub fn is_adjudicated(&self) -> bool {
        self.as_str().starts_with(ADJUDICATED)
    }

    /// The reason without the word `forfeit`, for sentences that say so already.
    #[must_use]
    pub fn fault(&self) -> &str {
        let text = self.as_str();
        text.strip_prefix(FORFEIT).unwrap_or(text)
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// By their texts, so that tables list them in alphabetical order.
impl Ord for EndReason {
    fn cmp(&self, other: &EndReason) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for EndReason {
    fn partial_cmp(&self, other: &EndReason) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Forfeit {
    /// A word or a few, such as `crash` or `illegal-move`.
    #[must_use]
    pub fn name(self) -> &'static str {
        let text = EndReason::Forfeit(self).known();
        text.and_then(|text| text.strip_prefix(FORFEIT)).unwrap_or_default()
    }
}

impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        for text in ["five", "third repetition", "adjudicated: score", "forfeit: refused to play", "forfeit", "agreed"]
        {
            assert_eq!(EndReason::from(text).as_str(), text);
        }
        assert!(matches!(EndReason::from("Resigned"), EndReason::Other(_)));
    }

    #[test]
    fn kinds_of_later_versions_are_known() {
        assert!(
            EndReason::from("forfeit: asleep").is_forfeit() && EndReason::from("adjudicated: luck").is_adjudicated()
        );
        assert!(!EndReason::Forfeited.is_forfeit() && !EndReason::Resigned.is_adjudicated());
        assert_eq!(EndReason::from("forfeit: asleep").fault(), "asleep");
        assert_eq!(EndReason::Forfeit(Forfeit::NotStarted).fault(), Forfeit::NotStarted.name());
    }
}
