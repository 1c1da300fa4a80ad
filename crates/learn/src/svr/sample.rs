//! A fair sample of a stream of unknown length.

use serde::{Deserialize, Serialize};

/// A board with its target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The record's own random number: the lowest are kept.
    pub rank: u64,
    /// The board, as [`quintet_eval::pylos::Svr::board`] has it.
    pub board: u64,
    /// What the machine should predict.
    pub target: f64,
}

/// Keeps those of the lowest ranks: as ranks are random, every record has the same chance, in whatever order they come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Draw {
    most: usize,
    /// Sorted by rank.
    kept: Vec<Sample>,
}

impl Draw {
    /// Keeps at most `most` samples.
    pub fn new(most: usize) -> Draw {
        Draw { most, kept: Vec::new() }
    }

    /// A record whose rank is not below this will not be kept.
    pub fn bar(&self) -> u64 {
        if self.kept.len() < self.most { u64::MAX } else { self.kept.last().map_or(0, |last| last.rank) }
    }

    /// Takes in more.
    pub fn extend(&mut self, more: &[Sample]) {
        self.kept.extend(more);
        // Equal ranks are ordered by their contents, so that the order of arrival does not matter.
        self.kept.sort_unstable_by_key(|sample| (sample.rank, sample.board, sample.target.to_bits()));
        self.kept.truncate(self.most);
    }

    /// What is kept.
    pub fn samples(&self) -> &[Sample] {
        &self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet_game::bits::mix;

    #[test]
    fn the_lowest_ranks_are_kept_in_any_order() {
        let all: Vec<Sample> =
            (0..500).map(|n| Sample { rank: mix(n) % 400, board: n, target: n as f64 / 7.0 }).collect();
        let mut sorted = all.clone();
        sorted.sort_by_key(|sample| (sample.rank, sample.board));
        let mut forwards = Draw::new(50);
        all.chunks(7).for_each(|some| forwards.extend(some));
        let mut backwards = Draw::new(50);
        for sample in all.iter().rev() {
            let kept = sample.rank < backwards.bar();
            if kept || sample.rank == backwards.bar() {
                backwards.extend(&[*sample]);
            }
        }
        assert_eq!(forwards.samples(), &sorted[..50]);
        assert_eq!(backwards, forwards);
        assert_eq!(Draw::new(0).bar(), 0);
    }

    /// With ranks by a hash, each of a thousand records is drawn about as often as another.
    #[test]
    fn every_record_has_its_chance() {
        let mut hits = [0u32; 10];
        for seed in 0..400 {
            let mut draw = Draw::new(20);
            let all: Vec<Sample> =
                (0..1000).map(|n| Sample { rank: mix(mix(seed) ^ mix(n)), board: n, target: 0.0 }).collect();
            draw.extend(&all);
            draw.samples().iter().for_each(|sample| hits[sample.board as usize / 100] += 1);
        }
        // 8,000 draws over ten tenths: 800 each, with a deviation of 27.
        assert!(hits.iter().all(|hits| (690..910).contains(hits)), "{hits:?}");
    }
}
