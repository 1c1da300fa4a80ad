//! Matches and tournaments: the games of a plan, kept in the store.

use std::path::Path;

use quintet_agent::Catalogue;
use quintet_arena::stats::SprtError;
use quintet_arena::{Hands, Identity, Plan, Results, RunError, Store, StoreError, Threads, check_players, run_by};
use quintet_game::{GameSpec, GameSpecError, Stop};

use crate::lock::{Lock, LockError};

/// A match or a tournament in a store. Every finished game is on the disk before it counts, so a tournament that was stopped or killed continues to the same table.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_arena::{Length, Plan, Store};
/// use quintet_game::Stop;
/// use quintet_lab::Tournament;
///
/// let agents = Catalogue::embedded();
/// let folder = std::env::temp_dir().join(format!("quintet-tournament-doc-{}", std::process::id()));
/// let file = folder.join("games.sqlite");
/// let plan = Plan::duel("pylos", ["mcts(visits=20)", "random"], Length::Games(4))?;
/// let begun = Tournament::begin(Store::open(&file)?, agents, plan, "match")?;
/// let number = begun.number();
/// drop(begun);
///
/// // Later, perhaps in another process:
/// let mut tournament = Tournament::resume(Store::open(&file)?, number)?;
/// let mut heard = 0;
/// assert!(tournament.play(agents, 1, &Stop::never(), &mut |_| heard += 1)?);
/// assert_eq!((heard, tournament.results().wdl(0, 1).n()), (4, 4));
/// assert!(tournament.is_over());
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tournament {
    store: Store,
    number: i64,
    results: Results,
    over: bool,
    /// None once it is over: then there is nothing to write.
    lock: Option<Lock>,
}

/// Why a tournament cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// The plan's game cannot be read.
    #[error(transparent)]
    Game(#[from] GameSpecError),
    /// The bounds of the plan's sequential test make no sense.
    #[error(transparent)]
    Test(#[from] SprtError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its games cannot be played.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Somebody else is playing it.
    #[error(transparent)]
    Lock(#[from] LockError),
}

impl Tournament {
    /// Begins a run of a kind (`match`, `tournament`). A plan that cannot be played is refused before anything is written.
    ///
    /// # Errors
    /// When the game, a player or the test of the plan makes no sense, or the store cannot be written.
    pub fn begin(mut store: Store, agents: &Catalogue, plan: Plan, kind: &str) -> Result<Tournament, TournamentError> {
        let spec = GameSpec::parse(&plan.game)?;
        plan.test()?;
        check_players(&plan, agents)?;
        let identities = Identity::of_players(&plan, &spec, agents);
        let number = store.begin(&plan, kind)?;
        let lock = Some(lock(&store, number)?);
        store.name_players(number, &plan, &identities)?;
        Ok(Tournament { store, number, results: Results::new(plan, Vec::new()), over: false, lock })
    }

    /// Takes up a run without the games that a worker of a cluster has played, since it is not to be trusted; and how many they were.
    ///
    /// # Errors
    /// As [`Tournament::resume`]; and when the games cannot be deleted.
    pub fn resume_without(mut store: Store, number: i64, worker: &str) -> Result<(Tournament, usize), TournamentError> {
        // Nobody else may be playing it.
        let held = lock(&store, number)?;
        let dropped = store.drop_worker(number, worker)?;
        drop(held);
        Ok((Tournament::resume(store, number)?, dropped))
    }

    /// Takes up a run of the store, with the games that it has. One that is over has nothing left to play.
    ///
    /// # Errors
    /// When there is no such run, it cannot be read, or somebody is playing it: [`TournamentError::Lock`] says who.
    pub fn resume(store: Store, number: i64) -> Result<Tournament, TournamentError> {
        let is_over = || Ok::<bool, StoreError>(store.run(number)?.ended.is_some());
        let mut lock = if is_over()? { None } else { Some(lock(&store, number)?) };
        // It may have ended before the lock was free.
        let over = is_over()?;
        lock = lock.filter(|_| !over);
        let results = Results::new(store.plan(number)?, store.played(number)?);
        Ok(Tournament { store, number, results, over, lock })
    }

    /// The number of the run in the store.
    #[must_use]
    pub fn number(&self) -> i64 {
        self.number
    }

    /// What is played.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.results.plan
    }

    /// The games so far, and what they come to.
    #[must_use]
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// Has it come to its end?
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// How many of the offered threads play it: with a time budget, at most one per core.
    #[must_use]
    pub fn threads(&self, offered: usize) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let offered = offered.max(1);
        if self.plan().budget.time.is_some() { offered.min(cores) } else { offered }
    }

    /// Plays what is left; false when it was stopped before the end. `heard` is called after each game, when that game is kept, with the results so far.
    ///
    /// # Errors
    /// When an agent cannot be built, or a game cannot be kept.
    pub fn play(
        &mut self,
        agents: &Catalogue,
        threads: usize,
        stop: &Stop,
        heard: &mut dyn FnMut(&Results),
    ) -> Result<bool, TournamentError> {
        check_players(self.plan(), agents)?;
        self.play_by(&Threads { agents, count: threads }, stop, heard)
    }

    /// The same by other hands than threads of this process.
    ///
    /// # Errors
    /// When the hands fail, or a game cannot be kept.
    pub fn play_by(
        &mut self,
        hands: &dyn Hands,
        stop: &Stop,
        heard: &mut dyn FnMut(&Results),
    ) -> Result<bool, TournamentError> {
        let Tournament { store, number, results, over, lock } = self;
        let (plan, done) = (results.plan.clone(), results.games.clone());
        *results = run_by(&plan, hands, done, stop, &mut |played| {
            store.keep(*number, &plan, played).map_err(|error| RunError::Keep(error.to_string()))?;
            results.games.push(played.clone());
            heard(results);
            Ok(())
        })?;
        if !*over && results.is_complete() {
            store.end(*number, results)?;
            *over = true;
            *lock = None;
        }
        Ok(*over)
    }
}

/// Makes this process the one that plays a run. The store itself is shared, so each run has a file of its own beside it.
fn lock(store: &Store, number: i64) -> Result<Lock, LockError> {
    let beside = store.path().parent().unwrap_or(Path::new(""));
    Lock::take(&beside.join(format!("locks/run-{number}")), &format!("run {number}"))
}
