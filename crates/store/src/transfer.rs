//! Copying a whole database into an empty one, of the same kind or of the other.
//!
//! All tables are copied row by row as they stood at one moment, events with their lines and checksums, so that the copy
//! has the same chains. The search index is not copied; it is made again.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::types::Value;

use crate::error::StoreError;
use crate::files::Files;
use crate::sql::{self, Connection, Dialect, params_from_iter};
use crate::upload_content;

/// The tables, in the order in which they can be filled, each with the order of its rows.
const TABLES: &[(&str, Order)] = &[
    ("meeting_register", Order::Number("key")),
    ("meeting", Order::Number("key")),
    ("event", Order::Number("place")),
    ("snapshot", Order::Columns("meeting")),
    ("mention", Order::Columns("person, place")),
    ("person_seat", Order::Columns("meeting, participant")),
    ("mention_read", Order::Columns("person, meeting")),
    ("agent", Order::Number("key")),
    ("context_cursor", Order::Columns("agent, meeting")),
    ("credential", Order::Columns("provider")),
    ("password", Order::Columns("meeting")),
    ("idempotency", Order::Number("place")),
    ("upload", Order::Columns("created_ms, rowid")),
    ("template", Order::Number("key")),
    ("setting", Order::Columns("name")),
    ("audit", Order::Number("place")),
    ("audit_removed", Order::Number("first")),
    ("account", Order::Columns("name")),
    ("person_setting", Order::Columns("account")),
    ("session", Order::Columns("id")),
    ("refresh", Order::Columns("session, rowid")),
    ("issued_token", Order::Number("key")),
    ("token", Order::Columns("id")),
    ("invitation", Order::Columns("id")),
    ("result_link", Order::Columns("id")),
    ("meeting_label", Order::Columns("meeting")),
    ("webhook", Order::Number("key")),
    ("webhook_message", Order::Number("key")),
    ("webhook_delivery", Order::Number("key")),
    ("webhook_received", Order::Columns("webhook, id")),
    ("signing_key", Order::Number("key")),
];

/// How the rows of a table are gone through.
#[derive(Clone, Copy)]
enum Order {
    /// By a number that each row has for itself.
    Number(&'static str),
    /// By columns that order them.
    Columns(&'static str),
}

/// The tables whose rows are numbered by the database.
const NUMBERED: &[(&str, &str)] = &[
    ("agent", "key"),
    ("idempotency", "place"),
    ("template", "key"),
    ("issued_token", "key"),
    ("webhook", "key"),
    ("webhook_message", "key"),
    ("webhook_delivery", "key"),
    ("signing_key", "key"),
];
/// Columns that exist to order rows; the other database numbers them itself.
const OWN: &[&str] = &["rowid", "owner", "epoch", "left_by", "node"];
/// The number of rows that are read at once.
const ROWS: i64 = 500;

/// Copies all rows into an empty database, in the caller's transactions on both. `progress` is told how many rows were
/// copied, and how many there are.
pub(crate) fn copy(
    from: &Connection,
    to: &Connection,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<(), StoreError> {
    let mut all = 0;
    for (table, _) in TABLES {
        all += from.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, u64>(0))?;
    }
    let mut copied = 0;
    for (table, order) in TABLES {
        copy_table(from, to, table, *order, &mut |rows| {
            copied += rows;
            progress(copied, all);
        })?;
    }
    copy_sequences(from, to)?;
    to.execute("UPDATE search_state SET version = 0, place = 0", [])?;
    let mentions: i64 = from.query_row("SELECT version FROM mention_state", [], |row| row.get(0))?;
    to.execute("UPDATE mention_state SET version = ?1", [mentions])?;
    Ok(())
}

/// Makes sure that a database is empty.
///
/// # Errors
/// When it has rows.
pub(crate) fn refuse_rows(connection: &Connection) -> Result<(), StoreError> {
    for (table, _) in TABLES {
        if connection.prepare(&format!("SELECT 1 FROM {table} LIMIT 1"))?.exists([])? {
            return Err(StoreError::NotEmpty { table: (*table).to_owned() });
        }
    }
    Ok(())
}

fn copy_table(
    from: &Connection,
    to: &Connection,
    table: &str,
    order: Order,
    copied: &mut dyn FnMut(u64),
) -> sql::Result<()> {
    let columns = columns(to, table)?;
    let list = columns.join(", ");
    let places = (1..=columns.len()).map(|place| format!("?{place}")).collect::<Vec<_>>().join(", ");
    let mut insert = to.prepare(&format!("INSERT INTO {table} ({list}) VALUES ({places})"))?;
    let mut select = from.prepare(&match order {
        Order::Number(key) => {
            format!("SELECT {list} FROM {table} WHERE {key} > ?1 ORDER BY {key} LIMIT ?2")
        }
        Order::Columns(columns) => {
            format!("SELECT {list} FROM {table} ORDER BY {columns} LIMIT ?2 OFFSET ?1")
        }
    })?;
    let number_at = match order {
        Order::Number(key) => columns.iter().position(|column| column == key),
        Order::Columns(_) => None,
    };
    let mut from_here = match order {
        Order::Number(_) => i64::MIN,
        Order::Columns(_) => 0,
    };
    loop {
        let mut rows = select.query((from_here, ROWS))?;
        let mut read = 0;
        while let Some(row) = rows.next()? {
            let values = (0..columns.len()).map(|place| row.get::<_, Value>(place));
            let values: Vec<Value> = values.collect::<Result<_, _>>()?;
            match number_at.and_then(|place| values.get(place)) {
                Some(Value::Integer(number)) => from_here = *number,
                _ => from_here += 1,
            }
            insert.execute(params_from_iter(values))?;
            read += 1;
        }
        copied(read as u64);
        if read < ROWS {
            return Ok(());
        }
    }
}

/// The columns of a table that both databases have.
fn columns(of: &Connection, table: &str) -> sql::Result<Vec<String>> {
    let sql = match of.dialect() {
        Dialect::Sqlite => "SELECT name FROM pragma_table_info(?1) ORDER BY cid",
        Dialect::Postgres => {
            "SELECT CAST(column_name AS TEXT) FROM information_schema.columns
             WHERE table_schema = current_schema() AND table_name = ?1 ORDER BY ordinal_position"
        }
    };
    let mut select = of.prepare(sql)?;
    let names = select.query_map([table], |row| row.get::<_, String>(0))?;
    let names: Vec<String> = names.collect::<Result<_, _>>()?;
    Ok(names.into_iter().filter(|name| !OWN.contains(&name.as_str())).collect())
}

/// Has the next rows numbered after those that were ever there.
fn copy_sequences(from: &Connection, to: &Connection) -> sql::Result<()> {
    let numbers: BTreeMap<String, i64> = {
        let mut select = from.prepare(match from.dialect() {
            Dialect::Sqlite => "SELECT name, seq FROM sqlite_sequence",
            Dialect::Postgres => "SELECT name, seq FROM numbering",
        })?;
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect::<Result<_, _>>()?
    };
    for name in ["audit", "meeting_register"] {
        let Some(seq) = numbers.get(name) else { continue };
        match to.dialect() {
            Dialect::Sqlite => {
                to.execute("DELETE FROM sqlite_sequence WHERE name = ?1", [name])?;
                to.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", (name, seq))?
            }
            Dialect::Postgres => to.execute("UPDATE numbering SET seq = ?2 WHERE name = ?1", (name, seq))?,
        };
    }
    if to.dialect() == Dialect::Postgres {
        to.execute(
            "UPDATE numbering SET seq = (SELECT coalesce(max(place), 0) FROM event) WHERE name = 'event'",
            [],
        )?;
        for (table, key) in NUMBERED {
            to.query_row(
                &format!(
                    "SELECT setval(pg_get_serial_sequence('{table}', '{key}'),
                                   (SELECT coalesce(max({key}), 0) + 1 FROM {table}), false)"
                ),
                [],
                |_| Ok(()),
            )?;
        }
    }
    Ok(())
}

/// Copies the contents of uploaded files, and says how many there were, and which are missing or not what was stored.
pub(crate) fn copy_contents(
    from: &Connection,
    from_files: &Files,
    to: &Connection,
    to_files: &Files,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<(u64, Vec<String>), StoreError> {
    let contents: Vec<String> = from
        .prepare("SELECT DISTINCT sha256 FROM upload ORDER BY sha256")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let (mut copied, mut missing) = (0, Vec::new());
    for (done, sha256) in (1..).zip(&contents) {
        let is_whole = match (from.dialect(), to.dialect()) {
            (Dialect::Sqlite, Dialect::Sqlite) => to_files.copy_from(from_files, sha256)?,
            (Dialect::Postgres, Dialect::Sqlite) => {
                to_files.take_in(&mut upload_content::open(from, sha256)?, sha256)?
            }
            (Dialect::Sqlite, Dialect::Postgres) => keep(to, sha256, &from_files.path(sha256))?,
            (Dialect::Postgres, Dialect::Postgres) => {
                upload_content::keep_from(to, sha256, &mut upload_content::open(from, sha256)?)?;
                true
            }
        };
        match is_whole {
            true => copied += 1,
            false => missing.push(sha256.clone()),
        }
        progress(done, contents.len() as u64);
    }
    Ok((copied, missing))
}

fn keep(to: &Connection, sha256: &str, path: &Path) -> Result<bool, StoreError> {
    let is_whole = crate::files::checksum(path).is_ok_and(|found| found == sha256);
    if is_whole {
        upload_content::keep(to, sha256, path)?;
    }
    Ok(is_whole)
}

/// The number of meetings, and the checksum of the end of each log: the same in two databases that hold the same.
pub(crate) fn ends(connection: &Connection) -> sql::Result<Vec<(String, i64, Vec<u8>)>> {
    let mut select = connection.prepare("SELECT id, last_seq, last_hash FROM meeting ORDER BY id")?;
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}
