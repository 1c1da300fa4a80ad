//! The clock: the only place where the library reads the time, so that a platform without this clock needs one change.

pub use std::time::Instant;
