//! Measurements other than matches: what a paper claims about positions, random games or sizes.

mod boards;
mod bootstrap;
mod buckets;
mod costs;
mod keys;
mod learning;
mod live;
mod logical;
mod machine;
mod mates;
mod perfect;
mod promising;
mod pruning;
mod sampling;
mod setups;
mod small;
mod speeds;
mod style;
mod threats;
mod trained;
mod training;
mod truth;
mod twist;

use std::cmp::Ordering;
use std::sync::atomic::{self, AtomicUsize};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};

use quintet_agent::Catalogue;
use quintet_arena::stats::{Interval, Verdict};
use quintet_game::Stop;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Positions or games.
    pub samples: u64,
    /// Decides them.
    pub seed: u64,
}

/// One row of a measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// What was measured.
    pub what: String,
    /// The paper's number or claim.
    pub paper: String,
    /// Ours.
    pub ours: String,
    /// Its 95 % interval, where it is a share.
    pub interval: Option<Interval>,
    /// Positions or games.
    pub samples: u64,
    /// Does it hold?
    pub verdict: Verdict,
    /// Why that is the verdict.
    pub reason: String,
    /// Boards that show it.
    pub boards: Vec<Shown>,
}

/// A picture of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What it shows, in a word or two.
    pub name: String,
    /// The picture.
    pub svg: String,
}

/// A row without an interval that judges a claim without numbers; if `holds` is `None`, it is ours only.
fn row(
    what: impl Into<String>,
    paper: &str,
    ours: String,
    samples: u64,
    holds: Option<bool>,
    reason: &str,
) -> Measured {
    let verdict = match holds {
        None => Verdict::OursOnly,
        Some(true) => Verdict::SameDirection,
        Some(false) => Verdict::Differs,
    };
    judged(what, paper, ours, samples, verdict, reason)
}

/// The verdict on a claim that something is larger: by the whole 95 % interval of the difference.
fn larger(difference: Interval) -> Verdict {
    match difference.beside(0.0) {
        Ordering::Greater => Verdict::SameDirection,
        Ordering::Equal => Verdict::NotShown,
        Ordering::Less => Verdict::Differs,
    }
}

/// The same with any verdict.
fn judged(
    what: impl Into<String>,
    paper: &str,
    ours: String,
    samples: u64,
    verdict: Verdict,
    reason: &str,
) -> Measured {
    let (what, paper, reason) = (what.into(), paper.into(), reason.into());
    Measured { what, paper, ours, interval: None, samples, verdict, reason, boards: Vec::new() }
}

/// The rules of the Pylos paper, whose players may take balls back, and those of the box, whose players must; with what rows say about them.
const PYLOS: [(&str, &str); 2] =
    [("", "pylos(rules=expert-diag,takeback=free)"), (", box rules", "pylos(rules=expert-diag)")];

/// How a row says that it rests on time: such a row is never the same twice.
pub const BY_THE_CLOCK: &str = "by the clock";

/// All measurements, by the id of their experiment.
pub const MEASURES: &[&str] = &[
    "pathwayz/sample-size",
    "pathwayz/random-sampling",
    "pathwayz/complexity",
    "pathwayz/minimax-cost",
    "pathwayz/style",
    "pathwayz/top-weights",
    "pathwayz/overfit",
    "pathwayz/td-sweep",
    "pathwayz/train-people",
    "pathwayz/feature-count",
    "pylos/branching",
    "pylos/depths",
    "pylos/kernels",
    "pylos/mcts",
    "pylos/parity",
    "pylos/perfect",
    "pylos/pruning",
    "pylos/key-speed",
    "twixt/setups",
    "twixt/live",
    "twixt/promising",
    "twixt/small-boards",
    "pylos/svm",
    "pylos/svm-maps",
    "pylos/svm-patterns",
    "pentago-twist/own-mate2",
    "pentago-twist/their-mate2",
    "pentago-twist/pattern-truth",
    "pentago-twist/deterministic",
    "pentago-twist/depth-time",
    "pentago-twist/dedup",
    "pentago-twist/ordering",
    "pentago-twist/style",
    "pentago-twist/logical",
    "pentago-twist/mcts",
    "pentago/efficiency",
    "pentago/minimax-cost",
    "pentago/weights",
    "pentago/mdp-best",
    "pentago/mdp-sweep",
    "pentago/hash",
    "pentago/people",
    "pentago/memory",
    "pentago/more-compute",
    "pentago/hash-learned",
];

/// Hears of every sample, and may end the measurement. One that was ended returns whatever it likes: nobody looks at it.
struct Follower<'a> {
    stop: &'a Stop,
    heard: &'a mut dyn FnMut(),
}

impl Follower<'_> {
    /// One more sample is measured; true if it is the last, because somebody has ended the measurement.
    #[must_use]
    fn sample(&mut self) -> bool {
        (self.heard)();
        self.stop.stopped()
    }
}

/// Does some work on all cores; the results are in the order of the tasks. `ended` is called after each of them.
fn spread<T: Sync, R: Send>(tasks: &[T], work: impl Fn(&T) -> R + Sync, ended: &mut dyn FnMut()) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<R>>> = Mutex::new(tasks.iter().map(|_| None).collect());
    let (sender, finished) = channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(tasks.len()) {
            let (sender, next, results, work) = (sender.clone(), &next, &results, &work);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, atomic::Ordering::Relaxed);
                    let Some(task) = tasks.get(at) else { return };
                    let result = work(task);
                    results.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(result);
                    // Sending fails only when the other side has panicked.
                    let _ = sender.send(());
                }
            });
        }
        drop(sender);
        finished.iter().for_each(|()| ended());
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
}

/// Measures what an experiment asks for; `None` when there is no such measurement. `done` is called after every sample.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_papers::measures::{Effort, measure};
/// let rows = measure("pylos/branching", Catalogue::embedded(), Effort { samples: 20, seed: 1 }, &mut || {}).unwrap();
/// assert!(rows[0].what.contains("largest"));
/// ```
pub fn measure(id: &str, agents: &Catalogue, effort: Effort, done: &mut dyn FnMut()) -> Option<Vec<Measured>> {
    measure_until(id, agents, effort, &Stop::never(), done)
}

/// The same, until somebody stops it: `None` then too. It looks at `stop` at least after every sample.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_game::Stop;
/// use quintet_papers::measures::{Effort, measure_until};
/// let (stop, mut heard) = (Stop::new(), 0);
/// let rows = measure_until("pylos/branching", Catalogue::embedded(), Effort { samples: 20, seed: 1 }, &stop, &mut || {
///     heard += 1;
///     stop.stop();
/// });
/// assert_eq!((rows, heard), (None, 1));
/// ```
pub fn measure_until(
    id: &str,
    agents: &Catalogue,
    effort: Effort,
    stop: &Stop,
    done: &mut dyn FnMut(),
) -> Option<Vec<Measured>> {
    let rows = rows(id, agents, effort, &mut Follower { stop, heard: done });
    rows.filter(|_| !stop.stopped())
}

fn rows(id: &str, agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Option<Vec<Measured>> {
    Some(match id {
        "pathwayz/sample-size" => sampling::sample_size(),
        "pathwayz/random-sampling" => sampling::random_sampling(effort, follower),
        "pathwayz/complexity" => costs::pathwayz_complexity(agents, effort, follower),
        "pathwayz/minimax-cost" => threats::minimax_cost(agents, effort, follower),
        "pathwayz/style" => style::pathwayz(agents, effort, follower),
        "pylos/key-speed" => keys::speed(effort, follower),
        "twixt/setups" => setups::setups(follower),
        "twixt/live" => live::live(agents, follower),
        "twixt/promising" => promising::promising(agents, effort, follower),
        "twixt/small-boards" => small::small_boards(agents, effort, follower),
        "pentago-twist/dedup" => twist::dedup(agents, effort, follower),
        "pentago-twist/ordering" => twist::ordering(agents, effort, follower),
        "pentago-twist/style" => twist::style(agents, effort, follower),
        "pylos/parity" => perfect::parity(agents, effort, follower),
        "pylos/perfect" => perfect::losses(agents, effort, follower),
        "pylos/kernels" => machine::kernels(agents, effort, follower),
        "pylos/pruning" => pruning::pruning(agents, effort, follower),
        "pylos/depths" => pruning::depths(agents, effort, follower),
        "pylos/mcts" => pruning::speeds(agents, effort, follower),
        "pylos/svm" => machine::svm(agents, effort, follower),
        "pylos/svm-maps" => boards::maps(agents, follower),
        "pylos/svm-patterns" => boards::patterns(agents, effort, follower),
        "pathwayz/top-weights" => training::top_weights(agents, effort, follower),
        "pathwayz/overfit" => training::overfit(agents, effort, follower),
        "pathwayz/td-sweep" => training::sweep(agents, effort, follower),
        "pathwayz/train-people" => learning::train_people(agents, effort, follower),
        "pathwayz/feature-count" => learning::feature_count(agents, effort, follower),
        "pentago-twist/depth-time" => costs::twist_depths(agents, effort, follower),
        "pentago/minimax-cost" => costs::pentago_minimax(agents, follower),
        "pylos/branching" => sampling::branching(effort, follower),
        "pentago-twist/own-mate2" => mates::own(agents, effort, follower),
        "pentago-twist/their-mate2" => mates::theirs(agents, effort, follower),
        "pentago-twist/logical" => logical::logical(agents, effort, follower),
        "pentago-twist/mcts" => speeds::equal_time(agents, effort, follower),
        "pentago/efficiency" => speeds::efficiency(agents, effort, follower),
        "pentago-twist/deterministic" => mates::deterministic(agents, effort, follower),
        "pentago/weights" => buckets::weights(agents, effort, follower),
        "pentago/mdp-best" => buckets::best(agents, effort, follower),
        "pentago/mdp-sweep" => buckets::sweep(agents, effort, follower),
        "pentago/hash" => [buckets::hashes(agents, effort, follower), truth::spread(effort, follower)].concat(),
        "pentago/people" => truth::value_lost(agents, effort, follower),
        "pentago-twist/pattern-truth" => truth::patterns(effort, follower),
        "pentago/memory" => buckets::memory(agents, effort, follower),
        "pentago/more-compute" => buckets::more_compute(agents, effort, follower),
        "pentago/hash-learned" => buckets::learned_hash(agents, effort, follower),
        _ => return None,
    })
}
