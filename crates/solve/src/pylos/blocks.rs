//! Reading a large file block by block, each block checked against its checksum before anything in it is believed.
//!
//! The checksums are in a file of their own beside the table, `….sums`: three lines of text, then the first eight bytes of the
//! SHA-256 of every block. The text names the game and the checksum of the whole table, so that the sums of another table are
//! noticed, and the checksum of the sums themselves.
//!
//! The table is read, not mapped: what has been read cannot change afterwards, and a file that is cut short while it is open gives
//! an error instead of a signal.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

/// Bytes of a block: a lookup reads this much, and the checksums take 1/2048 of the table.
pub(super) const BLOCK: usize = 1 << 14;

const MAGIC: &str = "quintet checksums of a table of pylos, format 1";

/// The checksums of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sums {
    /// The SHA-256 of all entries, in hexadecimal digits.
    pub whole: String,
    blocks: Vec<u64>,
}

impl Sums {
    /// The file of a table's checksums.
    pub fn path(table: &Path) -> PathBuf {
        table.with_extension("sums")
    }

    /// Reads `length` bytes and computes their checksums; `each` is shown every block and where it begins.
    pub fn compute<E: From<io::Error>>(
        mut from: impl Read,
        length: u64,
        mut each: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<Sums, E> {
        let (mut whole, mut blocks, mut block) = (Sha256::new(), Vec::new(), vec![0; BLOCK]);
        for at in (0..length).step_by(BLOCK) {
            let block = &mut block[..(length - at).min(BLOCK as u64) as usize];
            from.read_exact(block)?;
            each(at, block)?;
            whole.update(&*block);
            blocks.push(sum(block));
        }
        Ok(Sums { whole: hex(&whole.finalize()), blocks })
    }

    /// The first block, as a range of bytes, in which two tables of the same length differ.
    pub fn first_difference(&self, other: &Sums) -> Option<Range<u64>> {
        let at = self.blocks.iter().zip(&other.blocks).position(|(own, other)| own != other)? as u64;
        Some(at * BLOCK as u64..(at + 1) * BLOCK as u64)
    }

    /// Writes the file of the table's checksums; a kill leaves the old file or the new one, never a part.
    pub fn write(&self, path: &Path, game: &str) -> io::Result<()> {
        let bytes: Vec<u8> = self.blocks.iter().flat_map(|sum| sum.to_be_bytes()).collect();
        let new = path.with_extension("sums-new");
        let mut file = File::create(&new)?;
        file.write_all(heading(game, &self.whole, &bytes).as_bytes())?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        std::fs::rename(&new, path)
    }

    /// Reads the checksums of a table of `length` bytes whose own checksum is `whole`; or says what is wrong.
    pub fn read(bytes: &[u8], game: &str, whole: &str, length: u64) -> Result<Sums, &'static str> {
        let text = bytes.splitn(4, |&byte| byte == b'\n').map(<[u8]>::len).take(3).sum::<usize>() + 3;
        let (head, sums) = bytes.split_at_checked(text).ok_or("not the checksums of a table")?;
        if !head.starts_with(MAGIC.as_bytes()) {
            return Err("not the checksums of a table");
        }
        if !head.starts_with(naming(game, whole).as_bytes()) {
            return Err("the checksums of another table");
        }
        let count = length.div_ceil(BLOCK as u64) as usize;
        if head != heading(game, whole, sums).as_bytes() || sums.len() != count * size_of::<u64>() {
            return Err("damaged");
        }
        let blocks = sums.as_chunks().0.iter().map(|sum| u64::from_be_bytes(*sum)).collect();
        Ok(Sums { whole: whole.to_owned(), blocks })
    }
}

fn naming(game: &str, whole: &str) -> String {
    format!("{MAGIC}\ngame: {game}; block: {BLOCK}; table: {whole}\n")
}

fn heading(game: &str, whole: &str, sums: &[u8]) -> String {
    format!("{}sha256: {}\n", naming(game, whole), hex(&Sha256::digest(sums)))
}

fn sum(block: &[u8]) -> u64 {
    Sha256::digest(block).iter().take(size_of::<u64>()).fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Why a block cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum BlockError {
    #[error("{0}")]
    File(#[from] io::Error),
    /// Damage of the file: a sentence without its end.
    #[error("{0}")]
    Damaged(String),
}

/// The number of a block, and its content.
type CachedBlock = Option<(usize, Box<[u8]>)>;

/// A file whose blocks are checked when they are read. Those read last are kept.
pub(super) struct CheckedFile {
    file: Mutex<File>,
    /// Where the blocks begin.
    offset: u64,
    length: u64,
    sums: Vec<u64>,
    /// A block can only be in the slot that is its number modulo the number of slots.
    kept: Vec<Mutex<CachedBlock>>,
}

impl CheckedFile {
    /// The `length` bytes of a file from `offset` on, of which at most `kept` blocks (at least one) stay in memory.
    pub fn new(file: File, offset: u64, length: u64, sums: Sums, kept: usize) -> CheckedFile {
        let kept = (0..kept.clamp(1, sums.blocks.len().max(1))).map(|_| Mutex::default()).collect();
        CheckedFile { file: Mutex::new(file), offset, length, sums: sums.blocks, kept }
    }

    /// The same, but all blocks that are read stay in memory.
    pub fn keeping_all(mut self) -> CheckedFile {
        self.kept = self.sums.iter().map(|_| Mutex::default()).collect();
        self
    }

    /// One byte.
    pub fn byte(&self, at: u64) -> Result<u8, BlockError> {
        let (number, within) = ((at / BLOCK as u64) as usize, at as usize % BLOCK);
        let mut kept = self.kept[number % self.kept.len()].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, block)) = kept.as_ref().filter(|(kept, _)| *kept == number) {
            return Ok(block[within]);
        }
        let mut block = vec![0; self.range(number).count()].into_boxed_slice();
        self.read_block(number, &mut block)?;
        let byte = block[within];
        *kept = Some((number, block));
        Ok(byte)
    }

    /// A range of bytes that begins and ends with a block, into `out`. They are not kept.
    pub fn read(&self, blocks: Range<usize>, out: &mut Vec<u8>) -> Result<(), BlockError> {
        out.clear();
        for number in blocks {
            let from = out.len();
            out.resize(from + self.range(number).count(), 0);
            self.read_block(number, &mut out[from..])?;
        }
        Ok(())
    }

    /// The bytes of a block.
    fn range(&self, number: usize) -> Range<u64> {
        let from = number as u64 * BLOCK as u64;
        from..self.length.min(from + BLOCK as u64)
    }

    fn read_block(&self, number: usize, out: &mut [u8]) -> Result<(), BlockError> {
        let Range { start, end } = self.range(number);
        let [first, last] = [start, end].map(|at| self.offset + at);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(first)).and_then(|_| file.read_exact(out));
        drop(file);
        read.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => BlockError::Damaged(format!("it ends before byte {last}")),
            _ => error.into(),
        })?;
        if sum(out) != self.sums[number] {
            return Err(BlockError::Damaged(format!("its bytes {first} to {} are damaged", last - 1)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "pylos";
    const HEAD: u64 = 100;
    const LENGTH: u64 = 3 * BLOCK as u64 + 17;

    /// A file of random bytes after a head of zeros, with its sums.
    fn written(name: &str, seed: u64) -> (PathBuf, Sums) {
        let path = std::env::temp_dir().join(format!("quintet-blocks-{}-{name}.table", std::process::id()));
        let byte = |at: u64| quintet_game::bits::mix(seed ^ at) as u8;
        let bytes: Vec<u8> = (0..HEAD).map(|_| 0).chain((0..LENGTH).map(byte)).collect();
        std::fs::write(&path, &bytes).unwrap();
        let sums = Sums::compute(&bytes[HEAD as usize..], LENGTH, |_, _| Ok::<_, io::Error>(())).unwrap();
        (path, sums)
    }

    fn said(result: Result<u8, BlockError>) -> String {
        result.map_or_else(|error| error.to_string(), |byte| format!("byte {byte}"))
    }

    #[test]
    fn what_was_written_is_read_and_damage_is_said() {
        let (path, sums) = written("damage", 1);
        let right = std::fs::read(&path).unwrap();
        let open = |kept| CheckedFile::new(File::open(&path).unwrap(), HEAD, LENGTH, sums.clone(), kept);
        for file in [open(1), open(2), open(99), open(1).keeping_all()] {
            for at in [0, BLOCK as u64, 5, LENGTH - 1, 2 * BLOCK as u64 - 1, 0] {
                assert_eq!(file.byte(at).unwrap(), right[(HEAD + at) as usize]);
            }
            let mut read = Vec::new();
            file.read(1..4, &mut read).unwrap();
            assert_eq!(read, right[HEAD as usize + BLOCK..]);
        }
        // Each fault happens while the file is open, before and after another block was read.
        let edit = |mut file: &File, at: u64, bytes: &[u8]| {
            file.seek(SeekFrom::Start(HEAD + at)).unwrap();
            file.write_all(bytes).unwrap();
        };
        type Fault<'a> = (&'a str, &'a dyn Fn(&File));
        let faults: [Fault; 4] = [
            ("its bytes 16484 to 32867 are damaged", &|file| {
                edit(file, BLOCK as u64 + 7, &[right[HEAD as usize + BLOCK + 7] ^ 1])
            }),
            ("its bytes 16484 to 32867 are damaged", &|file| edit(file, 0, &[0; 2 * BLOCK])),
            ("it ends before byte 32868", &|file| file.set_len(HEAD + BLOCK as u64 + 9).unwrap()),
            ("it ends before byte 32868", &|file| file.set_len(0).unwrap()),
        ];
        for (says, damage) in faults {
            std::fs::write(&path, &right).unwrap();
            let file = open(4);
            let first = file.byte(3).unwrap();
            damage(&File::options().write(true).open(&path).unwrap());
            assert_eq!(said(file.byte(BLOCK as u64 + 9)), says);
            assert_eq!(file.byte(3).unwrap(), first, "what was checked stays");
            assert!(file.read(0..4, &mut Vec::new()).is_err());
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn sums_are_those_of_their_table_or_refused() {
        let (path, sums) = written("sums", 1);
        let beside = Sums::path(&path);
        sums.write(&beside, GAME).unwrap();
        let bytes = std::fs::read(&beside).unwrap();
        let read = |bytes: &[u8], game: &str, whole: &str| Sums::read(bytes, game, whole, LENGTH);
        assert_eq!(read(&bytes, GAME, &sums.whole).unwrap(), sums);
        let (other_path, other) = written("other", 2);
        assert_eq!(read(&bytes, GAME, &other.whole), Err("the checksums of another table"));
        assert_eq!(read(&bytes, "pylos(rules=expert)", &sums.whole), Err("the checksums of another table"));
        assert_eq!(sums.first_difference(&other), Some(0..BLOCK as u64));
        let longer = [&bytes[..], &[0]].concat();
        let mut flipped = bytes.clone();
        flipped[bytes.len() - 1] ^= 1;
        for damaged in [&longer, &flipped, &bytes[..bytes.len() - 8]] {
            assert_eq!(read(damaged, GAME, &sums.whole), Err("damaged"));
        }
        for foreign in [&b""[..], b"hello", b"a\nb\nc\nd", &vec![0; bytes.len()]] {
            assert_eq!(read(foreign, GAME, &sums.whole), Err("not the checksums of a table"));
        }
        [path, other_path, beside].iter().for_each(|path| std::fs::remove_file(path).unwrap());
    }
}
