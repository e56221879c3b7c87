//! Runners, which answer calls.

use std::sync::{Arc, OnceLock};

use futures::future::BoxFuture;
use quorate_contract::{
    Action, MeetingId, Outcome, Prompt, PromptImage, Retry, RunId, RunnerSpec, TaskId, ToolFailureKind,
    ToolOutcome, ToolRun, UnusableTools,
};
use tokio::sync::oneshot;

/// One call of a runner.
#[derive(Debug, Clone)]
pub struct Request {
    /// The meeting that asks.
    pub meeting: MeetingId,
    /// The run of it that asks.
    pub run: RunId,
    /// Which task of which attempt this is: for logs, and for an idempotency key.
    pub task: TaskId,
    /// The attempt, counted from 1.
    pub attempt: u32,
    /// `meeting/task#attempt`, the same whenever the same attempt is sent again.
    pub idempotency_key: String,
    /// The runner: the model and its parameters, or the temperament.
    pub runner: RunnerSpec,
    /// The prompt.
    pub prompt: Prompt,
    /// The time limit of the answer; the engine cancels the call after it.
    pub timeout_ms: u64,
    /// The sink for retries within the call.
    pub retries: RetrySink,
    /// The sink for what an agent reads and runs within the call.
    pub actions: ActionSink,
    /// The tools that the prompt offers.
    pub tools: Arc<[ToolDefinition]>,
    /// The images that the prompt shows, for a runner that takes any ([`Runner::takes_images`]). One whose content
    /// is not here is missing.
    pub images: Arc<[LoadedImage]>,
}

/// An image as a model is given it.
#[derive(Clone, PartialEq, Eq)]
pub struct LoadedImage {
    /// The SHA-256 of the file that it was made from, in hexadecimal.
    pub sha256: String,
    /// `image/png` or `image/jpeg`.
    pub media_type: &'static str,
    /// The content in base64.
    pub base64: Arc<str>,
}

impl std::fmt::Debug for LoadedImage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LoadedImage({}, {}, {} characters)", self.sha256, self.media_type, self.base64.len())
    }
}

/// The sink to which a runner reports what an agent reads and runs. Each report becomes an event of the meeting. Cheap
/// to clone; never blocks.
#[derive(Clone)]
pub struct ActionSink(Option<Arc<dyn Fn(Action) + Send + Sync>>);

impl ActionSink {
    /// A sink that passes each report to `listener`.
    pub fn new(listener: impl Fn(Action) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listener)))
    }
    /// A sink that ignores reports.
    pub fn nobody() -> Self {
        Self(None)
    }
    /// Reports an action.
    pub fn tell(&self, action: Action) {
        if let Some(listener) = &self.0 {
            listener(action);
        }
    }
}

impl std::fmt::Debug for ActionSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "ActionSink(told)" } else { "ActionSink(nobody)" })
    }
}

/// A tool as a model is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDefinition {
    /// The name, which begins with the name of its source: letters, digits, `_` and `-`, at most 64.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its arguments: an object.
    pub parameters: serde_json::Value,
    /// Whether it can change something.
    pub effects: bool,
}

/// The tools that sources offer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OfferedTools {
    /// The tools.
    pub tools: Vec<ToolDefinition>,
    /// The sources of which no tool can be called, and why.
    pub unusable: Vec<UnusableTools>,
}

/// The sink to which a runner reports each request that brought no answer and that it sends again. Each
/// report becomes an event of the meeting. Cheap to clone.
#[derive(Clone)]
pub struct RetrySink(Option<Arc<RetryListener>>);

/// Takes a report, and says when it has been recorded.
type RetryListener = dyn Fn(Retry, oneshot::Sender<()>) + Send + Sync;

impl RetrySink {
    /// A sink that passes each report to `listener`, which says when it has been recorded, or drops what it would say it with.
    pub fn new(listener: impl Fn(Retry, oneshot::Sender<()>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listener)))
    }
    /// A sink that ignores reports.
    pub fn nobody() -> Self {
        Self(None)
    }
    /// Passes on a report of which somebody else waits to hear that it has been recorded.
    pub fn pass(&self, retry: Retry, recorded: oneshot::Sender<()>) {
        if let Some(listener) = &self.0 {
            listener(retry, recorded);
        }
    }

    /// Reports a retry, and waits until it has been recorded: the next request is sent only then, because the meeting may end the
    /// call at the report, when its budget has no room for another request.
    pub async fn tell(&self, retry: Retry) {
        if let Some(listener) = &self.0 {
            let (recorded, is_recorded) = oneshot::channel();
            listener(retry, recorded);
            // Where nobody records it, nobody ends the call.
            _ = is_recorded.await;
        }
    }
}

impl std::fmt::Debug for RetrySink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "RetrySink(told)" } else { "RetrySink(nobody)" })
    }
}

/// Whether a fragment belongs to the answer or to the reasoning before it.
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
    /// The kind.
    pub kind: FragmentKind,
    /// The text.
    pub text: String,
}

/// The sink for fragments of an answer while it is generated. Cheap to clone; never blocks.
///
/// A model is asked to stream only when a client is watching, because streaming costs many times what a
/// complete answer does. That is decided once for a call, when its runner first calls
/// [`is_heard`](Self::is_heard), after it has waited for the provider's limits: fragments from the middle on
/// would be of no use. A client that subscribes later gets the text so far, or, if the call does not stream,
/// the complete answer, and sees the next one live.
#[derive(Clone)]
pub struct FragmentSink(Option<Arc<SinkState>>);

/// The state behind a sink.
struct SinkState {
    listener: Box<dyn Fn(Fragment) + Send + Sync>,
    wanted: Box<dyn Fn() -> bool + Send + Sync>,
    heard: OnceLock<bool>,
}

impl FragmentSink {
    /// A sink that passes each fragment to `listener`.
    pub fn new(listener: impl Fn(Fragment) + Send + Sync + 'static) -> Self {
        Self::when(|| true, listener)
    }
    /// A sink that passes each fragment to `listener`. Whether fragments are needed is asked once, as late as
    /// possible.
    pub fn when(
        wanted: impl Fn() -> bool + Send + Sync + 'static,
        listener: impl Fn(Fragment) + Send + Sync + 'static,
    ) -> Self {
        let (listener, wanted) = (Box::new(listener), Box::new(wanted));
        Self(Some(Arc::new(SinkState { listener, wanted, heard: OnceLock::new() })))
    }
    /// A sink without subscribers; the runner need not ask its model to stream.
    pub fn nobody() -> Self {
        Self(None)
    }
    /// Whether there are subscribers. The first result holds for the whole call.
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
    /// Adds a fragment.
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

    /// Waits until this request may be sent, by the limits of the provider; its time limit starts after that.
    /// Called once it is admitted and directly before [`run`](Runner::run).
    fn ready<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, ()> {
        let _ = request;
        Box::pin(std::future::ready(()))
    }

    /// Whether a request of it is given the images that its prompt shows.
    fn takes_images(&self) -> bool {
        false
    }

    /// How long the circuit breaker refuses requests, because the provider failed too often; `None` when it
    /// accepts them.
    fn paused_for(&self) -> Option<std::time::Duration> {
        None
    }

    /// Somebody asks to have it tried now: the next request is let through as a test, although the circuit breaker
    /// would refuse it for a while.
    fn try_now(&self) {}

    /// Answers one request. Never panics on a model's text; every failure is an [`Outcome`].
    fn run(&self, request: Request, sink: FragmentSink) -> BoxFuture<'_, Outcome>;
}

/// Finds the runner for a participant.
pub trait RunnerDirectory: Send + Sync {
    /// The runner that answers for this specification; what cannot be found is answered by a
    /// runner that says so (`FailureKind::NotConfigured` with a hint).
    fn find(&self, spec: &RunnerSpec) -> Arc<dyn Runner>;

    /// The tools of these sources, and which of the sources cannot be used.
    fn tools<'a>(&'a self, sources: &'a [String]) -> BoxFuture<'a, OfferedTools> {
        let _ = sources;
        Box::pin(std::future::ready(OfferedTools::default()))
    }

    /// Images of a meeting, as models are given them; one whose content is not here is left out.
    fn images<'a>(
        &'a self,
        meeting: &'a MeetingId,
        wanted: &'a [PromptImage],
    ) -> BoxFuture<'a, Vec<LoadedImage>> {
        let _ = (meeting, wanted);
        Box::pin(std::future::ready(Vec::new()))
    }

    /// Runs a tool. Never panics on arguments; every failure is a [`ToolOutcome`]. Dropping the future cancels the
    /// run.
    fn run_tool(&self, run: ToolRun) -> BoxFuture<'_, ToolOutcome> {
        let _ = run;
        Box::pin(std::future::ready(ToolOutcome::failed(ToolFailureKind::UnknownTool, "")))
    }
}
