//! The page: files that are part of the program.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::answer::refuse;

#[derive(RustEmbed)]
#[folder = "../../web/"]
struct Web;

/// A file of the page. Only names that were known when the program was built lead anywhere.
pub async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(file) = Web::get(path) else { return refuse(StatusCode::NOT_FOUND, "there is no such page") };
    let tag = format!(
        "\"{}\"",
        file.metadata.sha256_hash()[..8].iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    );
    let mut response = if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(CONTENT_TYPE, kind(path))], file.data.into_owned()).into_response()
    };
    if let Ok(tag) = tag.parse() {
        response.headers_mut().insert(ETAG, tag);
    }
    response.headers_mut().insert(CACHE_CONTROL, axum::http::HeaderValue::from_static("no-cache"));
    response
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
