//! The passwords of meetings. Only a hash is kept, beside the log and never in it.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};

use crate::error::ServiceError;

/// The longest password, in bytes.
const MAX_BYTES: usize = 1024;

/// What is kept of a password. Takes a good part of a second's work.
///
/// # Errors
/// When it is empty, or longer than 1024 bytes.
pub fn password_hash(password: &str) -> Result<String, ServiceError> {
    if password.is_empty() || password.len() > MAX_BYTES {
        return Err(ServiceError::usage(
            format!("the password has {} bytes", password.len()),
            format!("choose one of 1 to {MAX_BYTES} bytes"),
        ));
    }
    let hash = Argon2::default().hash_password(password.as_bytes());
    let hash = hash.map_err(|error| {
        ServiceError::new(
            format!("the password cannot be hashed: {error}"),
            "try again; this machine gives no random numbers",
        )
    })?;
    Ok(hash.to_string())
}

/// Whether this is the password of which `hash` was kept.
///
/// # Errors
/// When the hash is none.
pub fn is_password(hash: &str, given: &str) -> Result<bool, ServiceError> {
    let hash = PasswordHash::new(hash).map_err(|error| {
        ServiceError::new(
            format!("the stored password cannot be read: {error}"),
            "restore a backup of the database",
        )
    })?;
    Ok(Argon2::default().verify_password(given.as_bytes(), &hash).is_ok())
}
