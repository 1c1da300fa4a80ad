//! Games written for other programs, read again.

use quintet_game::record::Record;
use quintet_game::{GameSpec, Rng, SeedableRng};
use quintet_records::{Format, Options, export, import};

/// Writes a record and reads it again.
fn back(record: &Record, format: Format) -> Record {
    let text = export(record, format).unwrap_or_else(|why| panic!("{format} {record}: {why}"));
    let game = import(&text, None, &Options::default()).unwrap().remove(0);
    assert_eq!(game.fault, None, "{text}");
    game.record.unwrap()
}

const FOREIGN: [Format; 3] = [Format::T1, Format::Tsgf, Format::Sgf];

#[test]
fn what_is_written_is_read_again() {
    for text in [
        "twixt; 1.b4 2.swap 3.f7; first; resigned; anna, otto",
        "twixt; 1.b4 2.swap 3.f7 4.c9; second; resigned; anna, otto",
        "twixt; 1.b4 2.swap; *; ; anna, otto",
        "twixt(size=24); 1.b4 2.x23 3.f7 4.k11; *; ; ?, otto",
        "twixt(size=8); ; *; ; ",
        "twixt(size=8); 1.d4; *; ; a]b\\c[, #1",
    ] {
        let record = Record::read(text).unwrap();
        for format in FOREIGN {
            assert_eq!(back(&record, format), record, "{format}");
        }
    }
    for (text, formats) in [
        ("twixt(rules=pp); 1.b4 2.swap 3.f7; first; time; anna, otto", &FOREIGN[1..]),
        ("twixt(size=10); 1.b4 2.c5; draw; recorded; anna, otto", &FOREIGN[1..]),
        ("twixt; 1.b4 2.swap 3.f7; second; resigned; anna, otto", &FOREIGN[1..]),
        ("twixt(swap=off); 1.b4 2.c5; *; ; anna, otto", &FOREIGN[..1]),
    ] {
        let record = Record::read(text).unwrap();
        for format in formats {
            assert_eq!(back(&record, *format), record, "{format}");
        }
    }
}

/// Whole random games, with and without a swap, to their ends on the board.
#[test]
fn whole_games_are_read_again() {
    let mut rng = Rng::seed_from_u64(5);
    for round in 0..40 {
        let mut line = GameSpec::parse(["twixt(size=6)", "twixt(size=9)"][round % 2]).unwrap().line();
        while let Some(mv) = line.random_move(&mut rng) {
            let mv = if line.plies() == 1 && round % 4 < 2 { "swap".into() } else { mv };
            line.try_play(&mv).unwrap();
        }
        let record = Record::of(&*line, ["anna", "otto"], None);
        assert!(record.result.is_some());
        for format in FOREIGN {
            assert_eq!(back(&record, format), record, "{format}");
        }
    }
}

#[test]
fn what_cannot_be_said_is_refused() {
    for (text, format, says) in [
        ("pylos; 1.1b2; *", Format::Sgf, "a format of TwixT"),
        ("twixt(rules=paper); 1.b4; *", Format::Tsgf, "rules=paper"),
        ("twixt(rules=pp); 1.b4; *", Format::T1, "rules=pp"),
        ("twixt(swap=turn); 1.b4 2.swap; *", Format::Sgf, "swap=turn"),
        ("twixt(size=6); from #....#/..b.../....../....../....../#....# - r; 1.c4; *", Format::Sgf, "empty board"),
        ("twixt; 1.b4 2.c5; first; time; anna, otto", Format::T1, "first, time"),
        ("twixt; 1.b4 2.c5; first; resigned; anna, otto", Format::T1, "first, resigned"),
        ("twixt; 1.nowhere; *", Format::Sgf, "move 1"),
    ] {
        let why = export(&Record::read(text).unwrap(), format).unwrap_err().to_string();
        assert!(why.contains(says), "{text}: {why}");
    }
}
