//! Searches: ways to choose a move by looking ahead. Each is written once, for any game and any evaluation.
//!
//! * [`Search::think`] searches from a [`Line`] under a [`Limit`], reports to a [`Watch`], and returns a [`Choice`].
//! * [`RandomMove`] and [`Greedy`] look at most one move ahead; [`Minimax`] is the papers' family: with or without pruning,
//!   deepening, the best move first, and remembered scores; [`Beam`] searches only promising moves: beams and expectimax.
//! * [`Pvs`] is our own alpha-beta, with a transposition table and threads.
//! * [`solve`] finds exact values near the end, of all moves and with their distances; it does not choose.
//! * [`MonteCarlo`] plays random games after each move; [`Mcts`] is UCT with proofs, [`NarrowMcts`] searches only a few of the moves; [`Puct`] is ours: a tree search over a guide, which keeps its tree from move to move.
//! * [`TwistPaper`], [`PaiMcts`] and [`MiddlePlan`] are special players of single papers; [`Slips`] weakens any search, now and then by a [`PolicyMove`]; with [`SeesWins`] it misses no win in one; [`Varied`] varies its openings.
//!
//! ```
//! use std::sync::Arc;
//! use quintet_eval::{Spec, evaluation};
//! use quintet_game::{Game, Limit, Line, pylos::Pylos};
//! use quintet_search::{Ends, Minimax, Quiet, Search};
//! let game = Arc::new(Pylos::default());
//! let eval = evaluation(&*game, &Spec::parse("difference").unwrap()).unwrap();
//! let mut search = Minimax::new(eval, Ends::default(), 1).with_pruning();
//! let choice = search.think(&Line::new(game), &Limit::depth(3), &mut Quiet);
//! assert_eq!((choice.depth, choice.value), (3, -1.0)); // light will have placed one ball more than dark
//! ```
//!
//! # Features
//! `serde` (off by default) serialises [`Choice`] and [`Report`], in the form that the server's API has.

mod beam;
mod clock;
mod ends;
mod greedy;
mod known;
mod listing;
mod mcts;
mod middle_plan;
mod minimax;
mod monte_carlo;
mod narrow;
mod order;
mod pai;
mod puct;
mod pvs;
mod random;
mod report;
mod reserve;
mod slips;
mod solve;
mod twist_paper;
mod varied;
#[cfg(feature = "serde")]
mod wire;

pub use beam::{Backup, Beam, Promise, Widths};
pub use clock::Clock;
pub use ends::Ends;
pub use greedy::Greedy;
pub use listing::Order;
pub use mcts::Mcts;
pub use middle_plan::MiddlePlan;
pub use minimax::Minimax;
pub use monte_carlo::{MonteCarlo, Worth};
pub use narrow::NarrowMcts;
pub use pai::PaiMcts;
pub use puct::Puct;
pub use pvs::Pvs;
pub use random::{RandomFirst, RandomMove};
pub use report::{Branch, Choice, LastRoots, Quiet, Report, RootMove, Watch};
pub use slips::{PolicyMove, SeesWins, Slips};
pub use solve::{Solved, solve};
pub use twist_paper::TwistPaper;
pub use varied::Varied;

use quintet_game::{Game, Limit, Line};

/// A way to choose a move.
///
/// ```
/// use std::sync::Arc;
/// use quintet_game::{Game, Limit, Line, pentago::Pentago};
/// use quintet_search::{Choice, Quiet, Search, Watch};
///
/// /// The first legal move, in any game.
/// struct First;
///
/// impl<G: Game> Search<G> for First {
///     fn think(&mut self, line: &Line<G>, _limit: &Limit, _watch: &mut dyn Watch<G>) -> Choice<G::Move> {
///         let mut moves = Vec::new();
///         line.game().moves(line.position(), &mut moves);
///         Choice::plain(moves[0], 0.0)
///     }
/// }
///
/// let mut line = Line::new(Arc::new(Pentago::standard()));
/// while line.outcome().is_none() {
///     let choice = First.think(&line, &Limit::default(), &mut Quiet);
///     line.play(choice.mv);
/// }
/// ```
pub trait Search<G: Game>: Send {
    /// Chooses a move for the side to move. The game must not be over. However small the limit, the move is legal.
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move>;

    /// Bytes kept from one move to the next: tables, trees.
    fn memory(&self) -> usize {
        0
    }

    /// Frees what is kept from one move to the next, if that is much. The next search begins afresh.
    fn forget(&mut self) {}

    /// Why the last choice is only some legal move: what the search goes by, such as a file, has failed. Told once.
    fn fault(&mut self) -> Option<String> {
        None
    }
}

/// What a search around another one does with all but `think`: it leaves it to the other, which is in this field.
///
/// ```
/// use quintet_game::{Game, Limit, Line};
/// use quintet_search::{Choice, RandomMove, Search, Watch, forward_to};
///
/// /// Plays its first move as another search does, and the others at random.
/// struct Lazy<G: Game> {
///     search: Box<dyn Search<G>>,
///     random: RandomMove,
/// }
///
/// impl<G: Game> Search<G> for Lazy<G> {
///     fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
///         if line.plies() < 2 { self.search.think(line, limit, watch) } else { self.random.think(line, limit, watch) }
///     }
///
///     forward_to!(search);
/// }
/// ```
#[macro_export]
macro_rules! forward_to {
    ($search:ident) => {
        fn memory(&self) -> usize {
            self.$search.memory()
        }

        fn forget(&mut self) {
            self.$search.forget();
        }

        fn fault(&mut self) -> Option<String> {
            self.$search.fault()
        }
    };
}
