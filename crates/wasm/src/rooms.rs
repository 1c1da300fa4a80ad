//! Rooms that the page keeps: each request brings the stored record and gets what it becomes.

use std::time::Duration;

use quintet_api::{Api, ApiError, Message, NewRoom, Room, RoomRecord};
use serde::Deserialize;
use serde_json::{Value, json};

/// A stored room. Times are milliseconds of the page's clock.
#[derive(Deserialize)]
pub struct StoredRoom {
    record: RoomRecord,
    now: u64,
    /// When the page was opened: while it was closed, nobody's clock ran.
    start: u64,
}

/// Something about a room.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum RoomRequest {
    /// Makes a room of this name, with tokens for the seats and the owner.
    Make { new: NewRoom, id: String, tokens: [String; 3], now: u64 },
    /// What a token may see of a room.
    Show {
        #[serde(flatten)]
        kept: StoredRoom,
        token: Option<String>,
    },
    /// The same in a list, without the legal moves.
    List {
        #[serde(flatten)]
        kept: StoredRoom,
        token: String,
    },
    /// Does what a message says. `fresh` is a token for a seat that changes hands.
    Obey {
        #[serde(flatten)]
        kept: StoredRoom,
        message: Message,
        fresh: String,
    },
    /// Makes the move that the agent has found.
    Advance {
        #[serde(flatten)]
        kept: StoredRoom,
        #[serde(rename = "move")]
        mv: String,
    },
    /// Checks that a token may delete the room.
    Owned {
        #[serde(flatten)]
        kept: StoredRoom,
        token: String,
    },
    /// Checks that a token may hurry the agent, or let it try again.
    Part {
        #[serde(flatten)]
        kept: StoredRoom,
        token: String,
    },
}

impl StoredRoom {
    /// The room; its game is over if somebody's time is up.
    pub fn room(self) -> Result<(Room, bool, Duration), ApiError> {
        let (mut record, now) = (self.record, Duration::from_millis(self.now));
        record.count_from(Duration::from_millis(self.start));
        let mut room = Room::restore(record, now)?;
        let over = room.flagged(now);
        let changed = over.is_some();
        if let Some(over) = over {
            room.apply(over, now);
        }
        Ok((room, changed, now))
    }
}

impl RoomRequest {
    /// `record` where it has changed, `shown` for the listeners, whether an `agent` is to move, when a flag `falls`, and the `answer` to who asked.
    pub fn answer(self, api: &Api) -> Result<Value, ApiError> {
        match self {
            RoomRequest::Make { new, id, tokens, now } => {
                new.check(api)?;
                let now = Duration::from_millis(now);
                let room = Room::new(&new, id, tokens, now)?;
                let record = room.record();
                let tokens = record.tokens.each_ref().map(|token| (!token.is_empty()).then_some(token));
                let made = json!({ "room": record.id, "tokens": tokens, "owner": record.owner, "notice": null });
                Ok(described(&room, true, now, made))
            }
            RoomRequest::Show { kept, token } => {
                let (room, changed, now) = kept.room()?;
                let seat = token.as_deref().and_then(|token| room.seat_of(token));
                let mut shown = described(&room, changed, now, Value::Null);
                shown["shown"]["seat"] = json!(seat);
                Ok(shown)
            }
            RoomRequest::List { kept, token } => {
                let (room, _, now) = kept.room()?;
                room.takes_part(&token)?;
                let mut listed = room.listed(now);
                listed["seat"] = json!(room.seat_of(&token));
                Ok(listed)
            }
            RoomRequest::Obey { kept, message, fresh } => {
                let (mut room, mut changed, now) = kept.room()?;
                let obeyed = room.obey(api, &message, now, &fresh);
                // What the message asks for may be too late, and yet the game has ended.
                if changed && let Err(refused) = &obeyed {
                    return Ok(described(&room, true, now, json!({ "error": refused.to_string() })));
                }
                let (change, answer) = obeyed?;
                if let Some(change) = change {
                    room.apply(change, now);
                    changed = true;
                }
                Ok(described(&room, changed, now, answer))
            }
            RoomRequest::Advance { kept, mv } => {
                let (mut room, _, now) = kept.room()?;
                if room.agent_to_move().is_none() {
                    return Err(ApiError::invalid("it is not an agent's turn"));
                }
                let change = room.advance(&mv, now)?;
                room.apply(change, now);
                Ok(described(&room, true, now, Value::Null))
            }
            RoomRequest::Owned { kept, token } => kept.room()?.0.owned_by(&token).map(|()| Value::Null),
            RoomRequest::Part { kept, token } => kept.room()?.0.takes_part(&token).map(|()| Value::Null),
        }
    }
}

fn described(room: &Room, changed: bool, now: Duration, answer: Value) -> Value {
    let record = changed.then(|| room.record());
    let falls = room.flag_falls_at().map(|at| at.as_millis() as u64);
    json!({
        "record": record, "shown": room.shown(now), "agent": room.agent_to_move().is_some(), "falls": falls, "answer": answer,
    })
}
