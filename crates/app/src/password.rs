//! The passwords of meetings. Only a hash is kept, beside the log and never in it.

use quorate_messages::message;

use crate::error::ServiceError;
use crate::language::InBoth;

/// Hashes a password. Takes a good part of a second of computation.
///
/// # Errors
/// When the password is empty, or longer than 1024 bytes.
pub fn password_hash(password: &str) -> Result<String, ServiceError> {
    quorate_store::hash_password(password).map_err(|error| {
        let (message, hint) = error.in_both();
        ServiceError::usage(message, hint).with("field", "password")
    })
}

/// Whether a password matches the stored hash `hash` of a meeting.
///
/// # Errors
/// When the stored hash cannot be read.
pub fn is_meeting_password(password: &str, hash: &str) -> Result<bool, ServiceError> {
    quorate_store::matches_hash(password, hash).ok_or_else(|| {
        ServiceError::new(message!("app-password-unreadable"), message!("app-password-unreadable-hint"))
    })
}
