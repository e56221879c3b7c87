//! WebSocket frames as no client of ours writes them, and what one token may not do over a socket.

use std::time::Duration;

use futures::{SinkExt, StreamExt};
use quorate_server::{AccessOptions, LimitOptions};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Error, Message, client::IntoClientRequest};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::access::generous;
use crate::access_server::App;

const SOON: Duration = Duration::from_secs(20);
const FINAL: u8 = 0x80;
const GOES_ON: u8 = 0;
const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PING: u8 = 9;

/// One frame with a mask, or without one.
fn frame(first: u8, text: &[u8], masked: bool) -> Vec<u8> {
    let mask = if masked { 0x80 } else { 0 };
    let mut frame = vec![first];
    match text.len() {
        short @ 0..126 => frame.push(mask | short as u8),
        long @ 126..65_536 => {
            frame.push(mask | 126);
            frame.extend((long as u16).to_be_bytes());
        }
        longer => {
            frame.push(mask | 127);
            frame.extend((longer as u64).to_be_bytes());
        }
    }
    let key = [1, 2, 3, 4];
    if masked {
        frame.extend(key);
    }
    frame.extend(text.iter().enumerate().map(|(at, byte)| if masked { byte ^ key[at % 4] } else { *byte }));
    frame
}

/// A socket of which each byte is one's own.
struct Bare(TcpStream);

impl Bare {
    async fn open(app: &App) -> Self {
        let mut line = TcpStream::connect(app.address).await.expect("a connection");
        let request = "GET /api/v1/ws HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
                       sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        line.write_all(request.as_bytes()).await.expect("written");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(line.read_u8().await.expect("a head"));
        }
        assert!(head.starts_with(b"HTTP/1.1 101"));
        Self(line)
    }

    async fn send(&mut self, bytes: &[u8]) {
        // It may be closed before it is written.
        _ = self.0.write_all(bytes).await;
    }

    /// The next frame: what sort, and what it says; nothing when the line is closed.
    async fn hear(&mut self) -> Option<(u8, Vec<u8>)> {
        let reading = async {
            let first = self.0.read_u8().await.ok()?;
            let length = match self.0.read_u8().await.ok()? {
                126 => self.0.read_u16().await.ok()?.into(),
                127 => self.0.read_u64().await.ok()?,
                short => short.into(),
            };
            let mut text = vec![0; usize::try_from(length).ok()?];
            self.0.read_exact(&mut text).await.ok()?;
            Some((first & 0x0f, text))
        };
        timeout(SOON, reading).await.expect("in time")
    }

    /// The code with which the other end closes, 1005 when it gives none; nothing when it only hangs up.
    async fn closing(&mut self) -> Option<u16> {
        loop {
            if let (CLOSE, text) = self.hear().await? {
                return Some(text.first_chunk().map_or(1005, |code| u16::from_be_bytes(*code)));
            }
        }
    }

    /// Whether the connection is closed, after any further frames.
    async fn is_closed(&mut self) -> bool {
        loop {
            match self.hear().await {
                None => return true,
                Some((8, _)) => return true,
                Some(_) => {}
            }
        }
    }
}

#[tokio::test]
async fn frames_in_pieces_are_put_together_and_others_end_the_line() {
    let app = App::alone(AccessOptions::default()).await;
    let mut line = Bare::open(&app).await;
    let ping = br#"{"type":"ping","id":7}"#;
    let (first, rest) = ping.split_at(5);
    let (second, third) = rest.split_at(5);
    line.send(&frame(TEXT, first, true)).await;
    line.send(&frame(FINAL | PING, b"between", true)).await;
    line.send(&frame(GOES_ON, second, true)).await;
    line.send(&frame(FINAL | GOES_ON, third, true)).await;
    let (mut pong, mut answer) = (false, None);
    while answer.is_none() || !pong {
        match line.hear().await.expect("it stays open") {
            (10, text) => pong = text == b"between",
            (1, text) => answer = Some(serde_json::from_slice::<Value>(&text).expect("JSON")),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(answer, Some(json!({"type": "pong", "id": 7})));
    let unfinished: Vec<u8> =
        (0..2_000).flat_map(|n| frame(if n == 0 { TEXT } else { GOES_ON }, &[b' '; 100], true)).collect();
    for (code, what, bytes) in [
        (1002u16, "no mask", frame(FINAL | TEXT, ping, false)),
        (1009, "too large", frame(FINAL | TEXT, &[b' '; 65 << 10], true)),
        (1009, "too large in pieces", unfinished),
        (
            1009,
            "a length that never comes",
            [&[FINAL | TEXT, 0xff][..], &u64::MAX.to_be_bytes(), &[0; 4]].concat(),
        ),
        (1002, "a reserved bit", frame(FINAL | 0x40 | TEXT, ping, true)),
        (1002, "an unknown sort", frame(FINAL | 3, ping, true)),
        (1002, "a ping in pieces", frame(PING, b"x", true)),
        (1002, "a ping that is too long", frame(FINAL | PING, &[b'x'; 126], true)),
        (1002, "what goes on without a beginning", frame(FINAL | GOES_ON, b"x", true)),
        (1007, "no UTF-8", frame(FINAL | TEXT, &[0xff, 0xfe], true)),
    ] {
        let mut line = Bare::open(&app).await;
        line.send(&bytes).await;
        assert_eq!(line.closing().await, Some(code), "{what}");
        assert!(line.is_closed().await, "{what}");
    }
    // Whoever closes is answered, as a close that is orderly on both sides.
    for given in [&[][..], &1000u16.to_be_bytes(), &4000u16.to_be_bytes()] {
        let mut line = Bare::open(&app).await;
        line.send(&frame(FINAL | CLOSE, given, true)).await;
        let answer = line.closing().await;
        let code = given.first_chunk::<2>().map(|code| u16::from_be_bytes(*code));
        assert_eq!(answer.filter(|_| code.is_some()), code, "{given:?}");
        assert!(answer.is_some(), "{given:?}");
    }
    let mut line = Bare::open(&app).await;
    for _ in 0..200 {
        let pings: Vec<u8> = (0..100).flat_map(|_| frame(FINAL | PING, b"flood", true)).collect();
        line.send(&pings).await;
    }
    line.send(&frame(FINAL | TEXT, ping, true)).await;
    while line.hear().await.expect("it stays open").0 != TEXT {}
}

async fn socket(app: &App, token: &str) -> Result<WebSocketStream<MaybeTlsStream<TcpStream>>, u16> {
    let mut request = format!("ws://{}/api/v1/ws", app.address).into_client_request().expect("a request");
    if !token.is_empty() {
        let bearer = format!("Bearer {token}").parse().expect("a header");
        request.headers_mut().insert("authorization", bearer);
    }
    match connect_async(request).await {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(response)) => Err(response.status().as_u16()),
        Err(other) => panic!("{other}"),
    }
}

async fn ask(socket: &mut WebSocketStream<MaybeTlsStream<TcpStream>>, message: Value) -> Value {
    socket.send(Message::text(message.to_string())).await.expect("sent");
    loop {
        match timeout(SOON, socket.next()).await.expect("in time") {
            Some(Ok(Message::Text(text))) => {
                let heard: Value = serde_json::from_str(&text).expect("JSON");
                if heard["type"] != "event" {
                    return heard;
                }
            }
            Some(Ok(Message::Close(frame))) => {
                return json!({"closed": frame.map(|frame| u16::from(frame.code))});
            }
            Some(Ok(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_token_does_over_a_socket_what_it_may_and_no_more() {
    let app = App::open(generous()).await;
    app.meeting("m1").await;
    app.meeting("m2").await;
    let owner = app.owner().await.text("access_token");
    let body = json!({"name": "b", "scope": "speak", "meeting": "m1"});
    let bound = app.token(&owner, body).await.text("token");
    let reads = app.token(&owner, json!({"name": "r", "scope": "read"})).await.text("token");
    for (token, message, status) in [
        (&bound, json!({"type": "subscribe", "meeting": "m2"}), 404),
        (&bound, json!({"type": "say", "meeting": "m2", "content": "x"}), 404),
        (&bound, json!({"type": "end", "meeting": "m2"}), 404),
        (&bound, json!({"type": "pause", "meeting": "m1"}), 403),
        (&bound, json!({"type": "end", "meeting": "m1"}), 403),
        (&reads, json!({"type": "say", "meeting": "m1", "content": "x"}), 403),
        (&reads, json!({"type": "request_speaker", "meeting": "m1", "participant": "Ben"}), 403),
        (&reads, json!({"type": "subscribe", "meeting": "../m1"}), 404),
        (&reads, json!({"type": "subscribe", "meeting": "m1", "after": 99}), 422),
    ] {
        let mut socket = socket(&app, token).await.expect("a socket");
        let heard = ask(&mut socket, message.clone()).await;
        assert_eq!(heard["problem"]["status"], status, "{message}: {heard}");
    }
    for (message, code) in [
        (json!({"type": "subscribe", "meeting": "m1"}), 401),
        (json!({"type": "sign_in", "token": "qt_nonsense"}), 401),
        (json!({"type": "sign_in", "token": 7}), 401),
    ] {
        let mut nobody = socket(&app, "").await.expect("a socket");
        let heard = ask(&mut nobody, message.clone()).await;
        assert_eq!(heard["problem"]["status"], code, "{message}: {heard}");
    }
    let mut wrong = socket(&app, "").await.expect("a socket");
    let heard = ask(&mut wrong, json!({"type": "sign_in", "token": "qt_nonsense"})).await;
    assert!(
        heard["problem"]["detail"]
            .as_str()
            .is_some_and(|told| told.contains("Token") || told.contains("token")),
        "{heard}"
    );
    let mut late = socket(&app, "").await.expect("a socket");
    assert_eq!(ask(&mut late, json!({"type": "sign_in", "token": bound})).await["type"], "ack");
    assert_eq!(ask(&mut late, json!({"type": "subscribe", "meeting": "m1"})).await["type"], "ack");
    assert_eq!(socket(&app, "qt_nonsense").await.err(), Some(401));
}

#[tokio::test]
async fn whoever_never_signs_in_is_hung_up_whatever_they_say() {
    let app = App::open(generous()).await;
    let mut nobody = socket(&app, "").await.expect("a socket");
    let listening = async {
        let mut ticks = tokio::time::interval(Duration::from_millis(500));
        loop {
            tokio::select! {
                _ = ticks.tick() => {
                    _ = nobody.send(Message::text(r#"{"type":"ping"}"#)).await;
                }
                heard = nobody.next() => match heard {
                    Some(Ok(Message::Close(frame))) => return frame.map(|frame| u16::from(frame.code)),
                    Some(Ok(_)) => {}
                    _ => return None,
                },
            }
        }
    };
    let closed = timeout(SOON, listening).await.expect("it is hung up in time");
    assert_eq!(closed, Some(1008));
}

#[tokio::test]
async fn messages_and_lines_have_their_limits() {
    let limits = LimitOptions { live_lines: 2, requests_per_minute: 40, ..generous().limits };
    let app = App::open(AccessOptions { limits, ..generous() }).await;
    app.meeting("m1").await;
    let owner = app.owner().await.text("access_token");
    let token = app.token(&owner, json!({"name": "t", "scope": "speak"})).await.text("token");
    let address = format!("{}/api/v1/meetings/m1/events", app.url);
    let stream = app.client.get(&address).header("authorization", format!("Bearer {token}"));
    let stream = stream.send().await.expect("an answer");
    let mut first = socket(&app, &token).await.expect("a socket");
    assert_eq!(socket(&app, &token).await.err(), Some(429), "a third line");
    let third = app.by(&token, Method::GET, "/meetings/m1/events", None).await;
    assert_eq!(
        (third.status, third.headers["retry-after"].to_str().ok()),
        (StatusCode::TOO_MANY_REQUESTS, Some("5"))
    );
    let mut without = socket(&app, "").await.expect("a socket");
    let heard = ask(&mut without, json!({"type": "sign_in", "token": token})).await;
    assert_eq!(heard["problem"]["status"], 429, "a line that signs in late is counted, too: {heard}");
    drop(stream);
    let mut said = Value::Null;
    for number in 0..60 {
        said = ask(&mut first, json!({"type": "ping", "id": number})).await;
        if said["type"] == "problem" {
            break;
        }
    }
    assert_eq!(said["problem"]["status"], 429, "messages are counted like requests: {said}");
    assert!(said["problem"]["retry_after"].as_u64().is_some_and(|seconds| seconds >= 1), "{said}");
}
