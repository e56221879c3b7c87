//! The people at a meeting, who hosts, and whether the caller is there.

use axum::Json;
use axum::extract::State;
use quorate_app::{LivePresence, PersonEntry};
use quorate_contract::{Command, MeetingId, Person};
use quorate_core::Meeting;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::meeting_access::{Done, execute, look};
use crate::access::SignedIn;
use crate::body::{Body, Path};
use crate::problem::Problem;
use crate::state::ServerState;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(arrive, depart))
        .routes(routes!(hand_over))
        .routes(routes!(heartbeat))
}

/// Who hosts a meeting, at the table or not.
#[derive(Debug, Serialize, ToSchema)]
struct MeetingHost {
    /// A person's id, or a participant's: `p2`.
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

/// The people and the participants of a meeting.
#[derive(Debug, Serialize, ToSchema)]
struct MeetingPeople {
    /// The people at the table in the order in which they came, then the participants.
    items: Vec<PersonEntry>,
    /// The host; `null` when nobody hosts.
    host: Option<MeetingHost>,
    /// The last event of the meeting, by its sequence number.
    last_seq: u64,
}

/// Who is at the table
///
/// With whether each is there: whoever was seen in the last 90 seconds is `online`, or `busy` when they say so. A
/// participant that is being asked is `busy`.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/people", tag = "people", operation_id = "list_people",
    params(("id" = String, Path, description = "The meeting")),
    responses((status = 200, body = MeetingPeople), (status = 404, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    Path(id): Path<MeetingId>,
) -> Result<Json<MeetingPeople>, Problem> {
    let meeting = look(&server, &id).await?;
    let items = server.app().people(&meeting);
    Ok(Json(MeetingPeople { items, host: MeetingHost::of(&meeting), last_seq: meeting.seq }))
}

/// A person at the table.
#[derive(Debug, Serialize, ToSchema)]
struct ArrivedPerson {
    /// The last event that followed, by its sequence number.
    seq: u64,
    /// The caller, with the name that they have at this table.
    person: Person,
}

/// Join the people at the table
///
/// Others see the caller there, and can mention them by name. Whoever speaks joins by that. It takes no seat: see
/// `POST /api/v1/meetings/{id}/join` for one.
#[utoipa::path(
    put, path = "/api/v1/meetings/{id}/people/self", tag = "people", operation_id = "join_people",
    params(("id" = String, Path, description = "The meeting")),
    responses((status = 200, body = ArrivedPerson), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The meeting is over, or there is room for no more")),
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

/// Leave the people at the table; what was said stays
///
/// A guest gives up their seat with it. Anyone else keeps it: see `DELETE /api/v1/meetings/{id}/join`.
#[utoipa::path(
    delete, path = "/api/v1/meetings/{id}/people/self", tag = "people", operation_id = "leave_people",
    params(("id" = String, Path, description = "The meeting")),
    responses((status = 200, body = Done), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The meeting is over")),
)]
async fn depart(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
) -> Result<Json<Done>, Problem> {
    let command = Command::Depart { by: principal.actor(), person: principal.person().id };
    Ok(Json(Done { seq: execute(&server, &principal, &id, command).await? }))
}

/// Who is to host.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct HandOverRequest {
    /// A person at the table, by id.
    person: String,
}

/// Hand over as host
///
/// To a person at the table. Only the host does it; while they are not at the table, and in the place of a participant,
/// also whoever manages the meeting.
#[utoipa::path(
    put, path = "/api/v1/meetings/{id}/host", tag = "people", operation_id = "hand_over_host",
    params(("id" = String, Path, description = "The meeting")),
    request_body(content = HandOverRequest, example = json!({"person": "ada"})),
    responses((status = 200, body = Done), (status = 400, body = Problem),
        (status = 403, body = Problem, description = "The caller does not host"),
        (status = 404, body = Problem, description = "The person is not at the table"),
        (status = 409, body = Problem, description = "The meeting is over"), (status = 415, body = Problem),
        (status = 422, body = Problem)),
)]
async fn hand_over(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<HandOverRequest>,
) -> Result<Json<Done>, Problem> {
    Ok(Json(Done { seq: server.app().hand_over(&principal, &id, request.person).await? }))
}

/// Whether the caller is there.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct OwnPresence {
    /// The presence.
    presence: LivePresence,
}

/// Say whether one is there
///
/// It holds for 90 seconds, at all meetings. Every other request says so, too: whoever is `busy` stays so, whoever was
/// `offline` is back.
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
