//! Files that people give to a meeting. They are kept as they come and handed out as attachments; nothing
//! here ever opens one in a browser.

use axum::Json;
use axum::body::Body as Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use quorate_app::{NewUpload, StoreError, Upload, UploadTotal};
use quorate_contract::MeetingId;
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use tokio::io::AsyncReadExt;
use tokio::sync::Semaphore;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::SignedIn;
use crate::body::{Path, Query};
use crate::problem::Problem;
use crate::rate_limits::UPLOAD_MAX;
use crate::state::ServerState;

/// How many bytes of files one meeting may hold.
const MEETING_MAX: u64 = 200 << 20;
/// How many files one meeting may hold.
const FILES_MAX: u64 = 500;
/// How many bytes of a file tell what it is.
const SNIFFED: usize = 8 << 10;
/// How many files may come in at a time.
static AT_ONCE: Semaphore = Semaphore::const_new(16);

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    let limit = DefaultBodyLimit::max(UPLOAD_MAX);
    OpenApiRouter::new().routes(routes!(list, give)).layer(limit).routes(routes!(take, remove))
}

/// The uploaded files of a meeting.
#[derive(Debug, Serialize, ToSchema)]
struct UploadList {
    /// The files, in the order of upload.
    items: Vec<Upload>,
    /// Always `null`: the list has one page.
    next_cursor: Option<String>,
    /// The number of files and their total size.
    total: UploadTotal,
}

/// What a file is called.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct UploadQuery {
    /// The file name; folders in it are removed.
    #[param(min_length = 1)]
    name: String,
}

/// List uploaded files
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/uploads", tag = "uploads", operation_id = "list_uploads",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = UploadList), (status = 404, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    Path(id): Path<String>,
) -> Result<Json<UploadList>, Problem> {
    let id = MeetingId::new(id);
    let (items, total) = server.app().uploads(&id).await?;
    Ok(Json(UploadList { items, next_cursor: None, total }))
}

/// Upload a file
///
/// The request body is the content of the file, at most 20 MiB.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/uploads", tag = "uploads", operation_id = "upload_file",
    params(("id" = String, Path, description = "The meeting, by id"), UploadQuery),
    request_body(content = inline(Vec<u8>), content_type = "application/octet-stream"),
    responses(
        (status = 201, body = Upload), (status = 404, body = Problem), (status = 409, body = Problem),
        (status = 413, body = Problem), (status = 422, body = Problem),
        (status = 507, body = Problem, description = "The limit for uploaded files of all meetings is reached"),
    ),
)]
async fn give(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
    Query(UploadQuery { name }): Query<UploadQuery>,
    body: Bytes,
) -> Result<Response, Problem> {
    let id = MeetingId::new(id);
    if server.app().is_off_record(&id) {
        let status = StatusCode::CONFLICT;
        return Err(Problem::new(status, "off-record", message!("server-off-record"))
            .hint(message!("server-off-record-hint")));
    }
    let there = server.app().upload_total(Some(&id)).await?;
    if there.files >= FILES_MAX || there.bytes >= MEETING_MAX {
        let detail = message!("server-meeting-files-full", files = %there.files, bytes = %there.bytes);
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", detail)
            .hint(message!("server-meeting-files-full-hint")));
    }
    let most = (UPLOAD_MAX as u64).min(MEETING_MAX - there.bytes);
    let mut stream = body.into_data_stream();
    let mut head = Vec::new();
    let mut ended = false;
    while head.len() < SNIFFED && !ended {
        match stream.next().await {
            Some(piece) => head.extend_from_slice(&piece.map_err(broken_off)?),
            None => ended = true,
        }
    }
    if head.is_empty() {
        return Err(Problem::invalid(
            "body",
            message!("server-file-empty"),
            message!("server-file-empty-hint"),
        ));
    }
    let what = NewUpload {
        id: uuid::Uuid::now_v7().to_string(),
        meeting: id.clone(),
        name,
        media_type: sniffed(&head[..head.len().min(SNIFFED)]).to_owned(),
        by: principal.actor(),
        created_ms: quorate_app::now(),
    };
    let limits = server.settings().limits;
    let in_all = UploadTotal { files: limits.uploads.into(), bytes: limits.uploads_bytes };
    // Refused before it is read; whoever came at the same time is counted at the end.
    let there = server.app().upload_total(None).await?;
    if there.files >= in_all.files || there.bytes >= in_all.bytes {
        return Err(StoreError::UploadsFull { files: there.files, bytes: there.bytes }.into());
    }
    let _own = server.access().limits().upload(&principal.account())?;
    // Those that come in at the same time are not counted yet, so they are few.
    let Ok(_place) = AT_ONCE.try_acquire() else {
        let detail = message!("server-uploads-busy");
        return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many", detail)
            .hint(message!("server-uploads-busy-hint"))
            .retry_after(1));
    };
    let mut uploading = server.app().begin_upload(what, most, in_all).await?;
    uploading.write(&head).await?;
    while let Some(piece) = stream.next().await {
        uploading.write(&piece.map_err(broken_off)?).await?;
    }
    let upload = uploading.finish().await?;
    let place = format!("/api/v1/meetings/{id}/uploads/{}", upload.id);
    let headers = HeaderMap::from_iter(HeaderValue::from_str(&place).map(|place| (header::LOCATION, place)));
    Ok((StatusCode::CREATED, headers, Json(upload)).into_response())
}

/// Download an uploaded file
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/uploads/{upload}", tag = "uploads", operation_id = "download_file",
    params(("id" = String, Path, description = "The meeting, by id"), ("upload" = String, Path, description = "The file, by id")),
    responses(
        (status = 200, content_type = "application/octet-stream", body = inline(Vec<u8>)),
        (status = 404, body = Problem),
    ),
)]
async fn take(
    State(server): State<ServerState>,
    Path((id, upload)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let (upload, file) = server.app().open_upload(&MeetingId::new(id), &upload).await?;
    let file = tokio::fs::File::from_std(file);
    let pieces = futures::stream::try_unfold(file, |mut file| async move {
        let mut piece = vec![0; 64 << 10];
        let read = file.read(&mut piece).await?;
        piece.truncate(read);
        Ok::<_, std::io::Error>((read > 0).then_some((piece, file)))
    });
    let text = |text: String| HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("attachment"));
    let headers = [
        (header::CONTENT_TYPE, text(upload.media_type)),
        (header::CONTENT_LENGTH, upload.size.into()),
        (header::CONTENT_DISPOSITION, text(disposition(&upload.name))),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox")),
        (header::ETAG, text(format!("\"{}\"", upload.sha256))),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, immutable, max-age=31536000")),
    ];
    Ok((headers, Bytes::from_stream(pieces)).into_response())
}

/// Delete an uploaded file
#[utoipa::path(
    delete, path = "/api/v1/meetings/{id}/uploads/{upload}", tag = "uploads", operation_id = "delete_upload",
    params(("id" = String, Path, description = "The meeting, by id"), ("upload" = String, Path, description = "The file, by id")),
    responses((status = 204), (status = 404, body = Problem)),
)]
async fn remove(
    State(server): State<ServerState>,
    Path((id, upload)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    server.app().delete_upload(&MeetingId::new(id), &upload).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn broken_off(error: axum::Error) -> Problem {
    let detail = message!("server-file-broken-off", %error);
    Problem::unreadable(detail).hint(message!("server-send-again"))
}

/// What a file is, by its first bytes: text where it is text, a known type by its mark, bytes otherwise. What
/// a browser could run is called text.
fn sniffed(head: &[u8]) -> &'static str {
    let known = infer::get(head).map(|kind| kind.mime_type());
    match known {
        Some(kind) if !kind.contains("html") && !kind.contains("xml") && !kind.contains("script") => kind,
        _ if is_text(head) => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Whether bytes are UTF-8 without control characters; they may end within a character.
fn is_text(head: &[u8]) -> bool {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}'))
}

/// `attachment` with the name, in plain letters and in all (RFC 6266, RFC 8187).
fn disposition(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_. ".contains(c) { c } else { '_' }).collect();
    let all: String = name
        .bytes()
        .map(|byte| match byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect();
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{all}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_browser_could_run_is_text() {
        assert_eq!(sniffed(b"<!DOCTYPE html><script>alert(1)</script>"), "text/plain; charset=utf-8");
        assert_eq!(sniffed(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "text/plain; charset=utf-8");
        assert_eq!(sniffed(b"%PDF-1.7\n"), "application/pdf");
        assert_eq!(sniffed(&[0, 1, 2, 0xff]), "application/octet-stream");
        let cut = &"会议".as_bytes()[..4];
        assert_eq!(sniffed(cut), "text/plain; charset=utf-8");
    }

    #[test]
    fn a_name_is_told_in_both_ways() {
        let said = disposition("计划 \"1\".md");
        assert_eq!(
            said,
            "attachment; filename=\"__ _1_.md\"; filename*=UTF-8''%E8%AE%A1%E5%88%92%20%221%22.md"
        );
    }
}
