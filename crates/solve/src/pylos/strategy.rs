//! A winning strategy for the player who can win, small enough to ship.
//!
//! The table of a game has 2.26 billion entries; winning from the start needs few of them. A [`Strategy`] holds positions that
//! are lost for their side to move and that the winner can always reach: from the start, and after every answer to one of
//! them. It always takes the shortest win, so the end comes nearer with every move and nothing repeats. The last plies are not
//! included: [`Near`](super::Near) finds such close wins instantly.
//!
//! ```no_run
//! use std::path::Path;
//! use quintet_game::GameSpec;
//! use quintet_solve::pylos::{Strategy, Table};
//! let game = GameSpec::parse("pylos(rules=children)").unwrap();
//! let table = Table::open(Path::new("tables"), &game).unwrap();
//! let strategy = Strategy::extract(&game, &table, 13, |_| ()).unwrap().expect("one of the players wins");
//! std::fs::write("children.strategy", strategy.write(&game)).unwrap();
//! ```

use std::sync::Arc;

use quintet_game::pylos::{Move, Position, Pylos};
use quintet_game::{Game as _, GameSpec, Proof, Value};
use sha2::{Digest as _, Sha256};

use super::{Index, Table, TableError};
use crate::code::{code, distance};

/// Positions into which the winner moves, by their entries in the index of all positions.
pub struct Strategy {
    pub(super) game: Pylos,
    pub(super) index: Arc<Index>,
    near: u8,
    /// In order, each with the plies to its end.
    positions: Vec<(u32, u8)>,
}

/// Why bytes are not a strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a strategy of {game}: {why}")]
pub struct StrategyError {
    game: String,
    why: &'static str,
}

const MAGIC: &str = "quintet strategy of pylos, format 1";
/// Bits of a distance.
const DISTANCE: u32 = 7;

impl Strategy {
    /// Extracts from a table what the winner needs. Wins of at most `near` plies are left to a search. `None` if the game is drawn.
    ///
    /// `report` is told the number of positions so far.
    ///
    /// # Errors
    /// If the table is damaged, or cannot be read.
    pub fn extract(
        game: &GameSpec,
        table: &Table,
        near: u8,
        report: impl FnMut(usize),
    ) -> Result<Option<Strategy>, TableError> {
        let game = Pylos::of(game);
        let start = game.start();
        Strategy::from_start(game, start, near, |position| table.value(position), report)
    }

    fn from_start<E>(
        game: Pylos,
        start: Position,
        near: u8,
        value_of: impl Fn(&Position) -> Result<Value, E>,
        mut report: impl FnMut(usize),
    ) -> Result<Option<Strategy>, E> {
        let index = Arc::new(Index::new());
        let (mut chosen, mut asked) = (EntrySet::new(index.entries()), EntrySet::new(index.entries()));
        let mut positions = Vec::new();
        // The position into which the winner moves, if that is a new one.
        let mut answer = |won: &Position| {
            let value = value_of(won)?;
            assert!(value.is_win(), "a lost position leads to won ones");
            let plies = distance(code(value));
            if plies <= near || !asked.insert(entry(&game, &index, won)) {
                return Ok(None);
            }
            let mut shortest = Vec::new();
            for child in children(&game, won) {
                if value_of(&child)? == Value::loss_in((plies - 1).into()) {
                    shortest.push(child);
                }
            }
            let best = shortest.into_iter().min_by_key(|child| {
                let entry = entry(&game, &index, child);
                // A position that is already included costs nothing; one with few answers costs least later on.
                (!chosen.contains(entry), children(&game, child).count(), entry)
            });
            let best = best.expect("a won position leads to a lost one that is a ply nearer");
            let entry = entry(&game, &index, &best);
            Ok(chosen.insert(entry).then(|| {
                positions.push((entry, plies - 1));
                if positions.len().is_multiple_of(1 << 12) {
                    report(positions.len());
                }
                best
            }))
        };
        let mut front: Vec<Position> = match value_of(&start)?.proof {
            Proof::Win => answer(&start)?.into_iter().collect(),
            Proof::Draw => return Ok(None),
            Proof::Loss => vec![start],
        };
        while let Some(lost) = front.pop() {
            for won in children(&game, &lost) {
                front.extend(answer(&won)?);
            }
        }
        positions.sort_unstable();
        Ok(Some(Strategy { game, index, near, positions }))
    }

    /// The number of its positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Wins of at most this many plies are not included.
    #[must_use]
    pub fn near(&self) -> u8 {
        self.near
    }

    /// A move into the nearest of its positions, and in how many plies it wins. `None` if there is none: the position is not
    /// covered, or the win is near.
    #[must_use]
    pub fn answer(&self, position: &Position) -> Option<(Move, u8)> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let known = moves.into_iter().filter_map(|mv| {
            let mut after = *position;
            self.game.play(&mut after, mv);
            if self.game.outcome(&after).is_some() {
                return None;
            }
            let entry = entry(&self.game, &self.index, &after);
            let at = self.positions.binary_search_by_key(&entry, |&(entry, _)| entry).ok()?;
            Some((mv, self.positions[at].1 + 1))
        });
        known.min_by_key(|&(_, plies)| plies)
    }

    /// The form of a file: three lines of text, then for every position the gap from the last entry to its own, as ones for its
    /// high part, a zero, and its low bits, and seven bits for its distance.
    #[must_use]
    pub fn write(&self, game: &GameSpec) -> Vec<u8> {
        let low = low_bits(self.positions.len(), self.index.entries());
        let mut bits = Bits::default();
        let mut last = 0;
        for &(entry, plies) in &self.positions {
            let gap = entry - last;
            (0..gap >> low).for_each(|_| bits.push(1, 1));
            bits.push(0, 1);
            bits.push(gap & ((1 << low) - 1), low);
            bits.push(plies.into(), DISTANCE);
            last = entry;
        }
        let sum: String = Sha256::digest(&bits.bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let count = self.positions.len();
        let head = format!("{MAGIC}\ngame: {game}; near: {}; positions: {count}\nsha256: {sum}\n", self.near);
        [head.into_bytes(), bits.bytes].concat()
    }

    /// Reads what [`Strategy::write`] wrote.
    ///
    /// # Errors
    /// If the bytes are not a strategy, belong to another game, or are damaged.
    pub fn read(game: &GameSpec, bytes: &[u8]) -> Result<Strategy, StrategyError> {
        let wrong = |why| StrategyError { game: game.to_string(), why };
        let mut parts = bytes.splitn(4, |&byte| byte == b'\n');
        let mut line = || parts.next().and_then(|line| std::str::from_utf8(line).ok());
        if line() != Some(MAGIC) {
            return Err(wrong("its first line is not that of a strategy"));
        }
        let of = line().and_then(|line| line.strip_prefix(&format!("game: {game}; near: ")));
        let numbers = of.ok_or_else(|| wrong("it belongs to another game"))?.split_once("; positions: ");
        let numbers = numbers.and_then(|(near, count)| Some((near.parse().ok()?, count.parse().ok()?)));
        let (near, count): (u8, usize) = numbers.ok_or_else(|| wrong("its second line is malformed"))?;
        let sum = line().and_then(|line| line.strip_prefix("sha256: ")).map(str::to_owned);
        let bits = parts.next().unwrap_or_default();
        if sum != Some(Sha256::digest(bits).iter().map(|byte| format!("{byte:02x}")).collect()) {
            return Err(wrong("its checksum is not that of its content"));
        }
        let index = Arc::new(Index::new());
        let low = low_bits(count, index.entries());
        let mut bits = Reader { bytes: bits, at: 0 };
        // As many as the bits may hold, whatever the second line says.
        let mut positions = Vec::with_capacity(count.min(bits.bytes.len()));
        let mut last = 0u32;
        let mut take = |count| bits.take(count).ok_or_else(|| wrong("it ends too early"));
        let within = |entry: Option<u32>| {
            entry.filter(|&entry| entry < index.entries()).ok_or_else(|| wrong("it names positions that do not exist"))
        };
        for _ in 0..count {
            while take(1)? == 1 {
                last = within(last.checked_add(1 << low))?;
            }
            last = within(last.checked_add(take(low)?))?;
            positions.push((last, take(DISTANCE)? as u8));
        }
        Ok(Strategy { game: Pylos::of(game), index, near, positions })
    }
}

/// The low bits of a gap that are written as they are: about as many as an average gap has.
fn low_bits(count: usize, entries: u32) -> u32 {
    (entries / u32::try_from(count.max(1)).unwrap_or(u32::MAX)).max(1).ilog2()
}

pub(super) fn entry(game: &Pylos, index: &Index, position: &Position) -> u32 {
    let side = game.to_move(position);
    index.least_entry(position.balls(side), position.balls(side.other()))
}

/// The children of a position, as long as the game goes on.
pub(super) fn children<'a>(game: &'a Pylos, position: &Position) -> impl Iterator<Item = Position> + use<'a> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let position = *position;
    let after = moves.into_iter().map(move |mv| {
        let mut after = position;
        game.play(&mut after, mv);
        after
    });
    after.filter(|after| game.outcome(after).is_none())
}

/// Some of the entries.
struct EntrySet(Vec<u64>);

impl EntrySet {
    fn new(entries: u32) -> EntrySet {
        EntrySet(vec![0; entries as usize / 64 + 1])
    }

    fn contains(&self, entry: u32) -> bool {
        self.0[entry as usize / 64] >> (entry % 64) & 1 == 1
    }

    /// Inserts an entry; was it new?
    fn insert(&mut self, entry: u32) -> bool {
        let new = !self.contains(entry);
        self.0[entry as usize / 64] |= 1 << (entry % 64);
        new
    }
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    free: u32,
}

impl Bits {
    /// The lowest bits of a number, the most significant first.
    fn push(&mut self, number: u32, bits: u32) {
        for bit in (0..bits).rev() {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            self.free -= 1;
            *self.bytes.last_mut().expect("one was just pushed") |= ((number >> bit & 1) as u8) << self.free;
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self, bits: u32) -> Option<u32> {
        (0..bits).try_fold(0, |number, _| {
            let byte = self.bytes.get(self.at / 8)?;
            let bit = byte >> (7 - self.at % 8) & 1;
            self.at += 1;
            Some(number << 1 | u32::from(bit))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use quintet_game::{Outcome, Player};

    use super::*;
    use crate::pylos::Near;
    use crate::pylos::sweep::tests::searched;

    fn small(positions: &[(u32, u8)]) -> (GameSpec, Strategy) {
        let spec = GameSpec::parse("pylos(rules=children)").unwrap();
        let game = Pylos::of(&spec);
        (spec, Strategy { game, index: Arc::new(Index::new()), near: 13, positions: positions.to_vec() })
    }

    #[test]
    fn a_file_gives_back_what_was_written_and_says_what_is_wrong() {
        for positions in [&[][..], &[(0, 34)], &[(0, 126), (1, 0), (77, 14), (2_257_858_568, 20)]] {
            let (spec, strategy) = small(positions);
            let bytes = strategy.write(&spec);
            assert_eq!(Strategy::read(&spec, &bytes).unwrap().positions, positions);
            let why = |spec: &GameSpec, bytes: &[u8]| Strategy::read(spec, bytes).err().unwrap().to_string();
            assert!(why(&GameSpec::parse("pylos").unwrap(), &bytes).contains("another game"));
            assert!(why(&spec, b"hello").contains("first line"));
            let mut damaged = bytes.clone();
            damaged.push(0);
            assert!(why(&spec, &damaged).contains("checksum"));
        }
        // A right checksum of nonsense: gaps without end, and more positions than there are bytes.
        let (spec, _) = small(&[]);
        let bits = [0xff; 40];
        let sum: String = Sha256::digest(bits).iter().map(|byte| format!("{byte:02x}")).collect();
        for (count, says) in [(1, "positions that do not exist"), (u32::MAX, "ends too early")] {
            let head = format!("{MAGIC}\ngame: {spec}; near: 13; positions: {count}\nsha256: {sum}\n");
            let error = Strategy::read(&spec, &[head.as_bytes(), &bits].concat()).err().unwrap().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn it_answers_with_the_nearest_of_its_positions_in_every_image() {
        let game = Pylos::of(&GameSpec::parse("pylos(rules=children)").unwrap());
        let index = Index::new();
        // The answers to a first ball in a corner, one of them marked as nearer than all others.
        let corner = children(&game, &game.start()).find(|after| after.balls(Player::First) == 1).unwrap();
        let mut answers: Vec<u32> = children(&game, &corner).map(|child| entry(&game, &index, &child)).collect();
        answers.sort_unstable();
        answers.dedup();
        let positions: Vec<(u32, u8)> =
            answers.iter().enumerate().map(|(at, &entry)| (entry, if at == 3 { 20 } else { 34 })).collect();
        let (_, strategy) = small(&positions);
        for cell in [0, 3, 12, 15] {
            let first = children(&game, &game.start()).find(|after| after.balls(Player::First) == 1 << cell).unwrap();
            let (mv, plies) = strategy.answer(&first).unwrap();
            let mut after = first;
            game.play(&mut after, mv);
            assert_eq!((entry(&game, &index, &after), plies), (answers[3], 21));
        }
        let middle = children(&game, &game.start()).find(|after| after.balls(Player::First) == 1 << 5).unwrap();
        assert_eq!(strategy.answer(&middle), None);
    }

    /// Does the player who follows the strategy win within this many plies, whatever the other does?
    fn follows(strategy: &Strategy, near: &mut Near, position: &Position, winner: Player, plies: u8) -> bool {
        let game = &strategy.game;
        match game.outcome(position) {
            Some(outcome) => outcome == Outcome::Win(winner),
            None if game.to_move(position) == winner => {
                let found =
                    near.win(position, strategy.near(), u64::MAX, &|| false).or_else(|| strategy.answer(position));
                found.is_some_and(|(mv, promised)| {
                    let mut after = *position;
                    game.play(&mut after, mv);
                    promised <= plies && follows(strategy, near, &after, winner, promised - 1)
                })
            }
            None => {
                let mut moves = Vec::new();
                game.moves(position, &mut moves);
                plies > 0
                    && moves.into_iter().all(|mv| {
                        let mut after = *position;
                        game.play(&mut after, mv);
                        follows(strategy, near, &after, winner, plies - 1)
                    })
            }
        }
    }

    #[test]
    fn it_wins_whoever_of_the_two_is_the_winner() {
        use rand_core::SeedableRng as _;
        let (mut first, mut second) = (0, 0);
        for seed in 0..60 {
            let spec = ["pylos(rules=children)", "pylos(rules=children,end=spent)"][seed as usize % 2];
            let spec = GameSpec::parse(spec).unwrap();
            let game = Pylos::of(&spec);
            let mut rng = quintet_game::Rng::seed_from_u64(seed);
            let mut start = game.start();
            for _ in 0..24 {
                if game.outcome(&start).is_none() {
                    let mv = game.random_move(&start, &mut rng);
                    game.play(&mut start, mv);
                }
            }
            let mut known = HashMap::new();
            let value = searched(&game, start, &mut known);
            let (winner, plies) = match value {
                Value { proof: Proof::Win, plies: Some(plies) } if plies > 3 => (game.to_move(&start), plies as u8),
                Value { proof: Proof::Loss, plies: Some(plies) } if plies > 3 => {
                    (game.to_move(&start).other(), plies as u8)
                }
                _ => continue,
            };
            if winner == game.to_move(&start) {
                first += 1
            } else {
                second += 1
            }
            let value_of = |position: &Position| Ok::<_, ()>(known[position]);
            let strategy = Strategy::from_start(game, start, 1, value_of, |_| ()).unwrap().unwrap();
            assert!(strategy.positions() > 0, "{start:?}");
            let strategy = Strategy::read(&spec, &strategy.write(&spec)).unwrap();
            assert!(follows(&strategy, &mut Near::beside(&strategy), &start, winner, plies), "{start:?}");
        }
        assert!(first > 10 && second > 10, "{first} and {second}");
    }
}
