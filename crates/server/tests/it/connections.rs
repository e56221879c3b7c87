//! Idle connections, and more connections than there is room for.

use std::time::{Duration, Instant};

use quorate_server::{AccessOptions, LimitOptions};
use reqwest::{Method, StatusCode};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::access_server::App;

fn with(limits: LimitOptions) -> AccessOptions {
    AccessOptions { limits, ..AccessOptions::default() }
}

async fn connect(app: &App) -> TcpStream {
    TcpStream::connect(app.address).await.expect("a connection")
}

#[tokio::test]
async fn whoever_holds_connections_keeps_nobody_out() {
    let app = App::open(with(LimitOptions { connections: 8, ..LimitOptions::default() })).await;
    let post = "POST /api/v1/sessions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
        content-length: 100\r\n\r\n{";
    for (what, said) in [
        ("silent ones", ""),
        ("half a head", "GET /api/v1/me HTTP/1.1\r\nhost: loc"),
        ("half of HTTP/2", "PRI * HTTP/2.0\r\n"),
        ("a body that never comes", post),
        (
            "a WebSocket on which nobody signs in",
            "GET /api/v1/ws HTTP/1.1\r\nhost: localhost\r\n\
            connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
            sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        ),
    ] {
        let mut held = Vec::new();
        for _ in 0..40 {
            let mut one = connect(&app).await;
            one.write_all(said.as_bytes()).await.expect("written");
            held.push(one);
        }
        let begun = Instant::now();
        let client = reqwest::Client::new();
        let asked = client.get(format!("{}/healthz", app.url)).send();
        let answer = timeout(Duration::from_secs(5), asked).await;
        let answer = answer.unwrap_or_else(|_| panic!("{what}: no answer")).expect(what);
        assert_eq!(answer.status(), StatusCode::OK, "{what} after {:?}", begun.elapsed());
    }
}

#[tokio::test]
async fn a_stream_of_somebody_is_not_cut_for_those_who_hold_connections() {
    let app = App::alone(with(LimitOptions { connections: 4, ..LimitOptions::default() })).await;
    app.meeting("m1").await;
    let events = app.client.get(format!("{}/api/v1/meetings/m1/events", app.url)).send().await;
    let mut events = events.expect("a stream");
    assert!(events.chunk().await.expect("the first events").is_some());
    let mut held = Vec::new();
    for _ in 0..40 {
        held.push(connect(&app).await);
    }
    let say = app.ask(Method::PATCH, "/meetings/m1", &[], Some(json!({ "topic": "Is it?" }))).await;
    assert_eq!(say.status, StatusCode::OK, "{}", say.body);
    let heard = async {
        loop {
            let piece = events.chunk().await.expect("it is still told").expect("it goes on");
            if String::from_utf8_lossy(&piece).contains("Is it?") {
                return;
            }
        }
    };
    timeout(Duration::from_secs(5), heard).await.expect("what happened is told");
}

#[tokio::test]
async fn a_connection_that_is_only_kept_alive_is_closed() {
    let limits = LimitOptions { connection_idle_seconds: 1, ..LimitOptions::default() };
    let app = App::alone(with(limits)).await;
    let (client, connection) = h2::client::handshake(connect(&app).await).await.expect("HTTP/2");
    let mut connection = Box::pin(connection);
    let mut pings = connection.ping_pong().expect("pings");
    let begun = Instant::now();
    let pinging = async {
        while pings.ping(h2::Ping::opaque()).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let closed = async {
        tokio::select! {
            _ = connection.as_mut() => {}
            () = pinging => {}
        }
    };
    timeout(Duration::from_secs(10), closed).await.expect("pings keep nothing open");
    assert!(begun.elapsed() >= Duration::from_millis(900), "{:?}", begun.elapsed());
    drop(client);
}

#[tokio::test]
async fn an_answer_that_nobody_takes_does_not_keep_its_connection() {
    let limits = LimitOptions { connections: 4, ..LimitOptions::default() };
    let app = App::open(with(limits)).await;
    let mut held = Vec::new();
    for _ in 0..4 {
        let mut one = connect(&app).await;
        one.write_all(b"GET /api/v1/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n").await.expect("asked");
        held.push(one);
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    let answer = timeout(Duration::from_secs(5), app.ask(Method::GET, "/healthz", &[], None)).await;
    assert_eq!(answer.expect("in time").status, StatusCode::OK);
    for mut one in held {
        let mut piece = [0; 16];
        _ = timeout(Duration::from_secs(1), one.read(&mut piece)).await;
    }
}

#[tokio::test]
async fn made_up_methods_and_paths_are_counted_as_one() {
    let app = App::alone(AccessOptions::default()).await;
    let before = app.ask(Method::GET, "/metrics", &[], None).await.body.to_string().len();
    for number in 0..300 {
        let method = Method::from_bytes(format!("BREW{number}").as_bytes()).expect("a method");
        app.ask(method, &format!("/tea/{number}"), &[], None).await;
        app.ask(Method::GET, &format!("/tea/{number}"), &[], None).await;
    }
    let text = app.ask(Method::GET, "/metrics", &[], None).await.body.to_string();
    assert!(!text.contains("BREW") && !text.contains("tea"), "{text}");
    assert!(text.contains(r#"method=\"other\""#), "{text}");
    assert!(text.len() < before + 10_000, "{} after {before}", text.len());
}
