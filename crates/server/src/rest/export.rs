//! A meeting to hand on: Markdown, JSON, one HTML page that replays and checks itself, or a PDF.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use quorate_app::{Damage, Record};
use quorate_contract::{Language, MeetingId, RunId};
use quorate_core::{Meeting, apply};
use quorate_messages::message;
use quorate_print::{Options, RenderJob, Zone};
use quorate_views::{Report, Visibility, hidden_ballot};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::SignedIn;
use crate::body::{Path, Query};
use crate::content_language::of_export;
use crate::problem::Problem;
use crate::queue::{Permit, Requester};
use crate::state::ServerState;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(export))
}

/// In which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ExportFormat {
    /// The result and all that was said.
    #[serde(alias = "md")]
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
struct ExportQuery {
    /// `markdown` (or `md`), `json`, `html` or `pdf`.
    #[serde(default = "markdown")]
    #[param(inline)]
    format: ExportFormat,
    /// Hidden marks, private notes and thoughts, too, for those who may see them.
    #[serde(default)]
    with_marks: bool,
    /// The language of headings, labels and remarks; else the one that `Accept-Language` prefers; else the meeting's.
    /// What was said stays as it was.
    #[param(inline)]
    lang: Option<Language>,
}

fn markdown() -> ExportFormat {
    ExportFormat::Markdown
}

/// An export as JSON.
#[derive(Serialize, ToSchema)]
struct ExportDocument {
    /// The result of the meeting.
    report: Report,
    /// All events, without what is hidden from the caller.
    #[schema(value_type = Vec<quorate_contract::Event>)]
    events: Vec<Value>,
    /// Where the log breaks off, when an event of it is damaged; `null` otherwise.
    damage: Option<Damage>,
}

/// A meeting to hand on, as a file
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/export", tag = "export", operation_id = "export_meeting",
    params(("id" = String, Path, description = "The meeting"), ExportQuery),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/markdown"), (ExportDocument = "application/json"), (String = "text/html"),
            (inline(Vec<u8>) = "application/pdf"),
        )),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem),
        (status = 429, body = Problem), (status = 501, body = Problem), (status = 503, body = Problem),
    ),
)]
async fn export(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
    headers: HeaderMap,
    Query(ExportQuery { format, with_marks, lang }): Query<ExportQuery>,
) -> Result<Response, Problem> {
    if with_marks && !principal.sees_all() {
        let status = axum::http::StatusCode::FORBIDDEN;
        let detail = message!("server-no-marks-for-you");
        return Err(Problem::new(status, "forbidden", detail).hint(message!("server-no-marks-for-you-hint")));
    }
    let id = MeetingId::new(id);
    let permit = server.exports().enter(&Requester::of(&principal)).await?;
    let records = server.app().records(&id, 0).await?;
    let name = format!("{id}.{}", extension(format));
    let wanted = Awaited::default();
    let damage = server.app().damage(&id);
    let still = wanted.still();
    let making = Making { permit, id, records, damage, with_marks, format, lang, headers, still };
    // Folding takes its time. The permit goes along: what was begun counts until it ends.
    let made = tokio::task::spawn_blocking(move || making.make()).await;
    let (media, bytes) = match made.map_err(|stopped| Problem::bug(&stopped))?? {
        Made::Whole(media, bytes) => (media, bytes),
        Made::ToRender(job, _permit) => ("application/pdf", pdf(&server, *job).await?),
    };
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

/// A request that still waits for its export, until this is dropped.
#[derive(Default)]
struct Awaited(Arc<AtomicBool>);

impl Awaited {
    fn still(&self) -> Still {
        Still(Arc::clone(&self.0))
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Whether the client still waits.
struct Still(Arc<AtomicBool>);

impl Still {
    fn check(&self) -> Result<(), Problem> {
        match self.0.load(Ordering::Relaxed) {
            true => Err(Problem::new(
                axum::http::StatusCode::SERVICE_UNAVAILABLE,
                "too-slow",
                message!("server-export-abandoned"),
            )),
            false => Ok(()),
        }
    }
}

/// An export that is being made, beside the async workers.
struct Making {
    permit: Permit,
    id: MeetingId,
    records: Vec<Record>,
    /// Where they break off.
    damage: Option<Damage>,
    with_marks: bool,
    format: ExportFormat,
    /// The language that was asked for.
    lang: Option<Language>,
    /// What else the request says of its reader.
    headers: HeaderMap,
    still: Still,
}

/// What came of it.
enum Made {
    /// The file with its media type.
    Whole(&'static str, Vec<u8>),
    /// What a PDF is made of, which another process makes.
    ToRender(Box<RenderJob<'static>>, Permit),
}

/// After so many events the export checks whether the client still waits.
const EVENTS_AT_A_TIME: usize = 10_000;

impl Making {
    fn make(self) -> Result<Made, Problem> {
        let meeting = self.fold()?;
        let language = of_export(self.lang, &self.headers, meeting.language());
        let meeting = meeting.told_in(language);
        let with_marks = self.with_marks;
        let note = self.damage.as_ref().map(|damage| damage.told_in(meeting.language()));
        let options = Options { with_marks, zone: Zone::of_machine(), note };
        Ok(match self.format {
            ExportFormat::Pdf => {
                let (meeting, note) = (Cow::Owned(meeting), options.note);
                Made::ToRender(Box::new(RenderJob { meeting, with_marks, note }), self.permit)
            }
            ExportFormat::Markdown => Made::Whole(
                "text/markdown; charset=utf-8",
                quorate_print::markdown(&meeting, &options).into_bytes(),
            ),
            ExportFormat::Json => {
                let events = told(&meeting, &self.records, self.with_marks, &self.still)?;
                let whole =
                    ExportDocument { report: Report::of(&meeting), events, damage: self.damage.clone() };
                let bytes = serde_json::to_vec_pretty(&whole).map_err(|error| Problem::bug(&error))?;
                Made::Whole("application/json", bytes)
            }
            ExportFormat::Html => {
                let log = self.records.iter().map(|record| (&*record.line, &*record.event));
                let page = quorate_print::html(&meeting, log, &options);
                Made::Whole("text/html; charset=utf-8", page.into_bytes())
            }
        })
    }

    fn fold(&self) -> Result<Meeting, Problem> {
        let run = self.records.first().map_or_else(|| RunId::new(""), |record| record.event.run_id.clone());
        let mut meeting = Meeting::blank(self.id.clone(), run);
        for some in self.records.chunks(EVENTS_AT_A_TIME) {
            self.still.check()?;
            some.iter().for_each(|record| apply(&mut meeting, &record.event));
        }
        self.still.check()?;
        Visibility::of(self.with_marks).redact(&mut meeting);
        Ok(meeting)
    }
}

fn extension(format: ExportFormat) -> &'static str {
    match format {
        ExportFormat::Markdown => "md",
        ExportFormat::Json => "json",
        ExportFormat::Html => "html",
        ExportFormat::Pdf => "pdf",
    }
}

/// The events, without what is hidden unless that is wanted.
fn told(
    meeting: &Meeting,
    records: &[Record],
    with_marks: bool,
    still: &Still,
) -> Result<Vec<Value>, Problem> {
    let open = hidden_ballot(meeting);
    let line = |record: &Record| {
        let hidden = Visibility::of(with_marks).line(&record.event, open);
        serde_json::from_str(hidden.as_deref().unwrap_or(&record.line)).map_err(|error| Problem::bug(&error))
    };
    let mut events = Vec::with_capacity(records.len());
    for some in records.chunks(EVENTS_AT_A_TIME) {
        still.check()?;
        for record in some {
            events.push(line(record)?);
        }
    }
    Ok(events)
}

async fn pdf(server: &ServerState, job: RenderJob<'static>) -> Result<Vec<u8>, Problem> {
    let Some(renderer) = server.pdf_renderer() else {
        let status = axum::http::StatusCode::NOT_IMPLEMENTED;
        let detail = message!("server-no-pdf");
        return Err(Problem::new(status, "no-pdf", detail).hint(message!("server-no-pdf-hint")));
    };
    renderer.render(job, server.exports().options()).await
}
