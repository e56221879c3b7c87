//! The time that counts towards the meeting's budget of time.

use quorate_contract::{TaskId, Timestamp};

use super::{Meeting, Phase};
use crate::state::tasks::can_facilitate;

/// The largest time that is kept for the conclusion.
const CONCLUDING_MAX_MS: u64 = 90_000;

impl Meeting {
    /// Whether time counts: the meeting has started, has not ended and is not paused.
    pub fn is_running(&self) -> bool {
        let under_way = match self.phase {
            Phase::Blank | Phase::Draft | Phase::Ended { .. } => false,
            Phase::Preparation | Phase::Discussion | Phase::Summary => true,
            Phase::Ballot | Phase::Facilitation | Phase::Closing { .. } => true,
        };
        under_way && !self.is_paused()
    }

    /// The running time up to this moment, in milliseconds.
    pub fn ran_ms_at(&self, now: Timestamp) -> u64 {
        self.ran_ms.saturating_add(self.step_ms(self.updated_at, now))
    }

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

    /// The running time between two moments: at most the longest silence.
    pub(super) fn step_ms(&self, from: Timestamp, to: Timestamp) -> u64 {
        if self.is_running() { to.since_ms(from).min(self.silence_max_ms) } else { 0 }
    }
}
