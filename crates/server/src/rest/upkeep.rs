//! What an operator asks for: prices, and whether the database is sound.

use axum::Json;
use axum::extract::State;
use quorate_app::{DatabaseReport, PriceList};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::body::Query;
use crate::problem::Problem;
use crate::state::ServerState;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(prices)).routes(routes!(verify))
}

/// Which prices are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PriceFilter {
    /// Those of models whose names hold this, in whatever case; all of them when left out.
    filter: String,
}

/// List what models cost
///
/// A model that is not in the list has an unknown price, which is not zero.
#[utoipa::path(
    get, path = "/api/v1/prices", tag = "providers", operation_id = "list_prices", params(PriceFilter),
    responses((status = 200, body = PriceList), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 422, body = Problem)),
)]
async fn prices(
    State(server): State<ServerState>,
    Query(PriceFilter { filter }): Query<PriceFilter>,
) -> Result<Json<PriceList>, Problem> {
    Ok(Json(server.app().prices(&filter)?))
}

/// Check that the database holds what was written to it
///
/// Reads all of it and folds every meeting. Meetings go on meanwhile. What is damaged is in the answer.
#[utoipa::path(
    post, path = "/api/v1/verify", tag = "operation", operation_id = "verify_database",
    responses((status = 200, body = DatabaseReport), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 503, body = Problem)),
)]
async fn verify(State(server): State<ServerState>) -> Result<Json<DatabaseReport>, Problem> {
    Ok(Json(server.app().verify().await?))
}
