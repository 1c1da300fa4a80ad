//! Any bytes are answered by one line with a JSON object that has the id of the question.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use quintet_api::replay::answer;
use quintet_fuzz::check_message;
use serde_json::value::RawValue;

// Not `serde_json::Value`, which refuses deep and large values that an id may hold, and has a key with a meaning of its own.
type Fields = BTreeMap<String, Box<RawValue>>;

fuzz_target!(|line: &[u8]| {
    let answer = answer(line);
    assert!(!answer.contains(['\n', '\r']), "{answer:?}");
    let fields: Fields = serde_json::from_str(&answer).expect("an answer is a JSON object");
    let keys: Vec<&str> = fields.keys().map(String::as_str).collect();
    match fields.get("error") {
        Some(error) => {
            assert_eq!(keys, ["error", "id", "ply"]);
            check_message(&serde_json::from_str::<String>(error.get()).expect("an error is a text"));
        }
        None => {
            assert_eq!(keys, ["id", "legal_counts", "outcome", "position", "reason"]);
            let counts: Vec<usize> = serde_json::from_str(fields["legal_counts"].get()).expect("counts are numbers");
            assert_eq!(counts.last() == Some(&0), fields["outcome"].get() != "null");
        }
    }
    // Of two fields of one name the last counts. A line break between the tokens of an id comes back as a blank.
    if let Ok(asked) = serde_json::from_slice::<Fields>(line) {
        let id = asked.get("id").map_or("null", |id| id.get());
        assert_eq!(fields["id"].get(), id.replace(['\n', '\r'], " "));
    }
});
