//! The page: files that are part of the program.

use std::collections::HashMap;
use std::io::Write;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use crate::error::refuse;

/// A file as it is sent.
struct Sent {
    /// The tag of this version.
    tag: String,
    plain: Bytes,
    /// Compressed with gzip, if that is shorter.
    packed: Option<Bytes>,
}

/// All files, compressed when the first of them is requested, which takes a few hundredths of a second.
static FILES: LazyLock<HashMap<String, Sent>> =
    LazyLock::new(|| quintet_web::files().map(|(path, bytes)| (path, Sent::new(bytes))).collect());

impl Sent {
    fn new(bytes: &'static [u8]) -> Sent {
        Sent {
            tag: Sha256::digest(bytes)[..8].iter().map(|byte| format!("{byte:02x}")).collect(),
            plain: Bytes::from_static(bytes),
            packed: gzip(bytes, Compression::best()).filter(|packed| packed.len() < bytes.len()).map(Bytes::from),
        }
    }
}

fn gzip(bytes: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

/// A file of the page. Only embedded names are served.
pub async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(file) = FILES.get(path) else { return refuse(StatusCode::NOT_FOUND, "there is no such page") };
    let packed = file.packed.as_ref().filter(|_| takes_gzip(&headers));
    // The compressed answer has a tag of its own.
    let tag = format!("\"{}{}\"", file.tag, if packed.is_some() { "-gzip" } else { "" });
    let mut response = if knows(&headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(CONTENT_TYPE, kind(path))], packed.unwrap_or(&file.plain).clone()).into_response()
    };
    let mut say = |name: HeaderName, value: HeaderValue| response.headers_mut().insert(name, value);
    if packed.is_some() {
        say(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if let Ok(tag) = tag.parse() {
        say(ETAG, tag);
    }
    say(VARY, HeaderValue::from_static("accept-encoding"));
    say(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// A picture that was drawn for this request, compressed for who takes that: a start page shows five.
pub fn svg(picture: String, headers: &HeaderMap) -> Response {
    let drawn = [(CONTENT_TYPE, "image/svg+xml"), (VARY, "accept-encoding")];
    let packed = takes_gzip(headers).then(|| gzip(picture.as_bytes(), Compression::fast())).flatten();
    match packed {
        Some(packed) => (drawn, [(CONTENT_ENCODING, "gzip")], packed).into_response(),
        None => (drawn, picture).into_response(),
    }
}

/// The comma-separated values of a header.
fn values(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let all = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(',')).map(str::trim)
}

/// Whether the client has this version already.
fn knows(headers: &HeaderMap, tag: &str) -> bool {
    values(headers, IF_NONE_MATCH).any(|known| known.strip_prefix("W/").unwrap_or(known) == tag || known == "*")
}

/// Whether the client accepts gzip. A weight of 0 refuses it.
fn takes_gzip(headers: &HeaderMap) -> bool {
    values(headers, ACCEPT_ENCODING).any(|value| {
        let (coding, weight) = value.split_once(';').unwrap_or((value, ""));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f64>().ok());
        ["gzip", "*"].contains(&coding.trim()) && weight != Some(0.0)
    })
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
