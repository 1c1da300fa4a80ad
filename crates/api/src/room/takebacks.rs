//! Moves that are taken back, and made again.

use std::time::Duration;

use quintet_game::Player;

use super::{Change, Room};
use crate::ApiError;

impl Room {
    /// Takes back the last move of the side that asks, and everything after it. Against another person whose token is not at hand it is a question: the move is
    /// taken back when that person asks for the same.
    ///
    /// # Errors
    /// When that is not allowed.
    pub fn undo(&self, token: &str, other: Option<&str>, now: Duration) -> Result<Change, ApiError> {
        let player = self.authorised(token)?;
        self.changeable()?;
        let opponent = self.record.seats[player.other().index()].is_person();
        if opponent && !self.both(player, other) {
            return self.agree(player, now);
        }
        if !opponent && self.record.clock.is_some() {
            return Err(ApiError::invalid("a game with a clock is played without taking moves back"));
        }
        let mut change = self.change();
        self.stop_clock(&mut change.record, now);
        change.record.undo_asked = None;
        while change.line.undo().is_some() {
            let record = &mut change.record;
            record.undone.extend(record.moves.pop().zip(record.ms.pop()));
            if change.line.to_move() == player || opponent {
                break;
            }
        }
        Ok(change)
    }

    /// Asks the other person to let a side take its last move back, or grants that person's own wish.
    fn agree(&self, player: Player, now: Duration) -> Result<Change, ApiError> {
        self.goes_on()?;
        let mut change = self.change();
        if self.record.undo_asked != Some(player.other()) {
            let moved = self.record.moves.len() > usize::from(self.first_to_move() != player);
            if !moved {
                return Err(ApiError::invalid("you have not moved yet"));
            }
            change.record.undo_asked = Some(player);
            return Ok(change);
        }
        change.record.undo_asked = None;
        self.stop_clock(&mut change.record, now);
        while change.line.undo().is_some() {
            change.record.moves.pop();
            change.record.ms.pop();
            if change.line.to_move() != player {
                break;
            }
        }
        Ok(change)
    }

    /// Declines the wish of the other person to take a move back or to play again, or withdraws one's own.
    ///
    /// # Errors
    /// When the token opens no seat, or nobody has asked.
    pub fn decline(&self, token: &str) -> Result<Change, ApiError> {
        self.authorised(token)?;
        let mut change = self.change();
        let asked = change.record.undo_asked.take().or_else(|| change.record.rematch_asked.take());
        asked.map(|_| change).ok_or_else(|| ApiError::invalid("nobody has asked for anything"))
    }

    /// Who made the first move here.
    fn first_to_move(&self) -> Player {
        let turns = self.record.moves.len() % 2 == 1;
        if turns { self.line.to_move().other() } else { self.line.to_move() }
    }

    /// Makes again what the side that asks has taken back last: its move and, against an agent, the answer that was given to it.
    ///
    /// # Errors
    /// When that is not allowed, or nothing was taken back since the last move.
    pub fn redo(&self, token: &str, other: Option<&str>, now: Duration) -> Result<Change, ApiError> {
        let player = self.authorised(token)?;
        self.changeable()?;
        let opponent = self.record.seats[player.other().index()].is_person();
        if opponent && !self.both(player, other) {
            return Err(ApiError::invalid("moves against another person cannot be made again by one side"));
        }
        if self.record.undone.is_empty() {
            return Err(ApiError::invalid("there is nothing to redo"));
        }
        let mut change = self.change();
        self.stop_clock(&mut change.record, now);
        while let Some((mv, ms)) = change.record.undone.pop() {
            change.record.moves.push(change.line.try_play(&mv).map_err(ApiError::invalid)?);
            change.record.ms.push(ms);
            if change.line.to_move() == player || opponent {
                break;
            }
        }
        Ok(change)
    }

    /// Does whoever asks hold the seats of both sides?
    fn both(&self, player: Player, other: Option<&str>) -> bool {
        other.and_then(|other| self.seat_of(other)).is_some_and(|other| other != player)
    }

    /// Checks that moves can be taken back and made again.
    fn changeable(&self) -> Result<(), ApiError> {
        if self.record.stored {
            return Err(ApiError::invalid("the game is over and stored; continue it as a new game"));
        }
        if self.record.archived.is_some() {
            self.goes_on()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{AGAINST, NOW, PEOPLE, room, says};
    use super::*;

    fn made(room: &mut Room, moves: &[&str]) {
        for mv in moves {
            let change = room.advance(mv, NOW).unwrap();
            room.apply(change, NOW);
        }
    }

    #[test]
    fn undo_needs_the_opponent_unless_it_is_an_agent() {
        let mut against = room(AGAINST);
        made(&mut against, &["a1", "b1"]);
        let change = against.undo("a", None, NOW).unwrap();
        assert!(change.record().moves.is_empty(), "the agent's answer and one's own move");
        let mut people = room(PEOPLE);
        made(&mut people, &["a1"]);
        assert!(people.undo("a", Some("b"), NOW).unwrap().record().moves.is_empty(), "both at one screen");
    }

    #[test]
    fn people_agree_to_take_a_move_back() {
        let mut people = room(PEOPLE);
        assert!(says(people.undo("a", None, NOW)).contains("not moved yet"));
        made(&mut people, &["a1", "b1"]);
        let ask = |room: &mut Room, token: &str| {
            let change = room.undo(token, None, NOW).unwrap();
            room.apply(change, NOW);
        };
        ask(&mut people, "a");
        assert_eq!(
            (people.shown(NOW)["undo_asked"].clone(), people.record().moves.len()),
            ("first".into(), 2),
            "a question"
        );
        ask(&mut people, "a");
        assert_eq!(people.record().moves.len(), 2, "asking twice is not an agreement");
        let change = people.decline("b").unwrap();
        people.apply(change, NOW);
        assert!(says(people.decline("b")).contains("nobody has asked"));
        ask(&mut people, "a");
        ask(&mut people, "b");
        assert!(people.record().moves.is_empty(), "the move of the side that asked first, and the answer to it");
        assert_eq!(people.record().undo_asked, None);
        made(&mut people, &["a1", "b1"]);
        ask(&mut people, "b");
        ask(&mut people, "a");
        assert_eq!(people.record().moves, ["a1"]);
        ask(&mut people, "a");
        made(&mut people, &["a2"]);
        assert_eq!(people.record().undo_asked, None, "a move is an answer, too");
    }

    #[test]
    fn redo_brings_back_a_move_with_its_answer() {
        let mut against = room(AGAINST);
        made(&mut against, &["a1", "b1"]);
        let ms = against.record().ms.clone();
        let change = against.undo("a", None, NOW).unwrap();
        against.apply(change, NOW);
        assert_eq!(against.shown(NOW)["undone"], 2);
        let restored = Room::restore(against.record().clone(), NOW).unwrap();
        let change = restored.redo("a", None, NOW).unwrap();
        assert_eq!((change.record().moves.join(" "), &change.record().ms), ("a1 b1".to_owned(), &ms));
        assert!(change.record().undone.is_empty());
        // Another move is another game.
        made(&mut against, &["a2"]);
        assert!(says(against.redo("a", None, NOW)).contains("nothing to redo"));
        // Between people at one screen it is one move at a time.
        let mut people = room(PEOPLE);
        made(&mut people, &["a1", "b1"]);
        for token in ["b", "a"] {
            let change = people.undo(token, Some(if token == "a" { "b" } else { "a" }), NOW).unwrap();
            people.apply(change, NOW);
        }
        let change = people.redo("a", Some("b"), NOW).unwrap();
        assert_eq!(change.record().moves, ["a1"]);
        assert!(says(people.redo("a", None, NOW)).contains("another person"));
    }
}
