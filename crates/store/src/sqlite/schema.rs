//! The tables, their migrations, and the opening of connections.
//!
//! Events are stored in order of arrival, with an index by meeting and number. If they were clustered by
//! meeting, every append would rewrite a page of its own: several times slower with many running meetings,
//! and several times larger.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quorate_contract::chain::{self, Hash};
use quorate_contract::{CONTRACT_VERSION, MeetingId};
use quorate_messages::message;
use rusqlite::config::DbConfig;
use rusqlite::wal::CheckpointMode;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::in_line::{DiskGate, SYSTEM_DISK};
use super::migrations;
use super::place::{WAL_HEADER, create_private, wal_of};
use crate::error::StoreError;
use crate::upcast;

/// "QRTE": marks the file as ours for `file(1)` and for ourselves.
const APPLICATION_ID: i32 = 0x5152_5445;

/// How long a connection waits for another one that holds the database.
const BUSY_TIMEOUT: Duration = Duration::from_secs(1);

/// Migrations from each version to the next; the database's version is the number of migrations that it has
/// taken. A released migration is never edited.
pub(crate) const STEPS: &[&str] = &[
    migrations::MEETINGS,
    migrations::AGENTS,
    migrations::PASSWORDS,
    migrations::IDEMPOTENCY,
    migrations::UPLOADS,
    migrations::TEMPLATES,
    migrations::AUDIT,
    migrations::SNAPSHOT,
    migrations::SEARCH,
    migrations::ACCESS,
    migrations::SEARCH_WEEKS,
    migrations::MISSING_ROWS,
    migrations::FORKS,
    migrations::ISSUED_TOKENS,
    migrations::TOKENS,
    migrations::AGENT_PROFILE,
    migrations::PEOPLE,
    migrations::SEATS,
    migrations::WEBHOOKS,
    migrations::SIGNING,
    migrations::AGENT_SKIP_LIST,
    migrations::MENTION_INDEX,
    migrations::AGENT_SEEN,
    migrations::MEETING_DETAILS,
    migrations::PERSON_SETTINGS,
    migrations::WEBHOOK_STANDING,
    migrations::CONTEXT_CURSORS,
    migrations::CREATORS,
    migrations::CONCLUSIONS,
    migrations::RESULT_LINKS,
    migrations::MEETING_LABELS,
];

/// From this version on the tables of meetings and events are as they are now, so that they can be
/// checked without a change to the database.
const MEETINGS_SINCE: u32 = 1;

/// The newest version that is known here.
pub(crate) fn known_version() -> u32 {
    STEPS.len() as u32
}

/// Makes the database at `path`, where there is no file: beside its place, and moved there when all of it is on the disk. A
/// process that dies over it, or a disk that fails, leaves nothing that looks like a database and is none.
pub(crate) fn create(path: &Path, disk: &DiskGate) -> Result<(), StoreError> {
    let beside = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let unreachable = |source| StoreError::Unreachable { path: path.to_owned(), source };
    let new = beside(".new");
    let leftovers = [".new", ".new-journal", ".new-wal", ".new-shm"];
    leftovers.iter().try_for_each(|ending| disk.remove(&beside(ending))).map_err(unreachable)?;
    if disk.vfs().is_none() {
        create_private(&new)?;
    }
    let mut connection = connect_for_writing(&new, disk)?;
    migrate(&mut connection, path, STEPS)?;
    connection.close().map_err(|(_, error)| error)?;
    disk.write_again(&new)?;
    disk.rename(&new, path).map_err(unreachable)
}

/// Opens the database at `path` for its one writer and migrates it. The file exists; it may be empty. A file
/// that is not ours, or newer, is not changed.
pub(crate) fn open_for_writing(path: &Path, disk: &DiskGate) -> Result<Connection, StoreError> {
    // Looked at first through a connection that cannot change anything.
    let looked_at =
        open_beside_a_writer(path, disk).and_then(|connection| match version(&connection, path)? {
            Ok(_) => contract(&connection, path),
            Err(refused) => Ok(Err(refused)),
        });
    match looked_at {
        Ok(looked_at) => looked_at?,
        // A process died over the very first page; SQLite undoes that once it may write.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ReadOnly) => {}
        Err(error) => return Err(error.into()),
    }
    let log = wal_of(path);
    let had_log = disk.length(&log) > WAL_HEADER;
    if had_log {
        disk.write_again(&log)?;
    }
    let mut connection = connect_for_writing(path, disk)?;
    let migrated = (|| {
        if had_log {
            // What a process has left in the log after a flush that failed can be read, and is not on the disk. No
            // migration may follow it.
            _ = version(&connection, path)??;
            match settle_log(&connection) {
                // The log is on the disk, and what is in it can be read; it is moved when there is room.
                Err(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull) => {}
                settled => settled?,
            }
        }
        migrate(&mut connection, path, STEPS)
    })();
    if migrated.is_err() {
        distrust_log(&connection);
    }
    migrated?;
    Ok(connection)
}

/// After a commit that failed, closing the connection does not move the log into the database: some of the log may not be
/// on the disk, and a database into which some of it was moved could then not be read after the power was lost.
pub(crate) fn distrust_log(connection: &Connection) {
    if let Err(error) = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) {
        tracing::debug!(%error, "the write-ahead log may be moved into the database");
    }
}

/// A connection that can write, set so that a commit is on the disk when it returns.
///
/// # Errors
/// Also where there can be no write-ahead log: on a file system without shared memory, or when the disk fails as the mode is
/// changed. SQLite keeps the mode that it has then and says so, in which readers and the writer wait for each other.
pub(crate) fn connect_for_writing(path: &Path, disk: &DiskGate) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = disk.connect(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    let mode = {
        let mut statement = connection.prepare("PRAGMA journal_mode = WAL")?;
        let mut rows = statement.query([])?;
        let mode: Option<String> = rows.next()?.map(|row| row.get(0)).transpose()?;
        // What changes the mode is committed behind the row.
        rows.next()?;
        mode.unwrap_or_default()
    };
    if mode != "wal" {
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR);
        return Err(rusqlite::Error::SqliteFailure(code, Some(format!("journal_mode = {mode}"))));
    }
    connection.execute_batch(
        "PRAGMA synchronous = FULL;
         PRAGMA fullfsync = ON;
         PRAGMA foreign_keys = ON;
         PRAGMA trusted_schema = OFF;
         PRAGMA secure_delete = FAST;",
    )?;
    Ok(connection)
}

/// Moves all that the write-ahead log holds into the database, with flushes of its own, so that whatever can be read is on
/// the disk; then begins another log, so that the old one cannot come back with less in it. As long as others read, that
/// waits: they keep what it needs.
pub(crate) fn settle_log(connection: &Connection) -> rusqlite::Result<()> {
    match connection.wal_checkpoint_v2(None::<&str>, CheckpointMode::TRUNCATE) {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
            tracing::debug!("the write-ahead log is emptied later, as somebody reads it");
            return Ok(());
        }
        moved => _ = moved?,
    }
    let version: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    connection.pragma_update(None, "user_version", version)
}

/// Opens the database at `path` for reading, without disturbing its writer. The version is not checked. Where
/// nothing can be written beside it, it is read without leaving anything there.
pub(crate) fn open_for_reading(path: &Path, disk: &DiskGate) -> rusqlite::Result<Connection> {
    let connection = open_beside_a_writer(path, disk)?;
    match connection.pragma_query_value(None, "schema_version", |row| row.get::<_, i64>(0)) {
        Err(error) if needs_its_folder(&error) && path.exists() => {
            drop(connection);
            open_without_a_trace(path, disk).map_err(|_| error)
        }
        // Any other fault shows when the database is read, with a more precise error.
        _ => Ok(connection),
    }
}

/// Readers of a database with a write-ahead log share an index of it with its writer, in a file beside both.
pub(crate) fn open_beside_a_writer(path: &Path, disk: &DiskGate) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = disk.connect(path, flags)?;
    set_for_reading(&connection)?;
    Ok(connection)
}

fn set_for_reading(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.execute_batch("PRAGMA trusted_schema = OFF;")
}

/// Whether an error is about the files that SQLite would put beside the database.
fn needs_its_folder(error: &rusqlite::Error) -> bool {
    let codes = [
        ErrorCode::CannotOpen,
        ErrorCode::ReadOnly,
        ErrorCode::PermissionDenied,
        ErrorCode::SystemIoFailure,
        ErrorCode::DiskFull,
    ];
    error.sqlite_error_code().is_some_and(|code| codes.contains(&code))
}

/// Opens a database beside which no file can be made: on a read-only medium, or a full disk. It has no
/// writer, or the shared index would exist. A leftover write-ahead log is read with an index in memory.
fn open_without_a_trace(path: &Path, disk: &DiskGate) -> rusqlite::Result<Connection> {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let has_log = disk.length(Path::new(&log)) > 0;
    let how = match has_log {
        true if cfg!(unix) && disk.vfs().is_none() => "mode=ro&vfs=unix-none",
        true => "mode=ro",
        false => "immutable=1",
    };
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = disk.connect(Path::new(&format!("{}?{how}", uri(path))), flags)?;
    if has_log {
        // Before the first read: so the index is not shared.
        connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE;")?;
    }
    set_for_reading(&connection)?;
    connection.pragma_query_value(None, "schema_version", |row| row.get::<_, i64>(0))?;
    Ok(connection)
}

/// A path as SQLite reads it in a URI.
fn uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b':' => uri.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// Opens the database at `path` to read it, and makes sure that it can be understood.
pub(crate) fn open_to_read_only(path: &Path) -> Result<Connection, StoreError> {
    open_since(path, &SYSTEM_DISK, known_version())
}

/// Opens the database at `path` to check its meetings, also when it is an older one.
pub(crate) fn open_to_verify(path: &Path, disk: &DiskGate) -> Result<Connection, StoreError> {
    open_since(path, disk, MEETINGS_SINCE)
}

fn open_since(path: &Path, disk: &DiskGate, oldest: u32) -> Result<Connection, StoreError> {
    let connection = open_for_reading(path, disk)?;
    let found = version(&connection, path)??;
    let known = known_version();
    if found < oldest {
        return Err(StoreError::Older { path: path.to_owned(), found, known });
    }
    contract(&connection, path)??;
    Ok(connection)
}

/// Checks that the events can be read, by the versions of the oldest and the newest one. A line with a wrong
/// checksum tells nothing about the version: damage is reported where it is read. The outer error is SQLite's
/// own fault with the file.
fn contract(connection: &Connection, path: &Path) -> rusqlite::Result<Result<(), StoreError>> {
    if !connection.table_exists(None, "event")? {
        return Ok(Ok(()));
    }
    for which in ["min", "max"] {
        let sql = format!(
            "SELECT event.line, event.hash, event.seq, meeting.id, earlier.hash
             FROM event JOIN meeting ON meeting.key = event.meeting
             LEFT JOIN event AS earlier ON earlier.meeting = event.meeting AND earlier.seq = event.seq - 1
             WHERE event.place = (SELECT {which}(place) FROM event)"
        );
        let line = connection.query_row(&sql, [], |row| {
            let (line, hash, seq): (String, Hash, u64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let before = match seq {
                1 => chain::beginning(&MeetingId::new(row.get::<_, String>(3)?)),
                _ => row.get(4)?,
            };
            Ok((hash == chain::next(&before, line.as_bytes())).then_some(line))
        });
        let path = || path.to_owned();
        match line.ok().flatten().and_then(|line| upcast::version_of(&line).ok()) {
            Some(None) => return Ok(Err(StoreError::BeforeContract { path: path() })),
            Some(Some(found)) if found > CONTRACT_VERSION => {
                let known = CONTRACT_VERSION;
                return Ok(Err(StoreError::NewerContract { path: path(), found, known }));
            }
            Some(Some(_)) | None => {}
        }
    }
    Ok(Ok(()))
}

/// The version of the database: 0 when it is empty, an error when it is not ours or newer. The outer error is
/// SQLite's own fault with the file.
fn version(connection: &Connection, path: &Path) -> rusqlite::Result<Result<u32, StoreError>> {
    let not_ours = |detail| Ok(Err(StoreError::NotOurs { path: path.to_owned(), detail }));
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let application = match number("application_id") {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
            return not_ours(message!("store-no-sqlite"));
        }
        other => other?,
    };
    let found = u32::try_from(number("user_version")?).unwrap_or(0);
    if application == APPLICATION_ID {
        let known = known_version();
        return Ok(if found > known {
            Err(StoreError::Newer { path: path.to_owned(), found, known })
        } else {
            Ok(found)
        });
    }
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |r| r.get(0))?;
    if (application, found, tables) == (0, 0, 0) {
        return Ok(Ok(0));
    }
    not_ours(message!("store-other-program"))
}

/// Runs the missing migrations, each completely or not at all. A new database takes all of them at once: one flush
/// instead of one for each.
fn migrate(connection: &mut Connection, path: &Path, steps: &[&str]) -> Result<(), StoreError> {
    let taken = version(connection, path)??;
    let missing: Vec<(&str, u32)> = steps.iter().copied().zip(1u32..).skip(taken as usize).collect();
    let at_once = if taken == 0 { missing.len().max(1) } else { 1 };
    for steps in missing.chunks(at_once) {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (step, number) in steps {
            transaction.execute_batch(step)?;
            transaction.pragma_update(None, "user_version", number)?;
            tracing::debug!(path = %path.display(), version = number, "database brought up to date");
        }
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.commit()?;
    }
    if !missing.is_empty() {
        // So that the file alone already says what it is.
        connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn empty_file(dir: &tempfile::TempDir) -> std::path::PathBuf {
        let path = dir.path().join("meetings.db");
        std::fs::write(&path, b"").unwrap();
        path
    }

    #[test]
    fn a_database_is_there_when_all_of_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("meetings.db");
        // What an attempt has left that was broken off.
        for ending in [".new", ".new-wal", ".new-journal"] {
            std::fs::write(dir.path().join(format!("meetings.db{ending}")), b"broken off").unwrap();
        }
        create(&path, &SYSTEM_DISK).unwrap();
        let files: Vec<_> =
            std::fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(files, ["meetings.db"], "nothing is left beside it");
        let connection = open_for_writing(&path, &SYSTEM_DISK).unwrap();
        assert_eq!(version(&connection, &path).unwrap().unwrap(), known_version());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    /// A file system whose connections share no memory, so that SQLite keeps no write-ahead log on it.
    #[cfg(unix)]
    struct WithoutSharedMemory;

    #[cfg(unix)]
    impl crate::sqlite::in_line::Disk for WithoutSharedMemory {
        fn vfs(&self) -> Option<&str> {
            Some("unix-dotfile")
        }
    }

    #[cfg(unix)]
    #[test]
    fn without_a_write_ahead_log_nothing_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = empty_file(&dir);
        let disk = DiskGate(Some(std::sync::Arc::new(WithoutSharedMemory)));
        let refused = connect_for_writing(&path, &disk).unwrap_err();
        assert!(refused.to_string().contains("journal_mode = delete"), "{refused}");
        assert_eq!(std::fs::metadata(&path).unwrap().len(), 0);
    }

    #[test]
    fn an_empty_file_becomes_a_database_of_the_known_version() {
        let dir = tempfile::tempdir().unwrap();
        let path = empty_file(&dir);
        let before = open_to_read_only(&path).unwrap_err();
        assert!(matches!(before, StoreError::Older { found: 0, .. }), "{before}");
        drop(open_for_writing(&path, &SYSTEM_DISK).unwrap());
        open_to_read_only(&path).expect("now it can be read");
    }

    #[test]
    fn a_commit_of_the_writer_is_flushed_before_it_returns() {
        let dir = tempfile::tempdir().unwrap();
        let connection = open_for_writing(&empty_file(&dir), &SYSTEM_DISK).unwrap();
        let number = |name| -> i64 { connection.pragma_query_value(None, name, |row| row.get(0)).unwrap() };
        const FULL: i64 = 2;
        assert_eq!(number("synchronous"), FULL);
        assert_eq!(number("foreign_keys"), 1);
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        assert_eq!(mode, "wal");
    }

    #[test]
    fn an_older_database_takes_only_the_steps_it_lacks() {
        let dir = tempfile::tempdir().unwrap();
        let path = empty_file(&dir);
        let mut connection = connect_for_writing(&path, &SYSTEM_DISK).unwrap();
        migrate(&mut connection, &path, &["CREATE TABLE a (x); INSERT INTO a VALUES (7);"]).unwrap();
        // The version check knows as many versions as this program has steps, so the second step is run as
        // the next version would run it.
        let steps = ["CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y DEFAULT 8"];
        migrate(&mut connection, &path, &steps).unwrap();
        let row: (i64, i64) =
            connection.query_row("SELECT x, y FROM a", [], |r| Ok((r.get(0)?, r.get(1)?))).unwrap();
        assert_eq!(row, (7, 8));
    }

    #[test]
    fn a_database_from_before_the_library_is_checked_as_it_is_and_then_brought_up_to_date() {
        let dir = tempfile::tempdir().unwrap();
        let path = empty_file(&dir);
        let mut connection = connect_for_writing(&path, &SYSTEM_DISK).unwrap();
        migrate(&mut connection, &path, &STEPS[..1]).unwrap();
        drop(connection);
        let before = open_to_read_only(&path).unwrap_err();
        assert!(matches!(before, StoreError::Older { found: 1, .. }), "{before}");
        open_to_verify(&path, &SYSTEM_DISK).expect("its meetings can be checked");
        let connection = open_for_writing(&path, &SYSTEM_DISK).unwrap();
        let agents: i64 = connection.query_row("SELECT count(*) FROM agent", [], |row| row.get(0)).unwrap();
        assert_eq!(agents, 0);
    }

    #[test]
    fn a_step_that_fails_half_way_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let path = empty_file(&dir);
        let mut connection = connect_for_writing(&path, &SYSTEM_DISK).unwrap();
        let steps = ["CREATE TABLE a (x); INSERT INTO nowhere VALUES (1);"];
        migrate(&mut connection, &path, &steps).unwrap_err();
        drop(connection);
        let connection = open_for_reading(&path, &SYSTEM_DISK).unwrap();
        assert_eq!(version(&connection, &path).unwrap().unwrap(), 0, "as empty as before");
    }

    #[test]
    fn a_newer_database_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = empty_file(&dir);
        let connection = open_for_writing(&path, &SYSTEM_DISK).unwrap();
        connection.pragma_update(None, "user_version", 99).unwrap();
        drop(connection);
        let before = std::fs::read(&path).unwrap();
        for error in
            [open_for_writing(&path, &SYSTEM_DISK).unwrap_err(), open_to_read_only(&path).unwrap_err()]
        {
            assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
            assert!(error.hint().contains("upgrade"), "{}", error.hint());
        }
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }

    #[test]
    fn what_is_not_ours_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let notes = dir.path().join("notes.txt");
        std::fs::write(&notes, "not a database, and dear to somebody").unwrap();
        let long = dir.path().join("long.txt");
        std::fs::write(&long, "dear to somebody ".repeat(1000)).unwrap();
        let foreign = dir.path().join("browser.db");
        let connection = Connection::open(&foreign).unwrap();
        connection.execute_batch("CREATE TABLE bookmark (url TEXT);").unwrap();
        drop(connection);
        for path in [notes, long, foreign] {
            let before = std::fs::read(&path).unwrap();
            for error in
                [open_for_writing(&path, &SYSTEM_DISK).unwrap_err(), open_to_read_only(&path).unwrap_err()]
            {
                assert!(matches!(error, StoreError::NotOurs { .. }), "{error}");
            }
            assert_eq!(std::fs::read(&path).unwrap(), before, "{}", path.display());
        }
    }
}
