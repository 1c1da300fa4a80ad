//! Positions as pictures: SVG for pages and documents, text for terminals.
//!
//! This crate knows how the boards look and how their position texts are written, and no rules: it draws what the text
//! says. It stands on the standard library alone and never panics on a text, whatever is in it.
//!
//! ```
//! use quintet_draw::Picture;
//!
//! let picture = Picture::new("pentago", "....../.x..../....../....../....../...... o").last("b2q4r");
//! let svg = quintet_draw::svg(&picture)?;
//! assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
//!
//! let text = quintet_draw::text(&picture, false)?;
//! assert!(text.contains(" 2  .[x].   . . ."));
//! # Ok::<(), quintet_draw::DrawError>(())
//! ```

mod facts;
mod generic;
mod look;
mod parse;
mod pathwayz;
mod pentago;
mod pylos;
mod svg;
mod term;
mod twixt;

use std::fmt;

/// What to draw.
///
/// ```
/// use quintet_draw::Picture;
///
/// let wins = [vec!["a1".to_owned(), "b3".to_owned()]];
/// let picture = Picture { game: "twixt", position: "rb./.../.r. a1b3 b", last: Some("b3"), wins: &wins, result: Some("red wins") };
/// assert!(quintet_draw::text(&picture, false)?.contains("win: a1 b3\nred wins, last move b3"));
/// # Ok::<(), quintet_draw::DrawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture<'a> {
    /// The game's name: `pathwayz`, `pylos`, `twixt`, `pentago-twist` or `pentago`; options in parentheses are passed
    /// over, since the position tells its own size. Any other name gets a plain grid of the position's rows.
    pub game: &'a str,
    /// The position text.
    pub position: &'a str,
    /// The last move, to be marked: `c4q2r`, `e5p`, `1d4^2a1-1a1`, `m12`, `swap`.
    pub last: Option<&'a str>,
    /// Winning lines, paths or chains as lists of cell names. While this and `result` are empty the picture shows who is to move.
    pub wins: &'a [Vec<String>],
    /// How the game ended, as in `red wins (chain)`; it stands where a game in progress says who is to move.
    pub result: Option<&'a str>,
}

impl<'a> Picture<'a> {
    /// A position without a last move and without winning lines.
    ///
    /// ```
    /// let picture = quintet_draw::Picture::new("pathwayz", "..../.w../...B b");
    /// assert_eq!(picture.last, None);
    /// ```
    #[must_use]
    pub const fn new(game: &'a str, position: &'a str) -> Self {
        Picture { game, position, last: None, wins: &[], result: None }
    }

    /// The same picture with a last move to mark.
    ///
    /// ```
    /// let picture = quintet_draw::Picture::new("pathwayz", "..../.w../.... b").last("b2");
    /// assert_eq!(picture.last, Some("b2"));
    /// ```
    #[must_use]
    pub const fn last(mut self, token: &'a str) -> Self {
        self.last = Some(token);
        self
    }

    /// The same picture with winning lines to show.
    ///
    /// ```
    /// let path = [vec!["a1".to_owned(), "b2".to_owned()]];
    /// let picture = quintet_draw::Picture::new("pathwayz", "w./.w b").wins(&path);
    /// assert_eq!(picture.wins.len(), 1);
    /// ```
    #[must_use]
    pub const fn wins(mut self, wins: &'a [Vec<String>]) -> Self {
        self.wins = wins;
        self
    }
}

/// Why nothing could be drawn: a sentence that says what is wrong and where.
///
/// ```
/// let error = quintet_draw::svg(&quintet_draw::Picture::new("pathwayz", "../.q w")).unwrap_err();
/// assert_eq!(error.to_string(), "position: row 2, place 2: \"q\" is none of . w b W B");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawError {
    message: String,
}

impl DrawError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        DrawError { message: message.into() }
    }
}

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DrawError {}

/// A board that was read from its text and can be drawn both ways.
trait Board {
    fn svg(&self) -> String;
    fn text(&self, colour: bool) -> String;
}

fn read(p: &Picture) -> Result<Box<dyn Board>, DrawError> {
    let name = p.game.split('(').next().unwrap_or_default().trim().to_ascii_lowercase();
    Ok(match name.as_str() {
        "pentago" => Box::new(pentago::Pentago::read(p, false)?),
        "pentago-twist" => Box::new(pentago::Pentago::read(p, true)?),
        "pathwayz" => Box::new(pathwayz::Pathwayz::read(p)?),
        "pylos" => Box::new(pylos::Pylos::read(p)?),
        "twixt" => Box::new(twixt::Twixt::read(p)?),
        _ => Box::new(generic::Generic::read(p, &name)?),
    })
}

/// Draws a complete, standalone SVG document with a title and a one-sentence description.
///
/// The board brings its own frame, so that it looks right on light and on dark pages.
///
/// ```
/// use quintet_draw::Picture;
///
/// let svg = quintet_draw::svg(&Picture::new("pylos", "LD............../........./..../. l"))?;
/// assert!(svg.contains("<title>Pylos</title>"));
/// assert_eq!(svg.matches("class=\"piece\"").count(), 2);
/// # Ok::<(), quintet_draw::DrawError>(())
/// ```
///
/// # Errors
///
/// When the text is not a position of that game, or the last move or a winning cell is not on its board.
pub fn svg(p: &Picture) -> Result<String, DrawError> {
    Ok(read(p)?.svg())
}

/// Draws a board for a terminal; the text ends with a newline.
///
/// The last move stands in brackets and winning cells in parentheses, so that nothing depends on colour; with `colour`
/// the pieces are painted too (ANSI SGR) and the last move is reversed.
///
/// ```
/// use quintet_draw::Picture;
///
/// let text = quintet_draw::text(&Picture::new("pathwayz", "..../.w../...B b").last("b2"), false)?;
/// assert_eq!(text, "    a b c d
///  1  . . . .
///  2  .[w]. .
///  3  . . . B
///     a b c d
/// black to move, last move b2
/// ");
/// # Ok::<(), quintet_draw::DrawError>(())
/// ```
///
/// # Errors
///
/// As [`svg`].
pub fn text(p: &Picture, colour: bool) -> Result<String, DrawError> {
    Ok(read(p)?.text(colour))
}
