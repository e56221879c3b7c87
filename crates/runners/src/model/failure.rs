//! The failure of one attempt: its kind, its remedy, its usage, and whether a retry can help.

use std::time::Duration;

use quorate_contract::{ContextWindow, FailureKind, Usage};
use quorate_messages::{Message, message};

use super::proxy;
use crate::provider::ProviderConfig;

/// Whether the same request may be sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// No: it would end the same way.
    Never,
    /// Yes: nothing was done. Not before this time has passed, when the server named one.
    Safely(Option<Duration>),
    /// Unknown: it may have been carried out, and may have to be paid twice.
    Doubtful,
}

/// The usage of an attempt without an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Spent {
    /// None: the request was refused.
    Nothing,
    /// The provider did not say; at least about this many tokens were written.
    Unknown {
        /// Estimated from what came.
        written: u64,
    },
    /// The provider's counts.
    Counted(Box<Usage>),
}

/// One attempt without an answer.
#[derive(Debug)]
pub(crate) struct AttemptFailure {
    pub(crate) kind: FailureKind,
    pub(crate) detail: Message,
    pub(crate) hint: Message,
    pub(crate) again: Again,
    pub(crate) spent: Spent,
    /// The wait that the server asks for.
    pub(crate) asked: Option<Duration>,
    /// The status of an answer that was none, when there was one.
    pub(crate) status: Option<u16>,
    /// The server's words in lower case, when it did not accept the form of the request.
    pub(crate) refusal: Option<Box<str>>,
    /// The provider's own name for the request.
    pub(crate) request_id: Option<Box<str>>,
    /// The model's context window, when the server named it because the prompt did not fit.
    pub(crate) window: Option<ContextWindow>,
}

impl AttemptFailure {
    /// A failure after which it is unknown whether the provider did the work.
    pub(crate) fn doubtful(kind: FailureKind, detail: Message, hint: Message) -> Self {
        Self {
            kind,
            detail,
            hint,
            again: Again::Doubtful,
            spent: Spent::Unknown { written: 0 },
            asked: None,
            status: None,
            refusal: None,
            request_id: None,
            window: None,
        }
    }

    /// The same, but asking again would not help.
    pub(crate) fn final_one(self) -> Self {
        Self { again: Again::Never, ..self }
    }
}

/// The remedy for a kind of failure with this provider. It is read in a terminal, on the page and in an
/// export, and the provider may be stored or written in a file. So it names the setting, and no command or
/// file.
pub(crate) fn hint(config: &ProviderConfig, kind: FailureKind) -> Message {
    let name = &config.name;
    match kind {
        FailureKind::Authentication => match (&config.key_variable, &config.key_file) {
            (Some(variable), _) if config.key.is_none() => {
                message!("remedy-set-key-variable", %variable, %name)
            }
            (Some(variable), _) => message!("remedy-check-key-variable", %variable, %name),
            (None, Some(file)) => {
                message!("remedy-check-key-file", file = %file.display(), %name)
            }
            // A key that neither the environment nor a file gave was stored.
            (None, None) if config.key.is_some() => {
                message!("remedy-store-another-key", %name)
            }
            (None, None) => message!("remedy-give-key", %name),
        },
        FailureKind::RateLimit => message!("remedy-lower-concurrency", %name),
        FailureKind::Quota => message!("remedy-add-credit", %name),
        FailureKind::ModelUnknown => {
            message!("remedy-choose-listed-model", %name)
        }
        FailureKind::BadRequest => {
            message!("remedy-check-address-and-parameters", shown_url = %config.shown_url())
        }
        FailureKind::Network => match proxy::shown(config) {
            Some(proxy) => {
                message!("remedy-is-it-running-behind-proxy", %proxy, shown_url = %config.shown_url())
            }
            None => message!("remedy-is-it-running", shown_url = %config.shown_url()),
        },
        FailureKind::TimedOut => {
            message!("remedy-raise-timeouts", %name)
        }
        FailureKind::Malformed => {
            let (url, title) = (config.shown_url(), config.wire.wire().title());
            message!("remedy-check-format", %url, %title)
        }
        FailureKind::NotConfigured => message!("remedy-add-provider", %name),
        FailureKind::AgentFailed => message!("remedy-agent-log", agent = %name),
        FailureKind::Overloaded => message!("remedy-later-or-another-model"),
        FailureKind::ContextTooLong => message!("remedy-longer-context"),
        FailureKind::ContentRefused => {
            message!("remedy-other-words")
        }
        FailureKind::Empty => {
            message!("remedy-allow-more-tokens")
        }
        FailureKind::Left | FailureKind::Budget => message!("remedy-nothing-to-do"),
    }
}

/// Two hints, one after the other.
pub(crate) fn joined(first: Message, then: Message) -> Message {
    message!("remedy-both", first, then)
}

/// The likely correct address of a server whose address leads to something else; what to check where it names a version
/// already.
pub(crate) fn wants_v1(url: &str, title: &str) -> Message {
    let last = url.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let names_version =
        last.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if names_version { speaks(url, title) } else { message!("remedy-address-with-v1", %url) }
}

/// The same, where the format has an address of its own.
pub(crate) fn speaks(url: &str, title: &str) -> Message {
    message!("remedy-check-address-and-format", %url, %title)
}

/// One line of at most 300 characters. Secrets must be redacted before: a key that is cut in half would no
/// longer be recognised.
pub(crate) fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use quorate_contract::Language;

    use super::*;

    #[test]
    fn a_version_is_asked_for_where_the_address_names_none() {
        let id = |url: &str| wants_v1(url, "OpenAI").id().to_owned();
        assert_eq!(id("http://localhost:8000"), id("http://localhost:8000/"));
        assert_eq!(id("http://localhost:8000"), id("http://localhost:8000/vault"));
        assert_ne!(id("http://localhost:8000"), id("http://localhost:8000/v1"));
        assert_eq!(id("https://open.example/api/paas/v4/"), id("http://localhost:8000/v1"));
    }

    #[test]
    fn what_helps_is_said_in_both_languages_without_a_command() {
        use FailureKind as K;
        let config = ProviderConfig::new("lab", "http://127.0.0.1:9/v1".parse().expect("an address"));
        let kinds = [
            K::Authentication,
            K::RateLimit,
            K::Quota,
            K::Overloaded,
            K::ContextTooLong,
            K::ContentRefused,
            K::ModelUnknown,
            K::BadRequest,
            K::Network,
            K::TimedOut,
            K::Malformed,
            K::Empty,
            K::Left,
            K::Budget,
            K::NotConfigured,
        ];
        for kind in kinds {
            let hint = hint(&config, kind);
            assert!(hint.is_of_events(), "{kind:?}: {}", hint.id());
            let [english, chinese] = [Language::En, Language::Zh].map(|language| hint.text(language));
            assert!(chinese.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{kind:?}: {chinese}");
            assert!(!english.contains("quorate ") && !chinese.contains("quorate "), "{kind:?}");
        }
    }
}
