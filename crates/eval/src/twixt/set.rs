//! Sets of holes as bitboards, with the knight's step as their only operation beyond those of sets.
//!
//! Boards up to 8 x 8 are one word; larger ones have one word per row, eight rows per vector register. The map of crossed links
//! (one byte per hole, one bit per direction) becomes eight sets, one per direction, by gathering equal bits of 32 bytes at once.

use quintet_game::twixt::PAD;

use super::lanes::{Eight, planes};

/// The most holes per side.
pub const MOST: usize = 24;

/// A set of holes of a TwixT board.
///
/// ```
/// use quintet_eval::twixt::cheapest;
/// use quintet_game::{Game, Player, twixt::{Swap, Twixt}};
/// let game = Twixt::<16, 1>::new(5, false, Swap::Off);
/// // On an empty 5 x 5 board red needs three pegs: b1 c3 b5, b1 c3 d5 and the like.
/// let holes = cheapest(&game, &game.start(), Player::First);
/// assert!(holes.contains(2, 2) && !holes.contains(2, 1));
/// assert_eq!(holes.len(), holes.iter().count());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holes {
    rows: [u32; MOST],
}

impl Holes {
    fn from_rows(count: usize, row: impl Fn(usize) -> u32) -> Holes {
        Holes { rows: std::array::from_fn(|y| if y < count { row(y) } else { 0 }) }
    }

    /// Is the hole at this column and row, counted from 0, in the set?
    #[must_use]
    pub fn contains(&self, x: usize, y: usize) -> bool {
        x < MOST && self.rows.get(y).is_some_and(|row| row >> x & 1 == 1)
    }

    /// The rows from the top, each with one bit per hole, the leftmost lowest.
    #[must_use]
    pub fn rows(&self) -> &[u32; MOST] {
        &self.rows
    }

    /// The number of holes.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Is it the empty set?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == [0; MOST]
    }

    /// Columns and rows, from 0, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.rows.iter().enumerate().flat_map(|(y, row)| {
            let mut left = *row;
            std::iter::from_fn(move || {
                let x = left.trailing_zeros() as usize;
                left &= left.wrapping_sub(1);
                (x < 32).then_some((x, y))
            })
        })
    }
}

/// `std::array::from_fn`, which is not inlined in a browser's module, whose registers would then go through memory: this took a tenth of the time of a search.
#[inline(always)]
pub fn array<T: Copy, const N: usize>(any: T, f: impl Fn(usize) -> T) -> [T; N] {
    if cfg!(not(target_family = "wasm")) {
        return std::array::from_fn(f);
    }
    let mut made = [any; N];
    for (i, one) in made.iter_mut().enumerate() {
        *one = f(i);
    }
    made
}

/// A bitboard. [`Bitboard::load`] and [`Bitboard::line`] never include cells outside of the board.
pub trait Bitboard: Copy {
    const EMPTY: Self;

    /// From rows in the game's layout.
    fn load<const W: usize>(rows: &[u32; W]) -> Self;

    /// A row (`across`) or a column of the board.
    fn line(size: usize, across: bool, at: usize) -> Self;

    /// Per direction, the holes whose link in that direction is not crossed; may include cells outside of the board.
    fn ways<const W: usize>(crossed: &[[u8; W]; W], size: usize) -> [Self; 8];

    /// The holes from which one of the ways leads into the set. Ways are symmetric, so these are its neighbours.
    fn step(self, ways: &[Self; 8]) -> Self;

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn is_empty(self) -> bool;
    fn holes(self) -> Holes;
}

/// A board up to 8 x 8 in one word, one byte per row.
#[derive(Clone, Copy)]
pub struct Small(u64);

/// The cells from which a step this many columns east stays on an 8 x 8 board.
const fn stays(dx: i32) -> u64 {
    let row = if dx < 0 { 0xff << -dx & 0xff } else { 0xff >> dx };
    row * 0x0101_0101_0101_0101
}

impl Bitboard for Small {
    const EMPTY: Small = Small(0);

    #[inline(always)]
    fn load<const W: usize>(rows: &[u32; W]) -> Small {
        let rows: &[u32; 8] = rows[PAD..PAD + 8].try_into().expect("eight rows");
        Small(u64::from_le_bytes(rows.map(|row| (row >> PAD) as u8)))
    }

    #[inline(always)]
    fn line(size: usize, across: bool, at: usize) -> Small {
        let all = !0 >> (64 - 8 * size);
        Small(if across { (0xff >> (8 - size)) << (8 * at) } else { all & 0x0101_0101_0101_0101 << at })
    }

    #[inline(always)]
    fn ways<const W: usize>(crossed: &[[u8; W]; W], _size: usize) -> [Small; 8] {
        const STAYS: [u64; 8] = {
            let mut masks = [0; 8];
            let mut d = 0;
            while d < 8 {
                masks[d] = stays(quintet_game::twixt::KNIGHT[d].0);
                d += 1;
            }
            masks
        };
        let half = |y: usize| {
            let mut bytes = [0; 32];
            for (to, from) in bytes.chunks_exact_mut(8).zip(&crossed[PAD + y..PAD + y + 4]) {
                to.copy_from_slice(&from[PAD..PAD + 8]);
            }
            planes(&bytes, 32)
        };
        let (top, bottom) = (half(0), half(4));
        array(Small::EMPTY, |d| Small(!(u64::from(top[d]) | u64::from(bottom[d]) << 32) & STAYS[d]))
    }

    #[inline(always)]
    fn step(self, ways: &[Small; 8]) -> Small {
        let Small(set) = self;
        let up = (set << 17 & ways[0].0 | set << 15 & ways[1].0) | (set << 10 & ways[2].0 | set << 6 & ways[3].0);
        let down = (set >> 6 & ways[4].0 | set >> 10 & ways[5].0) | (set >> 15 & ways[6].0 | set >> 17 & ways[7].0);
        Small(up | down)
    }

    #[inline(always)]
    fn and(self, other: Small) -> Small {
        Small(self.0 & other.0)
    }

    #[inline(always)]
    fn or(self, other: Small) -> Small {
        Small(self.0 | other.0)
    }

    #[inline(always)]
    fn minus(self, other: Small) -> Small {
        Small(self.0 & !other.0)
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn holes(self) -> Holes {
        let rows = self.0.to_le_bytes();
        Holes::from_rows(8, |y| rows[y].into())
    }
}

/// A board of up to 8 `V` rows with one word each, in the columns that the game uses: row y is word y / `V` of vector y % `V`, so
/// that a row's neighbours are in the same lane of another vector or in the lane beside it, and a step needs no memory.
#[derive(Clone, Copy)]
pub struct Large<const V: usize>([Eight; V]);

impl<const V: usize> Large<V> {
    #[inline(always)]
    fn zip(self, other: Large<V>, f: impl Fn(Eight, Eight) -> Eight) -> Large<V> {
        Large(array(Eight::ZERO, |v| f(self.0[v], other.0[v])))
    }

    #[inline(always)]
    fn from_rows(row: impl Fn(usize) -> u32) -> Large<V> {
        Large(array(Eight::ZERO, |v| Eight::from_words(array(0, |i| row(i * V + v)))))
    }

    /// The rows `by` rows further down than those of vector `v`.
    #[inline(always)]
    fn rows(&self, v: usize, by: isize) -> Eight {
        let at = v as isize + by;
        let from = self.0[at.rem_euclid(V as isize) as usize];
        match at.div_euclid(V as isize) {
            0 => from,
            1 => from.next(),
            _ => from.previous(),
        }
    }
}

impl<const V: usize> Bitboard for Large<V> {
    const EMPTY: Large<V> = Large([Eight::ZERO; V]);

    #[inline(always)]
    fn load<const W: usize>(rows: &[u32; W]) -> Large<V> {
        Large::from_rows(|y| rows.get(PAD + y).copied().unwrap_or(0))
    }

    #[inline(always)]
    fn line(size: usize, across: bool, at: usize) -> Large<V> {
        Large::from_rows(|y| match across {
            true if y == at => ((1 << size) - 1) << PAD,
            false if y < size => 1 << (PAD + at),
            _ => 0,
        })
    }

    #[inline(always)]
    fn ways<const W: usize>(crossed: &[[u8; W]; W], size: usize) -> [Large<V>; 8] {
        let flat = crossed.as_flattened();
        let mut words = [[[0; 8]; V]; 8];
        for y in 0..size {
            // Bytes beyond the row's own end up in bits beyond the board's.
            let bytes = flat[(y + PAD) * W..][..32].try_into().expect("32 bytes");
            for (way, plane) in words.iter_mut().zip(planes(bytes, PAD + size)) {
                way[y % V][y / V] = !plane;
            }
        }
        array(Large::EMPTY, |d| Large(array(Eight::ZERO, |v| Eight::from_words(words[d][v]))))
    }

    #[inline(always)]
    fn step(self, ways: &[Large<V>; 8]) -> Large<V> {
        Large(array(Eight::ZERO, |v| {
            let [a, b, c, d] = [-2, -1, 1, 2].map(|by| self.rows(v, by));
            let way = |d: usize| ways[d].0[v];
            let up = (a.left::<1>().and(way(0)).or(a.right::<1>().and(way(1))))
                .or(b.left::<2>().and(way(2)).or(b.right::<2>().and(way(3))));
            let down = (c.left::<2>().and(way(4)).or(c.right::<2>().and(way(5))))
                .or(d.left::<1>().and(way(6)).or(d.right::<1>().and(way(7))));
            up.or(down)
        }))
    }

    #[inline(always)]
    fn and(self, other: Large<V>) -> Large<V> {
        self.zip(other, Eight::and)
    }

    #[inline(always)]
    fn or(self, other: Large<V>) -> Large<V> {
        self.zip(other, Eight::or)
    }

    #[inline(always)]
    fn minus(self, other: Large<V>) -> Large<V> {
        self.zip(other, Eight::minus)
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.into_iter().fold(Eight::ZERO, Eight::or).is_zero()
    }

    fn holes(self) -> Holes {
        let words = self.0.map(Eight::words);
        Holes::from_rows(8 * V, |y| words[y % V][y / V] >> PAD)
    }
}
