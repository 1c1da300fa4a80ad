//! The requests of pages and programs: requests in, answers and events out. No sockets, no files, no threads of its own.
//!
//! * [`Api`] answers the requests of the page, one method each, with an answer or an [`ApiError`]; a method that takes time also gets a
//!   [`Stop`](quintet_game::Stop) flag and a listener for events. The HTTP server is one transport of it, a worker of the browser the other;
//!   a [`Question`] is a request of either as it arrives.
//! * [`Room`] is a game between two seats: who may move, undo and resign, and what everyone sees. Its owner passes the time in, and stores each
//!   [`Change`] before it applies it.
//! * [`jsonl`] answers requests that come as lines of JSON; [`replay`] answers with how a whole game went.
//!
//! ```
//! use quintet_api::{Api, Place};
//! let api = Api::embedded();
//! let place: Place = serde_json::from_str(r#"{"game":"pylos","moves":["1b2"]}"#).unwrap();
//! assert_eq!(api.position(&place).unwrap().legal.len(), 15);
//! ```
//!
//! # Features
//! Both are on by default and are those of `quintet-agent`: `threads` (several threads per search, and outside engines) and `strategies` (embeds the
//! ways to win at Pylos, 12 MB). A browser has no threads and loads what it needs.

mod error;
mod exact;
pub mod jsonl;
mod lists;
mod message;
mod pace;
mod place;
mod position;
mod proofs;
mod question;
mod records;
pub mod replay;
mod room;
mod seats;
mod thinking;
mod visitor;

use std::sync::Arc;

use quintet_agent::{Catalogue, Provers};
use quintet_data::{Data, DataError};

pub use error::{ApiError, ErrorKind};
pub use exact::{ExactAnswer, ExactMove};
pub use message::Message;
pub use pace::Pace;
pub use place::{LONGEST_GAME, Place, State, state};
pub use position::Explain;
pub use proofs::remembering;
pub use question::{Answer, Question};
pub use records::{Export, Import, MOST_IMPORTED};
pub use room::{AgentFault, Change, Clocks, NewRoom, Room, RoomRecord, TimeControl};
pub use seats::SeatConfig;
pub use thinking::{Analyse, Analysis, GameReview, MAX_TRACED_NODES, REVIEW_NODES, ReviewEvent, shown_report};
pub use visitor::{Seats, VISITOR_MEMORY, modest, visitor_agent};

/// Everything that the stateless requests of the page need.
#[derive(Clone, Debug)]
pub struct Api {
    /// The named agents, levels and weights.
    pub agents: Arc<Catalogue>,
    /// The provers of exact values, in the order in which they are asked; may be empty.
    pub provers: Provers,
    /// How the agents of requests are made.
    pub seats: Seats,
}

impl Api {
    /// With the embedded data.
    #[must_use]
    pub fn embedded() -> Api {
        Api::of(Catalogue::embedded().clone(), quintet_agent::provers())
    }

    /// With this data before the embedded one; what is proven is remembered, as with [`Api::embedded`].
    ///
    /// # Errors
    /// When a file of it cannot be read or is invalid.
    pub fn with_data(data: Data) -> Result<Api, DataError> {
        let provers = quintet_agent::provers_with(&data);
        Ok(Api::of(Catalogue::with_data(data)?, provers))
    }

    fn of(agents: Catalogue, provers: Provers) -> Api {
        Api { agents: Arc::new(agents), provers: remembering(provers), seats: Seats::default() }
    }
}
