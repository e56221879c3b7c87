//! Options of access, by file, environment and flags.

use std::path::PathBuf;

use quorate_app::{IdentityError, InBoth};
use quorate_contract::Wording;
use quorate_messages::{Message, message};
use serde::{Deserialize, Serialize};

use crate::limits::rates::LimitOptions;

/// The variable that sets the local token.
pub const TOKEN_VARIABLE: &str = "QUORATE_TOKEN";

/// Options of access. An option that is left out stands as [`Default`] has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AccessOptions {
    /// The public URL of this server, when it differs from where it listens: `https://meet.example.org`.
    pub public_url: Option<String>,
    /// Further names of this machine that a request may be for while there are no accounts.
    pub allow_host: Vec<String>,
    /// Origins of pages that may use this server from a browser: `https://tools.example.org`.
    pub allow_origin: Vec<String>,
    /// Proxies whose word about who asks is taken: addresses or networks, `10.0.0.0/8`.
    pub trust_proxy: Vec<String>,
    /// A file with the certificate and those above it, in PEM. With it goes `tls_key`.
    pub tls_cert: Option<PathBuf>,
    /// A file with the certificate's private key, in PEM.
    pub tls_key: Option<PathBuf>,
    /// Whether clients on this machine need no local token while there are no accounts. Any program and any
    /// proxy of this machine can then do everything.
    pub no_token: bool,
    /// The lifetime of an access token, in seconds.
    pub access_seconds: u32,
    /// The lifetime of an unused session, in days.
    pub session_days: u32,
    /// How long a used refresh token is accepted again from the same browser, in milliseconds: two of its
    /// windows may send it at once. From another browser, and from programs, it never is.
    pub refresh_grace_ms: u64,
    /// Limits on requests, connections and sizes.
    pub limits: LimitOptions,
}

impl Default for AccessOptions {
    fn default() -> Self {
        Self {
            public_url: None,
            allow_host: Vec::new(),
            allow_origin: Vec::new(),
            trust_proxy: Vec::new(),
            tls_cert: None,
            tls_key: None,
            no_token: false,
            access_seconds: 15 * 60,
            session_days: 30,
            refresh_grace_ms: 10_000,
            limits: LimitOptions::default(),
        }
    }
}

/// Secrets that the environment sets, in no file and no setting.
#[derive(Default, Clone)]
pub struct AccessSecrets {
    /// Creates the account `owner`, or changes its password, where no person can type one.
    pub owner_password: Option<String>,
    /// The local token; one is made when there is none.
    pub token: Option<String>,
}

impl AccessSecrets {
    /// `QUORATE_OWNER_PASSWORD` and `QUORATE_TOKEN`; empty ones are none.
    pub fn of_environment() -> Self {
        let read = |name| std::env::var(name).ok().filter(|text| !text.is_empty());
        Self { owner_password: read("QUORATE_OWNER_PASSWORD"), token: read(TOKEN_VARIABLE) }
    }
}

impl std::fmt::Debug for AccessSecrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AccessSecrets")
    }
}

/// The reason why a server does not open.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// The server can be reached from elsewhere, and no account could sign in.
    #[error("{}", no_owner(.0))]
    NoOwner(
        /// How the server could be reached.
        Message,
    ),
    /// An option is not right.
    #[error("{}", of_option(option, problem))]
    Option {
        /// Which, as a flag.
        option: &'static str,
        /// What is wrong with the option.
        problem: Message,
        /// What a valid value looks like.
        hint: Message,
    },
    /// The password in the environment is not taken.
    #[error(transparent)]
    Password(#[from] quorate_app::PasswordError),
    /// The store does not do its part.
    #[error(transparent)]
    Store(#[from] quorate_app::StoreError),
    /// The accounts, or this machine, do not do their part.
    #[error(transparent)]
    Identity(IdentityError),
}

impl From<IdentityError> for AccessError {
    fn from(error: IdentityError) -> Self {
        match error {
            IdentityError::Password(error) | IdentityError::NoRandomNumbers(error) => Self::Password(error),
            IdentityError::Store(error) => Self::Store(error),
            IdentityError::BadLocalToken => Self::Option {
                option: TOKEN_VARIABLE,
                problem: message!("server-start-token"),
                hint: message!("server-start-token-hint"),
            },
            other => Self::Identity(other),
        }
    }
}

fn no_owner(what: &Message) -> Wording {
    message!("server-start-no-owner", what = what.clone()).into()
}

fn of_option(option: &str, problem: &Message) -> Wording {
    message!("server-start-option", option, problem = problem.clone()).into()
}

impl InBoth for AccessError {
    fn in_both(&self) -> (Wording, Wording) {
        match self {
            Self::NoOwner(what) => (no_owner(what), message!("server-start-no-owner-hint").into()),
            Self::Option { option, problem, hint } => (of_option(option, problem), hint.clone().into()),
            Self::Password(error) => error.in_both(),
            Self::Store(error) => error.in_both(),
            Self::Identity(error) => error.in_both(),
        }
    }
}
