//! The audit log over HTTP: who did what, when, and from where.
//!
//! The application records each call of an audited use case by itself; this module reads its log.

use axum::Json;
use axum::extract::State;
use quorate_app::{AuditEntry, AuditFilter};
use quorate_contract::{MeetingId, Timestamp};
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::Query;
use crate::rest::{ItemPage, limit};
use crate::state::ServerState;

/// The default number of entries on a page.
const PAGE: u32 = 50;
/// The largest number of entries on a page.
const PAGE_MAX: u32 = 200;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(page))
}

/// Details of a call for the audit log, handed on with the response. No keys, no passwords.
#[derive(Debug, Clone)]
pub(crate) struct Detail(pub(crate) Value);

/// The filter of audit entries; all given conditions must hold.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct AuditQuery {
    /// The principal who did it, such as `user:ada`.
    by: Option<String>,
    /// The action, such as `meetings.delete`; with a dot at the end, all actions with this prefix, such as
    /// `sign_in.`.
    action: Option<String>,
    /// The meeting, by id.
    meeting: Option<String>,
    /// The earliest time (RFC 3339), inclusive.
    happened_after: Option<Timestamp>,
    /// The latest time (RFC 3339), exclusive.
    happened_before: Option<Timestamp>,
    /// The largest number of items on the page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u32>,
    /// The `next_cursor` of the previous page.
    cursor: Option<String>,
}

/// One entry of the audit log.
#[derive(Debug, Serialize, ToSchema)]
struct AuditEntryView {
    /// When it happened.
    happened_at: Timestamp,
    /// Who did it, such as `user:ada`; empty for a client that was not signed in.
    by: String,
    /// The action: `sign_in.refused`, or the request, `meetings.pause.post`.
    action: String,
    /// The meeting that the entry is about; `null` for none.
    meeting: Option<MeetingId>,
    /// Details, with the status of the response.
    detail: Value,
    /// The address of the client.
    address: String,
}

/// List audit log entries
///
/// Entries say who did what, when and from which address. The newest comes first.
#[utoipa::path(
    get, path = "/api/v1/audit", tag = "access", operation_id = "list_audit_entries", params(AuditQuery),
    responses((status = 200, body = ItemPage<AuditEntryView>), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 422, body = Problem)),
)]
async fn page(
    State(server): State<ServerState>,
    Query(asked): Query<AuditQuery>,
) -> Result<Json<ItemPage<AuditEntryView>>, Problem> {
    for (name, value) in [("meeting", &asked.meeting), ("cursor", &asked.cursor)] {
        if value.as_ref().is_some_and(String::is_empty) {
            let hint = message!("server-empty-filter-hint", name);
            return Err(Problem::invalid(name, message!("contract-check-empty"), hint));
        }
    }
    let filter = AuditFilter {
        by: asked.by,
        action: asked.action,
        meeting: asked.meeting.map(MeetingId::new),
        from: asked.happened_after,
        before: asked.happened_before,
    };
    let limit = limit(asked.limit, PAGE, PAGE_MAX)?;
    let page = server.app().audit_page(filter, asked.cursor.as_deref(), limit).await?;
    let done = |entry: AuditEntry| AuditEntryView {
        happened_at: entry.ts_ms,
        by: entry.by,
        action: entry.action,
        meeting: entry.meeting,
        detail: entry.detail,
        address: entry.address,
    };
    Ok(Json(ItemPage { items: page.items.into_iter().map(done).collect(), next_cursor: page.next }))
}
