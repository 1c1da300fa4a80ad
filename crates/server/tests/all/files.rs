//! The files of the page over HTTP.

use std::io::Read;
use std::time::Duration;

use flate2::read::GzDecoder;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::TestServer;

/// The head in lower case, and the body unchanged.
async fn fetch(server: &TestServer, path: &str, headers: &str) -> (String, Vec<u8>) {
    exchange(server, &format!("GET {path}"), headers, "").await
}

async fn exchange(server: &TestServer, what: &str, headers: &str, body: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let request = format!("{what} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}\r\n{body}", server.address);
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut bytes)).await.unwrap().unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    (String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase(), bytes[end + 4..].to_vec())
}

fn value<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

#[tokio::test]
async fn files_are_packed_for_who_takes_it() {
    let server = TestServer::new().await;
    for path in ["/", "/js/main.js"] {
        let (head, plain) = fetch(&server, path, "").await;
        assert_eq!((value(&head, "content-encoding"), value(&head, "vary")), (None, Some("accept-encoding")), "{head}");
        for refuses in ["identity", "gzip;q=0", "br"] {
            let (head, body) = fetch(&server, path, &format!("Accept-Encoding: {refuses}\r\n")).await;
            assert!(value(&head, "content-encoding").is_none() && body == plain, "{refuses}");
        }
        for takes in ["gzip", "br, gzip;q=0.5", "*"] {
            let (head, body) = fetch(&server, path, &format!("Accept-Encoding: {takes}\r\n")).await;
            assert_eq!(value(&head, "content-encoding"), Some("gzip"), "{takes}: {head}");
            assert!(value(&head, "content-type").unwrap().starts_with("text/"));
            assert!(body.len() < plain.len());
            let mut unpacked = Vec::new();
            GzDecoder::new(&body[..]).read_to_end(&mut unpacked).unwrap();
            assert!(unpacked == plain);
        }
    }
}

#[tokio::test]
async fn pictures_are_packed_for_who_takes_it() {
    let server = TestServer::new().await;
    let body = json!({ "game": "pylos", "moves": ["1a1"] }).to_string();
    let draw = async |more: &str| {
        let headers = format!("Content-Type: application/json\r\nContent-Length: {}\r\n{more}", body.len());
        exchange(&server, "POST /api/picture", &headers, &body).await
    };
    let (head, plain) = draw("").await;
    assert!(value(&head, "content-encoding").is_none() && plain.starts_with(b"<svg"), "{head}");
    let (head, packed) = draw("Accept-Encoding: gzip\r\n").await;
    assert_eq!(value(&head, "content-encoding"), Some("gzip"), "{head}");
    assert_eq!(value(&head, "content-type"), Some("image/svg+xml"));
    assert!(3 * packed.len() < plain.len(), "{} of {} bytes", packed.len(), plain.len());
    let mut unpacked = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut unpacked).unwrap();
    assert!(unpacked == plain);
}

/// Whoever is shown the link of a room sees what it is about; names cannot be taken for HTML.
#[tokio::test]
async fn the_link_of_a_room_has_a_title() {
    let server = TestServer::new().await;
    let name = "<script>\"&'";
    let seats = json!([{ "who": "person", "name": name }, { "who": "level", "level": 3 }]);
    let (_, made) = server.post("/api/rooms", json!({ "game": "pentago", "seats": seats })).await;
    let room = made["room"].as_str().unwrap();
    let (head, body) = fetch(&server, &format!("/room/{room}"), "").await;
    let page = String::from_utf8(body).unwrap();
    assert!(
        head.starts_with("http/1.1 200") && value(&head, "content-type").unwrap().starts_with("text/html"),
        "{head}"
    );
    let safe = "&lt;script&gt;&quot;&amp;&#39;";
    assert!(page.contains(&format!("<title>Pentago: {safe} v Level 3 – quintet</title>")), "{page}");
    assert!(page.contains(&format!("<meta property=\"og:title\" content=\"Pentago: {safe} v Level 3\">")), "{page}");
    assert!(page.contains("<meta property=\"og:description\" content=\"The game has not begun yet. "), "{page}");
    assert!(page.matches("name=\"description\"").count() == 1 && !page.contains(name));
    // Its files are found from there.
    for file in page.split(['"', '\'']).filter(|part| part.starts_with("/bundle/") || part.starts_with("/css/")) {
        assert!(fetch(&server, file, "").await.0.starts_with("http/1.1 200"), "{file}");
    }
    assert!(page.contains("src=\"/bundle/main.js\"") && !page.contains("=\"css/"), "{page}");
    let (head, body) = fetch(&server, "/room/nothing", "").await;
    assert!(
        head.starts_with("http/1.1 404") && String::from_utf8(body).unwrap().contains("<title>quintet</title>"),
        "{head}"
    );
}

#[tokio::test]
async fn who_has_a_file_is_not_sent_it_again() {
    let server = TestServer::new().await;
    let mut tags = Vec::new();
    for encoding in ["", "Accept-Encoding: gzip\r\n"] {
        let (head, _) = fetch(&server, "/js/main.js", encoding).await;
        let tag = value(&head, "etag").unwrap().to_owned();
        for known in [tag.clone(), format!("\"other\", W/{tag}"), "*".into()] {
            let (head, body) = fetch(&server, "/js/main.js", &format!("{encoding}If-None-Match: {known}\r\n")).await;
            assert!(head.starts_with("http/1.1 304") && body.is_empty(), "{head}");
            assert_eq!(value(&head, "etag"), Some(tag.as_str()));
        }
        let (head, _) = fetch(&server, "/js/main.js", &format!("{encoding}If-None-Match: \"other\"\r\n")).await;
        assert!(head.starts_with("http/1.1 200"), "{head}");
        tags.push(tag);
    }
    // The other encoding has another tag.
    assert_ne!(tags[0], tags[1]);
}
