//! Pylos: a pyramid of balls, levels 4x4, 3x3, 2x2 and 1.
//!
//! A side is one `u64`, sixteen bits per level and four bits per row, so that one shift goes to the next column, row or
//! level *for all levels at once* (cell (x, y) of level n+1 rests on (x, y), (x+1, y), (x, y+1), (x+1, y+1) of level n):
//!
//! ```text
//!   level 1        level 2        level 3     level 4
//!    0  1  2  3    16 17 18  .    32 33  .    48
//!    4  5  6  7    20 21 22  .    36 37  .     .
//!    8  9 10 11    24 25 26  .     .  .  .
//!   12 13 14 15     .  .  .
//! ```

mod moves;
mod notation;
mod position;
mod symmetry;

use rand_core::Rng as _;

use crate::bits::{each_bit, mix, nth_set_bit, scale};
use crate::registry::{AnyGame, Info, OptionInfo};
use crate::{Game, GameSpec, Outcome, Player, Rng, can_win_now};
pub use moves::Move;
use moves::{NONE, writing_order};
pub use position::{APEX, BALLS, CELLS, Position, carrying, cell, index, supported};
use position::{LEVEL1, spread};

/// Where a ball may come from: its cell (or `NONE`), the board without it, and the cells it may go to.
struct Source {
    from: u8,
    own: u64,
    all: u64,
    targets: u64,
}

/// The rules of Pylos in one variant. The default is `rules=standard,end=stuck,takeback=forced`.
///
/// ```
/// use quintet_game::{Game, pylos::Pylos};
/// let game = Pylos::default();
/// assert_eq!(game.count_moves(&game.start()), 16);
/// ```
#[derive(Clone, Debug)]
pub struct Pylos {
    /// Does a square allow a take-back?
    squares: bool,
    /// Lines that also allow a take-back.
    lines: Vec<u64>,
    /// A player whose turn ends with an empty reserve loses at once.
    spent: bool,
    /// A take-back is optional.
    optional: bool,
}

impl Default for Pylos {
    fn default() -> Pylos {
        Pylos { squares: true, lines: Vec::new(), spent: false, optional: false }
    }
}

/// The full rows and columns of levels 1 and 2, and their diagonals if asked for.
fn lines(diagonals: bool) -> Vec<u64> {
    let mut lines = Vec::new();
    for (level, size) in [(0, 4), (1, 3)] {
        let line = |at: &dyn Fn(usize) -> (usize, usize)| {
            (0..size).map(at).fold(0, |line, (x, y)| line | 1u64 << index(level, x, y))
        };
        for k in 0..size {
            lines.push(line(&|i| (i, k)));
            lines.push(line(&|i| (k, i)));
        }
        if diagonals {
            lines.push(line(&|i| (i, i)));
            lines.push(line(&|i| (i, size - 1 - i)));
        }
    }
    lines
}

/// The option `rules`: what allows a take-back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Squares.
    Standard,
    /// Nothing.
    Children,
    /// Squares, rows and columns.
    Expert,
    /// Squares, rows, columns and diagonals.
    ExpertDiagonals,
}

impl Rules {
    /// In the order of the option's words.
    pub const ALL: [Rules; 4] = [Rules::Standard, Rules::Children, Rules::Expert, Rules::ExpertDiagonals];
}

/// The option `end`: who loses before the apex is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A player to move without a legal move.
    Stuck,
    /// Also a player whose turn ends with an empty reserve.
    Spent,
}

impl End {
    /// In the order of the option's words.
    pub const ALL: [End; 2] = [End::Stuck, End::Spent];
}

/// The option `takeback`: whether the first take-back is compulsory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeBack {
    /// One ball must be taken back, a second may be.
    Forced,
    /// None, one or two.
    Free,
}

impl TakeBack {
    /// In the order of the option's words.
    pub const ALL: [TakeBack; 2] = [TakeBack::Forced, TakeBack::Free];
}

impl Pylos {
    /// The rules that a spec of Pylos names.
    ///
    /// ```
    /// use quintet_game::{Game, GameSpec, pylos::Pylos};
    /// let game = Pylos::of(&GameSpec::parse("pylos(rules=expert)").unwrap());
    /// assert_eq!(game.count_moves(&game.start()), 16);
    /// ```
    #[must_use]
    pub fn of(spec: &GameSpec) -> Pylos {
        let rules = spec.choice("rules", &Rules::ALL);
        let end = spec.choice("end", &End::ALL);
        let take_back = spec.choice("takeback", &TakeBack::ALL);
        Pylos {
            squares: rules != Rules::Children,
            lines: match rules {
                Rules::Standard | Rules::Children => Vec::new(),
                Rules::Expert => lines(false),
                Rules::ExpertDiagonals => lines(true),
            },
            spent: end == End::Spent,
            optional: take_back == TakeBack::Free,
        }
    }

    /// Does a player lose at once when their turn ends with an empty reserve?
    #[must_use]
    pub fn ends_when_spent(&self) -> bool {
        self.spent
    }

    /// Where a ball is allowed to be taken back, may the player take none?
    #[must_use]
    pub fn may_take_none(&self) -> bool {
        self.optional
    }

    /// Does any pattern allow a take-back?
    #[must_use]
    pub fn takes_back(&self) -> bool {
        self.squares
    }

    /// Cells without a ball of `own` where one would complete a square or line that allows a take-back.
    #[inline]
    #[must_use]
    pub fn completing(&self, own: u64) -> u64 {
        if !self.squares {
            return 0;
        }
        let (right, down, across) = (own >> 1, own >> 4, own >> 5);
        let mut cells = right & down & across & CELLS >> 16
            | (own & down & across & CELLS >> 16) << 1
            | (own & right & across & CELLS >> 16) << 4
            | (own & right & down & CELLS >> 16) << 5;
        for line in &self.lines {
            let missing = line & !own;
            if missing.is_power_of_two() {
                cells |= missing;
            }
        }
        cells & !own
    }

    /// Calls `f` for the reserve and for every ball that can be raised.
    #[inline]
    fn each_source(&self, pos: &Position, mut f: impl FnMut(Source)) {
        let own = pos.balls[pos.side.index()];
        let all = pos.all();
        if own.count_ones() < BALLS {
            f(Source { from: NONE, own, all, targets: supported(all) });
        }
        each_bit(own & !carrying(all), |from| {
            let ball = 1 << from;
            let above = !0u64 << (from / 16 * 16 + 16);
            let targets = supported(all ^ ball) & above;
            if targets != 0 {
                f(Source { from: from as u8, own: own ^ ball, all: all ^ ball, targets });
            }
        });
    }

    /// The number of ways to take back, given `own` and `all` with the new ball placed.
    #[inline]
    fn count_takes(&self, own: u64, all: u64) -> u32 {
        let free = own & !carrying(all);
        let n = free.count_ones();
        let mut freed = 0;
        each_bit(free & !LEVEL1, |upper| freed += freed_by(own, all, upper).count_ones());
        u32::from(self.optional) + n + n * (n - 1) / 2 + freed
    }

    /// Lists the ways to take back, given `own` and `all` with the new ball placed, when it completes something: the cells, in
    /// writing order, padded with bit 63, which no ball has.
    #[inline]
    pub fn each_take(&self, own: u64, all: u64, mut f: impl FnMut([u8; 2])) {
        let free = own & !carrying(all);
        if self.optional {
            f([NONE, NONE]);
        }
        each_bit(free, |one| {
            f([one as u8, NONE]);
            each_bit(free & (!1 << one), |two| f(writing_order(one as u8, two as u8)));
            if one >= 16 {
                each_bit(freed_by(own, all, one), |two| f([one as u8, two as u8]));
            }
        });
    }

    #[inline]
    fn stuck(&self, pos: &Position) -> bool {
        let mut stuck = pos.reserve(pos.side) == 0;
        if stuck {
            self.each_source(pos, |_| stuck = false);
        }
        stuck
    }
}

/// Own balls that support nothing once the ball on `upper` is gone, but did before.
#[inline]
fn freed_by(own: u64, all: u64, upper: u32) -> u64 {
    let ball = 1u64 << upper;
    spread(ball >> 16) & own & !carrying(all ^ ball)
}

impl Game for Pylos {
    type Pos = Position;
    type Move = Move;
    const REPEATS: bool = true;

    fn start(&self) -> Position {
        Position { balls: [0, 0], side: Player::First }
    }

    #[inline]
    fn to_move(&self, pos: &Position) -> Player {
        pos.side
    }

    #[inline]
    fn outcome(&self, pos: &Position) -> Option<Outcome> {
        let loser = if pos.all() & APEX != 0 {
            return Some(Outcome::Win(Player::BOTH[usize::from(pos.balls[1] & APEX != 0)]));
        } else if self.spent {
            // The player who has just moved is checked first; both at once would need thirty balls below the apex.
            [pos.side.other(), pos.side].into_iter().find(|player| pos.reserve(*player) == 0)?
        } else if self.stuck(pos) {
            pos.side
        } else {
            return None;
        };
        Some(Outcome::Win(loser.other()))
    }

    fn moves(&self, pos: &Position, out: &mut Vec<Move>) {
        if self.outcome(pos).is_some() {
            return;
        }
        self.each_source(pos, |Source { from, own, all, targets }| {
            let completing = self.completing(own);
            each_bit(targets, |to| {
                let ball = 1 << to;
                let mv = Move { from, to: to as u8, taken: [NONE, NONE] };
                if completing & ball == 0 {
                    out.push(mv);
                } else {
                    self.each_take(own | ball, all | ball, |taken| out.push(Move { taken, ..mv }));
                }
            });
        });
    }

    fn count_moves(&self, pos: &Position) -> usize {
        if self.outcome(pos).is_some() {
            return 0;
        }
        let mut count = 0;
        self.each_source(pos, |Source { own, all, targets, .. }| {
            let completing = self.completing(own) & targets;
            count += (targets & !completing).count_ones();
            each_bit(completing, |to| count += self.count_takes(own | 1 << to, all | 1 << to));
        });
        count as usize
    }

    #[inline]
    fn random_move(&self, pos: &Position, rng: &mut Rng) -> Move {
        // Two passes, count and then walk to the chosen move, so that nothing is listed.
        let count = self.count_moves(pos) as u32;
        let mut left = scale(rng.next_u32(), count);
        let mut chosen = None;
        self.each_source(pos, |Source { from, own, all, targets }| {
            if chosen.is_some() {
                return;
            }
            let completing = self.completing(own) & targets;
            let plain = targets & !completing;
            if left < plain.count_ones() {
                chosen = Some(Move { from, to: nth_set_bit(plain, left) as u8, taken: [NONE, NONE] });
                return;
            }
            left -= plain.count_ones();
            each_bit(completing, |to| {
                let (own, all) = (own | 1 << to, all | 1 << to);
                if chosen.is_none() {
                    let takes = self.count_takes(own, all);
                    if left >= takes {
                        left -= takes;
                    } else {
                        let mut number = 0;
                        self.each_take(own, all, |taken| {
                            if number == left {
                                chosen = Some(Move { from, to: to as u8, taken });
                            }
                            number += 1;
                        });
                    }
                }
            });
        });
        chosen.expect("a game that is not over has a move")
    }

    #[inline]
    fn play(&self, pos: &mut Position, mv: Move) {
        let own = &mut pos.balls[pos.side.index()];
        *own |= 1 << mv.to;
        for gone in [mv.from, mv.taken[0], mv.taken[1]] {
            // `NONE` is bit 63, which no ball has.
            *own &= !(1 << gone);
        }
        pos.side = pos.side.other();
    }

    #[inline]
    fn key(&self, pos: &Position) -> u64 {
        mix(pos.balls[0] ^ mix(pos.balls[1] ^ mix(pos.side.index() as u64 + 1)))
    }

    fn cells(&self) -> u32 {
        CELLS.count_ones()
    }

    fn pieces(&self, pos: &Position) -> u32 {
        pos.all().count_ones()
    }

    fn threatens(&self, pos: &Position, player: Player) -> bool {
        can_win_now(self, &Position { side: player, ..*pos })
    }
}

/// Pylos' entry in the registry.
pub const INFO: Info = Info {
    name: "pylos",
    title: "Pylos",
    about: "Build a pyramid of balls; the player who places the apex wins. A square lets you take balls back.",
    sides: ["light", "dark"],
    example: "1d4^2a1",
    options: &[
        OptionInfo::words(
            "rules",
            "what allows a take-back of one or two own balls",
            &[
                ("standard", "an own-colour 2x2 square"),
                ("children", "nothing"),
                ("expert", "a square, or a full own-colour row or column of level 1 or 2"),
                ("expert-diag", "as expert, and the full diagonals of levels 1 and 2"),
            ],
            |_| 0,
        ),
        OptionInfo::words(
            "end",
            "who loses before the apex is placed",
            &[
                ("stuck", "a player to move without a legal move"),
                ("spent", "a player whose turn ends with an empty reserve"),
            ],
            |_| 0,
        ),
        OptionInfo::words(
            "takeback",
            "must a ball be taken back?",
            &[("forced", "at least one"), ("free", "optional")],
            |_| 0,
        ),
    ],
};

/// The rules that a spec of Pylos names.
pub(crate) fn rules(spec: &GameSpec) -> AnyGame {
    AnyGame::Pylos(Pylos::of(spec))
}
