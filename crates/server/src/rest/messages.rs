//! The messages of a meeting: what was said, and sending one.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quorate_app::viewer_of;
use quorate_contract::{Command, Event, EventBody, MeetingId, MessageId, Stance, Timestamp};
use quorate_core::{Meeting, MeetingMessage};
use quorate_messages::message;
use quorate_views::{MessageView, Viewer, with_speaker_name};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::log::sequence_number;
use super::meeting_access::{ChangeReceipt, execute, find_event, lines, look};
use super::pagination::limit;
use crate::access::{Principal, SignedIn};
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path, Query};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(page, say)).routes(routes!(one)).routes(routes!(request_speaker))
}

/// A new message.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewMessage {
    /// The text, in Markdown. `@name` or `@"name with spaces"` mentions a participant, who then speaks next,
    /// or a person.
    #[schema(min_length = 1, max_length = 10_000)]
    content: String,
    /// The message that this one replies to.
    #[serde(default)]
    reply_to: Option<MessageId>,
}

/// A message that was accepted.
#[derive(Debug, Serialize, ToSchema)]
struct SentMessage {
    /// The sequence number of the last event that the request caused.
    seq: u64,
    /// The message.
    message_id: MessageId,
}

/// Send a message
///
/// The next speaker reads the message. Whether it ends an open ballot depends on the rules
/// (`decision.on_steering`).
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/messages", tag = "messages", operation_id = "send_message",
    params(("id" = String, Path, description = "The meeting, by id")),
    request_body(content = NewMessage, example = json!({"content": "@Ada what about backups?", "reply_to": "m3"})),
    responses(
        (status = 202, body = SentMessage, headers(("Location" = String, description = "The URL of the message"))),
        (status = 400, body = Problem), (status = 403, body = Problem, description = "The rules do not let people send messages"),
        (status = 404, body = Problem), (status = 409, body = Problem), (status = 415, body = Problem),
        (status = 422, body = Problem)),
)]
async fn say(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(new): Body<NewMessage>,
) -> Result<Response, Problem> {
    let (by, content) = (principal.actor(), new.content);
    let command = match new.reply_to {
        Some(to) => Command::Reply { by, to, content },
        None => Command::Say { by, content },
    };
    let seq = execute(&server, &principal, &id, command).await?;
    let message_id = find_event(&server, &id, seq, |body| match body {
        EventBody::UserMessage { message_id, .. } => Some(*message_id),
        _ => None,
    })
    .await?;
    Ok(spoken(&id, seq, message_id))
}

fn spoken(id: &MeetingId, seq: u64, message_id: MessageId) -> Response {
    let place = HeaderValue::from_str(&place_of(id, message_id));
    let place = place.unwrap_or(HeaderValue::from_static("/api/v1/meetings"));
    (StatusCode::ACCEPTED, [(header::LOCATION, place)], Json(SentMessage { seq, message_id })).into_response()
}

fn place_of(id: &MeetingId, message: MessageId) -> String {
    format!("/api/v1/meetings/{id}/messages/{message}")
}

/// The answer to a request of which it is not known whether it was heard: when the principal has said this since it came,
/// and no other request was answered with that message.
pub(super) async fn said_since(
    server: &ServerState,
    id: &MeetingId,
    principal: &Principal,
    since: Timestamp,
    body: &[u8],
) -> Result<Option<Response>, Problem> {
    // What cannot be read was not said.
    let Ok(new) = serde_json::from_slice::<NewMessage>(body) else { return Ok(None) };
    let asked = (new.content.as_str(), new.reply_to);
    let said = server.app().said_since(principal, id, since, asked, |message| place_of(id, message)).await?;
    Ok(said.map(|(seq, message)| spoken(id, seq, message)))
}

/// In which order messages come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Order {
    /// The last one first.
    Newest,
    /// The first one first.
    Oldest,
}

/// Which messages are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MessagesQuery {
    /// The sequence number after which messages are returned.
    #[param(maximum = 9223372036854775807u64)]
    after: Option<u64>,
    /// The sequence number before which messages are returned.
    #[param(maximum = 9223372036854775807u64)]
    before: Option<u64>,
    /// The order: `oldest` or `newest` first. When left out: `oldest` if only `after` is set, otherwise
    /// `newest`.
    #[param(inline)]
    order: Option<Order>,
    /// The largest number of items on the page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u32>,
    /// The `next_cursor` of the previous page; the order is that of the previous page.
    cursor: Option<String>,
}

/// One page of messages.
#[derive(Debug, Serialize, ToSchema)]
struct MessagePage {
    /// The messages, in the requested order.
    items: Vec<MessageView>,
    /// The `cursor` of the next page; `null` on the last page.
    next_cursor: Option<String>,
    /// The sequence number of the last event of the meeting; use it as `after` for messages that follow.
    last_seq: u64,
}

/// List messages
///
/// Pages can be read from either end. New messages cause neither gaps nor duplicates in the pages that
/// follow.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/messages", tag = "messages", operation_id = "list_messages",
    params(("id" = String, Path, description = "The meeting, by id"), MessagesQuery),
    responses((status = 200, body = MessagePage), (status = 404, body = Problem), (status = 422, body = Problem)),
)]
async fn page(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Query(wanted): Query<MessagesQuery>,
) -> Result<Json<MessagePage>, Problem> {
    let limit = limit(wanted.limit, 50, 200)? as usize;
    let wanted = wanted.resumed()?;
    let mut meeting = look(&server, &id).await?;
    let viewer = viewer_of(&meeting, &principal);
    if viewer.is_blind() {
        viewer.redact(&mut meeting);
    }
    Ok(Json(cut(&meeting, viewer, &wanted, limit)))
}

impl MessagesQuery {
    /// The query with what its cursor says: the order, and where the page before ended.
    fn resumed(self) -> Result<Self, Problem> {
        self.after.map_or(Ok(0), |after| sequence_number("after", after))?;
        self.before.map_or(Ok(0), |before| sequence_number("before", before))?;
        let Some(cursor) = self.cursor.as_deref() else { return Ok(self) };
        let parts = cursor.split_once('-').and_then(|(order, seq)| Some((order, seq.parse::<u64>().ok()?)));
        match parts {
            Some(("newest", seq)) => {
                let before = Some(self.before.map_or(seq, |before| before.min(seq)));
                Ok(Self { order: Some(Order::Newest), before, ..self })
            }
            Some(("oldest", seq)) => {
                let after = Some(self.after.map_or(seq, |after| after.max(seq)));
                Ok(Self { order: Some(Order::Oldest), after, ..self })
            }
            Some(_) | None => {
                let hint = message!("server-cursor-hint");
                Err(Problem::invalid("cursor", message!("server-cursor"), hint))
            }
        }
    }
}

fn cut(m: &Meeting, viewer: Viewer, wanted: &MessagesQuery, limit: usize) -> MessagePage {
    // Messages lie in the order of the log.
    let from = wanted.after.map_or(0, |after| m.said.partition_point(|said| said.seq <= after));
    let to = wanted.before.map_or(m.said.len(), |before| m.said.partition_point(|said| said.seq < before));
    let to = to.max(from);
    let usual = match (wanted.after, wanted.before) {
        (Some(_), None) => Order::Oldest,
        _ => Order::Newest,
    };
    let (items, next_cursor) = match wanted.order.unwrap_or(usual) {
        Order::Newest => {
            let first = from.max(to.saturating_sub(limit));
            let next = (first > from).then(|| format!("newest-{}", m.said[first].seq));
            (m.said[first..to].iter().rev().cloned().collect(), next)
        }
        Order::Oldest => {
            let end = to.min(from + limit);
            let next = (end < to).then(|| format!("oldest-{}", m.said[end - 1].seq));
            (m.said[from..end].to_vec(), next)
        }
    };
    let items = items.into_iter().map(|said| MessageView::of(said, viewer).named(m.language())).collect();
    MessagePage { items, next_cursor, last_seq: m.seq }
}

/// A message with all of its details.
#[derive(Debug, Serialize, ToSchema)]
struct MessageDetails {
    /// The message.
    #[serde(flatten)]
    said: Arc<MeetingMessage>,
    /// The stance that the participant stated; `null` for messages of people and the facilitator.
    stance: Option<Stance>,
    /// The model's reasoning; `null` for callers who may not see it.
    reasoning: Option<String>,
}

/// Get a message
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/messages/{message}", tag = "messages", operation_id = "get_message",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("message" = String, Path, description = "The message, by id (`m12`), or by the sequence number of its event, as a search gives it")),
    responses((status = 200, body = MessageDetails), (status = 404, body = Problem)),
)]
async fn one(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path((id, message)): Path<(MeetingId, String)>,
) -> Result<Json<MessageDetails>, Problem> {
    let meeting = look(&server, &id).await?;
    let (known, seq) = (message.parse::<MessageId>().ok(), message.parse::<u64>().ok());
    let said = meeting.said.iter().find(|said| Some(said.id) == known || Some(said.seq) == seq);
    let said = said.ok_or_else(|| {
        let hint = match meeting.said.last() {
            Some(last) => {
                message!("server-messages-are", id = %last.id)
            }
            None => message!("server-no-message-yet"),
        };
        Problem::not_found("message", &message).hint(hint)
    })?;
    let (line, _) = lines(&server, &id, said.seq - 1, 1).await?;
    let event = line.first().and_then(|(_, line)| Event::from_json(line).ok());
    let mut whole = MessageDetails {
        said: with_speaker_name(Arc::clone(said), meeting.language()),
        stance: None,
        reasoning: None,
    };
    if let Some(EventBody::AgentMessage { stance, reasoning, .. }) = event.map(|event| event.body) {
        whole.stance = stance;
        whole.reasoning = reasoning.filter(|_| viewer_of(&meeting, &principal).reasoning());
    }
    Ok(Json(whole))
}

/// A request to give the floor to a participant.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SpeakerRequest {
    /// A participant's name or id.
    participant: String,
}

/// Give the floor to a participant
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/speaker", tag = "messages", operation_id = "request_speaker",
    params(("id" = String, Path, description = "The meeting, by id")),
    request_body(content = SpeakerRequest, example = json!({"participant": "p2"})),
    responses((status = 202, body = ChangeReceipt), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "No participant can be given the floor now"),
        (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn request_speaker(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<SpeakerRequest>,
) -> Result<(StatusCode, Json<ChangeReceipt>), Problem> {
    let command = Command::RequestSpeaker { by: principal.actor(), participant: request.participant };
    Ok((StatusCode::ACCEPTED, Json(ChangeReceipt { seq: execute(&server, &principal, &id, command).await? })))
}
