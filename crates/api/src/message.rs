//! What a page says over a connection that stays open.

use quintet_game::Player;
use serde::Deserialize;
use serde_json::Value;

use crate::{Analyse, SeatConfig};

/// A request over a connection that stays open. `do` says which; the id that comes with it is the transport's.
///
/// ```
/// use quintet_api::Message;
/// let text = r#"{"do":"move","room":"r","token":"t","ply":0,"move":"1b2"}"#;
/// let Ok(Message::Move { ply: 0, mv, .. }) = serde_json::from_str(text) else { panic!("a move") };
/// assert_eq!(mv, "1b2");
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Message {
    /// Thinks about a position.
    Analyse(Analyse),
    /// Judges every move of a game.
    Review(Analyse),
    /// Ends a running request.
    Stop {
        /// Its id.
        what: Value,
    },
    /// Follows a room.
    Watch {
        /// The room.
        room: String,
        /// The token of a seat, if one has it.
        token: Option<String>,
    },
    /// Makes a move.
    Move {
        /// The room.
        room: String,
        /// The token of the seat.
        token: String,
        /// How many moves were made before it.
        ply: usize,
        /// The move.
        #[serde(rename = "move")]
        mv: String,
    },
    /// Takes back the last move of the side that asks, and everything after it.
    Undo {
        /// The room.
        room: String,
        /// The token of the seat.
        token: String,
        /// The token of the other seat, which is needed against a person.
        other: Option<String>,
    },
    /// Declines the other person's wish to take a move back or to play again, or withdraws one's own.
    Decline {
        /// The room.
        room: String,
        /// The token of the seat.
        token: String,
    },
    /// Makes again what the side that asks has taken back last, with the agent's answer to it.
    Redo {
        /// The room.
        room: String,
        /// The token of the seat.
        token: String,
        /// The token of the other seat, which is needed against a person.
        other: Option<String>,
    },
    /// Gives the game up.
    Resign {
        /// The room.
        room: String,
        /// The token of the seat.
        token: String,
    },
    /// Asks the other person for another game with the seats exchanged, or agrees to it.
    Rematch {
        /// The room.
        room: String,
        /// The token of the seat.
        token: String,
    },
    /// Gives the seat a name.
    Name {
        /// The room.
        room: String,
        /// The token of the seat.
        token: String,
        /// The person's.
        name: String,
    },
    /// Lets the agent that thinks move at once.
    Hurry {
        /// The room.
        room: String,
        /// The token of a seat, or the owner's.
        token: String,
    },
    /// Lets an agent that has failed try again.
    Retry {
        /// The room.
        room: String,
        /// The token of a seat, or the owner's.
        token: String,
    },
    /// Gives the seat of an agent to somebody else.
    Replace {
        /// The room.
        room: String,
        /// The token of a seat, or the owner's.
        token: String,
        /// Which seat.
        seat: Player,
        /// Who takes it.
        with: SeatConfig,
    },
}
