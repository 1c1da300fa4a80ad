//! All ways in which the four quadrants of Pentago can be turned, one bit each.

use std::ops::{BitAnd, BitOr, Not};
use std::sync::LazyLock;

use quintet_game::pentago::Pentago;

use super::fives::Fives;
use super::ways::Ways;

/// One bit per way to turn the quadrants, r = (r1, r2, r3, r4) quarter turns to the right, whose sum is even, or odd. A
/// move turns one quadrant by one, so the parity follows from the ply, and half of the 256 ways are enough: bit `r1/2 + 2
/// r2 + 8 r3 + 32 r4`, where the lowest bit of r1 follows from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Turns([u64; 2]);

impl Turns {
    fn bit(r: [usize; 4]) -> usize {
        r[0] / 2 + 2 * r[1] + 8 * r[2] + 32 * r[3]
    }
}

impl Ways for Turns {
    const STATES: usize = 4;
    type Words = [u64; 2];
    const NONE: Turns = Turns([0, 0]);
    const ALL: Turns = Turns([!0, !0]);

    fn has(&self, r: [usize; 4]) -> bool {
        let bit = Turns::bit(r);
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn set(&mut self, r: [usize; 4]) {
        let bit = Turns::bit(r);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn odd(state: usize) -> bool {
        state % 2 == 1
    }

    fn spun(state: usize, kind: usize) -> usize {
        (state + [1, 3][kind]) % 4
    }

    #[inline]
    fn words(self) -> [u64; 2] {
        self.0
    }

    #[inline]
    fn from_words(words: [u64; 2]) -> Turns {
        Turns(words)
    }

    /// One quadrant forward or back: of the four states of a quadrant, these are both states of the other parity, so the
    /// result is the OR of those two, the same for both neighbours.
    #[inline]
    fn around(self, _evenness: usize) -> Turns {
        let within = |x: u64| {
            let first = (x | x >> 1) & 0x5555_5555_5555_5555;
            let second = (x | x >> 4) & 0x0f0f_0f0f_0f0f_0f0f;
            let second = (second << 2 & 0x0c0c_0c0c_0c0c_0c0c) | (second >> 2 & 0x0303_0303_0303_0303);
            let third = (x | x >> 16) & 0x0000_ffff_0000_ffff;
            let third = (third << 8 & 0x0000_ff00_0000_ff00) | (third >> 8 & 0x0000_00ff_0000_00ff);
            first | first << 1 | second | second << 4 | third | third << 16
        };
        let fourth = (self.0[0] | self.0[1]).rotate_left(32);
        Turns([within(self.0[0]) | fourth, within(self.0[1]) | fourth])
    }

    /// Turns can be undone, so it is the same.
    #[inline]
    fn ahead(self) -> Turns {
        self.around(0)
    }

    fn fives() -> &'static Fives<Turns> {
        static FIVES: LazyLock<Fives<Turns>> = LazyLock::new(|| Fives::new(&Pentago::standard()));
        &FIVES
    }
}

impl BitAnd for Turns {
    type Output = Turns;
    #[inline]
    fn bitand(self, other: Turns) -> Turns {
        Turns([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

impl BitOr for Turns {
    type Output = Turns;
    #[inline]
    fn bitor(self, other: Turns) -> Turns {
        Turns([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

impl Not for Turns {
    type Output = Turns;
    #[inline]
    fn not(self) -> Turns {
        Turns([!self.0[0], !self.0[1]])
    }
}
