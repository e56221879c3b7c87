//! The verbs of these tests: a child with a script, a turn for it to answer, and what is left of it.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use quorate_contract::{
    Answer, AnswerSchema, Brief, BriefTask, BriefTurn, Failure, Language, MeetingId, Outcome, Prompt,
    PromptMessage, PromptRole, RunId, RunnerSpec, TaskId, TurnId,
};
use quorate_engine::{FragmentSink, Request, Runner};
use quorate_runners::{ProcessConfig, ProcessMode, ProcessRunner};
use serde_json::json;

/// The text of a good answer; it has characters of one to four bytes.
pub const TEXT: &str = "Ü: 用 SQLite 🙂.";

/// The common part of the scripts. A child writes its id, and those of its descendants, to a file.
const PREAMBLE: &str = r#"
import json, os, signal, subprocess, sys, time
TEXT = "Ü: 用 SQLite 🙂."
def note(pid):
    with open(sys.argv[1], "a") as file: file.write(f"{pid}\n")
def read():
    line = sys.stdin.buffer.readline()
    if not line: os._exit(0)
    return json.loads(line)
def write(data):
    sys.stdout.buffer.write(data); sys.stdout.buffer.flush()
def event(kind, payload, id=None):
    return json.dumps({"type": kind, "id": id or call["id"], "payload": payload}).encode()
def put(kind, /, **payload):
    write(event(kind, payload) + b"\n")
def answer(text=TEXT, **more):
    put("agent_message", message={"role": "assistant", "name": "Ada", "content": text}, **more)
def stay():
    while sys.stdin.buffer.readline(): pass
note(os.getpid())
"#;

/// A process with a script, and the ids of all that it started.
pub struct Child {
    pub runner: ProcessRunner,
    notes: PathBuf,
}

/// A configuration for a script; it may be changed before [`Child::of`].
pub fn scripted(mode: ProcessMode, script: &str) -> (ProcessConfig, PathBuf) {
    static PYTHON: OnceLock<bool> = OnceLock::new();
    let there = PYTHON.get_or_init(|| Command::new("python3").arg("--version").output().is_ok());
    assert!(*there, "these tests need python3 in the PATH");
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let notes = std::env::temp_dir().join(format!("quorate-process-{}-{count}", std::process::id()));
    let script = format!("{PREAMBLE}{script}");
    let mut config =
        ProcessConfig::new("lab", ["python3", "-c", &script, notes.to_str().expect("a plain path")]);
    config.mode = mode;
    (config, notes)
}

impl Child {
    pub fn new(mode: ProcessMode, script: &str) -> Self {
        Self::of(scripted(mode, script))
    }

    pub fn of((config, notes): (ProcessConfig, PathBuf)) -> Self {
        Self { runner: ProcessRunner::new(config).expect("a good configuration"), notes }
    }

    /// The processes that were started, in this order.
    pub fn ids(&self) -> Vec<u32> {
        let notes = std::fs::read_to_string(&self.notes).unwrap_or_default();
        notes.lines().map(|line| line.parse().expect("a process id")).collect()
    }

    /// Waits until so many processes were started.
    pub async fn has_started(&self, count: usize) {
        let began = Instant::now();
        while self.ids().len() < count {
            assert!(began.elapsed() < Duration::from_secs(30), "the child did not start");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// The processes that exist, running or as zombies.
    pub fn left(&self) -> Vec<u32> {
        self.ids().into_iter().filter(|id| is_there(*id)).collect()
    }

    /// The processes that exist after a moment: a killed one is gone when it is next scheduled.
    pub async fn left_in_the_end(&self) -> Vec<u32> {
        let began = Instant::now();
        while !self.left().is_empty() && began.elapsed() < Duration::from_secs(5) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        self.left()
    }

    /// Waits until none is left; how long that took.
    pub async fn is_gone(&self) -> Duration {
        let began = Instant::now();
        while !self.left().is_empty() {
            assert!(began.elapsed() < Duration::from_secs(30), "still there: {:?}", self.left());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        began.elapsed()
    }

    pub async fn ask(&self, request: Request) -> Outcome {
        self.runner.run(request, FragmentSink::nobody()).await
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        _ = std::fs::remove_file(&self.notes);
    }
}

/// Whether a process exists: running, or as a zombie of ours. Orphans are reaped by others.
pub fn is_there(id: u32) -> bool {
    let pid = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw).expect("a process id");
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let after_name: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().take(2).collect();
    let ours = std::process::id().to_string();
    let orphaned_zombie = matches!(after_name[..], ["Z", parent] if parent != ours);
    rustix::process::test_kill_process(pid).is_ok() && !orphaned_zombie
}

/// A turn in a meeting about databases.
pub fn request() -> Request {
    let turn = BriefTurn { last_round: 3, can_skip: true, ..BriefTurn::default() };
    let brief = Brief {
        name: "Ada".to_owned(),
        role: "Architect".to_owned(),
        round: 1,
        seed: 7,
        ..Brief::new(BriefTask::Speak(turn), Language::En, "Which database?")
    };
    let message = |role, content: &str| PromptMessage::text(role, content);
    Request {
        meeting: MeetingId::new("m-1"),
        run: RunId::new("r-1"),
        task: TaskId::Speak(TurnId { round: 1, place: 2 }),
        attempt: 1,
        idempotency_key: "m-1/speak:r1t2#1".to_owned(),
        runner: RunnerSpec::Process { name: "lab".to_owned() },
        prompt: Prompt {
            system: "You are Ada.".to_owned(),
            messages: vec![
                message(PromptRole::User, "<meeting>\nTopic: Which database?\n</meeting>"),
                message(PromptRole::Assistant, "SQLite."),
                message(
                    PromptRole::User,
                    "<message id=\"m2\" from=\"Ben\">\nWhy?\n</message>\n\n<task>\nSpeak.\n</task>",
                ),
            ],
            schema: None,
            max_tokens: 300,
            brief: Arc::new(brief),
            task_at: 0,
            tools: Default::default(),
        },
        timeout_ms: 60_000,
        retries: quorate_engine::RetrySink::nobody(),
        actions: quorate_engine::ActionSink::nobody(),
        tools: Arc::from([]),
        images: Arc::from([]),
    }
}

/// The schema of a vote.
pub fn vote_schema() -> AnswerSchema {
    AnswerSchema { name: "vote", schema: Arc::new(json!({ "type": "object" })) }
}

/// A sink, and the pieces that went there.
pub fn ear() -> (FragmentSink, Arc<Mutex<Vec<String>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let pieces = heard.clone();
    (FragmentSink::new(move |piece| pieces.lock().expect("no panic").push(piece.text)), heard)
}

#[track_caller]
pub fn answered(outcome: Outcome) -> Answer {
    match outcome {
        Outcome::Answered(answer) => answer,
        Outcome::CalledTools(answer, _) => panic!("calls of tools: {answer:?}"),
        Outcome::Failed(failure) => panic!("no answer: {failure:?}"),
    }
}

#[track_caller]
pub fn failed(outcome: Outcome) -> Failure {
    match outcome {
        Outcome::Failed(failure) => failure,
        Outcome::Answered(answer) | Outcome::CalledTools(answer, _) => panic!("an answer: {answer:?}"),
    }
}
