//! The server as its clients see it.

mod client;
mod exact;
mod experiments;
mod files;
mod lab;
mod limits;
mod openapi;
mod play;
mod review;
mod trace;
