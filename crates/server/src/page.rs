//! The web page: every path outside of the interface.
//!
//! Its files are open to all clients. The data comes from the interface, which checks permissions. No text of
//! the page itself is in this module.

use std::borrow::Cow;
use std::io::Read as _;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
use quorate_messages::message;
use quorate_page::File;
use url::form_urlencoded;

use crate::access::{Client, sign_in_by_address};
use crate::ops;
use crate::problem::Problem;
use crate::state::ServerState;

/// The content security policy of the page: scripts, styles and requests from this origin only.
const POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; \
    base-uri 'none'; form-action 'self'; object-src 'none'";
/// The page that draws diagrams, in a frame of the page (`web/app/src/diagram`).
const FRAME: &str = "diagram.html";
/// Its policy. It has no origin, also when it is opened by itself; it runs its script and can fetch nothing else.
const FRAME_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; \
    frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox allow-scripts";
/// The parameter of an address that lets a browser in.
const TOKEN_PARAMETER: &str = "token";
/// The cache control of a file whose name contains a hash: it never changes.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// Caching of all other files: the browser revalidates them, which costs little while they are unchanged.
const ASK_AGAIN: &str = "no-cache";

/// The first path segments of the page's own routes (`web/app/src/routes.tsx`); the empty one is `/`.
const PLACES: &[&str] = &["", "new", "meetings", "m", "agents", "settings", "join", "shared", "sign-in"];
/// Path segments that never belong to the page.
const NO_PLACES: &[&str] = &["api", "healthz", "readyz", "metrics", "assets"];

/// Answers what no route of the interface does.
pub(crate) async fn page(State(server): State<ServerState>, client: Client, request: Request) -> Response {
    let (method, headers, path) = (request.method(), request.headers(), request.uri().path());
    if *method == Method::GET
        && let Some(token) = token_in(request.uri())
    {
        let address = request.uri().clone();
        return without_token(&server, &token, &client, &address).await;
    }
    let page = server.page();
    let place = place(path, headers);
    let (file, status) = match (page.file(path.trim_start_matches('/')), place) {
        (Some(file), _) => (Some(file), StatusCode::OK),
        (None, PathKind::Known) => (page.index(), StatusCode::OK),
        // The page explains it better than a problem could, in the reader's language.
        (None, PathKind::Unknown) => (page.index(), StatusCode::NOT_FOUND),
        (None, PathKind::None) => (None, StatusCode::NOT_FOUND),
    };
    let Some(file) = file else { return nowhere(path).into_response() };
    match *method {
        Method::GET | Method::HEAD => send(file, status, method, headers),
        _ if status == StatusCode::OK => {
            let allow = [(header::ALLOW, HeaderValue::from_static("GET, HEAD"))];
            (allow, not_like_this(method.clone()).await).into_response()
        }
        _ => nowhere(path).into_response(),
    }
}

/// The local token in an address that was printed: `/?token=…`.
fn token_in(address: &Uri) -> Option<String> {
    let query = form_urlencoded::parse(address.query()?.as_bytes());
    query.into_iter().find(|(name, _)| name == TOKEN_PARAMETER).map(|(_, token)| token.into_owned())
}

/// Redirects to the same URL without the token, so that it is in no history; with the cookie if it was right.
async fn without_token(server: &ServerState, token: &str, client: &Client, address: &Uri) -> Response {
    let mut headers = HeaderMap::new();
    if let Err(problem) = sign_in_by_address(server, token, client, &mut headers).await {
        return problem.into_response();
    }
    let query = form_urlencoded::parse(address.query().unwrap_or_default().as_bytes());
    let rest = query.filter(|(name, _)| name != TOKEN_PARAMETER);
    let rest = form_urlencoded::Serializer::new(String::new()).extend_pairs(rest).finish();
    // One slash at the beginning: two would name another host.
    let path = format!("/{}", address.path().trim_start_matches('/'));
    let place = if rest.is_empty() { path } else { format!("{path}?{rest}") };
    let place = HeaderValue::try_from(place).unwrap_or(HeaderValue::from_static("/"));
    headers.insert(header::LOCATION, place);
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// The kind of a path from the page's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PathKind {
    /// An address of its own.
    Known,
    /// Unknown path, requested as HTML by a browser; a program asks for no HTML.
    Unknown,
    /// No part of the page.
    None,
}

fn place(path: &str, headers: &HeaderMap) -> PathKind {
    let mut words = path.trim_start_matches('/').split('/');
    let first = words.next().unwrap_or_default();
    let last = words.next_back().unwrap_or(first);
    if PLACES.contains(&first) {
        return PathKind::Known;
    }
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    let of_person = accept.contains("text/html") && !last.contains('.');
    if of_person && !NO_PLACES.contains(&first) { PathKind::Unknown } else { PathKind::None }
}

/// The error for a method that a path does not support.
pub(crate) async fn not_like_this(method: axum::http::Method) -> Problem {
    let status = axum::http::StatusCode::METHOD_NOT_ALLOWED;
    // An invented method is not repeated in the response.
    let detail = match ops::method_label(&method) {
        "other" => message!("server-unknown-method"),
        method => message!("server-method", method),
    };
    Problem::new(status, "method-not-allowed", detail).hint(message!("server-method-hint"))
}

fn nowhere(path: &str) -> Problem {
    Problem::no_route(ops::without_secrets(path))
}

fn send(file: &'static File, status: StatusCode, method: &Method, asked: &HeaderMap) -> Response {
    let Some((coding, bytes)) = best(file, asked) else {
        return Problem::our_fault(message!("server-bug")).into_response();
    };
    let tag = format!("\"{}{}\"", file.hash, coding.map_or("", |coding| coding.ending()));
    let mut headers = HeaderMap::new();
    let mut say = |name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    say(header::CACHE_CONTROL, if file.is_hashed { FOR_EVER } else { ASK_AGAIN });
    if file.path == FRAME {
        say(header::CONTENT_SECURITY_POLICY, FRAME_POLICY);
        say(header::X_FRAME_OPTIONS, "SAMEORIGIN");
    } else {
        say(header::CONTENT_SECURITY_POLICY, POLICY);
    }
    say(header::VARY, "accept-encoding");
    headers.extend(HeaderValue::from_str(&tag).ok().map(|tag| (header::ETAG, tag)));
    if status == StatusCode::OK && is_known(&tag, asked) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.media));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    if let Some(coding) = coding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
    }
    let body = match (*method == Method::HEAD, bytes) {
        (true, _) => Body::empty(),
        (false, Cow::Borrowed(bytes)) => Body::from(bytes),
        (false, Cow::Owned(bytes)) => Body::from(bytes),
    };
    (status, headers, body).into_response()
}

/// Whether the client has this version.
fn is_known(tag: &str, headers: &HeaderMap) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut known = known.flat_map(|value| value.split(',')).map(str::trim);
    known.any(|one| one == "*" || one.trim_start_matches("W/") == tag)
}

/// The compression of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    Brotli,
    Gzip,
}

impl Coding {
    fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The suffix of the ETag: other bytes have another tag.
    fn ending(self) -> &'static str {
        match self {
            Self::Brotli => "-br",
            Self::Gzip => "-gzip",
        }
    }
}

/// The smallest encoding that the client accepts; none when the binary is damaged.
fn best(file: &'static File, headers: &HeaderMap) -> Option<(Option<Coding>, Cow<'static, [u8]>)> {
    let twins = [(Coding::Brotli, file.br), (Coding::Gzip, file.gzip)];
    let mut taken = twins.into_iter().filter_map(|(coding, bytes)| Some((coding, bytes?)));
    if let Some((coding, bytes)) = taken.find(|(coding, _)| accepts(headers, coding.name())) {
        return Some((Some(coding), bytes.into()));
    }
    let plain = file.plain.map(Cow::Borrowed);
    Some((None, plain.or_else(|| unpacked(file.gzip?).map(Cow::Owned))?))
}

/// What was compressed by gzip.
pub(crate) fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut plain).ok()?;
    Some(plain)
}

/// Whether a client accepts an encoding.
pub(crate) fn accepts(headers: &HeaderMap, name: &str) -> bool {
    let asked = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let asked: Vec<&str> = asked.flat_map(|value| value.split(',')).collect();
    takes(&asked, name)
}

/// Whether `Accept-Encoding` allows an encoding: by its name, else by `*`; `q=0` excludes it (RFC 9110,
/// 12.5.3).
fn takes(asked: &[&str], name: &str) -> bool {
    let of = |wanted: &str| {
        asked.iter().find_map(|one| {
            let (coding, weight) = one.split_once(';').unwrap_or((one, "q=1"));
            let weight = weight.trim().trim_start_matches(['q', 'Q']).trim_start_matches('=');
            let is_it = coding.trim().eq_ignore_ascii_case(wanted);
            is_it.then(|| weight.parse::<f32>().is_ok_and(|weight| weight > 0.0))
        })
    };
    of(name).or_else(|| of("*")).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codings_are_taken_as_they_are_asked_for() {
        for (asked, br, gzip) in [
            ("gzip, deflate, br, zstd", true, true),
            ("gzip;q=1.0, br;q=0", false, true),
            ("gzip; q=0.5", false, true),
            ("GZIP", false, true),
            ("*", true, true),
            ("*;q=0, gzip", false, true),
            ("br;q=nonsense", false, false),
            ("identity", false, false),
            ("", false, false),
        ] {
            let list: Vec<&str> = asked.split(',').collect();
            assert_eq!((takes(&list, "br"), takes(&list, "gzip")), (br, gzip), "{asked}");
        }
    }

    #[test]
    fn no_code_of_a_link_comes_into_the_log() {
        assert_eq!(ops::without_secrets("/join/qi_x"), "/join/…");
        assert_eq!(ops::without_secrets("/shared/0123"), "/shared/…");
        assert_eq!(ops::without_secrets("/api/v1/shared/0123"), "/api/v1/shared/…");
        for path in ["/join", "/api/v1/join", "/m/m1"] {
            assert_eq!(ops::without_secrets(path), path);
        }
    }

    #[test]
    fn addresses_of_the_page_are_told_from_files_and_from_the_interface() {
        let person = HeaderMap::from_iter([(
            header::ACCEPT,
            HeaderValue::from_static("text/html,application/xhtml+xml,*/*;q=0.8"),
        )]);
        let program = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static("*/*"))]);
        for (path, of_person, of_program) in [
            ("/", PathKind::Known, PathKind::Known),
            ("/m/20261122-abc/replay", PathKind::Known, PathKind::Known),
            ("/agents/Ada%20v2.1", PathKind::Known, PathKind::Known),
            ("/join/qi_x.y", PathKind::Known, PathKind::Known),
            ("/sign-in", PathKind::Known, PathKind::Known),
            ("/mm", PathKind::Unknown, PathKind::None),
            ("/nothing/here", PathKind::Unknown, PathKind::None),
            ("/favicon.ico", PathKind::None, PathKind::None),
            ("/main.js", PathKind::None, PathKind::None),
            ("/assets/old-1", PathKind::None, PathKind::None),
            ("/api/v2/meetings", PathKind::None, PathKind::None),
            ("/metrics/", PathKind::None, PathKind::None),
        ] {
            assert_eq!((place(path, &person), place(path, &program)), (of_person, of_program), "{path}");
        }
    }
}
