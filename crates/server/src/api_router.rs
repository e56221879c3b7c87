//! Routes of the interface, each with what describes it. The description is made when somebody asks for the document:
//! it takes more time and memory than everything else at the start of a server.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, Route};
use futures::future::BoxFuture;
use tower::{Layer, Service};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::state::ServerState;

/// What describes the operations of one path.
type Describe = fn() -> UtoipaMethodRouter<ServerState>;

/// The handlers of one path, as [`routes!`] takes them from their `#[utoipa::path]`.
pub(crate) struct PathRoutes {
    pub(crate) path: String,
    pub(crate) handlers: MethodRouter<ServerState>,
    pub(crate) describe: Describe,
}

/// A handler of any function. Every layer of the router is compiled for each type of a handler, which took most of the time
/// that this crate took, so there is one type.
#[derive(Clone)]
pub(crate) struct ErasedHandler(Arc<Handle>);

type Handle = dyn Fn(Request, ServerState) -> BoxFuture<'static, Response> + Send + Sync;

impl ErasedHandler {
    pub(crate) fn new<T: 'static>(
        handler: impl Handler<T, ServerState, Future = BoxFuture<'static, Response>>,
    ) -> Self {
        Self(Arc::new(move |request, state| handler.clone().call(request, state)))
    }
}

impl Handler<(), ServerState> for ErasedHandler {
    type Future = BoxFuture<'static, Response>;

    fn call(self, request: Request, state: ServerState) -> Self::Future {
        (self.0)(request, state)
    }
}

/// Stands for a handler where only its description is asked for.
#[derive(Clone, Copy)]
pub(crate) struct NotCalled;

impl Handler<(), ServerState> for NotCalled {
    type Future = Ready<Response>;

    fn call(self, _: Request, _: ServerState) -> Self::Future {
        ready(StatusCode::NOT_FOUND.into_response())
    }
}

/// Handlers of one path: `routes!(list, create)`.
macro_rules! routes {
    ($first:ident $(, $more:ident)* $(,)?) => {
        pastey::paste! {{
            use utoipa::Path as _;
            use utoipa_axum::PathItemExt as _;
            use $crate::api_router::ErasedHandler;
            let handlers = axum::routing::MethodRouter::new();
            let handler = ErasedHandler::new($first);
            let handlers = [<__path_ $first>]::methods()
                .iter()
                .fold(handlers, |handlers, method| handlers.on(method.to_method_filter(), handler.clone()));
            $(
                debug_assert_eq!([<__path_ $first>]::path(), [<__path_ $more>]::path());
                let handler = ErasedHandler::new($more);
                let handlers = [<__path_ $more>]::methods()
                    .iter()
                    .fold(handlers, |handlers, method| handlers.on(method.to_method_filter(), handler.clone()));
            )*
            let describe = || {
                let $first = $crate::api_router::NotCalled;
                $(let $more = $crate::api_router::NotCalled;)*
                utoipa_axum::routes!($first $(, $more)*)
            };
            $crate::api_router::PathRoutes { path: [<__path_ $first>]::path(), handlers, describe }
        }}
    };
}
pub(crate) use routes;

/// Routes with what describes them.
#[derive(Default)]
pub(crate) struct ApiRouter {
    router: Router<ServerState>,
    described: Vec<Describe>,
}

impl ApiRouter {
    /// No routes.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// The same with the handlers of one more path.
    pub(crate) fn routes(mut self, added: PathRoutes) -> Self {
        self.described.push(added.describe);
        Self { router: self.router.route(&added.path, added.handlers), ..self }
    }

    /// The same with the routes of another one.
    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.described.extend(other.described);
        Self { router: self.router.merge(other.router), ..self }
    }

    /// The same, where requests to the routes so far pass a layer.
    pub(crate) fn layer<L>(self, layer: L) -> Self
    where
        L: Layer<Route> + Clone + Send + Sync + 'static,
        L::Service: Service<Request> + Clone + Send + Sync + 'static,
        <L::Service as Service<Request>>::Response: IntoResponse + 'static,
        <L::Service as Service<Request>>::Error: Into<Infallible> + 'static,
        <L::Service as Service<Request>>::Future: Send + 'static,
    {
        Self { router: self.router.layer(layer), ..self }
    }

    /// The routes alone.
    pub(crate) fn into_router(self) -> Router<ServerState> {
        self.router
    }

    /// The document, which begins with this introduction.
    pub(crate) fn document(&self, introduction: OpenApi) -> OpenApi {
        let described = self.described.iter();
        described
            .fold(OpenApiRouter::with_openapi(introduction), |router, describe| router.routes(describe()))
            .into_openapi()
    }
}
