//! One subscription to a meeting.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use quorate_contract::EventBody;
use tokio::sync::mpsc::error::TryRecvError;

use crate::engine::Shared;
use crate::error::EngineError;
use crate::registry::Registration;
use crate::subscribers::{LiveFragment, Notice, QueueEntry, SubscriberQueue};

/// A subscription: every event after a sequence number, without a gap and without a duplicate, then live; and
/// fragments of answers, beginning with the text so far.
///
/// It continues while its meeting is unloaded and loaded again, and does not keep it in memory.
pub struct Subscription {
    shared: Arc<Shared>,
    registration: Arc<Registration>,
    ear: SubscriberQueue,
    waiting: VecDeque<Notice>,
    /// The last event that was returned or is in `waiting`.
    seen: u64,
    fragments: bool,
    /// The events that have to be read before the queue continues.
    gap: Option<Gap>,
}

/// A gap in what the subscriber has received.
#[derive(Default)]
struct Gap {
    /// Whether the subscriber was too slow.
    lagged: bool,
    /// The text so far of the answers in flight at that moment.
    written: Vec<LiveFragment>,
}

impl Subscription {
    pub(crate) async fn open(
        shared: Arc<Shared>,
        registration: Arc<Registration>,
        after: u64,
        fragments: bool,
    ) -> Result<Self, EngineError> {
        // Subscribe first, then read the log: events in between are seen twice and dropped once, instead of
        // being missed.
        let (ear, written) = registration.subscribers.listen(fragments);
        let (waiting, gap) = (VecDeque::new(), Some(Gap { lagged: false, written }));
        let mut this = Self { shared, registration, ear, waiting, seen: after, fragments, gap };
        this.catch_up().await?;
        if let Some(fault) = this.shared.faults.of(&this.registration.id) {
            this.waiting.push_back(Notice::Problem(EngineError::Quarantined(fault)));
        }
        Ok(this)
    }

    /// The next notice; `None` when the meeting is over, or stops here, and everything was handed out.
    /// Dropping the future loses nothing.
    ///
    /// # Errors
    /// When the journal cannot be read; it may be asked again.
    pub async fn next(&mut self) -> Result<Option<Notice>, EngineError> {
        loop {
            if let Some(notice) = self.waiting.pop_front() {
                return Ok(Some(notice));
            }
            if self.gap.is_some() {
                self.catch_up().await?;
                continue;
            }
            let told = match self.ear.queue.try_recv() {
                Ok(told) => Some(told),
                Err(TryRecvError::Empty) if self.ear.behind.load(Ordering::Relaxed) => {
                    let written = self.registration.subscribers.resync(&self.ear, self.fragments);
                    self.gap = Some(Gap { lagged: true, written });
                    continue;
                }
                // The queue wakes this receiver when it fills from here on.
                Err(TryRecvError::Empty) => self.ear.queue.recv().await,
                Err(TryRecvError::Disconnected) => None,
            };
            match told {
                Some(QueueEntry::Event(record)) if record.event.seq <= self.seen => {}
                // A failed append was stored after all, and its loop ended before it knew: no subscriber was
                // told of it.
                Some(QueueEntry::Event(record)) if record.event.seq > self.seen + 1 => {
                    self.gap = Some(Gap::default());
                }
                Some(QueueEntry::Event(record)) => {
                    self.seen = record.event.seq;
                    return Ok(Some(Notice::Event(record)));
                }
                Some(QueueEntry::Fragment(fragment)) => return Ok(Some(Notice::Fragment(fragment))),
                Some(QueueEntry::Problem(error)) => return Ok(Some(Notice::Problem(error.as_ref().clone()))),
                None => {
                    self.gap = Some(Gap::default());
                    self.catch_up().await?;
                    if self.waiting.is_empty() {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// Reads the events that were not seen live. They go before the pieces of answers, which
    /// belong to turns that the events speak of. What fails, or is dropped, is done again.
    async fn catch_up(&mut self) -> Result<(), EngineError> {
        let missed = self.shared.journal.read(self.registration.id.clone(), self.seen).await?;
        let Some(Gap { lagged, mut written }) = self.gap.take() else { return Ok(()) };
        if lagged && self.fragments {
            self.waiting.push_back(Notice::Lagged);
        }
        for record in missed {
            if let EventBody::CallEnded { task, attempt, .. } = &record.event.body {
                written.retain(|piece| (piece.task, piece.attempt) != (*task, *attempt));
            }
            self.seen = record.event.seq;
            self.waiting.push_back(Notice::Event(record));
        }
        self.waiting.extend(written.into_iter().map(|piece| Notice::Fragment(Arc::new(piece))));
        Ok(())
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.registration.subscribers.leave(&self.ear, self.fragments);
        self.shared.registry.sweep(&self.registration);
    }
}
