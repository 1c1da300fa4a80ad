//! TwixT on small boards: who can force a chain, and with how many pegs.
//!
//! [`Solver`] answers for any position of a board of up to 11 holes per side, given time; [`openings`] asks it about every first
//! peg. With the swap rule, everything follows from that map; see [`Openings::with_swap`].

mod board;
mod openings;
mod search;
mod set;
mod support;

use quintet_game::twixt::{Move, Position, Twixt};
use quintet_game::{Game as _, Limit, Outcome, Player, Value};

use crate::memory::{Forced, Memory};
use crate::solution::deepen;
use crate::{Halt, Solution};
use board::Board;
pub(crate) use openings::by_map;
pub use openings::{Cell, FirstPeg, FirstPegs, Openings, OpeningsError, openings, published, published_map};
use search::{Key, Search};
use set::HoleSet;

/// The most holes per side.
pub const LARGEST: usize = 11;

/// Solves positions of one board. It remembers what it learns, so the next question about the same game is answered sooner.
///
/// ```
/// use quintet_game::{Game, Limit, Value, twixt::{Swap, Twixt}};
/// use quintet_solve::twixt::Solver;
/// let game = Twixt::<16, 1>::new(5, true, Swap::Off);
/// let mut solver = Solver::new(&game, 1 << 20);
/// let solution = solver.solve(&game, &game.start(), &Limit::default(), &|| false);
/// // With corners, the first player connects five rows with three pegs.
/// assert_eq!(solution.value, Some(Value::win_in(5)));
/// ```
#[derive(Debug)]
pub struct Solver(Room);

#[derive(Debug)]
enum Room {
    /// Up to 8 holes per side.
    Word(Board<u64>, Memory<Key<u64>>),
    /// Up to 11 holes per side.
    Words(Board<u128>, Memory<Key<u128>>),
}

impl Solver {
    /// A solver for the board of these rules, with this many bytes of memory.
    ///
    /// # Panics
    /// If the board has more than [`LARGEST`] holes per side.
    #[must_use]
    pub fn new<const W: usize, const B: usize>(game: &Twixt<W, B>, bytes: usize) -> Solver {
        assert!(game.size() <= LARGEST, "only boards of up to {LARGEST} holes per side can be solved");
        Solver(if game.size() <= 8 {
            Room::Word(Board::new(game), Memory::new(bytes))
        } else {
            Room::Words(Board::new(game), Memory::new(bytes))
        })
    }

    /// The value of a position, and of its moves as far as needed. The game must be the one that the solver was made for, and not over.
    pub fn solve<const W: usize, const B: usize>(
        &mut self,
        game: &Twixt<W, B>,
        pos: &Position<W, B>,
        limit: &Limit,
        halt: Halt,
    ) -> Solution<Move> {
        let mut moves = Vec::new();
        game.moves(pos, &mut moves);
        self.rate(game, pos, moves, limit, halt)
    }

    /// The value of one move for the side that makes it, if the limit suffices; and the number of positions searched.
    pub fn value_of<const W: usize, const B: usize>(
        &mut self,
        game: &Twixt<W, B>,
        pos: &Position<W, B>,
        mv: Move,
        limit: &Limit,
        halt: Halt,
    ) -> (Option<Value>, u64) {
        let solution = self.rate(game, pos, vec![mv], limit, halt);
        (solution.value, solution.nodes)
    }

    fn rate<const W: usize, const B: usize>(
        &mut self,
        game: &Twixt<W, B>,
        pos: &Position<W, B>,
        moves: Vec<Move>,
        limit: &Limit,
        halt: Halt,
    ) -> Solution<Move> {
        match &mut self.0 {
            Room::Word(board, memory) => Root::new(game, pos, moves, board, memory, limit, halt).rate(),
            Room::Words(board, memory) => Root::new(game, pos, moves, board, memory, limit, halt).rate(),
        }
    }
}

/// A position whose moves are to be rated.
struct Root<'a, S: HoleSet, const W: usize, const B: usize> {
    game: &'a Twixt<W, B>,
    mover: Player,
    board: &'a Board<S>,
    search: Search<'a, S>,
    moves: Vec<Move>,
    children: Vec<Position<W, B>>,
}

impl<'a, S: HoleSet, const W: usize, const B: usize> Root<'a, S, W, B> {
    fn new(
        game: &'a Twixt<W, B>,
        pos: &Position<W, B>,
        moves: Vec<Move>,
        board: &'a Board<S>,
        memory: &'a mut Memory<Key<S>>,
        limit: &Limit,
        halt: Halt<'a>,
    ) -> Self {
        let children = moves.iter().map(|mv| after(game, pos, *mv)).collect();
        let search = Search::new(board, memory, limit, halt);
        Root { game, mover: game.to_move(pos), board, search, moves, children }
    }

    fn rate(mut self) -> Solution<Move> {
        let (mover, children) = (self.mover, std::mem::take(&mut self.children));
        let (value, moves) = deepen(std::mem::take(&mut self.moves), &mut |at, mine, plies| {
            self.forced(&children[at], if mine { mover } else { mover.other() }, plies)
        });
        Solution { value, moves, nodes: self.search.nodes() }
    }

    /// Can the attacker force a chain within this many plies?
    fn forced(&mut self, pos: &Position<W, B>, attacker: Player, plies: u8) -> Option<Forced> {
        if let Some(outcome) = self.game.outcome(pos) {
            return Some(if outcome == Outcome::Win(attacker) { Forced::Yes } else { Forced::Never });
        }
        let to_move = self.game.to_move(pos);
        let pegs = if to_move == attacker { plies.div_ceil(2) } else { plies / 2 };
        let stays = self.search.forced(&self.board.read(pos), to_move, attacker, pegs)?;
        let Some(swap) = swap(self.game, pos) else { return Some(stays) };
        let swapped = after(self.game, pos, swap);
        let swaps = match plies.checked_sub(1) {
            Some(left) => self.forced(&swapped, attacker, left)?,
            None => Forced::NotYet,
        };
        let (good, bad) = if attacker == to_move { (Forced::Yes, Forced::Never) } else { (Forced::Never, Forced::Yes) };
        // A player who may swap takes the better of the two.
        Some(if stays == good || swaps == good {
            good
        } else if stays == bad && swaps == bad {
            bad
        } else {
            Forced::NotYet
        })
    }
}

fn after<const W: usize, const B: usize>(game: &Twixt<W, B>, pos: &Position<W, B>, mv: Move) -> Position<W, B> {
    let mut next = pos.clone();
    game.play(&mut next, mv);
    next
}

/// The swap, where it is legal.
fn swap<const W: usize, const B: usize>(game: &Twixt<W, B>, pos: &Position<W, B>) -> Option<Move> {
    if game.pieces(pos) != 1 {
        return None;
    }
    let mut moves = Vec::new();
    game.moves(pos, &mut moves);
    moves.into_iter().find(|mv| mv.hole().is_none())
}
