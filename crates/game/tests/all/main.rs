//! The rules of every game: laws, perft tables, playthroughs, slow twins.

mod common;
mod laws;
mod naive;
mod perft;
mod playthroughs;
mod sentences;
mod twins;
