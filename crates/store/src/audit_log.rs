//! The audit log: who did what, and from where.
//!
//! Entries are queued without waiting and written by the journal's writer, all queued ones in one
//! transaction, right after its current work. They outlast the meetings that they are about, so they name a
//! meeting by its id and repeat none of its contents. A process that is killed may lose its last audit
//! entries; it never loses events of meetings. What a process does that only reads the database waits beside it
//! until the writer takes it over (`audit_spool`).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quorate_contract::{MeetingId, Timestamp};
use rusqlite::types::Value;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::chain::Hash;
use crate::missing_rows;
use crate::sql::{self, Connection, params_from_iter};

/// The largest number of queued entries. When the disk is slower than that, the oldest stay and the newest
/// are only counted.
const WAITING: usize = 10_000;
/// One entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// The time.
    #[serde(rename = "happened_at", alias = "ts_ms")]
    pub ts_ms: Timestamp,
    /// The principal: the name of a user or of a token, `anonymous`.
    #[serde(alias = "who")]
    pub by: String,
    /// The action: `meeting.delete`, `login.refused`.
    pub action: String,
    /// At which meeting, if at one.
    pub meeting: Option<MeetingId>,
    /// Details. No keys, no passwords, no contents of a meeting.
    pub detail: Json,
    /// From where: an address of the network, or `local`.
    pub address: String,
}

/// The entries that wait to be written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Waiting {
    queue: Arc<Mutex<Queue>>,
    /// Held by the one who writes them, so that whoever waits until all are written waits for what is being written.
    writing: Arc<Mutex<()>>,
}

#[derive(Debug, Default)]
struct Queue {
    entries: VecDeque<AuditEntry>,
    /// The number of entries that found no room.
    lost: u64,
}

impl Waiting {
    /// Adds an entry, and says whether none was waiting: then the writer is to be woken.
    pub(crate) fn add(&self, entry: AuditEntry) -> bool {
        let mut queue = self.queue();
        if queue.entries.len() >= WAITING {
            queue.lost += 1;
            return false;
        }
        queue.entries.push_back(entry);
        queue.entries.len() == 1
    }

    /// Takes all that waits, and how many there was no room for.
    pub(crate) fn take(&self) -> (Vec<AuditEntry>, u64) {
        let mut queue = self.queue();
        (queue.entries.drain(..).collect(), std::mem::take(&mut queue.lost))
    }

    /// Puts back what could not be written, before what has come since.
    pub(crate) fn put_back(&self, entries: Vec<AuditEntry>, lost: u64) {
        let mut queue = self.queue();
        entries.into_iter().rev().for_each(|entry| queue.entries.push_front(entry));
        queue.lost += lost;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queue().entries.is_empty()
    }

    /// Keeps others from writing until the guard is dropped.
    pub(crate) fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An attempt to write the entries that had waited, of which only the report may have been lost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnsureAttempt {
    /// The checksum with which the audit log would end.
    pub(crate) end: Hash,
    /// How many entries it had, the oldest of those that wait.
    pub(crate) entries: usize,
    /// How many there was no room for.
    pub(crate) lost: u64,
}

/// Writes entries in the caller's transaction; those there was no room for are one entry of their own. Gives the checksum
/// with which the audit log then ends.
pub(crate) fn write(connection: &Connection, entries: &[AuditEntry], lost: u64) -> sql::Result<Hash> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO audit (place, ts_ms, who, action, meeting, detail, address, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    let (mut place, mut hash) = missing_rows::end_of_audit(connection)?;
    let mut add = |ts_ms: Timestamp,
                   who: &str,
                   action: &str,
                   meeting: Option<&MeetingId>,
                   detail: String,
                   address: &str| {
        place += 1;
        let text = |text: &str| Value::Text(text.to_owned());
        let meeting = meeting.map_or(Value::Null, |meeting| text(meeting.as_str()));
        let covered = [
            place.into(),
            ts_ms.0.into(),
            text(who),
            text(action),
            meeting,
            Value::Text(detail),
            text(address),
        ];
        hash = missing_rows::entry_hash(&hash, covered.clone());
        insert.execute(params_from_iter(covered.into_iter().chain([Value::Blob(hash.to_vec())])))
    };
    for AuditEntry { ts_ms, by, action, meeting, detail, address } in entries {
        add(*ts_ms, by, action, meeting.as_ref(), detail.to_string(), address)?;
    }
    if let (1.., Some(last)) = (lost, entries.last()) {
        let detail = serde_json::json!({ "entries": lost }).to_string();
        add(last.ts_ms, "system", "audit.lost", None, detail, "local")?;
    }
    missing_rows::note_audit(connection, place)?;
    Ok(hash)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(second: i64, who: &str, action: &str, meeting: Option<&str>) -> AuditEntry {
        AuditEntry {
            ts_ms: Timestamp(second * 1000),
            by: who.to_owned(),
            action: action.to_owned(),
            meeting: meeting.map(MeetingId::new),
            detail: json!({ "second": second }),
            address: "127.0.0.1".to_owned(),
        }
    }

    #[test]
    fn too_many_are_counted_and_what_could_not_be_written_keeps_its_order() {
        let waiting = Waiting::default();
        assert!(waiting.add(entry(0, "ada", "look", None)), "the first wakes the writer");
        for second in 1..WAITING as i64 + 5 {
            assert!(!waiting.add(entry(second, "ada", "look", None)));
        }
        let (entries, lost) = waiting.take();
        assert_eq!((entries.len(), lost), (WAITING, 5));
        waiting.add(entry(99_999, "ada", "look", None));
        waiting.put_back(entries, lost);
        let (entries, lost) = waiting.take();
        assert_eq!((entries[0].ts_ms.0, entries[WAITING].ts_ms.0, lost), (0, 99_999_000, 5));
        let connection = Connection::Sqlite(rusqlite::Connection::open_in_memory().unwrap());
        for step in crate::sqlite::schema::STEPS {
            connection.execute_batch(step).unwrap();
        }
        write(&connection, &entries[..1], lost).unwrap();
        let said: String = connection
            .query_row("SELECT detail FROM audit WHERE action = 'audit.lost'", [], |row| row.get(0))
            .unwrap();
        assert_eq!(said, r#"{"entries":5}"#);
    }
}
