//! A meeting to hand on: Markdown, JSON, one HTML page that replays and checks itself, a PDF, its log as JSONL, or the folder of
//! other programs. JSON, HTML, JSONL and the folder are signed. Exporters of the operator make further formats from the JSON.

use std::borrow::Cow;
use std::fs::File;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quorate_app::{
    Denial, ExportError, ExportedFiles, ExporterView, LogSealer, Principal, Salvaged, closing_line,
    damage_view, exporter_problem, viewer_of,
};
use quorate_contract::hex::to_hex;
use quorate_contract::signature::{ChainEntry, LogChain, LogSignature, Sealing, UnsignedReason};
use quorate_contract::{Event, Language, MeetingId, RunId, TimeZoneName};
use quorate_core::{Meeting, apply};
use quorate_messages::message;
use quorate_print::{Options, RenderJob, Times, record};
use quorate_views::folder_layouts::{Files, FolderExport, signed_log};
use quorate_views::{DamageView, Report, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::file_body::of_file;
use super::pagination::ItemPage;
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::exports::{folder_zip, render};
use crate::limits::queue::{Permit, Requester};
use crate::problem::Problem;
use crate::requests::content_language::of_export;
use crate::requests::extract::{Path, Query};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(export)).routes(routes!(exporters))
}

/// List exporters
///
/// Exporters are programs that the operator has configured. Each adds a format to `GET /api/v1/meetings/{id}/export`.
#[utoipa::path(
    get, path = "/api/v1/exporters", tag = "export", operation_id = "list_exporters",
    responses((status = 200, body = ItemPage<ExporterView>)),
)]
async fn exporters(State(server): State<ServerState>) -> Result<Json<ItemPage<ExporterView>>, Problem> {
    Ok(Json(ItemPage::whole(server.app().exporters()?)))
}

/// In which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
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
    /// A ZIP file with the folder that other programs read: JSON files, the signed log and the attached files. For those who
    /// may see everything.
    Files,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ExportQuery {
    /// The file format: `markdown` (or `md`), `json`, `html`, `pdf`, `jsonl`, `files` (a ZIP file), or the name of an exporter.
    #[serde(default = "markdown")]
    #[param(default = "markdown", max_length = 50)]
    format: String,
    /// Whether to include evaluations, private memory and reasoning, for callers who may see them.
    #[serde(default)]
    with_marks: bool,
    /// The language of headings, labels and remarks; when left out, the one that `Accept-Language` prefers,
    /// or the language of the meeting. Messages are not translated.
    #[param(inline)]
    lang: Option<Language>,
    /// The IANA name of the time zone in which Markdown, HTML and PDF tell times, such as `Asia/Shanghai`. When left out: the zone
    /// that the meeting chose; without one UTC, and in HTML that of whoever opens the page.
    #[param(max_length = 64)]
    time_zone: Option<String>,
}

fn markdown() -> String {
    "markdown".to_owned()
}

/// An export as JSON.
#[derive(Serialize, ToSchema)]
struct ExportDocument {
    /// The result of the meeting.
    report: Report,
    /// All events, without content that is hidden from the caller.
    #[schema(value_type = Vec<quorate_contract::Event>)]
    events: Vec<Value>,
    /// The checksum of each event, and its line as stored unless a part of it is hidden from the caller.
    chain: Vec<ChainEntry>,
    /// The signature of the log; `null` when there is none.
    signature: Option<LogSignature>,
    /// The reason why the export is not signed; `null` when it is.
    unsigned: Option<UnsignedReason>,
    /// Where the log breaks off, if an event is damaged; otherwise `null`.
    damage: Option<DamageView>,
}

/// Export a meeting to a file
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/export", tag = "export", operation_id = "export_meeting",
    params(("id" = String, Path, description = "The meeting, by id"), ExportQuery),
    responses(
        (status = 200, description = "The exported meeting", content(
            (String = "text/markdown"), (ExportDocument = "application/json"), (String = "text/html"),
            (inline(Vec<u8>) = "application/pdf"), (String = "application/jsonl"),
            (inline(Vec<u8>) = "application/zip"),
        )),
        (status = 502, body = Problem, description = "The exporter made no file"),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem),
        (status = 429, body = Problem), (status = 501, body = Problem), (status = 503, body = Problem),
    ),
)]
async fn export(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
    headers: HeaderMap,
    Query(ExportQuery { format, with_marks, lang, time_zone }): Query<ExportQuery>,
) -> Result<Response, Problem> {
    let zone = time_zone.map(|name| quorate_app::time_zone("time_zone", &name)).transpose()?;
    let named = ExportFormat::named(&format);
    if (with_marks || named.is_some_and(ExportFormat::holds_everything)) && !principal.sees_all() {
        let status = StatusCode::FORBIDDEN;
        let detail = message!("server-no-marks-for-you");
        return Err(Problem::new(status, "forbidden", detail).hint(message!("server-no-marks-for-you-hint")));
    }
    // What is no format of the program is one of an exporter, which is given the JSON.
    let (format, exporter) = match named {
        Some(format) => (format, None),
        None => (ExportFormat::Json, Some(known_exporter(&server, format)?)),
    };
    let id = MeetingId::new(id);
    let permit = server.exports().enter(&Requester::of(&principal)).await?;
    let log = server.app().stored_log(&id).await?;
    let title = server.app().labels(&id).await?.title;
    let sealer = match format {
        ExportFormat::Json | ExportFormat::Html | ExportFormat::Jsonl | ExportFormat::Files => {
            server.app().log_sealer(&id).await
        }
        ExportFormat::Markdown | ExportFormat::Pdf => LogSealer::default(),
    };
    let files = match format {
        ExportFormat::Html => server.app().files_for_export(&id).await,
        _ => ExportedFiles::default(),
    };
    let contents = match format {
        ExportFormat::Files => server.app().file_contents(&id).await?,
        _ => Vec::new(),
    };
    let ending = exporter.as_ref().map_or(extension(format), |exporter| &exporter.extension);
    let name = format!("{id}.{ending}");
    let wanted = WaitingRequest::default();
    let still = wanted.still();
    let making = RunningExport {
        permit,
        id,
        log,
        files,
        contents,
        sealer,
        principal,
        with_marks,
        format,
        lang,
        zone,
        title,
        headers,
        still,
    };
    // Folding takes its time. The permit goes along: what was begun counts until it ends.
    let made = tokio::task::spawn_blocking(move || making.make()).await;
    let (media, body) = match (made.map_err(|stopped| Problem::bug(&stopped))??, exporter) {
        (ExportBody::Whole { bytes, language, permit: _permit, .. }, Some(exporter)) => {
            let (media, bytes) = by_exporter(&server, &exporter.name, bytes, language).await?;
            (media, Body::from(bytes))
        }
        (ExportBody::Whole { media, bytes, .. }, None) => (HeaderValue::from_static(media), bytes.into()),
        (ExportBody::Archive(file), _) => (HeaderValue::from_static("application/zip"), of_file(file)),
        (ExportBody::ToRender(job, _permit), _) => {
            (HeaderValue::from_static("application/pdf"), pdf(&server, *job).await?.into())
        }
    };
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""))
        .unwrap_or(HeaderValue::from_static("attachment"));
    let headers = [
        (header::CONTENT_TYPE, media),
        (header::CONTENT_DISPOSITION, disposition),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, body).into_response())
}

/// The exporter of this name.
fn known_exporter(server: &ServerState, name: String) -> Result<ExporterView, Problem> {
    let known = server.app().exporters()?;
    let names: Vec<String> = known.iter().map(|exporter| exporter.name.clone()).collect();
    known.into_iter().find(|exporter| exporter.name == name).ok_or_else(|| {
        let all = ["markdown", "json", "html", "pdf", "jsonl", "files"].into_iter();
        let all = all.chain(names.iter().map(String::as_str)).collect::<Vec<_>>().join(", ");
        Problem::invalid("format", message!("server-export-form"), message!("server-export-form-hint", all))
    })
}

/// The file that an exporter makes of the JSON, with its media type.
async fn by_exporter(
    server: &ServerState,
    name: &str,
    document: Vec<u8>,
    language: Language,
) -> Result<(HeaderValue, Vec<u8>), Problem> {
    let most = Duration::from_secs(server.exports().options().pdf_seconds.max(1).into());
    match server.app().export_with(name, document, language, most).await {
        Ok((exporter, file)) => {
            let media = HeaderValue::from_str(&exporter.media_type);
            Ok((media.unwrap_or(HeaderValue::from_static("application/octet-stream")), file))
        }
        Err(ExportError::Failed { name, error }) => {
            let detail = exporter_problem(&name, &error);
            Err(Problem::new(StatusCode::BAD_GATEWAY, "exporter-failed", detail)
                .hint(message!("server-exporter-hint")))
        }
        // It was taken from the file in between.
        Err(ExportError::Unknown { .. }) => Err(Problem::not_found("format", name)),
        Err(ExportError::Service(error)) => Err(error.into()),
    }
}

/// A request that still waits for its export, until this is dropped.
#[derive(Default)]
struct WaitingRequest(Arc<AtomicBool>);

impl WaitingRequest {
    fn still(&self) -> ClientState {
        ClientState(Arc::clone(&self.0))
    }
}

impl Drop for WaitingRequest {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Whether the client still waits.
struct ClientState(Arc<AtomicBool>);

impl ClientState {
    fn check(&self) -> Result<(), Problem> {
        match self.0.load(Ordering::Relaxed) {
            true => Err(Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "too-slow",
                message!("server-export-abandoned"),
            )),
            false => Ok(()),
        }
    }
}

/// An export that is being made, beside the async workers.
struct RunningExport {
    permit: Permit,
    id: MeetingId,
    /// All events, or those before the damage.
    log: Salvaged,
    /// The attached files that the page shows.
    files: ExportedFiles,
    /// The contents of the attached files that stand in the folder, by their checksums.
    contents: Vec<(String, File)>,
    sealer: LogSealer,
    principal: Principal,
    with_marks: bool,
    format: ExportFormat,
    /// The language that was asked for.
    lang: Option<Language>,
    /// The time zone that was asked for.
    zone: Option<TimeZoneName>,
    /// The title that was given after the end.
    title: Option<String>,
    /// What else the request says of its viewer.
    headers: HeaderMap,
    still: ClientState,
}

/// What came of it.
enum ExportBody {
    /// The file with its media type, and the language of its viewer.
    Whole { media: &'static str, bytes: Vec<u8>, language: Language, permit: Permit },
    /// What a PDF is made of, which another process makes.
    ToRender(Box<RenderJob<'static>>, Permit),
    /// A ZIP file.
    Archive(File),
}

/// After so many events the export checks whether the client still waits.
const EVENTS_AT_A_TIME: usize = 10_000;

impl RunningExport {
    fn make(mut self) -> Result<ExportBody, Problem> {
        let mut meeting = self.fold()?;
        let holds_everything = self.with_marks || self.format.holds_everything();
        if holds_everything && viewer_of(&meeting, &self.principal).awaits_ballot() {
            return Err(Denial::OpenBallot.into());
        }
        Viewer::of_export(&meeting, self.with_marks).redact(&mut meeting);
        let language = of_export(self.lang, &self.headers, meeting.language());
        let meeting = self.with_times(meeting.told_in(language));
        let meeting = match self.title.clone().filter(|_| meeting.is_over()) {
            Some(title) => meeting.called(title),
            None => meeting,
        };
        let with_marks = self.with_marks;
        let note = self.log.damage.as_ref().map(|damage| damage.told_in(meeting.language()));
        let shown = Viewer::of_export(&meeting, with_marks);
        let record = match self.format {
            ExportFormat::Pdf | ExportFormat::Markdown => {
                record(&meeting, self.log.stored().map(|(_, event)| event), shown, language)
            }
            ExportFormat::Json | ExportFormat::Html | ExportFormat::Jsonl | ExportFormat::Files => Vec::new(),
        };
        let options =
            Options { with_marks, times: Times::of_meeting(&meeting), note, record, ..Options::default() };
        let (media, bytes) = match self.format {
            ExportFormat::Pdf => {
                let (meeting, note, record) = (Cow::Owned(meeting), options.note, options.record);
                let job = RenderJob { meeting, with_marks, note, record };
                return Ok(ExportBody::ToRender(Box::new(job), self.permit));
            }
            ExportFormat::Markdown => {
                ("text/markdown; charset=utf-8", quorate_print::markdown(&meeting, &options).into_bytes())
            }
            ExportFormat::Json => {
                let (events, chain) = self.told(&meeting)?;
                let sealing = self.seal(&meeting);
                let (signature, unsigned) = sealing.parts();
                let (report, signature) = (Report::of(&meeting), signature.cloned());
                let damage = self.log.damage.as_ref().map(|damage| damage_view(damage, language));
                let whole = ExportDocument { report, events, chain, signature, unsigned, damage };
                let bytes = serde_json::to_vec_pretty(&whole).map_err(|error| Problem::bug(&error))?;
                ("application/json", bytes)
            }
            ExportFormat::Html => {
                let sealing = Some(self.seal(&meeting));
                let ExportedFiles { images, texts } = std::mem::take(&mut self.files);
                let options = Options { sealing, images, texts, ..options };
                let page = quorate_print::html(&meeting, self.log.stored(), &options);
                ("text/html; charset=utf-8", page.into_bytes())
            }
            ExportFormat::Jsonl => {
                let lines = || self.log.stored().map(|(line, _)| line);
                let closing = closing_line(&self.id, lines(), &self.seal(&meeting));
                let mut text = String::new();
                for line in lines().chain([closing.as_str()]) {
                    text.push_str(line);
                    text.push('\n');
                }
                ("application/jsonl", text.into_bytes())
            }
            ExportFormat::Files => {
                let (_, chain) = self.told(&meeting)?;
                let signed = signed_log(&self.id, &chain, &self.seal(&meeting));
                let events: Vec<Event> = self.log.stored().map(|(_, event)| event.clone()).collect();
                let folder = FolderExport::of(&meeting, &events, &signed, &Files::new())
                    .map_err(|error| Problem::bug(&error))?;
                let archive = folder_zip(&folder, std::mem::take(&mut self.contents));
                return Ok(ExportBody::Archive(archive.map_err(|error| not_written(&error))?));
            }
        };
        Ok(ExportBody::Whole { media, bytes, language, permit: self.permit })
    }

    /// The meeting with its times in the zone that was asked for. Where nobody chose one, a text that nobody's browser tells
    /// names its zone: UTC.
    fn with_times(&self, meeting: Meeting) -> Meeting {
        let is_chosen = meeting.settings.details.display.time_zone.is_some();
        let usual = match self.format {
            ExportFormat::Markdown | ExportFormat::Pdf if !is_chosen => Some(TimeZoneName::utc()),
            _ => None,
        };
        match self.zone.clone().or(usual) {
            Some(zone) => meeting.with_times_in(zone),
            None => meeting,
        }
    }

    fn seal(&self, meeting: &Meeting) -> Sealing {
        self.sealer.seal(
            meeting,
            self.log.stored(),
            self.log.damage.is_some(),
            viewer_of(meeting, &self.principal),
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
        Ok(meeting)
    }

    /// The events, without what is hidden unless that is wanted, and the chain of their checksums.
    fn told(&self, meeting: &Meeting) -> Result<(Vec<Value>, Vec<ChainEntry>), Problem> {
        let viewer = Viewer::of_export(meeting, self.with_marks);
        let mut log = LogChain::of(&self.id);
        let records = &self.log.records;
        let (mut events, mut chain) = (Vec::with_capacity(records.len()), Vec::with_capacity(records.len()));
        for (at, ((stored, event), record)) in self.log.stored().zip(records).enumerate() {
            if at % EVENTS_AT_A_TIME == 0 {
                self.still.check()?;
            }
            let redacted = viewer.line(event);
            let shown = redacted.as_deref().unwrap_or(&record.line);
            events.push(serde_json::from_str(shown).map_err(|error| Problem::bug(&error))?);
            let line = redacted.is_none().then(|| stored.to_owned());
            chain.push(ChainEntry { hash: to_hex(&log.push(stored)), line });
        }
        Ok((events, chain))
    }
}

/// The archive could not be written.
fn not_written(error: &std::io::Error) -> Problem {
    let (status, code) = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => (StatusCode::INSUFFICIENT_STORAGE, "disk-full"),
        _ => (StatusCode::SERVICE_UNAVAILABLE, "storage"),
    };
    Problem::new(status, code, message!("server-export-not-written", %error))
        .hint(message!("server-export-not-written-hint"))
}

impl ExportFormat {
    /// Whether it always holds everything, so that it is for those who may see everything.
    fn holds_everything(self) -> bool {
        matches!(self, Self::Jsonl | Self::Files)
    }

    /// The format of this name, if it is one of the program.
    fn named(name: &str) -> Option<Self> {
        serde_json::from_value(Value::from(name)).ok()
    }
}

fn extension(format: ExportFormat) -> &'static str {
    match format {
        ExportFormat::Markdown => "md",
        ExportFormat::Json => "json",
        ExportFormat::Html => "html",
        ExportFormat::Pdf => "pdf",
        ExportFormat::Jsonl => "jsonl",
        ExportFormat::Files => "zip",
    }
}

async fn pdf(server: &ServerState, job: RenderJob<'static>) -> Result<Vec<u8>, Problem> {
    let Some(renderer) = server.pdf_renderer() else {
        let status = StatusCode::NOT_IMPLEMENTED;
        let detail = message!("server-no-pdf");
        return Err(Problem::new(status, "no-pdf", detail).hint(message!("server-no-pdf-hint")));
    };
    render(renderer, job, server.exports().options()).await
}
