//! All ways in which the four quadrants can be turned, a bit each.

use std::ops::{BitAnd, BitOr, Not};
use std::sync::LazyLock;

use quintet_game::pentago::{LINES, Pentago};

/// A bit for each way to turn the quadrants, r = (r1, r2, r3, r4) quarter turns to the right, of which the sum is even, or
/// odd. A move turns one quadrant by one, so evenness follows from the ply, and half of the 256 ways are enough: bit
/// `r1/2 + 2 r2 + 8 r3 + 32 r4`, where the lowest bit of r1 follows from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Turns([u64; 2]);

impl Turns {
    /// No bit set.
    pub const NONE: Turns = Turns([0, 0]);
    /// All bits set.
    pub const ALL: Turns = Turns([!0, !0]);

    /// The bit of turns `r`, of which the sum must be even or odd as the set's.
    #[must_use]
    pub fn bit(r: [usize; 4]) -> usize {
        r[0] / 2 + 2 * r[1] + 8 * r[2] + 32 * r[3]
    }

    /// Is the bit of turns `r` set?
    #[must_use]
    pub fn has(self, r: [usize; 4]) -> bool {
        let bit = Turns::bit(r);
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn set(&mut self, r: [usize; 4]) {
        let bit = Turns::bit(r);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// The two halves of the set as words.
    #[must_use]
    pub fn words(self) -> [u64; 2] {
        self.0
    }

    /// The set of these two words.
    #[must_use]
    pub fn from_words(words: [u64; 2]) -> Turns {
        Turns(words)
    }

    /// The ways of the other evenness from which some turn leads into this set.
    ///
    /// One quadrant forward or back: of the four states of a quadrant that is both states of the other evenness, so the OR of
    /// those two, for the neighbours on either side alike.
    #[inline]
    #[must_use]
    pub fn around(self) -> Turns {
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

    /// The ways to turn in which `marbles`, in the layout of the game, hold a five: those with an even and with an odd sum.
    ///
    /// ```
    /// use quintet_solve::pentago::Turns;
    /// // A whole row of the upper quadrants: two of its cells in q2 are enough, and half turns of both make a row too.
    /// let [even, odd] = Turns::fives(0b111 | 0b111 << 16);
    /// assert!(even.has([0, 0, 0, 0]) && even.has([2, 2, 0, 0]) && even.has([0, 0, 3, 1]));
    /// assert!(!odd.has([1, 0, 0, 0]) && odd.has([0, 0, 1, 0]));
    /// ```
    #[must_use]
    pub fn fives(marbles: u64) -> [Turns; 2] {
        FIVES.of(marbles)
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

/// What is needed to find all fives of a pattern under all turns.
struct Fives {
    /// For each line the quadrants that it crosses: the quadrant, and for each of its 512 patterns the turns (a bit each)
    /// that bring marbles onto the line's cells there.
    lines: Vec<Vec<(usize, Box<[u8; 512]>)>>,
    /// By evenness, quadrant and a set of its turns: all ways in which that quadrant stands so.
    spread: [[[Turns; 16]; 4]; 2],
}

static FIVES: LazyLock<Fives> = LazyLock::new(Fives::new);

impl Fives {
    fn new() -> Fives {
        let game = Pentago::standard();
        // The four states of a quadrant's pattern.
        let turned = |pattern: u64| {
            let mut states = [pattern; 4];
            for r in 1..4 {
                states[r] = game.spins(states[r - 1])[0];
            }
            states
        };
        let crossed = |line: u64| {
            let parts =
                (0..4).map(|quadrant| (quadrant, line >> (16 * quadrant) & 0x1ff)).filter(|&(_, part)| part != 0);
            parts
                .map(|(quadrant, part)| {
                    (
                        quadrant,
                        Box::new(std::array::from_fn(|pattern| {
                            (0..4).fold(0, |set, r| set | u8::from(turned(pattern as u64)[r] & part == part) << r)
                        })),
                    )
                })
                .collect()
        };
        let mut spread = [[[Turns::NONE; 16]; 4]; 2];
        for all in 0..256usize {
            let r = [all % 4, all / 4 % 4, all / 16 % 4, all / 64];
            for (quadrant, turn) in r.into_iter().enumerate() {
                for set in (0..16).filter(|set| set >> turn & 1 == 1) {
                    spread[r.iter().sum::<usize>() % 2][quadrant][set].set(r);
                }
            }
        }
        Fives { lines: LINES.into_iter().map(crossed).collect(), spread }
    }

    fn of(&self, marbles: u64) -> [Turns; 2] {
        let mut found = [Turns::NONE; 2];
        for line in &self.lines {
            let mut sets = [(0, 0); 3];
            let mut possible = true;
            for (slot, (quadrant, table)) in sets.iter_mut().zip(line) {
                let set = table[(marbles >> (16 * quadrant) & 0x1ff) as usize];
                possible &= set != 0;
                *slot = (*quadrant, usize::from(set));
            }
            if possible {
                for (found, spread) in found.iter_mut().zip(&self.spread) {
                    let all =
                        sets[..line.len()].iter().fold(Turns::ALL, |all, &(quadrant, set)| all & spread[quadrant][set]);
                    *found = *found | all;
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use quintet_game::bits::mix;
    use quintet_game::pentago::{CELLS, has_five};

    use super::*;

    fn all_turns() -> impl Iterator<Item = [usize; 4]> {
        (0..256).map(|all| [all % 4, all / 4 % 4, all / 16 % 4, all / 64])
    }

    #[test]
    fn around_is_one_turn_of_one_quadrant() {
        for round in 0..2000u64 {
            // Sparse sets and dense ones.
            let words = [0, 1]
                .map(|w| if round % 2 == 0 { mix(4 * round + w) } else { 1 << (mix(round) % 64) & !w.wrapping_neg() });
            let set = Turns(words);
            let evenness = round as usize / 2 % 2;
            for r in all_turns().filter(|r| r.iter().sum::<usize>() % 2 == evenness) {
                let near = (0..4).flat_map(|q| [1, 3].map(|by| (q, by))).any(|(q, by)| {
                    let mut other = r;
                    other[q] = (r[q] + by) % 4;
                    set.has(other)
                });
                assert_eq!(set.around().has(r), near, "{r:?}");
            }
        }
    }

    #[test]
    fn fives_are_those_of_the_turned_board() {
        let game = Pentago::standard();
        for round in 0..400u64 {
            let marbles = (mix(round) | if round % 2 == 0 { mix(!round) } else { 0 }) & CELLS;
            let found = Turns::fives(marbles);
            for r in all_turns() {
                let mut board = marbles;
                for (quadrant, turns) in r.into_iter().enumerate() {
                    for _ in 0..turns {
                        board = game.spins(board)[2 * quadrant];
                    }
                }
                assert_eq!(found[r.iter().sum::<usize>() % 2].has(r), has_five(board), "{marbles:x} {r:?}");
            }
        }
    }
}
