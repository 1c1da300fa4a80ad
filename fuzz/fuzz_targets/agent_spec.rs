//! Any text is an agent that plays a legal move, or is refused in a sentence. The first byte chooses the game.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::{Corpus, fuzz_target};
use quintet_agent::seat;
use quintet_eval::Spec;
use quintet_fuzz::{check_line, spec};
use quintet_game::{Limit, Stop};

fuzz_target!(|data: &[u8]| -> Corpus {
    let [which, text @ ..] = data else { return Corpus::Reject };
    let Ok(text) = str::from_utf8(text) else { return Corpus::Reject };
    let agent_spec = match Spec::parse(text) {
        Ok(spec) => spec,
        Err(error) => {
            check_line(&error.to_string());
            return Corpus::Keep;
        }
    };
    assert_eq!(Spec::parse(&agent_spec.to_string()).as_ref(), Ok(&agent_spec), "a spec reads as it was written");
    let spec = spec(*which);
    let mut agent = match seat(&spec, text, 1) {
        Ok(agent) => agent,
        Err(error) => {
            check_line(&error.to_string());
            return Corpus::Keep;
        }
    };
    // Outside engines are programs of any kind: they are not run here.
    if agent_spec.kind == "ugi" {
        return Corpus::Keep;
    }
    let limit = Limit { nodes: Some(20), depth: Some(2), visits: Some(20), ..Limit::time(Duration::from_millis(100)) };
    // A limit within the spec is not cut by another.
    if let Err(why) = agent.accepts(&limit) {
        check_line(&why.to_string());
        return Corpus::Keep;
    }
    let mut line = spec.line();
    let choice = agent.think(&*line, &limit, &Stop::never(), &mut |_| {}).expect("there is a move at the start");
    assert!(line.try_play(&choice.mv).is_ok(), "{text}: {}", choice.mv);
    Corpus::Keep
});
