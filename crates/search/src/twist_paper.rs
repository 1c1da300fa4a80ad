//! The player of the Pentago-Twist paper: a shallow alpha-beta between two checks for wins in one.

use quintet_eval::Evaluate;
use quintet_game::{Game, Limit, Line, Outcome, Player, Proof, can_win_now};

use crate::ends::end;
use crate::{Choice, Clock, Ends, RootMove, Search, Watch};

/// Plays a win in one if there is one. Otherwise it searches two plies deep in own moves number 0 to 2 and from 17 on, and three
/// plies deep between, and takes the first move of the best value after which the opponent has no win in one; if there is none,
/// the best move one ply deep.
///
/// As printed (sections 2.2.1 and 2.2.2 of the report), a move that lets the opponent win at once is dropped and another chosen, whatever it
/// is worth, and the best of the others has its exact value. As programmed, the window at the root is (0, 1000) and passed down, so that values
/// below 0 are hardly distinguished and cut-off moves may tie; moves that lose at once are not searched, a finished game has its evaluation as
/// its value, and a move that is worth less than the window's lower end, or than a dropped move, is not chosen for its value.
///
/// The clock ends the search as the depth does (2.2.2): what is reached after that has its evaluation as its value, the root's moves included,
/// and is checked like any other. The depth of the choice is the one that was finished: one ply if the search was cut short.
///
/// ```
/// use std::sync::Arc;
/// use quintet_eval::{Spec, evaluation};
/// use quintet_game::{Line, Notation, pentago::Pentago};
/// use quintet_game::Limit;
/// use quintet_search::{TwistPaper, Quiet, Search};
/// let game = Arc::new(Pentago::twist());
/// let pos = game.read_position("xxxx../o.oo../....../....../....../...... o").unwrap();
/// let eval = evaluation(&*game, &Spec::parse("e3").unwrap()).unwrap();
/// let choice = TwistPaper::printed(eval).think(&Line::from_position(game.clone(), pos), &Limit::default(), &mut Quiet);
/// assert_eq!(choice.depth, 3); // round 3, and no win in one for either
/// ```
pub struct TwistPaper<G: Game> {
    eval: Box<dyn Evaluate<G>>,
    ends: Ends,
    /// The window at the root, in the program.
    window: Option<(f64, f64)>,
}

impl<G: Game> TwistPaper<G> {
    /// As in the paper. A finished game has the value 1000, -1000 or 0, because the evaluation misses fives on the short diagonals.
    #[must_use]
    pub fn printed(eval: Box<dyn Evaluate<G>>) -> TwistPaper<G> {
        TwistPaper { eval, ends: Ends { utility: 1000.0, per_ply: 0.0, with_value: false }, window: None }
    }

    /// As in the program.
    #[must_use]
    pub fn as_programmed(eval: Box<dyn Evaluate<G>>) -> TwistPaper<G> {
        TwistPaper { eval, ends: Ends::on_top(0.0), window: Some((0.0, 1000.0)) }
    }
}

/// The depth in the round with this number, counted from 0.
fn depth_in(round: u32) -> u32 {
    if (3..17).contains(&round) { 3 } else { 2 }
}

impl<G: Game> Search<G> for TwistPaper<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let (game, view) = (line.game(), line.to_move());
        let mut moves = Vec::new();
        game.moves(line.position(), &mut moves);
        let child = |mv: &G::Move| {
            let mut next = line.position().clone();
            game.play(&mut next, *mv);
            (*mv, end(line, &[], &next), next)
        };
        let mut children: Vec<Child<G>> = moves.iter().map(child).collect();
        let clock = Clock::start(limit, watch.stop());
        if let Some((mv, ..)) = children.iter().find(|child| child.1 == Some(Outcome::Win(view))) {
            let known = Some(Proof::Win.into());
            return Choice { known, depth: 1, ..Choice::plain(*mv, self.ends.utility) };
        }
        if self.window.is_some() && children.iter().any(|child| child.1 != Some(Outcome::Win(view.other()))) {
            children.retain(|child| child.1 != Some(Outcome::Win(view.other())));
        }
        let own = depth_in(game.pieces(line.position()) / 2);
        let depth = limit.depth.map_or(own, |depth| own.min(depth.max(1)));
        let mut run =
            Run { eval: &*self.eval, ends: self.ends, line, view, clock, watch, path: Vec::new(), buffers: Vec::new() };
        let (values, best) = match self.window {
            None => run.root(&children, depth),
            Some(window) => run.windowed_root(&children, depth, window),
        };
        let depth = if run.clock.is_out() { 1 } else { depth };
        let nodes = run.clock.nodes();
        let elapsed = run.clock.elapsed();
        let roots: Vec<RootMove<G::Move>> =
            children.iter().zip(&values).map(|(child, value)| RootMove::valued(child.0, *value)).collect();
        let RootMove { mv, value, .. } = best.map_or_else(|| run.one_ply(&children), |at| roots[at]);
        let choice = Choice { nodes, depth, elapsed, ..Choice::plain(mv, value) };
        watch.depth_done(choice.report(roots));
        choice
    }
}

/// A move, its result if it ends the game, and the position after it.
type Child<G> = (<G as Game>::Move, Option<Outcome>, <G as Game>::Pos);

/// The state of one call of `think`.
struct Run<'a, G: Game> {
    eval: &'a dyn Evaluate<G>,
    ends: Ends,
    line: &'a Line<G>,
    view: Player,
    clock: Clock,
    watch: &'a mut dyn Watch<G>,
    path: Vec<G::Pos>,
    buffers: Vec<Vec<G::Move>>,
}

impl<G: Game> Run<'_, G> {
    /// Does a move leave the opponent without a win, now and with the next move?
    fn is_safe(&self, (_, end, pos): &Child<G>) -> bool {
        match end {
            Some(outcome) => *outcome != Outcome::Win(self.view.other()),
            None => !can_win_now(self.line.game(), pos),
        }
    }

    /// As printed: the values of the root's moves, and which is the first of the best safe ones. Moves that are not safe are dropped, so that
    /// the others are compared with one another.
    fn root(&mut self, children: &[Child<G>], depth: u32) -> (Vec<f64>, Option<usize>) {
        let (mut alpha, mut best) = (f64::NEG_INFINITY, None);
        let mut values = Vec::new();
        for (at, child) in children.iter().enumerate() {
            // A move that equals the best must get its exact value too, so the window begins just below.
            let value = self.node(&child.2, depth - 1, 1, alpha.next_down(), f64::INFINITY);
            values.push(value);
            if value > alpha && self.is_safe(child) {
                (alpha, best) = (value, Some(at));
            }
        }
        (values, best)
    }

    /// As programmed: the values of the root's moves that were searched, and which is the first safe one that reaches the best.
    fn windowed_root(
        &mut self,
        children: &[Child<G>],
        depth: u32,
        (mut alpha, beta): (f64, f64),
    ) -> (Vec<f64>, Option<usize>) {
        let mut values = Vec::new();
        for child in children {
            let value = self.node(&child.2, depth - 1, 1, alpha, beta);
            values.push(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        let best = (0..values.len()).find(|at| values[*at] >= alpha && self.is_safe(&children[*at]));
        (values, best)
    }

    /// Alpha-beta as in the program: a node returns its own raised alpha or lowered beta, a leaf its value whatever the window.
    fn node(&mut self, pos: &G::Pos, depth: u32, ply: u32, mut alpha: f64, mut beta: f64) -> f64 {
        let game = self.line.game();
        self.watch.looking_at(pos, ply);
        let running = self.clock.tick();
        let end = end(self.line, &self.path, pos);
        if end.is_some() || depth == 0 || !running {
            return self.ends.value(self.eval, game, pos, self.view, end, ply);
        }
        let mut moves = self.buffers.pop().unwrap_or_default();
        moves.clear();
        game.moves(pos, &mut moves);
        if G::REPEATS {
            self.path.push(pos.clone());
        }
        let maximizing = game.to_move(pos) == self.view;
        for mv in &moves {
            let mut next = pos.clone();
            game.play(&mut next, *mv);
            let value = self.node(&next, depth - 1, ply + 1, alpha, beta);
            if maximizing {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha >= beta {
                self.watch.cut_off(ply);
                break;
            }
        }
        if G::REPEATS {
            self.path.pop();
        }
        self.buffers.push(moves);
        if maximizing { alpha } else { beta }
    }

    /// The best move one ply deep, the first of equal ones.
    fn one_ply(&mut self, children: &[Child<G>]) -> RootMove<G::Move> {
        let game = self.line.game();
        let mut best: Option<RootMove<G::Move>> = None;
        for (mv, end, pos) in children {
            let value = self.ends.value(self.eval, game, pos, self.view, *end, 1);
            if best.is_none_or(|best| value > best.value) {
                best = Some(RootMove::valued(*mv, value));
            }
        }
        best.expect("a game that is not over has a move")
    }
}
