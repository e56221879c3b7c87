//! The HTTP API as the tools of the Model Context Protocol call it: within this process, or at a server.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::request::{Builder, Parts};
use axum::http::{HeaderName, HeaderValue, Method, Request, Response, header};
use axum::routing::{MethodRouter, any};
use futures::future::{BoxFuture, ready};
use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use quorate_app::{Speech, Transport};
use quorate_mcp::{Api, ApiResponse, Delivered, Deliveries, HttpEndpoint, QuorateMcp};
use quorate_messages::text;
use quorate_server::{OnDelivered, Peer, watched};
use serde_json::Value;
use tower::ServiceExt;

use crate::remote::{Remote, RequestBody};

/// The longest response that a tool reads, in bytes.
pub(crate) const RESPONSE_MAX: usize = 16 << 20;

/// Headers that mean the request that brought a tool call, and not those of the tool: about its body and connection, its
/// conditions, and its own repetition. All others, such as credentials and those of a proxy, go along.
const LEFT_OUT: [HeaderName; 18] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::CONNECTION,
    header::CONTENT_ENCODING,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::EXPECT,
    HeaderName::from_static("idempotency-key"),
    header::IF_MATCH,
    header::IF_MODIFIED_SINCE,
    header::IF_NONE_MATCH,
    header::IF_RANGE,
    header::IF_UNMODIFIED_SINCE,
    HeaderName::from_static("last-event-id"),
    header::RANGE,
    header::TE,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Asks for hints that name tools.
const HINTS: (HeaderName, HeaderValue) =
    (HeaderName::from_static("prefer"), HeaderValue::from_static("hints=tools"));

/// The endpoint at `/mcp`, whose tools ask this router.
pub(crate) fn endpoint(router: Router, speech: Speech) -> MethodRouter {
    let endpoint = HttpEndpoint::new(QuorateMcp::new(Arc::new(InProcess(router)), speech.0));
    any(move |mut request: Request<Body>| {
        let endpoint = endpoint.clone();
        async move {
            let deliveries = Deliveries::default();
            request.extensions_mut().insert(deliveries.clone());
            let answered = endpoint.handle(request).await;
            answered.map(|body| watched(Body::new(body), OnDelivered::new(move || deliveries.delivered())))
        }
    })
}

/// The service of this process.
struct InProcess(Router);

impl InProcess {
    /// The response of the service to a request of a tool.
    async fn response(
        &self,
        caller: Option<&Parts>,
        method: Method,
        path: String,
        body: Option<Value>,
    ) -> Result<Response<Body>, String> {
        let request = within(caller, Transport::Mcp, method, &path).header(HINTS.0, HINTS.1);
        answered(&self.0, request, body).await
    }
}

/// A request to the service of this process, with what the request brought along that asked for it.
pub(crate) fn within(caller: Option<&Parts>, transport: Transport, method: Method, path: &str) -> Builder {
    let mut request = Request::builder().method(method).uri(format!("/api/v1{path}"));
    if let Some(caller) = caller {
        for (name, value) in caller.headers.iter().filter(|(name, _)| !LEFT_OUT.contains(name)) {
            request = request.header(name, value);
        }
        // HTTP/2 names the host beside the headers.
        if let Some(host) = caller.uri.authority()
            && !caller.headers.contains_key(header::HOST)
        {
            request = request.header(header::HOST, host.as_str());
        }
        if let (Some(extensions), Some(peer)) = (request.extensions_mut(), caller.extensions.get::<Peer>()) {
            extensions.insert(*peer);
        }
    }
    if let Some(extensions) = request.extensions_mut() {
        extensions.insert(transport);
    }
    request
}

/// The response of the service of this process.
pub(crate) async fn answered(
    router: &Router,
    mut request: Builder,
    body: Option<Value>,
) -> Result<Response<Body>, String> {
    let body = match body {
        Some(body) => {
            request = request.header(header::CONTENT_TYPE, "application/json");
            Body::from(body.to_string())
        }
        None => Body::empty(),
    };
    let request = request.body(body).map_err(|error| error.to_string())?;
    let Ok(response) = router.clone().oneshot(request).await;
    Ok(response)
}

/// Reads a response to its end.
async fn whole(mut response: Response<Body>) -> Result<ApiResponse, String> {
    let status = response.status().as_u16();
    let delivered = response.extensions_mut().remove::<OnDelivered>();
    let delivered = delivered.map(|told| Delivered::new(move || told.delivered()));
    let bytes = to_bytes(response.into_body(), RESPONSE_MAX).await;
    let bytes = bytes.map_err(|_| text!(crate::language::current(), "mcp-response-long").to_owned())?;
    Ok(ApiResponse { status, bytes: bytes.into(), delivered })
}

impl Api for InProcess {
    fn send<'a>(
        &'a self,
        caller: Option<&'a Parts>,
        method: Method,
        path: String,
        body: Option<Value>,
    ) -> BoxFuture<'a, Result<ApiResponse, String>> {
        async move { whole(self.response(caller, method, path, body).await?).await }.boxed()
    }

    fn follow<'a>(
        &'a self,
        caller: Option<&'a Parts>,
        path: String,
    ) -> BoxFuture<'a, Result<BoxStream<'static, Vec<u8>>, ApiResponse>> {
        async move {
            let response = self.response(caller, Method::GET, path, None).await.map_err(no_answer)?;
            if !response.status().is_success() {
                return Err(whole(response).await.unwrap_or_else(no_answer));
            }
            let pieces = response.into_body().into_data_stream();
            Ok(pieces.filter_map(|piece| ready(piece.ok().map(Into::into))).boxed())
        }
        .boxed()
    }
}

/// The response for a server that gave none.
fn no_answer(told: String) -> ApiResponse {
    ApiResponse { status: 503, bytes: told.into_bytes(), delivered: None }
}

/// A server that runs somewhere else.
pub(crate) struct AtServer(pub(crate) Remote);

impl Api for AtServer {
    fn send<'a>(
        &'a self,
        _caller: Option<&'a Parts>,
        method: Method,
        path: String,
        body: Option<Value>,
    ) -> BoxFuture<'a, Result<ApiResponse, String>> {
        async move {
            let answered = self.0.exchange(method, &path, &[HINTS], body.as_ref()).await;
            let (status, bytes) = answered.map_err(|error| {
                let speech = crate::language::current();
                let problem = error.at_terminal(speech).message();
                format!("{problem}\n{}", text!(speech, "cli-mcp-server-gone-hint"))
            })?;
            Ok(ApiResponse { status, bytes, delivered: None })
        }
        .boxed()
    }

    fn follow<'a>(
        &'a self,
        _caller: Option<&'a Parts>,
        path: String,
    ) -> BoxFuture<'a, Result<BoxStream<'static, Vec<u8>>, ApiResponse>> {
        async move {
            let response = self.0.call(Method::GET, &path, &[HINTS], RequestBody::Empty).await;
            let response = response
                .map_err(|error| no_answer(error.at_terminal(crate::language::current()).message()))?;
            // A connection that breaks ends the stream.
            let pieces = response.bytes_stream().take_while(|piece| ready(piece.is_ok()));
            Ok(pieces.filter_map(|piece| ready(piece.ok().map(Into::into))).boxed())
        }
        .boxed()
    }
}
