//! The transposition table: what is known about positions met before, shared between threads without locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How a stored value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The true value is at least this.
    Lower = 1,
    /// The true value is at most this.
    Upper = 2,
    /// The true value is this.
    Exact = 3,
}

/// What is known about a position, for the side to move there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    pub value: f64,
    pub bound: Bound,
    /// The depth of the search below it.
    pub depth: u32,
    /// No estimate took part in the value: more depth would not change it.
    pub complete: bool,
    /// The index of the best move in the list of the rules.
    pub best: Option<usize>,
}

/// One slot: the key mixed with the other two words, the value, the rest.
///
/// Threads write the three words one by one. If two threads write to one slot at once, the first word does not match the other
/// two for any key, and the slot reads as empty.
type Slot = [AtomicU64; 3];

/// A key belongs to one bucket and may be in any of its slots.
const BUCKET: usize = 4;

/// No best move.
const NONE: u64 = 0xffff;

/// The table. It starts small, because fresh memory is expensive in a short search, and grows up to its cap.
pub(crate) struct Table {
    slots: Vec<Slot>,
    /// The most buckets it may have.
    most: usize,
    /// Counts the searches, so that old entries are replaced first.
    age: u8,
}

/// The size of a new table in buckets: 384 KiB.
const SMALL: usize = 4096;

/// How many times its content a table has room for before a depth: about what the next depth adds.
const ROOM: usize = 16;

impl Table {
    /// A table of at most `bytes`, but at least one bucket.
    pub fn new(bytes: usize) -> Table {
        let most = (bytes / (BUCKET * size_of::<Slot>())).max(1);
        Table { slots: empty(most.min(SMALL)), most, age: 0 }
    }

    /// An empty table with the same cap.
    pub fn emptied(&self) -> Table {
        Table { slots: empty(self.most.min(SMALL)), most: self.most, age: 0 }
    }

    /// The memory used by the entries.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    /// Makes room for the next depth. While it moves, the old and the new slots together stay below the cap.
    pub fn grow(&mut self) {
        let buckets = self.slots.len() / BUCKET;
        let [used, of] = self.used();
        let mut wanted = used * ROOM / of * buckets;
        if wanted > self.most / 4 {
            wanted = self.most - buckets;
        }
        if wanted < 2 * buckets {
            return;
        }
        let old = std::mem::replace(&mut self.slots, empty(wanted));
        for slot in &old {
            let [mixed, value, rest] = read(slot);
            if rest != 0 {
                self.write(mixed ^ value ^ rest, value, rest);
            }
        }
    }

    /// Estimates the used slots from a sample: keys are spread evenly.
    fn used(&self) -> [usize; 2] {
        let part = &self.slots[..self.slots.len().min(BUCKET * SMALL)];
        [part.iter().filter(|slot| slot[2].load(Relaxed) != 0).count(), part.len()]
    }

    /// The used share of the slots that it may have.
    pub fn fill(&self) -> f64 {
        let [used, of] = self.used();
        used as f64 / of as f64 * (self.slots.len() as f64 / (self.most * BUCKET) as f64)
    }

    /// A new search begins.
    pub fn next_age(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        // A multiplication spreads the keys over any number of buckets, so a cap need not be a power of two.
        let buckets = self.slots.len() / BUCKET;
        let at = ((u128::from(key) * buckets as u128) >> 64) as usize * BUCKET;
        &self.slots[at..at + BUCKET]
    }

    /// The entry of this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let [mixed, value, rest] = read(slot);
            (mixed ^ value ^ rest == key && rest != 0).then(|| unpack(value, rest))
        })
    }

    /// Stores an entry, replacing the one of the same key or the least valuable one.
    #[inline]
    pub fn put(&self, key: u64, entry: &Entry) {
        let (value, rest) = pack(entry, self.age);
        self.write(key, value, rest);
    }

    fn write(&self, key: u64, value: u64, rest: u64) {
        let bucket = self.bucket(key);
        let worth = |slot: &Slot| {
            let [mixed, value, rest] = read(slot);
            let age = u64::from(self.age.wrapping_sub((rest >> AGE) as u8));
            match rest {
                _ if mixed ^ value ^ rest == key => -2 << 32,
                0 => -1 << 32,
                _ => ((rest >> DEPTH) & 0xffff) as i64 - 4 * age as i64,
            }
        };
        let Some(slot) = bucket.iter().min_by_key(|slot| worth(slot)) else { return };
        slot[0].store(key ^ value ^ rest, Relaxed);
        slot[1].store(value, Relaxed);
        slot[2].store(rest, Relaxed);
    }
}

fn empty(buckets: usize) -> Vec<Slot> {
    (0..BUCKET * buckets).map(|_| Slot::default()).collect()
}

#[inline]
fn read(slot: &Slot) -> [u64; 3] {
    slot.each_ref().map(|word| word.load(Relaxed))
}

/// The third word, from the low end: best move (16 bits), depth (16), bound (2), complete (1), age (8). It is never 0, because no
/// bound is.
const DEPTH: u32 = 16;
const BOUND: u32 = 32;
const COMPLETE: u32 = 34;
const AGE: u32 = 40;

fn pack(entry: &Entry, age: u8) -> (u64, u64) {
    let best = entry.best.map_or(NONE, |best| (best as u64).min(NONE));
    let depth = u64::from(entry.depth.min(0xffff));
    let flags = (entry.bound as u64) << BOUND | u64::from(entry.complete) << COMPLETE;
    (entry.value.to_bits(), best | depth << DEPTH | flags | u64::from(age) << AGE)
}

fn unpack(value: u64, rest: u64) -> Entry {
    let best = rest & NONE;
    Entry {
        value: f64::from_bits(value),
        bound: match rest >> BOUND & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        },
        depth: (rest >> DEPTH & 0xffff) as u32,
        complete: rest >> COMPLETE & 1 == 1,
        best: (best != NONE).then_some(best as usize),
    }
}

#[cfg(test)]
mod tests {
    use quintet_game::bits::mix;

    use super::*;

    fn entry(n: u64) -> Entry {
        Entry {
            value: (n as f64).sqrt() - 7.0,
            bound: [Bound::Lower, Bound::Upper, Bound::Exact][n as usize % 3],
            depth: n as u32 % 60,
            complete: n.is_multiple_of(5),
            best: (!n.is_multiple_of(7)).then_some(n as usize),
        }
    }

    #[test]
    fn what_goes_in_comes_out_to_the_last_bit() {
        let table = Table::new(1 << 20);
        for n in 0..1000 {
            table.put(mix(n), &entry(n));
            assert_eq!(table.get(mix(n)), Some(entry(n)));
        }
        assert!((0..1000).filter(|n| table.get(mix(*n)) == Some(entry(*n))).count() > 990);
        assert_eq!(table.get(mix(1000)), None);
        for value in [1e6 - 3.0, -0.1, f64::MIN_POSITIVE, -1e300] {
            table.put(1, &Entry { value, ..entry(1) });
            assert_eq!(table.get(1).map(|entry| entry.value), Some(value));
        }
    }

    #[test]
    fn the_cap_holds_and_one_bucket_is_enough_to_live() {
        for bytes in [0, 95, 96, 1000, 1 << 16, 1_000_000] {
            let table = Table::new(bytes);
            assert!(table.bytes() <= bytes.max(96), "{bytes}");
            for n in 0..100 {
                table.put(mix(n), &entry(n));
            }
            assert_eq!(table.get(mix(99)), Some(entry(99)));
        }
    }

    #[test]
    fn a_table_grows_to_its_cap_and_forgets_little() {
        let cap = 4 << 20;
        let mut table = Table::new(cap);
        let mut before = 0;
        for n in 0..60_000 {
            table.put(mix(n), &entry(n));
            if n % 5000 == 0 {
                table.grow();
                assert!(table.bytes() >= before && table.bytes() <= cap);
                before = table.bytes();
            }
        }
        assert!(4 * table.bytes() >= 3 * cap);
        assert!((0..60_000).filter(|n| table.get(mix(*n)) == Some(entry(*n))).count() > 57_000);
    }

    #[test]
    fn what_is_in_use_is_a_part_of_the_cap() {
        let cap = 4 << 20;
        let mut table = Table::new(cap);
        assert_eq!(table.fill(), 0.0);
        let slots = (cap / size_of::<Slot>()) as f64;
        for n in 0..4000 {
            table.put(mix(n), &entry(n));
        }
        let part = 4000.0 / slots;
        assert!((table.fill() - part).abs() < 0.05 * part, "{} {part}", table.fill());
        // Growing alone changes nothing, except the estimate from a sample.
        let before = table.bytes();
        table.grow();
        assert!(table.bytes() > before && (table.fill() - part).abs() < 0.2 * part, "{} {part}", table.fill());
        for n in 0..500_000 {
            table.put(mix(n), &entry(n));
        }
        assert!(table.fill() > 0.7 && table.fill() <= 1.0, "{}", table.fill());
    }

    #[test]
    fn shallow_and_old_entries_give_way() {
        let mut table = Table::new(96);
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7)] {
            table.put(key, &Entry { depth, ..entry(1) });
        }
        table.put(5, &Entry { depth: 1, ..entry(1) });
        assert_eq!((table.get(2), table.get(5).is_some()), (None, true));
        for _ in 0..3 {
            table.next_age();
        }
        for key in 6..10 {
            table.put(key, &Entry { depth: 2, ..entry(1) });
        }
        assert!((1..6).all(|key| table.get(key).is_none()) && (6..10).all(|key| table.get(key).is_some()));
    }

    #[test]
    fn torn_entries_are_not_found() {
        let table = Table::new(96);
        table.put(3, &entry(3));
        for word in 0..3 {
            for slot in &table.slots {
                slot[word].fetch_xor(1 << 20, Relaxed);
            }
            assert_eq!(table.get(3), None);
            for slot in &table.slots {
                slot[word].fetch_xor(1 << 20, Relaxed);
            }
        }
        assert_eq!(table.get(3), Some(entry(3)));
    }
}
