//! Scheduled backups: made by the server that runs, checked, and thinned out.
//!
//! What is in the folder is the truth: which backup is the newest, and so when the next is due, is read there, also after a
//! restart.

mod folder;
mod options;
mod schedule;
mod state;

use quorate_contract::Timestamp;
use serde::{Deserialize, Serialize};

pub(crate) use folder::BackupFolder;
pub use options::{BackupInterval, BackupOptions};
pub(crate) use schedule::{backups_of, newest};
pub(crate) use state::ScheduledBackups;

/// The scheduled backups of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BackupsView {
    /// Whether backups are scheduled.
    pub enabled: bool,
    /// The folder on the server; `null` when none is configured.
    pub folder: Option<String>,
    /// The time from one backup to the next, in seconds.
    pub every_seconds: u64,
    /// Whether a backup is being made now.
    pub running: bool,
    /// When the next backup is due; `null` when backups are not scheduled.
    pub next_at: Option<Timestamp>,
    /// The latest failure since the last backup; `null` when there was none.
    pub failure: Option<BackupFailure>,
    /// The number of failed backups since the server started.
    pub failures: u64,
    /// The number of backups that are kept.
    pub keep: u32,
    /// The backups in the folder, the newest first, at most 200.
    pub items: Vec<BackupView>,
    /// Always `null`: the list has one page.
    pub next_cursor: Option<String>,
}

/// A backup that could not be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BackupFailure {
    /// When the backup was attempted.
    pub failed_at: Timestamp,
    /// The error.
    pub detail: String,
    /// How to resolve the problem.
    pub hint: String,
}

/// A backup in the folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BackupView {
    /// The file name.
    pub name: String,
    /// When the backup was made.
    pub made_at: Timestamp,
    /// The size of the database in bytes, without uploaded files.
    pub bytes: u64,
    /// The number of meetings in the backup; `null` when it is not known.
    pub meetings: Option<u64>,
    /// The number of events in the backup; `null` when it is not known.
    pub events: Option<u64>,
    /// The SHA-256 of the file in hexadecimal; `null` when it is not known.
    pub sha256: Option<String>,
    /// The number of uploaded files that were missing or damaged.
    pub missing: u64,
    /// Whether the file still has the size that it had when it was verified.
    pub intact: bool,
}

/// What an operator measures of the scheduled backups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BackupStats {
    /// When the newest backup that is intact was made.
    pub last: Option<Timestamp>,
    /// Its size in bytes.
    pub last_bytes: u64,
    /// The number of failures since the start.
    pub failures: u64,
}
