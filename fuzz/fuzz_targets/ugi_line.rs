//! Whatever an outside engine says, it has moved legally or has failed in a sentence. The first byte chooses the game; the rest is what the engine writes, all at once.
//! The engine is a real process, so this is slower than the other targets. It hears whatever it is told: a pipe that breaks would end this process, since
//! libFuzzer's `main` does not ignore that signal as Rust's does.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::{Corpus, fuzz_target};
use quintet_agent::seat;
use quintet_fuzz::{check_line, scratch_folder, spec};
use quintet_game::{Limit, Stop};

static FILE: LazyLock<PathBuf> = LazyLock::new(|| scratch_folder().join("said"));

/// The engine.
static SCRIPT: LazyLock<PathBuf> = LazyLock::new(|| {
    let script = scratch_folder().join("engine");
    let text = format!("cat '{}'\nexec cat >/dev/null\n", FILE.display());
    std::fs::write(&script, text).expect("the temporary folder can be written");
    script
});

fuzz_target!(|data: &[u8]| -> Corpus {
    let [which, said @ ..] = data else { return Corpus::Reject };
    std::fs::write(&*FILE, said).expect("the temporary folder can be written");
    let game = spec(*which);
    let command = format!("ugi(cmd=\"sh {}\",start=500ms,grace=50ms)", SCRIPT.display());
    let mut engine = seat(&game, &command, 1).expect("the spec is right");
    let mut line = game.line();
    match engine.think(&*line, &Limit::nodes(1), &Stop::never(), &mut |_| {}) {
        Ok(choice) => drop(line.try_play(&choice.mv).expect("an engine's move is legal")),
        Err(error) => check_line(&error.to_string()),
    }
    Corpus::Keep
});
