//! Files that are attached to a meeting. Their content is stored as it comes and downloaded as an attachment; nothing
//! here ever opens one in a browser. Of an image, its pixels written anew are shown.

use std::sync::Arc;

use axum::Json;
use axum::body::Body as Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use quorate_app::{FILE_HEAD, FileLines, NewUpload, StoreError, UploadTotal, media_type};
use quorate_contract::MeetingId;
use quorate_core::FileRecord;
use quorate_messages::message;
use serde::Deserialize;
use tokio::sync::Semaphore;
use utoipa::IntoParams;

use super::file_body::of_file;
use super::meeting_access::{ChangeReceipt, look};
use super::pagination::MeetingItems;
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::limits::bodies::UPLOAD_MAX;
use crate::problem::Problem;
use crate::requests::extract::{Path, Query};
use crate::state::ServerState;

/// How many bytes of files one meeting may hold.
const MEETING_MAX: u64 = 200 << 20;
/// How many files one meeting may hold.
const FILES_MAX: u64 = 500;
/// How many files may come in at a time.
static AT_ONCE: Semaphore = Semaphore::const_new(16);

pub(crate) fn routes() -> ApiRouter {
    let limit = DefaultBodyLimit::max(UPLOAD_MAX);
    ApiRouter::new()
        .routes(routes!(list, attach))
        .layer(limit)
        .routes(routes!(download, remove))
        .routes(routes!(read_lines))
        .routes(routes!(show_image))
}

/// What a file is called.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct FileQuery {
    /// The name of the file, or its path in a folder.
    #[param(min_length = 1, max_length = 255)]
    name: String,
}

/// Which lines are read.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct LinesQuery {
    /// The first line, counted from 1; the first of the file when it is not given.
    #[param(minimum = 1)]
    first: Option<u32>,
    /// The last line. At most 400 lines and 20,000 characters are read at once.
    #[param(minimum = 1)]
    last: Option<u32>,
}

/// List files
///
/// The files that are attached to a meeting, each with the beginning of its text as participants read it.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/files", tag = "files", operation_id = "list_files",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = MeetingItems<FileRecord>), (status = 404, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    Path(id): Path<MeetingId>,
) -> Result<Json<MeetingItems<Arc<FileRecord>>>, Problem> {
    let meeting = look(&server, &id).await?;
    Ok(Json(MeetingItems::whole(meeting.files, meeting.seq)))
}

/// Attach a file
///
/// The request body is the content of the file, at most 20 MiB. Participants read the beginning of its text from the next
/// turn on. A file that holds keys or passwords is refused. The same content under the same name is attached once.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/files", tag = "files", operation_id = "attach_file",
    params(("id" = String, Path, description = "The meeting, by id"), FileQuery),
    request_body(content = inline(Vec<u8>), content_type = "application/octet-stream"),
    responses(
        (status = 201, body = FileRecord), (status = 404, body = Problem), (status = 409, body = Problem),
        (status = 413, body = Problem), (status = 422, body = Problem),
        (status = 507, body = Problem, description = "The limit for files of all meetings is reached"),
    ),
)]
async fn attach(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
    Query(FileQuery { name }): Query<FileQuery>,
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
    while head.len() < FILE_HEAD && !ended {
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
        name: name.clone(),
        media_type: media_type(&name, &head),
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
    let file = server.app().attach(&principal, upload, &name).await?;
    let place = format!("/api/v1/meetings/{id}/files/{}", file.file.id);
    let headers = HeaderMap::from_iter(HeaderValue::from_str(&place).map(|place| (header::LOCATION, place)));
    Ok((StatusCode::CREATED, headers, Json(file)).into_response())
}

/// Download a file
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/files/{file}", tag = "files", operation_id = "download_file",
    params(("id" = String, Path, description = "The meeting, by id"), ("file" = String, Path, description = "The file, by id: `f1`")),
    responses(
        (status = 200, content_type = "application/octet-stream", body = inline(Vec<u8>)),
        (status = 404, body = Problem),
    ),
)]
async fn download(
    State(server): State<ServerState>,
    Path((id, file)): Path<(MeetingId, String)>,
) -> Result<Response, Problem> {
    let (file, content) = server.app().open_file(&id, &file).await?;
    let text = |text: String| HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("attachment"));
    let headers = [
        (header::CONTENT_TYPE, text(file.media_type)),
        (header::CONTENT_LENGTH, file.size.into()),
        (header::CONTENT_DISPOSITION, text(disposition(file.name.rsplit('/').next().unwrap_or_default()))),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox")),
        (header::ETAG, text(format!("\"{}\"", file.sha256))),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, immutable, max-age=31536000")),
    ];
    Ok((headers, of_file(content)).into_response())
}

/// Read lines of a file
///
/// Reads the text of a file in portions: `next` is the line to go on from.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/files/{file}/lines", tag = "files", operation_id = "read_file_lines",
    params(("id" = String, Path, description = "The meeting, by id"), ("file" = String, Path, description = "The file, by id: `f1`"), LinesQuery),
    responses((status = 200, body = FileLines), (status = 404, body = Problem), (status = 422, body = Problem)),
)]
async fn read_lines(
    State(server): State<ServerState>,
    Path((id, file)): Path<(MeetingId, String)>,
    Query(LinesQuery { first, last }): Query<LinesQuery>,
) -> Result<Json<FileLines>, Problem> {
    Ok(Json(server.app().file_lines(&id, &file, first, last).await?))
}

/// Show an image
///
/// A PNG, JPEG, WebP or GIF file as models are given it: its pixels written anew as PNG or JPEG, upright, no edge longer than
/// 1,568 pixels, of an animation the first picture. Nothing else of the file is in it, such as the place of a photo.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/files/{file}/image", tag = "files", operation_id = "show_image",
    params(("id" = String, Path, description = "The meeting, by id"), ("file" = String, Path, description = "The file, by id: `f1`")),
    responses(
        (status = 200, description = "The image", content(
            (inline(Vec<u8>) = "image/png"), (inline(Vec<u8>) = "image/jpeg"),
        )),
        (status = 404, body = Problem), (status = 422, body = Problem),
    ),
)]
async fn show_image(
    State(server): State<ServerState>,
    Path((id, file)): Path<(MeetingId, String)>,
) -> Result<Response, Problem> {
    let (file, image) = server.app().file_image(&id, &file).await?;
    let tag = HeaderValue::from_str(&format!("\"{}-shown\"", file.sha256));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(image.media_type)),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static("inline")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox")),
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
        (header::ETAG, tag.unwrap_or(HeaderValue::from_static("\"shown\""))),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, immutable, max-age=31536000")),
    ];
    Ok((headers, image.bytes).into_response())
}

/// Remove a file
///
/// From the next turn on, no participant reads it. Its content is deleted; what was said of it stays in the log, and so does
/// the excerpt with which it was attached.
#[utoipa::path(
    delete, path = "/api/v1/meetings/{id}/files/{file}", tag = "files", operation_id = "remove_file",
    params(("id" = String, Path, description = "The meeting, by id"), ("file" = String, Path, description = "The file, by id: `f1`")),
    responses((status = 200, body = ChangeReceipt), (status = 404, body = Problem), (status = 409, body = Problem)),
)]
async fn remove(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path((id, file)): Path<(MeetingId, String)>,
) -> Result<Json<ChangeReceipt>, Problem> {
    let seq = server.app().remove_file(&principal, &id, &file).await?;
    Ok(Json(ChangeReceipt { seq }))
}

fn broken_off(error: axum::Error) -> Problem {
    let detail = message!("server-file-broken-off", %error);
    Problem::unreadable(detail).hint(message!("server-send-again"))
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
    fn a_name_is_told_in_both_ways() {
        let said = disposition("计划 \"1\".md");
        assert_eq!(
            said,
            "attachment; filename=\"__ _1_.md\"; filename*=UTF-8''%E8%AE%A1%E5%88%92%20%221%22.md"
        );
    }
}
