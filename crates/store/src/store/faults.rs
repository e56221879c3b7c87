//! Which meetings run no more because their loops failed again and again: kept beside the log, so that lists, other
//! processes and the next start know.

use quorate_contract::{MeetingId, Timestamp};
use quorate_engine::{Fault, JournalError};
use quorate_messages::as_said;

use crate::error::StoreError;
use crate::sql::Connection;
use crate::store::Store;

/// The prefix of these settings; the id of the meeting follows.
const PREFIX: &str = "meeting_fault/";

impl Store {
    /// The meetings that run no more, and why. What cannot be read is left out: it costs another try.
    pub async fn faults(&self) -> Result<Vec<(MeetingId, Fault)>, StoreError> {
        let mut faults = Vec::new();
        for (name, value) in self.settings().await? {
            let Some(id) = name.strip_prefix(PREFIX) else { continue };
            match serde_json::from_value(value) {
                Ok(fault) => faults.push((MeetingId::new(id), fault)),
                Err(error) => tracing::warn!(meeting = id, %error, "a fault that was kept cannot be read"),
            }
        }
        Ok(faults)
    }

    /// Keeps why a meeting runs no more, or forgets it.
    pub(crate) async fn set_fault(
        &self,
        meeting: MeetingId,
        fault: Option<Fault>,
    ) -> Result<(), JournalError> {
        let name = format!("{PREFIX}{meeting}");
        let since = fault.as_ref().map_or(Timestamp(0), |fault| fault.since);
        let value = fault.map(|fault| serde_json::to_value(fault).expect("a fault has only text keys"));
        self.set_setting(&name, value, since).await.map_err(|error| match error {
            StoreError::Journal(error) => error,
            other => crate::error::contract_broken(as_said(other)),
        })
    }
}

/// Forgets the fault of a deleted meeting.
pub(crate) fn forget(connection: &Connection, meeting: &MeetingId) -> Result<(), StoreError> {
    connection.execute("DELETE FROM setting WHERE name = ?1", [format!("{PREFIX}{meeting}")])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use quorate_engine::{FaultKind, Journal};

    use super::*;

    #[tokio::test]
    async fn a_fault_is_kept_until_the_meeting_runs_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("meetings.db");
        let store = Store::open(crate::testing::location(&path)).unwrap();
        let (one, two) = (MeetingId::new("one"), MeetingId::new("two"));
        let fault =
            Fault { kind: FaultKind::Panicked, detail: as_said("index"), failures: 3, since: Timestamp(7) };
        store.set_setting("retention", Some(serde_json::json!(30)), Timestamp(1)).await.unwrap();
        for id in [&one, &two] {
            store.keep_fault(id.clone(), Some(fault.clone())).await.unwrap();
        }
        store.keep_fault(two, None).await.unwrap();
        drop(store);
        let store = Store::open_read_only(crate::testing::location(&path)).unwrap();
        assert_eq!(store.faults().await.unwrap(), [(one, fault)]);
    }
}
