//! How sound a deliberation is.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use quorate_app::viewer_of;
use quorate_contract::MeetingId;
use quorate_views::DeliberationHealth;
use serde::Deserialize;
use utoipa::IntoParams;

use super::etag::{Versions, tagged};
use super::meeting_access::look_to_compute;
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Path, Query};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(health))
}

/// When it is asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DeliberationHealthQuery {
    /// The sequence number of an event: the response is computed as of that event. When left out: the present
    /// state.
    #[param(minimum = 1, maximum = 9223372036854775807u64)]
    at: Option<u64>,
}

/// Get the deliberation health of a meeting
///
/// Measures what the agreement rests on, which objections stand, who changed position and why, and what was
/// left open. It is computed from the events alone, and each number names the events that it comes from. The
/// `ETag` is the last event.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/deliberation-health", tag = "results", operation_id = "get_deliberation_health",
    params(("id" = String, Path, description = "The meeting, by id"), DeliberationHealthQuery,
        ("If-None-Match" = Option<String>, Header, description = "An `ETag` from an earlier response; responds with 304 when nothing has changed since")),
    responses(
        (status = 200, body = DeliberationHealth, headers(("ETag" = String, description = "`last_seq`, in quotes"))),
        (status = 304, description = "Not modified since the version in `If-None-Match`"),
        (status = 404, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem),
        (status = 503, body = Problem),
    ),
)]
async fn health(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    versions: Versions,
    Path(id): Path<MeetingId>,
    Query(when): Query<DeliberationHealthQuery>,
) -> Result<Response, Problem> {
    let (mut meeting, place) = look_to_compute(&server, &principal, &id, when.at).await?;
    viewer_of(&meeting, &principal).redact(&mut meeting);
    let seq = meeting.seq;
    let health = match versions.has(seq) {
        true => None,
        false => Some(place.run(move || Json(DeliberationHealth::of(&meeting)).into_response()).await?),
    };
    Ok(tagged(&versions, seq, health.unwrap_or_default()))
}
