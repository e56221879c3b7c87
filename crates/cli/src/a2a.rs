//! The HTTP API as the operations of the Agent2Agent protocol call it: within this process.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::request::Parts;
use axum::http::{Method, Request, Response};
use axum::routing::{MethodRouter, any};
use futures::future::{BoxFuture, ready};
use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use quorate_a2a::{A2aEndpoint, Api, ApiCall, ApiResponse, PublicAddress};
use quorate_app::{Speech, Transport};
use quorate_messages::text;
use quorate_server::Server;
use serde_json::json;

use crate::mcp::{RESPONSE_MAX, answered, within};

/// Under which address the agents of this server are found.
pub(crate) fn address(server: &Server) -> PublicAddress {
    PublicAddress { url: server.public_url().map(str::to_owned), scheme: server.scheme() }
}

/// The endpoint at `/a2a`, whose operations ask this router.
pub(crate) fn endpoint(router: Router, speech: Speech, address: PublicAddress) -> MethodRouter {
    let endpoint = A2aEndpoint::new(Arc::new(InProcess(router, speech)), speech.0, address);
    any(move |request: Request<Body>| {
        let endpoint = endpoint.clone();
        async move { endpoint.handle(request).await.map(Body::new) }
    })
}

/// The service of this process.
struct InProcess(Router, Speech);

impl InProcess {
    async fn response(&self, caller: &Parts, call: ApiCall) -> Result<Response<Body>, ApiResponse> {
        let mut request = within(Some(caller), Transport::A2a, call.method, &call.path);
        if let Some(key) = call.key {
            request = request.header("idempotency-key", key);
        }
        answered(&self.0, request, call.body).await.map_err(|told| problem(400, &told))
    }

    async fn whole(&self, response: Response<Body>) -> ApiResponse {
        let status = response.status().as_u16();
        match to_bytes(response.into_body(), RESPONSE_MAX).await {
            Ok(bytes) => ApiResponse { status, bytes: bytes.into() },
            Err(_) => problem(500, text!(self.1, "a2a-response-too-long")),
        }
    }
}

/// A problem of this process itself.
fn problem(status: u16, told: &str) -> ApiResponse {
    ApiResponse { status, bytes: json!({ "detail": told }).to_string().into_bytes() }
}

impl Api for InProcess {
    fn send<'a>(&'a self, caller: &'a Parts, call: ApiCall) -> BoxFuture<'a, ApiResponse> {
        async move {
            match self.response(caller, call).await {
                Ok(response) => self.whole(response).await,
                Err(problem) => problem,
            }
        }
        .boxed()
    }

    fn follow<'a>(
        &'a self,
        caller: &'a Parts,
        path: String,
    ) -> BoxFuture<'a, Result<BoxStream<'static, Vec<u8>>, ApiResponse>> {
        async move {
            let call = ApiCall { method: Method::GET, path, body: None, key: None };
            let response = self.response(caller, call).await?;
            if !response.status().is_success() {
                return Err(self.whole(response).await);
            }
            let pieces = response.into_body().into_data_stream();
            Ok(pieces.filter_map(|piece| ready(piece.ok().map(Into::into))).boxed())
        }
        .boxed()
    }
}
