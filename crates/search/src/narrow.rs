//! Tree search that leaves out unpromising moves.

use quintet_eval::Evaluate;
use quintet_game::{Game, Limit, Line, Rng};

use crate::ends::end;
use crate::listing::distinct;
use crate::order::{keep_best, shuffle};
use crate::pvs::Seen;
use crate::{Choice, Ends, Mcts, Search, Watch};

/// [`Mcts`] in whose tree every node has only the few moves that an evaluation rates best for their mover.
///
/// Moves that lead to equal positions count as one, and ties are broken at random. A move that wins at once is always kept. The
/// other moves are never searched, so only wins can be proven, never losses or draws. The positions that are ranked are not
/// counted: a node is a random game, as in [`Mcts`].
///
/// ```
/// use std::sync::Arc;
/// use quintet_eval::{Spec, evaluation};
/// use quintet_game::{Limit, Line, Notation, Proof, pentago::Pentago};
/// use quintet_search::{Mcts, NarrowMcts, Quiet, Search};
/// let game = Arc::new(Pentago::standard());
/// let pos = game.read_position("xxxx../oooo../....../....../....../...... x").unwrap();
/// let eval = evaluation(&*game, &Spec::parse("e2").unwrap()).unwrap();
/// let mut search = NarrowMcts::new(Mcts::new(1), eval, 3);
/// let choice = search.think(&Line::from_position(game.clone(), pos), &Limit::nodes(100), &mut Quiet);
/// assert_eq!((game.write_move(choice.mv).as_str(), choice.proof()), ("e1", Some(Proof::Win)));
/// ```
pub struct NarrowMcts<G: Game> {
    mcts: Mcts,
    eval: Box<dyn Evaluate<G>>,
    width: usize,
}

impl<G: Game> NarrowMcts<G> {
    /// A tree with at most `width` moves per node (at least one).
    #[must_use]
    pub fn new(mcts: Mcts, eval: Box<dyn Evaluate<G>>, width: usize) -> NarrowMcts<G> {
        NarrowMcts { mcts, eval, width: width.max(1) }
    }
}

impl<G: Game> Search<G> for NarrowMcts<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let narrow = Narrow { eval: &*self.eval, width: self.width, seen: Seen::default() };
        self.mcts.grow(line, limit, watch, Some(narrow))
    }
}

/// Chooses the moves of a node.
pub(crate) struct Narrow<'a, G: Game> {
    eval: &'a dyn Evaluate<G>,
    width: usize,
    seen: Seen,
}

impl<G: Game> Narrow<'_, G> {
    /// Keeps the best of the moves from `pos`; true if a move to a position of its own was left out.
    pub fn keep(&mut self, line: &Line<G>, pos: &G::Pos, moves: &mut Vec<G::Move>, rng: &mut Rng) -> bool {
        let game = line.game();
        let mover = game.to_move(pos);
        shuffle(moves, rng);
        distinct(&mut self.seen, game, pos, moves);
        if moves.len() <= self.width {
            return false;
        }
        let value = |mv: G::Move| {
            let mut next = pos.clone();
            game.play(&mut next, mv);
            Ends::default().value(self.eval, game, &next, mover, end(line, &[], &next), 1)
        };
        let mut ranked: Vec<(f64, G::Move)> = moves.drain(..).map(|mv| (value(mv), mv)).collect();
        keep_best(&mut ranked, self.width, |(value, _)| *value);
        moves.extend(ranked.into_iter().map(|(_, mv)| mv));
        true
    }
}
