//! TwixT: which pairs of pegs cannot be separated by one peg.
//!
//! Two pegs of the owner stand apart by an offset, with nothing near them. The opponent places one peg in any hole; it is alone, so it has no
//! link. Then the owner places one. The opponent has *separated* the two if no hole is left in which the owner's peg would join them by links
//! on the board. All holes for the opponent are checked and, after each, all holes for the owner, for the offset in all its directions.
//!
//! To have the owner move next under the rules, the opponent has a second peg: on its own border line, too far away to touch anything.

use std::collections::BTreeSet;

use quintet_game::twixt::{KNIGHT, Move, Position, Swap, Twixt};
use quintet_game::{Game, Notation, Player};

use super::{Follower, Measured, row};

type Board = Twixt<20, 1>;
type Hole = (usize, usize);

/// Wide enough that no border is near the pair.
const SIZE: i32 = 12;

/// The setups that players know by name, by the offset of the two pegs; the paper has the last.
const SETUPS: [(i32, i32); 5] = [(1, 1), (2, 0), (3, 1), (3, 3), (4, 0)];

/// The offset turned and mirrored.
fn directions((dx, dy): (i32, i32)) -> BTreeSet<(i32, i32)> {
    let flips = [(dx, dy), (dy, dx)];
    flips.iter().flat_map(|(x, y)| [(*x, *y), (-x, *y), (*x, -y), (-x, -y)]).collect()
}

/// Whether two pegs are joined by a chain of links.
fn joined(pos: &Position<20, 1>, from: Hole, to: Hole) -> bool {
    let (mut open, mut seen) = (vec![from], BTreeSet::from([from]));
    while let Some((x, y)) = open.pop() {
        let links = pos.links(x, y);
        for (_, (dx, dy)) in KNIGHT.iter().enumerate().filter(|(direction, _)| links >> direction & 1 == 1) {
            let next = ((x as i32 + dx) as usize, (y as i32 + dy) as usize);
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen.contains(&to)
}

/// The owner's ways to join the pair that the opponent's best peg leaves, and the pegs that were tried.
struct Parting {
    fewest: usize,
    tried: usize,
}

fn part(offset: (i32, i32)) -> Parting {
    let game = Board::new(SIZE as usize, false, Swap::Off);
    let mut found = Parting { fewest: usize::MAX, tried: 0 };
    for (dx, dy) in directions(offset) {
        let middle = |step: i32| (SIZE - step) / 2;
        let from = (middle(dx) as usize, middle(dy) as usize);
        let to = ((middle(dx) + dx) as usize, (middle(dy) + dy) as usize);
        let pos = pair(&game, from, to);
        for lone in moves(&game, &pos) {
            let left = ways(&game, &after(&game, &pos, lone), from, to);
            found.fewest = found.fewest.min(left);
            found.tried += 1;
        }
    }
    found
}

/// The owner's two pegs, and the opponent's far one.
fn pair(game: &Board, from: Hole, to: Hole) -> Position<20, 1> {
    let far = game.read_move("a2").expect("a hole of the board");
    let at = |hole: Hole| moves(game, &game.start()).into_iter().find(|mv| mv.hole() == Some(hole)).expect("a hole");
    [at(from), far, at(to)].into_iter().fold(game.start(), |pos, mv| after(game, &pos, mv))
}

fn moves(game: &Board, pos: &Position<20, 1>) -> Vec<Move> {
    let mut all = Vec::new();
    game.moves(pos, &mut all);
    all
}

fn after(game: &Board, pos: &Position<20, 1>, mv: Move) -> Position<20, 1> {
    let mut next = pos.clone();
    game.play(&mut next, mv);
    next
}

/// The moves of the owner that join the pair.
fn ways(game: &Board, pos: &Position<20, 1>, from: Hole, to: Hole) -> usize {
    debug_assert_eq!(game.to_move(pos), Player::First);
    moves(game, pos).into_iter().filter(|mv| joined(&after(game, pos, *mv), from, to)).count()
}

/// Every setup: whether it can be separated.
pub fn setups(follower: &mut Follower) -> Vec<Measured> {
    let check = |offset: (i32, i32)| {
        let Parting { fewest, tried } = part(offset);
        let _ = follower.sample();
        let ours = match fewest {
            0 => "can be separated".to_owned(),
            _ => format!("cannot be separated: {fewest} way(s) to join it after the best of {tried} pegs"),
        };
        let of_paper = offset == (4, 0);
        row(
            format!("offset {}-{}", offset.0, offset.1),
            if of_paper { "cannot be separated by one lone peg" } else { "-" },
            ours,
            tried as u64,
            of_paper.then_some(fewest > 0),
            "exhaustive: every peg of the opponent, every answer",
        )
    };
    SETUPS.map(check).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_can_and_cannot_be_parted() {
        // A knight's move apart, the two are always linked. 4-2 has one hole between: a peg there separates it. 1-0 is of the wrong colour.
        assert!(part((2, 1)).fewest > 1);
        for offset in [(4, 2), (1, 0), (2, 2), (5, 0)] {
            assert_eq!(part(offset).fewest, 0, "{offset:?}");
        }
        assert_eq!((directions((4, 0)).len(), directions((3, 1)).len(), directions((3, 3)).len()), (4, 8, 4));
    }
}
