//! A server that speaks the wire format by script, down to where its bytes are cut, and that
//! keeps what it was sent.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Which connection it came on, counted from 0.
    pub connection: usize,
    /// The request line: `POST /v1/chat/completions`.
    pub line: String,
    pub headers: BTreeMap<String, String>,
    pub body: Value,
    /// The body.
    pub text: String,
}

/// One action of the server.
#[derive(Debug, Clone)]
pub enum Step {
    Bytes(Vec<u8>),
    Wait(Duration),
    /// Sends this many bytes `x`, as far as the client reads them.
    Flood(usize),
    /// Says nothing more until the client goes away.
    Hang,
    /// Closes the connection.
    Close,
}

struct State {
    seen: Mutex<Vec<Seen>>,
    script: Mutex<VecDeque<Vec<Step>>>,
    /// Told whenever a client has gone away.
    gone: Notify,
}

pub struct Server {
    address: std::net::SocketAddr,
    state: Arc<State>,
}

impl Server {
    /// Starts a server that answers one request after the other with these.
    pub async fn start(script: impl IntoIterator<Item = Vec<Step>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::new(State {
            seen: Mutex::default(),
            script: Mutex::new(script.into_iter().collect()),
            gone: Notify::new(),
        });
        let shared = state.clone();
        tokio::spawn(async move {
            for connection in 0.. {
                let Ok((socket, _)) = listener.accept().await else {
                    return;
                };
                let state = shared.clone();
                tokio::spawn(async move {
                    serve(socket, connection, &state).await;
                    state.gone.notify_one();
                });
            }
        });
        Self { address, state }
    }

    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.state.seen.lock().expect("no panic").clone()
    }

    /// Waits until a client has closed its connection.
    pub async fn client_gone(&self) {
        self.state.gone.notified().await;
    }
}

/// Answers on one connection until one side closes it.
async fn serve(mut socket: TcpStream, connection: usize, state: &State) {
    let mut read = Vec::new();
    while let Some(seen) = receive(&mut socket, connection, &mut read).await {
        state.seen.lock().expect("no panic").push(seen);
        let next = state.script.lock().expect("no panic").pop_front();
        let steps = next.unwrap_or_else(|| status(418, &[], "the script is over"));
        for step in steps {
            let done = match step {
                Step::Bytes(bytes) => socket.write_all(&bytes).await.is_ok(),
                Step::Wait(time) => {
                    tokio::time::sleep(time).await;
                    true
                }
                Step::Flood(size) => flood(&mut socket, size).await,
                Step::Hang => {
                    let mut byte = [0];
                    while socket.read(&mut byte).await.is_ok_and(|count| count > 0) {}
                    false
                }
                Step::Close => false,
            };
            if !done {
                return;
            }
        }
    }
}

async fn flood(socket: &mut TcpStream, size: usize) -> bool {
    let piece = [b'x'; 1 << 16];
    for _ in 0..size / piece.len() {
        if socket.write_all(&piece).await.is_err() {
            return false;
        }
    }
    true
}

/// Reads one request; nothing when the client has closed the connection.
async fn receive(socket: &mut TcpStream, connection: usize, read: &mut Vec<u8>) -> Option<Seen> {
    let head_end = loop {
        if let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if socket.read_buf(read).await.ok()? == 0 {
            return None;
        }
        // A client that starts TLS is told that the server does not support it.
        if read.first() == Some(&0x16) {
            socket.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.ok()?;
            return None;
        }
    };
    let head = String::from_utf8(read[..head_end].to_vec()).expect("heads are ASCII");
    let mut lines = head.lines();
    let line = lines.next()?.trim_end_matches(" HTTP/1.1").to_owned();
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length = headers.get("content-length").map_or(0, |n| n.parse().expect("a number"));
    while read.len() < head_end + 4 + length {
        if socket.read_buf(read).await.ok()? == 0 {
            return None;
        }
    }
    let rest = read.split_off(head_end + 4 + length);
    let text = String::from_utf8(read.split_off(head_end + 4)).expect("bodies are UTF-8");
    *read = rest;
    let body = serde_json::from_str(&text).unwrap_or_default();
    Some(Seen { connection, line, headers, body, text })
}

/// An answer of known length.
pub fn status(code: u16, headers: &[(&str, &str)], body: &str) -> Vec<Step> {
    let mut head = format!("HTTP/1.1 {code} Scripted\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    vec![Step::Bytes(format!("{head}\r\n{body}").into_bytes())]
}

/// An answer of JSON.
pub fn json(code: u16, body: Value) -> Vec<Step> {
    status(code, &[("content-type", "application/json")], &body.to_string())
}

/// The head of a stream whose end is the end of the connection.
pub fn stream_head() -> Step {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    Step::Bytes(head.into())
}

/// A stream of these pieces of bytes, then the end of the connection.
pub fn stream(pieces: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Vec<Step> {
    let mut steps = vec![stream_head()];
    steps.extend(pieces.into_iter().map(|piece| Step::Bytes(piece.as_ref().to_vec())));
    steps.push(Step::Close);
    steps
}

/// The same, in chunks that leave the connection open for the next request.
pub fn chunked(pieces: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Vec<Step> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut steps = vec![Step::Bytes(head.into())];
    for piece in pieces {
        let piece = piece.as_ref();
        let mut bytes = format!("{:x}\r\n", piece.len()).into_bytes();
        bytes.extend_from_slice(piece);
        bytes.extend_from_slice(b"\r\n");
        steps.push(Step::Bytes(bytes));
    }
    steps.push(Step::Bytes(b"0\r\n\r\n".to_vec()));
    steps
}
