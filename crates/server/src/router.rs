//! All routes, and what every request passes on its way to them.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::access::{self, admission, cors, guard};
use crate::content_language::content_language;
use crate::ops;
use crate::page::not_like_this;
use crate::problem::Problem;
use crate::state::{BODY_MAX, ServerState};
use crate::{docs, live, page, rest};

/// All routes with the document that describes them.
fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::with_openapi(docs::Description::openapi())
        .merge(rest::routes())
        .merge(live::routes())
        .merge(access::routes())
        .merge(docs::routes())
        .merge(ops::health_routes())
}

/// The document that describes the interface (OpenAPI 3.1).
pub fn openapi() -> serde_json::Value {
    docs::complete(&routes().into_openapi())
}

/// The service.
pub fn router(server: ServerState) -> Router {
    let (router, _) = routes().split_for_parts();
    let cors = tower::util::option_layer(cors(server.access()));
    router
        .route_layer(middleware::from_fn_with_state(server.clone(), guard))
        .fallback(page::page)
        .method_not_allowed_fallback(not_like_this)
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(middleware::from_fn_with_state(server.clone(), ops::count))
        .layer(middleware::from_fn(ops::request_ids))
        .layer(CatchPanicLayer::custom(|_| our_fault()))
        .layer(cors)
        .layer(middleware::from_fn_with_state(server.clone(), admission))
        .layer(middleware::from_fn(content_language))
        .with_state(server)
}

fn our_fault() -> axum::response::Response {
    use axum::response::IntoResponse;
    Problem::our_fault(("this is a fault of Quorate", "这是众议自身的缺陷")).into_response()
}
