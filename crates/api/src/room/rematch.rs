//! Another game between the same people.

use std::time::Duration;

use super::{Change, Room};
use crate::{ApiError, NewRoom, Place, SeatConfig};

impl Room {
    /// Asks the other person for another game of the same kind with the seats exchanged, or agrees to it: then its room comes with the change, under the name
    /// `id`. Nobody has to be told a secret: the tokens of the seats are exchanged like the seats, and the owner's stays.
    ///
    /// # Errors
    /// When the token opens no seat, the game is not over, or it was not between two people.
    pub fn rematch(&self, token: &str, id: &str, now: Duration) -> Result<(Change, Option<Room>), ApiError> {
        let player = self.authorised(token)?;
        let record = &self.record;
        if !record.seats.iter().all(SeatConfig::is_person) {
            return Err(ApiError::invalid(
                "only people are asked for a rematch; an agent plays whenever you begin a game",
            ));
        }
        if !self.is_over() || record.archived.is_some() {
            return Err(ApiError::invalid("a rematch is asked for when the game has just ended"));
        }
        if let Some(next) = &record.rematch {
            return Err(ApiError::invalid(format!("the rematch has begun, as game {next}")));
        }
        let mut change = self.change();
        if record.rematch_asked != Some(player.other()) {
            change.record.rematch_asked = Some(player);
            return Ok((change, None));
        }
        change.record.rematch_asked = None;
        change.record.rematch = Some(id.to_owned());
        let [first, second] = record.seats.clone();
        let next = NewRoom {
            place: Place { game: record.game.clone(), position: record.from.clone(), moves: Vec::new() },
            seats: [second, first],
            clock: record.clock.map(|clock| clock.control),
        };
        let [first, second] = record.tokens.clone();
        Room::new(&next, id.to_owned(), [second, first, record.owner.clone()], now).map(|next| (change, Some(next)))
    }
}

#[cfg(test)]
mod tests {
    use quintet_game::Player;

    use super::super::tests::{AGAINST, NOW, PEOPLE, room, says};
    use super::*;

    #[test]
    fn people_agree_to_a_rematch_with_the_seats_exchanged() {
        let mut people = room(PEOPLE);
        assert!(says(people.rematch("a", "n", NOW)).contains("has just ended"));
        let over = people.resign("a").unwrap();
        people.apply(over, NOW);
        assert!(says(people.rematch("x", "n", NOW)).contains("no seat"));
        let ask = |room: &mut Room, token: &str| {
            let (change, next) = room.rematch(token, "n", NOW).unwrap();
            room.apply(change, NOW);
            next
        };
        assert!(ask(&mut people, "b").is_none());
        assert_eq!(people.shown(NOW)["rematch_asked"], "second");
        assert!(ask(&mut people, "b").is_none(), "asking twice is not an agreement");
        let declined = people.decline("a").unwrap();
        people.apply(declined, NOW);
        assert!(ask(&mut people, "b").is_none(), "what was declined is asked for again");
        let next = ask(&mut people, "a").unwrap();
        assert_eq!((people.shown(NOW)["rematch"].as_str(), next.record().id.as_str()), (Some("n"), "n"));
        assert_eq!((next.record().seats[1].name(), next.line().plies()), ("anna", 0));
        assert_eq!((next.seat_of("a"), next.seat_of("b")), (Some(Player::Second), Some(Player::First)));
        assert!(next.owned_by("o").is_ok());
        assert!(says(people.rematch("a", "m", NOW)).contains("has begun"));
        let against = room(AGAINST);
        assert!(says(against.rematch("a", "n", NOW)).contains("only people"));
    }
}
