//! Subscribers of a meeting: events as they become durable, and answers while they are generated.
//!
//! A slow subscriber never holds up the meeting and never costs more than a bounded queue. Missed events are
//! read from the journal, and of answers in flight it gets the text so far once more. An empty queue costs
//! next to nothing, and so does a meeting without subscribers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use quorate_contract::{ParticipantId, TaskId};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::error::EngineError;
use crate::ports::{Fragment, FragmentKind, Record};
use crate::stats::Counters;

/// The number of notices that may wait for one subscriber before it is told that it has missed some.
const QUEUE: usize = 256;

/// A piece of an answer while it is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveFragment {
    /// The task.
    pub task: TaskId,
    /// The attempt; fragments of another one start again at 0.
    pub attempt: u32,
    /// The participant; `None` is the facilitator.
    pub participant: Option<ParticipantId>,
    /// Whether it is part of the answer or of the reasoning before it.
    pub kind: FragmentKind,
    /// The number of bytes of this kind before this fragment. A fragment at 0 holds the whole text so far: it
    /// replaces all earlier fragments of this attempt and kind.
    pub offset: usize,
    /// The text.
    pub text: String,
}

/// A notice to a subscriber.
#[derive(Debug, Clone)]
pub enum Notice {
    /// A durable event.
    Event(Record),
    /// A piece of an answer; never stored.
    Fragment(Arc<LiveFragment>),
    /// The subscriber was too slow and has missed fragments. The missed events come next, then each answer in
    /// flight from its beginning.
    Lagged,
    /// The journal cannot be written at the moment; the meeting waits and tries again.
    Problem(EngineError),
}

/// An entry in a subscriber's queue. Small, because a queue allocates some of them from the start.
#[derive(Clone)]
pub(crate) enum QueueEntry {
    Event(Record),
    Fragment(Arc<LiveFragment>),
    Problem(Arc<EngineError>),
}

/// The subscribers of one meeting. They outlive the meeting's loop: a subscription continues while the
/// meeting is unloaded and loaded again.
pub(crate) struct Subscribers {
    state: Mutex<State>,
    watching: AtomicUsize,
    counters: Arc<Counters>,
}

#[derive(Default)]
struct State {
    closed: bool,
    listeners: Vec<Listener>,
    /// The text so far of each answer, by kind.
    so_far: BTreeMap<(TaskId, u32), PartialAnswer>,
}

struct Listener {
    queue: mpsc::Sender<QueueEntry>,
    fragments: bool,
    /// Set when its queue was full; until it is cleared, nothing more is put there.
    behind: Arc<AtomicBool>,
}

#[derive(Default)]
struct PartialAnswer {
    participant: Option<ParticipantId>,
    answer: String,
    reasoning: String,
}

/// A subscriber's end of its queue.
pub(crate) struct SubscriberQueue {
    pub(crate) queue: mpsc::Receiver<QueueEntry>,
    pub(crate) behind: Arc<AtomicBool>,
}

impl Subscribers {
    pub(crate) fn new(counters: Arc<Counters>) -> Self {
        Self { state: Mutex::default(), watching: AtomicUsize::new(0), counters }
    }

    /// Publishes a durable event.
    pub(crate) fn tell(&self, record: Record) {
        self.state().tell(&QueueEntry::Event(record));
    }

    /// Publishes an error of the journal.
    pub(crate) fn warn(&self, error: EngineError) {
        self.state().tell(&QueueEntry::Problem(Arc::new(error)));
    }

    /// Closes the subscriptions of an ended or stopped meeting; subscribers get what is left.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.listeners.clear();
    }

    /// Publishes that the meeting's loop has failed: the text so far of answers in flight is void.
    /// Subscribers stay.
    pub(crate) fn break_off(&self) {
        self.state().so_far.clear();
    }

    /// The number of subscribers.
    pub(crate) fn listeners(&self) -> usize {
        self.state().listeners.len()
    }

    /// Whether any subscriber wants fragments of answers.
    pub(crate) fn is_watching(&self) -> bool {
        self.watching.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn begin(&self, task: TaskId, attempt: u32, participant: Option<ParticipantId>) {
        let so_far = PartialAnswer { participant, ..PartialAnswer::default() };
        self.state().so_far.insert((task, attempt), so_far);
    }

    pub(crate) fn end(&self, task: TaskId, attempt: u32) {
        self.state().so_far.remove(&(task, attempt));
    }

    pub(crate) fn fragment(&self, task: TaskId, attempt: u32, fragment: Fragment) {
        let mut state = self.state();
        let Some(so_far) = state.so_far.get_mut(&(task, attempt)) else { return };
        let participant = so_far.participant;
        let Fragment { kind, text: piece } = fragment;
        let text = match kind {
            FragmentKind::Answer => &mut so_far.answer,
            FragmentKind::Reasoning => &mut so_far.reasoning,
        };
        let offset = text.len();
        text.push_str(&piece);
        self.counters.fragment();
        if self.is_watching() {
            // Published while the lock is held, so that a new subscriber sees each fragment once.
            let live = LiveFragment { task, attempt, participant, kind, offset, text: piece };
            state.tell(&QueueEntry::Fragment(Arc::new(live)));
        }
    }

    /// Subscribes, and returns the text so far.
    pub(crate) fn listen(&self, fragments: bool) -> (SubscriberQueue, Vec<LiveFragment>) {
        let mut state = self.state();
        let (sender, queue) = mpsc::channel(QUEUE);
        let behind = Arc::new(AtomicBool::new(false));
        if !state.closed {
            let behind = Arc::clone(&behind);
            state.listeners.push(Listener { queue: sender, fragments, behind });
        }
        self.counters.listeners(1);
        if fragments {
            self.watching.fetch_add(1, Ordering::Relaxed);
        }
        let written = if fragments { state.written() } else { Vec::new() };
        (SubscriberQueue { queue, behind }, written)
    }

    /// Lets a subscriber that fell behind continue, from the text so far.
    pub(crate) fn resync(&self, ear: &SubscriberQueue, fragments: bool) -> Vec<LiveFragment> {
        let state = self.state();
        ear.behind.store(false, Ordering::Relaxed);
        if fragments { state.written() } else { Vec::new() }
    }

    /// Removes a subscriber.
    pub(crate) fn leave(&self, ear: &SubscriberQueue, fragments: bool) {
        self.state().listeners.retain(|listener| !Arc::ptr_eq(&listener.behind, &ear.behind));
        self.counters.listeners(-1);
        if fragments {
            self.watching.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl State {
    fn tell(&self, told: &QueueEntry) {
        let piece = matches!(told, QueueEntry::Fragment(_));
        for listener in self.listeners.iter().filter(|listener| listener.fragments || !piece) {
            // Flags are read and written under the lock alone; the queue orders what its reader sees.
            if listener.behind.load(Ordering::Relaxed) {
                continue;
            }
            if let Err(TrySendError::Full(_)) = listener.queue.try_send(told.clone()) {
                listener.behind.store(true, Ordering::Relaxed);
            }
        }
    }

    /// The text so far of all answers in flight.
    fn written(&self) -> Vec<LiveFragment> {
        let mut written = Vec::new();
        for ((task, attempt), so_far) in &self.so_far {
            let kinds =
                [(FragmentKind::Reasoning, &so_far.reasoning), (FragmentKind::Answer, &so_far.answer)];
            for (kind, text) in kinds.into_iter().filter(|(_, text)| !text.is_empty()) {
                let (task, attempt, participant) = (*task, *attempt, so_far.participant);
                let text = text.clone();
                written.push(LiveFragment { task, attempt, participant, kind, offset: 0, text });
            }
        }
        written
    }
}
