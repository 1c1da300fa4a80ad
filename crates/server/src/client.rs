//! Who a request comes from.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use quintet_api::{ApiError, ErrorKind};

use crate::error::HttpError;

/// Who work is done for: queues, limits and shares are by address first, then by session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client {
    /// Where the requests come from; see [`network`].
    pub address: IpAddr,
    /// One WebSocket, one room, or all requests of HTTP together.
    pub session: u64,
}

impl Client {
    /// The client of all HTTP requests of an address.
    pub fn of(address: IpAddr) -> Client {
        Client { address, session: 0 }
    }
}

/// The address by which clients are told apart: a household or a company has a whole /64 of IPv6.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let prefix = address.to_bits() >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from_bits(prefix))
        }
        other => other,
    }
}

/// The address of the client behind a connection. A trusted proxy names it in `X-Forwarded-For`: it is the right-most address that does not
/// belong to a trusted proxy itself, because everything further left was written by the client.
pub fn behind(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let peer = peer.to_canonical();
    if !trusted.contains(&peer) {
        return peer;
    }
    let lists = headers.get_all("x-forwarded-for").iter().map(|value| value.to_str().unwrap_or("?"));
    let named: Vec<&str> = lists.flat_map(|list| list.split(',')).map(str::trim).collect();
    let addresses = named.into_iter().rev().map_while(|text| {
        let bare = text.parse::<IpAddr>().or_else(|_| text.parse::<SocketAddr>().map(|socket| socket.ip()));
        bare.ok().map(|address| address.to_canonical())
    });
    addresses.into_iter().find(|address| !trusted.contains(address)).unwrap_or(peer)
}

/// The headers in which proxies tell of themselves and their clients, besides all that begin with `x-forwarded-`.
const PROXIES: [&str; 11] = [
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-original-forwarded-for",
    "x-proxyuser-ip",
    "true-client-ip",
    "cf-connecting-ip",
    "fastly-client-ip",
    "client-ip",
];

/// Whether a proxy has passed a request on, as far as it says so.
fn passed_on(headers: &HeaderMap) -> bool {
    headers.keys().any(|name| name.as_str().starts_with("x-forwarded-") || PROXIES.contains(&name.as_str()))
}

/// Whether a `Host` header names this machine as it calls itself.
fn names_this_machine(host: &str) -> bool {
    let bare = host.rsplit_once(':').map_or(host, |(bare, port)| if port.ends_with(']') { host } else { bare });
    ["127.0.0.1", "localhost", "[::1]"].iter().any(|own| bare.eq_ignore_ascii_case(own))
}

/// Whether a request comes from this machine itself: over loopback, to a loopback name, and not through a proxy.
pub fn is_local(peer: IpAddr, headers: &HeaderMap) -> bool {
    let host = headers.get("host").and_then(|host| host.to_str().ok()).unwrap_or_default();
    peer.to_canonical().is_loopback() && names_this_machine(host) && !passed_on(headers)
}

/// What the guard found out about a request.
#[derive(Clone, Copy, Debug)]
pub struct Visitor {
    /// Who it is.
    pub client: Client,
    /// Whether the request comes from this machine itself.
    pub local: bool,
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Client, HttpError> {
        let visitor = parts.extensions.get::<Visitor>();
        Ok(visitor.map(|visitor| visitor.client).ok_or_else(|| ApiError::invalid("the client is unknown"))?)
    }
}

/// A request that comes from this machine itself. Others are refused.
pub struct Local;

impl<S: Sync> FromRequestParts<S> for Local {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Local, HttpError> {
        if parts.extensions.get::<Visitor>().is_some_and(|visitor| visitor.local) {
            return Ok(Local);
        }
        let why =
            "only the machine that the server runs on may do this; open its page there, as localhost or 127.0.0.1";
        Err(ApiError::new(ErrorKind::Forbidden, why).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(given: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn the_right_most_untrusted_address_is_the_client() {
        let trusted = ["127.0.0.1", "10.0.0.1"].map(|text| text.parse().unwrap());
        for (peer, lists, wanted) in [
            ("9.9.9.9", &["1.1.1.1"][..], "9.9.9.9"),
            ("127.0.0.1", &[], "127.0.0.1"),
            ("127.0.0.1", &["1.1.1.1"], "1.1.1.1"),
            ("127.0.0.1", &["6.6.6.6, 1.1.1.1"], "1.1.1.1"),
            ("127.0.0.1", &["6.6.6.6, 1.1.1.1, 10.0.0.1"], "1.1.1.1"),
            ("127.0.0.1", &["6.6.6.6", "1.1.1.1:5000"], "1.1.1.1"),
            ("::ffff:127.0.0.1", &["[2001:db8::7]:80"], "2001:db8::7"),
            ("127.0.0.1", &["6.6.6.6, nonsense"], "127.0.0.1"),
            ("127.0.0.1", &["nonsense, 10.0.0.1"], "127.0.0.1"),
        ] {
            let given: Vec<_> = lists.iter().map(|list| ("x-forwarded-for", *list)).collect();
            let found = behind(peer.parse().unwrap(), &headers(&given), &trusted);
            assert_eq!(found, wanted.parse::<IpAddr>().unwrap(), "{peer} {lists:?}");
        }
    }

    #[test]
    fn clients_of_one_network_are_one() {
        let of = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(
            (of("::1"), of("192.0.2.7"), of("::ffff:192.0.2.7")),
            ("::1".into(), "192.0.2.7".into(), "192.0.2.7".into())
        );
    }

    #[test]
    fn only_this_machine_is_local() {
        for (peer, host, proxy, wanted) in [
            ("127.0.0.1", "127.0.0.1:8080", None, true),
            ("::1", "[::1]:8080", None, true),
            ("::1", "[::1]", None, true),
            ("::ffff:127.0.0.1", "LOCALHOST", None, true),
            ("127.0.0.1", "games.example", None, false),
            ("127.0.0.1", "localhost.evil.example:80", None, false),
            ("127.0.0.1", "", None, false),
            ("127.0.0.1", "localhost", Some("x-forwarded-for"), false),
            ("127.0.0.1", "localhost", Some("x-forwarded-proto"), false),
            ("127.0.0.1", "localhost", Some("forwarded"), false),
            ("127.0.0.1", "localhost", Some("x-real-ip"), false),
            ("127.0.0.1", "localhost", Some("via"), false),
            ("192.168.0.7", "localhost", None, false),
            ("2001:db8::1", "localhost", None, false),
        ] {
            let mut given = vec![("host", host)];
            given.extend(proxy.map(|name| (name, "10.0.0.1")));
            assert_eq!(is_local(peer.parse().unwrap(), &headers(&given)), wanted, "{peer} {host} {proxy:?}");
        }
    }
}
