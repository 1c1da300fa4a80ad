//! The time: the one place where the library takes it from, so that a platform without this clock needs one change only.

pub use std::time::Instant;
