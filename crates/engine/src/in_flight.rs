//! Calls in flight: started when the meeting needs them, dropped when it does not.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quorate_contract::{
    Action, ActionKind, ActionPermission, ActionStatus, Call, Failure, FailureKind, Outcome, Prompt,
    PromptImage, Retry, RunnerSpec, Task, TaskId, Timestamp, ToolCallId, ToolFailureKind, ToolOutcome,
    ToolRun, TurnDelivery, UnusableTools,
};
use quorate_core::{Meeting, pending};
use quorate_messages::{Message, message};
use tokio::sync::{mpsc, oneshot};
use tokio::task::{AbortHandle, Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until, timeout};

use crate::engine::Shared;
use crate::ports::{ActionSink, FragmentSink, Request, RetrySink};
use crate::registry::Registration;

/// The calls in flight of one meeting, and its next deadline.
pub(crate) struct InFlight {
    shared: Arc<Shared>,
    registration: Arc<Registration>,
    running: JoinSet<(Outcome, Option<Duration>)>,
    /// By the runtime's id, for a call that panics says no more than that.
    calls: HashMap<Id, Call>,
    /// In order, so that those that are dropped at once are dropped in one order.
    handles: BTreeMap<(TaskId, u32), AbortHandle>,
    tell_retry: mpsc::UnboundedSender<ReportedRetry>,
    retries: mpsc::UnboundedReceiver<ReportedRetry>,
    tell_action: mpsc::UnboundedSender<ReportedAction>,
    actions: mpsc::UnboundedReceiver<ReportedAction>,
    /// The sources of tools that cannot be used and of which the meeting has been told.
    told_unusable: Arc<Mutex<HashSet<String>>>,
    /// The tools that run.
    tools: BTreeMap<ToolCallId, AbortHandle>,
    /// The calls that have ended, and of whose end the log does not know yet. The meeting still asks for them, and they are not
    /// made again.
    ended: BTreeSet<(TaskId, u32)>,
    /// The same of tools.
    ended_tools: BTreeSet<ToolCallId>,
    running_tools: JoinSet<(ToolRun, ToolOutcome, u64)>,
    /// By the runtime's id, for a tool that panics says no more than that.
    tool_runs: HashMap<Id, ToolRun>,
    wake: Option<(Timestamp, Instant)>,
    /// The deadline for which the loop woke up without any event.
    woken_for: Option<Timestamp>,
    /// Whether no further call is started.
    closing: bool,
}

/// A retry that a runner has reported: the task, the attempt, the retry, and whom to tell that it is recorded.
type ReportedRetry = (TaskId, u32, Box<Retry>, oneshot::Sender<()>);

/// An action that an agent has reported: the task, the attempt, and the action.
type ReportedAction = (TaskId, u32, Box<Action>);

/// The result of a call, and how long its runner refuses further ones.
pub(crate) type FinishedCall = (Call, Outcome, Option<Duration>);

/// Something that happened to a call.
pub(crate) enum CallUpdate {
    /// A tool has ended: its run, how it ended, and how long it took in milliseconds.
    ToolEnded(Box<ToolRun>, ToolOutcome, u64),
    /// The call has ended.
    Ended(Box<FinishedCall>),
    /// A request of it is sent again, as soon as that is recorded.
    Retried(TaskId, u32, Box<Retry>, oneshot::Sender<()>),
    /// Its agent reads or runs something.
    Acted(TaskId, u32, Box<Action>),
}

impl InFlight {
    pub(crate) fn new(shared: Arc<Shared>, registration: Arc<Registration>) -> Self {
        let (tell_retry, retries) = mpsc::unbounded_channel();
        let (tell_action, actions) = mpsc::unbounded_channel();
        Self {
            tell_action,
            actions,
            tell_retry,
            retries,
            shared,
            registration,
            running: JoinSet::new(),
            calls: HashMap::new(),
            handles: BTreeMap::new(),
            told_unusable: Arc::default(),
            tools: BTreeMap::new(),
            ended: BTreeSet::new(),
            ended_tools: BTreeSet::new(),
            running_tools: JoinSet::new(),
            tool_runs: HashMap::new(),
            wake: None,
            woken_for: None,
            closing: false,
        }
    }

    /// Drops calls that the meeting no longer needs; returns those that it needs and that are not in flight,
    /// to be [started](Self::start).
    pub(crate) fn reconcile(&mut self, meeting: &Meeting, now: Timestamp) -> Vec<Call> {
        let mut wanted = Vec::new();
        let mut tools = Vec::new();
        self.wake = None;
        for task in pending(meeting) {
            match task {
                Task::Call(call) => wanted.push(call),
                Task::Tool(run) => tools.push(run),
                Task::Wake(at) if self.woken_for.is_some_and(|before| at <= before) => {}
                Task::Wake(at) => {
                    let wake = (at, Instant::now() + Duration::from_millis(at.since_ms(now)));
                    self.wake = Some(self.wake.map_or(wake, |other| other.min(wake)));
                }
            }
        }
        self.reconcile_tools(tools);
        let subscribers = &self.registration.subscribers;
        self.handles.retain(|(id, attempt), handle| {
            let kept = wanted.iter().any(|call| call.id == *id && call.attempt == *attempt);
            if !kept {
                handle.abort();
                subscribers.end(*id, *attempt);
            }
            kept
        });
        self.ended.retain(|key| wanted.iter().any(|call| (call.id, call.attempt) == *key));
        wanted.retain(|call| {
            let key = (call.id, call.attempt);
            !self.closing && !self.handles.contains_key(&key) && !self.ended.contains(&key)
        });
        wanted
    }

    /// Starts the tools that are to run and do not yet, and drops those that nobody needs any more.
    fn reconcile_tools(&mut self, wanted: Vec<ToolRun>) {
        self.tools.retain(|id, handle| {
            let kept = wanted.iter().any(|run| run.call == *id);
            if !kept {
                handle.abort();
            }
            kept
        });
        self.ended_tools.retain(|id| wanted.iter().any(|run| run.call == *id));
        for run in wanted {
            let is_under_way = self.tools.contains_key(&run.call) || self.ended_tools.contains(&run.call);
            if self.closing || is_under_way {
                continue;
            }
            let (runners, call, kept) = (Arc::clone(&self.shared.runners), run.call, run.clone());
            let handle = self.running_tools.spawn(async move {
                let (started, limit) = (Instant::now(), Duration::from_millis(run.timeout_ms));
                let outcome = timeout(limit, runners.run_tool(run.clone())).await;
                let outcome = outcome.unwrap_or_else(|_| ToolOutcome::failed(ToolFailureKind::TimedOut, ""));
                let took_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
                (run, outcome, took_ms)
            });
            self.tool_runs.insert(handle.id(), kept);
            self.tools.insert(call, handle);
        }
    }

    /// Makes a call, with what it is to read.
    pub(crate) fn start(&mut self, meeting: &Meeting, call: Call, prompt: Prompt) {
        let runner = self.shared.runners.find(&call.runner);
        let (task, attempt, timeout_ms) = (call.id, call.attempt, call.timeout_ms);
        let mut request = Request {
            meeting: meeting.id.clone(),
            run: meeting.run.clone(),
            task,
            attempt,
            idempotency_key: format!("{}/{task}#{attempt}", meeting.id),
            runner: call.runner.clone(),
            prompt,
            timeout_ms,
            tools: Arc::from([]),
            images: Arc::from([]),
            retries: {
                let tell = self.tell_retry.clone();
                // After the meeting has ended, reports are dropped.
                RetrySink::new(move |retry, recorded| {
                    _ = tell.send((task, attempt, Box::new(retry), recorded))
                })
            },
            actions: {
                let tell = self.tell_action.clone();
                ActionSink::new(move |action| _ = tell.send((task, attempt, Box::new(action))))
            },
        };
        self.registration.subscribers.begin(task, attempt, call.participant);
        let (watched, heard) = (Arc::clone(&self.registration), Arc::clone(&self.registration));
        let sink = FragmentSink::when(
            move || watched.subscribers.is_watching(),
            move |fragment| heard.subscribers.fragment(task, attempt, fragment),
        );
        let counted = self.shared.counters.call();
        let (runners, told) = (Arc::clone(&self.shared.runners), Arc::clone(&self.told_unusable));
        let handle = self.running.spawn(async move {
            let _counted = counted;
            if !request.prompt.tools.sources.is_empty() {
                let sources = request.prompt.tools.sources.clone();
                let offered = runners.tools(&sources).await;
                tell_unusable(&request, &offered.unusable, &told);
                request.tools = offered.tools.into();
            }
            let images: Vec<PromptImage> = match runner.takes_images() {
                true => request.prompt.images().cloned().collect(),
                false => Vec::new(),
            };
            if !images.is_empty() {
                request.images = runners.images(&request.meeting, &images).await.into();
            }
            // The answer's time begins when the provider may be asked, not while others queue
            // before it.
            let _permit = runner.admit().await;
            runner.ready(&request).await;
            let limit = Duration::from_millis(timeout_ms);
            let hint = remedy(&request.runner);
            let answer = timeout(limit, runner.run(request, sink)).await;
            (answer.unwrap_or_else(|_| Outcome::Failed(out_of_time(timeout_ms, hint))), runner.paused_for())
        });
        self.calls.insert(handle.id(), call);
        self.handles.insert((task, attempt), handle);
    }

    /// The next event of a call. Waits for ever while no call is in flight.
    pub(crate) async fn next(&mut self) -> CallUpdate {
        loop {
            let ended = tokio::select! {
                // Reports of a call come before its end.
                biased;
                Some((task, attempt, retry, recorded)) = self.retries.recv() => {
                    return CallUpdate::Retried(task, attempt, retry, recorded);
                }
                Some((task, attempt, action)) = self.actions.recv() => {
                    return CallUpdate::Acted(task, attempt, action);
                }
                Some(ended) = self.running_tools.join_next_with_id() => {
                    match self.tool_ended(ended) {
                        Some(update) => return update,
                        None => continue,
                    }
                }
                Some(ended) = self.running.join_next_with_id() => ended,
            };
            let (id, (outcome, paused_for)) = match ended {
                Ok((id, ended)) => (id, ended),
                Err(error) if error.is_cancelled() => {
                    self.calls.remove(&error.id());
                    continue;
                }
                Err(error) => (error.id(), (Outcome::Failed(broken(&error)), None)),
            };
            let Some(call) = self.calls.remove(&id) else { continue };
            // An answer that came while its call was being dropped is ignored.
            if self.handles.remove(&(call.id, call.attempt)).is_some() {
                self.ended.insert((call.id, call.attempt));
                self.registration.subscribers.end(call.id, call.attempt);
                return CallUpdate::Ended(Box::new((call, outcome, paused_for)));
            }
        }
    }

    /// The update of a tool that has ended; `None` for one that was dropped.
    fn tool_ended(
        &mut self,
        ended: Result<(Id, (ToolRun, ToolOutcome, u64)), JoinError>,
    ) -> Option<CallUpdate> {
        let (id, ended) = match ended {
            Ok((id, ended)) => (id, Some(ended)),
            Err(error) => (error.id(), None),
        };
        let run = self.tool_runs.remove(&id)?;
        self.tools.remove(&run.call)?;
        self.ended_tools.insert(run.call);
        let (run, outcome, took_ms) = ended.unwrap_or_else(|| {
            tracing::error!(tool = run.tool, "a tool broke down");
            (run, ToolOutcome::failed(ToolFailureKind::Failed, message!("failure-runner-broke-down")), 0)
        });
        Some(CallUpdate::ToolEnded(Box::new(run), outcome, took_ms))
    }

    /// Starts no further call; those in flight may end.
    pub(crate) fn close(&mut self) {
        self.closing = true;
    }

    /// The number of calls in flight.
    pub(crate) fn count(&self) -> usize {
        self.handles.len() + self.tools.len()
    }

    /// Whether no call is in flight and none will be started by itself.
    pub(crate) fn is_idle(&self) -> bool {
        self.handles.is_empty() && self.tools.is_empty() && self.wake.is_none()
    }

    /// Notes that the deadline passed without any event: it is not used again.
    pub(crate) fn woke(&mut self, now: Timestamp) {
        self.woken_for = self.wake.map(|(at, _)| at).filter(|at| *at <= now);
    }

    /// Waits until the next deadline; for ever when there is none.
    pub(crate) fn wake(&self) -> impl Future<Output = ()> + Send + 'static {
        let wake = self.wake.map(|(_, at)| at);
        async move {
            match wake {
                Some(at) => sleep_until(at).await,
                None => std::future::pending().await,
            }
        }
    }
}

/// What helps when no answer came in time from this runner.
fn remedy(runner: &RunnerSpec) -> Message {
    match runner {
        RunnerSpec::External { via: TurnDelivery::Person, .. } => {
            message!("remedy-raise-turn-time-for-person")
        }
        RunnerSpec::External { via: TurnDelivery::Agent, .. } => message!("remedy-raise-turn-time-for-agent"),
        RunnerSpec::External { via: TurnDelivery::Webhook, .. } => {
            message!("remedy-raise-turn-time-for-webhook")
        }
        RunnerSpec::Model { .. }
        | RunnerSpec::Simulated { .. }
        | RunnerSpec::Process { .. }
        | RunnerSpec::Acp { .. } => message!("remedy-raise-turn-time"),
    }
}

/// Reports sources of tools that cannot be used, each once, as something that the participant could not do.
fn tell_unusable(request: &Request, unusable: &[UnusableTools], told: &Mutex<HashSet<String>>) {
    let calls_tools = match request.runner {
        RunnerSpec::Model { .. } | RunnerSpec::Simulated { .. } => true,
        RunnerSpec::Process { .. } | RunnerSpec::Acp { .. } | RunnerSpec::External { .. } => false,
    };
    if !calls_tools {
        return;
    }
    for (number, tools) in (1..).zip(unusable) {
        if !told.lock().unwrap_or_else(PoisonError::into_inner).insert(tools.source.clone()) {
            continue;
        }
        request.actions.tell(Action {
            number,
            kind: ActionKind::Other,
            title: String::new(),
            locations: Vec::new(),
            status: ActionStatus::Failed,
            permission: ActionPermission::NotNeeded,
            by: None,
            unusable: Some(tools.clone()),
        });
    }
}

fn out_of_time(timeout_ms: u64, hint: Message) -> Failure {
    Failure {
        kind: FailureKind::TimedOut,
        detail: message!("failure-no-answer-within", seconds = timeout_ms.div_ceil(1000)).into(),
        hint: hint.into(),
        usage: None,
        latency_ms: timeout_ms,
        doubtful: false,
        window: None,
        request_id: None,
    }
}

fn broken(error: &JoinError) -> Failure {
    tracing::error!(%error, "a runner broke down");
    Failure {
        kind: FailureKind::AgentFailed,
        detail: message!("failure-runner-broke-down").into(),
        hint: message!("remedy-fault-of-ours").into(),
        usage: None,
        latency_ms: 0,
        doubtful: false,
        window: None,
        request_id: None,
    }
}
