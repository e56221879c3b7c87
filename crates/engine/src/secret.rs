//! Secrets, which must not be shown. Runners use them and the store seals them, so the type is in a crate
//! that both know.

use std::fmt;

use serde::Deserialize;

/// Something that must not be seen: a key, or a header that may carry one.
///
/// `Debug` shows nothing of it, there is no `Display` and no `Serialize`.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Takes a secret; blanks and line ends around it (a file's last one, say) are left out.
    pub fn new(text: impl AsRef<str>) -> Self {
        Self(text.as_ref().trim().to_owned())
    }

    /// The secret itself, for the places that have to send it or seal it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Redacts the secret from a text of foreign origin. A value shorter than eight bytes (`none`, `ollama`)
    /// is a placeholder, not a secret, and replacing it would only damage words.
    pub fn redact(&self, text: String) -> String {
        if self.0.len() >= 8 && text.contains(&self.0) { text.replace(&self.0, "[key]") } else { text }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_left_in_words_but_keys_are_not() {
        assert_eq!(Secret::new("none").redact("nonesuch".to_owned()), "nonesuch");
        let key = Secret::new(" sk-12345678\n");
        assert_eq!(key.redact("bad sk-12345678!".to_owned()), "bad [key]!");
        assert_eq!(format!("{key:?}"), "Secret");
    }
}
