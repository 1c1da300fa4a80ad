//! A game that the register does not have: its positions are any text, and a move changes nothing but the turn.

use std::sync::Arc;

use quintet_game::notation::Fault;
use quintet_game::registry::Info;
use quintet_game::text::{cell_name, read_cell};
use quintet_game::{AnyLine, EndReason, Game, GameSpec, Line, Notation, Outcome, Player, Rng, Symmetric, Symmetry};

pub const INFO: Info = Info {
    name: "other",
    title: "Another game",
    about: "Any text is a position.",
    sides: ["white", "black"],
    example: "a1",
    options: &[],
};

/// A position of it, called by another title, and moves from there. A position that ends with a blank and a dash is won on a1 and b1.
pub fn other(title: &'static str, position: &str, moves: &str) -> Box<dyn AnyLine> {
    let spec = GameSpec::of(Box::leak(Box::new(Info { title, ..INFO })));
    let line = Line::from_position(Arc::new(Other), position.to_owned());
    super::play(<dyn AnyLine>::new(spec, line), moves)
}

struct Other;

impl Game for Other {
    type Pos = String;
    type Move = (u8, u8);

    fn start(&self) -> String {
        String::new()
    }

    fn to_move(&self, _pos: &String) -> Player {
        Player::First
    }

    fn outcome(&self, pos: &String) -> Option<Outcome> {
        pos.ends_with(" -").then_some(Outcome::Win(Player::Second))
    }

    fn moves(&self, _pos: &String, _out: &mut Vec<(u8, u8)>) {}

    fn random_move(&self, _pos: &String, _rng: &mut Rng) -> (u8, u8) {
        (0, 0)
    }

    fn play(&self, _pos: &mut String, _mv: (u8, u8)) {}

    fn key(&self, _pos: &String) -> u64 {
        0
    }

    fn cells(&self) -> u32 {
        0
    }

    fn pieces(&self, _pos: &String) -> u32 {
        0
    }

    fn threatens(&self, _pos: &String, _player: Player) -> bool {
        false
    }
}

impl Notation for Other {
    fn write_move(&self, (x, y): (u8, u8)) -> String {
        cell_name(x.into(), y.into())
    }

    fn read_move(&self, token: &str) -> Result<(u8, u8), Fault> {
        let ((x, y), _) = read_cell(token).ok_or("a move is a cell.")?;
        Ok((x as u8, y as u8))
    }

    fn check(&self, _pos: &String, _mv: (u8, u8)) -> Result<(), Fault> {
        Ok(())
    }

    fn write_position(&self, pos: &String) -> String {
        pos.clone()
    }

    fn read_position(&self, text: &str) -> Result<String, Fault> {
        Ok(text.to_owned())
    }

    fn reason(&self, _pos: &String) -> EndReason {
        "two".into()
    }

    fn wins(&self, _pos: &String) -> Vec<Vec<String>> {
        vec![vec!["a1".to_owned(), "b1".to_owned()]]
    }
}

impl Symmetric for Other {
    fn symmetries(&self, _pos: &String) -> &'static [Symmetry] {
        &Symmetry::OBLONG[..1]
    }

    fn map_position(&self, _symmetry: Symmetry, pos: &String) -> String {
        pos.clone()
    }

    fn map_move(&self, _symmetry: Symmetry, mv: (u8, u8)) -> (u8, u8) {
        mv
    }
}
