//! Detection of missing rows.
//!
//! A row that is deleted behind the program's back leaves no trace in SQLite. So each meeting has a number in
//! a register from its first event on, which stays, without its id, when the meeting is deleted; and each
//! audit entry has a number and a checksum that covers all entries before it. Pruned entries are recorded by
//! their numbers, with their last checksum. Both detect loss and accidents; a person who can write the file
//! and knows this page can forge them.

use quorate_contract::MeetingId;
use quorate_messages::{Message, message};
use rusqlite::types::Value;
use sha2::{Digest, Sha256};

use crate::chain::Hash;
use crate::sql;
use crate::sql::{Connection, Dialect, OptionalExtension, Row, params_from_iter};

/// The numbers of the audit log and of the register of meetings.
const AUDIT: &str = "audit";
const REGISTER: &str = "meeting_register";

/// The last number that was given in a table; `None` before the first. SQLite keeps it by itself, for PostgreSQL there is a
/// table.
fn last_number(connection: &Connection, table: &str) -> sql::Result<Option<i64>> {
    let sql = match connection.dialect() {
        Dialect::Sqlite => "SELECT seq FROM sqlite_sequence WHERE name = ?1",
        Dialect::Postgres => "SELECT seq FROM numbering WHERE name = ?1",
    };
    connection.prepare_cached(sql)?.query_row([table], |row| row.get(0)).optional()
}

/// Gives a meeting its number.
pub(crate) fn register(connection: &Connection, meeting: &MeetingId) -> sql::Result<i64> {
    match connection.dialect() {
        Dialect::Sqlite => connection
            .prepare_cached("INSERT INTO meeting_register (id) VALUES (?1) RETURNING key")?
            .query_row([meeting.as_str()], |row| row.get(0)),
        Dialect::Postgres => connection
            .prepare_cached(
                "WITH given AS (UPDATE numbering SET seq = seq + 1 WHERE name = ?2 RETURNING seq)
                 INSERT INTO meeting_register (key, id) SELECT seq, ?1 FROM given RETURNING key",
            )?
            .query_row([meeting.as_str(), REGISTER], |row| row.get(0)),
    }
}

/// Notes up to which number entries of the audit log were written.
pub(crate) fn note_audit(connection: &Connection, place: i64) -> sql::Result<()> {
    match connection.dialect() {
        Dialect::Sqlite => Ok(()),
        Dialect::Postgres => connection
            .prepare_cached("UPDATE numbering SET seq = ?2 WHERE name = ?1")?
            .execute((AUDIT, place))
            .map(|_| ()),
    }
}

/// A meeting is deleted: its number stays.
pub(crate) fn unregister(connection: &Connection, key: i64) -> sql::Result<()> {
    connection.execute("UPDATE meeting_register SET id = NULL WHERE key = ?1", [key]).map(|_| ())
}

/// The number and the checksum that the next entry of the audit log follows.
pub(crate) fn end_of_audit(connection: &Connection) -> sql::Result<(i64, Hash)> {
    let place = last_number(connection, AUDIT)?;
    let last = connection
        .prepare_cached(
            "SELECT last, hash FROM audit_removed
             UNION ALL SELECT place, hash FROM (SELECT place, hash FROM audit ORDER BY place DESC LIMIT 1) AS newest
             ORDER BY 1 DESC LIMIT 1",
        )?
        .query_row([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<Hash>>(1)?)))
        .optional()?;
    let (last, hash) = last.unwrap_or_default();
    Ok((place.unwrap_or(0).max(last), hash.unwrap_or_default()))
}

/// The columns of an entry that its checksum covers, in order.
pub(crate) const COVERED: &str = "place, ts_ms, who, action, meeting, detail, address";

/// The checksum of an entry of the audit log after another one.
pub(crate) fn entry_hash(before: &Hash, covered: [Value; 7]) -> Hash {
    let mut hash = Sha256::new();
    hash.update(before);
    for value in covered {
        // Each with its sort and length, so that no two entries read alike.
        let (sort, bytes): (u8, Vec<u8>) = match value {
            Value::Null => (0, Vec::new()),
            Value::Integer(number) => (1, number.to_be_bytes().to_vec()),
            Value::Real(number) => (2, number.to_be_bytes().to_vec()),
            Value::Text(text) => (3, text.into_bytes()),
            Value::Blob(bytes) => (4, bytes),
        };
        hash.update([sort]);
        hash.update((bytes.len() as u64).to_be_bytes());
        hash.update(bytes);
    }
    hash.finalize().into()
}

/// Takes entries out of the audit log by a condition, and writes down which. Says how many there were.
pub(crate) fn remove_audit(connection: &Connection, condition: &str, values: &[Value]) -> sql::Result<u64> {
    let sql = format!("SELECT place, hash FROM audit WHERE {condition} ORDER BY place");
    let mut ranges: Vec<(i64, i64, Option<Hash>)> = Vec::new();
    let mut select = connection.prepare(&sql)?;
    let mut rows = select.query(params_from_iter(values.iter().cloned()))?;
    while let Some(row) = rows.next()? {
        let (place, hash) = (row.get::<_, i64>(0)?, row.get::<_, Option<Hash>>(1)?);
        match ranges.last_mut() {
            Some((_, last, end)) if *last + 1 == place => (*last, *end) = (place, hash),
            _ => ranges.push((place, place, hash)),
        }
    }
    drop(rows);
    for (mut first, mut last, mut hash) in ranges {
        // What was taken out on either side becomes one with it.
        let before = connection
            .query_row("SELECT first FROM audit_removed WHERE last = ?1", [first - 1], |row| row.get(0))
            .optional()?;
        let after = connection
            .query_row("SELECT last, hash FROM audit_removed WHERE first = ?1", [last + 1], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()?;
        if let Some(before) = before {
            first = before;
        }
        if let Some((end, ended)) = after {
            (last, hash) = (end, ended);
        }
        connection.execute("DELETE FROM audit_removed WHERE first >= ?1 AND last <= ?2", (first, last))?;
        connection.execute(
            "INSERT INTO audit_removed (first, last, hash) VALUES (?1, ?2, ?3)",
            (first, last, hash),
        )?;
    }
    let sql = format!("DELETE FROM audit WHERE {condition}");
    Ok(connection.execute(&sql, params_from_iter(values.iter().cloned()))? as u64)
}

/// Says what is missing or not as it was written in the audit log.
pub(crate) fn look_at_audit(connection: &Connection, mut tell: impl FnMut(Message)) -> sql::Result<()> {
    let removed: Vec<(i64, i64, Option<Hash>)> = connection
        .prepare("SELECT first, last, hash FROM audit_removed ORDER BY first")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    let mut removed = removed.into_iter().peekable();
    // Up to which number all is accounted for, and the checksum there; `None` when it is not known.
    let (mut last, mut hash) = (0, Some(Hash::default()));
    let mut go_to = |place: i64, last: &mut i64, hash: &mut Option<Hash>, tell: &mut dyn FnMut(Message)| {
        while *last + 1 < place {
            match removed.next_if(|(first, ..)| *first <= *last + 1) {
                Some((_, end, ended)) => (*last, *hash) = ((*last).max(end), ended),
                None => {
                    let end = removed.peek().map_or(place, |(first, ..)| place.min(*first)) - 1;
                    tell(match end - *last {
                        1 => message!("store-verify-audit-missing-one", entry = %end),
                        _ => message!("store-verify-audit-missing", first = %(*last + 1), last = %end),
                    });
                    (*last, *hash) = (end, None);
                }
            }
        }
    };
    let mut select = connection.prepare(&format!("SELECT {COVERED}, hash FROM audit ORDER BY place"))?;
    let mut rows = select.query([])?;
    let mut chained = false;
    while let Some(row) = rows.next()? {
        let place: i64 = row.get(0)?;
        go_to(place, &mut last, &mut hash, &mut tell);
        let stored = row.get::<_, Option<Hash>>(7).unwrap_or_default();
        match (stored, hash) {
            (Some(stored), Some(before)) if stored != entry_hash(&before, covered(&row)?) => {
                tell(message!("store-verify-audit-changed", entry = %place));
            }
            (None, _) if chained => tell(message!("store-verify-audit-unchained", entry = %place)),
            _ => {}
        }
        chained |= stored.is_some();
        // Entries from before the ledger start the chain again.
        (last, hash) = (place, if chained { stored } else { Some(Hash::default()) });
    }
    let end = last_number(connection, AUDIT)?;
    match end {
        Some(end) if end >= last => go_to(end + 1, &mut last, &mut hash, &mut tell),
        None if last == 0 => {}
        _ => tell(message!("store-verify-audit-count")),
    }
    Ok(())
}

fn covered(row: &Row<'_>) -> sql::Result<[Value; 7]> {
    Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?])
}

/// Says which meetings are missing: with their row in the catalogue, or with their events.
pub(crate) fn look_at_register(
    connection: &Connection,
    mut tell: impl FnMut(Option<MeetingId>, Message),
) -> sql::Result<()> {
    let mut select = connection.prepare(
        "SELECT meeting_register.key, meeting_register.id, meeting.id,
                (SELECT count(*) FROM event WHERE event.meeting = meeting_register.key)
         FROM meeting_register LEFT JOIN meeting ON meeting.key = meeting_register.key
         ORDER BY meeting_register.key",
    )?;
    let mut rows = select.query([])?;
    let mut last = 0;
    let missing_numbers = |from: i64, to: i64| match to - from {
        0 => message!("store-verify-number-missing", last = %to),
        _ => message!("store-verify-numbers-missing", first = %from, last = %to),
    };
    while let Some(row) = rows.next()? {
        let key: i64 = row.get(0)?;
        let (registered, listed): (Option<String>, Option<String>) = (row.get(1)?, row.get(2)?);
        let events: u64 = row.get(3)?;
        if key > last + 1 {
            tell(None, missing_numbers(last + 1, key - 1));
        }
        last = key;
        match (registered, listed) {
            (Some(id), None) if events == 0 => {
                tell(Some(MeetingId::new(id)), message!("store-verify-meeting-missing"))
            }
            (Some(id), None) => tell(Some(MeetingId::new(id)), message!("store-verify-row-missing", events)),
            (Some(id), Some(listed)) if id != listed => {
                tell(Some(MeetingId::new(listed)), message!("store-verify-other-id", id))
            }
            (None, Some(listed)) => {
                tell(Some(MeetingId::new(listed)), message!("store-verify-deleted"));
            }
            (Some(_), Some(_)) | (None, None) => {}
        }
    }
    let end = last_number(connection, REGISTER)?;
    if let Some(end) = end.filter(|end| *end > last) {
        tell(None, missing_numbers(last + 1, end));
    }
    // Those that have no number at all.
    let mut select = connection
        .prepare("SELECT id FROM meeting WHERE key NOT IN (SELECT key FROM meeting_register) ORDER BY key")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        tell(Some(MeetingId::new(row.get::<_, String>(0)?)), message!("store-verify-unregistered"));
    }
    Ok(())
}
