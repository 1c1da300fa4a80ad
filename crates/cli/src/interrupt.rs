//! Ctrl-C during long work.

use anyhow::Result;
use quintet_game::Stop;

use crate::output::note;

/// Somebody interrupted long work; what is kept of it, and how to go on.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Stopped(pub String);

/// The first interrupt ends the run after the games in play; the second ends the program.
pub fn stop_on_interrupt() -> Result<Stop> {
    let stop = Stop::new();
    let flag = stop.clone();
    let set = ctrlc::try_set_handler(move || {
        if flag.stopped() {
            std::process::exit(130);
        }
        flag.stop();
        note!("stopping after the games in play, or what is being measured; press Ctrl-C again to stop at once");
    });
    match set {
        // Another handler is installed already: leave it.
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(stop),
        Err(error) => Err(error.into()),
    }
}
