//! The hubs of all meetings that somebody listens to: each begins with its first listener and ends with its last.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};

use quorate_app::EngineError;
use quorate_contract::MeetingId;
use tokio::sync::watch;

use super::meeting_stream::MeetingStream;
use super::options::LiveOptions;
use crate::problem::Problem;

/// All that is told by this process.
pub(crate) struct StreamRegistry {
    options: LiveOptions,
    state: Mutex<State>,
    stopping: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    hubs: HashMap<MeetingId, Arc<MeetingStream>>,
    /// The service stops; there are no new listeners.
    stopping: bool,
}

impl StreamRegistry {
    pub(crate) fn new(options: LiveOptions) -> Self {
        Self { options, state: Mutex::default(), stopping: watch::Sender::new(false) }
    }

    pub(crate) fn options(&self) -> &LiveOptions {
        &self.options
    }

    /// All listeners are told that the service stops.
    pub(crate) fn stop(&self) {
        let hubs = {
            let mut state = self.state();
            state.stopping = true;
            std::mem::take(&mut state.hubs)
        };
        for hub in hubs.into_values() {
            hub.stop();
        }
        self.stopping.send_replace(true);
    }

    /// Turns true when the service stops.
    pub(super) fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl StreamRegistry {
    /// The hub of a meeting, with one listener more.
    ///
    /// `follow` has a hub that is new hear its meeting.
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
        let known = state.hubs.get(meeting).filter(|hub| hub.is_of_use()).cloned();
        let hub = known.unwrap_or_else(|| {
            let hub = Arc::new(MeetingStream::new(meeting.clone()));
            state.hubs.insert(meeting.clone(), Arc::clone(&hub));
            follow(Arc::clone(&hub));
            hub
        });
        hub.listeners.fetch_add(1, Ordering::Relaxed);
        if fragments && hub.watching.fetch_add(1, Ordering::Relaxed) == 0 {
            hub.bell.notify_one();
        }
        Ok(hub)
    }

    /// A listener has gone; the last one takes the hub along.
    pub(super) fn leave(&self, hub: &Arc<MeetingStream>, fragments: bool) {
        let mut state = self.state();
        let last = hub.listeners.fetch_sub(1, Ordering::Relaxed) == 1;
        let unwatched = fragments && hub.watching.fetch_sub(1, Ordering::Relaxed) == 1;
        if last && state.hubs.get(&hub.meeting).is_some_and(|known| Arc::ptr_eq(known, hub)) {
            state.hubs.remove(&hub.meeting);
        }
        if last || unwatched {
            hub.bell.notify_one();
        }
    }
}
