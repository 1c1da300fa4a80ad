//! The memory of a proof search.

use quintet_game::bits::mix;

use super::ways::Ways;

/// A stored answer.
#[derive(Clone, Copy)]
pub(super) struct Answer<W> {
    /// The whole pattern, and who is to move, so that no two are confused.
    pub key: u64,
    /// The number of the attacker's moves for which `not` holds.
    pub moves: u32,
    /// The attacker wins, finally.
    pub won: W,
    /// The attacker does not win with this many moves.
    pub not: W,
}

impl<W: Ways> Answer<W> {
    const NOTHING: Answer<W> = Answer { key: u64::MAX, moves: 0, won: W::NONE, not: W::NONE };
}

/// Answers by their key, in buckets of two: one for the answer with more moves, one for the latest. The table grows as it fills.
pub(super) struct Answers<W> {
    pairs: Vec<[Answer<W>; 2]>,
    filled: usize,
    /// The most bytes it may use.
    most: u64,
}

/// Buckets of a new table.
const SMALLEST: usize = 1 << 10;

impl<W: Ways> Answers<W> {
    pub fn new(most: u64) -> Answers<W> {
        Answers { pairs: vec![[Answer::NOTHING; 2]; SMALLEST], filled: 0, most }
    }

    fn slot(&self, key: u64) -> usize {
        mix(key) as usize & (self.pairs.len() - 1)
    }

    pub fn known(&self, key: u64) -> Option<Answer<W>> {
        self.pairs[self.slot(key)].iter().find(|kept| kept.key == key).copied()
    }

    /// Stores an answer, merged with what was known before.
    pub fn keep(&mut self, answer: Answer<W>) {
        let Answer { moves, won, not, .. } = answer;
        self.put(match self.known(answer.key) {
            Some(kept) if kept.moves > moves => Answer { won: kept.won | won, ..kept },
            Some(kept) if kept.moves == moves => Answer { won: kept.won | won, not: kept.not | not, ..kept },
            Some(kept) => Answer { won: kept.won | won, ..answer },
            None => answer,
        });
        if self.filled > self.pairs.len() && 2 * size_of_val(&self.pairs[..]) as u64 <= self.most {
            let twice = vec![[Answer::NOTHING; 2]; 2 * self.pairs.len()];
            self.filled = 0;
            for kept in std::mem::replace(&mut self.pairs, twice).into_iter().flatten() {
                if kept.key != Answer::<W>::NOTHING.key {
                    self.put(kept);
                }
            }
        }
    }

    fn put(&mut self, answer: Answer<W>) {
        let slot = self.slot(answer.key);
        let pair = &mut self.pairs[slot];
        let second = pair[0].key != answer.key && (pair[1].key == answer.key || pair[0].moves > answer.moves);
        let place = &mut pair[usize::from(second)];
        self.filled += usize::from(place.key == Answer::<W>::NOTHING.key);
        *place = answer;
    }
}
