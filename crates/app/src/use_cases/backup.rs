//! A copy of the whole database, downloaded as one archive, and the restoration of such an archive.
//!
//! The copy is made beside the database and checked before the first byte is sent. It is deleted when the
//! download ends, for whatever reason. The key file is never in it.

use std::io::{Error, ErrorKind, Read, Result as IoResult, Write};
use std::path::{Path, PathBuf};

use quorate_messages::message;
use quorate_store::{BackupReport, CopyProgress, RestoreReport, restore};
use tar::{Archive, Builder};
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::App;
use crate::error::ServiceError;

/// The database in an archive; its files lie beside it in `quorate.db.files`.
const DATABASE: &str = "quorate.db";
/// The number of bytes that are sent at a time.
const PIECE: usize = 64 << 10;
/// The number of pieces that wait for the client.
const WAITING: usize = 4;

/// A complete, checked copy. Dropping it deletes it.
#[derive(Debug)]
pub struct DatabaseBackup {
    report: BackupReport,
    folder: Folder,
    /// Limits copies to one at a time: each takes the disk space of the whole database.
    _permit: OwnedSemaphorePermit,
}

impl App {
    /// Copies the present state of the database with its uploaded files, and checks the copy. Meetings go on
    /// in the meantime.
    ///
    /// # Errors
    /// When another copy is being made or downloaded, the disk is full, or the copy is damaged.
    pub async fn backup(&self) -> Result<DatabaseBackup, ServiceError> {
        let permit = self.backup_permit().ok_or_else(under_way)?;
        let mut name = self.store().path().as_os_str().to_owned();
        name.push(".download");
        let folder = Folder(PathBuf::from(name));
        folder.begin().map_err(|error| no_room(&folder.0, &error))?;
        let report = self.store().backup_whole(folder.0.join(DATABASE), false, |_| {}).await?;
        Ok(DatabaseBackup { report, folder, _permit: permit })
    }
}

impl DatabaseBackup {
    /// The report of the copy.
    pub fn report(&self) -> &BackupReport {
        &self.report
    }

    /// The archive (tar), piece by piece. An error ends it.
    pub fn archive(self) -> mpsc::Receiver<IoResult<Vec<u8>>> {
        let (sender, pieces) = mpsc::channel(WAITING);
        tokio::task::spawn_blocking(move || {
            let mut writer = PieceWriter { piece: Vec::with_capacity(PIECE), pieces: sender.clone() };
            let packed = pack(&self.folder.0, &mut writer).and_then(|()| writer.flush());
            // The disk space is free before the client reads the end of the stream.
            drop(self);
            if let Err(error) = packed {
                // A client that has disconnected needs no error.
                _ = sender.blocking_send(Err(error));
            }
        });
        pieces
    }
}

fn pack(folder: &Path, writer: &mut PieceWriter) -> IoResult<()> {
    let mut archive = Builder::new(writer);
    archive.append_path_with_name(folder.join(DATABASE), DATABASE)?;
    let files = folder.join(format!("{DATABASE}.files"));
    if files.is_dir() {
        archive.append_dir_all(format!("{DATABASE}.files"), files)?;
    }
    archive.finish()
}

/// Takes an archive apart, checks what was in it, and puts the database at `to`, where nothing may be yet, with its
/// files beside it.
///
/// # Errors
/// When something is at `to`, it cannot be written, or the archive is not a sound backup; nothing is then at `to`.
pub fn unpack_backup(
    archive: impl Read,
    to: &Path,
    progress: impl FnMut(CopyProgress) + Send,
) -> Result<RestoreReport, ServiceError> {
    let mut name = to.as_os_str().to_owned();
    name.push(".download");
    let folder = Folder(PathBuf::from(name));
    folder.begin().and_then(|()| unpack(archive, &folder.0)).map_err(|error| {
        ServiceError::new(message!("app-backup-not-whole", %error), message!("app-backup-not-whole-hint"))
    })?;
    Ok(restore(folder.0.join(DATABASE), to, false, "download", progress)?)
}

/// Unpacks an archive. Only plain files are accepted, and each stays within the folder.
fn unpack(archive: impl Read, folder: &Path) -> IoResult<()> {
    for entry in Archive::new(archive).entries()? {
        let mut entry = entry?;
        if entry.header().entry_type().is_file() {
            entry.unpack_in(folder)?;
        }
    }
    Ok(())
}

fn under_way() -> ServiceError {
    ServiceError::new(message!("app-backup-busy"), message!("app-backup-busy-hint"))
        .of(crate::error::ErrorKind::MeetingState)
}

fn no_room(folder: &Path, error: &Error) -> ServiceError {
    let folder = folder.display();
    ServiceError::new(
        message!("app-backup-not-written", %folder, %error),
        message!("app-backup-not-written-hint"),
    )
}

/// A folder of this user alone, gone when this is dropped.
#[derive(Debug)]
struct Folder(PathBuf);

impl Folder {
    /// Makes the folder again, and deletes what an interrupted download left there.
    fn begin(&self) -> IoResult<()> {
        match std::fs::remove_dir_all(&self.0) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.0)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Hands on what is written in pieces, and waits while too many of them wait.
struct PieceWriter {
    piece: Vec<u8>,
    pieces: mpsc::Sender<IoResult<Vec<u8>>>,
}

impl Write for PieceWriter {
    fn write(&mut self, bytes: &[u8]) -> IoResult<usize> {
        let taken = bytes.len().min(PIECE - self.piece.len());
        self.piece.extend_from_slice(&bytes[..taken]);
        if self.piece.len() == PIECE {
            self.flush()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> IoResult<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
        let gone = || Error::new(ErrorKind::BrokenPipe, "whoever downloaded this has gone away");
        self.pieces.blocking_send(Ok(piece)).map_err(|_| gone())
    }
}
