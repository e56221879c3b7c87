//! Which meetings go on after a start of the program.

use quorate_contract::MeetingId;
use quorate_core::{MeetingState, is_owed_something};
use quorate_engine::{EngineError, FaultKind, Journal};

use super::App;
use super::listing::Listing;
use crate::error::ServiceError;

/// The number of meetings after which other work has its turn.
const YIELD_EVERY: u32 = 200;

/// The result of resuming meetings after a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecoveryReport {
    /// The number of meetings that continue.
    pub going: usize,
    /// The number of meetings that could not be opened yet. The program's log says why. They are tried again
    /// or quarantined.
    pub skipped: usize,
    /// The number of meetings that stay in quarantine because the next attempt would cost too much.
    pub quarantined: usize,
}

impl App {
    /// Resumes every meeting that was running when the last process ended, oldest first, then paused meetings
    /// with an unfinished task. Other work has its turn in between. Quarantined meetings are tried once more,
    /// except after a computation that took too long: such a meeting waits until a person resumes it.
    ///
    /// # Errors
    /// When the list of meetings cannot be read. A single meeting that cannot be opened is tried again later.
    pub async fn recover(&self) -> Result<RecoveryReport, ServiceError> {
        let mut recovered =
            RecoveryReport { quarantined: self.recall_faults().await, ..RecoveryReport::default() };
        if self.node_id().is_some() {
            // What others run goes on there; of the rest, each process takes a part.
            loop {
                match self.take_over(YIELD_EVERY).await? {
                    0 => return Ok(recovered),
                    meetings => recovered.going += meetings,
                }
                tokio::task::yield_now().await;
            }
        }
        let under_way: Vec<_> = MeetingState::ALL.into_iter().filter(|state| state.is_under_way()).collect();
        for (states, all) in [(under_way.as_slice(), true), (&[MeetingState::Paused], false)] {
            let listing = Listing { limit: u32::MAX, offset: 0, states: states.to_vec() };
            for (place, row) in self.list(&listing).await?.iter().rev().enumerate() {
                if all || self.is_owed_something(&row.id).await {
                    self.recover_one(&row.id, &mut recovered).await;
                }
                if place as u32 % YIELD_EVERY == YIELD_EVERY - 1 {
                    tokio::task::yield_now().await;
                }
            }
        }
        Ok(recovered)
    }

    async fn recover_one(&self, id: &MeetingId, recovered: &mut RecoveryReport) {
        match self.0.engine.take_up(id).await {
            Ok(()) => recovered.going += 1,
            Err(EngineError::Quarantined(_)) => {}
            Err(error) => {
                tracing::error!(meeting = %id, %error, hint = error.hint(), "a meeting does not go on yet");
                recovered.skipped += 1;
            }
        }
    }

    /// Whether a paused meeting has an unfinished task. A meeting that cannot be read counts as one, so that
    /// its fault is recorded.
    async fn is_owed_something(&self, id: &MeetingId) -> bool {
        self.0.engine.load(id).await.is_ok_and(|meeting| is_owed_something(&meeting))
    }

    /// Recalls which meetings were in quarantine when the last process ended. Gives how many stay there.
    async fn recall_faults(&self) -> usize {
        let faults = self.0.store.faults().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "which meetings were quarantined cannot be read");
            Vec::new()
        });
        let mut stay = 0;
        for (id, fault) in faults {
            if fault.kind == FaultKind::TooLong {
                tracing::warn!(meeting = %id, hint = fault.kind.hint(), "a meeting stays quarantined");
                self.0.engine.leave_quarantined(&id, fault);
                stay += 1;
            } else if let Err(error) = self.0.store.keep_fault(id.clone(), None).await {
                tracing::warn!(meeting = %id, %error, "that a meeting is tried again could not be written down");
            }
        }
        stay
    }

    /// The meetings that run no more because they failed again and again, and why.
    pub fn quarantined(&self) -> Vec<(MeetingId, quorate_engine::Fault)> {
        self.0.engine.quarantined()
    }
}
