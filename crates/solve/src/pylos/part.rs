//! The file of a table while it is being solved.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU8;

use quintet_game::GameSpec;

use super::blocks::{BlockError, Sums};
use super::table::{HEAD, TableError, bytes, command, finished, head};

/// A file with the head of an unfinished table and all entries that are known so far; zeros are unknown.
pub(super) struct Part {
    file: File,
    path: PathBuf,
    game: GameSpec,
    entries: u32,
}

impl Part {
    /// The file of an earlier run, or a new one. All its space is written, so that a disk without room is noticed now. Whoever has
    /// it open holds its lock.
    pub fn open(path: PathBuf, game: &GameSpec, entries: u32) -> Result<Part, TableError> {
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut part = match opened {
            Ok(file) => Part { file, path, game: *game, entries },
            Err(error) => return Err(disk(&path, game, entries, error)),
        };
        match part.file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(TableError::Busy(part.path)),
            // Some file systems have no locks; two programs at once are noticed at the end.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let unfinished = head(game, entries, "state: being solved");
        let mut found = Vec::new();
        (&part.file).take(HEAD).read_to_end(&mut found).map_err(|error| part.disk(error))?;
        let length = part.file.metadata().map_err(|error| part.disk(error))?.len();
        // An earlier run may have been killed before all space was written, or between the last two steps.
        let ours = unfinished.starts_with(&found) || found.starts_with(head(game, entries, "").trim_ascii_end());
        if !ours || length > part.length() {
            return Err(part.foreign("not the unfinished table of this game"));
        }
        part.fill(&unfinished, length).map_err(|error| part.disk(error))?;
        Ok(part)
    }

    /// Writes the head, and zeros from the end on.
    fn fill(&mut self, unfinished: &[u8], end: u64) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(unfinished)?;
        let end = self.file.seek(SeekFrom::Start(end.max(HEAD)))?;
        let zeros = vec![0; 1 << 20];
        for at in (end..self.length()).step_by(zeros.len()) {
            let rest = (self.length() - at).min(zeros.len() as u64);
            self.file.write_all(&zeros[..rest as usize])?;
        }
        Ok(())
    }

    fn length(&self) -> u64 {
        HEAD + u64::from(self.entries)
    }

    fn disk(&self, error: io::Error) -> TableError {
        disk(&self.path, &self.game, self.entries, error)
    }

    fn foreign(&self, why: &str) -> TableError {
        TableError::Foreign { path: self.path.clone(), why: why.into(), command: command(&self.game) }
    }

    /// All entries.
    pub fn load(&mut self) -> Result<Vec<AtomicU8>, TableError> {
        let mut bytes: Vec<u8> = Vec::new();
        let fits = bytes.try_reserve_exact(self.entries as usize + 1);
        fits.map_err(|_| TableError::Memory(f64::from(self.entries) / 1e9))?;
        let read = self.file.seek(SeekFrom::Start(HEAD)).and_then(|_| (&self.file).read_to_end(&mut bytes));
        read.map_err(|error| self.disk(error))?;
        if bytes.len() != self.entries as usize {
            return Err(self.foreign("another program has changed it"));
        }
        // An atomic byte is a byte: the vector keeps its memory.
        Ok(bytes.into_iter().map(AtomicU8::new).collect())
    }

    /// Writes some of the entries.
    pub fn write(&mut self, table: &[AtomicU8], range: Range<u32>) -> Result<(), TableError> {
        let at = HEAD + u64::from(range.start);
        let bytes: Vec<u8> = bytes(table, range).collect();
        let written = self.file.seek(SeekFrom::Start(at)).and_then(|_| self.file.write_all(&bytes));
        written.map_err(|error| self.disk(error))
    }

    /// Reads everything back, writes the checksums of the blocks, and then makes it the finished table. So whatever happens
    /// meanwhile, a table has its checksums.
    pub fn finish(mut self, table: &[AtomicU8], path: &Path) -> Result<(), TableError> {
        self.file.seek(SeekFrom::Start(HEAD)).map_err(|error| self.disk(error))?;
        let sums = Sums::compute(BufReader::with_capacity(1 << 20, &self.file), self.entries.into(), |at, block| {
            let at = at as u32;
            match bytes(table, at..at + block.len() as u32).eq(block.iter().copied()) {
                true => Ok(()),
                false => Err(BlockError::Damaged("another program has changed it".into())),
            }
        });
        let sums = sums.map_err(|error| match error {
            BlockError::File(error) => self.disk(error),
            BlockError::Damaged(why) => self.foreign(&why),
        })?;
        let beside = Sums::path(path);
        sums.write(&beside, &self.game.to_string()).map_err(|error| disk(&beside, &self.game, self.entries, error))?;
        let finished = finished(&self.game, self.entries, &sums.whole);
        let written = self.file.sync_all().and_then(|()| self.file.seek(SeekFrom::Start(0)));
        let written = written.and_then(|_| self.file.write_all(&finished));
        let written = written.and_then(|()| self.file.sync_all()).and_then(|()| std::fs::rename(&self.path, path));
        written.map_err(|error| self.disk(error))
    }
}

fn disk(path: &Path, game: &GameSpec, entries: u32, error: io::Error) -> TableError {
    let gigabytes = (HEAD + u64::from(entries)) as f64 / 1e9;
    TableError::Disk { path: path.to_owned(), error, gigabytes, command: command(game) }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    const ENTRIES: u32 = 40_000;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("quintet-part-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn open(folder: &Path) -> Result<Part, TableError> {
        Part::open(folder.join("x.part"), &GameSpec::parse("pylos").unwrap(), ENTRIES)
    }

    #[test]
    fn a_run_continues_where_the_last_one_was_killed_and_its_table_has_checksums() {
        let folder = folder("goes-on");
        // Killed while the head was written, while the zeros were, after a layer, and before the last step.
        std::fs::write(
            folder.join("x.part"),
            &head(&GameSpec::parse("pylos").unwrap(), ENTRIES, "state: being solved")[..77],
        )
        .unwrap();
        drop(open(&folder).unwrap());
        File::options().write(true).open(folder.join("x.part")).unwrap().set_len(HEAD + 5).unwrap();
        let mut part = open(&folder).unwrap();
        let table = part.load().unwrap();
        assert!(bytes(&table, 0..ENTRIES).all(|byte| byte == 0));
        table[30_000].store(9, Ordering::Relaxed);
        part.write(&table, 29_000..31_000).unwrap();
        drop(part);
        let mut part = open(&folder).unwrap();
        let again = part.load().unwrap();
        assert!(bytes(&again, 0..ENTRIES).eq(bytes(&table, 0..ENTRIES)));
        part.file.seek(SeekFrom::Start(0)).unwrap();
        part.file.write_all(&finished(&part.game, ENTRIES, "0123")).unwrap();
        drop(part);
        let mut part = open(&folder).unwrap();
        let table = part.load().unwrap();
        part.finish(&table, &folder.join("x.table")).unwrap();
        let file = std::fs::read(folder.join("x.table")).unwrap();
        let right = Sums::compute(&file[HEAD as usize..], ENTRIES.into(), |_, _| Ok::<_, io::Error>(())).unwrap();
        assert_eq!(file[..HEAD as usize], finished(&GameSpec::parse("pylos").unwrap(), ENTRIES, &right.whole));
        let sums = std::fs::read(folder.join("x.sums")).unwrap();
        assert_eq!(Sums::read(&sums, "pylos", &right.whole, ENTRIES.into()), Ok(right));
        assert!(!folder.join("x.part").exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_in_the_way_is_said() {
        let folder = folder("said");
        let why = |result: Result<Part, TableError>| result.err().unwrap().to_string();
        let mut part = open(&folder).unwrap();
        assert!(why(open(&folder)).contains("another program is making this table"));
        let table = part.load().unwrap();
        let mut other = File::options().write(true).open(&part.path).unwrap();
        other.seek(SeekFrom::Start(HEAD + 20_000)).unwrap();
        other.write_all(&[1]).unwrap();
        let error = part.finish(&table, &folder.join("x.table")).unwrap_err().to_string();
        assert!(error.contains("x.part: another program has changed it. Delete it"), "{error}");
        std::fs::write(folder.join("x.part"), "hello").unwrap();
        assert!(why(open(&folder)).contains("not the unfinished table of this game"));
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(why(open(&folder)).contains("cannot write"));
    }
}
