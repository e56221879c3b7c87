//! The course of a meeting: it begins, rests, goes on, ends, and is told once more otherwise.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use quorate_app::Fork;
use quorate_contract::{Command, DecisionMode, LimitChanges, MeetingId, Wording};
use quorate_messages::message;
use quorate_views::{CannotRejudge, WhatIf, WhatIfReport, what_if};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::meeting_access::{MeetingStanding, execute_and_load, look, look_to_compute};
use super::meetings::created;
use crate::access::SignedIn;
use crate::body::{Body, Path};
use crate::problem::Problem;
use crate::state::ServerState;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new()
        .routes(routes!(start))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(end))
        .routes(routes!(fork))
        .routes(routes!(judge))
}

/// Begin
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/start", tag = "lifecycle", operation_id = "start_meeting",
    params(("id" = String, Path, description = "The meeting")),
    responses((status = 200, body = MeetingStanding), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "It has begun already")),
)]
async fn start(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
) -> Result<Json<MeetingStanding>, Problem> {
    let command = Command::Start { by: principal.actor() };
    Ok(Json(execute_and_load(&server, &principal, &id, command).await?))
}

/// How a meeting is to rest.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct PauseRequest {
    /// Cancels calls in progress and makes them again after the pause; otherwise open turns may
    /// finish.
    at_once: bool,
}

/// Rest
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/pause", tag = "lifecycle", operation_id = "pause_meeting",
    params(("id" = String, Path, description = "The meeting")), request_body = PauseRequest,
    responses((status = 200, body = MeetingStanding), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "It rests, has not begun, or is over"),
        (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn pause(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<PauseRequest>,
) -> Result<Json<MeetingStanding>, Problem> {
    let command = Command::Pause { by: principal.actor(), at_once: request.at_once };
    Ok(Json(execute_and_load(&server, &principal, &id, command).await?))
}

/// How a meeting is to go on.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct ResumeRequest {
    /// The token of the pause that is meant; the present one when left out.
    token: Option<String>,
    /// Answers to the pause's questions, by their keys.
    #[schema(value_type = Object)]
    answers: BTreeMap<String, Value>,
    /// Whether questions that are not answered take their default instead of being asked again.
    take_defaults: bool,
}

/// Go on
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/resume", tag = "lifecycle", operation_id = "resume_meeting",
    params(("id" = String, Path, description = "The meeting")),
    request_body(content = ResumeRequest, example = json!({"answers": {"topic": "as it is"}, "take_defaults": true})),
    responses((status = 200, body = MeetingStanding), (status = 400, body = Problem),
        (status = 403, body = Problem, description = "Whoever may only speak changes no topic, budget or team by an answer, ends nothing, and does not undo a pause that a person asked for"),
        (status = 404, body = Problem),
        (status = 409, body = Problem, description = "It does not rest, or another pause was meant"),
        (status = 415, body = Problem),
        (status = 422, body = Problem, description = "An answer is missing or is not what the question wants")),
)]
async fn resume(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<ResumeRequest>,
) -> Result<Json<MeetingStanding>, Problem> {
    let ResumeRequest { token, answers, take_defaults } = request;
    let command = Command::Resume { by: principal.actor(), token, answers, take_defaults };
    Ok(Json(execute_and_load(&server, &principal, &id, command).await?))
}

/// Why a meeting is to end.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct EndRequest {
    /// In a few words; may be empty.
    note: String,
}

/// End with the best available conclusion
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/end", tag = "lifecycle", operation_id = "end_meeting",
    params(("id" = String, Path, description = "The meeting")), request_body = EndRequest,
    responses((status = 200, body = MeetingStanding), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn end(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<EndRequest>,
) -> Result<Json<MeetingStanding>, Problem> {
    let command = Command::End { by: principal.actor(), note: request.note };
    Ok(Json(execute_and_load(&server, &principal, &id, command).await?))
}

/// From where a meeting is to have another future.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ForkRequest {
    /// The last event that is taken over, from 1 to the last one before `finished`; left out, the last one from
    /// which the new meeting can go on.
    #[schema(minimum = 1)]
    at: Option<u64>,
    /// What the new meeting is called; left out, as the old one, with a mark.
    #[schema(max_length = 200)]
    title: Option<String>,
    /// Which limits are to be otherwise.
    limits: Option<LimitChanges>,
}

/// Another future from a point in the past
///
/// A new meeting with the events up to `at`; the old one stays as it is. No model is called and nothing is charged
/// before it is resumed, or started. What the old one had spent by then counts towards the budgets of the new one:
/// `forked_from` says how much.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/fork", tag = "lifecycle", operation_id = "fork_meeting",
    params(("id" = String, Path, description = "The meeting")), request_body = ForkRequest,
    responses(
        (status = 201, body = MeetingStanding, headers(("Location" = String, description = "Where the new one is"))),
        (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "Nothing can follow from there"),
        (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn fork(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<ForkRequest>,
) -> Result<Response, Problem> {
    let ForkRequest { at, title, limits } = request;
    let (title, limits) = (title.unwrap_or_default(), limits.unwrap_or_default());
    let handle = server.app().fork(&id, Fork { at, by: principal.actor(), title, limits }).await?;
    Ok(created(handle.id(), &MeetingStanding::of(&look(&server, handle.id()).await?)))
}

/// What is asked to have been otherwise; what is left out stays as the meeting's rules have it.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct WhatIfRequest {
    /// The average score needed.
    #[schema(minimum = 0, maximum = 100)]
    mean_score: Option<u8>,
    /// The share of votes that must pass.
    #[schema(minimum = 0.0, maximum = 1.0)]
    pass_ratio: Option<f64>,
    /// No score may be below this.
    #[schema(minimum = 0, maximum = 100)]
    min_score: Option<u8>,
    /// The share of the participants that must have voted.
    #[schema(minimum = 0.0, maximum = 1.0)]
    quorum: Option<f64>,
    /// Which clauses are asked for.
    #[schema(value_type = Option<DecisionMode>)]
    mode: Option<String>,
    /// Whose votes are left out, by name or id.
    without: Vec<String>,
}

/// The same meeting under other rules
///
/// Judged from the log; no model is asked. With an empty body: what it would take for another outcome.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/what-if", tag = "lifecycle", operation_id = "evaluate_what_if",
    params(("id" = String, Path, description = "The meeting")),
    request_body(content = WhatIfRequest, example = json!({"mean_score": 70, "without": ["p2"]})),
    responses((status = 200, body = WhatIfReport), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "There is no ballot to judge"),
        (status = 415, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem),
        (status = 503, body = Problem)),
)]
async fn judge(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<WhatIfRequest>,
) -> Result<Json<WhatIfReport>, Problem> {
    let mode = request.mode.map(|mode| mode.parse::<DecisionMode>()).transpose();
    let mode = mode.map_err(|error| {
        let known = DecisionMode::ALL.map(DecisionMode::as_str).join(", ");
        let hint = message!("server-modes-are", %known);
        Problem::invalid("mode", error.to_string(), hint)
    })?;
    let (meeting, place) = look_to_compute(&server, &principal, &id, None).await?;
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
        what_if(&meeting, &change)
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
