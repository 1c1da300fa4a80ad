//! Every first peg and its value, as a picture; and the shipped maps.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{LazyLock, Mutex, PoisonError};

use quintet_data::Embedded;
use quintet_game::twixt::{Move, Position, Rules, Swap, Twixt};
use quintet_game::{Game as _, GameSpec, Limit, Proof, Symmetric as _, Value};

use super::Solver;
use crate::{FARTHEST, Halt, Solution};

/// The value of a first peg in a hole. As text: `+9`, `=`, `-10`, `?` or `.`, see [`Openings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// The first player may not use the hole, or there is none.
    Closed,
    /// Not solved.
    Unknown,
    /// The value for the first player, counting this peg.
    Known(Value),
}

/// The value of every first peg without the swap rule, row by row.
///
/// Its text is a picture of the board: `+9` wins in nine plies, `=` draws, `-10` loses in ten, `?` is unknown, `.` is not a hole of the first
/// player's.
///
/// ```
/// use quintet_solve::twixt::Openings;
/// let map: Openings = "  . +3 .\n  . +3 .\n  . +3 .".parse().unwrap();
/// assert_eq!(map.to_string(), "   .  +3   .\n   .  +3   .\n   .  +3   .\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Openings {
    size: usize,
    cells: Vec<Cell>,
}

/// Why a text is not a map of openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// The numbers of rows and columns differ.
    #[error(
        "a map of openings has as many rows as columns; this one has {rows} rows, and {columns} columns in one of them"
    )]
    Shape {
        /// The number of rows.
        rows: usize,
        /// Columns of the row that does not fit.
        columns: usize,
    },
    /// A word has no meaning.
    #[error("{0:?} is not one of +PLIES, =, -PLIES, ? and .")]
    Word(String),
}

/// A peg that takes more positions than this waits until the others had their turn, then gets four times as many, and so on.
const PATIENCE: u64 = 1 << 20;

/// The next question about a map: the value of a first peg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstPeg {
    /// The peg.
    pub mv: Move,
    /// The positions that may be searched for it. If they do not suffice, it comes again with more.
    pub nodes: u64,
    /// The positions that were searched for it before.
    before: u64,
}

/// A map of first pegs in the making: what is to be solved, in which order, and what is known. Whoever solves it, one question after the other or many at once,
/// gets the same map. The swap rule is ignored.
#[derive(Clone, Debug)]
pub struct FirstPegs<const W: usize, const B: usize> {
    game: Twixt<W, B>,
    waiting: VecDeque<FirstPeg>,
    distinct: usize,
    most: u64,
    map: Openings,
}

impl<const W: usize, const B: usize> FirstPegs<W, B> {
    /// Nothing is known. What takes more than `most` positions stays unknown.
    #[must_use]
    pub fn new(game: &Twixt<W, B>, most: u64) -> FirstPegs<W, B> {
        let game = game.without_swap();
        let (size, mut moves) = (game.size(), Vec::new());
        game.moves(&game.start(), &mut moves);
        let mut cells = vec![Cell::Closed; size * size];
        for (x, y) in moves.iter().filter_map(|mv| mv.hole()) {
            cells[y * size + x] = Cell::Unknown;
        }
        moves.retain(|mv| images(&game, *mv).min() == Some(*mv));
        // The middle first: those pegs are the likeliest to win, and soonest.
        moves.sort_by_key(|mv| mv.hole().map(|(x, y)| std::cmp::Reverse((x.min(size - 1 - x).min(y), x, y))));
        let waiting = moves.into_iter().map(|mv| FirstPeg { mv, nodes: PATIENCE.min(most), before: 0 });
        let waiting: VecDeque<FirstPeg> = waiting.collect();
        FirstPegs { game, distinct: waiting.len(), waiting, most, map: Openings { size, cells } }
    }

    /// The board, without the swap rule.
    #[must_use]
    pub fn game(&self) -> &Twixt<W, B> {
        &self.game
    }

    /// How many first pegs there are up to symmetry.
    #[must_use]
    pub fn distinct(&self) -> usize {
        self.distinct
    }

    /// What is to be solved next, the easy ones first.
    pub fn ask(&mut self) -> Option<FirstPeg> {
        self.waiting.pop_front()
    }

    /// Takes the answer to a question: the value, if it is known after this many positions. Says how many the peg took in all; none if it will come again.
    pub fn answer(&mut self, peg: FirstPeg, value: Option<Value>, nodes: u64) -> Option<u64> {
        let before = peg.before.saturating_add(nodes);
        match value {
            Some(value) => {
                let size = self.map.size;
                for (x, y) in images(&self.game, peg.mv).filter_map(Move::hole) {
                    self.map.cells[y * size + x] = Cell::Known(value);
                }
            }
            None if peg.nodes < self.most => {
                let nodes = peg.nodes.saturating_mul(4).min(self.most);
                self.waiting.push_back(FirstPeg { nodes, before, ..peg });
                return None;
            }
            None => {}
        }
        Some(before)
    }

    /// Nothing is known any more.
    pub fn forget(&mut self) {
        *self = FirstPegs::new(&self.game, self.most);
    }

    /// What is known.
    #[must_use]
    pub fn map(&self) -> &Openings {
        &self.map
    }
}

/// A first peg in all symmetries of the board.
fn images<const W: usize, const B: usize>(game: &Twixt<W, B>, mv: Move) -> impl Iterator<Item = Move> {
    let symmetries = game.symmetries(&game.start());
    symmetries.iter().map(move |symmetry| game.map_move(*symmetry, mv)).collect::<Vec<_>>().into_iter()
}

/// Solves every first peg, up to symmetry, on some threads with a solver of this many bytes each; the easy ones are done first.
/// `heard` gets each answer with the number of positions that it took. What takes more than `most` positions, or is prevented by
/// a halt, stays unknown. The swap rule is ignored.
pub fn openings<const W: usize, const B: usize>(
    game: &Twixt<W, B>,
    threads: usize,
    bytes: usize,
    most: u64,
    halt: Halt,
    heard: &(dyn Fn(Move, Option<Value>, u64) + Sync),
) -> Openings {
    let game = game.without_swap();
    let pegs = FirstPegs::new(&game, most);
    let threads = threads.clamp(1, pegs.distinct());
    let pegs = Mutex::new(pegs);
    let pegs = || pegs.lock().unwrap_or_else(PoisonError::into_inner);
    let ask = || pegs().ask();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut solver = Solver::new(&game, bytes);
                while let Some(peg) = ask() {
                    let (value, nodes) = solver.value_of(&game, &game.start(), peg.mv, &Limit::nodes(peg.nodes), halt);
                    let halted = value.is_none() && halt();
                    let all = if halted { Some(peg.before + nodes) } else { pegs().answer(peg, value, nodes) };
                    if let Some(nodes) = all {
                        heard(peg.mv, value, nodes);
                    }
                }
            });
        }
    });
    pegs().map().clone()
}

impl Openings {
    /// Holes per side.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The value of a first peg, by column and row from 0.
    #[must_use]
    pub fn cell(&self, x: usize, y: usize) -> Cell {
        self.cells[y * self.size + x]
    }

    /// Column and row of every hole that the first player may use.
    pub fn holes(&self) -> impl Iterator<Item = (usize, usize)> {
        let holes = (0..self.cells.len()).filter(|hole| self.cells[*hole] != Cell::Closed);
        holes.map(|hole| (hole % self.size, hole / self.size))
    }

    /// The value of the game for the first player: that of the best peg, if all are known.
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        let known = self.holes().map(|(x, y)| match self.cell(x, y) {
            Cell::Known(value) => Some(value),
            _ => None,
        });
        known.collect::<Option<Vec<Value>>>()?.into_iter().max_by_key(|value| value.merit())
    }

    /// The map with the swap rule. A player who swaps is where the first player was, one ply later; so the second player swaps a
    /// peg that wins and leaves one that loses. A peg that cannot be swapped keeps its value.
    #[must_use]
    pub fn with_swap(&self, swap: Swap) -> Openings {
        let last = self.size - 1;
        let on_border = |hole: usize| [hole % self.size, hole / self.size].iter().any(|c| *c == 0 || *c == last);
        let swapped = |(hole, cell): (usize, &Cell)| match (cell, swap) {
            (_, Swap::Off) => *cell,
            (_, Swap::Turn) if on_border(hole) => *cell,
            (Cell::Known(value), _) if value.is_win() => Cell::Known(value.before()),
            _ => *cell,
        };
        Openings { size: self.size, cells: self.cells.iter().enumerate().map(swapped).collect() }
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.cells.chunks(self.size) {
            let words: Vec<String> = row.iter().map(|cell| format!("{:>4}", cell.to_string())).collect();
            writeln!(f, "{}", words.concat())?;
        }
        Ok(())
    }
}

impl std::str::FromStr for Openings {
    type Err = OpeningsError;

    fn from_str(text: &str) -> Result<Openings, OpeningsError> {
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        let size = rows.len();
        if let Some(row) = rows.iter().find(|row| row.len() != size) {
            return Err(OpeningsError::Shape { rows: size, columns: row.len() });
        }
        let cells = rows.concat().into_iter().map(str::parse);
        Ok(Openings { size, cells: cells.collect::<Result<_, _>>()? })
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Closed => f.write_str("."),
            Cell::Unknown => f.write_str("?"),
            Cell::Known(value) => {
                let plies = value.plies.unwrap_or_default();
                match value.proof {
                    Proof::Draw => f.write_str("="),
                    Proof::Win => write!(f, "+{plies}"),
                    Proof::Loss => write!(f, "-{plies}"),
                }
            }
        }
    }
}

impl std::str::FromStr for Cell {
    type Err = OpeningsError;

    fn from_str(word: &str) -> Result<Cell, OpeningsError> {
        let wrong = || OpeningsError::Word(word.to_owned());
        let plies = |text: &str| match text.parse() {
            Ok(plies) if plies <= u32::from(FARTHEST) => Ok(plies),
            _ => Err(wrong()),
        };
        Ok(match word {
            "." => Cell::Closed,
            "?" => Cell::Unknown,
            "=" => Cell::Known(Value::DRAW),
            _ => match (word.strip_prefix('+'), word.strip_prefix('-')) {
                (Some(win), _) => Cell::Known(Value::win_in(plies(win)?)),
                (_, Some(loss)) => Cell::Known(Value::loss_in(plies(loss)?)),
                _ => return Err(wrong()),
            },
        })
    }
}

/// The shipped maps, each with its game, the swap rule off.
pub fn published() -> &'static [(GameSpec, Openings)] {
    static MAPS: LazyLock<Vec<(GameSpec, Openings)>> = LazyLock::new(|| {
        let text = Embedded::bytes("solved/twixt.txt").and_then(|bytes| std::str::from_utf8(bytes).ok());
        let text = text.expect("the shipped maps are text");
        let blocks = text.split("\n\n").map(str::trim_end).filter(|block| block.starts_with("twixt("));
        let read = blocks.map(|block| {
            let (spec, map) = block.split_once('\n').expect("a game has a map below it");
            let spec = GameSpec::parse(spec).expect("the shipped maps name games");
            (spec, map.parse().expect("the shipped maps are valid"))
        });
        read.collect()
    });
    &MAPS
}

/// The shipped map of a game, ignoring the swap rule.
#[must_use]
pub fn published_map<const W: usize, const B: usize>(game: &Twixt<W, B>) -> Option<&'static Openings> {
    let of_game =
        |spec: &GameSpec| (spec.number("size"), spec.choice("rules", &Rules::ALL)) == (game.size(), game.rules());
    published().iter().find(|(spec, _)| of_game(spec)).map(|(_, map)| map)
}

/// The first peg by the shipped map, and whether to swap.
pub(crate) fn by_map<const W: usize, const B: usize>(
    game: &Twixt<W, B>,
    pos: &Position<W, B>,
) -> Option<Solution<Move>> {
    let mut moves = Vec::new();
    game.moves(pos, &mut moves);
    let map = published_map(game)?;
    if game.pieces(pos) == 0 {
        let map = map.with_swap(game.swap());
        let rated = moves.into_iter().map(|mv| match mv.hole().map(|(x, y)| map.cell(x, y)) {
            Some(Cell::Known(value)) => Some((mv, value)),
            _ => None,
        });
        return Some(Solution { value: map.value(), moves: rated.collect::<Option<_>>()?, nodes: 0 });
    }
    // A first peg that would win is swapped, and then wins for the other side in as many plies.
    let swap = moves.into_iter().find(|mv| mv.hole().is_none())?;
    let (x, y) = map.holes().find(|(x, y)| pos.peg(*x, *y).is_some())?;
    match map.cell(x, y) {
        Cell::Known(value) if value.is_win() => {
            Some(Solution { value: Some(value), moves: vec![(swap, value)], nodes: 0 })
        }
        _ => None,
    }
}
