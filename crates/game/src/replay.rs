//! Replaying whole games for programs: a JSON line in, a JSON line out.

use serde_json::to_string;

use crate::GameSpec;
use crate::jsonl::Object;

/// Answers one line of `quintet replay --jsonl`, whatever it holds: `{"id","game","moves","position"}` becomes
/// `{"id","legal_counts","outcome","reason","position"}`, or `{"id","error","ply"}` when something is wrong with it.
///
/// ```
/// use quintet_game::replay::answer;
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
    let object = match Object::parse(line) {
        Ok(object) => object,
        Err(fault) => return refusal("null", &fault.to_string(), None),
    };
    match replay(&object) {
        Ok(body) => format!("{{\"id\":{},{body}}}", object.id()),
        Err((error, ply)) => refusal(&object.id(), &error, ply),
    }
}

/// The answer to a line that cannot be served; `id` is JSON text.
#[must_use]
pub fn refusal(id: &str, error: &str, ply: Option<usize>) -> String {
    let ply = ply.map_or_else(|| "null".into(), |ply| ply.to_string());
    format!("{{\"id\":{id},\"error\":{},\"ply\":{ply}}}", json_text(error))
}

fn json_text(text: &str) -> String {
    to_string(text).expect("text is always JSON")
}

fn replay(object: &Object) -> Result<String, (String, Option<usize>)> {
    let whole = |error: &dyn std::fmt::Display| (error.to_string(), None);
    object.check_keys(&["id", "game", "moves", "position"]).map_err(|e| whole(&e))?;
    let spec = object.text("game").map_err(|e| whole(&e))?;
    let spec = spec.ok_or_else(|| whole(&"\"game\" is missing; it names the game, as in \"pylos\"."))?;
    let spec = GameSpec::parse(&spec).map_err(|e| whole(&e))?;
    let position = object.text("position").map_err(|e| whole(&e))?;
    let moves = object.texts("moves").map_err(|(ply, fault)| (fault.to_string(), ply))?;
    let mut table = match &position {
        Some(text) => spec.table_at(text).map_err(|e| whole(&e))?,
        None => spec.table(),
    };
    let mut counts = vec![table.count_moves().to_string()];
    for mv in &moves {
        table.try_play(mv).map_err(|e| (e.to_string(), Some(e.ply)))?;
        counts.push(table.count_moves().to_string());
    }
    let (outcome, reason) = match table.end() {
        Some((outcome, reason)) => (json_text(outcome.name()), json_text(reason)),
        None => ("null".into(), "null".into()),
    };
    Ok(format!(
        "\"legal_counts\":[{}],\"outcome\":{outcome},\"reason\":{reason},\"position\":{}",
        counts.join(","),
        json_text(&table.position())
    ))
}
