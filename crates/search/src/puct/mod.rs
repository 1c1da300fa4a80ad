//! Monte Carlo tree search over a guide, with proven results backed up.

mod merging;
mod node;
mod tree;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quintet_eval::{Batch, Guide};
use quintet_game::clock::{ClockKind, Instant};
use quintet_game::{Game, Limit, Line, Rng, SeedableRng};
use rand_core::Rng as _;

use crate::order::shuffle;
use crate::{Choice, Clock, Search, Watch};
use merging::Merging;
use node::Node;
use tree::{End, Points, Tree};

/// PUCT: every simulation walks down the tree by value and prior, asks a [`Guide`] about the leaf, and backs up its chances.
///
/// Endings are proofs: a node with a won child is won, one whose children are all known is known. Known children are not visited again; a
/// known root ends the search. The move played is a proven win (the shortest), else the most visited one that is not a proven loss, else the
/// longest loss.
///
/// A guide whose priors come at once, such as a net, costs far more than a look at the rules. So it is spared what they can tell: of moves
/// that lead to equal positions the tree has one, with the sum of their priors, and a game that nobody can win any more
/// ([`Game::is_dead`]) is a draw.
///
/// The tree is kept for the next move: if the line continues from where it was, the part below its new end stays. A limit of
/// visits includes the kept ones, a limit of nodes only new simulations.
///
/// With one thread, the same seed and the same calls give the same results. Several threads grow one tree without locks; a walk under way
/// counts as a lost visit, which sends the other threads elsewhere. A watch is told only about the positions of the first thread.
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
    /// One thread where more than the wall clock limits the search?
    steady: bool,
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
    /// Is the guide spared equal positions and dead games?
    spare: bool,
}

impl<G: Game> Puct<G> {
    /// One thread, one leaf at a time, 256 MiB; the guide determines the weight of the priors.
    #[must_use]
    pub fn new(guide: Box<dyn Guide<G>>, seed: u64) -> Puct<G> {
        let (exploration, spare) = (guide.exploration(), guide.gives_priors_at_once());
        let settings = Settings { exploration, reduction: 0.1, batch: 1, memory: 256 << 20, spare };
        Puct { guide, settings, threads: 1, steady: false, reuse: true, rng: Rng::seed_from_u64(seed), tree: None }
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

    /// Uses its threads only where nothing but the wall clock limits a search, and one thread where work, or its own time, is counted: there the
    /// same seed and the same calls give the same results.
    #[must_use]
    pub fn with_steady_counts(mut self) -> Puct<G> {
        self.steady = true;
        self
    }

    /// The threads of a search.
    fn threads(&self, limit: &Limit) -> usize {
        let by_wall =
            limit.nodes.is_none() && limit.visits.is_none() && limit.time.is_some() && limit.clock == ClockKind::Wall;
        match self.steady {
            true if by_wall => self.threads.min(limit.cores.unwrap_or(usize::MAX)).max(1),
            true => 1,
            false => self.threads,
        }
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

/// Simulations that the threads may still begin. They take them in portions, so that they seldom meet here.
struct Budget {
    left: AtomicU64,
    threads: u64,
}

impl Budget {
    /// The most that a thread takes at once.
    const PORTION: u64 = 32;

    /// Some of what is left, the fewer the less it is; 0 if nothing is.
    fn take(&self) -> u64 {
        let portion = |left: u64| (left / (4 * self.threads)).clamp(1, Self::PORTION).min(left);
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left - portion(left)));
        taken.map_or(0, portion)
    }
}

/// What the threads share.
struct Shared<'a, G: Game> {
    tree: &'a Tree<G>,
    budget: Budget,
    /// Visits of the root when the search began.
    kept: u64,
    game: &'a G,
    guide: &'a dyn Guide<G>,
    settings: Settings,
}

impl<G: Game> Shared<'_, G> {
    /// Simulations so far.
    fn nodes(&self) -> u64 {
        self.tree.visits() - self.kept
    }
}

impl<G: Game> Search<G> for Puct<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let clock = Clock::start(limit, watch.stop());
        let mut tree = self.tree.take().unwrap_or_else(|| Tree::new(line));
        tree.go_to(line);
        let kept = tree.visits();
        // Every simulation visits the root.
        let visits = limit.visits.map_or(MOST_VISITS, |most| most.min(MOST_VISITS)).saturating_sub(kept);
        let left = limit.nodes.map_or(visits, |nodes| nodes.min(visits));
        let threads = self.threads(limit);
        let budget = Budget { left: AtomicU64::new(left), threads: threads as u64 };
        let (game, guide) = (line.game(), &*self.guide);
        let shared = Shared { tree: &tree, budget, kept, game, guide, settings: self.settings };
        let seed = self.rng.next_u64();
        let mut first = Worker::new(&shared, clock.clone(), self.rng.clone());
        std::thread::scope(|scope| {
            for helper in 1..threads {
                let rng = Rng::seed_from_u64(seed.wrapping_add(helper as u64));
                let mut worker = Worker::new(&shared, clock.clone(), rng);
                scope.spawn(move || worker.run(None));
            }
            first.run(Some(&mut *watch));
        });
        self.rng = first.rng;
        let (nodes, elapsed) = (shared.nodes(), clock.elapsed());
        let choice = if tree.is_grown() {
            tree.report(nodes, elapsed, watch);
            tree.choice(nodes, elapsed)
        } else {
            let mv = line.game().random_move(line.position(), &mut self.rng);
            Choice { nodes, elapsed, ..Choice::plain(mv, 0.5) }
        };
        if !self.reuse {
            tree.clear();
        }
        self.tree = Some(tree);
        choice
    }

    fn memory(&self) -> usize {
        self.bytes()
    }

    fn forget(&mut self) {
        self.tree = None;
    }
}

/// A leaf to be evaluated.
struct PendingLeaf<'a, G: Game> {
    pos: G::Pos,
    path: Vec<&'a Node<G::Move>>,
    wants_priors: bool,
}

/// A thread of the search with its buffers.
struct Worker<'a, G: Game> {
    shared: &'a Shared<'a, G>,
    /// Looks at the time. The nodes of all threads are counted by the budget.
    clock: Clock,
    /// Simulations that it has taken from the budget.
    taken: u64,
    rng: Rng,
    found: Vec<PendingLeaf<'a, G>>,
    batch: Batch<G>,
    /// The guide's results for each leaf, and where its moves with their priors are in `sorted`, in the form that the tree takes.
    judged: Vec<(Points, Range<usize>)>,
    sorted: Vec<(f32, G::Move)>,
    merging: Merging,
    seen: Vec<G::Pos>,
    /// Paths to be reused.
    paths: Vec<Vec<&'a Node<G::Move>>>,
    /// The recent time per leaf. Measured only where time matters, so that it costs nothing elsewhere.
    leaf_time: Duration,
}

/// More visits would overflow their counter.
const MOST_VISITS: u64 = u32::MAX as u64 - (1 << 16);

/// A batch should not take longer than this, so that deadlines are kept.
const LONGEST_BATCH: Duration = Duration::from_millis(5);

/// The first report comes after this many nodes, then whenever they have doubled.
const FIRST_REPORT: u64 = 1024;

impl<'a, G: Game> Worker<'a, G> {
    fn new(shared: &'a Shared<'a, G>, clock: Clock, rng: Rng) -> Worker<'a, G> {
        Worker {
            shared,
            clock,
            taken: 0,
            rng,
            found: Vec::new(),
            batch: Batch::default(),
            judged: Vec::new(),
            sorted: Vec::new(),
            merging: Merging::default(),
            seen: Vec::new(),
            paths: Vec::new(),
            leaf_time: Duration::ZERO,
        }
    }

    /// Collects leaves, has them evaluated and backs up the results, until a limit is reached.
    fn run(&mut self, mut watch: Option<&mut dyn Watch<G>>) {
        let mut next_report = FIRST_REPORT;
        while self.gather() || !self.found.is_empty() {
            if let Some(watch) = &mut watch {
                self.found.iter().for_each(|leaf| watch.looking_at(&leaf.pos, leaf.path.len() as u32 - 1));
            }
            self.judge();
            self.settle();
            if let Some(watch) = &mut watch
                && self.shared.tree.is_grown()
            {
                let nodes = self.shared.nodes();
                let planned = nodes >= next_report;
                if planned {
                    next_report *= 2;
                }
                if planned || watch.is_due() {
                    self.shared.tree.report(nodes, self.clock.elapsed(), *watch);
                }
            }
        }
    }

    /// Walks to leaves until the batch is full; false when the search must end.
    fn gather(&mut self) -> bool {
        let Shared { tree, game, settings, .. } = self.shared;
        let room = self.room();
        for _ in 0..room {
            if tree.is_known() || !self.begin() {
                return false;
            }
            let mut path = self.paths.pop().unwrap_or_default();
            let (pos, end) = tree.walk(&mut path, &mut self.seen, settings);
            match end {
                End::Over(outcome) => {
                    tree.back_up(&path, Points::of_outcome(outcome, game.to_move(&pos)));
                    self.paths.push(path);
                }
                End::Busy if !self.found.is_empty() => {
                    Tree::<G>::abandon(&path);
                    self.clock.untick();
                    self.taken += 1;
                    self.paths.push(path);
                    return true;
                }
                // Another thread is already evaluating it; a second evaluation is better than waiting.
                End::Busy => self.found.push(PendingLeaf { pos, path, wants_priors: false }),
                End::Leaf { again, fits } => {
                    let wants_priors = fits && (again || path.len() == 1 || settings.spare);
                    self.found.push(PendingLeaf { pos, path, wants_priors });
                }
            }
        }
        room > 0
    }

    /// Begins a simulation, if there are any left and there is time.
    fn begin(&mut self) -> bool {
        if self.taken == 0 {
            self.taken = self.shared.budget.take();
        }
        let goes = self.taken > 0 && self.clock.tick();
        self.taken -= u64::from(goes);
        goes
    }

    /// How many walks until the next batch is evaluated: fewer if that would take too long, none if there is no time for another
    /// leaf.
    fn room(&mut self) -> usize {
        let batch = self.shared.settings.batch;
        if !self.clock.is_timed() {
            return batch;
        }
        self.clock.look_next();
        let left = self.clock.left().unwrap_or(Duration::MAX);
        if self.leaf_time > left.max(LONGEST_BATCH) {
            return 0;
        }
        let fits = left.min(LONGEST_BATCH).as_nanos() / self.leaf_time.as_nanos().max(1);
        batch.min(fits as usize).max(1)
    }

    /// Asks the guide about all collected leaves, and sorts their moves.
    fn judge(&mut self) {
        let Shared { game, guide, settings, .. } = self.shared;
        let start = self.clock.is_timed().then(Instant::now);
        self.batch.clear();
        for leaf in &self.found {
            self.batch.push(game, leaf.pos.clone(), leaf.wants_priors);
        }
        guide.guide(game, &mut self.batch);
        self.judged.clear();
        self.sorted.clear();
        for leaf in self.batch.leaves() {
            let begin = self.sorted.len();
            self.sorted.extend(leaf.priors.iter().copied().zip(leaf.moves.iter().copied()));
            if settings.spare {
                self.merging.merge(*game, leaf.pos, &mut self.sorted, begin);
            }
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
    fn settle(&mut self) {
        let Shared { tree, settings, .. } = self.shared;
        for (found, (value, sorted)) in self.found.drain(..).zip(self.judged.drain(..)) {
            if found.wants_priors {
                tree.expand(found.path[found.path.len() - 1], &self.sorted[sorted], settings);
            }
            tree.back_up(&found.path, value);
            self.paths.push(found.path);
        }
    }
}
