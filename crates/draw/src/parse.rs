//! What all position texts share: fields, rows, cell names, and errors that say what is wrong and where.

use crate::DrawError;

/// A cell of a flat board: column from the left and row from the top, both from 0.
pub(crate) type Cell = (usize, usize);

/// Who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    First,
    Second,
}

/// User text for a message: shortened, control characters made visible.
pub(crate) fn quote(text: &str) -> String {
    const MOST: usize = 32;
    let shown: String = text.chars().take(MOST).collect();
    let dots = if text.chars().count() > MOST { "..." } else { "" };
    format!("\"{}{dots}\"", shown.escape_debug())
}

/// The position's blank-separated fields, exactly `N` of them. `form` names them, as in `BOARD SIDE`.
pub(crate) fn fields<'a, const N: usize>(position: &'a str, form: &str) -> Result<[&'a str; N], DrawError> {
    let found: Vec<&str> = position.split_ascii_whitespace().collect();
    let count = found.len();
    found.try_into().map_err(|_| {
        DrawError::new(format!("position {}: needs {N} parts, `{form}`, and has {count}", quote(position)))
    })
}

/// The side to move, one of two letters.
pub(crate) fn side(field: &str, first: char, second: char) -> Result<Side, DrawError> {
    let mut chars = field.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if c == first => Ok(Side::First),
        (Some(c), None) if c == second => Ok(Side::Second),
        _ => Err(DrawError::new(format!("position: the side to move is {first} or {second}, not {}", quote(field)))),
    }
}

/// Splits a board into rows of ASCII characters out of `allowed`.
pub(crate) fn rows(board: &str, allowed: &str) -> Result<Vec<Vec<char>>, DrawError> {
    let mut rows = Vec::new();
    for (y, row) in board.split('/').enumerate() {
        let cells: Vec<char> = row.chars().collect();
        if let Some(x) = cells.iter().position(|&c| !allowed.contains(c)) {
            let list: Vec<String> = allowed.chars().map(String::from).collect();
            return Err(DrawError::new(format!(
                "position: row {}, place {}: {} is none of {}",
                y + 1,
                x + 1,
                quote(&cells[x].to_string()),
                list.join(" ")
            )));
        }
        rows.push(cells);
    }
    Ok(rows)
}

/// Checks that all rows are `cols` long and that there are `count` of them.
pub(crate) fn shape(rows: &[Vec<char>], count: usize, cols: usize) -> Result<(), DrawError> {
    if rows.len() != count {
        return Err(DrawError::new(format!("position: needs {count} rows and has {}", rows.len())));
    }
    match rows.iter().position(|row| row.len() != cols) {
        Some(y) => Err(DrawError::new(format!("position: row {} needs {cols} cells and has {}", y + 1, rows[y].len()))),
        None => Ok(()),
    }
}

/// Letters of a column: `a`..`z`, then `aa`, `ab` and so on.
pub(crate) fn column_name(column: usize) -> String {
    let letter = char::from(b'a' + (column % 26) as u8);
    match column / 26 {
        0 => letter.to_string(),
        more => column_name(more - 1) + &letter.to_string(),
    }
}

/// Whether two cells touch, also by a corner.
pub(crate) fn touch(a: Cell, b: Cell) -> bool {
    a != b && a.0.abs_diff(b.0) <= 1 && a.1.abs_diff(b.1) <= 1
}

/// The name of a cell, as in `c4`.
pub(crate) fn cell_name((column, row): Cell) -> String {
    format!("{}{}", column_name(column), row + 1)
}

/// Reads a cell name (lower case) off the front of `text`; gives the cell and the rest.
pub(crate) fn cell_prefix(text: &str) -> Option<(Cell, &str)> {
    let letters = text.bytes().take_while(u8::is_ascii_lowercase).count();
    let digits = text.bytes().skip(letters).take_while(u8::is_ascii_digit).count();
    if !(1..=2).contains(&letters) || !(1..=3).contains(&digits) || text.as_bytes()[letters] == b'0' {
        return None;
    }
    let column = text[..letters].bytes().fold(0, |sum, b| sum * 26 + usize::from(b - b'a') + 1) - 1;
    let row: usize = text[letters..letters + digits].parse().ok()?;
    Some(((column, row - 1), &text[letters + digits..]))
}

/// The winning cells, each inside a board of `cols` x `rows`.
pub(crate) fn wins(wins: &[Vec<String>], cols: usize, rows: usize) -> Result<Vec<Vec<Cell>>, DrawError> {
    let cell = |name: &String| {
        let lower = name.to_ascii_lowercase();
        match cell_prefix(&lower) {
            Some((cell, "")) if cell.0 < cols && cell.1 < rows => Ok(cell),
            _ => Err(DrawError::new(format!("winning cell {}: no such cell on this board", quote(name)))),
        }
    };
    wins.iter()
        .map(|line| {
            let mut cells = line.iter().map(cell).collect::<Result<Vec<Cell>, DrawError>>()?;
            cells.sort_by_key(|&(x, y)| (y, x));
            cells.dedup();
            Ok(cells)
        })
        .collect()
}

/// The error for a last move that is no move of the game.
pub(crate) fn bad_move(token: &str, form: &str) -> DrawError {
    DrawError::new(format!("last move {}: {form}", quote(token)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_round_trip() {
        for column in (0..60).chain([701]) {
            for row in [0, 8, 9, 23, 98] {
                let name = cell_name((column, row));
                assert_eq!(cell_prefix(&name), Some(((column, row), "")), "{name}");
            }
        }
        assert_eq!(cell_name((23, 11)), "x12");
        assert_eq!(cell_name((26, 0)), "aa1");
    }

    #[test]
    fn rest_and_refusals() {
        assert_eq!(cell_prefix("c4q2r"), Some(((2, 3), "q2r")));
        for bad in ["", "c", "4", "c0", "c04", "C4", "abc4", "c1234", "é4", "cé"] {
            assert_eq!(cell_prefix(bad), None, "{bad}");
        }
    }

    #[test]
    fn long_or_odd_text_is_tamed() {
        assert_eq!(quote("a\u{1b}[2J"), "\"a\\u{1b}[2J\"");
        assert!(quote(&"x".repeat(1000)).len() < 50);
    }
}
