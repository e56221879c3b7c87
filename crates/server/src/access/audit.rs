//! Who did what, when, and from where: for whoever is responsible for this server.
//!
//! The application notes each call of an audited use case by itself; here its log is read.

use axum::Json;
use axum::extract::State;
use quorate_app::{AuditEntry, AuditFilter};
use quorate_contract::{MeetingId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
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
    let page = server.app().audit_page(filter, asked.cursor.as_deref(), limit).await?;
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
