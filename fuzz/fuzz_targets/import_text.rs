//! Any text is refused in a sentence or gives games, each with a legal beginning that is a record, and with notes that are safe to print.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quintet_fuzz::{check_line, spec};
use quintet_game::record::Record;
use quintet_records::{Crossing, Format, Options, SwapAs, import};

fuzz_target!(|text: &str| {
    // The first four characters choose the format (`0`: find it; `1` to `6`), the swap and the crossing (`0`: the usual; then the
    // others) and the game (`0`: none; else as in the list of specs), so that seeds can be written by hand.
    let mut chars = text.chars();
    let mut choice = || chars.next().map_or(0, |c| c as usize - if c >= '0' { '0' as usize } else { 0 });
    let (format, swap, crossing, game) = (choice(), choice(), choice(), choice());
    let options = Options {
        game: (game != 0).then(|| spec((game as u8).wrapping_add(b'0'))),
        swap: (swap != 0).then(|| SwapAs::ALL[swap % 3]),
        crossing: (crossing != 0).then(|| Crossing::ALL[crossing % 2]),
        games: None,
    };
    let format = (format != 0).then(|| Format::ALL[(format - 1) % 6]);
    let games = match import(chars.as_str(), format, &options) {
        Ok(games) => games,
        Err(error) => return check_line(&error.to_string()),
    };
    assert!(!games.is_empty());
    for game in games {
        game.notes.iter().for_each(|note| check_line(note));
        if let Some(fault) = &game.fault {
            check_line(&fault.to_string());
            assert!(fault.line >= game.line);
        }
        let Some(record) = game.record else {
            assert!(game.fault.is_some_and(|fault| fault.at.is_none()));
            continue;
        };
        // What is kept is a game of ours from end to end, and its text says it all.
        let (line, error) = record.replay().expect("a position that was played from is a position");
        assert_eq!(error, None);
        assert_eq!(line.moves(), record.moves);
        if let Some((outcome, reason)) = line.end() {
            assert_eq!((record.result, &record.reason), (Some(outcome), &Some(reason)));
        }
        if let Some((number, _)) = game.fault.and_then(|fault| fault.at) {
            assert_eq!(number, record.moves.len() + 1);
        }
        if !record.players.is_empty() {
            check_line(&record.players);
        }
        assert_eq!(Record::read(&record.to_string()).as_ref(), Ok(&record));
    }
});
