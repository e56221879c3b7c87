//! Which meetings go on after a start of the program.

use std::pin::pin;

use futures::StreamExt;
use futures::stream::{self, Stream};
use quorate_contract::MeetingId;
use quorate_core::{MeetingState, is_owed_something};
use quorate_engine::{EngineError, FaultKind, Journal};

use super::App;
use super::listing::Listing;
use crate::error::ServiceError;

/// The number of meetings that a node takes over with one request to the database.
const CLAIMED_AT_ONCE: u32 = 200;

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

impl RecoveryReport {
    /// Counts what became of a meeting.
    fn add(&mut self, result: TakeUpResult) {
        match result {
            TakeUpResult::Running => self.going += 1,
            TakeUpResult::Failed => self.skipped += 1,
            TakeUpResult::Skipped => {}
        }
    }
}

/// Which meetings go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// All of them.
    All,
    /// Those with an unfinished task.
    Unfinished,
}

/// What became of a meeting that was to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TakeUpResult {
    /// It goes on.
    Running,
    /// It could not be opened; it is tried again, or quarantined.
    Failed,
    /// It is quarantined, or paused with nothing unfinished.
    Skipped,
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
                let results = self.take_over(CLAIMED_AT_ONCE).await?;
                if results.is_empty() {
                    return Ok(recovered);
                }
                results.into_iter().for_each(|result| recovered.add(result));
                tokio::task::yield_now().await;
            }
        }
        let under_way: Vec<_> = MeetingState::ALL.into_iter().filter(|state| state.is_under_way()).collect();
        for (states, which) in
            [(under_way.as_slice(), Which::All), (&[MeetingState::Paused], Which::Unfinished)]
        {
            let listing = Listing { limit: u32::MAX, offset: 0, states: states.to_vec() };
            let oldest_first: Vec<_> =
                self.list(&listing).await?.into_iter().rev().map(|row| row.id).collect();
            let mut results = pin!(self.take_up_all(oldest_first, which));
            while let Some(result) = results.next().await {
                recovered.add(result);
            }
        }
        Ok(recovered)
    }

    /// Lets meetings go on in this order, several at a time: while the log of one is read, another is folded, and the
    /// requests of people have their turn in between.
    pub(super) fn take_up_all(
        &self,
        meetings: Vec<MeetingId>,
        which: Which,
    ) -> impl Stream<Item = TakeUpResult> {
        let at_once = 2 * std::thread::available_parallelism().map_or(1, usize::from);
        let taking = stream::iter(meetings).map(move |id| async move {
            match which == Which::All || self.is_owed_something(&id).await {
                true => self.take_up(&id).await,
                false => TakeUpResult::Skipped,
            }
        });
        taking.buffer_unordered(at_once)
    }

    async fn take_up(&self, id: &MeetingId) -> TakeUpResult {
        match self.0.engine.take_up(id).await {
            Ok(()) => TakeUpResult::Running,
            Err(EngineError::Quarantined(_)) => TakeUpResult::Skipped,
            Err(error) => {
                tracing::error!(meeting = %id, %error, hint = error.hint(), "a meeting does not go on yet");
                TakeUpResult::Failed
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
