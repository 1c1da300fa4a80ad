//! Pentago: the agents of Heon and Oetting.

use std::sync::LazyLock;

use quintet_game::Player;

use crate::chance::{knows_values, random, takes_wins};
use crate::common::{Spot, Tally, Twin, printed, random_spots, spots_where, wins_in_one};
use crate::marbles::{Board, COLUMNS, LINES, Line, ROWS, letter, longest, read, runs};
use crate::search::{Ends, Judge, minimax};

pub const TWINS: &[Twin] = &[
    printed("pentago:random", check_random),
    printed("pentago:greedy", check_greedy),
    printed("pentago:evolved", check_evolved),
    printed("pentago:minimax", check_minimax),
    printed("pentago:mdp", check_mdp),
    printed("pentago:mdp2", check_mdp2),
    printed("pentago:exact", check_exact),
    printed("pentago:champion", check_exact),
];

const JUDGE: Judge = Judge { eval: &features, ends: Ends::Quick };

/// The 35 features with their hand-set weights. The last one, how full the board is, has weight 0.
fn features(text: &str, view: Player) -> f64 {
    let board = read(text);
    let mine = counts(&board, letter(view), letter(view.other()));
    let yours = counts(&board, letter(view.other()), letter(view));
    let weights = [
        [1000.0, -1000.0], // five
        [8.0, -12.0],      // run4
        [3.0, -4.0],       // run3
        [0.5, -0.5],       // run2
        [20.0, -100.0],    // open4
        [5.0, -10.0],      // open3
        [1.0, -1.0],       // open2
        [15.0, -200.0],    // turn5
        [1.0, -1.0],       // longest
        [0.1, -0.1],       // corner
        [2.0, -2.0],       // centre
        [1.0, -1.0],       // inner
        [0.2, -0.2],       // rim
        [2.0, -2.0],       // quad3
        [0.3, -0.3],       // quad2
        [0.2, -0.2],       // quadmax
        [1.0, -1.0],       // mid
    ];
    let mut sum = 0.0;
    for (i, [for_me, for_you]) in weights.into_iter().enumerate() {
        sum += for_me * mine[i] as f64;
        sum += for_you * yours[i] as f64;
    }
    sum
}

/// The values of a built-in file of weights.
fn learned(text: &str) -> toml::Table {
    let mut file: toml::Table = text.parse().unwrap();
    let Some(toml::Value::Table(values)) = file.remove("values") else { panic!("no values") };
    values
}

/// The 35 features with their evolved weights.
fn evolved(text: &str, view: Player) -> f64 {
    const NAMES: [&str; 17] = [
        "Five", "Run4", "Run3", "Run2", "Open4", "Open3", "Open2", "Turn5", "Longest", "Corner", "Centre", "Inner",
        "Rim", "Quad3", "Quad2", "Quadmax", "Mid",
    ];
    static WEIGHTS: LazyLock<toml::Table> =
        LazyLock::new(|| learned(include_str!("../../../../data/weights/pentago/evolved.toml")));
    let weight = |name: &str| WEIGHTS[name].as_float().unwrap();
    let board = read(text);
    let mine = counts(&board, letter(view), letter(view.other()));
    let yours = counts(&board, letter(view.other()), letter(view));
    let mut sum = 0.0;
    for (i, name) in NAMES.into_iter().enumerate() {
        sum += weight(&format!("my{name}")) * mine[i] as f64;
        sum += weight(&format!("your{name}")) * yours[i] as f64;
    }
    let marbles = board.as_flattened().iter().filter(|cell| **cell != '.').count();
    sum + weight("fill") * (marbles as f64 / 36.0)
}

/// The learned value of a board's bucket, by the given hash.
fn bucket_value(values: &toml::Table, board: &Board, view: Player, hash: u64) -> f64 {
    let list = values[["first", "second"][view.index()]].as_array().unwrap();
    let five = ['x', 'o'].map(|piece| longest(board, &LINES, piece) >= 5);
    let bucket = match five {
        [true, false] => 0,
        [false, true] => 1,
        _ => (hash % (list.len() as u64 - 2)) as usize + 2,
    };
    list[bucket].as_float().unwrap()
}

/// Each piece times a prime to the power of its place.
fn mdp(text: &str, view: Player) -> f64 {
    static VALUES: LazyLock<toml::Table> =
        LazyLock::new(|| learned(include_str!("../../../../data/weights/pentago/mdp.toml")));
    let board = read(text);
    let mut hash = 0;
    for (cells, prime) in QUADRANTS.iter().zip([2u64, 3, 5, 7]) {
        for (k, &(row, column)) in (0..).zip(cells) {
            hash += ".xo".find(board[row][column]).unwrap() as u64 * prime.pow(k);
        }
    }
    bucket_value(&VALUES, &board, view, hash)
}

/// Cubes of streaks, the second player's five times.
fn mdp2(text: &str, view: Player) -> f64 {
    static VALUES: LazyLock<toml::Table> =
        LazyLock::new(|| learned(include_str!("../../../../data/weights/pentago/mdp2.toml")));
    let board = read(text);
    let cubes = |piece: char| {
        let streaks = LINES.iter().flat_map(|line| runs(&board, line, piece)).filter(|run| *run >= 2);
        streaks.map(|run| run.pow(3) as u64).sum::<u64>()
    };
    bucket_value(&VALUES, &board, view, cubes('x') + 5 * cubes('o'))
}

/// The top left cells of the quadrants.
const CORNERS: [(usize, usize); 4] = [(0, 0), (0, 3), (3, 0), (3, 3)];

/// The 16 edge cells beside the corners.
static RIM: LazyLock<Line> = LazyLock::new(|| {
    let edge = |i: usize| i == 0 || i == 5;
    (0..36).map(|i| (i / 6, i % 6)).filter(|&(row, column)| edge(row) != edge(column)).collect()
});

/// The cells of each quadrant, row by row.
static QUADRANTS: LazyLock<Vec<Line>> = LazyLock::new(|| {
    CORNERS.iter().map(|&(top, left)| (0..9).map(|i| (top + i / 3, left + i % 3)).collect()).collect()
});

/// The eight lines of three in each quadrant.
static THREES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    QUADRANTS.iter().flat_map(|cells| lines.map(|line| line.map(|i: usize| cells[i]).to_vec())).collect()
});

fn counts(board: &Board, me: char, you: char) -> [usize; 17] {
    let all_runs: Vec<usize> = LINES.iter().flat_map(|line| runs(board, line, me)).collect();
    let run = |length: usize| all_runs.iter().filter(|&&run| run == length).count();
    let on = |cells: &[(usize, usize)], piece: char| cells.iter().filter(|&&(r, c)| board[r][c] == piece).count();
    let open = |own: usize| {
        // The 32 lines of five cells.
        let fives = LINES.iter().flat_map(|line| line.windows(5));
        fives.filter(|five| on(five, me) == own && on(five, '.') == 5 - own).count()
    };
    let turns = CORNERS.iter().flat_map(|&corner| [turned(board, corner, true), turned(board, corner, false)]);
    let middles = [&ROWS[1], &ROWS[4], &COLUMNS[1], &COLUMNS[4]];
    [
        open(5),
        run(4),
        run(3),
        run(2),
        open(4),
        open(3),
        open(2),
        turns.filter(|board| longest(board, &LINES, me) >= 5).count(),
        all_runs.iter().copied().max().unwrap_or(0),
        on(&[(0, 0), (0, 5), (5, 0), (5, 5)], me),
        on(&[(1, 1), (1, 4), (4, 1), (4, 4)], me),
        on(&[(2, 2), (2, 3), (3, 2), (3, 3)], me),
        on(&RIM, me),
        THREES.iter().filter(|three| on(three, me) == 3).count(),
        THREES.iter().filter(|three| on(three, me) == 2 && on(three, '.') == 1).count(),
        QUADRANTS.iter().map(|quadrant| on(quadrant, me)).max().unwrap(),
        middles.iter().filter(|middle| on(middle, you) == 0).map(|middle| on(middle, me)).max().unwrap_or(0),
    ]
}

/// The board with one quadrant turned by 90 degrees.
fn turned(board: &Board, (top, left): (usize, usize), right: bool) -> Board {
    let mut next = *board;
    for row in 0..3 {
        for column in 0..3 {
            let (r, c) = if right { (column, 2 - row) } else { (2 - column, row) };
            next[top + r][left + c] = board[top + row][left + column];
        }
    }
    next
}

/// Positions under both rules.
fn spots(seed: u64, plies: &[usize]) -> Vec<Spot> {
    let mut spots = random_spots("pentago", seed, plies.iter().copied());
    spots.extend(random_spots("pentago(rules=turn-first)", seed + 1, plies.iter().copied()));
    spots
}

fn check_random(tally: &mut Tally) {
    random(tally, &spots(1, &[34, 35].repeat(5)));
}

fn check_greedy(tally: &mut Tally) {
    check_one_ply(tally, 3, &JUDGE);
}

const SPREAD: [usize; 17] = [0, 1, 4, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33];

fn check_one_ply(tally: &mut Tally, seed: u64, judge: &Judge) {
    for spot in spots(seed, &SPREAD) {
        tally.compare(&spot, "", &minimax(&mut *spot.line(), judge, 1));
    }
}

fn check_evolved(tally: &mut Tally) {
    check_one_ply(tally, 11, &Judge { eval: &evolved, ends: Ends::Quick });
}

fn check_mdp(tally: &mut Tally) {
    check_one_ply(tally, 13, &Judge { eval: &mdp, ends: Ends::Value });
}

fn check_mdp2(tally: &mut Tally) {
    check_one_ply(tally, 15, &Judge { eval: &mdp2, ends: Ends::Value });
}

fn check_minimax(tally: &mut Tally) {
    for spot in spots(5, &[18, 20, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]) {
        let depth = if spot.pieces() >= 30 { 3 } else { 2 };
        tally.compare(&spot, &format!("depth={depth}"), &minimax(&mut *spot.line(), &JUDGE, depth));
    }
}

/// Where everything can be searched it knows the value, and elsewhere it takes a win in one.
fn check_exact(tally: &mut Tally) {
    knows_values(tally, &spots(17, &[32, 33, 34, 35, 33, 34, 35, 34, 35, 33]), "nodes=1000000");
    takes_wins(tally, &spots_where("pentago", 19, &[9, 12, 15, 18, 21], 10, can_win), "nodes=100000");
}

fn can_win(spot: &Spot) -> bool {
    !wins_in_one(&mut *spot.line()).is_empty()
}
