//! Monte Carlo tree search over a guide, with proven results backed up.

mod tree;

use std::ops::Range;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use quintet_eval::{Batch, Guide};
use quintet_game::clock::Instant;
use quintet_game::{Game, Limit, Line, Rng, SeedableRng};
use rand_core::Rng as _;

use crate::order::shuffle;
use crate::{Choice, Clock, Search, Watch};
use tree::{End, Points, Tree};

/// PUCT: every simulation walks down the tree by value and prior, asks a [`Guide`] about the leaf, and backs up its chances.
///
/// Endings are proofs: a node with a won child is won, one whose children are all known is known. Known children are not visited again; a
/// known root ends the search. The move played is a proven win (the shortest), else the most visited one that is not a proven loss, else the
/// longest loss.
///
/// The tree is kept for the next move: if the line continues from where it was, the part below its new end stays. A limit of
/// visits includes the kept ones, a limit of nodes only new simulations.
///
/// With one thread, the same seed and the same calls give the same results. Several threads walk one tree under a lock; only the
/// guide runs outside of it, so threads help to the extent that the guide takes most of the time. A watch is told only about the
/// positions of the first thread.
///
/// ```
/// use std::sync::Arc;
/// use quintet_eval::PlayoutGuide;
/// use quintet_game::{Limit, Line, Notation, Proof, pentago::Pentago};
/// use quintet_search::{Puct, Quiet, Search};
/// let game = Arc::new(Pentago::standard());
/// let pos = game.read_position("xxxx../oooo../....../....../....../...... x").unwrap();
/// let mut search = Puct::new(Box::new(PlayoutGuide::new(1, 1)), 1);
/// let choice = search.think(&Line::from_position(game.clone(), pos), &Limit::nodes(5000), &mut Quiet);
/// assert_eq!((game.write_move(choice.mv).as_str(), choice.proof()), ("e1", Some(Proof::Win)));
/// ```
pub struct Puct<G: Game> {
    guide: Box<dyn Guide<G>>,
    settings: Settings,
    threads: usize,
    reuse: bool,
    rng: Rng,
    tree: Option<Tree<G>>,
}

/// The parameters of the walks.
#[derive(Clone, Copy, Debug)]
struct Settings {
    exploration: f64,
    /// Subtracted from the parent's value for an untried move, times the root of the sum of tried priors.
    reduction: f64,
    batch: usize,
    /// The most bytes that the tree may use.
    memory: usize,
}

impl<G: Game> Puct<G> {
    /// One thread, one leaf at a time, 256 MiB; the guide determines the weight of the priors.
    #[must_use]
    pub fn new(guide: Box<dyn Guide<G>>, seed: u64) -> Puct<G> {
        let settings = Settings { exploration: guide.exploration(), reduction: 0.1, batch: 1, memory: 256 << 20 };
        Puct { guide, settings, threads: 1, reuse: true, rng: Rng::seed_from_u64(seed), tree: None }
    }

    /// Sets the weight of priors against values.
    #[must_use]
    pub fn with_exploration(mut self, c: f64) -> Puct<G> {
        self.settings.exploration = c;
        self
    }

    /// Sets the reduction of the value of untried moves.
    #[must_use]
    pub fn with_reduction(mut self, reduction: f64) -> Puct<G> {
        self.settings.reduction = reduction;
        self
    }

    /// Evaluates this many leaves at once, up to 1024. Walks to the later ones do not know the results of the earlier ones yet.
    #[must_use]
    pub fn with_batch(mut self, leaves: usize) -> Puct<G> {
        self.settings.batch = leaves.clamp(1, 1024);
        self
    }

    /// Uses this many threads, up to 32.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Puct<G> {
        self.threads = threads.clamp(1, 32);
        self
    }

    /// Whether the tree is kept from move to move.
    #[must_use]
    pub fn with_reuse(mut self, reuse: bool) -> Puct<G> {
        self.reuse = reuse;
        self
    }

    /// Sets the cap on the bytes that the tree uses. A full tree is searched on without growing; there is always room for the
    /// root and its children. The memory is freed with the search.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Puct<G> {
        self.settings.memory = bytes;
        self
    }

    /// Bytes of the tree that is kept for the next move.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tree.as_ref().map_or(0, Tree::bytes)
    }
}

/// What the threads share.
struct Shared<G: Game> {
    tree: Tree<G>,
    clock: Clock,
    /// The node count of the next report.
    next_report: u64,
}

impl<G: Game> Search<G> for Puct<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let clock = Clock::start(limit, watch.stop());
        let is_timed = clock.is_timed();
        let mut tree = self.tree.take().unwrap_or_else(|| Tree::new(line));
        tree.go_to(line);
        let shared = Mutex::new(Shared { tree, clock, next_report: 1024 });
        let worker = |rng| Worker::new(line.game(), &*self.guide, self.settings, limit.visits, is_timed, rng);
        let seed = self.rng.next_u64();
        let mut first = worker(self.rng.clone());
        std::thread::scope(|scope| {
            for helper in 1..self.threads {
                let mut worker = worker(Rng::seed_from_u64(seed.wrapping_add(helper as u64)));
                let shared = &shared;
                scope.spawn(move || worker.run(shared, None));
            }
            first.run(&shared, Some(&mut *watch));
        });
        self.rng = first.rng;
        let Shared { mut tree, clock, .. } = shared.into_inner().expect("a thread that panics ends the search");
        let choice = if tree.is_grown() {
            tree.report(&clock, watch);
            tree.choice(&clock)
        } else {
            let mv = line.game().random_move(line.position(), &mut self.rng);
            Choice { nodes: clock.nodes(), elapsed: clock.elapsed(), ..Choice::plain(mv, 0.5) }
        };
        if !self.reuse {
            tree.clear();
        }
        self.tree = Some(tree);
        choice
    }

    fn memory(&self) -> usize {
        self.tree.as_ref().map_or(0, Tree::allocated)
    }

    fn forget(&mut self) {
        self.tree = None;
    }
}

/// A leaf to be evaluated.
struct PendingLeaf<G: Game> {
    pos: G::Pos,
    path: Vec<u32>,
    wants_priors: bool,
}

/// A thread of the search with its buffers.
struct Worker<'a, G: Game> {
    game: &'a G,
    guide: &'a dyn Guide<G>,
    settings: Settings,
    visits: u64,
    /// Can the wall clock or a stop flag end the search?
    is_timed: bool,
    rng: Rng,
    found: Vec<PendingLeaf<G>>,
    batch: Batch<G>,
    /// The guide's results for each leaf, and where its moves with their priors are in `sorted`, in the form that the tree takes.
    judged: Vec<(Points, Range<usize>)>,
    sorted: Vec<(f32, G::Move)>,
    seen: Vec<G::Pos>,
    /// Paths to be reused.
    paths: Vec<Vec<u32>>,
    /// The recent time per leaf. Measured only where time matters, so that it costs nothing elsewhere.
    leaf_time: Duration,
}

/// More visits would overflow their counter.
const MOST_VISITS: u64 = u32::MAX as u64 - (1 << 16);

/// A batch should not take longer than this, so that deadlines are kept.
const LONGEST_BATCH: Duration = Duration::from_millis(5);

impl<'a, G: Game> Worker<'a, G> {
    fn new(
        game: &'a G,
        guide: &'a dyn Guide<G>,
        settings: Settings,
        visits: Option<u64>,
        is_timed: bool,
        rng: Rng,
    ) -> Worker<'a, G> {
        Worker {
            game,
            guide,
            settings,
            visits: visits.map_or(MOST_VISITS, |most| most.min(MOST_VISITS)),
            is_timed,
            rng,
            found: Vec::new(),
            batch: Batch::default(),
            judged: Vec::new(),
            sorted: Vec::new(),
            seen: Vec::new(),
            paths: Vec::new(),
            leaf_time: Duration::ZERO,
        }
    }

    /// Collects leaves, has them evaluated and backs up the results, until a limit is reached.
    fn run(&mut self, shared: &Mutex<Shared<G>>, mut watch: Option<&mut dyn Watch<G>>) {
        let lock = || -> MutexGuard<Shared<G>> { shared.lock().expect("a thread that panics ends the search") };
        let mut held = lock();
        loop {
            if !self.gather(&mut held) && self.found.is_empty() {
                return;
            }
            drop(held);
            if let Some(watch) = &mut watch {
                self.found.iter().for_each(|leaf| watch.looking_at(&leaf.pos, leaf.path.len() as u32 - 1));
            }
            self.judge();
            held = lock();
            self.settle(&mut held.tree);
            if let Some(watch) = &mut watch
                && held.tree.is_grown()
            {
                let planned = held.clock.nodes() >= held.next_report;
                if planned {
                    held.next_report *= 2;
                }
                if planned || watch.is_due() {
                    held.tree.report(&held.clock, *watch);
                }
            }
        }
    }

    /// Walks to leaves until the batch is full; false when the search must end.
    fn gather(&mut self, shared: &mut Shared<G>) -> bool {
        let room = self.room(&mut shared.clock);
        for _ in 0..room {
            if shared.tree.is_known() || shared.tree.visits() >= self.visits {
                return false;
            }
            if !shared.clock.tick() {
                return false;
            }
            let mut path = self.paths.pop().unwrap_or_default();
            let (pos, end) = shared.tree.walk(&mut path, &mut self.seen, &self.settings);
            match end {
                End::Over(outcome) => {
                    shared.tree.back_up(&path, Points::of_outcome(outcome, self.game.to_move(&pos)));
                    self.paths.push(path);
                }
                End::Busy if !self.found.is_empty() => {
                    shared.clock.untick();
                    self.paths.push(path);
                    return true;
                }
                // Another thread is already evaluating it; a second evaluation is better than waiting.
                End::Busy => self.found(shared, PendingLeaf { pos, path, wants_priors: false }),
                End::Leaf { again, fits } => {
                    let wants_priors = fits && (again || path.len() == 1 || self.guide.gives_priors_at_once());
                    self.found(shared, PendingLeaf { pos, path, wants_priors });
                }
            }
        }
        room > 0
    }

    fn found(&mut self, shared: &mut Shared<G>, found: PendingLeaf<G>) {
        shared.tree.wait(&found.path);
        self.found.push(found);
    }

    /// How many walks until the next batch is evaluated: fewer if that would take too long, none if there is no time for another
    /// leaf.
    fn room(&self, clock: &mut Clock) -> usize {
        if !self.is_timed {
            return self.settings.batch;
        }
        clock.look_next();
        let left = clock.left().unwrap_or(Duration::MAX);
        if self.leaf_time > left.max(LONGEST_BATCH) {
            return 0;
        }
        let fits = left.min(LONGEST_BATCH).as_nanos() / self.leaf_time.as_nanos().max(1);
        self.settings.batch.min(fits as usize).max(1)
    }

    /// Asks the guide about all collected leaves, and sorts their moves.
    fn judge(&mut self) {
        let start = self.is_timed.then(Instant::now);
        self.batch.clear();
        for leaf in &self.found {
            self.batch.push(self.game, leaf.pos.clone(), leaf.wants_priors);
        }
        self.guide.guide(self.game, &mut self.batch);
        self.judged.clear();
        self.sorted.clear();
        for leaf in self.batch.leaves() {
            let begin = self.sorted.len();
            self.sorted.extend(leaf.priors.iter().copied().zip(leaf.moves.iter().copied()));
            // Equal moves in random order, the best first.
            shuffle(&mut self.sorted[begin..], &mut self.rng);
            self.sorted[begin..].sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
            self.judged.push((Points::of_chances(*leaf.chances), begin..self.sorted.len()));
        }
        if let Some(start) = start.filter(|_| !self.found.is_empty()) {
            // Leaves with priors take longest and are not in every batch, so their time is forgotten slowly.
            self.leaf_time = (self.leaf_time * 15 / 16).max(start.elapsed() / self.found.len() as u32);
        }
    }

    /// Backs up the guide's results.
    fn settle(&mut self, tree: &mut Tree<G>) {
        for (found, (value, sorted)) in self.found.drain(..).zip(self.judged.drain(..)) {
            tree.end_wait(&found.path);
            if found.wants_priors {
                tree.expand(found.path[found.path.len() - 1], &self.sorted[sorted], &self.settings);
            }
            tree.back_up(&found.path, value);
            self.paths.push(found.path);
        }
    }
}
