//! Games in progress as pictures: SVG for pages and documents, text for terminals.
//!
//! A picture shows the position, the last move, and who is to move or how the game ended, with the names that the game gives its sides. The
//! five games have boards of their own; any other game gets a plain grid.
//!
//! ```
//! use quintet_game::GameSpec;
//!
//! let mut line = GameSpec::parse("pentago")?.line();
//! line.try_play("b2q4r")?;
//! let svg = quintet_draw::svg(&*line);
//! assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
//!
//! let text = quintet_draw::text(&*line, false);
//! assert!(text.contains(" 2  .[x].   . . ."));
//! assert!(text.ends_with("dark (o) to move, last move b2q4r\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod facts;
mod generic;
mod look;
mod pathwayz;
mod pentago;
mod pylos;
mod svg;
mod term;
mod twixt;

use facts::Facts;
use generic::Generic;
use quintet_game::{AnyLine, Line, Playable, with_line};

/// How the board of a game looks. Every game of the register has an implementation; an empty one gives the plain grid.
trait Drawn: Playable + Sized {
    fn board(line: &Line<Self>, facts: Facts) -> Box<dyn Board> {
        Box::new(Generic::new(&line.game().write_position(line.position()), facts))
    }
}

/// A board that can be drawn both ways.
trait Board {
    fn svg(&self) -> String;
    fn text(&self, colour: bool) -> String;
}

fn board(line: &dyn AnyLine) -> Box<dyn Board> {
    with_line!(line, |typed| Drawn::board(typed, Facts::new(line)))
        .unwrap_or_else(|| Box::new(Generic::new(&line.position(), Facts::new(line))))
}

/// Draws a complete, standalone SVG document with a title and a one-sentence description.
///
/// The board brings its own frame, so that it looks right on light and on dark pages.
///
/// ```
/// use quintet_game::GameSpec;
///
/// let line = GameSpec::parse("pylos")?.line_at("LD............../........./..../. l")?;
/// let svg = quintet_draw::svg(&*line);
/// assert!(svg.contains("<title>Pylos</title>"));
/// assert_eq!(svg.matches("class=\"piece\"").count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn svg(line: &dyn AnyLine) -> String {
    board(line).svg()
}

/// Draws a board for a terminal; the text ends with a newline.
///
/// The last move stands in brackets and winning cells in parentheses, so that nothing depends on colour; with `colour`
/// the pieces are painted too (ANSI SGR) and the last move is reversed.
///
/// ```
/// use quintet_game::GameSpec;
///
/// let mut line = GameSpec::parse("pathwayz(rows=3,cols=4)")?.line_at("..../..../...B b")?;
/// line.try_play("b2")?;
/// assert_eq!(quintet_draw::text(&*line, false), "    a b c d
///  1  . . . .
///  2  .[b]. .
///  3  . . . B
///     a b c d
/// white to move, last move b2
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn text(line: &dyn AnyLine, colour: bool) -> String {
    board(line).text(colour)
}
