//! Programs that can take a seat, and what coding agents among them ask for.

use axum::Json;
use axum::extract::State;
use quorate_app::ProgramView;
use quorate_contract::{Command, MeetingId, TaskId};
use serde::Deserialize;
use utoipa::ToSchema;

use super::meeting_access::{MeetingStatus, execute_and_load};
use super::pagination::ItemPage;
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(list)).routes(routes!(permit))
}

/// List programs that can take a seat
///
/// Processes and coding agents of the operator's configuration. `model` names one in place of a model, for a participant
/// and for an agent of the library.
#[utoipa::path(
    get, path = "/api/v1/processes", tag = "agents", operation_id = "list_processes",
    responses((status = 200, body = ItemPage<ProgramView>)),
)]
async fn list(State(server): State<ServerState>) -> Result<Json<ItemPage<ProgramView>>, Problem> {
    Ok(Json(ItemPage::whole(server.app().programs()?)))
}

/// The answer to what a coding agent asks for, as the event `agent_action` with the permission `asked` names it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PermissionRequest {
    /// The task of the call.
    #[schema(value_type = String, example = "speak:r1t2")]
    task: TaskId,
    /// The attempt at the task.
    #[schema(minimum = 1)]
    attempt: u32,
    /// The number of the action within the call.
    #[schema(minimum = 1)]
    number: u32,
    /// Whether the agent may do it, once.
    allow: bool,
}

/// Permit or refuse an action of a coding agent
///
/// The agent waits for the answer while it has its turn; the first answer counts. Without one in time, it is refused.
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/permissions", tag = "agents", operation_id = "permit_action",
    params(("id" = String, Path, description = "The meeting, by id")), request_body = PermissionRequest,
    responses((status = 200, body = MeetingStatus), (status = 400, body = Problem),
        (status = 403, body = Problem, description = "The caller is an agent"), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The agent does not wait for it any more"),
        (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn permit(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(request): Body<PermissionRequest>,
) -> Result<Json<MeetingStatus>, Problem> {
    let PermissionRequest { task, attempt, number, allow } = request;
    let command = Command::PermitAction { by: principal.person(), task, attempt, number, allowed: allow };
    Ok(Json(execute_and_load(&server, &principal, &id, command).await?))
}
