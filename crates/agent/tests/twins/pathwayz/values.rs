//! Evaluations of Pathwayz on a plain board.

use quintet_game::Player;

use crate::search::{Ends, Judge};

// ---- A plain board ----

pub type Board = Vec<Vec<char>>;

pub fn board(text: &str) -> Board {
    text.split(' ').next().unwrap().split('/').map(|row| row.chars().collect()).collect()
}

/// The regular piece of a player; the capital letter is the permanent one.
pub fn letter(player: Player) -> char {
    ['w', 'b'][player.index()]
}

pub fn owns(player: Player, piece: char) -> bool {
    piece.to_ascii_lowercase() == letter(player)
}

/// The squares around one, as row and column.
pub fn around(board: &Board, row: usize, column: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (rows, columns) = (board.len(), board[0].len());
    (row.saturating_sub(1)..(row + 2).min(rows))
        .flat_map(move |r| (column.saturating_sub(1)..(column + 2).min(columns)).map(move |c| (r, c)))
        .filter(move |&square| square != (row, column))
}

/// The columns spanned by the widest group of a player.
pub fn longest(board: &Board, player: Player) -> usize {
    let mut seen = vec![vec![false; board[0].len()]; board.len()];
    let mut widest = 0;
    for row in 0..board.len() {
        for column in 0..board[0].len() {
            if seen[row][column] || !owns(player, board[row][column]) {
                continue;
            }
            let (mut left, mut right) = (column, column);
            let mut open = vec![(row, column)];
            seen[row][column] = true;
            while let Some((r, c)) = open.pop() {
                (left, right) = (left.min(c), right.max(c));
                for (r, c) in around(board, r, c) {
                    if !seen[r][c] && owns(player, board[r][c]) {
                        seen[r][c] = true;
                        open.push((r, c));
                    }
                }
            }
            widest = widest.max(right - left + 1);
        }
    }
    widest
}

/// Could the player win with one move if it were their turn?
pub fn threatens(text: &str, player: Player) -> bool {
    let board = board(text);
    let wins = |row: usize, column: usize, permanent: bool| {
        let mut next = board.clone();
        if permanent {
            next[row][column] = letter(player.other()).to_ascii_uppercase();
            for (r, c) in around(&board, row, column) {
                next[r][c] = match next[r][c] {
                    'w' => 'b',
                    'b' => 'w',
                    same => same,
                };
            }
        } else {
            next[row][column] = letter(player);
        }
        longest(&next, player) == board[0].len()
    };
    (0..board.len()).any(|row| {
        (0..board[0].len())
            .any(|column| board[row][column] == '.' && (wins(row, column, false) || wins(row, column, true)))
    })
}

// ---- Evaluations ----

pub fn longest_path(text: &str, view: Player) -> f64 {
    longest(&board(text), view) as f64
}

pub fn longest_path_less(text: &str, view: Player) -> f64 {
    let board = board(text);
    longest(&board, view) as f64 - 0.4 * longest(&board, view.other()) as f64
}

/// The nine features by hand.
pub fn nine(text: &str, view: Player) -> f64 {
    let board = board(text);
    // Of both players: permanents, regulars with one empty neighbour, with two, all pieces.
    let mut counts = [[0.0; 4]; 2];
    for row in 0..board.len() {
        for column in 0..board[0].len() {
            let piece = board[row][column];
            if piece == '.' {
                continue;
            }
            let of = &mut counts[if owns(view, piece) { 0 } else { 1 }];
            let empty = around(&board, row, column).filter(|&(r, c)| board[r][c] == '.').count();
            of[3] += 1.0;
            match empty {
                _ if piece.is_ascii_uppercase() => of[0] += 1.0,
                0..=2 => of[empty] += 1.0,
                _ => {}
            }
        }
    }
    let [mine, yours] = counts;
    20.0 * longest(&board, view) as f64 - 8.0 * longest(&board, view.other()) as f64 + 3.0 * mine[0]
        - 6.0 * yours[0]
        - 0.2 * mine[1]
        + 0.2 * yours[1]
        + 0.1 * mine[2]
        - 0.1 * yours[2]
        + (mine[3] - yours[3])
}

pub fn nine_on_top(utility: f64) -> Judge<'static> {
    Judge { eval: &nine, ends: Ends::OnTop(utility) }
}
