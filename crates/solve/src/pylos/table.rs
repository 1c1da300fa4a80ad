//! The table of a solved game as a file.
//!
//! 4096 bytes of text, padded with line breaks, then one byte per entry: the XOR of 127 and the code, which is the distance
//! of a loss, 127 for a draw, and 255 minus the distance of a win. Beside it are the checksums of its blocks ([`super::blocks`]),
//! by which everything that is read of it is checked.
//!
//! While it is being solved, the table is in memory, and the file is called `….part`: its space is filled with zeros at first, so
//! that a full disk is noticed at once, and whatever a layer of a sweep has changed is written before the next one. So a run that
//! is killed loses one layer at most, and the next one continues from there.

use crate::FARTHEST;
use crate::code::{distance, from_code};
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use quintet_game::bits::{gather, mix, scale, scatter};
use quintet_game::pylos::{APEX, Position, Pylos, Rules};
use quintet_game::{Game as _, GameSpec, Outcome, Player, Proof, Stop, Value};

use super::blocks::{BLOCK, BlockError, CheckedFile, Sums};
use super::family::stored;
use super::index::{Class, Index, following, unrank};
use super::near::Near;
use super::part::Part;
use super::sweep::{Solver, SweepState};

pub(super) const HEAD: u64 = 4096;
const MAGIC: &str = "quintet table of pylos, format 1";

/// Why a table cannot be used or made.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The table does not exist.
    #[error("there is no table of {game} at {}. Make it with: {command} (2.3 GB, {takes} on two cores)", path.display())]
    Missing {
        /// The game.
        game: String,
        /// Where it was expected.
        path: PathBuf,
        /// The command that makes it.
        command: String,
        /// How long that takes.
        takes: &'static str,
    },
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// A file is not a table, or is damaged.
    #[error("{}: {why}. Delete it and make it again with: {command}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
        /// The command that makes it.
        command: String,
    },
    /// A table has no checksums by which it could be checked, or not its own.
    #[error("{}: {why}, so nothing in {} is believed. Make them with: {command} --check (it reads the table once and does not solve it again)", path.display(), table.display())]
    Unchecked {
        /// The file of the checksums.
        path: PathBuf,
        /// The table.
        table: PathBuf,
        /// What is wrong.
        why: String,
        /// The command that makes the table.
        command: String,
    },
    /// A table cannot be written.
    #[error("cannot write {}: {error}. The table takes {gigabytes:.2} GB there: make room, or name another folder with --data; then continue with: {command}", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
        /// The size of a table.
        gigabytes: f64,
        /// The command that makes the table.
        command: String,
    },
    /// The table does not fit into memory.
    #[error("there is not enough memory: solving takes {0:.2} GB")]
    Memory(f64),
    /// Another program is solving the same table.
    #[error("{}: another program is making this table. Wait for it, or stop it.", .0.display())]
    Busy(PathBuf),
    /// The work was stopped.
    #[error("stopped; the results so far are kept. Continue with the same command.")]
    Stopped,
    /// A distance does not fit into a byte.
    #[error("a position is {0} plies or more from the end, which does not fit into the table's bytes")]
    TooFar(u8),
}

/// The number of positions of each kind, up to symmetry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Positions that the side to move wins, by distance.
    pub wins: Vec<u64>,
    /// Positions that it loses, by distance.
    pub losses: Vec<u64>,
    /// Drawn positions.
    pub draws: u64,
}

impl Census {
    /// All positions.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.wins.iter().chain(&self.losses).sum::<u64>() + self.draws
    }

    /// The longest distance.
    #[must_use]
    pub fn farthest(&self) -> u8 {
        let last = |counts: &[u64]| counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        last(&self.wins).max(last(&self.losses)) as u8
    }
}

/// A solved game. Its entries are read from the file when they are asked for, and checked.
pub struct Table {
    index: Index,
    game: Pylos,
    spec: GameSpec,
    path: PathBuf,
    /// The SHA-256 of all entries, in hexadecimal digits.
    whole: String,
    entries: CheckedFile,
}

/// Blocks of a table that stay in memory: one MiB.
const KEPT: usize = 64;

/// The command that makes the table of a game.
pub(super) fn command(game: &GameSpec) -> String {
    format!("quintet solve '{game}'")
}

pub(super) fn head(game: &GameSpec, entries: u32, state: &str) -> Vec<u8> {
    let mut head = format!("{MAGIC}\ngame: {game}\nentries: {entries}\n{state}\n").into_bytes();
    head.resize(HEAD as usize, b'\n');
    head
}

/// The head of a finished table.
pub(super) fn finished(game: &GameSpec, entries: u32, sum: &str) -> Vec<u8> {
    head(game, entries, &format!("sha256: {sum}"))
}

/// A finished table as a file, read up to its first entry, and the checksum that its head names.
fn opened(path: &Path, game: &GameSpec, entries: u32) -> Result<(File, String), TableError> {
    let command = command(game);
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => {
            let (game, takes) = (game.to_string(), Table::takes(game));
            TableError::Missing { game, path: path.to_owned(), command: command.clone(), takes }
        }
        _ => TableError::File { path: path.to_owned(), error },
    };
    let mut file = File::open(path).map_err(failed)?;
    let foreign = |why: String| TableError::Foreign { path: path.to_owned(), why, command: command.clone() };
    let mut found = vec![0; HEAD as usize];
    file.read_exact(&mut found).map_err(|_| foreign("shorter than the header of a table".into()))?;
    let before = head(game, entries, "sha256: ");
    let sum = found.strip_prefix(before.trim_ascii_end()).and_then(|rest| std::str::from_utf8(rest.trim_ascii()).ok());
    let sum = sum.filter(|sum| found == finished(game, entries, sum));
    let sum = sum.ok_or_else(|| foreign(format!("not a finished table of {game}")))?.to_owned();
    let length = file.metadata().map_err(failed)?.len();
    if length != HEAD + u64::from(entries) {
        return Err(foreign(format!("{length} bytes, not {}", HEAD + u64::from(entries))));
    }
    Ok((file, sum))
}

/// The checksums beside a table whose head names the checksum `whole`.
fn sums_beside(table: &Path, game: &GameSpec, whole: &str, entries: u32) -> Result<Sums, TableError> {
    let path = Sums::path(table);
    let unchecked = |why: String| {
        let (path, table, command) = (path.clone(), table.to_owned(), command(game));
        TableError::Unchecked { path, table, why, command }
    };
    match std::fs::read(&path) {
        Ok(bytes) => Sums::read(&bytes, &game.to_string(), whole, entries.into()).map_err(|why| unchecked(why.into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(unchecked("there are no checksums of the table".into()))
        }
        Err(error) => Err(TableError::File { path, error }),
    }
}

impl Table {
    /// The file of a game's table in a folder.
    #[must_use]
    pub fn path(folder: &Path, game: &GameSpec) -> PathBuf {
        let name: String = game.to_string().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        folder.join(format!("{}.table", name.trim_end_matches('-')))
    }

    /// Roughly how long it takes to make the table of a game.
    #[must_use]
    pub fn takes(game: &GameSpec) -> &'static str {
        match game.choice("rules", &Rules::ALL) {
            Rules::Standard => "about half an hour",
            Rules::Children => "a few minutes",
            Rules::Expert | Rules::ExpertDiagonals => "about an hour",
        }
    }

    /// The table of a game in a folder. Nothing of it is believed without its checksums.
    ///
    /// # Errors
    /// If there is none, with the command that makes it; if the file is not a table; or if its checksums are missing or not its
    /// own, with the command that makes them.
    pub fn open(folder: &Path, game: &GameSpec) -> Result<Table, TableError> {
        let (path, index) = (Table::path(folder, game), Index::new());
        let (file, whole) = opened(&path, game, index.entries())?;
        let sums = sums_beside(&path, game, &whole, index.entries())?;
        let entries = CheckedFile::new(file, HEAD, index.entries().into(), sums, KEPT);
        Ok(Table { index, game: Pylos::of(game), spec: *game, path, whole, entries })
    }

    /// The same table for work that asks about very many positions: all of it that is read stays in memory.
    #[must_use]
    pub fn keeping_all(self) -> Table {
        Table { entries: self.entries.keeping_all(), ..self }
    }

    /// The SHA-256 of all its values, as its head names it.
    #[must_use]
    pub fn checksum(&self) -> &str {
        &self.whole
    }

    /// The value of a position. A finished position has the value that the rules say, at distance 0.
    ///
    /// # Errors
    /// If the file is damaged where the position is, or cannot be read.
    pub fn value(&self, position: &Position) -> Result<Value, TableError> {
        let side = self.game.to_move(position);
        let (own, other) = (position.balls(side), position.balls(side.other()));
        if (own | other) & APEX != 0 {
            return Ok(if own & APEX != 0 { Value::win_in(0) } else { Value::loss_in(0) });
        }
        let byte = self.entries.byte(self.index.entry(own, other).into()).map_err(|error| self.failed(error))?;
        Ok(from_code(stored(byte)))
    }

    fn failed(&self, error: BlockError) -> TableError {
        let path = self.path.clone();
        match error {
            BlockError::File(error) => TableError::File { path, error },
            BlockError::Damaged(why) => TableError::Foreign { path, why, command: command(&self.spec) },
        }
    }

    /// Counts all positions up to symmetry.
    ///
    /// # Errors
    /// If the file is damaged, or cannot be read.
    pub fn census(&self, threads: usize) -> Result<Census, TableError> {
        census(&self.index, threads, |range, out| {
            let blocks = range.start as usize / BLOCK..(range.end as usize).div_ceil(BLOCK);
            self.entries.read(blocks, out).map_err(|error| self.failed(error))
        })
    }

    /// Reads the whole file and compares its checksum. Where the checksums of its blocks are missing or wrong, it writes them and
    /// returns their file.
    ///
    /// # Errors
    /// If the checksum differs, or a file cannot be read or written.
    pub fn verify(folder: &Path, game: &GameSpec) -> Result<Option<PathBuf>, TableError> {
        let (path, entries) = (Table::path(folder, game), Index::new().entries());
        let (file, whole) = opened(&path, game, entries)?;
        let found = Sums::compute(file, entries.into(), |_, _| Ok::<_, io::Error>(()));
        let found = found.map_err(|error| TableError::File { path: path.clone(), error })?;
        let known = sums_beside(&path, game, &whole, entries);
        if found.whole != whole {
            let place = known.ok().and_then(|known| known.first_difference(&found));
            let place =
                place.map(|Range { start, end }| format!(", first between bytes {} and {}", HEAD + start, HEAD + end));
            let why = format!("its checksum is not that of its content{}", place.unwrap_or_default());
            return Err(TableError::Foreign { path, why, command: command(game) });
        }
        if known.is_ok_and(|known| known == found) {
            return Ok(None);
        }
        let sums = Sums::path(&path);
        found.write(&sums, &game.to_string()).map_err(|error| TableError::File { path: sums.clone(), error })?;
        Ok(Some(sums))
    }

    /// Solves a game into a file of the folder, or continues what an earlier call has left there. `report` is called for
    /// every layer of every sweep.
    ///
    /// # Errors
    /// If files cannot be written, `stop` was set, or a distance does not fit.
    pub fn solve(
        folder: &Path,
        game: &GameSpec,
        threads: usize,
        stop: &Stop,
        mut report: impl FnMut(SweepState),
    ) -> Result<Census, TableError> {
        let path = Table::path(folder, game);
        let index = Index::new();
        let mut part = Part::open(path.with_extension("part"), game, index.entries())?;
        let table = part.load()?;
        let rules = Pylos::of(game);
        let mut solver = Solver::new(&index, &rules, &table, threads);
        // Checks everything once more: every entry agrees with its children, including those that the sweeps skipped.
        for _ in 0..2 {
            solver.doubt();
            let mut sweep = || {
                solver.sweep(threads, stop, |state, changed| {
                    changed.iter().try_for_each(|range| part.write(&table, range.clone()))?;
                    report(state);
                    Ok(())
                })
            };
            while sweep()?.ok_or(TableError::Stopped)?.changed > 0 {}
        }
        let census = census(&index, threads, |range, out| {
            out.clear();
            out.extend(bytes(&table, range));
            Ok(())
        })?;
        if census.farthest() >= FARTHEST {
            return Err(TableError::TooFar(FARTHEST));
        }
        part.finish(&table, &path)?;
        Ok(census)
    }

    /// Compares entries with what the rules and the other entries say, for `samples` positions chosen by `seed`. Returns the
    /// first position that does not agree.
    ///
    /// # Errors
    /// If the file is damaged, or cannot be read.
    pub fn contradiction(&self, samples: u64, seed: u64) -> Result<Option<Position>, TableError> {
        let mut moves = Vec::new();
        for position in self.sampled(samples, seed) {
            let told = match self.game.outcome(&position) {
                Some(Outcome::Win(Player::First)) => Value::win_in(0),
                Some(_) => Value::loss_in(0),
                None => {
                    moves.clear();
                    self.game.moves(&position, &mut moves);
                    let children = moves.iter().map(|&mv| {
                        let mut child = position;
                        self.game.play(&mut child, mv);
                        self.value(&child)
                    });
                    Value::of_children(children.collect::<Result<Vec<Value>, TableError>>()?)
                }
            };
            if self.value(&position)? != told {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// Compares entries with a forward search that does not use the table: is a position won within `plies` plies, and in how
    /// many? Returns the first position that does not agree.
    ///
    /// # Errors
    /// If the file is damaged, or cannot be read.
    pub fn disagreement(&self, plies: u8, samples: u64, seed: u64) -> Result<Option<Position>, TableError> {
        let mut near = Near::new(&self.spec);
        for position in self.sampled(samples, seed) {
            let told = match self.value(&position)? {
                Value { proof: Proof::Win, plies: Some(told) } if (1..=u32::from(plies)).contains(&told) => {
                    Some(told as u8)
                }
                _ => None,
            };
            let over = self.game.outcome(&position).is_some();
            if !over && near.win(&position, plies, u64::MAX, &|| false).map(|(_, found)| found) != told {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    fn sampled(&self, samples: u64, seed: u64) -> impl Iterator<Item = Position> {
        (0..samples).map(move |sample| {
            let random = mix(seed ^ mix(sample + 1));
            let (own, other) = self.index.position(scale((random >> 32) as u32, self.index.entries()));
            Position::new([own, other], Player::First).expect("entries are positions")
        })
    }
}

/// Some entries of a table in memory.
pub(super) fn bytes(table: &[AtomicU8], range: Range<u32>) -> impl Iterator<Item = u8> {
    table[range.start as usize..range.end as usize].iter().map(|entry| entry.load(Ordering::Relaxed))
}

/// Entries that are counted at a time: whole blocks of the file.
const COUNTED: usize = 64 * BLOCK;

/// Counts positions up to symmetry: where the occupied cells are symmetric, only the least image of a colouring counts.
fn census(
    index: &Index,
    threads: usize,
    read: impl Fn(Range<u32>, &mut Vec<u8>) -> Result<(), TableError> + Sync,
) -> Result<Census, TableError> {
    let counted = Mutex::new(Ok([0u64; 256]));
    let next = AtomicUsize::new(0);
    let count = || {
        let (mut counts, mut entries) = ([0u64; 256], Vec::new());
        loop {
            let from = next.fetch_add(COUNTED, Ordering::Relaxed);
            if from >= index.entries() as usize {
                return Ok(counts);
            }
            let range = from as u32..index.entries().min((from + COUNTED) as u32);
            read(range.clone(), &mut entries)?;
            count_some(index, range, &entries, &mut counts);
        }
    };
    let work = || {
        let counts: Result<[u64; 256], TableError> = count();
        let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
        match (&mut *counted, counts) {
            (Ok(all), Ok(counts)) => all.iter_mut().zip(counts).for_each(|(all, count)| *all += count),
            (Ok(_), Err(error)) => *counted = Err(error),
            (Err(_), _) => {}
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let counts = counted.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    let mut census = Census { wins: vec![0; 128], losses: vec![0; 128], draws: 0 };
    for (code, count) in counts.into_iter().enumerate() {
        let plies = usize::from(distance(code as u8));
        match from_code(code as u8).proof {
            Proof::Win => census.wins[plies] += count,
            Proof::Draw => census.draws += count,
            Proof::Loss => census.losses[plies] += count,
        }
    }
    Ok(census)
}

/// Counts the entries of a range, by their codes.
fn count_some(index: &Index, range: Range<u32>, entries: &[u8], counts: &mut [u64; 256]) {
    let first = index.blocks().partition_point(|block| block.first + block.len <= range.start);
    for block in index.blocks()[first..].iter().take_while(|block| block.first < range.end) {
        let [from, to] = [block.first.max(range.start), (block.first + block.len).min(range.end)];
        let class = &index.classes()[block.class as usize];
        let mut set = unrank(from - block.first, block.own);
        for &entry in &entries[(from - range.start) as usize..(to - range.start) as usize] {
            if class.stabiliser == 1 || is_least(index, class, set) {
                counts[usize::from(stored(entry))] += 1;
            }
            set = following(set);
        }
    }
}

/// Is a colouring of symmetric cells the least of its images?
fn is_least(index: &Index, class: &Class, set: u32) -> bool {
    let cells = u64::from(class.packed);
    let images = index.images_of_packed(scatter(set.into(), cells) as u32);
    (1..8).all(|s| class.stabiliser >> s & 1 == 0 || gather(images[s].into(), cells) as u32 >= set)
}
