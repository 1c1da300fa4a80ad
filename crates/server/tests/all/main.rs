//! The server as its clients see it.

mod client;
mod lab;
mod limits;
mod openapi;
mod play;
mod review;
