//! Meetings that ask for a password before they are opened.

use quorate_contract::{Actor, Command, MeetingId};
use quorate_engine::{EngineError, JournalError};
use quorate_messages::{Message, message};

use super::App;
use crate::background::in_background;
use crate::error::{ErrorKind, ServiceError};
use crate::operation::rate_limits::CountedAttempt;
use crate::password::{is_meeting_password, password_hash};

impl App {
    /// Gives a meeting a password, or takes it away.
    ///
    /// # Errors
    /// When it is empty or too long, or there is no such meeting.
    pub async fn lock(&self, id: &MeetingId, by: &Actor, password: Option<&str>) -> Result<(), ServiceError> {
        let command = Command::SetAccess { by: by.clone(), locked: password.is_some() };
        self.change(id, command, Some(password)).await.map(|_| ())
    }

    /// Carries out a command together with a change of the password: `Some(None)` removes it, `None` leaves
    /// it. Either both take effect or neither. When the storage fails in between, the meeting stays locked.
    /// Returns the sequence number after the command.
    ///
    /// # Errors
    /// When the command is refused, the password is empty or too long, or the meeting does not exist.
    pub async fn change(
        &self,
        id: &MeetingId,
        command: Command,
        password: Option<Option<&str>>,
    ) -> Result<u64, ServiceError> {
        let Some(password) = password else { return Ok(self.meeting(id).await?.execute(command).await?) };
        let hash = match password.map(str::to_owned) {
            Some(password) => Some(in_background(move || password_hash(&password)).await?),
            None => None,
        };
        self.change_hashed(id, command, hash).await
    }

    /// The same with the hash of a password, or without one.
    ///
    /// # Errors
    /// When the command is refused, or the meeting does not exist.
    pub async fn change_hashed(
        &self,
        id: &MeetingId,
        command: Command,
        hash: Option<String>,
    ) -> Result<u64, ServiceError> {
        let (handle, journal) = (self.meeting(id).await?, &self.0.journal);
        // One after the other: what takes the password away would otherwise take it from one who is just giving it.
        let _alone = self.0.password_changes.lock().await;
        let Some(hash) = hash else {
            let seq = handle.execute(command).await?;
            journal.set_password_hash(id, None).await?;
            return Ok(seq);
        };
        let before = journal.password_hash(id).await?;
        // The hash first: a meeting never says that it is locked while anything opens it.
        journal.set_password_hash(id, Some(hash)).await?;
        let granted = handle.execute(command).await;
        let certainly_not = matches!(
            granted,
            Err(EngineError::Refused(_) | EngineError::Journal(JournalError::Conflict { .. }))
        );
        if certainly_not || (granted.is_err() && before.is_some()) {
            journal.set_password_hash(id, before).await?;
        }
        Ok(granted?)
    }

    /// Whether a meeting needs a password.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn is_locked(&self, id: &MeetingId) -> Result<bool, ServiceError> {
        Ok(self.0.journal.password_hash(id).await?.is_some())
    }

    /// The stored hash of a meeting's password; `None` for a meeting without one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) async fn kept_password(
        &self,
        _: &CountedAttempt,
        id: &MeetingId,
    ) -> Result<Option<String>, ServiceError> {
        Ok(self.0.journal.password_hash(id).await?)
    }

    /// Checks the password of a meeting. A meeting without a password needs none.
    ///
    /// # Errors
    /// When a password is needed, or the given one is wrong.
    pub async fn let_in(&self, id: &MeetingId, given: Option<&str>) -> Result<(), ServiceError> {
        let Some(hash) = self.0.journal.password_hash(id).await? else { return Ok(()) };
        let refused = |message: Message, hint: Message| {
            Err(ServiceError::new(message, hint).of(ErrorKind::Permission).with("required_role", "password"))
        };
        let Some(given) = given.map(str::to_owned) else {
            return refused(
                message!("app-meeting-password-needed"),
                message!("app-meeting-password-needed-hint"),
            );
        };
        match in_background(move || is_meeting_password(&given, &hash)).await? {
            true => Ok(()),
            false => refused(message!("app-meeting-password-wrong"), message!("app-try-again")),
        }
    }
}
