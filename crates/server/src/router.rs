//! All routes, and what every request passes on its way to them.

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use quorate_messages::message;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;

use crate::access::{self, Client, admission, cors, guard};
use crate::api_router::ApiRouter;
use crate::limits::bodies::BODY_MAX;
use crate::ops;
use crate::page::not_like_this;
use crate::problem::Problem;
use crate::requests::content_language::content_language;
use crate::state::ServerState;
use crate::{documentation, live, nodes, page, rest};

/// All routes with what describes them.
fn routes() -> ApiRouter {
    rest::routes()
        .merge(live::routes())
        .merge(access::routes())
        .merge(documentation::routes())
        .merge(ops::health_routes())
}

/// The document that describes the interface (OpenAPI 3.1).
pub fn openapi() -> serde_json::Value {
    let mut document = routes().document(documentation::Description::openapi());
    rest::describe_keys(&mut document);
    documentation::complete(&document)
}

/// The service.
pub fn router(server: ServerState) -> Router {
    serve(server, None, None)
}

/// Makes the endpoint of a protocol (the Model Context Protocol, the Agent2Agent protocol) out of the service that its
/// operations call.
pub type McpEndpoint = Box<dyn FnOnce(Router) -> MethodRouter + Send>;

/// The endpoints of protocols beside the HTTP API.
#[derive(Default)]
pub struct Protocols {
    /// The Model Context Protocol, at `/mcp`.
    pub mcp: Option<McpEndpoint>,
    /// The Agent2Agent protocol, at `/a2a` and the well-known paths of its cards.
    pub a2a: Option<McpEndpoint>,
}

/// The service, with the Model Context Protocol at `/mcp`. Its tools call the service within this process, each call
/// with the credentials that the tool was called with.
pub fn router_with_mcp(server: ServerState, endpoint: McpEndpoint) -> Router {
    router_with(server, Protocols { mcp: Some(endpoint), a2a: None })
}

/// The service with these endpoints, whose operations call it within this process, each with the credentials that the
/// operation was asked for with.
pub fn router_with(server: ServerState, protocols: Protocols) -> Router {
    let made = |endpoint: McpEndpoint| {
        let endpoint = endpoint(router(server.clone()));
        endpoint.layer(middleware::from_fn_with_state(server.clone(), own_origin))
    };
    let (mcp, a2a) = (protocols.mcp.map(made), protocols.a2a.map(made));
    serve(server.clone(), mcp, a2a)
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

fn serve(server: ServerState, mcp: Option<MethodRouter>, a2a: Option<MethodRouter>) -> Router {
    let router = routes().into_router();
    let router = match mcp {
        Some(mcp) => router.route("/mcp", mcp.with_state(())),
        None => router,
    };
    let router = match a2a {
        Some(a2a) => {
            access::a2a_paths().fold(router, |router, path| router.route(path, a2a.clone().with_state(())))
        }
        None => router,
    };
    let cors = tower::util::option_layer(cors(server.access()));
    router
        .route_layer(middleware::from_fn_with_state(server.clone(), guard))
        .merge(nodes::routes())
        .merge(live::node_routes())
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
