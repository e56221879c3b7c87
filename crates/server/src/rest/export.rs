//! A meeting to hand on: Markdown, JSON, one HTML page that replays and checks itself, a PDF, or its log as JSONL. JSON,
//! HTML and JSONL are signed.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use quorate_app::{Damage, LogSealer, Principal, Salvaged, closing_line, reader_of};
use quorate_contract::chain::to_hex;
use quorate_contract::signature::{ChainEntry, LogChain, LogSignature, Sealing, UnsignedReason};
use quorate_contract::{Language, MeetingId, RunId};
use quorate_core::{Meeting, apply};
use quorate_messages::message;
use quorate_print::{Options, RenderJob, Zone};
use quorate_views::{Reader, Report};
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
    /// All lines of the log as they are stored, and a last line with their checksums and the signature. For those who may
    /// see everything.
    Jsonl,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ExportQuery {
    /// `markdown` (or `md`), `json`, `html`, `pdf` or `jsonl`.
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
    /// For each event its checksum, and its line as it is stored where nothing of it is hidden from the caller.
    chain: Vec<ChainEntry>,
    /// The signature of the log; `null` when there is none.
    signature: Option<LogSignature>,
    /// The reason why there is no signature; `null` when there is one.
    unsigned: Option<UnsignedReason>,
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
            (inline(Vec<u8>) = "application/pdf"), (String = "application/jsonl"),
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
    if (with_marks || format == ExportFormat::Jsonl) && !principal.sees_all() {
        let status = axum::http::StatusCode::FORBIDDEN;
        let detail = message!("server-no-marks-for-you");
        return Err(Problem::new(status, "forbidden", detail).hint(message!("server-no-marks-for-you-hint")));
    }
    let id = MeetingId::new(id);
    let permit = server.exports().enter(&Requester::of(&principal)).await?;
    let log = server.app().stored_log(&id).await?;
    let sealer = match format {
        ExportFormat::Json | ExportFormat::Html | ExportFormat::Jsonl => server.app().log_sealer(&id).await,
        ExportFormat::Markdown | ExportFormat::Pdf => LogSealer::default(),
    };
    let name = format!("{id}.{}", extension(format));
    let wanted = Awaited::default();
    let still = wanted.still();
    let making = Making { permit, id, log, sealer, principal, with_marks, format, lang, headers, still };
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
    /// All events, or those before the damage.
    log: Salvaged,
    sealer: LogSealer,
    principal: Principal,
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
        let note = self.log.damage.as_ref().map(|damage| damage.told_in(meeting.language()));
        let options = Options { with_marks, zone: Zone::of_machine(), note, sealing: None };
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
                let (events, chain) = self.told(&meeting)?;
                let sealing = self.seal(&meeting);
                let (signature, unsigned) = sealing.parts();
                let (report, signature) = (Report::of(&meeting), signature.cloned());
                let damage = self.log.damage.clone();
                let whole = ExportDocument { report, events, chain, signature, unsigned, damage };
                let bytes = serde_json::to_vec_pretty(&whole).map_err(|error| Problem::bug(&error))?;
                Made::Whole("application/json", bytes)
            }
            ExportFormat::Html => {
                let options = Options { sealing: Some(self.seal(&meeting)), ..options };
                let page = quorate_print::html(&meeting, self.log.stored(), &options);
                Made::Whole("text/html; charset=utf-8", page.into_bytes())
            }
            ExportFormat::Jsonl => {
                let lines = || self.log.stored().map(|(line, _)| line);
                let closing = closing_line(&self.id, lines(), &self.seal(&meeting));
                let mut text = String::new();
                for line in lines().chain([closing.as_str()]) {
                    text.push_str(line);
                    text.push('\n');
                }
                Made::Whole("application/jsonl", text.into_bytes())
            }
        })
    }

    fn seal(&self, meeting: &Meeting) -> Sealing {
        self.sealer.seal(
            meeting,
            self.log.stored(),
            self.log.damage.is_some(),
            reader_of(meeting, &self.principal),
        )
    }

    fn fold(&self) -> Result<Meeting, Problem> {
        let records = &self.log.records;
        let run = records.first().map_or_else(|| RunId::new(""), |record| record.event.run_id.clone());
        let mut meeting = Meeting::blank(self.id.clone(), run);
        for some in records.chunks(EVENTS_AT_A_TIME) {
            self.still.check()?;
            some.iter().for_each(|record| apply(&mut meeting, &record.event));
        }
        self.still.check()?;
        Reader::of_export(&meeting, self.with_marks).redact(&mut meeting);
        Ok(meeting)
    }

    /// The events, without what is hidden unless that is wanted, and the chain of their checksums.
    fn told(&self, meeting: &Meeting) -> Result<(Vec<Value>, Vec<ChainEntry>), Problem> {
        let reader = Reader::of_export(meeting, self.with_marks);
        let mut log = LogChain::of(&self.id);
        let records = &self.log.records;
        let (mut events, mut chain) = (Vec::with_capacity(records.len()), Vec::with_capacity(records.len()));
        for (at, ((stored, event), record)) in self.log.stored().zip(records).enumerate() {
            if at % EVENTS_AT_A_TIME == 0 {
                self.still.check()?;
            }
            let redacted = reader.line(event);
            let shown = redacted.as_deref().unwrap_or(&record.line);
            events.push(serde_json::from_str(shown).map_err(|error| Problem::bug(&error))?);
            let line = redacted.is_none().then(|| stored.to_owned());
            chain.push(ChainEntry { hash: to_hex(&log.push(stored)), line });
        }
        Ok((events, chain))
    }
}

fn extension(format: ExportFormat) -> &'static str {
    match format {
        ExportFormat::Markdown => "md",
        ExportFormat::Json => "json",
        ExportFormat::Html => "html",
        ExportFormat::Pdf => "pdf",
        ExportFormat::Jsonl => "jsonl",
    }
}

async fn pdf(server: &ServerState, job: RenderJob<'static>) -> Result<Vec<u8>, Problem> {
    let Some(renderer) = server.pdf_renderer() else {
        let status = axum::http::StatusCode::NOT_IMPLEMENTED;
        let detail = message!("server-no-pdf");
        return Err(Problem::new(status, "no-pdf", detail).hint(message!("server-no-pdf-hint")));
    };
    renderer.render(job, server.exports().options()).await
}
