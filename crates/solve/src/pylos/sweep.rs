//! Sweeps over all positions until nothing changes.
//!
//! A placed ball raises the number of balls, a raised one the sum of levels; only take-backs go down again. So one sweep from
//! many balls to few, and within that from high to low, settles every position that needs no take-back, and a few dozen sweeps
//! settle the rest. Whatever is known at any time is true: a position is marked won when a child is known to be lost, and lost
//! when all children are known to be won; distances start too large and only shrink. The fixed point of the distances is
//! unique, so the result does not depend on the order in which the threads worked, nor on interruptions.
//!
//! Later sweeps visit less. If a sweep has written no distance below `n`, then all distances below `n` were unchanged while
//! everything that may depend on them was visited. Hence they are final: a win in `d` has a child that is lost in `d - 1`, which
//! is final, and the children of a loss in `d` are all nearer. From then on entries below `n` are skipped.
//!
//! For one sweep, entries of `n`, `n + 1` and `n + 2` are skipped too. A win or a loss only ever becomes nearer, by at least two
//! plies since its parity stays; this happens because a child came nearer, to a distance that is one less. Everything written
//! since an entry was last visited (or skipped for this very reason) is at least `n`: in the last sweep by the choice of `n`, in
//! this one by induction. So an entry that changes becomes at least `n + 1`, and was at least `n + 3` before. Undecided entries
//! are always visited.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use quintet_game::Stop;
use quintet_game::bits::scatter;
use quintet_game::pylos::{BALLS, Pylos};

use super::family::{Family, stored, successors};
use super::index::{Block, Index, following, unrank};
use crate::code::{DRAW, LOST, distance, parent};

/// Positions whose children are fetched together.
const BATCH: usize = 32;
/// Entries that a thread takes at a time.
const PIECE: u32 = 1 << 17;

/// The progress of a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweepState {
    /// The number of the sweep, from 1.
    pub sweep: u32,
    /// Entries that this sweep has finished, visited or skipped.
    pub done: u64,
    /// Entries that it visited.
    pub looked: u64,
    /// Entries that it changed.
    pub changed: u64,
    /// Entries that are fewer plies than this from the end were final before it began.
    pub settled: u8,
}

/// What was done in one layer.
#[derive(Default)]
struct Layer {
    looked: u64,
    changed: u64,
    /// The pieces with changed entries.
    pieces: Vec<Range<u32>>,
}

/// Solves one set of rules into a table that the caller owns.
pub struct Solver<'a> {
    index: &'a Index,
    game: &'a Pylos,
    table: &'a [AtomicU8],
    /// The first block of every class.
    class_blocks: Vec<u32>,
    successors: Vec<Vec<u16>>,
    /// When a block was last changed and last visited, in ticks of one layer.
    changed: Vec<AtomicU32>,
    looked: Vec<AtomicU32>,
    tick: u32,
    sweeps: u32,
    /// Entries that are fewer plies than this from the end are final.
    settled: u8,
    /// The least distance that this sweep has written.
    nearest: AtomicU8,
    /// Blocks before this one are skipped.
    least: usize,
}

impl<'a> Solver<'a> {
    /// Continues from the content of `table`: zeros, or what any earlier sweep of the same rules has left.
    #[must_use]
    pub fn new(index: &'a Index, game: &'a Pylos, table: &'a [AtomicU8], threads: usize) -> Solver<'a> {
        assert_eq!(table.len(), index.entries() as usize, "one byte per entry");
        let mut class_blocks = vec![u32::MAX; index.classes().len()];
        for (number, block) in index.blocks().iter().enumerate() {
            let first = &mut class_blocks[block.class as usize];
            *first = (*first).min(number as u32);
        }
        let fresh = || index.blocks().iter().map(|_| AtomicU32::new(0)).collect::<Vec<_>>();
        let successors = all_successors(index, game, threads);
        Solver {
            index,
            game,
            table,
            class_blocks,
            successors,
            changed: fresh(),
            looked: fresh(),
            tick: 0,
            sweeps: 0,
            settled: 0,
            nearest: AtomicU8::new(u8::MAX),
            least: 0,
        }
    }

    /// One sweep over everything that may have changed. Between layers `report` is told how far it is, and ranges that
    /// include all entries that the layer has changed. Returns what was done; a sweep that changed nothing is the last one.
    /// `None` if `stop` was set before the end.
    ///
    /// # Errors
    /// The first error of `report`.
    pub fn sweep<E>(
        &mut self,
        threads: usize,
        stop: &Stop,
        mut report: impl FnMut(SweepState, &[Range<u32>]) -> Result<(), E>,
    ) -> Result<Option<SweepState>, E> {
        self.sweeps += 1;
        let mut state = SweepState { sweep: self.sweeps, settled: self.settled, ..SweepState::default() };
        let index = self.index;
        let layer = |block: &Block| {
            let class = &index.classes()[block.class as usize];
            (class.balls, class.height)
        };
        let mut end = index.blocks().len();
        while end > self.least {
            let of = layer(&index.blocks()[end - 1]);
            let start = index.blocks().partition_point(|block| layer(block) < of);
            self.tick += 1;
            let layer = self.layer(start..end, threads, stop);
            state.looked += layer.looked;
            state.changed += layer.changed;
            state.done += index.blocks()[start..end].iter().map(|block| u64::from(block.len)).sum::<u64>();
            report(state, &layer.pieces)?;
            if stop.stopped() {
                return Ok(None);
            }
            end = start;
        }
        self.settled = std::mem::replace(self.nearest.get_mut(), u8::MAX);
        Ok(Some(state))
    }

    /// Makes the next sweep visit everything, even what is considered final.
    pub fn doubt(&mut self) {
        self.looked.iter_mut().for_each(|looked| *looked.get_mut() = 0);
        self.settled = 0;
    }

    /// Entries nearer to the end than this cannot change any more.
    fn open(&self) -> u8 {
        if self.settled == 0 { 0 } else { self.settled.saturating_add(3) }
    }

    fn layer(&self, blocks: Range<usize>, threads: usize, stop: &Stop) -> Layer {
        let mut pieces = Vec::new();
        for number in blocks {
            if self.stale(number) {
                self.looked[number].store(self.tick, Ordering::Relaxed);
                let len = self.index.blocks()[number].len;
                pieces.extend((0..len).step_by(PIECE as usize).map(|from| (number, from, len.min(from + PIECE))));
            }
        }
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Layer::default()));
        let work = || {
            let mut batch = Batch::default();
            while let Some(&(number, from, to)) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stop.stopped() {
                    return;
                }
                let block = self.index.blocks()[number];
                let (looked, changed) = self.look(block, from, to, &mut batch);
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                done.looked += looked;
                done.changed += changed;
                if changed > 0 {
                    self.changed[number].store(self.tick, Ordering::Relaxed);
                    done.pieces.push(block.first + from..block.first + to);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads.min(pieces.len()) {
                scope.spawn(work);
            }
            work();
        });
        done.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// May visiting the block change something: was it never visited, or has a block that it leads to changed since (or
    /// during) its last visit?
    fn stale(&self, number: usize) -> bool {
        let looked = self.looked[number].load(Ordering::Relaxed);
        let block = self.index.blocks()[number];
        let other = self.index.classes()[block.class as usize].balls - block.own;
        looked == 0
            || self.successors[block.class as usize].iter().any(|&class| {
                let balls = self.index.classes()[usize::from(class)].balls;
                let least = balls.saturating_sub(BALLS);
                (least..=balls.min(BALLS)).contains(&other) && {
                    let child = self.class_blocks[usize::from(class)] + other - least;
                    self.changed[child as usize].load(Ordering::Relaxed) >= looked
                }
            })
    }

    /// Visits some entries of a block again; how many did it visit, and how many changed?
    fn look(&self, block: Block, from: u32, to: u32, batch: &mut Batch) -> (u64, u64) {
        let family = Family::new(self.index, self.game, block);
        let cells = self.index.classes()[block.class as usize].cells;
        let entries = &self.table[(block.first + from) as usize..(block.first + to) as usize];
        let (mut looked, mut changed, mut nearest, open) = (0, 0, u8::MAX, self.open());
        let mut write = |entry: &AtomicU8, code: u8| {
            if entry.load(Ordering::Relaxed) != stored(code) {
                entry.store(stored(code), Ordering::Relaxed);
                changed += 1;
                nearest = nearest.min(distance(code));
            }
        };
        if let Some(code) = family.known {
            entries.iter().for_each(|entry| write(entry, code));
            looked = entries.len() as u64;
        } else {
            let mut set = unrank(from, block.own);
            for entries in entries.chunks(BATCH) {
                batch.clear();
                for (at, entry) in entries.iter().enumerate() {
                    if distance(stored(entry.load(Ordering::Relaxed))) >= open {
                        family.each_child(scatter(set.into(), cells), |child| batch.push(child, self.table));
                        batch.next(at);
                    }
                    set = following(set);
                }
                for (at, children) in batch.each() {
                    let codes =
                        children.iter().map(|&child| stored(self.table[child as usize].load(Ordering::Relaxed)));
                    write(&entries[at], codes.min().map_or(LOST, parent));
                    looked += 1;
                }
            }
        }
        self.nearest.fetch_min(nearest, Ordering::Relaxed);
        (looked, changed)
    }
}

fn all_successors(index: &Index, game: &Pylos, threads: usize) -> Vec<Vec<u16>> {
    let classes = index.classes().len();
    let part = classes.div_ceil(threads);
    thread::scope(|scope| {
        let handles: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    let mut seen = Vec::new();
                    let own = thread * part..classes.min((thread + 1) * part);
                    own.map(|class| successors(index, game, class as u32, &mut seen)).collect::<Vec<_>>()
                })
            })
            .collect();
        handles.into_iter().flat_map(|handle| handle.join().expect("no panic among the successors")).collect()
    })
}

/// The children of some positions, prefetched so that memory accesses overlap.
#[derive(Default)]
struct Batch {
    children: Vec<u32>,
    /// The index in the batch, and where the position's children end.
    ends: Vec<(usize, usize)>,
}

impl Batch {
    fn clear(&mut self) {
        self.children.clear();
        self.ends.clear();
    }

    #[inline]
    fn push(&mut self, child: u32, table: &[AtomicU8]) {
        prefetch(&table[child as usize]);
        self.children.push(child);
    }

    /// Ends the children of the position at `at`.
    fn next(&mut self, at: usize) {
        self.ends.push((at, self.children.len()));
    }

    fn each(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|&(_, end)| end));
        starts.zip(&self.ends).map(|(start, &(at, end))| (at, &self.children[start..end]))
    }
}

#[inline]
fn prefetch(entry: &AtomicU8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of x86-64, and a prefetch of any address is harmless.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(entry.as_ptr().cast_const().cast(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = entry;
}

const _: () = assert!(stored(DRAW) == 0, "in a fresh file of zeros everything is unknown");

#[cfg(test)]
pub(super) mod tests {
    use std::collections::HashMap;

    use quintet_game::pylos::Position;
    use quintet_game::{Game as _, GameSpec, Outcome, Player, Value};

    use super::*;
    use crate::code::{DRAW as UNKNOWN, code, from_code};

    fn rules(text: &str) -> Pylos {
        Pylos::of(&GameSpec::parse(text).unwrap())
    }

    /// Perfect play by the rules of the game alone, to the very end.
    pub fn searched(game: &Pylos, position: Position, known: &mut HashMap<Position, Value>) -> Value {
        if let Some(outcome) = game.outcome(&position) {
            return if outcome == Outcome::Win(game.to_move(&position)) { Value::win_in(0) } else { Value::loss_in(0) };
        }
        if let Some(&value) = known.get(&position) {
            return value;
        }
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let children: Vec<Value> = moves
            .into_iter()
            .map(|mv| {
                let mut child = position;
                game.play(&mut child, mv);
                searched(game, child, known)
            })
            .collect();
        let value = Value::of_children(children);
        known.insert(position, value);
        value
    }

    /// The last slices of the game without take-backs, which only goes upwards: the table against a forward search.
    #[test]
    fn late_slices_agree_with_a_search_from_the_front() {
        for spec in ["pylos(rules=children)", "pylos(rules=children,end=spent)"] {
            let (index, game) = (Index::new(), rules(spec));
            let table: Vec<AtomicU8> = {
                let mut zeros = std::mem::ManuallyDrop::new(vec![0u8; index.entries() as usize]);
                // SAFETY: an atomic byte is a byte; the vector is not used again. Pages that are never written take no memory.
                unsafe { Vec::from_raw_parts(zeros.as_mut_ptr().cast(), zeros.len(), zeros.capacity()) }
            };
            let mut solver = Solver::new(&index, &game, &table, 2);
            let classes = index.classes();
            solver.least = index.blocks().partition_point(|block| classes[block.class as usize].balls < 28);
            while solver.sweep(2, &Stop::never(), |_, _| Ok::<_, ()>(())).unwrap().unwrap().changed > 0 {}
            let first = index.blocks()[solver.least].first;
            let mut known = HashMap::new();
            for sample in 0..20_000u64 {
                let random = (quintet_game::bits::mix(sample) >> 32) as u32;
                let entry = first + quintet_game::bits::scale(random, index.entries() - first);
                let (own, other) = index.position(entry);
                let position = Position::new([own, other], Player::First).unwrap();
                let told = from_code(stored(table[entry as usize].load(Ordering::Relaxed)));
                assert_eq!(told, searched(&game, position, &mut known), "{spec}: {position:?}");
                assert_ne!(code(told), UNKNOWN);
            }
        }
    }

    #[test]
    fn children_are_those_of_the_rules() {
        let index = Index::new();
        for spec in [
            "pylos(rules=children)",
            "pylos",
            "pylos(rules=expert)",
            "pylos(rules=expert-diag)",
            "pylos(rules=expert,takeback=free)",
            "pylos(end=spent)",
        ] {
            let game = rules(spec);
            let mut moves = Vec::new();
            let mut compared = 0;
            for sample in 0..20_000u64 {
                let random = quintet_game::bits::mix(sample ^ 0x5eed);
                // Entries from every block equally: the last few blocks have most of the entries.
                let block = index.blocks()[random as usize % index.blocks().len()];
                let entry = block.first + (random >> 40) as u32 % block.len;
                let (own, other) = index.position(entry);
                let position = Position::new([own, other], Player::First).unwrap();
                let family = Family::new(&index, &game, block);
                if family.known.is_some() || game.outcome(&position).is_some() {
                    continue;
                }
                moves.clear();
                game.moves(&position, &mut moves);
                let mut right: Vec<u32> = moves
                    .iter()
                    .map(|&mv| {
                        let mut child = position;
                        game.play(&mut child, mv);
                        index.entry(child.balls(Player::Second), child.balls(Player::First))
                    })
                    .collect();
                let mut found = Vec::new();
                family.each_child(own, |child| found.push(child));
                right.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, right, "{spec}: {position:?}");
                // Whatever a position leads to is among the successors of its class.
                let after = successors(&index, &game, block.class, &mut Vec::new());
                for child in found {
                    let at = index.blocks().partition_point(|block| block.first <= child) - 1;
                    assert!(after.contains(&(index.blocks()[at].class as u16)), "{spec}: {position:?}");
                }
                compared += 1;
                if compared == 2000 {
                    break;
                }
            }
            assert_eq!(compared, 2000, "{spec}");
        }
    }
}
