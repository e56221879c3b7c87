//! The service as a process of its own, and its HTTP client.

use std::io::{BufRead, BufReader};
use std::ops::Deref;
use std::time::{Duration, Instant};

use reqwest::Method;
use reqwest::blocking::{Client, Response};
use reqwest::header::HeaderMap;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::app::{App, Said, events};
use crate::terminal_session::TerminalSession;

/// Far beyond what any answer here takes.
const TIMEOUT: Duration = Duration::from_secs(60);

/// `quorate serve` at a free port. Dropping it ends the process.
pub struct Served {
    process: TerminalSession,
    caller: Caller,
}

/// A client of the service, which outlives it.
#[derive(Clone)]
pub struct Caller {
    pub url: String,
    client: Client,
}

impl Deref for Served {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

/// A response.
#[derive(Debug)]
pub struct Answered {
    pub status: u16,
    pub headers: HeaderMap,
    /// The body as JSON; as text when it is none.
    pub body: Value,
}

impl Answered {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The sort of a problem: `is-paused`.
    pub fn sort(&self) -> &str {
        self.body["type"].as_str().and_then(|kind| kind.strip_prefix("/api/v1/problems#")).unwrap_or("")
    }

    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

impl Served {
    /// Starts it in a home, and waits until it says where it is.
    pub fn start(app: &App, more: &[&str]) -> Self {
        quorate_runners::install_tls();
        // The tests do not read along.
        let pace: &[&str] = if more.contains(&"--pace") { &[] } else { &["--pace", "brisk"] };
        let serve = ["serve", "--port", "0", "--log", "warning", "--no-token"];
        let mut process = app.start(&[&serve[..], pace, more].concat());
        let line = process.notes("quorate is ready");
        let url = line.split_whitespace().find(|word| word.starts_with("http"));
        let url = url.expect("it says its address").to_owned();
        let client = Client::builder().timeout(TIMEOUT).build().expect("a client");
        Self { process, caller: Caller { url, client } }
    }

    /// A client of it.
    pub fn caller(&self) -> Caller {
        self.caller.clone()
    }

    /// A client at this machine for a service that listens on all addresses.
    pub fn here(&self) -> Caller {
        Caller { url: self.url.replace("0.0.0.0", "127.0.0.1"), ..self.caller() }
    }

    /// Waits until a line of its log holds these words.
    #[track_caller]
    pub fn notes(&mut self, words: &str) -> String {
        self.process.notes(words)
    }

    pub fn signal(&self, signal: Signal) {
        self.process.signal(signal);
    }

    /// Waits for its end.
    pub fn end(self) -> Said {
        self.process.end()
    }

    /// Asks it to stop, and waits for its end.
    pub fn stop(self) -> Said {
        self.signal(Signal::TERM);
        self.end()
    }

    /// Ends it as a power cut would.
    pub fn kill(self) -> Said {
        self.process.kill()
    }
}

impl Caller {
    /// Asks for something under `/api/v1`; an error when the service is gone.
    pub fn try_send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> reqwest::Result<Answered> {
        let mut request = self.client.request(method, format!("{}/api/v1{path}", self.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send()?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text()?;
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Ok(Answered { status, headers, body })
    }

    pub fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answered {
        self.try_send(Method::POST, path, headers, Some(body)).expect("an answer")
    }

    /// Asks for something that there is.
    #[track_caller]
    pub fn see(&self, path: &str) -> Value {
        let answered = self.try_send(Method::GET, path, &[], None).expect("an answer");
        assert_eq!(answered.status, 200, "{path}: {}", answered.body);
        answered.body
    }

    /// Commands something that is granted.
    #[track_caller]
    pub fn execute(&self, path: &str, body: Value) -> Value {
        let answered = self.post(path, &[], &body);
        assert!(answered.is_success(), "{path}: {} {}", answered.status, answered.body);
        answered.body
    }

    /// Creates and starts a meeting; returns its path.
    pub fn begin(&self, body: Value) -> String {
        let created = self.execute("/meetings", body);
        let meeting = format!("/meetings/{}", created["id"].as_str().expect("an id"));
        self.execute(&format!("{meeting}/start"), json!({}));
        meeting
    }

    /// A path outside of `/api/v1`, as text.
    pub fn text(&self, path: &str) -> (u16, String) {
        let response = self.client.get(format!("{}{path}", self.url)).send().expect("an answer");
        (response.status().as_u16(), response.text().expect("a body"))
    }

    /// The log of a meeting, page by page.
    pub fn log(&self, meeting: &str) -> String {
        let (mut log, mut next) = (String::new(), Some(format!("/api/v1{meeting}/log?limit=100")));
        while let Some(path) = next {
            let response = self.client.get(format!("{}{path}", self.url)).send().expect("an answer");
            assert_eq!(response.status(), 200, "{path}");
            let link = response.headers().get("link").and_then(|link| link.to_str().ok()).map(str::to_owned);
            next = link.and_then(|link| Some(link.strip_prefix('<')?.split_once('>')?.0.to_owned()));
            log.push_str(&response.text().expect("lines"));
        }
        log
    }

    /// Listens to a meeting as a browser does, which says what it heard last when it comes back.
    pub fn listen(&self, meeting: &str, last: Option<u64>) -> Ear {
        let mut request = self.client.get(format!("{}/api/v1{meeting}/events", self.url));
        if let Some(last) = last {
            request = request.header("last-event-id", last.to_string());
        }
        let response = request.send().expect("an answer");
        assert_eq!(response.status(), 200);
        Ear { from: BufReader::new(response), lines: String::new(), last: last.unwrap_or(0) }
    }

    /// Follows a meeting to its end and lets defaults hold wherever it asks; returns what was told after `last`.
    pub fn follow_to_the_end(&self, meeting: &str, last: u64) -> String {
        let mut ear = self.listen(meeting, Some(last));
        let began = Instant::now();
        while let Some(event) = ear.hear() {
            assert!(began.elapsed() < TIMEOUT, "it does not end");
            if event["type"] == "pause" {
                // Between the event and the command it may have been resumed already.
                self.post(&format!("{meeting}/resume"), &[], &json!({ "take_defaults": true }));
            }
        }
        let over = events(&ear.lines).last().is_some_and(|event| event["type"] == "finished");
        assert!(over, "the stream ended before the meeting: {}", ear.lines);
        ear.lines
    }
}

/// A subscriber of a meeting.
pub struct Ear {
    from: BufReader<Response>,
    /// All events so far, a line each, byte for byte.
    pub lines: String,
    /// The number of the last event that was heard.
    pub last: u64,
}

impl Ear {
    /// The next event; nothing when the stream is over or cut. Half a frame is none.
    pub fn hear(&mut self) -> Option<Value> {
        let (mut id, mut data) = (None, None);
        loop {
            let mut line = String::new();
            if self.from.read_line(&mut line).unwrap_or(0) == 0 || !line.ends_with('\n') {
                return None;
            }
            let line = line.trim_end_matches('\n');
            if let Some(seq) = line.strip_prefix("id: ") {
                id = Some(seq.parse::<u64>().expect("a number"));
            } else if let Some(text) = line.strip_prefix("data: ") {
                data = Some(text.to_owned());
            } else if line.is_empty()
                && let (Some(seq), Some(text)) = (id.take(), data.take())
            {
                assert_eq!(seq, self.last + 1, "no hole and no double");
                self.last = seq;
                self.lines.push_str(&text);
                self.lines.push('\n');
                return Some(serde_json::from_str(&text).expect("an event"));
            }
        }
    }

    /// The first event, among those not yet heard, that fits.
    #[track_caller]
    pub fn until(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        while let Some(event) = self.hear() {
            if fits(&event) {
                return event;
            }
        }
        panic!("waited for {what:?}, and the stream ended: {}", self.lines);
    }

    /// All that is still told, to the end of the stream.
    pub fn rest(&mut self) {
        while self.hear().is_some() {}
    }
}
