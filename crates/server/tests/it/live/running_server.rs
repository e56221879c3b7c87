//! A server with running meetings, and a client of a raw stream.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::future::BoxFuture;
use quorate_app::{App, AppOptions};
use quorate_contract::*;
use quorate_engine::*;
use quorate_runners::{Pace, SimulatedRunner};
use quorate_server::{LiveOptions, Metrics, ServerState, router, serve};
use quorate_store::Store;
use reqwest::header::HeaderMap;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// The time limit of every step in these tests.
pub const SOON: Duration = Duration::from_secs(60);

/// Speaks a text in pieces; everything else it answers as a simulation does.
#[derive(Clone)]
pub struct Talker {
    pub words: Vec<String>,
    pub pause: Duration,
}

impl Talker {
    pub fn new(words: impl IntoIterator<Item = String>, pause: Duration) -> Self {
        Self { words: words.into_iter().collect(), pause }
    }
}

impl Runner for Talker {
    fn run(&self, request: Request, sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        Box::pin(async move {
            if request.prompt.brief.kind() != AnswerKind::Speak {
                return SimulatedRunner::new(Pace::Brisk).run(request, sink).await;
            }
            for word in &self.words {
                sink.answer(word.as_str());
                tokio::time::sleep(self.pause).await;
            }
            let text = self.words.concat();
            let (reasoning, request_id) = (Some("thought-of-somebody".to_owned()), None);
            let usage = Usage { input_tokens: 1, output_tokens: 1, ..Usage::default() };
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

impl RunnerDirectory for Talker {
    fn find(&self, _: &RunnerSpec) -> Arc<dyn Runner> {
        Arc::new(self.clone())
    }
}

/// A server with a database of its own. Dropping it stops it.
pub struct Stage {
    pub url: String,
    pub address: std::net::SocketAddr,
    pub client: reqwest::Client,
    pub server: ServerState,
    pub engine: Engine,
    pub store: Store,
    _folder: tempfile::TempDir,
    _stop: oneshot::Sender<()>,
}

impl Stage {
    pub async fn start(talker: Talker, options: LiveOptions) -> Self {
        quorate_runners::install_tls();
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path().join("meetings.db")).expect("a database");
        let config = folder.path().join("config.toml");
        let app = AppOptions { runners: Some(Arc::new(talker)), ..AppOptions::new(config) };
        let app = App::open(store.clone(), app).await.expect("an app");
        let engine = app.engine().clone();
        let server = ServerState::with_live(app, Arc::new(Metrics::default()), options);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = oneshot::channel::<()>();
        let router = router(server.clone());
        tokio::spawn(serve(listener, router, async move { _ = stopped.await }));
        let (url, client) = (format!("http://{address}"), reqwest::Client::new());
        Self { url, address, client, server, engine, store, _folder: folder, _stop: stop }
    }

    /// A server whose participants answer quickly.
    pub async fn brisk() -> Self {
        Self::start(
            Talker::new(["I hold that it is enough.".to_owned()], Duration::ZERO),
            LiveOptions::default(),
        )
        .await
    }

    /// A meeting that was created and not started.
    pub async fn draft(&self, id: &str, spec: MeetingSpec) -> MeetingHandle {
        let (id, run) = (MeetingId::new(id), RunId::new("run"));
        self.engine.create(id, run, Actor::owner(), spec).await.expect("a meeting")
    }

    pub async fn started(&self, id: &str, spec: MeetingSpec) -> MeetingHandle {
        let handle = self.draft(id, spec).await;
        handle.execute(Command::Start { by: Actor::owner() }).await.expect("it starts");
        handle
    }

    /// Resumes a meeting until it has ended, through all its pauses.
    pub async fn to_the_end(&self, handle: &MeetingHandle) {
        let mut listener = handle.subscribe(0, false).await.expect("a listener");
        let by = || Actor::owner();
        let going = async {
            let mut pauses = 0;
            while let Some(notice) = listener.next().await.expect("the journal can be read") {
                let Notice::Event(record) = notice else { continue };
                if matches!(record.event.body, EventBody::Pause { .. }) {
                    pauses += 1;
                    let command = match pauses {
                        1..=3 => Command::Resume {
                            by: by(),
                            token: None,
                            answers: Default::default(),
                            take_defaults: true,
                        },
                        _ => Command::End { by: by(), note: String::new() },
                    };
                    // It may have gone on by itself.
                    _ = handle.execute(command).await;
                }
            }
        };
        timeout(SOON, going).await.expect("the meeting comes to an end");
    }

    /// The log as it is stored.
    pub async fn log(&self, id: &str) -> Vec<String> {
        let lines = self.store.lines(&MeetingId::new(id), 0).await.expect("a log");
        lines.into_iter().map(|(_, line)| line).collect()
    }

    pub async fn listen(&self, id: &str, query: &str) -> Ear {
        self.listen_from(id, query, None).await
    }

    /// Listens as a browser does that comes back.
    pub async fn listen_from(&self, id: &str, query: &str, last: Option<u64>) -> Ear {
        let mut request = self.client.get(format!("{}/api/v1/meetings/{id}/events?{query}", self.url));
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = timeout(SOON, request.send()).await.expect("in time").expect("an answer");
        Ear {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response,
            rest: Vec::new(),
        }
    }
}

/// One frame of a stream.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Frame {
    pub id: Option<u64>,
    pub event: String,
    pub data: String,
    pub comment: String,
    pub retry: Option<u64>,
}

impl Frame {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A client of server-sent events.
pub struct Ear {
    pub status: u16,
    pub headers: HeaderMap,
    body: reqwest::Response,
    rest: Vec<u8>,
}

impl Ear {
    /// The next frame; `None` when the stream is over.
    pub async fn next(&mut self) -> Option<Frame> {
        loop {
            if let Some(end) = self.rest.windows(2).position(|two| two == b"\n\n") {
                let block: Vec<u8> = self.rest.drain(..end + 2).collect();
                return Some(read(std::str::from_utf8(&block).expect("UTF-8")));
            }
            let chunk = timeout(SOON, self.body.chunk()).await.expect("something is told in time");
            match chunk.expect("the stream holds") {
                Some(chunk) => self.rest.extend(chunk),
                None => return None,
            }
        }
    }

    /// The next frame that has a name.
    pub async fn named(&mut self) -> Option<Frame> {
        loop {
            let frame = self.next().await?;
            if !frame.event.is_empty() {
                return Some(frame);
            }
        }
    }

    /// Everything until the end.
    pub async fn all(&mut self) -> Vec<Frame> {
        let mut frames = Vec::new();
        while let Some(frame) = self.next().await {
            frames.push(frame);
        }
        frames
    }

    /// The whole body, of a problem.
    pub async fn problem(self) -> Value {
        let text = self.body.bytes_stream().map(|chunk| chunk.expect("it holds").to_vec()).concat().await;
        serde_json::from_slice(&text).expect("a problem")
    }
}

fn read(block: &str) -> Frame {
    let mut frame = Frame::default();
    for line in block.lines().filter(|line| !line.is_empty()) {
        match line.split_once(':').expect("a field") {
            ("", comment) => frame.comment = comment.trim().to_owned(),
            ("id", id) => frame.id = Some(id.trim().parse().expect("a number")),
            ("event", name) => frame.event = name[1..].to_owned(),
            ("data", data) => frame.data = data[1..].to_owned(),
            ("retry", ms) => frame.retry = Some(ms.trim().parse().expect("a number")),
            other => panic!("an unknown field: {other:?}"),
        }
    }
    frame
}

pub fn spec(format: Format, names: &[&str], rules: Rules) -> MeetingSpec {
    let runner = RunnerSpec::Simulated { temperament: Temperament::Balanced };
    let role = |name: &&str| Role {
        name: "Engineer".into(),
        description: format!("{name} looks at what others forget"),
        system_prompt: String::new(),
    };
    let newcomer = |name: &&str| Newcomer {
        name: (*name).into(),
        role: role(name),
        runner: runner.clone(),
        skip_list: Vec::new(),
    };
    MeetingSpec {
        topic: "Is SQLite enough?".into(),
        background: String::new(),
        details: Default::default(),
        tools: Vec::new(),
        language: Language::En,
        format,
        rules,
        seed: 7,
        facilitator: Some(Facilitator { runner: runner.clone(), system_prompt: String::new() }),
        moderator: None,
        agenda: Vec::new(),
        models: Vec::new(),
        participants: names.iter().map(newcomer).collect(),
    }
}

/// A meeting of any format that is over soon.
pub fn short(format: Format) -> MeetingSpec {
    let mut rules = format.rules();
    rules.limits.max_rounds = 2;
    rules.decision.min_rounds = rules.decision.min_rounds.min(1);
    spec(format, &["Ada", "Ben", "Cid"], rules)
}

/// A discussion of one round.
pub fn talk(names: &[&str]) -> MeetingSpec {
    let mut rules = Format::Discussion.rules();
    rules.limits.max_rounds = 1;
    spec(Format::Discussion, names, rules)
}

impl Ear {
    /// The frames of a whole answer as it went over the wire, in chunks.
    pub fn of_chunks(raw: &[u8]) -> Vec<Frame> {
        let body = raw.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
        let (mut rest, mut text) = (&raw[body..], Vec::new());
        loop {
            let line = rest.windows(2).position(|two| two == b"\r\n").expect("the size of a chunk");
            let size = std::str::from_utf8(&rest[..line]).expect("a number");
            let size = usize::from_str_radix(size, 16).expect("a number");
            if size == 0 {
                break;
            }
            text.extend_from_slice(&rest[line + 2..line + 2 + size]);
            rest = &rest[line + 4 + size..];
        }
        let text = String::from_utf8(text).expect("UTF-8");
        text.split_inclusive("\n\n").map(read).collect()
    }
}
