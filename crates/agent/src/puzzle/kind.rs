//! What a puzzle asks for, and the kind of a position.

use quintet_game::{Limit, Proof, Stop, Value};
use std::fmt;
use std::str::FromStr;

use quintet_game::AnyLine;
use serde::{Deserialize, Serialize};

use super::is_right;
use crate::{Exact, Provers, Unproven, exact};

/// What is to be found.
///
/// ```
/// use quintet_agent::PuzzleKind;
/// let kind: PuzzleKind = "win-in-3".parse().unwrap();
/// assert_eq!((kind, kind.to_string().as_str()), (PuzzleKind::WinIn(3), "win-in-3"));
/// assert!("win-in-1".parse::<PuzzleKind>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum PuzzleKind {
    /// The only move that wins, however slowly.
    OnlyWin,
    /// The only move that does not lose.
    OnlyDraw,
    /// The move after which the other side loses because it must move.
    Zugzwang,
    /// TwixT: the only peg that wins quickest.
    OnePeg,
    /// The only quickest win, in this many own moves, at least two.
    WinIn(u32),
}

/// The kinds without a number.
const NAMED: [(PuzzleKind, &str); 4] = [
    (PuzzleKind::OnlyWin, "only-win"),
    (PuzzleKind::OnlyDraw, "only-draw"),
    (PuzzleKind::Zugzwang, "zugzwang"),
    (PuzzleKind::OnePeg, "one-peg"),
];

/// The prefix of the number of moves.
const WIN_IN: &str = "win-in-";

/// The fewest moves: a win in one move is too easy.
const FEWEST: u32 = 2;

impl fmt::Display for PuzzleKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PuzzleKind::WinIn(moves) => f.pad(&format!("{WIN_IN}{moves}")),
            kind => f.pad(NAMED.iter().find(|(named, _)| named == kind).map_or("", |(_, name)| name)),
        }
    }
}

impl FromStr for PuzzleKind {
    type Err = String;

    fn from_str(text: &str) -> Result<PuzzleKind, String> {
        let named = NAMED.iter().find(|(_, name)| *name == text).map(|(kind, _)| *kind);
        let counted =
            || text.strip_prefix(WIN_IN)?.parse().ok().filter(|moves| *moves >= FEWEST).map(PuzzleKind::WinIn);
        // Exactly one way to write each: no signs, no leading zeros.
        named.or_else(counted).filter(|kind| kind.to_string() == text).ok_or_else(|| {
            let names = NAMED.map(|(_, name)| name).join(", ");
            format!("unknown kind of puzzle; choose one of {names} or {WIN_IN}N, where N is at least {FEWEST}.")
        })
    }
}

impl From<PuzzleKind> for String {
    fn from(kind: PuzzleKind) -> String {
        kind.to_string()
    }
}

impl TryFrom<String> for PuzzleKind {
    type Error = String;

    fn try_from(text: String) -> Result<PuzzleKind, String> {
        text.parse()
    }
}

impl PuzzleKind {
    /// The task as a sentence, with the names of the side to move and the other side, and the moves that a win takes.
    pub(super) fn title(self, [own, other]: [&str; 2], moves: u32) -> String {
        match self {
            PuzzleKind::OnlyWin => format!("Only one move wins for {own}, in {moves} moves."),
            PuzzleKind::OnlyDraw => format!("Only one move holds the draw for {own}."),
            PuzzleKind::Zugzwang => {
                format!("After one move of {own}, {other} is in zugzwang; {own} wins in {moves} moves.")
            }
            PuzzleKind::OnePeg => format!("One peg of {own} wins in {moves} moves; no other is as quick."),
            PuzzleKind::WinIn(moves) => {
                format!("{} to move and win in {} moves.", capital(own), in_words(moves))
            }
        }
    }
}

/// With a capital letter.
fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Small numbers as words.
fn in_words(number: u32) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six"];
    words.get(number as usize).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// The fewest legal moves of a puzzle.
const FEWEST_MOVES: usize = 3;

/// A position with one right move.
pub(super) struct Sole<'a> {
    known: &'a Exact,
    line: &'a dyn AnyLine,
    /// The move.
    pub best: &'a str,
}

impl<'a> Sole<'a> {
    /// `None` if several moves are or may be right, or there are too few moves.
    pub fn of(known: &'a Exact, line: &'a dyn AnyLine) -> Option<Sole<'a>> {
        let mut right = known.moves.iter().map(|(mv, _)| mv.as_str()).filter(|mv| is_right(known, mv));
        let best = right.next()?;
        let alone = known.all_best && right.next().is_none() && line.count_moves() >= FEWEST_MOVES;
        alone.then_some(Sole { known, line, best })
    }

    /// Is it a puzzle of this kind? A position may be of several.
    ///
    /// # Errors
    /// When it is unknown what would happen if the other side could pass.
    pub fn is(&self, kind: PuzzleKind, provers: &Provers, stop: &Stop) -> Result<bool, Unproven> {
        let wins = || self.known.moves.iter().filter(|(_, value)| value.proof == Proof::Win).count();
        Ok(match (kind, self.known.value) {
            (PuzzleKind::OnlyDraw, Value { proof, .. }) => proof == Proof::Draw,
            (PuzzleKind::Zugzwang, Value { proof: Proof::Win, plies: Some(3..) }) => self.squeezes(provers, stop)?,
            (PuzzleKind::OnePeg, Value { proof: Proof::Win, plies: Some(3..) }) => {
                self.line.spec().info().name == "twixt"
            }
            (PuzzleKind::OnlyWin, Value { proof: Proof::Win, plies: Some(4..) }) => self.known.complete && wins() == 1,
            (PuzzleKind::WinIn(moves), Value { proof: Proof::Win, plies: Some(plies @ 3..) }) => {
                plies.div_ceil(2) == moves
            }
            _ => false,
        })
    }

    /// The most specific kind of the position.
    pub fn kind(&self, provers: &Provers, stop: &Stop) -> Option<PuzzleKind> {
        let moves = self.known.value.plies.unwrap_or(0).div_ceil(2);
        let quick = PuzzleKind::WinIn(FEWEST);
        let kinds = [PuzzleKind::OnlyDraw, PuzzleKind::Zugzwang, PuzzleKind::OnePeg, quick, PuzzleKind::OnlyWin];
        let mut kinds = kinds.into_iter().chain([PuzzleKind::WinIn(moves)]);
        kinds.find(|kind| self.is(*kind, provers, stop).unwrap_or(false))
    }

    /// Would the other side not lose after the move if it could pass? Only where the rules allow the same board with the other side to move.
    fn squeezes(&self, provers: &Provers, stop: &Stop) -> Result<bool, Unproven> {
        let passed = || {
            let before = self.line.position();
            let mut after = self.line.spec().line_at(&before).ok()?;
            after.try_play(self.best).ok()?;
            let (_, side) = before.rsplit_once(' ')?;
            let position = after.position();
            let (board, _) = position.rsplit_once(' ')?;
            self.line.spec().line_at(&format!("{board} {side}")).ok().filter(|passed| passed.end().is_none())
        };
        let Some(passed) = passed() else { return Ok(false) };
        Ok(exact(provers, &*passed, &Limit::default(), stop)?.value.proof != Proof::Win)
    }
}
