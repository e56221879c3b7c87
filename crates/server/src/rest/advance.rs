//! A meeting step by step (003): it goes on for a stride, rests again, and what happened is answered.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quorate_app::{Notice, Subscription, reader_of};
use quorate_contract::{Command, Event, EventBody, MeetingId, PauseReason, Stride};
use quorate_messages::message;
use quorate_views::Reader;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::time::{Instant, timeout_at};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::meeting_access::look;
use super::view::MeetingView;
use crate::access::SignedIn;
use crate::body::{Body, Path};
use crate::problem::Problem;
use crate::state::ServerState;

/// How long an answer waits for the stride at the most.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How many events an answer holds at the most; the log has all of them.
const EVENTS_MAX: usize = 2000;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(advance))
}

/// AdvanceUntil when a meeting is to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum AdvanceUntil {
    /// Until a turn is over, or a ballot is counted.
    Turn,
    /// AdvanceUntil a round is over and summed up.
    #[default]
    Round,
    /// AdvanceUntil a ballot is counted.
    Ballot,
    /// To its end.
    End,
}

/// How a meeting is to go on.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct AdvanceRequest {
    /// AdvanceUntil when.
    until: AdvanceUntil,
    /// The token of the pause that is meant, when it rests; the present one when left out.
    token: Option<String>,
    /// Answers to the pause's questions, by their keys.
    #[schema(value_type = Object)]
    answers: BTreeMap<String, Value>,
    /// Whether questions that are not answered take their default instead of being asked again.
    take_defaults: bool,
    /// How long the answer waits at the most, 0-30 seconds; 30 when left out.
    #[schema(minimum = 0, maximum = 30)]
    wait_seconds: Option<u64>,
}

/// Why an answer came when it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum AdvanceEnd {
    /// The stride is made, and the meeting rests.
    Made,
    /// The meeting rests because it asks something: answer it with the next call.
    Asked,
    /// The meeting is over.
    Over,
    /// It took longer than the answer could wait. The meeting goes on and rests when the stride is made.
    Waited,
}

/// How far a meeting has come.
#[derive(Debug, Serialize, ToSchema)]
struct AdvanceResult {
    /// Why this answer came now.
    stopped: AdvanceEnd,
    /// What happened, in the order of the log; the first 2000 events.
    #[schema(value_type = Vec<Event>)]
    events: Vec<Box<RawValue>>,
    /// The last event in `events`, by its sequence number; listen from there on.
    last_seq: u64,
    /// The meeting as it stands now, which may be further on.
    meeting: MeetingView,
}

/// Go on for a stride, then rest
///
/// Begins a draft, resumes what rests. It answers when a turn, a round or a ballot is over, or the meeting
/// asks something, or is over; after 30 seconds in any case, with 202, and the meeting goes on to the end of
/// the stride by itself. `POST …/resume` takes the stride back.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/advance", tag = "lifecycle", operation_id = "advance_meeting",
    params(("id" = String, Path, description = "The meeting")),
    request_body(content = AdvanceRequest, example = json!({"until": "round"})),
    responses((status = 200, body = AdvanceResult),
        (status = 202, body = AdvanceResult, description = "It takes longer, and goes on by itself"),
        (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "It is over, or another pause was meant"),
        (status = 415, body = Problem),
        (status = 422, body = Problem, description = "An answer is missing or is not what the question wants")),
)]
async fn advance(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
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
    let reader = reader_of(&meeting, &principal);
    let last_seq = heard.events.last().map_or(before, |(event, _)| event.seq);
    let events = heard.events.into_iter().map(|(event, line)| raw(&event, line, reader)).collect();
    let stopped = if meeting.is_over() { AdvanceEnd::Over } else { heard.stopped };
    // What is done is done: its answer waits for no turn.
    let view = move || MeetingView::of(&server, &meeting, reader, 50);
    let view = tokio::task::spawn_blocking(view).await.map_err(|stopped| Problem::bug(&stopped))?;
    let answer = AdvanceResult { stopped, events, last_seq, meeting: view };
    let status = if stopped == AdvanceEnd::Waited { StatusCode::ACCEPTED } else { StatusCode::OK };
    Ok((status, Json(answer)).into_response())
}

/// The line of an event as the caller may see it.
fn raw(event: &Event, line: Box<str>, reader: Reader) -> Box<RawValue> {
    let line = reader.line(event).unwrap_or_else(|| line.into());
    RawValue::from_string(line).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

struct Heard {
    stopped: AdvanceEnd,
    events: Vec<(std::sync::Arc<Event>, Box<str>)>,
}

/// Everything up to where the meeting rests or ends, or to the deadline. What came before the command, which
/// ends at event `advanced_to`, stops nothing.
async fn listen(mut heard: Subscription, advanced_to: u64, deadline: Instant) -> Result<Heard, Problem> {
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
    Ok(Heard { stopped, events })
}
