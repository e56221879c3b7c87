//! The running time of a meeting.

use quorate_contract::Timestamp;

use super::{Meeting, Phase};

impl Meeting {
    /// Whether time counts: the meeting has started, has not ended and is not paused. A meeting that ends before it
    /// started has run no time, also while its conclusion is written.
    pub fn is_running(&self) -> bool {
        let under_way = match self.phase {
            Phase::Blank | Phase::Draft | Phase::Ended { .. } => false,
            Phase::Preparation | Phase::Discussion | Phase::Summary => true,
            Phase::Ballot | Phase::Facilitation | Phase::Closing { .. } => true,
        };
        under_way && self.started_at.is_some() && !self.is_paused()
    }

    /// The running time up to this moment, in milliseconds.
    pub fn ran_ms_at(&self, now: Timestamp) -> u64 {
        self.ran_ms.saturating_add(self.step_ms(self.updated_at, now))
    }

    /// The running time between two moments: at most the longest silence.
    pub(super) fn step_ms(&self, from: Timestamp, to: Timestamp) -> u64 {
        if self.is_running() { to.since_ms(from).min(self.silence_max_ms) } else { 0 }
    }
}
