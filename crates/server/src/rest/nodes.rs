//! The processes that share the database.

use axum::Json;
use axum::extract::State;
use quorate_app::Node;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::pagination::ItemPage;
use crate::problem::Problem;
use crate::state::ServerState;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(nodes))
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
