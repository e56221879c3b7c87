//! What was raised at a meeting: claims, events, objections, risks and ideas, and who answered them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use quorate_app::reader_of;
use quorate_contract::{ClaimId, ClaimKind, MeetingId, MessageId, ParticipantId};
use quorate_core::{ClaimRecord, Meeting};
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::meeting_access::look;
use super::pagination::{MeetingItems, limit};
use crate::access::SignedIn;
use crate::body::{Path, Query};
use crate::problem::Problem;
use crate::state::ServerState;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(list))
}

/// Which claims are asked for; all conditions that are given must hold.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ClaimsQuery {
    /// These, with commas between them: `c1,c4`. One that there is not, or not for you, is left out.
    #[param(value_type = Option<Vec<ClaimId>>, style = Form, explode = false)]
    ids: Option<String>,
    /// `true`: only claims without an answer; `false`: only those with one.
    open: Option<bool>,
    /// The most items of a page.
    #[param(minimum = 1, maximum = 500, default = 100)]
    limit: Option<u32>,
    /// What the page before this one gave as `next_cursor`.
    cursor: Option<String>,
}

/// Something that was raised.
#[derive(Debug, Serialize, ToSchema)]
struct ClaimView {
    /// The claim.
    id: ClaimId,
    /// What it is.
    kind: ClaimKind,
    /// What it says.
    text: String,
    /// Whose.
    owner: ParticipantId,
    /// Raised in which round.
    round: u32,
    /// In which message; `null` when it stands in a vote.
    message: Option<MessageId>,
    /// The event that raised it: the message, or the vote.
    seq: u64,
    /// Who has answered it.
    answered_by: Vec<ParticipantId>,
    /// The claims that it builds on.
    builds_on: Vec<ClaimId>,
}

impl ClaimView {
    fn of(record: &ClaimRecord) -> Self {
        let claim = record.claim.clone();
        Self {
            id: claim.id,
            kind: claim.kind,
            text: claim.text,
            owner: record.owner,
            round: record.round,
            message: record.message,
            seq: record.seq,
            answered_by: record.answered_by.clone(),
            builds_on: claim.builds_on,
        }
    }
}

/// What was raised, and who answered it
///
/// The reason of a vote against a draft is an objection. While the ballot is open, only callers who may manage the
/// meeting sees it.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/claims", tag = "messages", operation_id = "list_claims",
    params(("id" = String, Path, description = "The meeting"), ClaimsQuery),
    responses((status = 200, body = MeetingItems<ClaimView>), (status = 404, body = Problem), (status = 422, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Query(wanted): Query<ClaimsQuery>,
) -> Result<Json<MeetingItems<ClaimView>>, Problem> {
    let limit = limit(wanted.limit, 100, 500)? as usize;
    let after = wanted.cursor.as_deref().map(|cursor| named("cursor", cursor)).transpose()?;
    let ids = wanted.ids.as_deref().map(ids).transpose()?;
    let meeting = look(&server, &id).await?;
    let reader = reader_of(&meeting, &principal);
    let asked = |record: &&Arc<ClaimRecord>| {
        let id = record.claim.id;
        after.is_none_or(|after| id > after)
            && ids.as_ref().is_none_or(|ids| ids.contains(&id))
            && wanted.open.is_none_or(|open| record.answered_by.is_empty() == open)
            && reader.claim(&meeting, record)
    };
    Ok(Json(page(&meeting, limit, asked)))
}

fn page(m: &Meeting, limit: usize, asked: impl Fn(&&Arc<ClaimRecord>) -> bool) -> MeetingItems<ClaimView> {
    let mut claims = m.claims.iter().filter(asked);
    let items: Vec<ClaimView> = claims.by_ref().take(limit).map(|record| ClaimView::of(record)).collect();
    let next_cursor = claims.next().and(items.last()).map(|last| last.id.to_string());
    MeetingItems { items, next_cursor, last_seq: m.seq }
}

fn ids(given: &str) -> Result<Vec<ClaimId>, Problem> {
    given.split(',').map(|id| named("ids", id.trim())).collect()
}

fn named(field: &str, id: &str) -> Result<ClaimId, Problem> {
    id.parse().map_err(|_| {
        let detail = message!("server-no-claim", %id);
        let hint = match field {
            "cursor" => {
                message!("server-cursor-hint")
            }
            _ => message!("server-claims-hint"),
        };
        Problem::invalid(field, detail, hint)
    })
}
