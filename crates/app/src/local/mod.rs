//! A database of this machine, as a command opens it: to read beside the server that writes it, or as its one writer.
//!
//! Whoever can open the file is its owner, so reading meetings and agents asks for no permission. Changes, what takes data
//! out of the program, and the lists of accounts, tokens and the audit log go through [`App::perform`]; a command that only
//! reads leaves its audit entry for the writer.

mod changes;

use std::fs::File;
use std::path::{Path, PathBuf};

use quorate_contract::{MeetingId, Timestamp};
use quorate_core::Meeting;
use quorate_engine::{Fault, Journal, JournalError};
use quorate_runners::{Pace, Programs};
use quorate_store::{
    Agent, AuditEntry, AuditFilter, BackupReport, CopyProgress, DatabaseLocation, MeetingSummary,
    MigrationReport, Node, OwnerChange, Page, RestoreReport, Salvaged, SearchFilter, SearchHit, Session,
    Store, StoreError,
};
use serde_json::{Value, json};

use crate::background::in_background;
use crate::error::ServiceError;
use crate::images::{ExportedFiles, ImageMaker, exported_files};
use crate::operation::use_case::UseCase;
use crate::password::is_meeting_password;
use crate::planning::agents::others_at;
use crate::providers::available::runners;
use crate::providers::sources::OpenDatabase;
use crate::use_cases::{App, AppOptions};

/// A database of this machine. Cheap to clone.
#[derive(Clone)]
pub struct LocalDatabase(Store);

impl From<Store> for LocalDatabase {
    fn from(store: Store) -> Self {
        Self(store)
    }
}

impl LocalDatabase {
    /// Opens the database to write in it, a file as its one writer; makes it when it is not there.
    ///
    /// # Errors
    /// When another process writes the file, or it cannot be opened.
    pub fn open(location: &DatabaseLocation) -> Result<Self, StoreError> {
        Store::open(location).map(Self)
    }

    /// Opens the database to read it, also while another process writes it. An older one is first brought up to
    /// date.
    ///
    /// # Errors
    /// When there is none, or it cannot be opened.
    pub fn read_only(location: &DatabaseLocation) -> Result<Self, StoreError> {
        match Store::open_read_only(location) {
            Err(StoreError::Older { .. }) => {
                drop(Store::open(location)?);
                Store::open_read_only(location).map(Self)
            }
            opened => opened.map(Self),
        }
    }

    /// Replaces the database by the backup at `from`. With `force`, also a file that holds meetings; it is kept beside
    /// the new one, under a name with `stamp`. A database on a server has to be empty. The database that is then in place
    /// notes it.
    ///
    /// # Errors
    /// When the backup is not whole, or the database is in use.
    pub async fn restore(
        from: &Path,
        location: &DatabaseLocation,
        force: bool,
        stamp: &str,
        progress: impl FnMut(CopyProgress) + Send,
    ) -> Result<RestoreReport, StoreError> {
        let report = match location {
            DatabaseLocation::File(path) => quorate_store::restore(from, path, force, stamp, progress)?,
            DatabaseLocation::Postgres { .. } => {
                let moved = quorate_store::migrate(&from.into(), location, progress)?;
                RestoreReport {
                    path: moved.to.into(),
                    meetings: moved.meetings,
                    events: moved.events,
                    files: moved.files,
                    missing: moved.missing,
                    key: moved.key,
                    kept: None,
                }
            }
        };
        let detail = json!({ "meetings": report.meetings, "events": report.events });
        if let Err(error) = Self::note_restored(location, detail).await {
            tracing::warn!(%error, "the restoration is not in the audit log");
        }
        Ok(report)
    }

    /// Copies a whole database into an empty one on a server, and compares both. The original stays as it is.
    ///
    /// # Errors
    /// When the original is damaged or in use, or the other one is not empty or cannot be reached.
    pub async fn migrate(
        from: DatabaseLocation,
        to: DatabaseLocation,
        progress: impl FnMut(CopyProgress) + Send + 'static,
    ) -> Result<MigrationReport, ServiceError> {
        let target = to.clone();
        let report = in_background(move || Ok(quorate_store::migrate(&from, &target, progress)?)).await?;
        let detail = json!({ "meetings": report.meetings, "events": report.events });
        if let Err(error) = Self::note_restored(&to, detail).await {
            tracing::warn!(%error, "the migration is not in the audit log");
        }
        Ok(report)
    }

    async fn note_restored(location: &DatabaseLocation, detail: Value) -> Result<(), ServiceError> {
        let app = Self::read_only(location)?.idle_app().await?;
        let restored = async move { Ok(((), detail)) };
        app.perform_here_noting(UseCase::Restore, None, Value::Null, restored).await
    }

    /// Carries out a use case as the person at this machine, about a meeting when it is about one, and notes it with
    /// `detail`.
    ///
    /// # Errors
    /// When it is refused, or fails.
    pub async fn perform<T: Send + 'static>(
        &self,
        use_case: UseCase,
        meeting: Option<MeetingId>,
        detail: Value,
        action: impl Future<Output = Result<T, ServiceError>> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let noted = detail.clone();
        let action = async move { Ok((action.await?, noted)) };
        self.idle_app().await?.perform_here_noting(use_case, meeting, detail, action).await
    }

    /// An app over this database, which has to be open for writing.
    ///
    /// # Errors
    /// When something that is configured cannot be used.
    pub async fn app(&self, options: AppOptions) -> Result<App, ServiceError> {
        App::open(self.0.clone(), options).await
    }

    /// An app for a change after which the command ends: nothing runs in it.
    async fn idle_app(&self) -> Result<App, ServiceError> {
        let runners = runners([], Programs::default(), None, [], Pace::Instant)?;
        let options = AppOptions { runners: Some(runners), ..AppOptions::new(PathBuf::new()) };
        self.app(options).await
    }

    /// The database, as the source of a plan.
    pub fn source(&self) -> OpenDatabase {
        self.0.clone().into()
    }

    /// The attached files of a meeting for an export that loads nothing.
    pub async fn files_for_export(&self, meeting: &Meeting) -> ExportedFiles {
        exported_files(&self.0, &ImageMaker::default(), meeting).await
    }

    /// The stored content of a file of a meeting, by its checksum, open to be read; `None` when it is not here.
    ///
    /// # Errors
    /// When the database or the content cannot be read.
    pub async fn open_content(&self, meeting: &MeetingId, sha256: &str) -> Result<Option<File>, StoreError> {
        let stored = self.0.uploads(meeting).await?.into_iter().find(|upload| upload.sha256 == sha256);
        match stored {
            Some(stored) => Ok(Some(self.0.open_upload(&stored.id).await?.1)),
            None => Ok(None),
        }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0
    }

    /// The meeting whose id begins with `prefix`; `last` is the newest one.
    ///
    /// # Errors
    /// When no meeting begins like this, or several do.
    pub async fn find(&self, prefix: &str) -> Result<MeetingId, StoreError> {
        self.0.find(prefix).await
    }

    /// The meetings, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn meetings(&self, limit: u32, offset: u32) -> Result<Vec<MeetingSummary>, StoreError> {
        match self.0.meetings(limit, offset).await {
            Err(StoreError::NoMeetings) => Ok(Vec::new()),
            meetings => meetings,
        }
    }

    /// The meetings in quarantine, and why.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn faults(&self) -> Result<Vec<(MeetingId, Fault)>, StoreError> {
        self.0.faults().await
    }

    /// Forgets that a meeting is in quarantine: it is tried again.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn release(&self, id: &MeetingId) -> Result<(), JournalError> {
        self.0.keep_fault(id.clone(), None).await
    }

    /// The processes that share the database; none for a file.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn nodes(&self) -> Result<Vec<Node>, StoreError> {
        self.0.nodes().await
    }

    /// Which meetings have gone over from one process to another, the newest first; those of one meeting when it is given.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn owner_changes(
        &self,
        meeting: Option<MeetingId>,
        most: u32,
    ) -> Result<Vec<OwnerChange>, StoreError> {
        self.0.owner_changes(meeting, most).await
    }

    /// The events of a meeting before its damage, and the damage.
    ///
    /// # Errors
    /// When there is no such meeting, or the database cannot be read.
    pub async fn salvage(&self, id: &MeetingId) -> Result<Salvaged, JournalError> {
        self.0.salvage(id).await
    }

    /// The lines of the events of a meeting after number `after`.
    ///
    /// # Errors
    /// When there is no such meeting, or its log cannot be read.
    pub async fn lines(&self, id: &MeetingId, after: u64) -> Result<Vec<(u64, String)>, JournalError> {
        self.0.lines(id, after).await
    }

    /// Whether a meeting has ended.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn has_ended(&self, id: &MeetingId) -> Result<bool, StoreError> {
        self.0.has_ended(id).await
    }

    /// A page of hits, the last written first.
    ///
    /// # Errors
    /// When there is nothing to look for, no such meeting, or the cursor is none of this list.
    pub async fn search(
        &self,
        filter: SearchFilter,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<SearchHit>, StoreError> {
        self.0.search(filter, cursor, limit).await
    }

    /// The number of events that are not indexed yet.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn search_lag(&self) -> Result<u64, StoreError> {
        self.0.search_lag().await
    }

    /// Whether a meeting needs a password.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn is_locked(&self, id: &MeetingId) -> Result<bool, StoreError> {
        Ok(self.0.password_hash(id).await?.is_some())
    }

    /// Whether this password opens a meeting. A meeting without a password takes any.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn opens(&self, id: &MeetingId, password: &str) -> Result<bool, ServiceError> {
        match self.0.password_hash(id).await? {
            Some(hash) => is_meeting_password(password, &hash),
            None => Ok(true),
        }
    }

    /// The agents of the library, in the order in which they were created.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn agents(&self) -> Result<Vec<Agent>, StoreError> {
        self.0.agents().await
    }

    /// The agent of this name or id.
    ///
    /// # Errors
    /// When there is none.
    pub async fn agent(&self, name: &str) -> Result<Agent, StoreError> {
        self.0.agent(name).await
    }

    /// The other agents that speak through the same provider.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn others_at(&self, agent: &Agent) -> Result<Vec<String>, ServiceError> {
        others_at(&self.0, agent).await
    }

    /// Whether a credential of this provider is stored.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn has_credential(&self, provider: &str) -> Result<bool, StoreError> {
        Ok(self.0.credential_names().await?.iter().any(|(name, _)| name == provider))
    }

    /// The sessions that have not ended by `now`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn sessions(&self, now: Timestamp) -> Result<Vec<Session>, StoreError> {
        self.0.sessions(now).await
    }

    /// A page of the audit log, the newest first.
    ///
    /// # Errors
    /// When the database cannot be read, or the cursor is none of this list.
    pub async fn audit_page(
        &self,
        filter: AuditFilter,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<AuditEntry>, ServiceError> {
        self.drain_audit();
        let (store, cursor) = (self.0.clone(), cursor.map(str::to_owned));
        let read = async move { Ok(store.audit_page(filter, cursor.as_deref(), limit).await?) };
        self.perform(UseCase::ReadAudit, None, Value::Null, read).await
    }

    /// Has the entries written that commands have left for a writer, where no other process is one: opening it does
    /// that. A writer that runs takes them over by itself.
    fn drain_audit(&self) {
        if self.0.audit_waits() {
            _ = Store::open(self.0.location());
        }
    }

    /// Copies the database with its uploaded files to `to`; `with_key` also the key file.
    ///
    /// # Errors
    /// When the copy cannot be written, or is not whole.
    pub async fn backup(
        &self,
        to: PathBuf,
        with_key: bool,
        progress: impl FnMut(CopyProgress) + Send + 'static,
    ) -> Result<BackupReport, ServiceError> {
        let (store, noted) = (self.0.clone(), json!({ "key": with_key }));
        let action = async move {
            let report = store.backup_whole(to, with_key, progress).await?;
            let detail = json!({
                "meetings": report.meetings, "events": report.events, "sha256": report.sha256, "key": with_key,
            });
            Ok((report, detail))
        };
        self.idle_app().await?.perform_here_noting(UseCase::Backup, None, noted, action).await
    }
}
