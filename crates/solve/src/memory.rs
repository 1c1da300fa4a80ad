//! Answers to "can this side force a win?", in a table of fixed size. An entry holds the whole question, so two questions are never
//! confused.

use quintet_game::bits::mix;

/// Can the attacker force a win?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forced {
    /// Yes, within the given number.
    Yes,
    /// Not within the given number.
    NotYet,
    /// Never.
    Never,
}

/// A position with a question about it.
pub trait Question: Copy + Eq {
    /// What is stored with a yes or a never.
    type Proof: Copy + Default + std::fmt::Debug;

    /// The question of an empty entry.
    const NONE: Self;

    /// The words that make up the question.
    fn words(&self) -> impl IntoIterator<Item = u64>;
}

/// An entry of the table.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The attacker wins within this number; [`FOREVER`] if unknown.
    yes: u8,
    /// The attacker does not win within this number; [`FOREVER`] means never.
    no: u8,
    /// The move that decided it.
    mv: u8,
}

const FOREVER: u8 = u8::MAX;

/// Stands for no move.
pub const NO_MOVE: u8 = u8::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry<Q: Question> {
    question: Q,
    /// The proof of the soonest known win, or that there is none.
    proof: Q::Proof,
    known: Known,
    /// The logarithm of the work it took: the smaller one is replaced.
    work: u8,
}

/// The table. A bucket has two entries: one that took much work, and the latest one.
#[derive(Debug)]
pub struct Memory<Q: Question> {
    buckets: Vec<[Entry<Q>; 2]>,
}

impl<Q: Question> Memory<Q> {
    /// As large as fits into this many bytes, at least a thousand buckets.
    pub fn new(bytes: usize) -> Memory<Q> {
        let buckets = (bytes / size_of::<[Entry<Q>; 2]>()).max(1024);
        let known = Known { yes: FOREVER, no: 0, mv: NO_MOVE };
        let nothing = Entry { question: Q::NONE, proof: Q::Proof::default(), known, work: 0 };
        Memory { buckets: vec![[nothing; 2]; 1 << buckets.ilog2()] }
    }

    /// The answer, if it is known, with its proof if it is final; and the move that decided the question when it was last asked.
    pub fn recall(&self, question: &Q, within: u8) -> (Option<(Forced, Q::Proof)>, u8) {
        let bucket = &self.buckets[self.place(question)];
        let Some(Entry { known, proof, .. }) = bucket.iter().find(|entry| entry.question == *question) else {
            return (None, NO_MOVE);
        };
        let answer = if known.no == FOREVER {
            Some(Forced::Never)
        } else if known.yes <= within {
            Some(Forced::Yes)
        } else if known.no >= within {
            Some(Forced::NotYet)
        } else {
            None
        };
        (answer.map(|answer| (answer, *proof)), known.mv)
    }

    /// Stores an answer with its proof, the move that decided it, and the number of positions that it took.
    pub fn remember(&mut self, question: &Q, within: u8, (answer, proof): (Forced, Q::Proof), mv: u8, nodes: u64) {
        let place = self.place(question);
        let [dear, latest] = &mut self.buckets[place];
        let work = nodes.max(1).ilog2() as u8;
        let entry = if dear.question == *question {
            dear
        } else if latest.question == *question {
            latest
        } else {
            let slot = if dear.work <= work { dear } else { latest };
            let known = Known { yes: FOREVER, no: 0, mv: NO_MOVE };
            *slot = Entry { question: *question, proof, known, work };
            slot
        };
        entry.work = entry.work.max(work);
        match answer {
            Forced::Yes if within <= entry.known.yes => {
                entry.known.yes = within;
                entry.proof = proof;
            }
            Forced::Yes => {}
            Forced::NotYet => entry.known.no = entry.known.no.max(within),
            Forced::Never => {
                entry.known.no = FOREVER;
                entry.proof = proof;
            }
        }
        if mv != NO_MOVE {
            entry.known.mv = mv;
        }
    }

    fn place(&self, question: &Q) -> usize {
        let add = |hash: u64, word: u64| mix(hash.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ word);
        question.words().into_iter().fold(0, add) as usize & (self.buckets.len() - 1)
    }
}
