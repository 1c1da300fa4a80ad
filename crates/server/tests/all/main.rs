//! The server as its clients see it.

mod client;
mod exact;
mod files;
mod lab;
mod limits;
mod openapi;
mod play;
mod review;
