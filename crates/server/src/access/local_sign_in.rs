//! Signing in at this machine with the local token.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;
use utoipa::ToSchema;

use super::client::Client;
use super::cookies;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::Body;
use crate::state::ServerState;

/// The lifetime of the cookie in seconds: 30 days.
const COOKIE_SECONDS: u32 = 30 * 24 * 60 * 60;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(begin))
}

/// Sets the session cookie for a browser that was opened at the address that was printed, when its token is right.
pub(crate) async fn sign_in_by_address(
    server: &ServerState,
    shown: &str,
    client: &Client,
    headers: &mut HeaderMap,
) -> Result<(), Problem> {
    let identity = server.access().identity();
    if let Some(cookie) = identity.sign_in_by_address(shown, COOKIE_SECONDS, client.address).await? {
        cookies::set_access(headers, &cookie, COOKIE_SECONDS.into(), client);
    }
    Ok(())
}

/// A request to sign in with the local token.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LocalSignInRequest {
    /// The token in the URL that `quorate serve` printed.
    token: String,
}

/// Sign in with the local token
///
/// Sets a cookie that lasts 30 days. A program sends the token in the header `Authorization: Bearer TOKEN`
/// instead.
#[utoipa::path(
    post, path = "/api/v1/sessions/local", tag = "access", operation_id = "sign_in_locally", request_body = LocalSignInRequest,
    responses((status = 204, description = "Signed in"), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 415, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem)),
)]
async fn begin(
    State(server): State<ServerState>,
    client: Client,
    Body(asked): Body<LocalSignInRequest>,
) -> Result<(StatusCode, HeaderMap, Json<()>), Problem> {
    let cookie = server.access().identity().sign_in_locally(asked.token.trim(), COOKIE_SECONDS).await?;
    let mut headers = HeaderMap::new();
    cookies::set_access(&mut headers, &cookie, COOKIE_SECONDS.into(), &client);
    Ok((StatusCode::NO_CONTENT, headers, Json(())))
}
