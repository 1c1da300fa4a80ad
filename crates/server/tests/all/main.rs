//! The server as its clients see it.

mod background;
mod client;
mod exact;
mod experiments;
mod faults;
mod files;
mod limits;
mod openapi;
mod play;
mod review;
mod strangers;
mod trace;
