//! Any text is a position that prints as itself and can be played on, or is refused in a short sentence. Input: spec (a byte), text.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use quintet_fuzz::{check_game, check_message, play_random, spec};
use quintet_game::{Rng, SeedableRng};

fuzz_target!(|data: &[u8]| -> Corpus {
    let [which, text @ ..] = data else { return Corpus::Reject };
    let Ok(text) = str::from_utf8(text) else { return Corpus::Reject };
    let mut line = match spec(*which).line_at(text) {
        Ok(line) => line,
        Err(error) => {
            check_message(&error.to_string());
            return Corpus::Keep;
        }
    };
    // Everything but blanks and the order of TwixT's links is written as it was read.
    let ends = |text: &str| {
        let mut parts = text.split_ascii_whitespace().map(str::to_owned);
        (parts.next(), parts.next_back())
    };
    let position = line.position();
    assert_eq!(ends(text), ends(&position));

    check_game(&*line);
    let mut rng = Rng::seed_from_u64(data.iter().map(|byte| u64::from(*byte)).sum());
    while line.plies() < 6 && play_random(&mut *line, &mut rng) {
        check_game(&*line);
    }
    while line.undo().is_some() {}
    assert_eq!(line.position(), position);
    Corpus::Keep
});
