//! The board of Pentago and Pentago-Twist, as plain as possible.

use std::sync::LazyLock;

use quintet_game::Player;

/// Cells by row and column.
pub type Board = [[char; 6]; 6];

pub fn read(text: &str) -> Board {
    let mut board = [['.'; 6]; 6];
    for (row, cells) in text.split(' ').next().unwrap().split('/').enumerate() {
        for (column, cell) in cells.chars().enumerate() {
            board[row][column] = cell;
        }
    }
    board
}

pub fn letter(player: Player) -> char {
    ['x', 'o'][player.index()]
}

/// The cells of a line in their order.
pub type Line = Vec<(usize, usize)>;

/// The six rows, top to bottom.
pub static ROWS: LazyLock<Vec<Line>> = LazyLock::new(|| (0..6).map(|i| (0..6).map(|j| (i, j)).collect()).collect());

/// The six columns, left to right.
pub static COLUMNS: LazyLock<Vec<Line>> = LazyLock::new(|| (0..6).map(|i| (0..6).map(|j| (j, i)).collect()).collect());

/// The diagonals of five or six cells, the two long ones first.
pub static DIAGONALS: LazyLock<Vec<Line>> = LazyLock::new(|| {
    let inside = |row: i32, column: i32| (0..6).contains(&column).then_some((row as usize, column as usize));
    let falling = |shift: i32| (0..6).filter_map(|row| inside(row, row + shift)).collect();
    let rising = |shift: i32| (0..6).filter_map(|row| inside(row, 5 - row + shift)).collect();
    vec![falling(0), rising(0), falling(1), falling(-1), rising(1), rising(-1)]
});

/// Every row, column and diagonal of five cells or more.
pub static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| [&**ROWS, &**COLUMNS, &**DIAGONALS].concat());

/// The lengths of the unbroken runs of a letter on a line.
pub fn runs(board: &Board, line: &Line, letter: char) -> impl Iterator<Item = usize> {
    line.split(move |&(row, column)| board[row][column] != letter).map(<[_]>::len).filter(|&run| run > 0)
}

/// The longest run on any of some lines.
pub fn longest(board: &Board, lines: &[Line], letter: char) -> usize {
    lines.iter().flat_map(|line| runs(board, line, letter)).max().unwrap_or(0)
}
