//! Calls that are not carried out, and what access decides, as problems: a status and a sort for each.

use axum::http::StatusCode;
use quorate_app::{Denial, IdentityError, InBoth, Scope};
use quorate_messages::message;

use crate::access::{sign_in, token_needed};
use crate::problem::Problem;

/// After how many seconds it is worth asking again where as many meetings run as may.
const RETRY_SECONDS: u64 = 30;

impl From<Denial> for Problem {
    fn from(denial: Denial) -> Self {
        let (detail, hint) = denial.in_both();
        let of = |status, sort| Self::new(status, sort, detail).hint(hint);
        match denial {
            Denial::NotSignedIn => of(StatusCode::UNAUTHORIZED, "sign-in"),
            Denial::NoSuchMeeting(id) => Self::not_found("meeting", id.as_str()),
            Denial::Forbidden { needed } => {
                let problem = of(StatusCode::FORBIDDEN, "forbidden");
                match needed {
                    Some(scope) => problem.needs_role(scope.as_str()),
                    None => problem,
                }
            }
            Denial::OfPerson => of(StatusCode::FORBIDDEN, "forbidden").needs_role(Scope::Manage.as_str()),
            Denial::Locked => of(StatusCode::FORBIDDEN, "locked"),
            Denial::BlindRound => of(StatusCode::FORBIDDEN, "blind-round"),
            Denial::OpenBallot => of(StatusCode::FORBIDDEN, "open-ballot"),
            Denial::TooManyCalls { retry_after } | Denial::TooManyAttempts { retry_after } => {
                of(StatusCode::TOO_MANY_REQUESTS, "too-many").retry_after(retry_after)
            }
            Denial::TooManyMeetings { .. } => {
                of(StatusCode::SERVICE_UNAVAILABLE, "too-many-meetings").retry_after(RETRY_SECONDS)
            }
            Denial::TooManyOfAccount { .. } => {
                of(StatusCode::TOO_MANY_REQUESTS, "too-many-meetings-of-account").retry_after(RETRY_SECONDS)
            }
            Denial::KeyReused => of(StatusCode::UNPROCESSABLE_ENTITY, "idempotency-key-reused"),
            Denial::StillRunning => of(StatusCode::CONFLICT, "still-running").retry_after(1),
            Denial::Interrupted { .. } => of(StatusCode::CONFLICT, "interrupted"),
            Denial::Failed(error) => (*error).into(),
        }
    }
}

/// After how many seconds it is worth asking again where there are as many as there may be.
const ROOM_SECONDS: u64 = 60;

impl From<IdentityError> for Problem {
    fn from(error: IdentityError) -> Self {
        let field = error.field();
        let (detail, hint) = error.in_both();
        let of = |status, sort| Self::new(status, sort, detail.clone()).hint(hint.clone());
        let this = match error {
            IdentityError::Denied(denial) => return denial.into(),
            IdentityError::Service(error) => return error.into(),
            IdentityError::Store(error) => return error.into(),
            IdentityError::Name(refusal) => return refusal.into(),
            IdentityError::Password(error) => return error.into(),
            IdentityError::Invalid { .. }
            | IdentityError::FirstIsOwner
            | IdentityError::NotCurrentPassword
            | IdentityError::TokenForWhom { .. }
            | IdentityError::BadLocalToken => {
                return Self::invalid(field.as_deref().unwrap_or_default(), detail, hint);
            }
            IdentityError::NotFound { what, id } => return Self::not_found(what, &id),
            IdentityError::InvitationOver | IdentityError::ResultLinkOver => {
                of(StatusCode::NOT_FOUND, "not-found")
            }
            IdentityError::NameTaken { .. }
            | IdentityError::AccountExists { .. }
            | IdentityError::GuestAlreadyHere { .. } => of(StatusCode::CONFLICT, "name-taken"),
            IdentityError::WrongSignIn | IdentityError::WrongMeetingPassword => {
                of(StatusCode::UNAUTHORIZED, "wrong-password")
            }
            IdentityError::LastOwner { .. } => return of(StatusCode::CONFLICT, "last-owner"),
            IdentityError::TokenMakesNone => of(StatusCode::FORBIDDEN, "forbidden"),
            IdentityError::TooMany { .. } => {
                of(StatusCode::TOO_MANY_REQUESTS, "too-many").retry_after(ROOM_SECONDS)
            }
            IdentityError::SessionOver => sign_in(detail.clone()).hint(hint.clone()),
            IdentityError::NotBySession => {
                of(StatusCode::CONFLICT, "no-session").hint(message!("server-not-by-session-hint"))
            }
            IdentityError::NotSignedIn => {
                sign_in(message!("server-not-signed-in")).hint(message!("server-not-signed-in-hint"))
            }
            IdentityError::HasAccounts => {
                sign_in(message!("server-has-accounts")).hint(message!("server-has-accounts-hint"))
            }
            IdentityError::WrongLocalToken => {
                return token_needed().field("token", message!("server-wrong-token"));
            }
            IdentityError::PasswordsBusy { retry_after } => {
                let this = of(StatusCode::SERVICE_UNAVAILABLE, "passwords-busy");
                this.hint(message!("server-wait-retry-after")).retry_after(retry_after)
            }
            IdentityError::StoredPassword => of(StatusCode::INTERNAL_SERVER_ERROR, "damaged"),
            IdentityError::NoRandomNumbers(_) => {
                of(StatusCode::SERVICE_UNAVAILABLE, "no-random-numbers").retry_after(1)
            }
            IdentityError::Stopping => {
                let (status, detail) = (StatusCode::SERVICE_UNAVAILABLE, message!("server-stopping"));
                let hint = message!("server-stopping-hint");
                Self::new(status, "stopping", detail).hint(hint).retry_after(5)
            }
        };
        match field {
            Some(field) => this.field(&field, detail),
            None => this,
        }
    }
}
