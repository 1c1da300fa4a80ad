//! One side's marbles, eight bits per row, so that all lines of one direction are compared at once by shifts.
//!
//! ```text
//!        a  b  c  d  e  f
//!   1    0  1  2  3  4  5    6, 7 and all other bits stay empty: a shift by one step
//!   2    8  9 10 11 12 13    takes no marble from the end of one line to the start of
//!   …                        another.
//!   6   40 41 42 43 44 45
//! ```

/// One side's marbles, one byte per row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board(pub u64);

/// One direction of lines.
#[derive(Clone, Copy)]
pub struct Direction {
    /// The distance to the next cell of a line.
    pub step: u32,
    /// The cells on lines of five or six cells.
    pub cells: u64,
    /// Where a line of five begins.
    pub starts: u64,
}

/// The bit of (column, row).
pub const fn bit(x: usize, y: usize) -> u64 {
    1 << (8 * y + x)
}

/// Row 1, and column a.
pub const ROW: u64 = 0x3f;
pub const COLUMN: u64 = 0x0101_0101_0101;

/// Rows, columns, diagonals that go down to the right, diagonals that go down to the left.
pub const DIRECTIONS: [Direction; 4] = [direction(1, 0), direction(0, 1), direction(1, 1), direction(-1, 1)];

const fn direction(dx: isize, dy: isize) -> Direction {
    let mut cells = 0;
    let mut starts = 0;
    let mut at = 0;
    while at < 36 {
        let (x, y) = (at % 6, at / 6);
        let (end_x, end_y) = (x + 4 * dx, y + 4 * dy);
        if end_x >= 0 && end_x < 6 && end_y < 6 {
            starts |= bit(x as usize, y as usize);
            let mut k = 0;
            while k < 5 {
                cells |= bit((x + k * dx) as usize, (y + k * dy) as usize);
                k += 1;
            }
        }
        at += 1;
    }
    Direction { step: (8 * dy + dx) as u32, cells, starts }
}

impl Board {
    /// From the layout of the rules, sixteen bits per quadrant and three per row.
    #[inline]
    pub fn new(side: u64) -> Board {
        // The same row of q1 and q3, and of q2 and q4, at once: the lower half of the board lies 32 bits above the upper.
        const LEFT: u64 = 0x0000_0007_0000_0007;
        const UPPER: u64 = 0xff_ffff;
        let mut rows = 0;
        for row in 0..3 {
            let (left, right) = ((side >> (3 * row)) & LEFT, (side >> (16 + 3 * row)) & LEFT);
            rows |= (left | right << 3) << (8 * row);
        }
        Board((rows & UPPER) | ((rows >> 8) & !UPPER))
    }

    /// Where 1, 2, … 6 marbles in a row begin along lines with this step.
    #[inline]
    pub fn windows(self, step: u32) -> [u64; 6] {
        let one = self.0;
        let two = one & (one >> step);
        let four = two & (two >> (2 * step));
        [one, two, two & (one >> (2 * step)), four, four & (one >> (4 * step)), four & (two >> (4 * step))]
    }

    /// The marbles on lines of a direction that can hold a five.
    #[inline]
    pub fn on(self, direction: &Direction) -> Board {
        Board(self.0 & direction.cells)
    }

    /// The longest run in any direction.
    #[inline]
    pub fn longest(self) -> usize {
        let mut any = [0; 6];
        for direction in &DIRECTIONS {
            let windows = self.on(direction).windows(direction.step);
            any = std::array::from_fn(|k| any[k] | windows[k]);
        }
        length(any)
    }
}

/// The length of the longest run, from the windows of lengths 1 to 6: there is one of each length up to it.
#[inline]
pub fn length(windows: [u64; 6]) -> usize {
    windows.iter().map(|window| usize::from(*window != 0)).sum()
}

/// The longest run in a line of six cells, by the line's bits.
pub static LONGEST: [u8; 64] = {
    let mut table = [0; 64];
    let mut line = 0;
    while line < 64 {
        let mut rest = line;
        // Each step removes one marble from every run.
        while rest != 0 {
            rest &= rest >> 1;
            table[line] += 1;
        }
        line += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_32_lines_of_five_are_here() {
        let starts: u32 = DIRECTIONS.iter().map(|direction| direction.starts.count_ones()).sum();
        assert_eq!(starts, 32);
        assert_eq!(DIRECTIONS.map(|direction| direction.cells.count_ones()), [36, 36, 16, 16]);
        assert_eq!(DIRECTIONS.map(|direction| direction.step), [1, 8, 9, 7]);
    }

    #[test]
    fn boards_keep_every_cell() {
        for y in 0..6 {
            for x in 0..6 {
                let side = 1 << (16 * (x / 3 + 2 * (y / 3)) + x % 3 + 3 * (y % 3));
                assert_eq!(Board::new(side), Board(bit(x, y)));
            }
        }
    }

    #[test]
    fn line_table_is_windows() {
        for (line, longest) in (0..).zip(LONGEST) {
            assert_eq!(usize::from(longest), length(Board(line).windows(1)), "{line:b}");
        }
    }
}
