//! Whatever can answer a task.

use std::sync::{Arc, OnceLock};

use futures::future::BoxFuture;
use quorate_contract::{MeetingId, Outcome, Prompt, Retry, RunId, RunnerSpec, TaskId};

/// One call to be answered.
#[derive(Debug, Clone)]
pub struct Request {
    /// The meeting that asks.
    pub meeting: MeetingId,
    /// The run of it that asks.
    pub run: RunId,
    /// Which task of which attempt this is: for logs, and for an idempotency key.
    pub task: TaskId,
    /// Counted from 1.
    pub attempt: u32,
    /// `meeting/task#attempt`, the same whenever the same attempt is sent again.
    pub idempotency_key: String,
    /// What answers: the model and its parameters, or the temperament.
    pub runner: RunnerSpec,
    /// What it reads.
    pub prompt: Prompt,
    /// How long the answer may take; the engine cuts the call off after it.
    pub timeout_ms: u64,
    /// Who is told of requests that are sent again.
    pub retries: RetrySink,
}

/// Where a runner tells of requests that brought no answer and that it sends again, each an event of
/// the meeting. Cheap to clone; never blocks.
#[derive(Clone)]
pub struct RetrySink(Option<Arc<dyn Fn(Retry) + Send + Sync>>);

impl RetrySink {
    /// Hands each to `listener`.
    pub fn new(listener: impl Fn(Retry) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listener)))
    }
    /// Nobody is told.
    pub fn nobody() -> Self {
        Self(None)
    }
    /// Tells of one.
    pub fn tell(&self, retry: Retry) {
        if let Some(listener) = &self.0 {
            listener(retry);
        }
    }
}

impl std::fmt::Debug for RetrySink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "RetrySink(told)" } else { "RetrySink(nobody)" })
    }
}

/// Whether a fragment belongs to the answer or to the thinking before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FragmentKind {
    /// Part of the answer.
    Answer,
    /// Part of the reasoning.
    Reasoning,
}

/// A piece of an answer while it is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fragment {
    /// Where it belongs.
    pub kind: FragmentKind,
    /// The piece.
    pub text: String,
}

/// Where a runner puts the pieces of its answer as they come. Cheap to clone; never blocks.
///
/// A model is asked to stream only when somebody watches, for pieces cost many times what a whole
/// answer does. That is decided once for a call, when its runner first asks
/// [`is_heard`](Self::is_heard), which is after it has waited for its turn: pieces that begin in the
/// middle would be of no use. Whoever comes later reads what was put by then, or, if nothing was, the
/// whole answer, and sees the next one live.
#[derive(Clone)]
pub struct FragmentSink(Option<Arc<Stage>>);

/// What lies behind a sink.
struct Stage {
    listener: Box<dyn Fn(Fragment) + Send + Sync>,
    wanted: Box<dyn Fn() -> bool + Send + Sync>,
    heard: OnceLock<bool>,
}

impl FragmentSink {
    /// Hands each piece to `listener`.
    pub fn new(listener: impl Fn(Fragment) + Send + Sync + 'static) -> Self {
        Self::when(|| true, listener)
    }
    /// Hands each piece to `listener`. Whether pieces are wanted is asked once, as late as can be.
    pub fn when(
        wanted: impl Fn() -> bool + Send + Sync + 'static,
        listener: impl Fn(Fragment) + Send + Sync + 'static,
    ) -> Self {
        let (listener, wanted) = (Box::new(listener), Box::new(wanted));
        Self(Some(Arc::new(Stage { listener, wanted, heard: OnceLock::new() })))
    }
    /// Nobody listens; a runner then need not ask its model to stream.
    pub fn nobody() -> Self {
        Self(None)
    }
    /// Whether anybody listens. What is said first holds for the whole call.
    pub fn is_heard(&self) -> bool {
        self.0.as_ref().is_some_and(|stage| *stage.heard.get_or_init(|| (stage.wanted)()))
    }
    /// Puts a piece of the answer.
    pub fn answer(&self, text: impl Into<String>) {
        self.put(Fragment { kind: FragmentKind::Answer, text: text.into() });
    }
    /// Puts a piece of the reasoning.
    pub fn reasoning(&self, text: impl Into<String>) {
        self.put(Fragment { kind: FragmentKind::Reasoning, text: text.into() });
    }
    /// Puts a piece.
    pub fn put(&self, fragment: Fragment) {
        if let Some(stage) = &self.0
            && !fragment.text.is_empty()
        {
            (stage.listener)(fragment);
        }
    }
}

impl std::fmt::Debug for FragmentSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "FragmentSink(attached)" } else { "FragmentSink(nobody)" })
    }
}

/// Answers tasks. Dropping the future of [`run`](Runner::run) cancels the call.
pub trait Runner: Send + Sync {
    /// Waits until this runner may start one more call; the call's time begins after it.
    /// The permit is held for as long as the call runs.
    fn admit(&self) -> BoxFuture<'_, Option<tokio::sync::OwnedSemaphorePermit>> {
        Box::pin(async { None })
    }

    /// Waits until this request may be sent, by the limits of whoever answers; its time begins after it.
    /// Called once it is admitted and directly before [`run`](Runner::run).
    fn ready<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, ()> {
        let _ = request;
        Box::pin(std::future::ready(()))
    }

    /// For how long it would not even pass a request on, because whoever answers behind it failed too often; `None`
    /// when it would.
    fn rests(&self) -> Option<std::time::Duration> {
        None
    }

    /// Answers one request. Never panics on what a model says; every trouble is an [`Outcome`].
    fn run(&self, request: Request, sink: FragmentSink) -> BoxFuture<'_, Outcome>;
}

/// Finds the runner for a participant.
pub trait RunnerDirectory: Send + Sync {
    /// The runner that answers for this specification; what cannot be found is answered by a
    /// runner that says so (`FailureKind::NotConfigured` with a hint).
    fn find(&self, spec: &RunnerSpec) -> Arc<dyn Runner>;
}
