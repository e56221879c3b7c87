//! What was raised at a meeting: claims, events, objections, risks and ideas, and who answered them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use quorate_app::viewer_of;
use quorate_contract::{Citation, ClaimId, ClaimKind, Evidence, MeetingId, MessageId, ParticipantId};
use quorate_core::{ClaimRecord, Meeting};
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::meeting_access::look;
use super::pagination::{MeetingItems, limit};
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Path, Query};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(list))
}

/// Which claims are asked for; all conditions that are given must hold.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ClaimsQuery {
    /// The ids of claims, separated by commas: `c1,c4`. Claims that do not exist or are not visible to the
    /// caller are left out.
    #[param(value_type = Option<Vec<ClaimId>>, style = Form, explode = false)]
    ids: Option<String>,
    /// `true` for unanswered claims only, `false` for answered claims only.
    open: Option<bool>,
    /// The largest number of items on the page.
    #[param(minimum = 1, maximum = 500, default = 100)]
    limit: Option<u32>,
    /// The `next_cursor` of the previous page.
    cursor: Option<String>,
}

/// A claim, fact, objection, risk or idea that a participant raised.
#[derive(Debug, Serialize, ToSchema)]
struct ClaimView {
    /// The id.
    id: ClaimId,
    /// The kind of the claim.
    kind: ClaimKind,
    /// The text of the claim.
    text: String,
    /// The participant who raised the claim.
    owner: ParticipantId,
    /// The round in which the claim was raised.
    round: u32,
    /// The message that raised the claim; `null` when a vote did.
    message: Option<MessageId>,
    /// The sequence number of the event that raised the claim: a message or a vote.
    seq: u64,
    /// The participants who answered the claim.
    answered_by: Vec<ParticipantId>,
    /// The claims that this one builds on.
    builds_on: Vec<ClaimId>,
    /// The lines of attached files that it cites as its evidence.
    citations: Vec<Citation>,
    /// The results of tools that it cites.
    evidence: Vec<Evidence>,
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
            citations: claim.citations,
            evidence: claim.evidence,
        }
    }
}

/// List claims
///
/// The reason of a vote against a draft is an objection, which is a claim too. While the ballot is open, only
/// callers with the scope `manage` see it.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/claims", tag = "messages", operation_id = "list_claims",
    params(("id" = String, Path, description = "The meeting, by id"), ClaimsQuery),
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
    let reader = viewer_of(&meeting, &principal);
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
