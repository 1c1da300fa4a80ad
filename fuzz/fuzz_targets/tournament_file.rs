//! Any text is a tournament file with a plan, or is refused; in TOML, as on the command line, and in JSON, as the server reads it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quintet_arena::TournamentFile;

fuzz_target!(|text: &str| {
    let read = [toml::from_str::<TournamentFile>(text).ok(), serde_json::from_str(text).ok()];
    for file in read.into_iter().flatten() {
        match file.plan() {
            Ok(plan) => assert!(plan.players.len() >= 2 && plan.anchor < plan.players.len()),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
