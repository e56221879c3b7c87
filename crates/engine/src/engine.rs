//! All meetings that run in this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use quorate_contract::{Actor, Command, Event, LimitChanges, MeetingId, MeetingSpec, RunId};
use quorate_core::{Import, Meeting, ProviderWait, last_fork_point};
use quorate_messages::message;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use crate::compute::{Compute, ComputeOn};
use crate::error::EngineError;
use crate::failing_loops::{Failure, Faults};
use crate::handle::MeetingHandle;
use crate::ports::{Clock, Journal, Record, RunnerDirectory};
use crate::registry::Registry;
use crate::stats::{Counters, Stats};
use crate::stored_fault::Fault;
use crate::{loading, supervisor};

/// How long the shutdown waits, beyond the grace period, for loops that do not answer.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// Options of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineOptions {
    /// How long an idle meeting stays in memory: it has no call in flight and gets no request. The next
    /// request loads it again.
    pub idle_after: Duration,
    /// The number of events between snapshots of a meeting: at least this many, and at least a quarter of
    /// those before. Snapshots spare the fold of a long log from its first event. At least 1.
    pub snapshot_every: u64,
    /// A computation over one meeting that takes longer than this quarantines it.
    pub compute_limit: Duration,
    /// Where long computations run.
    pub compute_on: ComputeOn,
}

impl Default for EngineOptions {
    fn default() -> Self {
        let (idle_after, compute_limit) = (Duration::from_secs(60), Duration::from_secs(30));
        Self { idle_after, snapshot_every: 500, compute_limit, compute_on: ComputeOn::default() }
    }
}

/// Runs meetings. Cheap to clone; all clones are the same engine.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

/// The state that all loops of an engine share.
pub(crate) struct Shared {
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) runners: Arc<dyn RunnerDirectory>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) options: EngineOptions,
    pub(crate) registry: Arc<Registry>,
    pub(crate) counters: Arc<Counters>,
    /// Failed and quarantined meetings.
    pub(crate) faults: Faults,
    /// The scheduler of long computations.
    pub(crate) compute: Compute,
    /// The meetings here that wait for providers.
    pub(crate) waits: Mutex<HashMap<MeetingId, Arc<ProviderWait>>>,
    /// The number of loops.
    pub(crate) loops: watch::Sender<usize>,
    /// The deadline of calls in flight; set once, at shutdown.
    pub(crate) closing: OnceLock<Instant>,
    /// Calls that the shutdown has cut off.
    pub(crate) left: Mutex<Vec<InterruptedMeeting>>,
}

/// The options of a fork.
#[derive(Debug, Clone)]
pub struct Fork {
    /// The last event to copy; when `None`, the last one from which the fork can continue.
    pub at: Option<u64>,
    /// The actor who forks the meeting.
    pub by: Actor,
    /// The title of the fork; when empty, the topic with a mark.
    pub title: String,
    /// Which limits are to be otherwise.
    pub limits: LimitChanges,
    /// Whether the fork allows no tools, because what they reach is not the actor's.
    pub without_tools: bool,
}

impl Fork {
    /// A fork at the last possible event, with unchanged rules and title.
    pub fn by(by: Actor) -> Self {
        Self { at: None, by, title: String::new(), limits: LimitChanges::default(), without_tools: false }
    }
}

/// A meeting whose calls were cut off when the engine was shut down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterruptedMeeting {
    /// The meeting.
    pub meeting: MeetingId,
    /// The number of calls in flight; 0 when its loop did not answer, because the journal does not.
    pub calls: usize,
}

impl Engine {
    /// An engine over a journal, runners and a clock.
    pub fn new(journal: Arc<dyn Journal>, runners: Arc<dyn RunnerDirectory>, clock: Arc<dyn Clock>) -> Self {
        Self::with_options(journal, runners, clock, EngineOptions::default())
    }

    /// An engine that holds its meetings as one likes.
    pub fn with_options(
        journal: Arc<dyn Journal>,
        runners: Arc<dyn RunnerDirectory>,
        clock: Arc<dyn Clock>,
        options: EngineOptions,
    ) -> Self {
        let counters = Arc::<Counters>::default();
        let shared = Shared {
            journal,
            runners,
            clock,
            options,
            registry: Arc::new(Registry::new(Arc::clone(&counters))),
            counters,
            faults: Faults::default(),
            compute: Compute::new(options.compute_limit, options.compute_on),
            waits: Mutex::default(),
            loops: watch::channel(0).0,
            closing: OnceLock::new(),
            left: Mutex::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Creates a meeting, as a draft. Its ids are made by the caller and must be new.
    pub async fn create(
        &self,
        id: MeetingId,
        run: RunId,
        by: Actor,
        spec: MeetingSpec,
    ) -> Result<MeetingHandle, EngineError> {
        let visit = self.shared.registry.visit(&id);
        let began = loading::settle_in(&self.shared, &visit, Meeting::blank(id.clone(), run)).await?;
        let handle = self.handle(&id);
        let created = handle.execute(Command::Create { by, spec: Box::new(spec) }).await;
        if created.is_err() && began {
            self.shared.registry.remove(&visit.registration);
        }
        created.map(|_| handle)
    }

    /// Loads a meeting from its log. Calls that were in flight in an ended process are made again. A meeting
    /// that already runs here is returned as it is, and so is a quarantined one: it can be followed and
    /// [resumed](Command::Resume).
    pub async fn open(&self, id: &MeetingId) -> Result<MeetingHandle, EngineError> {
        let handle = self.handle(id);
        match handle.arrive().await {
            Ok(_) | Err(EngineError::Quarantined(_)) => Ok(handle),
            Err(error) => Err(error),
        }
    }

    /// Loads a meeting as [`open`](Self::open) does, and retries or quarantines it when that fails.
    ///
    /// # Errors
    /// Why it does not run yet.
    pub async fn take_up(&self, id: &MeetingId) -> Result<(), EngineError> {
        let visit = self.shared.registry.visit(id);
        let Err(error) = loading::enter(&self.shared, &visit).await else { return Ok(()) };
        if self.shared.faults.of(id).is_none() {
            let failure = Failure::Error(error.clone());
            tokio::spawn(supervisor::failed(Arc::clone(&self.shared), visit, failure));
        }
        Err(error)
    }

    /// Leaves a meeting in the quarantine in which it was when the last process ended.
    pub fn leave_quarantined(&self, id: &MeetingId, fault: Fault) {
        self.shared.faults.keep(id, fault);
    }

    /// The fault of a quarantined meeting; `None` when it is not quarantined.
    pub fn fault(&self, id: &MeetingId) -> Option<Fault> {
        self.shared.faults.of(id).map(|fault| *fault)
    }

    /// The providers that a meeting in this process waits for, while none that could answer is reachable.
    pub fn provider_wait(&self, id: &MeetingId) -> Option<Arc<ProviderWait>> {
        self.shared.waits.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get(id).cloned()
    }

    /// The meetings that are quarantined.
    pub fn quarantined(&self) -> Vec<(MeetingId, Fault)> {
        self.shared.faults.quarantined()
    }

    /// A handle to a meeting, without a check that it exists: it is loaded by the first request.
    pub fn handle(&self, id: &MeetingId) -> MeetingHandle {
        MeetingHandle::new(id.clone(), Arc::clone(&self.shared))
    }

    /// A meeting as its log says, without running it.
    pub async fn load(&self, id: &MeetingId) -> Result<Meeting, EngineError> {
        loading::load(&self.shared, id).await
    }

    /// Makes a new meeting, `id`, from the events of `from` up to and including number `at`, or up to the
    /// last one from which it can continue. It makes no call until it is resumed or started.
    ///
    /// # Errors
    /// When the event does not exist, lies after the end, or the limits are invalid.
    pub async fn fork(
        &self,
        from: &MeetingId,
        fork: Fork,
        id: MeetingId,
        run: RunId,
    ) -> Result<MeetingHandle, EngineError> {
        let Fork { at, by, title, limits, without_tools } = fork;
        let mut records = self.shared.journal.read(from.clone(), 0).await?;
        let length = records.len() as u64;
        let at = at.unwrap_or_else(|| last_fork_point(records.iter().map(|record| &record.event.body)));
        if !(1..=length).contains(&at) {
            return Err(EngineError::Refused(quorate_contract::Refusal::Invalid {
                field: "at".to_owned(),
                problem: message!("refusal-no-such-event", at).into(),
                hint: message!("refusal-no-such-event-hint", length).into(),
            }));
        }
        records.truncate(at as usize);
        let past = records.iter().map(|record| Event::clone(&record.event));
        let command = Command::Fork { by, from: from.clone(), title, limits, without_tools };
        let (fork, log) = quorate_core::fork(past, &id, &run, command, self.shared.clock.now())?;
        let log = log.into_iter().map(Record::of).collect();
        self.shared.journal.append(id.clone(), 0, log).await?;
        let visit = self.shared.registry.visit(&id);
        loading::settle_in(&self.shared, &visit, fork).await?;
        Ok(self.handle(&id))
    }

    /// Writes an imported meeting in one append. Its events keep their times. It does not run: an unfinished
    /// meeting is paused until it is opened and resumed.
    ///
    /// # Errors
    /// When the journal refuses it; then nothing of it is stored.
    pub async fn import(&self, import: Import) -> Result<Meeting, EngineError> {
        let (meeting, log) = import.into_parts();
        let log = log.into_iter().map(Record::of).collect();
        self.shared.journal.append(meeting.id.clone(), 0, log).await?;
        Ok(meeting)
    }

    /// Releases a meeting: calls in flight are dropped, and made again when it is loaded from the log.
    pub fn unload(&self, id: &MeetingId) {
        if let Some(registration) = self.shared.registry.find(id) {
            let runs = registration.requests().is_some();
            self.shared.registry.remove(&registration);
            // A loop does so when it has ended; without one nobody else would.
            if !runs {
                registration.subscribers.close();
            }
        }
        self.shared.faults.forgive(id);
    }

    /// The meetings that run here, or are listened to here.
    pub fn known(&self) -> Vec<MeetingId> {
        self.shared.registry.ids()
    }

    /// Whether a meeting runs in this process.
    pub fn is_running(&self, id: &MeetingId) -> bool {
        self.shared.registry.find(id).is_some_and(|registration| registration.requests().is_some())
    }

    /// The meetings that run here.
    pub fn live(&self) -> Vec<MeetingId> {
        self.shared.registry.loops().into_iter().map(|registration| registration.id.clone()).collect()
    }

    /// Statistics of the engine since its start.
    pub fn stats(&self) -> Stats {
        let mut stats = self.shared.counters.read();
        stats.quarantined = self.shared.faults.quarantined().len() as u64;
        for requests in self.shared.registry.loops().iter().filter_map(|registration| registration.requests())
        {
            let waiting = requests.max_capacity().saturating_sub(requests.capacity()) as u64;
            stats.live_meetings += 1;
            stats.letters_waiting += waiting;
            stats.fullest_mailbox = stats.fullest_mailbox.max(waiting);
        }
        stats
    }

    /// Ends all loops, and returns the meetings whose calls were cut off. No further call is started; those
    /// in flight may end within `grace`, and their answers are appended. A call that is cut off is lost as in
    /// a crash, and made again at the next start. Afterwards no command is accepted.
    pub async fn shut_down(&self, grace: Duration) -> Vec<InterruptedMeeting> {
        let shared = &self.shared;
        let until = *shared.closing.get_or_init(|| Instant::now() + grace);
        for registration in shared.registry.loops() {
            registration.bell.notify_one();
        }
        let mut loops = shared.loops.subscribe();
        let limit = until.saturating_duration_since(Instant::now()) + LAST_WAIT;
        let all_ended = timeout(limit, loops.wait_for(|loops| *loops == 0)).await.is_ok();
        let mut left = std::mem::take(&mut *shared.left.lock().unwrap_or_else(|e| e.into_inner()));
        if !all_ended {
            let stuck = shared.registry.loops();
            left.extend(
                stuck
                    .iter()
                    .map(|registration| InterruptedMeeting { meeting: registration.id.clone(), calls: 0 }),
            );
        }
        left
    }
}
