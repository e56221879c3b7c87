//! Many meetings over one WebSocket: listen, speak, steer.

mod call;
mod client_message;
mod connection;
mod outbox;
mod subscription;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::connection::Held;
use crate::content_language::preferred;
use crate::problem::Problem;
use crate::state::ServerState;

/// The largest message that is taken, in bytes.
const MESSAGE_MAX: usize = 64 * 1024;

pub(super) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(socket))
}

/// Many meetings over one WebSocket
///
/// Messages are JSON texts of at most 64 KiB. Each may carry an `id`, and is answered with
/// `{"type":"ack","id":…,"seq":…}` or `{"type":"problem","id":…,"problem":{…}}`. To send: `sign_in` `{token}`,
/// `subscribe` `{meeting, after, fragments, view}`, `unsubscribe` `{meeting}`, `say` `{meeting, content,
/// reply_to}`,
/// `request_speaker` `{meeting, participant}`, `pause` `{meeting, at_once}`, `resume` `{meeting, token, answers,
/// take_defaults}`, `end` `{meeting, note}`, `ping`. What comes: `event`, `token`, `resync`, `trouble`, `finished` and
/// `unsubscribed`, each with its `meeting`; with `"view":"room"` the eight names of requirement 002 in the place of
/// `event` and `token`.
#[utoipa::path(
    get, path = "/api/v1/ws", tag = "live", operation_id = "open_websocket",
    responses(
        (status = 101, description = "The connection is a WebSocket from here on"),
        (status = 400, body = Problem),
        (status = 403, body = Problem),
    ),
)]
async fn socket(
    State(server): State<ServerState>,
    held: Held,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => {
            return Problem::new(StatusCode::BAD_REQUEST, "unreadable", rejection.body_text())
                .hint((
                    "this address speaks WebSocket (RFC 6455); the same meeting is told over GET /api/v1/meetings/{id}/events",
                    "这个地址使用 WebSocket（RFC 6455）；同一会议也可经 GET /api/v1/meetings/{id}/events 收听",
                ))
                .into_response();
        }
    };
    let language = preferred(&headers);
    upgrade
        .max_message_size(MESSAGE_MAX)
        .max_frame_size(MESSAGE_MAX)
        .on_upgrade(move |socket| connection::serve(server, held, language, socket))
}
