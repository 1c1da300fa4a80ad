//! The first peg of TwixT, and whether to swap it, by a map of what the champion's net expects after each first peg.

use std::sync::LazyLock;

use quintet_data::Embedded;
use quintet_game::twixt::{Move, Rules, Twixt};
use quintet_game::{Game as _, GameSpec, Limit, Line};
use quintet_search::{Choice, LastRoots, Search, Watch};

/// The map of a board: the chances of the first player after every first peg, without the swap.
struct Map {
    size: usize,
    /// Per cent, by row and column from the corner to the middle. The other quarters are its images.
    quarter: Vec<Vec<f64>>,
}

impl Map {
    fn read(block: &str) -> Option<Map> {
        let (spec, rows) = block.split_once('\n')?;
        let row = |row: &str| row.split_whitespace().map(|word| word.parse().ok()).collect();
        Some(Map {
            size: GameSpec::parse(spec).ok()?.number("size"),
            quarter: rows.lines().map(row).collect::<Option<_>>()?,
        })
    }

    /// The first player's chance of winning after its peg in this hole, draws counted half. None where it may not play.
    fn chance(&self, (x, y): (usize, usize)) -> Option<f64> {
        let [x, y] = [x, y].map(|c| c.min(self.size - 1 - c));
        Some(self.quarter.get(y)?.get(x.checked_sub(1)?)? / 100.0)
    }
}

/// The map of a game, if there is one: of standard rules alone.
fn map_of<const W: usize, const B: usize>(game: &Twixt<W, B>) -> Option<&'static Map> {
    static MAPS: LazyLock<Vec<Map>> = LazyLock::new(|| {
        let text = Embedded::bytes("openings/twixt.txt").and_then(|bytes| std::str::from_utf8(bytes).ok());
        let blocks = text.unwrap_or_default().split("\n\n").map(str::trim_end);
        blocks
            .filter(|block| block.starts_with("twixt("))
            .map(|block| Map::read(block).expect("a test reads every map"))
            .collect()
    });
    MAPS.iter().find(|map| map.size == game.size() && game.rules() == Rules::Standard)
}

/// Another agent's choice is kept if the map has no peg that is better by more than this.
const TOLERANCE: f64 = 0.02;

/// Plays as another agent does, but chooses the first peg and the swap by the map: a peg that gives the second player the worse side is swapped, so with the
/// swap rule the best first peg is the one whose chances are nearest to even.
pub(crate) struct ByFirstPeg<const W: usize, const B: usize> {
    pub other: Box<dyn Search<Twixt<W, B>>>,
}

impl<const W: usize, const B: usize> Search<Twixt<W, B>> for ByFirstPeg<W, B> {
    fn think(&mut self, line: &Line<Twixt<W, B>>, limit: &Limit, watch: &mut dyn Watch<Twixt<W, B>>) -> Choice<Move> {
        let (game, pos) = (line.game(), line.position());
        let Some(map) = map_of(game).filter(|_| game.pieces(pos) < 2) else {
            return self.other.think(line, limit, watch);
        };
        let mut moves = Vec::new();
        game.moves(pos, &mut moves);
        let mut last = LastRoots::new(watch);
        let choice = self.other.think(line, limit, &mut last);
        let mv = if game.pieces(pos) == 0 {
            first_peg(game, map, &moves, choice.mv)
        } else if let Some(swap) = moves.into_iter().find(|mv| mv.hole().is_none()) {
            let on_board = |x: usize, y: usize| pos.peg(x, y).is_some();
            let hole =
                (0..map.size * map.size).map(|hole| (hole % map.size, hole / map.size)).find(|(x, y)| on_board(*x, *y));
            match hole.and_then(|hole| map.chance(hole)) {
                Some(chance) if chance > 0.5 => swap,
                Some(_) if choice.mv == swap => {
                    let pegs = last.roots.iter().filter(|root| root.mv.hole().is_some());
                    pegs.max_by_key(|root| root.visits).map_or(swap, |root| root.mv)
                }
                _ => choice.mv,
            }
        } else {
            choice.mv
        };
        if mv == choice.mv { choice } else { Choice { mv, line: vec![mv], ..choice } }
    }

    quintet_search::forward_to!(other);
}

/// The best first peg by the map: another agent's, if none is clearly better.
fn first_peg<const W: usize, const B: usize>(game: &Twixt<W, B>, map: &Map, moves: &[Move], chosen: Move) -> Move {
    let swaps = |mv: Move| {
        let mut after = game.start();
        game.play(&mut after, mv);
        let mut replies = Vec::new();
        game.moves(&after, &mut replies);
        replies.iter().any(|reply| reply.hole().is_none())
    };
    let worth = |mv: Move| {
        let chance = mv.hole().and_then(|hole| map.chance(hole)).unwrap_or(0.0);
        if swaps(mv) { chance.min(1.0 - chance) } else { chance }
    };
    let best = moves.iter().copied().max_by(|a, b| worth(*a).total_cmp(&worth(*b))).unwrap_or(chosen);
    if worth(best) > worth(chosen) + TOLERANCE { best } else { chosen }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet_game::twixt::Swap;

    /// A map for every board that is not solved, with a first peg near even on each from 13x13 on, so that the swap rule serves its purpose; on smaller ones a
    /// first peg wins or loses, and the net may be sure of it.
    #[test]
    fn every_board_has_a_map_with_an_even_peg() {
        for size in 10..=24 {
            let game = Twixt::<32, 9>::new(size, false, Swap::Mirror);
            let map = map_of(&game).unwrap_or_else(|| panic!("no map of {size}"));
            let mut moves = Vec::new();
            game.moves(&game.start(), &mut moves);
            let chances: Vec<f64> = moves.iter().map(|mv| map.chance(mv.hole().unwrap()).unwrap()).collect();
            assert_eq!(chances.len(), size * (size - 2));
            assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)), "{size}");
            let even = chances.iter().map(|chance| (chance - 0.5).abs()).fold(1.0, f64::min);
            assert!(size < 13 || even < 0.03, "{size}: {even}");
            let best = chances.iter().copied().fold(0.0, f64::max);
            assert!(best > 0.6 && map.chance((1, 0)).unwrap() < 0.5, "{size}: {best}");
        }
    }
}
