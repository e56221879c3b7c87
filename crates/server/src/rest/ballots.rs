//! What the table votes on, and how it voted.

use axum::Json;
use axum::extract::State;
use quorate_app::viewer_of;
use quorate_contract::{BallotId, MeetingId, ParticipantId};
use quorate_core::{Ballot, BallotChoice, BallotDraft, Meeting};
use quorate_messages::message;
use quorate_views::BallotView;
use serde::Serialize;
use utoipa::ToSchema;

use super::meeting_access::{look, there_are};
use super::pagination::MeetingItems;
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::Path;
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(list)).routes(routes!(one)).routes(routes!(votes))
}

/// List ballots
///
/// While a ballot is open, only callers with the scope `manage` see how participants voted.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/ballots", tag = "ballots", operation_id = "list_ballots",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = MeetingItems<BallotView>), (status = 404, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
) -> Result<Json<MeetingItems<BallotView>>, Problem> {
    let meeting = look(&server, &id).await?;
    let reader = viewer_of(&meeting, &principal);
    let items = meeting.ballots.iter().map(|ballot| BallotView::of(ballot, reader));
    Ok(Json(MeetingItems::whole(items, meeting.seq)))
}

/// A ballot with its draft.
#[derive(Debug, Serialize, ToSchema)]
struct BallotDetails {
    /// The ballot.
    #[serde(flatten)]
    ballot: BallotView,
    /// The draft that is voted on.
    draft: Option<BallotDraft>,
}

/// Get a ballot
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/ballots/{ballot}", tag = "ballots", operation_id = "get_ballot",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("ballot" = String, Path, description = "The ballot, by id (`b1`)")),
    responses((status = 200, body = BallotDetails), (status = 404, body = Problem)),
)]
async fn one(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path((id, ballot)): Path<(MeetingId, String)>,
) -> Result<Json<BallotDetails>, Problem> {
    let meeting = look(&server, &id).await?;
    let ballot = numbered(&meeting, &ballot)?;
    let draft = meeting.drafts.iter().find(|draft| draft.version == ballot.draft_version);
    let draft = draft.map(|draft| BallotDraft::clone(draft));
    Ok(Json(BallotDetails { ballot: BallotView::of(ballot, viewer_of(&meeting, &principal)), draft }))
}

fn numbered<'m>(m: &'m Meeting, id: &str) -> Result<&'m Ballot, Problem> {
    let found = id.parse::<BallotId>().ok().and_then(|id| m.ballot(id));
    found.ok_or_else(|| {
        let known: Vec<String> = m.ballots.iter().map(|ballot| ballot.id.to_string()).collect();
        Problem::not_found("ballot", id).hint(match known.is_empty() {
            true => message!("server-no-ballot-yet"),
            false => there_are(&known),
        })
    })
}

/// The votes of a ballot.
#[derive(Debug, Serialize, ToSchema)]
struct VoteList {
    /// The ballot.
    ballot: BallotId,
    /// Whether the votes are withheld until the ballot is closed.
    withheld: bool,
    /// The voters, in the order of the participants.
    items: Vec<VoterView>,
    /// Always `null`: the list has one page.
    next_cursor: Option<String>,
}

/// A voter and its vote.
#[derive(Debug, Serialize, ToSchema)]
struct VoterView {
    /// Who.
    participant: ParticipantId,
    /// The name.
    name: String,
    /// Whether the participant has voted or abstained.
    has_cast: bool,
    /// The vote; `null` while there is none or it is withheld.
    cast: Option<BallotChoice>,
}

/// List the votes of a ballot
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/ballots/{ballot}/votes", tag = "ballots", operation_id = "list_votes",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("ballot" = String, Path, description = "The ballot, by id (`b1`)")),
    responses((status = 200, body = VoteList), (status = 404, body = Problem)),
)]
async fn votes(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path((id, ballot)): Path<(MeetingId, String)>,
) -> Result<Json<VoteList>, Problem> {
    let meeting = look(&server, &id).await?;
    let ballot = numbered(&meeting, &ballot)?;
    let view = BallotView::of(ballot, viewer_of(&meeting, &principal));
    let voter = |id: &ParticipantId| VoterView {
        participant: *id,
        name: meeting.name_of(*id),
        has_cast: ballot.cast.contains_key(id),
        cast: view.cast().get(id).cloned(),
    };
    let items = ballot.voters.iter().map(voter).collect();
    Ok(Json(VoteList { ballot: ballot.id, withheld: view.is_withheld(), items, next_cursor: None }))
}
