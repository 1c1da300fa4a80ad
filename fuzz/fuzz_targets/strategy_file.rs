//! Any bytes are a file of a strategy that is written as it was read, or are refused in a sentence. The first byte chooses the rules of Pylos.
//! Other bytes get a head with the right checksum, because random input would never have one: the next byte is its `near`, two more its number of positions.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use quintet_fuzz::check_line;
use quintet_game::pylos::Pylos;
use quintet_game::{Game as _, GameSpec};
use quintet_solve::pylos::Strategy;
use sha2::{Digest, Sha256};

fn read(game: &GameSpec, bytes: &[u8]) {
    match Strategy::read(game, bytes) {
        Ok(strategy) => {
            let _ = strategy.answer(&Pylos::of(game).start());
            let again = Strategy::read(game, &strategy.write(game)).expect("what is written can be read");
            assert_eq!(again.positions(), strategy.positions());
        }
        Err(error) => check_line(&error.to_string()),
    }
}

fuzz_target!(|data: &[u8]| -> Corpus {
    let [which, bytes @ ..] = data else { return Corpus::Reject };
    let text = ["pylos", "pylos(rules=children)", "pylos(rules=expert)"][usize::from(*which) % 3];
    let game = GameSpec::parse(text).expect("it is a game");
    read(&game, bytes);
    if let [near, high, low, bits @ ..] = bytes {
        let sum: String = Sha256::digest(bits).iter().map(|byte| format!("{byte:02x}")).collect();
        let count = u16::from_be_bytes([*high, *low]);
        let head = format!(
            "quintet strategy of pylos, format 1\ngame: {game}; near: {near}; positions: {count}\nsha256: {sum}\n"
        );
        read(&game, &[head.as_bytes(), bits].concat());
    }
    Corpus::Keep
});
