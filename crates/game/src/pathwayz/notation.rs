//! Text form of Pathwayz: `e5`, `e5p`, and eight rows of `.wbWB` with the side to move.

use super::squares::{STRIDE, grown};
use super::{Move, Pathwayz, Position, each_of_128};
use crate::notation::{Fault, Notation};
use crate::path::shortest;
use crate::text::{cell_name, fold_token, parts, quote, read_cell_on, read_rows, read_side};
use crate::{EndReason, Game, Player};

const SIDES: [char; 2] = ['w', 'b'];
/// The symbols: index by colour, plus two for a permanent.
const PIECES: [char; 4] = ['w', 'b', 'W', 'B'];

fn name(square: u8) -> String {
    cell_name(usize::from(square) % STRIDE, usize::from(square) / STRIDE)
}

impl Pathwayz {
    fn piece(&self, pos: &Position, square: u8) -> Option<char> {
        let (colour, permanent) = pos.at(usize::from(square) % STRIDE, usize::from(square) / STRIDE)?;
        Some(PIECES[colour.index() + 2 * usize::from(permanent)])
    }

    fn check_counts(&self, pos: &Position, side: Player) -> Result<(), Fault> {
        let count = |set: u128| set.count_ones();
        let pieces = count(pos.all());
        if self.to_move(pos) != side {
            let wanted = SIDES[side.other().index()];
            return Err(Fault(format!("after {pieces} pieces {wanted} is to move, not {}.", SIDES[side.index()])));
        }
        // Permanents are placed by the other side; without any, no piece was ever turned.
        let turns = [pieces.div_ceil(2), pieces / 2];
        for player in Player::BOTH {
            let colour = player.index();
            let permanent = count(pos.pieces[colour] & pos.permanent);
            let (letter, most) = (PIECES[colour + 2], turns[player.other().index()]);
            if permanent > most {
                return Err(Fault(format!(
                    "{permanent} {letter} cannot arise; {} has made {most} moves.",
                    SIDES[player.other().index()]
                )));
            }
        }
        let [white, black] = pos.pieces.map(count);
        if pos.permanent == 0 && [white, black] != turns {
            return Err(Fault(format!("{white} w and {black} b cannot arise without a permanent.")));
        }
        Ok(())
    }

    /// A shortest path of `set` from the first column to the last.
    fn path(&self, set: u128) -> Vec<String> {
        let mut starts = Vec::new();
        each_of_128(set & self.goals[0], |square| starts.push(square));
        let goal = |square| self.goals[1] >> square & 1 == 1;
        let path = shortest(starts, goal, |square, visit| each_of_128(grown(1 << square) & set, visit));
        path.into_iter().map(|square| name(square as u8)).collect()
    }
}

impl Notation for Pathwayz {
    fn write_move(&self, mv: Move) -> String {
        name(mv.square) + if mv.permanent { "p" } else { "" }
    }

    fn read_move(&self, token: &str) -> Result<Move, Fault> {
        let token = fold_token(token)?;
        let ((x, y), rest) = read_cell_on(&token, self.columns, self.rows)?;
        let square = self.bit(x, y);
        match rest {
            "" => Ok(Move { square, permanent: false }),
            "p" => Ok(Move { square, permanent: true }),
            _ => {
                Err(Fault(format!("after the square, only p for a permanent may follow, not \"{}\".", quote(rest, 30))))
            }
        }
    }

    fn check(&self, pos: &Position, mv: Move) -> Result<(), Fault> {
        match self.piece(pos, mv.square) {
            Some(piece) => Err(Fault(format!("{} is taken ({piece}).", name(mv.square)))),
            None => Ok(()),
        }
    }

    fn write_position(&self, pos: &Position) -> String {
        let rows: Vec<String> = (0..self.rows)
            .map(|y| (0..self.columns).map(|x| self.piece(pos, self.bit(x, y)).unwrap_or('.')).collect())
            .collect();
        format!("{} {}", rows.join("/"), SIDES[self.to_move(pos).index()])
    }

    fn read_position(&self, text: &str) -> Result<Position, Fault> {
        let [board, side] = parts(text, "BOARD SIDE")?;
        let cells = read_rows(board, "row", &vec![self.columns; self.rows], ".wbWB")?;
        let side = read_side(side, SIDES)?;
        let mut pos = self.start();
        for (i, &symbol) in cells.iter().enumerate().filter(|(_, symbol)| **symbol > 0) {
            let at = 1 << self.bit(i % self.columns, i / self.columns);
            pos.pieces[usize::from(symbol - 1) % 2] |= at;
            if symbol > 2 {
                pos.permanent |= at;
            }
        }
        self.check_counts(&pos, side)?;
        pos.winner = self.find_winner(&pos);
        Ok(pos)
    }

    fn reason(&self, pos: &Position) -> EndReason {
        if pos.winner.is_some() { EndReason::Path } else { EndReason::FullBoard }
    }

    fn wins(&self, pos: &Position) -> Vec<Vec<String>> {
        pos.winner.map(|player| self.path(pos.pieces[player.index()])).into_iter().collect()
    }
}
