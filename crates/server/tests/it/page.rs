//! The page as a browser asks for it: addresses, files, what is kept of them, and what it may do.

use quorate_page::{File, Page};
use reqwest::header::HeaderMap;
use reqwest::{Client, Method, StatusCode};
use serde_json::Value;

use crate::access_server::App;
use crate::test_server::Rig;

const INDEX: &[u8] = b"<!doctype html><p>the page";
const SCRIPT: &[u8] = b"console.log('plain')";

const PACKED: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xb3\x29\x2e\x4b\xd7\xb7\x03\x00\x49\xfb\xb9\xac\x06\x00\x00\x00";

/// A page as it is built, in small.
static FILES: &[File] = &[
    File {
        path: "assets/index-B2x.js",
        media: "text/javascript; charset=utf-8",
        hash: "5c21f7",
        is_hashed: true,
        plain: Some(SCRIPT),
        br: Some(b"by brotli"),
        gzip: Some(b"by gzip"),
    },
    File {
        path: "diagram.html",
        media: "text/html; charset=utf-8",
        hash: "2e4b11",
        is_hashed: false,
        plain: Some(b"<!doctype html><script src=/assets/x.js></script>"),
        br: None,
        gzip: None,
    },
    File {
        path: "index.html",
        media: "text/html; charset=utf-8",
        hash: "1d3a00",
        is_hashed: false,
        plain: Some(INDEX),
        br: None,
        gzip: None,
    },
    File {
        path: "mark.svg",
        media: "image/svg+xml",
        hash: "0a0b0c",
        is_hashed: false,
        plain: Some(b"<svg/>"),
        br: None,
        gzip: None,
    },
    // `<svg/>`, kept by gzip alone.
    File {
        path: "packed.svg",
        media: "image/svg+xml",
        hash: "0d0e0f",
        is_hashed: false,
        plain: None,
        br: None,
        gzip: Some(PACKED),
    },
];

const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

struct Seen {
    status: StatusCode,
    headers: HeaderMap,
    bytes: Vec<u8>,
}

impl Seen {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

async fn send(url: &str, method: Method, path: &str, headers: &[(&str, &str)]) -> Seen {
    let mut request =
        Client::builder().gzip(false).build().expect("a client").request(method, format!("{url}{path}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().await.expect("an answer");
    let (status, headers) = (response.status(), response.headers().clone());
    Seen { status, headers, bytes: response.bytes().await.expect("a body").into() }
}

async fn get(rig: &Rig, path: &str, headers: &[(&str, &str)]) -> Seen {
    send(&rig.url, Method::GET, path, headers).await
}

#[tokio::test]
async fn every_address_of_the_page_is_the_page() {
    let rig = Rig::showing(Page::of(FILES)).await;
    let at = [
        "/",
        "/new",
        "/meetings?q=x",
        "/m/m1",
        "/m/m1/result",
        "/agents/Ada.v2",
        "/settings/tokens",
        "/sign-in",
    ];
    for path in at {
        let seen = get(&rig, path, &[]).await;
        assert_eq!((seen.status, &*seen.bytes), (StatusCode::OK, INDEX), "{path}");
        assert_eq!(seen.header("content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(seen.header("cache-control"), "no-cache", "{path}");
    }
    let mark = get(&rig, "/mark.svg", &[]).await;
    assert_eq!((mark.status, mark.header("content-type")), (StatusCode::OK, "image/svg+xml"));
    assert_eq!(mark.header("cache-control"), "no-cache");
}

#[tokio::test]
async fn what_is_not_there_is_said_to_people_by_the_page_and_to_programs_as_a_problem() {
    let rig = Rig::showing(Page::of(FILES)).await;
    let lost = get(&rig, "/meetngs", &[BROWSER]).await;
    assert_eq!((lost.status, &*lost.bytes), (StatusCode::NOT_FOUND, INDEX));
    for (path, headers) in [
        ("/meetngs", [("accept", "*/*")]),
        ("/assets/index-old.js", [BROWSER]),
        ("/assets/", [BROWSER]),
        ("/main.js", [BROWSER]),
        ("/favicon.ico", [BROWSER]),
        ("/.env", [BROWSER]),
        ("/api/v1/nothing", [BROWSER]),
        ("/api", [BROWSER]),
        ("/metrics/x", [BROWSER]),
    ] {
        let seen = get(&rig, path, &headers).await;
        assert_eq!(seen.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(seen.header("content-type"), "application/problem+json", "{path}");
        assert_eq!(seen.header("cache-control"), "no-store", "{path}");
        let problem: Value = serde_json::from_slice(&seen.bytes).expect("JSON");
        assert!(
            problem["hint"].as_str().is_some_and(|hint| hint.contains("/api/v1/docs")),
            "{path}: {problem}"
        );
    }
}

#[tokio::test]
async fn files_travel_as_small_as_the_browser_can_read_them() {
    let rig = Rig::showing(Page::of(FILES)).await;
    let mut tags = std::collections::BTreeSet::new();
    for (asked, coding, bytes) in [
        ("gzip, deflate, br, zstd", "br", &b"by brotli"[..]),
        ("gzip;q=1.0, br;q=0", "gzip", b"by gzip"),
        ("*", "br", b"by brotli"),
        ("identity", "", SCRIPT),
        ("br;q=0, gzip;q=0", "", SCRIPT),
    ] {
        let seen = get(&rig, "/assets/index-B2x.js", &[("accept-encoding", asked)]).await;
        assert_eq!((seen.header("content-encoding"), &*seen.bytes), (coding, bytes), "{asked}");
        assert_eq!(seen.header("content-type"), "text/javascript; charset=utf-8", "{asked}");
        assert_eq!(seen.header("cache-control"), "public, max-age=31536000, immutable", "{asked}");
        assert_eq!(seen.header("vary"), "accept-encoding", "{asked}");
        tags.insert(seen.header("etag").to_owned());
    }
    assert_eq!(tags.len(), 3, "each form has a tag of its own: {tags:?}");
    let plain = get(&rig, "/mark.svg", &[("accept-encoding", "br, gzip")]).await;
    assert_eq!((plain.header("content-encoding"), &*plain.bytes), ("", &b"<svg/>"[..]), "it has no twins");
    for (asked, coding, bytes) in [("br, gzip", "gzip", PACKED), ("identity", "", b"<svg/>")] {
        let seen = get(&rig, "/packed.svg", &[("accept-encoding", asked)]).await;
        assert_eq!((seen.header("content-encoding"), &*seen.bytes), (coding, bytes), "{asked}");
        assert_eq!(seen.header("content-length"), bytes.len().to_string(), "{asked}");
    }
}

#[tokio::test]
async fn what_a_browser_has_is_not_sent_again() {
    let rig = Rig::showing(Page::of(FILES)).await;
    let tag = get(&rig, "/", &[]).await.header("etag").to_owned();
    assert_eq!(tag, "\"1d3a00\"");
    for known in [&*tag, &format!("W/{tag}"), &format!("\"other\", {tag}"), "*"] {
        let seen = get(&rig, "/m/m1", &[("if-none-match", known)]).await;
        assert_eq!((seen.status, seen.bytes.len()), (StatusCode::NOT_MODIFIED, 0), "{known}");
        assert_eq!((seen.header("etag"), seen.header("cache-control")), (&*tag, "no-cache"), "{known}");
    }
    assert_eq!(get(&rig, "/", &[("if-none-match", "\"other\"")]).await.status, StatusCode::OK);
    let script = "/assets/index-B2x.js";
    let of_brotli = [("if-none-match", "\"5c21f7-br\""), ("accept-encoding", "br")];
    assert_eq!(get(&rig, script, &of_brotli).await.status, StatusCode::NOT_MODIFIED);
    let of_plain = [("if-none-match", "\"5c21f7-br\""), ("accept-encoding", "identity")];
    assert_eq!(get(&rig, script, &of_plain).await.status, StatusCode::OK, "other bytes are under way");
}

#[tokio::test]
async fn the_head_alone_can_be_asked_for_and_nothing_can_be_sent() {
    let rig = Rig::showing(Page::of(FILES)).await;
    let head = send(&rig.url, Method::HEAD, "/new", &[]).await;
    assert_eq!((head.status, head.bytes.len()), (StatusCode::OK, 0));
    assert_eq!(head.header("content-length"), INDEX.len().to_string());
    assert_eq!(head.header("etag"), "\"1d3a00\"");
    for (method, path, status) in [
        (Method::POST, "/new", 405),
        (Method::DELETE, "/mark.svg", 405),
        (Method::PUT, "/nothing", 404),
        (Method::POST, "/assets/none.js", 404),
    ] {
        let seen = send(&rig.url, method.clone(), path, &[BROWSER]).await;
        assert_eq!(seen.status.as_u16(), status, "{method} {path}");
        assert_eq!(seen.header("content-type"), "application/problem+json", "{method} {path}");
        assert_eq!(seen.header("allow"), if status == 405 { "GET, HEAD" } else { "" }, "{method} {path}");
    }
}

#[tokio::test]
async fn the_page_may_do_little_and_tells_nobody_where_one_came_from() {
    let rig = Rig::showing(Page::of(FILES)).await;
    for path in ["/", "/join/qi_secret", "/assets/index-B2x.js"] {
        let seen = get(&rig, path, &[]).await;
        let policy = seen.header("content-security-policy");
        for (rule, is_there) in [
            ("default-src 'self';", true),
            ("script-src 'self';", true),
            ("connect-src 'self';", true),
            ("img-src 'self' data: blob:;", true),
            ("frame-ancestors 'none';", true),
            ("object-src 'none'", true),
            ("unsafe-eval", false),
            ("script-src 'self' 'unsafe-inline'", false),
        ] {
            assert_eq!(policy.contains(rule), is_there, "{path}: {rule} in {policy}");
        }
        assert_eq!(seen.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(seen.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(seen.header("x-frame-options"), "DENY", "{path}");
        assert!(!seen.headers.contains_key("set-cookie"), "{path}");
    }
}

#[tokio::test]
async fn the_frame_that_draws_diagrams_has_no_origin_and_fetches_only_its_script() {
    let rig = Rig::showing(Page::of(FILES)).await;
    for known in [&[][..], &[("if-none-match", "\"2e4b11\"")]] {
        let seen = get(&rig, "/diagram.html", known).await;
        let policy = seen.header("content-security-policy");
        let rules: Vec<&str> = policy.split("; ").collect();
        for rule in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'unsafe-inline'",
            "frame-ancestors 'self'",
            "sandbox allow-scripts",
        ] {
            assert!(rules.contains(&rule), "{rule} in {policy}");
        }
        for rule in ["connect-src", "img-src", "frame-src", "unsafe-eval", "allow-same-origin"] {
            assert!(!policy.contains(rule), "{rule} in {policy}");
        }
        assert_eq!(seen.header("x-frame-options"), "SAMEORIGIN");
        assert_eq!(seen.header("cache-control"), "no-cache");
    }
}

#[tokio::test]
async fn whoever_has_not_signed_in_gets_the_page_and_no_more() {
    let app = App::open(Default::default()).await;
    for headers in
        [&[BROWSER][..], &[("authorization", "Bearer qt_nonsense")], &[("cookie", "quorate_access=x")]]
    {
        let page = send(&app.url, Method::GET, "/m/m1", headers).await;
        assert_eq!((page.status, page.header("content-type")), (StatusCode::OK, "text/html; charset=utf-8"));
        let data = send(&app.url, Method::GET, "/api/v1/meetings", headers).await;
        assert_eq!(data.status, StatusCode::UNAUTHORIZED);
    }
    let alone = App::alone(Default::default()).await;
    let rebound = send(&alone.url, Method::GET, "/", &[("host", "evil.example")]).await;
    assert_eq!(rebound.status, StatusCode::MISDIRECTED_REQUEST, "names that are not ours get nothing");
}

#[tokio::test]
async fn health_says_whether_there_is_a_page_and_counters_know_it() {
    let rig = Rig::showing(Page::of(FILES)).await;
    let health = |seen: Seen| serde_json::from_slice::<Value>(&seen.bytes).expect("JSON");
    let with = health(get(&rig, "/healthz", &[]).await);
    assert_eq!((with["status"].as_str(), with["page"].as_str()), (Some("ok"), Some("embedded")));
    get(&rig, "/m/m1", &[]).await;
    let metrics = String::from_utf8(get(&rig, "/metrics", &[]).await.bytes).expect("text");
    assert!(metrics.contains(r#"route="page""#) && !metrics.contains("/m/m1"), "{metrics}");

    let own = health(get(&Rig::start().await, "/healthz", &[]).await);
    let state = if Page::embedded().is_fallback() { "fallback" } else { "embedded" };
    assert_eq!(own["page"], state, "that of this build");
    assert_eq!(own["pdf"], false, "no program that makes PDFs was given");
}
