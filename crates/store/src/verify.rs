//! Verification of a whole database.
//!
//! Reading a meeting stops at the first damaged event; verification continues, names all of them, and checks
//! what ordinary reading does not need: SQLite's own structures, the columns beside the lines, and the
//! catalogue.

use std::path::Path;
use std::sync::Arc;

use quorate_contract::{Event, MeetingId};
use quorate_messages::{Language, Message, as_said, message};
use rusqlite::types::ValueRef;

use crate::chain::Hash;
use crate::error::StoreError;
use crate::location::DatabaseLocation;
use crate::meeting_row::{ImmutableColumns, MutableColumns};
use crate::sql;
use crate::sql::{Connection, Dialect, Transaction};
use crate::sqlite::in_line::{Disk, DiskGate, SYSTEM_DISK};
use crate::sqlite::{place, schema, wal};
use crate::upcast;
use crate::{catalogue, chain, missing_rows, postgres};

/// The largest number of problems that are described; further ones are only counted.
const DESCRIBED: usize = 1_000;

/// The progress of the verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Meetings that have been looked at.
    pub meetings: u64,
    /// The number of meetings.
    pub of_meetings: u64,
    /// Events that have been looked at.
    pub events: u64,
}

/// Something that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The meeting, when it is one meeting's.
    pub meeting: Option<MeetingId>,
    /// The event, when it is one event's.
    pub seq: Option<u64>,
    /// What is wrong.
    pub detail: Message,
}

impl Problem {
    /// What is wrong, and with what.
    pub fn told(&self) -> Message {
        let detail = self.detail.clone();
        match (&self.meeting, self.seq) {
            (Some(meeting), Some(seq)) => message!("store-verify-event", %meeting, %seq, detail),
            (Some(meeting), None) => message!("store-verify-meeting", %meeting, detail),
            (None, _) => message!("store-verify-database", detail),
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.told().text(Language::En))
    }
}

/// The result of the verification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Meetings that were looked at.
    pub meetings: u64,
    /// Events that were looked at.
    pub events: u64,
    /// The problems, at most the first thousand.
    pub problems: Vec<Problem>,
    /// The number of further problems.
    pub further_problems: u64,
}

impl VerifyReport {
    /// Whether everything is intact.
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    /// An error when something is wrong, for who copies a database.
    pub(crate) fn refuse_damage(&self) -> Result<(), StoreError> {
        match self.problems.first() {
            None => Ok(()),
            Some(problem) => {
                let found = self.problems.len() as u64 + self.further_problems;
                Err(StoreError::DamagedCopy { found, first: problem.to_string() })
            }
        }
    }

    fn add(&mut self, meeting: Option<&MeetingId>, seq: Option<u64>, detail: Message) {
        if self.problems.len() == DESCRIBED {
            self.further_problems += 1;
        } else {
            let meeting = meeting.cloned();
            self.problems.push(Problem { meeting, seq, detail });
        }
    }
}

/// Verifies the present state of a database, without changing it; other processes may be writing.
/// `progress` is called for every meeting; `each` is given every decoded event, meeting by meeting and in
/// order, so that the caller can fold it.
///
/// # Errors
/// When it cannot be opened as a database of ours; damage inside it is in the report.
pub fn verify(
    location: impl Into<DatabaseLocation>,
    mut progress: impl FnMut(Progress) + Send,
    mut each: impl FnMut(&Event) + Send,
) -> Result<VerifyReport, StoreError> {
    match location.into() {
        DatabaseLocation::File(path) => verify_file(&path, &SYSTEM_DISK, &mut progress, &mut each),
        DatabaseLocation::Postgres { url, .. } => postgres::with_connection(&url, |connection| {
            Ok(verified(connection, VerifyReport::default(), &mut progress, &mut each))
        }),
    }
}

/// Verifies a database file on a disk of its own.
///
/// # Errors
/// As [`verify`].
pub fn verify_over(path: &Path, disk: Arc<dyn Disk>) -> Result<VerifyReport, StoreError> {
    verify_file(path, &DiskGate(Some(disk)), &mut |_| {}, &mut |_| {})
}

fn verify_file(
    path: &Path,
    disk: &DiskGate,
    progress: &mut impl FnMut(Progress),
    each: &mut impl FnMut(&Event),
) -> Result<VerifyReport, StoreError> {
    place::keep_log_without_database(path, disk)?;
    let path = place::existing(path)?;
    let mut report = VerifyReport::default();
    // Opening the database would accept a damaged log up to its first bad frame.
    match wal::damage(&path, disk) {
        Ok(None) => {}
        Ok(Some(damage)) => report.add(None, None, damage.told()),
        Err(error) => report.add(None, None, message!("store-verify-log-unreadable", %error)),
    }
    for copy in wal::copies(&path) {
        let name = copy.file_name().unwrap_or_default().to_string_lossy().into_owned();
        report.add(None, None, message!("store-verify-log-kept", name));
    }
    Ok(verified(&Connection::Sqlite(schema::open_to_verify(&path, disk)?), report, progress, each))
}

fn verified(
    connection: &Connection,
    mut report: VerifyReport,
    progress: &mut impl FnMut(Progress),
    each: &mut impl FnMut(&Event),
) -> VerifyReport {
    if let Err(error) = look_at_all(connection, &mut report, progress, each) {
        report.add(None, None, as_said(error));
    }
    report
}

/// Verifies what a transaction sees.
pub(crate) fn verify_within(
    transaction: &Transaction<'_>,
    progress: &mut impl FnMut(Progress),
) -> VerifyReport {
    let mut report = VerifyReport::default();
    if let Err(error) = look_at_moment(transaction, &mut report, progress, &mut |_| {}) {
        report.add(None, None, as_said(error));
    }
    report
}

fn look_at_all(
    connection: &Connection,
    report: &mut VerifyReport,
    progress: &mut impl FnMut(Progress),
    each: &mut impl FnMut(&Event),
) -> sql::Result<()> {
    let moment = connection.unchecked_transaction()?;
    look_at_moment(&moment, report, progress, each)
}

fn look_at_moment(
    moment: &Connection,
    report: &mut VerifyReport,
    progress: &mut impl FnMut(Progress),
    each: &mut impl FnMut(&Event),
) -> sql::Result<()> {
    look_at_structures(moment, report)?;
    let id = as_bytes(moment, "id");
    let meetings: Vec<(i64, MeetingId)> = moment
        .prepare(&format!("SELECT key, {id} FROM meeting ORDER BY key"))?
        .query_map([], |row| {
            let id = String::from_utf8_lossy(row.get_ref(1)?.as_bytes().unwrap_or_default());
            Ok((row.get(0)?, MeetingId::new(&*id)))
        })?
        .collect::<Result<_, _>>()?;
    let of_meetings = meetings.len() as u64;
    for (key, id) in &meetings {
        if let Err(error) = look_at_meeting(moment, *key, id, report, each) {
            report.add(Some(id), None, as_said(error));
        }
        report.meetings += 1;
        progress(Progress { meetings: report.meetings, of_meetings, events: report.events });
    }
    look_at_orphans(moment, report)?;
    let has_ledger = moment.has_table("meeting_register")?;
    // An older database has no ledger until a writer migrates it.
    if has_ledger {
        missing_rows::look_at_register(moment, |meeting, detail| report.add(meeting.as_ref(), None, detail))?;
        missing_rows::look_at_audit(moment, |detail| report.add(None, None, detail))?;
    }
    Ok(())
}

/// Events whose meeting has no row in the catalogue.
fn look_at_orphans(connection: &Connection, report: &mut VerifyReport) -> sql::Result<()> {
    let line = as_bytes(connection, "line");
    let mut select = connection.prepare(&format!(
        "SELECT count(*), (SELECT {line} FROM event AS first
                           WHERE first.meeting = event.meeting ORDER BY seq LIMIT 1)
         FROM event WHERE meeting NOT IN (SELECT key FROM meeting) GROUP BY meeting ORDER BY meeting",
    ))?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let events: u64 = row.get(0)?;
        let line = String::from_utf8_lossy(row.get_ref(1)?.as_bytes().unwrap_or_default()).into_owned();
        let meeting = upcast::event(&line).ok().map(|event| event.meeting_id);
        report.add(meeting.as_ref(), None, message!("store-verify-orphans", events));
    }
    Ok(())
}

/// A column of text that may be no text in a file of SQLite. PostgreSQL stores nothing else.
fn as_bytes(connection: &Connection, column: &str) -> String {
    match connection.dialect() {
        Dialect::Sqlite => format!("CAST({column} AS BLOB)"),
        Dialect::Postgres => column.to_owned(),
    }
}

/// Pages, cells and indexes, as SQLite checks them. For PostgreSQL there is `pg_amcheck`.
fn look_at_structures(connection: &Connection, report: &mut VerifyReport) -> sql::Result<()> {
    if connection.dialect() == Dialect::Postgres {
        return Ok(());
    }
    let mut check = connection.prepare("PRAGMA integrity_check")?;
    let mut rows = check.query([])?;
    while let Some(row) = rows.next()? {
        let said: String = row.get(0)?;
        if said != "ok" {
            report.add(None, None, as_said(said));
        }
    }
    Ok(())
}

fn look_at_meeting(
    connection: &Connection,
    key: i64,
    id: &MeetingId,
    report: &mut VerifyReport,
    each: &mut impl FnMut(&Event),
) -> sql::Result<()> {
    let mut select = connection
        .prepare_cached("SELECT seq, ts_ms, kind, line, hash FROM event WHERE meeting = ?1 ORDER BY seq")?;
    let mut rows = select.query([key])?;
    let mut standing = MutableColumns::at_the_beginning(id);
    let mut spec = None;
    // What the column beside the previous line says, should that be what is wrong.
    let mut stored_before: Hash = standing.last_hash;
    let mut chain_is_whole = true;
    let mut has_gap = false;
    // What follows a gap cannot be folded.
    let mut is_foldable = true;
    while let Some(row) = rows.next()? {
        report.events += 1;
        let mut expected = standing.last_seq + 1;
        let seq = row.get_ref(0)?.as_i64().ok().and_then(|seq| u64::try_from(seq).ok()).unwrap_or(0);
        let mut after_gap = false;
        if seq < expected {
            report.add(Some(id), None, message!("store-verify-number", %seq));
            continue;
        }
        if seq > expected {
            match seq - 1 == expected {
                true => report.add(Some(id), Some(expected), message!("store-verify-missing")),
                false => report.add(
                    Some(id),
                    Some(expected),
                    message!("store-verify-missing-up-to", last = %(seq - 1)),
                ),
            }
            // What follows is looked at all the same: there may be more that is wrong.
            standing.last_seq = seq - 1;
            (expected, after_gap, has_gap, chain_is_whole) = (seq, true, true, false);
        }
        let line = match row.get_ref(3)? {
            ValueRef::Text(line) => line,
            _ => &[],
        };
        let hash = chain::next(&standing.last_hash, line);
        let stored = row.get_ref(4)?.as_blob().ok().and_then(|blob| Hash::try_from(blob).ok());
        // The previous checksum is missing with the events of the gap.
        let hash = if after_gap { stored.unwrap_or(hash) } else { hash };
        if stored != Some(hash) && stored != Some(chain::next(&stored_before, line)) {
            report.add(Some(id), Some(expected), message!("store-verify-checksum"));
            chain_is_whole = false;
        }
        stored_before = stored.unwrap_or(hash);
        let event = std::str::from_utf8(line)
            .map_err(|error| error.to_string())
            .and_then(|line| upcast::event(line).map_err(|error| error.to_string()));
        let event = match event {
            Ok(event) => event,
            Err(error) => {
                report.add(Some(id), Some(expected), message!("store-verify-undecodable", error));
                standing.skip(hash);
                is_foldable = false;
                continue;
            }
        };
        if event.seq != expected || event.meeting_id != *id {
            let detail = message!("store-verify-other-event", seq = %event.seq, meeting = %event.meeting_id);
            report.add(Some(id), Some(expected), detail);
        }
        let beside = (row.get_ref(1)?, row.get_ref(2)?);
        let written = (ValueRef::Integer(event.ts_ms.0), ValueRef::Text(event.body.kind().as_bytes()));
        if beside != written {
            report.add(Some(id), Some(expected), message!("store-verify-beside"));
        }
        standing.apply(&event, hash);
        spec.get_or_insert_with(|| ImmutableColumns::of(&event));
        is_foldable &= !after_gap;
        if is_foldable {
            each(&event);
        }
    }
    let Some(spec) = spec else {
        let detail = match standing.last_seq {
            0 => message!("store-verify-no-log"),
            _ => message!("store-verify-nothing-readable"),
        };
        report.add(Some(id), None, detail);
        return Ok(());
    };
    if !chain_is_whole {
        // That is reported already; the catalogue is only compared with the rows.
        standing.last_hash = stored_before;
    }
    for column in catalogue::differences(connection, key, &spec, &standing)? {
        // What the missing events said is not known; where the log ends is.
        if has_gap && !column.starts_with("last_") {
            continue;
        }
        report.add(Some(id), None, message!("store-verify-column", %column));
    }
    Ok(())
}
