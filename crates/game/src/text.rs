//! Shared pieces of notation: cells, rows of a board, quoting.

use crate::notation::Fault;

/// The longest piece of foreign text that an error repeats.
pub const QUOTE: usize = 80;

/// At most `limit` characters of `text`, control characters escaped, cut with an ellipsis: foreign text that is safe to print.
///
/// ```
/// use quintet_game::text::quote;
/// assert_eq!(quote("c4\0", 80), "c4\\0");
/// assert_eq!(quote("abcdef", 4), "abc…");
/// ```
#[must_use]
pub fn quote(text: &str, limit: usize) -> String {
    let mut out = String::new();
    let mut length = 0;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let piece: String = match c {
            '\0' => "\\0".into(),
            c if is_unprintable(c) => c.escape_unicode().to_string(),
            c => c.into(),
        };
        let room = limit.saturating_sub(length + usize::from(chars.peek().is_some()));
        if piece.chars().count() > room {
            out.push('…');
            return out;
        }
        length += piece.chars().count();
        out.push_str(&piece);
    }
    out
}

/// Does a character do something else than show itself? Control characters, line ends of Unicode, and those that turn the direction of text.
///
/// ```
/// use quintet_game::text::is_unprintable;
/// assert!(['\x1b', '\u{9b}', '\u{202e}'].into_iter().all(is_unprintable));
/// assert!(!is_unprintable('é'));
/// ```
#[must_use]
pub fn is_unprintable(c: char) -> bool {
    c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c)
}

/// The name of a cell by column and row from 0 at the top left: `a1`.
///
/// ```
/// assert_eq!(quintet_game::text::cell_name(12, 11), "m12");
/// ```
#[must_use]
pub fn cell_name(column: usize, row: usize) -> String {
    format!("{}{}", column_name(column), row + 1)
}

/// The letter of a column from 0.
#[must_use]
pub fn column_name(column: usize) -> char {
    (b'a' + column as u8) as char
}

/// Reads a cell such as `m12` (lower case) from the front of `text`: column and row from 0, and what follows. No leading zeros.
///
/// ```
/// use quintet_game::text::read_cell;
/// assert_eq!(read_cell("m12q"), Some(((12, 11), "q")));
/// assert_eq!(read_cell("m012"), None);
/// ```
#[must_use]
pub fn read_cell(text: &str) -> Option<((usize, usize), &str)> {
    let column = text.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let number = &text[1..1 + digits];
    if number.is_empty() || number.starts_with('0') || number.len() > 3 {
        return None;
    }
    let row: usize = number.parse().ok()?;
    Some(((column as usize, row - 1), &text[1 + digits..]))
}

/// Reads a cell of a board of `columns` x `rows` and says what is wrong with one that is off it.
pub fn read_cell_on(text: &str, columns: usize, rows: usize) -> Result<((usize, usize), &str), Fault> {
    let (cell, rest) = read_cell(text).ok_or_else(|| {
        Fault(format!("expected a cell: a column a to {} and a row 1 to {rows}.", column_name(columns - 1)))
    })?;
    if cell.0 >= columns || cell.1 >= rows {
        return Err(Fault(format!(
            "{} is off the board, which has columns a to {} and rows 1 to {rows}.",
            cell_name(cell.0, cell.1),
            column_name(columns - 1)
        )));
    }
    Ok((cell, rest))
}

/// Folds the case of a move token (ASCII only); refuses texts too long to be a move.
pub fn fold_token(token: &str) -> Result<String, Fault> {
    match token.len() {
        0 => Err("an empty text is not a move.".into()),
        1..=40 => Ok(token.to_ascii_lowercase()),
        n => Err(Fault(format!("{n} bytes are too long for a move."))),
    }
}

/// Splits a position text into exactly the parts of `shape`, such as `BOARD SIDE`.
pub fn parts<'a, const N: usize>(text: &'a str, shape: &str) -> Result<[&'a str; N], Fault> {
    let mut found = [""; N];
    let mut count = 0;
    for part in text.split_ascii_whitespace() {
        if count < N {
            found[count] = part;
        }
        count += 1;
    }
    if count == N { Ok(found) } else { Err(Fault(format!("found {count} parts, need {N}: {shape}."))) }
}

/// Reads board rows joined by `/`, each cell one of `symbols`; gives the index of the symbol of every cell in reading order.
///
/// `row_name` says what a row is called in errors ("row", "level"); `lengths` is the number of cells of each row.
pub fn read_rows(board: &str, row_name: &str, lengths: &[usize], symbols: &str) -> Result<Vec<u8>, Fault> {
    let count = board.split('/').count();
    if count != lengths.len() {
        return Err(Fault(format!("{count} {row_name}s, need {} joined by \"/\".", lengths.len())));
    }
    let mut cells = Vec::with_capacity(lengths.iter().sum());
    for ((number, row), &length) in (1..).zip(board.split('/')).zip(lengths) {
        let found = row.chars().count();
        if found != length {
            return Err(Fault(format!("{row_name} {number} has {found} cells, needs {length}.")));
        }
        for (at, c) in (1..).zip(row.chars()) {
            let Some(index) = symbols.chars().position(|s| s == c) else {
                let list: Vec<String> = symbols.chars().map(String::from).collect();
                return Err(Fault(format!(
                    "{row_name} {number}, cell {at}: \"{}\" is not one of {}.",
                    quote(&c.to_string(), 10),
                    list.join(" ")
                )));
            };
            cells.push(index as u8);
        }
    }
    Ok(cells)
}

/// Reads the side to move, one of two letters.
pub fn read_side(text: &str, letters: [char; 2]) -> Result<crate::Player, Fault> {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if c == letters[0] => Ok(crate::Player::First),
        (Some(c), None) if c == letters[1] => Ok(crate::Player::Second),
        _ => Err(Fault(format!("the side to move is {} or {}, not \"{}\".", letters[0], letters[1], quote(text, 40)))),
    }
}

/// A list for a sentence: at most `most` names, then how many more.
#[must_use]
pub fn some_of(names: &[String], most: usize) -> String {
    if names.len() <= most {
        return names.join(", ");
    }
    format!("{} and {} more", names[..most].join(", "), names.len() - most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_short_and_printable() {
        for (text, limit) in [("", 5), ("abc", 3), ("\u{1}\u{2}", 80), ("ééééééé", 4), ("a\n\n\n\n", 10)] {
            let quoted = quote(text, limit);
            assert!(quoted.chars().count() <= limit, "{quoted}");
            assert!(!quoted.chars().any(char::is_control));
        }
        assert_eq!(quote("abc", 3), "abc");
        assert_eq!(quote(&"x".repeat(1000), QUOTE).chars().count(), QUOTE);
    }

    #[test]
    fn cells_have_no_signs_and_no_leading_zeros() {
        for bad in ["", "a", "a0", "a01", "a+1", "1a", "A1", "é1", "a1234"] {
            assert_eq!(read_cell(bad), None, "{bad}");
        }
        assert_eq!(read_cell("x24"), Some(((23, 23), "")));
    }
}
