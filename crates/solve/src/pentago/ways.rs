//! What the solver asks of a set of ways in which quadrants can stand.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not};

use super::fives::Fives;

/// A bit for each way in which the four quadrants can stand, or rather for half of them: every spin exchanges even and odd
/// states of a quadrant, so the evenness of all four together follows from the ply.
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

    /// Is the bit of these states set? Their evenness must be that of the set.
    fn has(&self, states: [usize; 4]) -> bool;

    /// Sets the bit of these states.
    fn set(&mut self, states: [usize; 4]);

    /// Is a state of a quadrant odd?
    fn odd(state: usize) -> bool;

    /// The state of a quadrant after a spin of kind 0 or 1; state 0 is how it stands at first.
    fn spun(state: usize, kind: usize) -> usize;

    /// The words of the set.
    fn words(self) -> Self::Words;

    /// The set of some words.
    fn from_words(words: Self::Words) -> Self;

    /// The ways, of this evenness, from which one spin leads into this set, which is of the other one.
    fn around(self, evenness: usize) -> Self;

    /// The ways to which one spin leads from this set, or more than those: for telling what need not be asked.
    fn ahead(self) -> Self;

    /// What finds fives.
    fn fives() -> &'static Fives<Self>;
}

/// Words that are all zero.
pub trait Zeros {
    /// Them.
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
