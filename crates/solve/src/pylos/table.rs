//! The table of a solved game as a file.
//!
//! 4096 bytes of text, padded with line breaks, then one byte per entry: the XOR of 127 and the code, which is the distance
//! of a loss, 127 for a draw, and 255 minus the distance of a win. While it is being solved, the file is called `….part` and
//! is mapped into memory: a run that is killed loses nothing, and the next one continues from there.

use crate::FARTHEST;
use crate::code::{distance, from_code};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::thread;

use memmap2::{Mmap, MmapOptions, MmapRaw};
use quintet_game::bits::{gather, mix, scale, scatter};
use quintet_game::pylos::{APEX, Position, Pylos, Rules};
use quintet_game::{Game as _, GameSpec, Outcome, Player, Proof, Value};
use sha2::{Digest as _, Sha256};

use super::family::stored;
use super::index::{Class, Index, following, unrank};
use super::strategy::Near;
use super::sweep::{Solver, SweepState};

const HEAD: u64 = 4096;
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

/// A solved game, mapped into memory.
pub struct Table {
    index: Index,
    game: Pylos,
    bytes: Mmap,
}

/// The command that makes the table of a game.
fn command(game: &GameSpec) -> String {
    format!("quintet solve '{game}'")
}

fn head(game: &GameSpec, entries: u32, state: &str) -> Vec<u8> {
    let mut head = format!("{MAGIC}\ngame: {game}\nentries: {entries}\n{state}\n").into_bytes();
    head.resize(HEAD as usize, b'\n');
    head
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

    /// The table of a game in a folder.
    ///
    /// # Errors
    /// If there is none, with the command that makes it; or if the file is not a table.
    pub fn open(folder: &Path, game: &GameSpec) -> Result<Table, TableError> {
        let path = Table::path(folder, game);
        let (index, command) = (Index::new(), command(game));
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => {
                let (game, takes) = (game.to_string(), Table::takes(game));
                TableError::Missing { game, path: path.clone(), command: command.clone(), takes }
            }
            _ => TableError::File { path: path.clone(), error },
        };
        let mut file = File::open(&path).map_err(failed)?;
        let foreign = |why: String| TableError::Foreign { path: path.clone(), why, command: command.clone() };
        let mut found = vec![0; HEAD as usize];
        file.read_exact(&mut found).map_err(|_| foreign("shorter than the header of a table".into()))?;
        if !found.starts_with(head(game, index.entries(), "sha256: ").trim_ascii_end()) {
            return Err(foreign(format!("not a finished table of {game}")));
        }
        let length = file.metadata().map_err(failed)?.len();
        if length != HEAD + u64::from(index.entries()) {
            return Err(foreign(format!("{length} bytes, not {}", HEAD + u64::from(index.entries()))));
        }
        // SAFETY: the file is finished and only read; a file of this name is never modified in place.
        let bytes = unsafe { MmapOptions::new().offset(HEAD).map(&file) }.map_err(failed)?;
        Ok(Table { index, game: Pylos::of(game), bytes })
    }

    /// The value of a position. A finished position has the value that the rules say, at distance 0.
    #[must_use]
    pub fn value(&self, position: &Position) -> Value {
        let side = self.game.to_move(position);
        let (own, other) = (position.balls(side), position.balls(side.other()));
        if (own | other) & APEX != 0 {
            return if own & APEX != 0 { Value::win_in(0) } else { Value::loss_in(0) };
        }
        from_code(stored(self.bytes[self.index.entry(own, other) as usize]))
    }

    /// Counts all positions up to symmetry.
    #[must_use]
    pub fn census(&self, threads: usize) -> Census {
        // SAFETY: atomics have the size and alignment of bytes, and nothing writes.
        let bytes = unsafe { std::slice::from_raw_parts(self.bytes.as_ptr().cast::<AtomicU8>(), self.bytes.len()) };
        census(&self.index, bytes, threads)
    }

    /// Reads the whole file and compares its checksum.
    ///
    /// # Errors
    /// If it differs, or the file cannot be read.
    pub fn verify(folder: &Path, game: &GameSpec) -> Result<(), TableError> {
        let path = Table::path(folder, game);
        let table = Table::open(folder, game)?;
        let mut text = vec![0; HEAD as usize];
        let failed = |error| TableError::File { path: path.clone(), error };
        File::open(&path).and_then(|mut file| file.read_exact(&mut text)).map_err(failed)?;
        let sum = checksum(&table.bytes);
        if text == head(game, table.index.entries(), &format!("sha256: {sum}")) {
            return Ok(());
        }
        Err(TableError::Foreign { path, why: "its checksum is not that of its content".into(), command: command(game) })
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
        stop: &AtomicBool,
        mut report: impl FnMut(SweepState),
    ) -> Result<Census, TableError> {
        let path = Table::path(folder, game);
        let part = path.with_extension("part");
        let failed = |error| TableError::File { path: part.clone(), error };
        let index = Index::new();
        let unfinished = head(game, index.entries(), "state: being solved");
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&part).map_err(failed)?;
        let mut found = Vec::new();
        (&file).take(HEAD).read_to_end(&mut found).map_err(failed)?;
        if found.is_empty() {
            file.write_all(&unfinished).map_err(failed)?;
            file.set_len(HEAD + u64::from(index.entries())).map_err(failed)?;
        } else if found != unfinished || file.metadata().map_err(failed)?.len() != HEAD + u64::from(index.entries()) {
            let why = "not the unfinished table of this game".to_owned();
            return Err(TableError::Foreign { path: part, why, command: command(game) });
        }
        let map = MmapRaw::map_raw(&file).map_err(failed)?;
        // SAFETY: the map has this length, outlives the slice, and is written only through atomics.
        let table = unsafe {
            std::slice::from_raw_parts(map.as_ptr().add(HEAD as usize).cast::<AtomicU8>(), index.entries() as usize)
        };
        let rules = Pylos::of(game);
        let mut solver = Solver::new(&index, &rules, table, threads);
        // Checks everything once more: every entry agrees with its children, including those that the sweeps skipped.
        for _ in 0..2 {
            solver.doubt();
            while solver.sweep(threads, stop, &mut report).ok_or(TableError::Stopped)?.changed > 0 {}
        }
        let census = census(&index, table, threads);
        if census.farthest() >= FARTHEST {
            return Err(TableError::TooFar(FARTHEST));
        }
        // SAFETY: nothing writes any more.
        let sum = checksum(unsafe { std::slice::from_raw_parts(table.as_ptr().cast(), table.len()) });
        map.flush().map_err(failed)?;
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        file.write_all(&head(game, index.entries(), &format!("sha256: {sum}"))).map_err(failed)?;
        file.sync_all().map_err(failed)?;
        std::fs::rename(&part, &path).map_err(failed)?;
        Ok(census)
    }

    /// Compares entries with what the rules and the other entries say, for `samples` positions chosen by `seed`. Returns the
    /// first position that does not agree.
    #[must_use]
    pub fn contradiction(&self, samples: u64, seed: u64) -> Option<Position> {
        let mut moves = Vec::new();
        self.sampled(samples, seed).find(|position| {
            let told = match self.game.outcome(position) {
                Some(Outcome::Win(Player::First)) => Value::win_in(0),
                Some(_) => Value::loss_in(0),
                None => {
                    moves.clear();
                    self.game.moves(position, &mut moves);
                    Value::of_children(moves.iter().map(|&mv| {
                        let mut child = *position;
                        self.game.play(&mut child, mv);
                        self.value(&child)
                    }))
                }
            };
            self.value(position) != told
        })
    }

    /// Compares entries with a forward search that does not use the table: is a position won within `plies` plies, and in how
    /// many? Returns the first position that does not agree.
    #[must_use]
    pub fn disagreement(&self, game: &GameSpec, plies: u8, samples: u64, seed: u64) -> Option<Position> {
        let mut near = Near::new(game);
        self.sampled(samples, seed).find(|position| {
            let told = match self.value(position) {
                Value { proof: Proof::Win, plies: Some(told) } if (1..=u32::from(plies)).contains(&told) => {
                    Some(told as u8)
                }
                _ => None,
            };
            let over = self.game.outcome(position).is_some();
            !over && near.win(position, plies, u64::MAX).map(|(_, found)| found) != told
        })
    }

    fn sampled(&self, samples: u64, seed: u64) -> impl Iterator<Item = Position> {
        (0..samples).map(move |sample| {
            let random = mix(seed ^ mix(sample + 1));
            let (own, other) = self.index.position(scale((random >> 32) as u32, self.index.entries()));
            Position::new([own, other], Player::First).expect("entries are positions")
        })
    }
}

fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Counts positions up to symmetry: where the occupied cells are symmetric, only the least image of a colouring counts.
fn census(index: &Index, table: &[AtomicU8], threads: usize) -> Census {
    let counts: Vec<AtomicU64> = (0..256).map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut own_counts = [0u64; 256];
        while let Some(block) = index.blocks().get(next.fetch_add(1, Ordering::Relaxed)) {
            let class = &index.classes()[block.class as usize];
            let entries = &table[block.first as usize..(block.first + block.len) as usize];
            let mut set = unrank(0, block.own);
            for entry in entries {
                if class.stabiliser == 1 || is_least(index, class, set) {
                    own_counts[usize::from(stored(entry.load(Ordering::Relaxed)))] += 1;
                }
                set = following(set);
            }
        }
        for (count, own) in counts.iter().zip(own_counts) {
            count.fetch_add(own, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let mut census = Census { wins: vec![0; 128], losses: vec![0; 128], draws: 0 };
    for (code, count) in counts.into_iter().map(AtomicU64::into_inner).enumerate() {
        let plies = usize::from(distance(code as u8));
        match from_code(code as u8).proof {
            Proof::Win => census.wins[plies] += count,
            Proof::Draw => census.draws += count,
            Proof::Loss => census.losses[plies] += count,
        }
    }
    census
}

/// Is a colouring of symmetric cells the least of its images?
fn is_least(index: &Index, class: &Class, set: u32) -> bool {
    let cells = u64::from(class.packed);
    let images = index.images_of_packed(scatter(set.into(), cells) as u32);
    (1..8).all(|s| class.stabiliser >> s & 1 == 0 || gather(images[s].into(), cells) as u32 >= set)
}
