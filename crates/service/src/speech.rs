//! In which language somebody is spoken to. Everything that is told stands in both.

mod refusal;
mod storage;

use quorate_core::{Language, Refusal, Wording};
use quorate_engine::{EngineError, JournalError};
use quorate_store::{PasswordError, StoreError};

pub use refusal::refusal;

/// The language in which somebody is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Speech(pub Language);

impl Speech {
    /// `QUORATE_LANG` decides, then the locale; Chinese when neither names a language.
    pub fn of_environment() -> Self {
        let names = ["QUORATE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"];
        let named = names.iter().filter_map(|name| std::env::var(name).ok()).find_map(|value| {
            let value = value.to_ascii_lowercase();
            match value.get(..2) {
                Some("zh") => Some(Language::Zh),
                _ if value.is_empty() || value == "posix" || value == "c" || value.starts_with("c.") => None,
                _ => Some(Language::En),
            }
        });
        Self(named.unwrap_or_default())
    }

    /// Picks between the two forms of a text.
    pub fn pick<T>(self, zh: T, en: T) -> T {
        match self.0 {
            Language::Zh => zh,
            Language::En => en,
        }
    }
}

/// What happened and what to do about it, in both languages.
pub trait InBoth {
    /// The two texts.
    fn in_both(&self) -> (Wording, Wording);
}

/// The English that a layer says, and the Chinese that is said here.
fn both(english: (String, String), chinese: Option<(String, String)>) -> (Wording, Wording) {
    match chinese {
        Some((message, hint)) => ((english.0, message).into(), (english.1, hint).into()),
        None => (english.0.into(), english.1.into()),
    }
}

impl InBoth for Refusal {
    fn in_both(&self) -> (Wording, Wording) {
        both((self.to_string(), self.hint()), Some(refusal(self, Speech(Language::Zh))))
    }
}

impl InBoth for StoreError {
    fn in_both(&self) -> (Wording, Wording) {
        match self {
            Self::Invalid(refusal) => refusal.in_both(),
            other => both((crate::causes::chain(other), other.hint()), storage::store(other)),
        }
    }
}

impl InBoth for JournalError {
    fn in_both(&self) -> (Wording, Wording) {
        both((self.to_string(), self.hint()), Some(storage::journal(self)))
    }
}

impl InBoth for EngineError {
    fn in_both(&self) -> (Wording, Wording) {
        match self {
            Self::Refused(refusal) => refusal.in_both(),
            other => both((other.to_string(), other.hint()), storage::engine(other)),
        }
    }
}

impl InBoth for PasswordError {
    fn in_both(&self) -> (Wording, Wording) {
        both((self.to_string(), self.hint()), Some(storage::password(self)))
    }
}
