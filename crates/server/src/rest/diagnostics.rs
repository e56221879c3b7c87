//! The diagnostic report of a meeting.

use axum::Json;
use axum::extract::State;
use quorate_contract::MeetingId;
use quorate_views::DiagnosticReport;

use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::Path;
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(diagnostics))
}

/// Get the diagnostic report of a meeting
///
/// The shape of its log for a report of a fault: the type, size and time of each event, ids and numbers, versions, and the
/// reason of a quarantine. No text that a person or a model wrote is in it, no name, and nothing of what was voted. It can be
/// read while the meeting is quarantined or damaged.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/diagnostics", tag = "results", operation_id = "get_diagnostics",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = DiagnosticReport), (status = 404, body = Problem), (status = 503, body = Problem)),
)]
async fn diagnostics(
    State(server): State<ServerState>,
    SignedIn(_): SignedIn,
    Path(id): Path<MeetingId>,
) -> Result<Json<DiagnosticReport>, Problem> {
    Ok(Json(server.app().diagnostics(&id).await?))
}
