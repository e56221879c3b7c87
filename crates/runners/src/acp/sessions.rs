//! Which session of an agent belongs to which seat, over a restart of the program.
//!
//! An agent keeps its sessions on the machine on which it runs, so this is a file of that machine, not of the database.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::prompt::ReadSoFar;

/// The most sessions that are remembered of one agent.
const SESSIONS_MAX: usize = 500;

/// A session of a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SavedSession {
    pub(super) id: String,
    pub(super) read: ReadSoFar,
    #[serde(default)]
    used_s: u64,
}

impl SavedSession {
    pub(super) fn new(id: String, read: ReadSoFar) -> Self {
        let used_s = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Self { id, read, used_s }
    }
}

/// The sessions of one agent.
#[derive(Debug)]
pub(super) struct Sessions {
    /// The file; `None` where they are not kept.
    path: Option<PathBuf>,
    known: Mutex<BTreeMap<String, SavedSession>>,
}

impl Sessions {
    /// Reads the file; what cannot be read counts as none.
    pub(super) fn open(path: Option<PathBuf>) -> Self {
        let text = path.as_ref().and_then(|path| std::fs::read(path).ok());
        let known = text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        Self { path, known: Mutex::new(known) }
    }

    pub(super) fn find(&self, seat: &str) -> Option<SavedSession> {
        self.known().get(seat).cloned()
    }

    /// Remembers a session. A file that cannot be written costs the memory of the agent after a restart, and nothing else.
    pub(super) fn save(&self, seat: &str, session: SavedSession) {
        let mut known = self.known();
        known.insert(seat.to_owned(), session);
        while known.len() > SESSIONS_MAX {
            let oldest = known.iter().min_by_key(|(_, session)| session.used_s);
            let Some(oldest) = oldest.map(|(seat, _)| seat.clone()) else { break };
            known.remove(&oldest);
        }
        let Some(path) = &self.path else { return };
        let text = serde_json::to_vec(&*known).unwrap_or_default();
        let new = path.with_extension("new");
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written =
            folder.and_then(|()| std::fs::write(&new, text)).and_then(|()| std::fs::rename(&new, path));
        if let Err(error) = written {
            tracing::warn!(path = %path.display(), %error, "sessions of an agent cannot be kept");
        }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, SavedSession>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
