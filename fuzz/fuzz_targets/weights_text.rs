//! Any text is a file of weights that is written as it was read, or is refused; and likewise opening books. Nothing panics.
//! A wrong checksum is corrected, because random input would never have the right one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quintet_eval::{Book, BookError, Weights, WeightsError};
use quintet_game::GameSpec;
use quintet_game::pentago::Pentago;

fn weights(text: &str, again: bool) {
    match Weights::parse(text) {
        Ok(weights) => assert_eq!(Weights::parse(&weights.to_text()).as_ref(), Ok(&weights)),
        Err(WeightsError::Damaged { written, found }) if again && !written.is_empty() => {
            weights(&text.replacen(&written, &found, 1), false);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn book(text: &str, again: bool) {
    let spec = GameSpec::parse("pentago-twist").expect("it is a game");
    match Book::parse(&spec, &Pentago::twist(), text) {
        Ok(opened) => assert!(opened.len() < text.lines().count()),
        Err(BookError::Damaged { written, found, .. }) if again && !written.is_empty() => {
            book(&text.replacen(&written, &found, 1), false);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fuzz_target!(|text: &str| {
    weights(text, true);
    book(text, true);
});
