//! `e3`, the evaluation of the Pentago-Twist paper: E = a f(me) - b f(opponent).
//!
//! **`mode=printed`** (the paper's text). h, v: the colour's longest run in any row, in any column; d1, d2: on the two main
//! diagonals (six cells). f(colour) is the first of these that applies:
//!
//! 1. 1000 where h, v, d1 or d2 is 5 or more. So a five on one of the four short diagonals is not seen.
//! 2. 70 where a favourable pattern is this colour's, -70 where it is the other's (without a five: E = ±70 (a + b)).
//! 3. h! + v! + (d1! + d2!) / 2, where 0! = 1.
//!
//! **Patterns** lie on a row or column of six: `- X X X X -`, `X X - X X ?` and `? X X - X X`, where `?` is empty or X. When both
//! colours have one, the first found decides for both: row 1, column a, row 2, column b, … The program does so; the text does not
//! say, so for `printed` this is **(ours)**. A line holds patterns of at most one colour, so it does not matter which colour is
//! checked first.
//!
//! **`mode=as-programmed`** (the authors' program):
//!
//! * Step 2 comes before step 1: a pattern hides fives, of either colour.
//! * The four short diagonals count in step 1 as well.
//! * Both halves are doubled, so a pattern makes E = ±280. We double them whichever step they come from, a five to 2000 too
//!   **(ours)**.
//! * A run of 1 counts as 0. That changes nothing in factorials, but does with `power=linear` **(ours)**.
//! * Integer division: each diagonal's half is cut to a whole number, so that 0! / 2 and 1! / 2 are 0. With another `diag`, the
//!   product of `diag` and the factorial is cut the same way **(ours)**.
//!
//! **Arguments** beyond the paper: `power=linear` has h in place of h!, and so on; `diag` is the weight of a main diagonal, 1/2
//! in the paper; `patterns=no` leaves out step 2; `runs=open` counts in h, v, d1 and d2 only runs that can still become a five:
//! those that lie in a line of five cells without a marble of the other colour.
//!
//! `e3-10` is the printed version with its parts as features of a linear model, so that their weights can be learned
//! **(ours)**.

use quintet_game::Player;
use quintet_game::bits::gather;
use quintet_game::pentago::{Pentago, Position, has_five};

use super::board::{Board, COLUMN, DIRECTIONS, Direction, LONGEST, ROW, length};
use super::{Half, Halves};
use crate::{Arguments, Features, SpecError};

/// The values of a five and of a pattern.
const FIVE: f64 = 1000.0;
const PATTERN: f64 = 70.0;

/// The two main diagonals in the layout of the rules, where their cells are in order.
const MAIN: [u64; 2] = [main_diagonal(false), main_diagonal(true)];

const fn main_diagonal(falls_left: bool) -> u64 {
    let mut cells = 0;
    let mut y = 0;
    while y < 6 {
        let x = if falls_left { 5 - y } else { y };
        cells |= 1 << (16 * (x / 3 + 2 * (y / 3)) + x % 3 + 3 * (y % 3));
        y += 1;
    }
    cells
}

/// Builds `e3` from its arguments.
pub(super) fn from_arguments(arguments: &mut Arguments) -> Result<Halves<F>, SpecError> {
    let (a, b) = (arguments.number("a", 1.0)?, arguments.number("b", 1.0)?);
    let programmed = arguments.word("mode", &["printed", "as-programmed"])? == 1;
    let linear = arguments.word("power", &["factorial", "linear"])? == 1;
    let diag = arguments.number("diag", 0.5)?;
    let patterns = arguments.word("patterns", &["yes", "no"])? == 0;
    let open = arguments.word("runs", &["all", "open"])? == 1;
    Ok(Halves { halves: F { open, ..F::new(programmed, linear, diag, patterns) }, weights: [a, -b] })
}

/// The f of the paper.
pub(super) struct F {
    programmed: bool,
    patterns: bool,
    /// Only runs that can still become a five count.
    open: bool,
    /// What h and v add, by the run's length; what d1 and d2 add.
    run: [f64; 7],
    diagonal: [f64; 7],
    /// The factor of both halves.
    factor: f64,
}

impl F {
    fn new(programmed: bool, linear: bool, diag: f64, patterns: bool) -> F {
        let run = std::array::from_fn(|length| {
            let length = if programmed && length == 1 { 0 } else { length };
            let factorial: usize = (1..=length).product();
            (if linear { length } else { factorial }) as f64
        });
        let diagonal = run.map(|worth: f64| if programmed { (diag * worth).trunc() } else { diag * worth });
        F { programmed, patterns, open: false, run, diagonal, factor: if programmed { 2.0 } else { 1.0 } }
    }
}

impl Half for F {
    const NAMES: [&'static str; 2] = ["my", "your"];

    #[inline]
    fn of_both(&self, _game: &Pentago, pos: &Position) -> [f64; 2] {
        let marbles = Player::BOTH.map(|player| pos.side(player));
        let mut runs = marbles.map(Runs::new);
        if self.open {
            let lengths = [0, 1].map(|player| open_lengths(marbles[player], marbles[1 - player]));
            runs.iter_mut().zip(lengths).for_each(|(runs, lengths)| runs.lengths = lengths);
        }
        let owner = if self.patterns { first_pattern(&runs) } else { None };
        let of = |player: usize| {
            let f = match owner {
                Some(owner) if self.programmed => signed(owner == player),
                _ if self.wins(marbles[player], &runs[player]) => FIVE,
                Some(owner) => signed(owner == player),
                None => {
                    let [h, v, d1, d2] = runs[player].lengths;
                    self.run[h] + self.run[v] + self.diagonal[d1] + self.diagonal[d2]
                }
            };
            f * self.factor
        };
        [of(0), of(1)]
    }
}

fn signed(own: bool) -> f64 {
    if own { PATTERN } else { -PATTERN }
}

impl F {
    #[inline]
    fn wins(&self, marbles: u64, runs: &Runs) -> bool {
        if self.programmed { has_five(marbles) } else { runs.lengths.iter().any(|length| *length >= 5) }
    }
}

/// The parts of f and their weights in the paper.
const PARTS: [(&str, f64); 5] =
    [("Five", FIVE), ("Pattern", PATTERN), ("Row", 1.0), ("Column", 1.0), ("Diagonals", 0.5)];

/// The features of `e3-10`, whose weights can be learned: for me and for you, a five, a pattern (-1 if it is the other's), h!,
/// v!, and d1! + d2!. Of the three steps of f, only the first that applies is present, so that with the paper's weights the sum
/// is `e3` as printed.
pub(super) struct Parts {
    names: Vec<String>,
}

impl Parts {
    pub const KIND: &str = "e3-10";

    pub fn new() -> Parts {
        Parts {
            names: PARTS.iter().flat_map(|(name, _)| ["my", "your"].map(|whose| format!("{whose}{name}"))).collect(),
        }
    }

    /// As in the paper.
    pub fn hand_set() -> Vec<f64> {
        PARTS.iter().flat_map(|(_, weight)| [*weight, -*weight]).collect()
    }
}

impl Features<Pentago> for Parts {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn extract(&self, _game: &Pentago, pos: &Position, view: Player, out: &mut [f64]) {
        let runs = [view, view.other()].map(|player| Runs::new(pos.side(player)));
        let owner = first_pattern(&runs);
        for (side, runs) in runs.iter().enumerate() {
            let parts = match owner {
                _ if runs.lengths.iter().any(|length| *length >= 5) => [1.0, 0.0, 0.0, 0.0, 0.0],
                Some(owner) => [0.0, if owner == side { 1.0 } else { -1.0 }, 0.0, 0.0, 0.0],
                None => {
                    let [h, v, d1, d2] = runs.lengths.map(|length| (1..=length).product::<usize>() as f64);
                    [0.0, 0.0, h, v, d1 + d2]
                }
            };
            parts.into_iter().enumerate().for_each(|(part, value)| out[2 * part + side] = value);
        }
    }
}

/// One side's runs.
struct Runs {
    board: Board,
    /// h, v, d1, d2.
    lengths: [usize; 4],
    /// Four in a row, or two pairs with a gap of one, anywhere: without them there is no pattern.
    promising: bool,
}

impl Runs {
    #[inline]
    fn new(marbles: u64) -> Runs {
        let board = Board::new(marbles);
        let [rows, columns] = [0, 1].map(|d| board.windows(DIRECTIONS[d].step));
        let [d1, d2] = MAIN.map(|cells| usize::from(LONGEST[gather(marbles, cells) as usize]));
        let pairs =
            (rows[1] & (rows[1] >> (3 * DIRECTIONS[0].step))) | (columns[1] & (columns[1] >> (3 * DIRECTIONS[1].step)));
        let promising = rows[3] | columns[3] | pairs != 0;
        Runs { board, lengths: [length(rows), length(columns), d1, d2], promising }
    }
}

/// h, v, d1, d2 of the runs that can still become a five. Such a line holds a run as a whole or not at all: a line has six cells,
/// so if five of them hold a part of a run and no enemy, the next five hold the rest.
fn open_lengths(mine: u64, yours: u64) -> [usize; 4] {
    let [own, other] = [mine, yours].map(Board::new);
    let [h, v] = [0, 1].map(|d| {
        let Direction { step, starts, .. } = DIRECTIONS[d];
        let free = (0..5).fold(starts, |free, k| free & !(other.0 >> (k * step)));
        let cells = (0..5).fold(0, |cells, k| cells | free << (k * step));
        length(Board(own.0 & cells).windows(step))
    });
    let [d1, d2] = MAIN.map(|cells| {
        let [own, other] = [mine, yours].map(|side| gather(side, cells));
        let open = [0x1f, 0x3e].into_iter().filter(|five| other & five == 0).fold(0, |open, five| open | five);
        usize::from(LONGEST[(own & open) as usize])
    });
    [h, v, d1, d2]
}

/// Whose pattern is found first: row 1, column a, row 2, …
#[inline]
fn first_pattern(runs: &[Runs; 2]) -> Option<usize> {
    if !(runs[0].promising || runs[1].promising) {
        return None;
    }
    let [first, second] = [place(runs[0].board, runs[1].board), place(runs[1].board, runs[0].board)];
    match first.cmp(&second) {
        std::cmp::Ordering::Less => Some(0),
        std::cmp::Ordering::Greater => Some(1),
        // No line has patterns of both colours, so equal places mean that neither has one.
        std::cmp::Ordering::Equal => None,
    }
}

/// The place in the scan of a side's first pattern: twice the row, or twice the column plus one. At least 16 if there is none.
fn place(mine: Board, yours: Board) -> u32 {
    let row = patterns(mine, yours, DIRECTIONS[0].step, COLUMN).trailing_zeros() / 8;
    let column = patterns(mine, yours, DIRECTIONS[1].step, ROW).trailing_zeros();
    (2 * row).min(2 * column + 1)
}

/// The lines with a pattern of mine, given their first cells and the step between cells.
fn patterns(Board(mine): Board, Board(yours): Board, step: u32, first_cells: u64) -> u64 {
    let x = |k: u32| mine >> (k * step);
    let not_yours = |k: u32| !yours >> (k * step);
    let empty = |k: u32| !(mine | yours) >> (k * step);
    let four = empty(0) & x(1) & x(2) & x(3) & x(4) & empty(5);
    let early = x(0) & x(1) & empty(2) & x(3) & x(4) & not_yours(5);
    let late = not_yours(0) & x(1) & x(2) & empty(3) & x(4) & x(5);
    (four | early | late) & first_cells
}
