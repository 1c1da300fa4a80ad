//! What comes out of the crate, seen from outside.

mod errors;
mod svg;
mod text;
mod xml;
