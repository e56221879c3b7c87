//! Meetings: what there is, how one stands, a new one, none any more.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quorate_app::{Choice, CreateMeetingRequest, ForkedFrom, Listed, MeetingFilter, MeetingState, reader_of};
use quorate_contract::{Format, MeetingId, Timestamp};
use quorate_core::ProviderWait;
use quorate_messages::message;
use quorate_views::Visibility;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::meeting_access::{MeetingStanding, look, look_to_compute};
use super::pagination::{ItemPage, limit};
use super::tag::{Versions, tagged};
use super::view::{FaultView, MeetingView};
use crate::access::SignedIn;
use crate::body::{Body, Path, Query};
use crate::problem::Problem;
use crate::state::ServerState;

/// The most messages that a view holds.
const MESSAGES_MAX: usize = 500;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(one, delete))
}

/// Create a meeting, as a draft
///
/// The shortest: `{"topic": "SQLite or PostgreSQL?", "simulate": true}`. It begins with `POST …/start`.
#[utoipa::path(
    post, path = "/api/v1/meetings", tag = "meetings", operation_id = "create_meeting",
    request_body(content = CreateMeetingRequest, example = json!({
        "topic": "Should our service use SQLite or PostgreSQL?", "format": "consensus", "simulate": true, "seed": 5
    })),
    responses(
        (status = 201, body = CreatedMeeting, headers(("Location" = String, description = "Where the meeting is"))),
        (status = 400, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem),
        (status = 422, body = Problem, description = "Something about it is missing or wrong"),
        (status = 502, body = Problem, description = "A provider did not say which models it has"),
        (status = 503, body = Problem),
    ),
)]
async fn create(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Body(new): Body<CreateMeetingRequest>,
) -> Result<Response, Problem> {
    let (handle, chosen) = server.app().create_and_tell(&principal.actor(), &new).await?;
    let meeting = look(&server, handle.id()).await?;
    let seats = meeting.seats.iter().map(|seat| SeatedModel {
        name: seat.participant.name.clone(),
        runner: seat.participant.runner.label(),
    });
    let made = CreatedMeeting { seats: seats.collect(), chosen, standing: MeetingStanding::of(&meeting) };
    Ok(created(handle.id(), &made))
}

/// A new meeting, and where it is.
pub(crate) fn created(id: &MeetingId, body: &impl Serialize) -> Response {
    let place = format!("/api/v1/meetings/{id}");
    let place = HeaderValue::from_str(&place).unwrap_or(HeaderValue::from_static("/api/v1/meetings"));
    (StatusCode::CREATED, [(header::LOCATION, place)], Json(body)).into_response()
}

/// A meeting that was created: how it stands, and who answers in which seat.
#[derive(Debug, Serialize, ToSchema)]
struct CreatedMeeting {
    #[serde(flatten)]
    standing: MeetingStanding,
    /// The participants, in their order; empty while a team is being assembled.
    seats: Vec<SeatedModel>,
    /// The models that were chosen where none was named, for the participants in turn and for the facilitator, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<Choice>,
}

/// Who answers in a seat.
#[derive(Debug, Serialize, ToSchema)]
struct SeatedModel {
    /// The participant's name.
    name: String,
    /// What answers: `openai/gpt-5-mini`, `simulated/…`, `process/reviewer`.
    runner: String,
}

/// Which meetings are asked for; all conditions that are given must hold.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MeetingsQuery {
    /// In one of these states, with commas between them.
    #[param(value_type = Option<Vec<MeetingState>>, style = Form, explode = false)]
    state: Option<String>,
    /// Created with this format.
    format: Option<Format>,
    /// With this text in the topic; case does not matter.
    #[param(min_length = 1, max_length = 200)]
    q: Option<String>,
    /// With, or without, simulated participants.
    simulated: Option<bool>,
    /// Created at this time or later (RFC 3339).
    created_after: Option<Timestamp>,
    /// Created before this time (RFC 3339).
    created_before: Option<Timestamp>,
    /// The most items of a page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u32>,
    /// The `next_cursor` of the page before.
    cursor: Option<String>,
}

/// A meeting as a list shows it.
#[derive(Debug, Serialize, ToSchema)]
struct MeetingRow {
    /// The meeting.
    id: MeetingId,
    /// Whether it leaves nothing on the disk: it is gone when it is deleted, or the server stops.
    off_record: bool,
    /// Whether an event of it was found damaged: it can be read up to that.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    damaged: bool,
    /// The question on the table.
    topic: String,
    /// What it is called: its topic; a fork has a name of its own.
    title: String,
    /// The meeting that it was made of, where it is a fork.
    forked_from: Option<ForkedFrom>,
    /// Its language: `zh`, `en`.
    language: String,
    /// The preset that its rules began with.
    format: String,
    /// Where it stands.
    state: MeetingState,
    /// How it ended: `accepted`, `converged`, `completed`, `aborted(round_limit)`; `null` while it has not.
    outcome: Option<String>,
    /// Whether a participant, or the facilitator, is or was simulated.
    simulated: bool,
    /// How many have a place at the table.
    participants: u32,
    /// When it was created, in milliseconds since 1970 UTC.
    created_at: Timestamp,
    /// When its last event happened.
    updated_at: Timestamp,
    /// Its last event, by its sequence number.
    last_seq: u64,
    /// Why it does not run, when it failed again and again.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultView>,
    /// The provider that the meeting waits for, while none of its models can be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_wait: Option<Arc<ProviderWait>>,
}

impl MeetingRow {
    fn of(server: &ServerState, Listed { row, off_record }: Listed, shown: Visibility) -> Self {
        Self {
            fault: FaultView::of(server, &row.id, shown.fault_detail()),
            damaged: server.app().damage(&row.id).is_some(),
            provider_wait: server.app().provider_wait(&row.id),
            id: row.id,
            off_record,
            topic: row.topic,
            title: row.title,
            forked_from: row.forked_from,
            language: row.language,
            format: row.format,
            state: row.state,
            outcome: row.outcome,
            simulated: row.simulated,
            participants: row.participants,
            created_at: row.created_ms,
            updated_at: row.updated_ms,
            last_seq: row.events,
        }
    }
}

/// The meetings, newest first
///
/// Meetings that come or go meanwhile neither repeat others nor hide them. Those under a password are shown to
/// callers with the scope `manage`.
#[utoipa::path(
    get, path = "/api/v1/meetings", tag = "meetings", operation_id = "list_meetings", params(MeetingsQuery),
    responses((status = 200, body = ItemPage<MeetingRow>), (status = 422, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Query(wanted): Query<MeetingsQuery>,
) -> Result<Json<ItemPage<MeetingRow>>, Problem> {
    let limit = limit(wanted.limit, 50, 200)?;
    let cursor = wanted.cursor.clone();
    let filter = MeetingFilter { unlocked: !principal.sees_all(), ..filter(wanted)? };
    let page = server.app().page(filter, cursor.as_deref(), limit).await?;
    let row = |listed| MeetingRow::of(&server, listed, principal.visibility());
    Ok(Json(ItemPage { items: page.items.into_iter().map(row).collect(), next_cursor: page.next }))
}

fn filter(wanted: MeetingsQuery) -> Result<MeetingFilter, Problem> {
    let mut states = Vec::new();
    for name in wanted.state.iter().flat_map(|names| names.split(',')).map(str::trim) {
        let known = MeetingState::ALL.map(MeetingState::as_str).join(", ");
        states.push(MeetingState::named(name).ok_or_else(|| {
            let detail = message!("server-no-state", %name);
            Problem::invalid("state", detail, message!("server-states-are", %known))
        })?);
    }
    if wanted.q.as_ref().is_some_and(|q| !(1..=200).contains(&q.chars().count())) {
        let detail = message!("server-query-length");
        return Err(Problem::invalid("q", detail, message!("server-query-length-hint")));
    }
    Ok(MeetingFilter {
        states,
        format: wanted.format.map(|format| format.as_str().to_owned()),
        topic: wanted.q,
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
    /// How many of the last messages are shown.
    #[param(minimum = 0, maximum = 500, default = 50)]
    messages: Option<usize>,
    /// The meeting as it stood after this event, by its sequence number; as it stands when left out.
    #[param(minimum = 1, maximum = 9223372036854775807u64)]
    at: Option<u64>,
}

/// How a meeting stands
///
/// Everything up to `last_seq`: listen from there on, and nothing is missed. The `ETag` is that number. With `at` it
/// is the meeting as it stood then; what was hidden then is left out then.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}", tag = "meetings", operation_id = "get_meeting",
    params(("id" = String, Path, description = "The meeting"), MeetingQuery,
        ("If-None-Match" = Option<String>, Header, description = "The ETag of what is known already")),
    responses(
        (status = 200, body = MeetingView, headers(("ETag" = String, description = "`last_seq` in quotes"))),
        (status = 304, description = "Nothing has happened since"),
        (status = 404, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem),
        (status = 503, body = Problem),
    ),
)]
async fn one(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
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
        None => reader_of(&meeting, &principal),
        Some(_) => server.app().reader(&principal, &id).await?,
    };
    if reader.is_blind() {
        reader.redact(&mut meeting);
    }
    let seq = meeting.seq;
    // The number of its events does not tell whether a meeting is in quarantine.
    if server.app().fault(&id).is_none() && versions.has(seq) {
        return Ok(tagged(&versions, seq, ()));
    }
    let view = place.run(move || {
        let view = MeetingView::of(&server, &meeting, reader, messages);
        (view.is_quarantined(), Json(view).into_response())
    });
    Ok(match view.await? {
        (true, view) => view,
        (false, view) => tagged(&versions, seq, view),
    })
}

/// Delete a meeting for good
///
/// One that runs is stopped first. Forks of it stay.
#[utoipa::path(
    delete, path = "/api/v1/meetings/{id}", tag = "meetings", operation_id = "delete_meeting",
    params(("id" = String, Path, description = "The meeting")),
    responses((status = 204, description = "It is gone"), (status = 404, body = Problem)),
)]
async fn delete(State(server): State<ServerState>, Path(id): Path<MeetingId>) -> Result<StatusCode, Problem> {
    server.app().delete(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}
