//! All ways in which the four quadrants of Pentago-Twist can stand, one bit each.

use std::ops::{BitAnd, BitOr, Not};
use std::sync::LazyLock;

use quintet_game::pentago::Pentago;

use super::fives::Fives;
use super::ways::Ways;

/// A quadrant that can be turned right and mirrored has eight states: state `i` is `i` turns, state `4 + i` is `i` turns and
/// then the mirror. A turn leads from `i` to `i + 1` and from `4 + i` to `4 + (i - 1)`, a mirror from `i` to `4 + i` and back;
/// both change the parity of turns plus mirrors.
///
/// For the first quadrant, only the place among the four states of its parity is kept: bit `place + 4 s2 + 32
/// s3 + 256 s4`, one 32-bit word for each s3 and s4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twists([u32; 64]);

/// Even and odd states, by place.
const FIRST: [[usize; 4]; 2] = [[0, 2, 5, 7], [1, 3, 4, 6]];
/// The nibbles of a word whose second quadrant is odd.
const ODD: u32 = 0x0f0f_f0f0;

impl Twists {
    fn bit([first, second, third, fourth]: [usize; 4]) -> (usize, usize) {
        let place = FIRST[usize::from(Twists::odd(first))].iter().position(|&state| state == first);
        (third + 8 * fourth, place.expect("one of the eight") + 4 * second)
    }
}

impl Ways for Twists {
    const STATES: usize = 8;
    type Words = [u64; 32];
    const NONE: Twists = Twists([0; 64]);
    const ALL: Twists = Twists([!0; 64]);

    fn has(&self, states: [usize; 4]) -> bool {
        let (word, bit) = Twists::bit(states);
        self.0[word] >> bit & 1 == 1
    }

    fn set(&mut self, states: [usize; 4]) {
        let (word, bit) = Twists::bit(states);
        self.0[word] |= 1 << bit;
    }

    fn odd(state: usize) -> bool {
        (state % 4 + state / 4) % 2 == 1
    }

    fn spun(state: usize, kind: usize) -> usize {
        match (kind, state) {
            (0, ..4) => (state + 1) % 4,
            (0, _) => 4 + (state + 3) % 4,
            _ => state ^ 4,
        }
    }

    #[inline]
    fn words(self) -> [u64; 32] {
        std::array::from_fn(|at| u64::from(self.0[2 * at]) | u64::from(self.0[2 * at + 1]) << 32)
    }

    #[inline]
    fn from_words(words: [u64; 32]) -> Twists {
        Twists(std::array::from_fn(|at| (words[at / 2] >> (32 * (at % 2))) as u32))
    }

    #[inline]
    fn around(self, evenness: usize) -> Twists {
        let Twists(x) = self;
        let mut out = [0; 64];
        for fourth in 0..8 {
            for third in 0..8 {
                let word = x[third + 8 * fourth];
                // The second quadrant: turned nibbles of both halves, and the halves exchanged.
                let turned = (word & 0x0000_fff0) >> 4
                    | (word & 0xf) << 12
                    | (word & 0x0fff_0000) << 4
                    | (word & 0xf000_0000) >> 12;
                let second = turned | word.rotate_left(16);
                // The first one: by the parity that the other three leave it.
                let even = word | (word >> 2 & 0x3333_3333) | (word << 2 & 0xcccc_cccc);
                let (middle, ends) = ((word >> 1 | word >> 2) & 0x1111_1111, (word | word >> 3) & 0x1111_1111);
                let odd = middle | ends << 1 | ends << 2 | middle << 3;
                let of_odd = if (evenness == 1) ^ Twists::odd(third) ^ Twists::odd(fourth) { !ODD } else { ODD };
                let first = even & !of_odd | odd & of_odd;
                let [a, b] = [0, 1].map(|kind| x[Twists::spun(third, kind) + 8 * fourth]);
                let [c, d] = [0, 1].map(|kind| x[third + 8 * Twists::spun(fourth, kind)]);
                out[third + 8 * fourth] = first | second | a | b | c | d;
            }
        }
        Twists(out)
    }

    /// All of them: a quarter turn cannot be undone by one spin, and after a few plies nearly everything is reachable.
    #[inline]
    fn ahead(self) -> Twists {
        if self == Twists::NONE { Twists::NONE } else { Twists::ALL }
    }

    fn fives() -> &'static Fives<Twists> {
        static FIVES: LazyLock<Fives<Twists>> = LazyLock::new(|| Fives::new(&Pentago::twist()));
        &FIVES
    }
}

impl BitAnd for Twists {
    type Output = Twists;
    #[inline]
    fn bitand(self, other: Twists) -> Twists {
        Twists(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }
}

impl BitOr for Twists {
    type Output = Twists;
    #[inline]
    fn bitor(self, other: Twists) -> Twists {
        Twists(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }
}

impl Not for Twists {
    type Output = Twists;
    #[inline]
    fn not(self) -> Twists {
        Twists(self.0.map(|word| !word))
    }
}
