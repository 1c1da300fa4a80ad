//! Sets of holes, one bit per hole, row by row without margins: one word for boards of up to 8 holes per side, two for larger ones.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not, Shl, Shr};

use quintet_game::bits::gather;

/// A set of holes.
pub trait HoleSet:
    Copy
    + Eq
    + std::fmt::Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// No holes.
    const EMPTY: Self;

    /// One hole.
    fn one(hole: usize) -> Self;

    /// Its size.
    fn count(self) -> u32;

    /// The first hole; the set must not be empty.
    fn lowest(self) -> usize;

    /// The set as words, the first rows first.
    fn words(self) -> [u64; 2];

    /// Is it empty?
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Do the two have a hole in common?
    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        self & other != Self::EMPTY
    }

    /// All holes, in their order.
    fn holes(self) -> Holes<Self> {
        Holes(self)
    }

    /// The bits of this set that `mask` selects, packed at the low end; more than 64 do not fit.
    fn gathered(self, mask: Self) -> u64 {
        let ([low, high], [low_mask, high_mask]) = (self.words(), mask.words());
        let high = gather(high, high_mask);
        gather(low, low_mask) | high.checked_shl(low_mask.count_ones()).unwrap_or(0)
    }
}

/// The holes of a set, one after another.
pub struct Holes<S>(S);

impl<S: HoleSet> Iterator for Holes<S> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        (!self.0.is_empty()).then(|| {
            let hole = self.0.lowest();
            self.0 = self.0 & !S::one(hole);
            hole
        })
    }
}

macro_rules! set {
    ($word:ty, |$set:ident| $words:expr) => {
        impl HoleSet for $word {
            const EMPTY: $word = 0;

            #[inline(always)]
            fn one(hole: usize) -> $word {
                1 << hole
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline(always)]
            fn words(self) -> [u64; 2] {
                let $set = self;
                $words
            }
        }
    };
}

set!(u64, |set| [set, 0]);
set!(u128, |set| [set as u64, (set >> 64) as u64]);
