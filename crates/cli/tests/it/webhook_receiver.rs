//! A receiver of webhooks on this machine: verifies each message, keeps it, and answers as it is told.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quorate_runners::{Secret, sign_webhook, verify_webhook};
use reqwest::blocking::Client;
use serde_json::Value;

/// Far beyond what any message here takes.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A message as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Delivered {
    pub(crate) id: String,
    pub(crate) body: Value,
    timestamp: i64,
    signature: String,
    raw: Vec<u8>,
}

impl Delivered {
    pub(crate) fn is_signed_with(&self, secret: &str) -> bool {
        verify_webhook(&[Secret::new(secret)], &self.id, self.timestamp, &self.raw, &self.signature)
    }
}

/// Status and body of the response to a message.
pub(crate) type Response = (u16, Value);

/// A server that hands on each message in the order of arrival.
pub(crate) struct WebhookReceiver {
    pub(crate) url: String,
    delivered: Receiver<Delivered>,
}

impl WebhookReceiver {
    /// Answers each message by this script.
    pub(crate) fn start(answer: impl FnMut(&Delivered) -> Response + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
        let (sender, delivered) = channel();
        let answer = Arc::new(Mutex::new(answer));
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let (sender, answer) = (sender.clone(), Arc::clone(&answer));
                std::thread::spawn(move || {
                    // A server that was killed closes its connections in the middle.
                    _ = serve(connection, &sender, |message| answer.lock().expect("no panic")(message));
                });
            }
        });
        Self { url, delivered }
    }

    /// Waits for the next message.
    #[track_caller]
    pub(crate) fn next(&self, what: &str) -> Delivered {
        self.delivered.recv_timeout(TIMEOUT).unwrap_or_else(|_| panic!("{what} did not arrive"))
    }

    /// What has arrived and was not waited for.
    pub(crate) fn rest(&self) -> Vec<Delivered> {
        self.delivered.try_iter().collect()
    }
}

fn serve(
    mut connection: TcpStream,
    sender: &Sender<Delivered>,
    answer: impl Fn(&Delivered) -> Response,
) -> std::io::Result<()> {
    let mut from = BufReader::new(connection.try_clone()?);
    loop {
        let mut line = String::new();
        if from.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            from.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            headers.insert(name.to_lowercase(), value.to_owned());
        }
        let header = |name: &str| headers.get(name).cloned().unwrap_or_default();
        let mut raw = vec![0; header("content-length").parse().unwrap_or(0)];
        from.read_exact(&mut raw)?;
        let message = Delivered {
            id: header("webhook-id"),
            timestamp: header("webhook-timestamp").parse().unwrap_or(0),
            signature: header("webhook-signature"),
            body: serde_json::from_slice(&raw).unwrap_or_default(),
            raw,
        };
        let (status, body) = answer(&message);
        let body = if body.is_null() { String::new() } else { body.to_string() };
        // The test may be over.
        _ = sender.send(message);
        let head = format!("HTTP/1.1 {status} So\r\ncontent-length: {}\r\n\r\n", body.len());
        connection.write_all((head + &body).as_bytes())?;
    }
}

/// Answers a turn by a signed call-back: the status and the body of the response.
pub(crate) fn call_back(base: &str, webhook: &str, secret: &str, id: &str, answer: &Value) -> (u16, Value) {
    let at =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_secs();
    let raw = answer.to_string();
    let signature = sign_webhook(&[Secret::new(secret)], id, at as i64, raw.as_bytes());
    let request = Client::new()
        .post(format!("{base}/api/v1/webhooks/{webhook}/callback"))
        .header("content-type", "application/json")
        .header("webhook-id", id)
        .header("webhook-timestamp", at.to_string())
        .header("webhook-signature", signature)
        .body(raw);
    let response = request.send().expect("an answer");
    let status = response.status().as_u16();
    (status, response.json().unwrap_or(Value::Null))
}
