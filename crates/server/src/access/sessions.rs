//! Coming in with a password, staying in, and going out again.

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use quorate_app::{AccessCredential, IssuedSession, PasswordSignIn, Session};
use quorate_contract::{MeetingId, Timestamp, clean};
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::client::Client;
use super::identity::sign_in;
use super::{Principal, Scope, SignedIn, cookies};
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path};
use crate::rest::ItemPage;
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new()
        .routes(routes!(me))
        .routes(routes!(list, begin, end))
        .routes(routes!(refresh))
        .routes(routes!(end_one))
}

/// The lifetime of the cookie of a known browser in seconds: a year.
const KNOWN_SECONDS: u64 = 365 * 24 * 60 * 60;

/// The `User-Agent` of the client.
pub(crate) struct Agent(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Agent {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let said = parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        Ok(Self(clean(said.unwrap_or_default()).chars().take(200).collect()))
    }
}

/// A request to sign in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SignInRequest {
    /// The account's name.
    name: String,
    /// The account's password.
    password: String,
    /// Whether the response has both tokens, for a program. Otherwise they are set as `HttpOnly` cookies, for
    /// a browser.
    #[serde(default)]
    tokens: bool,
}

/// A new or refreshed session, with its tokens.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StartedSession {
    session: SessionView,
    /// The lifetime of the access token in seconds. Refresh it with `POST /api/v1/sessions/refresh`.
    expires_in: u32,
    /// The access token for the header `Authorization: Bearer …`; present when the request asked for tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    access_token: Option<String>,
    /// The refresh token, which can be used once; present when the request asked for tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    refresh_token: Option<String>,
    /// The seat of a guest whose invitation offers one.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<GuestSeat>,
}

/// The seat of a guest.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GuestSeat {
    /// The guest's name at the table; `null` when the guest has no seat.
    pub(crate) name: Option<String>,
    /// The reason why the guest has no seat; `null` when there is one.
    pub(crate) problem: Option<Box<Problem>>,
}

/// A session.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SessionView {
    /// The id.
    pub(crate) id: String,
    /// The name of the account or guest.
    pub(crate) name: String,
    /// The person's id, as in meetings.
    person: String,
    /// Whether the session belongs to a guest of one meeting.
    guest: bool,
    /// The permissions.
    scope: Scope,
    /// The guest's meeting; `null` for accounts.
    meeting: Option<MeetingId>,
    /// The `User-Agent` of the client.
    agent: String,
    /// The address of the client.
    address: String,
    /// When the session started.
    created_at: Timestamp,
    /// When the session was last used, to within a refresh.
    used_at: Timestamp,
    /// When the session expires unless it is refreshed.
    expires_at: Timestamp,
    /// Whether it is the caller's own session.
    here: bool,
}

impl SessionView {
    pub(crate) fn of(session: Session, here: bool) -> Self {
        let (name, scope) = (session.name.clone(), Scope::of_stored(&session.scope));
        let meeting = session.meeting.clone();
        let principal = Principal::of_session(&session.id, name, scope, meeting, session.person);
        Self {
            id: session.id,
            name: session.name,
            person: principal.person().id,
            guest: session.guest,
            scope,
            meeting: session.meeting,
            agent: session.agent,
            address: session.address,
            created_at: session.created_ms,
            used_at: session.used_ms,
            expires_at: session.expires_ms,
            here,
        }
    }
}

/// Sends the tokens of a session to the client, as cookies or in the response.
pub(crate) fn told(
    server: &ServerState,
    issued: IssuedSession,
    client: &Client,
    tokens: bool,
    status: StatusCode,
    seat: Option<GuestSeat>,
) -> Response {
    let options = server.access().options();
    let expires_in = options.access_seconds;
    let IssuedSession { session, access, refresh } = issued;
    let mut headers = HeaderMap::new();
    if !tokens {
        let days = u64::from(options.session_days) * 24 * 60 * 60;
        cookies::set(&mut headers, (&access, expires_in.into()), (&refresh, days), client);
    }
    let begun = StartedSession {
        session: SessionView::of(session, true),
        expires_in,
        access_token: tokens.then_some(access),
        refresh_token: tokens.then_some(refresh),
        seat,
    };
    (status, headers, Json(begun)).into_response()
}

/// Sign in with a name and password
#[utoipa::path(
    post, path = "/api/v1/sessions", tag = "access", operation_id = "sign_in", request_body = SignInRequest,
    responses((status = 201, body = StartedSession), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 422, body = Problem), (status = 429, body = Problem)),
)]
async fn begin(
    State(server): State<ServerState>,
    client: Client,
    Agent(agent): Agent,
    headers: HeaderMap,
    Body(asked): Body<SignInRequest>,
) -> Result<Response, Problem> {
    let identity = server.access().identity();
    let known = cookies::read(&headers, cookies::KNOWN, &client);
    let given = PasswordSignIn { name: asked.name, password: asked.password, known: known.clone() };
    let (issued, name) = identity.sign_in(given, &client.session(agent)).await?;
    let mut response = told(&server, issued, &client, asked.tokens, StatusCode::CREATED, None);
    if !asked.tokens {
        let known = identity.known_browser(&name, KNOWN_SECONDS, known.as_deref()).await?;
        cookies::set_known(response.headers_mut(), &known, KNOWN_SECONDS, &client);
    }
    Ok(response)
}

/// A request to renew a session.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RefreshRequest {
    /// The refresh token, for a program; a browser sends its cookie.
    refresh_token: Option<String>,
}

/// Refresh a session
///
/// The refresh token can be used once; the response has the next one.
#[utoipa::path(
    post, path = "/api/v1/sessions/refresh", tag = "access", operation_id = "refresh_session", request_body = RefreshRequest,
    responses((status = 200, body = StartedSession), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 422, body = Problem)),
)]
async fn refresh(
    State(server): State<ServerState>,
    client: Client,
    Agent(agent): Agent,
    headers: HeaderMap,
    Body(asked): Body<RefreshRequest>,
) -> Result<Response, Problem> {
    let tokens = asked.refresh_token.is_some();
    let browser = (!tokens).then(|| client.session(agent));
    let shown = asked.refresh_token.or_else(|| cookies::read(&headers, cookies::REFRESH, &client));
    let shown =
        shown.ok_or_else(|| sign_in(message!("server-no-session")).hint(message!("server-sign-in-first")))?;
    match server.access().identity().renew(&shown, browser.as_ref()).await {
        Ok(issued) => Ok(told(&server, issued, &client, tokens, StatusCode::OK, None)),
        Err(error) => {
            let mut response = Problem::from(error).into_response();
            // A cookie that is good for nothing is taken away.
            if !tokens {
                cookies::clear(response.headers_mut(), &client);
            }
            Ok(response)
        }
    }
}

/// List the caller's sessions
///
/// The newest comes first.
#[utoipa::path(
    get, path = "/api/v1/sessions", tag = "access", operation_id = "list_sessions",
    responses((status = 200, body = ItemPage<SessionView>), (status = 401, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Extension(credential): Extension<AccessCredential>,
) -> Json<ItemPage<SessionView>> {
    let is_here = |id: &str| matches!(&credential, AccessCredential::Session(own) if own == id);
    let sessions = server.access().identity().sessions_of(&principal).into_iter();
    Json(ItemPage::whole(sessions.map(|session| {
        let here = is_here(&session.id);
        SessionView::of(session, here)
    })))
}

/// Sign out
///
/// The session ends at once, and all of its tokens are revoked.
#[utoipa::path(
    delete, path = "/api/v1/sessions", tag = "access", operation_id = "sign_out",
    responses((status = 204, description = "Signed out"), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 409, body = Problem)),
)]
async fn end(
    State(server): State<ServerState>,
    client: Client,
    SignedIn(principal): SignedIn,
    Extension(credential): Extension<AccessCredential>,
) -> Result<Response, Problem> {
    server.access().identity().sign_out(&principal, &credential).await?;
    let mut headers = HeaderMap::new();
    cookies::clear(&mut headers, &client);
    Ok((StatusCode::NO_CONTENT, headers).into_response())
}

/// End a session
///
/// Callers can end their own sessions. The owner can end any session.
#[utoipa::path(
    delete, path = "/api/v1/sessions/{session}", tag = "access", operation_id = "end_session",
    params(("session" = String, Path, description = "The session, by id")),
    responses((status = 204, description = "The session has ended"), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)),
)]
async fn end_one(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    server.access().identity().end_session(&principal, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The caller and its permissions.
#[derive(Debug, Serialize, ToSchema)]
struct CurrentUser {
    /// The display name.
    name: String,
    /// The id of the person in events and seats.
    person: String,
    /// The permissions.
    scope: Scope,
    /// The only meeting that the permissions apply to; `null` for all meetings.
    meeting: Option<MeetingId>,
    /// How the caller signed in.
    signed_in_by: SignedInBy,
    /// Whether the server has accounts, so that people sign in.
    accounts: bool,
}

/// The way in which the caller signed in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum SignedInBy {
    /// By being at this machine: with its local token, or where none is needed.
    Local,
    /// With a session.
    Session,
    /// With a token.
    Token,
}

impl From<&AccessCredential> for SignedInBy {
    fn from(credential: &AccessCredential) -> Self {
        match credential {
            AccessCredential::Alone | AccessCredential::Local(_) => Self::Local,
            AccessCredential::Session(_) => Self::Session,
            AccessCredential::Token(..) => Self::Token,
        }
    }
}

/// Get the caller and its permissions
#[utoipa::path(
    get, path = "/api/v1/me", tag = "access", operation_id = "get_me",
    responses((status = 200, body = CurrentUser), (status = 401, body = Problem)),
)]
async fn me(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Extension(credential): Extension<AccessCredential>,
) -> Json<CurrentUser> {
    let signed_in_by = SignedInBy::from(&credential);
    let person = principal.person().id;
    let Principal { name, scope, meeting, .. } = principal;
    Json(CurrentUser {
        name,
        person,
        scope,
        meeting,
        signed_in_by,
        accounts: !server.access().identity().accounts().is_empty(),
    })
}
