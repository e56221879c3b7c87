//! The local token, which identifies the person at this machine.
//!
//! A loopback address does not identify a client: a reverse proxy, a tunnel and other users of the machine
//! use it, too. So a request carries a token that only this user can read: from the URL that is printed at
//! the start, or from a file beside the database. A browser exchanges it for a cookie that outlasts restarts.

use quorate_store::fingerprint;

use super::error::IdentityError;
use super::secret;

/// The prefix of generated tokens.
const PREFIX: &str = "ql_";
/// The fewest and the most characters of a token that is set.
const LENGTH: std::ops::RangeInclusive<usize> = 16..=256;

/// The token. `Debug` does not show it.
#[derive(Clone)]
pub struct LocalToken {
    text: String,
    hash: [u8; 32],
    /// Whether the token was configured, so that it stays the same after a restart.
    is_set: bool,
}

impl std::fmt::Debug for LocalToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LocalToken")
    }
}

impl LocalToken {
    /// A token of 32 random bytes.
    ///
    /// # Errors
    /// When this machine gives no random numbers.
    pub(super) fn random() -> Result<Self, IdentityError> {
        let text = secret(PREFIX, 32)?;
        Ok(Self { hash: fingerprint(&text), text, is_set: false })
    }

    /// A configured token.
    ///
    /// # Errors
    /// When it is short enough to be guessed, or cannot stand in a URL and a header.
    pub(super) fn set(text: &str) -> Result<Self, IdentityError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if LENGTH.contains(&text.len()) && text.bytes().all(plain) {
            return Ok(Self { hash: fingerprint(text), text: text.to_owned(), is_set: true });
        }
        Err(IdentityError::BadLocalToken)
    }

    /// The token itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn is(&self, shown: &str) -> bool {
        // Hashes are compared, so that time says nothing about the token.
        self.hash == fingerprint(shown)
    }

    pub(super) fn hash(&self) -> [u8; 32] {
        self.hash
    }

    /// The mark by which a cookie recognizes its token: after another token was set, such cookies are void.
    /// All generated tokens have the same mark, so that a browser stays signed in over restarts.
    pub(super) fn mark(&self) -> String {
        match self.is_set {
            true => self.hash[..8].iter().map(|byte| format!("{byte:02x}")).collect(),
            false => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_that_is_set_can_hardly_be_guessed() {
        for short in
            ["", "secret", "fifteen-letters", "has a space in it, and more", "密码密码密码密码密码密码"]
        {
            assert!(LocalToken::set(short).is_err(), "{short}");
        }
        let token = LocalToken::set("0123456789abcdef").expect("long enough");
        assert!(token.is("0123456789abcdef") && !token.is("0123456789abcdeg") && !token.is(""));
        assert!(!format!("{token:?}").contains("0123"));
    }

    #[test]
    fn another_token_makes_cookies_of_the_one_before_void() {
        let [one, other] =
            ["0123456789abcdef", "0123456789abcdeg"].map(|text| LocalToken::set(text).unwrap());
        assert_ne!(one.mark(), other.mark());
        let made = LocalToken::random().unwrap();
        assert_ne!(one.mark(), made.mark());
        assert_eq!(made.mark(), LocalToken::random().unwrap().mark(), "also after a restart");
    }
}
