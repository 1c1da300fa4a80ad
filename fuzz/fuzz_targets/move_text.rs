//! Any token in any position is a legal move, or is refused and changes nothing. Input: spec, seed, number of random plies
//! (one byte each), token.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use quintet_fuzz::{check_message, play_random, spec, state};
use quintet_game::{Rng, SeedableRng};

fuzz_target!(|data: &[u8]| -> Corpus {
    let [which, seed, plies, token @ ..] = data else { return Corpus::Reject };
    let Ok(token) = str::from_utf8(token) else { return Corpus::Reject };
    let mut line = spec(*which).line();
    let mut rng = Rng::seed_from_u64((*seed).into());
    while line.plies() < (*plies).into() && play_random(&mut *line, &mut rng) {}

    let before = state(&*line);
    let plies = line.plies();
    let folded = token.to_ascii_lowercase();
    line.notice(token);
    match line.try_play(token) {
        Ok(written) => {
            assert!(before.legal.contains(&written), "{written} is not legal");
            // Pylos reads the balls taken back in any order; everything else has one spelling, apart from case.
            assert_eq!(pieces(&folded), pieces(&written));
            assert_eq!((line.plies(), line.last_move()), (plies + 1, Some(written.clone())));
            assert_eq!(line.undo(), Some(written));
        }
        Err(error) => {
            assert!(!before.legal.contains(&folded), "{folded} is legal: {error}");
            assert_eq!((error.ply, &*error.text), (plies, token));
            check_message(&error.to_string());
        }
    }
    assert_eq!(state(&*line), before);

    // Conversely, every listed move is accepted, in either case.
    if play_random(&mut *line, &mut rng) {
        let written = line.undo().expect("a move was played");
        assert!(before.legal.contains(&written));
        assert_eq!(line.try_play(&written.to_ascii_uppercase()), Ok(written));
    }
    Corpus::Keep
});

fn pieces(token: &str) -> Vec<&str> {
    let mut pieces: Vec<&str> = token.split('-').collect();
    pieces[1..].sort_unstable();
    pieces
}
