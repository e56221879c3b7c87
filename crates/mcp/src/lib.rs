//! The Model Context Protocol: agents take part in meetings with it, and assistants convene them.
//!
//! Every tool is one or a few requests to the HTTP API ([`Api`]), so that permissions, limits, idempotency and the
//! audit log are those of every other caller. Nothing hangs on a protocol session: who calls is said by the token, and
//! a turn by its ticket. A client may come back over another connection, or after a restart of the server, and goes on.

mod api;
mod tools;

use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

pub use api::{Api, ApiResponse};
pub use tools::QuorateMcp;

/// The endpoint for streamable HTTP. Host, origin and credentials are for the server around it to check.
pub fn http_service(api: Arc<dyn Api>) -> StreamableHttpService<QuorateMcp, LocalSessionManager> {
    let mut config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(4 << 20);
    config.allowed_hosts = Vec::new();
    StreamableHttpService::new(move || Ok(QuorateMcp::new(Arc::clone(&api))), Arc::default(), config)
}

/// Serves one client over standard input and output, until it closes them.
///
/// # Errors
/// When the client does not speak the protocol, or the connection breaks.
pub async fn serve_stdio(api: Arc<dyn Api>) -> Result<(), String> {
    let service = QuorateMcp::new(api).serve(rmcp::transport::stdio()).await;
    let running = service.map_err(|error| error.to_string())?;
    running.waiting().await.map(drop).map_err(|error| error.to_string())
}
