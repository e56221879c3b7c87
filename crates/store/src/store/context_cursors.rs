//! Up to which event an agent has been given what was said at a meeting.

use quorate_contract::{MeetingId, RunnerSpec, Timestamp, TurnDelivery};

use crate::error::StoreError;
use crate::sql;
use crate::sql::{Connection, OptionalExtension};
use crate::store::Store;

impl Store {
    /// The last event of which an agent has been given a message at this meeting; `None` when it has been given nothing.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn context_cursor(&self, agent: &str, meeting: &MeetingId) -> Result<Option<u64>, StoreError> {
        let (agent, meeting) = (agent.to_owned(), meeting.clone());
        self.reading(move |connection| {
            let cursor = connection
                .prepare_cached("SELECT seq FROM context_cursor WHERE agent = ?1 AND meeting = ?2")?
                .query_row((&agent, meeting.as_str()), |row| row.get(0))
                .optional()?;
            Ok(cursor)
        })
        .await
    }

    /// Notes that an agent has been given what was said up to an event. A cursor never goes back; at a meeting that is not
    /// there, nothing is noted.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn advance_context_cursor(
        &self,
        agent: &str,
        meeting: &MeetingId,
        seq: u64,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (agent, meeting) = (agent.to_owned(), meeting.clone());
        self.change(move |connection| {
            connection
                .prepare_cached(
                    "INSERT INTO context_cursor (agent, meeting, seq, updated_ms)
                     SELECT ?1, id, ?3, ?4 FROM meeting WHERE id = ?2
                     ON CONFLICT (agent, meeting) DO UPDATE SET seq = excluded.seq, updated_ms = excluded.updated_ms
                     WHERE context_cursor.seq < excluded.seq",
                )?
                .execute((&agent, meeting.as_str(), seq, now.0))?;
            Ok(())
        })
        .await
    }
}

/// Deletes the cursors at a meeting that is deleted.
pub(crate) fn forget_meeting(connection: &Connection, meeting: &MeetingId) -> sql::Result<()> {
    connection.execute("DELETE FROM context_cursor WHERE meeting = ?1", [meeting.as_str()])?;
    Ok(())
}

/// Deletes the cursors of an agent that is deleted.
pub(crate) fn forget_agent(connection: &Connection, runner: &RunnerSpec) -> sql::Result<()> {
    match runner {
        RunnerSpec::External { via: TurnDelivery::Agent | TurnDelivery::Webhook, name } => {
            connection.execute("DELETE FROM context_cursor WHERE agent = ?1", [name])?;
        }
        RunnerSpec::External { via: TurnDelivery::Person, .. }
        | RunnerSpec::Model { .. }
        | RunnerSpec::Simulated { .. }
        | RunnerSpec::Process { .. }
        | RunnerSpec::Acp { .. } => {}
    }
    Ok(())
}
