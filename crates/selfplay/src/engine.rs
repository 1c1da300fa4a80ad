//! The threads that walk the trees, and the two halves between which the caller goes back and forth.

use std::collections::VecDeque;
use std::fmt;
use std::ops::AddAssign;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use quintet_eval::encode::{Encode, cells};
use quintet_game::bits::mix;
use quintet_game::{AnyLine, Game, GameSpec, Outcome, Rng, SeedableRng, with_game};

use crate::config::Config;
use crate::samples::{Samples, Store};
use crate::slot::{Rules, Slot};

/// Asked after a move how the game must end, if it knows: for exact solvers. To keep runs repeatable, its answer must depend on the
/// position alone (a budget of nodes, not of time).
pub type EndingHook = Arc<dyn Fn(&dyn AnyLine) -> Option<Outcome> + Send + Sync>;

/// What is wrong with a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelfPlayError {
    /// A number of the [`Config`] is out of range.
    #[error("{0}")]
    Config(String),
    /// A buffer has the wrong length.
    #[error("{what} has {found} numbers: it must have {wanted}.")]
    Length {
        /// The buffer.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that it must have.
        wanted: usize,
    },
    /// There is nothing to answer, or too much is not answered.
    #[error("{0}")]
    Order(&'static str),
    /// A value is not a number from -1 to 1.
    #[error("the value of position {number} is {value}: it must be from -1 to 1.")]
    Value {
        /// The position's number in the batch.
        number: usize,
        /// Its value.
        value: String,
    },
    /// A thread has panicked: a fault of this program or of the ending hook.
    #[error("a thread of the self-play has stopped; its last words are on the standard error.")]
    Stopped,
}

/// What has been played so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Finished games.
    pub games: u64,
    /// Their moves, random ones included.
    pub moves: u64,
    /// Games won by each player.
    pub wins: [u64; 2],
    /// Drawn games.
    pub draws: u64,
    /// Positions that were evaluated.
    pub positions: u64,
    /// Samples of finished games.
    pub samples: u64,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.games += other.games;
        self.moves += other.moves;
        self.wins = [0, 1].map(|player| self.wins[player] + other.wins[player]);
        self.draws += other.draws;
        self.positions += other.positions;
        self.samples += other.samples;
    }
}

/// Many games at once, for a net that the caller evaluates; see the [crate](crate) for an example.
///
/// [`SelfPlay::step`] waits for the positions of one half, [`SelfPlay::answer`] lets that half go on and returns at once. So while the
/// caller evaluates one half, the other one walks. The halves take turns. Both may be with the caller at the same time, so that a GPU
/// has its next batch before the last one is fetched and answered.
pub struct SelfPlay {
    engine: Box<dyn Run>,
}

impl fmt::Debug for SelfPlay {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("SelfPlay").field("stats", &self.stats()).finish_non_exhaustive()
    }
}

impl SelfPlay {
    /// Begins the games of a spec.
    ///
    /// # Errors
    /// If a number of the configuration is out of range.
    pub fn new(spec: &GameSpec, config: Config, ending: Option<EndingHook>) -> Result<SelfPlay, SelfPlayError> {
        config.check()?;
        let engine: Box<dyn Run> =
            with_game!(spec, |game| Box::new(Engine::new(Rules::new(*spec, game, config, ending))));
        Ok(SelfPlay { engine })
    }

    /// Positions in a batch: the games of one half.
    #[must_use]
    pub fn batch(&self) -> usize {
        self.engine.sizes().batch
    }

    /// Words in a packed position.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.engine.sizes().cells
    }

    /// Actions of the game: logits in an answer.
    #[must_use]
    pub fn actions(&self) -> usize {
        self.engine.sizes().actions
    }

    /// Waits for the next half and copies its packed positions: a batch to evaluate.
    ///
    /// # Errors
    /// If the buffer has not [`SelfPlay::batch`] times [`SelfPlay::cells`] words, or two batches are not answered yet.
    pub fn step(&mut self, words: &mut [u32]) -> Result<(), SelfPlayError> {
        let sizes = self.engine.sizes();
        check_length("the buffer of positions", words.len(), sizes.batch * sizes.cells)?;
        self.engine.step(words)
    }

    /// Answers the oldest batch that is not answered yet: logits of all actions (illegal ones are ignored) and values for the side to move, from -1 to 1. The half
    /// goes on in the background.
    ///
    /// # Errors
    /// If a buffer has not [`SelfPlay::batch`] times [`SelfPlay::actions`] logits or as many values, a value is out of range, or
    /// there is no batch to answer. Nothing is changed then.
    pub fn answer(&mut self, logits: &[f32], values: &[f32]) -> Result<(), SelfPlayError> {
        let sizes = self.engine.sizes();
        check_length("the buffer of logits", logits.len(), sizes.batch * sizes.actions)?;
        check_length("the buffer of values", values.len(), sizes.batch)?;
        // A little more than 1 is a matter of rounding.
        if let Some(number) = values.iter().position(|value| !(-1.001..=1.001).contains(value)) {
            return Err(SelfPlayError::Value { number, value: values[number].to_string() });
        }
        self.engine.answer(logits, values)
    }

    /// Samples of finished games that wait to be taken.
    #[must_use]
    pub fn ready(&self) -> usize {
        self.engine.ready()
    }

    /// Takes samples, at most this many, the oldest first. They wait in memory until they are taken.
    pub fn take(&mut self, most: usize) -> Samples {
        self.engine.take(most)
    }

    /// What has been played so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.engine.stats()
    }
}

fn check_length(what: &'static str, found: usize, wanted: usize) -> Result<(), SelfPlayError> {
    if found == wanted { Ok(()) } else { Err(SelfPlayError::Length { what, found, wanted }) }
}

#[derive(Clone, Copy)]
struct Sizes {
    batch: usize,
    cells: usize,
    actions: usize,
}

/// [`Engine`] with its game's type erased.
trait Run: Send {
    fn sizes(&self) -> Sizes;
    fn step(&mut self, words: &mut [u32]) -> Result<(), SelfPlayError>;
    fn answer(&mut self, logits: &[f32], values: &[f32]) -> Result<(), SelfPlayError>;
    fn ready(&self) -> usize;
    fn take(&mut self, most: usize) -> Samples;
    fn stats(&self) -> Stats;
}

/// Some games of a half, for one thread at a time, with what they asked for and what was answered.
struct Chunk<G: Game> {
    slots: Vec<Slot<G>>,
    words: Vec<u32>,
    logits: Vec<f32>,
    values: Vec<f32>,
    finished: Store,
    stats: Stats,
}

impl<G: Encode> Chunk<G> {
    fn advance(&mut self, rules: &Rules<G>, sizes: Sizes) {
        let answers = self.logits.chunks_exact(sizes.actions).zip(&self.values);
        let asked = self.words.chunks_exact_mut(sizes.cells);
        for ((slot, (logits, value)), words) in self.slots.iter_mut().zip(answers).zip(asked) {
            slot.advance(rules, (logits, *value), words, &mut self.finished, &mut self.stats);
        }
    }
}

/// What the threads have to do.
#[derive(Default)]
struct Work {
    /// Halves and numbers of chunks.
    queue: VecDeque<(usize, usize)>,
    /// Chunks of each half that are not done.
    pending: [usize; 2],
    stopped: bool,
}

struct Shared<G: Game> {
    rules: Rules<G>,
    sizes: Sizes,
    halves: [Vec<Mutex<Chunk<G>>>; 2],
    work: Mutex<Work>,
    /// There is something to do.
    begun: Condvar,
    /// A half is done.
    done: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Encode> Shared<G> {
    /// Sends a half to the threads.
    fn send(&self, half: usize) {
        let mut work = lock(&self.work);
        work.pending[half] = self.halves[half].len();
        work.queue.extend((0..self.halves[half].len()).map(|chunk| (half, chunk)));
        self.begun.notify_all();
    }

    /// What each thread does until it is told to stop.
    fn serve(&self) {
        /// Tells the others when a thread panics.
        struct Alarm<'a, G: Encode>(&'a Shared<G>);
        impl<G: Encode> Drop for Alarm<'_, G> {
            fn drop(&mut self) {
                lock(&self.0.work).stopped = true;
                self.0.begun.notify_all();
                self.0.done.notify_all();
            }
        }
        let _alarm = Alarm(self);
        loop {
            let (half, chunk) = {
                let mut work = lock(&self.work);
                loop {
                    if work.stopped {
                        return;
                    }
                    match work.queue.pop_front() {
                        Some(job) => break job,
                        None => work = self.begun.wait(work).unwrap_or_else(PoisonError::into_inner),
                    }
                }
            };
            lock(&self.halves[half][chunk]).advance(&self.rules, self.sizes);
            let mut work = lock(&self.work);
            work.pending[half] -= 1;
            if work.pending[half] == 0 {
                self.done.notify_all();
            }
        }
    }
}

/// The games of one run.
struct Engine<G: Game> {
    shared: Arc<Shared<G>>,
    threads: Vec<JoinHandle<()>>,
    /// The half that the caller gets next, and how many it has.
    next: usize,
    given: usize,
    store: Store,
    stats: Stats,
}

impl<G: Encode> Engine<G> {
    fn new(rules: Rules<G>) -> Engine<G> {
        let (batch, seed) = (rules.config.games, rules.config.seed);
        let sizes = Sizes { batch, cells: cells(&*rules.game), actions: rules.game.actions() };
        let threads = match rules.config.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let threads = threads.min(2 * batch);
        // Several chunks per thread, because some take longer than others.
        let size = batch.div_ceil(4 * threads);
        let halves = [0, 1].map(|half| {
            let games: Vec<usize> = (0..batch).map(|game| half * batch + game).collect();
            games.chunks(size).map(|games| Mutex::new(chunk(&rules, sizes, seed, games))).collect()
        });
        let (work, begun, done) = (Mutex::default(), Condvar::new(), Condvar::new());
        let shared = Arc::new(Shared { rules, sizes, halves, work, begun, done });
        let spawn = |_| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || shared.serve())
        };
        let threads = (0..threads).map(spawn).collect();
        for half in [0, 1] {
            shared.send(half);
        }
        Engine { shared, threads, next: 0, given: 0, store: Store::default(), stats: Stats::default() }
    }
}

fn chunk<G: Encode>(rules: &Rules<G>, sizes: Sizes, seed: u64, games: &[usize]) -> Chunk<G> {
    // The randomness of a game follows from the seed and its number alone.
    let slot = |game: &usize| Slot::new(rules, Rng::seed_from_u64(mix(mix(seed) ^ *game as u64)));
    Chunk {
        slots: games.iter().map(slot).collect(),
        words: vec![0; games.len() * sizes.cells],
        logits: vec![0.0; games.len() * sizes.actions],
        values: vec![0.0; games.len()],
        finished: Store::default(),
        stats: Stats::default(),
    }
}

impl<G: Encode> Run for Engine<G> {
    fn sizes(&self) -> Sizes {
        self.shared.sizes
    }

    fn step(&mut self, words: &mut [u32]) -> Result<(), SelfPlayError> {
        if self.given == 2 {
            return Err(SelfPlayError::Order("two batches wait for an answer: answer one before the next step."));
        }
        let mut work = lock(&self.shared.work);
        while work.pending[self.next] > 0 {
            if work.stopped {
                return Err(SelfPlayError::Stopped);
            }
            work = self.shared.done.wait(work).unwrap_or_else(PoisonError::into_inner);
        }
        drop(work);
        let mut left = words;
        for chunk in &self.shared.halves[self.next] {
            let mut chunk = lock(chunk);
            let (own, others) = left.split_at_mut(chunk.words.len());
            own.copy_from_slice(&chunk.words);
            left = others;
            // Taken in the order of games, so that the number of threads changes nothing.
            self.store.append(&mut chunk.finished);
            self.stats += std::mem::take(&mut chunk.stats);
        }
        self.next = 1 - self.next;
        self.given += 1;
        Ok(())
    }

    fn answer(&mut self, logits: &[f32], values: &[f32]) -> Result<(), SelfPlayError> {
        let half = match self.given {
            0 => return Err(SelfPlayError::Order("there is no batch to answer: step first.")),
            1 => 1 - self.next,
            _ => self.next,
        };
        let mut games = 0;
        for chunk in &self.shared.halves[half] {
            let mut chunk = lock(chunk);
            let end = games + chunk.slots.len();
            chunk.logits.copy_from_slice(&logits[games * self.shared.sizes.actions..end * self.shared.sizes.actions]);
            chunk.values.copy_from_slice(&values[games..end]);
            games = end;
        }
        self.shared.send(half);
        self.given -= 1;
        Ok(())
    }

    fn ready(&self) -> usize {
        self.store.targets.len()
    }

    fn take(&mut self, most: usize) -> Samples {
        self.store.take(most, self.shared.sizes.cells, self.shared.sizes.actions)
    }

    fn stats(&self) -> Stats {
        self.stats
    }
}

impl<G: Game> Drop for Engine<G> {
    fn drop(&mut self) {
        lock(&self.shared.work).stopped = true;
        self.shared.begun.notify_all();
        for thread in self.threads.drain(..) {
            // One that has panicked has said so.
            let _ = thread.join();
        }
    }
}
