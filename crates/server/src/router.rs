//! All routes, and what every request passes on its way to them.

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use quorate_messages::message;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::access::{self, Client, admission, cors, guard};
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
    serve(server, None)
}

/// Makes the endpoint of the Model Context Protocol out of the service that its tools call.
pub type McpEndpoint = Box<dyn FnOnce(Router) -> MethodRouter + Send>;

/// The service, with the Model Context Protocol at `/mcp`. Its tools call the service within this process, each call
/// with the credentials that the tool was called with.
pub fn router_with_mcp(server: ServerState, endpoint: McpEndpoint) -> Router {
    let tools = endpoint(router(server.clone()));
    serve(server.clone(), Some(tools.layer(middleware::from_fn_with_state(server, own_origin))))
}

/// Lets no page of another origin call a tool, also not with a token.
async fn own_origin(
    State(server): State<ServerState>,
    client: Client,
    request: Request,
    next: Next,
) -> Response {
    match server.access().origins().check(request.headers(), &client) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

fn serve(server: ServerState, mcp: Option<MethodRouter>) -> Router {
    let (router, _) = routes().split_for_parts();
    let router = match mcp {
        Some(mcp) => router.route("/mcp", mcp.with_state(())),
        None => router,
    };
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

fn our_fault() -> Response {
    Problem::our_fault(message!("server-bug")).into_response()
}
