//! Errors of the store, and their remedies.
//!
//! SQLite reports codes; each code that a person can act on is translated here, once, for the writer and all
//! readers.

use std::path::PathBuf;

use quorate_contract::{MeetingId, Refusal};
use quorate_engine::{JournalError, StorageFault};
use quorate_messages::{Language, Message, as_said};

use crate::health::fault_of;
use crate::sql::{self, ErrorKind};

/// The reason why the store could not be opened, searched or copied.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database does not exist yet.
    #[error("there is no database at {}", path.display())]
    NoDatabase {
        /// Its path.
        path: PathBuf,
    },
    /// The folder or the file cannot be made or reached.
    #[error("{} cannot be used", path.display())]
    Unreachable {
        /// The folder or file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        source: std::io::Error,
    },
    /// The server of the database cannot be reached, or refuses this user.
    #[error("the database {url} cannot be reached: {}", detail.text(Language::En))]
    ServerUnreachable {
        /// The address, without its password.
        url: String,
        /// What the server or the network says.
        detail: Message,
    },
    /// The address of a database cannot be used.
    #[error("{url} is not the address of a database: {}", detail.text(Language::En))]
    BadDatabaseUrl {
        /// The address, without its password.
        url: String,
        /// What is wrong with it.
        detail: Message,
    },
    /// A database is to be moved to a server, and the other one is a file.
    #[error("{} is no database on a server", path.display())]
    NotAServer {
        /// The path.
        path: PathBuf,
    },
    /// A database is to be moved into one that holds something.
    #[error("the database on the server is not empty: it has rows of {table}")]
    NotEmpty {
        /// The first table that has rows.
        table: String,
    },
    /// Something works on files of SQLite alone.
    #[error("{url} is a database on a server, and this works on a database file")]
    NotAFile {
        /// The address, without its password.
        url: String,
    },
    /// The file holds something else; it was left as it is.
    #[error("{} is not a quorate database: {}", path.display(), detail.text(Language::En))]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// What the file is instead.
        detail: Message,
    },
    /// A newer quorate wrote this database.
    #[error("{} has version {found}, and this quorate knows versions up to {known}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The newest version that is known here.
        known: u32,
    },
    /// An older quorate wrote this database, and it was opened only to be read.
    #[error("{} has the older version {found}; version {known} is needed to read it", path.display())]
    Older {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that is needed.
        known: u32,
    },
    /// Its events are from before they said in which version of their contract they are written.
    #[error("{} holds events that are older than the first version of their contract", path.display())]
    BeforeContract {
        /// The file.
        path: PathBuf,
    },
    /// A newer quorate wrote events to this database.
    #[error("{} holds events in version {found} of their contract, and this quorate knows versions up to {known}", path.display())]
    NewerContract {
        /// The file.
        path: PathBuf,
        /// The version that the newest event is written in.
        found: u32,
        /// The newest version that is known here.
        known: u32,
    },
    /// There is no database, but the write-ahead log of one.
    #[error("there is no database at {}, and {} holds events that were not yet moved into it",
        path.display(), log.display())]
    LogWithoutDatabase {
        /// The path of the database.
        path: PathBuf,
        /// Its write-ahead log.
        log: PathBuf,
    },
    /// Another process is writing the database.
    #[error("{} is in use by {}", path.display(), process(*pid))]
    InUse {
        /// The file.
        path: PathBuf,
        /// The id of the other process, when it is known.
        pid: Option<u32>,
    },
    /// A copy was to go where something is already.
    #[error("{} exists already", path.display())]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// A backup was to go where a database is.
    #[error("{} is there, and would be replaced", path.display())]
    WouldReplace {
        /// The database.
        path: PathBuf,
    },
    /// A copy is not what was written.
    #[error("the copy is damaged in {found} places: {first}")]
    DamagedCopy {
        /// The number of places.
        found: u64,
        /// The first of them.
        first: String,
    },
    /// No meeting's id begins like this.
    #[error("no meeting's id begins with {prefix:?}")]
    NoMatch {
        /// The beginning that was given.
        prefix: String,
    },
    /// The database has no meetings.
    #[error("there are no meetings yet")]
    NoMeetings,
    /// Several meetings begin like this.
    #[error("{} begin with {prefix:?}: {}", meetings(candidates.len(), *more), list(candidates))]
    Ambiguous {
        /// The beginning that was given.
        prefix: String,
        /// The first of them, newest first.
        candidates: Vec<MeetingId>,
        /// Whether there are more than those listed.
        more: bool,
    },
    /// The catalogue holds an impossible value.
    #[error("the catalogue of meetings is damaged: {detail}")]
    DamagedCatalogue {
        /// What is wrong with it.
        detail: String,
    },
    /// The cursor belongs to no page of this list.
    #[error("this is no cursor of this list")]
    BadCursor,
    /// A request came with a key that cannot be one.
    #[error("an idempotency key has 1 to 255 bytes; this one has {bytes}")]
    BadIdempotencyKey {
        /// Its size in bytes.
        bytes: usize,
    },
    /// No upload has this id.
    #[error("there is no upload {id:?}")]
    NoSuchUpload {
        /// The id that was given.
        id: String,
    },
    /// An upload has this id already.
    #[error("there is already an upload {id:?}")]
    UploadExists {
        /// The id that was given.
        id: String,
    },
    /// A file has more bytes than it may have.
    #[error("the file has more than {most} bytes")]
    UploadTooLarge {
        /// The limit.
        most: u64,
    },
    /// All files together have as much as they may have.
    #[error("the files of all meetings have {bytes} bytes in {files} files, and would have more than may be")]
    UploadsFull {
        /// The number of files.
        files: u64,
        /// Their size in bytes.
        bytes: u64,
    },
    /// The content of an upload is not what was stored.
    #[error("the upload {id:?} cannot be read: {}", detail.text(Language::En))]
    DamagedUpload {
        /// The upload.
        id: String,
        /// What is wrong with it.
        detail: Message,
    },
    /// No template has this name.
    #[error("there is no template {name:?}")]
    NoSuchTemplate {
        /// The name or id that was given.
        name: String,
    },
    /// A template has this name already.
    #[error("there is already a template {name:?}")]
    TemplateExists {
        /// The name.
        name: String,
    },
    /// The template was changed in the meantime.
    #[error("the template {name:?} was changed meanwhile; it has version {found} now")]
    TemplateChanged {
        /// Its name.
        name: String,
        /// Its version.
        found: u64,
    },
    /// A setting makes no sense.
    #[error("the setting {name:?} cannot be read: {detail}")]
    DamagedSetting {
        /// Its name.
        name: String,
        /// What is wrong with it.
        detail: String,
    },
    /// No agent of the library has this name.
    #[error("there is no agent {name:?}")]
    NoSuchAgent {
        /// The name or id that was given.
        name: String,
    },
    /// The library has an agent of that name.
    #[error("there is already an agent {name:?}")]
    AgentExists {
        /// The name.
        name: String,
    },
    /// A row of the library makes no sense.
    #[error("the agent {name:?} cannot be read: {detail}")]
    DamagedAgent {
        /// The agent's name.
        name: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The provider has no stored credential.
    #[error("no credential is stored for {provider:?}")]
    NoSuchCredential {
        /// The provider.
        provider: String,
    },
    /// A new address came without a key, and the stored key was given for another address.
    #[error("the stored key of {provider} was given for another address")]
    KeyOfAnotherAddress {
        /// The provider.
        provider: String,
    },
    /// The vault's key file is not there, although something was sealed with it.
    #[error("the key file {} is missing, and the credentials of {} are sealed with it",
        path.display(), providers.join(", "))]
    VaultKeyMissing {
        /// The path of the key file.
        path: PathBuf,
        /// The providers with stored credentials.
        providers: Vec<String>,
    },
    /// Others than its owner may read the vault's key file.
    #[error("the key file {} can be read by others (its mode is {mode:03o})", path.display())]
    VaultKeyExposed {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// The file in the place of the vault's key file is no key file.
    #[error("{} is not a key file: {}", path.display(), detail.text(Language::En))]
    VaultKeyUnusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: Message,
    },
    /// A credential was sealed with another key file, or was changed since.
    #[error("the credential of {provider} cannot be opened with {}", path.display())]
    SealedOtherwise {
        /// The provider.
        provider: String,
        /// The key file.
        path: PathBuf,
    },
    /// An input is invalid.
    #[error(transparent)]
    Invalid(#[from] Refusal),
    /// The journal could not read or append events.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl StoreError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::NoDatabase { .. } => {
                "the first meeting makes it; or use another database".to_owned()
            }
            Self::Unreachable { .. } => {
                "check that the folder exists and may be written, or use another database".to_owned()
            }
            Self::ServerUnreachable { .. } => {
                "check that the server runs, that its address, user and password are right, and that this machine may \
                 connect to it"
                    .to_owned()
            }
            Self::BadDatabaseUrl { .. } => {
                "name a file, or an address such as postgres://USER:PASSWORD@HOST/DATABASE".to_owned()
            }
            Self::NotAServer { .. } => "give an address such as postgres://USER:PASSWORD@HOST/DATABASE".to_owned(),
            Self::NotEmpty { .. } => "make a new database for it; nothing was changed in this one".to_owned(),
            Self::NotAFile { .. } => {
                "use the tools of the server for it, such as pg_dump and pg_restore".to_owned()
            }
            Self::NotOurs { .. } => "nothing was changed in it; name another file".to_owned(),
            Self::Newer { .. } => {
                "this database was written by a newer Quorate; upgrade, or use another one".to_owned()
            }
            Self::BeforeContract { .. } => {
                "nothing was changed in it; export its meetings with the version that wrote it, and use another database"
                    .to_owned()
            }
            Self::NewerContract { .. } => {
                "nothing was changed in it; upgrade, or use another database".to_owned()
            }
            Self::Older { .. } => "whatever writes to it brings it up to date; make a copy first if an older Quorate is \
                 still to use it"
                .to_owned(),
            Self::LogWithoutDatabase { log, .. } => format!(
                "put the database back beside it; to begin anew without those events, move {} away",
                log.display()
            ),
            Self::InUse { .. } => {
                "wait until the other is done, or stop it, or use another database".to_owned()
            }
            Self::Exists { .. } => "name a file that does not exist yet".to_owned(),
            Self::WouldReplace { .. } => {
                "say that it may be replaced, and it is kept beside it under another name; a backup cannot take its \
                 own place"
                    .to_owned()
            }
            Self::DamagedCopy { .. } => {
                "nothing was replaced; verify the original, or take another backup"
                    .to_owned()
            }
            Self::NoMatch { .. } => "look at the list of meetings".to_owned(),
            Self::NoMeetings => "hold the first one".to_owned(),
            Self::Ambiguous { .. } => "type a few more characters of the id".to_owned(),
            Self::DamagedCatalogue { .. } => {
                "the log itself may be whole, and the catalogue can be made from it again; verify the database"
                    .to_owned()
            }
            Self::BadCursor => {
                "take the cursor as the page before gave it, or begin again without one".to_owned()
            }
            Self::BadIdempotencyKey { .. } => "give each request a key of its own, such as a UUID".to_owned(),
            Self::NoSuchUpload { .. } => {
                "list the uploads of the meeting; this one may have been deleted".to_owned()
            }
            Self::UploadExists { .. } => "choose another id for it".to_owned(),
            Self::UploadTooLarge { .. } => "send a smaller file, or only the part that matters".to_owned(),
            Self::UploadsFull { .. } => {
                "delete files that nobody needs, or meetings with theirs; the owner may raise the limit"
                    .to_owned()
            }
            Self::DamagedUpload { .. } => "upload the file again, or restore a backup".to_owned(),
            Self::NoSuchTemplate { .. } => "list the templates there are".to_owned(),
            Self::TemplateExists { .. } => "choose another name, or change that one".to_owned(),
            Self::TemplateChanged { .. } => {
                "read it again, then make your change to what it is now".to_owned()
            }
            Self::DamagedSetting { .. } => "set it anew, or restore the database from a backup".to_owned(),
            Self::NoSuchAgent { .. } => "look at the list of agents".to_owned(),
            Self::AgentExists { name } => {
                format!("choose another name, or change the agent {name:?}")
            }
            Self::DamagedAgent { name, .. } => {
                format!("restore the database from a backup, or delete the agent {name:?}")
            }
            Self::NoSuchCredential { .. } => "look at the list of providers".to_owned(),
            Self::KeyOfAnotherAddress { .. } => {
                "give the key for the new address, too, or call the provider by another name".to_owned()
            }
            Self::VaultKeyMissing { .. } => {
                "put the key file back from your backup; or remove these providers, which gives up what it sealed, \
                 and store the keys again"
                    .to_owned()
            }
            Self::VaultKeyExposed { path, .. } => {
                format!("chmod 600 {}; if others may have read it, change your keys", path.display())
            }
            Self::VaultKeyUnusable { .. } => {
                "put the right key file back from your backup; or move it away, remove the providers that it \
                 sealed, and store their keys again"
                    .to_owned()
            }
            Self::SealedOtherwise { provider, .. } => format!(
                "put the key file back with which it was sealed; or remove the provider {provider}, and store its \
                 key again"
            ),
            Self::Invalid(refusal) => refusal.hint().english().to_owned(),
            Self::Journal(error) => error.hint(),
        }
    }

    /// What is wrong with the storage, when that is what this is about.
    pub fn fault(&self) -> Option<StorageFault> {
        match self {
            Self::Journal(JournalError::Unavailable { fault, .. }) => Some(*fault),
            Self::Unreachable { source, .. } => Some(fault_of(source).unwrap_or(StorageFault::Inaccessible)),
            _ => None,
        }
    }

    /// An error in the catalogue: a fault of the database, or an invalid row.
    pub(crate) fn of_catalogue(error: sql::Error) -> Self {
        if is_damage(&error) { Self::DamagedCatalogue { detail: error.to_string() } } else { error.into() }
    }
}

impl From<sql::Error> for StoreError {
    fn from(error: sql::Error) -> Self {
        Self::Journal(unavailable(&error))
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        sql::Error::from(error).into()
    }
}

fn process(pid: Option<u32>) -> String {
    pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"))
}

fn meetings(listed: usize, more: bool) -> String {
    if more { format!("more than {listed} meetings") } else { format!("{listed} meetings") }
}

fn list(candidates: &[MeetingId]) -> String {
    candidates.iter().map(MeetingId::as_str).collect::<Vec<_>>().join(", ")
}

/// An error of the database as an error of the journal.
pub(crate) fn unavailable(error: &sql::Error) -> JournalError {
    JournalError::Unavailable { fault: fault(error), detail: as_said(error) }
}

/// The storage fault behind an error of the database.
fn fault(error: &sql::Error) -> StorageFault {
    match error.kind() {
        ErrorKind::Full => StorageFault::Full,
        ErrorKind::ReadOnly => StorageFault::ReadOnly,
        ErrorKind::Disk => StorageFault::Disk,
        ErrorKind::Busy | ErrorKind::Conflict => StorageFault::Busy,
        ErrorKind::Corrupt => StorageFault::Corrupt,
        ErrorKind::Inaccessible => StorageFault::Inaccessible,
        ErrorKind::Unreachable => StorageFault::Unreachable,
        ErrorKind::OutOfMemory => StorageFault::OutOfMemory,
        ErrorKind::Constraint | ErrorKind::Value | ErrorKind::Other => StorageFault::Bug,
    }
}

/// Whether the stored data is at fault, and not the access to it.
pub(crate) fn is_damage(error: &sql::Error) -> bool {
    matches!(error.kind(), ErrorKind::Corrupt | ErrorKind::Value)
}

/// A caller broke the contract of the journal: our bug, and it says which.
pub(crate) fn contract_broken(detail: Message) -> JournalError {
    JournalError::Unavailable { fault: StorageFault::Bug, detail }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    fn what_is_said(error: rusqlite::Error) -> (String, String) {
        let error = unavailable(&error.into());
        (error.to_string(), error.hint())
    }

    #[test]
    fn a_full_disk_is_told_apart_from_a_read_only_database() {
        let small = Connection::open_in_memory().unwrap();
        small.execute_batch("CREATE TABLE t (x); PRAGMA max_page_count = 3;").unwrap();
        let full = small.execute("INSERT INTO t VALUES (zeroblob(100000))", []).unwrap_err();
        let (detail, hint) = what_is_said(full);
        assert!(detail.contains("is full"), "{detail}");
        assert!(hint.contains("free some space"), "{hint}");

        let closed = Connection::open_in_memory().unwrap();
        closed.execute_batch("CREATE TABLE t (x); PRAGMA query_only = 1;").unwrap();
        let read_only = closed.execute("INSERT INTO t VALUES (1)", []).unwrap_err();
        let (detail, hint) = what_is_said(read_only);
        assert!(detail.contains("read-only"), "{detail}");
        assert!(hint.contains("permissions"), "{hint}");
    }

    #[test]
    fn several_candidates_are_named() {
        let error = StoreError::Ambiguous {
            prefix: "a".to_owned(),
            candidates: vec![MeetingId::new("a1"), MeetingId::new("a2")],
            more: false,
        };
        assert_eq!(error.to_string(), r#"2 meetings begin with "a": a1, a2"#);
    }
}
