//! The meetings that are measured, and how they are held.

use std::path::Path;
use std::sync::Arc;

use quorate_contract::{
    Actor, Command, EventBody, Facilitator, Format, Language, MeetingId, MeetingSpec, ModelParameters,
    Newcomer, Role, RunId, RunnerSpec,
};
use quorate_core::Meeting;
use quorate_engine::{Engine, Journal, Notice, RunnerDirectory, SystemClock};
use quorate_runners::{Directory, Pace, ProviderConfig, SimulatedRunner};
use quorate_store::DatabaseLocation;
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// The names of the participants.
pub(crate) const NAMES: [&str; 5] = ["Ada", "Ben", "Cid", "Dee", "Eva"];

/// Serial rounds of discussion, in which each participant reads all messages.
pub(crate) fn discussion(rounds: u32) -> MeetingSpec {
    let mut spec = spec(Format::Discussion);
    spec.rules.limits.max_rounds = rounds;
    spec
}

/// Consensus as it is by default, but for the last round.
pub(crate) fn consensus(rounds: u32) -> MeetingSpec {
    let mut spec = spec(Format::Consensus);
    spec.rules.limits.max_rounds = rounds;
    spec.facilitator = Some(Facilitator { runner: model(), system_prompt: String::new() });
    spec
}

fn spec(format: Format) -> MeetingSpec {
    MeetingSpec {
        topic: "Should our service keep SQLite or move to PostgreSQL?".to_owned(),
        background: String::new(),
        details: Default::default(),
        tools: Vec::new(),
        language: Language::En,
        format,
        rules: format.rules(),
        seed: 42,
        facilitator: None,
        moderator: None,
        agenda: Vec::new(),
        models: Vec::new(),
        participants: NAMES.iter().map(|name| newcomer(name)).collect(),
    }
}

fn newcomer(name: &str) -> Newcomer {
    let role = Role {
        name: "engineer".to_owned(),
        description: "Looks at what a choice costs to run, and who is called at night.".to_owned(),
        system_prompt: String::new(),
    };
    Newcomer { name: name.to_owned(), role, runner: model(), skip_list: Vec::new() }
}

fn model() -> RunnerSpec {
    RunnerSpec::Model {
        provider: "bench".to_owned(),
        model: "bench".to_owned(),
        parameters: ModelParameters::default(),
        price: None,
        fallback: None,
    }
}

/// The same two threads wherever it is measured.
pub(crate) fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

/// A folder on a disk, beside what is built; memory would flatter the journal.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder on a disk")
}

/// The database that a path means: a file, or with a server for tests in the environment a database there.
pub(crate) fn place(path: &Path) -> DatabaseLocation {
    let folder = path.parent().expect("it lies in a folder");
    DatabaseLocation::parse(&quorate_test_database::given(path), folder).expect("a path or an address")
}

/// The size of the files in a folder, in bytes.
pub(crate) fn bytes_in(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).expect("the folder is there").flatten();
    files.filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum()
}

/// An engine whose models answer at `provider`.
pub(crate) fn engine(journal: Arc<dyn Journal>, provider: ProviderConfig) -> Engine {
    let simulated = Arc::new(SimulatedRunner::new(Pace::Instant));
    let directory = Directory::open([provider], simulated).expect("a provider that can be used");
    engine_with(journal, Arc::new(directory))
}

/// An engine with runners of one's own.
pub(crate) fn engine_with(journal: Arc<dyn Journal>, runners: Arc<dyn RunnerDirectory>) -> Engine {
    Engine::new(journal, runners, Arc::new(SystemClock))
}

/// A finished meeting with its figures.
#[derive(Clone, Default)]
pub(crate) struct Held {
    pub(crate) turns: u64,
    pub(crate) events: u64,
    /// Bytes of what participants said.
    pub(crate) words: u64,
    /// Pieces of answers that were heard while they were written.
    pub(crate) fragments: u64,
}

impl Held {
    /// Counts another meeting in.
    pub(crate) fn add(&mut self, other: &Held) {
        self.turns += other.turns;
        self.events += other.events;
        self.words += other.words;
        self.fragments += other.fragments;
    }
}

/// Holds a meeting from its creation to its end, and listens to it.
pub(crate) async fn hold(engine: &Engine, number: usize, spec: MeetingSpec, fragments: bool) -> Held {
    let id = MeetingId::new(format!("0190f3c8-7a2e-7000-8000-{number:012}"));
    let run = RunId::new(format!("0190f3c8-7a2e-7000-9000-{number:012}"));
    let handle = engine.create(id, run, Actor::owner(), spec).await.expect("it can be created");
    let mut heard = handle.subscribe(0, fragments).await.expect("it can be heard");
    handle.execute(Command::Start { by: Actor::owner() }).await.expect("it can start");
    let mut held = Held::default();
    while let Some(notice) = heard.next().await.expect("the journal can be read") {
        match notice {
            Notice::Event(record) => {
                held.events += 1;
                match &record.event.body {
                    EventBody::AgentMessage { message, .. } => {
                        held.turns += 1;
                        held.words += message.content.len() as u64;
                    }
                    EventBody::TurnFailed { detail, .. } | EventBody::Error { detail, .. } => {
                        panic!("what is measured is a meeting that works, and here {detail}")
                    }
                    EventBody::AnswerMalformed { problem, .. } => panic!("the endpoint's fault: {problem}"),
                    EventBody::Finished { .. } => break,
                    _ => {}
                }
            }
            Notice::Fragment(_) => held.fragments += 1,
            Notice::Lagged => {}
            Notice::Problem(error) => panic!("the disk: {error}"),
        }
    }
    held
}

/// A meeting before its creation.
pub(crate) fn blank() -> Meeting {
    Meeting::blank(
        MeetingId::new("0190f3c8-7a2e-7000-8000-000000000000"),
        RunId::new("0190f3c8-7a2e-7000-9000-000000000000"),
    )
}
