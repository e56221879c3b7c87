//! In which language somebody is spoken to. Everything that is told stands in both.

mod refusal;

use quorate_core::Language;

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
