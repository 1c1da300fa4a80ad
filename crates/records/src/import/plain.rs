//! Plain lists of moves: `1.f6 2.swap 3.m16`, or one move per line.

use quintet_game::{EndReason, GameSpec, Outcome, Player};

use super::draft::{Claim, Draft, Step};
use super::twixt::{Foreign, Move, note_rest, resigns};
use super::{Games, ImportError, Imported, MOST_MOVES, Options};

/// One list, as it is read.
#[derive(Default)]
struct List {
    line: usize,
    moves: Vec<(usize, String)>,
    result: Option<String>,
}

/// Lists of one game. A blank line, a result or the number `1.` ends a list; `#` begins a comment.
pub fn lists(text: &str, options: &Options, games: &mut Games) -> Result<(), ImportError> {
    let spec = options.game.ok_or(ImportError::NeedsGame)?;
    let mut list = List::default();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            list.end(spec, options, games)?;
        }
        for token in line.split('#').next().unwrap_or_default().split_whitespace() {
            let (count, mv) = split_number(token);
            if count == Some("1") {
                list.end(spec, options, games)?;
            }
            if list.moves.is_empty() {
                list.line = number;
            }
            match mv {
                "" => {}
                "*" | "1-0" | "0-1" | "1/2-1/2" => {
                    list.result = Some(mv.to_owned());
                    list.end(spec, options, games)?;
                }
                // One more than is allowed, so that the fault is seen; the rest of an endless list takes no memory.
                _ if list.moves.len() > MOST_MOVES => {}
                _ => list.moves.push((number, mv.to_owned())),
            }
        }
    }
    list.end(spec, options, games)
}

/// `3.f6` is the number 3 and `f6`.
fn split_number(token: &str) -> (Option<&str>, &str) {
    match token.split_once('.') {
        Some((number, mv)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => {
            (Some(number), mv.trim_start_matches('.'))
        }
        _ => (None, token),
    }
}

impl List {
    fn end(&mut self, spec: GameSpec, options: &Options, games: &mut Games) -> Result<(), ImportError> {
        let list = std::mem::take(self);
        if list.moves.is_empty() && list.result.is_none() {
            return Ok(());
        }
        games.push(if spec.info().name == "twixt" { list.twixt(options) } else { list.any(spec) })
    }

    fn claim(&self, notes: &mut Vec<String>) -> Claim {
        let result = self.result.as_deref().unwrap_or("*");
        Claim::read(result, if result == "*" { "" } else { "recorded" }, notes)
    }

    fn twixt(self, options: &Options) -> Imported {
        let mut notes = Vec::new();
        let claim = self.claim(&mut notes);
        let moves = self.moves.into_iter().map(|(line, text)| Move { line, text, by: None }).collect();
        Foreign { line: self.line, moves, claim, notes, source: "the game that was given", ..Foreign::default() }
            .read(options)
    }

    fn any(mut self, spec: GameSpec) -> Imported {
        let mut notes = Vec::new();
        let mut claim = self.claim(&mut notes);
        if let Some(at) = self.moves.iter().position(|(_, text)| resigns(text)) {
            // In the other games the players strictly alternate.
            let loser = Player::BOTH[at % 2];
            claim = Claim { outcome: Some(Outcome::Win(loser.other())), reason: Some(EndReason::Resigned) };
            note_rest(self.moves.len() - at - 1, &mut notes);
            self.moves.truncate(at);
        }
        let steps = self.moves.into_iter().map(|(line, text)| Step::plain(line, text)).collect();
        Draft { line: self.line, spec, from: None, steps, claim, players: String::new(), seed: None, notes, flaw: None }
            .play()
    }
}
