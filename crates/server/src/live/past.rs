//! What was told before, out of the log.

use quorate_core::MeetingId;

use crate::app::App;
use crate::problem::Problem;

/// How many events are read at a time.
const PAGE: u32 = 64;

/// The lines of some events after a sequence number, in order; as many as are read at a time.
pub(super) async fn page(app: &App, meeting: &MeetingId, after: u64) -> Result<Vec<(u64, String)>, Problem> {
    if app.house().is_off_record(meeting) {
        let records = app.house().records(meeting, after).await?;
        let lines = records.into_iter().take(PAGE as usize);
        return Ok(lines.map(|record| (record.event.seq, record.line.to_string())).collect());
    }
    Ok(app.store().event_lines(meeting, after, PAGE).await?.lines)
}
