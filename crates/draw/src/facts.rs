//! What a picture says in words: the title, the description, the lines under a text board.

use quintet_game::text::read_cell;
use quintet_game::{AnyLine, EndReason, Outcome, Player};

use crate::look::Cell;
use crate::term::Ink;

/// The words of one picture.
pub(crate) struct Facts {
    /// The board, as in `TwixT 12 x 12`.
    pub(crate) title: String,
    /// What stands on it, as in `5 red pegs and 4 black pegs`.
    pieces: String,
    /// What the two sides are called.
    pub(crate) sides: [&'static str; 2],
    /// Whose turn it would be, were the game to go on.
    pub(crate) mover: Player,
    /// How the position text writes that side.
    letter: String,
    /// How the game ended, as in `red wins (chain)`.
    pub(crate) result: Option<String>,
    pub(crate) last: Option<String>,
    /// The cells of each winning line, path or chain.
    pub(crate) wins: Vec<Vec<String>>,
}

impl Facts {
    pub(crate) fn new(line: &dyn AnyLine) -> Facts {
        let info = line.spec().info();
        let result = |(outcome, reason): (Outcome, EndReason)| match outcome {
            Outcome::Win(player) => format!("{} wins ({reason})", info.sides[player.index()]),
            Outcome::Draw => format!("draw ({reason})"),
        };
        Facts {
            title: info.title.to_owned(),
            pieces: String::new(),
            sides: info.sides,
            mover: line.to_move(),
            letter: line.position().split_ascii_whitespace().skip(1).last().unwrap_or_default().to_owned(),
            result: line.end().map(result),
            last: line.last_move(),
            wins: line.wins(),
        }
    }

    /// The same with the size of the board, as in ` 12 x 12`, behind the game's name, and with what stands on the board.
    pub(crate) fn with(mut self, size: &str, pieces: String) -> Facts {
        self.title += size;
        self.pieces = pieces;
        self
    }

    /// Who is to move; nobody in a game that is over.
    pub(crate) fn to_move(&self) -> Option<&'static str> {
        self.result.is_none().then_some(self.sides[self.mover.index()])
    }

    /// The winning lines of a flat board, each from the top left to the bottom right.
    pub(crate) fn winning_cells(&self) -> Vec<Vec<Cell>> {
        let cells = |line: &Vec<String>| {
            let mut cells: Vec<Cell> = line.iter().filter_map(|name| Some(read_cell(name)?.0)).collect();
            cells.sort_by_key(|&(x, y)| (y, x));
            cells
        };
        self.wins.iter().map(cells).collect()
    }

    /// One sentence for those who do not see the picture.
    pub(crate) fn sentence(&self) -> String {
        let mut out = format!("{}: {}", self.title, self.pieces);
        if let Some(side) = self.to_move() {
            out += &format!("; {side} to move");
        }
        if let Some(result) = &self.result {
            out += &format!("; {result}");
        }
        for win in &self.wins {
            out += &format!("; winning: {}", win.join(" "));
        }
        match &self.last {
            Some(last) => out + &format!("; last move {last}."),
            None => out + ".",
        }
    }

    /// The lines beneath a text board.
    pub(crate) fn lines(&self, ink: Ink) -> String {
        let mut parts = Vec::new();
        if let Some(side) = self.to_move() {
            // The board shows letters: where the name does not begin with its letter, both are told.
            let known = side.starts_with(&self.letter);
            let side = if known { side.to_owned() } else { format!("{side} ({})", self.letter) };
            parts.push(ink.paint("1", &format!("{side} to move")));
        }
        if let Some(result) = &self.result {
            parts.push(ink.paint("1", result));
        }
        if let Some(last) = &self.last {
            parts.push(format!("last move {last}"));
        }
        let mut out = String::new();
        for win in &self.wins {
            for (i, line) in wrap(&win.join(" "), 68).iter().enumerate() {
                out += if i == 0 { "win: " } else { "     " };
                out += line;
                out.push('\n');
            }
        }
        if !parts.is_empty() {
            out += &parts.join(", ");
            out.push('\n');
        }
        out
    }
}

/// `1 red peg`, `2 red pegs`.
pub(crate) fn count(n: usize, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

/// Breaks words into lines of at most `width` characters.
pub(crate) fn wrap(words: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words.split_ascii_whitespace() {
        let line = lines.last_mut().expect("never empty");
        if line.is_empty() {
            line.push_str(word);
        } else if line.len() + 1 + word.len() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use quintet_game::GameSpec;

    use super::*;

    #[test]
    fn words_wrap() {
        assert_eq!(wrap("aa bb cc", 5), ["aa bb", "cc"]);
        assert_eq!(wrap("aaaaaaaa b", 5), ["aaaaaaaa", "b"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn the_sentence_has_side_result_and_last_move() {
        let sentence = |line: &dyn AnyLine| Facts::new(line).with("", "1 marble".into()).sentence();
        let spec = GameSpec::parse("pentago").unwrap();
        let mut line = spec.line();
        line.try_play("C4Q2R").unwrap();
        assert_eq!(sentence(&*line), "Pentago: 1 marble; dark to move; last move c4q2r.");
        let mut line = spec.line_at("xxxx../oooo../....../....../....../...... x").unwrap();
        line.try_play("e1").unwrap();
        let won = "Pentago: 1 marble; light wins (five); winning: a1 b1 c1 d1 e1; last move e1.";
        assert_eq!(sentence(&*line), won);
    }
}
