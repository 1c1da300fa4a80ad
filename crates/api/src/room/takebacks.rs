//! Moves that are taken back, and made again.

use quintet_game::Player;

use super::{Change, Room};
use crate::ApiError;

impl Room {
    /// Takes back the last move of the side that asks, and everything after it. Against another person both tokens are needed.
    ///
    /// # Errors
    /// When that is not allowed.
    pub fn undo(&self, token: &str, other: Option<&str>) -> Result<Change, ApiError> {
        let player = self.alone(token, other)?;
        let mut change = self.change();
        while change.line.undo().is_some() {
            let record = &mut change.record;
            record.undone.extend(record.moves.pop().zip(record.ms.pop()));
            if change.line.to_move() == player || self.record.seats[player.other().index()].is_person() {
                break;
            }
        }
        Ok(change)
    }

    /// Makes again what the side that asks has taken back last: its move and, against an agent, the answer that was given to it.
    ///
    /// # Errors
    /// When that is not allowed, or nothing was taken back since the last move.
    pub fn redo(&self, token: &str, other: Option<&str>) -> Result<Change, ApiError> {
        let player = self.alone(token, other)?;
        if self.record.undone.is_empty() {
            return Err(ApiError::invalid("there is nothing to redo"));
        }
        let mut change = self.change();
        while let Some((mv, ms)) = change.record.undone.pop() {
            change.record.moves.push(change.line.try_play(&mv).map_err(ApiError::invalid)?);
            change.record.ms.push(ms);
            if change.line.to_move() == player || self.record.seats[player.other().index()].is_person() {
                break;
            }
        }
        Ok(change)
    }

    /// The side of a token that may take moves back: against an agent, or with the other person's token, too.
    fn alone(&self, token: &str, other: Option<&str>) -> Result<Player, ApiError> {
        let player = self.authorised(token)?;
        let opponent = &self.record.seats[player.other().index()];
        let alone =
            !opponent.is_person() || other.and_then(|other| self.seat_of(other)).is_some_and(|other| other != player);
        if !alone {
            return Err(ApiError::invalid("moves against another person cannot be taken back"));
        }
        if self.record.stored {
            return Err(ApiError::invalid("the game is over and stored; continue it as a new game"));
        }
        if self.record.archived.is_some() {
            self.goes_on()?;
        }
        Ok(player)
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
        let change = against.undo("a", None).unwrap();
        assert!(change.record().moves.is_empty(), "the agent's answer and one's own move");
        let mut people = room(PEOPLE);
        made(&mut people, &["a1"]);
        assert!(says(people.undo("a", None)).contains("another person"));
        assert!(people.undo("a", Some("b")).unwrap().record().moves.is_empty());
    }

    #[test]
    fn redo_brings_back_a_move_with_its_answer() {
        let mut against = room(AGAINST);
        made(&mut against, &["a1", "b1"]);
        let ms = against.record().ms.clone();
        let change = against.undo("a", None).unwrap();
        against.apply(change, NOW);
        assert_eq!(against.shown()["undone"], 2);
        let restored = Room::restore(against.record().clone(), NOW).unwrap();
        let change = restored.redo("a", None).unwrap();
        assert_eq!((change.record().moves.join(" "), &change.record().ms), ("a1 b1".to_owned(), &ms));
        assert!(change.record().undone.is_empty());
        // Another move is another game.
        made(&mut against, &["a2"]);
        assert!(says(against.redo("a", None)).contains("nothing to redo"));
        // Between people at one screen it is one move at a time.
        let mut people = room(PEOPLE);
        made(&mut people, &["a1", "b1"]);
        for token in ["b", "a"] {
            let change = people.undo(token, Some(if token == "a" { "b" } else { "a" })).unwrap();
            people.apply(change, NOW);
        }
        let change = people.redo("a", Some("b")).unwrap();
        assert_eq!(change.record().moves, ["a1"]);
        assert!(says(people.redo("a", None)).contains("another person"));
    }
}
