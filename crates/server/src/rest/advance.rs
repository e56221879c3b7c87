//! A meeting step by step (003): it continues for a stride, pauses again, and the answer says what happened.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quorate_app::{Notice, Subscription, viewer_of};
use quorate_contract::{Command, Event, EventBody, MeetingId, PauseReason, Stride};
use quorate_messages::message;
use quorate_views::{MeetingView, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::time::{Instant, timeout_at};
use utoipa::ToSchema;

use super::meeting_access::look;
use super::meeting_view::meeting_view;
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::content_language::ReaderLanguage;
use crate::requests::extract::{Body, Path};
use crate::state::ServerState;

/// How long an answer waits for the stride at the most.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How many events an answer holds at the most; the log has all of them.
const EVENTS_MAX: usize = 2000;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(advance))
}

/// The point to which a meeting advances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum AdvanceUntil {
    /// Until a turn has ended or a ballot is counted.
    Turn,
    /// Until a round has ended and is summarized.
    #[default]
    Round,
    /// Until a ballot is counted.
    Ballot,
    /// Until the meeting ends.
    End,
}

/// A request to advance a meeting.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct AdvanceRequest {
    /// The point to which the meeting advances before it pauses.
    until: AdvanceUntil,
    /// The resume token of the pause that the request is for; the current pause when left out.
    token: Option<String>,
    /// Answers to the questions of the pause, by key.
    #[schema(value_type = Object)]
    answers: BTreeMap<String, Value>,
    /// Whether questions without an answer take their default. Otherwise they are asked again.
    take_defaults: bool,
    /// The longest time to wait for the response, 0-30 seconds; 30 when left out.
    #[schema(minimum = 0, maximum = 30)]
    wait_seconds: Option<u64>,
}

/// The reason why an advance stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum AdvanceEnd {
    /// The point was reached, and the meeting is paused.
    Made,
    /// The meeting is paused and asks a question: answer it with the next request.
    Asked,
    /// The meeting has ended.
    Over,
    /// The wait ended first. The meeting continues, and pauses when it reaches the point.
    Waited,
}

/// The result of advancing a meeting.
#[derive(Debug, Serialize, ToSchema)]
struct AdvanceResult {
    /// The reason why the advance stopped.
    stopped: AdvanceEnd,
    /// The events since the request, in the order of the log; at most the first 2000.
    #[schema(value_type = Vec<Event>)]
    events: Vec<Box<RawValue>>,
    /// The sequence number of the last event in `events`; follow the events after it.
    last_seq: u64,
    /// The meeting as it is now, which may be later than the last event in `events`.
    meeting: MeetingView,
}

/// Advance a meeting by one step
///
/// Starts a draft or resumes a paused meeting, and pauses it again after the turn, round or ballot that
/// `until` names. Responds with 200 when that point is reached, the meeting asks a question, or the meeting
/// ends. After `wait_seconds` it responds with 202, and the meeting continues to that point and then pauses.
/// `POST /api/v1/meetings/{id}/resume` cancels the pause that is to follow.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/advance", tag = "lifecycle", operation_id = "advance_meeting",
    params(("id" = String, Path, description = "The meeting, by id")),
    request_body(content = AdvanceRequest, example = json!({"until": "round"})),
    responses((status = 200, body = AdvanceResult),
        (status = 202, body = AdvanceResult, description = "`wait_seconds` have passed; the meeting continues"),
        (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The meeting has ended, or the token belongs to another pause"),
        (status = 415, body = Problem),
        (status = 422, body = Problem, description = "An answer is missing or not valid for its question")),
)]
async fn advance(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    ReaderLanguage(language): ReaderLanguage,
    Path(id): Path<MeetingId>,
    Body(request): Body<AdvanceRequest>,
) -> Result<Response, Problem> {
    let AdvanceRequest { until, token, answers, take_defaults, wait_seconds } = request;
    let write_timeout = match wait_seconds.map(Duration::from_secs) {
        Some(wait) if wait > TIMEOUT => {
            let hint = message!("server-wait-too-long-hint");
            return Err(Problem::invalid("wait_seconds", message!("server-wait-too-long"), hint));
        }
        wait => wait.unwrap_or(TIMEOUT),
    };
    let handle = server.app().meeting(&id).await?;
    let before = look(&server, &id).await?.seq;
    // Listening begins before the command, so that nothing is missed.
    let heard = handle.subscribe(before, false).await?;
    let until = match until {
        AdvanceUntil::Turn => Some(Stride::Turn),
        AdvanceUntil::Round => Some(Stride::Round),
        AdvanceUntil::Ballot => Some(Stride::Ballot),
        AdvanceUntil::End => None,
    };
    let by = principal.actor();
    let advanced_to = server
        .app()
        .command(&principal, &id, Command::Advance { by, until, token, answers, take_defaults })
        .await?;
    let deadline = Instant::now() + write_timeout;
    let heard = listen(heard, advanced_to, deadline).await?;
    let meeting = look(&server, &id).await?;
    let viewer = viewer_of(&meeting, &principal);
    let last_seq = heard.events.last().map_or(before, |(event, _)| event.seq);
    let events = heard.events.into_iter().map(|(event, line)| raw(&event, line, viewer)).collect();
    let stopped = if meeting.is_over() { AdvanceEnd::Over } else { heard.stopped };
    // What is done is done: its answer waits for no turn.
    let view = move || meeting_view(&server, &meeting, viewer, 50, language);
    let view = tokio::task::spawn_blocking(view).await.map_err(|stopped| Problem::bug(&stopped))?;
    let answer = AdvanceResult { stopped, events, last_seq, meeting: view };
    let status = if stopped == AdvanceEnd::Waited { StatusCode::ACCEPTED } else { StatusCode::OK };
    Ok((status, Json(answer)).into_response())
}

/// The line of an event as the caller may see it.
fn raw(event: &Event, line: Box<str>, viewer: Viewer) -> Box<RawValue> {
    let line = viewer.line(event).unwrap_or_else(|| line.into());
    RawValue::from_string(line).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

struct EventsUntilStop {
    stopped: AdvanceEnd,
    events: Vec<(std::sync::Arc<Event>, Box<str>)>,
}

/// Everything up to where the meeting pauses or ends, or to the deadline. What came before the command, which
/// ends at event `advanced_to`, stops nothing.
async fn listen(
    mut heard: Subscription,
    advanced_to: u64,
    deadline: Instant,
) -> Result<EventsUntilStop, Problem> {
    let mut events = Vec::new();
    let mut goes_on = false;
    let stopped = loop {
        let Ok(notice) = timeout_at(deadline, heard.next()).await else { break AdvanceEnd::Waited };
        // Without a loop the meeting is over, or is being put away.
        let Some(notice) = notice? else { break AdvanceEnd::Waited };
        let Notice::Event(record) = notice else { continue };
        goes_on |= record.event.cause == "advance" || record.event.seq > advanced_to;
        let stop = match &record.event.body {
            EventBody::Pause { pause_reason: PauseReason::UserRequest, .. } => Some(AdvanceEnd::Made),
            EventBody::Pause { .. } => Some(AdvanceEnd::Asked),
            EventBody::Finished { .. } => Some(AdvanceEnd::Over),
            _ => None,
        };
        if events.len() < EVENTS_MAX {
            events.push((record.event, record.line.as_ref().into()));
        }
        if let Some(stop) = stop.filter(|_| goes_on) {
            break stop;
        }
    };
    Ok(EventsUntilStop { stopped, events })
}
