//! How long a meeting ran at the most, by a clock that nobody sets.

use quorate_contract::{Event, EventBody};

/// By how much a clock may be set without the engine taking notice, in milliseconds; it calls that drift.
const DRIFT_MS: u64 = 2_000;

/// The time of one meeting, by the steady clock, at which its events were stored.
#[derive(Debug, Default)]
pub(super) struct RunningTime {
    ran_ms: u64,
    last_ms: u64,
    has_begun: bool,
    is_paused: bool,
    is_over: bool,
}

impl RunningTime {
    /// One more event is stored.
    pub(super) fn see(&mut self, event: &Event, now_ms: u64) {
        if self.has_begun && !self.is_paused && !self.is_over {
            self.ran_ms += now_ms.saturating_sub(self.last_ms);
        }
        self.last_ms = now_ms;
        match &event.body {
            EventBody::MeetingStarted { .. } => self.has_begun = true,
            EventBody::Pause { .. } => self.is_paused = true,
            EventBody::Resume { .. } | EventBody::MeetingClosing { .. } => self.is_paused = false,
            EventBody::Finished { .. } => self.is_over = true,
            // What it took over was counted by the clock of another meeting.
            EventBody::MeetingForked { carried: Some(carried), .. } => self.ran_ms = carried.ran_ms,
            _ => {}
        }
    }

    /// Checks what a meeting says of it, where the clock was set so many times.
    pub(super) fn check(&self, said_ms: u64, clock_was_set: u64) -> Result<(), String> {
        let most = self.ran_ms + DRIFT_MS * (clock_was_set + 1);
        match said_ms <= most {
            true => Ok(()),
            false => {
                Err(format!("it says that it ran {said_ms} ms, and it was {} ms at the most", self.ran_ms))
            }
        }
    }
}
