//! Who did what, when, and from where: for whoever is responsible for this server.
//!
//! The guard notes whatever changes something, and what is taken out of the app, once it is done; so no
//! handler can forget to. What strangers are refused is noted in sum. What was said at a meeting is in its log and not here.

use std::net::IpAddr;

use axum::Json;
use axum::extract::State;
use axum::http::{Method, StatusCode};
use quorate_contract::{MeetingId, Timestamp};
use quorate_engine::{Clock, SystemClock};
use quorate_store::{AuditEntry, AuditFilter};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::body::Query;
use crate::problem::Problem;
use crate::state::ServerState;

/// How many entries a page has when nobody says.
const PAGE: u32 = 50;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(page))
}

/// What else matters about what was done; a handler hands it on with its answer. No keys, no passwords.
#[derive(Debug, Clone)]
pub(crate) struct Detail(pub(crate) Value);

/// Something that somebody did.
pub(crate) struct Note {
    /// `user:ada`, or nobody.
    pub(crate) who: String,
    pub(crate) action: String,
    pub(crate) meeting: Option<String>,
    pub(crate) address: IpAddr,
    pub(crate) status: StatusCode,
    pub(crate) detail: Option<Detail>,
}

/// Whether a request is one that is noted: it changes something, or takes something out of the app.
pub(crate) fn is_noted(method: &Method, path: &str) -> bool {
    match *method {
        Method::GET => path.contains("/export") || path.contains("/backup"),
        Method::POST | Method::PUT | Method::PATCH | Method::DELETE => {
            // Coming in is noted where it is known who came.
            let comes_in = matches!(path, "/api/v1/sessions" | "/api/v1/join") && *method == Method::POST;
            !comes_in && path != "/api/v1/sessions/refresh" && !path.ends_with("/estimate")
        }
        _ => false,
    }
}

/// What a request is called: `meetings.pause.post` for `POST /api/v1/meetings/{id}/pause`.
pub(crate) fn action(method: &Method, path: &str) -> String {
    let path = path.trim_start_matches("/api/v1");
    let words = path.split('/').filter(|word| !word.is_empty() && !word.starts_with('{'));
    let method = method.as_str().to_ascii_lowercase();
    words.chain([method.as_str()]).collect::<Vec<_>>().join(".")
}

/// Notes it, and waits for nothing.
pub(crate) fn note(server: &ServerState, note: Note) {
    let mut detail = note.detail.map_or_else(|| json!({}), |Detail(detail)| detail);
    if let Value::Object(detail) = &mut detail {
        detail.insert("status".to_owned(), note.status.as_u16().into());
    }
    let is_strangers =
        note.who.is_empty() && (note.status.is_client_error() || note.status.is_server_error());
    let entry = AuditEntry {
        ts_ms: SystemClock.now(),
        who: note.who,
        action: note.action,
        meeting: note.meeting.map(MeetingId::new),
        detail,
        address: note.address.to_string(),
    };
    match is_strangers {
        true => server.access().refusals().note(server.store(), entry, note.address),
        false => server.store().audit(entry),
    }
}

/// Which entries are wanted; all conditions given must hold.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Asked {
    /// By this one, `user:ada`.
    who: Option<String>,
    /// This action, `meetings.delete`; with a dot at its end, all that begin like this, `sign_in.`.
    action: Option<String>,
    /// At this meeting.
    meeting: Option<String>,
    /// At this moment or later, in milliseconds since 1970.
    from: Option<i64>,
    /// Before this moment, in milliseconds since 1970.
    before: Option<i64>,
    /// How many at the most, 1-200; 50 when not given.
    limit: Option<u32>,
    /// The `next` of the page before.
    cursor: Option<String>,
}

/// A page of what was done, the last first.
#[derive(Debug, Serialize, ToSchema)]
struct AuditPage {
    items: Vec<AuditLine>,
    /// What to ask with for the next page; not there on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// Something that somebody did.
#[derive(Debug, Serialize, ToSchema)]
struct AuditLine {
    /// When.
    ts_ms: Timestamp,
    /// Who: `user:ada`; empty for somebody who had not signed in.
    who: String,
    /// What: `sign_in.refused`, or the request, `meetings.pause.post`.
    action: String,
    /// At which meeting, if at one.
    #[serde(skip_serializing_if = "Option::is_none")]
    meeting: Option<MeetingId>,
    /// What else matters, with the status of the answer.
    detail: Value,
    /// From where.
    address: String,
}

/// Who did what, when, and from where
#[utoipa::path(
    get, path = "/api/v1/audit", tag = "access", params(Asked),
    responses((status = 200, body = AuditPage), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 422, body = Problem)),
)]
async fn page(
    State(server): State<ServerState>,
    Query(asked): Query<Asked>,
) -> Result<Json<AuditPage>, Problem> {
    let filter = AuditFilter {
        who: asked.who,
        action: asked.action,
        meeting: asked.meeting.map(MeetingId::new),
        from: asked.from.map(Timestamp),
        before: asked.before.map(Timestamp),
    };
    let limit = asked.limit.unwrap_or(PAGE);
    let page = server.store().audit_page(filter, asked.cursor.as_deref(), limit).await?;
    let done = |entry: AuditEntry| AuditLine {
        ts_ms: entry.ts_ms,
        who: entry.who,
        action: entry.action,
        meeting: entry.meeting,
        detail: entry.detail,
        address: entry.address,
    };
    Ok(Json(AuditPage { items: page.items.into_iter().map(done).collect(), next: page.next }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_a_name_and_what_changes_something_is_noted() {
        assert_eq!(action(&Method::POST, "/api/v1/meetings/{id}/pause"), "meetings.pause.post");
        assert_eq!(action(&Method::DELETE, "/api/v1/meetings/{id}"), "meetings.delete");
        assert!(is_noted(&Method::DELETE, "/api/v1/meetings/{id}"));
        assert!(is_noted(&Method::GET, "/api/v1/meetings/{id}/export"));
        assert!(!is_noted(&Method::GET, "/api/v1/meetings/{id}"));
        assert!(!is_noted(&Method::POST, "/api/v1/sessions/refresh"));
    }
}
