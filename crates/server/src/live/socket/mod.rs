//! Many meetings over one WebSocket: listen, speak, steer.

mod call;
mod client_message;
mod connection;
mod context;
mod outbox;
mod server_message;
mod subscription;
mod turns;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use quorate_contract::Language;
use quorate_messages::message;
use serde::Deserialize;
use utoipa::IntoParams;

pub(crate) use self::client_message::{ClientMessage, ID_MAX as MESSAGE_ID_MAX};
use self::connection::ConnectionHolds;
pub(crate) use self::server_message::ServerMessage;
use crate::access::Client;
use crate::api_router::{ApiRouter, routes};
use crate::nodes::{Forwarded, NODE_MESSAGES, NodeMessage};
use crate::problem::Problem;
use crate::requests::content_language::preferred;
use crate::requests::extract::Query;
use crate::state::ServerState;

/// The largest message that is taken, in bytes.
const MESSAGE_MAX: usize = 64 * 1024;

/// What is asked for as the connection is opened.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct SocketQuery {
    /// The language of errors, for clients that cannot set `Accept-Language`.
    #[param(inline)]
    lang: Option<Language>,
}

pub(super) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(socket))
}

/// What another node passes on of a connection there; no part of the public interface.
pub(super) fn node_routes() -> axum::Router<ServerState> {
    axum::Router::new().route(NODE_MESSAGES, axum::routing::post(node_message))
}

async fn node_message(
    State(server): State<ServerState>,
    node: Option<Extension<Forwarded>>,
    client: Client,
    uri: Uri,
    body: Bytes,
) -> Response {
    match node.and_then(|_| NodeMessage::read(&uri, &body)) {
        Some(message) => connection::answer_to_node(&server, &client, message).await.into_response(),
        None => Problem::no_route(NODE_MESSAGES).into_response(),
    }
}

/// Open a WebSocket
///
/// Follow, speak in and control many meetings over one connection. The AsyncAPI document
/// `/api/v1/asyncapi.json` describes the messages.
#[utoipa::path(
    get, path = "/api/v1/ws", tag = "live", operation_id = "open_websocket",
    params(SocketQuery),
    responses(
        (status = 101, description = "The connection is switched to a WebSocket"),
        (status = 400, body = Problem),
        (status = 403, body = Problem),
    ),
)]
async fn socket(
    State(server): State<ServerState>,
    held: ConnectionHolds,
    headers: HeaderMap,
    Query(asked): Query<SocketQuery>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => {
            return Problem::new(StatusCode::BAD_REQUEST, "unreadable", rejection.body_text())
                .hint(message!("server-socket-only"))
                .into_response();
        }
    };
    let language = asked.lang.unwrap_or_else(|| preferred(&headers));
    upgrade
        .max_message_size(MESSAGE_MAX)
        .max_frame_size(MESSAGE_MAX)
        .on_upgrade(move |socket| connection::serve(server, held, language, socket))
}
