//! Routes that list, show, create and delete meetings.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quorate_app::{
    App, CreateMeetingRequest, ForkOrigin, Listed, MeetingFilter, MeetingLabels, ModelChoice, WaitingFor,
    viewer_of,
};
use quorate_contract::{Format, Language, MeetingId, Timestamp};
use quorate_core::{MeetingState, ProviderWait};
use quorate_messages::message;
use quorate_views::{FaultView, MeetingView};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::etag::{Versions, tagged};
use super::meeting_access::{MeetingStatus, look, look_to_compute};
use super::meeting_view::{fault_view, meeting_view};
use super::pagination::{ItemPage, limit};
use crate::access::{Principal, SignedIn};
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::content_language::ReaderLanguage;
use crate::requests::extract::{Body, Path, Query};
use crate::state::ServerState;

/// The most messages that a view holds.
const MESSAGES_MAX: usize = 500;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(list, create)).routes(routes!(one, delete))
}

/// Create a meeting
///
/// The meeting is created as a draft. The shortest request is `{"topic": "SQLite or PostgreSQL?", "simulate":
/// true}`. Start the meeting with `POST /api/v1/meetings/{id}/start`.
#[utoipa::path(
    post, path = "/api/v1/meetings", tag = "meetings", operation_id = "create_meeting",
    request_body(content = CreateMeetingRequest, example = json!({
        "topic": "Should our service use SQLite or PostgreSQL?", "format": "consensus", "simulate": true, "seed": 5
    })),
    responses(
        (status = 201, body = CreatedMeeting, headers(("Location" = String, description = "The URL of the meeting"))),
        (status = 400, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem),
        (status = 422, body = Problem, description = "A field is missing or not valid; `errors` points at it"),
        (status = 502, body = Problem, description = "A provider did not list its models"),
        (status = 503, body = Problem),
    ),
)]
async fn create(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Body(new): Body<CreateMeetingRequest>,
) -> Result<Response, Problem> {
    App::may_allow_tools(&principal, &new)?;
    let (handle, chosen) = server.app().create_and_tell(&principal.actor(), &new).await?;
    let meeting = look(&server, handle.id()).await?;
    let participants = meeting.seats.iter().map(|seat| CreatedParticipant {
        name: seat.participant.name.clone(),
        runner: seat.participant.runner.label(),
    });
    let made =
        CreatedMeeting { participants: participants.collect(), chosen, status: MeetingStatus::of(&meeting) };
    Ok(created(handle.id(), &made))
}

/// A new meeting, and where it is.
pub(crate) fn created(id: &MeetingId, body: &impl Serialize) -> Response {
    let place = format!("/api/v1/meetings/{id}");
    let place = HeaderValue::from_str(&place).unwrap_or(HeaderValue::from_static("/api/v1/meetings"));
    (StatusCode::CREATED, [(header::LOCATION, place)], Json(body)).into_response()
}

/// A new meeting, with its participants and the models that answer for them.
#[derive(Debug, Serialize, ToSchema)]
struct CreatedMeeting {
    #[serde(flatten)]
    status: MeetingStatus,
    /// The participants in the order of joining; empty while a team is being assembled.
    participants: Vec<CreatedParticipant>,
    /// The models that were chosen because the request names none, and why: for the participants in turn, and
    /// for the facilitator.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<ModelChoice>,
}

/// A participant and the model that answers for it.
#[derive(Debug, Serialize, ToSchema)]
struct CreatedParticipant {
    /// The participant's name.
    name: String,
    /// What answers for the participant: `openai/gpt-5-mini`, `simulated/…`, `process/reviewer`.
    runner: String,
}

/// Which meetings are asked for; all conditions that are given must hold.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MeetingsQuery {
    /// The states, separated by commas.
    #[param(value_type = Option<Vec<MeetingState>>, style = Form, explode = false)]
    state: Option<String>,
    /// The format with which meetings were created.
    format: Option<Format>,
    /// A text in the title, the topic or the description, in upper or lower case.
    #[param(min_length = 1, max_length = 200)]
    q: Option<String>,
    /// The name of an agent: meetings at which it has, or had, a seat. Those off the record are not among them.
    agent: Option<String>,
    /// A tag of the meetings, in upper or lower case.
    #[param(min_length = 1, max_length = 40)]
    tag: Option<String>,
    /// Whether meetings have simulated participants.
    simulated: Option<bool>,
    /// The earliest time of creation (RFC 3339), inclusive.
    created_after: Option<Timestamp>,
    /// The latest time of creation (RFC 3339), exclusive.
    created_before: Option<Timestamp>,
    /// The largest number of items on the page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u32>,
    /// The `next_cursor` of the previous page.
    cursor: Option<String>,
}

/// A meeting in a list.
#[derive(Debug, Serialize, ToSchema)]
struct MeetingListItem {
    /// The meeting.
    id: MeetingId,
    /// Whether the meeting is off the record: it is not stored on disk, and is lost when it is deleted or the
    /// server stops.
    off_record: bool,
    /// Whether an event of the meeting is damaged. The meeting can be read up to that event.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    damaged: bool,
    /// The question.
    topic: String,
    /// The title, or the topic when the meeting has none.
    title: String,
    /// The purpose of the meeting; may be empty.
    description: String,
    /// The tags that people put on it.
    tags: Vec<String>,
    /// The origin of a fork; `null` for other meetings.
    forked_from: Option<ForkOrigin>,
    /// The language: `zh` or `en`.
    language: String,
    /// The format of the meeting, which set the defaults of its rules.
    format: String,
    /// The state.
    state: MeetingState,
    /// The outcome, such as `accepted`, `converged`, `completed` or `aborted(round_limit)`; `null` before the
    /// end.
    outcome: Option<String>,
    /// The first line of the conclusion, without Markdown and at most 200 characters long; `null` before there is one.
    conclusion_line: Option<String>,
    /// Whether any participant or the facilitator is or was simulated.
    simulated: bool,
    /// The number of participants.
    participants: u32,
    /// When the meeting was created.
    created_at: Timestamp,
    /// When the last event happened.
    updated_at: Timestamp,
    /// The sequence number of the last event.
    last_seq: u64,
    /// The reason why the meeting is quarantined; absent when it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultView>,
    /// The wait for providers, while no model of the meeting is reachable; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_wait: Option<Arc<ProviderWait>>,
    /// Whom the meeting waits for: people who are to answer its pause, or whose turn it is; absent when it waits for nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting_for: Option<WaitingFor>,
}

impl MeetingListItem {
    async fn of(
        server: &ServerState,
        Listed { row, off_record }: Listed,
        principal: &Principal,
        language: Language,
    ) -> Self {
        let shows_detail = principal.visibility().fault_detail();
        Self {
            waiting_for: server.app().waiting_for(&row, principal).await,
            fault: fault_view(server, &row.id, shows_detail, language),
            damaged: server.app().damage(&row.id).is_some(),
            provider_wait: server.app().provider_wait(&row.id),
            id: row.id,
            off_record,
            topic: row.topic,
            title: row.title,
            description: row.description,
            tags: row.tags,
            forked_from: row.forked_from,
            language: row.language,
            format: row.format,
            state: row.state,
            outcome: row.outcome,
            conclusion_line: row.conclusion_line,
            simulated: row.simulated,
            participants: row.participants,
            created_at: row.created_ms,
            updated_at: row.updated_ms,
            last_seq: row.events,
        }
    }
}

/// List meetings
///
/// The newest comes first. Meetings that are created or deleted between two pages cause neither gaps nor
/// duplicates. Meetings with a password are listed only for callers with the scope `manage`.
#[utoipa::path(
    get, path = "/api/v1/meetings", tag = "meetings", operation_id = "list_meetings", params(MeetingsQuery),
    responses((status = 200, body = ItemPage<MeetingListItem>), (status = 422, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    ReaderLanguage(language): ReaderLanguage,
    Query(wanted): Query<MeetingsQuery>,
) -> Result<Json<ItemPage<MeetingListItem>>, Problem> {
    let limit = limit(wanted.limit, 50, 200)?;
    let cursor = wanted.cursor.clone();
    let filter = MeetingFilter { unlocked: !principal.sees_all(), ..filter(wanted)? };
    let page = server.app().page(filter, cursor.as_deref(), limit).await?;
    let mut items = Vec::with_capacity(page.items.len());
    for listed in page.items {
        items.push(MeetingListItem::of(&server, listed, &principal, language).await);
    }
    Ok(Json(ItemPage { items, next_cursor: page.next }))
}

/// The states with these names, which commas separate.
pub(super) fn states(given: Option<&str>) -> Result<Vec<MeetingState>, Problem> {
    let names = given.into_iter().flat_map(|names| names.split(',')).map(str::trim);
    let state = |name: &str| {
        MeetingState::named(name).ok_or_else(|| {
            let known = MeetingState::ALL.map(MeetingState::as_str).join(", ");
            let detail = message!("server-no-state", %name);
            Problem::invalid("state", detail, message!("server-states-are", %known))
        })
    };
    names.map(state).collect()
}

fn filter(wanted: MeetingsQuery) -> Result<MeetingFilter, Problem> {
    if wanted.q.as_ref().is_some_and(|q| !(1..=200).contains(&q.chars().count())) {
        let detail = message!("server-query-length");
        return Err(Problem::invalid("q", detail, message!("server-query-length-hint")));
    }
    if wanted.tag.as_ref().is_some_and(|tag| !(1..=40).contains(&tag.chars().count())) {
        let detail = message!("server-tag-length");
        return Err(Problem::invalid("tag", detail, message!("server-tag-length-hint")));
    }
    Ok(MeetingFilter {
        states: states(wanted.state.as_deref())?,
        format: wanted.format.map(|format| format.as_str().to_owned()),
        topic: wanted.q,
        agent: wanted.agent,
        tag: wanted.tag,
        simulated: wanted.simulated,
        created_from: wanted.created_after,
        created_before: wanted.created_before,
        unlocked: false,
    })
}

/// How much of a meeting is shown.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MeetingQuery {
    /// The number of latest messages in the response.
    #[param(minimum = 0, maximum = 500, default = 50)]
    messages: Option<usize>,
    /// The sequence number of an event: the response is the meeting as it was after it. When left out: the
    /// present state.
    #[param(minimum = 1, maximum = 9223372036854775807u64)]
    at: Option<u64>,
}

/// Get a meeting
///
/// The response reflects all events up to `last_seq`; follow the events after it to miss nothing. The `ETag`
/// is `last_seq`. With `at`, the response is the meeting as it was after that event; content that was hidden
/// then is left out.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}", tag = "meetings", operation_id = "get_meeting",
    params(("id" = String, Path, description = "The meeting, by id"), MeetingQuery,
        ("If-None-Match" = Option<String>, Header, description = "An `ETag` from an earlier response; responds with 304 when nothing has changed since")),
    responses(
        (status = 200, body = MeetingView, headers(("ETag" = String, description = "`last_seq`, in quotes"))),
        (status = 304, description = "Not modified since the version in `If-None-Match`"),
        (status = 404, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem),
        (status = 503, body = Problem),
    ),
)]
async fn one(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    ReaderLanguage(language): ReaderLanguage,
    versions: Versions,
    Path(id): Path<MeetingId>,
    Query(shown): Query<MeetingQuery>,
) -> Result<Response, Problem> {
    let messages = shown.messages.unwrap_or(50);
    if messages > MESSAGES_MAX {
        let hint = message!("server-too-many-messages-hint");
        let detail = message!("server-too-many-messages", %messages);
        return Err(Problem::invalid("messages", detail, hint));
    }
    let (mut meeting, place) = look_to_compute(&server, &principal, &id, shown.at).await?;
    // How it stood is shown as whole as it is by now.
    let reader = match shown.at {
        None => viewer_of(&meeting, &principal),
        Some(_) => server.app().viewer(&principal, &id).await?,
    };
    if reader.is_blind() {
        reader.redact(&mut meeting);
    }
    let seq = meeting.seq;
    let labels = server.app().labels(&id).await?;
    // The number of its events does not tell whether a meeting is in quarantine, nor what people put on it.
    let is_labelled = labels != MeetingLabels::default();
    if !is_labelled && server.app().fault(&id).is_none() && versions.has(seq) {
        return Ok(tagged(&versions, seq, ()));
    }
    let view = place.run(move || {
        let mut view = meeting_view(&server, &meeting, reader, messages, language);
        view.tags = labels.tags;
        (view.is_quarantined() || is_labelled, Json(view).into_response())
    });
    Ok(match view.await? {
        (true, view) => view,
        (false, view) => tagged(&versions, seq, view),
    })
}

/// Delete a meeting permanently
///
/// A running meeting is stopped first. Forks of the meeting are kept.
#[utoipa::path(
    delete, path = "/api/v1/meetings/{id}", tag = "meetings", operation_id = "delete_meeting",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 204, description = "The meeting was deleted"), (status = 404, body = Problem)),
)]
async fn delete(State(server): State<ServerState>, Path(id): Path<MeetingId>) -> Result<StatusCode, Problem> {
    server.app().delete(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}
