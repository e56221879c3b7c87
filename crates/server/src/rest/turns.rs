//! Turns of participants that answer for themselves: agents, and people who hold a seat.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::{Extension, Json};
use futures::StreamExt;
use futures::future::{BoxFuture, join_all};
use futures::stream::FuturesUnordered;
use quorate_app::{
    AccessCredential, AnsweredTurn, OfferedTurn, OpenTurn, TURN_WAIT_MAX, TurnAnswer, TurnError,
    meeting_of_ticket,
};
use quorate_contract::{MeetingId, is_blank};
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use super::pagination::ItemPage;
use crate::access::{Client, SignedIn};
use crate::api_router::{ApiRouter, routes};
use crate::nodes::Forwarded;
use crate::problem::Problem;
use crate::requests::extract::{Body, Path, Query};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(list)).routes(routes!(answer)).routes(routes!(skip))
}

/// Which turns are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct TurnsQuery {
    /// The meeting, by id; all meetings when left out.
    #[param(min_length = 1, max_length = 100)]
    meeting: Option<MeetingId>,
    /// The time to wait for a turn when none is open, in seconds.
    #[param(minimum = 0, maximum = 25)]
    #[serde(default)]
    wait_seconds: u64,
}

/// List open turns
///
/// The oldest comes first. With `wait_seconds`, the response waits until a turn is open; the list is empty if
/// none opens in that time.
#[utoipa::path(
    get, path = "/api/v1/turns", tag = "turns", operation_id = "list_turns", params(TurnsQuery),
    responses((status = 200, body = ItemPage<OpenTurn>), (status = 422, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Extension(credential): Extension<AccessCredential>,
    Query(query): Query<TurnsQuery>,
    client: Client,
    forwarded: Option<Extension<Forwarded>>,
    headers: HeaderMap,
) -> Result<Json<ItemPage<Value>>, Problem> {
    if query.wait_seconds > TURN_WAIT_MAX.as_secs() {
        let detail = message!("server-wait-seconds", wait_seconds = %query.wait_seconds);
        return Err(Problem::invalid("wait_seconds", detail, message!("server-wait-seconds-hint")));
    }
    let meeting = query.meeting.as_ref();
    let limit = Duration::from_secs(query.wait_seconds);
    let here = |turns: &[Arc<OfferedTurn>]| -> Vec<Value> {
        turns.iter().map(|turn| json!(OpenTurn::of(turn))).collect()
    };
    // One meeting runs at one node, to which the request was sent on.
    let asks_others = meeting.is_none() && forwarded.is_none();
    let elsewhere = async |wait: u64| match asks_others {
        true => {
            let target = format!("/api/v1/turns?wait_seconds={wait}");
            server.lists_elsewhere(&client, &headers, &target, Duration::from_secs(wait)).await
        }
        false => Vec::new(),
    };
    let mut turns = here(&server.app().open_turns(&principal, meeting));
    if !turns.is_empty() || query.wait_seconds == 0 {
        turns.extend(join_all(elsewhere(0).await).await.into_iter().flatten());
    }
    if turns.is_empty() && query.wait_seconds > 0 {
        let mut waits: FuturesUnordered<BoxFuture<'_, Vec<Value>>> =
            elsewhere(query.wait_seconds).await.into_iter().collect();
        waits.push(Box::pin(async {
            let turn = server.app().wait_for_turn(&principal, meeting, limit).await;
            here(turn.as_slice())
        }));
        let waiting = async {
            while let Some(found) = waits.next().await {
                if !found.is_empty() {
                    return found;
                }
            }
            Vec::new()
        };
        tokio::select! {
            // Whoever is signed out while they wait is given nothing more.
            biased;
            () = server.access().identity().out(&credential) => return Err(server.access().who_are_you()),
            found = waiting => turns = found,
        }
    }
    // All times are written alike.
    turns.sort_by(|one, other| one["offered_at"].as_str().cmp(&other["offered_at"].as_str()));
    Ok(Json(ItemPage::whole(turns)))
}

/// Which turn is meant.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct TurnQuery {
    /// The meeting at which the turn is, by id. A ticket of another meeting is then refused.
    #[param(min_length = 1, max_length = 100)]
    meeting: Option<MeetingId>,
}

impl TurnQuery {
    /// Makes sure that a ticket is one of the named meeting.
    fn check(&self, ticket: &str) -> Result<(), Problem> {
        let (Some(named), Some(of)) = (&self.meeting, meeting_of_ticket(ticket)) else { return Ok(()) };
        if *named == of {
            return Ok(());
        }
        let detail = message!("server-ticket-of-other-meeting", of = of.as_str(), named = named.as_str());
        Err(Problem::invalid("meeting", detail, message!("server-ticket-of-other-meeting-hint")))
    }
}

/// An answer to a turn: `text`, or `fields` by the schema of the turn.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TurnAnswerRequest {
    /// The text, in Markdown.
    #[schema(min_length = 1, max_length = 100_000)]
    #[serde(default)]
    text: Option<String>,
    /// The fields, by the `answer_schema` of the turn.
    #[schema(value_type = Option<Object>)]
    #[serde(default)]
    fields: Option<serde_json::Map<String, Value>>,
}

/// An answer that was accepted.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TurnReceipt {
    /// The meeting.
    meeting: MeetingId,
    /// The sequence number of the last event that the request caused.
    seq: u64,
    /// Whether the turn is offered once more because the answer could not be read.
    asked_again: bool,
    /// What was wrong with the answer, when the turn is offered once more.
    problem: Option<String>,
}

impl TurnReceipt {
    pub(super) fn of(answered: AnsweredTurn) -> Self {
        let AnsweredTurn { meeting, seq, asked_again } = answered;
        Self { meeting, seq, asked_again: asked_again.is_some(), problem: asked_again }
    }
}

/// Answer a turn
///
/// Each turn takes one answer. A late or second answer is refused with `turn-is-over` and the tickets of the
/// turns that are open.
#[utoipa::path(
    post, path = "/api/v1/turns/{ticket}/answer", tag = "turns", operation_id = "answer_turn",
    params(("ticket" = String, Path, description = "The ticket of the turn"), TurnQuery),
    request_body = TurnAnswerRequest,
    responses((status = 200, body = TurnReceipt), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The turn has ended"), (status = 422, body = Problem)),
)]
async fn answer(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(ticket): Path<String>,
    Query(query): Query<TurnQuery>,
    Body(request): Body<TurnAnswerRequest>,
) -> Result<Json<TurnReceipt>, Problem> {
    query.check(&ticket)?;
    let answer = turn_answer(request.text, request.fields)?;
    answered(server.app().answer_turn(&principal, &ticket, answer).await)
}

/// Skip a turn
#[utoipa::path(
    post, path = "/api/v1/turns/{ticket}/skip", tag = "turns", operation_id = "skip_turn",
    params(("ticket" = String, Path, description = "The ticket of the turn"), TurnQuery),
    responses((status = 200, body = TurnReceipt), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The turn has ended, or may not be skipped"),
        (status = 422, body = Problem)),
)]
async fn skip(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(ticket): Path<String>,
    Query(query): Query<TurnQuery>,
) -> Result<Json<TurnReceipt>, Problem> {
    query.check(&ticket)?;
    answered(server.app().answer_turn(&principal, &ticket, TurnAnswer::Skip).await)
}

fn answered(outcome: Result<AnsweredTurn, TurnError>) -> Result<Json<TurnReceipt>, Problem> {
    outcome.map(|answered| Json(TurnReceipt::of(answered))).map_err(refused)
}

/// An answer from the fields of a request.
///
/// # Errors
/// When it holds nothing, or a text and fields.
pub(crate) fn turn_answer(
    text: Option<String>,
    fields: Option<serde_json::Map<String, Value>>,
) -> Result<TurnAnswer, Problem> {
    match (text, fields) {
        (Some(text), None) if !is_blank(&text) => Ok(TurnAnswer::Text(text)),
        (None, Some(fields)) => Ok(TurnAnswer::Fields(fields.into())),
        (Some(_), None) | (None, None) => {
            let detail = message!("server-answer-empty");
            Err(Problem::invalid("text", detail, message!("server-answer-empty-hint")))
        }
        (Some(_), Some(_)) => {
            let detail = message!("server-answer-double");
            Err(Problem::invalid("fields", detail, message!("server-answer-double-hint")))
        }
    }
}

/// The problem of an answer that was not accepted.
pub(crate) fn refused(error: TurnError) -> Problem {
    match error {
        TurnError::Over { why, open } => {
            let (detail, hint) = why.told(&open);
            Problem::new(StatusCode::CONFLICT, "turn-is-over", detail).hint(hint).open_turns(open)
        }
        TurnError::CannotSkip => {
            let detail = message!("server-turn-not-skippable");
            let hint = message!("server-turn-not-skippable-hint");
            Problem::new(StatusCode::CONFLICT, "cannot-skip", detail).hint(hint)
        }
        TurnError::Denied(denial) => denial.into(),
        TurnError::Service(error) => error.into(),
    }
}
