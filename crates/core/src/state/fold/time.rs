//! The running time of a meeting: the time between its events while it was neither paused nor interrupted.

use quorate_contract::{EventBody, Timestamp};

use crate::state::Meeting;

/// Adds the time since the last event if the meeting ran during it. Time in which no process ran the meeting,
/// in which it was paused, or between an event and a fork of it does not count.
pub(super) fn pass(m: &mut Meeting, at: Timestamp, body: &EventBody) {
    let idle_ms = match body {
        EventBody::MeetingForked { .. } | EventBody::Recovered { idle_ms: None } => return,
        EventBody::Recovered { idle_ms: Some(idle_ms) } => *idle_ms,
        _ => 0,
    };
    let before = m.updated_at.plus_ms(idle_ms);
    m.ran_ms = m.ran_ms.saturating_add(m.step_ms(before, at));
}
