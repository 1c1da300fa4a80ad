//! Replaying whole games for programs: a JSON line in, a JSON line out.

use serde_json::json;

use crate::jsonl::{self, Object, Refusal, whole};

/// Answers any line of `quintet replay --jsonl`: `{"id","game","moves","position"}` becomes
/// `{"id","legal_counts","outcome","reason","position"}`, or `{"id","error","ply"}` when something is wrong with it.
///
/// ```
/// use quintet_api::replay::answer;
/// assert_eq!(
///     answer(br#"{"id":7,"game":"twixt(size=6)","moves":["b3","swap"]}"#),
///     r##"{"id":7,"legal_counts":[24,24,23],"outcome":null,"reason":null,"position":"#....#/..b.../....../....../....../#....# - r"}"##
/// );
/// assert_eq!(
///     answer(br#"{"id":"x","game":"pathwayz","moves":["e5","e5"]}"#),
///     r#"{"id":"x","error":"move 2 \"e5\": e5 is taken (w).","ply":1}"#
/// );
/// ```
#[must_use]
pub fn answer(line: &[u8]) -> String {
    jsonl::answer(line, replay)
}

fn replay(object: &Object) -> Result<String, Refusal> {
    object.check_keys(&["id", "game", "moves", "position"]).map_err(whole)?;
    let spec = object.spec().map_err(whole)?;
    let mut counts = Vec::new();
    let line = jsonl::game(object, &spec, |line| counts.push(line.count_moves()))?;
    let (outcome, reason) = line.end().unzip();
    Ok(format!(
        "\"legal_counts\":{},\"outcome\":{},\"reason\":{},\"position\":{}",
        json!(counts),
        json!(outcome),
        json!(reason),
        json!(line.position())
    ))
}
