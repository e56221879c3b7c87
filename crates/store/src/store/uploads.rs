//! Files that people upload to a meeting.
//!
//! The metadata of a file is a row here; its content lies in the folder beside the database (`files.rs`),
//! once however often it was uploaded. A row is written after its content is on the disk, and content is
//! removed after its last row: every row has its content.

use std::fs::File;
use std::io::Write;

use quorate_contract::{Actor, MeetingId, Refusal, Timestamp, clean};
use quorate_engine::JournalError;
use quorate_messages::{Language, Message, as_said, message};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::error::StoreError;
use crate::files;
use crate::files::{Files, Incoming};
use crate::sql;
use crate::sql::{Connection, Dialect, ErrorKind, OptionalExtension, Row};
use crate::sqlite::writer::Writer;
use crate::store::{Database, Store};
use crate::upload_content;

/// The longest name of a file, in characters.
const NAME_CHARS: usize = 255;
/// The number of bytes that are gathered before they are written.
const GATHERED: usize = 256 << 10;

/// An uploaded file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Upload {
    /// The id.
    pub id: String,
    /// The meeting that the file belongs to; the file is deleted with it.
    pub meeting: MeetingId,
    /// The file name, 1-255 characters, without folders.
    pub name: String,
    /// The media type that the client declared: `text/plain`. It is not verified.
    pub media_type: String,
    /// The size in bytes.
    pub size: u64,
    /// The SHA-256 of the content, in hexadecimal.
    pub sha256: String,
    /// The actor who uploaded it.
    pub by: Actor,
    /// The time.
    #[serde(rename = "created_at")]
    pub created_ms: Timestamp,
}

/// A file that is about to be uploaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewUpload {
    /// A unique id.
    pub id: String,
    /// The meeting.
    pub meeting: MeetingId,
    /// The file name; folders before the name are left out.
    pub name: String,
    /// The declared media type; empty when it is not known.
    pub media_type: String,
    /// The actor who uploads it.
    pub by: Actor,
    /// The time.
    pub created_ms: Timestamp,
}

/// The total of uploads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UploadTotal {
    /// The number of files.
    pub files: u64,
    /// The total size in bytes; a file that was uploaded twice counts twice.
    pub bytes: u64,
}

/// A file on its way in. When it is dropped before it is finished, nothing of it stays.
#[derive(Debug)]
pub struct Uploading {
    store: Store,
    what: NewUpload,
    most: u64,
    in_all: UploadTotal,
    size: u64,
    gathered: Vec<u8>,
    /// `None` only while a piece of it is being written, or after that has failed.
    written: Option<WrittenFile>,
    incoming: Incoming,
}

#[derive(Debug)]
struct WrittenFile {
    file: File,
    hash: Sha256,
}

impl Store {
    /// Begins to take in a file of at most `most` bytes.
    ///
    /// # Errors
    /// When its name is not one, the meeting is not there, or the disk refuses.
    pub async fn begin_upload(&self, mut what: NewUpload, most: u64) -> Result<Uploading, StoreError> {
        what.name = name(&what.name)?;
        what.media_type = media_type(&what.media_type);
        let (meeting, files) = (what.meeting.clone(), Files::of(self.path()));
        let (file, incoming) = self
            .reading(move |connection| {
                exists(connection, &meeting)?;
                files.receive()
            })
            .await?;
        let written = Some(WrittenFile { file, hash: Sha256::new() });
        let (store, in_all) = (self.clone(), UploadTotal { files: u64::MAX, bytes: u64::MAX });
        Ok(Uploading { store, what, most, in_all, size: 0, gathered: Vec::new(), written, incoming })
    }

    /// The metadata of an upload.
    ///
    /// # Errors
    /// When none has this id.
    pub async fn upload(&self, id: &str) -> Result<Upload, StoreError> {
        let id = id.to_owned();
        self.reading(move |connection| one(connection, &id)).await
    }

    /// An upload with its content, opened to be read. It can be read to the end even when it is
    /// deleted meanwhile.
    ///
    /// # Errors
    /// When there is none of that id, or its content is not there or has another length.
    pub async fn open_upload(&self, id: &str) -> Result<(Upload, File), StoreError> {
        let (id, files) = (id.to_owned(), Files::of(self.path()));
        self.reading(move |connection| {
            let upload = one(connection, &id)?;
            let damaged = |detail: Message| StoreError::DamagedUpload { id: upload.id.clone(), detail };
            let file = match connection.dialect() {
                Dialect::Sqlite => {
                    let path = files.path(&upload.sha256);
                    File::open(&path)
                        .map_err(|error| damaged(as_said(format!("{}: {error}", path.display()))))?
                }
                Dialect::Postgres => upload_content::open(connection, &upload.sha256)?,
            };
            let length = file.metadata().map_err(|error| damaged(as_said(error)))?.len();
            match length == upload.size {
                true => Ok((upload, file)),
                false => Err(damaged(message!("store-upload-length", found = %length, was = %upload.size))),
            }
        })
        .await
    }

    /// The uploads of a meeting, oldest first.
    pub async fn uploads(&self, meeting: &MeetingId) -> Result<Vec<Upload>, StoreError> {
        let meeting = meeting.clone();
        self.reading(move |connection| {
            let mut select = connection
                .prepare_cached("SELECT * FROM upload WHERE meeting = ?1 ORDER BY created_ms, rowid")?;
            let rows = select.query_map([meeting.as_str()], upload_in)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Gives another meeting the uploads that have these contents, once each. What is not there is left out.
    pub async fn copy_uploads(
        &self,
        from: &MeetingId,
        to: &MeetingId,
        contents: Vec<String>,
    ) -> Result<(), StoreError> {
        let (from, to) = (from.clone(), to.clone());
        self.change(move |connection| {
            let mut copy = connection.prepare_cached(
                "INSERT INTO upload (id, meeting, name, media_type, size, sha256, by, created_ms)
                 SELECT ?1, ?2, name, media_type, size, sha256, by, created_ms FROM upload
                 WHERE meeting = ?3 AND sha256 = ?4
                   AND NOT EXISTS (SELECT 1 FROM upload WHERE meeting = ?2 AND sha256 = ?4)
                 ORDER BY created_ms, rowid LIMIT 1",
            )?;
            for sha256 in &contents {
                let id = format!("{to}:{sha256}");
                copy.execute([id.as_str(), to.as_str(), from.as_str(), sha256])?;
            }
            Ok(())
        })
        .await
    }

    /// The total of uploads of one meeting, or of all.
    pub async fn upload_total(&self, meeting: Option<&MeetingId>) -> Result<UploadTotal, StoreError> {
        let meeting = meeting.cloned();
        self.reading(move |connection| Ok(total(connection, meeting.as_ref())?)).await
    }

    /// Deletes an upload, and its content unless it was given another time, too.
    ///
    /// # Errors
    /// When there is none of that id.
    pub async fn delete_upload(&self, id: &str) -> Result<(), StoreError> {
        let (id, files) = (id.to_owned(), Files::of(self.path()));
        let delete = move |connection: &Connection| {
            let upload = one(connection, &id)?;
            connection.execute("DELETE FROM upload WHERE id = ?1", [&id])?;
            Ok(unneeded(connection, [upload.sha256])?)
        };
        match self.database() {
            Database::Sqlite(database) => {
                let task = move |writer: &mut Writer| {
                    writer.change(delete)?.iter().for_each(|sha256| files.remove(sha256));
                    Ok(())
                };
                database.with_writer(task).await
            }
            Database::Postgres(database) => database.change(delete).await.map(|_| ()),
        }
    }

    /// Removes content that no upload refers to, as a process leaves it behind that was killed
    /// between two steps, and says how many files that were.
    pub async fn sweep_uploads(&self) -> Result<u64, StoreError> {
        let database = match self.database() {
            Database::Sqlite(database) => database,
            Database::Postgres(database) => {
                return database.change(|connection| Ok(upload_content::sweep(connection)?)).await;
            }
        };
        let files = Files::of(self.path());
        let without_row =
            |connection: &Connection, found: Vec<String>| Ok::<_, StoreError>(unneeded(connection, found)?);
        // Looked for beside the writer, which has better to do, and looked at once more by it: what was given
        // meanwhile has its row by then.
        let folder = files.clone();
        let found = self.reading(move |connection| without_row(connection, folder.stored()?)).await?;
        if found.is_empty() {
            return Ok(0);
        }
        database
            .with_writer(move |writer| {
                let unneeded = writer.change(|connection| without_row(connection, found))?;
                unneeded.iter().for_each(|sha256| files.remove(sha256));
                Ok(unneeded.len() as u64)
            })
            .await
    }
}

impl Uploading {
    /// The same, kept only while the files of all meetings are no more than this, with it.
    #[must_use]
    pub fn within(self, in_all: UploadTotal) -> Self {
        Self { in_all, ..self }
    }

    /// Takes in the next bytes.
    ///
    /// # Errors
    /// When it would have more bytes than it may, or the disk refuses.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.size = self.size.saturating_add(bytes.len() as u64);
        if self.size > self.most {
            return Err(StoreError::UploadTooLarge { most: self.most });
        }
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= GATHERED { self.flush(false).await } else { Ok(()) }
    }

    /// Keeps what was taken in.
    ///
    /// # Errors
    /// When the meeting is gone, there is an upload of this id, all together would be too much, or
    /// the disk refuses; nothing of it is then kept.
    pub async fn finish(mut self) -> Result<Upload, StoreError> {
        self.flush(true).await?;
        let Self { store, what, in_all, size, written, incoming, .. } = self;
        let sha256 = written.map(|written| files::hex(written.hash)).unwrap_or_default();
        let NewUpload { id, meeting, name, media_type, by, created_ms } = what;
        let upload = Upload { id, meeting, name, media_type, size, sha256, by, created_ms };
        let files = Files::of(store.path());
        let enter = move |connection: &Connection, upload: &Upload| {
            has_room(connection, in_all, upload.size)?;
            insert(connection, upload)
        };
        match store.database() {
            Database::Sqlite(database) => {
                let task = move |writer: &mut Writer| {
                    files.keep(incoming, &upload.sha256)?;
                    let entered = writer.change(|connection| enter(connection, &upload));
                    if entered.is_err()
                        && let Ok(false) =
                            writer.change(|connection| Ok(is_needed(connection, &upload.sha256)?))
                    {
                        files.remove(&upload.sha256);
                    }
                    entered.map(|()| upload)
                };
                database.with_writer(task).await
            }
            Database::Postgres(database) => {
                let change = move |connection: &Connection| {
                    enter(connection, &upload)?;
                    upload_content::keep(connection, &upload.sha256, incoming.path())?;
                    Ok(upload.clone())
                };
                database.change(change).await
            }
        }
    }

    /// Writes what was gathered; at the end it is on the disk when this returns.
    async fn flush(&mut self, end: bool) -> Result<(), StoreError> {
        let unreachable = |source: std::io::Error| {
            let path = Files::of(self.store.path()).folder().to_owned();
            StoreError::Unreachable { path, source }
        };
        let broken_off = |detail: Message| unreachable(std::io::Error::other(detail.text(Language::En)));
        let Some(mut written) = self.written.take() else {
            return Err(broken_off(message!("store-upload-piece")));
        };
        let gathered = std::mem::take(&mut self.gathered);
        let done = tokio::task::spawn_blocking(move || {
            written.hash.update(&gathered);
            written.file.write_all(&gathered)?;
            if end {
                written.file.sync_all()?;
            }
            Ok::<_, std::io::Error>(written)
        });
        let done = done.await.map_err(|stopped| broken_off(as_said(stopped)))?;
        self.written = Some(done.map_err(unreachable)?);
        Ok(())
    }
}

/// Deletes the rows of a meeting's uploads in the caller's transaction. Contents without references are to be
/// removed once it is committed.
pub(crate) fn delete_of_meeting(connection: &Connection, meeting: &MeetingId) -> sql::Result<Vec<String>> {
    let contents: Vec<String> = connection
        .prepare_cached("SELECT DISTINCT sha256 FROM upload WHERE meeting = ?1")?
        .query_map([meeting.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    connection.execute("DELETE FROM upload WHERE meeting = ?1", [meeting.as_str()])?;
    unneeded(connection, contents)
}

/// Those of some contents to which no row refers. Where contents lie in the database itself they are deleted with it.
fn unneeded(connection: &Connection, contents: impl IntoIterator<Item = String>) -> sql::Result<Vec<String>> {
    let mut unneeded = Vec::new();
    for sha256 in contents {
        if !is_needed(connection, &sha256)? {
            if connection.dialect() == Dialect::Postgres {
                upload_content::delete(connection, &sha256)?;
            }
            unneeded.push(sha256);
        }
    }
    Ok(unneeded)
}

fn is_needed(connection: &Connection, sha256: &str) -> sql::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM upload WHERE sha256 = ?1")?.exists([sha256])
}

fn exists(connection: &Connection, meeting: &MeetingId) -> Result<(), StoreError> {
    match connection.prepare_cached("SELECT 1 FROM meeting WHERE id = ?1")?.exists([meeting.as_str()])? {
        true => Ok(()),
        false => Err(JournalError::NoSuchMeeting(meeting.clone()).into()),
    }
}

/// Checks that one more file fits beside all others.
fn has_room(connection: &Connection, in_all: UploadTotal, size: u64) -> Result<(), StoreError> {
    let there = total(connection, None)?;
    match there.files < in_all.files && there.bytes.saturating_add(size) <= in_all.bytes {
        true => Ok(()),
        false => Err(StoreError::UploadsFull { files: there.files, bytes: there.bytes }),
    }
}

fn total(connection: &Connection, meeting: Option<&MeetingId>) -> sql::Result<UploadTotal> {
    connection
        .prepare_cached(
            "SELECT count(*), CAST(coalesce(sum(size), 0) AS BIGINT) FROM upload WHERE CAST(?1 AS TEXT) IS NULL OR meeting = ?1",
        )?
        .query_row([meeting.map(MeetingId::as_str)], |row| {
            Ok(UploadTotal { files: row.get(0)?, bytes: row.get(1)? })
        })
}

fn insert(connection: &Connection, upload: &Upload) -> Result<(), StoreError> {
    // The meeting may have been deleted while the file came in.
    exists(connection, &upload.meeting)?;
    connection
        .execute(
            "INSERT INTO upload (id, meeting, name, media_type, size, sha256, by, created_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            (
                &upload.id,
                upload.meeting.as_str(),
                &upload.name,
                &upload.media_type,
                upload.size,
                &upload.sha256,
                serde_json::to_string(&upload.by).expect("an actor is plain JSON"),
                upload.created_ms.0,
            ),
        )
        .map_err(|error| match error.kind() {
            ErrorKind::Constraint => StoreError::UploadExists { id: upload.id.clone() },
            _ => error.into(),
        })?;
    Ok(())
}

fn one(connection: &Connection, id: &str) -> Result<Upload, StoreError> {
    connection
        .prepare_cached("SELECT * FROM upload WHERE id = ?1")?
        .query_row([id], upload_in)
        .optional()?
        .ok_or_else(|| StoreError::NoSuchUpload { id: id.to_owned() })
}

/// Reads the actor who uploaded the file, stored as in events.
fn actor_in(row: &Row<'_>) -> sql::Result<Actor> {
    let written: String = row.get("by")?;
    serde_json::from_str(&written).map_err(|error| sql::Error::value("by", error))
}

fn upload_in(row: &Row<'_>) -> sql::Result<Upload> {
    Ok(Upload {
        id: row.get("id")?,
        meeting: MeetingId::new(row.get::<_, String>("meeting")?),
        name: row.get("name")?,
        media_type: row.get("media_type")?,
        size: row.get("size")?,
        sha256: row.get("sha256")?,
        by: actor_in(row)?,
        created_ms: Timestamp(row.get("created_ms")?),
    })
}

/// The name alone, in one line, cut to its length.
fn name(given: &str) -> Result<String, StoreError> {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = clean(last).chars().filter(|c| !c.is_control()).take(NAME_CHARS).collect();
    match name.as_str() {
        "" | "." | ".." => Err(StoreError::Invalid(Refusal::Invalid {
            field: "name".to_owned(),
            problem: message!("store-uploads-file-has-no-name").into(),
            hint: message!("store-uploads-give-one-1-characters", name_chars = %NAME_CHARS).into(),
        })),
        _ => Ok(name),
    }
}

/// The media type when it has the form `type/subtype`, otherwise that of arbitrary bytes.
fn media_type(given: &str) -> String {
    let essence = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_token = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&b))
    };
    match essence.split_once('/') {
        Some((kind, subtype)) if essence.len() <= 127 && is_token(kind) && is_token(subtype) => essence,
        _ => "application/octet-stream".to_owned(),
    }
}
