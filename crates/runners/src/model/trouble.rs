//! What went wrong with one attempt, in the meeting's words: which kind of trouble it is, what
//! to do about it, what it has cost, and whether asking again can help.

use std::time::Duration;

use quorate_core::{FailureKind, Usage};

use super::proxy;
use crate::provider::ProviderConfig;

/// Whether the same request may be sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// It would end the same way.
    Never,
    /// Nothing was done; not before this time has passed, when the server named one.
    Safely(Option<Duration>),
    /// It may have been done, and may have to be paid twice.
    Doubtful,
}

/// What an attempt without an answer has used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Spent {
    /// Nothing: it was refused.
    Nothing,
    /// The provider did not say; at least about this many tokens were written.
    Unknown {
        /// Estimated from what came.
        written: u64,
    },
    /// What the provider counted.
    Counted(Box<Usage>),
}

/// One attempt that brought no answer.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) kind: FailureKind,
    pub(crate) detail: String,
    pub(crate) hint: String,
    pub(crate) again: Again,
    pub(crate) spent: Spent,
    /// The status of an answer that was none, when there was one.
    pub(crate) status: Option<u16>,
    /// The server's words in lower case, when it did not accept the form of the request.
    pub(crate) refusal: Option<Box<str>>,
    /// The provider's own name for the request.
    pub(crate) request_id: Option<Box<str>>,
}

impl Trouble {
    /// A trouble after which it is not known what the provider did.
    pub(crate) fn doubtful(kind: FailureKind, detail: String, hint: String) -> Self {
        Self {
            kind,
            detail,
            hint,
            again: Again::Doubtful,
            spent: Spent::Unknown { written: 0 },
            status: None,
            refusal: None,
            request_id: None,
        }
    }

    /// The same, but asking again would not help.
    pub(crate) fn final_one(self) -> Self {
        Self { again: Again::Never, ..self }
    }
}

/// What to do about a kind of trouble with this provider.
pub(crate) fn hint(config: &ProviderConfig, kind: FailureKind) -> String {
    let name = &config.name;
    match kind {
        FailureKind::Authentication => match (&config.key_variable, &config.key_file) {
            (Some(variable), _) if config.key.is_none() => {
                format!("set {variable} to a key of {name}")
            }
            (Some(variable), _) => {
                format!("check the key in {variable}, then `quorate providers test {name}`")
            }
            (None, Some(file)) => {
                format!("check the key in {}, then `quorate providers test {name}`", file.display())
            }
            // A key that neither the environment nor a file gave was stored.
            (None, None) if config.key.is_some() => {
                format!("store another key: quorate providers add {name} --api-key-stdin")
            }
            (None, None) => {
                format!("name the environment variable with the key: key_env in [providers.{name}]")
            }
        },
        FailureKind::RateLimit => {
            format!("lower concurrency in [providers.{name}], or go on in a minute")
        }
        FailureKind::Quota => format!("add credit at {name}, or choose another provider"),
        FailureKind::Overloaded => "go on later, or choose another model".to_owned(),
        FailureKind::ContextTooLong => {
            "choose a model with a longer context, or let the meeting hand on less of its history".to_owned()
        }
        FailureKind::ContentRefused => "put the topic in other words, or choose another model".to_owned(),
        FailureKind::ModelUnknown => format!("`quorate providers models {name}` lists its models"),
        FailureKind::BadRequest => {
            format!("check base_url ({}) and the model's parameters", config.shown_url())
        }
        FailureKind::Network => match proxy::shown(config) {
            Some(proxy) => {
                format!("are it and the proxy {proxy} running? base_url is {}", config.shown_url())
            }
            None => format!("is it running? base_url is {}", config.shown_url()),
        },
        FailureKind::TimedOut => format!("raise the timeouts in [providers.{name}]"),
        FailureKind::Malformed => format!(
            "does {} speak the {} format? `quorate providers test {name}` asks it",
            config.shown_url(),
            config.wire.wire().title()
        ),
        FailureKind::Empty => "choose another model, or allow it more tokens".to_owned(),
        FailureKind::Left | FailureKind::Budget => "nothing has to be done".to_owned(),
        FailureKind::NotConfigured => format!("add [providers.{name}] with its base_url"),
    }
}

/// One line of at most 300 characters. Secrets must be out already: a key that is cut in half
/// would no longer be recognised.
pub(crate) fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
