//! Meetings to store, and the verbs of these tests.

use std::path::Path;

use quorate_contract::{
    Actor, ContractVersion, Event, EventBody, Format, Language, MeetingId, Message, MessageId, MessageRole,
    Participant, ParticipantId, Role, RunId, RunnerSpec, Temperament, Timestamp,
};
use quorate_engine::{Journal, JournalError, Record};
use quorate_store::{DatabaseLocation, Store};

/// The database that a path means: a file, or with a server for tests a database there.
pub fn location(path: &Path) -> DatabaseLocation {
    let folder = path.parent().unwrap_or(Path::new(""));
    match DatabaseLocation::parse(&quorate_test_database::given(path), folder).expect("a path or an address")
    {
        DatabaseLocation::Postgres { url, .. } => DatabaseLocation::Postgres { url, beside: path.to_owned() },
        file => file,
    }
}

/// A place for a database that goes away with the test.
pub struct Place(tempfile::TempDir);

impl Place {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
    pub fn folder(&self) -> &Path {
        self.0.path()
    }
    pub fn db(&self) -> std::path::PathBuf {
        self.0.path().join("meetings.db")
    }
    /// Changes what is stored behind the store's back.
    pub fn execute(&self, sql: &str) {
        if quorate_test_database::is_on_server() {
            return quorate_test_database::execute(&self.db(), sql);
        }
        let connection = rusqlite::Connection::open(self.db()).unwrap();
        connection.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        connection.execute_batch(sql).unwrap();
    }
    /// What is stored, as a number.
    pub fn number(&self, sql: &str) -> i64 {
        if quorate_test_database::is_on_server() {
            return quorate_test_database::number(&self.db(), sql);
        }
        let connection = rusqlite::Connection::open(self.db()).unwrap();
        connection.query_row(sql, [], |row| row.get(0)).unwrap()
    }
    /// What is stored, as texts.
    pub fn texts(&self, sql: &str) -> Vec<String> {
        if quorate_test_database::is_on_server() {
            return quorate_test_database::texts(&self.db(), sql);
        }
        let connection = rusqlite::Connection::open(self.db()).unwrap();
        let mut select = connection.prepare(sql).unwrap();
        select.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    }
    /// Opens the database only to read it.
    pub fn read_only(&self) -> Store {
        Store::open_read_only(location(&self.db())).unwrap()
    }
    pub fn open(&self) -> Store {
        Store::open(location(&self.db())).unwrap()
    }
}

pub fn id(text: &str) -> MeetingId {
    MeetingId::new(text)
}

/// An event of the meeting; its time is its number in seconds.
pub fn record(meeting: &MeetingId, seq: u64, body: EventBody) -> Record {
    Record::of(Event {
        version: ContractVersion,
        seq,
        meeting_id: meeting.clone(),
        run_id: RunId::new("run-1"),
        ts_ms: Timestamp(seq.cast_signed() * 1000),
        actor: Actor::person("ada", "ada"),
        cause: "test".to_owned(),
        body,
    })
}

pub fn created(topic: &str) -> EventBody {
    EventBody::MeetingCreated {
        topic: topic.to_owned(),
        background: String::new(),
        details: Default::default(),
        language: Language::Zh,
        format: Format::Consensus,
        rules: Box::new(Format::Consensus.rules()),
        seed: 7,
        facilitator: None,
        moderator: Default::default(),
        models: Vec::new(),
        by: Actor::person("ada", "ada"),
    }
}

pub fn joined(number: u32, runner: RunnerSpec) -> EventBody {
    EventBody::ParticipantJoined {
        participant: Participant {
            id: ParticipantId(number),
            name: format!("Ben {number}"),
            role: Role {
                name: "sceptic".to_owned(),
                description: "asks what could go wrong".to_owned(),
                system_prompt: String::new(),
            },
            runner,
            skip_list: Vec::new(),
        },
        by: Actor::person("ada", "ada"),
        reason: Default::default(),
        invitation: None,
    }
}

pub fn simulated() -> RunnerSpec {
    RunnerSpec::Simulated { temperament: Temperament::Stubborn }
}

pub fn said(words: &str) -> EventBody {
    EventBody::UserMessage {
        reply_to: None,
        message_id: MessageId(1),
        round: 1,
        by: Actor::person("ada", "ada"),
        message: Message {
            role: MessageRole::User,
            name: "ada".to_owned(),
            content: words.to_owned(),
            citations: Vec::new(),
            evidence: Vec::new(),
        },
        mentions: Vec::new(),
        mentioned_people: Vec::new(),
    }
}

/// The events `from..=to` of a meeting in which Ada talks to herself.
pub fn talk(meeting: &MeetingId, from: u64, to: u64) -> Vec<Record> {
    (from..=to)
        .map(|seq| match seq {
            1 => record(meeting, 1, created("SQLite 够用吗？")),
            2 => record(meeting, 2, joined(1, simulated())),
            _ => record(meeting, seq, said(&format!("第 {seq} 点: \"yes\", until two writers meet\n"))),
        })
        .collect()
}

/// Appends the next `count` events of a meeting that has `before`.
pub async fn talk_on(
    store: &Store,
    meeting: &MeetingId,
    before: u64,
    count: u64,
) -> Result<(), JournalError> {
    store.append(meeting.clone(), before, talk(meeting, before + 1, before + count)).await
}

/// The stored lines of a meeting.
pub async fn lines(store: &Store, meeting: &MeetingId) -> Vec<String> {
    let read = store.read(meeting.clone(), 0).await.unwrap();
    read.into_iter().map(|record| record.line.to_string()).collect()
}

/// The lines of [`talk`].
pub fn lines_of_talk(meeting: &MeetingId, to: u64) -> Vec<String> {
    talk(meeting, 1, to).into_iter().map(|record| record.line.to_string()).collect()
}

/// Verifies without listening.
pub fn verify(path: &Path) -> Result<quorate_store::VerifyReport, quorate_store::StoreError> {
    quorate_store::verify(location(path), |_| {}, |_| {})
}
