//! JSON lines for programs: one object per line; every line gets an answer.

use std::fmt;

use quintet_game::{AnyLine, GameSpec};
pub use quintet_records::Object;

/// The longest line that is read whole, in bytes without the newline.
pub const LONGEST_LINE: usize = 4 << 20;

/// Why a line cannot be served, and at which ply.
pub type Refusal = (String, Option<usize>);

/// Answers any line: with the object's id and what `serve` makes of it (fields as JSON text), or with
/// `{"id","error","ply"}` when it refuses or the line holds no object.
///
/// ```
/// use quintet_api::jsonl::answer;
/// let count = |line: &[u8]| answer(line, |object| Ok(format!("\"n\":{}", object.texts("a").unwrap_or_default().len())));
/// assert_eq!(count(br#"{"id":7,"a":["x","y"]}"#), r#"{"id":7,"n":2}"#);
/// assert_eq!(count(b"{"), r#"{"id":null,"error":"not JSON at column 1.","ply":null}"#);
/// ```
pub fn answer(line: &[u8], serve: impl FnOnce(&Object) -> Result<String, Refusal>) -> String {
    match Object::parse(line) {
        Err(fault) => refusal("null", &fault.to_string(), None),
        Ok(object) => match serve(&object) {
            Ok(fields) => format!("{{\"id\":{},{fields}}}", object.id()),
            Err((error, ply)) => refusal(&object.id(), &error, ply),
        },
    }
}

/// The answer to a line that cannot be served; `id` is JSON text.
#[must_use]
pub fn refusal(id: &str, error: &str, ply: Option<usize>) -> String {
    let ply = ply.map_or_else(|| "null".into(), |ply| ply.to_string());
    format!("{{\"id\":{id},\"error\":{},\"ply\":{ply}}}", serde_json::json!(error))
}

/// A refusal of the whole line.
pub fn whole(error: impl fmt::Display) -> Refusal {
    (error.to_string(), None)
}

/// The game in progress that the object's `position` and `moves` lead to; `each` sees it at the start and after every move.
///
/// # Errors
/// When the fields cannot be read, or a move is not legal: then with its ply.
pub fn game(object: &Object, spec: &GameSpec, mut each: impl FnMut(&dyn AnyLine)) -> Result<Box<dyn AnyLine>, Refusal> {
    let position = object.text("position").map_err(whole)?;
    let moves = object.texts("moves").map_err(|(ply, fault)| (fault.to_string(), ply))?;
    let mut line = match position {
        Some(text) => spec.line_at(&text).map_err(whole)?,
        None => spec.line(),
    };
    each(&*line);
    for mv in &moves {
        line.try_play(mv).map_err(|e| (e.to_string(), Some(e.ply)))?;
        each(&*line);
    }
    Ok(line)
}
