//! Reads a meeting's events back, and believes none of them before its checksum has spoken.

use std::sync::Arc;

use quorate_core::{Event, MeetingId};
use quorate_engine::{JournalError, Record};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};

use crate::chain::{self, Hash};
use crate::error::{is_damage, unavailable};

/// The records after `after`, decoded.
pub(crate) fn records(
    connection: &Connection,
    meeting: &MeetingId,
    after: u64,
) -> Result<Vec<Record>, JournalError> {
    let mut records = Vec::new();
    walk(connection, meeting, after, |seq, line| {
        let event = Event::from_json(line).map_err(|error| error.to_string())?;
        if event.seq != seq || event.meeting_id != *meeting {
            return Err(format!("it is event {} of meeting {}", event.seq, event.meeting_id));
        }
        records.push(Record { event: Arc::new(event), line: line.into() });
        Ok(())
    })?;
    Ok(records)
}

/// The lines after `after` as they were written, each with its number.
pub(crate) fn lines(
    connection: &Connection,
    meeting: &MeetingId,
    after: u64,
) -> Result<Vec<(u64, String)>, JournalError> {
    let mut lines = Vec::new();
    walk(connection, meeting, after, |seq, line| {
        lines.push((seq, line.to_owned()));
        Ok(())
    })?;
    Ok(lines)
}

/// Hands each line after `after` to `each`, which may say what is wrong with it. All of it is
/// read as it stood at one moment, and it has to end where the catalogue says that it does.
fn walk(
    connection: &Connection,
    meeting: &MeetingId,
    after: u64,
    mut each: impl FnMut(u64, &str) -> Result<(), String>,
) -> Result<(), JournalError> {
    let mut seq = after;
    let outcome = (|| {
        let moment = connection.unchecked_transaction()?;
        let Some((key, last)) = moment
            .prepare_cached("SELECT key, last_seq, last_hash FROM meeting WHERE id = ?1")?
            .query_row([meeting.as_str()], |row| {
                Ok((row.get::<_, i64>(0)?, (row.get::<_, u64>(1)?, row.get::<_, Hash>(2)?)))
            })
            .optional()?
        else {
            return Err(Trouble::Absent);
        };
        if after >= last.0 {
            return Ok(());
        }
        let mut hash = match after {
            0 => chain::beginning(meeting),
            _ => moment
                .prepare_cached("SELECT hash FROM event WHERE meeting = ?1 AND seq = ?2")?
                .query_row((key, after), |row| row.get(0))
                .optional()?
                .ok_or_else(|| Trouble::Event("it is missing".to_owned()))?,
        };
        let mut select = moment.prepare_cached(
            "SELECT seq, line, hash FROM event WHERE meeting = ?1 AND seq > ?2 ORDER BY seq",
        )?;
        let mut rows = select.query((key, after))?;
        while let Some(row) = rows.next()? {
            seq += 1;
            let broken = |detail: &str| Trouble::Event(detail.to_owned());
            if row.get_ref(0)? != ValueRef::Integer(seq.cast_signed()) {
                return Err(broken("it is missing"));
            }
            let ValueRef::Text(line) = row.get_ref(1)? else {
                return Err(broken("its line is not text"));
            };
            hash = chain::next(&hash, line);
            if row.get_ref(2)? != ValueRef::Blob(&hash) {
                return Err(broken("its checksum does not match"));
            }
            let line = std::str::from_utf8(line).map_err(|error| broken(&error.to_string()))?;
            each(seq, line).map_err(Trouble::Event)?;
        }
        if (seq, hash) != last {
            seq += 1;
            return Err(Trouble::Event("the log does not end where the catalogue says".to_owned()));
        }
        Ok(())
    })();
    outcome.map_err(|trouble| {
        let damaged = |detail| JournalError::Damaged { meeting: meeting.clone(), seq, detail };
        match trouble {
            Trouble::Absent => JournalError::NoSuchMeeting(meeting.clone()),
            Trouble::Event(detail) => damaged(detail),
            Trouble::Sqlite(error) if is_damage(&error) => damaged(error.to_string()),
            Trouble::Sqlite(error) => unavailable(&error),
        }
    })
}

enum Trouble {
    Absent,
    Event(String),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}
