//! Naive twins: slow, plain implementations of the rules, written from the rules page alone.
//!
//! They share nothing with the engine (no types, no tables, no bit tricks), so that a mistake there is not
//! repeated here. Everything is exchanged as text.

pub mod pathwayz;
pub mod pentago;
pub mod pylos;
pub mod twixt;

/// A slow, plain implementation of a game's rules, with moves and positions as text.
pub trait Naive {
    /// All legal tokens in output spelling, in no particular order; empty when the game is over.
    fn legal(&self) -> Vec<String>;
    /// Plays one of `legal()`; panics on anything else.
    fn play(&mut self, mv: &str);
    /// `first`, `second` or `draw` once the game is over.
    fn outcome(&self) -> Option<&'static str>;
    /// The position text of the rules page.
    fn position(&self) -> String;
}

/// Builds the twin for a full spec such as `twixt(size=6,swap=turn)`; panics on an unknown one.
pub fn naive(spec: &str) -> Box<dyn Naive> {
    let mut spec = Spec::read(spec);
    let twin: Box<dyn Naive> = match spec.name.as_str() {
        "pentago" | "pentago-twist" => Box::new(pentago::Pentago::new(&mut spec)),
        "pathwayz" => Box::new(pathwayz::Pathwayz::new(&mut spec)),
        "pylos" => Box::new(pylos::Pylos::new(&mut spec)),
        "twixt" => Box::new(twixt::Twixt::new(&mut spec)),
        other => panic!("no game {other}"),
    };
    spec.finish();
    twin
}

/// A spec taken apart; a game takes out the options it knows, and none may be left over.
pub struct Spec {
    name: String,
    options: Vec<(String, String)>,
}

impl Spec {
    /// Splits `name(key=value,...)`.
    pub fn read(text: &str) -> Spec {
        let (name, list) = match text.split_once('(') {
            Some((name, rest)) => (name, rest.strip_suffix(')').expect("a closing bracket")),
            None => (text, ""),
        };
        let mut options = Vec::new();
        for option in list.split(',').filter(|option| !option.is_empty()) {
            let (key, value) = option.split_once('=').expect("key=value");
            options.push((key.to_string(), value.to_string()));
        }
        Spec { name: name.to_string(), options }
    }

    /// Takes an option out of the list.
    fn take(&mut self, key: &str) -> Option<String> {
        let at = self.options.iter().position(|(k, _)| k == key)?;
        Some(self.options.remove(at).1)
    }

    /// The value of an option of words; the first of `allowed` is the default.
    fn word(&mut self, key: &str, allowed: &[&'static str]) -> &'static str {
        let Some(value) = self.take(key) else { return allowed[0] };
        let known = allowed.iter().find(|&&word| word == value);
        known.unwrap_or_else(|| panic!("{key}={value}"))
    }

    /// The value of a number option between `low` and `high`.
    fn number(&mut self, key: &str, default: usize, low: usize, high: usize) -> usize {
        let Some(value) = self.take(key) else { return default };
        let number = value.parse().expect("a number");
        assert!(low <= number && number <= high, "{key}={value}");
        number
    }

    /// Panics if an option is left that was not taken: an unknown or a repeated key.
    pub fn finish(&self) {
        assert!(self.options.is_empty(), "{:?}", self.options);
    }
}

/// The name of a cell, column and row counted from 0: (0, 0) is `a1`.
fn cell_name(col: usize, row: usize) -> String {
    format!("{}{}", (b'a' + col as u8) as char, row + 1)
}

/// The column and row of a cell name.
fn parse_cell(name: &str) -> (usize, usize) {
    let row: usize = name[1..].parse().expect("a row number");
    ((name.as_bytes()[0] - b'a') as usize, row - 1)
}

/// The rows of a board from top to bottom, joined by `/`.
fn rows_text(board: &[Vec<char>]) -> String {
    let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
    rows.join("/")
}
