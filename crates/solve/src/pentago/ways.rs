//! What the solver needs of a set of orientations of the quadrants.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not};

use super::fives::Fives;

/// One bit per orientation of the four quadrants, or rather for half of them: every spin exchanges even and odd states of
/// a quadrant, so the parity of all four together follows from the ply.
pub trait Ways:
    Copy + Debug + PartialEq + Send + Sync + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> + 'static
{
    /// States of one quadrant.
    const STATES: usize;
    /// The set as words.
    type Words: AsRef<[u64]> + AsMut<[u64]> + Copy + Zeros;
    /// No bit set.
    const NONE: Self;
    /// All bits set.
    const ALL: Self;

    /// Is the bit of these states set? Their parity must be that of the set.
    fn has(&self, states: [usize; 4]) -> bool;

    /// Sets the bit of these states.
    fn set(&mut self, states: [usize; 4]);

    /// Is a state of a quadrant odd?
    fn odd(state: usize) -> bool;

    /// The state of a quadrant after a spin of kind 0 or 1; state 0 is the initial one.
    fn spun(state: usize, kind: usize) -> usize;

    /// The words of the set.
    fn words(self) -> Self::Words;

    /// The set of some words.
    fn from_words(words: Self::Words) -> Self;

    /// The ways, of this parity, from which one spin leads into this set, which has the other parity.
    fn around(self, evenness: usize) -> Self;

    /// The ways to which one spin leads from this set, or a superset: used to skip questions.
    fn ahead(self) -> Self;

    /// The finder of fives for these ways.
    fn fives() -> &'static Fives<Self>;
}

/// Types with an all-zero value.
pub trait Zeros {
    /// The value.
    fn zeros() -> Self;
}

impl<const N: usize> Zeros for [u64; N] {
    fn zeros() -> Self {
        [0; N]
    }
}

/// All states of four quadrants.
pub fn all_states(states: usize) -> impl Iterator<Item = [usize; 4]> {
    let n = states;
    (0..n.pow(4)).map(move |all| [all % n, all / n % n, all / n / n % n, all / n / n / n])
}
