//! What fuzz targets share: meetings at which somebody is asked, and a server on this machine.

use std::path::PathBuf;
use std::sync::Arc;

use quorate_app::{App, AppOptions};
use quorate_contract::{
    Answer, Call, Event, MeetingId, Outcome, RunId, StopReason, Task, TaskId, Timestamp, Usage, WebFindings,
};
use quorate_core::{Meeting, Origin, apply, interpret, pending, step};
use quorate_server::{Metrics, ServerState, router, serve};
use quorate_store::Store;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// A log of `fixtures/meetings`.
///
/// # Panics
/// When the repository lacks it.
pub(crate) fn log(name: &str) -> Vec<Event> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/meetings")
        .join(format!("{name}.jsonl"));
    let text = std::fs::read_to_string(path).expect("a log of the fixtures");
    text.lines().map(|line| Event::from_json(line).expect("an event")).collect()
}

/// A meeting at which somebody is asked for something.
pub(crate) struct Asked {
    /// The meeting.
    pub(crate) meeting: Meeting,
    /// The call.
    pub(crate) call: Call,
    /// The last event so far.
    pub(crate) at: Timestamp,
}

const LOGS: [&str; 8] = [
    "en/consensus",
    "zh/consensus",
    "en/decision",
    "zh/brainstorm",
    "en/room",
    "en/tools",
    "zh/faults-663",
    "en/faults-741",
];

/// Moments of the fixtures at which such a task is asked for, a few of each log.
///
/// # Panics
/// When there is none.
pub(crate) fn asked(wanted: impl Fn(TaskId) -> bool) -> Vec<Asked> {
    let mut all = Vec::new();
    for name in LOGS {
        let events = log(name);
        let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
        let mut before: Vec<TaskId> = Vec::new();
        let mut found = 0;
        for event in &events {
            apply(&mut meeting, event);
            for task in pending(&meeting) {
                let Task::Call(call) = task else { continue };
                if wanted(call.id) && !before.contains(&call.id) && found < 12 {
                    before.push(call.id);
                    found += 1;
                    all.push(Asked { meeting: meeting.clone(), call, at: event.ts_ms });
                }
            }
        }
    }
    assert!(!all.is_empty(), "the fixtures ask for it");
    all
}

/// An answer of a model with these words.
pub(crate) fn answer(text: &str, stop: StopReason) -> Outcome {
    let usage = Usage { input_tokens: 100, output_tokens: 10, ..Usage::default() };
    let (text, reasoning, web, request_id) = (text.to_owned(), None, WebFindings::default(), None);
    Outcome::Answered(Answer { text, reasoning, web, usage, stop, latency_ms: 1, request_id })
}

/// Delivers an answer: whatever it is, the meeting takes it, and its events are read back as they were written.
///
/// # Panics
/// When the meeting refuses it, or a line is another event.
pub(crate) fn deliver(asked: &Asked, outcome: Outcome) -> Meeting {
    let command = interpret(&asked.meeting, &asked.call, outcome);
    let events = step(&asked.meeting, &RunId::new("r"), Origin::Fresh, command, asked.at);
    let events = events.unwrap_or_else(|refusal| panic!("{}: {refusal:?}", asked.call.id));
    let mut meeting = asked.meeting.clone();
    for event in &events {
        let line = event.to_json();
        assert!(!line.contains('\n'), "an event is one line");
        let read = Event::from_json(&line).expect("a line is read back");
        assert_eq!(read.to_json(), line);
        apply(&mut meeting, &read);
    }
    meeting
}

/// A server at a port of this machine, with a database of its own.
pub(crate) struct Local {
    /// What everything runs in.
    pub(crate) runtime: Runtime,
    /// Where it listens.
    pub(crate) address: std::net::SocketAddr,
    /// The database.
    pub(crate) store: Store,
    _folder: tempfile::TempDir,
}

/// Starts a server without accounts and without the local token.
///
/// # Panics
/// When it cannot start.
pub(crate) fn local() -> Local {
    quorate_runners::install_tls();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let (address, store) = runtime.block_on(async {
        let store = Store::open(folder.path().join("quorate.db")).expect("a database");
        let app = App::open(store.clone(), AppOptions::new(folder.path().join("config.toml")))
            .await
            .expect("an app");
        let server = ServerState::alone(app, Arc::new(Metrics::default()));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(serve(listener, router(server), std::future::pending()));
        (address, store)
    });
    Local { runtime, address, store, _folder: folder }
}
