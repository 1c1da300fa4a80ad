//! Long work beside a Python thread that stays awake: other threads run, Ctrl-C is obeyed, and events reach callbacks.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use quintet_game::Stop;

/// How often Python is asked whether somebody has pressed Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Runs `work` in a thread of its own, without the interpreter. `hear` is told every event that it sends. An interrupt, or an exception of
/// `hear`, stops the work; its exception is raised when the work has ended.
pub fn run<T: Send, E: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Stop, &Sender<E>) -> T + Send,
    mut hear: impl FnMut(Python<'_>, E) -> PyResult<()> + Send,
) -> PyResult<T> {
    let stop = Stop::new();
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, events) = channel();
            let worker = scope.spawn({
                let stop = stop.clone();
                move || work(&stop, &sender)
            });
            let mut raised = None;
            loop {
                let event = match events.recv_timeout(LOOK) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if raised.is_some() {
                    continue;
                }
                let heard = Python::attach(|py| {
                    py.check_signals()?;
                    event.map_or(Ok(()), |event| hear(py, event))
                });
                if let Err(error) = heard {
                    stop.stop();
                    raised = Some(error);
                }
            }
            let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            raised.map_or(Ok(done), Err)
        })
    })
}

/// The same for work without events.
pub fn quietly<T: Send>(py: Python<'_>, work: impl FnOnce(&Stop) -> T + Send) -> PyResult<T> {
    run(py, |stop, _: &Sender<()>| work(stop), |_, ()| Ok(()))
}
