//! The budget of time: when it is used up, and what is kept of it for the conclusion.

use quorate_contract::{TaskId, Timestamp};

use super::Meeting;
use crate::state::tasks::can_facilitate;

/// The largest time that is kept for the conclusion.
const CONCLUDING_MAX_MS: u64 = 90_000;

impl Meeting {
    /// The moment at which the budget of time is used up, when nothing happens before. A step that is longer
    /// than a meeting can be silent counts no further, so there is none beyond it.
    pub(crate) fn wall_deadline(&self) -> Option<Timestamp> {
        self.after_running_ms(self.rules().limits.wall_ms?)
    }

    /// The moment at which the meeting has to close, so that its conclusion is written within the budget of time.
    pub(crate) fn course_deadline(&self) -> Option<Timestamp> {
        let wall_ms = self.rules().limits.wall_ms?;
        self.after_running_ms(wall_ms.saturating_sub(self.concluding_ms()))
    }

    /// The part of the time budget that is kept for the facilitator's conclusion, in milliseconds: a fifth of
    /// it, at most the time of a long answer. None when no facilitator would be asked.
    pub(crate) fn concluding_ms(&self) -> u64 {
        let asks =
            self.conclusion.is_none() && !self.said.is_empty() && can_facilitate(self, TaskId::Conclude);
        match self.rules().limits.wall_ms {
            Some(wall_ms) if asks => (wall_ms / 5).min(CONCLUDING_MAX_MS).min(self.rules().turns.timeout_ms),
            Some(_) | None => 0,
        }
    }

    /// The rest of the time budget, in milliseconds.
    pub(crate) fn wall_left_ms(&self) -> Option<u64> {
        Some(self.rules().limits.wall_ms?.saturating_sub(self.ran_ms))
    }

    /// The moment at which it will have run so long, when nothing happens before.
    fn after_running_ms(&self, ms: u64) -> Option<Timestamp> {
        self.started_at?;
        let left_ms = ms.saturating_sub(self.ran_ms);
        (left_ms <= self.silence_max_ms).then(|| self.updated_at.plus_ms(left_ms))
    }
}
