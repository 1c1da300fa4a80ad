//! Principal variation search: our own alpha-beta.

mod meter;
mod order;
mod prove;
mod root;
mod table;
mod worker;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use quintet_eval::Evaluate;
use quintet_game::bits::mix;
use quintet_game::{Game, Limit, Line, Rng, SeedableRng};

use crate::order::shuffle;
use crate::{Choice, Quiet, Report, RootMove, Search, Watch};
use meter::Allowance;
pub(crate) use order::Seen;
use root::{BestMove, Root};
use table::Table;
use worker::{KNOWN, Scratch, Task, Worker};

/// Principal variation search, depth by depth, with a transposition table: the search of our own players.
///
/// Its values are those of [`crate::Minimax`] with [`crate::Ends::default`]; evaluations are clamped to half a million. It
/// continues to the end of all lines, or to a known result. If a limit ends it, it returns the best of the moves searched to the
/// last depth; the first of these is the best of the depth before.
///
/// * **Order.** The table's move, then up to four killers, and only then are all other moves listed, each position once, and
///   sorted by the evaluation.
/// * **Table.** Shared between threads without locks, kept from move to move of a game, and never above its cap. One search
///   serves one game: the table does not distinguish the rules of variants.
/// * **Proofs.** 64-bit keys can collide, so a result found with the table is verified once more on whole positions, by endings
///   alone. [`Choice::proof`] is set if that finishes within the limit and within as many nodes as the search took.
/// * **Repetition.** A value that depends on one belongs to the path and is not stored.
///
/// Measured on Pentago-Twist with `e3` to depth 5 unless noted, each against the search of that day without it: sorting by the
/// evaluation leaves 0.32 of the nodes (depth 4; on TwixT 8 x 8 with `distance` 0.85, in the same time); entries for the parents
/// of leaves 0.74 of the nodes and 0.78 of the time; four killers, tried before the other moves are listed, 0.51 of the nodes and
/// 0.55 of the time against one killer. Left out because they gained nothing: removing duplicates among leaves too (0.95 of the
/// nodes, 1.02 of the time), a history of moves to break ties (1.07 of the nodes), an aspiration window around the true value
/// (0.99, one position), table cut-offs in open windows (1.0, depth 4). `examples/time_to_depth.rs` compares with best-first
/// alpha-beta.
///
/// ```
/// use std::sync::Arc;
/// use quintet_eval::{Spec, evaluation};
/// use quintet_game::{Limit, Line, Notation, Proof, pentago::Pentago};
/// use quintet_search::{Pvs, Quiet, Search};
/// let game = Arc::new(Pentago::standard());
/// let pos = game.read_position("xxxx../oooo../....../....../....../...... x").unwrap();
/// let eval = evaluation(&*game, &Spec::parse("e2").unwrap()).unwrap();
/// let choice = Pvs::new(eval).think(&Line::from_position(game.clone(), pos), &Limit::depth(4), &mut Quiet);
/// assert_eq!((game.write_move(choice.mv).as_str(), choice.proof()), ("e1", Some(Proof::Win)));
/// ```
pub struct Pvs<G: Game> {
    eval: Box<dyn Evaluate<G>>,
    table: Table,
    exact: bool,
    reductions: bool,
    ties: Option<Rng>,
    /// One per thread.
    scratch: Vec<Scratch<G>>,
}

/// The default size of the table.
const TABLE: usize = 64 << 20;

/// Helper threads start once a search has searched this many nodes: before that, starting them takes longer than they save.
const ALONE: u64 = 20_000;

impl<G: Game> Pvs<G> {
    /// One thread, a table of 64 MiB, entries of greater depths are used, the first of equal moves in the order of the rules.
    #[must_use]
    pub fn new(eval: Box<dyn Evaluate<G>>) -> Pvs<G> {
        Pvs {
            eval,
            table: Table::new(TABLE),
            exact: false,
            reductions: false,
            ties: None,
            scratch: vec![Scratch::new()],
        }
    }

    /// A table of at most this many bytes.
    #[must_use]
    pub fn with_table(mut self, bytes: usize) -> Pvs<G> {
        self.table = Table::new(bytes);
        self
    }

    /// Uses this many threads, which share the table and the limit. With more than one, results are not reproducible.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Pvs<G> {
        self.scratch.resize_with(threads.max(1), Scratch::new);
        self
    }

    /// The value is that of plain minimax to the depth: a table entry of another depth is ignored, and where positions can recur,
    /// the table only suggests what to try first.
    #[must_use]
    pub fn exact(mut self) -> Pvs<G> {
        self.exact = true;
        self
    }

    /// Moves that look bad are first searched less deeply. This reaches greater depths, but the value is no longer that of minimax.
    ///
    /// At 30,000 nodes per move it scored 56 % in 600 games of Pentago-Twist (`e3`) against the search without, and 53 % in 600
    /// of TwixT 8 x 8 (`distance`), which may be chance.
    #[must_use]
    pub fn with_reductions(mut self) -> Pvs<G> {
        self.reductions = true;
        self
    }

    /// Breaks ties by a random order of the root's moves.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Pvs<G> {
        self.ties = Some(Rng::seed_from_u64(seed));
        self
    }
}

impl<G: Game> Search<G> for Pvs<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let budget = Allowance::start(limit, watch.stop());
        let mut moves = Vec::new();
        line.game().moves(line.position(), &mut moves);
        if let Some(rng) = &mut self.ties {
            shuffle(&mut moves, rng);
        }
        let view = line.to_move();
        let task = Task {
            game: line.game(),
            eval: &*self.eval,
            exact: self.exact,
            reductions: self.reductions,
            view,
            root: line.position(),
            twice: &twice(line),
            salt: if self.eval.antisymmetric() { 0 } else { mix(1 + view.index() as u64) },
            budget: &budget,
        };
        self.table.next_age();
        let mut worker = Worker::new(&task, &self.table, &NEVER, watch, &mut self.scratch[0]);
        let mut roots = worker.roots(&moves);
        let mut step = Step { complete: roots.iter().all(|root| root.ended), out: worker.meter.is_out(), found: None };
        drop(worker);
        let mut found = BestMove { at: 0, value: roots[0].value, line: vec![roots[0].mv] };
        let mut depth = 0;
        while !step.out {
            depth += 1;
            if watch.wants_steps() {
                watch.filled(self.table.fill());
            }
            report(&found, &roots, depth, &budget, watch);
            if step.complete || is_known(found.value) || limit.depth.is_some_and(|deepest| depth >= deepest) {
                break;
            }
            // Entries are moved faster than they are made, so half the time is enough to finish this.
            if limit.time.is_none_or(|time| 2 * budget.elapsed() < time) {
                self.table.grow();
            }
            step = deepen(&task, &self.table, &mut self.scratch, watch, &mut roots, depth + 1);
            if let Some(next) = step.found.take() {
                roots[..=next.at].rotate_right(1);
                found = next;
            }
        }
        let mut worker = Worker::new(&task, &self.table, &NEVER, watch, &mut self.scratch[0]);
        let proven = step.complete || is_known(found.value);
        let proof = if proven { worker.proof(found.line[0], found.value, depth) } else { None };
        drop(worker);
        Choice {
            mv: found.line[0],
            value: found.value,
            known: proof.map(Into::into),
            chances: None,
            line: found.line,
            nodes: budget.nodes(),
            depth,
            elapsed: budget.elapsed(),
        }
    }

    fn memory(&self) -> usize {
        self.table.bytes()
    }

    fn forget(&mut self) {
        self.table = self.table.emptied();
    }
}

/// The result of a depth.
struct Step<G: Game> {
    /// The best of the moves searched to this depth; the best of the last depth is the first of them.
    found: Option<BestMove<G>>,
    /// Every line was played to its end.
    complete: bool,
    /// A limit has ended it.
    out: bool,
}

/// Only the limit stops the first thread.
static NEVER: AtomicBool = AtomicBool::new(false);

/// Searches the root to a depth. Helper threads search it too; they contribute only what they leave in the table.
///
/// They take the moves after the first in other orders, the first helper from the end, so that the threads meet in the middle. To
/// depth 5 of Pentago-Twist, two threads search 1.14 times the nodes of one, at 1.8 times the speed. The same order, or one more
/// ply, takes more nodes.
fn deepen<G: Game>(
    task: &Task<G>,
    table: &Table,
    scratch: &mut [Scratch<G>],
    watch: &mut dyn Watch<G>,
    roots: &mut [Root<G>],
    depth: u32,
) -> Step<G> {
    let halt = AtomicBool::new(false);
    let (own, others) = scratch.split_first_mut().expect("at least one thread");
    std::thread::scope(|scope| {
        if task.budget.nodes() >= ALONE {
            let helpers = others.len();
            for (number, scratch) in others.iter_mut().enumerate() {
                let (halt, mut roots) = (&halt, roots.to_vec());
                let rest = &mut roots[1..];
                rest.rotate_left(rest.len() * number / helpers);
                rest.reverse();
                scope.spawn(move || {
                    let mut quiet = Quiet;
                    let mut helper = Worker::new(task, table, halt, &mut quiet, scratch);
                    helper.root(&mut roots, depth);
                });
            }
        }
        let mut worker = Worker::new(task, table, &NEVER, watch, own);
        let found = worker.root(roots, depth);
        halt.store(true, Relaxed);
        let out = worker.meter.is_out();
        Step { found, complete: !out && !worker.estimated(), out }
    })
}

fn is_known(value: f64) -> bool {
    value.abs() > KNOWN
}

fn report<G: Game>(found: &BestMove<G>, roots: &[Root<G>], depth: u32, budget: &Allowance, watch: &mut dyn Watch<G>) {
    let roots: Vec<_> = roots.iter().map(|root| RootMove::valued(root.mv, root.value)).collect();
    watch.depth_done(Report {
        depth,
        nodes: budget.nodes(),
        elapsed: budget.elapsed(),
        value: Some(found.value),
        line: found.line.clone(),
        roots,
        ..Report::default()
    });
}

/// The positions that occurred twice in the line.
fn twice<G: Game>(line: &Line<G>) -> Vec<G::Pos> {
    let mut twice = Vec::new();
    if G::REPEATS {
        let mut pos = line.first_position().clone();
        for mv in line.moves() {
            line.game().play(&mut pos, mv);
            if line.occurrences(&pos) >= 2 && !twice.contains(&pos) {
                twice.push(pos.clone());
            }
        }
    }
    twice
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quintet_eval::Term;
    use quintet_game::pylos::Pylos;
    use quintet_game::{Notation, Outcome, Player};

    use super::table::Bound;
    use super::*;

    struct Noise;

    impl Evaluate<Pylos> for Noise {
        fn value(&self, game: &Pylos, pos: &<Pylos as Game>::Pos, view: Player) -> f64 {
            let value = (mix(game.key(pos)) % 41) as f64 - 20.0;
            if view == Player::First { value } else { -value }
        }

        fn terms(&self, _: &Pylos, _: &<Pylos as Game>::Pos, _: Player) -> Vec<Term> {
            Vec::new()
        }

        fn antisymmetric(&self) -> bool {
            true
        }
    }

    /// Minimax for the side to move in the last position of the path; `ply` counts from the first.
    fn brute(game: &Pylos, path: &mut Vec<<Pylos as Game>::Pos>, depth: u32) -> f64 {
        let (pos, ply) = (path[path.len() - 1], path.len() as f64 - 1.0);
        let mover = game.to_move(&pos);
        if path[..path.len() - 1].contains(&pos) {
            return 0.0;
        }
        match game.outcome(&pos) {
            Some(Outcome::Draw) => return 0.0,
            Some(Outcome::Win(player)) => return if player == mover { 1e6 - ply } else { ply - 1e6 },
            None if depth == 0 => return Noise.value(game, &pos, mover),
            None => {}
        }
        let mut moves = Vec::new();
        game.moves(&pos, &mut moves);
        let mut best = f64::NEG_INFINITY;
        for mv in moves {
            let mut next = pos;
            game.play(&mut next, mv);
            path.push(next);
            best = best.max(-brute(game, path, depth - 1));
            path.pop();
        }
        best
    }

    /// Every entry that a search leaves is the value of its position by itself, regardless of the path. Both sides can complete a
    /// square here and take the same ball back, and many paths come back to a position.
    #[test]
    fn values_that_rest_on_a_repetition_are_not_kept() {
        let game = Arc::new(Pylos::default());
        let pos = game.read_position("LL..L.....DD..D./........./..../. l").unwrap();
        let children = |pos: <Pylos as Game>::Pos| {
            let (game, mut moves) = (&game, Vec::new());
            game.moves(&pos, &mut moves);
            moves.into_iter().map(move |mv| {
                let mut next = pos;
                game.play(&mut next, mv);
                next
            })
        };
        let (mut kept, mut left_out) = (0, 0);
        for start in children(pos) {
            let line = Line::from_position(game.clone(), start);
            let mut search = Pvs::new(Box::new(Noise)).exact().with_table(1 << 20);
            search.think(&line, &Limit::depth(4), &mut Quiet);
            for next in children(start).flat_map(|child| [child].into_iter().chain(children(child))) {
                let Some(entry) = search.table.get(game.key(&next)) else {
                    left_out += 1;
                    continue;
                };
                let value = brute(&game, &mut vec![next], entry.depth);
                assert!(match entry.bound {
                    Bound::Exact => entry.value == value,
                    Bound::Lower => entry.value <= value,
                    Bound::Upper => entry.value >= value,
                });
                kept += 1;
            }
        }
        assert!(kept > 100 && left_out > 10, "{kept} {left_out}");
    }
}
