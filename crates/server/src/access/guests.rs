//! Guests: people without an account who take part in one meeting, by invitation or with its password.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use quorate_app::{
    AccessCredential, GuestSession, Invitation, InvitationCode, InvitationPreview, MeetingPassword,
    NewInvitationRequest, Principal,
};
use quorate_contract::{Language, MeetingId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::audit::Detail;
use super::client::Client;
use super::sessions::{Agent, GuestSeat, SessionView, SignedInBy, StartedSession, told};
use super::{Scope, SignedIn};
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::content_language::preferred;
use crate::requests::extract::{Body, Path};
use crate::rest::ItemPage;
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new()
        .routes(routes!(invitations, invite))
        .routes(routes!(take_back))
        .routes(routes!(join))
        .routes(routes!(preview))
        .routes(routes!(enter))
        .routes(routes!(guests))
        .routes(routes!(send_away))
}

/// A seat for a guest, who is then asked in turn.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct OfferedSeat {
    /// The name of the role; the role of a person when empty.
    #[serde(default)]
    #[schema(max_length = 50)]
    role: String,
}

/// An invitation, without its code.
#[derive(Debug, Serialize, ToSchema)]
struct InvitationView {
    /// The id.
    id: String,
    /// The name of the guest; `null` when guests choose their own.
    name: Option<String>,
    /// The permissions of a guest.
    scope: Scope,
    /// The offered seat; `null` for none.
    seat: Option<OfferedSeat>,
    /// The person who created it.
    by: String,
    /// The number of remaining uses; `null` for no limit.
    uses_left: Option<u32>,
    /// When it was created.
    created_at: Timestamp,
    /// When it expires.
    expires_at: Timestamp,
}

impl InvitationView {
    fn of(invitation: Invitation) -> Self {
        let Invitation {
            id,
            meeting: _,
            name,
            person: _,
            scope,
            seat,
            by,
            uses_left,
            created_ms,
            expires_ms,
        } = invitation;
        Self {
            id,
            name,
            scope: Scope::of_stored(&scope),
            seat: seat.map(|role| OfferedSeat { role }),
            by,
            uses_left,
            created_at: created_ms,
            expires_at: expires_ms,
        }
    }
}

/// List invitations
///
/// Returns the invitations that can still be used, the newest first.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/invitations", tag = "access", operation_id = "list_invitations",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = ItemPage<InvitationView>), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)),
)]
async fn invitations(
    State(server): State<ServerState>,
    Path(id): Path<String>,
) -> Result<Json<ItemPage<InvitationView>>, Problem> {
    let found = server.access().identity().invitations(&MeetingId::new(id)).await?;
    Ok(Json(ItemPage::whole(found.into_iter().map(InvitationView::of))))
}

/// A request for an invitation.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewInvitation {
    /// The name of the guest; when left out, guests choose their own.
    #[serde(default)]
    name: Option<String>,
    /// The permissions of a guest: `read` or `speak`.
    scope: Scope,
    /// The seat that the invitation offers, which needs the scope `speak`; none when left out.
    #[serde(default)]
    seat: Option<OfferedSeat>,
    /// The number of uses. When left out: 1 for an invitation with a name, otherwise no limit.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1000)]
    uses: Option<u32>,
    /// The lifetime in hours; 168 when left out.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 8760)]
    expires_in_hours: Option<u32>,
}

/// A new invitation. Its code is shown only in this response.
#[derive(Debug, Serialize, ToSchema)]
struct CreatedInvitation {
    /// The code to send to `/api/v1/join`.
    code: String,
    /// The link to send: a path of this server, or the complete URL when that is known.
    link: String,
    #[serde(flatten)]
    view: InvitationView,
}

/// Create an invitation
///
/// Invites people without an account to a meeting. The link is shown only in this response.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/invitations", tag = "access", operation_id = "create_invitation", request_body = NewInvitation,
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 201, body = CreatedInvitation), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem), (status = 422, body = Problem)),
)]
async fn invite(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
    Body(asked): Body<NewInvitation>,
) -> Result<Response, Problem> {
    let NewInvitation { name, scope, seat, uses, expires_in_hours } = asked;
    let seat = seat.map(|seat| seat.role);
    let request = NewInvitationRequest { name, scope, seat, uses, expires_in_hours };
    let access = server.access();
    let created = access.identity().create_invitation(&principal, &MeetingId::new(id), request).await?;
    let base = access.options().public_url.as_deref().unwrap_or_default().trim_end_matches('/');
    let link = format!("{base}/join/{}", created.code);
    let detail = Extension(Detail(created.audit_detail()));
    let view = InvitationView::of(created.invitation);
    let invited = CreatedInvitation { code: created.code, link, view };
    Ok((StatusCode::CREATED, detail, Json(invited)).into_response())
}

/// Revoke an invitation
///
/// Guests who have already joined with it stay.
#[utoipa::path(
    delete, path = "/api/v1/meetings/{id}/invitations/{invitation}", tag = "access", operation_id = "revoke_invitation",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("invitation" = String, Path, description = "The invitation, by id")),
    responses((status = 204, description = "The invitation was revoked"), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)),
)]
async fn take_back(
    State(server): State<ServerState>,
    Path((id, invitation)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    server.access().identity().revoke_invitation(&MeetingId::new(id), &invitation).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A request to join a meeting with an invitation.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct JoinRequest {
    /// The code at the end of the link.
    code: String,
    /// The guest's name, unique within the meeting; not needed when the invitation sets it.
    #[schema(min_length = 1, max_length = 50)]
    #[serde(default)]
    name: Option<String>,
    /// Whether the response has both tokens, for a program. Otherwise they are set as cookies.
    #[serde(default)]
    tokens: bool,
}

/// Join a meeting with an invitation
#[utoipa::path(
    post, path = "/api/v1/join", tag = "access", operation_id = "join_meeting", request_body = JoinRequest,
    responses((status = 201, body = StartedSession), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem)),
)]
async fn join(
    State(server): State<ServerState>,
    client: Client,
    Agent(agent): Agent,
    headers: HeaderMap,
    Body(asked): Body<JoinRequest>,
) -> Result<Response, Problem> {
    let JoinRequest { code, name, tokens } = asked;
    let session = client.session(agent);
    let guest = server.access().identity().join(InvitationCode { code, name }, &session).await?;
    Ok(welcomed(&server, guest, &client, tokens, preferred(&headers)))
}

/// A request to see to what an invitation invites.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PreviewRequest {
    /// The code at the end of the link.
    code: String,
}

/// To what an invitation invites.
#[derive(Debug, Serialize, ToSchema)]
struct InvitationPreviewView {
    /// The title of the meeting.
    title: String,
    /// The topic of the meeting.
    topic: String,
    /// Whether the meeting is over.
    is_over: bool,
    /// The person who created the invitation.
    by: String,
    /// The name of the guest; `null` when the guest chooses one.
    name: Option<String>,
    /// The permissions of the guest.
    scope: Scope,
    /// The offered seat; `null` for none.
    seat: Option<OfferedSeat>,
    /// When the invitation expires.
    expires_at: Timestamp,
    /// The caller, when it is signed in: joining replaces that session. `null` for everybody else.
    caller: Option<PreviewCaller>,
}

/// Somebody who is signed in and looks at an invitation.
#[derive(Debug, Serialize, ToSchema)]
struct PreviewCaller {
    /// The display name.
    name: String,
    /// How the caller signed in.
    signed_in_by: SignedInBy,
}

/// Preview an invitation
///
/// Returns what the invitation is to, without using it. Limited to as many previews per minute as join attempts, counted
/// separately.
#[utoipa::path(
    post, path = "/api/v1/join/preview", tag = "access", operation_id = "preview_invitation", request_body = PreviewRequest,
    responses((status = 200, body = InvitationPreviewView), (status = 404, body = Problem), (status = 422, body = Problem),
        (status = 429, body = Problem)),
)]
async fn preview(
    State(server): State<ServerState>,
    client: Client,
    Agent(agent): Agent,
    principal: Option<Extension<Principal>>,
    credential: Option<Extension<AccessCredential>>,
    Body(asked): Body<PreviewRequest>,
) -> Result<Json<InvitationPreviewView>, Problem> {
    let session = client.session(agent);
    let found = server.access().identity().preview_invitation(&asked.code, &session).await?;
    let InvitationPreview { invitation, title, topic, is_over } = found;
    let InvitationView { id: _, name, scope, seat, by, uses_left: _, created_at: _, expires_at } =
        InvitationView::of(invitation);
    let caller = principal.zip(credential).map(|(Extension(principal), Extension(credential))| {
        PreviewCaller { name: principal.name, signed_in_by: SignedInBy::from(&credential) }
    });
    Ok(Json(InvitationPreviewView { title, topic, is_over, by, name, scope, seat, expires_at, caller }))
}

/// A request to join with the meeting's password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct EnterRequest {
    /// The meeting's password.
    password: String,
    /// The guest's name, unique within the meeting.
    #[schema(min_length = 1, max_length = 50)]
    name: String,
    /// Whether the response has both tokens, for a program. Otherwise they are set as cookies.
    #[serde(default)]
    tokens: bool,
}

/// Join a meeting with its password
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/enter", tag = "access", operation_id = "enter_meeting", request_body = EnterRequest,
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 201, body = StartedSession), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem)),
)]
async fn enter(
    State(server): State<ServerState>,
    client: Client,
    Agent(agent): Agent,
    Path(id): Path<String>,
    Body(asked): Body<EnterRequest>,
) -> Result<Response, Problem> {
    let EnterRequest { password, name, tokens } = asked;
    let (meeting, session) = (MeetingId::new(id), client.session(agent));
    let given = MeetingPassword { password, name };
    let guest = server.access().identity().enter(&meeting, given, &session).await?;
    Ok(welcomed(&server, guest, &client, tokens, Language::En))
}

/// The session of a guest. One for whom there is no seat has come all the same, and is told why.
fn welcomed(
    server: &ServerState,
    guest: GuestSession,
    client: &Client,
    tokens: bool,
    language: Language,
) -> Response {
    let seat = guest.seat.map(|seat| match seat {
        Ok(name) => GuestSeat { name: Some(name), problem: None },
        Err(error) => {
            let problem = Box::new(Problem::from(error).told_in(language));
            GuestSeat { name: None, problem: Some(problem) }
        }
    });
    told(server, guest.issued, client, tokens, StatusCode::CREATED, seat)
}

/// List guests
///
/// The newest comes first.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/guests", tag = "access", operation_id = "list_guests",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = ItemPage<SessionView>), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)),
)]
async fn guests(
    State(server): State<ServerState>,
    Path(id): Path<String>,
) -> Result<Json<ItemPage<SessionView>>, Problem> {
    let here = server.access().identity().guests(&MeetingId::new(id)).await?;
    Ok(Json(ItemPage::whole(here.into_iter().map(|session| SessionView::of(session, false)))))
}

/// Remove a guest
///
/// The guest's session ends at once, and the guest's seat is given up.
#[utoipa::path(
    delete, path = "/api/v1/meetings/{id}/guests/{session}", tag = "access", operation_id = "remove_guest",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("session" = String, Path, description = "The guest's session, by id")),
    responses((status = 204, description = "The guest was removed"), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)),
)]
async fn send_away(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path((id, session)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    server.access().identity().remove_guest(&principal, &MeetingId::new(id), &session).await?;
    Ok(StatusCode::NO_CONTENT)
}
