//! Many meetings over one WebSocket: listen, speak, steer.

mod connection;
mod outbox;
mod subscription;
mod wish;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::Principal;
use crate::app::App;
use crate::problem::Problem;

/// The largest message that is taken, in bytes.
const MESSAGE_MAX: usize = 64 * 1024;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(socket))
}

/// Many meetings over one WebSocket
///
/// Messages are JSON texts of at most 64 KiB. Each may carry an `id`, and is answered with
/// `{"type":"ack","id":…,"seq":…}` or `{"type":"problem","id":…,"problem":{…}}`. To send: `sign_in` `{token}`,
/// `subscribe` `{meeting, after, fragments, view}`, `unsubscribe` `{meeting}`, `say` `{meeting, content}`,
/// `request_speaker` `{meeting, participant}`, `pause` `{meeting, at_once}`, `resume` `{meeting, token, answers,
/// take_defaults}`, `end` `{meeting, note}`, `ping`. What comes: `event`, `token`, `resync`, `trouble`, `finished` and
/// `unsubscribed`, each with its `meeting`; with `"view":"room"` the eight names of requirement 002 in the place of
/// `event` and `token`.
#[utoipa::path(
    get, path = "/api/v1/ws", tag = "live",
    responses(
        (status = 101, description = "The connection is a WebSocket from here on"),
        (status = 400, body = Problem),
        (status = 403, body = Problem),
    ),
)]
async fn socket(
    State(app): State<App>,
    principal: Option<Extension<Principal>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => {
            return Problem::new(StatusCode::BAD_REQUEST, "unreadable", rejection.body_text())
                .hint("this address speaks WebSocket (RFC 6455); the same meeting is told over GET /api/v1/meetings/{id}/events")
                .into_response();
        }
    };
    if !origin_allowed(&headers) {
        return Problem::new(StatusCode::FORBIDDEN, "foreign-origin", "the page that asks is not ours")
            .hint("open the page from this server, or allow its origin where the server is started")
            .into_response();
    }
    let principal = principal.map(|Extension(principal)| principal);
    upgrade
        .max_message_size(MESSAGE_MAX)
        .max_frame_size(MESSAGE_MAX)
        .on_upgrade(move |socket| connection::serve(app, principal, socket))
}

/// Whether the page that opens a WebSocket may: browsers name its origin, programs name none. Only pages of this
/// very server may; what else is allowed is for whoever guards the door.
fn origin_allowed(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
    origin.is_some() && origin.map(str::to_ascii_lowercase) == host.map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_this_server_may_connect() {
        let with = |origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, "localhost:7077".parse().expect("a host"));
            origin.map(|origin| headers.insert(header::ORIGIN, origin.parse().expect("an origin")));
            origin_allowed(&headers)
        };
        assert!(with(None) && with(Some("http://localhost:7077")) && with(Some("http://LOCALHOST:7077")));
        for foreign in
            ["https://evil.example", "http://localhost:8080", "null", "http://localhost:7077.evil.example"]
        {
            assert!(!with(Some(foreign)), "{foreign}");
        }
    }
}
