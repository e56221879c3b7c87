//! A listener of a meeting, at its own pace.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use quorate_contract::MeetingId;
use quorate_messages::message;
use quorate_views::Moment;
use tokio::sync::watch;

use super::follow::enter;
use super::frame::{EventFrame, TokenBatch};
use super::frame_buffer::{FrameEntry, MeetingProblem};
use super::history;
use super::meeting_stream::{ListenerStart, MeetingStream, StreamStage};
use crate::problem::Problem;
use crate::state::ServerState;

/// How many frames are taken from the stream at a time.
const AT_ONCE: usize = 32;

/// How soon an event that is in the database is known at every node.
const KNOWN_WITHIN: Duration = Duration::from_secs(3);

/// What a listener hears.
pub(crate) enum ListenerEvent {
    /// A durable event.
    Event(Arc<EventFrame>),
    /// Pieces of answers.
    Tokens(Arc<TokenBatch>),
    /// Pieces of answers were lost; those under way come again from their beginning. With the last
    /// event that was heard.
    Resync(u64),
    /// The journal has a problem, or has it no longer.
    MeetingProblem(Arc<MeetingProblem>),
    /// The meeting is over and everything was heard.
    Over,
    /// The meeting does not run here any more; it may be listened to again.
    Lost,
    /// The service stops.
    Stopping,
}

/// Hears every event after a sequence number, without a hole and without a double, then live; and the
/// pieces of answers, beginning with what has been written so far.
pub(crate) struct Listener {
    server: ServerState,
    stream: Arc<MeetingStream>,
    news: watch::Receiver<u64>,
    fragments: bool,
    /// The last event that was handed out.
    seen: u64,
    /// Where it is in the stream's ring.
    place: u64,
    gap: Option<Gap>,
    waiting: VecDeque<ListenerEvent>,
}

/// What has to be read before the stream is listened to.
struct Gap {
    /// Events up to this one.
    to: u64,
    /// What hides something after that one.
    moment: Moment,
}

impl Listener {
    /// Begins to listen after an event; `None` begins after the last one that there is.
    pub(crate) async fn begin(
        server: &ServerState,
        meeting: &MeetingId,
        after: Option<u64>,
        fragments: bool,
    ) -> Result<Self, Problem> {
        let stream = enter(server, meeting, fragments)?;
        let (news, server) = (stream.news(), server.clone());
        let waiting = VecDeque::new();
        // From here on its end is counted, whatever happens.
        let mut this = Self { server, stream, news, fragments, seen: 0, place: 0, gap: None, waiting };
        loop {
            this.news.borrow_and_update();
            match this.stream.stage() {
                StreamStage::Starting => _ = this.news.changed().await,
                StreamStage::Failed(problem) => return Err(*problem),
                StreamStage::Live | StreamStage::Over | StreamStage::Lost | StreamStage::Stopping => break,
            }
        }
        let mut last = this.join();
        this.seen = after.unwrap_or(last);
        // Another node may have told of an event that is not known here yet.
        if this.seen > last && this.server.node_id().is_some() {
            _ = tokio::time::timeout(KNOWN_WITHIN, this.reach(this.seen)).await;
            last = this.join();
        }
        if this.seen > last {
            let seen = this.seen;
            let detail = message!("server-beyond-last-event", %seen, %last);
            return Err(Problem::invalid("after", detail, message!("server-beyond-last-event-hint")));
        }
        Ok(this)
    }

    /// Waits until the stream knows of an event.
    async fn reach(&mut self, seq: u64) {
        while self.stream.standing().seq < seq && self.news.changed().await.is_ok() {}
    }

    /// From here on reads the log first; returns the last event that there is.
    fn join(&mut self) -> u64 {
        let ListenerStart { seq, moment, .. } = self.stream.standing();
        self.gap = Some(Gap { to: seq, moment });
        seq
    }

    /// What comes next. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Result<ListenerEvent, Problem> {
        loop {
            if let Some(heard) = self.waiting.pop_front() {
                if let ListenerEvent::Event(frame) = &heard {
                    self.seen = frame.seq;
                }
                return Ok(heard);
            }
            if self.gap.is_some() {
                self.catch_up().await?;
                continue;
            }
            self.news.borrow_and_update();
            let Some((told, stage)) = self.stream.from(self.place, AT_ONCE) else {
                self.join();
                if self.fragments {
                    return Ok(ListenerEvent::Resync(self.seen));
                }
                continue;
            };
            if !told.is_empty() {
                self.hear(told);
                continue;
            }
            match stage {
                StreamStage::Over => return Ok(ListenerEvent::Over),
                StreamStage::Lost | StreamStage::Failed(_) => return Ok(ListenerEvent::Lost),
                StreamStage::Stopping => return Ok(ListenerEvent::Stopping),
                StreamStage::Starting | StreamStage::Live => _ = self.news.changed().await,
            }
        }
    }

    /// Whether something can be handed out at once.
    pub(crate) fn has_more(&self) -> bool {
        !self.waiting.is_empty()
    }

    fn hear(&mut self, told: Vec<FrameEntry>) {
        self.place += told.len() as u64;
        for told in told {
            match told {
                FrameEntry::Event(frame) if frame.seq > self.seen => {
                    self.waiting.push_back(ListenerEvent::Event(frame))
                }
                FrameEntry::Event(_) => {}
                FrameEntry::Tokens(batch) if self.fragments => {
                    self.waiting.push_back(ListenerEvent::Tokens(batch))
                }
                FrameEntry::Tokens(_) => {}
                FrameEntry::MeetingProblem(problem) => {
                    self.waiting.push_back(ListenerEvent::MeetingProblem(problem))
                }
            }
        }
    }

    /// Reads some of the events that were not heard live, then what is written of answers under way.
    async fn catch_up(&mut self) -> Result<(), Problem> {
        let Some(gap) = &self.gap else { return Ok(()) };
        if self.seen < gap.to {
            let meeting = &self.stream.meeting;
            let page = history::page(&self.server, meeting, self.seen).await?;
            let (to, moment) = (gap.to, gap.moment);
            for (seq, line) in page.into_iter().filter(|(seq, _)| *seq <= to) {
                let frame = EventFrame::read(meeting, seq, line, moment);
                self.waiting.push_back(ListenerEvent::Event(Arc::new(frame)));
            }
            if self.waiting.is_empty() {
                return Err(Problem::from(quorate_app::EngineError::Gone)); // deleted meanwhile
            }
            return Ok(());
        }
        // What was told while it read, it reads as well: so it holds nothing back while it is slow.
        let ListenerStart { seq, moment, place, so_far, problem } = self.stream.standing();
        if seq > self.seen {
            self.gap = Some(Gap { to: seq, moment });
            return Ok(());
        }
        (self.place, self.gap) = (place, None);
        if self.fragments {
            self.waiting.push_back(ListenerEvent::Tokens(so_far));
        }
        self.waiting.extend(problem.map(ListenerEvent::MeetingProblem));
        Ok(())
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.server.live().leave(&self.stream, self.fragments);
    }
}
