//! Any text is a record that prints as one that reads the same and replays the same, or is refused in a short sentence.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quintet_fuzz::{check_game, check_message};
use quintet_game::record::Record;

fuzz_target!(|text: &str| {
    let record = match Record::read(text) {
        Ok(record) => record,
        Err(fault) => return check_message(&fault.to_string()),
    };
    // What is read has lost its move numbers, the blanks around fields and moves, a last field that is not a seed and everything after it,
    // and has gained a result: printing and reading changes nothing more.
    assert_eq!(Record::read(&record.to_string()).as_ref(), Ok(&record));

    let (line, error) = match record.replay() {
        Ok(replayed) => replayed,
        Err(fault) => return check_message(&fault.to_string()),
    };
    match error {
        Some(error) => {
            assert_eq!((error.ply, &error.text), (line.plies(), &record.moves[line.plies()]));
            check_message(&error.to_string());
        }
        None => assert_eq!(line.plies(), record.moves.len()),
    }
    check_game(&*line);

    // The record of what could be replayed has no faults.
    let clean = Record::of(&*line, ["anna", "random"], record.seed);
    assert_eq!(Record::read(&clean.to_string()).as_ref(), Ok(&clean));
    let (again, error) = clean.replay().expect("a position that was played from is a position");
    assert_eq!(error, None);
    assert_eq!((again.position(), again.moves(), again.end()), (line.position(), line.moves(), line.end()));
});
