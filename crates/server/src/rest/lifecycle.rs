//! The course of a meeting: start, pause, resume, end, fork and what-if.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use quorate_app::{Fork, viewer_of};
use quorate_contract::{Command, DecisionMode, LimitChanges, MeetingId, Wording};
use quorate_messages::{decoding_problem, message};
use quorate_views::{CannotRejudge, WhatIf, WhatIfReport, what_if};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::meeting_access::{MeetingStatus, execute_and_load, look, look_to_compute};
use super::meetings::created;
use super::results::ReportQuery;
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path, Query};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new()
        .routes(routes!(start))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(end))
        .routes(routes!(fork))
        .routes(routes!(judge))
}

/// Start a meeting
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/start", tag = "lifecycle", operation_id = "start_meeting",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = MeetingStatus), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The meeting has already started")),
)]
async fn start(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
) -> Result<Json<MeetingStatus>, Problem> {
    let command = Command::Start { by: principal.actor() };
    Ok(Json(execute_and_load(&server, &principal, &id, command).await?))
}

/// A request to pause a meeting.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct PauseRequest {
    /// Whether to cancel calls in progress and repeat them after the pause. Otherwise open turns finish
    /// first.
    at_once: bool,
}

/// Pause a meeting
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/pause", tag = "lifecycle", operation_id = "pause_meeting",
    params(("id" = String, Path, description = "The meeting, by id")), request_body = PauseRequest,
    responses((status = 200, body = MeetingStatus), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The meeting is paused, has not started, or has ended"),
        (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn pause(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<PauseRequest>,
) -> Result<Json<MeetingStatus>, Problem> {
    let command = Command::Pause { by: principal.actor(), at_once: request.at_once };
    Ok(Json(execute_and_load(&server, &principal, &id, command).await?))
}

/// A request to resume a meeting.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct ResumeRequest {
    /// The resume token of the pause that the request is for; the current pause when left out.
    token: Option<String>,
    /// Answers to the questions of the pause, by key.
    #[schema(value_type = Object)]
    answers: BTreeMap<String, Value>,
    /// Whether questions without an answer take their default. Otherwise they are asked again.
    take_defaults: bool,
}

/// Resume a meeting
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/resume", tag = "lifecycle", operation_id = "resume_meeting",
    params(("id" = String, Path, description = "The meeting, by id")),
    request_body(content = ResumeRequest, example = json!({"answers": {"topic": "as it is"}, "take_defaults": true})),
    responses((status = 200, body = MeetingStatus), (status = 400, body = Problem),
        (status = 403, body = Problem, description = "With the scope `speak`, the answers may not change the topic, a budget or the team, may not end the meeting, and may not resume a pause that a person requested"),
        (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The meeting is not paused, or the token belongs to another pause"),
        (status = 415, body = Problem),
        (status = 422, body = Problem, description = "An answer is missing or not valid for its question")),
)]
async fn resume(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<ResumeRequest>,
) -> Result<Json<MeetingStatus>, Problem> {
    let ResumeRequest { token, answers, take_defaults } = request;
    let command = Command::Resume { by: principal.actor(), token, answers, take_defaults };
    Ok(Json(execute_and_load(&server, &principal, &id, command).await?))
}

/// A request to end a meeting.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct EndRequest {
    /// The reason; may be empty.
    note: String,
}

/// End a meeting
///
/// The meeting closes with the best available conclusion.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/end", tag = "lifecycle", operation_id = "end_meeting",
    params(("id" = String, Path, description = "The meeting, by id")), request_body = EndRequest,
    responses((status = 200, body = MeetingStatus), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn end(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<EndRequest>,
) -> Result<Json<MeetingStatus>, Problem> {
    let command = Command::End { by: principal.actor(), note: request.note };
    Ok(Json(execute_and_load(&server, &principal, &id, command).await?))
}

/// A request to fork a meeting.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ForkRequest {
    /// The sequence number of the last event that the fork takes over, from 1 to the last event before
    /// `finished`. When left out: the last event from which the fork can continue.
    #[schema(minimum = 1)]
    seq: Option<u64>,
    /// The title of the fork; when left out, the title of the original meeting with an addition.
    #[schema(max_length = 200)]
    title: Option<String>,
    /// Limits that differ from those of the original meeting.
    limits: Option<LimitChanges>,
}

/// Fork a meeting from an event
///
/// Creates a meeting with the events up to `seq`. The original meeting does not change. No model is called and
/// nothing is charged until the fork is resumed or started. What the original meeting had spent by then
/// counts towards the budgets of the fork; `forked_from` says how much. Tools that the original meeting allows are
/// allowed in the fork only when the server's owner makes it.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/fork", tag = "lifecycle", operation_id = "fork_meeting",
    params(("id" = String, Path, description = "The meeting, by id")), request_body = ForkRequest,
    responses(
        (status = 201, body = MeetingStatus, headers(("Location" = String, description = "The URL of the fork"))),
        (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The meeting cannot be forked at this event"),
        (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn fork(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<ForkRequest>,
) -> Result<Response, Problem> {
    let ForkRequest { seq, title, limits } = request;
    let (title, limits) = (title.unwrap_or_default(), limits.unwrap_or_default());
    let fork = Fork { at: seq, title, limits, ..Fork::by(principal.actor()) };
    let handle = server.app().fork(&principal, &id, fork).await?;
    Ok(created(handle.id(), &MeetingStatus::of(&look(&server, handle.id()).await?)))
}

/// A request to evaluate a meeting under other rules. Fields that are left out are as in the meeting's rules.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct WhatIfRequest {
    /// The average score that is needed.
    #[schema(minimum = 0, maximum = 100)]
    mean_score: Option<u8>,
    /// The share of the votes that must pass, 0-1.
    #[schema(minimum = 0.0, maximum = 1.0)]
    pass_ratio: Option<f64>,
    /// The lowest score that any vote may have.
    #[schema(minimum = 0, maximum = 100)]
    min_score: Option<u8>,
    /// The share of the participants who must vote, 0-1.
    #[schema(minimum = 0.0, maximum = 1.0)]
    quorum: Option<f64>,
    /// The clauses that apply.
    #[schema(value_type = Option<DecisionMode>)]
    mode: Option<String>,
    /// The participants whose votes are left out, by name or id.
    without: Vec<String>,
}

/// Evaluate a meeting under other rules
///
/// Counts the ballots in the log again under the changed rules; no model is called. With an empty body, the
/// response says what another outcome would take.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/what-if", tag = "lifecycle", operation_id = "evaluate_what_if",
    params(("id" = String, Path, description = "The meeting, by id"), ReportQuery),
    request_body(content = WhatIfRequest, example = json!({"mean_score": 70, "without": ["p2"]})),
    responses((status = 200, body = WhatIfReport), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The meeting has no ballot"),
        (status = 415, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem),
        (status = 503, body = Problem)),
)]
async fn judge(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Query(ReportQuery { lang }): Query<ReportQuery>,
    Body(request): Body<WhatIfRequest>,
) -> Result<Json<WhatIfReport>, Problem> {
    let mode = request.mode.map(|mode| mode.parse::<DecisionMode>()).transpose();
    let mode = mode.map_err(|error| {
        let known = DecisionMode::ALL.map(DecisionMode::as_str).join(", ");
        let hint = message!("server-modes-are", %known);
        Problem::invalid("mode", decoding_problem(&error.to_string()), hint)
    })?;
    let (mut meeting, place) = look_to_compute(&server, &principal, &id, None).await?;
    viewer_of(&meeting, &principal).redact(&mut meeting);
    let judged = place.run(move || {
        let seated = |name: &String| WhatIf::seated(&meeting, name);
        let without = request.without.iter().map(seated).collect::<Result<_, _>>()?;
        let change = WhatIf {
            mean_score: request.mean_score,
            pass_ratio: request.pass_ratio,
            min_score: request.min_score,
            quorum: request.quorum,
            mode,
            without,
        };
        let language = lang.unwrap_or(meeting.language());
        what_if(&meeting.told_in(language), &change)
    });
    judged.await?.map(Json).map_err(|refusal| cannot(&refusal))
}

fn cannot(refusal: &CannotRejudge) -> Problem {
    use axum::http::StatusCode;
    let text = Wording::in_each(|language| refusal.text(language));
    let hint = Wording::in_each(|language| refusal.hint(language));
    match refusal {
        CannotRejudge::OutOfRange { field, .. } => Problem::invalid(field, text, hint),
        CannotRejudge::NoSuchParticipant { .. } => Problem::invalid("without", text, hint),
        CannotRejudge::NoBallot { .. } => Problem::new(StatusCode::CONFLICT, "no-ballot", text).hint(hint),
    }
}
