//! The server as its clients see it.

mod client;
mod limits;
mod play;
