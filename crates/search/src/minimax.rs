//! Minimax and its family: alpha-beta pruning, iterative deepening, the best move first.

use std::time::Duration;

use quintet_eval::{Evaluate, Sieve};
use quintet_game::{Game, Limit, Line, Player, Proof, Rng, SeedableRng};

use crate::ends::end;
use crate::listing::{Listing, Order};
use crate::order::{Memory, shuffle};
use crate::report::OPEN;
use crate::{Choice, Clock, Ends, Report, RootMove, Search, Watch};

/// Full-width search to a depth, scored at the leaves for the side to move at the root.
///
/// | | pruning | deepening | best first |
/// | --- | --- | --- | --- |
/// | `minimax` | | | |
/// | `alphabeta` | x | | |
/// | `id-minimax` | | x | |
/// | `id-alphabeta` | x | x | |
/// | `best-first` | x | x | x |
///
/// All of them find the value of plain minimax, in any order of moves and with or without duplicates. Without
/// [`Minimax::with_seed`], the first of equal moves in the order of the rules is chosen. The depth is the limit's; without one, a
/// search that deepens continues to the end of all lines, and others use their own depth. A search that runs out of time or nodes
/// returns the move of the last full depth; before the first is done, the best move so far.
pub struct Minimax<G: Game> {
    eval: Box<dyn Evaluate<G>>,
    ends: Ends,
    default_depth: u32,
    pruning: bool,
    deepening: bool,
    early_stop: bool,
    best_first: bool,
    time_share: Option<f64>,
    pieces_per_ply: Option<u32>,
    memory: Option<Memory>,
    listing: Listing<G>,
    ties: Option<Rng>,
}

impl<G: Game> Minimax<G> {
    /// Plain minimax; `depth` applies when the limit has none.
    #[must_use]
    pub fn new(eval: Box<dyn Evaluate<G>>, ends: Ends, depth: u32) -> Minimax<G> {
        Minimax {
            eval,
            ends,
            default_depth: depth.max(1),
            pruning: false,
            deepening: false,
            early_stop: false,
            best_first: false,
            time_share: None,
            pieces_per_ply: None,
            memory: None,
            listing: Listing::default(),
            ties: None,
        }
    }

    /// With alpha-beta pruning.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use quintet_eval::{Spec, evaluation};
    /// use quintet_game::{Limit, Line, pylos::Pylos};
    /// use quintet_search::{Ends, Minimax, Quiet, Search};
    /// let line = Line::new(Arc::new(Pylos::default()));
    /// let eval = || evaluation(line.game(), &Spec::parse("difference").unwrap()).unwrap();
    /// let mut plain = Minimax::new(eval(), Ends::default(), 1);
    /// let mut pruned = Minimax::new(eval(), Ends::default(), 1).with_pruning();
    /// let [all, fewer] = [&mut plain, &mut pruned].map(|search| search.think(&line, &Limit::depth(3), &mut Quiet));
    /// assert_eq!((all.mv, all.value), (fewer.mv, fewer.value));
    /// assert!(fewer.nodes < all.nodes);
    /// ```
    #[must_use]
    pub fn with_pruning(mut self) -> Minimax<G> {
        self.pruning = true;
        self
    }

    /// Depth by depth; with `early_stop`, a known win or loss ends the search.
    #[must_use]
    pub fn with_deepening(mut self, early_stop: bool) -> Minimax<G> {
        (self.deepening, self.early_stop) = (true, early_stop);
        self
    }

    /// The best root move of the last depth is tried first in the next.
    #[must_use]
    pub fn with_best_first(mut self) -> Minimax<G> {
        self.best_first = true;
        self
    }

    /// Starts no new depth once the time used exceeds `share` of the time limit, because it would not be finished.
    #[must_use]
    pub fn with_time_rule(mut self, share: f64) -> Minimax<G> {
        self.time_share = Some(share);
        self
    }

    /// The depth grows as the board fills: one ply, plus one for every `pieces` on the board.
    #[must_use]
    pub fn with_pieces_per_ply(mut self, pieces: u32) -> Minimax<G> {
        self.pieces_per_ply = Some(pieces.max(1));
        self
    }

    /// Moves are tried in the order of the scores that the positions after them had in earlier searches, which are kept from move
    /// to move in at most `memory` bytes. Positions never seen come last.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Minimax<G> {
        self.memory = Some(Memory::new(bytes));
        self
    }

    /// Moves are tried in another order than that of the rules; `seed` determines a random one. Positions evaluated to find the order count as nodes.
    #[must_use]
    pub fn with_order(mut self, order: Order, seed: u64) -> Minimax<G> {
        self.listing.set_order(order, seed);
        self
    }

    /// Of the moves of a node that lead to equal positions, only the first is searched.
    #[must_use]
    pub fn without_duplicates(mut self) -> Minimax<G> {
        self.listing.distinct = true;
        self
    }

    /// Only the moves that `sieve` keeps are searched. Then nothing is proven: a better move may have been left out.
    #[must_use]
    pub fn with_sieve(mut self, sieve: Box<dyn Sieve<G>>) -> Minimax<G> {
        self.listing.sieve = Some(sieve);
        self
    }

    /// Breaks ties by a random order of the root's moves.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Minimax<G> {
        self.ties = Some(Rng::seed_from_u64(seed));
        self
    }
}

impl<G: Game> Search<G> for Minimax<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let mut roots = Vec::new();
        line.game().moves(line.position(), &mut roots);
        if let Some(rng) = &mut self.ties {
            shuffle(&mut roots, rng);
        }
        self.listing.thin(line.game(), line.position(), &mut roots);
        let own = match self.pieces_per_ply {
            Some(pieces) => 1 + line.game().pieces(line.position()) / pieces,
            None if limit.depth.is_none() && !self.deepening => self.default_depth,
            None => u32::MAX,
        };
        let deepest = limit.depth.map_or(own, |depth| own.min(depth.max(1))).min(DEEPEST);
        if let Some(memory) = &mut self.memory {
            memory.look_for(line.to_move());
            memory.order(line.game(), line.position(), &mut roots, true);
        }
        let mut run = Run {
            eval: &*self.eval,
            ends: self.ends,
            pruning: self.pruning,
            line,
            view: line.to_move(),
            clock: Clock::start(limit, watch.stop()),
            steps: watch.wants_steps(),
            watch,
            path: Vec::new(),
            buffers: Vec::new(),
            cut: false,
            lines: Vec::new(),
            memory: self.memory.as_mut(),
            listing: &mut self.listing,
        };
        run.sort(line.position(), &mut roots, 0, true);
        let mut found: Option<DepthResult<G>> = None;
        for depth in if self.deepening { 1 } else { deepest }..=deepest {
            run.cut = false;
            let next = run.root(&roots, depth);
            if run.clock.is_out() && found.is_some() {
                break;
            }
            let full = !run.clock.is_out();
            if full {
                run.watch.scored(line.position(), depth, next.value);
            }
            run.report(&next, depth);
            let known = self.ends.is_known(next.value);
            let all_seen = full && !run.cut;
            if let Some(memory) = &mut run.memory {
                memory.order(line.game(), line.position(), &mut roots, true);
            }
            if self.best_first
                && let Some(at) = roots.iter().position(|mv| *mv == next.mv)
            {
                roots[..=at].rotate_right(1);
            }
            found = Some(DepthResult { depth: if full { depth } else { depth - 1 }, complete: all_seen, ..next });
            let late = next_is_hopeless(self.time_share, limit, run.clock.elapsed());
            if !full || all_seen || (self.early_stop && known) || late {
                break;
            }
        }
        let found = found.expect("at least one depth is searched");
        Choice {
            mv: found.mv,
            value: found.value,
            known: if run.listing.sieve.is_some() { None } else { found.proof(self.ends).map(Into::into) },
            chances: None,
            line: found.line,
            nodes: run.clock.nodes(),
            depth: found.depth,
            elapsed: run.clock.elapsed(),
        }
    }

    fn memory(&self) -> usize {
        self.memory.as_ref().map_or(0, Memory::bytes)
    }

    fn forget(&mut self) {
        if let Some(memory) = &mut self.memory {
            memory.forget();
        }
    }
}

/// The most plies that a search looks ahead, whatever its limit: every ply takes up to 4 KiB of the thread's stack.
const DEEPEST: u32 = 200;

/// The result of one depth.
struct DepthResult<G: Game> {
    mv: G::Move,
    value: f64,
    line: Vec<G::Move>,
    roots: Vec<RootMove<G::Move>>,
    depth: u32,
    /// Every line was played to its end.
    complete: bool,
}

impl<G: Game> DepthResult<G> {
    /// A win or loss within the depth is a fact; so is a draw if no line was cut short.
    fn proof(&self, ends: Ends) -> Option<Proof> {
        match (ends.is_known(self.value) && self.depth > 0, self.value > 0.0) {
            (true, true) => Some(Proof::Win),
            (true, false) => Some(Proof::Loss),
            (false, _) => (self.complete && !ends.with_value).then_some(Proof::Draw),
        }
    }
}

/// Has more than this share of the time limit passed, so that the next depth would not be finished?
fn next_is_hopeless(share: Option<f64>, limit: &Limit, elapsed: Duration) -> bool {
    matches!((share, limit.time), (Some(share), Some(time)) if elapsed.as_secs_f64() > share * time.as_secs_f64())
}

/// The state of one call of `think`.
struct Run<'a, G: Game> {
    eval: &'a dyn Evaluate<G>,
    ends: Ends,
    pruning: bool,
    line: &'a Line<G>,
    view: Player,
    clock: Clock,
    /// The watch asks for every step.
    steps: bool,
    watch: &'a mut dyn Watch<G>,
    /// Positions between the root and here, where positions can recur.
    path: Vec<G::Pos>,
    /// One move list per ply, so that nothing is allocated per node.
    buffers: Vec<Vec<G::Move>>,
    /// Some leaf was scored by the evaluation.
    cut: bool,
    /// The best line found below each ply.
    lines: Vec<Vec<G::Move>>,
    /// Scores of earlier searches.
    memory: Option<&'a mut Memory>,
    listing: &'a mut Listing<G>,
}

impl<G: Game> Run<'_, G> {
    fn root(&mut self, moves: &[G::Move], depth: u32) -> DepthResult<G> {
        let mut found: Option<DepthResult<G>> = None;
        let mut values = Vec::with_capacity(moves.len());
        for &mv in moves {
            let mut next = self.line.position().clone();
            self.line.game().play(&mut next, mv);
            let alpha = found.as_ref().map_or(f64::NEG_INFINITY, |found| found.value);
            let value = self.step(mv, &next, depth - 1, 1, [alpha, f64::INFINITY]);
            if self.clock.is_out() && found.is_some() {
                break;
            }
            values.push(RootMove::valued(mv, value));
            if found.as_ref().is_none_or(|found| value > found.value) {
                let mut line = vec![mv];
                line.extend(self.lines.get(1).into_iter().flatten());
                found = Some(DepthResult { mv, value, line, roots: Vec::new(), depth, complete: false });
            }
            if self.clock.is_out() {
                break;
            }
        }
        let mut found = found.expect("a game that is not over has a move");
        found.roots = values;
        found
    }

    /// Orders the moves of a node `ply` plies ahead as configured.
    fn sort(&mut self, pos: &G::Pos, moves: &mut [G::Move], ply: u32, maximizing: bool) {
        let Run { eval, ends, line, view, clock, watch, path, listing, .. } = self;
        listing.sort(moves, |mv| {
            let mut next = pos.clone();
            line.game().play(&mut next, mv);
            if !clock.tick() {
                return None;
            }
            watch.looking_at(&next, ply + 1);
            let value = ends.value(*eval, line.game(), &next, *view, end(line, path, &next), ply + 1);
            Some(if maximizing { -value } else { value })
        });
    }

    fn report(&mut self, found: &DepthResult<G>, depth: u32) {
        if let Some(memory) = &self.memory {
            self.watch.filled(memory.fill());
        }
        self.watch.depth_done(Report {
            depth,
            nodes: self.clock.nodes(),
            elapsed: self.clock.elapsed(),
            value: Some(found.value),
            line: found.line.clone(),
            roots: found.roots.clone(),
            ..Report::default()
        });
    }

    /// The value of the position after a move, `ply` plies ahead; reports steps if asked to.
    #[inline]
    fn step(&mut self, mv: G::Move, next: &G::Pos, depth: u32, ply: u32, [alpha, beta]: [f64; 2]) -> f64 {
        if !self.steps {
            return self.node(next, depth, ply, alpha, beta);
        }
        self.watch.entered(mv, ply, if self.pruning { [alpha, beta] } else { OPEN });
        let value = self.node(next, depth, ply, alpha, beta);
        self.watch.left(ply, value);
        value
    }

    /// The value of `pos`, `ply` plies ahead, for the side to move at the root; with pruning, exact only inside (alpha, beta).
    fn node(&mut self, pos: &G::Pos, depth: u32, ply: u32, mut alpha: f64, mut beta: f64) -> f64 {
        let game = self.line.game();
        self.watch.looking_at(pos, ply);
        if self.lines.len() <= ply as usize + 1 {
            self.lines.resize_with(ply as usize + 2, Vec::new);
            self.buffers.resize_with(ply as usize + 2, Vec::new);
        }
        self.lines[ply as usize].clear();
        let running = self.clock.tick();
        let end = end(self.line, &self.path, pos);
        if end.is_some() || depth == 0 || !running {
            self.cut |= end.is_none();
            return self.ends.value(self.eval, game, pos, self.view, end, ply);
        }
        let mut moves = std::mem::take(&mut self.buffers[ply as usize]);
        moves.clear();
        game.moves(pos, &mut moves);
        self.listing.thin(game, pos, &mut moves);
        let maximizing = game.to_move(pos) == self.view;
        // Below depth 2 the children are leaves, whose scores were never kept.
        if depth > 1
            && let Some(memory) = &mut self.memory
        {
            memory.order(game, pos, &mut moves, maximizing);
        }
        if G::REPEATS {
            self.path.push(pos.clone());
        }
        // Ordering leaves costs more than it saves.
        if depth > 1 {
            self.sort(pos, &mut moves, ply, maximizing);
        }
        let mut best = if maximizing { f64::NEG_INFINITY } else { f64::INFINITY };
        for &mv in &moves {
            let mut next = pos.clone();
            game.play(&mut next, mv);
            let value = self.step(mv, &next, depth - 1, ply + 1, [alpha, beta]);
            if if maximizing { value > best } else { value < best } {
                best = value;
                let (upper, lower) = self.lines.split_at_mut(ply as usize + 1);
                upper[ply as usize].clear();
                upper[ply as usize].push(mv);
                upper[ply as usize].extend_from_slice(&lower[0]);
            }
            if maximizing {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if self.pruning && alpha >= beta {
                self.watch.cut_off(ply);
                break;
            }
            if self.clock.is_out() {
                break;
            }
        }
        if G::REPEATS {
            self.path.pop();
        }
        self.buffers[ply as usize] = moves;
        if !self.clock.is_out() {
            self.watch.scored(pos, depth, best);
            if let Some(memory) = &mut self.memory {
                memory.keep(game.key(pos), best);
            }
        }
        best
    }
}
