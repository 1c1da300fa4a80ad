//! Pathwayz on small boards: who can force a path, and within how many plies.

mod grid;
mod search;

use quintet_game::Game as _;
use quintet_game::Limit;
use quintet_game::pathwayz::{Move, Pathwayz, Position};

use crate::memory::{Forced, Memory};
use crate::solution::deepen;
use crate::{Halt, Solution};
use grid::{Grid, GridState, Next};
use search::{Key, Search};

/// Solves positions of one board, and remembers what it learns.
///
/// ```
/// use quintet_game::{Game, Limit, Value, pathwayz::Pathwayz};
/// use quintet_solve::pathwayz::Solver;
/// let game = Pathwayz::new(2, 2);
/// let mut solver = Solver::new(&game, 1 << 20).unwrap();
/// let solution = solver.solve(&game, &game.start(), &Limit::default(), &|| false);
/// assert_eq!(solution.value, Some(Value::win_in(3)));
/// ```
#[derive(Debug)]
pub struct Solver {
    grid: Grid,
    memory: Memory<Key>,
}

impl Solver {
    /// A solver for boards of this size, with this many bytes of memory; `None` for boards of more than about thirty squares.
    #[must_use]
    pub fn new(game: &Pathwayz, bytes: usize) -> Option<Solver> {
        Grid::fits(game).then(|| Solver { grid: Grid::new(game), memory: Memory::new(bytes) })
    }

    /// The value of a position, and of its moves as far as needed. The game must be the one that the solver was made for, and not over.
    pub fn solve(&mut self, game: &Pathwayz, pos: &Position, limit: &Limit, halt: Halt) -> Solution<Move> {
        let mut moves = Vec::new();
        game.moves(pos, &mut moves);
        let nexts: Vec<Next> = moves.iter().map(|mv| self.next(game, pos, *mv)).collect();
        let mut search = Search::new(&self.grid, &mut self.memory, limit, halt);
        let (value, moves) = deepen(moves, &mut |at, mine, plies| match nexts[at] {
            Next::Open(next) => search.forced(&next, !mine, plies),
            Next::Won if mine => Some(Forced::Yes),
            Next::Lost if !mine => Some(Forced::Yes),
            _ => Some(Forced::Never),
        });
        Solution { value, moves, nodes: search.nodes() }
    }

    /// The result of a move, by the rules of the game.
    fn next(&self, game: &Pathwayz, pos: &Position, mv: Move) -> Next {
        let (mover, mut after) = (game.to_move(pos), *pos);
        game.play(&mut after, mv);
        let state: GridState = self.grid.read(game, &after);
        match game.outcome(&after) {
            None => Next::Open(state),
            Some(outcome) => match outcome.winner() {
                None => Next::Drawn,
                Some(winner) if winner == mover => Next::Won,
                Some(_) => Next::Lost,
            },
        }
    }
}
