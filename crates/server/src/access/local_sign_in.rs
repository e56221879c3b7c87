//! Signing in at this machine with the local token.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use quorate_app::{AuditNote, Principal, TokenSubject};
use quorate_messages::message;
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::client::Client;
use super::identity::sign_in;
use super::local::token_needed;
use super::{Access, cookies};
use crate::body::Body;
use crate::problem::Problem;
use crate::state::ServerState;

/// The lifetime of the cookie in seconds: 30 days.
const COOKIE_SECONDS: u32 = 30 * 24 * 60 * 60;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(begin))
}

impl Access {
    /// Sets the session cookie when the token is right and there are no accounts.
    ///
    /// # Errors
    /// When this machine gives no random numbers.
    pub(crate) async fn let_browser_in(
        &self,
        shown: &str,
        client: &Client,
        headers: &mut HeaderMap,
    ) -> Result<bool, Problem> {
        let local = self.local_token();
        if !self.is_alone() || !local.is(shown) {
            return Ok(false);
        }
        let end = quorate_app::now().plus_ms(u64::from(COOKIE_SECONDS) * 1000);
        let cookie = self.issue(TokenSubject::Local(local.mark()), end, None).await?;
        cookies::set_access(headers, &cookie, COOKIE_SECONDS.into(), client);
        Ok(true)
    }
}

/// Notes that a browser was let in by the address that was printed.
pub(crate) fn note_local_sign_in(server: &ServerState, client: &Client) {
    server.app().note(AuditNote {
        who: Principal::owner().account(),
        action: "sign_in.local".to_owned(),
        meeting: None,
        address: Some(client.address),
        status: StatusCode::SEE_OTHER.as_u16(),
        detail: json!({}),
    });
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
    let access = server.access();
    if !access.is_alone() {
        return Err(sign_in(message!("server-has-accounts")).hint(message!("server-has-accounts-hint")));
    }
    let mut headers = HeaderMap::new();
    match access.let_browser_in(asked.token.trim(), &client, &mut headers).await? {
        true => Ok((StatusCode::NO_CONTENT, headers, Json(()))),
        false => Err(token_needed().field("token", message!("server-wrong-token"))),
    }
}
