//! Plays what is missing of a schedule.

use std::collections::BTreeMap;

use quintet_agent::Catalogue;
use quintet_arena::{Played, RunError, run};
use quintet_game::Stop;

use super::folder::Folder;
use super::schedule::{Job, Schedule, Work};
use super::solo::CUT;

/// The games of every job, by its key.
pub type Games = BTreeMap<String, Vec<Played>>;

/// Plays the games that the folder does not hold yet; every game is stored before it counts. `progress` is called after each game, with its job and that job's games so far. When `stop` is set,
/// no new game starts. Timed games are played one at a time. True when all games have been played.
///
/// # Errors
/// When an agent cannot be built, or a game cannot be stored.
pub fn perform(
    schedule: &Schedule,
    agents: &Catalogue,
    folder: &mut Folder,
    games: &mut Games,
    threads: usize,
    stop: &Stop,
    progress: &mut dyn FnMut(&Job, &[Played]),
) -> Result<bool, RunError> {
    for job in schedule.jobs.iter().filter(|job| job.games() > 0) {
        let mut so_far = games.get(&job.key).cloned().unwrap_or_default();
        so_far.retain(|played| played.number < job.games());
        if (so_far.len() as u64) < job.games() {
            match &job.work {
                Work::Match(plan) => {
                    run(plan, agents, so_far.clone(), threads, stop, &mut |played| {
                        folder.keep(&job.key, played).map_err(RunError::Keep)?;
                        so_far.push(played.clone());
                        progress(job, &so_far);
                        Ok(())
                    })?;
                }
                Work::Solo(solo) => {
                    for number in 0..solo.games {
                        // Once a game is over the cut, more games of its cell would tell nothing new.
                        if so_far.iter().any(|played| played.reason == CUT) {
                            break;
                        }
                        if so_far.iter().any(|played| played.number == number) {
                            continue;
                        }
                        let Some(played) = solo.play(agents, number, stop)? else { break };
                        folder.keep(&job.key, &played).map_err(RunError::Keep)?;
                        so_far.push(played);
                        progress(job, &so_far);
                    }
                }
                Work::Waits(_) | Work::Nothing => {}
            }
        }
        // Every number is derived from the games in the order of the plan, not in the order in which they ended.
        so_far.sort_by_key(|played| played.number);
        let complete = so_far.len() as u64 == job.games() || so_far.iter().any(|played| played.reason == CUT);
        games.insert(job.key.clone(), so_far);
        if !complete && stop.stopped() {
            return Ok(false);
        }
    }
    Ok(true)
}
