//! A meeting to hand on: Markdown, JSON, one HTML page that replays and checks itself, or a PDF.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use quorate_core::{BallotState, Meeting, MeetingId, Report, RunId, apply, withheld};
use quorate_engine::Record;
use quorate_print::{Options, Zone};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::view::veil;
use crate::access::Principal;
use crate::app::App;
use crate::body::{Path, Query};
use crate::problem::Problem;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(export))
}

/// In which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Form {
    /// The result and all that was said.
    Markdown,
    /// The report and all events.
    Json,
    /// One page that needs no network: it shows the meeting, replays it and checks its own checksums.
    Html,
    /// A4 pages.
    Pdf,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// `markdown`, `json`, `html` or `pdf`.
    #[serde(default = "markdown")]
    #[param(inline)]
    format: Form,
    /// Hidden marks, private notes and thoughts, too, for those who may see them.
    #[serde(default)]
    with_marks: bool,
}

fn markdown() -> Form {
    Form::Markdown
}

/// A meeting to hand on, as a file
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/export", tag = "export",
    params(("id" = String, Path, description = "The meeting"), Wanted),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/markdown"), (Object = "application/json"), (String = "text/html"),
            (inline(Vec<u8>) = "application/pdf"),
        )),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem),
    ),
)]
async fn export(
    State(app): State<App>,
    principal: Principal,
    Path(id): Path<String>,
    Query(Wanted { format, with_marks }): Query<Wanted>,
) -> Result<Response, Problem> {
    if with_marks && !principal.sees_all() {
        let status = axum::http::StatusCode::FORBIDDEN;
        let detail = ("you may not see marks and private notes", "你不能查看评分和私有笔记");
        return Err(
            Problem::new(status, "forbidden", detail).hint(("leave out with_marks", "去掉 with_marks"))
        );
    }
    let id = MeetingId::new(id);
    let records = app.house().records(&id, 0).await?;
    let name = format!("{id}.{}", extension(format));
    // Folding and setting pages take their time.
    let made = tokio::task::spawn_blocking(move || {
        let mut meeting = fold(&id, &records);
        if !with_marks {
            veil(&mut meeting);
        }
        let options = Options { with_marks, zone: Zone::of_machine() };
        bytes(&app, &meeting, &records, &options, format)
    });
    let (media, bytes) = made.await.map_err(|stopped| Problem::bug(&stopped))??;
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""))
        .unwrap_or(HeaderValue::from_static("attachment"));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media)),
        (header::CONTENT_DISPOSITION, disposition),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, bytes).into_response())
}

fn fold(id: &MeetingId, records: &[Record]) -> Meeting {
    let run = records.first().map_or_else(|| RunId::new(""), |record| record.event.run_id.clone());
    let mut meeting = Meeting::blank(id.clone(), run);
    records.iter().for_each(|record| apply(&mut meeting, &record.event));
    meeting
}

fn extension(format: Form) -> &'static str {
    match format {
        Form::Markdown => "md",
        Form::Json => "json",
        Form::Html => "html",
        Form::Pdf => "pdf",
    }
}

/// The file with its media type.
fn bytes(
    app: &App,
    meeting: &Meeting,
    records: &[Record],
    options: &Options,
    format: Form,
) -> Result<(&'static str, Vec<u8>), Problem> {
    Ok(match format {
        Form::Markdown => {
            ("text/markdown; charset=utf-8", quorate_print::markdown(meeting, &options.zone).into_bytes())
        }
        Form::Json => {
            let events = told(meeting, records, options.with_marks)?;
            let whole = serde_json::json!({ "report": Report::of(meeting), "events": events });
            ("application/json", serde_json::to_vec_pretty(&whole).map_err(|error| Problem::bug(&error))?)
        }
        Form::Html => {
            let log = records.iter().map(|record| (&*record.line, &*record.event));
            ("text/html; charset=utf-8", quorate_print::html(meeting, log, options).into_bytes())
        }
        Form::Pdf => ("application/pdf", pdf(app, meeting, options)?),
    })
}

/// The events, without what is hidden unless that is wanted.
fn told(meeting: &Meeting, records: &[Record], with_marks: bool) -> Result<Vec<Value>, Problem> {
    let open = meeting.ballots.last().filter(|ballot| matches!(ballot.state, BallotState::Open));
    let line = |record: &Record| {
        let hidden = match with_marks {
            true => None,
            false => withheld(&record.event, open.map(|ballot| ballot.id)),
        };
        serde_json::from_str(hidden.as_deref().unwrap_or(&record.line)).map_err(|error| Problem::bug(&error))
    };
    records.iter().map(line).collect()
}

#[cfg(feature = "pdf")]
fn pdf(app: &App, meeting: &Meeting, options: &Options) -> Result<Vec<u8>, Problem> {
    let refused = |error: &dyn std::fmt::Display, hint: &str| {
        Problem::new(axum::http::StatusCode::NOT_IMPLEMENTED, "no-pdf", error.to_string()).hint(hint)
    };
    let fonts = app.fonts().map_err(|error| refused(&error, error.hint()))?;
    quorate_print::pdf(meeting, options, &fonts).map_err(|error| refused(&error, error.hint()))
}

#[cfg(not(feature = "pdf"))]
fn pdf(_: &App, _: &Meeting, _: &Options) -> Result<Vec<u8>, Problem> {
    let status = axum::http::StatusCode::NOT_IMPLEMENTED;
    let detail = ("this quorate was built without PDF", "本程序构建时没有包含 PDF");
    Err(Problem::new(status, "no-pdf", detail).hint(("ask for format=html", "改用 format=html")))
}
