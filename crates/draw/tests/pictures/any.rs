//! Whatever the rules accept is drawn: positions of every game, and every position that a damaged text still names.

use quintet_draw::{svg, text};
use quintet_game::{AnyLine, GAMES, GameSpec, Rng, SeedableRng};

use crate::other::other;
use crate::xml;

/// Draws both ways.
fn draw(line: &dyn AnyLine) {
    xml::read(&svg(line)).unwrap_or_else(|e| panic!("{line:?}: {e}"));
    assert!(text(line, true).ends_with('\n'));
}

#[test]
fn positions_of_every_game() {
    for spec in
        GAMES.iter().map(|info| info.name).chain(["twixt(size=3)", "twixt(size=24,rules=paper)", "twixt(rules=pp)"])
    {
        let spec = GameSpec::parse(spec).unwrap();
        let mut line = spec.line();
        let mut rng = Rng::seed_from_u64(1);
        draw(&*line);
        while let Some(mv) = line.random_move(&mut rng).filter(|_| line.plies() < 150) {
            line.try_play(&mv).unwrap();
            if line.plies().is_multiple_of(5) || line.end().is_some() {
                draw(&*line);
            }
        }
        let text = text(&*line, false);
        assert_eq!(text.contains("to move"), line.end().is_none(), "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with("win: ")).count(), line.wins().len(), "{text}");
    }
}

/// A small generator (xorshift): the same torture in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

fn damage(text: &str, dice: &mut Dice) -> String {
    let odd: Vec<char> = "xowbWBLDlrd.#/ -,^qpfabcdz0123456789\u{0}\u{1b}<&\"é🎲\u{202e}".chars().collect();
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..dice.roll(4) {
        let at = dice.roll(chars.len() + 1);
        let c = odd[dice.roll(odd.len())];
        match dice.roll(5) {
            0 => chars.insert(at, c),
            1 if at < chars.len() => drop(chars.remove(at)),
            2 => chars.truncate(at),
            3 if at < chars.len() => chars.swap(at, 0),
            _ if at < chars.len() => chars[at] = c,
            _ => chars.push(c),
        }
    }
    chars.into_iter().collect()
}

const GOOD: [(&str, &str); 5] = [
    ("pentago", "x....o/.ox.../....../..x.../...o../x....o x"),
    ("pentago-twist", "x....o/.ox.../....../..x.../...o../x....o x"),
    ("pathwayz(rows=4,cols=6)", "w..b.W/.B..../..w..b/....b. b"),
    ("pylos", "LDLDDLLD.LD....L/DL......./..../. l"),
    ("twixt(size=6)", "#....#/..r.b./....../.b.r../....../#....# c2d4 b"),
];

#[test]
fn damaged_texts() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..1000 {
        let (spec, position) = GOOD[dice.roll(GOOD.len())];
        let position = damage(position, &mut dice);
        match GameSpec::parse(spec).unwrap().line_at(&position) {
            Ok(line) => {
                draw(&*line);
                good += 1;
            }
            Err(_) => bad += 1,
        }
        draw(&*other("Torture", &position, "a1"));
    }
    assert!(good > 100 && bad > 100, "{good} drawn, {bad} refused: the torture tests nothing");
    for odd in ["", " \t\n", "///", "\u{1b}[2J x", "🎲🎲/🎲🎲 x", &"/".repeat(1000), &".".repeat(1000)] {
        draw(&*other("Torture", odd, "z99"));
    }
}
