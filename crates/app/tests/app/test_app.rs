//! An app in a folder of its own.

use std::path::PathBuf;
use std::time::Duration;

use quorate_app::{App, AppOptions, CreateMeetingRequest};
use quorate_contract::{Actor, Command};
use quorate_core::Meeting;
use quorate_engine::{MeetingHandle, Notice};
use quorate_runners::Pace;
use quorate_store::Store;
use serde_json::{Value, json};

/// The time limit for an expected event.
const TIMEOUT: Duration = Duration::from_secs(60);

pub struct TestApp {
    pub folder: tempfile::TempDir,
}

impl TestApp {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    pub fn config(&self) -> PathBuf {
        self.folder.path().join("config.toml")
    }

    pub fn store(&self) -> Store {
        Store::open(self.folder.path().join("quorate.db")).expect("a database")
    }

    /// Changes a byte of these words where they first lie in the file of the database.
    pub fn damage(&self, words: &[u8]) {
        let path = self.folder.path().join("quorate.db");
        let mut bytes = std::fs::read(&path).expect("a database");
        let at = bytes.windows(words.len()).position(|part| part == words).expect("they lie in the file");
        bytes[at + words.len() - 3] ^= 1;
        std::fs::write(path, bytes).expect("written");
    }

    pub async fn open(&self) -> App {
        self.open_at(Pace::Instant).await
    }

    pub async fn open_at(&self, pace: Pace) -> App {
        let options = AppOptions { pace, ..AppOptions::new(self.config()) };
        App::open(self.store(), options).await.expect("an app")
    }

    /// Opens the app again as soon as the one before has let go of the database.
    pub async fn open_again(&self) -> App {
        let path = self.folder.path().join("quorate.db");
        let store = tokio::time::timeout(TIMEOUT, async {
            loop {
                match Store::open(&path) {
                    Ok(store) => break store,
                    Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
                }
            }
        });
        let store = store.await.expect("the database is let go of");
        let options = AppOptions::new(self.config());
        App::open(store, options).await.expect("an app")
    }
}

/// A short simulated meeting, with these fields beside.
pub fn new_meeting(fields: Value) -> CreateMeetingRequest {
    let mut all = json!({
        "topic": "SQLite or PostgreSQL?", "lang": "en", "seed": 5, "simulate": true, "seats": 3,
        "format": "discussion", "rules": { "limits": { "max_rounds": 1 } },
    });
    for (name, value) in fields.as_object().expect("fields") {
        match value {
            Value::Null => _ = all.as_object_mut().expect("fields").remove(name),
            value => all[name] = value.clone(),
        }
    }
    CreateMeetingRequest::from_json(all.to_string().as_bytes()).expect("a sound meeting")
}

/// Begins a meeting and waits for its end.
pub async fn held(app: &App, handle: &MeetingHandle) -> Meeting {
    handle.execute(Command::Start { by: Actor::person("mia", "mia") }).await.expect("it starts");
    ended(app, handle).await
}

/// Waits for a meeting's end.
pub async fn ended(app: &App, handle: &MeetingHandle) -> Meeting {
    let mut heard = handle.subscribe(0, false).await.expect("one can listen");
    let end = tokio::time::timeout(TIMEOUT, async {
        while let Some(notice) = heard.next().await.expect("the log can be read") {
            if let Notice::Problem(error) = notice {
                panic!("{error}");
            }
        }
    });
    end.await.expect("it ends");
    app.load(handle.id()).await.expect("it can be read")
}
