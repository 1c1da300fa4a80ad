//! The children of a node: each position once, the promising ones first.

use std::cmp::Ordering;

/// A move of a node that is still to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    /// The index in the list of the rules.
    pub at: usize,
    /// The key of the position after it.
    pub key: u64,
    /// The evaluation of that position for the mover; the value of the result if the game has ended.
    pub score: f64,
    pub ended: bool,
    /// By how many plies its first search is reduced.
    pub less: u32,
}

impl Child {
    /// The better evaluation first, ties in the order of the rules.
    fn order(&self, other: &Child) -> Ordering {
        other.score.total_cmp(&self.score).then(self.at.cmp(&other.at))
    }
}

/// Picked one by one before the rest is sorted, because most nodes are cut off after a few children.
const PICKED: usize = 4;

/// Brings the child that comes as number `n` to its place.
#[inline]
pub(super) fn pick(children: &mut [Child], n: usize) -> Child {
    match n {
        0..PICKED => {
            let best = (n + 1..children.len())
                .fold(n, |best, i| if children[i].order(&children[best]) == Ordering::Less { i } else { best });
            children.swap(n, best);
        }
        PICKED => children[n..].sort_unstable_by(Child::order),
        _ => {}
    }
    children[n]
}

/// Moves that caused cut-offs in other nodes of a ply, to be tried early in the next.
pub(super) const KILLERS: usize = 4;

/// Puts a killer in front of the others.
pub(super) fn remember<M: Copy + Eq>(killers: &mut Vec<M>, mv: M) {
    match killers.iter().position(|killer| *killer == mv) {
        Some(at) => killers[..=at].rotate_right(1),
        None => {
            killers.truncate(KILLERS - 1);
            killers.insert(0, mv);
        }
    }
}

/// By how many plies the first search of move number `n` of the list is reduced, in a node of this depth.
#[inline]
pub(super) fn reduction(depth: u32, n: usize) -> u32 {
    match n {
        _ if depth < 3 => 0,
        0..4 => 0,
        4..16 => 1,
        _ => (depth - 2).min(2),
    }
}

/// A set of the positions after the moves of one node. Clearing it for the next node takes constant time.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The node for which the slot was filled; the key; the move.
    places: Vec<(u32, u64, usize)>,
    node: u32,
}

impl Seen {
    /// For a node with this many moves.
    #[inline]
    pub fn clear(&mut self, moves: usize) {
        let wanted = (2 * moves).next_power_of_two();
        if self.places.len() < wanted || self.node == u32::MAX {
            self.places.clear();
            self.places.resize(wanted.max(64), (0, 0, 0));
            self.node = 0;
        }
        self.node += 1;
    }

    /// Adds the position after the move at `at`; false if it is already there. `same` says whether the positions after two moves
    /// with equal keys are equal.
    #[inline]
    pub fn insert(&mut self, key: u64, at: usize, mut same: impl FnMut(usize) -> bool) -> bool {
        let mask = self.places.len() - 1;
        let mut place = key as usize & mask;
        loop {
            let (node, other, first) = self.places[place];
            if node != self.node {
                self.places[place] = (self.node, key, at);
                return true;
            }
            if other == key && same(first) {
                return false;
            }
            place = (place + 1) & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picking_sorts() {
        let scores = [3.0, -1.0, 7.0, 3.0, 0.0, 7.0, 2.0, -5.0, 6.0];
        let mut children: Vec<Child> =
            scores.iter().enumerate().map(|(at, &score)| Child { at, key: 0, score, ended: false, less: 0 }).collect();
        let picked: Vec<usize> = (0..children.len()).map(|n| pick(&mut children, n).at).collect();
        assert_eq!(picked, [2, 5, 8, 0, 3, 6, 4, 1, 7]);
    }

    #[test]
    fn sets_tell_equal_keys_apart() {
        let mut seen = Seen::default();
        for _ in 0..3 {
            seen.clear(40);
            // Keys 5 and 69 share a slot; equal keys are different positions if `same` says so.
            assert!(seen.insert(5, 0, |_| true));
            assert!(seen.insert(69, 1, |_| true));
            assert!(!seen.insert(5, 2, |at| at == 0));
            assert!(seen.insert(5, 3, |_| false));
            assert!(!seen.insert(5, 4, |at| at == 3));
        }
    }
}
