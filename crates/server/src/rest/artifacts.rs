//! What a meeting delivers: decision record, tasks, risks, minutes, summary.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quorate_contract::{ArtifactKind, ArtifactVersion, Command, EventBody, MeetingId};
use quorate_core::{Artifact, Meeting};
use quorate_messages::message;
use quorate_views::latest_artifacts;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::meeting_access::{execute, find_event, look, there_are};
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(list, request)).routes(routes!(versions)).routes(routes!(one))
}

/// The artifacts of a meeting.
#[derive(Debug, Serialize, ToSchema)]
struct ArtifactList {
    /// The artifacts.
    items: Vec<Arc<Artifact>>,
    /// Always `null`: the list has one page.
    next_cursor: Option<String>,
    /// The artifacts that are being written.
    requested: Vec<RequestedArtifact>,
    /// The sequence number of the last event of the meeting.
    last_seq: u64,
}

/// An artifact that is being written.
#[derive(Debug, Serialize, ToSchema)]
struct RequestedArtifact {
    /// The kind.
    kind: ArtifactKind,
    /// The version that it will be.
    version: ArtifactVersion,
}

fn artifacts(m: &Meeting, items: Vec<Arc<Artifact>>) -> Json<ArtifactList> {
    let requested = m
        .artifact_requests
        .iter()
        .map(|(kind, version)| RequestedArtifact { kind: *kind, version: *version });
    Json(ArtifactList { items, next_cursor: None, requested: requested.collect(), last_seq: m.seq })
}

/// List artifacts
///
/// Returns the latest version of each artifact.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/artifacts", tag = "artifacts", operation_id = "list_artifacts",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = ArtifactList), (status = 404, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    Path(id): Path<MeetingId>,
) -> Result<Json<ArtifactList>, Problem> {
    let meeting = look(&server, &id).await?;
    Ok(artifacts(&meeting, latest_artifacts(&meeting)))
}

fn kind_of(text: &str) -> Result<ArtifactKind, Problem> {
    text.parse().map_err(|_| {
        let known = ArtifactKind::ALL.map(ArtifactKind::as_str).join(", ");
        Problem::not_found("artifact", text).hint(message!("server-kinds-are", %known))
    })
}

/// List the versions of an artifact
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/artifacts/{kind}", tag = "artifacts", operation_id = "list_artifact_versions",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("kind" = ArtifactKind, Path, description = "The kind of the artifact")),
    responses((status = 200, body = ArtifactList), (status = 404, body = Problem)),
)]
async fn versions(
    State(server): State<ServerState>,
    Path((id, kind)): Path<(MeetingId, String)>,
) -> Result<Json<ArtifactList>, Problem> {
    let kind = kind_of(&kind)?;
    let meeting = look(&server, &id).await?;
    let items = meeting.artifacts.iter().filter(|artifact| artifact.kind == kind).cloned().collect();
    Ok(artifacts(&meeting, items))
}

/// Get a version of an artifact
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/artifacts/{kind}/{version}", tag = "artifacts", operation_id = "get_artifact",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("kind" = ArtifactKind, Path, description = "The kind of the artifact"),
        ("version" = String, Path, description = "The version: `v1`, or `latest`")),
    responses((status = 200, body = Artifact), (status = 404, body = Problem)),
)]
async fn one(
    State(server): State<ServerState>,
    Path((id, kind, version)): Path<(MeetingId, String, String)>,
) -> Result<Json<Arc<Artifact>>, Problem> {
    let kind = kind_of(&kind)?;
    let meeting = look(&server, &id).await?;
    let mut own = meeting.artifacts.iter().filter(|artifact| artifact.kind == kind);
    let found = match version.as_str() {
        "latest" => own.next_back(),
        version => own.find(|artifact| artifact.version.to_string() == version),
    };
    found.cloned().map(Json).ok_or_else(|| {
        let own = meeting.artifacts.iter().filter(|artifact| artifact.kind == kind);
        let known: Vec<String> = own.map(|artifact| artifact.version.to_string()).collect();
        Problem::not_found("version of this artifact", &version).hint(match known.is_empty() {
            true => message!("server-request-artifact"),
            false => there_are(&known),
        })
    })
}

/// A request for an artifact.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewArtifact {
    /// The kind of artifact.
    kind: ArtifactKind,
}

/// An artifact that was requested.
#[derive(Debug, Serialize, ToSchema)]
struct RequestedArtifactVersion {
    /// The sequence number of the last event that the request caused.
    seq: u64,
    /// The kind.
    kind: ArtifactKind,
    /// The version that it will be.
    version: ArtifactVersion,
}

/// Request an artifact
///
/// The artifact is written before the meeting ends. The event `artifact_written` follows when it has passed
/// the gate; for minutes, `minutes_written`.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/artifacts", tag = "artifacts", operation_id = "request_artifact",
    params(("id" = String, Path, description = "The meeting, by id")),
    request_body(content = NewArtifact, example = json!({"kind": "RISKS"})),
    responses((status = 202, body = RequestedArtifactVersion), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The artifact is already being written, or the meeting has no messages"),
        (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn request(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(new): Body<NewArtifact>,
) -> Result<(StatusCode, Json<RequestedArtifactVersion>), Problem> {
    let kind = new.kind;
    let seq =
        execute(&server, &principal, &id, Command::WriteArtifact { by: principal.actor(), kind }).await?;
    let version = find_event(&server, &id, seq, |body| match body {
        EventBody::ArtifactRequested { version, .. } => Some(*version),
        EventBody::MinutesRequested { version, .. } => Some(ArtifactVersion(*version)),
        _ => None,
    })
    .await?;
    Ok((StatusCode::ACCEPTED, Json(RequestedArtifactVersion { seq, kind, version })))
}
