//! Observation of calls and appends, for measurements: every call with its times, every append. Observers do
//! not change what happens.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use futures::future::BoxFuture;
use quorate_contract::{MeetingId, Outcome, PromptImage, RunId, RunnerSpec, TaskId, ToolOutcome, ToolRun};

use crate::ports::{
    FragmentSink, Journal, JournalError, LoadedImage, OfferedTools, Record, Request, Resumed, Runner,
    RunnerDirectory, Snapshot,
};
use crate::stored_fault::Fault;

/// A call that is over.
#[derive(Debug, Clone)]
pub struct CallSeen {
    /// The meeting that asked.
    pub meeting: MeetingId,
    /// The run of it that asked.
    pub run: RunId,
    /// The task.
    pub task: TaskId,
    /// The attempt, counted from 1.
    pub attempt: u32,
    /// The runner.
    pub runner: RunnerSpec,
    /// When the request was made.
    pub started: SystemTime,
    /// How long it waited for the provider's limits.
    pub queued: Duration,
    /// How long the answer took.
    pub took: Duration,
    /// The time to the first fragment of the answer, when it was streamed.
    pub first_piece: Option<Duration>,
    /// The outcome; `None` when the meeting no longer needed it.
    pub outcome: Option<Outcome>,
}

/// An observer. Called from the loop, so it must not block.
pub trait Observer: Send + Sync {
    /// A call was handed to its runner.
    fn call_started(&self, runner: &RunnerSpec) {
        let _ = runner;
    }
    /// A call is over.
    fn call_ended(&self, call: &CallSeen);
    /// Events are durable (`Ok`), or the journal did not take them.
    fn appended(&self, records: &[Record], took: Duration, result: &Result<(), JournalError>);
}

/// The same runners, observed.
pub fn observe_runners(
    inner: Arc<dyn RunnerDirectory>,
    observer: Arc<dyn Observer>,
) -> Arc<dyn RunnerDirectory> {
    Arc::new(ObservedRunners { inner, observer })
}

/// The same journal, observed.
pub fn observe_journal(inner: Arc<dyn Journal>, observer: Arc<dyn Observer>) -> Arc<dyn Journal> {
    Arc::new(ObservedJournal { inner, observer })
}

struct ObservedRunners {
    inner: Arc<dyn RunnerDirectory>,
    observer: Arc<dyn Observer>,
}

impl RunnerDirectory for ObservedRunners {
    fn find(&self, spec: &RunnerSpec) -> Arc<dyn Runner> {
        let (inner, observer) = (self.inner.find(spec), Arc::clone(&self.observer));
        Arc::new(ObservedRunner { inner, observer, waiting_since: Instant::now() })
    }

    fn tools<'a>(&'a self, sources: &'a [String]) -> BoxFuture<'a, OfferedTools> {
        self.inner.tools(sources)
    }

    fn images<'a>(
        &'a self,
        meeting: &'a MeetingId,
        wanted: &'a [PromptImage],
    ) -> BoxFuture<'a, Vec<LoadedImage>> {
        self.inner.images(meeting, wanted)
    }

    fn run_tool(&self, run: ToolRun) -> BoxFuture<'_, ToolOutcome> {
        self.inner.run_tool(run)
    }
}

struct ObservedRunner {
    inner: Arc<dyn Runner>,
    observer: Arc<dyn Observer>,
    waiting_since: Instant,
}

impl Runner for ObservedRunner {
    fn admit(&self) -> BoxFuture<'_, Option<tokio::sync::OwnedSemaphorePermit>> {
        self.inner.admit()
    }

    fn ready<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, ()> {
        self.inner.ready(request)
    }

    fn paused_for(&self) -> Option<Duration> {
        self.inner.paused_for()
    }

    fn try_now(&self) {
        self.inner.try_now();
    }

    fn takes_images(&self) -> bool {
        self.inner.takes_images()
    }

    fn run(&self, request: Request, sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        let watch = Watch::start(&request, self.waiting_since, Arc::clone(&self.observer));
        let sink = watch.listen(sink);
        Box::pin(async move {
            // The whole watch moves in here, so that it reports a dropped call, too.
            let mut watch = watch;
            let outcome = self.inner.run(request, sink).await;
            watch.outcome = Some(outcome.clone());
            outcome
        })
    }
}

/// Reports to the observer when it is dropped: with the answer, or with the call.
struct Watch {
    observer: Arc<dyn Observer>,
    call: CallSeen,
    began: Instant,
    /// Microseconds until the first piece, 0 for none yet.
    first_piece_us: Arc<AtomicU64>,
    outcome: Option<Outcome>,
}

impl Watch {
    fn start(request: &Request, waiting_since: Instant, observer: Arc<dyn Observer>) -> Self {
        observer.call_started(&request.runner);
        let call = CallSeen {
            meeting: request.meeting.clone(),
            run: request.run.clone(),
            task: request.task,
            attempt: request.attempt,
            runner: request.runner.clone(),
            started: SystemTime::now(),
            queued: waiting_since.elapsed(),
            took: Duration::ZERO,
            first_piece: None,
            outcome: None,
        };
        Self { observer, call, began: Instant::now(), first_piece_us: Arc::default(), outcome: None }
    }

    /// The same sink, which notes when its first piece comes.
    fn listen(&self, sink: FragmentSink) -> FragmentSink {
        let (began, first_us) = (self.began, Arc::clone(&self.first_piece_us));
        let asked = sink.clone();
        let wanted = move || asked.is_heard();
        FragmentSink::when(wanted, move |fragment| {
            if first_us.load(Ordering::Relaxed) == 0 {
                let us = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
                first_us.store(us.max(1), Ordering::Relaxed);
            }
            sink.put(fragment);
        })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.call.took = self.began.elapsed();
        let first_us = self.first_piece_us.load(Ordering::Relaxed);
        self.call.first_piece = (first_us > 0).then(|| Duration::from_micros(first_us));
        self.call.outcome = self.outcome.take();
        self.observer.call_ended(&self.call);
    }
}

struct ObservedJournal {
    inner: Arc<dyn Journal>,
    observer: Arc<dyn Observer>,
}

impl Journal for ObservedJournal {
    fn append(
        &self,
        meeting: MeetingId,
        expected: u64,
        records: Vec<Record>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        let (observer, began) = (Arc::clone(&self.observer), Instant::now());
        // Both halves of a record are shared, so that this copies pointers.
        let appended = self.inner.append(meeting, expected, records.clone());
        Box::pin(async move {
            let result = appended.await;
            observer.appended(&records, began.elapsed(), &result);
            result
        })
    }

    fn read(&self, meeting: MeetingId, after: u64) -> BoxFuture<'static, Result<Vec<Record>, JournalError>> {
        self.inner.read(meeting, after)
    }

    fn keeps_snapshots(&self, meeting: &MeetingId) -> bool {
        self.inner.keeps_snapshots(meeting)
    }

    fn resume(&self, meeting: MeetingId) -> BoxFuture<'static, Result<Resumed, JournalError>> {
        self.inner.resume(meeting)
    }

    fn keep_snapshot(
        &self,
        meeting: MeetingId,
        snapshot: Snapshot,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        self.inner.keep_snapshot(meeting, snapshot)
    }

    fn keep_fault(
        &self,
        meeting: MeetingId,
        fault: Option<Fault>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        self.inner.keep_fault(meeting, fault)
    }
}
