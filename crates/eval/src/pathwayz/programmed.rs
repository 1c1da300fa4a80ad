//! The ends of a path as the authors' published program (PAI, of the paper "Life of PAI") finds them.
//!
//! It walks each group depth first from its first square in column order and keeps two lists on the way. The left one takes every
//! square that it meets in (or left of) the leftmost column so far. The right one starts anew in each step of the walk and is
//! replaced by that of a later step that reaches as far, so it may miss squares; the walk turns back at once from a square of the
//! last column, so parts of a group may be walked again as if they were a separate group. A permanent counts only for the first
//! piece from which it is found, so the order of the lists matters too. None of this affects the longest path itself.

use super::bits::{STRIDE, grown, squares};
use super::paths::Ends;

/// The squares of a list in the order in which they first came; repetitions change nothing.
#[derive(Clone, Copy)]
struct List<const N: usize> {
    items: [u8; N],
    len: usize,
    set: u128,
}

impl<const N: usize> Default for List<N> {
    fn default() -> List<N> {
        List { items: [0; N], len: 0, set: 0 }
    }
}

impl<const N: usize> List<N> {
    fn push(&mut self, bit: u8) {
        if self.set >> bit & 1 == 0 {
            self.items[self.len] = bit;
            self.len += 1;
            self.set |= 1 << bit;
        }
    }

    fn extend<const M: usize>(&mut self, other: &List<M>) {
        other.bits().iter().for_each(|bit| self.push(*bit));
    }

    fn bits(&self) -> &[u8] {
        &self.items[..self.len]
    }
}

/// The left and the right ends in the order of the program.
#[derive(Default)]
pub(super) struct Order {
    sides: [List<96>; 2],
}

struct Walk {
    set: u128,
    last: u8,
    seen: u128,
    left: List<96>,
}

fn column(bit: u8) -> u8 {
    bit % STRIDE as u8
}

impl Walk {
    /// From one square: the farthest column reached and its squares. Squares in the leftmost column so far go to the left list.
    fn step(&mut self, at: u8, mut leftmost: u8) -> (u8, List<8>) {
        let (mut far, mut right) = (None, List::default());
        // The square itself comes too; bits go row by row, as the program does.
        for square in squares(grown(1 << at) & self.set) {
            let bit = square.trailing_zeros() as u8;
            let x = column(bit);
            if x <= leftmost {
                leftmost = x;
                self.left.push(bit);
            }
            if far < Some(x) {
                (far, right) = (Some(x), List::default());
            }
            if far == Some(x) {
                right.push(bit);
            }
            if x == self.last {
                break;
            }
            if self.seen & square == 0 {
                self.seen |= square;
                let (reached, ends) = self.step(bit, leftmost);
                if Some(reached) >= far {
                    (far, right) = (Some(reached), ends);
                }
            }
        }
        (far.unwrap_or(column(at)), right)
    }
}

impl Order {
    /// Walks the pieces of one colour on a board of `width` columns.
    pub(super) fn walk(set: u128, width: usize) -> Order {
        let mut order = Order::default();
        let mut walk = Walk { set, last: width as u8 - 1, seen: 0, left: List::default() };
        let mut longest = None;
        for bit in (0..width).flat_map(|x| (0..8).map(move |y| (STRIDE * y + x) as u8)) {
            if set & !walk.seen & 1 << bit == 0 {
                continue;
            }
            walk.seen |= 1 << bit;
            walk.left = List::default();
            walk.left.push(bit);
            let (reached, right) = walk.step(bit, column(bit));
            let length = reached - column(bit);
            if Some(length) > longest {
                longest = Some(length);
                order = Order::default();
            }
            if Some(length) == longest {
                order.sides[0].extend(&walk.left);
                order.sides[1].extend(&right);
            }
            if length == walk.last {
                break;
            }
        }
        order
    }

    /// The ends as sets. Whether the path has reached the border of a side is decided by the first end alone.
    pub(super) fn ends(&self, width: usize) -> Ends {
        let home = [0, width - 1];
        Ends {
            sides: self.sides.map(|list| list.set),
            home: [0, 1]
                .map(|side| self.sides[side].bits().first().is_some_and(|bit| usize::from(column(*bit)) == home[side])),
        }
    }

    /// Every square of `turnable` that touches an end, once, in the program's order, with the side on which it is found and
    /// the squares returned by earlier calls.
    pub(super) fn flips(&self, turnable: u128, mut f: impl FnMut(u128, usize, u128) -> u128) {
        let (mut seen, mut done) = (0, 0);
        for (side, list) in self.sides.iter().enumerate() {
            for &bit in list.bits() {
                let near = grown(1 << bit) & turnable & !seen;
                seen |= near;
                for flip in squares(near) {
                    done |= f(flip, side, done);
                }
            }
        }
    }
}
