//! Audit entries of processes that only read the database, until its writer takes them over.
//!
//! A command such as `quorate backup` runs beside the one writer. It leaves its entries in a file beside the
//! database, a line each; the writer looks there when it opens the database and once a second. The file is locked
//! while it is written and while it is taken over, and stays, empty, like the lock of the writer. A process that
//! is killed between the transaction and the emptying leaves entries that are then written twice, never none.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result, Seek, Write};
use std::path::{Path, PathBuf};

use crate::audit_log::AuditEntry;

/// The largest size of the file: without a writer for a long time, no more is left there.
const BYTES_MAX: u64 = 1 << 20;

/// The bytes of the entries that wait beside the database at `db`. Costs one `stat`.
pub(crate) fn waiting(db: &Path) -> u64 {
    std::fs::metadata(beside(db)).map_or(0, |file| file.len())
}

/// Leaves an entry for the writer of the database at `db`; it is on the disk when this returns.
pub(crate) fn leave(db: &Path, entry: &AuditEntry) -> Result<()> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(beside(db))?;
    file.lock()?;
    let mut line = serde_json::to_vec(entry)?;
    line.push(b'\n');
    if file.metadata()?.len() + line.len() as u64 > BYTES_MAX {
        return Err(Error::new(ErrorKind::QuotaExceeded, "too many entries wait for a writer"));
    }
    file.write_all(&line)?;
    file.sync_all()
}

/// The entries that wait beside a database, locked until they are dropped.
pub(crate) struct SpooledEntries {
    file: File,
    pub(crate) entries: Vec<AuditEntry>,
}

impl SpooledEntries {
    /// Takes what waits beside the database at `db`; `None` when nothing does.
    pub(crate) fn take(db: &Path) -> Result<Option<Self>> {
        if waiting(db) == 0 {
            return Ok(None);
        }
        let file = OpenOptions::new().read(true).write(true).open(beside(db))?;
        file.lock()?;
        let mut bytes = Vec::new();
        (&file).take(BYTES_MAX).read_to_end(&mut bytes)?;
        // A process that was killed may have left half a line.
        let entries = bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
        Ok(Some(Self { entries: entries.collect(), file }))
    }

    /// They are in the database.
    pub(crate) fn done(mut self) -> Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.sync_all()
    }
}

fn beside(db: &Path) -> PathBuf {
    let mut name = db.as_os_str().to_owned();
    name.push(".audit");
    name.into()
}

#[cfg(test)]
mod tests {
    use quorate_contract::Timestamp;

    use super::*;

    fn entry(second: i64) -> AuditEntry {
        AuditEntry {
            ts_ms: Timestamp(second),
            by: "user:owner".to_owned(),
            action: "backup.post".to_owned(),
            meeting: None,
            detail: serde_json::json!({ "status": 200 }),
            address: "local".to_owned(),
        }
    }

    #[test]
    fn what_was_left_is_taken_once_in_its_order_without_half_a_line() {
        let dir = tempfile::tempdir().unwrap();
        let db = dir.path().join("meetings.db");
        assert!(SpooledEntries::take(&db).unwrap().is_none() && waiting(&db) == 0);
        leave(&db, &entry(1)).unwrap();
        leave(&db, &entry(2)).unwrap();
        let mut file = OpenOptions::new().append(true).open(beside(&db)).unwrap();
        file.write_all(b"{\"ts_ms\": 3, \"wh\n").unwrap();
        let left = SpooledEntries::take(&db).unwrap().expect("entries wait");
        assert_eq!(left.entries, [entry(1), entry(2)]);
        left.done().unwrap();
        assert!(waiting(&db) == 0 && SpooledEntries::take(&db).unwrap().is_none());
        leave(&db, &entry(4)).unwrap();
        assert_eq!(SpooledEntries::take(&db).unwrap().expect("it waits").entries, [entry(4)]);
    }

    #[test]
    fn without_a_writer_the_file_does_not_grow_for_ever() {
        let dir = tempfile::tempdir().unwrap();
        let db = dir.path().join("meetings.db");
        let long = AuditEntry { detail: serde_json::json!("x".repeat(300_000)), ..entry(1) };
        (0..3).for_each(|_| leave(&db, &long).unwrap());
        assert_eq!(leave(&db, &long).unwrap_err().kind(), ErrorKind::QuotaExceeded);
        assert_eq!(SpooledEntries::take(&db).unwrap().expect("they wait").entries.len(), 3);
    }
}
