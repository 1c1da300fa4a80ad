//! Games written by other programs: text in, records out.

mod draft;
mod own;
mod plain;
mod sgf;
mod t1;
mod twixt;

use std::fmt;
use std::str::FromStr;

use quintet_game::record::Record;
use quintet_game::text::quote;
use quintet_game::{GAMES, GameSpec};

use sgf::Dialect;

/// The longest text that is read, in bytes.
pub const LONGEST_TEXT: usize = 64 << 20;

/// The most games that one text may hold.
pub const MOST_GAMES: usize = 100_000;

/// The most moves of one game that are read, far above any real game.
pub const MOST_MOVES: usize = 10_000;

/// Formats of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Our own text records, one game per line: see [`Record`].
    Own,
    /// One JSON object per line, with `game`, `moves` and optionally `position`, as `quintet replay --jsonl` reads it.
    Jsonl,
    /// A list of moves, `1.f6 2.swap 3.m16` or one move per line; the game comes from [`Options::game`].
    Plain,
    /// TwixT: the `.T1` files of T1j and twixtbot-ui.
    T1,
    /// TwixT: the `.tsgf` files of Little Golem, one game per line.
    Tsgf,
    /// TwixT: Smart Game Format, `GM[21]`.
    Sgf,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 6] = [Format::Own, Format::Jsonl, Format::Plain, Format::T1, Format::Tsgf, Format::Sgf];

    /// The name of the format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Own => "own",
            Format::Jsonl => "jsonl",
            Format::Plain => "plain",
            Format::T1 => "t1",
            Format::Tsgf => "tsgf",
            Format::Sgf => "sgf",
        }
    }
}

/// What a swap in a foreign TwixT record means. The first peg becomes the second player's in all three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SwapAs {
    /// The peg moves to its image in the main diagonal and changes colour; the players keep their sides (Little Golem, twixtbot).
    Mirror,
    /// The peg moves to its image after a quarter turn clockwise and changes colour; the players keep their sides (OpenSpiel).
    Turn,
    /// The peg stays as it is and the players change sides (T1j, boardspace).
    Sides,
}

impl SwapAs {
    /// Every meaning.
    pub const ALL: [SwapAs; 3] = [SwapAs::Mirror, SwapAs::Turn, SwapAs::Sides];

    /// The name of the meaning.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SwapAs::Mirror => "mirror",
            SwapAs::Turn => "turn",
            SwapAs::Sides => "sides",
        }
    }
}

/// Which links may cross in a foreign TwixT record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Crossing {
    /// None may cross another: `rules=standard`.
    Never,
    /// One's own links may cross each other: `rules=pp`.
    Own,
}

impl Crossing {
    /// Every rule of crossing.
    pub const ALL: [Crossing; 2] = [Crossing::Never, Crossing::Own];

    /// The name of the rule.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Crossing::Never => "never",
            Crossing::Own => "own",
        }
    }
}

/// A value that an option does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{}\" is not a {what}; choose one of {}.", quote(.word, 40), .words.join(", "))]
pub struct UnknownWord {
    what: &'static str,
    word: String,
    words: Vec<&'static str>,
}

macro_rules! words {
    ($($kind:ty: $what:literal),*) => {$(
        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $kind {
            type Err = UnknownWord;
            fn from_str(word: &str) -> Result<$kind, UnknownWord> {
                let unknown = || UnknownWord {
                    what: $what,
                    word: word.to_owned(),
                    words: <$kind>::ALL.iter().map(|one| one.name()).collect(),
                };
                <$kind>::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(word)).ok_or_else(unknown)
            }
        }
    )*};
}

words!(Format: "format of games", SwapAs: "meaning of a swap", Crossing: "rule of crossing");

/// What a text does not say itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The game. Plain lists need it; in the TwixT formats it overrides the size and the rules that the file names. Our own
    /// records and JSON lines name their game themselves.
    pub game: Option<GameSpec>,
    /// What a swap means in the TwixT formats and in plain lists of TwixT; by default what the format usually means.
    pub swap: Option<SwapAs>,
    /// Which links may cross in the TwixT formats; by default what the file says or the format usually means.
    pub crossing: Option<Crossing>,
    /// The most games that are read; [`MOST_GAMES`] by default.
    pub games: Option<usize>,
}

/// A game that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The line of the text on which it begins, from 1.
    pub line: usize,
    /// The game as far as it is legal, with players and result; `None` if its rules or its first position cannot be read.
    /// Its result is that of the board where the board has one, else that of the text.
    pub record: Option<Record>,
    /// Notes for the reader: what was assumed, mirrored, contradicted or left out. Short lines, safe to print.
    pub notes: Vec<String>,
    /// What is wrong with the game.
    pub fault: Option<ImportFault>,
}

/// The first thing wrong with a game.
///
/// ```
/// use quintet_records::{Options, import};
/// let games = import("pathwayz; 1.e5 2.e5p", None, &Options::default()).unwrap();
/// let fault = games[0].fault.as_ref().unwrap();
/// assert_eq!(fault.to_string(), "line 1, move 2 \"e5p\": e5 is taken (w).");
/// assert_eq!(games[0].record.as_ref().unwrap().moves, ["e5"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ImportFault {
    /// The line of the text, from 1.
    pub line: usize,
    /// The number of the move in the game, from 1, and its text in the file; `None` if it is not about a move.
    pub at: Option<(usize, String)>,
    /// What is wrong, in a sentence.
    pub why: String,
}

impl fmt::Display for ImportFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some((number, text)) = &self.at {
            write!(f, ", move {number} \"{}\"", quote(text, 40))?;
        }
        write!(f, ": {}", self.why)
    }
}

/// Why a text was refused as a whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// It is empty, or has only comments.
    #[error("there is no game in the text.")]
    Empty,
    /// It is longer than [`LONGEST_TEXT`].
    #[error("the text has {0} bytes; at most {LONGEST_TEXT} are read. Split it.")]
    TooLong(usize),
    /// It holds more games than [`Options::games`].
    #[error("line {line}: more than {most} games in one text. Split it.")]
    TooMany {
        /// Where the first game too many begins.
        line: usize,
        /// How many are read.
        most: usize,
    },
    /// Its format is not recognized.
    #[error(
        "line {line}: this does not look like any of the formats {names}. Name the format; a plain list of moves needs its game too.",
        line = .0,
        names = format_names()
    )]
    UnknownFormat(usize),
    /// A plain list of moves without its game.
    #[error("a plain list of moves does not say which game it is; name it, as in twixt(size=12).")]
    NeedsGame,
    /// A TwixT format for another game.
    #[error("{0} is a format of TwixT, not of {1}. Leave the game out or name twixt.")]
    NotTwixt(Format, GameSpec),
}

fn format_names() -> String {
    Format::ALL.map(Format::name).join(", ")
}

/// Reads every game of a text; without a format, in the one that [`detect`] finds.
///
/// ```
/// use quintet_records::{Options, import};
/// let text = "(;FF[4]EV[cup]PB[anna]PW[otto]SZ[12]SO[www];b[bd];r[swap];b[fg];r[resign])";
/// let games = import(text, None, &Options::default()).unwrap();
/// let record = games[0].record.as_ref().unwrap();
/// assert_eq!(record.to_string(), "twixt(rules=pp); 1.b4 2.swap 3.f7; first; resigned; anna, otto");
/// assert!(games[0].notes.iter().any(|note| note.contains("swap=mirror")));
/// ```
///
/// # Errors
/// If the text as a whole cannot be read. What is wrong with one game is in its [`Imported::fault`] and does not stop the others.
pub fn import(text: &str, format: Option<Format>, options: &Options) -> Result<Vec<Imported>, ImportError> {
    if text.len() > LONGEST_TEXT {
        return Err(ImportError::TooLong(text.len()));
    }
    let text = without_mark(text);
    let format = format.map_or_else(|| detect(text, options), Ok)?;
    if matches!(format, Format::T1 | Format::Tsgf | Format::Sgf)
        && let Some(spec) = options.game.filter(|spec| spec.info().name != "twixt")
    {
        return Err(ImportError::NotTwixt(format, spec));
    }
    let mut games = Games { read: Vec::new(), most: options.games.unwrap_or(MOST_GAMES).min(MOST_GAMES) };
    match format {
        Format::Own => own::records(text, &mut games)?,
        Format::Jsonl => own::json_lines(text, &mut games)?,
        Format::Plain => plain::lists(text, options, &mut games)?,
        Format::T1 => t1::file(text, options, &mut games)?,
        Format::Tsgf => sgf::lines(text, options, &mut games)?,
        Format::Sgf => sgf::collection(text, options, &mut games)?,
    }
    if games.read.is_empty() { Err(ImportError::Empty) } else { Ok(games.read) }
}

/// Finds the format of a text by how it begins, after blank lines and lines that begin with `#`:
///
/// * `{`: `jsonl`.
/// * `(;`: `sgf` if the first game says `GM[..]` or names a hole by a number, as in `l12`; else `tsgf`.
/// * a line with a number before a `#`, as in `1 # version of file-format`: `t1`.
/// * the name of a game of ours: `own`.
/// * anything else: `plain`, if [`Options::game`] says which game.
///
/// ```
/// use quintet_records::{Format, Options, detect};
/// assert_eq!(detect("(;FF[4]GM[21]SZ[12];W[b4])", &Options::default()).unwrap(), Format::Sgf);
/// assert!(detect("b4 f7", &Options::default()).is_err());
/// ```
///
/// # Errors
/// If the format is not recognized, or it is a list of moves without its game.
pub fn detect(text: &str, options: &Options) -> Result<Format, ImportError> {
    let text = without_mark(text);
    let (number, line) = data_lines(text).next().ok_or(ImportError::Empty)?;
    if line.starts_with('{') {
        return Ok(Format::Jsonl);
    }
    if line.starts_with('(') {
        let dialect = sgf::dialect(text).ok_or(ImportError::UnknownFormat(number))?;
        return Ok(if dialect == Dialect::Twixt { Format::Sgf } else { Format::Tsgf });
    }
    if t1::is_version(line) {
        return Ok(Format::T1);
    }
    let name = line.split([';', '(']).next().unwrap_or_default().trim();
    if GAMES.iter().any(|info| info.name.eq_ignore_ascii_case(name)) {
        return Ok(Format::Own);
    }
    match options.game {
        Some(_) => Ok(Format::Plain),
        None if line.starts_with("1.") => Err(ImportError::NeedsGame),
        None => Err(ImportError::UnknownFormat(number)),
    }
}

/// The games read so far, with a limit.
struct Games {
    read: Vec<Imported>,
    most: usize,
}

impl Games {
    fn push(&mut self, game: Imported) -> Result<(), ImportError> {
        if self.read.len() == self.most {
            return Err(ImportError::TooMany { line: game.line, most: self.most });
        }
        self.read.push(game);
        Ok(())
    }
}

/// Windows programs put a byte order mark before a text.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The lines with something in them, trimmed, with their numbers from 1; those that begin with `#` are comments.
fn data_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}
