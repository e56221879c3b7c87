//! Liveness, readiness and counters.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quorate_bus::Bus;
use quorate_messages::message;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::media_type::negotiate;
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(alive)).routes(routes!(ready)).routes(routes!(metrics))
}

/// The readiness of the service.
#[derive(Debug, Serialize, ToSchema)]
struct Readiness {
    /// `ready`
    status: &'static str,
    /// The version of Quorate.
    version: &'static str,
    /// This process among those that share the database; absent for a database file.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<NodeReadiness>,
}

/// A process among those that share the database.
#[derive(Debug, Serialize, ToSchema)]
struct NodeReadiness {
    /// Its name.
    id: String,
    /// The time since its lease was renewed, in milliseconds. After 7 s it appends nothing, after 10 s others may take its
    /// meetings over.
    lease_age_ms: u64,
    /// The number of meetings that it has taken over from others.
    takeovers: u64,
    /// The number of appends that were refused because another process runs the meeting.
    fenced_appends: u64,
    /// Whether the NATS server can be reached; absent when none is used. Without it the nodes ask each other over HTTP.
    #[serde(skip_serializing_if = "Option::is_none")]
    nats_connected: Option<bool>,
}

/// The liveness of the service.
#[derive(Debug, Serialize, ToSchema)]
struct Liveness {
    /// `ok`
    status: &'static str,
    /// The version of Quorate.
    version: &'static str,
    /// Whether this build contains the page, or only a placeholder.
    page: PageState,
    /// Whether the server makes PDFs.
    pdf: bool,
}

/// Which page the server delivers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum PageState {
    /// The page of this build.
    Embedded,
    /// A placeholder, because the build contains no page.
    Fallback,
}

/// Check liveness
///
/// Responds as soon as the process accepts requests.
#[utoipa::path(get, path = "/healthz", tag = "operation", operation_id = "check_liveness", responses((status = 200, body = Liveness)))]
async fn alive(State(server): State<ServerState>) -> Json<Liveness> {
    let page = if server.page().is_fallback() { PageState::Fallback } else { PageState::Embedded };
    Json(Liveness {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        page,
        pdf: server.pdf_renderer().is_some(),
    })
}

/// Check readiness
///
/// The service is ready when the database can be read and written, there is free disk space, and the service
/// is not shutting down.
#[utoipa::path(
    get, path = "/readyz", tag = "operation", operation_id = "check_readiness",
    responses((status = 200, body = Readiness), (status = 503, body = Problem)),
)]
async fn ready(State(server): State<ServerState>) -> Result<Json<Readiness>, Problem> {
    if server.is_stopping() {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        return Err(Problem::new(status, "stopping", message!("server-about-to-stop")).retry_after(5));
    }
    // The response holds all reasons at once, so that an operator sees every obstacle.
    server
        .app()
        .check_storage()
        .await
        .map_err(|error| Problem::from(error).with_status(StatusCode::SERVICE_UNAVAILABLE))?;
    let node = server.app().node_id().zip(server.app().node_stats()).map(|(id, stats)| NodeReadiness {
        id: id.to_owned(),
        lease_age_ms: stats.lease_age_ms,
        takeovers: stats.takeovers,
        fenced_appends: stats.fenced_appends,
        nats_connected: server.bus().map(Bus::is_connected),
    });
    if server.app().is_fenced() {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        return Err(Problem::new(status, "storage", message!("server-lease-not-renewed")).retry_after(2));
    }
    Ok(Json(Readiness { status: "ready", version: env!("CARGO_PKG_VERSION"), node }))
}

/// Get metrics
///
/// Counters and durations in the Prometheus text format.
#[utoipa::path(
    get, path = "/metrics", tag = "operation", operation_id = "get_metrics",
    responses((status = 200, description = "The metrics",
        content((String = "application/openmetrics-text"), (String = "text/plain")))),
)]
async fn metrics(State(server): State<ServerState>, headers: HeaderMap) -> Result<Response, Problem> {
    let metrics = server.metrics();
    let (live, stats) = server.app().stats();
    metrics.set_live(live);
    metrics.set_uptime(server.up());
    metrics.set_backups(server.app().backup_stats());
    if let Some(stats) = server.app().node_stats() {
        metrics.set_node(stats);
    }
    metrics.set_provider_shares(&server.app().provider_shares());
    metrics.set_nats(server.bus().is_some_and(Bus::is_connected));
    metrics.set_failures(stats.quarantined, stats.restarts);
    for (state, count) in server.app().meeting_counts().await? {
        metrics.set_meetings(state.as_str(), count);
    }
    let (of_machine, database) = (Arc::clone(metrics), server.app().database().to_owned());
    // Where it cannot be read, the values of the last time stay.
    _ = tokio::task::spawn_blocking(move || of_machine.refresh_machine(&database)).await;
    let kind = match negotiate(&headers, "application/openmetrics-text") {
        "text/plain" => "text/plain; version=0.0.4; charset=utf-8",
        _ => "application/openmetrics-text; version=1.0.0; charset=utf-8",
    };
    Ok(([(header::CONTENT_TYPE, kind)], metrics.render()).into_response())
}
