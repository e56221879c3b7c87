//! The calls that are under way: started when the meeting wants them, dropped when it does not.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use quorate_core::{
    Call, Failure, FailureKind, Meeting, Moment, Outcome, Retry, Task, TaskId, context, pending,
};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until, timeout};

use crate::doors::Door;
use crate::engine::Shared;
use crate::ports::{FragmentSink, Request, RetrySink};

/// The calls of one meeting that are under way, and when it wants to be woken.
pub(crate) struct UnderWay {
    shared: Arc<Shared>,
    door: Arc<Door>,
    running: JoinSet<Outcome>,
    /// By the runtime's id, for a call that panics says no more than that.
    calls: HashMap<Id, Call>,
    handles: HashMap<(TaskId, u32), AbortHandle>,
    tell_retry: mpsc::UnboundedSender<Heard>,
    retries: mpsc::UnboundedReceiver<Heard>,
    wake: Option<Instant>,
    /// No call is started any more.
    closing: bool,
}

/// What runners have told: of which call, and what.
type Heard = (TaskId, u32, Box<Retry>);

/// Something that happened to a call.
pub(crate) enum Happened {
    /// It is over.
    Ended(Box<(Call, Outcome)>),
    /// A request of it is sent again.
    Retried(TaskId, u32, Box<Retry>),
}

impl UnderWay {
    pub(crate) fn new(shared: Arc<Shared>, door: Arc<Door>) -> Self {
        let (tell_retry, retries) = mpsc::unbounded_channel();
        Self {
            tell_retry,
            retries,
            shared,
            door,
            running: JoinSet::new(),
            calls: HashMap::new(),
            handles: HashMap::new(),
            wake: None,
            closing: false,
        }
    }

    /// Starts what the meeting wants and is not under way; drops what it no longer wants.
    pub(crate) fn reconcile(&mut self, meeting: &Meeting, now: Moment) {
        let mut wanted = Vec::new();
        self.wake = None;
        for task in pending(meeting) {
            match task {
                Task::Call(call) => wanted.push(call),
                Task::Wake(at) => self.wake = Some(Instant::now() + Duration::from_millis(at.since_ms(now))),
            }
        }
        let audience = &self.door.audience;
        self.handles.retain(|(id, attempt), handle| {
            let kept = wanted.iter().any(|call| call.id == *id && call.attempt == *attempt);
            if !kept {
                handle.abort();
                audience.end(*id, *attempt);
            }
            kept
        });
        for call in wanted {
            if !self.closing && !self.handles.contains_key(&(call.id, call.attempt)) {
                self.start(meeting, call);
            }
        }
    }

    fn start(&mut self, meeting: &Meeting, call: Call) {
        let runner = self.shared.runners.find(&call.runner);
        let (task, attempt, timeout_ms) = (call.id, call.attempt, call.timeout_ms);
        let request = Request {
            meeting: meeting.id.clone(),
            run: meeting.run.clone(),
            task,
            attempt,
            idempotency_key: format!("{}/{task}#{attempt}", meeting.id),
            runner: call.runner.clone(),
            prompt: context(meeting, &call),
            timeout_ms,
            retries: {
                let tell = self.tell_retry.clone();
                // A meeting that is gone is told nothing.
                RetrySink::new(move |retry| _ = tell.send((task, attempt, Box::new(retry))))
            },
        };
        self.door.audience.begin(task, attempt, call.participant);
        let (watched, heard) = (Arc::clone(&self.door), Arc::clone(&self.door));
        let sink = FragmentSink::when(
            move || watched.audience.is_watching(),
            move |fragment| heard.audience.fragment(task, attempt, fragment),
        );
        let counted = self.shared.counters.call();
        let handle = self.running.spawn(async move {
            let _counted = counted;
            // The answer's time begins when the provider may be asked, not while others queue
            // before it.
            let _permit = runner.admit().await;
            runner.ready(&request).await;
            let limit = Duration::from_millis(timeout_ms);
            let answer = timeout(limit, runner.run(request, sink)).await;
            answer.unwrap_or_else(|_| Outcome::Failed(out_of_time(timeout_ms)))
        });
        self.calls.insert(handle.id(), call);
        self.handles.insert((task, attempt), handle);
    }

    /// The next thing that happens to a call. Waits for ever while nothing is under way.
    pub(crate) async fn next(&mut self) -> Happened {
        loop {
            let ended = tokio::select! {
                // What was told of a call comes before its end.
                biased;
                Some((task, attempt, retry)) = self.retries.recv() => {
                    return Happened::Retried(task, attempt, retry);
                }
                Some(ended) = self.running.join_next_with_id() => ended,
            };
            let (id, outcome) = match ended {
                Ok((id, outcome)) => (id, outcome),
                Err(error) if error.is_cancelled() => {
                    self.calls.remove(&error.id());
                    continue;
                }
                Err(error) => (error.id(), Outcome::Failed(broken(&error))),
            };
            let Some(call) = self.calls.remove(&id) else { continue };
            // An answer that came while its call was being dropped is not wanted any more.
            if self.handles.remove(&(call.id, call.attempt)).is_some() {
                self.door.audience.end(call.id, call.attempt);
                return Happened::Ended(Box::new((call, outcome)));
            }
        }
    }

    /// No call is started any more; those under way may end.
    pub(crate) fn close(&mut self) {
        self.closing = true;
    }

    /// How many calls are under way.
    pub(crate) fn count(&self) -> usize {
        self.handles.len()
    }

    /// Whether nothing is under way and nothing will be by itself.
    pub(crate) fn is_idle(&self) -> bool {
        self.handles.is_empty() && self.wake.is_none()
    }

    /// Waits until the meeting wants to be woken; for ever when it does not.
    pub(crate) fn wake(&self) -> impl Future<Output = ()> + Send + 'static {
        let wake = self.wake;
        async move {
            match wake {
                Some(at) => sleep_until(at).await,
                None => std::future::pending().await,
            }
        }
    }
}

fn out_of_time(timeout_ms: u64) -> Failure {
    Failure {
        kind: FailureKind::TimedOut,
        detail: format!("no answer within {} s", timeout_ms.div_ceil(1000)),
        hint: "raise `turns.timeout_ms`, or seat a faster model".to_owned(),
        usage: None,
        latency_ms: timeout_ms,
        doubtful: false,
        request_id: None,
    }
}

fn broken(error: &JoinError) -> Failure {
    tracing::error!(%error, "a runner broke down");
    Failure {
        kind: FailureKind::Network,
        detail: "the runner broke down".to_owned(),
        hint: "this is a fault of Quorate; the log says more".to_owned(),
        usage: None,
        latency_ms: 0,
        doubtful: false,
        request_id: None,
    }
}
