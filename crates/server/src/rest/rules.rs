//! Reads and changes the rules of a meeting, its topic, title, announcement and password.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use quorate_app::{EditError, MeetingChange};
use quorate_contract::{MeetingId, Rules};
use serde::Serialize;
use utoipa::ToSchema;

use super::etag::{Versions, outdated, tagged};
use super::meeting_access::{MeetingStatus, look};
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(change)).routes(routes!(rules, set_rules))
}

/// Update a meeting
///
/// Applies all changes of the request or none. Changes take effect with the next turn.
#[utoipa::path(
    patch, path = "/api/v1/meetings/{id}", tag = "meetings", operation_id = "update_meeting",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("If-Match" = Option<String>, Header, description = "The ETag of what was looked at: refused when what is \
            changed here was changed after it")),
    request_body(content = MeetingChange, example = json!({"rules": {"limits": {"max_rounds": 3}}})),
    responses((status = 200, body = MeetingStatus), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 412, body = Problem, description = "It changed meanwhile"),
        (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn change(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    versions: Versions,
    Path(id): Path<MeetingId>,
    Body(change): Body<MeetingChange>,
) -> Result<Json<MeetingStatus>, Problem> {
    // Whoever sets a password waits for a place among those who have one hashed.
    let _hashing = match &change.password {
        Some(Some(_)) => Some(server.access().identity().hashing_turn().await?),
        Some(None) | None => None,
    };
    let meeting = server.app().change_meeting(&principal, &id, change, versions.goes_by()).await?;
    Ok(Json(MeetingStatus::of(&meeting)))
}

/// Get the rules of a meeting
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/rules", tag = "meetings", operation_id = "get_rules",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = Rules, headers(("ETag" = String, description = "The version of the rules, for `If-Match`"))),
        (status = 304, description = "Not modified since the version in `If-None-Match`"), (status = 404, body = Problem)),
)]
async fn rules(
    State(server): State<ServerState>,
    versions: Versions,
    Path(id): Path<MeetingId>,
) -> Result<Response, Problem> {
    let meeting = look(&server, &id).await?;
    Ok(tagged(&versions, meeting.seq, Json(meeting.rules().clone())))
}

/// The new rules of a meeting.
#[derive(Debug, Serialize, ToSchema)]
struct ReplacedRules {
    /// The sequence number of the last event that the request caused; also the `ETag`.
    seq: u64,
    /// The complete rules.
    rules: Rules,
}

/// Replace the rules of a meeting
///
/// The new rules take effect with the next turn. Rules that are left out take the default of the format. To
/// change single rules, use `PATCH /api/v1/meetings/{id}`.
#[utoipa::path(
    put, path = "/api/v1/meetings/{id}/rules", tag = "meetings", operation_id = "replace_rules",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("If-Match" = Option<String>, Header, description = "The ETag of what was looked at: refused when the rules \
            were changed after it")),
    request_body = Rules,
    responses((status = 200, body = ReplacedRules, headers(("ETag" = String, description = "The new version of the rules, for `If-Match`"))),
        (status = 400, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
        (status = 412, body = Problem, description = "The rules were changed since the version in `If-Match`"), (status = 415, body = Problem),
        (status = 422, body = Problem)),
)]
async fn set_rules(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    versions: Versions,
    Path(id): Path<MeetingId>,
    Body(rules): Body<Rules>,
) -> Result<Response, Problem> {
    let meeting = server.app().replace_rules(&principal, &id, rules, versions.goes_by()).await?;
    let (seq, rules) = (meeting.seq, meeting.rules().clone());
    Ok(tagged(&Versions::none(), seq, Json(ReplacedRules { seq, rules })))
}

impl From<EditError> for Problem {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Outdated { what, last_seq } => outdated(what, last_seq),
            EditError::Service(error) => error.into(),
        }
    }
}
