//! The processes that share the database.

use axum::Json;
use axum::extract::State;
use quorate_app::{Node, OwnerChange};
use quorate_contract::MeetingId;
use serde::Deserialize;
use utoipa::IntoParams;

use super::pagination::{self, ItemPage};
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::Query;
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(nodes)).routes(routes!(owner_changes))
}

/// List nodes
///
/// The processes that share the database, the longest running first; those that are gone for less than an hour too. A
/// database file has one writer, and the list is empty.
#[utoipa::path(
    get, path = "/api/v1/nodes", tag = "operation", operation_id = "list_nodes",
    responses((status = 200, body = ItemPage<Node>), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 503, body = Problem)),
)]
async fn nodes(State(server): State<ServerState>) -> Result<Json<ItemPage<Node>>, Problem> {
    Ok(Json(ItemPage::whole(server.app().nodes().await?)))
}

/// Which changes are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct OwnerChangeQuery {
    /// The meeting, by id; all meetings when left out.
    meeting: Option<String>,
    /// The largest number of items on the page.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u32>,
}

/// List changes of meeting owners
///
/// Which meetings have gone over from one node to another within 30 days, the newest first: when their node was gone or
/// stopped. With a database file the list is empty.
#[utoipa::path(
    get, path = "/api/v1/nodes/owner-changes", tag = "operation", operation_id = "list_owner_changes",
    params(OwnerChangeQuery),
    responses((status = 200, body = ItemPage<OwnerChange>), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 422, body = Problem), (status = 503, body = Problem)),
)]
async fn owner_changes(
    State(server): State<ServerState>,
    Query(query): Query<OwnerChangeQuery>,
) -> Result<Json<ItemPage<OwnerChange>>, Problem> {
    let limit = pagination::limit(query.limit, 100, 1000)?;
    Ok(Json(ItemPage::whole(server.app().owner_changes(query.meeting.map(MeetingId::new), limit).await?)))
}
