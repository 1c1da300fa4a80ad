//! Smart Game Format for TwixT: `GM[21]` of the standard, and Little Golem's `.tsgf`, one game per line.

use quintet_game::text::quote;
use quintet_game::{EndReason, Outcome};

use super::draft::{Claim, refused, remark};
use super::twixt::{Foreign, Move, no_size, oblong, swaps};
use super::{Games, ImportError, ImportFault, Imported, MOST_MOVES, Options, SwapAs};

/// Which of the two formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The standard's TwixT: `W[l12]`, White begins and joins top and bottom.
    Twixt,
    /// Little Golem's: `b[pl]`, `r[ps]`, the first player joins top and bottom.
    Golem,
}

/// The properties of a game that are read; the first of a kind counts.
const KEPT: [&str; 9] = ["GM", "SZ", "RU", "HA", "PB", "PW", "EV", "SO", "RE"];

/// The main line of one game.
#[derive(Default)]
struct Tree {
    line: usize,
    values: [Option<String>; KEPT.len()],
    moves: Vec<Move>,
    /// A position set up by hand: line and property.
    set_up: Option<(usize, String)>,
    comments: usize,
    variations: bool,
    stray: Option<usize>,
    flaw: Option<ImportFault>,
}

/// Walks over a text by bytes, since its structure is ASCII.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

/// The games of a file in the standard's format.
pub fn collection(text: &str, options: &Options, games: &mut Games) -> Result<(), ImportError> {
    let mut scanner = Scanner { text, at: 0, line: 1 };
    while let Some(tree) = scanner.tree() {
        games.push(tree.read(Dialect::Twixt, options))?;
    }
    Ok(())
}

/// The games of a file of Little Golem. A line that begins with a bracket begins a game, so that a damaged game does not spoil others.
pub fn lines(text: &str, options: &Options, games: &mut Games) -> Result<(), ImportError> {
    let mut begin = (0, 1);
    let mut at = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        if line.trim_start().starts_with('(') && at > 0 {
            golem(&text[begin.0..at], begin.1, options, games)?;
            begin = (at, number);
        }
        at += line.len();
    }
    golem(&text[begin.0..], begin.1, options, games)
}

fn golem(text: &str, line: usize, options: &Options, games: &mut Games) -> Result<(), ImportError> {
    let mut scanner = Scanner { text, at: 0, line };
    while let Some(tree) = scanner.tree() {
        games.push(tree.read(Dialect::Golem, options))?;
    }
    Ok(())
}

/// Which format a text is in, by its first game.
pub fn dialect(text: &str) -> Option<Dialect> {
    let tree = Scanner { text, at: 0, line: 1 }.tree()?;
    let numbered = tree.moves.iter().any(|mv| mv.text.bytes().any(|b| b.is_ascii_digit()));
    Some(if tree.value("GM").is_some() || numbered { Dialect::Twixt } else { Dialect::Golem })
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn step(&mut self) {
        self.line += usize::from(self.peek() == Some(b'\n'));
        self.at += 1;
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
            self.step();
        }
    }

    /// The next game, wherever it begins.
    fn tree(&mut self) -> Option<Tree> {
        loop {
            while self.peek()? != b'(' {
                self.step();
            }
            let line = self.line;
            self.step();
            self.skip_blanks();
            if self.peek()? == b';' {
                return Some(self.rest_of_tree(line));
            }
        }
    }

    fn rest_of_tree(&mut self, line: usize) -> Tree {
        let mut tree = Tree { line, ..Tree::default() };
        let mut depth = 1;
        // The main line is the first child of every node, so it ends where the first bracket closes.
        let mut main = true;
        while let Some(byte) = self.peek() {
            match byte {
                b'(' => {
                    depth += 1;
                    tree.variations |= !main;
                    self.step();
                }
                b')' => {
                    depth -= 1;
                    main = false;
                    self.step();
                    if depth == 0 {
                        return tree;
                    }
                }
                b'A'..=b'Z' | b'a'..=b'z' | b'[' => {
                    if let Err(flaw) = self.property(&mut tree, main) {
                        tree.flaw = Some(flaw);
                        return tree;
                    }
                }
                b';' => self.step(),
                _ => {
                    if !byte.is_ascii_whitespace() && tree.stray.is_none() {
                        tree.stray = Some(self.line);
                    }
                    self.step();
                }
            }
        }
        tree.flaw = Some(self.flaw("the text ends before the game does: a ) is missing."));
        tree
    }

    fn flaw(&self, why: &str) -> ImportFault {
        ImportFault { line: self.line, at: None, why: why.into() }
    }

    /// `NAME[value][value]`, the name at the front of the text.
    fn property(&mut self, tree: &mut Tree, main: bool) -> Result<(), ImportFault> {
        let begin = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
            self.step();
        }
        let name = short_name(&self.text[begin..self.at]);
        self.skip_blanks();
        while self.peek() == Some(b'[') {
            let line = self.line;
            let value = self.value()?;
            if main {
                tree.take(&name, value, line);
            }
            self.skip_blanks();
        }
        Ok(())
    }

    /// The text between the brackets, with its escapes.
    fn value(&mut self) -> Result<&str, ImportFault> {
        let open = self.flaw("a value is not closed: a ] is missing.");
        self.step();
        let begin = self.at;
        while let Some(byte) = self.peek() {
            match byte {
                b']' => {
                    self.step();
                    return Ok(&self.text[begin..self.at - 1]);
                }
                b'\\' => {
                    self.step();
                    self.step();
                }
                _ => self.step(),
            }
        }
        Err(open)
    }
}

/// Older versions of the format allow small letters inside a name, which do not count: `SiZe` is `SZ`.
fn short_name(name: &str) -> String {
    let capitals: String = name.chars().filter(char::is_ascii_uppercase).take(3).collect();
    if capitals.is_empty() { name.chars().take(3).collect::<String>().to_ascii_uppercase() } else { capitals }
}

/// A value without its escapes: a backslash keeps the next character, and before a line break it joins the lines.
fn plain(value: &str) -> String {
    // The end of a long one is not needed.
    let mut chars = value.chars().take(1000);
    let mut out = String::new();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next().filter(|c| !matches!(c, '\n' | '\r'))),
            c => out.push(c),
        }
    }
    out
}

impl Tree {
    fn value(&self, name: &str) -> Option<&str> {
        let at = KEPT.iter().position(|kept| *kept == name)?;
        self.values[at].as_deref()
    }

    fn take(&mut self, name: &str, value: &str, line: usize) {
        match name {
            "B" | "W" | "R" => {
                // One more than is allowed, so that the fault is seen; the rest of an endless game takes no memory.
                if self.moves.len() <= MOST_MOVES {
                    let by = Some(if name == "B" { 'B' } else { 'W' });
                    // Little Golem writes remarks after a bar.
                    let text = plain(value).split('|').next().unwrap_or_default().trim().to_owned();
                    self.moves.push(Move { line, text, by });
                }
            }
            "AB" | "AW" | "AE" => {
                self.set_up.get_or_insert_with(|| (line, name.to_owned()));
            }
            "C" => self.comments += 1,
            _ => {
                if let Some(at) = KEPT.iter().position(|kept| *kept == name) {
                    self.values[at].get_or_insert_with(|| plain(value));
                }
            }
        }
    }

    fn read(mut self, dialect: Dialect, options: &Options) -> Imported {
        let mut notes = self.notes();
        if let Some(kind) = self.value("GM").filter(|kind| kind.trim() != "21") {
            let why = format!("GM[{}] is another game; TwixT is GM[21].", quote(kind, 20));
            return refused(self.line, why, notes);
        }
        if let Some((line, name)) = self.set_up.take() {
            let why = format!("{name}: a position set up by hand is not read; a game begins on the empty board.");
            return Imported { line: self.line, ..refused(line, why, notes) };
        }
        let rules = self.rules(dialect, options, &mut notes);
        // The side that begins: by the letter of the first move, else the format's usual one.
        let usual = if dialect == Dialect::Golem { 'B' } else { 'W' };
        let first = self.moves.first().and_then(|mv| mv.by).unwrap_or(usual);
        let name = |key| self.value(key).unwrap_or_default().to_owned();
        let (black, white) = (name("PB"), name("PW"));
        let (swap, source) = self.swap(dialect);
        let (claim, winner) = read_result(self.value("RE").unwrap_or_default(), &mut notes);
        Foreign {
            line: self.line,
            size: self.size(),
            rules,
            no_swap: false,
            swap,
            source,
            across_first: dialect == Dialect::Twixt && first == 'B',
            letters: true,
            first: Some(first),
            names: if first == 'B' { [black, white] } else { [white, black] },
            claim,
            winner,
            flaw: self.flaw,
            moves: self.moves,
            notes,
        }
        .read(options)
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (key, what) in [("EV", "event"), ("SO", "source")] {
            if let Some(value) = self.value(key).map(remark).filter(|value| !value.is_empty()) {
                notes.push(format!("{what}: {value}"));
            }
        }
        if self.variations {
            notes.push("variations are left out; the main line is read.".into());
        }
        if self.comments > 0 {
            notes.push(format!("comments left out: {}.", self.comments));
        }
        if let Some(line) = self.stray {
            notes.push(format!("line {line}: text outside of brackets is left out."));
        }
        if let Some(handicap) = self.value("HA").filter(|handicap| !matches!(handicap.trim(), "" | "0")) {
            notes.push(format!("a handicap, HA[{}], is left out.", quote(handicap, 20)));
        }
        notes
    }

    /// The word for `rules=`.
    fn rules(&self, dialect: Dialect, options: &Options, notes: &mut Vec<String>) -> &'static str {
        let asked = options.game.is_some() || options.crossing.is_some();
        let said = self.value("RU").map(|rules| rules.trim().to_ascii_uppercase());
        let (rules, note) = match (said.as_deref(), dialect) {
            (Some("STD"), _) | (None | Some(""), Dialect::Twixt) => ("standard", None),
            (Some("PP"), _) => ("pp", None),
            (None | Some(""), Dialect::Golem) => {
                ("pp", Some("read by rules=pp, as Little Golem plays: one's own links may cross.".to_owned()))
            }
            (Some(other), _) => (
                "standard",
                Some(format!("RU[{}] is read as rules=standard: no link may cross another.", quote(other, 20))),
            ),
        };
        notes.extend(note.filter(|_| !asked));
        rules
    }

    /// Holes per side: `24`, or columns and rows as in `24:24`; by default 24.
    fn size(&self) -> Result<u32, String> {
        let Some(size) = self.value("SZ").map(str::trim) else { return Ok(24) };
        let (columns, rows) = size.split_once(':').unwrap_or((size, size));
        if columns.trim() != rows.trim() {
            return Err(oblong(columns, rows));
        }
        rows.trim().parse().map_err(|_| no_size(size))
    }

    /// What a swap means. Little Golem's is known; elsewhere the letter of the next move tells: White joins top and bottom, so if
    /// the side that swapped moves again, the players have changed colours and the peg has not.
    fn swap(&self, dialect: Dialect) -> (SwapAs, &'static str) {
        let swapper = self.moves.get(1).filter(|mv| swaps(&mv.text)).map(|mv| mv.by);
        let next = self.moves.get(2).map(|mv| mv.by);
        match dialect {
            Dialect::Golem => (SwapAs::Mirror, "Little Golem"),
            Dialect::Twixt if swapper.is_some() && swapper == next => {
                (SwapAs::Sides, "the colour of the next move, which has changed hands")
            }
            Dialect::Twixt => (SwapAs::Mirror, "the colour of the next move, which has not changed hands"),
        }
    }
}

/// `B+`, `W+R`, `0`, `Draw`: the winning side with the reason, or a draw.
fn read_result(text: &str, notes: &mut Vec<String>) -> (Claim, Option<(char, EndReason)>) {
    let text = text.trim();
    let folded = text.to_ascii_uppercase();
    if matches!(folded.as_str(), "0" | "DRAW") {
        return (Claim { outcome: Some(Outcome::Draw), reason: Some(EndReason::Recorded) }, None);
    }
    if matches!(folded.as_str(), "" | "?" | "*" | "VOID") {
        return (Claim::default(), None);
    }
    let (side, reason) = folded.split_once('+').unwrap_or_default();
    let reason = match reason {
        "R" | "RESIGN" => EndReason::Resigned,
        "T" | "TIME" => EndReason::Time,
        "F" | "FORFEIT" => EndReason::Forfeited,
        _ => EndReason::Recorded,
    };
    match side {
        "B" => (Claim::default(), Some(('B', reason))),
        "W" | "R" => (Claim::default(), Some(('W', reason))),
        _ => {
            notes.push(format!("result RE[{}] is left out: it is not B+, W+ or 0.", quote(text, 20)));
            (Claim::default(), None)
        }
    }
}
