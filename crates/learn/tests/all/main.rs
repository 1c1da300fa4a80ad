//! Every way of learning: the same seed gives the same weights.

mod book;
mod common;
mod pentago;
mod pipelines;
mod td;
