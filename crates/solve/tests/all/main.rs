//! Exact answers against brute force and against what is known.

mod pathwayz;
mod pentago;
mod twixt;
