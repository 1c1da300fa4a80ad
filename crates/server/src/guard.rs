//! Allowed hosts, rate limits, and the headers of every answer.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{HOST, ORIGIN, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use tokio::time::timeout;

use crate::Limits;
use crate::client::{Client, Visitor, behind, is_local, network};
use crate::error::refuse;

/// The largest body of a request.
const LARGEST_BODY: usize = 64 << 10;

/// The longest path with its query.
const LONGEST_URL: usize = 4 << 10;

/// Addresses that are remembered; those idle long enough are forgotten first.
const ADDRESSES: usize = 10_000;

/// The allowed hosts, and the remaining share of each address.
pub struct Guard {
    /// Names of this machine, whatever the port.
    hosts: Vec<String>,
    /// Those among them that the owner has named.
    named: Vec<String>,
    trusted: Vec<IpAddr>,
    limits: Limits,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

#[derive(Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Guard {
    /// A guard that allows these hosts and this machine's own names, and believes these proxies.
    pub fn new(hosts: &[String], trusted: &[IpAddr], limits: &Limits) -> Guard {
        let own = ["127.0.0.1", "localhost", "[::1]"].map(String::from);
        let named: Vec<String> = hosts.iter().map(|host| host.to_ascii_lowercase()).collect();
        let hosts = own.into_iter().chain(named.iter().cloned()).collect();
        let trusted = trusted.iter().map(IpAddr::to_canonical).collect();
        Guard { hosts, named, trusted, limits: limits.clone(), buckets: Mutex::default() }
    }

    /// The share of an address, refilled since its last request.
    fn filled(&self, bucket: Bucket, now: Instant) -> Bucket {
        let rested = now.saturating_duration_since(bucket.at).as_secs_f64();
        Bucket { left: (bucket.left + self.limits.a_second * rested).min(self.limits.burst), at: now }
    }

    /// Whether this is one of the hosts, with or without a port.
    fn knows(&self, authority: &str) -> bool {
        let port =
            |rest: &str| rest.is_empty() || rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
        let authority = authority.to_ascii_lowercase();
        self.hosts.iter().any(|host| authority.strip_prefix(host.as_str()).is_some_and(port))
    }

    /// Why a request is refused, if it is.
    fn objection(&self, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        if !text(HOST).is_some_and(|host| self.knows(host)) {
            let why = "this host is not served here; start the server with --allowed-host NAME to allow it";
            return Some((StatusCode::MISDIRECTED_REQUEST, why));
        }
        let host = text(HOST).unwrap_or_default();
        let foreign = |origin: &str| !self.is_own_page(origin, host);
        if text(ORIGIN).is_some_and(foreign) {
            return Some((
                StatusCode::FORBIDDEN,
                "this page comes from another site; only the server's own pages may send requests",
            ));
        }
        None
    }

    /// Whether a page of this origin is one of the server's own: its host and port are those that the request was sent to, or an allowed host
    /// behind a proxy that changes the `Host`.
    fn is_own_page(&self, origin: &str, host: &str) -> bool {
        let (bare, port) = match origin.to_ascii_lowercase() {
            origin if origin.starts_with("http://") => (origin["http://".len()..].to_owned(), ":80"),
            origin if origin.starts_with("https://") => (origin["https://".len()..].to_owned(), ":443"),
            _ => return false,
        };
        let full = |authority: &str| {
            let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
            if has_port { authority.to_ascii_lowercase() } else { format!("{}{port}", authority.to_ascii_lowercase()) }
        };
        let asked = full(&bare);
        full(host) == asked || self.named.iter().any(|named| full(named) == asked)
    }

    /// Takes a request of this weight from an address's share; if too little is left, returns the seconds to wait.
    fn take(&self, address: IpAddr, weight: f64) -> Result<(), f64> {
        let now = Instant::now();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= ADDRESSES {
            buckets.retain(|_, bucket| self.filled(*bucket, now).left < self.limits.burst);
        }
        let bucket = buckets.entry(address).or_insert(Bucket { left: self.limits.burst, at: now });
        *bucket = self.filled(*bucket, now);
        if bucket.left < weight {
            return Err((weight - bucket.left) / self.limits.a_second);
        }
        bucket.left -= weight;
        Ok(())
    }
}

/// A file of the page costs almost nothing, and one visit loads dozens.
fn weight(path: &str) -> f64 {
    let works = ["/api", "/ws"].iter().any(|place| path.starts_with(place));
    if works { 1.0 } else { 0.05 }
}

/// Why a request is refused before anybody looks at it, if it is.
fn objection(guard: &Guard, request: &Request, address: IpAddr) -> Option<Response> {
    if request.uri().path_and_query().is_some_and(|path| path.as_str().len() > LONGEST_URL) {
        return Some(refuse(StatusCode::URI_TOO_LONG, "the address is too long"));
    }
    if let Some((status, why)) = guard.objection(request.headers()) {
        return Some(refuse(status, why));
    }
    let seconds = guard.take(address, weight(request.uri().path())).err()?;
    let mut response = refuse(StatusCode::TOO_MANY_REQUESTS, "too many requests; wait a moment");
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds.ceil() as u64));
    Some(response)
}

/// The request with its whole body in memory, or why it did not come.
async fn received(guard: &Guard, request: Request) -> Result<Request, Response> {
    let (parts, body) = request.into_parts();
    match timeout(guard.limits.body, to_bytes(body, LARGEST_BODY)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(error))
            if std::error::Error::source(&error).is_some_and(|why| why.is::<http_body_util::LengthLimitError>()) =>
        {
            let why = format!("the body is too large: at most {} KiB are read", LARGEST_BODY >> 10);
            Err(refuse(StatusCode::PAYLOAD_TOO_LARGE, &why))
        }
        Ok(Err(error)) => Err(refuse(StatusCode::BAD_REQUEST, &format!("the body cannot be read: {error}"))),
        Err(_) => Err(refuse(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time")),
    }
}

/// Runs before every request.
pub async fn guard(
    State(guard): State<Arc<Guard>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let address = network(behind(peer.ip(), request.headers(), &guard.trusted));
    let local = is_local(peer.ip(), request.headers());
    request.extensions_mut().insert(Visitor { client: Client::of(address), local });
    let mut response = match objection(&guard, &request, address) {
        Some(refused) => refused,
        None => match received(&guard, request).await {
            Ok(request) => next.run(request).await,
            Err(refused) => refused,
        },
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// The headers of every answer.
const HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        let guard = Guard::new(&["Games.example".into()], &[], &Limits::default());
        for good in ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:65535", "games.EXAMPLE:80"] {
            assert!(guard.knows(good), "{good}");
        }
        for bad in
            ["", "localhost.evil.example", "evil", "127.0.0.1:x", "127.0.0.1:70000", "localhost:80:80", "127.0.0.11"]
        {
            assert!(!guard.knows(bad), "{bad}");
        }
    }

    #[test]
    fn origins() {
        let guard = Guard::new(&["games.example".into(), "other.example:8443".into()], &[], &Limits::default());
        let says = |host: Option<&str>, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            host.map(|host| headers.insert(HOST, host.parse().unwrap()));
            origin.map(|origin| headers.insert(ORIGIN, origin.parse().unwrap()));
            guard.objection(&headers).map(|(status, _)| status.as_u16())
        };
        assert_eq!(says(Some("localhost:80"), None), None);
        assert_eq!(says(Some("localhost:80"), Some("http://localhost:80")), None);
        assert_eq!(says(None, None), Some(421));
        assert_eq!(says(Some("evil.example"), None), Some(421));
        for (host, origin) in [
            ("localhost", "http://localhost"),
            ("LOCALHOST:80", "http://localhost"),
            ("[::1]:8080", "http://[::1]:8080"),
            ("[::1]", "http://[::1]:80"),
            ("games.example", "https://games.example"),
            ("127.0.0.1:8080", "https://games.example"),
            ("127.0.0.1:8080", "https://other.example:8443"),
        ] {
            assert_eq!(says(Some(host), Some(origin)), None, "{host} {origin}");
        }
        for origin in [
            "http://evil.example",
            "null",
            "file://localhost",
            "http://localhost.evil.example",
            "http://localhost:3000",
            "http://127.0.0.1",
            "https://games.example:8443",
        ] {
            assert_eq!(says(Some("localhost"), Some(origin)), Some(403), "{origin}");
        }
    }

    #[test]
    fn a_share_runs_out_for_one_address_alone() {
        let guard = Guard::new(&[], &[], &Limits::default());
        let [one, two] = ["10.0.0.1", "10.0.0.2"].map(|text| text.parse().unwrap());
        let served = (0..1000).filter(|_| guard.take(one, 1.0).is_ok()).count();
        assert!((200..400).contains(&served), "{served}");
        assert!(guard.take(one, 1.0).is_err_and(|seconds| seconds > 0.0 && seconds <= 1.0));
        assert!(guard.take(two, 1.0).is_ok());
    }
}
