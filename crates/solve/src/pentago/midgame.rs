//! From the full board back to a position: the value of every move.
//!
//! A slice holds all patterns that can arise k plies after the position: which of the empty cells the side to move has filled
//! (its *own* ones, `k/2` of them) and which the other side (the rest). All successors of patterns with the same *other* cells
//! lie in one row of the next slice, because there these are the own cells of the side to move. So a row is spun only once,
//! however many patterns lead into it, and then every pattern takes the OR of its successors.

use crate::Halt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;

use quintet_game::bits::{each_bit, gather, scatter};
use quintet_game::pentago::{CELLS, Move, Pentago, Position};
use quintet_game::{Game as _, Outcome, Proof};

use super::ways::{Ways, Zeros as _};
use super::{Turns, Twists};

/// The exact values of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// For the side to move.
    pub value: Proof,
    /// Every legal move with its value for the side that makes it.
    pub moves: Vec<(Move, Proof)>,
    /// Patterns searched.
    pub patterns: u64,
}

/// The number of patterns that [`solve`] visits for a position with this many empty cells; its time is proportional.
///
/// ```
/// assert_eq!(quintet_solve::pentago::patterns(16), 20_305_816);
/// ```
#[must_use]
pub fn patterns(empty: u32) -> u64 {
    let slice = |k: u32| choose(empty, k.div_ceil(2)) * choose(empty - k.div_ceil(2), k / 2);
    2 * (1..empty).map(slice).sum::<u64>()
}

/// The bytes that [`solve`] needs for a position with this many empty cells.
///
/// ```
/// use quintet_game::pentago::Pentago;
/// use quintet_solve::pentago::bytes;
/// assert!(bytes(&Pentago::standard(), 18) < 700_000_000);
/// assert!(bytes(&Pentago::twist(), 14) < 700_000_000);
/// ```
#[must_use]
pub fn bytes(game: &Pentago, empty: u32) -> u64 {
    let set = if game.mirrors() { size_of::<Twists>() } else { size_of::<Turns>() } as u64;
    let slice = |k: u32| set * choose(empty, k.div_ceil(2)) * choose(empty - k.div_ceil(2), k / 2);
    let longest = |evenness| (1..empty).filter(|k| k % 2 == evenness).map(slice).max().unwrap_or(0);
    let tables = (4 * set + 4) << empty;
    longest(0) + longest(1) + tables
}

/// The exact value of a position that is not over, and of each of its moves. [`bytes`] is the memory it needs, and
/// [`patterns`] a measure of its time. `None` if `stop`, which is polled, returned true.
///
/// # Panics
/// With more than 22 empty cells.
///
/// ```
/// use quintet_game::{Notation, pentago::Pentago};
/// use quintet_solve::pentago::solve;
/// let game = Pentago::standard();
/// let pos = game.read_position("xxooxx/ooxxoo/xxooxx/ooxxoo/xxooxx/oo.... x").unwrap();
/// let solution = solve(&game, &pos, 1, &|| false).unwrap();
/// assert_eq!(solution.moves.iter().map(|(_, value)| *value).max(), Some(solution.value));
/// ```
#[must_use]
pub fn solve(game: &Pentago, position: &Position, threads: usize, halt: Halt) -> Option<Solution> {
    if game.mirrors() {
        solve_by::<Twists>(game, position, threads, true, halt)
    } else {
        solve_by::<Turns>(game, position, threads, true, halt)
    }
}

/// The same with only the moves that keep the value: if one wins, that takes half the time.
///
/// # Panics
/// With more than 22 empty cells.
#[must_use]
pub fn best(game: &Pentago, position: &Position, threads: usize, halt: Halt) -> Option<Solution> {
    let mut solution = if game.mirrors() {
        solve_by::<Twists>(game, position, threads, false, halt)?
    } else {
        solve_by::<Turns>(game, position, threads, false, halt)?
    };
    solution.moves.retain(|(_, value)| *value == solution.value);
    Some(solution)
}

/// In how many plies the game ends after each move of a solution if the winner hurries and the loser delays; `None` for a
/// draw. The position is solved again with nearer and nearer ends: wins that are a few plies away take little time, and far
/// ones several times that of [`solve`]. `None` if `halt` returned true.
///
/// # Panics
/// With more than 22 empty cells.
#[must_use]
pub fn distances(
    game: &Pentago,
    position: &Position,
    solution: &Solution,
    threads: usize,
    halt: Halt,
) -> Option<Vec<Option<u32>>> {
    if game.mirrors() {
        distances_by::<Twists>(game, position, solution, threads, halt)
    } else {
        distances_by::<Turns>(game, position, solution, threads, halt)
    }
}

fn distances_by<W: Ways>(
    game: &Pentago,
    position: &Position,
    solution: &Solution,
    threads: usize,
    halt: Halt,
) -> Option<Vec<Option<u32>>> {
    let over = |mv| {
        let mut after = *position;
        game.play(&mut after, mv);
        game.outcome(&after).is_some()
    };
    let mut plies: Vec<Option<u32>> =
        solution.moves.iter().map(|&(mv, value)| (over(mv) && value != Proof::Draw).then_some(1)).collect();
    let board = Board::<W>::new(game, position, threads);
    let slices = [0, 1].map(|evenness| Slice::<W>::new(board.longest(evenness)));
    for end in 2..=board.count() {
        for (kind, value) in [(Kind::Win, Proof::Win), (Kind::Hold, Proof::Loss)] {
            let open = |plies: Option<u32>, (_, known): &(Move, Proof)| plies.is_none() && *known == value;
            if !plies.iter().zip(&solution.moves).any(|(plies, mv)| open(*plies, mv)) {
                continue;
            }
            // With one set for both questions, a move that does not win counts as lost, and vice versa.
            let bits = board.chain(kind, end, &slices, halt)?;
            let rated = board.rated(game, position, &bits, &bits);
            for ((plies, mv), (_, now)) in plies.iter_mut().zip(&solution.moves).zip(rated) {
                if open(*plies, mv) && now == value {
                    *plies = Some(end);
                }
            }
        }
    }
    Some(plies)
}

/// Without `all`, moves that do not win need not be distinguished if another one wins.
fn solve_by<W: Ways>(game: &Pentago, position: &Position, threads: usize, all: bool, halt: Halt) -> Option<Solution> {
    let board = Board::<W>::new(game, position, threads);
    // One chain of slices determines who wins, the other who does not lose.
    let slices = [0, 1].map(|evenness| Slice::<W>::new(board.longest(evenness)));
    let wins = board.chain(Kind::Win, board.count(), &slices, halt)?;
    let rated = board.rated(game, position, &wins, &wins);
    let won = rated.iter().any(|(_, value)| *value == Proof::Win);
    if won && !all {
        return Some(Solution { value: Proof::Win, moves: rated, patterns: patterns(board.count()) / 2 });
    }
    let holds = board.chain(Kind::Hold, board.count(), &slices, halt)?;
    let moves = board.rated(game, position, &wins, &holds);
    let value = moves.iter().map(|&(_, value)| value).max().expect("a position that is not over");
    Some(Solution { value, moves, patterns: patterns(board.count()) })
}

/// The meaning of a bit of a slice.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The side to move wins.
    Win,
    /// The side to move does not lose.
    Hold,
}

impl Kind {
    fn other(self) -> Kind {
        if self == Kind::Win { Kind::Hold } else { Kind::Win }
    }
}

/// The answers of one slice: rows by own cells, columns by the other side's cells among the rest.
struct Slice<W> {
    words: Vec<AtomicU64>,
    kind: PhantomData<W>,
}

impl<W: Ways> Slice<W> {
    const WORDS: usize = size_of::<W>() / 8;

    fn new(len: u64) -> Slice<W> {
        let mut zeros = ManuallyDrop::new(vec![0u64; Self::WORDS * len as usize]);
        // SAFETY: an atomic word is a word, and the vector is not used again. Fresh zeros need not be written one by one.
        let words = unsafe { Vec::from_raw_parts(zeros.as_mut_ptr().cast(), zeros.len(), zeros.capacity()) };
        Slice { words, kind: PhantomData }
    }

    fn room(&self, at: usize) -> &[AtomicU64] {
        &self.words[Self::WORDS * at..Self::WORDS * (at + 1)]
    }

    #[inline]
    fn get(&self, at: usize) -> W {
        let mut words = W::Words::zeros();
        for (word, kept) in words.as_mut().iter_mut().zip(self.room(at)) {
            *word = kept.load(Ordering::Relaxed);
        }
        W::from_words(words)
    }

    #[inline]
    fn put(&self, at: usize, ways: W) {
        for (word, kept) in ways.words().as_ref().iter().zip(self.room(at)) {
            kept.store(*word, Ordering::Relaxed);
        }
    }
}

/// A position with everything that its solution needs repeatedly.
struct Board<W> {
    placement_wins: bool,
    threads: usize,
    /// The empty cells, by number.
    empty: Vec<u32>,
    /// By player (the side to move first), parity and filled cells: where the player has a five.
    fives: [[Vec<W>; 2]; 2],
    /// The rank of every set of empty cells among those of its size.
    ranks: Vec<u32>,
}

impl<W: Ways> Board<W> {
    fn new(game: &Pentago, position: &Position, threads: usize) -> Board<W> {
        let mover = game.to_move(position);
        let sides = [mover, mover.other()].map(|player| position.side(player));
        let cells = CELLS & !(sides[0] | sides[1]);
        let mut empty = Vec::new();
        each_bit(cells, |cell| empty.push(cell));
        assert!(empty.len() <= 22, "too many empty cells");
        let sets = 1usize << empty.len();
        let most = empty.len().div_ceil(2) as u32;
        let part = sets.div_ceil(threads);
        let fives = sides.map(|side| {
            let fill = |number: usize, even: &mut [W], odd: &mut [W]| {
                for (at, (even, odd)) in even.iter_mut().zip(odd).enumerate() {
                    let set = (number * part + at) as u64;
                    if set.count_ones() <= most {
                        [*even, *odd] = W::fives().of(side | scatter(set, cells));
                    }
                }
            };
            let mut both = [vec![W::NONE; sets], vec![W::NONE; sets]];
            let [even, odd] = &mut both;
            let mut parts = even.chunks_mut(part).zip(odd.chunks_mut(part)).enumerate();
            let own = parts.next();
            thread::scope(|scope| {
                for (number, (even, odd)) in parts {
                    scope.spawn(move || fill(number, even, odd));
                }
                // One thread works alone, also where no others can be started.
                if let Some((number, (even, odd))) = own {
                    fill(number, even, odd);
                }
            });
            both
        });
        Board { placement_wins: game.placement_wins(), threads, fives, ranks: ranks(empty.len() as u32), empty }
    }

    /// All moves with their values, from the opponent's answers after the first cell: where the opponent does not
    /// lose, and where the opponent wins.
    fn rated(&self, game: &Pentago, position: &Position, holds: &[W], wins: &[W]) -> Vec<(Move, Proof)> {
        let value = |mv: Move| {
            let mut after = *position;
            game.play(&mut after, mv);
            match game.outcome(&after) {
                Some(Outcome::Win(player)) if player == game.to_move(position) => return Proof::Win,
                Some(Outcome::Win(_)) => return Proof::Loss,
                Some(Outcome::Draw) => return Proof::Draw,
                None => {}
            }
            let column = self.empty.iter().position(|&cell| 1 << cell == mv.marble()).expect("an empty cell");
            let spin = mv.spin().expect("a move that does not end the game turns");
            let mut r = [0; 4];
            r[spin / 2] = W::spun(0, spin % 2);
            match (holds[column].has(r), wins[column].has(r)) {
                (false, _) => Proof::Win,
                (true, false) => Proof::Draw,
                (true, true) => Proof::Loss,
            }
        };
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        moves.into_iter().map(|mv| (mv, value(mv))).collect()
    }

    fn count(&self) -> u32 {
        self.empty.len() as u32
    }

    fn slice_len(&self, k: u32) -> u64 {
        choose(self.count(), k.div_ceil(2)) * choose(self.count() - k.div_ceil(2), k / 2)
    }

    /// The length of the longest slice that is an even or an odd number of plies from here.
    fn longest(&self, evenness: u32) -> u64 {
        (1..self.count()).filter(|k| k % 2 == evenness).map(|k| self.slice_len(k)).max().unwrap_or(0)
    }

    /// From the end back to the slice after the first move, whose bits, by the first cell, say what is not `kind` of the
    /// position. The end is the full board, or this many plies from here: games that are not over then count as drawn. The
    /// two slices are working space.
    fn chain(&self, kind: Kind, plies: u32, slices: &[Slice<W>; 2], halt: Halt) -> Option<Vec<W>> {
        let [even, odd] = slices;
        let stopped = AtomicBool::new(false);
        for k in (1..plies).rev() {
            let (slice, next) = if k % 2 == 0 { (even, odd) } else { (odd, even) };
            let next = (k + 1 < plies).then_some(next);
            self.fill(k, if k % 2 == 0 { kind } else { kind.other() }, slice, next, (halt, &stopped));
            if stopped.load(Ordering::Relaxed) {
                return None;
            }
        }
        let first = if self.count() > 1 { self.count() as usize } else { 0 };
        Some((0..first).map(|cell| odd.get(cell)).collect())
    }

    /// Fills slice `k` from the next one; without a next one, the board is full then.
    fn fill(
        &self,
        k: u32,
        kind: Kind,
        slice: &Slice<W>,
        next: Option<&Slice<W>>,
        (halt, stopped): (Halt, &AtomicBool),
    ) {
        let (own, other) = (k / 2, k.div_ceil(2));
        let rest = self.count() - other;
        let shapes = Shapes { below: sets(rest, own), above: sets(rest, own + 1), up: ups(rest, own) };
        let rows = sets(self.count(), other);
        let taken = AtomicUsize::new(0);
        let work = || {
            let mut turned = vec![W::NONE; shapes.above.len()];
            while let Some(&row) = rows.get(taken.fetch_add(1, Ordering::Relaxed)) {
                if stopped.load(Ordering::Relaxed) || halt() {
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
                self.row(k, kind, row, &shapes, (slice, next), &mut turned);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads.min(rows.len()) {
                scope.spawn(work);
            }
            work();
        });
    }

    /// All patterns in which the other side has filled the cells of `row`.
    fn row(
        &self,
        k: u32,
        kind: Kind,
        row: u32,
        shapes: &Shapes,
        (slice, next): (&Slice<W>, Option<&Slice<W>>),
        turned: &mut [W],
    ) {
        let free = !u64::from(row) & ((1 << self.count()) - 1);
        let now = k as usize % 2;
        let (mover, opponent) = (now, 1 - now);
        let held = !self.fives[opponent][1 - now][row as usize];
        let start = self.ranks[row as usize] as usize * shapes.above.len();
        for (at, (&above, turned)) in shapes.above.iter().zip(turned.iter_mut()).enumerate() {
            let filled = scatter(above.into(), free) as usize;
            let made = self.fives[mover][1 - now][filled];
            // On a full board nobody can win or lose any more.
            let good = match (kind, next) {
                (Kind::Win, Some(next)) => held & (made | !next.get(start + at)),
                (Kind::Win, None) => held & made,
                (Kind::Hold, Some(next)) => made | (held & !next.get(start + at)),
                (Kind::Hold, None) => made | held,
            };
            let placed = if self.placement_wins { self.fives[mover][now][filled] } else { W::NONE };
            *turned = good.around(now) | placed;
        }
        let width = choose(self.count() - (k / 2), k.div_ceil(2)) as usize;
        for (&below, up) in shapes.below.iter().zip(shapes.up.chunks_exact(self.empties_after(k))) {
            let filled = scatter(below.into(), free);
            let answer = up.iter().fold(W::NONE, |all, &above| all | turned[above as usize]);
            let column = self.ranks[gather(row.into(), !filled) as usize];
            slice.put(self.ranks[filled as usize] as usize * width + column as usize, answer);
        }
    }

    fn empties_after(&self, k: u32) -> usize {
        (self.count() - k) as usize
    }
}

/// Subsets of the cells outside a row, the same for all rows: those before a marble, those after it, and which of the
/// latter each of the former leads to.
struct Shapes {
    below: Vec<u32>,
    above: Vec<u32>,
    up: Vec<u32>,
}

/// The subsets of `n` cells with `size` elements, by rank.
fn sets(n: u32, size: u32) -> Vec<u32> {
    let mut sets: Vec<u32> = (0..1u32 << n).filter(|set| set.count_ones() == size).collect();
    sets.shrink_to_fit();
    sets
}

/// The rank of each subset of `n` cells among those of its size.
fn ranks(n: u32) -> Vec<u32> {
    let mut next = vec![0; n as usize + 1];
    (0..1u32 << n)
        .map(|set| {
            let next = &mut next[set.count_ones() as usize];
            *next += 1;
            *next - 1
        })
        .collect()
}

/// For each subset with `size` elements, the ranks of those with one more.
fn ups(n: u32, size: u32) -> Vec<u32> {
    let ranks = ranks(n);
    let mut ups = Vec::new();
    for set in sets(n, size) {
        each_bit(!u64::from(set) & ((1 << n) - 1), |cell| ups.push(ranks[(set | 1 << cell) as usize]));
    }
    ups
}

fn choose(n: u32, k: u32) -> u64 {
    (0..u64::from(k)).fold(1, |all, i| all * (u64::from(n) - i) / (i + 1))
}
