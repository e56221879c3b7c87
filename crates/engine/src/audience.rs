//! Who listens to a meeting: events as they become durable, and answers while they are written.
//!
//! A listener that falls behind never holds the meeting up and never costs more than a fixed
//! buffer: what it missed of events it reads from the journal; what it missed of an answer's
//! pieces it gets whole when the answer is there.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use quorate_core::{MeetingId, ParticipantId, TaskId};
use tokio::sync::broadcast::{self, error::RecvError};

use crate::error::EngineError;
use crate::ports::{Fragment, FragmentKind, Journal, Record};

/// How many notices a listener may be behind before it reads from the journal.
const BUFFER: usize = 1024;

/// A piece of an answer while it is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveFragment {
    /// The task.
    pub task: TaskId,
    /// The attempt; pieces of another one begin anew.
    pub attempt: u32,
    /// Who writes; `None` is the facilitator.
    pub participant: Option<ParticipantId>,
    /// Whether it is part of the answer or of the reasoning before it.
    pub kind: FragmentKind,
    /// How many bytes of this kind came before it.
    pub offset: usize,
    /// The piece.
    pub text: String,
}

/// What a listener hears.
#[derive(Debug, Clone)]
pub enum Notice {
    /// A durable event.
    Event(Record),
    /// A piece of an answer; never stored.
    Fragment(Arc<LiveFragment>),
    /// The journal cannot be written at the moment; the meeting waits and tries again.
    Trouble(EngineError),
}

/// The audience of one meeting.
pub(crate) struct Audience {
    state: Mutex<State>,
    listening_to_fragments: AtomicUsize,
}

struct State {
    /// Gone when the meeting's loop has ended.
    notices: Option<broadcast::Sender<Notice>>,
    /// What has been written so far of each answer, by kind.
    so_far: BTreeMap<(TaskId, u32), SoFar>,
}

#[derive(Default)]
struct SoFar {
    participant: Option<ParticipantId>,
    answer: String,
    reasoning: String,
}

impl Audience {
    pub(crate) fn new() -> Self {
        let (notices, _) = broadcast::channel(BUFFER);
        let state = State { notices: Some(notices), so_far: BTreeMap::new() };
        Self { state: Mutex::new(state), listening_to_fragments: AtomicUsize::new(0) }
    }

    pub(crate) fn tell(&self, notice: Notice) {
        self.state().tell(notice);
    }

    /// The loop has ended; listeners hear what is left and then no more.
    pub(crate) fn close(&self) {
        self.state().notices = None;
    }

    /// Whether anybody wants to see answers while they are written.
    pub(crate) fn wants_fragments(&self) -> bool {
        self.listening_to_fragments.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn begin(&self, task: TaskId, attempt: u32, participant: Option<ParticipantId>) {
        let so_far = SoFar { participant, ..SoFar::default() };
        self.state().so_far.insert((task, attempt), so_far);
    }

    pub(crate) fn end(&self, task: TaskId, attempt: u32) {
        self.state().so_far.remove(&(task, attempt));
    }

    pub(crate) fn fragment(&self, task: TaskId, attempt: u32, fragment: Fragment) {
        let mut state = self.state();
        let Some(so_far) = state.so_far.get_mut(&(task, attempt)) else { return };
        let participant = so_far.participant;
        let text = match fragment.kind {
            FragmentKind::Answer => &mut so_far.answer,
            FragmentKind::Reasoning => &mut so_far.reasoning,
        };
        let Fragment { kind, text: piece } = fragment;
        let live = LiveFragment { task, attempt, participant, kind, offset: text.len(), text: piece };
        text.push_str(&live.text);
        // Told while the lock is held, so that whoever subscribes sees each piece once.
        state.tell(Notice::Fragment(Arc::new(live)));
    }

    /// Begins to listen, and hears what has been written so far.
    fn listen(&self, fragments: bool) -> (broadcast::Receiver<Notice>, VecDeque<Notice>) {
        let state = self.state();
        let mut written = VecDeque::new();
        if fragments {
            self.listening_to_fragments.fetch_add(1, Ordering::Relaxed);
            for ((task, attempt), so_far) in &state.so_far {
                let kinds =
                    [(FragmentKind::Reasoning, &so_far.reasoning), (FragmentKind::Answer, &so_far.answer)];
                for (kind, text) in kinds.into_iter().filter(|(_, text)| !text.is_empty()) {
                    written.push_back(Notice::Fragment(Arc::new(LiveFragment {
                        task: *task,
                        attempt: *attempt,
                        participant: so_far.participant,
                        kind,
                        offset: 0,
                        text: text.clone(),
                    })));
                }
            }
        }
        let live = match &state.notices {
            Some(notices) => notices.subscribe(),
            None => broadcast::channel(1).1, // closed from the start
        };
        (live, written)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl State {
    fn tell(&self, notice: Notice) {
        if let Some(notices) = &self.notices {
            // Nobody listening is no error.
            _ = notices.send(notice);
        }
    }
}

/// A listener: every event after a sequence number, without a hole and without a double, then
/// live; and the pieces of answers, beginning with what has been written so far.
pub struct Subscription {
    meeting: MeetingId,
    journal: Arc<dyn Journal>,
    audience: Arc<Audience>,
    live: broadcast::Receiver<Notice>,
    waiting: VecDeque<Notice>,
    /// The last event that was handed out or lies in `waiting`.
    seen: u64,
    fragments: bool,
}

impl Subscription {
    pub(crate) async fn open(
        meeting: MeetingId,
        journal: Arc<dyn Journal>,
        audience: Arc<Audience>,
        after: u64,
        fragments: bool,
    ) -> Result<Self, EngineError> {
        // First listen, then read what there is: what comes in between is seen twice and dropped
        // once, instead of being missed.
        let (live, waiting) = audience.listen(fragments);
        let mut this = Self { meeting, journal, audience, live, waiting, seen: after, fragments };
        this.catch_up().await?;
        Ok(this)
    }

    /// The next notice; `None` when the meeting's loop has ended and everything was handed out.
    pub async fn next(&mut self) -> Result<Option<Notice>, EngineError> {
        loop {
            if let Some(notice) = self.waiting.pop_front() {
                return Ok(Some(notice));
            }
            match self.live.recv().await {
                Ok(Notice::Event(record)) if record.event.seq <= self.seen => {}
                Ok(Notice::Event(record)) => {
                    self.seen = record.event.seq;
                    return Ok(Some(Notice::Event(record)));
                }
                Ok(Notice::Fragment(_)) if !self.fragments => {}
                Ok(notice) => return Ok(Some(notice)),
                Err(RecvError::Lagged(_)) => self.catch_up().await?,
                Err(RecvError::Closed) => {
                    self.catch_up().await?;
                    if self.waiting.is_empty() {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// Reads the events that were not seen live. They go before the pieces of answers, which
    /// belong to turns that the events speak of.
    async fn catch_up(&mut self) -> Result<(), EngineError> {
        let missed = self.journal.read(self.meeting.clone(), self.seen).await?;
        let pieces = std::mem::take(&mut self.waiting);
        for record in missed {
            self.seen = record.event.seq;
            self.waiting.push_back(Notice::Event(record));
        }
        self.waiting.extend(pieces);
        Ok(())
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if self.fragments {
            self.audience.listening_to_fragments.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
