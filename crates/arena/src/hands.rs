//! Who plays the games of a plan.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

use quintet_agent::Catalogue;
use quintet_game::{GameSpec, Stop};

use crate::arbiter::{Arbiter, Played};
use crate::openings::Openings;
use crate::plan::{Fixture, Plan};
use crate::runner::RunError;

/// The games that are still to be played.
pub struct Missing<'a> {
    /// How many they are.
    pub count: u64,
    /// The games, in the order of the plan.
    pub games: &'a mut (dyn Iterator<Item = Fixture> + Send),
}

/// Plays games of a plan: threads of this process, or workers on many machines. What is played does not depend on who plays it.
///
/// ```
/// use std::ops::ControlFlow;
/// use quintet_agent::Catalogue;
/// use quintet_arena::{Hands, Length, Missing, Plan, Played, RunError, Threads, run_by};
/// use quintet_game::Stop;
///
/// /// Says what is to be played, and leaves it to threads.
/// struct Announced<'a>(Threads<'a>);
///
/// impl Hands for Announced<'_> {
///     fn play(
///         &self,
///         plan: &Plan,
///         missing: Missing<'_>,
///         stop: &Stop,
///         finished: &mut dyn FnMut(Played) -> ControlFlow<()>,
///     ) -> Result<(), RunError> {
///         println!("{} games of {}", missing.count, plan.game);
///         self.0.play(plan, missing, stop, finished)
///     }
/// }
///
/// let plan = Plan::duel("pylos", ["random", "random"], Length::Games(4)).unwrap();
/// let hands = Announced(Threads { agents: Catalogue::embedded(), count: 2 });
/// let results = run_by(&plan, &hands, Vec::new(), &Stop::never(), &mut |_| Ok(())).unwrap();
/// assert_eq!(results.games.len(), 4);
/// ```
pub trait Hands {
    /// Plays the games of `missing`, about in their order, and gives each to `finished` when it has ended, in any order. Ends when all are played; no new game starts
    /// once `finished` breaks off or `stop` is set.
    ///
    /// # Errors
    /// When some games cannot be played.
    fn play(
        &self,
        plan: &Plan,
        missing: Missing<'_>,
        stop: &Stop,
        finished: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<(), RunError>;
}

/// Threads of this process.
#[derive(Clone, Copy, Debug)]
pub struct Threads<'a> {
    /// Where the agents come from.
    pub agents: &'a Catalogue,
    /// How many games are played at once.
    pub count: usize,
}

/// Finished games that may wait to be stored. Short games are played faster than a disk stores them; a longer queue would cost memory, and time when a run is stopped.
const WAITING: usize = 64;

impl Hands for Threads<'_> {
    fn play(
        &self,
        plan: &Plan,
        missing: Missing<'_>,
        stop: &Stop,
        finished: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<(), RunError> {
        let spec = GameSpec::parse(&plan.game).map_err(|error| RunError::Plan(error.to_string()))?;
        let openings = Openings::of(plan, self.agents).map_err(RunError::Openings)?;
        let (missing, halt) = (Mutex::new(missing.games), AtomicBool::new(false));
        let (sender, ended) = sync_channel(WAITING);
        // Games that are played at once share the cores.
        let cores = thread::available_parallelism().map_or(1, usize::from) / self.count.max(1);
        thread::scope(|scope| {
            for _ in 0..self.count.max(1) {
                let sender = sender.clone();
                let (missing, openings, spec, halt) = (&missing, &openings, &spec, &halt);
                scope.spawn(move || {
                    let mut arbiter = Arbiter::new(plan, spec, self.agents).with_cores(cores.max(1));
                    while !halt.load(Ordering::Relaxed) && !stop.stopped() {
                        let next = missing.lock().unwrap_or_else(PoisonError::into_inner).next();
                        let Some(fixture) = next else { return };
                        let played = arbiter.play(&fixture, &openings.get(fixture.opening));
                        if sender.send(played).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut failure = None;
            for played in ended {
                let flow = match played {
                    Ok(played) => finished(played),
                    Err(why) => {
                        failure.get_or_insert(RunError::Agent { player: "a player".into(), why });
                        ControlFlow::Break(())
                    }
                };
                if flow.is_break() {
                    halt.store(true, Ordering::Relaxed);
                }
            }
            failure.map_or(Ok(()), Err)
        })
    }
}
