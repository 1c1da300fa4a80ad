//! The symmetries of TwixT.

use super::{Move, SWAP, Swap, Twixt};
use crate::{Game as _, Player, Symmetric, Symmetry};

const KEPT_AND_EXCHANGED: [Symmetry; 8] = kept_and_exchanged();

const fn kept_and_exchanged() -> [Symmetry; 8] {
    let mut all = Symmetry::SQUARE;
    let mut i = 4;
    while i < 8 {
        all[i] = all[i].with_colours();
        i += 1;
    }
    all
}

impl<const W: usize, const B: usize> Symmetric for Twixt<W, B> {
    /// The four that keep each side's borders, but only identity and half turn while `swap` is legal. With the swap rule, once
    /// the swap is decided, also the four that exchange borders and colours (without it, their images have the wrong side to move).
    fn symmetries(&self, pos: &Self::Pos) -> &'static [Symmetry] {
        let pegs = self.pieces(pos);
        if self.swappable(pos).is_some() {
            &KEPT_AND_EXCHANGED[..2]
        } else if self.swap == Swap::Off || pegs < 2 {
            &KEPT_AND_EXCHANGED[..4]
        } else {
            &KEPT_AND_EXCHANGED
        }
    }

    fn map_position(&self, symmetry: Symmetry, pos: &Self::Pos) -> Self::Pos {
        let map = |cell| symmetry.cell(cell, (self.size, self.size));
        let player = |player: Player| if symmetry.colours { player.other() } else { player };
        let pegs = self.pegs(pos).into_iter().map(|(owner, cell)| (player(owner), map(cell)));
        let links = self.links(pos).into_iter().map(|[a, b]| [map(a), map(b)]);
        self.assemble(pegs, links, player(pos.side))
    }

    fn map_move(&self, symmetry: Symmetry, mv: Move) -> Move {
        mv.hole().map_or(SWAP, |cell| {
            let (x, y) = symmetry.cell(cell, (self.size, self.size));
            Move { x: x as u8, y: y as u8 }
        })
    }
}
