//! Finds what was said, decided and written down, over all meetings that whoever asks may see.

use axum::Json;
use axum::extract::State;
use quorate_app::{SearchFilter, SearchHit, SearchKind};
use quorate_contract::{Format, MeetingId, Timestamp};
use quorate_core::MeetingState;
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::Query;
use crate::rest::meetings::states;
use crate::state::ServerState;

/// How many hits there may be in one answer.
const HITS_MAX: u32 = 100;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(search))
}

/// What is looked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct SearchQuery {
    /// The words to search for; all of them must occur, and Chinese words need at least two characters. `"…"`
    /// searches for a phrase. The end of an English word may be left out.
    #[param(min_length = 1)]
    q: String,
    /// The meeting, by id; all meetings when left out.
    meeting: Option<MeetingId>,
    /// The name of the participant or person.
    participant: Option<String>,
    /// The kinds of hits, separated by commas; all kinds when left out.
    #[param(value_type = Option<Vec<SearchKind>>, style = Form, explode = false)]
    kind: Option<String>,
    /// The earliest time of the hit (RFC 3339), inclusive.
    happened_after: Option<Timestamp>,
    /// The latest time of the hit (RFC 3339), exclusive.
    happened_before: Option<Timestamp>,
    /// The states of the meetings, separated by commas.
    #[param(value_type = Option<Vec<MeetingState>>, style = Form, explode = false)]
    state: Option<String>,
    /// The format with which the meetings were created.
    format: Option<Format>,
    /// Whether the meetings have simulated participants.
    simulated: Option<bool>,
    /// The largest number of items on the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u32>,
    /// The `next_cursor` of the previous page.
    cursor: Option<String>,
}

/// One page of search results.
#[derive(Debug, Serialize, ToSchema)]
struct SearchPage {
    /// The hits, newest first.
    items: Vec<SearchHit>,
    /// The `cursor` of the next page; `null` on the last page.
    next_cursor: Option<String>,
    /// The number of events that are not indexed yet; they are indexed within moments.
    lag: u64,
}

/// Search meetings
///
/// Searches messages, minutes, artifacts, conclusions and topics. Meetings with a password are left out
/// unless `meeting` names one that the caller has joined.
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
        states: states(wanted.state.as_deref())?,
        format: wanted.format.map(|format| format.as_str().to_owned()),
        simulated: wanted.simulated,
        locked: principal.sees_all(),
    };
    let found = server.app().search(filter, wanted.cursor.as_deref(), limit).await;
    let (page, lag) = found.map_err(|error| Problem::from(error).placed(&[("/words", "/q")]))?;
    let items = server.app().without_blind_rounds(&principal, page.items).await?;
    Ok(Json(SearchPage { items, next_cursor: page.next, lag }))
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
