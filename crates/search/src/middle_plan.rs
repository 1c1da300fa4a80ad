//! The plan that the Pentago-Twist paper calls unbeatable: one middle line through two quadrants.

use quintet_game::pentago::{Move, Pentago, Position};
use quintet_game::{Game, Limit, Line, Outcome, Player, Proof, can_win_now};

use crate::{Choice, Search, Watch};

/// Plays a win in one if there is one. Otherwise it chooses the best of row 2, row 5, column b and column e (fewest enemy, then
/// most own marbles, then the first of them; full ones do not count), places a marble on its first empty cell next to an own one
/// (or its first empty cell), and spins a quadrant off that line: the first spin after which the opponent has not won and has no
/// win in one, otherwise the first.
///
/// ```
/// use std::sync::Arc;
/// use quintet_game::{Line, Notation, pentago::Pentago};
/// use quintet_game::Limit;
/// use quintet_search::{MiddlePlan, Quiet, Search};
/// let game = Arc::new(Pentago::twist());
/// let pos = game.read_position("....../..x..o/....../....../....../...... x").unwrap();
/// let choice = MiddlePlan.think(&Line::from_position(game.clone(), pos), &Limit::default(), &mut Quiet);
/// assert_eq!(game.write_move(choice.mv), "a5q1r"); // row 5 has no enemy; quadrants 1 and 2 are off it
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MiddlePlan;

/// The cells of a line, and the quadrants that it runs through.
struct Middle {
    cells: [(usize, usize); 6],
    quadrants: [usize; 2],
}

fn middles() -> [Middle; 4] {
    let row = |y: usize| Middle { cells: std::array::from_fn(|i| (i, y)), quadrants: [y / 3 * 2, y / 3 * 2 + 1] };
    let column = |x: usize| Middle { cells: std::array::from_fn(|i| (x, i)), quadrants: [x / 3, x / 3 + 2] };
    [row(1), row(4), column(1), column(4)]
}

/// The line to build on, and its cell to take; `None` when all four are full.
fn plan(pos: &Position, own: Player) -> Option<(Middle, (usize, usize))> {
    let count = |line: &Middle, player| line.cells.iter().filter(|(x, y)| pos.at(*x, *y) == Some(player)).count();
    let empty = |(x, y): (usize, usize)| pos.at(x, y).is_none();
    let line = middles()
        .into_iter()
        .filter(|line| line.cells.iter().any(|cell| empty(*cell)))
        .min_by_key(|line| (count(line, own.other()), 6 - count(line, own)))?;
    let is_own = |i: usize| line.cells.get(i).is_some_and(|(x, y)| pos.at(*x, *y) == Some(own));
    let free = || (0..6).filter(|i| empty(line.cells[*i]));
    let at = free().find(|i| is_own(i.wrapping_sub(1)) || is_own(i + 1)).or_else(|| free().next())?;
    let cell = line.cells[at];
    Some((line, cell))
}

impl Search<Pentago> for MiddlePlan {
    fn think(&mut self, line: &Line<Pentago>, _limit: &Limit, _watch: &mut dyn Watch<Pentago>) -> Choice<Move> {
        let (game, pos) = (line.game(), line.position());
        let own = line.to_move();
        let mut moves = Vec::new();
        game.moves(pos, &mut moves);
        let after = |mv: &Move| {
            let mut next = *pos;
            game.play(&mut next, *mv);
            next
        };
        let choose = |mv: Move, known| Choice { known, depth: 1, ..Choice::plain(mv, 0.0) };
        if let Some(mv) = moves.iter().find(|mv| game.outcome(&after(mv)) == Some(Outcome::Win(own))) {
            return choose(*mv, Some(Proof::Win.into()));
        }
        let planned: Vec<Move> = match plan(pos, own) {
            Some((line, cell)) => moves
                .iter()
                .filter(|mv| mv.cell() == cell && mv.quadrant().is_some_and(|q| !line.quadrants.contains(&q)))
                .copied()
                .collect(),
            None => moves,
        };
        let safe = |mv: &&Move| {
            let next = after(mv);
            match game.outcome(&next) {
                Some(outcome) => outcome == Outcome::Draw,
                None => !can_win_now(game, &next),
            }
        };
        choose(*planned.iter().find(safe).unwrap_or(&planned[0]), None)
    }
}
