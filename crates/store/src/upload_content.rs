//! Contents of uploaded files within the database: in PostgreSQL, where each node has to find them.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;

use crate::error::StoreError;
use crate::sql::{self, Connection};

/// The size of a part.
const PART_BYTES: usize = 256 << 10;

/// Keeps the content of a file under its checksum, in the caller's transaction. What is there already stays.
pub(crate) fn keep(connection: &Connection, sha256: &str, file: &Path) -> Result<(), StoreError> {
    let unreachable = |source| StoreError::Unreachable { path: file.to_owned(), source };
    if connection
        .prepare_cached("SELECT 1 FROM upload_content WHERE sha256 = ?1 LIMIT 1")?
        .exists([sha256])?
    {
        return Ok(());
    }
    keep_from(connection, sha256, &mut File::open(file).map_err(unreachable)?)
}

/// Keeps what is read as the content under its checksum, in the caller's transaction.
pub(crate) fn keep_from(connection: &Connection, sha256: &str, file: &mut File) -> Result<(), StoreError> {
    let unreachable = |source| StoreError::Unreachable { path: std::env::temp_dir(), source };
    let mut insert =
        connection.prepare_cached("INSERT INTO upload_content (sha256, part, bytes) VALUES (?1, ?2, ?3)")?;
    let mut buffer = Vec::with_capacity(PART_BYTES);
    for part in 0_i64.. {
        buffer.clear();
        file.take(PART_BYTES as u64).read_to_end(&mut buffer).map_err(unreachable)?;
        // An empty file has one part, so that it is found.
        if buffer.is_empty() && part > 0 {
            break;
        }
        insert.execute((sha256, part, &buffer))?;
    }
    Ok(())
}

/// The content under a checksum, in a file without a name. What is not there is empty.
pub(crate) fn open(connection: &Connection, sha256: &str) -> Result<File, StoreError> {
    let unreachable = |source| StoreError::Unreachable { path: std::env::temp_dir(), source };
    let mut file = tempfile::tempfile().map_err(unreachable)?;
    let mut select =
        connection.prepare_cached("SELECT bytes FROM upload_content WHERE sha256 = ?1 AND part = ?2")?;
    for part in 0_i64.. {
        // A part at a time, so that a large file is not in memory at once.
        let mut rows = select.query((sha256, part))?;
        let Some(row) = rows.next()? else { break };
        let bytes = row.get_ref(0)?.as_blob().unwrap_or_default();
        file.write_all(bytes).map_err(unreachable)?;
    }
    file.rewind().map_err(unreachable)?;
    Ok(file)
}

/// Deletes the content under a checksum.
pub(crate) fn delete(connection: &Connection, sha256: &str) -> sql::Result<()> {
    connection.execute("DELETE FROM upload_content WHERE sha256 = ?1", [sha256]).map(|_| ())
}

/// Deletes the contents to which no upload refers, and says how many there were.
pub(crate) fn sweep(connection: &Connection) -> sql::Result<u64> {
    let unneeded: Vec<String> = connection
        .prepare(
            "SELECT DISTINCT sha256 FROM upload_content WHERE sha256 NOT IN (SELECT sha256 FROM upload)",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    unneeded.iter().try_for_each(|sha256| delete(connection, sha256))?;
    Ok(unneeded.len() as u64)
}
