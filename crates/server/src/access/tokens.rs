//! Tokens: what programs show to be let in.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use quorate_app::{ACCESS_TOKEN_PREFIX, Token, fingerprint};
use quorate_contract::{MeetingId, NAME_MAX_CHARS, Timestamp, clean_within};
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::audit::Detail;
use super::identity::{Credential, scope_of, secret};
use super::{Principal, Scope, SignedIn};
use crate::body::{Body, Path};
use crate::problem::Problem;
use crate::rest::ItemPage;
use crate::state::ServerState;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// The largest number of tokens that one person may have.
const TOKENS_OF_ONE: usize = 1_000;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(list, add)).routes(routes!(remove))
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
            scope: scope_of(&token.scope),
            meeting: token.meeting,
            agent: token.agent,
            created_at: token.created_ms,
            expires_at: token.expires_ms,
            used_at: token.used_ms,
        }
    }
}

/// Whether a principal may see and revoke a token: its own, or as the owner any.
fn is_theirs(token: &Token, principal: &Principal) -> bool {
    principal.scope == Scope::Owner || token.by == principal.name
}

/// List access tokens
///
/// The caller's access tokens, the newest first; for the owner, those of all callers.
#[utoipa::path(
    get, path = "/api/v1/tokens", tag = "access", operation_id = "list_tokens",
    responses((status = 200, body = ItemPage<TokenView>), (status = 401, body = Problem), (status = 403, body = Problem)),
)]
async fn list(State(server): State<ServerState>, SignedIn(principal): SignedIn) -> Json<ItemPage<TokenView>> {
    let tokens = server.access().tokens().into_iter().filter(|token| is_theirs(token, &principal));
    Json(ItemPage::whole(tokens.map(TokenView::of)))
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
    Extension(credential): Extension<Credential>,
    Body(asked): Body<NewToken>,
) -> Result<Response, Problem> {
    if matches!(credential, Credential::Token(..)) {
        // It would outlast the one that it was made with.
        let detail = message!("server-token-makes-none");
        let hint = message!("server-token-makes-none-hint");
        return Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", detail).hint(hint));
    }
    if asked.scope > principal.scope {
        let (detail, own) = (message!("server-token-beyond-you"), principal.scope.as_str());
        return Err(Problem::invalid("scope", detail, message!("server-token-beyond-you-hint", %own)));
    }
    let by = holder(&server, &principal, asked.by.as_deref(), asked.scope).await?;
    let name = clean_within(&asked.name, 1, 100).ok_or_else(|| {
        let detail = message!("server-token-name-length");
        Problem::invalid("name", detail, message!("server-token-name-length-hint"))
    })?;
    if !asked.expires_in_days.is_none_or(|days| (1..=3650).contains(&days)) {
        return Err(Problem::invalid(
            "expires_in_days",
            message!("server-token-days"),
            message!("server-token-days-hint"),
        ));
    }
    let agent_name = |agent: String| {
        clean_within(&agent, 1, NAME_MAX_CHARS).ok_or_else(|| {
            let detail = message!("server-token-agent-length");
            Problem::invalid("agent", detail, message!("server-token-agent-length-hint"))
        })
    };
    let agent = asked.agent.map(agent_name).transpose()?;
    let meeting = asked.meeting.map(MeetingId::new);
    if let Some(meeting) = &meeting {
        server.app().load_whole(meeting).await?;
    }
    let own = server.access().tokens().iter().filter(|token| token.by == by).count();
    if own >= TOKENS_OF_ONE {
        let detail = message!("server-too-many-tokens", %by, %own);
        let hint = message!("server-too-many-tokens-hint");
        return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many", detail)
            .hint(hint)
            .retry_after(60));
    }
    let now = quorate_app::now();
    let shown = secret(ACCESS_TOKEN_PREFIX, 32)?;
    let token = Token {
        id: secret("", 8)?,
        name,
        by,
        hash: fingerprint(&shown),
        prefix: shown.chars().take(ACCESS_TOKEN_PREFIX.len() + 6).collect(),
        scope: asked.scope.as_str().to_owned(),
        meeting,
        agent,
        created_ms: now,
        expires_ms: asked.expires_in_days.map(|days| now.plus_ms(u64::from(days) * DAY_MS)),
        used_ms: None,
    };
    server.access().add_token(token.clone()).await?;
    if !server.access().is_in(&credential) {
        // The creator's account was removed in the meantime, so its new token must not stay.
        server.access().remove_token(&token.id).await?;
        return Err(server.access().who_are_you());
    }
    let detail =
        Detail(json!({ "token": token.id, "name": token.name, "scope": token.scope, "by": token.by }));
    let made = CreatedToken { token: shown, view: TokenView::of(token) };
    Ok((StatusCode::CREATED, Extension(detail), Json(made)).into_response())
}

/// In whose name a token of this scope is made.
async fn holder(
    server: &ServerState,
    principal: &Principal,
    named: Option<&str>,
    scope: Scope,
) -> Result<String, Problem> {
    let is_it = |name: &str, other: &str| name.to_lowercase() == other.to_lowercase();
    let Some(named) = named.filter(|named| !is_it(named, &principal.name)) else {
        return Ok(principal.name.clone());
    };
    if principal.scope != Scope::Owner {
        let detail = message!("server-token-for-others");
        return Err(Problem::invalid("by", detail, message!("server-token-for-others-hint")));
    }
    let accounts = server.app().accounts().await?;
    let Some(account) = accounts.into_iter().find(|account| is_it(&account.name, named)) else {
        return Err(Problem::not_found("account", named));
    };
    let own = scope_of(&account.scope);
    if scope > own {
        let detail = message!("server-token-beyond-account");
        let hint = message!("server-token-beyond-account-hint", own = %own.as_str());
        return Err(Problem::invalid("scope", detail, hint));
    }
    Ok(account.name)
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
    let found = server.access().tokens().into_iter().find(|token| token.id == id);
    if !found.is_some_and(|token| is_theirs(&token, &principal)) {
        return Err(Problem::not_found("token", &id));
    }
    server.access().remove_token(&id).await?;
    server.app().webhooks_changed();
    Ok((StatusCode::NO_CONTENT, Extension(Detail(json!({ "token": id })))).into_response())
}
