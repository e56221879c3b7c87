//! Rebuilding of a lost or damaged catalogue from the log, with the index of mentions.

use quorate_contract::MeetingId;
use quorate_engine::JournalError;
use quorate_messages::{Message, message};

use crate::chain::Hash;
use crate::error::StoreError;
use crate::meeting_row::{ImmutableColumns, MutableColumns};
use crate::sql::{Behavior, Connection, Transaction};
use crate::upcast;
use crate::{catalogue, chain, mention_index};

/// Replaces all rows of the catalogue within the caller's transaction, and says how many there
/// are now. A log that is damaged itself is refused, and nothing is changed.
pub(crate) fn rebuild(connection: &Connection) -> Result<u64, StoreError> {
    // Events belong to meetings; for the length of the transaction they may belong to none.
    connection.sqlite_pragma("PRAGMA defer_foreign_keys = ON;")?;
    connection.execute("DELETE FROM meeting", [])?;
    let keys: Vec<i64> = connection
        .prepare("SELECT DISTINCT meeting FROM event ORDER BY meeting")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for &key in &keys {
        rebuild_one(connection, key)?;
    }
    mention_index::rebuild(connection)?;
    Ok(keys.len() as u64)
}

/// Adds a row for each meeting of which only the row was lost: all of it is computed from the log. A meeting
/// with a damaged log stays out, and so does a row that cannot be written now.
pub(crate) fn restore_missing(connection: &Connection) -> Result<(), StoreError> {
    let missing: Vec<i64> = connection
        .prepare(
            "SELECT key FROM meeting_register
             WHERE id IS NOT NULL AND key NOT IN (SELECT key FROM meeting)
               AND EXISTS (SELECT 1 FROM event WHERE event.meeting = meeting_register.key)",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for key in missing {
        let begun = Transaction::begin(connection, Behavior::Change).map_err(StoreError::from);
        let entered = begun.and_then(|moment| {
            rebuild_one(&moment, key)?;
            Ok(moment.commit()?)
        });
        match entered {
            Ok(()) => tracing::warn!(
                number = key,
                "a meeting was missing in the catalogue; it was entered from its log"
            ),
            Err(error) => tracing::warn!(number = key, %error, "a meeting is missing in the catalogue"),
        }
    }
    Ok(())
}

/// Enters the meeting whose events lie under `key`.
fn rebuild_one(connection: &Connection, key: i64) -> Result<(), StoreError> {
    let mut select =
        connection.prepare_cached("SELECT line, hash FROM event WHERE meeting = ?1 ORDER BY seq")?;
    let mut rows = select.query([key])?;
    let mut folded: Option<(MeetingId, ImmutableColumns, MutableColumns)> = None;
    while let Some(row) = rows.next()? {
        let (line, stored) = (row.get::<_, String>(0), row.get::<_, Hash>(1));
        let event = line.as_deref().ok().and_then(|line| upcast::event(line).ok());
        let (Ok(line), Ok(stored), Some(event)) = (line, stored, event) else {
            return Err(damaged(key, folded.as_ref(), message!("store-cannot-be-decoded")));
        };
        let (id, _, standing) = folded.get_or_insert_with(|| {
            let id = event.meeting_id.clone();
            let standing = MutableColumns::at_the_beginning(&id);
            (id, ImmutableColumns::of(&event), standing)
        });
        let hash = chain::next(&standing.last_hash, line.as_bytes());
        if hash != stored || event.seq != standing.last_seq + 1 || event.meeting_id != *id {
            return Err(damaged(key, folded.as_ref(), message!("store-checksum-or-number")));
        }
        standing.apply(&event, hash);
    }
    if let Some((id, spec, standing)) = folded {
        catalogue::insert(connection, Some(key), &id, &spec, &standing)?;
    }
    Ok(())
}

/// The event after the last one that was folded cannot be.
fn damaged(
    key: i64,
    folded: Option<&(MeetingId, ImmutableColumns, MutableColumns)>,
    detail: Message,
) -> StoreError {
    let (meeting, seq) = match folded {
        Some((id, _, standing)) => (id.clone(), standing.last_seq + 1),
        None => (MeetingId::new(format!("number {key}")), 1),
    };
    StoreError::Journal(JournalError::Damaged { meeting, seq, detail })
}
