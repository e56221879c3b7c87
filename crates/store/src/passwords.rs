//! Hashing of passwords and tokens.
//!
//! A password is hashed with argon2id, because people choose it; a token is 32 random bytes, of which a plain
//! SHA-256 reveals nothing.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use sha2::{Digest, Sha256};

/// The longest password, in bytes.
pub const PASSWORD_MAX_BYTES: usize = 1024;
/// The shortest password of an account, in characters.
pub const PASSWORD_MIN_CHARS: usize = 8;

/// Passwords that attackers try first. Only those that are long enough to be accepted are listed.
const OBVIOUS: &[&str] = &[
    "12345678",
    "123456789",
    "1234567890",
    "0123456789",
    "11111111",
    "00000000",
    "88888888",
    "66666666",
    "87654321",
    "password",
    "password1",
    "password123",
    "passw0rd",
    "p@ssw0rd",
    "qwertyui",
    "qwertyuiop",
    "qwerty123",
    "1q2w3e4r",
    "1qaz2wsx",
    "asdfghjkl",
    "abc12345",
    "abcd1234",
    "iloveyou",
    "sunshine",
    "princess",
    "football",
    "baseball",
    "superman",
    "trustno1",
    "letmein1",
    "welcome1",
    "welcome123",
    "changeme",
    "changeit",
    "secret123",
    "administrator",
    "admin123",
    "admin1234",
    "quorate1",
    "woaini520",
    "5201314520",
    "a1234567",
    "a12345678",
    "aa123456",
    "zxcvbnm123",
    "147258369",
    "123123123",
    "12341234",
];

/// The reason why a password is refused, or cannot be hashed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// The password is empty or far too long.
    #[error("the password has {bytes} bytes")]
    Length {
        /// Its length in bytes.
        bytes: usize,
    },
    /// The password is too short for an account.
    #[error("the password has {chars} characters")]
    Short {
        /// Its length in characters.
        chars: usize,
    },
    /// The password is among those that attackers try first.
    #[error("the password is one of those that are tried first")]
    Obvious,
    /// The password cannot be hashed.
    #[error("the password cannot be hashed: {detail}")]
    NotHashed {
        /// The reason.
        detail: String,
    },
}

impl PasswordError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Length { .. } => format!("choose one of 1 to {PASSWORD_MAX_BYTES} bytes"),
            Self::Short { .. } => {
                format!("choose one of at least {PASSWORD_MIN_CHARS} characters; several words are good")
            }
            Self::Obvious => "choose one that nobody guesses; several words are good".to_owned(),
            Self::NotHashed { .. } => "try again; this machine gives no random numbers".to_owned(),
        }
    }
}

/// Hashes a password: argon2id with a salt of its own, 19 MiB and two passes. Takes tens of milliseconds of
/// one processor.
///
/// # Errors
/// When it is empty or longer than [`PASSWORD_MAX_BYTES`].
pub fn hash_password(password: &str) -> Result<String, PasswordError> {
    if password.is_empty() || password.len() > PASSWORD_MAX_BYTES {
        return Err(PasswordError::Length { bytes: password.len() });
    }
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|hash| hash.to_string()).map_err(|error| PasswordError::NotHashed { detail: error.to_string() })
}

/// Whether a password matches a hash; `None` when the hash cannot be read. Takes as long as hashing.
pub fn matches_hash(password: &str, hash: &str) -> Option<bool> {
    let kept = PasswordHash::new(hash).ok()?;
    let short_enough = password.len() <= PASSWORD_MAX_BYTES;
    Some(short_enough && Argon2::default().verify_password(password.as_bytes(), &kept).is_ok())
}

/// Checks that a password is strong enough for the account of that name.
///
/// # Errors
/// When it is too short, too long, or among those that attackers try first.
pub fn check_account_password(name: &str, password: &str) -> Result<(), PasswordError> {
    let chars = password.chars().count();
    if chars < PASSWORD_MIN_CHARS {
        return Err(PasswordError::Short { chars });
    }
    if password.len() > PASSWORD_MAX_BYTES {
        return Err(PasswordError::Length { bytes: password.len() });
    }
    let plain = password.to_lowercase();
    let first = plain.chars().next();
    let one_letter = plain.chars().all(|letter| Some(letter) == first);
    let own_name = name.chars().count() >= 3 && plain.replace(&name.to_lowercase(), "").chars().count() < 4;
    match one_letter || own_name || OBVIOUS.contains(&plain.as_str()) {
        true => Err(PasswordError::Obvious),
        false => Ok(()),
    }
}

/// A new secret for a program or a link: the prefix, then `bytes` random bytes in hexadecimal.
///
/// # Errors
/// When this machine gives no random numbers.
pub fn new_secret(prefix: &str, bytes: usize) -> Result<String, PasswordError> {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random).map_err(|error| PasswordError::NotHashed { detail: error.to_string() })?;
    Ok(random.iter().fold(prefix.to_owned(), |text, byte| format!("{text}{byte:02x}")))
}

/// The fingerprint of a random secret, which is stored in its place.
pub fn fingerprint(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_known_again_and_no_other_is() {
        let kept = hash_password("correct horse").unwrap();
        assert!(kept.starts_with("$argon2id$"), "{kept}");
        assert_ne!(kept, hash_password("correct horse").unwrap(), "each has a salt of its own");
        assert_eq!(matches_hash("correct horse", &kept), Some(true));
        assert_eq!(matches_hash("correct horsf", &kept), Some(false));
        assert_eq!(matches_hash("correct horse", "nonsense"), None);
        assert_eq!(hash_password(""), Err(PasswordError::Length { bytes: 0 }));
    }

    #[test]
    fn what_everybody_tries_first_is_not_taken() {
        for obvious in ["password", "PassWord", "aaaaaaaaaa", "mallory1", "88888888"] {
            let error = check_account_password("mallory", obvious).unwrap_err();
            assert_eq!(error, PasswordError::Obvious, "{obvious}");
        }
        assert_eq!(check_account_password("owner", "1234567"), Err(PasswordError::Short { chars: 7 }));
        assert_eq!(check_account_password("owner", "我们今天晚上吃什么"), Ok(()));
        assert_eq!(check_account_password("owner", "correct horse"), Ok(()));
    }

    #[test]
    fn secrets_differ_and_have_their_length() {
        let (one, other) = (new_secret("qt_", 32).unwrap(), new_secret("qt_", 32).unwrap());
        assert_eq!(one.len(), 3 + 64);
        assert_ne!(one, other);
        assert_ne!(fingerprint(&one), fingerprint(&other));
    }
}
