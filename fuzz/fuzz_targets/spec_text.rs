//! Any text is a spec that prints as itself, or is refused in a short sentence.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quintet_fuzz::check_message;
use quintet_game::GameSpec;

fuzz_target!(|text: &str| {
    // Twice: a message stays short however long the text is.
    for text in [text, &text.repeat(1 + 5000 / (1 + text.len()))] {
        match GameSpec::parse(text) {
            Ok(spec) => {
                let written = spec.to_string();
                assert_eq!(GameSpec::parse(&written), Ok(spec));
                assert_eq!(GameSpec::parse(&written).unwrap().to_string(), written);
                assert_eq!(GameSpec::parse(&text.to_ascii_uppercase()), Ok(spec));
            }
            Err(error) => check_message(&error.to_string()),
        }
    }
});
