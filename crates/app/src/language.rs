//! The language of messages to a reader. Every text exists in both languages.

mod runners;
mod storage;
mod terminal;

use quorate_contract::{Language, Refusal, Wording};
use quorate_engine::{EngineError, JournalError};
use quorate_messages::Message;
use quorate_store::{PasswordError, StoreError};

/// The language of the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Speech(pub Language);

impl Speech {
    /// `QUORATE_LANG` decides, then the locale. `None` when neither names a language: `C` and `POSIX` say what a
    /// program is to print, and nothing about a person.
    pub fn named() -> Option<Self> {
        let names = ["QUORATE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"];
        let mut values = names.iter().filter_map(|name| std::env::var(name).ok());
        values.find_map(|value| {
            let value = value.to_ascii_lowercase();
            match value.get(..2) {
                Some("zh") => Some(Self(Language::Zh)),
                _ if value.is_empty() || value == "posix" || value == "c" || value.starts_with("c.") => None,
                _ => Some(Self(Language::En)),
            }
        })
    }

    /// Picks between the two forms of a text.
    pub fn pick<T>(self, zh: T, en: T) -> T {
        match self.0 {
            Language::Zh => zh,
            Language::En => en,
        }
    }
}

impl From<Speech> for Language {
    fn from(speech: Speech) -> Self {
        speech.0
    }
}

/// The message and the hint of an error, in both languages.
pub trait InBoth {
    /// The message and the hint.
    fn in_both(&self) -> (Wording, Wording);
}

/// The message and the hint, with what helps at a terminal.
fn both((message, hint): storage::ErrorTexts, terminal: Option<Message>) -> (Wording, Wording) {
    (message.into(), terminal::with(hint.into(), terminal))
}

impl InBoth for Refusal {
    fn in_both(&self) -> (Wording, Wording) {
        (self.problem(), self.hint())
    }
}

impl InBoth for StoreError {
    fn in_both(&self) -> (Wording, Wording) {
        match storage::store(self) {
            Ok(told) => both(told, terminal::store(self)),
            Err(refusal) => refusal.in_both(),
        }
    }
}

impl InBoth for JournalError {
    fn in_both(&self) -> (Wording, Wording) {
        both(storage::journal(self), terminal::journal(self))
    }
}

impl InBoth for EngineError {
    fn in_both(&self) -> (Wording, Wording) {
        match storage::engine(self) {
            Ok(told) => both(told, terminal::engine(self)),
            Err(refusal) => refusal.in_both(),
        }
    }
}

impl InBoth for PasswordError {
    fn in_both(&self) -> (Wording, Wording) {
        both(storage::password(self), None)
    }
}

#[cfg(test)]
mod tests {
    use quorate_contract::MeetingId;
    use quorate_engine::{FaultKind, StorageFault};
    use quorate_messages::as_said;

    use super::*;
    use crate::providers::available::how_to_add;
    use crate::providers::stored::not_configured;
    use crate::use_cases::no_such_provider;

    /// A hint for the page, with its form at a terminal.
    fn forms(hint: &Wording) -> [String; 4] {
        let terminal = hint.clone().for_terminal();
        let chinese = |text: &Wording| text.for_reader(Language::Zh).to_owned();
        [hint.english().to_owned(), chinese(hint), terminal.english().to_owned(), chinese(&terminal)]
    }

    #[test]
    fn a_command_is_named_at_a_terminal_alone() {
        let path = || std::path::PathBuf::from("x.db");
        let named = || "Ada".to_owned();
        let stores = [
            StoreError::NoDatabase { path: path() },
            StoreError::NotOurs { path: path(), detail: as_said("Ada") },
            StoreError::Newer { path: path(), found: 9, known: 8 },
            StoreError::Older { path: path(), found: 7, known: 8 },
            StoreError::BeforeContract { path: path() },
            StoreError::NewerContract { path: path(), found: 9, known: 8 },
            StoreError::InUse { path: path(), pid: Some(1) },
            StoreError::WouldReplace { path: path() },
            StoreError::DamagedCopy { found: 1, first: named() },
            StoreError::NoMatch { prefix: named() },
            StoreError::NoMeetings,
            StoreError::DamagedCatalogue { detail: named() },
            StoreError::NoSuchAgent { name: named() },
            StoreError::AgentExists { name: named() },
            StoreError::DamagedAgent { name: named(), detail: named() },
            StoreError::NoSuchCredential { provider: named() },
            StoreError::KeyOfAnotherAddress { provider: named() },
            StoreError::VaultKeyMissing { path: path(), providers: vec![named()] },
            StoreError::VaultKeyUnusable { path: path(), detail: as_said("Ada") },
            StoreError::SealedOtherwise { provider: named(), path: path() },
        ];
        let mut hints: Vec<Wording> = stores.iter().map(|error| error.in_both().1).collect();
        let commands = hints.len();
        let detail = || as_said("");
        hints.extend(
            StorageFault::ALL
                .map(|fault| JournalError::Unavailable { fault, detail: as_said("") }.in_both().1),
        );
        hints.push(JournalError::NoSuchMeeting(MeetingId::new("m")).in_both().1);
        hints.extend(FaultKind::ALL.map(|kind| EngineError::Broken(kind, detail()).in_both().1));
        hints.push(Refusal::MeetingIsOver.in_both().1);
        hints.extend(["openai", "opnai", "lab"].map(how_to_add));
        hints.extend(["openai", "lab"].map(|name| not_configured("Ada", name).in_both().1));
        hints.push(no_such_provider("ollma", ["ollama"].into_iter()).in_both().1);
        for (at, hint) in hints.iter().enumerate() {
            let [english, chinese, at_terminal, in_chinese] = forms(hint);
            for general in [&english, &chinese] {
                let is_command = general.contains("quorate ") || general.contains("--");
                assert!(!general.is_empty() && !is_command, "on the page: {general}");
            }
            assert!(chinese.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{chinese}");
            let differs = at_terminal != english && in_chinese != chinese;
            assert!(at >= commands || differs, "a terminal is told what to type: {at_terminal}");
        }
    }

    #[test]
    fn whoever_stored_a_provider_is_not_sent_to_a_file_and_the_other_way_round() {
        let [english, chinese, at_terminal, _] = forms(&how_to_add("lab"));
        for text in [english, chinese, at_terminal] {
            assert!(!text.contains("config.toml") && !text.contains("[providers."), "{text}");
        }
    }
}
