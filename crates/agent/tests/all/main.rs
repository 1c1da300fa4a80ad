//! Agents, levels, puzzles, provers and outside engines.

mod advice;
mod agents;
mod champions;
mod claims;
mod exact;
mod first_peg;
mod levels;
mod memory;
mod puzzles;
mod review;
mod tables;
#[cfg(unix)]
mod ugi;
