//! The player of the Pentago-Twist paper: a shallow alpha-beta between two checks for wins in one.

use quintet_eval::Evaluate;
use quintet_game::{Game, Limit, Line, Outcome, Player, Proof, can_win_now};

use crate::ends::end;
use crate::{Choice, Clock, Ends, Report, RootMove, Search, Watch};

/// Plays a win in one if there is one. Otherwise it searches two plies deep in own moves number 0 to 2 and from 17 on, and three
/// plies deep between, and takes the first move of the best value after which the opponent has no win in one; if there is none,
/// the best move one ply deep.
///
/// As printed, every root move has its exact value. As programmed, the window at the root is (0, 1000) and passed down, so that
/// values below 0 are hardly distinguished and cut-off moves may tie; moves that lose at once are not searched, and a finished
/// game has its evaluation as its value.
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
        let mut children: Vec<(G::Move, Option<Outcome>, G::Pos)> = moves.iter().map(child).collect();
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
        let (values, best) = run.root(&children, depth, self.window);
        let nodes = run.clock.nodes();
        let elapsed = run.clock.elapsed();
        let roots: Vec<RootMove<G::Move>> = children
            .iter()
            .zip(&values)
            .map(|(child, value)| RootMove { mv: child.0, value: *value, visits: None })
            .collect();
        let safe = |pos: &G::Pos| game.outcome(pos).is_some() || !can_win_now(game, pos);
        let found = roots.iter().zip(&children).find(|(root, child)| root.value >= best && safe(&child.2));
        let RootMove { mv, value, .. } = match found {
            Some((root, _)) => *root,
            None => run.one_ply(&children),
        };
        watch.depth_done(Report {
            depth,
            nodes,
            elapsed,
            value: Some(value),
            line: vec![mv],
            roots,
            ..Report::default()
        });
        Choice { nodes, depth, elapsed, ..Choice::plain(mv, value) }
    }
}

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
    /// The values of the root's moves that were searched, and the value that a move must reach.
    fn root(
        &mut self,
        children: &[(G::Move, Option<Outcome>, G::Pos)],
        depth: u32,
        window: Option<(f64, f64)>,
    ) -> (Vec<f64>, f64) {
        let (mut alpha, beta) = window.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let mut values = Vec::new();
        for (_, _, pos) in children {
            // As printed, a move that equals the best must get its exact value too, so the window begins just below.
            let low = if window.is_some() { alpha } else { alpha.next_down() };
            let value = self.node(pos, depth - 1, 1, low, beta);
            if self.clock.is_out() {
                break;
            }
            values.push(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        (values, alpha)
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
    fn one_ply(&mut self, children: &[(G::Move, Option<Outcome>, G::Pos)]) -> RootMove<G::Move> {
        let game = self.line.game();
        let mut best: Option<RootMove<G::Move>> = None;
        for (mv, end, pos) in children {
            let value = self.ends.value(self.eval, game, pos, self.view, *end, 1);
            if best.is_none_or(|best| value > best.value) {
                best = Some(RootMove { mv: *mv, value, visits: None });
            }
        }
        best.expect("a game that is not over has a move")
    }
}
