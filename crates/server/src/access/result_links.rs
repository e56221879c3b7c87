//! Links to the result of a meeting: made and revoked by those who manage it, read by anybody who has one.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use quorate_app::{IdentityError, ResultLink, viewer_of};
use quorate_contract::{Language, MeetingId, Timestamp};
use quorate_views::SharedResult;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::SignedIn;
use super::audit::Detail;
use super::client::Client;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path, Query};
use crate::rest::{ItemPage, look_to_compute};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new()
        .routes(routes!(result_links, create_result_link))
        .routes(routes!(revoke_result_link))
        .routes(routes!(shared_result))
}

/// A link to the result of a meeting, without its code.
#[derive(Debug, Serialize, ToSchema)]
struct ResultLinkView {
    /// The id.
    id: String,
    /// The person who created it.
    by: String,
    /// When it was created.
    created_at: Timestamp,
    /// When it expires; `null` when it holds until it is revoked.
    expires_at: Option<Timestamp>,
    /// How often the result was read with it.
    reads: u64,
    /// When it was last read; `null` when it never was.
    last_read_at: Option<Timestamp>,
}

impl ResultLinkView {
    fn of(link: ResultLink) -> Self {
        let ResultLink { id, meeting: _, by, created_ms, expires_ms, reads, read_ms } = link;
        Self { id, by, created_at: created_ms, expires_at: expires_ms, reads, last_read_at: read_ms }
    }
}

/// List result links
///
/// Returns the links that still hold, the newest first.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/result-links", tag = "access", operation_id = "list_result_links",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = ItemPage<ResultLinkView>), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)),
)]
async fn result_links(
    State(server): State<ServerState>,
    Path(id): Path<String>,
) -> Result<Json<ItemPage<ResultLinkView>>, Problem> {
    let found = server.access().identity().result_links(&MeetingId::new(id)).await?;
    Ok(Json(ItemPage::whole(found.into_iter().map(ResultLinkView::of))))
}

/// A request for a link to a result.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewResultLink {
    /// The lifetime in days; when left out, the link holds until it is revoked.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 3650)]
    expires_in_days: Option<u32>,
}

/// A new link to a result. Its code is shown only in this response.
#[derive(Debug, Serialize, ToSchema)]
struct CreatedResultLink {
    /// The code, for `/api/v1/shared/{code}`.
    code: String,
    /// The link to send: a path of this server, or the complete URL when that is known.
    link: String,
    #[serde(flatten)]
    view: ResultLinkView,
}

/// Create a result link
///
/// With the link, anybody reads the result of the meeting without signing in: conclusion, dissent, votes with their reasons,
/// action items and artifacts, but no messages, no hidden content, and not who the people are. The meeting has to have ended. The
/// link is shown only in this response.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/result-links", tag = "access", operation_id = "create_result_link",
    request_body = NewResultLink, params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 201, body = CreatedResultLink), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem), (status = 422, body = Problem),
        (status = 429, body = Problem)),
)]
async fn create_result_link(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
    Body(NewResultLink { expires_in_days }): Body<NewResultLink>,
) -> Result<Response, Problem> {
    let access = server.access();
    let made = access.identity().create_result_link(&principal, &MeetingId::new(id), expires_in_days).await?;
    let base = access.options().public_url.as_deref().unwrap_or_default().trim_end_matches('/');
    let link = format!("{base}/shared/{}", made.code);
    let detail = Extension(Detail(made.audit_detail()));
    let body = CreatedResultLink { code: made.code, link, view: ResultLinkView::of(made.link) };
    Ok((StatusCode::CREATED, detail, Json(body)).into_response())
}

/// Revoke a result link
///
/// From then on, the link finds nothing.
#[utoipa::path(
    delete, path = "/api/v1/meetings/{id}/result-links/{link}", tag = "access", operation_id = "revoke_result_link",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("link" = String, Path, description = "The link, by id")),
    responses((status = 204, description = "The link was revoked"), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)),
)]
async fn revoke_result_link(
    State(server): State<ServerState>,
    Path((id, link)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    server.access().identity().revoke_result_link(&MeetingId::new(id), &link).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct SharedResultQuery {
    /// The language of headings and remarks; the language of the meeting when left out. What was written is not translated.
    #[param(inline)]
    lang: Option<Language>,
}

/// Get a shared result
///
/// Needs no sign-in: the code is what permits it. A code that is unknown, has expired or was revoked is answered with the same
/// 404.
#[utoipa::path(
    get, path = "/api/v1/shared/{code}", tag = "results", operation_id = "get_shared_result",
    params(("code" = String, Path, description = "The code at the end of the link"), SharedResultQuery),
    responses((status = 200, body = SharedResult), (status = 404, body = Problem), (status = 429, body = Problem),
        (status = 503, body = Problem)),
)]
async fn shared_result(
    State(server): State<ServerState>,
    client: Client,
    Path(code): Path<String>,
    Query(SharedResultQuery { lang }): Query<SharedResultQuery>,
) -> Result<Json<SharedResult>, Problem> {
    let access = server.access();
    let (reader, id) = access.identity().reader_of_result(&code, client.address).await?;
    let gone = || Problem::from(IdentityError::ResultLinkOver);
    let looked = look_to_compute(&server, &reader, &id, None).await;
    // It was deleted a moment ago, and its links with it.
    let (meeting, place) = looked.map_err(|problem| match problem.status() {
        StatusCode::NOT_FOUND => gone(),
        _ => problem,
    })?;
    if !meeting.is_over() {
        return Err(gone());
    }
    let language = lang.unwrap_or(meeting.language());
    let mut meeting = meeting.told_in(language);
    viewer_of(&meeting, &reader).redact(&mut meeting);
    let result = place.run(move || SharedResult::of(&meeting)).await?;
    access.identity().count_result_read(&reader).await;
    Ok(Json(result))
}
