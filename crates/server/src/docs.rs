//! The interface as a document: OpenAPI 3.1, generated from the code.

use axum::Json;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::{App, openapi};

/// What the document says before its routes.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Quorate",
        description = "Let AI models deliberate: several participants, written rules, a decision that can be traced.",
        license(name = "MIT", identifier = "MIT")
    ),
    components(schemas(quorate_core::Event, crate::problem::Problem))
)]
pub(crate) struct Description;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(document))
}

/// This interface as an OpenAPI 3.1 document
#[utoipa::path(get, path = "/api/v1/openapi.json", tag = "documentation", responses((status = 200, description = "The document")))]
async fn document() -> Json<utoipa::openapi::OpenApi> {
    Json(openapi())
}
