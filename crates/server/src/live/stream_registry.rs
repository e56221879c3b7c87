//! The streams of all meetings that somebody listens to: each begins with its first listener and ends with its last.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use quorate_app::EngineError;
use quorate_contract::MeetingId;
use tokio::sync::watch;

use super::load::LiveLoad;
use super::meeting_stream::MeetingStream;
use super::options::LiveOptions;
use crate::problem::Problem;

/// All that is told by this process.
pub(crate) struct StreamRegistry {
    options: LiveOptions,
    load: LiveLoad,
    state: Mutex<State>,
    stopping: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    streams: HashMap<MeetingId, Arc<MeetingStream>>,
    /// The service stops; there are no new listeners.
    stopping: bool,
}

impl StreamRegistry {
    pub(crate) fn new(options: LiveOptions) -> Self {
        Self { options, load: LiveLoad::new(), state: Mutex::default(), stopping: watch::Sender::new(false) }
    }

    pub(crate) fn options(&self) -> &LiveOptions {
        &self.options
    }

    /// Counts a piece of an answer for so many listeners; the least time between two frames of their meeting.
    pub(super) fn frame_after_piece(&self, listeners: usize) -> Duration {
        self.options.frame_for(listeners, self.load.count(listeners))
    }

    /// All listeners are told that the service stops.
    pub(crate) fn stop(&self) {
        let streams = {
            let mut state = self.state();
            state.stopping = true;
            std::mem::take(&mut state.streams)
        };
        for stream in streams.into_values() {
            stream.stop();
        }
        self.stopping.send_replace(true);
    }

    /// Turns true when the service stops.
    pub(crate) fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl StreamRegistry {
    /// The stream of a meeting, with one listener more.
    ///
    /// `follow` has a stream that is new hear its meeting.
    pub(super) fn enter(
        &self,
        meeting: &MeetingId,
        fragments: bool,
        follow: impl FnOnce(Arc<MeetingStream>),
    ) -> Result<Arc<MeetingStream>, Problem> {
        let mut state = self.state();
        if state.stopping {
            return Err(Problem::from(EngineError::Gone));
        }
        let known = state.streams.get(meeting).filter(|stream| stream.is_of_use()).cloned();
        let stream = known.unwrap_or_else(|| {
            let stream = Arc::new(MeetingStream::new(meeting.clone()));
            state.streams.insert(meeting.clone(), Arc::clone(&stream));
            follow(Arc::clone(&stream));
            stream
        });
        stream.listeners.fetch_add(1, Ordering::Relaxed);
        if fragments && stream.watching.fetch_add(1, Ordering::Relaxed) == 0 {
            stream.bell.notify_one();
        }
        Ok(stream)
    }

    /// A listener has gone; the last one takes the stream along.
    pub(super) fn leave(&self, stream: &Arc<MeetingStream>, fragments: bool) {
        let mut state = self.state();
        let last = stream.listeners.fetch_sub(1, Ordering::Relaxed) == 1;
        let unwatched = fragments && stream.watching.fetch_sub(1, Ordering::Relaxed) == 1;
        if last && state.streams.get(&stream.meeting).is_some_and(|known| Arc::ptr_eq(known, stream)) {
            state.streams.remove(&stream.meeting);
        }
        if last || unwatched {
            stream.bell.notify_one();
        }
    }
}
