//! Pentago (both readings of the rules) and Pentago-Twist.

use super::{Naive, Spec, cell_name, parse_cell, rows_text};

/// A game of Pentago or Pentago-Twist in progress.
#[derive(Clone)]
pub struct Pentago {
    /// A five made by the placement wins at once, without a turn (`rules=standard`).
    placement_wins: bool,
    /// The ways to turn a quadrant: `r` and `l`, or `r` and `f`.
    turns: [char; 2],
    /// `board[row][col]`: `x`, `o` or `.`.
    board: Vec<Vec<char>>,
    /// The marble of the side to move.
    side: char,
}

impl Pentago {
    /// The start.
    pub fn new(spec: &mut Spec) -> Pentago {
        let twist = spec.name == "pentago-twist";
        let placement_wins = !twist && spec.word("rules", &["standard", "turn-first"]) == "standard";
        let turns = if twist { ['r', 'f'] } else { ['r', 'l'] };
        Pentago { placement_wins, turns, board: vec![vec!['.'; 6]; 6], side: 'x' }
    }

    /// Whether the placement alone wins for the side to move.
    fn wins_by_placement(&self, col: usize, row: usize) -> bool {
        let mut board = self.board.clone();
        board[row][col] = self.side;
        self.placement_wins && has_five(&board, self.side)
    }
}

/// Whether five marbles of a colour stand in a row, a column or a diagonal.
fn has_five(board: &[Vec<char>], colour: char) -> bool {
    let is_own = |col: i32, row: i32| {
        (0..6).contains(&col) && (0..6).contains(&row) && board[row as usize][col as usize] == colour
    };
    for row in 0..6 {
        for col in 0..6 {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                if (0..5).all(|i| is_own(col + i * dx, row + i * dy)) {
                    return true;
                }
            }
        }
    }
    false
}

/// Turns the quadrant `q1`..`q4`.
fn turn(board: &mut [Vec<char>], quadrant: usize, way: char) {
    let left = 3 * ((quadrant - 1) % 2);
    let top = 3 * ((quadrant - 1) / 2);
    let old = board.to_vec();
    for row in 0..3 {
        for col in 0..3 {
            // Where the marble at (col, row) of the quadrant goes.
            let (to_col, to_row) = match way {
                'r' => (2 - row, col), // top left to top right
                'l' => (row, 2 - col), // top left to bottom left
                'f' => (2 - col, row), // the outer columns change places
                _ => panic!("turn {way}"),
            };
            board[top + to_row][left + to_col] = old[top + row][left + col];
        }
    }
}

impl Naive for Pentago {
    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.outcome().is_some() {
            return moves;
        }
        for row in 0..6 {
            for col in 0..6 {
                if self.board[row][col] != '.' {
                    continue;
                }
                let cell = cell_name(col, row);
                if self.wins_by_placement(col, row) {
                    moves.push(cell);
                    continue;
                }
                for quadrant in 1..=4 {
                    for way in self.turns {
                        moves.push(format!("{cell}q{quadrant}{way}"));
                    }
                }
            }
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|legal| legal == mv), "{mv} in {}", self.position());
        let (col, row) = parse_cell(&mv[..2]);
        self.board[row][col] = self.side;
        // What follows the cell, such as `q2r`, is missing when the placement won.
        if let Some(second_half) = mv[2..].strip_prefix('q') {
            let quadrant = second_half[..1].parse().expect("a quadrant");
            turn(&mut self.board, quadrant, second_half.chars().nth(1).expect("a turn"));
        }
        self.side = if self.side == 'x' { 'o' } else { 'x' };
    }

    // The board is enough: play stops at the first five, so every five was made by the last move.
    fn outcome(&self) -> Option<&'static str> {
        let full = self.board.iter().flatten().all(|&marble| marble != '.');
        match (has_five(&self.board, 'x'), has_five(&self.board, 'o')) {
            (true, true) => Some("draw"),
            (true, false) => Some("first"),
            (false, true) => Some("second"),
            (false, false) if full => Some("draw"),
            (false, false) => None,
        }
    }

    fn position(&self) -> String {
        format!("{} {}", rows_text(&self.board), self.side)
    }
}
