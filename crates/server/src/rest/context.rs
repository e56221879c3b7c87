//! How the caller takes a seat and gives it up, and what an agent reads about a meeting.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use quorate_app::{
    Agent, OwnSeat, PersonEntry, PersonKind, RegisterAgentRequest, Transport, facilitates, seat_of, viewer_of,
};
use quorate_contract::{Actor, FloorMode, Format, Language, MeetingId, PauseReason, RoundKind};
use quorate_core::{Meeting, MeetingMessage, MeetingState, RunState};
use quorate_messages::message;
use quorate_views::ParticipantView;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::meeting_access::{ChangeReceipt, look};
use crate::access::{Principal, SignedIn};
use crate::api_router::{ApiRouter, routes};
use crate::connections::delivered::{OnDelivered, watched};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path, Query};
use crate::state::ServerState;

/// The most messages of one answer.
const MESSAGES_MAX: usize = 200;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(register)).routes(routes!(join, leave)).routes(routes!(context))
}

/// Register the calling agent
///
/// Creates the agent, or updates its introduction. The access token identifies the agent: it was created with
/// `agent`.
#[utoipa::path(
    put, path = "/api/v1/agents/self", tag = "agents", operation_id = "register_agent", request_body = RegisterAgentRequest,
    responses((status = 200, body = Agent), (status = 422, body = Problem)),
)]
async fn register(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Body(introduction): Body<RegisterAgentRequest>,
) -> Result<Json<Agent>, Problem> {
    Ok(Json(server.app().register_agent(&principal, introduction).await?))
}

/// A request for a seat. An agent takes its seat as it is registered, without these fields.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct TakeSeatRequest {
    /// The name at the table; the caller's own name when left out.
    #[schema(min_length = 1, max_length = 50)]
    name: Option<String>,
    /// The name of the role; the role of a person when left out.
    #[schema(max_length = 50)]
    role: Option<String>,
}

/// The caller's seat.
#[derive(Debug, Serialize, ToSchema)]
struct JoinedMeeting {
    /// The meeting.
    meeting: MeetingId,
    /// The caller's name at the table.
    name: String,
}

/// Take a seat in a meeting
///
/// An agent, or a person with an account, is then asked in turn; see `GET /api/v1/turns`. A caller who
/// already has a seat keeps it. Guests get a seat from an invitation that offers one.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/join", tag = "participants", operation_id = "take_seat",
    params(("id" = String, Path, description = "The meeting, by id")), request_body = TakeSeatRequest,
    responses((status = 200, body = JoinedMeeting), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem)),
)]
async fn join(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<TakeSeatRequest>,
) -> Result<Json<JoinedMeeting>, Problem> {
    let wanted = OwnSeat { name: request.name, role: request.role.unwrap_or_default() };
    let joined = server.app().join_meeting(&principal, &id, wanted).await;
    let name = joined.map_err(|error| Problem::from(error).placed(SEAT_PLACES))?;
    Ok(Json(JoinedMeeting { meeting: id, name }))
}

/// Where the parts of a seat stand in the body.
const SEAT_PLACES: &[(&str, &str)] =
    &[("/participant/name", "/name"), ("/participant/role/name", "/role"), ("/participant", "")];

/// Give up the caller's seat
///
/// The messages of the seat stay.
#[utoipa::path(
    delete, path = "/api/v1/meetings/{id}/join", tag = "participants", operation_id = "give_up_seat",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = ChangeReceipt), (status = 404, body = Problem), (status = 409, body = Problem)),
)]
async fn leave(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
) -> Result<Json<ChangeReceipt>, Problem> {
    Ok(Json(ChangeReceipt { seq: server.app().leave_meeting(&principal, &id).await? }))
}

/// From where on a meeting is read.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ContextQuery {
    /// The `cursor` of an earlier response, at most the sequence number of the last event. When left out: for an agent, what
    /// it has been given last at this meeting without `after`; for other callers, their last message.
    #[param(maximum = 9223372036854775807u64)]
    pub(crate) after: Option<u64>,
    /// The most messages to return.
    #[param(minimum = 0, maximum = 200, default = 200)]
    pub(crate) limit: Option<usize>,
    /// The most characters of messages to return, counted in their JSON form: messages stay whole, and the first one is
    /// always returned.
    #[param(minimum = 1)]
    pub(crate) max_characters: Option<usize>,
    /// Whether to return all messages from the beginning, in place of `after`.
    #[serde(default)]
    pub(crate) from_start: bool,
}

/// The subject and state of a meeting.
#[derive(Debug, Serialize, ToSchema)]
struct MeetingHeader {
    /// The meeting.
    id: MeetingId,
    /// The question.
    topic: String,
    /// The background of the question; may be empty.
    background: String,
    /// The language of the meeting.
    language: Language,
    /// The format of the meeting, which set the defaults of its rules.
    format: Format,
    /// The state.
    state: MeetingState,
    /// The reason of the pause; `null` when the meeting is not paused.
    pause: Option<PauseReason>,
    /// The number of the current round; `null` between rounds.
    round: Option<u32>,
    /// The latest announcement; `null` when there is none.
    announcement: Option<String>,
    /// Who speaks next: each in turn, or those to whom the host gives the floor.
    floor: FloorMode,
    /// The name of the host; `null` when nobody hosts.
    host: Option<String>,
}

/// What a participant needs to know about a meeting.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MeetingContext {
    /// The meeting.
    meeting: MeetingHeader,
    /// The participants, with their presence.
    participants: Vec<ParticipantView>,
    /// The people of the meeting who have no seat, by the names by which they are mentioned.
    people: Vec<PersonEntry>,
    /// Whether the caller is asked at this meeting: for a seat, or as the facilitator.
    is_asked: bool,
    /// The messages, oldest first. Blind answers of others are left out until their round has ended.
    messages: Vec<Arc<MeetingMessage>>,
    /// Whether there are more messages: request them with `after` set to `cursor`, or, if `continues` is true, without
    /// `after`.
    has_more: bool,
    /// Whether the server keeps where this page ends, so that the next request without `after` continues there. It does so for
    /// an agent that leaves out `after` and `from_start`.
    continues: bool,
    /// The value of `after` for the messages that follow, without gaps or duplicates.
    cursor: u64,
}

/// Get the context of a meeting
///
/// Returns what a participant needs to know: what the meeting is about, who takes part, and messages. An agent that leaves
/// out `after` is given what it has not been given yet at this meeting, also after a restart; the server notes it when
/// the response has been handed to the connection. Two such requests at the same time may be given the same page. Other callers
/// read on from their own last message.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/context", tag = "messages", operation_id = "get_context",
    params(("id" = String, Path, description = "The meeting, by id"), ContextQuery),
    responses((status = 200, body = MeetingContext), (status = 404, body = Problem), (status = 422, body = Problem)),
)]
async fn context(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Query(query): Query<ContextQuery>,
    transport: Option<Extension<Transport>>,
) -> Result<Response, Problem> {
    let (context, on_delivered) = meeting_context(&server, &principal, &id, &query).await?;
    let mut response = Json(context).into_response();
    let Some(on_delivered) = on_delivered else { return Ok(response) };
    Ok(match transport {
        // The tool hands it on, in a response of its own.
        Some(Extension(Transport::Mcp)) => {
            response.extensions_mut().insert(on_delivered);
            response
        }
        _ => response.map(|body| watched(body, on_delivered)),
    })
}

/// The context of a meeting for one reader, and what is to be done when it has been handed to the connection.
///
/// # Errors
/// When the meeting cannot be read, or the query asks for what there is not.
pub(crate) async fn meeting_context(
    server: &ServerState,
    principal: &Principal,
    id: &MeetingId,
    query: &ContextQuery,
) -> Result<(MeetingContext, Option<OnDelivered>), Problem> {
    let meeting = look(server, id).await?;
    let own = seat_of(&meeting, principal).map(|seat| seat.participant.id);
    let is_own = |said: &MeetingMessage| match (&said.speaker, own) {
        (Actor::Participant { id }, Some(own)) => *id == own,
        (Actor::Person { .. }, None) => said.speaker == principal.actor(),
        _ => false,
    };
    if let Some(seen) = query.after.filter(|after| *after > meeting.seq) {
        let detail = message!("server-beyond-last-event", %seen, last = %meeting.seq);
        return Err(Problem::invalid("after", detail, message!("server-context-after-hint")));
    }
    let limit = query.limit.unwrap_or(MESSAGES_MAX);
    if limit > MESSAGES_MAX {
        let detail = message!("server-context-limit", limit = %limit);
        return Err(Problem::invalid(
            "limit",
            detail,
            message!("server-context-limit-hint", most = %MESSAGES_MAX),
        ));
    }
    let given = server.app().context_cursor(principal, id).await?;
    let (after, continues) = match (query.from_start, query.after, given) {
        (true, _, _) => (0, false),
        (false, Some(after), _) => (after, false),
        // A log that was restored may be shorter than it was.
        (false, None, Some(given)) => (given.min(meeting.seq), true),
        (false, None, None) => (after_own(&meeting, is_own), false),
    };
    let mut people = server.app().people(&meeting).await?;
    people.retain(|person| person.kind != PersonKind::Participant && person.seat.is_none());
    // Also who has no seat reads here what a participant reads in order to answer.
    let reader = viewer_of(&meeting, principal).as_participant();
    let from = meeting.said.partition_point(|said| said.seq <= after);
    // What is withheld now is read later, and all after it: the cursor stays before it.
    let mut shown = meeting.said[from..].iter().take_while(|said| !reader.is_withheld(said)).peekable();
    let mut room = query.max_characters.unwrap_or(usize::MAX);
    let mut messages = Vec::new();
    while let Some(said) = shown.peek().filter(|_| messages.len() < limit) {
        if query.max_characters.is_some() {
            let size = serde_json::to_string(said).map_or(0, |text| text.chars().count());
            if size > room && !messages.is_empty() {
                break;
            }
            room = room.saturating_sub(size);
        }
        messages.extend(shown.next().map(Arc::clone));
    }
    let cursor = messages.last().map_or(after, |said| said.seq);
    let has_more = shown.peek().is_some();
    let header = MeetingHeader {
        id: meeting.id.clone(),
        topic: meeting.settings.topic.clone(),
        background: meeting.settings.background.clone(),
        language: meeting.language(),
        format: meeting.settings.format,
        state: MeetingState::of(&meeting),
        pause: match meeting.run_state {
            RunState::Paused { reason, .. } => Some(reason),
            RunState::Running | RunState::PauseRequested { .. } => None,
        },
        round: meeting.round().map(|round| round.number),
        announcement: meeting.announcements.last().map(|announced| announced.text.clone()),
        floor: meeting.rules().turns.floor,
        host: meeting.host_name(),
    };
    let participants = meeting.seats.iter().map(|seat| ParticipantView::of(seat, reader));
    let context = MeetingContext {
        meeting: header,
        participants: participants.collect(),
        people,
        is_asked: own.is_some() || facilitates(&meeting, principal),
        messages,
        has_more,
        continues,
        cursor,
    };
    if !continues || cursor == after {
        return Ok((context, None));
    }
    let (app, principal, id) = (server.app().clone(), principal.clone(), id.clone());
    let on_delivered = OnDelivered::new(move || app.advance_context_cursor(&principal, &id, cursor));
    Ok((context, Some(on_delivered)))
}

/// From where a participant reads on: its own last message. What the others answered in a blind round it has not
/// read, so after an answer of its own there it reads on from the beginning of that round.
fn after_own(meeting: &Meeting, is_own: impl Fn(&MeetingMessage) -> bool) -> u64 {
    let Some(last) = meeting.said.iter().rev().find(|said| is_own(said)) else { return 0 };
    let is_blind =
        |round: u32| meeting.rounds.iter().any(|held| held.number == round && held.kind == RoundKind::Blind);
    if !is_blind(last.round) {
        return last.seq;
    }
    let is_answer =
        |said: &&Arc<MeetingMessage>| said.round == last.round && said.speaker.as_participant().is_some();
    meeting.said.iter().find(is_answer).map_or(last.seq, |first| first.seq - 1)
}
