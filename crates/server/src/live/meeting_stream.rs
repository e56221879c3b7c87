//! What all listeners of one meeting share: the frames of the last seconds, written once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use quorate_app::{LiveFragment, Record};
use quorate_contract::{EventBody, MeetingId};
use quorate_views::Moment;
use tokio::sync::{Notify, watch};

use super::frame::{EventFrame, TokenBatch};
use super::frame_buffer::{FrameBuffer, FrameEntry, MeetingProblem};
use super::in_progress::PartialAnswers;
use crate::problem::Problem;

/// What all listeners of one meeting share.
pub(super) struct MeetingStream {
    pub(super) meeting: MeetingId,
    state: Mutex<State>,
    /// Moves whenever there is something new.
    version: watch::Sender<u64>,
    /// How many listen, and how many of them want answers while they are written.
    pub(super) listeners: AtomicUsize,
    pub(super) watching: AtomicUsize,
    /// Notified when a listener comes or goes, and when the last one has left.
    pub(super) bell: Notify,
}

pub(super) struct State {
    pub(super) stage: StreamStage,
    pub(super) ring: FrameBuffer,
    /// The last event that was put into the ring, or happened before.
    pub(super) seq: u64,
    /// What hides something after that event.
    pub(super) moment: Moment,
    writing: PartialAnswers,
    /// What the journal has a problem with, as it was told last.
    problem: Option<Arc<MeetingProblem>>,
}

/// How far a stream is.
#[derive(Clone)]
pub(super) enum StreamStage {
    Starting,
    Live,
    /// It cannot begin.
    Failed(Box<Problem>),
    /// The meeting is over; nothing comes any more.
    Over,
    /// The meeting does not run here any more.
    Lost,
    /// The service stops.
    Stopping,
}

impl StreamStage {
    /// Whether listeners may stay who stand here when their source ends like `end`.
    pub(super) fn goes_on(&self, end: &Self) -> bool {
        match self {
            Self::Live => true,
            // Who has not begun is told what is wrong.
            Self::Starting => matches!(end, Self::Lost),
            Self::Failed(_) | Self::Over | Self::Lost | Self::Stopping => false,
        }
    }
}

/// Where a listener stands that begins now, or begins anew.
pub(super) struct ListenerStart {
    /// The last event that is not in the ring from here on.
    pub(super) seq: u64,
    /// What hides something after that event.
    pub(super) moment: Moment,
    /// Where in the ring it goes on.
    pub(super) place: u64,
    /// What was told so far of answers under way.
    pub(super) so_far: Arc<TokenBatch>,
    /// What the journal has a problem with.
    pub(super) problem: Option<Arc<MeetingProblem>>,
}

impl MeetingStream {
    pub(super) fn new(meeting: MeetingId) -> Self {
        let state = State {
            stage: StreamStage::Starting,
            ring: FrameBuffer::default(),
            seq: 0,
            moment: Moment::default(),
            writing: PartialAnswers::default(),
            problem: None,
        };
        Self {
            meeting,
            state: Mutex::new(state),
            version: watch::Sender::new(0),
            listeners: AtomicUsize::new(0),
            watching: AtomicUsize::new(0),
            bell: Notify::new(),
        }
    }

    /// Whether a new listener may begin here.
    pub(super) fn is_of_use(&self) -> bool {
        matches!(self.state().stage, StreamStage::Starting | StreamStage::Live | StreamStage::Over)
    }

    /// Hears of everything new.
    pub(super) fn news(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    pub(super) fn stage(&self) -> StreamStage {
        self.state().stage.clone()
    }

    /// Where a listener stands that begins now.
    pub(super) fn standing(&self) -> ListenerStart {
        let mut state = self.state();
        let so_far = state.writing.so_far();
        let problem = state.problem.clone();
        ListenerStart { seq: state.seq, moment: state.moment, place: state.ring.end(), so_far, problem }
    }

    /// What was told from a place on, at most so many, and how far the stream is when there is no more;
    /// `None` when it is not kept any more.
    pub(super) fn from(&self, place: u64, most: usize) -> Option<(Vec<FrameEntry>, StreamStage)> {
        let state = self.state();
        let told = state.ring.from(place, most)?.cloned().collect();
        Some((told, state.stage.clone()))
    }

    /// The service stops.
    pub(super) fn stop(&self) {
        self.ends(StreamStage::Stopping);
    }

    pub(super) fn ends(&self, stage: StreamStage) {
        {
            let mut state = self.state();
            state.stage = stage;
            state.writing.clear();
        }
        self.wake();
        self.bell.notify_one();
    }

    pub(super) fn wake(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    pub(super) fn is_left(&self) -> bool {
        self.listeners.load(Ordering::Relaxed) == 0
    }

    pub(super) fn is_watched(&self) -> bool {
        self.watching.load(Ordering::Relaxed) > 0
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Tells an event; false when one before it is missing.
    pub(super) fn tell(&self, record: Record, most: usize) -> bool {
        {
            let mut state = self.state();
            let seq = record.event.seq;
            if seq != state.seq + 1 {
                return seq <= state.seq;
            }
            state.tell_news(most);
            state.tell_relief(most);
            state.seq = seq;
            state.moment = state.moment.after(&record.event.body);
            state.believe(&record.event.body);
            let frame = EventFrame::of(&self.meeting, record, state.moment);
            state.ring.push(FrameEntry::Event(Arc::new(frame)), most);
        }
        self.wake();
        true
    }

    /// Takes a piece of an answer; false when one before it is missing.
    pub(super) fn take(&self, piece: &LiveFragment) -> bool {
        self.state().writing.take(piece)
    }

    /// Tells what has been written since.
    pub(super) fn tell_news(&self, most: usize) {
        if self.state().tell_news(most) {
            self.wake();
        }
    }

    /// Tells that the journal has a problem; once, however often it fails alike.
    pub(super) fn tell_problem(&self, problem: &Problem, most: usize) {
        let problem = Arc::new(MeetingProblem::of(problem));
        {
            let mut state = self.state();
            if state.problem.as_ref() == Some(&problem) {
                return;
            }
            state.problem = Some(Arc::clone(&problem));
            state.ring.push(FrameEntry::MeetingProblem(problem), most);
        }
        self.wake();
    }

    /// Tells that it has none any more.
    pub(super) fn tell_relief(&self, most: usize) {
        if self.state().tell_relief(most) {
            self.wake();
        }
    }
}

impl State {
    fn tell_news(&mut self, most: usize) -> bool {
        let batch = self.writing.news();
        let any = !batch.is_empty();
        if any {
            self.ring.push(FrameEntry::Tokens(Arc::new(batch)), most);
        }
        any
    }

    fn tell_relief(&mut self, most: usize) -> bool {
        let had_some = self.problem.take().is_some();
        if had_some {
            self.ring.push(FrameEntry::MeetingProblem(Arc::new(MeetingProblem::over())), most);
        }
        had_some
    }

    /// What an event means for what is under way.
    fn believe(&mut self, body: &EventBody) {
        match body {
            EventBody::CallEnded { task, attempt, .. } => self.writing.end(*task, *attempt),
            EventBody::Recovered { idle_ms: None } | EventBody::Finished { .. } => self.writing.clear(),
            _ => {}
        }
    }
}
