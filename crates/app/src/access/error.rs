//! What keeps a use case of access from being carried out.

use std::borrow::Cow;

use quorate_contract::{Refusal, Wording};
use quorate_engine::EngineError;
use quorate_messages::{Message, message};
use quorate_store::{KeepOwner, PasswordError, StoreError};

use crate::error::{ErrorKind, ServiceError};
use crate::language::InBoth;
use crate::operation::command_line::status_of;
use crate::operation::denial::Denial;

/// The reason why a use case of access was not carried out. Each variant is a situation in which the caller does something
/// different next.
#[derive(Debug)]
pub enum IdentityError {
    /// A limit is reached, or the caller may not.
    Denied(Denial),
    /// The application did not do its part.
    Service(ServiceError),
    /// The database did not do its part.
    Store(StoreError),
    /// Something that was given is not right.
    Invalid {
        /// Which input.
        field: &'static str,
        /// What is wrong with it.
        problem: Message,
        /// What a valid value looks like.
        hint: Message,
    },
    /// A name cannot stand in the log.
    Name(Refusal),
    /// A name is taken, or a reader could take it for another. It is not said whose: not every caller may know.
    NameTaken {
        /// The name.
        name: String,
        /// Whether it is the very same name, without regard to case.
        is_same: bool,
        /// The same in the core's words, which say whose name it is.
        refusal: Box<Refusal>,
    },
    /// Another call created an account of this name first.
    AccountExists {
        /// The name.
        name: String,
    },
    /// The first account has to be an owner: without one, no account could manage the server.
    FirstIsOwner,
    /// A password is not taken.
    Password(PasswordError),
    /// The name and the password belong to no account.
    WrongSignIn,
    /// The password is not that of the account.
    NotCurrentPassword,
    /// No meeting has this password.
    WrongMeetingPassword,
    /// The account is that of the last owner.
    LastOwner {
        /// Its name.
        name: String,
        /// When the last owner stays.
        keep: KeepOwner,
    },
    /// There are several owners, and it was not said for which of them a token is.
    TokenForWhom {
        /// The owners.
        owners: Vec<String>,
    },
    /// A token cannot create other tokens, which would outlast it.
    TokenMakesNone,
    /// Something does not exist, or the caller may not see it.
    NotFound {
        /// What it is: `account`, `token`, `session`, `guest`, `invitation`.
        what: &'static str,
        /// The id or the name that was given.
        id: String,
    },
    /// The invitation has expired, was revoked, or is used up.
    InvitationOver,
    /// No result can be read by this link: there is none, or it has expired, or was revoked.
    ResultLinkOver,
    /// A guest with this name is at the meeting already.
    GuestAlreadyHere {
        /// The name.
        name: String,
    },
    /// There are as many as there may be.
    TooMany {
        /// What there are too many of.
        problem: Message,
        /// What to do about it.
        hint: Wording,
    },
    /// The session is over, or its refresh token was used before.
    SessionOver,
    /// The caller is not signed in by a session that could end.
    NotBySession,
    /// The credential of the caller was revoked in the meantime.
    NotSignedIn,
    /// People sign in with name and password here, so the local token opens nothing.
    HasAccounts,
    /// The local token is another one.
    WrongLocalToken,
    /// A configured local token could be guessed, or cannot stand in a URL.
    BadLocalToken,
    /// More passwords are being hashed than this machine can take.
    PasswordsBusy {
        /// After how many seconds it is worth trying again.
        retry_after: u64,
    },
    /// The stored hash of a password cannot be read.
    StoredPassword,
    /// This machine gives no random numbers.
    NoRandomNumbers(PasswordError),
    /// The process is stopping.
    Stopping,
}

impl IdentityError {
    pub(super) fn not_found(what: &'static str, id: &str) -> Self {
        Self::NotFound { what, id: id.to_owned() }
    }

    /// The error for an account name or the name of a guest.
    pub(super) fn of_name(name: &str, is_same: bool, refusal: Refusal) -> Self {
        match refusal {
            Refusal::NameTaken { .. } => {
                Self::NameTaken { name: name.to_owned(), is_same, refusal: Box::new(refusal) }
            }
            other => Self::Name(other),
        }
    }

    /// The result in the audit log, in the numbers that all transports share.
    pub(crate) fn status(&self) -> u16 {
        match self {
            Self::Denied(Denial::TooManyAttempts { .. } | Denial::TooManyCalls { .. })
            | Self::TooMany { .. } => 429,
            Self::Denied(_) | Self::TokenMakesNone => 403,
            Self::Service(error) => status_of(error),
            Self::Store(_)
            | Self::PasswordsBusy { .. }
            | Self::NoRandomNumbers(_)
            | Self::Stopping
            | Self::BadLocalToken => 503,
            Self::Invalid { .. }
            | Self::Name(_)
            | Self::FirstIsOwner
            | Self::Password(_)
            | Self::NotCurrentPassword
            | Self::TokenForWhom { .. } => 422,
            Self::NameTaken { .. }
            | Self::AccountExists { .. }
            | Self::LastOwner { .. }
            | Self::GuestAlreadyHere { .. }
            | Self::NotBySession => 409,
            Self::WrongSignIn
            | Self::WrongMeetingPassword
            | Self::SessionOver
            | Self::NotSignedIn
            | Self::HasAccounts
            | Self::WrongLocalToken => 401,
            Self::NotFound { .. } | Self::InvitationOver | Self::ResultLinkOver => 404,
            Self::StoredPassword => 500,
        }
    }

    /// The input that is at fault, when one is.
    pub fn field(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Invalid { field, .. } => Some((*field).into()),
            Self::Name(Refusal::Invalid { field, .. }) => Some(field.clone().into()),
            Self::NameTaken { .. } | Self::AccountExists { .. } | Self::GuestAlreadyHere { .. } => {
                Some("name".into())
            }
            Self::FirstIsOwner => Some("scope".into()),
            Self::Password(_) => Some("password".into()),
            Self::NotCurrentPassword => Some("current".into()),
            Self::TokenForWhom { .. } => Some("by".into()),
            Self::WrongLocalToken => Some("token".into()),
            Self::LastOwner { keep: KeepOwner::WhileOthers, .. } => Some("name".into()),
            _ => None,
        }
    }
}

impl InBoth for IdentityError {
    fn in_both(&self) -> (Wording, Wording) {
        let of = |problem: Message, hint: Message| (problem.into(), hint.into());
        match self {
            Self::Denied(denial) => denial.in_both(),
            Self::Service(error) => error.in_both(),
            Self::Store(error) => error.in_both(),
            Self::Invalid { problem, hint, .. } => of(problem.clone(), hint.clone()),
            Self::Name(refusal) => refusal.in_both(),
            Self::NameTaken { .. } => {
                of(message!("app-guest-name-taken"), message!("app-choose-another-name"))
            }
            Self::AccountExists { name } => {
                of(message!("app-account-exists", %name), message!("app-account-exists-hint"))
            }
            Self::FirstIsOwner => {
                of(message!("app-first-account-is-owner"), message!("app-first-account-is-owner-hint"))
            }
            Self::Password(error) => error.in_both(),
            Self::NoRandomNumbers(error) => {
                (error.in_both().0, message!("app-no-random-numbers-hint").into())
            }
            Self::WrongSignIn => of(message!("app-wrong-sign-in"), message!("app-wrong-sign-in-hint")),
            Self::NotCurrentPassword => {
                of(message!("app-not-current-password"), message!("app-not-current-password-hint"))
            }
            Self::WrongMeetingPassword => {
                of(message!("app-no-meeting-with-password"), message!("app-no-meeting-with-password-hint"))
            }
            Self::LastOwner { name, keep: KeepOwner::Always } => {
                of(message!("app-account-last-owner", %name), message!("app-account-last-owner-hint"))
            }
            Self::LastOwner { keep: KeepOwner::WhileOthers, .. } => {
                of(message!("app-last-owner"), message!("app-last-owner-hint"))
            }
            Self::TokenForWhom { owners } => {
                let owners: Vec<&str> = owners.iter().map(String::as_str).collect();
                let hint = message!("app-token-for-whom-hint");
                of(message!("app-token-for-whom", owners = owners.as_slice()), hint)
            }
            Self::TokenMakesNone => {
                of(message!("app-token-makes-none"), message!("app-token-makes-none-hint"))
            }
            Self::NotFound { what: "token", id } => {
                of(message!("app-no-token", %id), message!("app-no-token-hint"))
            }
            Self::NotFound { what: "account", id } => {
                of(message!("app-no-account", %id), message!("app-no-account-hint"))
            }
            Self::NotFound { id, .. } => {
                of(message!("app-nothing-of-this-id", %id), message!("app-try-again"))
            }
            Self::InvitationOver => of(message!("app-no-such-invitation"), message!("app-invitation-over")),
            Self::ResultLinkOver => of(message!("app-no-such-result-link"), message!("app-result-link-over")),
            Self::GuestAlreadyHere { name } => {
                of(message!("app-guest-already-here", %name), message!("app-choose-another-name"))
            }
            Self::TooMany { problem, hint } => (problem.clone().into(), hint.clone()),
            Self::SessionOver => of(message!("app-session-over"), message!("app-sign-in-again")),
            Self::NotBySession => of(message!("app-not-by-session"), message!("app-sign-in-first")),
            Self::NotSignedIn | Self::HasAccounts | Self::WrongLocalToken | Self::BadLocalToken => {
                of(message!("app-not-signed-in"), message!("app-sign-in-first"))
            }
            Self::PasswordsBusy { retry_after } => {
                of(message!("app-passwords-busy"), message!("app-wait", seconds = *retry_after))
            }
            Self::StoredPassword => of(
                message!("app-stored-password-unreadable"),
                message!("app-stored-password-unreadable-hint"),
            ),
            Self::Stopping => EngineError::Gone.in_both(),
        }
    }
}

impl std::fmt::Display for IdentityError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.in_both().0)
    }
}

impl std::error::Error for IdentityError {}

impl From<Denial> for IdentityError {
    fn from(denial: Denial) -> Self {
        Self::Denied(denial)
    }
}

impl From<ServiceError> for IdentityError {
    fn from(error: ServiceError) -> Self {
        Self::Service(error)
    }
}

impl From<StoreError> for IdentityError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The same for a command, or for whoever asks for nothing more than a text.
impl From<IdentityError> for ServiceError {
    fn from(error: IdentityError) -> Self {
        let field = error.field();
        let (message, hint) = error.in_both();
        let this = match error {
            IdentityError::Denied(denial) => return denial.into(),
            IdentityError::Service(error) => return error,
            IdentityError::Store(error) => return error.into(),
            IdentityError::Name(refusal) => return refusal.into(),
            IdentityError::NameTaken { refusal, .. } => return (*refusal).into(),
            IdentityError::NotFound { what, id } => return Self::new(message, hint).not_found(what, &id),
            IdentityError::InvitationOver => return Self::new(message, hint).not_found("invitation", ""),
            IdentityError::ResultLinkOver => return Self::new(message, hint).not_found("result link", ""),
            IdentityError::Invalid { .. }
            | IdentityError::AccountExists { .. }
            | IdentityError::FirstIsOwner
            | IdentityError::Password(_)
            | IdentityError::NotCurrentPassword
            | IdentityError::LastOwner { .. }
            | IdentityError::TokenForWhom { .. } => Self::usage(message, hint),
            IdentityError::WrongSignIn
            | IdentityError::WrongMeetingPassword
            | IdentityError::TokenMakesNone
            | IdentityError::SessionOver
            | IdentityError::NotBySession
            | IdentityError::NotSignedIn
            | IdentityError::HasAccounts
            | IdentityError::WrongLocalToken
            | IdentityError::BadLocalToken => Self::new(message, hint).of(ErrorKind::Permission),
            IdentityError::GuestAlreadyHere { .. } | IdentityError::TooMany { .. } => {
                Self::new(message, hint).of(ErrorKind::MeetingState)
            }
            IdentityError::PasswordsBusy { .. }
            | IdentityError::StoredPassword
            | IdentityError::NoRandomNumbers(_)
            | IdentityError::Stopping => Self::new(message, hint),
        };
        match field {
            Some(field) => this.with("field", &*field),
            None => this,
        }
    }
}
