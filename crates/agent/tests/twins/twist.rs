//! Pentago-Twist: the agents of Fertout's report.

use std::cell::RefCell;
use std::collections::HashMap;

use quintet_agent::Mode;
use quintet_game::{AnyLine, Outcome, Player};

use crate::chance::{agrees_when_clear, keeps_values, knows_values, mostly_takes_wins, random, takes_wins};
use crate::common::{
    Spot, Tally, Twin, after, agent_spots, best, printed, programmed, random_spots, spots_where, wins_in_one,
};
use crate::marbles::{Board, COLUMNS, DIAGONALS, LINES, ROWS, letter, longest, read};
use crate::search::{Ends, Judge, each, minimax};

pub const TWINS: &[Twin] = &[
    printed("pentago-twist:random", check_random),
    printed("pentago-twist:minimax", check_minimax),
    printed("pentago-twist:alphabeta", check_alphabeta),
    printed("pentago-twist:paper", check_paper),
    programmed("pentago-twist:paper", check_paper_programmed),
    printed("pentago-twist:book", check_book),
    programmed("pentago-twist:book", check_book_programmed),
    printed("pentago-twist:mcts", check_mcts),
    printed("pentago-twist:middle-plan", check_middle_plan),
    printed("pentago-twist:exact", check_exact),
    printed("pentago-twist:champion", check_exact),
];

const GAME: &str = "pentago-twist";

// ---- Evaluations ----

/// 1 for an own five, -1 for the opponent's.
fn e0(text: &str, view: Player) -> f64 {
    let board = read(text);
    let five = |player| f64::from(u8::from(longest(&board, &LINES, letter(player)) >= 5));
    five(view) - five(view.other())
}

/// The longest own run.
fn e1(text: &str, view: Player) -> f64 {
    longest(&read(text), &LINES, letter(view)) as f64
}

/// The longest own run minus the opponent's.
fn e2(text: &str, view: Player) -> f64 {
    e1(text, view) - e1(text, view.other())
}

/// The final evaluation.
fn e3(text: &str, view: Player) -> f64 {
    let board = read(text);
    let half = |player: Player| {
        let [h, v, d1, d2] = four_runs(&board, letter(player));
        if h.max(v).max(d1).max(d2) >= 5 {
            return 1000.0;
        }
        match pattern(&board) {
            Some(owner) if owner == player => 70.0,
            Some(_) => -70.0,
            None => factorial(h) + factorial(v) + factorial(d1) / 2.0 + factorial(d2) / 2.0,
        }
    };
    half(view) - half(view.other())
}

/// The final evaluation as in the program: patterns first, fives on all lines, whole numbers, and everything doubled.
fn e3_programmed(text: &str, view: Player) -> f64 {
    let board = read(text);
    let half = |player: Player| {
        match pattern(&board) {
            Some(owner) if owner == player => return 70.0,
            Some(_) => return -70.0,
            None => {}
        }
        if longest(&board, &LINES, letter(player)) >= 5 {
            return 1000.0;
        }
        let [h, v, d1, d2] = four_runs(&board, letter(player));
        factorial(h) + factorial(v) + (factorial(d1) / 2.0).floor() + (factorial(d2) / 2.0).floor()
    };
    2.0 * (half(view) - half(view.other()))
}

/// The longest runs on rows, columns and each of the two long diagonals.
fn four_runs(board: &Board, letter: char) -> [usize; 4] {
    let lines = [&ROWS[..], &COLUMNS[..], &DIAGONALS[..1], &DIAGONALS[1..2]];
    lines.map(|lines| longest(board, lines, letter))
}

fn factorial(n: usize) -> f64 {
    (1..=n).product::<usize>() as f64
}

/// The owner of the first favourable pattern: index by index, the row before the column.
fn pattern(board: &Board) -> Option<Player> {
    for (row, column) in ROWS.iter().zip(COLUMNS.iter()) {
        for line in [row, column] {
            let cells: Vec<char> = line.iter().map(|&(row, column)| board[row][column]).collect();
            if let Some(owner) = Player::BOTH.into_iter().find(|player| favourable(&cells, letter(*player))) {
                return Some(owner);
            }
        }
    }
    None
}

/// `- X X X X -`, `X X - X X ?` or `? X X - X X` with `?` empty or X.
fn favourable(line: &[char], x: char) -> bool {
    let fits = |wanted: &str| {
        wanted.chars().zip(line).all(|(wanted, &cell)| match wanted {
            'X' => cell == x,
            '-' => cell == '.',
            _ => cell == x || cell == '.',
        })
    };
    fits("-XXXX-") || fits("XX-XX?") || fits("?XX-XX")
}

// ---- Agents ----

fn check_random(tally: &mut Tally) {
    random(tally, &random_spots(GAME, 1, [34, 35].repeat(10)));
}

/// Positions with long runs and patterns.
fn keen_spots(seed: u64, plies: impl IntoIterator<Item = usize>) -> Vec<Spot> {
    agent_spots(GAME, "pentago-twist:middle-plan", seed, plies)
}

fn check_minimax(tally: &mut Tally) {
    let judge = Judge { eval: &e3, ends: Ends::Quick };
    let mut spots = random_spots(GAME, 2, (0..34).step_by(4).chain([17, 21, 23, 26, 30, 31]));
    spots.extend(keen_spots(3, [8, 10, 11, 12, 13, 14, 15, 17, 19, 21]));
    for spot in spots {
        let depth = if spot.pieces() >= 29 { 3 } else { 2 };
        tally.compare(&spot, &format!("depth={depth}"), &minimax(&mut *spot.line(), &judge, depth));
    }
}

fn check_alphabeta(tally: &mut Tally) {
    type Eval = fn(&str, Player) -> f64;
    let evals: [(&str, Eval); 4] = [("e0", e0), ("e1", e1), ("e2", e2), ("e3", e3)];
    for (name, eval) in evals {
        let judge = Judge { eval: &eval, ends: Ends::Quick };
        let few = random_spots(GAME, 3, [16, 20, 22, 24, 26, 28, 30, 31, 32, 33]);
        let more = keen_spots(9, [7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
        for spot in few.into_iter().chain(more.into_iter().filter(|_| name == "e3")) {
            let depth = if spot.pieces() >= 30 { 3 } else { 2 };
            let scored = minimax(&mut *spot.line(), &judge, depth);
            tally.compare(&spot, &format!("eval={name},depth={depth}"), &scored);
        }
    }
}

/// The paper's own player, with values remembered by position text.
struct TwistPaper {
    mode: Mode,
    view: Player,
    values: RefCell<HashMap<String, f64>>,
}

impl TwistPaper {
    /// The value of a position without search.
    fn value(&self, line: &dyn AnyLine) -> f64 {
        *self.values.borrow_mut().entry(line.position()).or_insert_with_key(|text| match (self.mode, line.end()) {
            (Mode::AsProgrammed, _) => e3_programmed(text, self.view),
            (_, None) => e3(text, self.view),
            (_, Some((Outcome::Draw, _))) => 0.0,
            (_, Some((Outcome::Win(winner), _))) => {
                if winner == self.view {
                    1000.0
                } else {
                    -1000.0
                }
            }
        })
    }

    /// Alpha-beta that returns its own bound: the raised alpha of an own node, the lowered beta of the opponent's, a leaf's value as it is.
    fn search(&self, line: &mut dyn AnyLine, depth: u32, mut alpha: f64, mut beta: f64) -> f64 {
        if depth == 0 || line.end().is_some() {
            return self.value(line);
        }
        let own = line.to_move() == self.view;
        for mv in line.legal_moves() {
            let value = after(line, &mv, |next| self.search(next, depth - 1, alpha, beta));
            if own {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        if own { alpha } else { beta }
    }

    fn choose(&self, line: &mut dyn AnyLine) -> String {
        if let Some(win) = wins_in_one(line).into_iter().next() {
            return win;
        }
        let pieces = read(&line.position()).iter().flatten().filter(|cell| **cell != '.').count();
        let depth = if (3..17).contains(&(pieces / 2)) { 3 } else { 2 };
        let moves = match self.mode {
            Mode::Printed => line.legal_moves(),
            Mode::AsProgrammed => self.not_lost(line),
        };
        let first = match self.mode {
            // Losing moves are eliminated, whatever the search thinks of them.
            Mode::Printed => {
                let mut kept = moves.clone();
                kept.retain(|mv| self.is_safe(line, mv));
                let (scored, wanted) = self.exact(line, &kept, depth);
                scored.into_iter().find(|(_, value)| *value >= wanted)
            }
            Mode::AsProgrammed => {
                let (scored, wanted) = self.windowed(line, &moves, depth);
                scored.into_iter().find(|(mv, value)| *value >= wanted && self.is_safe(line, mv))
            }
        };
        first.map(|(mv, _)| mv).unwrap_or_else(|| {
            let scored = each(line, moves, |next| self.value(next));
            best(&scored).0[0].to_owned()
        })
    }

    /// Has the opponent neither won after the move nor a win in one?
    fn is_safe(&self, line: &mut dyn AnyLine, mv: &str) -> bool {
        let lost = Some(Outcome::Win(self.view.other()));
        after(line, mv, |next| next.end().map(|(outcome, _)| outcome) != lost && wins_in_one(next).is_empty())
    }

    /// The moves that do not lose at once, or all if there are none.
    fn not_lost(&self, line: &mut dyn AnyLine) -> Vec<String> {
        let lost = Some(Outcome::Win(self.view.other()));
        let moves = line.legal_moves();
        let mut kept = moves.clone();
        kept.retain(|mv| after(line, mv, |next| next.end().map(|(outcome, _)| outcome) != lost));
        if kept.is_empty() { moves } else { kept }
    }

    /// Every root move with its exact value, and the best of them; a move that is worse than the best so far may be cut short.
    fn exact(&self, line: &mut dyn AnyLine, moves: &[String], depth: u32) -> (Vec<(String, f64)>, f64) {
        let mut top = -1e9;
        let mut scored = Vec::new();
        for mv in moves {
            // A little below the best, so that an equal value is distinguished from a smaller one.
            let value = after(line, mv, |next| self.search(next, depth - 1, top - 0.25, 1e9));
            top = value.max(top);
            scored.push((mv.clone(), value));
        }
        (scored, top)
    }

    /// The program's window of 0 to 1000.
    fn windowed(&self, line: &mut dyn AnyLine, moves: &[String], depth: u32) -> (Vec<(String, f64)>, f64) {
        let mut alpha = 0.0_f64;
        let mut scored = Vec::new();
        for mv in moves {
            let value = after(line, mv, |next| self.search(next, depth - 1, alpha, 1000.0));
            alpha = alpha.max(value);
            scored.push((mv.clone(), value));
            if alpha >= 1000.0 {
                break;
            }
        }
        (scored, alpha)
    }
}

fn compare_paper(tally: &mut Tally, mode: Mode, spots: &[Spot]) {
    for spot in spots {
        let mut line = spot.line();
        let twin = TwistPaper { mode, view: line.to_move(), values: RefCell::default() }.choose(&mut *line);
        let chosen = tally.ask(spot, "nodes=1000000000", 1).mv;
        tally.count(spot, chosen == twin, || format!("the agent plays {chosen}, the twin {twin}"));
    }
}

fn paper_spots() -> Vec<Spot> {
    let mut spots = random_spots(GAME, 4, (0..6).chain([12, 15]).chain(17..36).chain(20..36).chain(26..36));
    spots.extend(keen_spots(5, (2..6).chain(2..6).chain(17..24)));
    spots
}

fn check_paper(tally: &mut Tally) {
    compare_paper(tally, Mode::Printed, &paper_spots());
}

fn check_paper_programmed(tally: &mut Tally) {
    compare_paper(tally, Mode::AsProgrammed, &paper_spots());
}

/// The book's move at a position, or at the board turned by half, which is its text backwards.
fn by_book(text: &str) -> Option<String> {
    let file = include_str!("../../../../data/weights/pentago-twist/book.csv");
    let lines: HashMap<&str, &str> = file.lines().filter_map(|line| line.rsplit_once(',')).collect();
    if let Some(mv) = lines.get(text) {
        return Some((*mv).to_owned());
    }
    let (board, side) = text.split_once(' ').unwrap();
    let turned: String = board.chars().rev().collect();
    let mv: Vec<char> = lines.get(format!("{turned} {side}").as_str())?.chars().collect();
    let other = |from: char, c: char, to: char| (from as u8 + (to as u8 - c as u8)) as char;
    Some([other('a', mv[0], 'f'), other('1', mv[1], '6'), 'q', other('1', mv[3], '4'), mv[4]].iter().collect())
}

fn compare_book(tally: &mut Tally, mode: Mode) {
    let mut by_heart = 0;
    for spot in random_spots(GAME, 10, [0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 4, 5].into_iter().chain(18..26)) {
        let mut line = spot.line();
        let known = by_book(&line.position());
        by_heart += usize::from(known.is_some());
        let by_paper =
            || TwistPaper { mode, view: spot.line().to_move(), values: RefCell::default() }.choose(&mut *line);
        let twin = known.unwrap_or_else(by_paper);
        let chosen = tally.ask(&spot, "nodes=1000000000", 1).mv;
        tally.count(&spot, chosen == twin, || format!("the agent plays {chosen}, the twin {twin}"));
    }
    assert!(by_heart >= 8, "only {by_heart} positions are in the book");
}

fn check_book(tally: &mut Tally) {
    compare_book(tally, Mode::Printed);
}

fn check_book_programmed(tally: &mut Tally) {
    compare_book(tally, Mode::AsProgrammed);
}

fn check_mcts(tally: &mut Tally) {
    let winning = spots_where(GAME, 5, &[12, 16, 20, 24], 20, |spot| !wins_in_one(&mut *spot.line()).is_empty());
    mostly_takes_wins(tally, &winning, "visits=3000");
    keeps_values(tally, &random_spots(GAME, 6, [33, 34, 35].repeat(7)), "visits=20000");
    agrees_when_clear(tally, random_spots(GAME, 7, [21, 22, 24, 25].repeat(500)), 10_000, 20);
}

fn check_middle_plan(tally: &mut Tally) {
    for spot in random_spots(GAME, 8, (0..30).chain(8..24)) {
        let twin = middle_plan(&mut *spot.line());
        let chosen = tally.ask(&spot, "", 1).mv;
        tally.count(&spot, chosen == twin, || format!("the agent plays {chosen}, the twin {twin}"));
    }
}

/// A middle row or column, with the quadrants that it does not run through.
struct Middle {
    cells: Vec<(usize, usize)>,
    off: [char; 2],
}

fn middle_plan(line: &mut dyn AnyLine) -> String {
    if let Some(win) = wins_in_one(line).into_iter().next() {
        return win;
    }
    let board = read(&line.position());
    let me = letter(line.to_move());
    let row = |row: usize, off| Middle { cells: (0..6).map(|column| (row, column)).collect(), off };
    let column = |column: usize, off| Middle { cells: (0..6).map(|row| (row, column)).collect(), off };
    let middles = [row(1, ['3', '4']), row(4, ['1', '2']), column(1, ['2', '4']), column(4, ['1', '3'])];
    let own = |middle: &Middle| middle.cells.iter().filter(|&&(r, c)| board[r][c] == me).count();
    let empty = |middle: &Middle| middle.cells.iter().filter(|&&(r, c)| board[r][c] == '.').count();
    let open = middles.iter().filter(|middle| empty(middle) > 0);
    // The first of equal ones.
    let middle = open.min_by_key(|middle| (6 - own(middle) - empty(middle), 6 - own(middle))).unwrap();
    let at = |i: usize| board[middle.cells[i].0][middle.cells[i].1];
    let beside = |i: usize| (i > 0 && at(i - 1) == me) || (i < 5 && at(i + 1) == me);
    let free: Vec<usize> = (0..6).filter(|&i| at(i) == '.').collect();
    let place = *free.iter().find(|&&i| beside(i)).unwrap_or(&free[0]);
    let (row, column) = middle.cells[place];
    let cell = format!("{}{}", (b'a' + column as u8) as char, row + 1);
    let mut spins = line.legal_moves();
    spins.retain(|mv| mv.starts_with(&cell) && middle.off.contains(&mv.chars().nth(3).unwrap()));
    let lost = Some(Outcome::Win(line.to_move().other()));
    let safe = |line: &mut dyn AnyLine, mv: &str| {
        after(line, mv, |next| next.end().map(|(outcome, _)| outcome) != lost && wins_in_one(next).is_empty())
    };
    let first = spins.iter().find(|mv| safe(line, mv)).unwrap_or(&spins[0]);
    first.clone()
}

/// Where everything can be searched it knows the value, and elsewhere it takes a win in one.
fn check_exact(tally: &mut Tally) {
    let late = random_spots(GAME, 27, [32, 33, 34, 35].into_iter().chain([33, 34, 35].repeat(5)));
    knows_values(tally, &late, "nodes=1000000");
    let wins = spots_where(GAME, 29, &[9, 12, 15, 18, 21], 10, |spot| !wins_in_one(&mut *spot.line()).is_empty());
    takes_wins(tally, &wins, "nodes=100000");
}
