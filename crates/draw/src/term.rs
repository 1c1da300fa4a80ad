//! Boards as terminal text: a grid with coordinates, marks that need no colour, ANSI colours on request.

use crate::look::{Cell, column_name};

/// Whether to write ANSI SGR sequences.
#[derive(Clone, Copy)]
pub(crate) struct Ink {
    pub(crate) colour: bool,
}

impl Ink {
    /// `text` in the given SGR attributes, or as it is.
    pub(crate) fn paint(self, sgr: &str, text: &str) -> String {
        if self.colour && !sgr.is_empty() { format!("\x1b[{sgr}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Colours of the pieces: bold, bright, and apart for every kind of colour vision.
pub(crate) const FIRST: &str = "1;93";
pub(crate) const SECOND: &str = "1;94";
pub(crate) const RED: &str = "1;91";
/// Everything that is not a piece.
pub(crate) const FAINT: &str = "2";

/// One cell of a text board.
#[derive(Clone, Copy)]
struct Spot {
    ch: char,
    /// SGR attributes of the piece; empty for an empty cell.
    sgr: &'static str,
    last: bool,
    win: bool,
}

/// A text board.
pub(crate) struct Grid {
    rows: Vec<Vec<Spot>>,
    cols: usize,
    gap: usize,
}

impl Grid {
    /// A board of characters: `sgr` gives the colour of a piece, or nothing where there is none; a missing cell, `#`,
    /// is left blank.
    pub(crate) fn new(
        rows: &[Vec<char>],
        sgr: impl Fn(char) -> &'static str,
        last: Option<Cell>,
        win: impl Fn(Cell) -> bool,
    ) -> Grid {
        let spot = |cell: Cell, c: char| Spot {
            ch: if c == '#' { ' ' } else { c },
            sgr: sgr(c),
            last: last == Some(cell),
            win: win(cell),
        };
        let row = |(y, row): (usize, &Vec<char>)| row.iter().enumerate().map(|(x, &c)| spot((x, y), c)).collect();
        let cols = rows.iter().map(Vec::len).max().unwrap_or(0);
        Grid { rows: rows.iter().enumerate().map(row).collect(), cols, gap: 0 }
    }

    /// The same board with a visible gap after every `gap` columns and rows.
    pub(crate) fn with_gap(self, gap: usize) -> Grid {
        Grid { gap, ..self }
    }

    /// The lines, each with the number of columns it takes on the screen.
    pub(crate) fn lines(&self, ink: Ink) -> Vec<(String, usize)> {
        let head = self.head(ink);
        let mut out = vec![head.clone()];
        for (y, row) in self.rows.iter().enumerate() {
            if self.gap > 0 && y > 0 && y % self.gap == 0 {
                out.push((String::new(), 0));
            }
            out.push(self.row(ink, y, row));
        }
        out.push(head);
        out
    }

    /// The lines as one text.
    pub(crate) fn text(&self, ink: Ink) -> String {
        self.lines(ink).into_iter().map(|(line, _)| line + "\n").collect()
    }

    fn gap_before(&self, x: usize) -> &'static str {
        if self.gap > 0 && x > 0 && x.is_multiple_of(self.gap) { "  " } else { "" }
    }

    fn head(&self, ink: Ink) -> (String, usize) {
        let mut line = " ".repeat(4);
        for x in 0..self.cols {
            let name = column_name(x);
            line += self.gap_before(x);
            // Two-letter columns of very wide boards borrow the blank before them.
            line += &if x > 0 { format!("{name:>2}") } else { name };
        }
        let width = line.len();
        (ink.paint(FAINT, &line), width)
    }

    fn row(&self, ink: Ink, y: usize, row: &[Spot]) -> (String, usize) {
        let number = format!("{:>2}", y + 1);
        let mut width = number.len() + 1;
        let mut line = ink.paint(FAINT, &number) + " ";
        for x in 0..=row.len() {
            let (before, after) = (x.checked_sub(1).map(|i| row[i]), row.get(x).copied());
            let gap = if after.is_some() { self.gap_before(x) } else { "" };
            let fence = if gap.is_empty() {
                fence(before, after).to_string()
            } else {
                format!("{}{}{}", fence(before, None), &gap[1..], fence(None, after))
            };
            width += fence.len();
            line += &fence;
            if let Some(spot) = after {
                let sgr = match (spot.sgr, spot.last, spot.win) {
                    ("", true, _) => "7".to_owned(),
                    ("", false, _) => FAINT.to_owned(),
                    (sgr, true, _) => format!("{sgr};7"),
                    (sgr, false, true) => format!("{sgr};4"),
                    (sgr, false, false) => sgr.to_owned(),
                };
                line += &ink.paint(&sgr, &spot.ch.to_string());
                width += 1;
            }
        }
        let kept = line.trim_end().len();
        width -= line.len() - kept;
        line.truncate(kept);
        (line, width)
    }
}

/// What stands between two neighbours: brackets around the last move, parentheses around a run of winning cells.
fn fence(left: Option<Spot>, right: Option<Spot>) -> char {
    let last = |s: Option<Spot>| s.is_some_and(|s| s.last);
    let win = |s: Option<Spot>| s.is_some_and(|s| s.win);
    match (last(left), last(right), win(left), win(right)) {
        (true, ..) => ']',
        (_, true, ..) => '[',
        (_, _, true, false) => ')',
        (_, _, false, true) => '(',
        _ => ' ',
    }
}

/// Sets blocks of lines side by side, tops aligned.
pub(crate) fn beside(blocks: &[Vec<(String, usize)>], gap: usize) -> String {
    let height = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let mut out = String::new();
    for y in 0..height {
        let (mut line, mut behind) = (String::new(), 0);
        for block in blocks {
            let wide = block.iter().map(|l| l.1).max().unwrap_or(0);
            if let Some((text, width)) = block.get(y) {
                line += &" ".repeat(behind);
                line += text;
                behind = wide - width + gap;
            } else {
                behind += wide + gap;
            }
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(ch: char) -> Spot {
        Spot { ch, sgr: "1", last: false, win: false }
    }

    #[test]
    fn fences_mark_the_last_move_and_the_wins() {
        let mut row: Vec<Spot> = "xoxo.".chars().map(spot).collect();
        row[1].last = true;
        row[2].win = true;
        row[3].win = true;
        let grid = Grid { rows: vec![row], cols: 5, gap: 0 };
        assert_eq!(grid.text(Ink { colour: false }), "    a b c d e\n 1  x[o]x o).\n    a b c d e\n");
    }

    #[test]
    fn blocks_stand_side_by_side() {
        let block = |lines: &[&str]| lines.iter().map(|l| (l.to_string(), l.len())).collect::<Vec<_>>();
        assert_eq!(beside(&[block(&["ab", "c"]), block(&["d"]), block(&["e", "f"])], 1), "ab d e\nc    f\n");
    }
}
