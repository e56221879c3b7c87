//! Processes of one runner: places for its calls, the tasks that supervise what runs, and their end. Shared by processes
//! and coding agents.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quorate_contract::{Failure, FailureKind, Phrase};
use quorate_messages::message;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

use super::child::StderrTail;
use super::failure::{first_of, last_of};
use crate::model::redact::Secrets;

/// How long [`Pool::close`] waits: stdin closed, SIGTERM, SIGKILL, and a reserve.
const CLOSING: Duration = Duration::from_secs(6);
/// The most characters of a failure, and of what a program wrote to stderr before it.
const SHOWN_MAX_CHARS: usize = 300;

/// What runs for one runner. `R` says how it is reached.
pub(crate) struct Pool<R> {
    permits: Arc<Semaphore>,
    state: Mutex<PoolState<R>>,
}

/// What is reached, and the tasks that supervise it.
#[derive(Default)]
pub(crate) struct PoolState<R> {
    pub(crate) running: R,
    workers: JoinSet<()>,
}

impl<R> PoolState<R> {
    /// Supervises something that was started; tasks that are over are forgotten.
    pub(crate) fn supervise(&mut self, work: impl Future<Output = ()> + Send + 'static) {
        while self.workers.try_join_next().is_some() {}
        self.workers.spawn(work);
    }
}

impl<R: Default> Pool<R> {
    /// A pool with so many places for calls.
    pub(crate) fn new(permits: usize) -> Self {
        let state = PoolState { running: R::default(), workers: JoinSet::new() };
        Self { permits: Arc::new(Semaphore::new(permits)), state: Mutex::new(state) }
    }

    /// A place for a call.
    pub(crate) async fn admit(&self) -> Option<OwnedSemaphorePermit> {
        self.permits.clone().acquire_owned().await.ok()
    }

    /// What runs now.
    pub(crate) fn state(&self) -> MutexGuard<'_, PoolState<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets everything end in peace: what answers finishes first, up to a few seconds.
    pub(crate) async fn close(&self) {
        let mut workers = {
            let mut state = self.state();
            state.running = R::default();
            std::mem::take(&mut state.workers)
        };
        let all = async { while workers.join_next().await.is_some() {} };
        // What is left is killed with its worker.
        _ = tokio::time::timeout(CLOSING, all).await;
    }
}

impl<R> Drop for Pool<R> {
    fn drop(&mut self) {
        // The processes end gracefully, as long as their workers run.
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner).workers.detach_all();
    }
}

/// The failure of a program as people read it: without keys, and with the end of its stderr where that explains it.
pub(crate) fn failure_of(
    process: &str,
    secrets: &Secrets,
    (kind, detail, hint): (FailureKind, Phrase, Phrase),
    stderr: Option<&StderrTail>,
    latency_ms: u64,
) -> Failure {
    let said = stderr.map(|tail| last_of(&secrets.redact_quotes(tail.text()), SHOWN_MAX_CHARS));
    let clean = |text: String| first_of(&secrets.redact_quotes(text), SHOWN_MAX_CHARS);
    let failure = detail.map(clean);
    let detail = match said.filter(|said| !said.is_empty()) {
        None => message!("failure-process", process, failure),
        Some(stderr) => message!("failure-process-stderr", process, failure, stderr),
    };
    Failure {
        kind,
        detail: detail.into(),
        hint: hint.map(clean),
        // The usage is unknown. Where the program cannot have been called, the meeting knows it by the kind.
        usage: None,
        latency_ms,
        doubtful: false,
        window: None,
        request_id: None,
    }
}
