//! Moves of many positions at once: all positions with the same occupied cells have the same target cells.

use quintet_game::bits::each_bit;
use quintet_game::pylos::{APEX, BALLS, Pylos, carrying, supported};

use super::index::{Block, Index, NOWHERE, pack};
use quintet_game::Value;

use crate::code::{DRAW, LOST, code};

/// A set of occupied cells that a move leads to. The other side moves there, with its current balls.
#[derive(Clone, Copy)]
struct Child {
    first: u32,
    packed: u32,
    symmetry: usize,
}

/// The moves of all positions of a block.
pub struct Family<'a> {
    index: &'a Index,
    game: &'a Pylos,
    cells: u64,
    /// Balls of the side that does not move.
    other: u32,
    /// Where a ball from the reserve can go.
    places: Vec<(u64, Child)>,
    /// A ball that carries nothing, and the cells to which it can be raised.
    raises: Vec<(u64, Vec<(u64, Child)>)>,
    /// The value of all positions of the block, if it does not depend on their children.
    pub known: Option<u8>,
}

impl<'a> Family<'a> {
    pub fn new(index: &'a Index, game: &'a Pylos, block: Block) -> Family<'a> {
        let class = &index.classes()[block.class as usize];
        let (cells, other) = (class.cells, class.balls - block.own);
        let known = if game.ends_when_spent() && other == BALLS {
            Some(code(Value::win_in(0)))
        } else if game.ends_when_spent() && block.own == BALLS {
            Some(LOST)
        } else if block.own < BALLS && supported(cells) & APEX != 0 {
            Some(code(Value::win_in(1)))
        } else {
            None
        };
        let mut family = Family { index, game, cells, other, places: Vec::new(), raises: Vec::new(), known };
        if known.is_none() {
            if block.own < BALLS {
                family.places = family.targets(cells, supported(cells));
            }
            each_bit(cells & !carrying(cells), |from| {
                let targets =
                    family.targets(cells ^ 1 << from, supported(cells ^ 1 << from) & !0 << (from / 16 * 16 + 16));
                if !targets.is_empty() {
                    family.raises.push((1 << from, targets));
                }
            });
        }
        family
    }

    fn targets(&self, cells: u64, targets: u64) -> Vec<(u64, Child)> {
        let mut found = Vec::new();
        each_bit(targets & !APEX, |to| found.push((1 << to, self.child(cells | 1 << to))));
        found
    }

    fn child(&self, cells: u64) -> Child {
        let (class, symmetry) = self.index.find(pack(cells));
        let class = &self.index.classes()[class as usize];
        Child { first: class.first[self.other as usize], packed: class.packed, symmetry }
    }

    /// Calls `f` with the entry of every child of the position in which the side to move has `own`.
    #[inline]
    pub fn each_child(&self, own: u64, mut f: impl FnMut(u32)) {
        let images = self.index.images_of(self.cells ^ own);
        let entry = |child: &Child| {
            debug_assert_ne!(child.first, NOWHERE);
            let set = quintet_game::bits::gather(images[child.symmetry].into(), child.packed.into());
            child.first + self.index.rank(set as u32)
        };
        let mut reach = |own: u64, cells: u64, targets: &[(u64, Child)]| {
            let completing = self.game.completing(own);
            for (ball, child) in targets {
                if completing & ball == 0 {
                    f(entry(child));
                } else {
                    let (own, cells) = (own | ball, cells | ball);
                    self.game.each_take(own, cells, |taken| {
                        let left = cells & !(1 << taken[0]) & !(1 << taken[1]);
                        f(entry(&self.child(left)));
                    });
                }
            }
        };
        reach(own, self.cells, &self.places);
        for (from, targets) in &self.raises {
            if own & from != 0 {
                reach(own ^ from, self.cells ^ from, targets);
            }
        }
    }
}

/// The classes that a position of a class can lead to.
pub fn successors(index: &Index, game: &Pylos, class: u32, seen: &mut Vec<bool>) -> Vec<u16> {
    seen.clear();
    seen.resize(index.classes().len(), false);
    let mut found = Vec::new();
    let mut reach = |cells: u64| {
        let (class, _) = index.find(pack(cells));
        if !std::mem::replace(&mut seen[class as usize], true) {
            found.push(class as u16);
        }
    };
    let mut after = |cells: u64| {
        reach(cells);
        if game.takes_back() {
            each_bit(cells & !carrying(cells), |one| {
                let left = cells ^ 1 << one;
                reach(left);
                each_bit(left & !carrying(left), |two| reach(left ^ 1 << two));
            });
        }
    };
    let cells = index.classes()[class as usize].cells;
    each_bit(supported(cells) & !APEX, |to| after(cells | 1 << to));
    each_bit(cells & !carrying(cells), |from| {
        let left = cells ^ 1 << from;
        each_bit(supported(left) & !APEX & !0 << (from / 16 * 16 + 16), |to| after(left | 1 << to));
    });
    found
}

/// What is stored in the table: an unknown value, or a draw, is 0.
#[inline]
pub const fn stored(code: u8) -> u8 {
    code ^ DRAW
}
