//! Routes of participants.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quorate_app::{ParticipantEntry, viewer_of};
use quorate_contract::{
    Command, EventBody, MeetingId, ModelParameters, Presence, Refusal, Role, Temperament,
};
use quorate_core::Meeting;
use quorate_messages::message;
use quorate_views::ParticipantView;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::meeting_access::{ChangeReceipt, execute, find_event, look};
use super::pagination::MeetingItems;
use crate::access::{Principal, SignedIn};
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(list, join)).routes(routes!(one, change, leave))
}

/// List participants
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/participants", tag = "participants", operation_id = "list_participants",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = MeetingItems<ParticipantView>), (status = 404, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
) -> Result<Json<MeetingItems<ParticipantView>>, Problem> {
    let meeting = look(&server, &id).await?;
    let reader = viewer_of(&meeting, &principal);
    let items = meeting.seats.iter().map(|seat| ParticipantView::of(seat, reader));
    Ok(Json(MeetingItems::whole(items, meeting.seq)))
}

/// Get a participant
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/participants/{participant}", tag = "participants",
    operation_id = "get_participant",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("participant" = String, Path, description = "The participant, by id (`p2`) or name")),
    responses((status = 200, body = ParticipantView), (status = 404, body = Problem)),
)]
async fn one(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path((id, participant)): Path<(MeetingId, String)>,
) -> Result<Json<ParticipantView>, Problem> {
    let meeting = look(&server, &id).await?;
    view(&meeting, &participant, &principal).map(Json)
}

fn view(m: &Meeting, name_or_id: &str, principal: &Principal) -> Result<ParticipantView, Problem> {
    let all = || m.seats.iter().filter(|seat| seat.participant.name == name_or_id);
    let by_id = || m.seats.iter().find(|seat| seat.participant.id.to_string() == name_or_id);
    let seat = all().find(|seat| seat.present).or_else(by_id).or_else(|| all().next_back());
    let present = || m.present().map(|seat| seat.participant.name.clone()).collect();
    let seat = seat.ok_or_else(|| {
        Problem::from(Refusal::NoSuchParticipant { name: name_or_id.to_owned(), present: present() })
    })?;
    Ok(ParticipantView::of(seat, viewer_of(m, principal)))
}

/// A request to add a participant: an agent of the library (`agent`), a participant described in one sentence
/// (`description`), or one defined by `name` and further fields.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct NewParticipant {
    /// An agent of the library, by name; no other field may be set with it.
    agent: Option<String>,
    /// One sentence from which the facilitator drafts a participant; no other field may be set with it.
    #[schema(min_length = 1, max_length = 2000)]
    description: Option<String>,
    /// The name, unique within the meeting.
    #[schema(min_length = 1, max_length = 50)]
    name: Option<String>,
    /// The role; when left out, one is chosen.
    role: Option<Role>,
    /// The model, `provider/name`, or what answers in its place: `process/name`, or a coding agent, `acp/name` or
    /// `acp/name/folder`. When left out, a model of the other participants.
    model: Option<String>,
    /// The fallback model, `provider/name`, which answers when the model cannot; `none` for no fallback.
    fallback: Option<String>,
    /// The sampling parameters of the model.
    parameters: ModelParameters,
    /// The behaviour of a simulated participant; set this instead of `model`.
    temperament: Option<Temperament>,
    /// The skip list: when every message since the participant's last message is one of these phrases, its
    /// turn is skipped without a call. A phrase that begins with `/` or `!` is a command and also matches
    /// with anything after it.
    #[schema(max_items = 50)]
    skip_list: Vec<String>,
}

impl NewParticipant {
    fn entry(self) -> ParticipantEntry {
        let Self { agent, description: _, name, role, model, fallback, parameters, temperament, skip_list } =
            self;
        let blank = ParticipantEntry::named(&name.unwrap_or_default());
        ParticipantEntry { agent, role, model, fallback, parameters, temperament, skip_list, ..blank }
    }

    /// A description stands alone; otherwise an agent or a name is required.
    fn check(&self) -> Result<(), Problem> {
        let Self { agent, description, name, role, model, fallback, parameters, temperament, skip_list } =
            self;
        let own = name.is_some() || role.is_some() || model.is_some() || fallback.is_some();
        let own = own
            || temperament.is_some()
            || !skip_list.is_empty()
            || *parameters != ModelParameters::default();
        let hint = message!("server-who-joins-hint");
        match (agent, description) {
            (Some(_), Some(_)) => {
                Err(Problem::invalid("description", message!("server-agent-described"), hint))
            }
            (None, Some(_)) | (Some(_), None) if own => {
                let field = if agent.is_some() { "agent" } else { "description" };
                Err(Problem::invalid(field, message!("server-stands-alone"), hint))
            }
            (None, None) if name.is_none() => {
                Err(Problem::invalid("name", message!("server-nobody-named"), hint))
            }
            _ => Ok(()),
        }
    }
}

/// A participant who has joined.
#[derive(Debug, Serialize, ToSchema)]
struct JoinedParticipant {
    /// The sequence number of the last event that the request caused.
    seq: u64,
    /// Who.
    participant: ParticipantView,
}

/// A participant whose profile the facilitator is writing.
#[derive(Debug, Serialize, ToSchema)]
struct RequestedParticipant {
    /// The sequence number of the last event that the request caused.
    seq: u64,
    /// The number of the request; the event `participant_joined` names it as `invitation`.
    invitation: u32,
}

/// Where the parts of a newcomer stand in the body.
const PLACES: &[(&str, &str)] = &[
    ("/participants/0", ""),
    ("/participant/temperature", "/parameters/temperature"),
    ("/participant/top_p", "/parameters/top_p"),
    ("/participant/max_tokens", "/parameters/max_tokens"),
    ("/participant", ""),
];

/// Add a participant
///
/// The participant joins at once (201). A participant described in one sentence joins as soon as the
/// facilitator has written its profile (202).
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/participants", tag = "participants", operation_id = "add_participant",
    params(("id" = String, Path, description = "The meeting, by id")),
    request_body(content = NewParticipant, example = json!({"name": "Dora", "temperament": "stubborn"})),
    responses((status = 201, body = JoinedParticipant, headers(("Location" = String, description = "The URL of the participant"))),
        (status = 202, body = RequestedParticipant), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem),
        (status = 502, body = Problem)),
)]
async fn join(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(new): Body<NewParticipant>,
) -> Result<Response, Problem> {
    new.check()?;
    let by = principal.actor();
    if let Some(description) = new.description {
        let seq = execute(&server, &principal, &id, Command::Invite { by, description }).await?;
        let invitation = find_event(&server, &id, seq, |body| match body {
            EventBody::ParticipantInvited { invitation, .. } => Some(*invitation),
            _ => None,
        })
        .await?;
        return Ok((StatusCode::ACCEPTED, Json(RequestedParticipant { seq, invitation })).into_response());
    }
    let meeting = look(&server, &id).await?;
    let newcomer = server.app().newcomer(new.entry(), &meeting).await;
    let newcomer = newcomer.map_err(|error| Problem::from(error).placed(PLACES))?;
    let command = Command::Join { by, newcomer: Box::new(newcomer) };
    let seq = execute(&server, &principal, &id, command).await.map_err(|problem| problem.placed(PLACES))?;
    let who = find_event(&server, &id, seq, |body| match body {
        EventBody::ParticipantJoined { participant, .. } => Some(participant.id),
        _ => None,
    })
    .await?
    .to_string();
    let participant = view(&look(&server, &id).await?, &who, &principal)?;
    let place = format!("/api/v1/meetings/{id}/participants/{who}");
    let place = HeaderValue::from_str(&place).unwrap_or(HeaderValue::from_static("/api/v1/meetings"));
    Ok((StatusCode::CREATED, [(header::LOCATION, place)], Json(JoinedParticipant { seq, participant }))
        .into_response())
}

/// A change of a participant. What is left out, or `null`, stays.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct ParticipantChange {
    /// Whether it can be asked: `online`, `offline`.
    presence: Option<Presence>,
    /// What it need not be asked about from its next turn on, as in `POST …/participants`; `[]` for nothing.
    #[schema(max_items = 50)]
    skip_list: Option<Vec<String>>,
}

/// Change the presence or the skip list of a participant
#[utoipa::path(
    patch, path = "/api/v1/meetings/{id}/participants/{participant}", tag = "participants",
    operation_id = "update_participant",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("participant" = String, Path, description = "The participant, by id (`p2`) or name")),
    request_body(content = ParticipantChange, example = json!({"skip_list": ["ok", "/status"]})),
    responses((status = 200, body = ChangeReceipt), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn change(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path((id, participant)): Path<(MeetingId, String)>,
    Body(change): Body<ParticipantChange>,
) -> Result<Json<ChangeReceipt>, Problem> {
    let ParticipantChange { presence, skip_list } = change;
    let by = principal.actor();
    let command = Command::ChangeParticipant { by, participant, presence, skip_list };
    Ok(Json(ChangeReceipt { seq: execute(&server, &principal, &id, command).await? }))
}

/// Remove a participant
///
/// The participant's messages stay.
#[utoipa::path(
    delete, path = "/api/v1/meetings/{id}/participants/{participant}", tag = "participants",
    operation_id = "remove_participant",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("participant" = String, Path, description = "The participant, by id (`p2`) or name")),
    responses((status = 200, body = ChangeReceipt), (status = 404, body = Problem), (status = 409, body = Problem)),
)]
async fn leave(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path((id, participant)): Path<(MeetingId, String)>,
) -> Result<Json<ChangeReceipt>, Problem> {
    let command = Command::Leave { by: principal.actor(), participant };
    Ok(Json(ChangeReceipt { seq: execute(&server, &principal, &id, command).await? }))
}
