//! What a picture says in words: the title, the description, the lines under a text board.

use crate::Picture;
use crate::term::Ink;

/// The words of one picture.
pub(crate) struct Facts {
    /// The board, as in `TwixT 12 x 12`.
    pub(crate) title: String,
    /// What stands on it, as in `5 red pegs and 4 black pegs`.
    pub(crate) pieces: String,
    /// Who is to move; nobody in a picture of a won game.
    pub(crate) to_move: Option<String>,
    pub(crate) result: Option<String>,
    pub(crate) last: Option<String>,
    pub(crate) wins: Vec<String>,
}

impl Facts {
    /// `to_move` names the side of the position text. The tokens of `p` must have been checked: they are printed.
    pub(crate) fn new(p: &Picture, title: impl Into<String>, pieces: String, to_move: &str) -> Facts {
        Facts {
            title: title.into(),
            pieces,
            to_move: (p.wins.is_empty() && p.result.is_none() && !to_move.is_empty()).then(|| to_move.to_owned()),
            result: p.result.map(str::to_owned),
            last: p.last.map(str::to_ascii_lowercase),
            wins: p.wins.iter().filter(|w| !w.is_empty()).map(|w| w.join(" ").to_ascii_lowercase()).collect(),
        }
    }

    /// One sentence for those who do not see the picture.
    pub(crate) fn sentence(&self) -> String {
        let mut out = format!("{}: {}", self.title, self.pieces);
        if let Some(side) = &self.to_move {
            out += &format!("; {side} to move");
        }
        if let Some(result) = &self.result {
            out += &format!("; {result}");
        }
        for win in &self.wins {
            out += &format!("; winning: {win}");
        }
        match &self.last {
            Some(last) => out + &format!("; last move {last}."),
            None => out + ".",
        }
    }

    /// The lines beneath a text board.
    pub(crate) fn lines(&self, ink: Ink) -> String {
        let mut parts = Vec::new();
        if let Some(side) = &self.to_move {
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
            for (i, line) in wrap(win, 68).iter().enumerate() {
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
    use super::*;

    #[test]
    fn words_wrap() {
        assert_eq!(wrap("aa bb cc", 5), ["aa bb", "cc"]);
        assert_eq!(wrap("aaaaaaaa b", 5), ["aaaaaaaa", "b"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn the_sentence_has_side_and_last_move() {
        let p = Picture::new("pentago", "").last("C4Q2R");
        let facts = Facts::new(&p, "Pentago", "1 x".into(), "o");
        assert_eq!(facts.sentence(), "Pentago: 1 x; o to move; last move c4q2r.");
        let wins = [vec!["A1".to_owned(), "b2".to_owned()]];
        let facts = Facts::new(&p.wins(&wins), "Pentago", "1 x".into(), "o");
        assert_eq!(facts.sentence(), "Pentago: 1 x; winning: a1 b2; last move c4q2r.");
        let facts = Facts::new(&Picture { result: Some("draw"), ..p }, "Pentago", "1 x".into(), "o");
        assert_eq!(facts.sentence(), "Pentago: 1 x; draw; last move c4q2r.");
    }
}
