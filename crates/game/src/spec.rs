//! The grammar of everything that is named with arguments (games, evaluations, agents): `KIND(key=value,…)`; values nest.

use std::fmt;
use std::time::Duration;

use crate::text::quote;

/// A kind with its arguments, such as `e3(a=2,b=1)` or `alphabeta(eval=distance(w=0.1),depth=4)`.
///
/// ```
/// use quintet_game::Spec;
/// let spec = Spec::parse("alphabeta(eval=distance(w=0.1),time=50ms,note=\"a, b\")").unwrap();
/// assert_eq!(spec.kind, "alphabeta");
/// assert_eq!(spec.to_string(), "alphabeta(eval=distance(w=0.1),time=50ms,note=\"a, b\")");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The kind.
    pub kind: String,
    /// Its arguments, in the order in which they were given.
    pub arguments: Vec<(String, Argument)>,
}

/// The value of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A word, a number, a time, or a kind with arguments of its own.
    Spec(Spec),
    /// A text in double quotes.
    Text(String),
}

/// Why a spec was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The brackets, commas or quotes are wrong.
    #[error("\"{}\", character {at}: {what}", quote(text, 60))]
    Shape {
        /// The whole text.
        text: String,
        /// Where, counted from 1.
        at: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// No such kind.
    #[error("\"{}\" is not {what}; choose one of {known}.", quote(kind, 40))]
    UnknownKind {
        /// The kind that was asked for.
        kind: String,
        /// What it should have been, with its article: `an evaluation of Pylos`.
        what: String,
        /// The kinds that exist.
        known: String,
    },
    /// The kind has no such argument.
    #[error("{kind} takes no \"{}\"; it takes {known}.", quote(key, 40))]
    UnknownKey {
        /// The kind.
        kind: String,
        /// The unknown key.
        key: String,
        /// The known keys.
        known: String,
    },
    /// An argument was given twice.
    #[error("{0} is given twice.")]
    RepeatedKey(String),
    /// It exists, but is not available here.
    #[error("{what} {why}")]
    Unusable {
        /// What was asked for.
        what: String,
        /// Why it is not available, and what to do.
        why: String,
    },
    /// An argument's value is invalid.
    #[error("{key}={}: it must be {wanted}.", quote(value, 40))]
    BadValue {
        /// The argument.
        key: String,
        /// What was given.
        value: String,
        /// What is valid.
        wanted: String,
    },
}

/// The deepest nesting of a spec.
const DEEPEST: usize = 16;

impl Spec {
    /// Reads a spec. No blanks outside of quotes; case is kept.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let mut reader = Reader { text, at: 0 };
        let spec = reader.spec(0)?;
        if reader.at < text.len() { Err(reader.fault("expected the end")) } else { Ok(spec) }
    }

    /// The same spec with these arguments replacing or extending its own.
    ///
    /// ```
    /// use quintet_game::Spec;
    /// let spec = Spec::parse("beam(widths=10-5-1,ties=first)").unwrap();
    /// let given = Spec::parse("x(ties=random,depth=2)").unwrap().arguments;
    /// assert_eq!(spec.with(given).to_string(), "beam(widths=10-5-1,ties=random,depth=2)");
    /// ```
    #[must_use]
    pub fn with(mut self, arguments: Vec<(String, Argument)>) -> Spec {
        for (key, value) in arguments {
            match self.arguments.iter_mut().find(|(known, _)| *known == key) {
                Some((_, old)) => *old = value,
                None => self.arguments.push((key, value)),
            }
        }
        self
    }

    /// The arguments, to be taken out one by one; [`Arguments::finish`] refuses what is left.
    #[must_use]
    pub fn arguments(&self) -> Arguments<'_> {
        Arguments { spec: self, known: Vec::new() }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn fault(&self, what: &'static str) -> SpecError {
        let at = self.text[..self.at].chars().count() + 1;
        SpecError::Shape { text: self.text.to_owned(), at, what }
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.text[self.at..].starts_with(c);
        self.at += if found { c.len_utf8() } else { 0 };
        found
    }

    /// Letters, digits and `- + . : _`: kinds, numbers, times, catalogue names.
    fn word(&mut self) -> Result<String, SpecError> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-+.:_".contains(c))).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.fault("expected a word of letters, digits, and - + . : _"));
        }
        self.at += end;
        Ok(rest[..end].to_owned())
    }

    fn spec(&mut self, depth: usize) -> Result<Spec, SpecError> {
        let kind = self.word()?;
        let mut arguments: Vec<(String, Argument)> = Vec::new();
        if !self.eat('(') || self.eat(')') {
            return Ok(Spec { kind, arguments });
        }
        if depth == DEEPEST {
            return Err(self.fault("brackets nest too deeply"));
        }
        loop {
            let key = self.word()?;
            if !self.eat('=') {
                return Err(self.fault("expected =, since arguments are key=value"));
            }
            if arguments.iter().any(|(known, _)| *known == key) {
                return Err(SpecError::RepeatedKey(key));
            }
            let value =
                if self.eat('"') { Argument::Text(self.quoted()?) } else { Argument::Spec(self.spec(depth + 1)?) };
            arguments.push((key, value));
            if self.eat(')') {
                return Ok(Spec { kind, arguments });
            }
            if !self.eat(',') {
                return Err(self.fault("expected , or )"));
            }
        }
    }

    fn quoted(&mut self) -> Result<String, SpecError> {
        let mut out = String::new();
        let mut escaped = false;
        for c in self.text[self.at..].chars() {
            self.at += c.len_utf8();
            match c {
                c if escaped => {
                    out.push(c);
                    escaped = false;
                }
                '\\' => escaped = true,
                '"' => return Ok(out),
                c => out.push(c),
            }
        }
        Err(self.fault("the closing \" is missing"))
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.kind)?;
        for (i, (key, value)) in self.arguments.iter().enumerate() {
            write!(f, "{}{key}={value}", if i == 0 { "(" } else { "," })?;
        }
        f.write_str(if self.arguments.is_empty() { "" } else { ")" })
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Argument::Spec(spec) => spec.fmt(f),
            Argument::Text(text) => write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        }
    }
}

/// Reads a time such as `2s` or `50ms`, up to a million seconds.
///
/// ```
/// use std::time::Duration;
/// assert_eq!(quintet_game::read_time("50ms"), Some(Duration::from_millis(50)));
/// assert_eq!(quintet_game::read_time("50"), None);
/// ```
#[must_use]
pub fn read_time(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s')?, 1.0),
    };
    let seconds = number.parse::<f64>().ok()? * unit;
    (0.0..=1e6).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// The arguments of a spec, while they are being read.
///
/// ```
/// use quintet_game::Spec;
/// let spec = Spec::parse("e3(a=2,c=1)").unwrap();
/// let mut arguments = spec.arguments();
/// assert_eq!(arguments.number("a", 1.0), Ok(2.0));
/// assert_eq!(arguments.number("b", 1.0), Ok(1.0));
/// assert_eq!(arguments.finish().unwrap_err().to_string(), "e3 takes no \"c\"; it takes a, b.");
/// ```
#[derive(Debug)]
pub struct Arguments<'a> {
    spec: &'a Spec,
    known: Vec<&'static str>,
}

impl<'a> Arguments<'a> {
    /// The value at `key`, if it was given.
    pub fn take(&mut self, key: &'static str) -> Option<&'a Argument> {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        self.spec.arguments.iter().find(|(given, _)| given == key).map(|(_, value)| value)
    }

    /// A finite number.
    pub fn number(&mut self, key: &'static str, default: f64) -> Result<f64, SpecError> {
        let Some(value) = self.take(key) else { return Ok(default) };
        let text = value.to_string();
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| SpecError::BadValue { key: key.into(), value: text, wanted: "a number".into() })
    }

    /// A whole number, at least 0.
    pub fn count(&mut self, key: &'static str) -> Result<Option<u64>, SpecError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let text = value.to_string();
        let number = text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
        number.map(Some).ok_or_else(|| SpecError::BadValue {
            key: key.into(),
            value: text,
            wanted: "a whole number".into(),
        })
    }

    /// Whole numbers joined by `-`, such as `10-5-1`.
    pub fn counts(&mut self, key: &'static str) -> Result<Option<Vec<usize>>, SpecError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let text = value.to_string();
        let numbers: Option<Vec<usize>> = text.split('-').map(|number| number.parse().ok()).collect();
        let wanted = || "whole numbers such as 10-5-1".to_owned();
        numbers.map(Some).ok_or_else(|| SpecError::BadValue { key: key.into(), value: text, wanted: wanted() })
    }

    /// A time such as `2s` or `50ms`.
    pub fn time(&mut self, key: &'static str) -> Result<Option<Duration>, SpecError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let text = value.to_string();
        let wanted = || "a time such as 2s or 50ms".to_owned();
        read_time(&text).map(Some).ok_or_else(|| SpecError::BadValue { key: key.into(), value: text, wanted: wanted() })
    }

    /// A kind with arguments of its own, or a bare word; `None` if it was not given.
    pub fn spec(&mut self, key: &'static str, wanted: &str) -> Result<Option<&'a Spec>, SpecError> {
        match self.take(key) {
            None => Ok(None),
            Some(Argument::Spec(spec)) => Ok(Some(spec)),
            Some(value) => {
                Err(SpecError::BadValue { key: key.into(), value: value.to_string(), wanted: wanted.into() })
            }
        }
    }

    /// One of these words, as its index; the first is the default.
    pub fn word(&mut self, key: &'static str, words: &[&str]) -> Result<usize, SpecError> {
        let Some(value) = self.take(key) else { return Ok(0) };
        let text = value.to_string();
        let found = words.iter().position(|word| *word == text);
        found.ok_or_else(|| SpecError::BadValue {
            key: key.into(),
            value: text,
            wanted: format!("one of {}", words.join(", ")),
        })
    }

    /// Refuses arguments that were never read.
    pub fn finish(self) -> Result<(), SpecError> {
        let known = if self.known.is_empty() { "nothing".into() } else { self.known.join(", ") };
        match self.spec.arguments.iter().find(|(key, _)| !self.known.contains(&key.as_str())) {
            Some((key, _)) => Err(SpecError::UnknownKey { kind: self.spec.kind.clone(), key: key.clone(), known }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_round_trip() {
        for text in ["random", "e3(a=2,b=-1.5)", "x(y=z(w=1,v=\"q)\\\"\\\\\"),t=50ms)", "pathwayz:adv-baseline"] {
            assert_eq!(Spec::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Spec::parse("random()").unwrap().to_string(), "random");
    }

    #[test]
    fn bad_specs_say_where() {
        let deep = "a(b=".repeat(1000);
        for (text, says) in [
            ("", "character 1: expected a word"),
            ("a b", "character 2: expected the end"),
            ("a(", "character 3: expected a word"),
            ("a(b", "character 4: expected ="),
            ("a(b=1", "character 6: expected , or )"),
            ("a(b=1,)", "character 7: expected a word"),
            ("a(b=1,b=2)", "b is given twice"),
            ("a(b=\"x", "the closing \" is missing"),
            ("a(3)", "expected ="),
            ("é", "character 1"),
            (&deep, "nest too deeply"),
        ] {
            let error = Spec::parse(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
            assert!(error.chars().count() < 200);
        }
    }
}
