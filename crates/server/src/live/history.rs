//! What was told before, out of the log.

use quorate_contract::MeetingId;

use crate::problem::Problem;
use crate::state::ServerState;

/// How many events are read at a time.
const PAGE: u32 = 64;

/// The lines of some events after a sequence number, in order; as many as are read at a time.
pub(super) async fn page(
    server: &ServerState,
    meeting: &MeetingId,
    after: u64,
) -> Result<Vec<(u64, String)>, Problem> {
    if server.app().is_off_record(meeting) {
        let records = server.app().records(meeting, after).await?;
        let lines = records.into_iter().take(PAGE as usize);
        return Ok(lines.map(|record| (record.event.seq, record.line.to_string())).collect());
    }
    Ok(server.app().event_lines(meeting, after, PAGE).await?.lines)
}
