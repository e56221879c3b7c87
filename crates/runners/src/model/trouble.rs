//! The failure of one attempt: its kind, its remedy, its usage, and whether a retry can help.

use std::time::Duration;

use quorate_contract::{ContextWindow, FailureKind, Usage, Wording};
use quorate_messages::{Message, message, text};

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
pub(crate) struct Trouble {
    pub(crate) kind: FailureKind,
    pub(crate) detail: String,
    pub(crate) hint: Wording,
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

impl Trouble {
    /// A trouble after which it is unknown whether the provider did the work.
    pub(crate) fn doubtful(kind: FailureKind, detail: String, hint: impl Into<Wording>) -> Self {
        Self {
            kind,
            detail,
            hint: hint.into(),
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

/// The remedy for a kind of trouble with this provider. It is read in a terminal, on the page and in an
/// export, and the provider may be stored or written in a file. So it names the setting, and no command or
/// file.
pub(crate) fn hint(config: &ProviderConfig, kind: FailureKind) -> Wording {
    let name = &config.name;
    match kind {
        FailureKind::Authentication => match (&config.key_variable, &config.key_file) {
            (Some(variable), _) if config.key.is_none() => {
                message!("runners-trouble-set-key", %variable, %name)
            }
            (Some(variable), _) => message!("runners-trouble-check-key-give-another-one", %variable, %name),
            (None, Some(file)) => {
                message!("runners-trouble-check-key-give-another-one-2", file = %file.display(), %name)
            }
            // A key that neither the environment nor a file gave was stored.
            (None, None) if config.key.is_some() => {
                message!("runners-trouble-store-another-key-provider", %name)
            }
            (None, None) => message!("runners-trouble-give-provider-key", %name),
        },
        FailureKind::RateLimit => message!("runners-trouble-lower-concurrency-provider-go-minute", %name),
        FailureKind::Quota => message!("runners-trouble-add-credit-at-choose-another", %name),
        FailureKind::ModelUnknown => {
            message!("runners-trouble-choose-one-models-lists", %name)
        }
        FailureKind::BadRequest => {
            message!("runners-trouble-check-base-url-models-parameters", shown_url = %config.shown_url())
        }
        FailureKind::Network => match proxy::shown(config) {
            Some(proxy) => {
                message!("runners-trouble-proxy-running-base-url", %proxy, shown_url = %config.shown_url())
            }
            None => message!("runners-trouble-running-base-url", shown_url = %config.shown_url()),
        },
        FailureKind::TimedOut => {
            message!("runners-trouble-raise-timeouts-provider", %name)
        }
        FailureKind::Malformed => {
            let (url, title) = (config.shown_url(), config.wire.wire().title());
            message!("runners-trouble-does-speak-format", %url, %title)
        }
        FailureKind::NotConfigured => message!("runners-trouble-add-provider-its-address", %name),
        FailureKind::Overloaded => message!("runners-trouble-go-later-choose-another-model"),
        FailureKind::ContextTooLong => message!("runners-trouble-choose-model-longer-context-let"),
        FailureKind::ContentRefused => {
            message!("runners-trouble-put-topic-other-words-choose")
        }
        FailureKind::Empty => {
            message!("runners-trouble-choose-another-model-allow-more")
        }
        FailureKind::Left | FailureKind::Budget => message!("runners-trouble-nothing-has-done"),
    }
    .into()
}

/// Two hints, one after the other.
pub(crate) fn joined(first: Message, then: &Wording) -> Wording {
    Wording::in_each(|language| {
        let (first, then) = (first.text(language), then.for_reader(language));
        format!("{first}{}{then}", text!(language, "common-semicolon"))
    })
}

/// The likely correct address of a server whose address leads to something else.
pub(crate) fn wants_v1(url: &str) -> Wording {
    message!("runners-trouble-base-url-most-servers-want", %url).into()
}

/// The same, where the format has an address of its own.
pub(crate) fn speaks(url: &str, title: &str) -> Wording {
    message!("runners-trouble-base-url-does-speak-format", %url, %title).into()
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
    use super::*;

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
            let chinese = hint.chinese().expect("in Chinese, too");
            assert!(chinese.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{kind:?}: {chinese}");
            assert!(!hint.english().contains("quorate ") && !chinese.contains("quorate "), "{kind:?}");
        }
    }
}
