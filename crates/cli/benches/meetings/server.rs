//! The model that is pretended: a process of its own that speaks just enough HTTP, and keeps
//! connections open. It answers at once, or at the pace of a quick model.
//!
//! Its first line on stdout is its port. After that it obeys lines on stdin: `tally` says how many
//! requests with how many bytes have come since the last one; `watch` says `watching`, and `seen`
//! when the next request is there. It ends with its stdin, so that none is left behind.

use std::io::{self, BufRead, ErrorKind};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep_until};

use crate::answers;

/// The argument that makes this program the endpoint.
pub(crate) const ROLE: &str = "endpoint";

/// The time to the first token of a paced answer …
pub(crate) const FIRST_TOKEN: Duration = Duration::from_millis(50);
/// … and from each to the next …
pub(crate) const PER_TOKEN: Duration = Duration::from_millis(2);
/// … of which it has so many …
pub(crate) const TOKENS: u32 = 20;
/// … or, as answers of models that think, so many.
pub(crate) const MANY_TOKENS: u32 = 200;

#[derive(Default)]
struct Seen {
    requests: AtomicU64,
    bytes: AtomicU64,
    answers: AtomicU64,
    watched: AtomicBool,
}

/// Serves until stdin ends.
pub(crate) fn serve(pace: &str) -> ExitCode {
    let paced = match pace {
        "paced" => Some(TOKENS),
        "paced-long" => Some(MANY_TOKENS),
        _ => None,
    };
    let seen = Arc::new(Seen::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        println!("{}", listener.local_addr().expect("an address").port());
        let obeying = Arc::clone(&seen);
        std::thread::spawn(move || obey(&obeying));
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            let seen = Arc::clone(&seen);
            // A connection that breaks is its other end's business.
            tokio::spawn(async move { talk(stream, paced, &seen).await });
        }
    })
}

fn obey(seen: &Seen) {
    for line in io::stdin().lock().lines() {
        match line.as_deref() {
            Ok("tally") => {
                let requests = seen.requests.swap(0, Ordering::Relaxed);
                println!("{requests} {}", seen.bytes.swap(0, Ordering::Relaxed));
            }
            Ok("watch") => {
                seen.watched.store(true, Ordering::Relaxed);
                println!("watching");
            }
            Ok(_) | Err(_) => break,
        }
    }
    std::process::exit(0)
}

/// The relevant parts of a request.
struct Asked {
    schema: Option<String>,
    streamed: bool,
    /// Whether a model is called; else its server is asked which models it has.
    is_call: bool,
}

/// The answer to the question which models there are.
const NO_MODELS: &str = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 27\r\n\r\n{\"object\":\"list\",\"data\":[]}";

async fn talk(mut stream: TcpStream, paced: Option<u32>, seen: &Seen) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(64 << 10);
    while let Some(asked) = request(&mut stream, &mut buffer, seen).await? {
        if !asked.is_call {
            stream.write_all(NO_MODELS.as_bytes()).await?;
            continue;
        }
        let number = seen.answers.fetch_add(1, Ordering::Relaxed);
        let text = answers::answer(asked.schema.as_deref(), number);
        match asked.streamed {
            true => streamed(&mut stream, &text, paced).await?,
            false => plain(&mut stream, &text, paced).await?,
        }
    }
    Ok(())
}

/// Reads one request; `None` when the other end has no more.
async fn request(stream: &mut TcpStream, buffer: &mut Vec<u8>, seen: &Seen) -> io::Result<Option<Asked>> {
    let body_at = loop {
        if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    };
    if seen.watched.swap(false, Ordering::Relaxed) {
        println!("seen");
    }
    let head = String::from_utf8_lossy(&buffer[..body_at]).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    let length: usize = length.and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    while buffer.len() < body_at + length {
        if stream.read_buf(buffer).await? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
    }
    let is_call = head.starts_with("post ");
    seen.requests.fetch_add(u64::from(is_call), Ordering::Relaxed);
    seen.bytes.fetch_add(length as u64, Ordering::Relaxed);
    // The parts that are not messages come after them, and no message can hold a bare quote.
    let body = &buffer[body_at..body_at + length];
    let tail = String::from_utf8_lossy(&body[length.saturating_sub(8 << 10)..]);
    let schema = tail.split_once("\"json_schema\":{\"name\":\"").and_then(|(_, rest)| rest.split('"').next());
    let asked =
        Asked { schema: schema.map(str::to_owned), streamed: tail.contains("\"stream\":true"), is_call };
    buffer.drain(..body_at + length);
    Ok(Some(asked))
}

async fn plain(stream: &mut TcpStream, text: &str, paced: Option<u32>) -> io::Result<()> {
    if let Some(tokens) = paced {
        sleep_until(Instant::now() + FIRST_TOKEN + PER_TOKEN * tokens).await;
    }
    let body = json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "bench",
        "choices": [{
            "index": 0,
            "message": { "role": "assistant", "content": text },
            "logprobs": null,
            "finish_reason": "stop",
        }],
        "usage": { "prompt_tokens": 1000, "completion_tokens": TOKENS, "total_tokens": 1000 + TOKENS },
    })
    .to_string();
    let length = body.len();
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all((head + &body).as_bytes()).await
}

async fn streamed(stream: &mut TcpStream, text: &str, paced: Option<u32>) -> io::Result<()> {
    let asked = Instant::now();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).await?;
    let letters: Vec<char> = text.chars().collect();
    let tokens = paced.unwrap_or(TOKENS);
    let size = letters.len().div_ceil(tokens as usize).max(1);
    for (piece, place) in letters.chunks(size).zip(1..) {
        if paced.is_some() {
            // Counted from the beginning, so that no lateness adds up.
            sleep_until(asked + FIRST_TOKEN + PER_TOKEN * place).await;
        }
        let content: String = piece.iter().collect();
        let delta =
            json!([{ "index": 0, "delta": { "content": content }, "logprobs": null, "finish_reason": null }]);
        stream.write_all(chunk(&event(delta, json!(null))).as_bytes()).await?;
    }
    let finish = json!([{ "index": 0, "delta": {}, "logprobs": null, "finish_reason": "stop" }]);
    let usage = json!({ "prompt_tokens": 1000, "completion_tokens": tokens, "total_tokens": 1000 + tokens });
    let end = event(finish, json!(null)) + &event(json!([]), usage) + "data: [DONE]\n\n";
    stream.write_all((chunk(&end) + "0\r\n\r\n").as_bytes()).await
}

fn event(choices: serde_json::Value, usage: serde_json::Value) -> String {
    let event = json!({
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "bench",
        "choices": choices,
        "usage": usage,
    });
    format!("data: {event}\n\n")
}

fn chunk(data: &str) -> String {
    format!("{:x}\r\n{data}\r\n", data.len())
}
