//! Reads a meeting's events back, and believes none of them before its checksum has spoken.

use std::sync::Arc;

use quorate_contract::{Event, MeetingId};
use quorate_engine::{JournalError, Record};
use quorate_messages::{Message, as_said, message};
use rusqlite::types::ValueRef;

use crate::chain;
use crate::chain::Hash;
use crate::conditions::Conditions;
use crate::error::{is_damage, unavailable};
use crate::sql;
use crate::sql::{Connection, OptionalExtension};
use crate::store::pages::{EventFilter, EventLines, PAGE_ROWS};
use crate::upcast;

/// The records after `after`, decoded.
pub(crate) fn records(
    connection: &Connection,
    meeting: &MeetingId,
    after: u64,
) -> Result<Vec<Record>, JournalError> {
    records_up_to(connection, meeting, after, u64::MAX)
}

/// The records after `after` up to `last`, decoded. What follows them is not read.
pub(crate) fn records_up_to(
    connection: &Connection,
    meeting: &MeetingId,
    after: u64,
    last: u64,
) -> Result<Vec<Record>, JournalError> {
    let mut records = Vec::new();
    walk(connection, meeting, after, last, |seq, line| {
        let line = upcast::line(line).map_err(as_said)?;
        let event = Event::from_json(&line).map_err(as_said)?;
        if event.seq != seq || event.meeting_id != *meeting {
            return Err(is_event(&event));
        }
        records.push(Record { event: Arc::new(event), line: (&*line).into() });
        Ok(())
    })?;
    Ok(records)
}

/// The lines after `after` as the present version writes them, each with its number.
pub(crate) fn lines(
    connection: &Connection,
    meeting: &MeetingId,
    after: u64,
) -> Result<Vec<(u64, String)>, JournalError> {
    let mut lines = Vec::new();
    walk(connection, meeting, after, u64::MAX, |seq, line| {
        lines.push((seq, upcast::line(line).map_err(as_said)?.into_owned()));
        Ok(())
    })?;
    Ok(lines)
}

/// That an event is another one than the place says where it stands.
pub(crate) fn is_event(event: &Event) -> Message {
    message!("store-log-is-event", seq = %event.seq, meeting = %event.meeting_id)
}

/// Hands each line after `after`, up to `most`, to `each` as it is stored, which may say what is wrong with it. All of it is
/// read as it stood at one moment, and it has to end where the catalogue says that it does.
pub(crate) fn walk(
    connection: &Connection,
    meeting: &MeetingId,
    after: u64,
    most: u64,
    mut each: impl FnMut(u64, &str) -> Result<(), Message>,
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
            return Err(PageError::Absent);
        };
        if after >= last.0.min(most) {
            return Ok(());
        }
        let mut hash = match after {
            0 => chain::beginning(meeting),
            _ => moment
                .prepare_cached("SELECT hash FROM event WHERE meeting = ?1 AND seq = ?2")?
                .query_row((key, after), |row| row.get(0))
                .optional()?
                .ok_or_else(|| PageError::Event(message!("store-verify-missing")))?,
        };
        let mut select = moment.prepare_cached(
            "SELECT seq, line, hash FROM event WHERE meeting = ?1 AND seq > ?2 ORDER BY seq",
        )?;
        let mut rows = select.query((key, after))?;
        while let Some(row) = rows.next()? {
            seq += 1;
            let broken = PageError::Event;
            if row.get_ref(0)? != ValueRef::Integer(seq.cast_signed()) {
                return Err(broken(message!("store-verify-missing")));
            }
            let ValueRef::Text(line) = row.get_ref(1)? else {
                return Err(broken(message!("store-log-line-no-text")));
            };
            hash = chain::next(&hash, line);
            if row.get_ref(2)? != ValueRef::Blob(&hash) {
                return Err(broken(message!("store-verify-checksum")));
            }
            let line = std::str::from_utf8(line).map_err(|error| broken(as_said(error)))?;
            each(seq, line).map_err(PageError::Event)?;
            if seq == most {
                return Ok(());
            }
        }
        if (seq, hash) != last {
            seq += 1;
            return Err(PageError::Event(message!("store-log-wrong-end")));
        }
        Ok(())
    })();
    outcome.map_err(|trouble| trouble.at(meeting, seq))
}

/// Some of the lines of a meeting. Each is believed because its checksum follows from its own
/// bytes and the checksum of the event before it.
pub(crate) fn page(
    connection: &Connection,
    meeting: &MeetingId,
    filter: &EventFilter,
) -> Result<EventLines, JournalError> {
    let limit = filter.limit.clamp(1, PAGE_ROWS);
    let mut page = EventLines { lines: Vec::new(), more: false };
    let mut at = 0;
    let outcome = (|| {
        let moment = connection.unchecked_transaction()?;
        let key: i64 = moment
            .prepare_cached("SELECT key FROM meeting WHERE id = ?1")?
            .query_row([meeting.as_str()], |row| row.get(0))
            .optional()?
            .ok_or(PageError::Absent)?;
        let mut conditions = Conditions::default();
        conditions.maybe("event.meeting = ?", Some(key));
        conditions.maybe("event.seq > ?", filter.after.map(u64::cast_signed));
        conditions.maybe("event.seq < ?", filter.before.map(u64::cast_signed));
        conditions.one_of("event.kind", filter.kinds.iter().map(String::as_str));
        let sql = format!(
            "SELECT event.seq, event.line, event.hash, earlier.hash
             FROM event LEFT JOIN event AS earlier
               ON earlier.meeting = event.meeting AND earlier.seq = event.seq - 1
             {} ORDER BY event.seq {} LIMIT {}",
            conditions.sql(),
            if filter.newest_first { "DESC" } else { "ASC" },
            limit + 1,
        );
        let mut select = moment.prepare_cached(&sql)?;
        let mut rows = select.query(&*conditions.values())?;
        while let Some(row) = rows.next()? {
            if page.lines.len() == limit as usize {
                page.more = true;
                break;
            }
            at = row.get(0)?;
            let broken = PageError::Event;
            let ValueRef::Text(line) = row.get_ref(1)? else {
                return Err(broken(message!("store-log-line-no-text")));
            };
            let before = match at {
                1 => chain::beginning(meeting),
                _ => row
                    .get::<_, Option<Hash>>(3)?
                    .ok_or_else(|| broken(message!("store-log-before-missing")))?,
            };
            if row.get_ref(2)? != ValueRef::Blob(&chain::next(&before, line)) {
                return Err(broken(message!("store-verify-checksum")));
            }
            let line = std::str::from_utf8(line).map_err(|error| broken(as_said(error)))?;
            let line = upcast::line(line).map_err(|error| broken(as_said(error)))?;
            page.lines.push((at, line.into_owned()));
        }
        Ok(())
    })();
    outcome.map_err(|trouble: PageError| trouble.at(meeting, at))?;
    Ok(page)
}

enum PageError {
    Absent,
    Event(Message),
    Sqlite(sql::Error),
}

impl PageError {
    /// The error as one of the journal; `seq` is the event that was read.
    fn at(self, meeting: &MeetingId, seq: u64) -> JournalError {
        let damaged = |detail| JournalError::Damaged { meeting: meeting.clone(), seq, detail };
        match self {
            Self::Absent => JournalError::NoSuchMeeting(meeting.clone()),
            Self::Event(detail) => damaged(detail),
            Self::Sqlite(error) if is_damage(&error) => damaged(as_said(error)),
            Self::Sqlite(error) => unavailable(&error),
        }
    }
}

impl From<sql::Error> for PageError {
    fn from(error: sql::Error) -> Self {
        Self::Sqlite(error)
    }
}
