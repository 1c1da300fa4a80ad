//! What the program prints. Names, records and comments come from strangers: what a terminal would obey is printed as an escape.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use quintet_game::text::is_unprintable;

use crate::screen;

/// What is done to text before it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Printed {
    /// Nothing: a file for other programs.
    AsItIs,
    /// Everything but line ends and tabs is made printable.
    Plain,
    /// The same, but colours pass.
    Coloured,
}

impl Printed {
    /// On standard output. `data` is a file for other programs, as long as it goes into one.
    pub fn on_stdout(data: bool) -> Printed {
        match (data && !io::stdout().is_terminal(), screen::colour()) {
            (true, _) => Printed::AsItIs,
            (false, true) => Printed::Coloured,
            (false, false) => Printed::Plain,
        }
    }
}

/// Text as it may be printed, with line ends and tabs. The escapes are those of JSON, so that JSON stays the same JSON.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, false)
}

fn escaped(text: &str, colours: bool) -> Cow<'_, str> {
    let is_bad = |c: char| is_unprintable(c) && c != '\n' && c != '\t';
    if !text.contains(is_bad) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_bad) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let colour = if colours { colour(rest) } else { None };
        let taken = match (colour, rest.chars().next()) {
            (Some(sequence), _) => {
                out.push_str(sequence);
                sequence.len()
            }
            (None, Some(c)) => {
                // All of them have four digits.
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
                c.len_utf8()
            }
            (None, None) => 0,
        };
        rest = &rest[taken..];
    }
    Cow::Owned(out + rest)
}

/// The sequence that sets a colour at the front of a text.
fn colour(text: &str) -> Option<&str> {
    let numbers = text.strip_prefix("\x1b[")?;
    let length = numbers.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    numbers[length..].starts_with('m').then(|| &text[..length + 3])
}

/// Standard output cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output: {0}")]
pub struct Unwritten(io::Error);

impl Unwritten {
    /// Is that why something failed?
    pub fn is_cause(error: &anyhow::Error) -> bool {
        let inner = |cause: &io::Error| cause.get_ref().is_some_and(|inner| inner.is::<Unwritten>());
        error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(inner))
    }

    /// An error that says so, unless the reader has closed its pipe.
    pub fn wrap(why: io::Error) -> io::Error {
        if why.kind() == io::ErrorKind::BrokenPipe { why } else { io::Error::new(why.kind(), Unwritten(why)) }
    }
}

/// A writer to standard output.
pub struct Output<W> {
    to: W,
    printed: Printed,
}

impl<W: Write> Output<W> {
    /// Around a writer.
    pub fn new(to: W, printed: Printed) -> Output<W> {
        Output { to, printed }
    }
}

impl<W: Write> Write for Output<W> {
    /// Everything, whose characters are whole: formatted text comes in whole pieces.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = if self.printed == Printed::AsItIs {
            self.to.write_all(bytes)
        } else {
            let text = String::from_utf8_lossy(bytes);
            self.to.write_all(escaped(&text, self.printed == Printed::Coloured).as_bytes())
        };
        written.map(|()| bytes.len()).map_err(Unwritten::wrap)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush().map_err(Unwritten::wrap)
    }
}

/// Prints a line to standard error. One that cannot be printed is dropped: there is no other place to complain.
pub fn print_note(text: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(text));
}

/// A formatted line on standard error, printable whatever is in it.
macro_rules! note {
    ($($part:tt)*) => { $crate::output::print_note(&format!($($part)*)) };
}
pub(crate) use note;

#[cfg(test)]
mod tests {
    use super::*;

    const FOREIGN: &str = "a\x1b[2Jb\u{9b}31m\u{202e}c\u{2066}\x07\r\x7f\0é\n\tz";
    const SHOWN: &str = "a\\u001b[2Jb\\u009b31m\\u202ec\\u2066\\u0007\\u000d\\u007f\\u0000é\n\tz";

    fn written(text: &str, printed: Printed) -> String {
        let mut out = Output::new(Vec::new(), printed);
        write!(out, "{text}").unwrap();
        String::from_utf8(out.to).unwrap()
    }

    #[test]
    fn a_terminal_obeys_nothing_of_strangers() {
        assert_eq!(printable(FOREIGN), SHOWN);
        assert_eq!(written(FOREIGN, Printed::Plain), SHOWN);
        assert_eq!(written(FOREIGN, Printed::AsItIs), FOREIGN);
        let board = "\x1b[1;31mO\x1b[0m";
        assert_eq!(written(&format!("{board}{FOREIGN}"), Printed::Coloured), format!("{board}{SHOWN}"));
        assert_eq!(written(board, Printed::Plain), "\\u001b[1;31mO\\u001b[0m");
        assert_eq!(written("\x1b[31", Printed::Coloured), "\\u001b[31");
    }

    #[test]
    fn json_stays_the_same_json() {
        let text = serde_json::json!({ "name": FOREIGN }).to_string();
        let shown = written(&text, Printed::Plain);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap()["name"], FOREIGN);
        assert!(!shown.contains(is_unprintable), "{shown}");
    }
}
