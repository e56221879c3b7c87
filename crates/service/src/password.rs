//! The passwords of meetings. Only a hash is kept, beside the log and never in it.

use crate::error::ServiceError;

/// What is kept of a password. Takes a good part of a second's work.
///
/// # Errors
/// When it is empty, or longer than 1024 bytes.
pub fn password_hash(password: &str) -> Result<String, ServiceError> {
    quorate_store::hash_password(password)
        .map_err(|error| ServiceError::usage(error.to_string(), error.hint()).with("field", "password"))
}

/// Whether this is the password of which `hash` was kept.
///
/// # Errors
/// When the hash is none.
pub fn is_password(hash: &str, given: &str) -> Result<bool, ServiceError> {
    quorate_store::is_password(given, hash).ok_or_else(|| {
        ServiceError::new("the stored password cannot be read", "restore a backup of the database")
    })
}
