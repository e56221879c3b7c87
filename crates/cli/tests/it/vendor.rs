//! A vendor of models on this machine: speaks the OpenAI-compatible API, answers in the shape that it
//! is asked for, keeps what it was sent, and can be gone for a while.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use serde_json::{Value, json};

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Heard {
    pub path: String,
    pub headers: BTreeMap<String, String>,
    pub body: Value,
}

impl Heard {
    /// The purpose of the request: the name of the schema; `prose` without one.
    pub fn purpose(&self) -> &str {
        self.body["response_format"]["json_schema"]["name"].as_str().unwrap_or("prose")
    }

    pub fn model(&self) -> &str {
        self.body["model"].as_str().unwrap_or_default()
    }

    pub fn messages(&self) -> &[Value] {
        self.body["messages"].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    /// All that the model reads, in one text.
    pub fn words(&self) -> String {
        let contents = self.messages().iter().filter_map(|message| message["content"].as_str());
        contents.collect::<Vec<_>>().join("\n")
    }

    pub fn key(&self) -> Option<&str> {
        self.headers.get("authorization").map(String::as_str)
    }
}

/// The answer to a request.
pub enum Answer {
    /// With these words, in one piece.
    Whole(String),
    /// With these words, piece by piece.
    Streamed(String),
    /// A refusal with this status and body.
    Refused(u16, Value),
    /// An answer that waits until the vendor is released.
    Thinking(Box<Answer>),
}

type Script = dyn Fn(&Heard) -> Answer + Send + Sync;

struct State {
    models: Vec<String>,
    script: Box<Script>,
    heard: Mutex<Vec<Heard>>,
    thinking: Mutex<bool>,
    woken: Condvar,
    there: AtomicBool,
    connections: Mutex<Vec<TcpStream>>,
}

/// One vendor; it stops when it is dropped.
pub struct Vendor {
    address: SocketAddr,
    state: Arc<State>,
}

impl Vendor {
    /// A vendor whose models answer sensibly, and let a draft pass.
    pub fn open() -> Self {
        Self::of(|heard| Answer::Whole(sensible(heard)))
    }

    /// A vendor that answers like this.
    pub fn of(script: impl Fn(&Heard) -> Answer + Send + Sync + 'static) -> Self {
        Self::at(Ipv4Addr::LOCALHOST.into(), script)
    }

    /// The same at another address of this machine.
    pub fn at(ip: IpAddr, script: impl Fn(&Heard) -> Answer + Send + Sync + 'static) -> Self {
        Self::listing_at(ip, &["embed-small", "talker", "thinker"], script)
    }

    /// A vendor that lists these models, with `{key}` in them replaced by the caller's key, and answers by
    /// this script.
    pub fn listing(models: &[&str], script: impl Fn(&Heard) -> Answer + Send + Sync + 'static) -> Self {
        Self::listing_at(Ipv4Addr::LOCALHOST.into(), models, script)
    }

    fn listing_at(
        ip: IpAddr,
        models: &[&str],
        script: impl Fn(&Heard) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let state = State {
            models: models.iter().map(|name| (*name).to_owned()).collect(),
            script: Box::new(script),
            heard: Mutex::default(),
            thinking: Mutex::new(true),
            woken: Condvar::new(),
            there: AtomicBool::new(false),
            connections: Mutex::default(),
        };
        let listener = TcpListener::bind((ip, 0)).expect("a free port");
        let address = listener.local_addr().expect("an address");
        let this = Self { address, state: Arc::new(state) };
        this.listen(listener);
        this
    }

    /// A URL of it; its API is under `/v1` alone.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The chat requests so far.
    pub fn heard(&self) -> Vec<Heard> {
        self.state.heard.lock().expect("no panic").clone()
    }

    /// Waits for a request with this purpose.
    pub fn is_asked_for(&self, purpose: &str) {
        while !self.heard().iter().any(|heard| heard.purpose() == purpose) {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }

    /// Lets those who think answer, from now on at once.
    pub fn goes_on(&self) {
        *self.state.thinking.lock().expect("no panic") = false;
        self.state.woken.notify_all();
    }

    /// Stops, in the middle of open requests.
    pub fn goes_down(&self) {
        self.state.there.store(false, Ordering::SeqCst);
        // A connection wakes the accepting thread, which sees that the server has stopped.
        drop(TcpStream::connect(self.address));
        for connection in self.state.connections.lock().expect("no panic").drain(..) {
            _ = connection.shutdown(Shutdown::Both);
        }
        self.goes_on();
        while TcpStream::connect(self.address).is_ok() {
            std::thread::yield_now();
        }
    }

    /// Starts again at the same address.
    pub fn comes_back(&self) {
        self.listen(TcpListener::bind(self.address).expect("its port is still free"));
    }

    fn listen(&self, listener: TcpListener) {
        self.state.there.store(true, Ordering::SeqCst);
        let state = Arc::clone(&self.state);
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                if !state.there.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(connection) = connection else { continue };
                if let Ok(same) = connection.try_clone() {
                    state.connections.lock().expect("no panic").push(same);
                }
                let state = Arc::clone(&state);
                // A client that goes away in the middle is none of this server's concern.
                std::thread::spawn(move || _ = serve(connection, &state));
            }
        });
    }
}

impl Drop for Vendor {
    fn drop(&mut self) {
        self.goes_down();
    }
}

fn serve(mut connection: TcpStream, state: &State) -> std::io::Result<()> {
    let mut from = BufReader::new(connection.try_clone()?);
    while let Some(heard) = receive(&mut from)? {
        let answer = match heard.path.as_str() {
            "/v1/models" => {
                let key = heard.key().unwrap_or_default().replace("Bearer ", "");
                let named = |id: &String| json!({ "id": id.replace("{key}", &key) });
                let models: Vec<Value> = state.models.iter().map(named).collect();
                Reply::json(200, &json!({ "object": "list", "data": models }))
            }
            "/v1/chat/completions" => {
                state.heard.lock().expect("no panic").push(heard.clone());
                reply(&heard, (state.script)(&heard), state)
            }
            path => {
                Reply::json(404, &json!({ "error": { "message": format!("there is nothing at {path}") } }))
            }
        };
        connection.write_all(&answer.0)?;
    }
    Ok(())
}

fn receive(from: &mut impl BufRead) -> std::io::Result<Option<Heard>> {
    let mut line = String::new();
    if from.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    from.read_exact(&mut body)?;
    Ok(Some(Heard { path, headers, body: serde_json::from_slice(&body).unwrap_or_default() }))
}

struct Reply(Vec<u8>);

impl Reply {
    fn of(status: u16, kind: &str, body: &str) -> Self {
        let length = body.len();
        let head =
            format!("HTTP/1.1 {status} So\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n");
        Self((head + body).into_bytes())
    }

    fn json(status: u16, body: &Value) -> Self {
        Self::of(status, "application/json", &body.to_string())
    }
}

fn reply(heard: &Heard, answer: Answer, state: &State) -> Reply {
    let usage = |words: &str| {
        // About as many as there are, so that budgets have something to count.
        let (read, written) = (heard.words().len() / 4, words.len() / 4);
        json!({ "prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written })
    };
    match answer {
        Answer::Whole(words) => {
            let message = json!({ "role": "assistant", "content": words });
            let choice = json!({ "index": 0, "message": message, "finish_reason": "stop" });
            Reply::json(200, &json!({ "model": heard.model(), "choices": [choice], "usage": usage(&words) }))
        }
        Answer::Streamed(words) => {
            let mut body = String::from(": a comment keeps the connection alive\n\n");
            let letters: Vec<char> = words.chars().collect();
            for piece in letters.chunks(7) {
                let piece: String = piece.iter().collect();
                let delta = json!({ "choices": [{ "index": 0, "delta": { "content": piece } }] });
                body.push_str(&format!("data: {delta}\n\n"));
            }
            let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] });
            let bill = json!({ "choices": [], "usage": usage(&words) });
            body.push_str(&format!("data: {end}\n\ndata: {bill}\n\ndata: [DONE]\n\n"));
            Reply::of(200, "text/event-stream", &body)
        }
        Answer::Refused(status, body) => Reply::json(status, &body),
        Answer::Thinking(answer) => {
            let mut thinking = state.thinking.lock().expect("no panic");
            while *thinking {
                thinking = state.woken.wait(thinking).expect("no panic");
            }
            drop(thinking);
            reply(heard, *answer, state)
        }
    }
}

/// An answer in the shape that was asked for.
pub fn sensible(heard: &Heard) -> String {
    match heard.purpose() {
        "prose" => {
            "I hold that SQLite is enough: one file, no server, and backups that are copies. \
             What would have to be true for PostgreSQL is a second writer.\n\n```json\n\
             {\"position\":\"SQLite is enough\",\"confidence\":80,\"claims\":[\"a second writer is not in sight\"]}\n```"
                .to_owned()
        }
        "vote" => vote(88),
        "summary" => {
            let holders = people(heard);
            let position = json!({ "text": "SQLite is enough", "holders": holders });
            let draft = "Use SQLite, and look again when a second writer comes.";
            json!({ "summary": "All hold the same.", "positions": [position], "draft": draft }).to_string()
        }
        _ => fill(&heard.body["response_format"]["json_schema"]["schema"], "").to_string(),
    }
}

/// The participants, as named in the prompt.
fn people(heard: &Heard) -> Vec<String> {
    let words = heard.words();
    let opening = words.split("</meeting>").next().unwrap_or_default();
    let named = opening.lines().filter_map(|line| line.strip_prefix("- ")?.split(" (").next());
    named.map(str::to_owned).collect()
}

/// A vote with this score, which passes from 80 on.
pub fn vote(score: u8) -> String {
    let reason = "the draft says what happens when a second writer comes";
    json!({ "score": score, "pass": score >= 80, "reason": reason, "missing": [] }).to_string()
}

/// A value that conforms to a schema.
fn fill(schema: &Value, name: &str) -> Value {
    let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
    match kind {
        Some("object") => {
            let fields = schema["properties"].as_object().into_iter().flatten();
            fields
                .map(|(name, schema)| (name.clone(), fill(schema, name)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        }
        Some("array") => {
            let least = schema["minItems"].as_u64().unwrap_or(0);
            (0..least.max(1)).map(|_| fill(&schema["items"], name)).collect::<Vec<_>>().into()
        }
        Some("integer" | "number") => 75.into(),
        Some("boolean") => true.into(),
        Some("string") if name == "sources" => "m1".into(),
        Some("string") => format!("use SQLite with one writer ({name})").into(),
        other => panic!("a schema with the type {other:?}: {schema}"),
    }
}
