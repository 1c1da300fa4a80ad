//! Games that end before their last move, because their result is settled.

use std::fmt;
use std::str::FromStr;

use quintet_eval::Spec;
use quintet_game::{EndReason, Outcome, Player, Proof};
use quintet_search::Choice;
use serde::{Deserialize, Serialize};

/// When a game may end before its last move. The record says so: its reason is `adjudicated: proof` or `adjudicated: score`.
///
/// ```
/// use quintet_arena::Adjudication;
/// assert_eq!("proof".parse(), Ok(Adjudication::Proof));
/// let rule: Adjudication = "score(moves=3)".parse().unwrap();
/// assert_eq!(rule.to_string(), "score(share=0.98,moves=3)");
/// assert!("score(share=0.4)".parse::<Adjudication>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Adjudication {
    /// When an agent of ours has proven how it ends. Claims of outside engines do not count as proofs.
    Proof,
    /// When both players expect the same winner.
    Score {
        /// The least chance that each of them gives the winner: wins, and half of the draws. Only tree searches and engines that say `wdl` give chances.
        share: f64,
        /// For how many of its own moves in a row each of them does.
        moves: u32,
    },
}

impl Adjudication {
    const SHARE: f64 = 0.98;
    const MOVES: u64 = 4;
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Adjudication::Proof => f.write_str("proof"),
            Adjudication::Score { share, moves } => write!(f, "score(share={share},moves={moves})"),
        }
    }
}

impl From<Adjudication> for String {
    fn from(rule: Adjudication) -> String {
        rule.to_string()
    }
}

impl FromStr for Adjudication {
    type Err = String;

    fn from_str(text: &str) -> Result<Adjudication, String> {
        let wanted = || "a game is adjudicated by proof or by score, as in score(share=0.98,moves=4), with a share above 0.5 and at most 1 and at least one move";
        let spec = Spec::parse(text).map_err(|_| wanted())?;
        let mut arguments = spec.arguments();
        let rule = match spec.kind.as_str() {
            "proof" => Adjudication::Proof,
            "score" => {
                let share = arguments.number("share", Adjudication::SHARE).map_err(|error| error.to_string())?;
                let moves = arguments.count("moves").map_err(|error| error.to_string())?;
                let moves = u32::try_from(moves.unwrap_or(Adjudication::MOVES)).unwrap_or(u32::MAX);
                if !(share > 0.5 && share <= 1.0 && moves > 0) {
                    return Err(wanted().into());
                }
                Adjudication::Score { share, moves }
            }
            _ => return Err(wanted().into()),
        };
        arguments.finish().map_err(|error| error.to_string())?;
        Ok(rule)
    }
}

impl TryFrom<String> for Adjudication {
    type Error = String;

    fn try_from(text: String) -> Result<Adjudication, String> {
        text.parse()
    }
}

/// What the players of one game have said so far.
#[derive(Debug, Default)]
pub(crate) struct Opinions {
    /// For each rule and seat, the winner whom it expects, and for how many moves in a row.
    expected: Vec<[Option<(Player, u32)>; 2]>,
}

impl Opinions {
    /// The result and its reason if one of the rules ends the game after this choice.
    pub fn settle(
        &mut self,
        rules: &[Adjudication],
        mover: Player,
        choice: &Choice<String>,
    ) -> Option<(Outcome, EndReason)> {
        self.expected.resize(rules.len(), [None; 2]);
        rules.iter().zip(&mut self.expected).find_map(|(rule, expected)| match *rule {
            Adjudication::Proof => choice.proof().map(|proof| {
                let outcome = match proof {
                    Proof::Win => Outcome::Win(mover),
                    Proof::Draw => Outcome::Draw,
                    Proof::Loss => Outcome::Win(mover.other()),
                };
                (outcome, EndReason::AdjudicatedByProof)
            }),
            Adjudication::Score { share, moves } => {
                let winner = choice.expectation().and_then(|chance| match chance {
                    chance if chance >= share => Some(mover),
                    chance if chance <= 1.0 - share => Some(mover.other()),
                    _ => None,
                });
                let own = &mut expected[mover.index()];
                *own = winner.map(|winner| match *own {
                    Some((before, times)) if before == winner => (winner, times.saturating_add(1)),
                    _ => (winner, 1),
                });
                match *expected {
                    [Some((one, first)), Some((other, second))] if one == other && first.min(second) >= moves => {
                        Some((Outcome::Win(one), EndReason::AdjudicatedByScore))
                    }
                    _ => None,
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expecting(win: f64) -> Choice<String> {
        Choice { chances: Some([win, 0.0]), ..Choice::plain((), win).map(|()| String::new()) }
    }

    #[test]
    fn both_must_agree_for_long_enough() {
        let rules = [Adjudication::Score { share: 0.9, moves: 2 }];
        let mut opinions = Opinions::default();
        let mut hear = |mover, win| opinions.settle(&rules, mover, &expecting(win));
        let (first, second) = (Player::First, Player::Second);
        for (mover, win) in [(first, 0.95), (second, 0.05), (first, 0.95), (second, 0.5), (first, 0.95), (second, 0.05)]
        {
            assert_eq!(hear(mover, win), None);
        }
        assert_eq!(hear(first, 0.95), None);
        assert_eq!(hear(second, 0.05), Some((Outcome::Win(first), EndReason::AdjudicatedByScore)));
        assert_eq!(hear(second, 0.99), None);
    }

    #[test]
    fn nothing_is_settled_without_chances_or_rules() {
        let silent = Choice::plain((), 7.0).map(|()| String::new());
        let rules = ["proof", "score(share=0.6,moves=1)"].map(|rule| rule.parse().unwrap());
        for mover in [Player::First, Player::Second, Player::First] {
            assert_eq!(Opinions::default().settle(&rules, mover, &silent), None);
            assert_eq!(Opinions::default().settle(&[], mover, &expecting(1.0)), None);
        }
        for bad in ["", "guess", "score(share=2)", "score(moves=0)", "proof(share=1)", "score(share"] {
            assert!(bad.parse::<Adjudication>().is_err(), "{bad}");
        }
    }
}
