//! The tables, and their migrations.

use quorate_contract::chain::{self, Hash};
use quorate_contract::{CONTRACT_VERSION, MeetingId};
use quorate_messages::message;

use super::owner_change::OWNER_CHANGES;
use super::provider_lease::PROVIDER_LEASES;
use super::running_places::RUNNING_PLACES;
use super::url::PostgresUrl;
use crate::error::StoreError;
use crate::sql::{self, Behavior, Connection, OptionalExtension, Transaction};
use crate::upcast;

/// Migrations from each version to the next; the database's version is the number of migrations that it has taken. A
/// released migration is never edited.
const STEPS: &[&str] = &[
    include_str!("schema.sql"),
    CONTEXT_CURSORS,
    PROVIDER_LEASES,
    RUNNING_PLACES,
    OWNER_CHANGES,
    CREATORS,
    CONCLUSIONS,
    RESULT_LINKS,
    MEETING_LABELS,
];

/// Up to which event each agent has been given what was said at a meeting.
const CONTEXT_CURSORS: &str = r#"
    CREATE TABLE context_cursor (
        agent TEXT COLLATE "C" NOT NULL,
        meeting TEXT COLLATE "C" NOT NULL,
        seq BIGINT NOT NULL,
        updated_ms BIGINT NOT NULL,
        PRIMARY KEY (agent, meeting)
    );
    CREATE INDEX context_cursor_by_meeting ON context_cursor (meeting);
"#;

/// Who created a meeting. Of meetings that are older it is not known.
const CREATORS: &str = r#"
    ALTER TABLE meeting ADD COLUMN created_by TEXT COLLATE "C";
    CREATE INDEX meeting_by_creator ON meeting (created_by) WHERE phase <> 'ended';
"#;

/// The first line of the conclusion. Of meetings that are older it is not known until the row is rebuilt.
const CONCLUSIONS: &str = "ALTER TABLE meeting ADD COLUMN conclusion TEXT";

/// Links to the results of meetings.
const RESULT_LINKS: &str = r#"
    CREATE TABLE result_link (
        id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        meeting TEXT COLLATE "C" NOT NULL,
        hash BYTEA NOT NULL UNIQUE,
        by TEXT COLLATE "C" NOT NULL,
        created_ms BIGINT NOT NULL,
        expires_ms BIGINT,
        reads BIGINT NOT NULL DEFAULT 0,
        read_ms BIGINT
    );
    CREATE INDEX result_link_by_meeting ON result_link (meeting, created_ms);
"#;

/// What people put on meetings: tags, and a title that was given after the end.
const MEETING_LABELS: &str = r#"
    CREATE TABLE meeting_label (
        meeting TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        title TEXT,
        tags TEXT NOT NULL,
        folded TEXT NOT NULL
    );
"#;

/// The newest version that is known here.
pub(crate) fn known_version() -> u32 {
    STEPS.len() as u32
}

/// Makes the tables, or brings them up to date. Several nodes may begin at once: one does it, the others wait.
///
/// # Errors
/// When the database is newer, or holds tables of another program.
pub(crate) fn migrate(connection: &Connection, url: &PostgresUrl) -> Result<(), StoreError> {
    if version(connection, url)? == Some(known_version()) {
        return contract(connection, url);
    }
    // Of two that make a table at once, one is refused, `IF NOT EXISTS` or not; it is there then.
    make_version(connection).or_else(|_| make_version(connection))?;
    let transaction = Transaction::begin(connection, Behavior::Append)?;
    let taken: u32 =
        transaction.query_row("SELECT version FROM quorate_version FOR UPDATE", [], |row| row.get(0))?;
    for (step, number) in STEPS.iter().zip(1u32..).skip(taken as usize) {
        transaction.execute_batch(step)?;
        transaction.execute("UPDATE quorate_version SET version = ?1", [number])?;
        tracing::debug!(%url, version = number, "database brought up to date");
    }
    transaction.commit()?;
    // What another node did meanwhile may be newer than this one knows.
    check(connection, url)
}

fn make_version(connection: &Connection) -> sql::Result<()> {
    connection.execute_batch(
        "CREATE TABLE IF NOT EXISTS quorate_version (one BIGINT PRIMARY KEY CHECK (one = 1), version BIGINT NOT NULL);
         INSERT INTO quorate_version (one, version) VALUES (1, 0) ON CONFLICT DO NOTHING",
    )
}

/// Checks that the database can be understood.
///
/// # Errors
/// When it is empty, older, newer, or another program's.
pub(crate) fn check(connection: &Connection, url: &PostgresUrl) -> Result<(), StoreError> {
    match version(connection, url)? {
        Some(found) if found == known_version() => contract(connection, url),
        Some(found) => Err(StoreError::Older { path: url.to_string().into(), found, known: known_version() }),
        None => Err(StoreError::NoDatabase { path: url.to_string().into() }),
    }
}

/// The version of the database; `None` when there is nothing of ours in it.
fn version(connection: &Connection, url: &PostgresUrl) -> Result<Option<u32>, StoreError> {
    if !connection.has_table("quorate_version")? {
        let has_others = connection.has_table("meeting")? || connection.has_table("event")?;
        return match has_others {
            true => Err(StoreError::NotOurs {
                path: url.to_string().into(),
                detail: message!("store-other-program"),
            }),
            false => Ok(None),
        };
    }
    let found: Option<u32> =
        connection.query_row("SELECT version FROM quorate_version", [], |row| row.get(0)).optional()?;
    match found {
        Some(found) if found > known_version() => {
            Err(StoreError::Newer { path: url.to_string().into(), found, known: known_version() })
        }
        // Another node is about to make the tables.
        Some(0) => Ok(None),
        found => Ok(found),
    }
}

/// Checks that the events can be read, by the version of the newest one.
fn contract(connection: &Connection, url: &PostgresUrl) -> Result<(), StoreError> {
    let line = connection
        .query_row(
            "SELECT event.line, event.hash, event.seq, meeting.id, earlier.hash
             FROM event JOIN meeting ON meeting.key = event.meeting
             LEFT JOIN event AS earlier ON earlier.meeting = event.meeting AND earlier.seq = event.seq - 1
             WHERE event.place = (SELECT max(place) FROM event)",
            [],
            |row| {
                let (line, hash, seq): (String, Hash, u64) = (row.get(0)?, row.get(1)?, row.get(2)?);
                let before = match seq {
                    1 => chain::beginning(&MeetingId::new(row.get::<_, String>(3)?)),
                    _ => row.get(4)?,
                };
                Ok((hash == chain::next(&before, line.as_bytes())).then_some(line))
            },
        )
        // A line that cannot be read is reported where its meeting is.
        .or_else(|error| match error.kind() {
            sql::ErrorKind::Value => Ok(None),
            _ => Err(error),
        })?;
    match line.and_then(|line| upcast::version_of(&line).ok()) {
        Some(None) => Err(StoreError::BeforeContract { path: url.to_string().into() }),
        Some(Some(found)) if found > CONTRACT_VERSION => {
            Err(StoreError::NewerContract { path: url.to_string().into(), found, known: CONTRACT_VERSION })
        }
        _ => Ok(()),
    }
}
