//! The minutes: as they hold, as they were, what differs, and how they come to be.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use quorate_contract::{Command, EventBody, MeetingId, Minutes};
use quorate_core::{Meeting, MinutesVersion};
use quorate_messages::message;
use quorate_views::{MinutesChange, compare_minutes};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::etag::{Versions, etag, outdated, tagged};
use super::meeting_access::{execute, find_event, look, there_are};
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path, Query};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new()
        .routes(routes!(current, edit, generate))
        .routes(routes!(versions))
        .routes(routes!(version))
        .routes(routes!(diff))
}

/// Get the current minutes
///
/// The `ETag` is the version of the minutes.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/minutes", tag = "minutes", operation_id = "get_minutes",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = MinutesVersion, headers(("ETag" = String, description = "The version, in quotes"))),
        (status = 304, description = "Not modified since the version in `If-None-Match`"),
        (status = 404, body = Problem, description = "The meeting does not exist, is not visible to the caller, or has no minutes yet")),
)]
async fn current(
    State(server): State<ServerState>,
    versions: Versions,
    Path(id): Path<MeetingId>,
) -> Result<Response, Problem> {
    let meeting = look(&server, &id).await?;
    let minutes = meeting.minutes.last().ok_or_else(|| none(&meeting, "current"))?;
    Ok(tagged(&versions, minutes.version.into(), Json(Arc::clone(minutes))))
}

/// That there is no such version, and which there are.
fn none(m: &Meeting, asked: &str) -> Problem {
    let known: Vec<String> = m.minutes.iter().map(|one| one.version.to_string()).collect();
    Problem::not_found("version of the minutes", asked).hint(match known.is_empty() {
        true => message!("server-request-minutes"),
        false => there_are(&known),
    })
}

/// All versions of the minutes.
#[derive(Debug, Serialize, ToSchema)]
struct MinutesVersionList {
    /// The versions, in order.
    items: Vec<Arc<MinutesVersion>>,
    /// Always `null`: the list has one page.
    next_cursor: Option<String>,
    /// The version that is being written; `null` when none is.
    requested: Option<u32>,
}

/// List the versions of the minutes
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/minutes/versions", tag = "minutes", operation_id = "list_minutes_versions",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = MinutesVersionList), (status = 404, body = Problem)),
)]
async fn versions(
    State(server): State<ServerState>,
    Path(id): Path<MeetingId>,
) -> Result<Json<MinutesVersionList>, Problem> {
    let meeting = look(&server, &id).await?;
    let requested = meeting.minutes_requests.keys().next().copied();
    Ok(Json(MinutesVersionList { items: meeting.minutes.to_vec(), next_cursor: None, requested }))
}

/// Get a version of the minutes
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/minutes/versions/{version}", tag = "minutes",
    operation_id = "get_minutes_version",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("version" = u32, Path, description = "The version, counted from 1")),
    responses((status = 200, body = MinutesVersion), (status = 404, body = Problem)),
)]
async fn version(
    State(server): State<ServerState>,
    Path((id, version)): Path<(MeetingId, u32)>,
) -> Result<Json<Arc<MinutesVersion>>, Problem> {
    let meeting = look(&server, &id).await?;
    Ok(Json(numbered(&meeting, version)?))
}

fn numbered(m: &Meeting, version: u32) -> Result<Arc<MinutesVersion>, Problem> {
    let found = m.minutes.iter().find(|one| one.version == version);
    found.cloned().ok_or_else(|| none(m, &version.to_string()))
}

/// Which two versions are compared.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MinutesDiffQuery {
    /// The earlier version.
    from: u32,
    /// The later version; the current version when left out.
    to: Option<u32>,
}

/// The differences between two versions of the minutes.
#[derive(Debug, Serialize, ToSchema)]
struct MinutesDiff {
    /// The first version.
    from: u32,
    /// The second version.
    to: u32,
    /// The changed sections.
    changes: Vec<MinutesChange>,
}

/// Compare two versions of the minutes
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/minutes/diff", tag = "minutes", operation_id = "compare_minutes",
    params(("id" = String, Path, description = "The meeting, by id"), MinutesDiffQuery),
    responses((status = 200, body = MinutesDiff), (status = 404, body = Problem), (status = 422, body = Problem)),
)]
async fn diff(
    State(server): State<ServerState>,
    Path(id): Path<MeetingId>,
    Query(compared): Query<MinutesDiffQuery>,
) -> Result<Json<MinutesDiff>, Problem> {
    let meeting = look(&server, &id).await?;
    let current = meeting.minutes.last().map(|one| one.version);
    let to = compared.to.or(current).ok_or_else(|| none(&meeting, "current"))?;
    let (before, after) = (numbered(&meeting, compared.from)?, numbered(&meeting, to)?);
    let changes = compare_minutes(&before.minutes, &after.minutes);
    Ok(Json(MinutesDiff { from: compared.from, to, changes }))
}

/// A request for minutes.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct NewMinutes {
    /// The participant who writes the minutes, by name or id; the facilitator when left out.
    writer: Option<String>,
    /// An instruction for the writer; may be empty.
    #[schema(max_length = 2000)]
    note: String,
}

/// Minutes that were requested.
#[derive(Debug, Serialize, ToSchema)]
struct RequestedMinutes {
    /// The sequence number of the last event that the request caused.
    seq: u64,
    /// The version that they will be.
    version: u32,
}

/// Request new minutes
///
/// Writes the first minutes or updates the existing ones. The event `minutes_written` follows when they are
/// done.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/minutes", tag = "minutes", operation_id = "request_minutes",
    params(("id" = String, Path, description = "The meeting, by id")),
    request_body(content = NewMinutes, example = json!({"note": "above all the risks"})),
    responses((status = 202, body = RequestedMinutes), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "Minutes are already being written, or the meeting has no messages"),
        (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn generate(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<NewMinutes>,
) -> Result<(StatusCode, Json<RequestedMinutes>), Problem> {
    let NewMinutes { writer, note } = request;
    let seq =
        execute(&server, &principal, &id, Command::WriteMinutes { by: principal.actor(), writer, note })
            .await?;
    let version = find_event(&server, &id, seq, |body| match body {
        EventBody::MinutesRequested { version, .. } => Some(*version),
        _ => None,
    })
    .await?;
    Ok((StatusCode::ACCEPTED, Json(RequestedMinutes { seq, version })))
}

/// Replace the minutes
///
/// The edited minutes become the next version. With `If-Match`, the request is refused when the edited
/// version is no longer the latest.
#[utoipa::path(
    put, path = "/api/v1/meetings/{id}/minutes", tag = "minutes", operation_id = "replace_minutes",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("If-Match" = Option<String>, Header, description = "The version that was edited, in quotes; the request is refused when it is no longer the latest")),
    request_body = Minutes,
    responses((status = 200, body = MinutesVersion, headers(("ETag" = String, description = "The new version, in quotes"))),
        (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "New minutes are being written, or the meeting has ended"),
        (status = 412, body = Problem, description = "There is a later version"), (status = 415, body = Problem),
        (status = 422, body = Problem)),
)]
async fn edit(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    known: Versions,
    Path(id): Path<MeetingId>,
    Body(minutes): Body<Minutes>,
) -> Result<Response, Problem> {
    // No version has the number 0: a tag of something else matches none.
    let based_on = known.goes_by().map(|version| u32::try_from(version).unwrap_or(0));
    let command = Command::EditMinutes { by: principal.actor(), based_on, minutes: Box::new(minutes) };
    let written = server.app().command(&principal, &id, command).await;
    let seq = written.map_err(|error| match error.refusal() {
        Some(quorate_contract::Refusal::MinutesOutdated { current, .. }) => {
            outdated(message!("server-minutes-changed"), current.unwrap_or(0).into())
        }
        _ => Problem::from(error).placed(&[("/minutes", "")]),
    })?;
    let version = find_event(&server, &id, seq, |body| match body {
        EventBody::MinutesWritten { version, .. } => Some(*version),
        _ => None,
    })
    .await?;
    let written = numbered(&look(&server, &id).await?, version)?;
    Ok(([(header::ETAG, etag(version.into()))], Json(written)).into_response())
}
