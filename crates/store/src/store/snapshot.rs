//! Snapshots of meetings, so that a long log need not be folded from its first event.
//!
//! A snapshot says nothing of its own. It is tied to the checksum of the event at which it was taken,
//! which covers all events before it: one of another log, or of one that was tampered with, is not
//! found. Losing one costs time.

use quorate_contract::MeetingId;
use quorate_core::STATE_FORMAT;
use quorate_engine::{JournalError, Resumed, Snapshot};

use crate::error::{StoreError, unavailable};
use crate::sql;
use crate::sql::{Connection, OptionalExtension};
use crate::store::log;

/// Keeps a snapshot in the place of an older one. One of an event that is not there is not kept.
pub(crate) fn keep(
    connection: &Connection,
    meeting: &MeetingId,
    snapshot: &Snapshot,
) -> Result<(), StoreError> {
    let Snapshot { seq, format, state_hash, state } = snapshot;
    connection
        .prepare_cached(
            "INSERT INTO snapshot (meeting, seq, log_hash, format, state_hash, state)
             SELECT meeting.id, event.seq, event.hash, ?3, ?4, ?5
             FROM meeting JOIN event ON event.meeting = meeting.key AND event.seq = ?2
             WHERE meeting.id = ?1
             ON CONFLICT (meeting) DO UPDATE SET seq = excluded.seq, log_hash = excluded.log_hash,
                format = excluded.format, state_hash = excluded.state_hash, state = excluded.state",
        )?
        .execute((meeting.as_str(), seq, format, state_hash, state))?;
    Ok(())
}

/// The snapshot of a meeting that fits its log, if there is one, and the records after it.
pub(crate) fn resume(connection: &Connection, meeting: &MeetingId) -> Result<Resumed, JournalError> {
    let snapshot = find(connection, meeting, u64::MAX).map_err(|error| unavailable(&error))?;
    let after = snapshot.as_ref().map_or(0, |snapshot| snapshot.seq);
    let records = log::records(connection, meeting, after)?;
    Ok((snapshot, records))
}

/// The same as the meeting stood after event `at`: a later snapshot is none of it.
pub(crate) fn resume_at(
    connection: &Connection,
    meeting: &MeetingId,
    at: u64,
) -> Result<Resumed, JournalError> {
    let snapshot = find(connection, meeting, at).map_err(|error| unavailable(&error))?;
    let after = snapshot.as_ref().map_or(0, |snapshot| snapshot.seq);
    let records = log::records_up_to(connection, meeting, after, at)?;
    Ok((snapshot, records))
}

/// The snapshot of a meeting that fits its log, if it was taken by event `at`.
fn find(connection: &Connection, meeting: &MeetingId, at: u64) -> sql::Result<Option<Snapshot>> {
    connection
        .prepare_cached(
            "SELECT snapshot.seq, snapshot.format, snapshot.state_hash, snapshot.state
             FROM snapshot
             JOIN meeting ON meeting.id = snapshot.meeting
             JOIN event ON event.meeting = meeting.key AND event.seq = snapshot.seq
             WHERE snapshot.meeting = ?1 AND snapshot.format = ?2 AND snapshot.log_hash = event.hash
               AND snapshot.seq <= ?3",
        )?
        .query_row((meeting.as_str(), STATE_FORMAT, i64::try_from(at).unwrap_or(i64::MAX)), |row| {
            Ok(Snapshot {
                seq: row.get(0)?,
                format: row.get(1)?,
                state_hash: row.get(2)?,
                state: row.get(3)?,
            })
        })
        .optional()
}
