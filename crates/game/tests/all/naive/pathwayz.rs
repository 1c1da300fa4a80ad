//! Pathwayz.

use super::{Naive, Spec, cell_name, parse_cell, rows_text};

/// A game of Pathwayz in progress.
#[derive(Clone)]
pub struct Pathwayz {
    rows: usize,
    cols: usize,
    /// `board[row][col]`: `w`, `b`, the permanents `W`, `B`, or `.`.
    board: Vec<Vec<char>>,
    /// The colour of the side to move, `w` or `b`.
    side: char,
}

/// The other colour of a regular piece.
fn other(colour: char) -> char {
    match colour {
        'w' => 'b',
        'b' => 'w',
        _ => panic!("colour {colour}"),
    }
}

/// The player of a colour.
fn player(colour: char) -> &'static str {
    if colour == 'w' { "first" } else { "second" }
}

impl Pathwayz {
    /// The start.
    pub fn new(spec: &mut Spec) -> Pathwayz {
        let rows = spec.number("rows", 8, 2, 8);
        let cols = spec.number("cols", 12, 2, 12);
        Pathwayz { rows, cols, board: vec![vec!['.'; cols]; rows], side: 'w' }
    }

    /// The up to eight squares around one, as (column, row).
    fn around(&self, col: usize, row: usize) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for r in 0..self.rows {
            for c in 0..self.cols {
                if c.abs_diff(col) <= 1 && r.abs_diff(row) <= 1 && (c, r) != (col, row) {
                    found.push((c, r));
                }
            }
        }
        found
    }

    /// Whether pieces of a colour, regular or permanent, connect the first column with the last.
    fn joined(&self, colour: char) -> bool {
        let is_own = |col: usize, row: usize| self.board[row][col].to_ascii_lowercase() == colour;
        let mut reached = vec![vec![false; self.cols]; self.rows];
        let mut todo: Vec<(usize, usize)> = (0..self.rows).map(|row| (0, row)).collect();
        while let Some((col, row)) = todo.pop() {
            if !is_own(col, row) || reached[row][col] {
                continue;
            }
            if col == self.cols - 1 {
                return true;
            }
            reached[row][col] = true;
            todo.extend(self.around(col, row));
        }
        false
    }
}

impl Naive for Pathwayz {
    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.outcome().is_some() {
            return moves;
        }
        for row in 0..self.rows {
            for col in 0..self.cols {
                if self.board[row][col] == '.' {
                    moves.push(cell_name(col, row));
                    moves.push(cell_name(col, row) + "p");
                }
            }
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|legal| legal == mv), "{mv} in {}", self.position());
        let (col, row) = parse_cell(&mv[..2]);
        if mv.ends_with('p') {
            // A permanent has the opponent's colour and turns the regular pieces around it.
            self.board[row][col] = other(self.side).to_ascii_uppercase();
            for (c, r) in self.around(col, row) {
                if self.board[r][c].is_ascii_lowercase() {
                    self.board[r][c] = other(self.board[r][c]);
                }
            }
        } else {
            self.board[row][col] = self.side;
        }
        self.side = other(self.side);
    }

    fn outcome(&self) -> Option<&'static str> {
        // The mover, who is no longer to move, is checked first: if both are connected, the mover wins.
        for colour in [other(self.side), self.side] {
            if self.joined(colour) {
                return Some(player(colour));
            }
        }
        let full = self.board.iter().flatten().all(|&piece| piece != '.');
        full.then_some("draw")
    }

    fn position(&self) -> String {
        format!("{} {}", rows_text(&self.board), self.side)
    }
}
