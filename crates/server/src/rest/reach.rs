//! The meeting that a path names: how it stands, what is wished of it, and what came of the wish.

use quorate_core::{Command, EventBody, Meeting, MeetingId};
use serde::Serialize;
use utoipa::ToSchema;

use super::view::{State, state_of};
use crate::app::App;
use crate::problem::Problem;

/// More facts than any wish has at once.
const FACTS: u64 = 256;

/// What was asked for is done, and durable.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Done {
    /// The last event that followed from it, by its sequence number.
    pub(crate) seq: u64,
}

/// How a meeting stands, in a few words.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MeetingStanding {
    /// The meeting.
    pub(crate) id: MeetingId,
    /// Where it is. A pause that waits for whoever has the floor is not there yet.
    pub(crate) state: State,
    /// The last event, by its sequence number.
    pub(crate) last_seq: u64,
}

impl MeetingStanding {
    pub(crate) fn of(meeting: &Meeting) -> Self {
        Self { id: meeting.id.clone(), state: state_of(meeting), last_seq: meeting.seq }
    }
}

/// The meeting as it stands.
pub(crate) async fn look(app: &App, id: &MeetingId) -> Result<Meeting, Problem> {
    Ok(app.house().load(id).await?)
}

/// Wishes something of it; the sequence number that comes back is durable.
pub(crate) async fn wish(app: &App, id: &MeetingId, command: Command) -> Result<u64, Problem> {
    Ok(app.house().meeting(id).await?.wish(command).await?)
}

/// The same, and how it stands then.
pub(crate) async fn wish_and_look(
    app: &App,
    id: &MeetingId,
    command: Command,
) -> Result<MeetingStanding, Problem> {
    wish(app, id, command).await?;
    Ok(MeetingStanding::of(&look(app, id).await?))
}

/// What `find` makes of the facts that end at `seq`, the last one first. The facts of one wish are written
/// together, so that the last one of its kind up to the number that a wish came back with is the wish's own.
pub(crate) async fn fact<T>(
    app: &App,
    id: &MeetingId,
    seq: u64,
    find: impl Fn(&EventBody) -> Option<T>,
) -> Result<T, Problem> {
    let records = app.house().records(id, seq.saturating_sub(FACTS)).await?;
    let facts = records.iter().rev().skip_while(|record| record.event.seq > seq);
    facts.map(|record| &record.event.body).find_map(find).ok_or_else(|| {
        Problem::new(
            axum::http::StatusCode::INTERNAL_SERVER_ERROR,
            "bug",
            ("what was done cannot be found", "找不到完成的结果"),
        )
        .hint(("it is done; look at the meeting", "它已经完成；请查看会议"))
    })
}

/// What there is, for a hint to whoever named something else.
pub(crate) fn there_are(known: &[String]) -> (String, String) {
    (format!("there are {}", known.join(", ")), format!("现有：{}", known.join("、")))
}

/// The lines of the events after a number, at most `limit`, and whether there are more.
pub(crate) async fn lines(
    app: &App,
    id: &MeetingId,
    after: u64,
    limit: u32,
) -> Result<(Vec<(u64, String)>, bool), Problem> {
    if !app.house().is_off_record(id) {
        let page = app.store().event_lines(id, after, limit).await?;
        return Ok((page.lines, page.more));
    }
    let records = app.house().records(id, after).await?;
    let more = records.len() > limit as usize;
    let lines = records.into_iter().take(limit as usize);
    Ok((lines.map(|record| (record.event.seq, record.line.to_string())).collect(), more))
}
