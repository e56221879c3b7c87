//! The results of a meeting: report, usage, evaluations.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use quorate_app::viewer_of;
use quorate_contract::{Language, MeetingId};
use quorate_core::Evaluation;
use quorate_views::{CallTotals, Report, ReportCost};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::etag::{Versions, tagged};
use super::meeting_access::{look, look_to_compute};
use super::pagination::MeetingItems;
use crate::access::{Principal, SignedIn};
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Path, Query};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new()
        .routes(routes!(usage))
        .routes(routes!(evaluations))
        .routes(routes!(report))
        .routes(routes!(report_markdown))
}

/// The usage of a meeting.
#[derive(Debug, Serialize, ToSchema)]
struct UsageView {
    /// The usage of all calls.
    total: CallTotals,
    /// The number of calls whose answer was lost because a process stopped; their usage is not known.
    lost_calls: u32,
    /// The usage of each participant and of the facilitator.
    by: Vec<ReportCost>,
    /// The sequence number of the last event that is counted.
    last_seq: u64,
}

/// Get the usage of a meeting
///
/// Calls, tokens and cost, in total and per participant.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/usage", tag = "results", operation_id = "get_usage",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = UsageView), (status = 404, body = Problem), (status = 429, body = Problem),
        (status = 503, body = Problem)),
)]
async fn usage(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
) -> Result<Json<UsageView>, Problem> {
    let (meeting, place) = look_to_compute(&server, &principal, &id, None).await?;
    let records = server.app().records(&id, 0).await?;
    let view = place.run(move || {
        let counted = records.iter().map(|record| &*record.event).filter(|event| event.seq <= meeting.seq);
        let total = CallTotals::of(&meeting, counted);
        let by = Report::of(&meeting).costs;
        UsageView { total, lost_calls: meeting.lost_calls, by, last_seq: meeting.seq }
    });
    Ok(Json(view.await?))
}

/// List evaluations
///
/// The hidden marks of participants, from 0 to 10, with reasons. Participants never see them.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/evaluations", tag = "results", operation_id = "list_evaluations",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = MeetingItems<Evaluation>), (status = 404, body = Problem)),
)]
async fn evaluations(
    State(server): State<ServerState>,
    Path(id): Path<MeetingId>,
) -> Result<Json<MeetingItems<Evaluation>>, Problem> {
    let meeting = look(&server, &id).await?;
    let items = meeting.evaluations.iter().map(|one| Evaluation::clone(one));
    Ok(Json(MeetingItems::whole(items, meeting.seq)))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ReportQuery {
    /// The language of headings, labels and remarks; the language of the meeting when left out. Messages are
    /// not translated.
    #[param(inline)]
    pub(super) lang: Option<Language>,
}

/// Get the report of a meeting
///
/// The result of a meeting that has ended, or the present state of one that has not.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/report", tag = "results", operation_id = "get_report",
    params(("id" = String, Path, description = "The meeting, by id"), ReportQuery),
    responses(
        (status = 200, body = Report), (status = 304, description = "Not modified since the version in `If-None-Match`"),
        (status = 404, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)),
)]
async fn report(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    versions: Versions,
    Path(id): Path<MeetingId>,
    Query(ReportQuery { lang }): Query<ReportQuery>,
) -> Result<Response, Problem> {
    computed(&server, &principal, &versions, (&id, lang), |report| Json(report).into_response()).await
}

/// Get the report of a meeting as Markdown
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/report/markdown", tag = "results", operation_id = "get_report_markdown",
    params(("id" = String, Path, description = "The meeting, by id"), ReportQuery),
    responses(
        (status = 200, description = "The report, in Markdown", content_type = "text/markdown", body = String),
        (status = 304, description = "Not modified since the version in `If-None-Match`"), (status = 404, body = Problem),
        (status = 429, body = Problem), (status = 503, body = Problem)),
)]
async fn report_markdown(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    versions: Versions,
    Path(id): Path<MeetingId>,
    Query(ReportQuery { lang }): Query<ReportQuery>,
) -> Result<Response, Problem> {
    let media = (header::CONTENT_TYPE, HeaderValue::from_static("text/markdown; charset=utf-8"));
    let write = |report: Report| ([media], report.to_markdown()).into_response();
    computed(&server, &principal, &versions, (&id, lang), write).await
}

/// The report of a meeting, computed and written beside the threads that answer.
async fn computed(
    server: &ServerState,
    principal: &Principal,
    versions: &Versions,
    (id, lang): (&MeetingId, Option<Language>),
    write: impl FnOnce(Report) -> Response + Send + 'static,
) -> Result<Response, Problem> {
    let (mut meeting, place) = look_to_compute(server, principal, id, None).await?;
    viewer_of(&meeting, principal).redact(&mut meeting);
    let language = lang.unwrap_or(meeting.language());
    let meeting = meeting.told_in(language);
    let seq = meeting.seq;
    // A title that was given after the end changes no number of an event.
    let is_retitled = server.app().labels(id).await?.title.is_some();
    if versions.has(seq) && !is_retitled {
        return Ok(tagged(versions, seq, ()));
    }
    let body = place.run(move || write(Report::of(&meeting))).await?;
    Ok(if is_retitled { body } else { tagged(versions, seq, body) })
}
