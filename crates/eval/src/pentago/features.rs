//! The 35 features of the Pentago paper's greedy player. It prints two of them; the rest, and all weights, are **(ours)**.

use quintet_game::Player;
use quintet_game::pentago::{Pentago, Position, has_five};

use super::board::{Board, COLUMN, DIRECTIONS, ROW, bit};
use crate::Features;

/// Each feature of a side with its first weights, for me and for you; you are to move.
///
/// A run is maximal, on a row, column or diagonal of five or six cells. A line is one of the 32 of five cells.
const SIDE: [(&str, f64, f64); 17] = [
    // Lines that the side owns completely: a row of six is two.
    ("Five", 1000.0, -1000.0),
    // Runs of exactly 4, 3, 2.
    ("Run4", 8.0, -12.0),
    ("Run3", 3.0, -4.0),
    ("Run2", 0.5, -0.5),
    // Lines with 4, 3, 2 own marbles, the other cells empty.
    ("Open4", 20.0, -100.0),
    ("Open3", 5.0, -10.0),
    ("Open2", 1.0, -1.0),
    // How many of the game's eight spins leave the side with a five, including one that was there before.
    ("Turn5", 15.0, -200.0),
    // The longest run.
    ("Longest", 1.0, -1.0),
    // Marbles on a1 f1 a6 f6; on b2 e2 b5 e5; on c3 d3 c4 d4; on the other 16 cells of the edge.
    ("Corner", 0.1, -0.1),
    ("Centre", 2.0, -2.0),
    ("Inner", 1.0, -1.0),
    ("Rim", 0.2, -0.2),
    // Lines of three inside the quadrants, eight each: with 3 own marbles; with 2 and an empty cell.
    ("Quad3", 2.0, -2.0),
    ("Quad2", 0.3, -0.3),
    // The most own marbles in one quadrant.
    ("Quadmax", 0.2, -0.2),
    // The most own marbles on one of row 2, row 5, column b, column e, among those without an enemy marble.
    ("Mid", 1.0, -1.0),
];

/// How many features there are: those of each side, and `fill`.
const COUNT: usize = 2 * SIDE.len() + 1;

/// The first weights of the features, in the order of their names. Training starts from them.
///
/// ```
/// use quintet_eval::Features;
/// use quintet_eval::pentago::{Features35, weights35};
/// let names = Features35::new();
/// let at = names.names().iter().position(|name| name == "yourOpen4").unwrap();
/// assert_eq!(weights35()[at], -100.0);
/// ```
#[must_use]
pub fn weights35() -> [f64; 35] {
    std::array::from_fn(|i| match SIDE.get(i / 2) {
        Some((_, mine, yours)) => [*mine, *yours][i % 2],
        None => 0.0,
    })
}

/// The features of `pentago-35`: `myFive`, `yourFive`, `myRun4`, … `yourMid`, and `fill`, the share of occupied cells.
///
/// The weights are meant for a board right after my move, but the values can be computed for any position.
///
/// ```
/// use quintet_eval::{Evaluate, Linear, pentago::{Features35, weights35}};
/// use quintet_game::{Notation, Player, pentago::Pentago};
/// let game = Pentago::standard();
/// let pos = game.read_position("x...../....../....../....../....../...... o").unwrap();
/// let model = Linear::new(Features35::new(), weights35().to_vec());
/// // Longest 1, corner 0.1, quadmax 0.2.
/// assert!((model.value(&game, &pos, Player::First) - 1.3).abs() < 1e-9);
/// ```
#[derive(Clone, Debug)]
pub struct Features35 {
    names: Vec<String>,
}

impl Features35 {
    /// The features.
    #[must_use]
    pub fn new() -> Features35 {
        let sides = SIDE.iter().flat_map(|(name, ..)| ["my", "your"].map(|whose| format!("{whose}{name}")));
        Features35 { names: sides.chain(["fill".to_owned()]).collect() }
    }
}

impl Default for Features35 {
    fn default() -> Features35 {
        Features35::new()
    }
}

impl Features<Pentago> for Features35 {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn extract(&self, game: &Pentago, pos: &Position, view: Player, out: &mut [f64]) {
        let out: &mut [f64; COUNT] = out.try_into().expect("a value for each name");
        let (mine, yours) = (Side::new(pos.side(view)), Side::new(pos.side(view.other())));
        let values = [mine.measure(&yours, game), yours.measure(&mine, game)];
        for i in 0..SIDE.len() {
            out[2 * i] = f64::from(values[0][i]);
            out[2 * i + 1] = f64::from(values[1][i]);
        }
        out[COUNT - 1] = f64::from((mine.marbles | yours.marbles).count_ones()) / 36.0;
    }
}

/// One side in both layouts.
struct Side {
    marbles: u64,
    board: Board,
}

impl Side {
    fn new(marbles: u64) -> Side {
        Side { marbles, board: Board::new(marbles) }
    }

    fn measure(&self, other: &Side, game: &Pentago) -> [u32; SIDE.len()] {
        let mine = self.board;
        // The number of windows of 1 to 6 own marbles, and of lines of five with 2, 3, 4 own marbles and none of the other's.
        let mut windows = [0; 6];
        let mut open = [0; 3];
        for direction in &DIRECTIONS {
            let found = mine.on(direction).windows(direction.step);
            windows = std::array::from_fn(|k| windows[k] + found[k].count_ones());
            let [_, _, _, _, free, _] = Board(!other.board.0).windows(direction.step);
            let own = own_counts(mine, direction.step);
            open = std::array::from_fn(|k| open[k] + (own[k] & free & direction.starts).count_ones());
        }
        // A run of n has n - k + 1 windows of k: the second difference leaves the runs of exactly k.
        let exactly = |k: usize| windows[k - 1] + windows[k + 1] - 2 * windows[k];
        let longest = windows.iter().map(|count| u32::from(*count > 0)).sum();
        let on = |cells: u64| (mine.0 & cells).count_ones();
        let [quad3, quad2, quadmax] = self.quadrants(other);
        let mid = MIDDLES.iter().map(|line| if other.board.0 & line == 0 { on(*line) } else { 0 }).max().unwrap_or(0);
        let [corner, centre, inner, rim] = ZONES.map(on);
        [
            windows[4],
            exactly(4),
            exactly(3),
            exactly(2),
            open[2],
            open[1],
            open[0],
            self.spins_to_five(game),
            longest,
            corner,
            centre,
            inner,
            rim,
            quad3,
            quad2,
            quadmax,
            mid,
        ]
    }

    fn spins_to_five(&self, game: &Pentago) -> u32 {
        if self.marbles.count_ones() < 5 {
            return 0;
        }
        game.spins(self.marbles).iter().map(|side| u32::from(has_five(*side))).sum()
    }

    /// `quad3`, `quad2`, `quadmax`.
    fn quadrants(&self, other: &Side) -> [u32; 3] {
        let (mut quad3, mut quad2, mut quadmax) = (0, 0, 0);
        for quadrant in 0..4 {
            let [mine, yours] = [self, other].map(|side| (side.marbles >> (16 * quadrant)) as usize % 512);
            let [two, three, _] = IN_QUADRANT[mine];
            let [_, _, touched] = IN_QUADRANT[yours];
            quad3 += three.count_ones();
            quad2 += (two & !touched).count_ones();
            quadmax = quadmax.max(mine.count_ones());
        }
        [quad3, quad2, quadmax]
    }
}

/// Where the five cells along a step hold 2, 3, 4 marbles: two full adders over all cells at once.
#[inline]
fn own_counts(Board(board): Board, step: u32) -> [u64; 3] {
    let add = |a: u64, b: u64, c: u64| (a ^ b ^ c, (a & b) | (c & (a ^ b)));
    let (ones, carry) = add(board, board >> step, board >> (2 * step));
    let (ones, carry2) = add(ones, board >> (3 * step), board >> (4 * step));
    let (twos, fours) = (carry ^ carry2, carry & carry2);
    [twos & !ones, twos & ones, fours & !ones]
}

/// Row 2, row 5, column b, column e: the middle lines of the quadrants.
const MIDDLES: [u64; 4] = [ROW << 8, ROW << 32, COLUMN << 1, COLUMN << 4];

/// Corners, centres of the quadrants, the four cells around the middle, the rest of the edge.
const ZONES: [u64; 4] = {
    let mut zones = [0; 4];
    let mut at = 0;
    while at < 36 {
        let (x, y) = (at % 6, at / 6);
        // The distance from the edge.
        let (in_x, in_y) = (if x < 3 { x } else { 5 - x }, if y < 3 { y } else { 5 - y });
        let zone = match (in_x, in_y) {
            (0, 0) => 0,
            (1, 1) => 1,
            (2, 2) => 2,
            (0, _) | (_, 0) => 3,
            _ => 4,
        };
        if zone < 4 {
            zones[zone] |= bit(x, y);
        }
        at += 1;
    }
    zones
};

/// For each pattern of a quadrant: which of its eight lines have two marbles, which three, which any.
static IN_QUADRANT: [[u8; 3]; 512] = {
    let mut lines = [0; 8];
    let mut i = 0;
    while i < 3 {
        lines[i] = 0b111 << (3 * i);
        lines[3 + i] = 0b001_001_001 << i;
        lines[6] |= 1 << (3 * i + i);
        lines[7] |= 1 << (3 * i + 2 - i);
        i += 1;
    }
    let mut table = [[0; 3]; 512];
    let mut pattern = 0;
    while pattern < 512 {
        let mut line = 0;
        while line < 8 {
            let here: usize = pattern & lines[line];
            let count = here.count_ones();
            table[pattern][0] |= ((count == 2) as u8) << line;
            table[pattern][1] |= ((count == 3) as u8) << line;
            table[pattern][2] |= ((count > 0) as u8) << line;
            line += 1;
        }
        pattern += 1;
    }
    table
};
