//! Rooms that the page keeps: each request brings the stored record and gets what it becomes.

use std::time::Duration;

use quintet_api::{Api, ApiError, Message, NewRoom, Room, RoomRecord};
use serde::Deserialize;
use serde_json::{Value, json};

/// Something about a room. Times are milliseconds of the page's clock.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Asked {
    /// Makes a room of this name, with tokens for the seats and the owner.
    Make { new: NewRoom, id: String, tokens: [String; 3], now: u64 },
    /// What a token may see of a room; in a list without the legal moves.
    Show {
        record: RoomRecord,
        token: Option<String>,
        #[serde(default)]
        listed: bool,
    },
    /// Does what a message says. The last move was made at `since`; `fresh` is a token for a seat that changes hands.
    Obey { record: RoomRecord, message: Message, since: u64, now: u64, fresh: String },
    /// Makes the move that the agent has found.
    Advance {
        record: RoomRecord,
        #[serde(rename = "move")]
        mv: String,
        since: u64,
        now: u64,
    },
    /// Checks that a token may delete the room.
    Owned { record: RoomRecord, token: String },
    /// Checks that a token may hurry the agent, or let it try again.
    Part { record: RoomRecord, token: String },
}

/// An agent's move that is to be found.
#[derive(Deserialize)]
pub struct Thought {
    record: RoomRecord,
}

impl Thought {
    /// The room.
    pub fn room(self) -> Result<Room, ApiError> {
        Room::restore(self.record, Duration::ZERO)
    }
}

impl Asked {
    /// `record` where it has changed, `shown` for the listeners, `agent` that is to move, and the `answer` to who asked.
    pub fn answer(self, api: &Api) -> Result<Value, ApiError> {
        let at = Duration::from_millis;
        match self {
            Asked::Make { new, id, tokens, now } => {
                new.check(api)?;
                let room = Room::new(&new, id, tokens, at(now))?;
                let record = room.record();
                let tokens = record.tokens.each_ref().map(|token| (!token.is_empty()).then_some(token));
                let made = json!({ "room": record.id, "tokens": tokens, "owner": record.owner, "notice": null });
                Ok(described(&room, true, made))
            }
            Asked::Show { record, token, listed } => {
                let room = Room::restore(record, Duration::ZERO)?;
                let seat = token.as_deref().and_then(|token| room.seat_of(token));
                let mut shown = if listed { room.listed() } else { room.shown() };
                shown["seat"] = json!(seat);
                Ok(json!({ "shown": shown, "agent": room.agent_to_move().is_some() }))
            }
            Asked::Obey { record, message, since, now, fresh } => {
                let mut room = Room::restore(record, at(since))?;
                let (change, answer) = room.obey(api, &message, at(now), &fresh)?;
                let changed = change.is_some();
                if let Some(change) = change {
                    room.apply(change, at(now));
                }
                Ok(described(&room, changed, answer))
            }
            Asked::Advance { record, mv, since, now } => {
                let mut room = Room::restore(record, at(since))?;
                if room.agent_to_move().is_none() {
                    return Err(ApiError::invalid("it is no agent's turn"));
                }
                let change = room.advance(&mv, at(now))?;
                room.apply(change, at(now));
                Ok(described(&room, true, Value::Null))
            }
            Asked::Owned { record, token } => {
                Room::restore(record, Duration::ZERO)?.owned_by(&token).map(|()| Value::Null)
            }
            Asked::Part { record, token } => {
                Room::restore(record, Duration::ZERO)?.takes_part(&token).map(|()| Value::Null)
            }
        }
    }
}

fn described(room: &Room, changed: bool, answer: Value) -> Value {
    let record = changed.then(|| room.record());
    json!({ "record": record, "shown": room.shown(), "agent": room.agent_to_move().is_some(), "answer": answer })
}
