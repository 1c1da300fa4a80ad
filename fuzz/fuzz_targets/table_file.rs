//! Any bytes are the head of a table and its checksums, or are refused in a sentence; nothing in a table that is opened is believed without its checksum.
//! The first byte says which of both gets a right head, because random input would never have one: bit 0 the table, bit 1 the checksums, bit 2 as many of
//! them as a table has. The next two say how many of the rest belong to the table; the others are the checksums. The entries are zeros.
#![no_main]

use std::fs::File;
use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::{Corpus, fuzz_target};
use quintet_fuzz::{check_line, scratch_folder};
use quintet_game::pylos::Pylos;
use quintet_game::{Game as _, GameSpec};
use quintet_solve::pylos::{Index, Table};
use sha2::{Digest, Sha256};

const HEAD: usize = 4096;
const BLOCK: u32 = 1 << 14;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(scratch_folder);
static ENTRIES: LazyLock<u32> = LazyLock::new(|| Index::new().entries());

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fuzz_target!(|data: &[u8]| -> Corpus {
    let [which, high, low, rest @ ..] = data else { return Corpus::Reject };
    let (head, sums) = rest.split_at(usize::from(u16::from_be_bytes([*high, *low])).min(rest.len()));
    let (mut head, mut sums) = (head.to_vec(), sums.to_vec());
    let game = GameSpec::parse("pylos(rules=children)").expect("it is a game");
    let whole = hex(&head);
    if which & 1 != 0 {
        let entries = *ENTRIES;
        head = format!("quintet table of pylos, format 1\ngame: {game}\nentries: {entries}\nsha256: {whole}\n")
            .into_bytes();
        head.resize(HEAD, b'\n');
    }
    if which & 4 != 0 {
        sums.resize(8 * ENTRIES.div_ceil(BLOCK) as usize, 0);
    }
    if which & 2 != 0 {
        let text = format!(
            "quintet checksums of a table of pylos, format 1\ngame: {game}; block: {BLOCK}; table: {whole}\nsha256: {}\n",
            hex(&sums)
        );
        sums.splice(..0, text.into_bytes());
    }
    let path = Table::path(&FOLDER, &game);
    std::fs::write(&path, head).expect("the temporary folder can be written");
    // Zeros take no room where the file system knows holes.
    let file = File::options().write(true).open(&path).expect("it can be opened again");
    file.set_len(HEAD as u64 + u64::from(*ENTRIES)).expect("it can be made longer");
    std::fs::write(path.with_extension("sums"), sums).expect("the temporary folder can be written");
    match Table::open(&FOLDER, &game) {
        // Sums that are right for zeros are not found by chance.
        Ok(table) => drop(table.value(&Pylos::of(&game).start()).map_err(|error| check_line(&error.to_string()))),
        Err(error) => check_line(&error.to_string()),
    }
    Corpus::Keep
});
