//! Games of a plan on many machines, or a map of first pegs, by way of a NATS server with JetStream.
//!
//! * A [`Coordinator`] is another source of hands for [`quintet_arena::run_by`]: it publishes units of work, and replays what comes back before it counts.
//!   [`Coordinator::solve`] does the same for the first pegs of a small board of TwixT.
//! * A [`Worker`] does units. It owns nothing, so it may be killed at any instant.
//! * [`message`] has what they tell each other.
//!
//! The truth is the coordinator's store alone. The queue may lose everything, bring it twice or in another order: what the plan has and the store lacks is published again.
//!
//! # Features
//! `nats` (on by default) has the client of NATS. Without it there are the messages alone.

#[cfg(feature = "nats")]
mod coordinator;
#[cfg(feature = "nats")]
mod games;
#[cfg(feature = "nats")]
mod job;
#[cfg(feature = "nats")]
mod map;
pub mod message;
#[cfg(feature = "nats")]
mod pace;
#[cfg(feature = "nats")]
mod permit;
#[cfg(feature = "nats")]
mod queue;
#[cfg(feature = "nats")]
mod status;
#[cfg(feature = "nats")]
mod tasks;
#[cfg(feature = "nats")]
mod units;
#[cfg(feature = "nats")]
mod worker;
#[cfg(feature = "nats")]
mod workers;

#[cfg(feature = "nats")]
pub use nats::*;

#[cfg(feature = "nats")]
mod nats {
    use std::sync::Arc;

    pub use crate::coordinator::Coordinator;
    pub use crate::permit::Permit;
    pub use crate::queue::{QueueError, Server, public};
    pub use crate::status::{Status, status};
    pub use crate::worker::Worker;

    /// Hears what a person should know, sentence by sentence.
    pub type Say = Arc<dyn Fn(&str) + Send + Sync>;

    /// The threads that talk to the server; games have threads of their own.
    pub(crate) fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).max_blocking_threads(4096).enable_all().build()
    }
}

#[cfg(feature = "nats")]
pub(crate) use nats::runtime;
