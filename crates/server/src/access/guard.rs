//! Stands at the door: finds out who asks, and holds it against the table.

use axum::extract::{MatchedPath, RawPathParams, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::matrix::need;
use super::{Need, Principal};
use crate::app::App;
use crate::problem::Problem;

/// Lets a request through whose sender may make it.
pub(crate) async fn guard(
    State(_app): State<App>,
    path: MatchedPath,
    params: RawPathParams,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(need) = need(request.method().as_str(), path.as_str()) else {
        return Problem::not_found("page", request.uri().path()).into_response();
    };
    let meeting = meeting_of(path.as_str(), &params);
    let principal = Some(Principal::alone());
    match principal {
        Some(principal) if principal.may(need, meeting.as_deref()) => {
            request.extensions_mut().insert(principal);
            next.run(request).await
        }
        // What may not be seen is not there.
        Some(principal) if meeting.is_some() && !principal.may(Need::Read, meeting.as_deref()) => {
            Problem::not_found("meeting", meeting.as_deref().unwrap_or_default()).into_response()
        }
        Some(_) => Problem::new(StatusCode::FORBIDDEN, "forbidden", "you may not do this")
            .hint("ask the owner of this server for a token with a wider scope")
            .into_response(),
        None if need == Need::Open => next.run(request).await,
        None => Problem::new(StatusCode::UNAUTHORIZED, "sign-in", "nobody has signed in")
            .hint("sign in at /api/v1/sessions, or send the header authorization: Bearer TOKEN")
            .into_response(),
    }
}

/// The meeting that a path names.
fn meeting_of(path: &str, params: &RawPathParams) -> Option<String> {
    path.starts_with("/api/v1/meetings/{id}")
        .then(|| params.iter().find(|(name, _)| *name == "id").map(|(_, value)| value.to_owned()))
        .flatten()
}
