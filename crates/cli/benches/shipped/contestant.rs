//! What is measured: a program that serves, or the bare loop; and the model that both ask.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Work;
use crate::bare;
use crate::server::{FIRST_TOKEN, PER_TOKEN, ROLE, TOKENS};
use crate::table::NAMES;

/// How long a section may take.
const SECTION_MAX: Duration = Duration::from_secs(300);

/// Figures by what they are of.
type Found = Vec<(&'static str, f64)>;

/// What is measured.
pub(crate) enum Contestant {
    /// A binary of this program.
    Shipped(String),
    /// The bare loop.
    Bare,
}

/// The model, in a process of its own.
pub(crate) struct Model {
    process: Child,
    orders: Option<ChildStdin>,
    reports: BufReader<ChildStdout>,
    url: String,
}

impl Model {
    pub(crate) fn start(paced: bool) -> Self {
        let this = std::env::current_exe().expect("this program has a path");
        let pace = if paced { "paced" } else { "instant" };
        let mut command = Command::new(this);
        command.args([ROLE, pace]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("the model starts");
        let orders = process.stdin.take();
        let reports = BufReader::new(process.stdout.take().expect("its stdout is a pipe"));
        let mut model = Self { process, orders, reports, url: String::new() };
        model.url = format!("http://127.0.0.1:{}/v1", model.report());
        model
    }

    /// How many requests have come since it was asked last.
    fn requests(&mut self) -> u64 {
        let orders = self.orders.as_mut().expect("it has not ended");
        writeln!(orders, "tally").expect("the model listens");
        self.report().split(' ').next().and_then(|count| count.parse().ok()).expect("a number")
    }

    fn report(&mut self) -> String {
        let mut line = String::new();
        self.reports.read_line(&mut line).expect("the model reports");
        line.trim().to_owned()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.orders = None;
        _ = self.process.wait();
    }
}

/// A process that is measured, ended with this value.
struct Measured(Child);

impl Measured {
    /// The CPU of its threads by now, in nanoseconds.
    fn cpu(&self) -> HashMap<String, u64> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.0.id())).into_iter().flatten().flatten();
        let read = |task: std::fs::DirEntry| {
            let spent = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            Some((task.file_name().into_string().ok()?, spent.split_whitespace().next()?.parse().ok()?))
        };
        tasks.filter_map(read).collect()
    }

    fn cpu_since(&self, before: &HashMap<String, u64>) -> Duration {
        let spent = self.cpu().into_iter();
        let spent = spent.map(|(task, now)| now - before.get(&task).copied().unwrap_or(0).min(now));
        Duration::from_nanos(spent.sum())
    }

    fn memory_mb(&self, name: &str) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        kib.unwrap_or(0.0) * 1024.0 / 1e6
    }
}

impl Drop for Measured {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

impl Contestant {
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Shipped(binary) => {
                Path::new(binary).file_name().unwrap_or_default().to_string_lossy().into_owned()
            }
            Self::Bare => "bare loop".to_owned(),
        }
    }

    /// Until it is ready, and what it then has resident.
    pub(crate) fn start(&self) -> Found {
        let Self::Shipped(binary) = self else { return Vec::new() };
        let folder = folder();
        let mut first = [0.0; 2];
        let mut resident = 0.0;
        // With a database made anew, and once more with that one.
        for ms in &mut first {
            let begun = Instant::now();
            let (server, _) = serve(binary, folder.path(), None);
            *ms = begun.elapsed().as_secs_f64() * 1e3;
            sleep(Duration::from_millis(1500));
            resident = server.memory_mb("VmRSS:");
        }
        vec![
            ("ready with a new database, ms", first[0]),
            ("ready, ms", first[1]),
            ("resident at rest, MB", resident),
        ]
    }

    /// Holds the meetings of a section.
    pub(crate) fn hold(&self, work: &Work, model: &mut Model) -> Found {
        let turns = work.meetings as u64 * u64::from(work.rounds) * NAMES.len() as u64;
        let (cpu, wall, memory) = match self {
            Self::Shipped(binary) => shipped(binary, work, model, turns),
            Self::Bare => alone(work, model),
        };
        let mut found = match work.heard && work.paced {
            true => vec![("CPU per token, us", cpu.as_secs_f64() * 1e6 / (turns * u64::from(TOKENS)) as f64)],
            false => vec![("CPU per turn, ms", cpu.as_secs_f64() * 1e3 / turns as f64)],
        };
        if work.paced {
            let ideal = (FIRST_TOKEN + PER_TOKEN * TOKENS) * work.rounds * NAMES.len() as u32;
            found.push(("wall over ideal", wall.as_secs_f64() / ideal.as_secs_f64()));
        }
        found.push(("peak memory, MB", memory));
        found
    }
}

/// A folder on a disk.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder on a disk")
}

/// Starts a server, and waits until it is ready.
fn serve(binary: &str, folder: &Path, model: Option<&Model>) -> (Measured, u16) {
    let config = folder.join("config.toml");
    let url = model.map_or("http://127.0.0.1:9/v1", |model| &model.url);
    let provider =
        format!("[providers.bench]\nwire = \"openai\"\nbase_url = \"{url}\"\nconcurrency = 1000\n");
    std::fs::write(&config, provider).expect("room on the disk");
    let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
    let mut command = Command::new(binary);
    command
        .args(["serve", "--no-token", "--port", &port.to_string()])
        .env("QUORATE_DB", folder.join("meetings.db"))
        .env("QUORATE_CONFIG", &config)
        .env("QUORATE_LANG", "en")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let server = Measured(command.spawn().expect("the binary starts"));
    let begun = Instant::now();
    while ask(port, "GET", "/readyz", None).is_none_or(|(status, _)| status != 200) {
        assert!(begun.elapsed() < SECTION_MAX, "the server is not ready");
        sleep(Duration::from_micros(500));
    }
    (server, port)
}

/// A request over a connection of its own; its status and its body.
fn ask(port: u16, method: &str, path: &str, body: Option<&Value>) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    let body = body.map(Value::to_string).unwrap_or_default();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let status = answer.split(' ').nth(1)?.parse().ok()?;
    Some((status, answer.split_once("\r\n\r\n")?.1.to_owned()))
}

fn wanted(work: &Work) -> Value {
    let participants: Vec<Value> = NAMES
        .iter()
        .map(|name| {
            json!({ "name": name, "model": "bench/bench", "role": {
                "name": "engineer",
                "description": "Looks at what a choice costs to run, and who is called at night.",
            } })
        })
        .collect();
    json!({
        "topic": "Should our service keep SQLite or move to PostgreSQL?",
        "format": "discussion",
        "lang": "en",
        "seed": 42,
        "participants": participants,
        "facilitator": { "enabled": false },
        "rules": { "limits": { "max_rounds": work.rounds } },
    })
}

/// The CPU, the wall time and the most memory that a server takes.
fn shipped(binary: &str, work: &Work, model: &mut Model, turns: u64) -> (Duration, Duration, f64) {
    let folder = folder();
    let (server, port) = serve(binary, folder.path(), Some(model));
    let ids: Vec<String> = (0..work.meetings)
        .map(|_| {
            let (status, body) =
                ask(port, "POST", "/api/v1/meetings", Some(&wanted(work))).expect("an answer");
            assert_eq!(status, 201, "{body}");
            let made: Value = serde_json::from_str(&body).expect("JSON");
            made["id"].as_str().expect("an id").to_owned()
        })
        .collect();
    let listeners: Vec<JoinHandle<()>> = match work.heard {
        true => ids.iter().map(|id| listen(port, id)).collect(),
        false => Vec::new(),
    };
    let (before, begun) = (server.cpu(), Instant::now());
    for id in &ids {
        let (status, body) =
            ask(port, "POST", &format!("/api/v1/meetings/{id}/start"), Some(&json!({}))).expect("an answer");
        assert!((200..300).contains(&status), "{body}");
    }
    let mut asked = 0;
    while asked < turns {
        assert!(begun.elapsed() < SECTION_MAX, "{asked} of {turns} turns were asked for");
        sleep(Duration::from_millis(2));
        asked += model.requests();
    }
    for listener in listeners {
        listener.join().expect("every meeting ends");
    }
    let is_over = |id: &String| {
        let (_, body) = ask(port, "GET", &format!("/api/v1/meetings/{id}"), None).unwrap_or_default();
        serde_json::from_str::<Value>(&body).is_ok_and(|meeting| meeting["state"] == "ended")
    };
    // The last one to be asked for is followed by an answer and the end.
    while !ids.last().is_some_and(is_over) && begun.elapsed() < SECTION_MAX {
        sleep(Duration::from_millis(5));
    }
    let wall = begun.elapsed();
    sleep(Duration::from_millis(300));
    let cpu = server.cpu_since(&before);
    assert!(ids.iter().all(is_over), "every meeting ends");
    asked += model.requests();
    assert_eq!(asked, turns, "each turn was asked for once");
    (cpu, wall, server.memory_mb("VmHWM:"))
}

/// Hears a meeting until it has ended.
fn listen(port: u16, id: &str) -> JoinHandle<()> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    let path = format!("/api/v1/meetings/{id}/events?after=0");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n\r\n")
        .expect("it is sent");
    // From the answer's head on it listens.
    let mut head = [0; 12];
    stream.read_exact(&mut head).expect("an answer");
    assert_eq!(&head, b"HTTP/1.1 200");
    spawn(move || {
        let (mut kept, mut piece) = (Vec::new(), [0; 16 << 10]);
        let end = b"event: finished";
        loop {
            let count = stream.read(&mut piece).expect("the stream goes on");
            assert!(count > 0, "the stream ended before the meeting");
            kept.extend_from_slice(&piece[..count]);
            if kept.windows(end.len()).any(|window| window == end) {
                return;
            }
            kept.drain(..kept.len().saturating_sub(end.len()));
        }
    })
}

/// The same of the bare loop.
fn alone(work: &Work, model: &Model) -> (Duration, Duration, f64) {
    let folder = folder();
    let this = std::env::current_exe().expect("this program has a path");
    let mut command = Command::new(this);
    command.args([bare::ROLE, work.name, &model.url]).arg(folder.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut bare = Measured(command.spawn().expect("the bare loop starts"));
    let mut reports = BufReader::new(bare.0.stdout.take().expect("its stdout is a pipe"));
    let mut line = String::new();
    reports.read_line(&mut line).expect("it is ready");
    let (before, begun) = (bare.cpu(), Instant::now());
    let orders = bare.0.stdin.as_mut().expect("its stdin is a pipe");
    writeln!(orders, "go").expect("it listens");
    line.clear();
    reports.read_line(&mut line).expect("it is done");
    assert_eq!(line.trim(), "done");
    (bare.cpu_since(&before), begun.elapsed(), bare.memory_mb("VmHWM:"))
}
