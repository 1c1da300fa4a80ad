//! Opening books: their file format, and finding a position's move in one.
//!
//! A book is CSV, `position,move`, with comments above. One position represents all its symmetric images, so the book's answer
//! does not depend on the orientation of the board.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use quintet_game::text::quote;
use quintet_game::{Game, GameSpec, Playable, canonical, carry_over};
use sha2::{Digest, Sha256};

use crate::weights::{hex, unusable};
use crate::{Argument, Arguments, SpecError, WeightStore};

/// An opening book of one game: one move per position, up to symmetry.
///
/// ```
/// use std::collections::BTreeMap;
/// use quintet_eval::{Book, write_book};
/// use quintet_game::{Game, GameSpec, Notation, pentago::Pentago};
/// let (spec, game) = (GameSpec::parse("pentago-twist").unwrap(), Pentago::twist());
/// let start = game.write_position(&game.start());
/// let text = write_book(&spec, &[("games", "12".into())], &BTreeMap::from([(start, "b2q1r".into())]));
/// let book = Book::parse(&spec, &game, &text).unwrap();
/// assert_eq!(book.find(&game, &game.start()), game.read_move("b2q1r").ok());
/// let error = Book::parse(&spec, &game, &text.replace("b2q1r", "b2q1l")).err().unwrap().to_string();
/// assert!(error.contains("line 6"), "{error}");
/// ```
#[derive(Debug)]
pub struct Book<G: Game> {
    moves: HashMap<G::Pos, G::Move>,
}

/// Why a book was refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// It is not a book.
    #[error("it is not an opening book: {0}")]
    Foreign(&'static str),
    /// It belongs to another game or other rules.
    #[error("it is a book of {}, not of {wanted}.", quote(has, 60))]
    Game {
        /// The game it belongs to.
        has: String,
        /// The game that was expected.
        wanted: String,
    },
    /// A line cannot be understood.
    #[error("line {line}: {why}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// The content is not what was written.
    #[error(
        "line {line}: it is damaged: its checksum is {}, its content has {found}. Get it again, or train again.",
        quote(written, 70)
    )]
    Damaged {
        /// The line of the checksum.
        line: usize,
        /// The checksum in the file.
        written: String,
        /// The checksum of the content.
        found: String,
    },
}

/// The header line above the moves.
const HEADER: &str = "position,move";

/// How the first line begins.
const FIRST: &str = "# An opening book";

/// The text of a book: moves by the texts of representative positions, and notes on how it was made. A note is one line.
#[must_use]
pub fn write_book(spec: &GameSpec, notes: &[(&str, String)], moves: &BTreeMap<String, String>) -> String {
    let lines: Vec<String> = moves.iter().map(|(position, mv)| format!("{position},{mv}")).collect();
    let sum = checksum(&spec.to_string(), lines.iter().map(String::as_str));
    let mut text = format!("{FIRST}; a position stands for all its symmetric images.\n# game: {spec}\n");
    for (name, note) in notes {
        let _ = writeln!(text, "# {name}: {}", note.replace('\n', " "));
    }
    let _ = writeln!(text, "# checksum: {sum}\n{HEADER}");
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// SHA-256 of the game and the moves.
fn checksum<'a>(game: &'a str, lines: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for line in std::iter::once(game).chain(lines) {
        hash.update(line.as_bytes());
        hash.update([0]);
    }
    hex(hash)
}

/// The parts of a book's text, not yet interpreted.
struct Pages<'a> {
    game: &'a str,
    /// The checksum in the file, and its line.
    written: (usize, &'a str),
    /// The moves, with their lines.
    moves: Vec<(usize, &'a str)>,
}

impl Pages<'_> {
    fn read(text: &str) -> Result<Pages<'_>, BookError> {
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        if !text.starts_with(FIRST) {
            return Err(BookError::Foreign("its first line is not that of a book."));
        }
        let (mut game, mut written) = (None, None);
        for (line, said) in lines.by_ref() {
            if said == HEADER {
                break;
            }
            let Some(note) = said.strip_prefix('#') else {
                let why = format!("expected a note that begins with # or the header \"{HEADER}\".");
                return Err(BookError::Line { line, why });
            };
            match note.split_once(':').map(|(name, note)| (name.trim(), note.trim())) {
                Some(("game", spec)) => game = Some(spec),
                Some(("checksum", sum)) => written = Some((line, sum)),
                _ => {}
            }
        }
        Ok(Pages {
            game: game.ok_or(BookError::Foreign("it has no line \"# game: …\" above its moves."))?,
            written: written.ok_or(BookError::Foreign("it has no line \"# checksum: …\" above its moves."))?,
            moves: lines.collect(),
        })
    }

    fn checksum(&self) -> String {
        checksum(self.game, self.moves.iter().map(|(_, line)| *line))
    }
}

impl<G: Playable> Book<G> {
    /// Reads a book's text and checks that every move is legal.
    ///
    /// # Errors
    /// When it is not a book, belongs to another game, was changed, or holds an invalid position or move.
    pub fn parse(spec: &GameSpec, game: &G, text: &str) -> Result<Book<G>, BookError> {
        let pages = Pages::read(text)?;
        if pages.game != spec.to_string() {
            return Err(BookError::Game { has: pages.game.into(), wanted: spec.to_string() });
        }
        let mut moves = HashMap::with_capacity(pages.moves.len());
        for (line, said) in &pages.moves {
            let wrong = |why: String| BookError::Line { line: *line, why };
            let (pos, mv) = read_line(game, said).map_err(wrong)?;
            if moves.insert(pos, mv).is_some() {
                return Err(wrong("the position has a move already.".into()));
            }
        }
        let ((line, written), found) = (pages.written, pages.checksum());
        if written == found {
            Ok(Book { moves })
        } else {
            Err(BookError::Damaged { line, written: written.into(), found })
        }
    }

    /// The move at a position, if it or an image of it is in the book.
    #[must_use]
    pub fn find(&self, game: &G, pos: &G::Pos) -> Option<G::Move> {
        let (_, stands) = canonical(game, pos);
        carry_over(game, &stands, *self.moves.get(&stands)?, pos)
    }

    /// How many positions it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Does it have none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }
}

/// A representative position, and a legal move there.
fn read_line<G: Playable>(game: &G, line: &str) -> Result<(G::Pos, G::Move), String> {
    let (position, token) = line.rsplit_once(',').ok_or("expected a position, a comma and a move.")?;
    let pos = game.read_position(position).map_err(|fault| format!("position: {fault}"))?;
    if game.outcome(&pos).is_some() {
        return Err("the game is over there.".into());
    }
    let (stands, _) = canonical(game, &pos);
    if stands != position {
        return Err(format!("the position must be written as \"{stands}\", which stands for all its images."));
    }
    let legal = game.read_move(token).and_then(|mv| game.check(&pos, mv).map(|()| mv));
    let mv = legal.map_err(|fault| format!("move \"{}\": {fault}", quote(token, 40)))?;
    Ok((pos, mv))
}

/// The books that a store has read, by name and game.
#[derive(Debug, Default)]
pub(crate) struct Opened(Mutex<HashMap<(String, String), Arc<dyn Any + Send + Sync>>>);

impl WeightStore {
    /// The book that the argument `book` names, such as `pentago-twist:book`, or a file in quotes. A named book is read only once.
    ///
    /// # Errors
    /// When the argument or the book is missing, or the book is damaged or belongs to another game.
    pub fn asked_book<G: Playable>(
        &self,
        arguments: &mut Arguments,
        spec: &GameSpec,
        game: &G,
    ) -> Result<Arc<Book<G>>, SpecError> {
        let value = arguments.take("book").ok_or_else(|| SpecError::BadValue {
            key: "book".into(),
            value: String::new(),
            wanted: "the name of a book, as in book=pentago-twist:book, or a file in quotes".into(),
        })?;
        let Argument::Spec(named) = value else { return Ok(Arc::new(self.read_book(value, spec, game)?)) };
        let mut opened = self.books.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (named.kind.clone(), spec.to_string());
        if let Some(known) = opened.get(&key) {
            return Ok(known.clone().downcast().expect("a spec has one type of game"));
        }
        let book = Arc::new(self.read_book(value, spec, game)?);
        opened.insert(key, book.clone());
        Ok(book)
    }

    fn read_book<G: Playable>(&self, value: &Argument, spec: &GameSpec, game: &G) -> Result<Book<G>, SpecError> {
        let (from, text) = self.book_text(value)?;
        Book::parse(spec, game, &text).map_err(|error| unusable(&from, format!("cannot be used: {error}")))
    }

    /// The text of a book, and where it was read from.
    fn book_text(&self, value: &Argument) -> Result<(String, String), SpecError> {
        match value {
            Argument::Text(path) => {
                let unreadable = |why| unusable(path, format!("cannot be read: {why}"));
                Ok((path.clone(), quintet_data::read_text(path.as_ref()).map_err(unreadable)?))
            }
            Argument::Spec(named) => {
                let name = &named.kind;
                let Some((text, path)) = self.text(name, "csv")? else {
                    let known = self.names("csv").join(", ");
                    let why = format!(
                        "was not found; the known ones are {known}. If it is a recipe, make it: quintet train {name}"
                    );
                    return Err(unusable(&format!("book \"{}\"", quote(name, 60)), why));
                };
                Ok((path.map_or(name.clone(), |path| path.display().to_string()), text))
            }
        }
    }

    /// Name or path of a book, and its checksum.
    pub(crate) fn book_checksum(&self, value: &Argument) -> Result<(String, String), SpecError> {
        let (from, text) = self.book_text(value)?;
        let pages = Pages::read(&text).map_err(|error| unusable(&from, format!("cannot be used: {error}")))?;
        let name = match value {
            Argument::Spec(named) => named.kind.clone(),
            Argument::Text(path) => path.clone(),
        };
        Ok((name, pages.checksum()))
    }
}
