//! What an operator asks for: prices, whether the database is sound, a copy of it, what cannot be reached, and the key
//! that signs logs.

use axum::Json;
use axum::body::Body as Bytes;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use quorate_app::{BackupsView, DatabaseReport, DoctorFinding, PriceList, SigningKeyView, Speech};
use serde::Deserialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};

use super::pagination::ItemPage;
use crate::access::Detail;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::content_language::preferred;
use crate::requests::extract::{Body, Query};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new()
        .routes(routes!(prices))
        .routes(routes!(verify))
        .routes(routes!(backup))
        .routes(routes!(doctor))
        .routes(routes!(backups))
        .routes(routes!(signing_key, replace_signing_key))
}

/// Which prices are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PriceFilter {
    /// A text in the name of the model, in upper or lower case; all prices when left out.
    filter: String,
}

/// List model prices
///
/// A model that is not in the list has an unknown price, which is not a price of zero.
#[utoipa::path(
    get, path = "/api/v1/prices", tag = "providers", operation_id = "list_prices", params(PriceFilter),
    responses((status = 200, body = PriceList), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 422, body = Problem)),
)]
async fn prices(
    State(server): State<ServerState>,
    Query(PriceFilter { filter }): Query<PriceFilter>,
) -> Result<Json<PriceList>, Problem> {
    Ok(Json(server.app().prices(&filter)?))
}

/// Verify the database
///
/// Reads every event and rebuilds every meeting from its events. Meetings keep running meanwhile. Damage is
/// listed in the response.
#[utoipa::path(
    post, path = "/api/v1/verify", tag = "operation", operation_id = "verify_database",
    responses((status = 200, body = DatabaseReport), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 503, body = Problem)),
)]
async fn verify(
    State(server): State<ServerState>,
    headers: HeaderMap,
) -> Result<Json<DatabaseReport>, Problem> {
    Ok(Json(server.app().verify(preferred(&headers)).await?))
}

/// Download a backup
///
/// A consistent copy of the database with all uploaded files, verified before the first byte is sent.
/// Meetings keep running meanwhile. The archive (tar) holds `quorate.db` and `quorate.db.files`: unpack it,
/// then run `quorate restore quorate.db`. The key file is not part of the archive; the stored provider keys
/// can only be decrypted with the key file of this server.
#[utoipa::path(
    post, path = "/api/v1/backup", tag = "operation", operation_id = "download_backup",
    responses(
        (status = 200, description = "The archive (tar)", content_type = "application/octet-stream", body = inline(Vec<u8>)),
        (status = 401, body = Problem), (status = 403, body = Problem), (status = 409, body = Problem),
        (status = 503, body = Problem),
    ),
)]
async fn backup(State(server): State<ServerState>) -> Result<Response, Problem> {
    let backup = server.app().backup().await?;
    let report = backup.report();
    let detail = json!({ "meetings": report.meetings, "events": report.events, "sha256": report.sha256 });
    let pieces = futures::stream::unfold(backup.archive(), |mut pieces| async move {
        pieces.recv().await.map(|piece| (piece, pieces))
    });
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::from_static("attachment; filename=\"quorate-backup.tar\""),
        ),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((Extension(Detail(detail)), headers, Bytes::from_stream(pieces)).into_response())
}

/// List scheduled backups
///
/// The server makes these backups as `[server.backup]` of its configuration says, and verifies each of them.
/// Error texts are in the language that `Accept-Language` prefers.
#[utoipa::path(
    get, path = "/api/v1/backups", tag = "operation", operation_id = "list_backups",
    responses((status = 200, body = BackupsView), (status = 401, body = Problem), (status = 403, body = Problem)),
)]
async fn backups(State(server): State<ServerState>, headers: HeaderMap) -> Json<BackupsView> {
    Json(server.app().backups(preferred(&headers)).await)
}

/// A request to check the installation.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct DoctorRequest {
    /// Whether to ask each model for one word, which may cost a few tokens.
    probe: bool,
}

/// Check the installation
///
/// Checks the configuration and whether its parts can be reached, and says how to fix what is wrong. Texts
/// are in the language that `Accept-Language` prefers.
#[utoipa::path(
    post, path = "/api/v1/doctor", tag = "operation", operation_id = "examine_installation", request_body = DoctorRequest,
    responses((status = 200, body = ItemPage<DoctorFinding>), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 422, body = Problem), (status = 503, body = Problem)),
)]
async fn doctor(
    State(server): State<ServerState>,
    headers: HeaderMap,
    Body(DoctorRequest { probe }): Body<DoctorRequest>,
) -> Result<Json<ItemPage<DoctorFinding>>, Problem> {
    let findings = server.app().examine(probe, Speech(preferred(&headers))).await?;
    Ok(Json(ItemPage::whole(findings)))
}

/// Get the public signing key
///
/// The key that signs exported logs. To verify a signed export, compare its `key_id` with this one. The key
/// pair is created with the first request.
#[utoipa::path(
    get, path = "/api/v1/signing-key", tag = "operation", operation_id = "get_signing_key",
    responses((status = 200, body = SigningKeyView), (status = 503, body = Problem)),
)]
async fn signing_key(State(server): State<ServerState>) -> Result<Json<SigningKeyView>, Problem> {
    Ok(Json(server.app().signing_key().await?))
}

/// Replace the signing key
///
/// Creates a new key pair and deletes the old private key. Existing signatures stay valid; the old public key
/// is listed in `previous`.
#[utoipa::path(
    post, path = "/api/v1/signing-key", tag = "operation", operation_id = "replace_signing_key",
    responses((status = 200, body = SigningKeyView), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 503, body = Problem)),
)]
async fn replace_signing_key(State(server): State<ServerState>) -> Result<Response, Problem> {
    let key = server.app().replace_signing_key().await?;
    let detail = Extension(Detail(json!({ "key_id": key.key.key_id })));
    Ok((detail, Json(key)).into_response())
}
