//! Checks before every request: the client's address, the host, and the number of requests. After every
//! response: the security headers for browsers.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use quorate_messages::message;
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::Access;
use super::client::Client;
use crate::connections::slots::Activity;
use crate::limits::rates::is_live;
use crate::nodes::{Forwarded, is_internal};
use crate::problem::Problem;
use crate::state::ServerState;

/// Routes that read the whole database, or ask every provider, before they answer.
const WHOLE_DATABASE: [&str; 3] = ["/api/v1/backup", "/api/v1/verify", "/api/v1/doctor"];
/// The time limit of these routes.
const WHOLE_DATABASE_TIME: Duration = Duration::from_secs(3600);

/// Lets a request come near.
pub(crate) async fn admission(State(server): State<ServerState>, request: Request, next: Next) -> Response {
    let access = server.access();
    let (mut parts, body) = request.into_parts();
    let forwarded = server.forwarder().and_then(|forwarder| forwarder.client_of(&parts));
    let is_of_node = forwarded.is_some();
    if is_of_node {
        parts.extensions.insert(Forwarded);
    }
    let client = forwarded.unwrap_or_else(|| access.client(&parts));
    // Nodes ask each other as often as they have to.
    let admitted = match is_of_node && is_internal(parts.uri.path()) {
        true => Ok(()),
        false => admit(access, &client),
    };
    if is_of_node && let Some(activity) = parts.extensions.get::<Arc<Activity>>() {
        activity.mark_known();
    }
    let live = is_live(parts.uri.path());
    let shared = is_shared_result(parts.uri.path());
    let exports = parts.uri.path().ends_with("/export");
    let whole_database = WHOLE_DATABASE.contains(&parts.uri.path());
    parts.extensions.insert(client.clone());
    let request = Request::from_parts(parts, body);
    let mut response = match admitted {
        Err(problem) => problem.into_response(),
        Ok(()) if live => next.run(request).await,
        Ok(()) => {
            let mut most = Duration::from_secs(access.limits().options().request_seconds.max(1).into());
            if exports {
                most = most.max(server.exports().options().most());
            }
            if whole_database {
                most = most.max(WHOLE_DATABASE_TIME);
            }
            let answer = tokio::time::timeout(most, next.run(request)).await;
            answer.unwrap_or_else(|_| too_slow().into_response())
        }
    };
    dress(response.headers_mut(), &client);
    if shared {
        let headers = response.headers_mut();
        headers
            .insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex, nofollow"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// Whether a path is that of a result which is read by a link, in the interface or as a page: its address stays out of caches
/// and search engines.
fn is_shared_result(path: &str) -> bool {
    path.starts_with("/api/v1/shared/") || path.starts_with("/shared/")
}

fn admit(access: &Access, client: &Client) -> Result<(), Problem> {
    let alone = access.identity().is_alone();
    if alone {
        access.origins().check_host(client)?;
        if client.handed_on {
            let detail = message!("server-proxy-without-accounts");
            return Err(Problem::new(StatusCode::FORBIDDEN, "through-a-proxy", detail)
                .hint(message!("server-proxy-without-accounts-hint")));
        }
    }
    access.limits().request(client.address, alone)
}

fn too_slow() -> Problem {
    let detail = message!("server-request-too-slow");
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too-slow", detail)
        .hint(message!("server-request-too-slow-hint"))
        .retry_after(2)
}

/// The content security policy of our own pages; scripts and styles only from this origin.
const PAGES: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; \
    object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/// The content security policy of responses that are no pages: they show and load nothing.
const DATA: &str = "default-src 'none'; frame-ancestors 'none'";
/// One year, in seconds.
const HSTS: &str = "max-age=31536000";

fn dress(headers: &mut HeaderMap, client: &Client) {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let policy = if kind.starts_with("text/html") { PAGES } else { DATA };
    let mut say = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    say(header::CONTENT_SECURITY_POLICY, policy);
    say(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    say(header::REFERRER_POLICY, "no-referrer");
    say(header::X_FRAME_OPTIONS, "DENY");
    say(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    say(HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()");
    say(header::CACHE_CONTROL, "no-store");
    if client.https {
        say(header::STRICT_TRANSPORT_SECURITY, HSTS);
    }
}

/// The CORS headers for pages of other sites; `None` unless some are allowed.
pub(crate) fn cors(access: &Access) -> Option<CorsLayer> {
    let pages = access.origins().pages();
    let pages: Vec<HeaderValue> = pages.iter().filter_map(|page| HeaderValue::try_from(page).ok()).collect();
    if pages.is_empty() {
        return None;
    }
    let named = HeaderName::from_static;
    Some(
        CorsLayer::new()
            .allow_origin(AllowOrigin::list(pages))
            .allow_credentials(true)
            .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
            .allow_headers([
                header::AUTHORIZATION,
                header::CONTENT_TYPE,
                header::IF_MATCH,
                header::IF_NONE_MATCH,
                header::ACCEPT,
                named("idempotency-key"),
                named("last-event-id"),
            ])
            .expose_headers([
                header::ETAG,
                header::RETRY_AFTER,
                header::LOCATION,
                header::CONTENT_DISPOSITION,
                named("idempotent-replayed"),
                named("x-request-id"),
            ])
            .max_age(Duration::from_secs(600)),
    )
}
