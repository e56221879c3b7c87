//! Makes backups when they are due, for as long as the server runs.

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use quorate_contract::{Language, Timestamp};
use quorate_engine::{JournalError, StorageFault};
use quorate_messages::message;
use quorate_store::{BackupReport, Store, StoreError, new_secret};
use serde_json::{Value, json};

use super::state::Failure;
use super::{BackupFolder, BackupOptions, BackupStats, BackupView, BackupsView};
use crate::background::in_background;
use crate::clock;
use crate::error::ServiceError;
use crate::operation::use_case::UseCase;
use crate::use_cases::App;

/// The name of the setting that holds the id of the database in the names of its backups.
const SETTING: &str = "backup";
/// The random bytes of that id.
const ID_BYTES: usize = 4;
/// The time after which a backup that failed is tried again, where the next one is not due before.
const RETRY: Duration = Duration::from_secs(15 * 60);
/// The longest wait before the clock is read again: it may be set, and a machine may sleep.
const LOOK: Duration = Duration::from_secs(60);
/// The largest number of backups that are listed.
const LISTED: usize = 200;

impl App {
    /// Makes backups when they are due, for as long as it is polled. Without a folder it makes none.
    pub async fn run_backups(&self, options: BackupOptions) {
        let Some(path) = options.folder.clone() else { return };
        let backups = self.scheduled_backups();
        backups.change(|known| known.options = Some(options.clone()));
        loop {
            if !self.store().is_leader().await {
                tokio::time::sleep(LOOK).await;
                continue;
            }
            let wait = match self.back_up_when_due(&path, &options, clock::now()).await {
                Ok(wait) => wait,
                Err(error) => {
                    let wait = RETRY.min(options.every.duration());
                    self.note_failure(&error, clock::now(), wait);
                    tokio::time::sleep(wait).await;
                    continue;
                }
            };
            tokio::time::sleep(wait.min(LOOK)).await;
        }
    }

    /// Notes a failure for the log, the page and the metrics. The next attempt comes after `wait`.
    fn note_failure(&self, error: &ServiceError, now: Timestamp, wait: Duration) {
        tracing::error!(error = error.message(), hint = error.hint(), "the scheduled backup failed");
        self.scheduled_backups().change(|known| {
            known.failure = Some(Failure::of(error, now));
            known.stats.failures += 1;
            known.next = Some(now.plus_ms(wait.as_millis() as u64));
        });
    }

    /// Makes a backup when the newest intact one in the folder is old enough. Gives the time until the next is due.
    async fn back_up_when_due(
        &self,
        path: &Path,
        options: &BackupOptions,
        now: Timestamp,
    ) -> Result<Duration, ServiceError> {
        let backups = self.scheduled_backups();
        let folder = BackupFolder::of(path, self.database(), &database_id(self.store()).await?);
        backups.change(|known| known.folder = Some(folder.clone()));
        let look = folder.clone();
        let items = in_background(move || {
            look.prepare()?;
            look.list().map_err(|error| look.unusable(&error))
        });
        let items = items.await?;
        let newest = newest(&items, now);
        let every = options.every.duration();
        let wait = newest.map_or(Duration::ZERO, |newest| until_due(newest.made_at, every, now));
        backups.change(|known| {
            known.stats.last = newest.map(|newest| newest.made_at);
            known.stats.last_bytes = newest.map_or(0, |newest| newest.bytes);
            known.next = Some(now.plus_ms(wait.as_millis() as u64));
            if !wait.is_zero() {
                known.failure = None;
            }
        });
        if !wait.is_zero() {
            return Ok(wait);
        }
        // Another backup is being made or downloaded: this one is due until it has its turn.
        let Some(_permit) = self.backup_permit() else { return Ok(LOOK) };
        backups.change(|known| known.running = true);
        let made = self.back_up(&folder, options, now).await;
        backups.change(|known| known.running = false);
        let report = made?;
        backups.change(|known| {
            known.failure = None;
            known.next = Some(now.plus_ms(every.as_millis() as u64));
            known.stats.last = Some(now);
            known.stats.last_bytes = report.bytes;
        });
        Ok(every)
    }

    /// Makes one backup through its use case, as `quorate backup` does, and thins the others out.
    async fn back_up(
        &self,
        folder: &BackupFolder,
        options: &BackupOptions,
        now: Timestamp,
    ) -> Result<BackupReport, ServiceError> {
        let (store, target) = (self.store().clone(), folder.clone());
        let action = async move {
            let report = make(&store, &target, now).await?;
            let detail = json!({
                "path": report.path, "meetings": report.meetings, "events": report.events, "sha256": report.sha256,
            });
            Ok((report, detail))
        };
        let detail = json!({ "path": folder.path() });
        let report = self.perform_scheduled(UseCase::Backup, detail, action).await?;
        let path = report.path.display();
        tracing::info!(%path, meetings = report.meetings, events = report.events, "a scheduled backup was made");
        if !report.missing.is_empty() {
            let missing = report.missing.len();
            tracing::warn!(%path, missing, "uploaded files are missing in the backup, because they are missing or damaged");
        }
        let (thinned, keep, made) = (folder.clone(), options.keep, report.path.clone());
        let thinned =
            in_background(move || thinned.thin_out(keep, &made).map_err(|error| thinned.unusable(&error)));
        // The backup is there all the same.
        match thinned.await {
            Ok(deleted) if deleted > 0 => tracing::info!(deleted, "old backups were deleted"),
            Ok(_) => {}
            Err(error) => tracing::warn!(error = error.message(), "old backups could not be deleted"),
        }
        Ok(report)
    }

    /// The scheduled backups, with errors in this language.
    pub async fn backups(&self, language: Language) -> BackupsView {
        let known = self.scheduled_backups().known();
        let items = match &known.folder {
            // The schedule says why a folder cannot be read.
            Some(folder) => listed(folder.clone()).await.unwrap_or_default(),
            None => Vec::new(),
        };
        let options = known.options.clone().unwrap_or_default();
        let failure = known.failure.as_ref().map(|failure| failure.told(language));
        BackupsView {
            enabled: known.options.is_some(),
            folder: options.folder.as_ref().map(|path| path.display().to_string()),
            every_seconds: options.every.duration().as_secs(),
            running: known.running,
            next_at: known.next,
            failure,
            failures: known.stats.failures,
            keep: options.keep.get(),
            items,
            next_cursor: None,
        }
    }

    /// What an operator measures of the scheduled backups.
    pub fn backup_stats(&self) -> BackupStats {
        self.scheduled_backups().known().stats
    }
}

/// The scheduled backups of a database as they lie in their folder, for a process that is not the server that makes them.
/// A folder that cannot be read is a failure once it has been used.
pub(crate) async fn backups_of(
    store: &Store,
    options: &BackupOptions,
    language: Language,
) -> Result<BackupsView, ServiceError> {
    let id = stored_id(store.setting(SETTING).await?.as_ref());
    let folder = options.folder.as_ref().zip(id).map(|(path, id)| BackupFolder::of(path, store.path(), &id));
    let now = clock::now();
    let (items, failure) = match folder.map(listed) {
        None => (Vec::new(), None),
        Some(listed) => match listed.await {
            Ok(items) => (items, None),
            Err(error) => (Vec::new(), Some(Failure::of(&error, now).told(language))),
        },
    };
    let every = options.every.duration();
    Ok(BackupsView {
        enabled: options.folder.is_some(),
        folder: options.folder.as_ref().map(|path| path.display().to_string()),
        every_seconds: every.as_secs(),
        running: false,
        next_at: newest(&items, now).map(|newest| newest.made_at.plus_ms(every.as_millis() as u64)),
        failure,
        failures: 0,
        keep: options.keep.get(),
        items,
        next_cursor: None,
    })
}

/// The backups that are shown.
async fn listed(folder: BackupFolder) -> Result<Vec<BackupView>, ServiceError> {
    in_background(move || {
        let mut items = folder.list().map_err(|error| folder.unusable(&error))?;
        items.truncate(LISTED);
        Ok(items)
    })
    .await
}

async fn make(store: &Store, folder: &BackupFolder, now: Timestamp) -> Result<BackupReport, ServiceError> {
    let target = folder.clone();
    let begun = in_background(move || {
        target.clear_remains().map_err(|error| target.unusable(&error))?;
        Ok(target)
    });
    begun.await?;
    store.check_room(folder.path()).await.map_err(|error| failed(folder, error))?;
    let target = folder.clone();
    let path = in_background(move || target.begin(now)).await?;
    let made = store.backup_whole(path, false, |_| {}).await;
    let target = folder.clone();
    match made {
        Ok(report) => {
            let completed = report.clone();
            if let Err(error) = in_background(move || target.complete(&completed, now)).await {
                tracing::warn!(error = error.message(), "a backup was made and could not be described");
            }
            Ok(report)
        }
        Err(error) => {
            let cleared =
                in_background(move || target.clear_remains().map_err(|error| target.unusable(&error)));
            // The reported error is why there is no backup.
            _ = cleared.await;
            Err(failed(folder, error))
        }
    }
}

/// The error of a backup. What is wrong with the disk is said of the folder of the backups, not of the database.
fn failed(folder: &BackupFolder, error: StoreError) -> ServiceError {
    match error {
        StoreError::Unreachable { source, .. } => folder.unusable(&source),
        StoreError::Journal(JournalError::Unavailable { fault: StorageFault::Full, .. }) => {
            folder.unusable(&ErrorKind::StorageFull.into())
        }
        error => error.into(),
    }
}

/// The newest of the backups that are intact, the newest first. One of the future was made before the clock was set back,
/// and says nothing about the present.
pub(crate) fn newest(items: &[BackupView], now: Timestamp) -> Option<&BackupView> {
    items.iter().find(|backup| backup.intact && backup.made_at <= now)
}

/// The time until the next backup.
fn until_due(newest: Timestamp, every: Duration, now: Timestamp) -> Duration {
    Duration::from_millis(newest.plus_ms(every.as_millis() as u64).since_ms(now))
}

/// The id of the database in the names of its backups. It is made once.
async fn database_id(store: &Store) -> Result<String, ServiceError> {
    if let Some(id) = stored_id(store.setting(SETTING).await?.as_ref()) {
        return Ok(id);
    }
    let id = new_secret("", ID_BYTES)
        .map_err(|error| ServiceError::new(error.to_string(), message!("app-bug-hint")))?;
    store.set_setting(SETTING, Some(json!({ "id": id })), clock::now()).await?;
    Ok(id)
}

/// The id in the setting.
fn stored_id(setting: Option<&Value>) -> Option<String> {
    let id = setting?["id"].as_str()?;
    let sound = id.len() == 2 * ID_BYTES && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    sound.then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use quorate_store::{AuditFilter, restore};

    use super::*;
    use crate::backups::BackupInterval;
    use crate::use_cases::AppOptions;

    const HOUR_MS: u64 = 60 * 60 * 1000;

    struct TestApp {
        folder: tempfile::TempDir,
        app: App,
    }

    impl TestApp {
        async fn open() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let app = open(&folder.path().join("quorate.db")).await;
            Self { folder, app }
        }

        fn backups(&self) -> PathBuf {
            self.folder.path().join("backups")
        }
    }

    async fn open(database: &Path) -> App {
        let store = Store::open(database).expect("a database");
        App::open(store, AppOptions::new(database.with_extension("toml"))).await.expect("an app")
    }

    fn options(folder: &Path) -> BackupOptions {
        let every: BackupInterval = "24h".parse().expect("a day");
        BackupOptions { folder: Some(folder.to_owned()), every, keep: 2.try_into().expect("not 0") }
    }

    /// Looks whether a backup is due, as the server does.
    async fn look(app: &App, folder: &Path, now: Timestamp) -> Result<u64, ServiceError> {
        let options = options(folder);
        app.scheduled_backups().change(|known| known.options = Some(options.clone()));
        let wait = app.back_up_when_due(folder, &options, now).await;
        wait.map(|wait| wait.as_secs() / 3_600)
    }

    async fn times(app: &App) -> Vec<Timestamp> {
        app.backups(Language::En).await.items.iter().map(|backup| backup.made_at).collect()
    }

    #[tokio::test]
    async fn backups_are_made_when_due_kept_in_number_and_can_be_restored() {
        let home = TestApp::open().await;
        let (app, folder, start) = (&home.app, home.backups(), clock::now());
        let at = |hours: u64| start.plus_ms(hours * HOUR_MS);
        assert!(!app.backups(Language::En).await.enabled);
        assert_eq!(look(app, &folder, at(0)).await.expect("made"), 24);
        assert_eq!(look(app, &folder, at(20)).await.expect("not due"), 4);
        assert_eq!(times(app).await, [at(0)]);
        for hours in [24, 60, 84] {
            assert_eq!(look(app, &folder, at(hours)).await.expect("made"), 24);
        }
        let view = app.backups(Language::En).await;
        assert_eq!(times(app).await, [at(84), at(60)], "two are kept");
        assert!((view.enabled, view.running, view.failure.is_none()) == (true, false, true), "{view:?}");
        assert_eq!((view.next_at, view.keep, view.every_seconds), (Some(at(108)), 2, 86_400));
        let newest = &view.items[0];
        assert!(newest.intact && newest.meetings == Some(0) && newest.sha256.is_some(), "{newest:?}");
        assert_eq!(app.backup_stats().last, Some(at(84)));
        assert_eq!(app.backup_stats().last_bytes, newest.bytes);
        let restored = home.folder.path().join("restored.db");
        restore(folder.join(&newest.name), &restored, false, "backup", |_| {}).expect("it is sound");
        // The restored database is another one, and leaves the backups of the first alone.
        let other = open(&restored).await;
        assert_eq!(look(&other, &folder, at(85)).await.expect("made"), 24);
        assert_eq!((times(&other).await, times(app).await), (vec![at(85)], vec![at(84), at(60)]));
        assert_eq!(look(&other, &folder, at(110)).await.expect("made"), 24);
        assert_eq!(look(&other, &folder, at(140)).await.expect("made"), 24);
        assert_eq!((times(&other).await.len(), times(app).await.len()), (2, 2));
        app.store().audit_written().await.expect("written");
        let filter = AuditFilter { action: Some("backup.post".to_owned()), ..AuditFilter::default() };
        let lines = app.store().audit_page(filter, None, 200).await.expect("a page").items;
        assert_eq!(lines.len(), 4);
        let detail = &lines[0].detail;
        let path = detail["path"].as_str().map(Path::new);
        assert_eq!((detail["via"].as_str(), path), (Some("schedule"), Some(&*folder.join(&newest.name))));
    }

    #[tokio::test]
    async fn a_restart_a_damaged_file_and_a_clock_set_back_are_seen_in_the_folder() {
        let home = TestApp::open().await;
        let (app, folder, start) = (&home.app, home.backups(), clock::now());
        let at = |hours: u64| start.plus_ms(hours * HOUR_MS);
        look(app, &folder, at(100)).await.expect("made");
        // What a process knows is gone with it; the folder tells the next one.
        app.scheduled_backups().change(|known| *known = Default::default());
        assert_eq!(look(app, &folder, at(110)).await.expect("not due"), 14);
        assert_eq!(app.backup_stats().last, Some(at(100)));
        // The clock was set back: a backup of the future holds none up.
        assert_eq!(look(app, &folder, at(1)).await.expect("made"), 24);
        assert_eq!(times(app).await, [at(100), at(1)]);
        assert_eq!(look(app, &folder, at(2)).await.expect("not due"), 23);
        // A backup that was cut off is none.
        let newest = app.backups(Language::En).await.items[0].name.clone();
        fs::write(folder.join(newest), b"SQLite").expect("cut");
        assert_eq!(look(app, &folder, at(101)).await.expect("made"), 24);
        let intact: Vec<bool> =
            app.backups(Language::En).await.items.iter().map(|backup| backup.intact).collect();
        assert_eq!(intact, [true, false, true]);
    }

    #[tokio::test]
    async fn a_failure_is_told_until_a_backup_is_there_again() {
        let home = TestApp::open().await;
        let (app, now) = (&home.app, clock::now());
        let folder = home.folder.path().join("disk/backups");
        let error = look(app, &folder, now).await.expect_err("not mounted");
        app.note_failure(&error, now, RETRY);
        let view = app.backups(Language::Zh).await;
        let failure = view.failure.expect("told");
        assert!(failure.detail.contains("不能使用") && failure.hint.contains("挂载"), "{failure:?}");
        assert_eq!((view.failures, view.next_at), (1, Some(now.plus_ms(RETRY.as_millis() as u64))));
        assert_eq!((app.backup_stats().failures, app.backup_stats().last), (1, None));
        let told = backups_of(app.store(), &options(&folder), Language::En).await.expect("a view");
        assert!(told.failure.is_some_and(|failure| failure.hint.contains("mounted")));
        fs::create_dir(home.folder.path().join("disk")).expect("mounted");
        look(app, &folder, now).await.expect("made");
        let view = app.backups(Language::En).await;
        assert_eq!((view.failure, view.failures, view.items.len()), (None, 1, 1));
        let read = backups_of(app.store(), &options(&folder), Language::En).await.expect("a view");
        assert_eq!(read.items, view.items, "another process reads the same");
    }

    #[tokio::test]
    async fn a_backup_waits_while_another_is_downloaded() {
        let home = TestApp::open().await;
        let (app, folder, now) = (&home.app, home.backups(), clock::now());
        let download = app.backup().await.expect("a copy");
        look(app, &folder, now).await.expect("it waits");
        assert_eq!((times(app).await.len(), app.backups(Language::En).await.next_at), (0, Some(now)));
        drop(download);
        look(app, &folder, now).await.expect("made");
        assert_eq!(times(app).await, [now]);
    }
}
