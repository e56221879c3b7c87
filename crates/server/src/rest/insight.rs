//! What a meeting came to: its result, what it used, how everybody did, and the log that all of it is
//! computed from.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use quorate_core::{
    BallotId, BallotState, Calls, CostRow, Evaluation, Event, Meeting, MeetingId, Report, withheld,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::meetings::limit;
use super::reach::{lines, look};
use super::tag::{Versions, tagged};
use super::view::veil;
use crate::access::Principal;
use crate::app::App;
use crate::body::{Path, Query};
use crate::problem::Problem;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(usage))
        .routes(routes!(evaluations))
        .routes(routes!(report))
        .routes(routes!(log))
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
    responses((status = 200, body = UsageView), (status = 404, body = Problem)),
)]
async fn usage(State(app): State<App>, Path(id): Path<MeetingId>) -> Result<Json<UsageView>, Problem> {
    let meeting = look(&app, &id).await?;
    let records = app.house().records(&id, 0).await?;
    let counted = records.iter().map(|record| &*record.event).filter(|event| event.seq <= meeting.seq);
    let total = Calls::of(&meeting, counted);
    let by = Report::of(&meeting).costs;
    Ok(Json(UsageView { total, lost_calls: meeting.lost_calls, by, last_seq: meeting.seq }))
}

/// The hidden marks of a meeting.
#[derive(Debug, Serialize, ToSchema)]
struct Evaluations {
    /// Round by round.
    items: Vec<Evaluation>,
}

/// How everybody did, 0-10 with reasons
///
/// No participant ever reads these.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/evaluations", tag = "results", operation_id = "get_evaluations",
    params(("id" = String, Path, description = "The meeting")),
    responses((status = 200, body = Evaluations), (status = 404, body = Problem)),
)]
async fn evaluations(
    State(app): State<App>,
    Path(id): Path<MeetingId>,
) -> Result<Json<Evaluations>, Problem> {
    let meeting = look(&app, &id).await?;
    let items = meeting.evaluations.iter().map(|one| Evaluation::clone(one)).collect();
    Ok(Json(Evaluations { items }))
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
struct Wanted {
    /// `markdown` or `json`; otherwise as the header `Accept` says, and `json` when it says nothing.
    #[param(inline)]
    format: Option<ReportForm>,
}

/// The result of a meeting, or how it stands
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/report", tag = "results", operation_id = "get_report",
    params(("id" = String, Path, description = "The meeting"), Wanted),
    responses(
        (status = 200, content((Report = "application/json"), (String = "text/markdown"))),
        (status = 304, description = "Nothing has happened since"), (status = 404, body = Problem),
        (status = 422, body = Problem)),
)]
async fn report(
    State(app): State<App>,
    principal: Principal,
    versions: Versions,
    headers: HeaderMap,
    Path(id): Path<MeetingId>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Problem> {
    let mut meeting = look(&app, &id).await?;
    if !principal.sees_all() {
        veil(&mut meeting);
    }
    let report = Report::of(&meeting);
    let body = match wanted.format.unwrap_or_else(|| accepted(&headers)) {
        ReportForm::Json => Json(report).into_response(),
        ReportForm::Markdown => {
            let media = HeaderValue::from_static("text/markdown; charset=utf-8");
            ([(header::CONTENT_TYPE, media)], report.to_markdown()).into_response()
        }
    };
    let mut response = tagged(&versions, meeting.seq, body);
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
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

/// Which part of the log is asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Part {
    /// The events after this number; from the first on when left out.
    after: u64,
    /// So many at the most, 1-1000; 200 when left out.
    limit: Option<u32>,
}

/// The log as it was written
///
/// One event a line, the bytes that were stored. When there is more, the header `Link` names the next page.
/// What is hidden from whoever asks is left out of its line, which then says `"withheld": true`.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/log", tag = "results", operation_id = "get_log",
    params(("id" = String, Path, description = "The meeting"), Part),
    responses(
        (status = 200, content_type = "application/x-ndjson", body = String,
            headers(("Link" = String, description = "The next page, `rel=\"next\"`"),
                ("Quorate-Last-Seq" = u64, description = "The last event on this page"))),
        (status = 404, body = Problem), (status = 422, body = Problem)),
)]
async fn log(
    State(app): State<App>,
    principal: Principal,
    Path(id): Path<MeetingId>,
    Query(part): Query<Part>,
) -> Result<Response, Problem> {
    let limit = limit(part.limit, 200, 1000)?;
    let after = i64::try_from(part.after).map_err(|_| {
        let hint = ("give the number of the last event that you have", "给出你已有的最后一个事件的编号");
        Problem::invalid("after", ("there is no such event", "没有这个事件"), hint)
    })?;
    // Looked at first: a vote that is read later is then withheld rather than told.
    let open = match principal.sees_all() {
        true => None,
        false => open_ballot(&look(&app, &id).await?),
    };
    let (page, more) = lines(&app, &id, after.cast_unsigned(), limit).await?;
    let last = page.last().map_or(part.after, |(seq, _)| *seq);
    let mut body = String::new();
    for (_, line) in page {
        match principal.sees_all() {
            true => body.push_str(&line),
            false => body.push_str(&shown(line, open)?),
        }
        body.push('\n');
    }
    let media = HeaderValue::from_static("application/x-ndjson");
    let mut response = ([(header::CONTENT_TYPE, media)], body).into_response();
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("quorate-last-seq"), last.into());
    if more {
        let link = format!("</api/v1/meetings/{id}/log?after={last}&limit={limit}>; rel=\"next\"");
        headers.extend(HeaderValue::from_str(&link).ok().map(|link| (header::LINK, link)));
    }
    Ok(response)
}

fn open_ballot(m: &Meeting) -> Option<BallotId> {
    m.ballots.last().filter(|ballot| matches!(ballot.state, BallotState::Open)).map(|ballot| ballot.id)
}

/// A line for somebody who may not see everything.
fn shown(line: String, open: Option<BallotId>) -> Result<String, Problem> {
    let event = Event::from_json(&line).map_err(|error| {
        let status = axum::http::StatusCode::INTERNAL_SERVER_ERROR;
        Problem::new(
            status,
            "damaged",
            (format!("an event cannot be read: {error}"), format!("事件无法读取：{error}")),
        )
        .hint(("run `quorate verify`", "运行 quorate verify"))
    })?;
    Ok(withheld(&event, open).unwrap_or(line))
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
