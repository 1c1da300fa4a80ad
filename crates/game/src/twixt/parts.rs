//! The pegs and links of a position, and a position made of them.

use super::board::SIDE_KEY;
use super::{KNIGHT, PAD, Position, START, Twixt};
use crate::bits::each_bit;
use crate::{Game as _, Player};

pub(super) type Cell = (usize, usize);

impl<const W: usize, const B: usize> Twixt<W, B> {
    /// All pegs, row by row.
    pub(super) fn pegs(&self, pos: &Position<W, B>) -> Vec<(Player, Cell)> {
        let cells = (0..self.size * self.size).map(|i| (i % self.size, i / self.size));
        cells.filter_map(|(x, y)| Some((pos.peg(x, y)?, (x, y)))).collect()
    }

    /// All links, the western hole first, sorted by column and row.
    #[must_use]
    pub fn links(&self, pos: &Position<W, B>) -> Vec<[Cell; 2]> {
        let mut links = Vec::new();
        for (_, (x, y)) in self.pegs(pos) {
            each_bit(u64::from(pos.links(x, y)), |d| {
                let to = stepped((x, y), d);
                if to.0 > x {
                    links.push([(x, y), to]);
                }
            });
        }
        links.sort_unstable();
        links
    }

    /// A position from its parts in any order: pegs a knight's move apart are linked only where `links` says so.
    pub(super) fn assemble(
        &self,
        pegs: impl IntoIterator<Item = (Player, Cell)>,
        links: impl IntoIterator<Item = [Cell; 2]>,
        side: Player,
    ) -> Position<W, B> {
        let mut pos = self.start();
        let mut on_first_line = Vec::new();
        for (player, (x, y)) in pegs {
            let touches = self.touches(player.index(), x + PAD, y + PAD);
            pos.put_unlinked(player.index(), (x + PAD, y + PAD, touches), self.key_row());
            for any in Player::BOTH {
                pos.free[any.index()] -= u16::from(self.is_open(any, x, y));
            }
            if touches == START {
                on_first_line.push((player, x, y));
            }
        }
        for [(x, y), to] in links {
            let d = direction((x, y), to).expect("links join holes a knight's move apart");
            let player = pos.peg(x, y).expect("links join pegs");
            pos.link::<true>(player.index(), (x + PAD, y + PAD, 0), 1 << d, self.key_row());
        }
        for (player, x, y) in on_first_line {
            if pos.reach(x + PAD, y + PAD) {
                pos.winner = Some(player);
            }
        }
        pos.side = side;
        if side == Player::Second {
            pos.key ^= SIDE_KEY;
        }
        pos
    }
}

/// The direction of [`KNIGHT`] from one hole to another.
pub(super) fn direction(from: Cell, to: Cell) -> Option<usize> {
    let step = (to.0 as i32 - from.0 as i32, to.1 as i32 - from.1 as i32);
    KNIGHT.iter().position(|knight| *knight == step)
}

/// The hole a knight's move away in this direction, which must have a peg or link.
pub(super) fn stepped((x, y): Cell, direction: u32) -> Cell {
    let (dx, dy) = KNIGHT[direction as usize];
    ((x as i32 + dx) as usize, (y as i32 + dy) as usize)
}
