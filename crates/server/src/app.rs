//! What all routes share, and how they are put together.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use quorate_engine::Engine;
use quorate_store::SqliteStore;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Document;
use utoipa_axum::router::OpenApiRouter;

use crate::access::guard;
use crate::ops::{self, Metrics};
use crate::problem::Problem;
use crate::{docs, rest};

/// The largest body that is taken, in bytes; uploads have a limit of their own.
pub(crate) const BODY_MAX: usize = 1 << 20;

/// What all routes share. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Shared>);

struct Shared {
    engine: Engine,
    store: SqliteStore,
    metrics: Arc<Metrics>,
    began: Instant,
    stopping: AtomicBool,
}

impl App {
    /// Over an engine and the store that it writes to.
    pub fn new(engine: Engine, store: SqliteStore, metrics: Arc<Metrics>) -> Self {
        let (began, stopping) = (Instant::now(), AtomicBool::new(false));
        Self(Arc::new(Shared { engine, store, metrics, began, stopping }))
    }

    /// From now on the service says that it is not ready.
    pub fn stop(&self) {
        self.0.stopping.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.0.stopping.load(Ordering::Relaxed)
    }

    pub(crate) fn metrics(&self) -> &Arc<Metrics> {
        &self.0.metrics
    }

    /// How long it has been up.
    pub(crate) fn up(&self) -> Duration {
        self.0.began.elapsed()
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.0.engine
    }

    pub(crate) fn store(&self) -> &SqliteStore {
        &self.0.store
    }
}

/// All routes with the document that describes them.
fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(docs::Description::openapi())
        .merge(rest::routes())
        .merge(docs::routes())
        .merge(ops::health_routes())
}

/// The document that describes the interface (OpenAPI 3.1).
pub fn openapi() -> Document {
    routes().into_openapi()
}

/// The service.
pub fn router(app: App) -> Router {
    let (router, _) = routes().split_for_parts();
    router
        .route_layer(middleware::from_fn_with_state(app.clone(), guard))
        .fallback(nowhere)
        .method_not_allowed_fallback(not_like_this)
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(middleware::from_fn_with_state(app.clone(), ops::count))
        .layer(middleware::from_fn(ops::request_ids))
        .layer(CatchPanicLayer::custom(|_| our_fault()))
        .with_state(app)
}

async fn nowhere(uri: axum::http::Uri) -> Problem {
    Problem::not_found("page", uri.path()).hint("/api/v1/docs lists what there is")
}

async fn not_like_this(method: axum::http::Method) -> Problem {
    let status = axum::http::StatusCode::METHOD_NOT_ALLOWED;
    Problem::new(status, "method-not-allowed", format!("{method} is not taken here"))
        .hint("the header Allow says what is; /api/v1/docs lists everything")
}

fn our_fault() -> axum::response::Response {
    use axum::response::IntoResponse;
    Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, "bug", "this is a fault of Quorate")
        .hint("nothing that was acknowledged is lost; please report it with the log")
        .into_response()
}
