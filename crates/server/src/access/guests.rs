//! Guests: people without an account who take part in one meeting, by invitation or with its password.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use quorate_app::{Attempt, AuditNote, Invitation, OwnSeat, Principal, Session, check_name, fingerprint};
use quorate_contract::{
    Language, MeetingId, NAME_MAX_CHARS, NameOf, Person, Refusal, RunnerSpec, Timestamp, TurnDelivery,
    clean_within,
};
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::audit::Detail;
use super::client::Client;
use super::identity::{Issued, scope_of, secret};
use super::sessions::{Agent, GuestSeat, SessionView, StartedSession, told};
use super::{Scope, SignedIn};
use crate::body::{Body, Path};
use crate::content_language::preferred;
use crate::problem::Problem;
use crate::rest::ItemPage;
use crate::state::ServerState;

const HOUR_MS: u64 = 60 * 60 * 1000;
/// The default lifetime of an invitation in hours: a week.
const WEEK: u32 = 168;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new()
        .routes(routes!(invitations, invite))
        .routes(routes!(take_back))
        .routes(routes!(join))
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
            scope: scope_of(&scope),
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
    let meeting = MeetingId::new(id);
    server.app().load_whole(&meeting).await?;
    let found = server.app().invitations(&meeting, quorate_app::now()).await?;
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
    let meeting = MeetingId::new(id);
    server.app().load_whole(&meeting).await?;
    let (name, person) = match asked.name {
        Some(name) => (
            Some(free_name(&server, &meeting, &name, GuestNaming::Invited, None).await?),
            Some(secret("", 8)?),
        ),
        None => (None, None),
    };
    if asked.scope > Scope::Speak {
        return Err(Problem::invalid(
            "scope",
            message!("server-beyond-guest"),
            message!("server-beyond-guest-hint"),
        ));
    }
    let seat = asked.seat.map(|seat| seat_role(&seat, asked.scope)).transpose()?;
    if !asked.uses.is_none_or(|uses| (1..=1000).contains(&uses)) {
        return Err(Problem::invalid(
            "uses",
            message!("server-invitation-uses"),
            message!("server-invitation-uses-hint"),
        ));
    }
    let hours = asked.expires_in_hours.unwrap_or(WEEK);
    if !(1..=8760).contains(&hours) {
        return Err(Problem::invalid(
            "expires_in_hours",
            message!("server-invitation-hours"),
            message!("server-invitation-hours-hint"),
        ));
    }
    let now = quorate_app::now();
    let code = secret("", 16)?;
    let invitation = Invitation {
        id: secret("", 8)?,
        meeting,
        uses_left: asked.uses.or(name.as_ref().map(|_| 1)),
        name,
        person,
        scope: asked.scope.as_str().to_owned(),
        seat,
        by: principal.name,
        created_ms: now,
        expires_ms: now.plus_ms(u64::from(hours) * HOUR_MS),
    };
    server.app().add_invitation(invitation.clone(), fingerprint(&code)).await?;
    let base = server.access().options().public_url.as_deref().unwrap_or_default().trim_end_matches('/');
    let link = format!("{base}/join/{code}");
    let detail =
        Detail(json!({ "invitation": invitation.id, "scope": invitation.scope, "seat": invitation.seat }));
    let invited = CreatedInvitation { code, link, view: InvitationView::of(invitation) };
    Ok((StatusCode::CREATED, Extension(detail), Json(invited)).into_response())
}

/// The role of a seat that is offered.
fn seat_role(seat: &OfferedSeat, scope: Scope) -> Result<String, Problem> {
    if scope < Scope::Speak {
        let hint = message!("server-seat-needs-speak-hint");
        return Err(Problem::invalid("seat", message!("server-seat-needs-speak"), hint));
    }
    clean_within(&seat.role, 0, NAME_MAX_CHARS).ok_or_else(|| {
        let problem = message!("server-seat-role-too-long", most = NAME_MAX_CHARS);
        Problem::invalid("seat.role", problem, message!("server-seat-role-too-long-hint"))
    })
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
    match server.app().remove_invitation(&MeetingId::new(id), &invitation).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Problem::not_found("invitation", &invitation)),
    }
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
    // A code of 16 random bytes cannot be guessed, so all invitations share one limit per address.
    let counted = server.app().attempt(client.address, Attempt::Invitation)?;
    let now = quorate_app::now();
    let gone = || {
        let hint = message!("server-invitation-over");
        Problem::not_found("invitation", "").hint(hint)
    };
    let found = server.app().invitation(&counted, fingerprint(&asked.code), now).await?.ok_or_else(gone)?;
    let wanted = found.name.clone().or(asked.name).ok_or_else(|| {
        let hint = message!("server-guest-name-hint");
        Problem::invalid("name", message!("server-guest-name-missing"), hint)
    })?;
    let known = if found.name.is_some() { GuestNaming::Invited } else { GuestNaming::Nobody };
    let name = free_name(&server, &found.meeting, &wanted, known, found.person.as_deref()).await?;
    if !server.app().take_invitation(&found.id, now).await? {
        return Err(gone());
    }
    let meeting = found.meeting.clone();
    let begun = server.access().begin(name, Some(meeting), found.person, &found.scope, &client, agent).await;
    if begun.is_err() {
        server.app().give_back_invitation(&found.id).await?;
    }
    let begun = begun?;
    let seat = match found.seat {
        Some(role) => Some(seated(&server, &begun.session, role, preferred(&headers)).await),
        None => None,
    };
    Ok(welcomed(&server, begun, &client, asked.tokens, "by invitation", seat))
}

/// Seats a guest. One for whom there is no seat has come all the same, and is told why.
async fn seated(server: &ServerState, session: &Session, role: String, language: Language) -> GuestSeat {
    let Session { id, name, scope, meeting, person, .. } = session.clone();
    let Some(here) = meeting.clone() else { return GuestSeat { name: None, problem: None } };
    let guest = Principal::of_session(&id, name, scope_of(&scope), meeting, person);
    match server.app().take_seat(&guest, &here, OwnSeat { name: None, role }).await {
        Ok(name) => GuestSeat { name: Some(name), problem: None },
        Err(error) => {
            let problem = Box::new(Problem::from(error).told_in(language));
            GuestSeat { name: None, problem: Some(problem) }
        }
    }
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
    let counted = server.app().attempt(client.address, Attempt::Meeting(&id))?;
    let meeting = MeetingId::new(id);
    let kept = server.app().kept_password(&counted, &meeting).await?;
    // No meeting, one without a password and a wrong password are answered alike.
    if !server.access().is_right(asked.password, kept).await? {
        let detail = message!("server-no-meeting-with-password");
        return Err(Problem::new(StatusCode::UNAUTHORIZED, "wrong-password", detail)
            .hint(message!("server-no-meeting-with-password-hint")));
    }
    let name = free_name(&server, &meeting, &asked.name, GuestNaming::Nobody, None).await?;
    let scope = Scope::Speak.as_str();
    let begun = server.access().begin(name, Some(meeting), None, scope, &client, agent).await?;
    Ok(welcomed(&server, begun, &client, asked.tokens, "with the password", None))
}

/// Whether the organizer has chosen the guest's name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GuestNaming {
    /// The invitation names its guest, who may come again by another one, or twice.
    Invited,
    /// The guest names itself.
    Nobody,
}

/// Checks that a name cannot be taken for that of a participant, an account, another guest, or the meeting
/// itself. The seat of the guest itself, who may come again, has its name.
async fn free_name(
    server: &ServerState,
    meeting: &MeetingId,
    wanted: &str,
    known: GuestNaming,
    person: Option<&str>,
) -> Result<String, Problem> {
    let name = check_name("name", wanted)?;
    let table = server.app().load_whole(meeting).await?;
    let accounts = server.access().accounts();
    let is_here = |session: &Session| session.meeting.as_ref() == Some(meeting);
    let guests = server.access().sessions().into_iter().filter(is_here).map(|session| session.name);
    let invited = server.app().invitations(meeting, quorate_app::now()).await?;
    let is_same_guest = |other: &String| known == GuestNaming::Invited && *other == name;
    let guests: Vec<String> = guests
        .chain(invited.into_iter().filter_map(|one| one.name))
        .filter(|it| !is_same_guest(it))
        .collect();
    let own = person.map(Person::guest_id);
    let is_own = |runner: &RunnerSpec| match runner {
        RunnerSpec::External { via: TurnDelivery::Person, name } => own.as_ref() == Some(name),
        _ => false,
    };
    let seats = table.seats.iter().filter(|seat| !is_own(&seat.participant.runner));
    let others = (seats.map(|seat| seat.participant.name.as_str()))
        .chain(accounts.iter().map(|account| account.name.as_str()))
        .chain(guests.iter().map(String::as_str));
    quorate_contract::check_name("name", &name, NameOf::Guest, others).map_err(not_free)?;
    Ok(name)
}

/// The error for a name that is taken or looks like another. It does not say whose name it is: not every
/// client may know.
pub(super) fn not_free(refusal: Refusal) -> Problem {
    match refusal {
        Refusal::NameTaken { .. } => {
            let detail = message!("server-guest-name-taken");
            Problem::new(StatusCode::CONFLICT, "name-taken", detail.clone())
                .hint(message!("server-choose-another-name"))
                .field("name", detail)
        }
        other => other.into(),
    }
}

fn welcomed(
    server: &ServerState,
    begun: Issued,
    client: &Client,
    tokens: bool,
    how: &str,
    seat: Option<GuestSeat>,
) -> Response {
    let session = &begun.session;
    server.app().note(AuditNote {
        who: session.person.as_deref().map(Person::guest_id).unwrap_or_default(),
        action: "guest.came".to_owned(),
        meeting: session.meeting.clone(),
        address: Some(client.address),
        status: StatusCode::CREATED.as_u16(),
        detail: json!({
            "how": how, "name": session.name, "session": session.id,
            "seat": seat.as_ref().and_then(|seat| seat.name.as_ref()),
        }),
    });
    told(server, begun, client, tokens, StatusCode::CREATED, seat)
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
    let meeting = MeetingId::new(id);
    server.app().load_whole(&meeting).await?;
    let here =
        server.access().sessions().into_iter().filter(|session| session.meeting.as_ref() == Some(&meeting));
    Ok(Json(ItemPage::whole(here.map(|session| SessionView::of(session, false)))))
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
    let meeting = MeetingId::new(id);
    let found = server.access().sessions().into_iter().find(|guest| guest.id == session);
    let Some(guest) = found.filter(|guest| guest.meeting.as_ref() == Some(&meeting)) else {
        return Err(Problem::not_found("guest", &session));
    };
    server.access().end(&session).await?;
    let scope = scope_of(&guest.scope);
    let gone = Principal::of_session(&guest.id, guest.name, scope, guest.meeting, guest.person);
    server.app().vacate(&gone, &meeting, principal.actor()).await;
    Ok(StatusCode::NO_CONTENT)
}
