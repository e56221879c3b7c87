//! Forwarding of requests to the node that runs their meeting.
//!
//! Several processes can share one database; each meeting runs in one of them. A request about a meeting that reaches
//! another one is sent on as it is, and its answer is passed back as it comes, event streams too. It carries a signature by
//! which the nodes know each other, with the address of the client: limits and the audit log are about the client, not
//! about the node in between. A request that was forwarded once is not forwarded again.
//!
//! When the node that runs a meeting is gone, a request waits until its lease has passed, and goes to whoever runs the meeting
//! then, this process too (docs/decisions/0028).

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use quorate_app::{App, OwnerElsewhere};
use quorate_contract::hex::{from_hex, to_hex};
use quorate_contract::{Language, MeetingId};
use quorate_messages::message;
use ring::hmac;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::access::Client;
use crate::nodes::waiting::{ForwardedRequest, Forwarding, NextOwner, RequestBody, Runs, Undone, keep};
use crate::problem::Problem;

/// What one node says to another about the client of a request.
const FORWARDED: HeaderName = HeaderName::from_static("quorate-forwarded");
/// Where a node sends messages of a WebSocket that steer a meeting which runs at another one.
pub(crate) const NODE_MESSAGES: &str = "/internal/messages";
/// How far the clocks of two nodes may be apart, in milliseconds.
const SKEW_MS: i64 = 60_000;
/// How long a node may take to be reached.
const CONNECT: Duration = Duration::from_secs(2);
/// How long a node may send nothing. An export may take it 110 s; an event stream is never silent for so long.
const SILENT: Duration = Duration::from_secs(120);
/// How often it is looked whether the node that has not answered yet still runs the meeting.
const OWNER_EVERY: Duration = Duration::from_secs(2);
/// Says that nothing was done, because the node that answers does not run the meeting.
const NOT_HERE: HeaderName = HeaderName::from_static("quorate-not-here");
/// Headers that are about one connection, and not about the request.
const OF_CONNECTION: [HeaderName; 7] = [
    header::CONNECTION,
    header::TRANSFER_ENCODING,
    header::CONTENT_LENGTH,
    header::UPGRADE,
    header::TE,
    header::TRAILER,
    HeaderName::from_static("keep-alive"),
];

/// A message of a WebSocket that one node passes on to another. The target of its request, which is signed, holds a checksum of it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct NodeMessage {
    /// Who sends it, as the credential's name says.
    pub(crate) credential: String,
    /// In which language the answer is.
    pub(crate) language: Language,
    /// The message as it came.
    pub(crate) text: String,
}

impl NodeMessage {
    fn target(body: &[u8]) -> String {
        format!("{NODE_MESSAGES}?sha256={}", to_hex(&Sha256::digest(body)))
    }

    /// Reads it; `None` unless it is what the signed target says.
    pub(crate) fn read(target: &Uri, body: &[u8]) -> Option<Self> {
        let said = target.path_and_query()?.as_str();
        (said == Self::target(body)).then(|| serde_json::from_slice(body).ok())?
    }
}

/// Marks a request that another node has forwarded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Forwarded;

/// Sends requests on to other nodes, and knows those that they send.
pub(crate) struct Forwarder {
    client: reqwest::Client,
    key: hmac::Key,
}

impl Forwarder {
    /// Forwarding for an app whose database several processes share; `None` for a database file.
    ///
    /// # Errors
    /// When the secret of the nodes cannot be read.
    pub(crate) async fn of(app: &App) -> Result<Option<Self>, Problem> {
        let Some(secret) = app.node_secret().await? else { return Ok(None) };
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.expose().as_bytes());
        Ok(Some(Self { client: client()?, key }))
    }

    /// From where a request comes that another node has forwarded; `None` when none has.
    pub(crate) fn client_of(&self, parts: &Parts) -> Option<Client> {
        let said = parts.headers.get(&FORWARDED)?.to_str().ok()?;
        let (told, tag) = said.rsplit_once(';')?;
        let tag: [u8; 32] = from_hex(tag)?;
        hmac::verify(&self.key, signed(parts.method.as_str(), target(parts), told).as_bytes(), &tag).ok()?;
        let mut fields = told.split(';');
        let (at, address, https) = (fields.next()?, fields.next()?, fields.next()?);
        let host = fields.next()?;
        let age = quorate_app::now().0.abs_diff(at.parse().ok()?);
        let address: IpAddr = address.parse().ok()?;
        (age <= SKEW_MS.unsigned_abs()).then(|| Client {
            address,
            https: https == "https",
            host: host.to_owned(),
            handed_on: false,
        })
    }

    /// Sends a request on to the node that runs its meeting. When that node is gone, the request goes to whoever runs the
    /// meeting next: always when the node was not reached, and where it may be repeated, also when its answer is missing.
    pub(crate) async fn forward(
        &self,
        app: &App,
        meeting: &MeetingId,
        owner: OwnerElsewhere,
        client: &Client,
        request: ForwardedRequest,
    ) -> Forwarding {
        let mut owners = NextOwner::after(owner);
        let ForwardedRequest { parts, body, repeatable } = request;
        let gone = |owners: &NextOwner| Forwarding::Answered(unreachable(&owners.last).into_response());
        let body = match keep(&parts, body).await {
            Ok(body) => body,
            Err(problem) => return Forwarding::Answered(problem.into_response()),
        };
        let (mut sent, kept) = match body {
            RequestBody::Whole(bytes) => (reqwest::Body::from(bytes.clone()), Some(bytes)),
            RequestBody::Stream(body) => (reqwest::Body::wrap_stream(body.into_data_stream()), None),
        };
        loop {
            let undone = tokio::select! {
                answer = self.send(&owners.last, client, &parts, sent) => match answer {
                    Ok(response) => return Forwarding::Answered(response),
                    Err(undone) => undone,
                },
                () = lost(app, meeting, &owners.last) => Undone::Perhaps,
            };
            // What was streamed is gone.
            let Some(bytes) = &kept else { return gone(&owners) };
            if undone == Undone::Perhaps && !repeatable {
                return gone(&owners);
            }
            match owners.next(app, meeting).await {
                Runs::There => sent = reqwest::Body::from(bytes.clone()),
                Runs::Here => {
                    return Forwarding::Here(Request::from_parts(parts, Body::from(bytes.clone())));
                }
                Runs::Unknown => return gone(&owners),
            }
        }
    }

    /// A signed request to another node, which says for what client it is.
    fn request(
        &self,
        method: Method,
        address: &str,
        target: &str,
        client: &Client,
    ) -> reqwest::RequestBuilder {
        let scheme = if client.https { "https" } else { "http" };
        let told = format!("{};{};{scheme};{}", quorate_app::now().0, client.address, client.host);
        let tag = hmac::sign(&self.key, signed(method.as_str(), target, &told).as_bytes());
        self.client
            .request(method, format!("{}{target}", address.trim_end_matches('/')))
            .header(FORWARDED, format!("{told};{}", to_hex(tag.as_ref())))
    }

    /// Asks another node something of its own, for nobody but this node.
    ///
    /// # Errors
    /// When the node cannot be reached, or refuses.
    pub(super) async fn ask(&self, address: &str, target: &str) -> reqwest::Result<reqwest::Response> {
        let this = Client {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            https: false,
            host: "localhost".to_owned(),
            handed_on: false,
        };
        self.request(Method::GET, address, target, &this).send().await?.error_for_status()
    }

    /// The items of a list of another node, for the sender of a request; `None` when it does not answer.
    pub(super) async fn list(
        &self,
        address: &str,
        target: &str,
        client: &Client,
        headers: HeaderMap,
    ) -> Option<Vec<serde_json::Value>> {
        let request = self.request(Method::GET, address, target, client).headers(passed_on(&headers));
        let answer = request.send().await.and_then(reqwest::Response::error_for_status).ok()?;
        let page: serde_json::Value = answer.json().await.ok()?;
        page["items"].as_array().cloned()
    }

    /// Sends a message of a WebSocket on to the node that runs its meeting, and gives that node's answer; `None` when this
    /// process is to run the meeting now. When the node is gone, the message goes to whoever runs the meeting next.
    ///
    /// # Errors
    /// When no node can be reached, or one may have carried it out and has not answered.
    pub(crate) async fn send_message(
        &self,
        app: &App,
        meeting: &MeetingId,
        owner: OwnerElsewhere,
        client: &Client,
        message: &NodeMessage,
    ) -> Result<Option<String>, Problem> {
        let mut owners = NextOwner::after(owner);
        loop {
            let send = async {
                match owners.last.address.as_deref() {
                    Some(address) => self.ask_in_name(address, client, message).await,
                    None => Err(Undone::Certainly),
                }
            };
            let undone = tokio::select! {
                answer = send => match answer {
                    Ok(answer) if !is_not_here(&answer) => return Ok(Some(answer)),
                    Ok(_) => Undone::Certainly,
                    Err(undone) => undone,
                },
                () = lost(app, meeting, &owners.last) => Undone::Perhaps,
            };
            if undone == Undone::Perhaps {
                return Err(unreachable(&owners.last));
            }
            match owners.next(app, meeting).await {
                Runs::There => {}
                Runs::Here => return Ok(None),
                Runs::Unknown => return Err(unreachable(&owners.last)),
            }
        }
    }

    /// Sends a message to a node in the name of a client, and gives that node's answer.
    ///
    /// # Errors
    /// When it does not answer.
    pub(super) async fn ask_in_name(
        &self,
        address: &str,
        client: &Client,
        message: &NodeMessage,
    ) -> Result<String, Undone> {
        let body = serde_json::to_vec(message).expect("plain data");
        let request = self.request(Method::POST, address, &NodeMessage::target(&body), client);
        let sent = request.body(body).send().await.map_err(|error| Undone::of(&error))?;
        let answer = sent.error_for_status().map_err(|_| Undone::Perhaps)?;
        answer.text().await.map_err(|_| Undone::Perhaps)
    }

    async fn send(
        &self,
        owner: &OwnerElsewhere,
        client: &Client,
        parts: &Parts,
        body: reqwest::Body,
    ) -> Result<Response, Undone> {
        let address = owner.address.as_deref().ok_or(Undone::Certainly)?;
        let sent = self
            .request(parts.method.clone(), address, target(parts), client)
            .headers(passed_on(&parts.headers))
            .body(body);
        match sent.send().await {
            Ok(answer) if answer.headers().contains_key(&NOT_HERE) => Err(Undone::Certainly),
            Ok(answer) => {
                let (status, headers) = (answer.status(), without_connection(answer.headers()));
                let mut response = Response::new(Body::from_stream(answer.bytes_stream()));
                (*response.status_mut(), *response.headers_mut()) = (status, headers);
                Ok(response)
            }
            Err(error) => {
                tracing::warn!(node = owner.node, %error, "a request could not be forwarded");
                Err(Undone::of(&error))
            }
        }
    }
}

/// The answer to a forwarded request about a meeting that runs elsewhere, such as to a process that has just begun at the
/// address of one that is gone.
pub(crate) fn not_here(owner: &OwnerElsewhere) -> Response {
    let mut response = unreachable(owner).into_response();
    response.headers_mut().insert(NOT_HERE, HeaderValue::from_static("1"));
    response
}

/// Whether the answer to a message says so.
fn is_not_here(answer: &str) -> bool {
    let answer: serde_json::Value = serde_json::from_str(answer).unwrap_or_default();
    answer["problem"]["current_state"] == "elsewhere"
}

/// What reaches other nodes. A request carries the session of its sender, so an encrypted node has to show a certificate
/// that is valid for its address.
fn client() -> Result<reqwest::Client, Problem> {
    quorate_app::http_client()
        .connect_timeout(CONNECT)
        .read_timeout(SILENT)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .build()
        .map_err(|error| Problem::bug(&error))
}

/// Waits until a meeting is no longer run by `owner`: a process that hangs still accepts connections. While the database cannot
/// be read, nothing is known.
pub(super) async fn lost(app: &App, meeting: &MeetingId, owner: &OwnerElsewhere) {
    loop {
        tokio::time::sleep(OWNER_EVERY).await;
        if app.last_owner(meeting).await.is_ok_and(|now| now.as_ref() != Some(owner)) {
            return;
        }
    }
}

/// The error for a node that cannot be reached. When its lease has passed, another one runs the meeting.
fn unreachable(owner: &OwnerElsewhere) -> Problem {
    Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "elsewhere",
        message!("server-node-unreachable", node = &owner.node),
    )
    .hint(message!("server-node-unreachable-hint"))
    .retry_after(2)
}

/// What a node signs: the request, and what it says of the client.
fn signed(method: &str, target: &str, told: &str) -> String {
    format!("quorate forwarded 1\n{method}\n{target}\n{told}")
}

fn target(parts: &Parts) -> &str {
    parts.uri.path_and_query().map_or("/", |target| target.as_str())
}

/// The headers of a request that another node is to see.
fn passed_on(headers: &HeaderMap) -> HeaderMap {
    let mut kept = without_connection(headers);
    kept.remove(header::HOST);
    kept.remove(&FORWARDED);
    kept
}

fn without_connection(headers: &HeaderMap) -> HeaderMap {
    let mut kept = headers.clone();
    OF_CONNECTION.iter().for_each(|name| _ = kept.remove(name));
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forwarder(secret: &str) -> Forwarder {
        quorate_app::install_tls();
        Forwarder {
            client: reqwest::Client::new(),
            key: hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()),
        }
    }

    fn request(forwarder: &Forwarder, target: &str, at: i64) -> Parts {
        let told = format!("{at};203.0.113.9;https;meet.example.org");
        let tag = hmac::sign(&forwarder.key, signed("GET", target, &told).as_bytes());
        let header = format!("{told};{}", to_hex(tag.as_ref()));
        Request::get(target).header(FORWARDED, header).body(Body::empty()).unwrap().into_parts().0
    }

    #[tokio::test]
    async fn an_encrypted_node_whose_certificate_nobody_vouches_for_is_told_nothing() {
        quorate_app::install_tls();
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (chain, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
        std::fs::write(&chain, made.cert.pem()).unwrap();
        std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        let options =
            crate::ServeOptions { tls: Some(crate::Tls::open(chain, key).unwrap()), ..Default::default() };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://localhost:{}/", listener.local_addr().unwrap().port());
        let pages = axum::Router::new().route("/", axum::routing::get(async || "here"));
        tokio::spawn(crate::serve_with(listener, pages, options, std::future::pending()));
        let known = reqwest::Certificate::from_pem(made.cert.pem().as_bytes()).unwrap();
        let knows = reqwest::Client::builder().tls_certs_only([known]).build().unwrap();
        assert_eq!(knows.get(&url).send().await.unwrap().text().await.unwrap(), "here");
        assert!(client().unwrap().get(&url).send().await.is_err());
    }

    #[test]
    fn a_node_is_believed_and_nobody_else() {
        let (ours, now) = (forwarder("a secret"), quorate_app::now().0);
        let client = ours.client_of(&request(&ours, "/api/v1/meetings/m?x=1", now)).expect("ours");
        assert_eq!((client.address.to_string().as_str(), client.https), ("203.0.113.9", true));
        assert_eq!(client.host, "meet.example.org");
        assert_eq!(ours.client_of(&request(&ours, "/", now - 2 * SKEW_MS)), None, "too old");
        assert_eq!(ours.client_of(&request(&forwarder("another"), "/", now)), None);
        let mut other = request(&ours, "/api/v1/meetings/m", now);
        other.uri = "/api/v1/meetings/n".parse().unwrap();
        assert_eq!(ours.client_of(&other), None, "it was signed for another meeting");
        let mut forged = request(&ours, "/", now);
        forged.headers.insert(FORWARDED, format!("{now};127.0.0.1;http;localhost;00").parse().unwrap());
        assert_eq!(ours.client_of(&forged), None);
        for odd in ["", ";", "a;b;c;d", ";;;;ü", "1;127.0.0.1;http"] {
            let Ok(value) = axum::http::HeaderValue::from_bytes(odd.as_bytes()) else { continue };
            forged.headers.insert(FORWARDED, value);
            assert_eq!(ours.client_of(&forged), None, "{odd}");
        }
    }
}
