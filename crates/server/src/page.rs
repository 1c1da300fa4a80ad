//! Lists that may be long are answered page by page.

use serde::Deserialize;
use serde_json::{Value, json};

/// Entries of a page.
pub const PAGE: usize = 200;

/// Which page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct From {
    /// The place of its first entry in the list.
    #[serde(default)]
    pub from: usize,
}

/// The page of a list that begins at `from`, under its name; `more` says whether there are others after it.
pub fn page(name: &str, list: Vec<Value>, from: usize) -> Value {
    let more = list.len() > from.saturating_add(PAGE);
    let page: Vec<Value> = list.into_iter().skip(from).take(PAGE).collect();
    json!({ name: page, "more": more })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages() {
        let list: Vec<Value> = (0..250).map(|number| json!(number)).collect();
        let first = page("numbers", list.clone(), 0);
        assert_eq!((first["numbers"].as_array().map(Vec::len), &first["more"]), (Some(200), &json!(true)));
        let last = page("numbers", list.clone(), 200);
        assert_eq!((&last["numbers"][0], last["numbers"].as_array().map(Vec::len)), (&json!(200), Some(50)));
        assert_eq!(last["more"], json!(false));
        assert_eq!(page("numbers", list, usize::MAX), json!({ "numbers": [], "more": false }));
    }
}
