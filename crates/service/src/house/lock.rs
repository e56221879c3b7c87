//! Meetings that ask for a password before they are opened.

use quorate_core::{Command, MeetingId};

use super::{House, in_background};
use crate::error::{ErrorKind, ServiceError};
use crate::password::{is_password, password_hash};

impl House {
    /// Gives a meeting a password, or takes it away.
    ///
    /// # Errors
    /// When it is empty or too long, or there is no such meeting.
    pub async fn lock(&self, id: &MeetingId, by: &str, password: Option<&str>) -> Result<(), ServiceError> {
        let handle = self.meeting(id).await?;
        let wish = Command::SetAccess { by: by.to_owned(), locked: password.is_some() };
        match password.map(str::to_owned) {
            Some(password) => {
                let hash = in_background(move || password_hash(&password)).await?;
                // The hash first: a meeting never says that it is locked while anything opens it.
                self.0.journal.set_password_hash(id, Some(hash)).await?;
                handle.wish(wish).await?;
            }
            None => {
                handle.wish(wish).await?;
                self.0.journal.set_password_hash(id, None).await?;
            }
        }
        Ok(())
    }

    /// Whether a meeting asks for a password.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn is_locked(&self, id: &MeetingId) -> Result<bool, ServiceError> {
        Ok(self.0.journal.password_hash(id).await?.is_some())
    }

    /// Opens a meeting's door to whoever knows its password; one without a password is open.
    ///
    /// # Errors
    /// When a password is needed, or the one that is given is wrong.
    pub async fn let_in(&self, id: &MeetingId, given: Option<&str>) -> Result<(), ServiceError> {
        let Some(hash) = self.0.journal.password_hash(id).await? else { return Ok(()) };
        let refused = |message: &str, hint: &str| {
            Err(ServiceError::new(message, hint).of(ErrorKind::Permission).with("required_role", "password"))
        };
        let Some(given) = given.map(str::to_owned) else {
            return refused("a password is needed to open this meeting", "send its password along");
        };
        match in_background(move || is_password(&hash, &given)).await? {
            true => Ok(()),
            false => refused("the password is wrong", "try again"),
        }
    }
}
