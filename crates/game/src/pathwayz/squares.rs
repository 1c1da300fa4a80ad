//! Sets of squares: thirteen bits per row; the last is a guard that is always empty.

/// Bits from a square to the one below it.
pub const STRIDE: usize = 13;

/// The set and all its neighbours in the eight directions. The guard column keeps rows apart; the caller masks what is off the board.
///
/// ```
/// use quintet_game::pathwayz::squares::{STRIDE, grown};
/// assert_eq!(grown(1 << (STRIDE + 1)).count_ones(), 9);
/// ```
#[inline]
#[must_use]
pub const fn grown(set: u128) -> u128 {
    let wide = set | set << 1 | set >> 1;
    wide | wide << STRIDE | wide >> STRIDE
}

/// Everything in `set` that is connected with `seed`.
#[inline]
#[must_use]
pub fn joined(seed: u128, set: u128) -> u128 {
    let mut group = seed;
    loop {
        let next = grown(group) & set;
        if next == group {
            return group;
        }
        group = next;
    }
}

/// The columns that hold a square of the set, the first at bit 0.
#[inline]
#[must_use]
pub const fn columns(set: u128) -> u32 {
    let set = set | set >> (4 * STRIDE);
    let set = set | set >> (2 * STRIDE);
    (set | set >> STRIDE) as u32 & 0xfff
}
