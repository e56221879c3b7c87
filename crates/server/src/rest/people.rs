//! The people at a meeting, who hosts, and whether the caller is there.

use axum::Json;
use axum::extract::State;
use quorate_app::{LivePresence, PersonEntry};
use quorate_contract::{Command, MeetingId, Person};
use quorate_core::Meeting;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::meeting_access::{ChangeReceipt, execute, look};
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(arrive, depart))
        .routes(routes!(hand_over))
        .routes(routes!(heartbeat))
}

/// The host of a meeting, who may be at the table or not.
#[derive(Debug, Serialize, ToSchema)]
struct MeetingHost {
    /// The id of a person or a participant: `p2`.
    id: String,
    /// The name.
    name: String,
    /// Whether the host is at the table.
    is_present: bool,
}

impl MeetingHost {
    fn of(meeting: &Meeting) -> Option<Self> {
        let id = match meeting.host() {
            Some(participant) => participant.to_string(),
            None => meeting.host_person.as_ref()?.id.clone(),
        };
        Some(Self { id, name: meeting.host_name()?, is_present: meeting.is_host_present() })
    }
}

/// The people and participants at the table of a meeting.
#[derive(Debug, Serialize, ToSchema)]
struct MeetingPeople {
    /// The people in the order in which they joined, then the participants.
    items: Vec<PersonEntry>,
    /// Always `null`: the list has one page.
    next_cursor: Option<String>,
    /// The host; `null` when there is none.
    host: Option<MeetingHost>,
    /// The sequence number of the last event of the meeting.
    last_seq: u64,
}

/// List the people and participants at the table
///
/// Each entry has a presence. A person who was active in the last 90 seconds is `online`, or `busy` if they
/// said so. A participant that is being asked is `busy`.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/people", tag = "people", operation_id = "list_people",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = MeetingPeople), (status = 404, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    Path(id): Path<MeetingId>,
) -> Result<Json<MeetingPeople>, Problem> {
    let meeting = look(&server, &id).await?;
    let items = server.app().people(&meeting).await?;
    Ok(Json(MeetingPeople {
        items,
        next_cursor: None,
        host: MeetingHost::of(&meeting),
        last_seq: meeting.seq,
    }))
}

/// A person at the table.
#[derive(Debug, Serialize, ToSchema)]
struct ArrivedPerson {
    /// The sequence number of the last event that the request caused.
    seq: u64,
    /// The caller, with the display name at this table.
    person: Person,
}

/// Join the table
///
/// Others see the caller in the list of people and can mention them by name. Sending a message also joins the
/// table. This takes no seat; for a seat, use `POST /api/v1/meetings/{id}/join`.
#[utoipa::path(
    put, path = "/api/v1/meetings/{id}/people/self", tag = "people", operation_id = "join_people",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = ArrivedPerson), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The meeting has ended, or the table is full")),
)]
async fn arrive(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
) -> Result<Json<ArrivedPerson>, Problem> {
    let by = principal.actor();
    let seq = execute(&server, &principal, &id, Command::Arrive { by }).await?;
    let own = principal.person();
    let person = look(&server, &id).await?.person(&own.id).cloned().unwrap_or(own);
    Ok(Json(ArrivedPerson { seq, person }))
}

/// Leave the table
///
/// The caller's messages stay. A guest also gives up the seat; an account or an agent keeps it (see `DELETE
/// /api/v1/meetings/{id}/join`).
#[utoipa::path(
    delete, path = "/api/v1/meetings/{id}/people/self", tag = "people", operation_id = "leave_people",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = ChangeReceipt), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The meeting has ended")),
)]
async fn depart(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
) -> Result<Json<ChangeReceipt>, Problem> {
    let command = Command::Depart { by: principal.actor(), person: principal.person().id };
    Ok(Json(ChangeReceipt { seq: execute(&server, &principal, &id, command).await? }))
}

/// A request to change the host.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct HandOverRequest {
    /// The id of a person at the table.
    person: String,
}

/// Change the host of a meeting
///
/// Makes a person at the table the host. The host can do this. While the host is not at the table, or a
/// participant hosts, callers with the scope `manage` can do it, too.
#[utoipa::path(
    put, path = "/api/v1/meetings/{id}/host", tag = "people", operation_id = "hand_over_host",
    params(("id" = String, Path, description = "The meeting, by id")),
    request_body(content = HandOverRequest, example = json!({"person": "ada"})),
    responses((status = 200, body = ChangeReceipt), (status = 400, body = Problem),
        (status = 403, body = Problem, description = "The caller is not the host"),
        (status = 404, body = Problem, description = "The person is not at the table"),
        (status = 409, body = Problem, description = "The meeting has ended"), (status = 415, body = Problem),
        (status = 422, body = Problem)),
)]
async fn hand_over(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<HandOverRequest>,
) -> Result<Json<ChangeReceipt>, Problem> {
    Ok(Json(ChangeReceipt { seq: server.app().hand_over(&principal, &id, request.person).await? }))
}

/// The caller's presence.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct OwnPresence {
    /// The presence.
    presence: LivePresence,
}

/// Set the caller's presence
///
/// The presence holds for 90 seconds and applies to all meetings. Any other request renews it: `busy` stays
/// `busy`, and `offline` becomes `online`.
#[utoipa::path(
    put, path = "/api/v1/me/presence", tag = "people", operation_id = "set_own_presence",
    request_body(content = OwnPresence, example = json!({"presence": "busy"})),
    responses((status = 200, body = OwnPresence), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn heartbeat(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Body(own): Body<OwnPresence>,
) -> Json<OwnPresence> {
    server.app().state_presence(&principal, own.presence);
    Json(own)
}
