//! Any message of a socket is read or refused in a sentence, and what rooms do with one never panics: a room between two people hears each of them.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::{Corpus, fuzz_target};
use quintet_api::{Api, ApiError, Message, NewRoom, Room};
use quintet_fuzz::check_line;
use std::sync::LazyLock;

static API: LazyLock<Api> = LazyLock::new(Api::embedded);

const NEW: &str =
    r#"{"game":"pathwayz(rows=4,cols=4)","moves":["a1"],"seats":[{"who":"person"},{"who":"agent","agent":"random"}]}"#;

/// Does to a room what a message asks; the tokens are `a` and `b`, the owner's is `o`.
fn hear(room: &mut Room, message: Message) -> Result<(), ApiError> {
    let now = Duration::ZERO;
    let change = match message {
        Message::Hurry { token, .. } | Message::Retry { token, .. } => return room.takes_part(&token),
        Message::Analyse(asked) => return API.analysis(&asked).map(drop),
        Message::Review(asked) => return API.review(&asked).map(drop),
        Message::Stop { .. } | Message::Watch { .. } => None,
        change => room.obey(&API, &change, now, "n")?.0,
    };
    if let Some(change) = change {
        let stored = serde_json::to_string(change.record()).expect("a room can be stored");
        room.apply(change, now);
        let again = Room::restore(serde_json::from_str(&stored).expect("and read again"), now)?;
        assert_eq!(again.shown(now)["moves"], room.shown(now)["moves"]);
    }
    Ok(())
}

fuzz_target!(|data: &[u8]| -> Corpus {
    let new: NewRoom = serde_json::from_str(NEW).expect("a room");
    let tokens = ["a".into(), "b".into(), "o".into()];
    let mut room = Room::new(&new, "r".into(), tokens, Duration::ZERO).expect("a room");
    let mut read = false;
    // One message per line, so that one can lead to the next.
    for line in data.split(|&byte| byte == b'\n').take(8) {
        let Ok(message) = serde_json::from_slice::<Message>(line) else { continue };
        read = true;
        if let Err(refused) = hear(&mut room, message) {
            check_line(&refused.to_string());
        }
    }
    if read { Corpus::Keep } else { Corpus::Reject }
});
