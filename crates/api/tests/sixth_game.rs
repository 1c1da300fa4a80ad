//! A game that is not registered: rules, notation and symmetries here, empty `impl`s for everything else, and it plays through agents,
//! the arena and a room of the API like the five.

use std::sync::Arc;
use std::time::Duration;

use quintet_agent::{AgentGame, Catalogue, Seat};
use quintet_api::{Room, SeatConfig, state};
use quintet_arena::referee;
use quintet_eval::Evaluated;
use quintet_game::notation::Fault;
use quintet_game::registry::Info;
use quintet_game::{
    AnyLine, EndReason, Game, GameSpec, Limit, Line, Notation, Outcome, Player, Proof, Rng, Stop, Symmetric, Symmetry,
    can_win_now,
};
use quintet_solve::Solvable;
use rand_core::Rng as _;

/// Noughts and crosses.
struct Noughts;

const INFO: Info = Info {
    name: "noughts",
    title: "Noughts and crosses",
    about: "Three in a row wins.",
    sides: ["cross", "nought"],
    example: "b2",
    options: &[],
};

static NOUGHTS: Info = INFO;

/// The cells of each side, a bit per cell, row by row.
type Sides = [u16; 2];

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Game for Noughts {
    type Pos = Sides;
    type Move = u8;

    fn start(&self) -> Sides {
        [0; 2]
    }

    fn to_move(&self, pos: &Sides) -> Player {
        if self.pieces(pos).is_multiple_of(2) { Player::First } else { Player::Second }
    }

    fn outcome(&self, pos: &Sides) -> Option<Outcome> {
        let won = |player: &Player| LINES.iter().any(|line| pos[player.index()] & line == *line);
        let draw = (self.pieces(pos) == 9).then_some(Outcome::Draw);
        Player::BOTH.into_iter().find(won).map(Outcome::Win).or(draw)
    }

    fn moves(&self, pos: &Sides, out: &mut Vec<u8>) {
        if self.outcome(pos).is_none() {
            out.extend((0..9).filter(|cell| (pos[0] | pos[1]) >> cell & 1 == 0));
        }
    }

    fn random_move(&self, pos: &Sides, rng: &mut Rng) -> u8 {
        let mut moves = Vec::new();
        self.moves(pos, &mut moves);
        moves[rng.next_u64() as usize % moves.len()]
    }

    fn play(&self, pos: &mut Sides, mv: u8) {
        pos[self.to_move(pos).index()] |= 1 << mv;
    }

    fn key(&self, pos: &Sides) -> u64 {
        quintet_game::bits::mix(u64::from(pos[0]) << 16 | u64::from(pos[1]))
    }

    fn cells(&self) -> u32 {
        9
    }

    fn pieces(&self, pos: &Sides) -> u32 {
        (pos[0] | pos[1]).count_ones()
    }

    fn threatens(&self, pos: &Sides, player: Player) -> bool {
        self.to_move(pos) == player && can_win_now(self, pos)
    }
}

impl Notation for Noughts {
    fn write_move(&self, mv: u8) -> String {
        format!("{}{}", char::from(b'a' + mv % 3), mv / 3 + 1)
    }

    fn read_move(&self, token: &str) -> Result<u8, Fault> {
        (0..9).find(|mv| self.write_move(*mv).eq_ignore_ascii_case(token)).ok_or_else(|| "a cell is a1 to c3.".into())
    }

    fn check(&self, pos: &Sides, mv: u8) -> Result<(), Fault> {
        let mut legal = Vec::new();
        self.moves(pos, &mut legal);
        if legal.contains(&mv) { Ok(()) } else { Err("that cell is taken.".into()) }
    }

    fn write_position(&self, pos: &Sides) -> String {
        let cell = |cell: u32| ['.', 'x', 'o'][usize::from(pos[0] >> cell & 1) + 2 * usize::from(pos[1] >> cell & 1)];
        let rows: Vec<String> = (0..3).map(|row| (0..3).map(|column| cell(3 * row + column)).collect()).collect();
        format!("{} {}", rows.join("/"), ["x", "o"][self.to_move(pos).index()])
    }

    fn read_position(&self, text: &str) -> Result<Sides, Fault> {
        let mut pos = [0; 2];
        for (cell, piece) in text.chars().filter(|c| ".xo".contains(*c)).take(9).enumerate() {
            match piece {
                'x' => pos[0] |= 1 << cell,
                'o' => pos[1] |= 1 << cell,
                _ => {}
            }
        }
        Ok(pos)
    }

    fn reason(&self, pos: &Sides) -> EndReason {
        if self.outcome(pos) == Some(Outcome::Draw) { "full".into() } else { "three".into() }
    }

    fn wins(&self, _pos: &Sides) -> Vec<Vec<String>> {
        Vec::new()
    }
}

impl Symmetric for Noughts {
    fn symmetries(&self, _pos: &Sides) -> &'static [Symmetry] {
        &Symmetry::SQUARE
    }

    fn map_position(&self, symmetry: Symmetry, pos: &Sides) -> Sides {
        pos.map(|side| {
            (0..9u8)
                .filter(|cell| side >> cell & 1 == 1)
                .fold(0, |image, cell| image | 1 << self.map_move(symmetry, cell))
        })
    }

    fn map_move(&self, symmetry: Symmetry, mv: u8) -> u8 {
        let (x, y) = symmetry.cell((usize::from(mv % 3), usize::from(mv / 3)), (3, 3));
        (3 * y + x) as u8
    }
}

// All that the other crates need.
impl Evaluated for Noughts {}
impl Solvable for Noughts {}
impl AgentGame for Noughts {}

fn line() -> Box<dyn AnyLine> {
    <dyn AnyLine>::new(GameSpec::of(&NOUGHTS), Line::new(Arc::new(Noughts)))
}

fn seat(agent: &str, seed: u64) -> Box<dyn Seat> {
    Catalogue::embedded().seat_for(&GameSpec::of(&NOUGHTS), Arc::new(Noughts), agent, seed).unwrap()
}

#[test]
fn an_agent_plays_it_and_proves_what_it_can() {
    let mut line = line();
    for mv in ["a1", "b1", "a2", "b2"] {
        line.try_play(mv).unwrap();
    }
    let choice = seat("mcts(visits=2000)", 1).think(&*line, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap();
    assert_eq!((choice.mv.as_str(), choice.proof()), ("a3", Some(Proof::Win)));
    let error = Catalogue::embedded()
        .seat_for(&GameSpec::of(&NOUGHTS), Arc::new(Noughts), "greedy(eval=distance)", 1)
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("distance"), "{error}");
}

#[test]
fn the_arena_referees_it() {
    let mut results = Vec::new();
    for seed in 0..6 {
        let seats = [seat("mcts(visits=500)", seed), seat("exact(agent=random)", seed)];
        let game = referee(line(), seats, &Limit::default(), 400);
        assert_eq!(game.line.end().map(|(outcome, _)| outcome), Some(game.outcome));
        results.push(game.outcome);
    }
    assert!(!results.contains(&Outcome::Win(Player::Second)), "{results:?}");
    assert!(results.contains(&Outcome::Win(Player::First)), "{results:?}");
}

#[test]
fn a_room_holds_it() {
    let seats = [SeatConfig::Person { name: "anna".into() }, SeatConfig::Agent { agent: "random".into() }];
    let now = Duration::ZERO;
    let mut room = Room::of(line(), seats, "room".into(), ["a".into(), "b".into(), "o".into()], now);
    let mut agent = seat("random", 7);
    while !room.is_over() {
        let mv = match room.agent_to_move() {
            Some(_) => agent.think(room.line(), &Limit::default(), &Stop::never(), &mut |_| {}).unwrap().mv,
            None => state(room.line()).legal[0].clone(),
        };
        let change = room.advance(&mv, now).unwrap();
        room.apply(change, now);
    }
    assert_eq!(room.shown(now)["game"], "noughts");
    let outcome = room.line().end().unwrap().0;
    assert_eq!(room.game_record().result, Some(outcome));
    assert!(room.undo("a", None, now).unwrap().record().moves.len() < room.record().moves.len());
}
