//! Set operations that the rules do not need: spans, and counts of neighbours for all squares at once.

pub(super) use quintet_game::pathwayz::squares::{STRIDE, columns, grown, joined};

/// How many columns a non-empty set spans, given its [`columns`].
#[inline]
pub(super) const fn span(columns: u32) -> u32 {
    32 - columns.leading_zeros() - columns.trailing_zeros()
}

/// Removes the squares one by one.
pub(super) fn squares(mut set: u128) -> impl Iterator<Item = u128> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// A number from 0 to 15 for every square, as four bit planes.
#[derive(Clone, Copy)]
pub(super) struct Counts([u128; 4]);

const fn add(a: u128, b: u128, c: u128) -> (u128, u128) {
    (a ^ b ^ c, a & b | c & (a | b))
}

impl Counts {
    /// How many of its eight neighbours are in `set`, for every square (off the board the numbers are meaningless).
    pub(super) const fn neighbours(set: u128) -> Counts {
        let (left, right) = (set << 1, set >> 1);
        let (ones, twos) = add(left, set, right);
        let (s0, carry) = add(ones << STRIDE, ones >> STRIDE, left ^ right);
        let (t, fours) = add(twos << STRIDE, twos >> STRIDE, left & right);
        let (s1, fours_too) = (t ^ carry, t & carry);
        Counts([s0, s1, fours ^ fours_too, fours & fours_too])
    }

    /// The squares whose number is `n`.
    #[inline]
    pub(super) fn equal(&self, n: usize) -> u128 {
        (0..4).fold(!0, |set, bit| set & if n >> bit & 1 == 1 { self.0[bit] } else { !self.0[bit] })
    }

    /// The squares whose number is 4 or more.
    #[inline]
    pub(super) const fn four_or_more(&self) -> u128 {
        self.0[2] | self.0[3]
    }

    /// The difference of the two numbers where it is not negative; squares where it is are in the second set.
    pub(super) fn minus(&self, other: &Counts) -> (Counts, u128) {
        let mut borrow = 0;
        let planes = std::array::from_fn(|bit| {
            let (a, b) = (self.0[bit], other.0[bit]);
            let plane = a ^ b ^ borrow;
            borrow = !a & (b | borrow) | b & borrow;
            plane
        });
        (Counts(planes), borrow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_differences() {
        // A full 3x3 block at b2, and a row below it.
        let block = [0, 1, 2].iter().fold(0u128, |set, y| set | 0b111 << (STRIDE * (y + 1) + 1));
        let row = 0b111 << (STRIDE * 4 + 1);
        let at = |x: usize, y: usize| 1u128 << (STRIDE * y + x);
        let a = Counts::neighbours(block);
        for (square, n) in [(at(2, 2), 8), (at(1, 1), 3), (at(2, 1), 5), (at(0, 0), 1), (at(0, 2), 3), (at(5, 5), 0)] {
            assert!(a.equal(n) & square != 0, "{n}");
        }
        let b = Counts::neighbours(row);
        let (difference, negative) = a.minus(&b);
        // c6, below the row: none less three. c4: five less three. c3: eight less none.
        assert!(negative & at(2, 5) != 0 && negative & (at(2, 2) | at(2, 3)) == 0);
        assert!(difference.equal(2) & at(2, 3) != 0 && difference.equal(8) & at(2, 2) != 0);
        assert!(difference.four_or_more() & at(2, 2) != 0 && difference.four_or_more() & at(2, 3) == 0);
    }

    #[test]
    fn spans_and_groups() {
        let set = 0b1011 << 2;
        assert_eq!(span(columns(set)), 4);
        assert_eq!(joined(1 << 2, set), 0b11 << 2);
        assert_eq!(squares(set).count(), 3);
    }
}
