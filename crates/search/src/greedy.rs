//! The best move by the evaluation of the position after it.

use quintet_eval::Evaluate;
use quintet_game::{Game, Limit, Line, Rng, SeedableRng};

use crate::ends::end;
use crate::order::shuffle;
use crate::{Choice, Clock, Ends, RootMove, Search, Watch};

/// Looks one ply ahead: the position after each own move, scored for the mover.
///
/// Ties go to a move drawn by seed, or to the first in the order of the rules.
///
/// ```
/// use std::sync::Arc;
/// use quintet_eval::{Spec, evaluation};
/// use quintet_game::{Line, Notation, pylos::Pylos};
/// use quintet_game::Limit;
/// use quintet_search::{Ends, Greedy, Quiet, Search};
/// let game = Arc::new(Pylos::default());
/// let eval = evaluation(&*game, &Spec::parse("position").unwrap()).unwrap();
/// let choice = Greedy::new(eval, Ends::default(), None).think(&Line::new(game.clone()), &Limit::default(), &mut Quiet);
/// assert_eq!(game.write_move(choice.mv), "1b2"); // the first of the four inner cells
/// ```
pub struct Greedy<G: Game> {
    eval: Box<dyn Evaluate<G>>,
    ends: Ends,
    ties: Option<Rng>,
    floor: Option<f64>,
}

impl<G: Game> Greedy<G> {
    /// A greedy player; `ties` is the seed that breaks ties, `None` takes the first move.
    #[must_use]
    pub fn new(eval: Box<dyn Evaluate<G>>, ends: Ends, ties: Option<u64>) -> Greedy<G> {
        Greedy { eval, ends, ties: ties.map(Rng::seed_from_u64), floor: None }
    }

    /// A move is chosen by its value only if that is at least `floor`; if none is, the first move considered is played.
    #[must_use]
    pub fn with_floor(mut self, floor: f64) -> Greedy<G> {
        self.floor = Some(floor);
        self
    }
}

impl<G: Game> Search<G> for Greedy<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let game = line.game();
        let view = line.to_move();
        let mut moves = Vec::new();
        game.moves(line.position(), &mut moves);
        if let Some(rng) = &mut self.ties {
            shuffle(&mut moves, rng);
        }
        let mut clock = Clock::start(limit, watch.stop());
        let mut roots: Vec<RootMove<G::Move>> = Vec::with_capacity(moves.len());
        let mut best = 0;
        for &mv in &moves {
            // However small the limit, one move is considered.
            if !clock.tick() && !roots.is_empty() {
                break;
            }
            let mut next = line.position().clone();
            game.play(&mut next, mv);
            watch.looking_at(&next, 1);
            let value = self.ends.value(&*self.eval, game, &next, view, end(line, &[], &next), 1);
            roots.push(RootMove::valued(mv, value));
            if value > roots[best].value {
                best = roots.len() - 1;
            }
        }
        if self.floor.is_some_and(|floor| roots[best].value < floor) {
            // Nothing was good enough: the first move of the random order is as good as any.
            best = 0;
        }
        let RootMove { mv, value, .. } = roots[best];
        let (nodes, elapsed) = (clock.nodes(), clock.elapsed());
        let choice = Choice { nodes, depth: 1, elapsed, ..Choice::plain(mv, value) };
        watch.depth_done(choice.report(roots));
        choice
    }
}
