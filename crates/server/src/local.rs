//! Requests that only this machine may send.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;

use quintet_api::{ApiError, ErrorKind};

use crate::error::HttpError;

/// A request that comes from this machine itself. Others, including those that a proxy forwards, are refused.
pub struct Local;

/// The headers in which proxies name their clients.
const PASSED_ON: [&str; 2] = ["forwarded", "x-forwarded-for"];

impl<S: Sync> FromRequestParts<S> for Local {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Local, HttpError> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip().to_canonical());
        let passed_on = PASSED_ON.iter().any(|name| parts.headers.contains_key(*name));
        if peer.is_some_and(|peer| peer.is_loopback()) && !passed_on {
            return Ok(Local);
        }
        let why = "only the machine that the server runs on may do this; open its page there";
        Err(ApiError::new(ErrorKind::Forbidden, why).into())
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    #[tokio::test]
    async fn others_are_refused() {
        for (peer, header, wanted) in [
            ("127.0.0.1:5", None, true),
            ("[::1]:5", None, true),
            ("[::ffff:127.0.0.1]:5", None, true),
            ("127.0.0.1:5", Some("x-forwarded-for"), false),
            ("127.0.0.1:5", Some("forwarded"), false),
            ("192.168.0.7:5", None, false),
            ("[::ffff:192.168.0.7]:5", None, false),
            ("[2001:db8::1]:5", None, false),
        ] {
            let mut request = Request::builder();
            if let Some(header) = header {
                request = request.header(header, "10.0.0.1");
            }
            let (mut parts, ()) = request.body(()).unwrap().into_parts();
            parts.extensions.insert(ConnectInfo(peer.parse::<SocketAddr>().unwrap()));
            let answer = Local::from_request_parts(&mut parts, &()).await;
            assert_eq!(answer.is_ok(), wanted, "{peer} {header:?}");
            if let Err(refused) = answer {
                assert_eq!(refused.0.kind, ErrorKind::Forbidden);
            }
        }
        let (mut parts, ()) = Request::new(()).into_parts();
        assert!(Local::from_request_parts(&mut parts, &()).await.is_err(), "its origin is unknown");
    }
}
