//! Whatever comes in, nothing panics: a text that is no position is an error with a sentence.

use crate::xml;
use quintet_draw::{Picture, svg, text};

const GAMES: [&str; 6] = ["pentago", "pentago-twist", "pathwayz", "pylos", "twixt", "something-else"];

const GOOD: [(&str, &str, &str); 6] = [
    ("pentago", "x....o/.ox.../....../..x.../...o../x....o x", "f1q3l"),
    ("pentago-twist", "x....o/.ox.../....../..x.../...o../x....o x", "f1q3f"),
    ("pathwayz", "w..b.W/.B..../..w..b/....b. b", "f1p"),
    ("pylos", "LDLDDLLD.LD....L/DLD....../..../. l", "1c3^2c1-1a3-2b2"),
    ("twixt", "#....#/..r.b./....../.b.r../....../#....# c2d4 b", "b4"),
    ("something-else", "x.o/#q./..a o", "b2"),
];

/// Draws both ways; both agree on whether it can be done.
fn attempt(picture: &Picture) -> Result<(), String> {
    let (drawn, written) = (svg(picture), text(picture, true));
    match (drawn, written) {
        (Ok(drawn), Ok(written)) => {
            xml::read(&drawn).unwrap_or_else(|e| panic!("{picture:?}: {e}"));
            assert!(written.ends_with('\n'));
            Ok(())
        }
        (Err(a), Err(b)) => {
            assert_eq!(a, b);
            let message = a.to_string();
            assert!(!message.is_empty() && !message.contains(char::is_control) && message.len() < 400, "{message}");
            Err(message)
        }
        (a, b) => panic!("{picture:?}: {a:?} and {b:?}"),
    }
}

fn refuses(game: &str, position: &str, why: &str) {
    let error = attempt(&Picture::new(game, position)).expect_err(position);
    assert!(error.contains(why), "{game} {position:?}: {error}");
}

#[test]
fn positions_that_are_none() {
    for game in GAMES {
        assert!(attempt(&Picture::new(game, "")).is_err());
        assert!(attempt(&Picture::new(game, " \t\n")).is_err());
        assert!(attempt(&Picture::new(game, "\u{1b}[2J x")).is_err());
        assert!(attempt(&Picture::new(game, "🎲🎲/🎲🎲 x")).is_err());
        assert!(attempt(&Picture::new(game, &"/".repeat(100_000))).is_err());
        assert!(attempt(&Picture::new(game, &".".repeat(100_000))).is_err());
    }
    let six = "....../....../....../....../....../......";
    refuses("pentago", six, "needs 2 parts, `BOARD SIDE`, and has 1");
    refuses("pentago", &format!("{six} z"), "x or o, not \"z\"");
    refuses("pentago", &format!("{six} X"), "x or o, not \"X\"");
    refuses("pentago", &format!("{six} xo"), "x or o, not \"xo\"");
    refuses("pentago", &format!("{six} x x"), "has 3");
    refuses("pentago", &format!("{six}/...... x"), "needs 6 rows and has 7");
    refuses("pentago", &format!("{} x", six.replacen("......", ".....", 1)), "row 1 needs 6 cells and has 5");
    refuses("pentago-twist", &format!("{}w x", &six[1..]), "is none of . x o");
    refuses("pathwayz", "w w", "2 to 8 rows");
    refuses("pathwayz", "............./............. w", "2 to 12 cells");
    refuses("pathwayz", "../.../.. w", "row 2 needs 2 cells and has 3");
    refuses("pathwayz", "../.x w", "row 2, place 2: \"x\" is none of");
    refuses("pylos", "................/........./.... l", "needs 4 levels and has 3");
    refuses("pylos", "................/......../..../. l", "level 2 needs 9 cells and has 8");
    refuses("pylos", "LLLL............/L......../..../. l", "the ball on 2a1 does not rest on four balls");
    refuses("pylos", "LLLLLLLLLLLLLLLL/........./..../. l", "16 light balls");
    refuses("pylos", "................/........./..../. L", "l or d");
    refuses("twixt", "../.. - r", "2 rows; TwixT has 3 to 24");
    refuses("twixt", "..././... - r", "row 2 needs 3 cells");
    refuses("twixt", ".../.#./... - r", "b2 is missing");
    refuses("twixt", ".../.../... r", "needs 3 parts");
    refuses("twixt", "r../.../... a1b3 r", "a peg at both ends");
    refuses("twixt", "r../.../.b. a1b3 r", "two colours");
    refuses("twixt", "r../.../..r a1c3 r", "knight");
    refuses("twixt", "r../.../.r. a1-b3 r", "a link is two holes");
    refuses("newgame", "\u{7f}.. x", "printable ASCII");
    refuses("newgame", "///", "1 to 64 of each");
}

#[test]
fn last_moves_and_wins_off_the_board() {
    for (game, position, last) in GOOD {
        assert_eq!(attempt(&Picture::new(game, position).last(last)), Ok(()));
        let wins = [vec![], vec!["z99".to_owned()]];
        if game == "something-else" {
            // Nothing is known of its moves, so nothing is refused.
            assert_eq!(attempt(&Picture::new(game, position).last("\u{1b}[2J").wins(&wins)), Ok(()));
            assert!(!text(&Picture::new(game, position).last("\u{1b}[2J"), false).unwrap().contains('\u{1b}'));
            continue;
        }
        for bad in
            ["", " ", "z1", "a0", "a99", "é4", "\u{1b}", "c4q5r", "c4q2x", "q2r", "5a1", "1a1^", "a1 b2", "swapp"]
        {
            let error = attempt(&Picture::new(game, position).last(bad)).expect_err(bad);
            assert!(error.starts_with("last move"), "{error}");
        }
        let error = attempt(&Picture::new(game, position).wins(&wins)).expect_err(game);
        assert!(error.contains("\"z99\""), "{error}");
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

#[test]
fn damaged_texts_never_panic() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut good, mut bad) = (0, 0);
    for round in 0..20_000 {
        let (_, position, last) = GOOD[dice.roll(GOOD.len())];
        let game = if round % 2 == 0 { GOOD.iter().find(|g| g.1 == position).unwrap().0 } else { GAMES[dice.roll(6)] };
        let (position, last) = (damage(position, &mut dice), damage(last, &mut dice));
        let wins = [vec![damage("a1", &mut dice), damage("b3", &mut dice)], vec![damage("2a1", &mut dice)]];
        let picture = Picture {
            game,
            position: &position,
            last: (dice.roll(2) == 0).then_some(last.as_str()),
            wins: if dice.roll(3) == 0 { &wins } else { &[] },
            result: (dice.roll(3) == 0).then_some(last.as_str()),
        };
        match attempt(&picture) {
            Ok(()) => good += 1,
            Err(_) => bad += 1,
        }
    }
    assert!(good > 1000 && bad > 1000, "{good} drawn, {bad} refused: the torture tests nothing");
}
