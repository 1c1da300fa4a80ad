//! Text form of Pylos: `1b3`, `1d4^2a1`, `1b3-1b3-1a2`, and `LD............../........./..../. l`.

use super::position::squares;
use super::{
    APEX, BALLS, CELLS, LEVEL1, Move, NONE, Position, Pylos, carrying, cell, index, spread, supported, writing_order,
};
use crate::bits::each_bit;
use crate::notation::{Fault, Notation};
use crate::text::{cell_name, fold_token, parts, quote, read_cell, read_rows, read_side};
use crate::{EndReason, Game, Player};

const SIDES: [char; 2] = ['l', 'd'];
const NAMES: [&str; 2] = super::INFO.sides;
const LEVELS: [usize; 4] = [16, 9, 4, 1];

fn name(bit: impl Into<usize>) -> String {
    let (level, x, y) = cell(bit.into());
    format!("{}{}", level + 1, cell_name(x, y))
}

fn names(bits: u64) -> Vec<String> {
    let mut cells = Vec::new();
    each_bit(bits, |bit| cells.push(name(bit as usize)));
    cells
}

/// The cells that `bit` rests on.
fn below(bit: u8) -> u64 {
    spread((1 << bit) >> 16)
}

fn read_ball(text: &str) -> Result<u8, Fault> {
    let level = text.chars().next().and_then(|c| c.to_digit(10)).filter(|level| (1..=4).contains(level));
    let read = level.zip(text.get(1..).and_then(read_cell));
    let Some((level, ((x, y), ""))) = read else {
        return Err(Fault(format!(
            "\"{}\" is not a cell; a cell is level, column, row: 1a1 to 1d4, 2a1 to 2c3, 3a1 to 3b2, 4a1.",
            quote(text, 30)
        )));
    };
    let (level, size) = (level as usize - 1, 5 - level as usize);
    if x >= size || y >= size {
        let last = name(index(level, size - 1, size - 1));
        return Err(Fault(format!("{text} is off the board: level {0} has cells {0}a1 to {last}.", level + 1)));
    }
    Ok(index(level, x, y) as u8)
}

impl Pylos {
    /// Says what is on a cell that should hold a free ball of the mover.
    fn check_free(&self, own: u64, other: u64, ball: u8, mover: Player, what: &str) -> Result<(), Fault> {
        let at = name(ball);
        if own >> ball & 1 == 0 {
            return Err(Fault(match other >> ball & 1 {
                0 => format!("{at} is empty; {what} an own ball."),
                _ => format!("{at} is {}; {what} an own ball.", NAMES[mover.other().index()]),
            }));
        }
        let all = own | other;
        if carrying(all) >> ball & 1 == 1 {
            let mut carried = 0;
            each_bit(all & !LEVEL1, |upper| carried |= u64::from(below(upper as u8) >> ball & 1 == 1) << upper);
            return Err(Fault(format!("{at} cannot move: it supports {}.", names(carried).join(", "))));
        }
        Ok(())
    }

    fn check_target(&self, all: u64, mv: Move) -> Result<(), Fault> {
        let to = name(mv.to);
        let base = below(mv.to);
        if mv.from != NONE && base >> mv.from & 1 == 1 {
            return Err(Fault(format!(
                "{to} rests on {}; a ball cannot climb onto a square it is part of.",
                names(base).join(" ")
            )));
        }
        let without = if mv.from == NONE { all } else { all & !(1 << mv.from) };
        if supported(without) >> mv.to & 1 == 0 {
            let missing = names(base & !without);
            let verb = if missing.len() == 1 { "is" } else { "are" };
            return Err(Fault(format!("{to} needs {}, which {verb} empty.", missing.join(" and "))));
        }
        Ok(())
    }

    fn check_takes(&self, own: u64, other: u64, mv: Move, mover: Player, completes: bool) -> Result<(), Fault> {
        let to = name(mv.to);
        let taken: Vec<u8> = mv.taken.into_iter().filter(|cell| *cell != NONE).collect();
        if !completes {
            return match taken[..] {
                [] => Ok(()),
                _ if !self.squares => Err("rules=children has no take-back.".into()),
                _ => Err(Fault(format!("{to} completes no {}, so nothing is taken back.", self.pattern()))),
            };
        }
        if taken.is_empty() && !self.optional {
            return Err(Fault(format!(
                "{to} completes a {}: take back one or two own balls, as in {to}-{to}.",
                self.pattern()
            )));
        }
        let mut own = own;
        for ball in taken {
            self.check_free(own, other, ball, mover, "take back")?;
            own &= !(1 << ball);
        }
        Ok(())
    }

    fn pattern(&self) -> &'static str {
        if self.lines.is_empty() { "square" } else { "square or line" }
    }
}

impl Notation for Pylos {
    fn write_move(&self, mv: Move) -> String {
        let mut text = String::new();
        if mv.from != NONE {
            text = name(mv.from) + "^";
        }
        text += &name(mv.to);
        for taken in mv.taken.into_iter().filter(|cell| *cell != NONE) {
            text += "-";
            text += &name(taken);
        }
        text
    }

    fn read_move(&self, token: &str) -> Result<Move, Fault> {
        let token = fold_token(token)?;
        let mut pieces = token.split('-');
        let step = pieces.next().unwrap_or_default();
        let (from, to) = match step.split_once('^') {
            None => (NONE, read_ball(step)?),
            Some((from, to)) => (read_ball(from)?, read_ball(to)?),
        };
        let taken = pieces.map(read_ball).collect::<Result<Vec<u8>, Fault>>()?;
        let taken = match taken[..] {
            [] => [NONE, NONE],
            [one] => [one, NONE],
            [one, two] if one == two => return Err(Fault(format!("{} is taken back twice.", name(one)))),
            [one, two] => writing_order(one, two),
            _ => return Err("at most two balls are taken back.".into()),
        };
        Ok(Move { from, to, taken })
    }

    fn check(&self, pos: &Position, mv: Move) -> Result<(), Fault> {
        let mover = pos.side;
        let own = pos.balls[mover.index()];
        let other = pos.balls[mover.other().index()];
        if let Some(side) = pos.balls.iter().position(|balls| balls >> mv.to & 1 == 1) {
            return Err(Fault(format!("{} is taken ({}).", name(mv.to), NAMES[side])));
        }
        if mv.from == NONE {
            if pos.reserve(mover) == 0 {
                return Err(Fault(format!(
                    "{} has no ball left in reserve and can only raise one, as in 1d4^2a1.",
                    NAMES[mover.index()]
                )));
            }
        } else {
            self.check_free(own, other, mv.from, mover, "raise")?;
            if mv.to / 16 <= mv.from / 16 {
                return Err(Fault(format!(
                    "a ball is raised to a higher level, and {} is not above {}.",
                    name(mv.to),
                    name(mv.from)
                )));
            }
        }
        self.check_target(pos.all(), mv)?;
        let own = if mv.from == NONE { own } else { own & !(1 << mv.from) };
        let completes = self.completing(own) >> mv.to & 1 == 1;
        self.check_takes(own | 1 << mv.to, other, mv, mover, completes)
    }

    fn write_position(&self, pos: &Position) -> String {
        let levels: Vec<String> = (0..4)
            .map(|level| {
                let size = 4 - level;
                (0..size * size)
                    .map(|i| match pos.balls.map(|balls| balls >> index(level, i % size, i / size) & 1) {
                        [1, _] => 'L',
                        [_, 1] => 'D',
                        _ => '.',
                    })
                    .collect()
            })
            .collect();
        format!("{} {}", levels.join("/"), SIDES[pos.side.index()])
    }

    fn read_position(&self, text: &str) -> Result<Position, Fault> {
        let [board, side] = parts(text, "LEVEL1/LEVEL2/LEVEL3/LEVEL4 SIDE")?;
        let cells = read_rows(board, "level", &LEVELS, ".LD")?;
        let side = read_side(side, SIDES)?;
        let mut pos = Position { side, ..self.start() };
        let mut bits = Vec::new();
        each_bit(CELLS, |bit| bits.push(bit));
        for (&symbol, bit) in cells.iter().zip(bits) {
            if symbol > 0 {
                pos.balls[usize::from(symbol) - 1] |= 1 << bit;
            }
        }
        check_counts(&pos)?;
        let all = pos.all();
        let floating = all & !(squares(all) << 16 | LEVEL1);
        if floating != 0 {
            let ball = floating.trailing_zeros() as u8;
            return Err(Fault(format!(
                "{} floats: there is nothing on {} below it.",
                name(ball),
                names(below(ball) & !all).join(" and ")
            )));
        }
        if pos.balls[side.index()] & APEX != 0 {
            return Err(Fault(format!(
                "{0} has placed the apex, so {0} is not the next to move.",
                NAMES[side.index()]
            )));
        }
        Ok(pos)
    }

    fn reason(&self, pos: &Position) -> EndReason {
        if pos.all() & APEX != 0 {
            EndReason::Apex
        } else if self.spent {
            EndReason::Spent
        } else {
            EndReason::Stuck
        }
    }

    fn wins(&self, pos: &Position) -> Vec<Vec<String>> {
        match pos.all() & APEX {
            0 => Vec::new(),
            apex => vec![names(apex)],
        }
    }
}

/// A player who has moved always has a ball on the board: a take-back leaves at least one ball of the pattern.
fn check_counts(pos: &Position) -> Result<(), Fault> {
    let [light, dark] = pos.balls.map(u64::count_ones);
    for (count, side) in [light, dark].into_iter().zip(NAMES) {
        if count > BALLS {
            return Err(Fault(format!("{count} {side} balls; each side has {BALLS}.")));
        }
    }
    let possible = match (pos.side, light, dark) {
        (Player::First, light, dark) => (light == 0) == (dark == 0),
        (Player::Second, light, 0) => light == 1,
        (Player::Second, light, _) => light > 0,
    };
    if possible {
        Ok(())
    } else {
        Err(Fault(format!(
            "{light} light and {dark} dark balls cannot arise with {} to move.",
            NAMES[pos.side.index()]
        )))
    }
}
