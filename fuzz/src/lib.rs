//! What the fuzz targets share: the specs they choose from, and what holds for every message and every game in progress.

use quintet_game::{AnyLine, EndReason, GameSpec, Outcome, Rng};

/// Every game and variant, on small boards and large. The byte that chooses one counts from `A` (each line below names its
/// first), so that seeds can be written by hand. Append new specs: any other change gives the seeds another meaning.
#[rustfmt::skip]
const SPECS: [&str; 57] = [
    /* A */ "pathwayz", "pathwayz(rows=2,cols=2)", "pathwayz(rows=2)", "pathwayz(cols=2)",
    /* E */ "pathwayz(rows=3,cols=3)", "pathwayz(rows=5,cols=6)", "pathwayz(rows=7,cols=11)", "pathwayz(rows=2,cols=5)",
    /* I */ "pylos", "pylos(takeback=free)", "pylos(end=spent)", "pylos(end=spent,takeback=free)",
    /* M */ "pylos(rules=children)", "pylos(rules=children,takeback=free)",
    /* O */ "pylos(rules=children,end=spent)", "pylos(rules=children,end=spent,takeback=free)",
    /* Q */ "pylos(rules=expert)", "pylos(rules=expert,takeback=free)",
    /* S */ "pylos(rules=expert,end=spent)", "pylos(rules=expert,end=spent,takeback=free)",
    /* U */ "pylos(rules=expert-diag)", "pylos(rules=expert-diag,takeback=free)",
    /* W */ "pylos(rules=expert-diag,end=spent)", "pylos(rules=expert-diag,end=spent,takeback=free)",
    /* Y */ "pentago", "pentago(rules=turn-first)", "pentago-twist",
    /* \ */ "twixt", "twixt(size=3)", "twixt(size=4)", "twixt(size=5)", "twixt(size=6)",
    /* a */ "twixt(size=8)", "twixt(size=9)", "twixt(size=24)",
    /* d */ "twixt(size=3,swap=turn)", "twixt(size=5,swap=turn)", "twixt(size=12,swap=turn)",
    /* g */ "twixt(size=3,swap=off)", "twixt(size=6,swap=off)",
    /* i */ "twixt(size=3,rules=pp)", "twixt(size=5,rules=pp)", "twixt(size=6,rules=pp,swap=turn)",
    /* l */ "twixt(size=6,rules=pp,swap=off)", "twixt(rules=pp)", "twixt(size=24,rules=pp)",
    /* o */ "twixt(size=3,rules=paper)", "twixt(size=4,rules=paper)", "twixt(size=5,rules=paper)",
    /* r */ "twixt(size=6,rules=paper)", "twixt(rules=paper)", "twixt(size=24,rules=paper)",
    /* u */ "twixt(size=3,rules=paper,swap=mirror)", "twixt(size=5,rules=paper,swap=mirror)",
    /* w */ "twixt(size=24,rules=paper,swap=mirror)",
    /* x */ "twixt(size=3,rules=paper,swap=turn)", "twixt(size=6,rules=paper,swap=turn)",
];

/// The spec that a byte chooses.
pub fn spec(byte: u8) -> GameSpec {
    let at = usize::from(byte.wrapping_sub(b'A')) % SPECS.len();
    GameSpec::parse(SPECS[at]).expect("the list holds only specs")
}

/// Plays a random move; false if there is none.
pub fn play_random(line: &mut dyn AnyLine, rng: &mut Rng) -> bool {
    let Some(token) = line.random_move(rng) else { return false };
    assert_eq!(line.try_play(&token).as_deref(), Ok(&*token), "a random move is legal and spelt as it is written");
    true
}

/// A message is a short line that is safe to print, whatever it quotes.
pub fn check_message(message: &str) {
    assert!(message.chars().count() < 400, "{} characters: {message}", message.chars().count());
    check_line(message);
}

/// A line that is safe to print; it may be long.
pub fn check_line(message: &str) {
    assert!(!message.is_empty());
    assert!(message.chars().count() < 1000, "{} characters: {message}", message.chars().count());
    assert!(!message.contains(|c: char| c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c)), "{message:?}");
}

/// Everything about a game in progress that a refused move, or a move taken back, must not change.
#[derive(Debug, PartialEq)]
pub struct State {
    pub position: String,
    pub moves: Vec<String>,
    pub legal: Vec<String>,
    pub end: Option<(Outcome, EndReason)>,
    pub occurrences: u32,
}

pub fn state(line: &dyn AnyLine) -> State {
    State {
        position: line.position(),
        moves: line.moves(),
        legal: line.legal_moves(),
        end: line.end(),
        occurrences: line.occurrences(),
    }
}

/// What holds for every game in progress: as many moves as counted, none only at the end, and a position text that says everything.
pub fn check_game(line: &dyn AnyLine) {
    let legal = line.legal_moves();
    assert_eq!(legal.len(), line.count_moves());
    assert_eq!(legal.is_empty(), line.end().is_some());
    assert!(line.end().is_some() || line.wins().is_empty());

    let text = line.position();
    let again = line.spec().line_at(&text).expect("a position's text parses");
    assert_eq!(again.position(), text);
    assert_eq!(again.to_move(), line.to_move());
    // Repetition belongs to the history, which the text does not hold.
    if line.occurrences() < 3 {
        assert_eq!(again.legal_moves(), legal);
        assert_eq!(again.end(), line.end());
        assert_eq!(again.wins(), line.wins());
    }
}

/// A folder of this process for targets that read files; the next run of the same process number uses it again.
pub fn scratch_folder() -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("quintet-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    folder
}
