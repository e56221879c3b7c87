//! The verbs of these tests: an agent with a script, a folder for it, and a turn for it to answer.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use quorate_contract::{
    Action, Answer, Brief, BriefTask, BriefTurn, Failure, Language, MeetingId, Outcome, Prompt,
    PromptMessage, PromptRole, RunId, RunnerSpec, TaskId, TurnId,
};
use quorate_engine::{ActionSink, FragmentKind, FragmentSink, Request, RetrySink, Runner};
use quorate_runners::{AcpConfig, AcpRunner, PermissionBoard};

/// An agent: it initializes, opens sessions and answers turns with `turn(session, text)`, which a script may replace.
const PREAMBLE: &str = include_str!("agent.py");

/// An agent with a script.
pub struct TestAgent {
    pub runner: AcpRunner,
    pub board: Arc<PermissionBoard>,
    pub config: AcpConfig,
    pub folder: PathBuf,
    place: PathBuf,
}

impl TestAgent {
    /// An agent whose script stands between the preamble and its loop.
    pub fn new(script: &str) -> Self {
        Self::with(script, |_| {})
    }

    pub fn with(script: &str, change: impl FnOnce(&mut AcpConfig)) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let place = std::env::temp_dir().join(format!("quorate-acp-{}-{count}", std::process::id()));
        let folder = place.join("project");
        std::fs::create_dir_all(folder.join("src")).expect("made");
        std::fs::write(folder.join("src/main.rs"), "fn main() {}\n// second\n").expect("written");
        std::fs::write(folder.join(".env"), "A_KEY=1").expect("written");
        let script = format!("{PREAMBLE}{script}\nserve()\n");
        let notes = place.join("notes");
        let command = ["python3", "-c", &script, notes.to_str().expect("plain")];
        let mut config = AcpConfig::new("coder", command, &folder);
        change(&mut config);
        let board = Arc::new(PermissionBoard::default());
        let runner = AcpRunner::new(config.clone(), Arc::clone(&board), Some(place.join("kept")))
            .expect("a good configuration");
        Self { runner, board, config, folder, place }
    }

    /// The same agent in a program that was started again.
    pub fn restarted(&mut self) {
        let kept = Some(self.place.join("kept"));
        self.runner = AcpRunner::new(self.config.clone(), Arc::clone(&self.board), kept).expect("good");
    }

    /// What the agent has noted, a line each.
    pub fn notes(&self) -> Vec<String> {
        let notes = std::fs::read_to_string(self.place.join("notes")).unwrap_or_default();
        notes.lines().map(str::to_owned).collect()
    }

    /// The texts that it was asked.
    pub fn asked(&self) -> Vec<String> {
        let notes = self.notes();
        let texts = notes.iter().filter_map(|note| note.strip_prefix("prompt "));
        texts.map(|text| serde_json::from_str(text).expect("a text")).collect()
    }

    pub async fn ask(&self, request: Request) -> Outcome {
        self.runner.run(request, FragmentSink::nobody()).await
    }
}

impl Drop for TestAgent {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.place);
    }
}

pub fn root(agent: &TestAgent) -> String {
    let root: &Path = &agent.folder;
    root.canonicalize().expect("there").display().to_string()
}

/// A turn after these messages: `(own, text)`.
pub fn request(said: &[(bool, &str)], place: u32) -> Request {
    let turn = BriefTurn { last_round: 3, can_skip: true, ..BriefTurn::default() };
    let brief = Brief {
        name: "Ada".to_owned(),
        round: 1,
        ..Brief::new(BriefTask::Speak(turn), Language::En, "Which database?")
    };
    let mut messages: Vec<PromptMessage> = Vec::new();
    for (own, text) in said {
        let role = if *own { PromptRole::Assistant } else { PromptRole::User };
        messages.push(PromptMessage::text(role, *text));
    }
    let record = match messages.pop_if(|last| last.role == PromptRole::User) {
        Some(last) => format!("{}\n\n", last.content),
        None => String::new(),
    };
    let content = format!("{record}<task>\nSpeak.\n</task>");
    messages.push(PromptMessage::text(PromptRole::User, content));
    Request {
        meeting: MeetingId::new("m-1"),
        run: RunId::new("r-1"),
        task: TaskId::Speak(TurnId { round: 1, place }),
        attempt: 1,
        idempotency_key: format!("m-1/speak:r1t{place}#1"),
        runner: RunnerSpec::Acp { name: "coder".to_owned(), folder: String::new() },
        prompt: Prompt {
            system: "You are Ada.".to_owned(),
            messages,
            schema: None,
            max_tokens: 300,
            brief: Arc::new(brief),
            task_at: record.len(),
            tools: Default::default(),
        },
        timeout_ms: 30_000,
        retries: RetrySink::nobody(),
        actions: ActionSink::nobody(),
        tools: Arc::from([]),
        images: Arc::from([]),
    }
}

/// A turn, and what its agent reports.
pub fn watched(request: Request) -> (Request, Arc<Mutex<Vec<Action>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    let actions = ActionSink::new(move |action| told.lock().expect("no panic").push(action));
    (Request { actions, ..request }, seen)
}

/// A sink, and the pieces of answer and reasoning that went there.
pub fn ear() -> (FragmentSink, Arc<Mutex<(String, String)>>) {
    let heard = Arc::new(Mutex::new((String::new(), String::new())));
    let pieces = Arc::clone(&heard);
    let sink = FragmentSink::new(move |piece| {
        let mut heard = pieces.lock().expect("no panic");
        match piece.kind {
            FragmentKind::Answer => heard.0.push_str(&piece.text),
            FragmentKind::Reasoning => heard.1.push_str(&piece.text),
        }
    });
    (sink, heard)
}

#[track_caller]
pub fn answered(outcome: Outcome) -> Answer {
    match outcome {
        Outcome::Answered(answer) => answer,
        Outcome::Failed(failure) => panic!("no answer: {failure:?}"),
        Outcome::CalledTools(_, calls) => panic!("no answer: {calls:?}"),
    }
}

#[track_caller]
pub fn failed(outcome: Outcome) -> Failure {
    match outcome {
        Outcome::Failed(failure) => failure,
        Outcome::Answered(answer) => panic!("an answer: {answer:?}"),
        Outcome::CalledTools(_, calls) => panic!("calls: {calls:?}"),
    }
}
