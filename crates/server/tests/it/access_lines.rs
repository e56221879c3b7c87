//! Connections: encrypted, slow, and when the server stops.

use std::time::{Duration, Instant};

use quorate_server::{AccessOptions, LimitOptions, ServeOptions, Tls, serve_with};
use reqwest::Version;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use crate::access_server::App;

/// A certificate for this machine, and its key, in a folder.
fn certificate(folder: &std::path::Path) -> String {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    std::fs::write(folder.join("cert.pem"), made.cert.pem()).expect("written");
    std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).expect("written");
    made.cert.pem()
}

#[tokio::test]
async fn an_encrypted_server_speaks_both_versions_and_takes_a_new_certificate() {
    quorate_runners::install_tls();
    let folder = tempfile::tempdir().expect("a folder");
    let first = certificate(folder.path());
    let tls =
        Tls::open(folder.path().join("cert.pem"), folder.path().join("key.pem")).expect("a certificate");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let (stop, stopped) = oneshot::channel::<()>();
    let pages = axum::Router::new().route("/", axum::routing::get(async || "here"));
    let with = tls.clone();
    let running = tokio::spawn(async move {
        let limits = LimitOptions { head_seconds: 1, ..LimitOptions::default() };
        let options = ServeOptions { tls: Some(with), limits, ..ServeOptions::default() };
        serve_with(listener, pages, options, async move { _ = stopped.await }).await
    });
    let url = format!("https://localhost:{port}/");
    let client = |pem: &str, old: bool| {
        let root = reqwest::Certificate::from_pem(pem.as_bytes()).expect("a certificate");
        let builder = reqwest::Client::builder().tls_certs_only([root]);
        let builder = if old { builder.http1_only() } else { builder };
        builder.build().expect("a client")
    };
    for (old, version) in [(true, Version::HTTP_11), (false, Version::HTTP_2)] {
        let answer = client(&first, old).get(&url).send().await.expect("an answer");
        assert_eq!(answer.version(), version);
        assert_eq!(answer.text().await.expect("text"), "here");
    }
    let second = certificate(folder.path());
    tls.reload().expect("the new one");
    assert!(client(&first, true).get(&url).send().await.is_err(), "the old one is not shown any more");
    assert!(client(&second, true).get(&url).send().await.is_ok());
    std::fs::write(folder.path().join("key.pem"), "nothing").expect("written");
    assert!(tls.reload().is_err());
    assert!(client(&second, true).get(&url).send().await.is_ok(), "what is not right changes nothing");

    let mut silent = TcpStream::connect(("127.0.0.1", port)).await.expect("a connection");
    let cut = tokio::time::timeout(Duration::from_secs(10), silent.read(&mut [0; 16])).await;
    assert!(matches!(cut, Ok(Ok(0) | Err(_))), "who never greets is cut");
    drop(stop);
    running.await.expect("no panic").expect("stopped");
}

#[tokio::test]
async fn whoever_writes_a_head_forever_is_cut() {
    let limits = LimitOptions { head_seconds: 1, ..LimitOptions::default() };
    let app = App::alone(AccessOptions { limits, ..AccessOptions::default() }).await;
    let mut slow = TcpStream::connect(app.address).await.expect("a connection");
    slow.write_all(b"GET /api/v1/me HTTP/1.1\r\nhost: localhost\r\nx-a: ").await.expect("written");
    let begun = Instant::now();
    let mut heard = Vec::new();
    let cut = tokio::time::timeout(Duration::from_secs(20), slow.read_to_end(&mut heard)).await;
    assert!(cut.is_ok(), "still open after {:?}", begun.elapsed());
}

#[tokio::test]
async fn a_server_that_stops_answers_what_is_under_way() {
    let mut app = App::alone(AccessOptions::default()).await;
    let mut line = TcpStream::connect(app.address).await.expect("a connection");
    let body = r#"{"name": "build", "scope": "read"}"#;
    let (half, rest) = body.split_at(10);
    let head = format!(
        "POST /api/v1/tokens HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{half}",
        body.len()
    );
    line.write_all(head.as_bytes()).await.expect("half a request");
    // It is under way once another one that came later is answered.
    assert_eq!(app.ask(reqwest::Method::GET, "/me", &[], None).await.status, 200);
    drop(app.stop.take());
    while TcpStream::connect(app.address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    line.write_all(rest.as_bytes()).await.expect("the rest");
    let mut heard = String::new();
    line.read_to_string(&mut heard).await.expect("an answer");
    assert!(heard.starts_with("HTTP/1.1 201"), "{heard}");
    let stopped = tokio::time::timeout(Duration::from_secs(15), &mut app.running).await;
    stopped.expect("in time").expect("no panic").expect("well");
}
