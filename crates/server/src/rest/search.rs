//! Finds what was said, decided and written down, over all meetings that whoever asks may see.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use quorate_app::{BlindRound, Principal, SearchFilter, SearchHit, SearchKind};
use quorate_contract::{MeetingId, Timestamp};
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::SignedIn;
use crate::body::Query;
use crate::problem::Problem;
use crate::state::ServerState;

/// How many hits there may be in one answer.
const HITS_MAX: u32 = 100;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(search))
}

/// What is looked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct SearchQuery {
    /// Words that all have to be there; Chinese ones of two characters and more. `"…"` holds words together, the
    /// last letters of an English word may be left out.
    #[param(min_length = 1)]
    q: String,
    /// At this meeting alone.
    meeting: Option<MeetingId>,
    /// By the participant, or person, of this name.
    participant: Option<String>,
    /// Only hits of these kinds, with commas between them.
    #[param(value_type = Option<Vec<SearchKind>>, style = Form, explode = false)]
    kind: Option<String>,
    /// Happened at this time or later (RFC 3339).
    happened_after: Option<Timestamp>,
    /// Happened before this time (RFC 3339).
    happened_before: Option<Timestamp>,
    /// The most items of a page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u32>,
    /// The `next_cursor` of the page before.
    cursor: Option<String>,
}

/// What was found.
#[derive(Debug, Serialize, ToSchema)]
struct SearchPage {
    /// The newest first.
    items: Vec<SearchHit>,
    /// What to send as `cursor` for the next page; `null` on the last one.
    next_cursor: Option<String>,
    /// How many events are not in the index yet; they get there within a moment.
    lag: u64,
}

/// Search messages, minutes, artifacts, conclusions and topics
///
/// Meetings under a password are left out unless `meeting` names one that you have entered.
#[utoipa::path(
    get, path = "/api/v1/search", tag = "search", operation_id = "search", params(SearchQuery),
    responses((status = 200, body = SearchPage), (status = 404, body = Problem), (status = 422, body = Problem)),
)]
async fn search(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Query(wanted): Query<SearchQuery>,
) -> Result<Json<SearchPage>, Problem> {
    let limit = wanted.limit.unwrap_or(20);
    if !(1..=HITS_MAX).contains(&limit) {
        let problem = message!("server-hits", %limit, hits_max = %HITS_MAX);
        let hint = message!("server-hits-hint");
        return Err(Problem::invalid("limit", problem, hint));
    }
    // Whoever may see one meeting finds what was said there, and nothing else.
    if let (Some(own), Some(wanted)) = (&principal.meeting, &wanted.meeting)
        && own != wanted
    {
        return Err(Problem::not_found("meeting", wanted.as_str()));
    }
    let meeting = principal.meeting.clone().or(wanted.meeting);
    if let Some(named) = &meeting
        && server.is_shut(&principal, named).await?
    {
        return Err(Problem::not_found("meeting", named.as_str()));
    }
    let filter = SearchFilter {
        words: wanted.q,
        meeting,
        participant: wanted.participant,
        kinds: kinds(wanted.kind.as_deref())?,
        from: wanted.happened_after,
        before: wanted.happened_before,
        locked: principal.sees_all(),
    };
    let found = server.app().search(filter, wanted.cursor.as_deref(), limit).await;
    let (page, lag) = found.map_err(|error| Problem::from(error).placed(&[("/words", "/q")]))?;
    let items = without_blind_rounds(&server, &principal, page.items).await?;
    Ok(Json(SearchPage { items, next_cursor: page.next, lag }))
}

/// Leaves out what was said at meetings in whose open blind round the caller has a seat.
async fn without_blind_rounds(
    server: &ServerState,
    principal: &Principal,
    mut hits: Vec<SearchHit>,
) -> Result<Vec<SearchHit>, Problem> {
    let mut blind: BTreeMap<MeetingId, bool> = BTreeMap::new();
    for hit in &hits {
        if !blind.contains_key(&hit.meeting) {
            let round = server.app().blind_round_of(principal, &hit.meeting).await?;
            blind.insert(hit.meeting.clone(), round == Some(BlindRound::Open));
        }
    }
    hits.retain(|hit| !blind[&hit.meeting]);
    Ok(hits)
}

fn kinds(given: Option<&str>) -> Result<Vec<SearchKind>, Problem> {
    let words = given.unwrap_or_default().split(',').map(str::trim).filter(|word| !word.is_empty());
    let kind = |word: &str| {
        SearchKind::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or_else(|| {
            let known = SearchKind::ALL.map(SearchKind::as_str).join(", ");
            let problem = message!("server-no-kind", %word);
            Problem::invalid("kind", problem, message!("server-choose-from", %known))
        })
    };
    words.map(kind).collect()
}
