//! The folder of scheduled backups.
//!
//! A backup is `quorate-ID-TIME.db`, with its uploaded files in `….db.files` and a description in `….db.json`. The id is that of
//! the database, so that several servers can share a folder. The description is there before the backup, and says which
//! database it is of. Only what has both the name and the description is ever deleted.

use std::fs;
use std::io::{ErrorKind, Read, Result as IoResult, Write};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use quorate_contract::Timestamp;
use quorate_messages::message;
use quorate_store::BackupReport;
use serde::{Deserialize, Serialize};

use super::BackupView;
use crate::error::{ErrorKind as ServiceErrorKind, ServiceError};

/// The largest description that is read, in bytes.
const DESCRIPTION_MAX: u64 = 1 << 20;
/// The endings of files that a backup can have beside it, except its description.
const BESIDE: [&str; 4] = [".partial", ".partial-wal", ".partial-shm", ".json.partial"];

/// The folder of the backups of one database.
#[derive(Debug, Clone)]
pub(crate) struct BackupFolder {
    path: PathBuf,
    /// The database, as the descriptions name it.
    database: String,
    /// Its id.
    id: String,
}

/// The description of a backup. What is known of it only in the end is absent before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Description {
    database: String,
    made_at: Timestamp,
    /// Absent while the backup is made, and while it is deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<Content>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Content {
    bytes: u64,
    sha256: String,
    meetings: u64,
    events: u64,
    files: u64,
    missing: u64,
}

impl BackupFolder {
    pub(crate) fn of(path: &Path, database: &Path, id: &str) -> Self {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self { path, database: database.display().to_string(), id: id.to_owned() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder where it is not there, for this user alone. The folder above it is not made: it may be a disk that
    /// is not mounted.
    pub(crate) fn prepare(&self) -> Result<(), ServiceError> {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&self.path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && self.path.is_dir() => Ok(()),
            Ok(()) => Ok(()),
            Err(error) => Err(self.unusable(&error)),
        }
    }

    /// The backups of this database, the newest first.
    pub(crate) fn list(&self) -> IoResult<Vec<BackupView>> {
        let mut found: Vec<BackupView> =
            self.names()?.iter().filter_map(|name| self.view(name.strip_suffix(".json")?)).collect();
        found.sort_by(|a, b| (b.made_at, &b.name).cmp(&(a.made_at, &a.name)));
        Ok(found)
    }

    /// The path of a backup that is made now, with its description.
    pub(crate) fn begin(&self, now: Timestamp) -> Result<PathBuf, ServiceError> {
        let at = now.to_rfc3339();
        let stamp: String = at[..19].chars().filter(|c| !matches!(c, '-' | ':')).collect();
        let path = self.path.join(format!("quorate-{}-{stamp}Z.db", self.id));
        if path.symlink_metadata().is_ok() {
            return Err(self.unusable(&ErrorKind::AlreadyExists.into()));
        }
        let description = Description { database: self.database.clone(), made_at: now, content: None };
        self.describe(&path, &description).map_err(|error| self.unusable(&error))?;
        Ok(path)
    }

    /// Completes the description of a backup that was made.
    pub(crate) fn complete(&self, report: &BackupReport, made_at: Timestamp) -> Result<(), ServiceError> {
        let content = Content {
            bytes: report.bytes,
            sha256: report.sha256.clone(),
            meetings: report.meetings,
            events: report.events,
            files: report.files,
            missing: report.missing.len() as u64,
        };
        let description = Description { database: self.database.clone(), made_at, content: Some(content) };
        self.describe(&report.path, &description).map_err(|error| self.unusable(&error))
    }

    /// Deletes what interrupted backups and deletions of this database have left behind. A backup that was complete and is
    /// not there any more was moved by somebody: what lies beside it stays.
    pub(crate) fn clear_remains(&self) -> IoResult<()> {
        for name in self.names()? {
            let Some(of) = name.strip_suffix(".json") else { continue };
            let Some(Description { content: None, .. }) = self.described(of) else { continue };
            if self.path.join(of).symlink_metadata().is_err() {
                self.delete(of)?;
            }
        }
        Ok(())
    }

    /// Deletes the backups that are older than the newest `keep` intact ones, and says how many. The one that was just made
    /// stays also where the clock was set back since others were made.
    pub(crate) fn thin_out(&self, keep: NonZeroU32, just_made: &Path) -> IoResult<usize> {
        let made = self.list()?;
        let mut intact = made.iter().filter(|backup| backup.intact);
        let Some(oldest) = intact.nth(keep.get() as usize - 1).map(|backup| backup.made_at) else {
            return Ok(0);
        };
        let mut deleted = 0;
        for backup in &made {
            if backup.made_at < oldest && self.path.join(&backup.name) != just_made {
                self.delete(&backup.name)?;
                deleted += 1;
            }
        }
        Ok(deleted)
    }

    /// Deletes a backup. Its description goes last: until then the rest is known as ours.
    fn delete(&self, name: &str) -> IoResult<()> {
        let path = self.path.join(name);
        if let Some(description @ Description { content: Some(_), .. }) = self.described(name) {
            // A deletion that is interrupted is completed by the next one. A full disk does not prevent it.
            _ = self.describe(&path, &Description { content: None, ..description });
        }
        remove(&path)?;
        match fs::remove_dir_all(beside(&path, ".files")) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        for ending in BESIDE {
            remove(&beside(&path, ending))?;
        }
        remove(&beside(&path, ".json"))
    }

    fn names(&self) -> IoResult<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            // Other names are none of ours.
            names.extend(entry?.file_name().into_string());
        }
        Ok(names)
    }

    /// Whether this is the name of a backup of this database.
    fn is_ours(&self, name: &str) -> bool {
        let stamp = name.strip_prefix("quorate-").and_then(|rest| rest.strip_prefix(self.id.as_str()));
        let stamp = stamp.and_then(|rest| rest.strip_prefix('-')?.strip_suffix("Z.db"));
        let digits =
            |text: &str, count| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
        stamp
            .and_then(|stamp| stamp.split_once('T'))
            .is_some_and(|(day, time)| digits(day, 8) && digits(time, 6))
    }

    /// The description of a backup of this database.
    fn described(&self, name: &str) -> Option<Description> {
        if !self.is_ours(name) {
            return None;
        }
        let mut text = Vec::new();
        let file = fs::File::open(beside(&self.path.join(name), ".json")).ok()?;
        file.take(DESCRIPTION_MAX).read_to_end(&mut text).ok()?;
        let description: Description = serde_json::from_slice(&text).ok()?;
        (description.database == self.database).then_some(description)
    }

    fn view(&self, name: &str) -> Option<BackupView> {
        let Description { made_at, content, .. } = self.described(name)?;
        let found = fs::symlink_metadata(self.path.join(name)).ok().filter(fs::Metadata::is_file)?;
        let known = content.as_ref();
        Some(BackupView {
            name: name.to_owned(),
            made_at,
            bytes: found.len(),
            meetings: known.map(|content| content.meetings),
            events: known.map(|content| content.events),
            sha256: known.map(|content| content.sha256.clone()),
            missing: known.map_or(0, |content| content.missing),
            intact: known.is_none_or(|content| content.bytes == found.len()),
        })
    }

    /// Writes the description of a backup, whole or not at all.
    fn describe(&self, path: &Path, description: &Description) -> IoResult<()> {
        let text = serde_json::to_string_pretty(description).expect("a description has only text keys");
        let (path, partial) = (beside(path, ".json"), beside(path, ".json.partial"));
        remove(&partial)?;
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&partial)?;
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
        written.and_then(|()| fs::rename(&partial, &path)).inspect_err(|_| _ = remove(&partial))
    }

    pub(crate) fn unusable(&self, error: &std::io::Error) -> ServiceError {
        let message = message!("app-backups-folder", folder = %self.path.display(), %error);
        let hint = match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => message!("app-backups-full-hint"),
            _ => message!("app-backups-folder-hint"),
        };
        ServiceError::new(message, hint).of(ServiceErrorKind::Storage)
    }
}

/// Takes a file away that may not be there.
fn remove(path: &Path) -> IoResult<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATABASE: &str = "/data/quorate.db";

    fn folder(at: &Path) -> BackupFolder {
        BackupFolder::of(at, Path::new(DATABASE), "0123abcd")
    }

    /// Makes a backup of a few bytes, with an uploaded file.
    fn made(folder: &BackupFolder, day: i64) -> PathBuf {
        let at = Timestamp(day * 86_400_000);
        let path = folder.begin(at).expect("it begins");
        fs::write(&path, b"database").expect("written");
        fs::create_dir(beside(&path, ".files")).expect("a folder");
        fs::write(beside(&path, ".files").join("ab"), b"file").expect("written");
        let report = BackupReport {
            path: path.clone(),
            bytes: 8,
            sha256: "ab".repeat(32),
            meetings: 1,
            events: 2,
            files: 1,
            missing: Vec::new(),
            key: false,
        };
        folder.complete(&report, at).expect("described");
        path
    }

    fn days(folder: &BackupFolder) -> Vec<i64> {
        folder.list().expect("a list").iter().map(|backup| backup.made_at.0 / 86_400_000).collect()
    }

    fn keep(count: u32) -> NonZeroU32 {
        NonZeroU32::new(count).expect("not 0")
    }

    #[test]
    fn only_old_backups_of_this_database_are_deleted() {
        let at = tempfile::tempdir().expect("a folder");
        let ours = folder(at.path());
        let others = [
            BackupFolder::of(at.path(), Path::new(DATABASE), "ffff0000"),
            BackupFolder::of(at.path(), Path::new("/elsewhere/quorate.db"), "0123abcd"),
        ];
        for (other, day) in others.iter().zip(1..) {
            made(other, day);
        }
        let strange = [
            "quorate-0123abcd-19700101T000000Z.db",
            "notes.txt",
            "quorate-0123abcd-19700101T000000Z.db.files",
        ];
        for name in strange {
            fs::write(at.path().join(name), b"mine").expect("written");
        }
        // Of ours by its name, but not by its description.
        fs::write(at.path().join(format!("{}.json", strange[0])), b"{}").expect("written");
        let paths: Vec<PathBuf> = (10..15).map(|day| made(&ours, day)).collect();
        assert_eq!(days(&ours), [14, 13, 12, 11, 10]);
        assert_eq!(ours.thin_out(keep(2), &paths[4]).expect("thinned"), 3);
        assert_eq!(days(&ours), [14, 13]);
        assert_eq!(ours.thin_out(keep(2), &paths[4]).expect("thinned"), 0);
        for gone in &paths[..3] {
            for ending in ["", ".files", ".json"] {
                assert!(!beside(gone, ending).exists(), "{}{ending}", gone.display());
            }
        }
        assert!(others.iter().zip(1..).all(|(other, day)| days(other) == [day]));
        for name in strange {
            assert_eq!(fs::read(at.path().join(name)).expect(name), b"mine");
        }
    }

    #[test]
    fn a_damaged_backup_does_not_count_and_the_last_intact_one_stays() {
        let at = tempfile::tempdir().expect("a folder");
        let folder = folder(at.path());
        let paths: Vec<PathBuf> = (1..5).map(|day| made(&folder, day)).collect();
        fs::write(&paths[3], b"dat").expect("cut");
        fs::write(&paths[2], b"").expect("cut");
        let intact: Vec<bool> = folder.list().expect("a list").iter().map(|backup| backup.intact).collect();
        assert_eq!(intact, [false, false, true, true]);
        folder.thin_out(keep(1), &paths[3]).expect("thinned");
        assert_eq!(days(&folder), [4, 3, 2], "the intact one of day 2 is the last");
        folder.thin_out(keep(9), &paths[3]).expect("thinned");
        assert_eq!(days(&folder), [4, 3, 2]);
    }

    #[test]
    fn what_was_just_made_stays_when_the_clock_was_set_back() {
        let at = tempfile::tempdir().expect("a folder");
        let folder = folder(at.path());
        for day in [90, 91] {
            made(&folder, day);
        }
        let now = made(&folder, 5);
        assert_eq!(folder.thin_out(keep(1), &now).expect("thinned"), 1);
        assert_eq!(days(&folder), [91, 5]);
    }

    #[test]
    fn what_an_interrupted_backup_left_goes_and_a_moved_one_is_left_alone() {
        let at = tempfile::tempdir().expect("a folder");
        let folder = folder(at.path());
        // The process ended while the copy was written.
        let broken = folder.begin(Timestamp(0)).expect("it begins");
        for ending in [".partial", ".partial-wal", ".json.partial"] {
            fs::write(beside(&broken, ending), b"part").expect("written");
        }
        fs::create_dir(beside(&broken, ".files")).expect("a folder");
        let other = BackupFolder::of(at.path(), Path::new("/elsewhere/quorate.db"), "0123abcd");
        let under_way = other.begin(Timestamp(5_000)).expect("it begins");
        fs::write(beside(&under_way, ".partial"), b"part").expect("written");
        let moved = made(&folder, 3);
        fs::rename(&moved, at.path().join("moved.db")).expect("moved");
        made(&folder, 4);
        assert_eq!(days(&folder), [4], "one without its name is no backup");
        folder.clear_remains().expect("cleared");
        for ending in ["", ".partial", ".partial-wal", ".json.partial", ".files", ".json"] {
            assert!(!beside(&broken, ending).exists(), "{ending}");
        }
        assert!(beside(&under_way, ".partial").exists() && beside(&under_way, ".json").exists());
        assert!(beside(&moved, ".files").join("ab").exists());
        assert_eq!(days(&folder), [4]);
    }

    #[test]
    fn the_folder_above_is_not_made_and_a_full_disk_has_its_own_remedy() {
        let at = tempfile::tempdir().expect("a folder");
        folder(&at.path().join("new")).prepare().expect("made");
        folder(&at.path().join("new")).prepare().expect("there already");
        let unmounted = folder(&at.path().join("disk/backups"));
        let error = unmounted.prepare().expect_err("not there");
        assert!(error.message().contains("disk/backups"), "{error:?}");
        assert!(error.hint().contains("mounted"), "{error:?}");
        let file = at.path().join("file");
        fs::write(&file, b"").expect("written");
        folder(&file).prepare().expect_err("a file");
        let full = unmounted.unusable(&ErrorKind::StorageFull.into());
        assert!(full.hint().contains("free space"), "{full:?}");
    }
}
