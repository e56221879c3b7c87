//! Tokens: what programs show to be let in.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use quorate_app::{AccessCredential, NewTokenRequest, Token};
use quorate_contract::{MeetingId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::audit::Detail;
use super::{Scope, SignedIn};
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path};
use crate::rest::ItemPage;
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(list, add)).routes(routes!(remove))
}

/// An access token, without its secret.
#[derive(Debug, Serialize, ToSchema)]
struct TokenView {
    /// The id.
    id: String,
    /// The purpose of the token.
    name: String,
    /// The person who created the token and for whom it acts.
    by: String,
    /// The first characters of the token, to recognize it.
    prefix: String,
    /// The permissions.
    scope: Scope,
    /// The only meeting that the token can be used for; `null` for all meetings.
    meeting: Option<MeetingId>,
    /// The agent that uses the token; `null` when the token acts for the person.
    agent: Option<String>,
    /// When it was created.
    created_at: Timestamp,
    /// When the token expires; `null` when it does not.
    expires_at: Option<Timestamp>,
    /// When the token was last used, accurate to five minutes; `null` when it was never used.
    used_at: Option<Timestamp>,
}

impl TokenView {
    fn of(token: Token) -> Self {
        Self {
            id: token.id,
            name: token.name,
            by: token.by,
            prefix: token.prefix,
            scope: Scope::of_stored(&token.scope),
            meeting: token.meeting,
            agent: token.agent,
            created_at: token.created_ms,
            expires_at: token.expires_ms,
            used_at: token.used_ms,
        }
    }
}

/// List access tokens
///
/// The caller's access tokens, the newest first; for the owner, those of all callers.
#[utoipa::path(
    get, path = "/api/v1/tokens", tag = "access", operation_id = "list_tokens",
    responses((status = 200, body = ItemPage<TokenView>), (status = 401, body = Problem), (status = 403, body = Problem)),
)]
async fn list(State(server): State<ServerState>, SignedIn(principal): SignedIn) -> Json<ItemPage<TokenView>> {
    let tokens = server.access().identity().tokens_of(&principal);
    Json(ItemPage::whole(tokens.into_iter().map(TokenView::of)))
}

/// A request for an access token.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewToken {
    /// The purpose of the token.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// The permissions; no more than those of the creator.
    scope: Scope,
    /// The only meeting that the token can be used for; all meetings when left out.
    #[serde(default)]
    meeting: Option<String>,
    /// The agent that uses the token to answer for its seats, `agent/NAME`; when left out, the token acts for
    /// the person.
    #[schema(min_length = 1, max_length = 50)]
    #[serde(default)]
    agent: Option<String>,
    /// The lifetime in days; unlimited when left out.
    #[schema(minimum = 1, maximum = 3650)]
    #[serde(default)]
    expires_in_days: Option<u32>,
    /// The account that the token acts for; the caller's own when left out. Only the owner may name another
    /// account, and the token gets no more permissions than that account has.
    #[serde(default)]
    by: Option<String>,
}

/// A new access token. It is shown only in this response.
#[derive(Debug, Serialize, ToSchema)]
struct CreatedToken {
    /// The access token for the header `Authorization: Bearer …`.
    token: String,
    #[serde(flatten)]
    view: TokenView,
}

/// Create an access token
///
/// The token is shown only in this response.
#[utoipa::path(
    post, path = "/api/v1/tokens", tag = "access", operation_id = "create_token", request_body = NewToken,
    responses((status = 201, body = CreatedToken), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 422, body = Problem)),
)]
async fn add(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Extension(credential): Extension<AccessCredential>,
    Body(asked): Body<NewToken>,
) -> Result<Response, Problem> {
    let NewToken { name, scope, meeting, agent, expires_in_days, by } = asked;
    let meeting = meeting.map(MeetingId::new);
    let request = NewTokenRequest { name, scope, meeting, agent, expires_in_days, by };
    let access = server.access();
    let created = access.identity().create_token(&principal, Some(&credential), request).await;
    let created = created.map_err(|error| access.problem(error))?;
    let detail = Extension(Detail(created.audit_detail()));
    let made = CreatedToken { token: created.shown, view: TokenView::of(created.token) };
    Ok((StatusCode::CREATED, detail, Json(made)).into_response())
}

/// Revoke an access token
///
/// Requests with the token are refused from then on, and the webhooks that it created are disabled.
#[utoipa::path(
    delete, path = "/api/v1/tokens/{token}", tag = "access", operation_id = "revoke_token",
    params(("token" = String, Path, description = "The access token, by id")),
    responses((status = 204, description = "The access token was revoked"), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)),
)]
async fn remove(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    server.access().identity().revoke_token(&principal, &id).await?;
    Ok((StatusCode::NO_CONTENT, Extension(Detail(json!({ "token": id })))).into_response())
}
