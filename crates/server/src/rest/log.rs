//! The log of a meeting in pages, from its beginning or from its end, whole or some kinds of events.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quorate_app::EventFilter;
use quorate_contract::{Event, EventBody, MeetingId};
use quorate_messages::message;
use quorate_views::Viewer;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::pagination::limit;
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Path, Query};
use crate::requests::media_type::negotiate;
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(log))
}

/// In which order events come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum LogOrder {
    /// The first one first.
    #[default]
    Asc,
    /// The last one first.
    Desc,
}

/// Which part of the log is asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct LogQuery {
    /// The sequence number after which events are returned; from the first event when left out.
    #[param(maximum = 9223372036854775807u64, default = 0)]
    after: u64,
    /// The sequence number before which events are returned; up to the last event when left out.
    #[param(maximum = 9223372036854775807u64)]
    before: Option<u64>,
    /// The order: `asc` (oldest first) or `desc` (newest first); `asc` when left out.
    #[param(inline)]
    order: LogOrder,
    /// The types of events, separated by commas: `agent_message,user_message`.
    #[param(value_type = Option<Vec<String>>, style = Form, explode = false)]
    types: Option<String>,
    /// The largest number of events on the page.
    #[param(minimum = 1, maximum = 1000, default = 200)]
    limit: Option<u32>,
}

/// Get the event log
///
/// One event per line, exactly as stored. If there are more events, the header `Link` names the next page.
/// Content that is hidden from the caller is removed from its line, which then has `"withheld": true`. With
/// `Accept: text/plain`, the same lines are sent as plain text.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/log", tag = "results", operation_id = "get_log",
    params(("id" = String, Path, description = "The meeting, by id"), LogQuery),
    responses(
        (status = 200, description = "Events, one per line",
            content((String = "application/x-ndjson"), (String = "text/plain")),
            headers(("Link" = String, description = "The next page, `rel=\"next\"`"),
                ("Quorate-Last-Seq" = u64, description = "The sequence number of the last event on this page"))),
        (status = 404, body = Problem), (status = 422, body = Problem)),
)]
async fn log(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    headers: HeaderMap,
    Query(part): Query<LogQuery>,
) -> Result<Response, Problem> {
    let filter = part.filter()?;
    let page = server.app().events_page(&id, filter).await?;
    // Looked at afterwards: a ballot or a blind round that opens before the lines are read is open then.
    let viewer = server.app().viewer(&principal, &id).await?;
    let last = page.lines.last().map_or_else(|| part.beginning(), |(seq, _)| *seq);
    let mut body = String::new();
    for (_, line) in page.lines {
        body.push_str(&shown(line, viewer)?);
        body.push('\n');
    }
    let media = match negotiate(&headers, "application/x-ndjson") {
        "text/plain" => HeaderValue::from_static("text/plain; charset=utf-8"),
        own => HeaderValue::from_static(own),
    };
    let mut response = ([(header::CONTENT_TYPE, media)], body).into_response();
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("quorate-last-seq"), last.into());
    if page.more {
        let link = format!("</api/v1/meetings/{id}/log?{}>; rel=\"next\"", part.next(last));
        headers.extend(HeaderValue::from_str(&link).ok().map(|link| (header::LINK, link)));
    }
    Ok(response)
}

impl LogQuery {
    fn filter(&self) -> Result<EventFilter, Problem> {
        Ok(EventFilter {
            kinds: self.kinds()?,
            after: Some(sequence_number("after", self.after)?),
            before: self.before.map(|before| sequence_number("before", before)).transpose()?,
            newest_first: self.order == LogOrder::Desc,
            limit: limit(self.limit, 200, 1000)?,
        })
    }

    /// The types that are asked for; all of them when none is.
    fn kinds(&self) -> Result<Vec<String>, Problem> {
        let Some(types) = &self.types else { return Ok(Vec::new()) };
        let mut kinds: Vec<String> = Vec::new();
        for kind in types.split(',').map(str::trim) {
            if !EventBody::KINDS.contains(&kind) {
                let known = EventBody::KINDS.join(", ");
                let detail = message!("server-no-type-of-event", %kind);
                let hint = message!("server-types-are", %known);
                return Err(Problem::invalid("types", detail, hint));
            }
            if !kinds.iter().any(|known| known == kind) {
                kinds.push(kind.to_owned());
            }
        }
        Ok(kinds)
    }

    /// Where an empty page stands.
    fn beginning(&self) -> u64 {
        match self.order {
            LogOrder::Asc => self.after,
            LogOrder::Desc => self.before.unwrap_or(self.after),
        }
    }

    /// The query for the page after one that ends with event `last`.
    fn next(&self, last: u64) -> String {
        let (after, before) = match self.order {
            LogOrder::Asc => (last, self.before),
            LogOrder::Desc => (self.after, Some(last)),
        };
        let mut query = format!("after={after}");
        if let Some(before) = before {
            query += &format!("&before={before}");
        }
        if self.order == LogOrder::Desc {
            query += "&order=desc";
        }
        if let Some(types) = &self.types {
            query += &format!("&types={}", types.replace(' ', ""));
        }
        query + &format!("&limit={}", self.limit.unwrap_or(200))
    }
}

/// A number that the log can have; the database counts with a sign.
pub(super) fn sequence_number(field: &str, given: u64) -> Result<u64, Problem> {
    i64::try_from(given).map(i64::cast_unsigned).map_err(|_| {
        let hint = message!("server-no-such-event-hint");
        Problem::invalid(field, message!("server-no-such-event"), hint)
    })
}

/// A line without what is hidden from a viewer.
fn shown(line: String, viewer: Viewer) -> Result<String, Problem> {
    if viewer.sees_all() {
        return Ok(line);
    }
    let event = Event::from_json(&line).map_err(|error| {
        let detail = message!("server-event-unreadable", %error);
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "damaged", detail)
            .hint(message!("server-event-unreadable-hint"))
    })?;
    Ok(viewer.line(&event).unwrap_or(line))
}
