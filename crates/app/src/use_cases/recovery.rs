//! Which meetings go on after a start of the program.

use futures::stream::{self, Stream};
use futures::{FutureExt, StreamExt};
use quorate_contract::MeetingId;
use quorate_core::{MeetingState, is_owed_something};
use quorate_engine::{EngineError, FaultKind, Journal};

use super::App;
use super::listing::Listing;
use crate::error::ServiceError;

/// The number of meetings that a node takes over with one request to the database.
const CLAIMED_AT_ONCE: u32 = 200;

/// The number of meetings that are opened at a time: while the log of one is read, others are folded.
const OPENED_AT_ONCE: usize = 32;

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

/// What became of a meeting that was to be taken up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TakenUp {
    /// It goes on.
    Going,
    /// It could not be opened; it is tried again, or quarantined.
    NotYet,
    /// It is quarantined, or paused with nothing unfinished.
    AtRest,
}

impl App {
    /// Resumes every meeting that was running when the last process ended, oldest first, then paused meetings
    /// with an unfinished task, several at a time. Quarantined meetings are tried once more,
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
                match self.take_over(CLAIMED_AT_ONCE).await? {
                    0 => return Ok(recovered),
                    meetings => recovered.going += meetings,
                }
                tokio::task::yield_now().await;
            }
        }
        let under_way: Vec<_> = MeetingState::ALL.into_iter().filter(|state| state.is_under_way()).collect();
        for (states, all) in [(under_way.as_slice(), true), (&[MeetingState::Paused], false)] {
            let listing = Listing { limit: u32::MAX, offset: 0, states: states.to_vec() };
            let oldest_first = self.list(&listing).await?.into_iter().rev().map(|row| row.id);
            let mut taken_up = self.take_up_all(oldest_first, all);
            while let Some(result) = taken_up.next().await {
                match result {
                    TakenUp::Going => recovered.going += 1,
                    TakenUp::NotYet => recovered.skipped += 1,
                    TakenUp::AtRest => {}
                }
            }
        }
        Ok(recovered)
    }

    /// Takes up meetings, some at a time in this order; of paused ones (not `all`) those with an unfinished task.
    pub(super) fn take_up_all(
        &self,
        meetings: impl IntoIterator<Item = MeetingId>,
        all: bool,
    ) -> impl Stream<Item = TakenUp> + Unpin {
        let taking = stream::iter(meetings).map(move |id| {
            let app = self.clone();
            let task = tokio::spawn(async move {
                match all || app.is_owed_something(&id).await {
                    true => app.take_up(&id).await,
                    false => TakenUp::AtRest,
                }
            });
            // A task that broke down has said so itself.
            task.map(|result| result.unwrap_or(TakenUp::NotYet))
        });
        taking.buffer_unordered(OPENED_AT_ONCE)
    }

    async fn take_up(&self, id: &MeetingId) -> TakenUp {
        match self.0.engine.take_up(id).await {
            Ok(()) => TakenUp::Going,
            Err(EngineError::Quarantined(_)) => TakenUp::AtRest,
            Err(error) => {
                tracing::error!(meeting = %id, %error, hint = error.hint(), "a meeting does not go on yet");
                TakenUp::NotYet
            }
        }
    }

    /// Whether a paused meeting has an unfinished task. A meeting that cannot be read counts as one, so that
    /// its fault is recorded.
    async fn is_owed_something(&self, id: &MeetingId) -> bool {
        match self.0.engine.load(id).await {
            Ok(meeting) => is_owed_something(&meeting),
            Err(_) => true,
        }
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
