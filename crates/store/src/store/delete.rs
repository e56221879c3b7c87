//! Deletion of a meeting from the database, with all its contents.

use quorate_contract::MeetingId;
use quorate_engine::JournalError;

use crate::error::StoreError;
use crate::postgres::owner_change;
use crate::search::index;
use crate::sql::{Connection, OptionalExtension};
use crate::store::{context_cursors, faults, outbox, uploads};
use crate::{mention_index, missing_rows};

/// Deletes the meeting within the caller's transaction. Its pages are overwritten and not only marked as
/// free. What earlier versions of its rows left in pages that were freed before is overwritten when these are used again. Returns the checksums of the uploaded files that have
/// no reference once the transaction is committed.
///
/// # Errors
/// When the meeting does not exist.
pub(crate) fn delete(connection: &Connection, meeting: &MeetingId) -> Result<Vec<String>, StoreError> {
    let key: Option<i64> = connection
        .query_row("SELECT key FROM meeting WHERE id = ?1", [meeting.as_str()], |row| row.get(0))
        .optional()?;
    let Some(key) = key else {
        return Err(JournalError::NoSuchMeeting(meeting.clone()).into());
    };
    connection.sqlite_pragma("PRAGMA secure_delete = ON;")?;
    index::forget(connection, key)?;
    mention_index::forget(connection, key)?;
    connection.execute("DELETE FROM event WHERE meeting = ?1", [key])?;
    index::step_back(connection)?;
    connection.execute("DELETE FROM meeting WHERE key = ?1", [key])?;
    missing_rows::unregister(connection, key)?;
    connection.execute("DELETE FROM snapshot WHERE meeting = ?1", [meeting.as_str()])?;
    connection.execute("DELETE FROM password WHERE meeting = ?1", [meeting.as_str()])?;
    connection.execute("DELETE FROM idempotency WHERE meeting = ?1", [meeting.as_str()])?;
    context_cursors::forget_meeting(connection, meeting)?;
    faults::forget(connection, meeting)?;
    owner_change::forget_meeting(connection, meeting)?;
    outbox::forget_meeting(connection, meeting)?;
    let unneeded = uploads::delete_of_meeting(connection, meeting)?;
    for table in ["session", "token", "invitation", "result_link", "meeting_label"] {
        connection.execute(&format!("DELETE FROM {table} WHERE meeting = ?1"), [meeting.as_str()])?;
    }
    connection.sqlite_pragma("PRAGMA secure_delete = FAST;")?;
    Ok(unneeded)
}
