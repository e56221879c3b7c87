//! Lookup of a meeting by the beginning of its id, or by `last`.

use quorate_contract::MeetingId;
use quorate_core::MeetingState;

use crate::error::StoreError;
use crate::sql::{Connection, OptionalExtension};
use crate::store::Store;

/// The largest number of candidates that an ambiguous beginning lists.
const NAMED: usize = 10;

/// Finds a meeting. `last` is the newest one; a complete id means itself, whatever other ids begin with it.
pub(crate) fn find(connection: &Connection, prefix: &str) -> Result<MeetingId, StoreError> {
    if prefix == "last" {
        return newest(connection)?.ok_or(StoreError::NoMeetings);
    }
    let mut candidates = beginning_with(connection, prefix)?;
    if candidates.len() > 1
        && let Some(whole) = candidates.iter().position(|id| id.as_str() == prefix)
    {
        return Ok(candidates.swap_remove(whole));
    }
    match candidates.len() {
        0 => Err(StoreError::NoMatch { prefix: prefix.to_owned() }),
        1 => Ok(candidates.swap_remove(0)),
        found => {
            candidates.truncate(NAMED);
            Err(StoreError::Ambiguous { prefix: prefix.to_owned(), candidates, more: found > NAMED })
        }
    }
}

impl Store {
    /// Whether a meeting has ended; not when there is none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn has_ended(&self, meeting: &MeetingId) -> Result<bool, StoreError> {
        let meeting = meeting.clone();
        self.reading(move |connection| {
            let mut select =
                connection.prepare_cached("SELECT 1 FROM meeting WHERE id = ?1 AND phase = ?2")?;
            Ok(select.exists((meeting.as_str(), MeetingState::Ended.as_str()))?)
        })
        .await
    }
}

fn newest(connection: &Connection) -> Result<Option<MeetingId>, StoreError> {
    connection
        .prepare_cached("SELECT id FROM meeting ORDER BY created_ms DESC, key DESC LIMIT 1")?
        .query_row([], |row| row.get::<_, String>(0))
        .optional()
        .map(|id| id.map(MeetingId::new))
        .map_err(StoreError::of_catalogue)
}

/// The meetings that begin like this: the one that is exactly this first, then newest first.
fn beginning_with(connection: &Connection, prefix: &str) -> Result<Vec<MeetingId>, StoreError> {
    let mut select = connection.prepare_cached(
        "SELECT id FROM meeting WHERE id >= ?1 AND id < ?2
         ORDER BY id = ?1 DESC, created_ms DESC, key DESC LIMIT ?3",
    )?;
    // No text that begins with the prefix sorts after the prefix and the last of all characters.
    let beyond = format!("{prefix}{}", char::MAX);
    let rows = select.query_map((prefix, beyond, NAMED as u32 + 1), |row| row.get::<_, String>(0))?;
    rows.map(|id| id.map(MeetingId::new).map_err(StoreError::of_catalogue)).collect()
}
