//! The Model Context Protocol: agents take part in meetings with it, and assistants convene them.
//!
//! Every tool is one or a few requests to the HTTP API ([`Api`]), so that permissions, limits, idempotency and the
//! audit log are those of every other caller. Nothing hangs on a protocol session: who calls is said by the token, and
//! a turn by its ticket. A client may come back over another connection, or after a restart of the server, and goes on.

mod api;
mod arguments;
mod bounds;
mod endpoint;
mod host_tools;
mod language;
mod methods;
mod pages;
mod prompts;
mod resources;
mod results;
mod service;
mod standing;
mod stdio;
mod subscriptions;
mod tools;

use rmcp::ServiceExt;

pub use api::{Api, ApiResponse, Delivered, Deliveries};
pub use endpoint::HttpEndpoint;
pub use service::QuorateMcp;

/// Serves one client over standard input and output, until it closes them.
///
/// # Errors
/// When the client does not speak the protocol, or the connection breaks.
pub async fn serve_stdio(tools: QuorateMcp) -> Result<(), String> {
    let language = tools.default_language();
    let (ends, writing) = stdio::checked(tokio::io::stdin(), tokio::io::stdout(), language);
    let service = methods::Served(tools).serve(ends).await;
    let running = service.map_err(|error| error.to_string())?;
    let ended = running.waiting().await;
    // What was said last is written before the process ends.
    writing.await.map_err(|error| error.to_string())?;
    ended.map(drop).map_err(|error| error.to_string())
}
