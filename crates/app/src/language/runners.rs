//! The texts of errors in the settings of a provider.

use quorate_contract::Wording;
use quorate_messages::{Message, message};
use quorate_runners::{NotPublic, RunnerConfigError};

use super::{InBoth, chain};

impl InBoth for RunnerConfigError {
    fn in_both(&self) -> (Wording, Wording) {
        let (told, hint) = match self {
            Self::BaseUrl { provider, problem } => (
                message!("app-runner-base-url", provider, problem = *problem),
                message!("app-runner-base-url-hint"),
            ),
            Self::Key { provider } => (message!("app-runner-key", provider), message!("app-runner-key-hint")),
            Self::KeyFile { provider, file, source } => (
                message!("app-runner-key-file", provider, file = %file.display(), error = %source),
                message!("app-runner-key-file-hint", file = %file.display()),
            ),
            Self::Proxy { provider, problem } => (
                message!("app-runner-proxy", provider, problem = *problem),
                message!("app-runner-proxy-hint"),
            ),
            Self::NotPublic { provider, source } => (
                message!("app-runner-not-public", provider, reason = not_public(source)),
                message!("app-runner-not-public-hint"),
            ),
            Self::Header { provider, header } => {
                (message!("app-runner-header", provider, header), message!("app-runner-header-hint"))
            }
            Self::OutOfRange { provider, setting, range } => (
                message!("app-runner-range", provider, setting = *setting, range = *range),
                message!("app-runner-range-hint", setting = *setting),
            ),
            Self::Client { provider, source } => (
                message!("app-runner-client", provider, error = chain(source)),
                message!("app-runner-client-hint"),
            ),
        };
        (told.into(), hint.into())
    }
}

/// Why an address is not public.
pub(crate) fn not_public(reason: &NotPublic) -> Message {
    match reason {
        NotPublic::Scheme => message!("failure-cause-no-host"),
        NotPublic::Name(name) => message!("failure-cause-local-name", name),
        NotPublic::Address(address) => message!("failure-cause-local-address", %address),
        NotPublic::Leads(name) => message!("failure-cause-leads-inside", name),
    }
}
