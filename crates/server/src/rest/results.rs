//! What a meeting came to: its result, what it used, how everybody did.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use quorate_contract::MeetingId;
use quorate_core::{Evaluation, Meeting};
use quorate_views::{Calls, CostRow, Report};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::meeting_access::{look, look_to_compute};
use super::pagination::MeetingItems;
use super::tag::{Versions, tagged};
use crate::access::SignedIn;
use crate::body::{Path, Query};
use crate::problem::Problem;
use crate::state::ServerState;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(usage)).routes(routes!(evaluations)).routes(routes!(report))
}

/// What a meeting used.
#[derive(Debug, Serialize, ToSchema)]
struct UsageView {
    /// All calls together.
    total: Calls,
    /// Calls whose answer was lost with a process; what they used is not known.
    lost_calls: u32,
    /// By participant, and the facilitator.
    by: Vec<CostRow>,
    /// The last event that is counted, by its sequence number.
    last_seq: u64,
}

/// What a meeting used: calls, tokens, cost
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/usage", tag = "results", operation_id = "get_usage",
    params(("id" = String, Path, description = "The meeting")),
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
        let total = Calls::of(&meeting, counted);
        let by = Report::of(&meeting).costs;
        UsageView { total, lost_calls: meeting.lost_calls, by, last_seq: meeting.seq }
    });
    Ok(Json(view.await?))
}

/// How everybody did, 0-10 with reasons
///
/// No participant ever reads these.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/evaluations", tag = "results", operation_id = "list_evaluations",
    params(("id" = String, Path, description = "The meeting")),
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

/// In which form a report comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ReportForm {
    /// For people.
    Markdown,
    /// For programs.
    Json,
}

/// Which report is asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ReportQuery {
    /// `markdown` or `json`; otherwise as the header `Accept` says, and `json` when it says nothing.
    #[param(inline)]
    format: Option<ReportForm>,
}

/// The result of a meeting, or how it stands
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/report", tag = "results", operation_id = "get_report",
    params(("id" = String, Path, description = "The meeting"), ReportQuery),
    responses(
        (status = 200, content((Report = "application/json"), (String = "text/markdown"))),
        (status = 304, description = "Nothing has happened since"), (status = 404, body = Problem),
        (status = 422, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)),
)]
async fn report(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    versions: Versions,
    headers: HeaderMap,
    Path(id): Path<MeetingId>,
    Query(wanted): Query<ReportQuery>,
) -> Result<Response, Problem> {
    let (mut meeting, place) = look_to_compute(&server, &principal, &id, None).await?;
    principal.visibility().redact(&mut meeting);
    let (seq, form) = (meeting.seq, wanted.format.unwrap_or_else(|| accepted(&headers)));
    let body = match versions.has(seq) {
        true => None,
        false => Some(place.run(move || written(&meeting, form)).await?),
    };
    let mut response = tagged(&versions, seq, body.unwrap_or_default());
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// The report of a meeting in this form.
fn written(meeting: &Meeting, form: ReportForm) -> Response {
    let report = Report::of(meeting);
    match form {
        ReportForm::Json => Json(report).into_response(),
        ReportForm::Markdown => {
            let media = HeaderValue::from_static("text/markdown; charset=utf-8");
            ([(header::CONTENT_TYPE, media)], report.to_markdown()).into_response()
        }
    }
}

/// The form that comes first in `Accept`.
fn accepted(headers: &HeaderMap) -> ReportForm {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let medias = accept.split(',').map(|one| one.split(';').next().unwrap_or_default().trim());
    let known = medias.filter_map(|media| match media {
        "text/markdown" | "text/plain" | "text/*" => Some(ReportForm::Markdown),
        "application/json" | "application/*" => Some(ReportForm::Json),
        _ => None,
    });
    known.into_iter().next().unwrap_or(ReportForm::Json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_the_first_that_is_known() {
        let form = |accept: &'static str| {
            accepted(&HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]))
        };
        assert_eq!(form("text/markdown, application/json"), ReportForm::Markdown);
        assert_eq!(form("text/html, application/json;q=0.9"), ReportForm::Json);
        assert_eq!(form("*/*"), ReportForm::Json);
    }
}
