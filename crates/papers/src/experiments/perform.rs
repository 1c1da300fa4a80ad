//! Plays what is missing of a schedule.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use quintet_arena::{Hands, Played, RunError, Threads, check_players, run_by};
use quintet_game::{EndReason, Stop};

use super::folder::Folder;
use super::schedule::{Job, Schedule, Work};
use super::solo::Solo;

/// The games of every job, by its key.
pub type Games = BTreeMap<String, Vec<Played>>;

/// Plays the games that the folder does not hold yet; every game is stored before it counts. `progress` is called after each game, with its job and that job's games so far. When `stop` is set,
/// no new game starts, and a timed game is given up. Timed games are measured by the time of their own thread, here; matches are played by `hands`, which may be elsewhere.
/// True when all games have been played.
///
/// # Errors
/// When an agent cannot be built, or a game cannot be stored.
pub fn perform(
    schedule: &Schedule,
    here: Threads<'_>,
    hands: &dyn Hands,
    folder: &mut Folder,
    games: &mut Games,
    stop: &Stop,
    progress: &mut dyn FnMut(&Job, &[Played]),
) -> Result<bool, RunError> {
    for job in schedule.jobs.iter().filter(|job| job.games() > 0) {
        let so_far = games.entry(job.key.clone()).or_default();
        so_far.retain(|played| played.number < job.games());
        if let Work::Match(plan) = &job.work
            && (so_far.len() as u64) < job.games()
        {
            check_players(plan, here.agents)?;
            run_by(plan, hands, so_far.clone(), stop, &mut |played| {
                folder.keep(&job.key, played).map_err(RunError::Keep)?;
                so_far.push(played.clone());
                progress(job, so_far);
                Ok(())
            })?;
            if (so_far.len() as u64) < job.games() && stop.stopped() {
                return Ok(false);
            }
        }
    }
    let complete = timed(schedule, here, folder, games, stop, progress)?;
    for so_far in games.values_mut() {
        // Every number is derived from the games in the order of the plan, not in the order in which they ended.
        so_far.sort_by_key(|played| played.number);
        if let Some(cut) = so_far.iter().position(|played| played.reason == EndReason::Cut) {
            so_far.truncate(cut + 1);
        }
    }
    Ok(complete)
}

/// A game that a thread has played, with the place of its job; none if it was stopped.
type Timed = (usize, Result<Option<Played>, RunError>);

/// Timed games that are missing: their number, the place of their job, and what is played.
struct Queue<'a> {
    missing: VecDeque<(u64, usize, &'a Solo)>,
    /// Jobs of which a game has begun, and of which one has ended.
    begun: Vec<bool>,
    ended: Vec<bool>,
}

impl<'a> Queue<'a> {
    /// The first game of every cell comes before the second of any, so that whatever slows the machine down slows all cells alike.
    fn new(schedule: &'a Schedule, games: &Games) -> Queue<'a> {
        let mut missing = Vec::new();
        let mut ended = vec![false; schedule.jobs.len()];
        for (place, job) in schedule.jobs.iter().enumerate() {
            let Work::Solo(solo) = &job.work else { continue };
            let so_far = games.get(&job.key).map(Vec::as_slice).unwrap_or_default();
            let given_up =
                so_far.iter().filter(|played| played.reason == EndReason::Cut).map(|played| played.number).min();
            let is_missing = |number: &u64| so_far.iter().all(|played| played.number != *number);
            let numbers = (0..solo.games.min(given_up.unwrap_or(u64::MAX))).filter(is_missing);
            missing.extend(numbers.map(|number| (number, place, solo)));
            ended[place] = !so_far.is_empty();
        }
        missing.sort_by_key(|(number, place, _)| (*number, *place));
        Queue { missing: missing.into(), begun: ended.clone(), ended }
    }

    /// The next game. A cell's first game has to end before others begin, because it may be given up.
    fn next(&mut self) -> Option<(u64, usize, &'a Solo)> {
        let at = self.missing.iter().position(|(_, place, _)| self.ended[*place] || !self.begun[*place])?;
        let next = self.missing.remove(at)?;
        self.begun[next.1] = true;
        Some(next)
    }

    /// A game has ended. Once one is over the cut, more games of its cell would tell nothing new.
    fn end(&mut self, number: u64, place: usize, cut: bool) {
        self.ended[place] = true;
        if cut {
            self.missing.retain(|(other, job, _)| *job != place || *other < number);
        }
    }
}

/// Plays the timed games that are missing; true when none is.
fn timed(
    schedule: &Schedule,
    here: Threads<'_>,
    folder: &mut Folder,
    games: &mut Games,
    stop: &Stop,
    progress: &mut dyn FnMut(&Job, &[Played]),
) -> Result<bool, RunError> {
    let queue = Mutex::new(Queue::new(schedule, games));
    let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
    let halted = Stop::new();
    let (sender, finished) = channel::<Timed>();
    let worker = |sender: Sender<Timed>| {
        while !stop.stopped() && !halted.stopped() {
            let Some((number, place, solo)) = ({ lock().next() }) else { return };
            let played = solo.play(here.agents, number, stop);
            if let Ok(Some(played)) = &played {
                lock().end(number, place, played.reason == EndReason::Cut);
            }
            // Sending fails only when the other side has given up.
            let _ = sender.send((place, played));
        }
    };
    thread::scope(|scope| {
        for _ in 0..here.count.max(1) {
            let (sender, worker) = (sender.clone(), &worker);
            scope.spawn(move || worker(sender));
        }
        drop(sender);
        let mut keep = |(place, played): Timed| {
            let (job, Some(played)) = (&schedule.jobs[place], played?) else { return Ok(()) };
            folder.keep(&job.key, &played).map_err(RunError::Keep)?;
            let so_far = games.entry(job.key.clone()).or_default();
            so_far.push(played);
            progress(job, so_far);
            Ok(())
        };
        let kept = finished.iter().try_for_each(&mut keep);
        // After an error nobody plays on.
        halted.stop();
        kept
    })?;
    Ok(!stop.stopped())
}
