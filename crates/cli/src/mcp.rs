//! The HTTP API as the tools of the Model Context Protocol call it: within this process, or at a server.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::request::Parts;
use axum::http::{HeaderName, Method, Request, header};
use futures::FutureExt;
use futures::future::BoxFuture;
use quorate_app::Transport;
use quorate_mcp::{Api, ApiResponse};
use quorate_server::Peer;
use serde_json::Value;
use tower::ServiceExt;

use crate::remote::Remote;

/// The longest response that a tool reads, in bytes.
const RESPONSE_MAX: usize = 16 << 20;

/// Headers about the body and the connection of the request that brought a tool call. All others, such as credentials
/// and those of a proxy, go along with each request of the tool.
const LEFT_OUT: [HeaderName; 7] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::CONNECTION,
    header::CONTENT_ENCODING,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::TRANSFER_ENCODING,
];

/// The service of this process.
pub(crate) struct InProcess(pub(crate) Router);

impl Api for InProcess {
    fn send<'a>(
        &'a self,
        caller: Option<&'a Parts>,
        method: Method,
        path: String,
        body: Option<Value>,
    ) -> BoxFuture<'a, Result<ApiResponse, String>> {
        async move {
            let mut request = Request::builder().method(method).uri(format!("/api/v1{path}"));
            if let Some(caller) = caller {
                for (name, value) in caller.headers.iter().filter(|(name, _)| !LEFT_OUT.contains(name)) {
                    request = request.header(name, value);
                }
                if let (Some(extensions), Some(peer)) =
                    (request.extensions_mut(), caller.extensions.get::<Peer>())
                {
                    extensions.insert(*peer);
                }
            }
            if let Some(extensions) = request.extensions_mut() {
                extensions.insert(Transport::Mcp);
            }
            let body = match body {
                Some(body) => {
                    request = request.header(header::CONTENT_TYPE, "application/json");
                    Body::from(body.to_string())
                }
                None => Body::empty(),
            };
            let request = request.body(body).map_err(|error| error.to_string())?;
            let Ok(response) = self.0.clone().oneshot(request).await;
            let status = response.status().as_u16();
            let bytes = to_bytes(response.into_body(), RESPONSE_MAX).await;
            let bytes = bytes.map_err(|_| {
                "The response is longer than a tool takes.\nAsk for less, or use the download link."
                    .to_owned()
            })?;
            Ok(ApiResponse { status, body: read(&bytes) })
        }
        .boxed()
    }
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
            let (status, bytes) = self.0.exchange(method, &path, body.as_ref()).await.map_err(|error| {
                format!("{error}\nStart it with `quorate serve`, or name another with --server URL.")
            })?;
            Ok(ApiResponse { status, body: read(&bytes) })
        }
        .boxed()
    }
}

/// JSON, or the text as it is.
fn read(bytes: &[u8]) -> Value {
    match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(_) => Value::String(String::from_utf8_lossy(bytes).into_owned()),
    }
}
