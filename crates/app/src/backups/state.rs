//! What the server that runs knows of its scheduled backups.

use std::sync::{Mutex, PoisonError};

use quorate_contract::{Language, Timestamp, Wording};

use super::{BackupFailure, BackupFolder, BackupOptions, BackupStats};
use crate::error::ServiceError;

/// What is known of scheduled backups.
#[derive(Debug, Default)]
pub(crate) struct ScheduledBackups(Mutex<BackupState>);

#[derive(Debug, Clone, Default)]
pub(super) struct BackupState {
    pub(super) options: Option<BackupOptions>,
    pub(super) folder: Option<BackupFolder>,
    pub(super) running: bool,
    pub(super) next: Option<Timestamp>,
    pub(super) failure: Option<Failure>,
    pub(super) stats: BackupStats,
}

#[derive(Debug, Clone)]
pub(super) struct Failure {
    pub(super) at: Timestamp,
    pub(super) message: Wording,
    pub(super) hint: Wording,
}

impl Failure {
    pub(super) fn of(error: &ServiceError, at: Timestamp) -> Self {
        let (message, hint) = error.in_both();
        Self { at, message, hint }
    }

    pub(super) fn told(&self, language: Language) -> BackupFailure {
        BackupFailure {
            failed_at: self.at,
            detail: self.message.for_reader(language).to_owned(),
            hint: self.hint.for_reader(language).to_owned(),
        }
    }
}

impl ScheduledBackups {
    pub(super) fn known(&self) -> BackupState {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut BackupState)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
