//! Tables of Pylos that are damaged: a sentence that says which file and what to do, and never a proof.

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use quintet_agent::{Catalogue, Prover as _, Seat, TableProver, ThinkError};
use quintet_game::{AnyLine, GameSpec, Limit, Proof, Stop};
use quintet_solve::pylos::{Index, Table};
use sha2::{Digest as _, Sha256};

const HEAD: u64 = 4096;
const BLOCK: usize = 1 << 14;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a table in which all positions are drawn, and its checksums. It consists of zeros, so it takes no space.
fn drawn(data: &Path, spec: &GameSpec) -> PathBuf {
    let entries = Index::new().entries() as usize;
    let whole = hex(&Sha256::digest(spec.to_string()));
    let mut head = format!("quintet table of pylos, format 1\ngame: {spec}\nentries: {entries}\nsha256: {whole}\n");
    head.extend(std::iter::repeat_n('\n', HEAD as usize - head.len()));
    fs::create_dir_all(data.join("tables")).unwrap();
    let path = Table::path(&data.join("tables"), spec);
    fs::write(&path, head).unwrap();
    File::options().write(true).open(&path).unwrap().set_len(HEAD + entries as u64).unwrap();
    let sum = |length: usize| Sha256::digest(vec![0; length])[..8].to_vec();
    let sums = [sum(BLOCK).repeat(entries / BLOCK), sum(entries % BLOCK)].concat();
    let own = hex(&Sha256::digest(&sums));
    let text = format!(
        "quintet checksums of a table of pylos, format 1\ngame: {spec}; block: {BLOCK}; table: {whole}\nsha256: {own}\n"
    );
    fs::write(path.with_extension("sums"), [text.as_bytes(), &sums].concat()).unwrap();
    path
}

fn think(seat: &mut dyn Seat, line: &dyn AnyLine) -> Result<Option<Proof>, ThinkError> {
    let limit = Limit::nodes(100);
    seat.think(line, &limit, &Stop::never(), &mut |_| {}).map(|choice| choice.proof())
}

#[test]
fn a_damaged_table_is_a_sentence_and_never_a_proof() {
    let data = std::env::temp_dir().join(format!("quintet-tables-{}", std::process::id()));
    let spec = GameSpec::parse("pylos(rules=expert)").unwrap();
    let start = spec.line();
    let mut later = spec.line();
    while later.plies() < 12 {
        let mv = later.legal_moves().swap_remove(0);
        later.try_play(&mv).unwrap();
    }
    type Damage<'a> = (&'a str, &'a dyn Fn(&mut File));
    let damages: [Damage; 4] = [
        ("it ends before byte", &|file| file.set_len(HEAD + 100).unwrap()),
        ("it ends before byte", &|file| file.set_len(0).unwrap()),
        ("are damaged", &|file| {
            // One bit of every block that the first half of a game needs.
            for at in (HEAD + 9..40 << 20).step_by(BLOCK) {
                file.seek(SeekFrom::Start(at)).unwrap();
                file.write_all(&[4]).unwrap();
            }
        }),
        ("are damaged", &|file| {
            file.seek(SeekFrom::Start(HEAD)).unwrap();
            let ones = vec![1; 1 << 20];
            (0..40).for_each(|_| file.write_all(&ones).unwrap());
        }),
    ];
    for (says, damage) in damages {
        let path = drawn(&data, &spec);
        let prover = TableProver::new(&data.join("tables"));
        let prove = |line: &dyn AnyLine| prover.prove(line, &Limit::default(), &Stop::never());
        let agents = Catalogue::with_folder(&data).unwrap();
        let kinds = ["exact", "exact(slips=0.000001)", "book(agent=exact)"];
        let mut seats = kinds.map(|kind| agents.seat(&spec, kind, 1).ok());
        // Whoever plays by the table names it.
        let sums = |agent: &str| agents.checksums(&spec, agent).unwrap();
        let sum = hex(&Sha256::digest(spec.to_string()));
        assert_eq!([sums("book(agent=exact)"), sums("mcts")], [vec![("table".to_owned(), sum)], Vec::new()]);
        let mut seats: Vec<_> = seats.iter_mut().flatten().collect();
        assert!(seats.len() >= 2);
        assert_eq!(prove(&*start).unwrap().value.proof, Proof::Draw);
        for seat in &mut seats {
            assert_eq!(think(&mut ***seat, &*start), Ok(Some(Proof::Draw)));
        }
        damage(&mut File::options().write(true).open(&path).unwrap());
        let why = prove(&*later).unwrap_err().0;
        assert!(why.contains(says) && why.contains(path.to_str().unwrap()), "{why}");
        assert!(why.contains("make it again with: quintet solve 'pylos(rules=expert)'"), "{why}");
        for seat in &mut seats {
            let Err(ThinkError::Failed(why)) = think(&mut ***seat, &*later) else {
                panic!("it plays by a damaged table")
            };
            assert!(why.contains(says) && why.contains("quintet solve"), "{why}");
        }
        // The table is made again, and found.
        drawn(&data, &spec);
        assert_eq!(prove(&*later).unwrap().value.proof, Proof::Draw);
    }
    fs::remove_dir_all(&data).unwrap();
}

#[test]
fn a_table_without_its_own_checksums_proves_nothing_and_says_how_to_make_them() {
    let data = std::env::temp_dir().join(format!("quintet-sums-{}", std::process::id()));
    let [spec, other] = ["pylos(rules=expert)", "pylos(rules=expert-diag)"].map(|text| GameSpec::parse(text).unwrap());
    let [path, foreign] = [&spec, &other].map(|spec| drawn(&data, spec));
    let sums = path.with_extension("sums");
    let right = fs::read(&sums).unwrap();
    let mut flipped = right.clone();
    flipped[right.len() - 1] ^= 1;
    let others = fs::read(foreign.with_extension("sums")).unwrap();
    let told = || {
        let prover = TableProver::new(&data.join("tables"));
        let why = prover.prove(&*spec.line(), &Limit::default(), &Stop::never()).unwrap_err().0;
        let agent = Catalogue::with_folder(&data).unwrap().seat(&spec, "exact", 1).err().unwrap().to_string();
        assert!(agent.contains(&why), "{agent}: {why}");
        assert!(why.contains("quintet solve 'pylos(rules=expert)' --check"), "{why}");
        assert!(why.contains(sums.to_str().unwrap()), "{why}");
        why
    };
    fs::remove_file(&sums).unwrap();
    assert!(told().contains("there are no checksums"));
    for (bytes, says) in
        [(&others[..], "checksums of another table"), (&flipped, "damaged"), (b"", "not the checksums")]
    {
        fs::write(&sums, bytes).unwrap();
        let why = told();
        assert!(why.contains(says), "{why}");
    }
    fs::remove_dir_all(&data).unwrap();
}
