//! Text form of TwixT: `m12`, `swap`, and `ROWS c2d4,d4f5 b`.

use std::collections::HashMap;

use super::board::{PAD, cross};
use super::parts::{Cell, direction, stepped};
use super::{Move, Position, SWAP, Swap, Twixt};
use crate::bits::each_bit;
use crate::notation::{Fault, Notation};
use crate::path::shortest;
use crate::text::{cell_name, fold_token, parts, quote, read_cell, read_cell_on, read_rows, read_side};
use crate::{EndReason, Player};

const SIDES: [char; 2] = ['r', 'b'];
const NAMES: [&str; 2] = super::INFO.sides;

fn name((x, y): Cell) -> String {
    cell_name(x, y)
}

fn link_name([a, b]: [Cell; 2]) -> String {
    format!("{}-{}", name(a), name(b))
}

fn segment([a, b]: [Cell; 2]) -> [(i32, i32); 2] {
    [a, b].map(|(x, y)| (x as i32, y as i32))
}

impl<const W: usize, const B: usize> Twixt<W, B> {
    fn is_corner(&self, (x, y): Cell) -> bool {
        [x, y].iter().all(|&c| c == 0 || c == self.size - 1)
    }

    /// Why `player` has no hole at `cell`, if so.
    fn check_hole(&self, player: Player, cell: Cell) -> Result<(), Fault> {
        if self.is_open(player, cell.0, cell.1) {
            return Ok(());
        }
        Err(Fault(if self.is_corner(cell) {
            format!("{} is a corner; there is no hole.", name(cell))
        } else {
            let owner = NAMES[player.other().index()];
            format!("{} lies on {owner}'s border line; {} may not enter it.", name(cell), NAMES[player.index()])
        }))
    }

    /// The link that crosses `link` and stops `player` from making it.
    fn blocker(&self, player: Player, link: [Cell; 2], links: &[[Cell; 2]], pos: &Position<W, B>) -> Option<[Cell; 2]> {
        let counts = |other: &[Cell; 2]| B == 1 || pos.peg(other[0].0, other[0].1) == Some(player.other());
        links.iter().copied().find(|other| counts(other) && cross(segment(link), segment(*other)))
    }

    fn read_links(&self, text: &str, pegs: &HashMap<Cell, Player>) -> Result<Vec<[Cell; 2]>, Fault> {
        let mut links: Vec<[Cell; 2]> = Vec::new();
        for link in if text == "-" { None } else { Some(text.split(',')) }.into_iter().flatten() {
            let ends = read_cell(link).and_then(|(a, rest)| Some((a, read_cell(rest)?)));
            let Some((a, (b, ""))) = ends else {
                return Err(Fault(format!(
                    "link \"{}\": links are two holes, as in c2d4, joined by commas, or - for none.",
                    quote(link, 30)
                )));
            };
            let shown = link_name([a, b]);
            if direction(a, b).is_none() {
                return Err(Fault(format!("link {shown}: the holes are not a knight's move apart.")));
            }
            let owners = [a, b].map(|cell| pegs.get(&cell));
            if owners[0].is_none() || owners[0] != owners[1] {
                return Err(Fault(format!("link {shown}: needs two pegs of one colour.")));
            }
            let link = if a < b { [a, b] } else { [b, a] };
            if links.contains(&link) {
                return Err(Fault(format!("link {shown} is named twice.")));
            }
            links.push(link);
        }
        links.sort_unstable();
        Ok(links)
    }

    /// Every two own pegs a knight's move apart are linked unless an existing link crosses theirs, and no two links cross.
    fn check_links(&self, pos: &Position<W, B>) -> Result<(), Fault> {
        let links = self.links(pos);
        for (player, (x, y)) in self.pegs(pos) {
            let near = pos.near(player.index(), x + PAD, y + PAD);
            let made = pos.links(x, y);
            let crossed = pos.crossed(player.index(), x + PAD, y + PAD);
            let wrong = made & crossed | near & !made & !crossed;
            if wrong != 0 {
                let link = [(x, y), stepped((x, y), wrong.trailing_zeros())];
                return Err(Fault(match self.blocker(player, link, &links, pos) {
                    Some(other) => format!("links {} and {} cross.", link_name(link), link_name(other)),
                    None => format!("link {} is missing and nothing crosses it.", link_name(link)),
                }));
            }
        }
        Ok(())
    }

    fn check_counts(&self, [red, black]: [usize; 2], side: Player) -> Result<(), Fault> {
        let swapped = usize::from(self.swap != Swap::Off);
        let possible = match side {
            // A swap removes the red peg and sets a black one: from then on black is one ahead.
            Player::First => red == black || black == red + swapped,
            Player::Second => red == black + 1 || red == black && red > 0 && swapped == 1,
        };
        if possible {
            return Ok(());
        }
        Err(Fault(format!("{red} red and {black} black pegs cannot arise with {} to move.", NAMES[side.index()])))
    }
}

impl<const W: usize, const B: usize> Notation for Twixt<W, B> {
    fn write_move(&self, mv: Move) -> String {
        mv.hole().map_or_else(|| "swap".into(), name)
    }

    fn read_move(&self, token: &str) -> Result<Move, Fault> {
        let token = fold_token(token)?;
        if token == "swap" {
            return Ok(SWAP);
        }
        let ((x, y), rest) = read_cell_on(&token, self.size, self.size)?;
        if !rest.is_empty() {
            return Err(Fault(format!("a move is one hole, as in f6, or swap; \"{}\" follows it.", quote(rest, 30))));
        }
        Ok(Move { x: x as u8, y: y as u8 })
    }

    fn check(&self, pos: &Self::Pos, mv: Move) -> Result<(), Fault> {
        let Some(cell) = mv.hole() else {
            if self.swappable(pos).is_some() {
                return Ok(());
            }
            let one = super::the_only_bit(&pos.pegs[0]).is_some() && pos.pegs[1] == [0; W];
            return Err(match self.swap {
                Swap::Off => "this game has no swap (swap=off).".into(),
                Swap::Turn if one => "a first peg on a border line cannot be swapped (swap=turn).".into(),
                _ => "swap is legal only as the answer to the first move.".into(),
            });
        };
        self.check_hole(pos.side, cell)?;
        match pos.peg(cell.0, cell.1) {
            Some(owner) => Err(Fault(format!("{} is taken ({}).", name(cell), NAMES[owner.index()]))),
            None => Ok(()),
        }
    }

    fn write_position(&self, pos: &Self::Pos) -> String {
        let symbol = |x, y| match pos.peg(x, y) {
            Some(player) => SIDES[player.index()],
            None if !self.corners && self.is_corner((x, y)) => '#',
            None => '.',
        };
        let rows: Vec<String> = (0..self.size).map(|y| (0..self.size).map(|x| symbol(x, y)).collect()).collect();
        let links: Vec<String> = self.links(pos).into_iter().map(|[a, b]| name(a) + &name(b)).collect();
        let links = if links.is_empty() { "-".into() } else { links.join(",") };
        format!("{} {links} {}", rows.join("/"), SIDES[pos.side.index()])
    }

    fn read_position(&self, text: &str) -> Result<Self::Pos, Fault> {
        let [board, links, side] = parts(text, "ROWS LINKS SIDE, where LINKS is as in c2d4,d4f5, or -")?;
        let cells = read_rows(board, "row", &vec![self.size; self.size], ".rb#")?;
        let side = read_side(side, SIDES)?;
        let mut pegs = HashMap::new();
        for (i, &symbol) in cells.iter().enumerate() {
            let cell = (i % self.size, i / self.size);
            let missing = !self.corners && self.is_corner(cell);
            match symbol {
                1 | 2 => {
                    let player = Player::BOTH[usize::from(symbol) - 1];
                    self.check_hole(player, cell)?;
                    pegs.insert(cell, player);
                }
                3 if !missing => return Err(Fault(format!("{} is a hole, not a missing corner (#).", name(cell)))),
                0 if missing => return Err(Fault(format!("{} is a missing corner: write #.", name(cell)))),
                _ => {}
            }
        }
        let count = |player| pegs.values().filter(|owner| **owner == player).count();
        self.check_counts(Player::BOTH.map(count), side)?;
        let links = self.read_links(links, &pegs)?;
        let pos = self.assemble(pegs.iter().map(|(cell, player)| (*player, *cell)), links, side);
        self.check_links(&pos)?;
        Ok(pos)
    }

    fn reason(&self, pos: &Self::Pos) -> EndReason {
        if pos.winner.is_some() { EndReason::Chain } else { EndReason::NoHoleLeft }
    }

    fn wins(&self, pos: &Self::Pos) -> Vec<Vec<String>> {
        let Some(player) = pos.winner else { return Vec::new() };
        let along = |cell: Cell| if player == Player::First { cell.1 } else { cell.0 };
        let starts = self
            .pegs(pos)
            .into_iter()
            .filter(|(owner, cell)| *owner == player && along(*cell) == 0)
            .map(|(_, cell)| cell);
        let chain = shortest(
            starts,
            |cell| along(cell) == self.size - 1,
            |cell, visit| {
                each_bit(u64::from(pos.links(cell.0, cell.1)), |d| visit(stepped(cell, d)));
            },
        );
        vec![chain.into_iter().map(name).collect()]
    }

    fn notice(&self, pos: &Self::Pos, mv: Move) -> Option<String> {
        let (x, y) = mv.hole()?;
        let blocked = pos.near(pos.side.index(), x + PAD, y + PAD) & pos.crossed(pos.side.index(), x + PAD, y + PAD);
        let links = self.links(pos);
        let mut sentences = Vec::new();
        each_bit(u64::from(blocked), |d| {
            let link = [(x, y), stepped((x, y), d)];
            if let Some(other) = self.blocker(pos.side, link, &links, pos) {
                sentences.push(format!(
                    "link {} is blocked by {}; the peg is legal, the link is not made.",
                    link_name(link),
                    link_name(other)
                ));
            }
        });
        (!sentences.is_empty()).then(|| sentences.join("\n"))
    }
}
