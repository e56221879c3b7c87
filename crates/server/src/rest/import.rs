//! Meetings and agents that lie in files of another program, taken over; and keys sealed anew.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{DefaultBodyLimit, Extension, State};
use axum::http::StatusCode;
use quorate_app::{ImportResult, decoded_contents};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::access::{Detail, SignedIn};
use crate::api_router::{ApiRouter, routes};
use crate::limits::bodies::IMPORT_MAX;
use crate::problem::Problem;
use crate::requests::extract::Body;
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    let limit = DefaultBodyLimit::max(IMPORT_MAX);
    ApiRouter::new().routes(routes!(import)).layer(limit).routes(routes!(rotate))
}

/// A request to import meetings.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ImportRequest {
    /// The content of each file, by its path in the folder: `meetings/m1.json`, `agents/a1.json`,
    /// `rooms.json`.
    files: BTreeMap<String, String>,
    /// The contents of attached files in base64, by their paths in the folder: `uploads/m1/f1-costs.csv`. Those that a
    /// message names are attached to the imported meeting. `SHA256SUMS` beside them is checked. Default: none.
    #[serde(default)]
    uploads: BTreeMap<String, String>,
    /// Whether agents in the files are imported, too.
    #[serde(default)]
    agents: bool,
}

/// Import meetings from files
///
/// Imports all meetings of the request or none. The request may be up to 32 MiB. Unfinished meetings are
/// imported as paused.
#[utoipa::path(
    post, path = "/api/v1/import", tag = "meetings", operation_id = "import_meetings", request_body = ImportRequest,
    responses((status = 201, body = ImportResult), (status = 403, body = Problem), (status = 413, body = Problem),
        (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn import(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Body(given): Body<ImportRequest>,
) -> Result<(StatusCode, Extension<Detail>, Json<ImportResult>), Problem> {
    let ImportRequest { files, uploads, agents } = given;
    let contents = decoded_contents(uploads)?;
    let imported = server.app().import(files, contents, agents, principal.actor()).await?;
    let detail = json!({ "meetings": imported.meetings.len(), "agents": imported.agents.len() });
    Ok((StatusCode::CREATED, Extension(Detail(detail)), Json(imported)))
}

/// The result of rotating the key file.
#[derive(Debug, Serialize, ToSchema)]
struct RotatedKeys {
    /// The providers whose keys were encrypted with the new key file.
    providers: Vec<String>,
}

/// Rotate the key file
///
/// Creates a new key file and encrypts all stored provider keys with it. The old key file can no longer
/// decrypt them.
#[utoipa::path(
    post, path = "/api/v1/keys/rotate", tag = "providers", operation_id = "rotate_keys",
    responses((status = 200, body = RotatedKeys), (status = 403, body = Problem)),
)]
async fn rotate(
    State(server): State<ServerState>,
) -> Result<(Extension<Detail>, Json<RotatedKeys>), Problem> {
    let resealed = server.app().rotate_keys(quorate_app::now()).await?;
    Ok((Extension(Detail(json!({ "resealed": resealed }))), Json(RotatedKeys { providers: resealed })))
}
