//! What is told as it happens: events without a hole and without a double, and answers while they are
//! written.
//!
//! One stream per meeting listens to the engine, writes each frame once and keeps the last seconds of
//! them; every listener reads from there at its own pace and costs next to nothing while nothing
//! happens. Whoever falls behind reads events from the log, and is given answers under way from their
//! beginning. `sse` and `socket` are two ways to the same listener.

mod data;
mod follow;
mod frame;
mod frame_buffer;
mod history;
mod in_progress;
mod listener;
mod load;
mod meeting_stream;
mod options;
mod socket;
mod sse;
mod stream_registry;
mod visible;
mod write_timeout;

use crate::api_router::ApiRouter;
use crate::state::ServerState;
pub use options::LiveOptions;
pub(crate) use socket::{ClientMessage, MESSAGE_ID_MAX, ServerMessage};
pub(crate) use stream_registry::StreamRegistry;
pub use write_timeout::WriteTimeout;

/// What only other nodes may ask for; no part of the public interface.
pub(crate) fn node_routes() -> axum::Router<ServerState> {
    socket::node_routes()
}

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().merge(sse::routes()).merge(socket::routes())
}
