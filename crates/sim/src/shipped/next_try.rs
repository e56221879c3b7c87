//! How late a meeting that waits for its provider tries it again, by a clock that nobody sets.

use quorate_contract::{Event, EventBody};

/// A try that is later by more than this was not made when it was due, but when something else woke the meeting, in
/// milliseconds.
pub(super) const LATE_MS: u64 = 5_000;

/// When the next try of one meeting is due, by the steady clock.
#[derive(Debug, Default)]
pub(super) struct NextTry {
    due_ms: Option<u64>,
}

impl NextTry {
    /// One more event is stored; says how late the try is that it begins, in milliseconds.
    pub(super) fn see(&mut self, event: &Event, now_ms: u64) -> Option<u64> {
        match &event.body {
            EventBody::ProviderWaitStarted { next_try_at, .. } => {
                self.due_ms = Some(now_ms + next_try_at.since_ms(event.ts_ms));
                None
            }
            EventBody::CallStarted { .. } | EventBody::ProviderWaitEnded { .. } => {
                self.due_ms.take().map(|due_ms| now_ms.saturating_sub(due_ms))
            }
            // While it rests, it tries nothing.
            EventBody::Pause { .. } | EventBody::MeetingClosing { .. } | EventBody::Recovered { .. } => {
                self.due_ms = None;
                None
            }
            _ => None,
        }
    }
}
