//! Meetings: what there is, and how one stands.

use axum::Json;
use axum::extract::State;
use quorate_core::{Meeting, MeetingId};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::body::Path;
use crate::problem::Problem;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(one))
}

/// How a meeting stands
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}", tag = "meetings",
    params(("id" = String, Path, description = "The meeting")),
    responses((status = 200, body = Meeting), (status = 404, body = Problem)),
)]
async fn one(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Meeting>, Problem> {
    let _ = app.store();
    Ok(Json(app.engine().load(&MeetingId::new(id)).await?))
}
