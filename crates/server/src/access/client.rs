//! The address of a client, also behind a proxy.
//!
//! Headers of a proxy count only when the proxy is listed as trusted. The client is the last forwarded
//! address that belongs to no trusted proxy: the client may have forged everything before it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use ipnet::IpNet;
use quorate_app::SessionClient;
use quorate_messages::message;

use super::options::AccessError;
use crate::problem::Problem;

/// The other end of the connection, as [`serve`](crate::connections::serve) notes it in each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// The address of the peer.
    pub address: SocketAddr,
    /// Whether the server itself terminates TLS.
    pub tls: bool,
}

/// From where a request comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Client {
    /// The address of the client.
    pub(crate) address: IpAddr,
    /// Whether the client sees `https`.
    pub(crate) https: bool,
    /// The host that the request is for, in lower case: `meet.example.org:8080`.
    pub(crate) host: String,
    /// Whether a proxy says that it forwards the request.
    pub(crate) handed_on: bool,
}

impl Client {
    /// The same as the program with which a session is begun.
    pub(crate) fn session(&self, agent: String) -> SessionClient {
        SessionClient { address: self.address, agent }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let found = parts.extensions.get::<Self>().cloned();
        found.ok_or_else(|| Problem::no_route(parts.uri.path()))
    }
}

/// The proxies whose word is taken.
pub(crate) fn networks(given: &[String]) -> Result<Vec<IpNet>, AccessError> {
    let one = |text: &String| {
        let text = text.trim();
        text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(|_| {
            AccessError::Option {
                option: "--trust-proxy",
                problem: message!("server-start-no-network", text),
                hint: message!("server-start-no-network-hint"),
            }
        })
    };
    given.iter().map(one).collect()
}

/// From where a request comes.
pub(crate) fn client(parts: &Parts, trusted: &[IpNet]) -> Client {
    let peer = parts.extensions.get::<Peer>().copied().or_else(|| {
        let ConnectInfo(address) = parts.extensions.get::<ConnectInfo<SocketAddr>>()?;
        Some(Peer { address: *address, tls: false })
    });
    let peer = peer.unwrap_or(Peer { address: (Ipv4Addr::UNSPECIFIED, 0).into(), tls: false });
    let headers = &parts.headers;
    let direct = peer.address.ip().to_canonical();
    let own_host = || {
        let named = parts.uri.authority().map(|authority| authority.as_str().to_owned());
        named.unwrap_or_else(|| host(headers)).to_ascii_lowercase()
    };
    let handed_on = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"]
        .iter()
        .any(|h| headers.contains_key(*h));
    let trusts = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
    if !trusts(direct) {
        return Client { address: direct, https: peer.tls, host: own_host(), handed_on };
    }
    let forwarded = last(headers, "forwarded").unwrap_or_default();
    let hops = match headers.contains_key("x-forwarded-for") {
        true => list(headers, "x-forwarded-for").iter().filter_map(|hop| address(hop)).collect(),
        false => list(headers, "forwarded")
            .iter()
            .filter_map(|hop| address(&named(hop, "for")?))
            .collect::<Vec<_>>(),
    };
    let found = hops.iter().rev().copied().find(|hop| !trusts(*hop)).or(hops.first().copied());
    let proto = last(headers, "x-forwarded-proto").or_else(|| named(&forwarded, "proto"));
    let host = last(headers, "x-forwarded-host").or_else(|| named(&forwarded, "host"));
    Client {
        address: found.unwrap_or(direct),
        https: proto.map_or(peer.tls, |proto| proto.eq_ignore_ascii_case("https")),
        host: host.map_or_else(own_host, |host| host.to_ascii_lowercase()),
        handed_on,
    }
}

/// For which server a request is; no name of ours when it names several.
fn host(headers: &HeaderMap) -> String {
    let lines = headers.get_all(header::HOST).into_iter();
    lines.map(|line| line.to_str().unwrap_or_default().trim()).collect::<Vec<_>>().join(",")
}

/// All values of a header, in order.
fn list(headers: &HeaderMap, name: &str) -> Vec<String> {
    let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(|value| value.trim().to_owned()).collect()
}

/// The value that the nearest proxy added.
fn last(headers: &HeaderMap, name: &str) -> Option<String> {
    list(headers, name).pop().filter(|value| !value.is_empty())
}

/// One parameter of an element of `Forwarded` (RFC 7239): `for="[2001:db8::1]:4711";proto=https`.
fn named(element: &str, name: &str) -> Option<String> {
    element.split(';').find_map(|part| {
        let (key, value) = part.split_once('=')?;
        let value = value.trim().trim_matches('"');
        (key.trim().eq_ignore_ascii_case(name) && !value.is_empty()).then(|| value.to_owned())
    })
}

/// An address with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    let parsed = bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()));
    parsed.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn seen(peer: &str, headers: &[(&str, &str)], trusted: &[&str]) -> Client {
        let mut request = Request::builder().uri("/").header("host", "inner:7000");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (mut parts, ()) = request.body(()).expect("a request").into_parts();
        let address = SocketAddr::new(peer.parse().expect("an address"), 4000);
        parts.extensions.insert(Peer { address, tls: false });
        let trusted: Vec<String> = trusted.iter().map(|text| (*text).to_owned()).collect();
        client(&parts, &networks(&trusted).expect("networks"))
    }

    fn address_of(peer: &str, headers: &[(&str, &str)], trusted: &[&str]) -> String {
        seen(peer, headers, trusted).address.to_string()
    }

    #[test]
    fn nobody_s_word_counts_who_is_not_trusted() {
        let headers =
            [("x-forwarded-for", "1.2.3.4"), ("x-forwarded-proto", "https"), ("x-forwarded-host", "evil")];
        let seen = seen("9.9.9.9", &headers, &["10.0.0.0/8"]);
        assert_eq!(
            (seen.address.to_string().as_str(), seen.https, seen.host.as_str()),
            ("9.9.9.9", false, "inner:7000")
        );
        assert!(seen.handed_on);
    }

    #[test]
    fn the_last_hop_that_no_trusted_proxy_has_is_the_client() {
        let trusted = ["10.0.0.0/8", "::1"];
        let made_up = [("x-forwarded-for", "6.6.6.6, 7.7.7.7"), ("x-forwarded-for", "8.8.8.8, 10.1.1.1")];
        assert_eq!(address_of("10.0.0.2", &made_up, &trusted), "8.8.8.8");
        assert_eq!(address_of("::ffff:10.0.0.2", &made_up, &trusted), "8.8.8.8", "an IPv4 address in IPv6");
        let inner = [("x-forwarded-for", "10.3.3.3, 10.1.1.1")];
        assert_eq!(address_of("10.0.0.2", &inner, &trusted), "10.3.3.3");
        let standard =
            [("forwarded", "for=6.6.6.6, for=\"[2001:db8::1]:4711\";proto=https;host=Meet.example.org")];
        let seen = seen("::1", &standard, &trusted);
        assert_eq!(
            (seen.address.to_string().as_str(), seen.https, seen.host.as_str()),
            ("2001:db8::1", true, "meet.example.org")
        );
        assert_eq!(address_of("10.0.0.2", &[("x-forwarded-for", "garbage")], &trusted), "10.0.0.2");
        assert!(networks(&["10.0.0.0/99".to_owned()]).is_err());
    }
}
