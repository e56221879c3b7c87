//! The meeting that a path names: how it stands, what is asked of it, and what came of the command.

use quorate_app::EventFilter;
use quorate_contract::{Command, EventBody, MeetingId};
use quorate_core::{Meeting, MeetingState};
use quorate_messages::{Message, message};
use serde::Serialize;
use utoipa::ToSchema;

use crate::access::Principal;
use crate::limits::compute::{ComputePlace, weight};
use crate::limits::queue::Requester;
use crate::problem::Problem;
use crate::state::ServerState;

/// More events than any command has at once.
const EVENTS: u64 = 256;

/// The receipt of a change: it is applied and stored durably.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ChangeReceipt {
    /// The sequence number of the last event that the request caused.
    pub(crate) seq: u64,
}

/// The state of a meeting after a request.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MeetingStatus {
    /// The meeting.
    pub(crate) id: MeetingId,
    /// The state. A meeting whose pause waits for open turns is not paused yet.
    pub(crate) state: MeetingState,
    /// The sequence number of the last event.
    pub(crate) last_seq: u64,
}

impl MeetingStatus {
    pub(crate) fn of(meeting: &Meeting) -> Self {
        Self { id: meeting.id.clone(), state: MeetingState::of(meeting), last_seq: meeting.seq }
    }
}

/// The meeting as it stands.
pub(crate) async fn look(server: &ServerState, id: &MeetingId) -> Result<Meeting, Problem> {
    Ok(server.app().load(id).await?)
}

/// The same, or as it stood after event `at`, with a place where something can be computed of it. What is not in memory
/// is read only when its turn has come, so that however many ask, a few long meetings are in memory for it.
///
/// # Errors
/// As [`look_at`]; 503 with `Retry-After` when too many others are computed or wait, 429 when they are the same person's.
pub(crate) async fn look_to_compute(
    server: &ServerState,
    principal: &Principal,
    id: &MeetingId,
    at: Option<u64>,
) -> Result<(Meeting, ComputePlace), Problem> {
    if at.is_none() && server.app().is_running(id) {
        let meeting = look(server, id).await?;
        let place = server.computing().place(&Requester::of(principal), weight(&meeting)).await?;
        return Ok((meeting, place));
    }
    let place = server.computing().beside(&Requester::of(principal)).await?;
    Ok((look_at(server, id, at).await?, place))
}

/// The meeting as it stood after event `at`, or as it stands.
pub(crate) async fn look_at(
    server: &ServerState,
    id: &MeetingId,
    at: Option<u64>,
) -> Result<Meeting, Problem> {
    let Some(at) = at else { return look(server, id).await };
    let meeting = server.app().load_at(id, at.max(1)).await?;
    if meeting.seq == at {
        return Ok(meeting);
    }
    let last = meeting.seq.max(look(server, id).await?.seq);
    let detail = message!("server-event-not-in-log", %at);
    let hint = message!("server-event-not-in-log-hint", %last);
    Err(Problem::invalid("at", detail, hint))
}

/// Commands something of it; the sequence number that comes back is durable.
pub(crate) async fn execute(
    server: &ServerState,
    principal: &Principal,
    id: &MeetingId,
    command: Command,
) -> Result<u64, Problem> {
    Ok(server.app().command(principal, id, command).await?)
}

/// The same, and how it stands then.
pub(crate) async fn execute_and_load(
    server: &ServerState,
    principal: &Principal,
    id: &MeetingId,
    command: Command,
) -> Result<MeetingStatus, Problem> {
    execute(server, principal, id, command).await?;
    Ok(MeetingStatus::of(&look(server, id).await?))
}

/// What `find` makes of the events that end at `seq`, the last one first. The events of one command are written
/// together, so that the last one of its kind up to the number that a command came back with is the command's own.
pub(crate) async fn find_event<T>(
    server: &ServerState,
    id: &MeetingId,
    seq: u64,
    find: impl Fn(&EventBody) -> Option<T>,
) -> Result<T, Problem> {
    let records = server.app().records(id, seq.saturating_sub(EVENTS)).await?;
    let events = records.iter().rev().skip_while(|record| record.event.seq > seq);
    events.map(|record| &record.event.body).find_map(find).ok_or_else(|| {
        Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, "bug", message!("server-result-gone"))
            .hint(message!("server-result-gone-hint"))
    })
}

/// What there is, for the hint of a refusal.
pub(crate) fn there_are(known: &[String]) -> Message {
    message!("server-there-are", known)
}

/// The lines of the events after a number, at most `limit`, and whether there are more.
pub(crate) async fn lines(
    server: &ServerState,
    id: &MeetingId,
    after: u64,
    limit: u32,
) -> Result<(Vec<(u64, String)>, bool), Problem> {
    let filter =
        EventFilter { kinds: Vec::new(), after: Some(after), before: None, newest_first: false, limit };
    let page = server.app().events_page(id, filter).await?;
    Ok((page.lines, page.more))
}
