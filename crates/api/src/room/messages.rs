//! Messages about a room, for whoever keeps it.

use std::time::Duration;

use quintet_game::Player;
use quintet_game::bits::mix;
use serde_json::{Value, json};

use super::{Change, Room};
use crate::{Api, ApiError, Message, SeatConfig};

impl Room {
    /// What a message changes, if anything, and the answer to it. `new` is the token of a seat that changes hands.
    ///
    /// # Errors
    /// When the message may not or cannot be obeyed, or changes no room.
    pub fn obey(
        &self,
        api: &Api,
        message: &Message,
        now: Duration,
        new: &str,
    ) -> Result<(Option<Change>, Value), ApiError> {
        let change = match message {
            Message::Move { token, ply, mv, .. } => self.play(token, *ply, mv, now)?,
            Message::Undo { token, other, .. } => Some(self.undo(token, other.as_deref(), now)?),
            Message::Redo { token, other, .. } => Some(self.redo(token, other.as_deref(), now)?),
            Message::Decline { token, .. } => Some(self.decline(token)?),
            Message::Resign { token, .. } => Some(self.resign(token)?),
            Message::Name { token, name, .. } => {
                SeatConfig::Person { name: name.clone() }.check(api, &self.line().spec())?;
                Some(self.rename(token, name)?)
            }
            Message::Replace { token, seat, with, .. } => {
                with.check(api, &self.line().spec())?;
                let change = self.replace(token, *seat, with.clone(), new.to_owned(), now)?;
                let token = with.is_person().then_some(new);
                return Ok((Some(change), json!({ "ok": true, "token": token })));
            }
            _ => return Err(ApiError::invalid("this message changes no game")),
        };
        Ok((change, json!({ "ok": true })))
    }

    /// The seed of the agent in a seat: its own stream for every room and seat, so that an agent differs between games.
    #[must_use]
    pub fn agent_seed(&self, seat: Player) -> u64 {
        self.record().id.bytes().fold(seat.index() as u64, |seed, byte| mix(seed ^ u64::from(byte)))
    }

    /// Are both seats agents'?
    #[must_use]
    pub fn only_agents(&self) -> bool {
        !self.record().seats.iter().any(SeatConfig::is_person)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{AGAINST, NOW, room, says};
    use super::*;

    #[test]
    fn messages_are_obeyed() {
        let (api, mut room) = (Api::embedded(), room(AGAINST));
        let read = |text: &str| serde_json::from_str::<Message>(text).unwrap();
        let play = read(r#"{"do":"move","room":"r","token":"a","ply":0,"move":"a1"}"#);
        let (change, answer) = room.obey(&api, &play, NOW, "n").unwrap();
        assert_eq!(answer, json!({ "ok": true }));
        room.apply(change.unwrap(), NOW);
        assert!(room.obey(&api, &play, NOW, "n").unwrap().0.is_none(), "sent twice");
        let person = read(r#"{"do":"replace","room":"r","token":"o","seat":"second","with":{"who":"person"}}"#);
        let (change, answer) = room.obey(&api, &person, NOW, "n").unwrap();
        assert_eq!(answer, json!({ "ok": true, "token": "n" }));
        room.apply(change.unwrap(), NOW);
        assert_eq!(room.seat_of("n"), Some(Player::Second));
        let name = read(r#"{"do":"name","room":"r","token":"a","name":"anna"}"#);
        room.apply(room.obey(&api, &name, NOW, "n").unwrap().0.unwrap(), NOW);
        assert_eq!(room.shown(NOW)["seats"][0]["name"], "anna");
        let bad = read(r#"{"do":"name","room":"r","token":"a","name":"a;b"}"#);
        assert!(says(room.obey(&api, &bad, NOW, "n")).contains("semicolons"));
        let watch = read(r#"{"do":"watch","room":"r"}"#);
        assert!(says(room.obey(&api, &watch, NOW, "n")).contains("changes no game"));
        assert_ne!(room.agent_seed(Player::First), room.agent_seed(Player::Second));
    }
}
