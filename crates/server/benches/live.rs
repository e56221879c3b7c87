//! The cost of live streams: many subscribers of one running meeting, many idle subscribers, and the delay of
//! one. `cargo bench -p quorate-server --bench live -- [fan|idle|delay] [listeners] [seconds]`
//!
//! The subscribers are in a process of their own, so that their CPU does not count. A fragment of an answer
//! holds the time at which it was written, so that each subscriber can tell its age. The limit of open files
//! (`ulimit -n`) bounds the number of subscribers.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::process::{Child, Command as Process, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::future::{BoxFuture, join_all};
use quorate_app::{App, AppOptions};
use quorate_contract::*;
use quorate_engine::*;
use quorate_server::{Metrics, ServerState, router, serve};
use quorate_store::Store;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime");
    let number =
        |place: usize, default: usize| args.get(place).and_then(|arg| arg.parse().ok()).unwrap_or(default);
    match args.first().map(String::as_str) {
        Some("listen") => runtime.block_on(listen(&args[1], number(2, 1))),
        Some("fan") => runtime.block_on(talking("fan", number(1, 1_000), 50, number(2, 10))),
        Some("delay") => runtime.block_on(talking("delay", number(1, 1), 200, number(2, 10))),
        Some("idle") => runtime.block_on(idle(number(1, 10_000))),
        // Under `cargo test` there is no name; each is seen to work, and no more.
        _ if cfg!(debug_assertions) => runtime.block_on(async {
            talking("delay", 1, 200, 1).await;
            idle(10).await;
        }),
        _ => runtime.block_on(async {
            talking("delay", 1, 200, 10).await;
            talking("fan", 1_000, 50, 10).await;
            idle(10_000).await;
        }),
    }
}

/// The time in microseconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros() as u64)
}

/// Says what time it is, so many times a second.
#[derive(Clone)]
struct Clockman {
    per_second: u32,
    seconds: usize,
}

impl Runner for Clockman {
    fn run(&self, request: Request, sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        Box::pin(async move {
            let mut ticks = tokio::time::interval(Duration::from_secs(1) / self.per_second);
            if request.prompt.brief.kind() == AnswerKind::Speak {
                for _ in 0..self.seconds as u32 * self.per_second {
                    ticks.tick().await;
                    sink.answer(format!("{} ", now()));
                }
            }
            let (reasoning, request_id, usage) = (None, None, Usage::default());
            let text = "It is late.".to_owned();
            Outcome::Answered(Answer {
                text,
                reasoning,
                usage,
                stop: StopReason::Stop,
                latency_ms: 1,
                web: WebFindings::default(),
                request_id,
            })
        })
    }
}

impl RunnerDirectory for Clockman {
    fn find(&self, _: &RunnerSpec) -> Arc<dyn Runner> {
        Arc::new(self.clone())
    }
}

/// A server with one meeting, as a draft.
async fn served(runner: Clockman) -> (SocketAddr, MeetingHandle, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path().join("meetings.db")).expect("a database");
    let options =
        AppOptions { runners: Some(Arc::new(runner)), ..AppOptions::new(folder.path().join("config.toml")) };
    let app = App::open(store, options).await.expect("an app");
    let simulated = RunnerSpec::Simulated { temperament: Temperament::Balanced };
    let role =
        Role { name: "Clock".into(), description: "says the time".into(), system_prompt: String::new() };
    let mut rules = Format::Discussion.rules();
    rules.limits.max_rounds = 1;
    let spec = MeetingSpec {
        topic: "What time is it?".into(),
        background: String::new(),
        details: Default::default(),
        tools: Vec::new(),
        language: Language::En,
        format: Format::Discussion,
        rules,
        seed: 1,
        facilitator: None,
        moderator: None,
        agenda: Vec::new(),
        models: Vec::new(),
        participants: vec![Newcomer { name: "Ada".into(), role, runner: simulated, skip_list: Vec::new() }],
    };
    let (id, run) = (MeetingId::new("one"), RunId::new("run"));
    let handle = app.engine().create(id, run, Actor::owner(), spec).await.expect("a meeting");
    let server = ServerState::alone(app, Arc::new(Metrics::default()));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(serve(listener, router(server), std::future::pending()));
    (address, handle, folder)
}

/// Starts a number of subscribers in a process of their own, all connected.
fn listeners(address: SocketAddr, count: usize) -> (Child, BufReader<std::process::ChildStdout>) {
    let this = std::env::current_exe().expect("this program");
    let args = ["listen".to_owned(), address.to_string(), count.to_string()];
    let mut child =
        Process::new(this).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a child");
    let mut told = BufReader::new(child.stdout.take().expect("its words"));
    let mut line = String::new();
    told.read_line(&mut line).expect("it is ready");
    assert_eq!(line.trim(), format!("ready {count}"), "every listener is connected");
    (child, told)
}

/// All subscribers follow one running meeting.
async fn talking(name: &str, count: usize, per_second: u32, seconds: usize) {
    let (address, handle, _folder) = served(Clockman { per_second, seconds }).await;
    let (mut child, mut told) =
        tokio::task::spawn_blocking(move || listeners(address, count)).await.expect("listeners");
    let before = cpu();
    handle.execute(Command::Start { by: Actor::owner() }).await.expect("it starts");
    let line = tokio::task::spawn_blocking(move || {
        let mut line = String::new();
        told.read_line(&mut line).expect("a report");
        line
    });
    let line = line.await.expect("a report");
    let spent = (cpu() - before).as_micros() as f64;
    child.wait().expect("it ends");
    let figures: Vec<f64> = line.split_whitespace().map(|figure| figure.parse().expect("a figure")).collect();
    let [frames, tokens, p50, p99] = figures[..] else { panic!("{line:?}") };
    let wanted = count as f64 * f64::from(per_second) * seconds as f64;
    assert!(tokens >= wanted * 0.99, "{tokens} of {wanted} pieces came");
    say(&format!(
        "{name}: {count} listeners x {per_second}/s for {seconds} s: delay p50 {:.2} ms, p99 {:.2} ms; \
         {frames} frames, {:.1} us CPU per frame, {:.1} us per piece; {:.0} MB",
        p50 / 1000.0,
        p99 / 1000.0,
        spent / frames,
        spent / tokens,
        resident_mb()
    ));
}

/// All subscribers are idle.
async fn idle(count: usize) {
    let (address, _handle, _folder) = served(Clockman { per_second: 1, seconds: 1 }).await;
    let before = resident_mb();
    let (mut child, _told) =
        tokio::task::spawn_blocking(move || listeners(address, count)).await.expect("listeners");
    tokio::time::sleep(Duration::from_secs(2)).await;
    let after = resident_mb();
    say(&format!(
        "idle: {count} listeners: {after:.0} MB resident, {:.1} KB each",
        (after - before) * 1000.0 / count as f64
    ));
    drop(child.stdin.take());
    child.kill().expect("it ends");
    child.wait().expect("it ends");
}

/// The listeners' process: reads until the meeting is over, then says what it saw.
async fn listen(address: &str, count: usize) {
    let mut streams = Vec::new();
    for some in (0..count).collect::<Vec<_>>().chunks(200) {
        streams.extend(join_all(some.iter().map(|_| connect(address))).await);
    }
    say(&format!("ready {count}"));
    let reading = streams.into_iter().map(|stream| tokio::spawn(read(stream)));
    let (mut frames, mut ages) = (0, Vec::new());
    for read in join_all(reading).await {
        let (own, seen) = read.expect("a listener");
        frames += own;
        ages.extend(seen);
    }
    ages.sort_unstable();
    let at = |share: usize| ages.get(ages.len().saturating_sub(1) * share / 100).copied().unwrap_or(0);
    say(&format!("{frames} {} {} {}", ages.len(), at(50), at(99)));
}

/// Connected, and told of what has happened before.
async fn connect(address: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let ask = format!("GET /api/v1/meetings/one/events HTTP/1.1\r\nhost: {address}\r\n\r\n");
    stream.write_all(ask.as_bytes()).await.expect("sent");
    let (mut head, mut chunk) = (Vec::new(), [0; 4096]);
    while !head.windows(18).any(|bytes| bytes == b"participant_joined") {
        let read = stream.read(&mut chunk).await.expect("an answer");
        assert!(read > 0, "no answer: {}", String::from_utf8_lossy(&head));
        head.extend_from_slice(&chunk[..read]);
    }
    stream
}

/// The number of frames, and the age of each fragment in microseconds.
async fn read(mut stream: TcpStream) -> (u64, Vec<u32>) {
    const TEXT: &str = "\"text\":\"";
    let (mut frames, mut ages, mut rest, mut chunk) = (0, Vec::new(), Vec::new(), [0; 16 * 1024]);
    loop {
        let read = stream.read(&mut chunk).await.unwrap_or(0);
        let came = now();
        rest.extend_from_slice(&chunk[..read]);
        while let Some(end) = rest.windows(2).position(|two| two == b"\n\n") {
            let block: Vec<u8> = rest.drain(..end + 2).collect();
            let block = String::from_utf8_lossy(&block);
            if let Some((_, text)) = block.split_once(TEXT).filter(|_| block.contains("event: token")) {
                frames += 1;
                let moments = text.split('"').next().unwrap_or("").split_whitespace();
                ages.extend(
                    moments.filter_map(|at| at.parse::<u64>().ok()).map(|at| came.saturating_sub(at) as u32),
                );
            }
            if read == 0 || block.contains("the meeting is over") {
                return (frames, ages);
            }
        }
        if read == 0 {
            return (frames, ages);
        }
    }
}

/// The CPU time of this process so far; 0 where that cannot be known.
fn cpu() -> Duration {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return Duration::ZERO };
    let on_cpu = |task: std::fs::DirEntry| -> Option<u64> {
        std::fs::read_to_string(task.path().join("schedstat")).ok()?.split_whitespace().next()?.parse().ok()
    };
    Duration::from_nanos(tasks.flatten().filter_map(on_cpu).sum())
}

/// The resident memory of this process in MB.
fn resident_mb() -> f64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<f64>().ok());
    pages.unwrap_or(0.0) * 4096.0 / 1e6
}

fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    _ = writeln!(out, "{text}").and_then(|()| out.flush());
}
