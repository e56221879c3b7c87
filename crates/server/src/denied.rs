//! Calls that are not carried out, as problems: a status and a sort for each.

use axum::http::StatusCode;
use quorate_app::{Denial, Scope};

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
            Denial::KeyReused => of(StatusCode::UNPROCESSABLE_ENTITY, "idempotency-key-reused"),
            Denial::StillRunning => of(StatusCode::CONFLICT, "still-running").retry_after(1),
            Denial::Interrupted { .. } => of(StatusCode::CONFLICT, "interrupted"),
            Denial::Failed(error) => (*error).into(),
        }
    }
}
