//! Use cases of the operator: storage, statistics, quarantine, prices and settings.

use std::sync::Arc;
use std::time::Duration;

use quorate_contract::{MeetingId, Timestamp};
use quorate_core::{Meeting, MeetingState, ProviderWait};
use quorate_engine::{Fault, InterruptedMeeting, JournalError, MeetingHandle, Stats};
use quorate_store::StoreError;
use serde_json::Value;
use tokio::sync::watch;

use super::App;
use crate::error::ServiceError;
use crate::meeting_file::prices::{PriceList, price_list};
use crate::meeting_file::user_file::UserFile;

impl App {
    /// Checks that the database can be read and written, and that the disk has space.
    ///
    /// # Errors
    /// When one of these is not so.
    pub async fn check_storage(&self) -> Result<(), JournalError> {
        self.store().check().await
    }

    /// The present storage fault, as it changes.
    pub fn watch_storage(&self) -> watch::Receiver<Option<JournalError>> {
        self.store().watch_trouble()
    }

    /// The number of meetings by state.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn meeting_counts(&self) -> Result<Vec<(MeetingState, u64)>, StoreError> {
        self.store().meeting_counts().await
    }

    /// The number of meetings that run in this process, and its statistics.
    pub fn stats(&self) -> (usize, Stats) {
        (self.engine().live().len(), self.engine().stats())
    }

    /// Whether a meeting runs in this process.
    pub fn is_running(&self, id: &MeetingId) -> bool {
        self.engine().is_running(id)
    }

    /// The fault that stopped a meeting, after it failed repeatedly.
    pub fn fault(&self, id: &MeetingId) -> Option<Fault> {
        self.engine().fault(id)
    }

    /// The providers that a meeting in this process waits for, while none that could answer is reachable.
    pub fn provider_wait(&self, id: &MeetingId) -> Option<Arc<ProviderWait>> {
        self.engine().provider_wait(id)
    }

    /// The state of a meeting from its complete log; unlike [`App::load`], a damaged log is an error.
    ///
    /// # Errors
    /// When the meeting does not exist, or its log cannot be read to its end.
    pub async fn load_whole(&self, id: &MeetingId) -> Result<Meeting, ServiceError> {
        Ok(self.engine().load(id).await?)
    }

    /// A handle to a meeting, without a check that it exists: it is loaded by the first request.
    pub fn handle(&self, id: &MeetingId) -> MeetingHandle {
        self.engine().handle(id)
    }

    /// Stops all meetings that run here; calls in flight may end within this time. Returns the calls that
    /// were cut off.
    pub async fn shut_down(&self, grace: Duration) -> Vec<InterruptedMeeting> {
        self.store().drain();
        self.engine().shut_down(grace).await
    }

    /// Seals all stored keys with a new key file; says of which providers.
    ///
    /// # Errors
    /// When a key cannot be opened, or a file cannot be written.
    pub async fn rotate_keys(&self, now: Timestamp) -> Result<Vec<String>, StoreError> {
        self.store().rotate_key_file(now).await
    }

    /// The prices whose names contain a text, ignoring case; all for an empty text.
    ///
    /// # Errors
    /// When the configuration cannot be read.
    pub fn prices(&self, filter: &str) -> Result<PriceList, ServiceError> {
        Ok(price_list(&UserFile::read(self.config())?.prices, filter))
    }

    /// A setting of the server, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn setting(&self, name: &str) -> Result<Option<Value>, StoreError> {
        self.store().setting(name).await
    }

    /// Keeps something under a name about how a server is set; `None` forgets it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_setting(
        &self,
        name: &str,
        value: Option<Value>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.store().set_setting(name, value, now).await
    }
}
