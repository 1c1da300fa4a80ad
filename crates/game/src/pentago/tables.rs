//! Everything about the board, derived from its geometry at compile time.
//!
//! A side is one `u64`, sixteen bits per quadrant, nine of them used, so that a quadrant is a table index after one shift:
//!
//! ```text
//!        a  b  c    d  e  f
//!   1    0  1  2 | 16 17 18
//!   2    3  4  5 | 19 20 21      q1 | q2
//!   3    6  7  8 | 22 23 24      ---+---
//!       ---------+---------      q3 | q4
//!   4   32 33 34 | 48 49 50
//!   5   35 36 37 | 51 52 53
//!   6   38 39 40 | 54 55 56
//! ```

use crate::Symmetry;

/// Bits of one quadrant.
pub const QUADRANT: u64 = 0x1ff;
/// All 36 cells.
pub const CELLS: u64 = QUADRANT * 0x0001_0001_0001_0001;

/// The bit index of (column, row), from 0.
#[must_use]
pub const fn index(x: usize, y: usize) -> usize {
    16 * (x / 3 + 2 * (y / 3)) + x % 3 + 3 * (y % 3)
}

/// Column and row, from 0, of a bit index.
#[must_use]
pub const fn cell(index: usize) -> (usize, usize) {
    let (quadrant, i) = (index / 16, index % 16);
    (3 * (quadrant % 2) + i % 3, 3 * (quadrant / 2) + i / 3)
}

/// The 32 lines of five.
pub const LINES: [u64; 32] = lines();

const fn lines() -> [u64; 32] {
    const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];
    let mut lines = [0; 32];
    let mut found = 0;
    let mut d = 0;
    while d < 4 {
        let (dx, dy) = DIRECTIONS[d];
        let mut start = 0;
        while start < 36 {
            let (x, y) = (start % 6, start / 6);
            let (end_x, end_y) = (x + 4 * dx, y + 4 * dy);
            if end_x >= 0 && end_x < 6 && end_y < 6 {
                let mut k = 0;
                while k < 5 {
                    lines[found] |= 1 << index((x + k * dx) as usize, (y + k * dy) as usize);
                    k += 1;
                }
                found += 1;
            }
            start += 1;
        }
        d += 1;
    }
    assert!(found == 32);
    lines
}

/// What a quadrant's pattern adds to each line, two bits per line: the sum over the four quadrants is 3 exactly where the line is
/// full.
///
/// A line that crosses two quadrants gets 1 from the first part and 2 from the second; one that crosses three gets 1 from each.
static SHARES: [[u64; 512]; 4] = shares();

const fn shares() -> [[u64; 512]; 4] {
    let mut shares = [[0; 512]; 4];
    let mut line = 0;
    while line < 32 {
        let mut parts = 0;
        let mut quadrant = 0;
        while quadrant < 4 {
            parts += ((LINES[line] >> (16 * quadrant)) & QUADRANT != 0) as u64;
            quadrant += 1;
        }
        let mut seen = 0;
        quadrant = 0;
        while quadrant < 4 {
            let part = (LINES[line] >> (16 * quadrant)) & QUADRANT;
            if part != 0 {
                seen += 1;
                let share = if parts == 3 { 1 } else { seen };
                let mut pattern = 0;
                while pattern < 512 {
                    if pattern as u64 & part == part {
                        shares[quadrant][pattern] += share << (2 * line);
                    }
                    pattern += 1;
                }
            }
            quadrant += 1;
        }
        line += 1;
    }
    shares
}

/// Does this side (see [`super::Position::side`]) have five in a row?
///
/// ```
/// use quintet_game::pentago::has_five;
/// // a1 b1 c1 in q1, d1 e1 in q2.
/// assert!(has_five(0b111 | 0b11 << 16) && !has_five(0b110 | 0b11 << 16));
/// ```
#[inline]
#[must_use]
pub fn has_five(side: u64) -> bool {
    let share = |quadrant: usize| SHARES[quadrant][((side >> (16 * quadrant)) & QUADRANT) as usize];
    let sum = share(0) + share(1) + share(2) + share(3);
    sum & (sum >> 1) & 0x5555_5555_5555_5555 != 0
}

/// What happens to a quadrant's pattern: clockwise, counter-clockwise, mirrored left-right.
pub static SPINS: [[u16; 512]; 3] = [
    spin(Symmetry::QUARTER),
    spin(Symmetry { flip_x: false, flip_y: true, ..Symmetry::QUARTER }),
    spin(Symmetry { transpose: false, ..Symmetry::QUARTER }),
];

const fn spin(symmetry: Symmetry) -> [u16; 512] {
    let mut table = [0; 512];
    let mut pattern = 0;
    while pattern < 512 {
        let mut i = 0;
        while i < 9 {
            if pattern >> i & 1 == 1 {
                let (x, y) = symmetry.cell((i % 3, i / 3), (3, 3));
                table[pattern] |= 1 << (x + 3 * y);
            }
            i += 1;
        }
        pattern += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::mix;

    #[test]
    fn five_by_table_is_five_by_line() {
        for i in 0..200_000u64 {
            let side = (mix(i) | mix(i ^ (1 << 50))) & CELLS;
            assert_eq!(has_five(side), LINES.iter().any(|line| side & line == *line), "{side:x}");
        }
        for line in LINES {
            assert!(has_five(line));
            crate::bits::each_bit(line, |bit| assert!(!has_five(line & !(1 << bit))));
        }
    }

    #[test]
    fn layout_is_a_bijection() {
        let mut all = 0;
        for i in 0..36 {
            assert_eq!(cell(index(i % 6, i / 6)), (i % 6, i / 6));
            all |= 1 << index(i % 6, i / 6);
        }
        assert_eq!(all, CELLS);
    }

    #[test]
    fn spins_are_what_they_are_called() {
        for pattern in 0..512usize {
            let [right, left, mirror] = SPINS.map(|table| table[pattern] as usize);
            assert_eq!(SPINS[1][right] as usize, pattern);
            assert_eq!(SPINS[0][left] as usize, pattern);
            assert_eq!(SPINS[2][mirror] as usize, pattern);
        }
        assert_eq!(SPINS[0][1], 1 << 2, "clockwise takes the top left cell to the top right");
        assert_eq!(SPINS[2][0b001_001_001], 0b100_100_100, "the mirror exchanges left and right");
    }
}
