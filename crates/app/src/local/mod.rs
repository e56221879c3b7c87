//! A database of this machine, as a command opens it: to read beside the server that writes it, or as its one writer.
//!
//! Whoever can open the file is its owner. What a command reads and changes goes through [`App::perform`] like every call of
//! a server, since the owner may have a seat in a blind round; a command that only reads leaves its audit entry for the writer.
//! Without it stand only what a command needs to find a meeting, the question for its password, and its language.

mod changes;
mod reading;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quorate_contract::{MeetingId, Timestamp};
use quorate_core::Meeting;
use quorate_engine::{Journal, JournalError};
use quorate_runners::{Pace, Programs};
use quorate_store::{
    Agent, BackupReport, CopyProgress, DatabaseLocation, MigrationReport, RestoreReport, Session, Store,
    StoreError,
};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

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
pub struct LocalDatabase {
    store: Store,
    /// Carries out what a command reads and changes; nothing runs in it.
    idle_app: Arc<OnceCell<App>>,
}

impl From<Store> for LocalDatabase {
    fn from(store: Store) -> Self {
        Self { store, idle_app: Arc::default() }
    }
}

impl LocalDatabase {
    /// Opens the database to write in it, a file as its one writer; makes it when it is not there.
    ///
    /// # Errors
    /// When another process writes the file, or it cannot be opened.
    pub fn open(location: &DatabaseLocation) -> Result<Self, StoreError> {
        Store::open(location).map(Self::from)
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
                Store::open_read_only(location).map(Self::from)
            }
            opened => opened.map(Self::from),
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
        App::open(self.store.clone(), options).await
    }

    /// The app for what a command reads and changes, after which it ends: nothing runs in it.
    async fn idle_app(&self) -> Result<App, ServiceError> {
        let open = || async {
            let runners = runners([], Programs::default(), None, [], Pace::Instant)?;
            let options = AppOptions { runners: Some(runners), ..AppOptions::new(PathBuf::new()) };
            self.app(options).await
        };
        self.idle_app.get_or_try_init(open).await.cloned()
    }

    /// The database, as the source of a plan.
    pub fn source(&self) -> OpenDatabase {
        self.store.clone().into()
    }

    /// The attached files of a meeting for an export that loads nothing.
    pub async fn files_for_export(&self, meeting: &Meeting) -> ExportedFiles {
        exported_files(&self.store, &ImageMaker::default(), meeting).await
    }

    /// The stored content of a file of a meeting, by its checksum, open to be read; `None` when it is not here.
    ///
    /// # Errors
    /// When the database or the content cannot be read.
    pub async fn open_content(&self, meeting: &MeetingId, sha256: &str) -> Result<Option<File>, StoreError> {
        let stored = self.store.uploads(meeting).await?.into_iter().find(|upload| upload.sha256 == sha256);
        match stored {
            Some(stored) => Ok(Some(self.store.open_upload(&stored.id).await?.1)),
            None => Ok(None),
        }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// The meeting whose id begins with `prefix`; `last` is the newest one.
    ///
    /// # Errors
    /// When no meeting begins like this, or several do.
    pub async fn find(&self, prefix: &str) -> Result<MeetingId, StoreError> {
        self.store.find(prefix).await
    }

    /// Forgets that a meeting is in quarantine: it is tried again.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn release(&self, id: &MeetingId) -> Result<(), JournalError> {
        self.store.keep_fault(id.clone(), None).await
    }

    /// The number of events that are not indexed yet.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn search_lag(&self) -> Result<u64, StoreError> {
        self.store.search_lag().await
    }

    /// Whether a meeting needs a password.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn is_locked(&self, id: &MeetingId) -> Result<bool, StoreError> {
        Ok(self.store.password_hash(id).await?.is_some())
    }

    /// Whether this password opens a meeting. A meeting without a password takes any.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn opens(&self, id: &MeetingId, password: &str) -> Result<bool, ServiceError> {
        match self.store.password_hash(id).await? {
            Some(hash) => is_meeting_password(password, &hash),
            None => Ok(true),
        }
    }

    /// The other agents that speak through the same provider.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn others_at(&self, agent: &Agent) -> Result<Vec<String>, ServiceError> {
        others_at(&self.store, agent).await
    }

    /// Whether a credential of this provider is stored.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn has_credential(&self, provider: &str) -> Result<bool, StoreError> {
        Ok(self.store.credential_names().await?.iter().any(|(name, _)| name == provider))
    }

    /// The sessions that have not ended by `now`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn sessions(&self, now: Timestamp) -> Result<Vec<Session>, StoreError> {
        self.store.sessions(now).await
    }

    /// Has the entries written that commands have left for a writer, where no other process is one: opening it does
    /// that. A writer that runs takes them over by itself.
    fn drain_audit(&self) {
        if self.store.audit_waits() {
            _ = Store::open(self.store.location());
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
        let (store, noted) = (self.store.clone(), json!({ "key": with_key }));
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
