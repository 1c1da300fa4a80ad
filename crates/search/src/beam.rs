//! Searches that look only at the most promising moves: beams and expectimax.

use quintet_eval::Evaluate;
use quintet_game::{Game, Limit, Line, Outcome, Player, Rng, SeedableRng};

use crate::ends::end;
use crate::order::{keep_best, shuffle};
use crate::report::OPEN;
use crate::{Choice, Clock, Ends, RootMove, Search, Watch};

/// How many moves are searched, ply by ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Widths {
    /// This many at each ply from the root, 0 for all; the depth is the number of entries.
    Each(Vec<usize>),
    /// All own moves and this many replies; one ply, plus one for every `pieces_per_ply` pieces on the board.
    Replies {
        /// The number of the opponent's replies that are searched.
        replies: usize,
        /// Pieces on the board for each further ply.
        pieces_per_ply: u32,
    },
}

/// How a node's value follows from its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backup {
    /// The best child for the side to move.
    Minimax,
    /// The best child for the root's player; the mean for the opponent.
    Mean,
    /// The line whose last position is best for the side that moved there, by its own evaluation.
    Line,
}

/// For whom a move must be promising to be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// For the side that makes it.
    Mover,
    /// For the side to move at the root.
    Root,
}

/// Ranks the moves of each node by the evaluation of the positions after them, continues with the best few, and backs up their values.
///
/// With `Widths::Each([10, 5, 1])` and `Backup::Minimax` it is the narrowing beam of the Pathwayz paper, with `Backup::Line` that of its program; with
/// `Widths::Replies` and `Backup::Mean` it is the paper's expectimax.
///
/// ```
/// use std::sync::Arc;
/// use quintet_eval::{Spec, evaluation};
/// use quintet_game::{Line, pathwayz::Pathwayz};
/// use quintet_game::Limit;
/// use quintet_search::{Backup, Beam, Ends, Quiet, Search, Widths};
/// let game = Arc::new(Pathwayz::new(8, 12));
/// let eval = evaluation(&*game, &Spec::parse("pathwayz-9").unwrap()).unwrap();
/// let mut beam = Beam::new(eval, Ends::on_top(1e6), Widths::Each(vec![10, 5, 1]), Backup::Minimax);
/// let choice = beam.think(&Line::new(game), &Limit::default(), &mut Quiet);
/// assert_eq!(choice.line.len(), 3);
/// // All 192 moves are ranked, then the 190 replies to ten of them, then the 188 answers to five times ten.
/// assert_eq!(choice.nodes, 192 + 10 * 190 + 50 * 188);
/// ```
pub struct Beam<G: Game> {
    eval: Box<dyn Evaluate<G>>,
    ends: Ends,
    widths: Widths,
    backup: Backup,
    promise: Promise,
    under_threat: Option<Backup>,
    ties: Option<Rng>,
    most_bytes: usize,
}

impl<G: Game> Beam<G> {
    /// A search that continues with the moves that are promising for their mover.
    #[must_use]
    pub fn new(eval: Box<dyn Evaluate<G>>, ends: Ends, widths: Widths, backup: Backup) -> Beam<G> {
        Beam {
            eval,
            ends,
            widths,
            backup,
            promise: Promise::Mover,
            under_threat: None,
            ties: None,
            most_bytes: usize::MAX,
        }
    }

    /// Ranks moves for another side.
    #[must_use]
    pub fn with_promise(mut self, promise: Promise) -> Beam<G> {
        self.promise = promise;
        self
    }

    /// When the opponent could win with one move, all moves and replies are searched instead, two plies deep.
    #[must_use]
    pub fn with_threat_switch(mut self, backup: Backup) -> Beam<G> {
        self.under_threat = Some(backup);
        self
    }

    /// Sets the memory cap of the positions on the way to the current one and beside it. Where it is reached, the search looks no
    /// further ahead.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Beam<G> {
        self.most_bytes = bytes;
        self
    }

    /// Breaks ties by a random order of the root's moves.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Beam<G> {
        self.ties = Some(Rng::seed_from_u64(seed));
        self
    }
}

impl<G: Game> Search<G> for Beam<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let (game, pos) = (line.game(), line.position());
        let view = line.to_move();
        let (mut widths, backup) = match (&self.under_threat, &self.widths) {
            (Some(backup), _) if game.threatens(pos, view.other()) => (vec![0, 0], *backup),
            (_, Widths::Each(widths)) => (widths.clone(), self.backup),
            (_, Widths::Replies { replies, pieces_per_ply }) => {
                let depth = 1 + game.pieces(pos) / (*pieces_per_ply).max(1);
                ((0..depth).map(|ply| if ply % 2 == 0 { 0 } else { *replies }).collect(), self.backup)
            }
        };
        widths.truncate(limit.depth.map_or(usize::MAX, |depth| depth.max(1) as usize));
        let mut run = Run {
            eval: &*self.eval,
            ends: self.ends,
            promise: self.promise,
            backup,
            widths: &widths,
            line,
            view,
            clock: Clock::start(limit, watch.stop()),
            steps: watch.wants_steps(),
            watch,
            path: Vec::new(),
            most_bytes: self.most_bytes,
            bytes: 0,
        };
        let mut moves = Vec::new();
        game.moves(pos, &mut moves);
        if let Some(rng) = &mut self.ties {
            shuffle(&mut moves, rng);
        }
        let mut roots: Vec<RootMove<G::Move>> = Vec::new();
        let mut best: Option<BeamLine<G>> = None;
        for child in run.promising(pos, moves, 0) {
            let found = run.step(child, 1);
            if run.clock.is_out() && best.is_some() {
                break;
            }
            roots.push(RootMove::valued(found.line[0], found.value));
            if best.as_ref().is_none_or(|best| found.value > best.value) {
                best = Some(found);
            }
        }
        let BeamLine { value, line, .. } = best.expect("a game that is not over has a move");
        let mv = line[0];
        let depth = widths.len() as u32;
        let nodes = run.clock.nodes();
        let elapsed = run.clock.elapsed();
        let choice = Choice { line, nodes, depth, elapsed, ..Choice::plain(mv, value) };
        run.watch.depth_done(choice.report(roots));
        choice
    }
}

/// A child of a node.
struct Child<G: Game> {
    mv: G::Move,
    pos: G::Pos,
    end: Option<Outcome>,
    /// Its ranking value; 0 where all moves are searched.
    promise: f64,
}

/// The result of searching a node.
struct BeamLine<G: Game> {
    /// For the side to move at the root.
    value: f64,
    /// The moves from the node's parent on.
    line: Vec<G::Move>,
    /// The last position of the line, and how the game stands in it.
    last: (G::Pos, Option<Outcome>),
}

/// The state of one call of `think`.
struct Run<'a, G: Game> {
    eval: &'a dyn Evaluate<G>,
    ends: Ends,
    promise: Promise,
    backup: Backup,
    widths: &'a [usize],
    line: &'a Line<G>,
    view: Player,
    clock: Clock,
    /// The watch asks for every step.
    steps: bool,
    watch: &'a mut dyn Watch<G>,
    /// Positions between the root and here, where positions can recur.
    path: Vec<G::Pos>,
    most_bytes: usize,
    /// Bytes of the positions between the root and here, and beside them.
    bytes: usize,
}

impl<G: Game> Run<'_, G> {
    fn score(&self, (pos, end): (&G::Pos, Option<Outcome>), view: Player, ply: u32) -> f64 {
        self.ends.value(self.eval, self.line.game(), pos, view, end, ply)
    }

    /// The children to search of a node `ply` plies ahead, the most promising first; if all are searched, in their own order.
    fn promising(&mut self, pos: &G::Pos, moves: Vec<G::Move>, ply: u32) -> Vec<Child<G>> {
        let game = self.line.game();
        let width = self.widths[ply as usize];
        let judge = match self.promise {
            Promise::Mover => game.to_move(pos),
            Promise::Root => self.view,
        };
        let mut children: Vec<Child<G>> = Vec::with_capacity(moves.len());
        for mv in moves {
            let mut next = pos.clone();
            game.play(&mut next, mv);
            let end = end(self.line, &self.path, &next);
            let mut child = Child { mv, pos: next, end, promise: 0.0 };
            if width > 0 {
                // Out of time: continue with what has been ranked.
                if !self.look(&child.pos, ply + 1) && !children.is_empty() {
                    break;
                }
                child.promise = self.score((&child.pos, end), judge, ply + 1);
            }
            children.push(child);
        }
        if width > 0 {
            keep_best(&mut children, width, |child| child.promise);
        }
        children
    }

    fn look(&mut self, pos: &G::Pos, ply: u32) -> bool {
        self.watch.looking_at(pos, ply);
        self.clock.tick()
    }

    /// Searches a child, and reports the step if asked to.
    fn step(&mut self, child: Child<G>, ply: u32) -> BeamLine<G> {
        if self.steps {
            self.watch.entered(child.mv, ply, OPEN);
        }
        let found = self.follow(child, ply);
        if self.steps {
            self.watch.left(ply, found.value);
        }
        found
    }

    /// Searches below a child, which is `ply` plies ahead.
    fn follow(&mut self, child: Child<G>, ply: u32) -> BeamLine<G> {
        let Child { mv, pos, end, .. } = child;
        let mut moves = Vec::new();
        let over = end.is_some() || ply as usize == self.widths.len() || self.clock.is_out();
        if !over {
            self.line.game().moves(&pos, &mut moves);
        }
        let bytes = moves.len() * size_of::<Child<G>>();
        if over || self.bytes + bytes > self.most_bytes {
            // Where all moves are searched, they have not been counted yet.
            if self.widths[ply as usize - 1] == 0 {
                self.look(&pos, ply);
            }
            let value = self.score((&pos, end), self.view, ply);
            return BeamLine { value, line: vec![mv], last: (pos, end) };
        }
        let mover = self.line.game().to_move(&pos);
        self.bytes += bytes;
        if G::REPEATS {
            self.path.push(pos.clone());
        }
        let children = self.promising(&pos, moves, ply);
        let count = children.len() as f64;
        let mut sum = 0.0;
        let mut best: Option<(f64, BeamLine<G>)> = None;
        for child in children {
            let found = self.step(child, ply + 1);
            sum += found.value;
            let rank = match self.backup {
                Backup::Line => self.score((&found.last.0, found.last.1), mover, ply + 1),
                _ if mover == self.view => found.value,
                _ => -found.value,
            };
            if best.as_ref().is_none_or(|best| rank > best.0) {
                best = Some((rank, found));
            }
        }
        self.bytes -= bytes;
        if G::REPEATS {
            self.path.pop();
        }
        let (_, mut found) = best.expect("a game that is not over has a move");
        if self.backup == Backup::Mean && mover != self.view {
            found.value = sum / count;
        }
        found.line.insert(0, mv);
        found
    }
}
