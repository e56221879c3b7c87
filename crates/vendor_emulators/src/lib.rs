//! Local stand-ins for vendors of models.
//!
//! One server speaks the wire formats of all of them, each under the path that its vendor uses, as strictly
//! as the vendor does: a request that the real one refuses is refused here in the same words. Answers are
//! generated from the requested schema, so that a whole meeting can be held with five wire formats, without
//! network and without keys.
//!
//! `cargo run -p quorate-vendor-emulators` starts it for people; tests open a [`VendorServer`] of their own.
//!
//! The name of a model selects its behaviour: one that begins with `busy` answers 429 to every second
//! request, with `down` 503 to each, with `dumb` text where an object was asked for, and with `reasoner`
//! shows its reasoning before it answers. A name with the prefix `gateway-502-` (or any other status) is
//! reached through a gateway that answers a web page of that status to every second request, and one with
//! `garble-` through one that writes garbage behind each answer and breaks the connection. One such as
//! `llama-2048-tiny` is served by a llama-server with a context of 2048 tokens. Models whose names begin with `dumb`,
//! `reasoner`, `deepseek` or `llama` see no images and refuse them in their vendor's words. Models whose names begin with
//! `offline` have no web search; of the searches of one that begins with `flaky` the second fails.

mod answers;
mod anthropic;
mod gateway;
mod gemini;
mod http;
mod images;
mod llama;
mod ollama;
mod openai;
mod question;
mod responses;
mod socketless;
mod tools;
mod web;

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use crate::http::{Received, Reply};
pub use crate::question::{Question, tokens};
pub use crate::socketless::{VendorReply, VendorRequest, respond};

/// The key that is asked for where a key is asked for at all.
pub const KEY: &str = "sk-vendors-0123456789abcdef";

/// A request that was answered: its path, and its body.
#[derive(Debug, Clone)]
pub struct AnsweredRequest {
    /// Such as `/v1/messages`, with its query.
    pub path: String,
    /// The names and values in its head, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body of the request.
    pub body: Value,
    /// The status of the answer.
    pub status: u16,
}

/// All vendors, at one address. Gone when it is dropped.
pub struct VendorServer {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    heard: Mutex<Vec<AnsweredRequest>>,
    asked: AtomicU64,
    busy: AtomicU64,
    refused: AtomicU64,
    open: AtomicBool,
    pace: Duration,
}

impl VendorServer {
    /// Opens it at a port of this machine (0: any that is free). `pace` is the time between two pieces
    /// of a streamed answer.
    ///
    /// # Errors
    /// When the port is taken.
    pub fn open(port: u16, pace: Duration) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port))?;
        let address = listener.local_addr()?;
        let shared = Shared {
            heard: Mutex::default(),
            asked: AtomicU64::new(0),
            busy: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            open: AtomicBool::new(true),
            pace,
        };
        let shared = Arc::new(shared);
        let keeper = Arc::clone(&shared);
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                if !keeper.open.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(connection) = connection else { continue };
                let keeper = Arc::clone(&keeper);
                // A client that goes away is no concern of the others.
                std::thread::spawn(move || _ = serve(connection, &keeper));
            }
        });
        Ok(Self { address, shared })
    }

    /// `http://127.0.0.1:PORT` and this path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// All questions so far, in order.
    pub fn heard(&self) -> Vec<AnsweredRequest> {
        self.shared.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for VendorServer {
    fn drop(&mut self) {
        self.shared.open.store(false, Ordering::Relaxed);
        // A connection wakes the accepting thread, which sees that the server has stopped.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(mut connection: TcpStream, shared: &Shared) -> std::io::Result<()> {
    connection.set_nodelay(true)?;
    while let Some(mut received) = http::receive(&connection)? {
        let gateway = gateway::between(&mut received);
        // Every second request to a busy model is counted, independent of other requests.
        let model = received.body["model"].as_str().unwrap_or(&received.path);
        let counter = if model.contains("busy") { &shared.busy } else { &shared.asked };
        let number = counter.fetch_add(1, Ordering::Relaxed);
        let reply = match gateway.refuses(&shared.refused) {
            Some(refusal) => refusal,
            None => answer(&received, number),
        };
        let closes = llama::closes(&received);
        if received.method == "POST" {
            let mut heard = shared.heard.lock().unwrap_or_else(PoisonError::into_inner);
            heard.push(AnsweredRequest {
                path: received.path,
                headers: received.headers,
                body: received.body,
                status: reply.status(),
            });
        }
        if gateway.garbles() {
            return reply.send_garbled(&mut connection);
        }
        reply.send(&mut connection, shared.pace)?;
        if closes {
            return Ok(());
        }
    }
    Ok(())
}

/// Routes a request by its path.
fn answer(received: &Received<'_>, number: u64) -> Reply {
    let path = received.path.split('?').next().unwrap_or_default();
    let post = received.method == "POST";
    match path {
        "/v1/models" if received.header("anthropic-version").is_some() => anthropic::models(received),
        "/v1/models" if received.header("x-goog-api-key").is_some() => gemini::models(received),
        "/v1/models" => openai::models(received),
        "/api/tags" => ollama::models(),
        "/v1beta/models" => gemini::models(received),
        "/v1/chat/completions" if post => openai::answer(received, number),
        "/v1/responses" if post => responses::answer(received, number),
        "/v1/messages" if post => anthropic::answer(received, number),
        "/api/chat" if post => ollama::answer(received, number),
        _ if post && gemini::model_of(path).is_some() => gemini::answer(received, number),
        _ => Reply::text(404, "text/plain", "404 page not found"),
    }
}
