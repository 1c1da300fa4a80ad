//! The board of TwixT: pegs, links and crossings, all derived from plane geometry.
//!
//! A hole has eight links, numbered in reading order, so that the opposite of `d` is `7 - d` and the odd ones go east:
//!
//! ```text
//!          . 0 . 1 .
//!          2 . . . 3
//!          . . o . .
//!          4 . . . 5
//!          . 6 . 7 .
//! ```
//!
//! Every array has a margin of [`PAD`] cells on the left and top, and at least as much on the other sides, so that
//! looking at a peg's neighbours needs no edge test.

use crate::Player;
use crate::bits::{gather, mix};
use std::fmt;
use std::hash::{Hash, Hasher};

/// Cells of margin before the first column and row.
pub const PAD: usize = 3;

/// The eight knight's moves.
pub const KNIGHT: [(i32, i32); 8] = [(-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)];

/// The direction back along a link.
pub const fn opposite(direction: usize) -> usize {
    7 - direction
}

/// Do two segments cross in a point that is an end of neither? (Links that only touch never do so between holes.)
pub const fn cross(a: [(i32, i32); 2], b: [(i32, i32); 2]) -> bool {
    const fn side([p, q]: [(i32, i32); 2], r: (i32, i32)) -> i32 {
        (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0)
    }
    side(a, b[0]) * side(a, b[1]) < 0 && side(b, a[0]) * side(b, a[1]) < 0
}

/// For every set of links of one hole, the links that they cross: seven rows starting three above the hole, eight bytes per
/// row starting three to its left, one byte per hole, one bit per direction. One look-up and seven `or`s mark everything that
/// a new peg blocks.
static CROSSED: [[u64; 7]; 256] = crossed();

const fn crossed() -> [[u64; 7]; 256] {
    let mut single = [[0; 7]; 8];
    let mut d = 0;
    while d < 8 {
        let mut i = 0;
        while i < 7 * 8 * 8 {
            let (x, y, e) = ((i % 8) as i32 - 3, (i / 8 % 7) as i32 - 3, i / 56);
            if cross([(0, 0), KNIGHT[d]], [(x, y), (x + KNIGHT[e].0, y + KNIGHT[e].1)]) {
                single[d][i / 8 % 7] |= 1 << (8 * (i % 8) + e);
            }
            i += 1;
        }
        d += 1;
    }
    let mut table = [[0; 7]; 256];
    let mut set = 1usize;
    while set < 256 {
        let (lowest, rest) = (single[set.trailing_zeros() as usize], table[set & (set - 1)]);
        let mut row = 0;
        while row < 7 {
            table[set][row] = lowest[row] | rest[row];
            row += 1;
        }
        set += 1;
    }
    table
}

/// A position on a board of at most `W` - 8 holes per side. `B` is 1 where a link blocks both sides' links, 2 where it
/// blocks only the opponent's (then each side has its own map of blocked links).
///
/// All of it follows from pegs, links and side to move: equal positions are equal in every byte, whatever the order of moves.
#[derive(Clone, PartialEq, Eq)]
pub struct Position<const W: usize, const B: usize> {
    /// Pegs of each side: rows with one bit per hole, margin included.
    pub(super) pegs: [[u32; W]; 2],
    /// Per hole: the links of its peg in the low eight bits, then [`START`] and [`END`].
    pub(super) holes: [[u16; W]; W],
    /// Per hole: the links that an existing one crosses.
    pub(super) blocked: [[[u8; W]; W]; B],
    pub(super) key: u64,
    /// Holes still open to each side.
    pub(super) free: [u16; 2],
    pub(super) side: Player,
    pub(super) winner: Option<Player>,
}

/// This peg's chain reaches its owner's first border line (top, left).
pub const START: u16 = 0x100;
/// This peg stands on its owner's second border line (bottom, right).
pub const END: u16 = 0x200;

impl<const W: usize, const B: usize> fmt::Debug for Position<W, B> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let rows = |player: usize| self.pegs[player].iter().map(|row| format!("{row:x}")).collect::<Vec<_>>().join(" ");
        f.debug_struct("Position")
            .field("first", &rows(0))
            .field("second", &rows(1))
            .field("side", &self.side)
            .field("winner", &self.winner)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

impl<const W: usize, const B: usize> Hash for Position<W, B> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

/// The side to move's part of the key.
pub const SIDE_KEY: u64 = mix(1 << 40);

#[inline]
const fn peg_key(player: usize, at: usize) -> u64 {
    mix(1 << 32 | (at << 1 | player) as u64)
}

/// A link's part of the key, by its western hole.
#[inline]
const fn link_key(at: usize, direction: usize) -> u64 {
    mix(1 << 33 | (at << 3 | direction) as u64)
}

impl<const W: usize, const B: usize> Position<W, B> {
    /// The knight's moves as steps of a flat index.
    const STEPS: [isize; 8] = {
        let mut steps = [0; 8];
        let mut d = 0;
        while d < 8 {
            steps[d] = KNIGHT[d].1 as isize * W as isize + KNIGHT[d].0 as isize;
            d += 1;
        }
        steps
    };

    pub(super) fn empty(free: [u16; 2]) -> Self {
        Position {
            pegs: [[0; W]; 2],
            holes: [[0; W]; W],
            blocked: [[[0; W]; W]; B],
            key: 0,
            free,
            side: Player::First,
            winner: None,
        }
    }

    /// The owner of the peg in a hole; coordinates without the margin.
    #[must_use]
    pub fn peg(&self, x: usize, y: usize) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.pegs[player.index()][y + PAD] >> (x + PAD) & 1 == 1)
    }

    /// The links of the peg in a hole, one bit per direction of [`KNIGHT`].
    #[must_use]
    pub fn links(&self, x: usize, y: usize) -> u8 {
        self.holes[y + PAD][x + PAD] as u8
    }

    /// Per hole, margin included: the links of its peg, one bit per direction of [`KNIGHT`], then [`START`] and [`END`].
    #[inline]
    #[must_use]
    pub fn hole_rows(&self) -> &[[u16; W]; W] {
        &self.holes
    }

    /// A player's pegs: rows with one bit per hole, [`PAD`] cells of margin before the first column and row.
    ///
    /// ```
    /// use quintet_game::{Game, Notation, Player, twixt::{PAD, Swap, Twixt}};
    /// let game = Twixt::<16, 1>::new(6, false, Swap::Off);
    /// let mut pos = game.start();
    /// game.play(&mut pos, game.read_move("c2").unwrap());
    /// assert_eq!(pos.peg_rows(Player::First)[PAD + 1], 1 << (PAD + 2));
    /// ```
    #[inline]
    #[must_use]
    pub fn peg_rows(&self, player: Player) -> &[u32; W] {
        &self.pegs[player.index()]
    }

    /// Per hole, margin included, the links that an existing one keeps the player from making, one bit per direction of
    /// [`KNIGHT`]. An existing link is never among them; a missing link between two own pegs a knight's move apart always is.
    #[inline]
    #[must_use]
    pub fn crossed_rows(&self, player: Player) -> &[[u8; W]; W] {
        &self.blocked[player.index() % B]
    }

    /// Own pegs a knight's move from the hole (coordinates with the margin), one bit per direction.
    #[inline(always)]
    pub(super) fn near(&self, player: usize, x: usize, y: usize) -> u8 {
        // Two rows per word, with the hole's column at bit 2, so that the neighbours have fixed places.
        let rows = &self.pegs[player][y - 2..][..5];
        let pair = |row: usize| (u64::from(rows[row]) | u64::from(rows[row + 1]) << 32) >> (x - 2);
        let above = gather(pair(0), 1 << 1 | 1 << 3 | 1 << 32 | 1 << 36);
        let below = gather(pair(3), 1 << 0 | 1 << 4 | 1 << 33 | 1 << 35);
        (above | below << 4) as u8
    }

    /// Links of the hole (coordinates with the margin) that are crossed for this player.
    #[inline(always)]
    pub(super) fn crossed(&self, player: usize, x: usize, y: usize) -> u8 {
        self.blocked[player % B][y][x]
    }

    /// Sets a peg, makes its links, and says whether that connects the player's border lines. `touches` are the border lines
    /// on which the hole lies. The key, which counts holes by rows of length `row`, is updated only if `KEYED`: a random game needs none.
    #[inline(always)]
    pub(super) fn put<const KEYED: bool>(
        &mut self,
        player: usize,
        (x, y, touches): (usize, usize, u16),
        row: usize,
    ) -> bool {
        self.pegs[player][y] |= 1 << x;
        if KEYED {
            self.key ^= peg_key(player, y * row + x);
        }
        let made = self.near(player, x, y) & !self.crossed(player, x, y);
        self.link::<KEYED>(player, (x, y, touches), made, row)
    }

    /// Sets a peg without links: the caller makes them one by one and then calls [`Position::reach`].
    #[inline]
    pub(super) fn put_unlinked(&mut self, player: usize, (x, y, touches): (usize, usize, u16), row: usize) {
        self.pegs[player][y] |= 1 << x;
        self.holes[y][x] |= touches & END;
        self.key ^= peg_key(player, y * row + x);
    }

    /// Marks the chain of a peg on its owner's first border line as reaching that line; does it reach the second too?
    #[inline]
    pub(super) fn reach(&mut self, x: usize, y: usize) -> bool {
        self.holes[y][x] |= START;
        self.spread(y * W + x)
    }

    /// Makes the links `made` of an existing peg.
    #[inline(always)]
    pub(super) fn link<const KEYED: bool>(
        &mut self,
        player: usize,
        (x, y, touches): (usize, usize, u16),
        made: u8,
        row: usize,
    ) -> bool {
        let at = y * W + x;
        let holes = self.holes.as_flattened_mut();
        let mut flags = holes[at] | touches;
        let mut shared = !0;
        if made != 0 {
            // With one map a link blocks both sides, with two only the opponent.
            let map = self.blocked[if B == 1 { 0 } else { 1 - player }].as_flattened_mut();
            let window = &mut map[at - PAD * W - PAD..][..6 * W + 8];
            for (row, marks) in CROSSED[usize::from(made)].iter().enumerate() {
                let bytes = &mut window[row * W..row * W + 8];
                let old = u64::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7].map(|i| bytes[i]));
                bytes.copy_from_slice(&(old | marks).to_le_bytes());
            }
            let mut left = made;
            while left != 0 {
                let d = left.trailing_zeros() as usize;
                left &= left - 1;
                let neighbour = at.wrapping_add_signed(Self::STEPS[d]);
                flags |= holes[neighbour];
                shared &= holes[neighbour];
                holes[neighbour] |= 1 << opposite(d);
                if KEYED {
                    let [at, neighbour] = if row == W {
                        [at, neighbour]
                    } else {
                        let (dx, dy) = KNIGHT[d];
                        let at = y * row + x;
                        [at, at.wrapping_add_signed(dy as isize * row as isize + dx as isize)]
                    };
                    self.key ^= if d % 2 == 1 { link_key(at, d) } else { link_key(neighbour, opposite(d)) };
                }
            }
        }
        let reaches = flags & START;
        holes[at] |= u16::from(made) | touches | reaches;
        if reaches == 0 {
            return false;
        }
        let ends = holes[at] & END != 0;
        shared & START == 0 && self.spread(at) || ends
    }

    /// Marks the whole chain as reaching the first border line; does it reach the second too? Every peg is marked at most once
    /// per game.
    #[inline]
    fn spread(&mut self, at: usize) -> bool {
        // A short stack is enough for nearly every chain; a longer one recurses.
        let mut stack = [0u16; 32];
        let mut height = 1;
        stack[0] = at as u16;
        let mut joined = false;
        while height > 0 {
            height -= 1;
            let at = usize::from(stack[height]);
            let mut links = self.holes.as_flattened()[at] as u8;
            while links != 0 {
                let neighbour = at.wrapping_add_signed(Self::STEPS[links.trailing_zeros() as usize]);
                links &= links - 1;
                let hole = &mut self.holes.as_flattened_mut()[neighbour];
                if *hole & START == 0 {
                    *hole |= START;
                    joined |= *hole & END != 0;
                    if height < stack.len() {
                        stack[height] = neighbour as u16;
                        height += 1;
                    } else {
                        joined |= self.spread(neighbour);
                    }
                }
            }
        }
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_and_their_opposites() {
        for (d, (dx, dy)) in KNIGHT.into_iter().enumerate() {
            assert_eq!(KNIGHT[opposite(d)], (-dx, -dy));
            assert_eq!(d % 2 == 1, dx > 0, "odd directions go east");
        }
    }

    #[test]
    fn an_inner_link_is_crossed_by_nine_others_and_never_by_one_of_the_same_peg() {
        for (set, rows) in CROSSED.iter().enumerate() {
            if set.is_power_of_two() {
                let marks: u32 = rows.iter().map(|row| row.count_ones()).sum();
                assert_eq!(marks, 18, "nine links, both ends");
            }
            assert_eq!(rows[3] >> 24 & 0xff & set as u64, 0, "two links of one peg never cross");
        }
    }
}
