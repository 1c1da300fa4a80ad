//! Any line is answered by one line with a JSON object, whichever of its fields are asked for and of whatever types they are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quintet_api::jsonl::{answer, game, whole};
use quintet_fuzz::{check_game, check_line};
use serde_json::value::RawValue;

fuzz_target!(|line: &[u8]| {
    let answer = answer(line, |object| {
        let limit = object.object("limit").map_err(whole)?;
        let nodes = limit.map(|limit| limit.count("nodes")).transpose().map_err(whole)?.flatten();
        object.check_keys(&["id", "game", "position", "moves", "limit", "agent"]).map_err(whole)?;
        let agent = object.needed("agent", "an agent").map_err(whole)?;
        let spec = object.spec().map_err(whole)?;
        let reached = game(object, &spec, |_| {})?;
        check_game(&*reached);
        Ok(format!("\"agent\":{},\"nodes\":{}", serde_json::json!(agent), serde_json::json!(nodes)))
    });
    assert!(!answer.contains(['\n', '\r']), "{answer:?}");
    let fields: std::collections::BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(&answer).expect("an answer is a JSON object");
    if let Some(error) = fields.get("error") {
        check_line(&serde_json::from_str::<String>(error.get()).expect("an error is a text"));
    }
});
