//! The empty holes of a random game, grouped by who may use them: a draw costs the same however full the board is.

use super::board::START;
use crate::bits::scale;

/// Holes open to both sides, and those open to only one.
#[derive(Clone, Debug)]
pub struct Pools {
    both: Pool<576>,
    /// At most two border lines per side.
    own: [Pool<48>; 2],
}

/// A hole: column and row (with the margin) in five bits each, then for each side two bits for its border lines there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hole(u16);

#[derive(Clone, Debug)]
struct Pool<const N: usize> {
    count: u32,
    holes: [Hole; N],
}

impl<const N: usize> Pool<N> {
    const EMPTY: Pool<N> = Pool { count: 0, holes: [Hole(0); N] };

    fn push(&mut self, hole: Hole) {
        self.holes[self.count as usize] = hole;
        self.count += 1;
    }

    #[inline(always)]
    fn take(&mut self, at: u32) -> Hole {
        self.count -= 1;
        let hole = self.holes[at as usize];
        self.holes[at as usize] = self.holes[self.count as usize];
        hole
    }
}

impl Pools {
    /// No holes at all.
    pub const EMPTY: Pools = Pools { both: Pool::EMPTY, own: [Pool::EMPTY; 2] };

    /// Adds a hole: column, row, and for each side the flags of the border lines it lies on, or `None` where that side may not use it.
    #[inline]
    pub fn push(&mut self, x: usize, y: usize, touches: [Option<u16>; 2]) {
        let [first, second] = touches.map(|t| t.unwrap_or(0) / START);
        let hole = Hole((x | y << 5) as u16 | first << 10 | second << 12);
        match touches {
            [Some(_), Some(_)] => self.both.push(hole),
            [Some(_), None] => self.own[0].push(hole),
            [None, Some(_)] => self.own[1].push(hole),
            [None, None] => {}
        }
    }

    /// Draws a hole for a side from 32 random bits, uniform over its remaining ones: column, row (with the margin) and border flags.
    #[inline(always)]
    pub fn draw(&mut self, side: usize, random: u32) -> Option<(usize, usize, u16)> {
        let own = &mut self.own[side];
        let count = self.both.count + own.count;
        if count == 0 {
            return None;
        }
        let at = scale(random, count);
        let Hole(hole) = if at < self.both.count { self.both.take(at) } else { own.take(at - self.both.count) };
        let touches = hole >> (10 + 2 * side) & 3;
        Some(((hole & 31).into(), (hole >> 5 & 31).into(), touches * START))
    }
}
