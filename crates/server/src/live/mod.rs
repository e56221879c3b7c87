//! What is told as it happens: events without a hole and without a double, and answers while they are
//! written.
//!
//! One hub per meeting listens to the engine, writes each frame once and keeps the last seconds of
//! them; every listener reads from there at its own pace and costs next to nothing while nothing
//! happens. Whoever falls behind reads events from the log, and is given answers under way from their
//! beginning. `sse` and `socket` are two doors to the same listener.

mod frame;
mod hub;
mod listener;
mod options;
mod past;
mod plain;
mod ring;
mod room;
mod socket;
mod sse;
mod write_timeout;
mod writing;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use hub::Hub;
use quorate_contract::MeetingId;
use tokio::sync::watch;
use utoipa_axum::router::OpenApiRouter;

use crate::state::ServerState;
pub use options::LiveOptions;
pub use write_timeout::WriteTimeout;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().merge(sse::routes()).merge(socket::routes())
}

/// All that is told by this process.
pub(crate) struct Live {
    options: LiveOptions,
    state: Mutex<State>,
    stopping: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    hubs: HashMap<MeetingId, Arc<Hub>>,
    /// The service stops; nobody begins to listen any more.
    stopping: bool,
}

impl Live {
    pub(crate) fn new(options: LiveOptions) -> Self {
        Self { options, state: Mutex::default(), stopping: watch::Sender::new(false) }
    }

    pub(crate) fn options(&self) -> &LiveOptions {
        &self.options
    }

    /// Everybody who listens is told that the service stops, and hears no more.
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
    fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
