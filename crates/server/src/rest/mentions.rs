//! The messages that mention the caller, at all meetings, and how far they have read.

use axum::Json;
use axum::extract::State;
use quorate_app::MentionEntry;
use quorate_contract::MeetingId;
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::pagination;
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Query};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(list)).routes(routes!(read))
}

/// Which page of the list is asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MentionQuery {
    /// The most items of a page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u32>,
    /// The `next_cursor` of the page before.
    cursor: Option<String>,
}

/// A page of mentions.
#[derive(Debug, Serialize, ToSchema)]
struct MentionPage {
    /// The newest first.
    items: Vec<MentionEntry>,
    /// What to send as `cursor` for the next page; `null` on the last one.
    next_cursor: Option<String>,
    /// How many are unread, of the newest 500.
    unread: u32,
}

/// List the messages that mention the caller
///
/// By name, or by the name of the seat that they hold, at all meetings that they may see; what a blind round withholds
/// comes when it is over. Meetings under a password are left out until one has entered. Agents read what mentions them in
/// `GET /api/v1/meetings/{id}/context`.
#[utoipa::path(
    get, path = "/api/v1/me/mentions", tag = "people", operation_id = "list_mentions", params(MentionQuery),
    responses((status = 200, body = MentionPage), (status = 401, body = Problem),
        (status = 403, body = Problem, description = "The caller is no person"), (status = 422, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Query(query): Query<MentionQuery>,
) -> Result<Json<MentionPage>, Problem> {
    let limit = pagination::limit(query.limit, 20, 100)?;
    let page = server.app().mentions(&principal, query.cursor.as_deref(), limit).await?;
    let unread = server.app().unread_mentions(&principal).await?;
    Ok(Json(MentionPage { items: page.items, next_cursor: page.next, unread }))
}

/// What was read.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct ReadMentionsRequest {
    /// At this meeting; at all of them when left out.
    meeting: Option<MeetingId>,
    /// Up to this event of the meeting, by its sequence number; all that was said there when left out.
    #[schema(minimum = 1, maximum = 9223372036854775807u64)]
    seq: Option<u64>,
}

/// How many mentions are left.
#[derive(Debug, Serialize, ToSchema)]
struct UnreadCount {
    /// How many are unread, of the newest 500.
    unread: u32,
}

/// Note that one has read what mentions one
///
/// The mark of a meeting moves on and never back. What a blind round withholds stays unread.
#[utoipa::path(
    put, path = "/api/v1/me/mentions/read", tag = "people", operation_id = "mark_mentions_read",
    request_body(content = ReadMentionsRequest, example = json!({"meeting": "0199f7a0-5c4e-7c31-9d55-3f0a6a1c2b7e", "seq": 42})),
    responses((status = 200, body = UnreadCount), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem, description = "The caller is no person"),
        (status = 404, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn read(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Body(request): Body<ReadMentionsRequest>,
) -> Result<Json<UnreadCount>, Problem> {
    if request.seq.is_some() && request.meeting.is_none() {
        let detail = message!("server-seq-without-meeting");
        return Err(Problem::invalid("meeting", detail, message!("server-seq-without-meeting-hint")));
    }
    server.app().mark_mentions_read(&principal, request.meeting, request.seq).await?;
    Ok(Json(UnreadCount { unread: server.app().unread_mentions(&principal).await? }))
}
