//! Every search against brute force and plain definitions, on small positions of every game.

mod common;
mod full_width;
mod listing;
mod puct;
mod pvs;
mod selective;
mod solve;
mod steps;
mod twist_paper;
