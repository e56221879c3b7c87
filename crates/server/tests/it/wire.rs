//! Requests as no client of ours writes them: two lengths, chunks with endless names, bodies that never come.

use std::time::{Duration, Instant};

use quorate_server::{AccessOptions, LimitOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::access_server::App;

/// The time limit of every step in these tests.
const SOON: Duration = Duration::from_secs(20);

/// Writes a request as it stands, and reads until the other end is silent for a moment or hangs up.
async fn raw(app: &App, request: &[u8]) -> String {
    let mut line = TcpStream::connect(app.address).await.expect("a connection");
    // It may be refused before it is written.
    _ = line.write_all(request).await;
    let (mut heard, mut piece) = (Vec::new(), [0; 16 << 10]);
    while let Ok(Ok(read @ 1..)) = timeout(Duration::from_millis(700), line.read(&mut piece)).await {
        heard.extend_from_slice(&piece[..read]);
    }
    String::from_utf8_lossy(&heard).into_owned()
}

fn statuses(heard: &str) -> Vec<u16> {
    let lines = heard.split("HTTP/1.1 ").skip(1);
    lines.filter_map(|rest| rest.get(..3)?.parse().ok()).collect()
}

async fn app() -> App {
    let limits = LimitOptions { head_seconds: 1, request_seconds: 1, ..LimitOptions::default() };
    App::alone(AccessOptions { limits, ..AccessOptions::default() }).await
}

#[tokio::test]
async fn nothing_is_smuggled_behind_a_request() {
    let app = app().await;
    let hidden = "GET /api/v1/hidden HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let post = "POST /api/v1/tokens HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    for (head, body) in [
        ("content-length: 0\r\ncontent-length: 51\r\n", hidden.to_owned()),
        ("content-length: 51, 0\r\n", hidden.to_owned()),
        ("content-length: +51\r\n", hidden.to_owned()),
        ("content-length: 0x33\r\n", hidden.to_owned()),
        ("content-length: -1\r\n", hidden.to_owned()),
        ("content-length: 99999999999999999999\r\n", hidden.to_owned()),
        ("transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n", format!("0\r\n\r\n{hidden}")),
        ("transfer-encoding: xchunked\r\n", format!("0\r\n\r\n{hidden}")),
        ("transfer-encoding: chunked, gzip\r\n", format!("0\r\n\r\n{hidden}")),
        ("transfer-encoding : chunked\r\n", format!("0\r\n\r\n{hidden}")),
        ("content-length: 4\r\n folded: x\r\n", hidden.to_owned()),
        ("x: a\rb\r\n", hidden.to_owned()),
    ] {
        let heard = raw(&app, format!("{post}{head}\r\n{body}").as_bytes()).await;
        let found = statuses(&heard);
        assert!(found.iter().all(|status| *status >= 400), "{head:?}: {heard}");
        assert!(found.len() <= 1, "{head:?} was answered more than once: {heard}");
    }
    // With both, the chunks hold, and the connection is good for nothing after it.
    let both = format!("{post}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n{hidden}");
    let heard = raw(&app, both.as_bytes()).await;
    assert!(statuses(&heard).iter().all(|status| *status >= 400), "{heard}");
}

#[tokio::test]
async fn heads_and_chunks_have_an_end() {
    let app = app().await;
    let get = "GET /api/v1/me HTTP/1.1\r\nhost: localhost\r\n";
    for (what, request) in [
        ("lines", format!("{get}{}\r\n", "x: y\r\n".repeat(200))),
        ("a line", format!("{get}x: {}\r\n\r\n", "y".repeat(200_000))),
        ("a path", format!("GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "x".repeat(100_000))),
        ("no host", "GET /api/v1/me HTTP/1.1\r\n\r\n".to_owned()),
        ("two hosts", format!("{get}host: evil.example\r\n\r\n")),
        ("another", "GET http://evil.example/api/v1/me HTTP/1.1\r\nhost: localhost\r\n\r\n".to_owned()),
        ("a tunnel", "CONNECT evil.example:80 HTTP/1.1\r\nhost: localhost\r\n\r\n".to_owned()),
        ("nonsense", "\u{0}\u{1}\u{2} nonsense\r\n\r\n".repeat(10)),
    ] {
        let heard = raw(&app, request.as_bytes()).await;
        let found = statuses(&heard);
        assert!(
            found.iter().all(|status| (400..500).contains(status)) && found.len() <= 1,
            "{what}: {heard}"
        );
    }
    let post = "POST /api/v1/tokens HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    for (what, chunks) in [
        ("an extension", format!("1;x={}\r\n{{\r\n0\r\n\r\n", "y".repeat(200_000))),
        (
            "many extensions",
            format!("{}0\r\n\r\n", "1;x=yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n \r\n".repeat(5_000)),
        ),
        ("a size", "FFFFFFFFFFFFFFFFFF\r\n{".to_owned()),
        ("a negative size", "-1\r\n{\r\n0\r\n\r\n".to_owned()),
        ("trailers", format!("0\r\n{}\r\n", "x: y\r\n".repeat(50_000))),
    ] {
        let heard = raw(&app, format!("{post}{chunks}").as_bytes()).await;
        assert!(statuses(&heard).iter().all(|status| (400..500).contains(status)), "{what}: {heard}");
    }
    assert_eq!(app.ask(reqwest::Method::GET, "/me", &[], None).await.status, 200, "it answers on");
}

#[tokio::test]
async fn whoever_is_slow_is_cut() {
    let app = app().await;
    let request = "POST /api/v1/tokens HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{";
    let upload =
        "POST /api/v1/meetings/m1/files?name=x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{";
    app.meeting("m1").await;
    for (what, said) in [
        ("silent from the beginning", ""),
        ("a letter", "G"),
        ("the beginning of another version", "PRI * HTTP/2.0\r\n"),
        ("half a head", "GET /api/v1/me HTTP/1.1\r\nhost: loc"),
        ("half a body", request),
        ("half a file", upload),
        ("silent after an answer", "GET /api/v1/me HTTP/1.1\r\nhost: localhost\r\n\r\n"),
    ] {
        let mut line = TcpStream::connect(app.address).await.expect("a connection");
        line.write_all(said.as_bytes()).await.expect("written");
        let (begun, mut heard) = (Instant::now(), Vec::new());
        let cut = timeout(SOON, line.read_to_end(&mut heard)).await;
        assert!(
            cut.is_ok(),
            "{what}: still open after {:?}: {}",
            begun.elapsed(),
            String::from_utf8_lossy(&heard)
        );
    }
    assert_eq!(
        app.ask(reqwest::Method::GET, "/meetings/m1/files", &[], None).await.body["items"],
        serde_json::json!([])
    );
}
