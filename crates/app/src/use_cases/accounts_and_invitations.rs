//! Accounts, and invitations to meetings.

use quorate_contract::{MeetingId, Timestamp};
use quorate_store::{Account, Invitation, StoreError};

use super::App;
use crate::operation::rate_limits::CountedAttempt;

impl App {
    /// An account with what is kept of its password.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) async fn account_password(
        &self,
        _: &CountedAttempt,
        name: &str,
    ) -> Result<Option<(Account, String)>, StoreError> {
        self.store().account_password(name).await
    }

    /// The invitations to a meeting that are good at this moment.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) async fn invitations(
        &self,
        meeting: &MeetingId,
        now: Timestamp,
    ) -> Result<Vec<Invitation>, StoreError> {
        self.store().invitations(meeting, now).await
    }

    /// Keeps an invitation, with the fingerprint of its code.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) async fn add_invitation(
        &self,
        invitation: Invitation,
        hash: [u8; 32],
    ) -> Result<(), StoreError> {
        self.store().add_invitation(invitation, hash).await
    }

    /// Revokes an invitation; says whether there was one.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) async fn remove_invitation(&self, meeting: &MeetingId, id: &str) -> Result<bool, StoreError> {
        self.store().remove_invitation(meeting, id).await
    }

    /// The invitation with this fingerprint, while it is good.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) async fn invitation(
        &self,
        _: &CountedAttempt,
        hash: [u8; 32],
        now: Timestamp,
    ) -> Result<Option<Invitation>, StoreError> {
        self.store().invitation(hash, now).await
    }

    /// Uses an invitation once; says whether that was still possible.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) async fn take_invitation(&self, id: &str, now: Timestamp) -> Result<bool, StoreError> {
        self.store().take_invitation(id, now).await
    }

    /// Returns one use of an invitation, because the guest did not join.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) async fn give_back_invitation(&self, id: &str) -> Result<(), StoreError> {
        self.store().give_back_invitation(id).await
    }
}
