//! One per meeting that somebody listens to: hears the engine, writes frames, keeps the last seconds.
//!
//! It begins with its first listener and ends with its last one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use quorate_contract::{BallotId, EventBody, MeetingId};
use quorate_core::{BallotState, Meeting};
use quorate_engine::{EngineError, JournalError, LiveFragment, MeetingHandle, Notice, Record, Subscription};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::Live;
use super::frame::{EventFrame, TokenBatch};
use super::ring::{Ring, Told, Trouble};
use super::writing::Writing;
use crate::problem::Problem;
use crate::state::ServerState;

/// How long to wait before a journal that could not be read is asked again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// What all listeners of one meeting share.
pub(super) struct Hub {
    pub(super) meeting: MeetingId,
    state: Mutex<State>,
    /// Moves whenever there is something new.
    version: watch::Sender<u64>,
    /// How many listen, and how many of them want answers while they are written.
    listeners: AtomicUsize,
    watching: AtomicUsize,
    /// Rung when somebody begins or ceases to watch, and when the last one has left.
    bell: Notify,
}

struct State {
    stage: Stage,
    ring: Ring,
    /// The last event that was put into the ring, or happened before.
    seq: u64,
    open: Option<BallotId>,
    writing: Writing,
    /// What the journal has trouble with, as it was told last.
    trouble: Option<Arc<Trouble>>,
}

/// How far a hub is.
#[derive(Clone)]
pub(super) enum Stage {
    Starting,
    Live,
    /// It cannot begin.
    Failed(Problem),
    /// The meeting is over; nothing comes any more.
    Over,
    /// The meeting does not run here any more.
    Lost,
    /// The service stops.
    Stopping,
}

/// Where a listener stands that begins now, or begins anew.
pub(super) struct Standing {
    /// The last event that is not in the ring from here on.
    pub(super) seq: u64,
    pub(super) open: Option<BallotId>,
    /// Where in the ring it goes on.
    pub(super) place: u64,
    /// What was told so far of answers under way.
    pub(super) so_far: Arc<TokenBatch>,
    /// What the journal has trouble with.
    pub(super) trouble: Option<Arc<Trouble>>,
}

impl Live {
    /// The hub of a meeting, with one listener more.
    pub(super) fn enter(
        &self,
        server: &ServerState,
        meeting: &MeetingId,
        fragments: bool,
    ) -> Result<Arc<Hub>, Problem> {
        let mut state = self.state();
        if state.stopping {
            return Err(Problem::from(EngineError::Gone));
        }
        let known = state.hubs.get(meeting).filter(|hub| hub.is_of_use()).cloned();
        let hub = known.unwrap_or_else(|| {
            let hub = Arc::new(Hub::new(meeting.clone()));
            state.hubs.insert(meeting.clone(), Arc::clone(&hub));
            tokio::spawn(run(server.clone(), Arc::clone(&hub)));
            hub
        });
        hub.listeners.fetch_add(1, Ordering::Relaxed);
        if fragments && hub.watching.fetch_add(1, Ordering::Relaxed) == 0 {
            hub.bell.notify_one();
        }
        Ok(hub)
    }

    /// A listener has gone; the last one takes the hub along.
    pub(super) fn leave(&self, hub: &Arc<Hub>, fragments: bool) {
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

impl Hub {
    fn new(meeting: MeetingId) -> Self {
        let state = State {
            stage: Stage::Starting,
            ring: Ring::default(),
            seq: 0,
            open: None,
            writing: Writing::default(),
            trouble: None,
        };
        Self {
            meeting,
            state: Mutex::new(state),
            version: watch::Sender::new(0),
            listeners: AtomicUsize::new(0),
            watching: AtomicUsize::new(0),
            bell: Notify::new(),
        }
    }

    /// Whether somebody who begins to listen may begin here.
    fn is_of_use(&self) -> bool {
        matches!(self.state().stage, Stage::Starting | Stage::Live | Stage::Over)
    }

    /// Hears of everything new.
    pub(super) fn news(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    pub(super) fn stage(&self) -> Stage {
        self.state().stage.clone()
    }

    /// Where a listener stands that begins now.
    pub(super) fn standing(&self) -> Standing {
        let mut state = self.state();
        let so_far = state.writing.so_far();
        let trouble = state.trouble.clone();
        Standing { seq: state.seq, open: state.open, place: state.ring.end(), so_far, trouble }
    }

    /// What was told from a place on, at most so many, and how far the hub is when there is no more;
    /// `None` when it is not kept any more.
    pub(super) fn from(&self, place: u64, most: usize) -> Option<(Vec<Told>, Stage)> {
        let state = self.state();
        let told = state.ring.from(place, most)?.cloned().collect();
        Some((told, state.stage.clone()))
    }

    /// The service stops.
    pub(super) fn stop(&self) {
        self.ends(Stage::Stopping);
    }

    fn ends(&self, stage: Stage) {
        {
            let mut state = self.state();
            state.stage = stage;
            state.writing.clear();
        }
        self.wake();
        self.bell.notify_one();
    }

    fn wake(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    fn is_left(&self) -> bool {
        self.listeners.load(Ordering::Relaxed) == 0
    }

    fn is_watched(&self) -> bool {
        self.watching.load(Ordering::Relaxed) > 0
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Tells an event; false when one before it is missing.
    fn tell(&self, record: Record, most: usize) -> bool {
        {
            let mut state = self.state();
            let seq = record.event.seq;
            if seq != state.seq + 1 {
                return seq <= state.seq;
            }
            state.tell_news(most);
            state.tell_relief(most);
            state.seq = seq;
            state.believe(&record.event.body);
            let frame = EventFrame::of(&self.meeting, record, state.open);
            state.ring.push(Told::Event(Arc::new(frame)), most);
        }
        self.wake();
        true
    }

    /// Takes a piece of an answer; false when one before it is missing.
    fn take(&self, piece: &LiveFragment) -> bool {
        self.state().writing.take(piece)
    }

    /// Tells what has been written since.
    fn tell_news(&self, most: usize) {
        if self.state().tell_news(most) {
            self.wake();
        }
    }

    /// Tells that the journal has trouble; once, however often it fails alike.
    fn tell_trouble(&self, problem: &Problem, most: usize) {
        let trouble = Arc::new(Trouble::of(problem));
        {
            let mut state = self.state();
            if state.trouble.as_ref() == Some(&trouble) {
                return;
            }
            state.trouble = Some(Arc::clone(&trouble));
            state.ring.push(Told::Trouble(trouble), most);
        }
        self.wake();
    }

    /// Tells that it has none any more.
    fn tell_relief(&self, most: usize) {
        if self.state().tell_relief(most) {
            self.wake();
        }
    }
}

impl State {
    fn tell_news(&mut self, most: usize) -> bool {
        let batch = self.writing.news();
        let any = !batch.is_empty();
        if any {
            self.ring.push(Told::Tokens(Arc::new(batch)), most);
        }
        any
    }

    fn tell_relief(&mut self, most: usize) -> bool {
        let had_some = self.trouble.take().is_some();
        if had_some {
            self.ring.push(Told::Trouble(Arc::new(Trouble::over())), most);
        }
        had_some
    }

    /// What a find_event means for what is hidden and for what is under way.
    fn believe(&mut self, body: &EventBody) {
        match body {
            EventBody::BallotOpened { ballot, .. } => self.open = Some(*ballot),
            EventBody::BallotClosed { .. } | EventBody::BallotInterrupted { .. } => self.open = None,
            EventBody::CallEnded { task, attempt, .. } => self.writing.end(*task, *attempt),
            EventBody::Recovered { idle_ms: None } => self.writing.clear(),
            EventBody::Finished { .. } => (self.open, self.writing) = (None, Writing::default()),
            _ => {}
        }
    }
}

/// Hears a meeting for its listeners, until the last one has left or the meeting is over.
async fn run(server: ServerState, hub: Arc<Hub>) {
    let ended = match begin(&server, &hub).await {
        Ok(Some(handle)) => follow(&server, &hub, &handle).await,
        Ok(None) => Ok(()),
        Err(error) => Err(Stage::Failed(error.into())),
    };
    match ended {
        Ok(()) => hub.ends(Stage::Over),
        // Nobody is there to hear it.
        Err(Stage::Live) => {}
        Err(stage) => hub.ends(stage),
    }
}

/// Finds out where the meeting stands; no handle when it is over.
async fn begin(server: &ServerState, hub: &Hub) -> Result<Option<MeetingHandle>, EngineError> {
    let handle = server.engine().open(&hub.meeting).await?;
    let meeting = match handle.look().await {
        Ok(meeting) => meeting,
        // The loop of a meeting that is over ends at once.
        Err(_) => server.engine().load(&hub.meeting).await?,
    };
    let mut state = hub.state();
    state.seq = meeting.seq;
    state.open = open_ballot(&meeting);
    if meeting.is_over() {
        return Ok(None);
    }
    if matches!(state.stage, Stage::Starting) {
        state.stage = Stage::Live;
    }
    drop(state);
    hub.wake();
    Ok(Some(handle))
}

/// The ballot whose votes are still coming.
fn open_ballot(meeting: &Meeting) -> Option<BallotId> {
    let last = meeting.ballots.last()?;
    (matches!(last.state, BallotState::Open) && !meeting.is_over()).then_some(last.id)
}

/// Tells what the engine tells. `Err(Live)` when everybody has left.
async fn follow(server: &ServerState, hub: &Hub, handle: &MeetingHandle) -> Result<(), Stage> {
    let options = server.live().options();
    let (most, keep) = (options.behind_max, options.keep);
    // What is wrong with the database concerns a meeting that lies in it, whether or not it writes just now.
    let mut storage = (!server.app().is_off_record(&hub.meeting)).then(|| server.store().watch_trouble());
    if let Some(storage) = &mut storage {
        storage.mark_changed();
    }
    let mut ear = Ear::open(hub, handle, most).await?;
    let mut told_at = Instant::now() - Duration::from_secs(1);
    // When the next pieces may be told, and when what is kept may be dropped.
    let (mut due, mut stale): (Option<Instant>, Option<Instant>) = (None, None);
    loop {
        tokio::select! {
            notice = ear.listener.next() => match notice {
                Ok(Some(Notice::Event(record))) => {
                    if !hub.tell(record, most) {
                        ear = Ear::open(hub, handle, most).await?;
                    }
                    due = None;
                    stale.get_or_insert_with(|| Instant::now() + keep);
                }
                Ok(Some(Notice::Fragment(piece))) => {
                    if !hub.take(&piece) {
                        ear = Ear::open(hub, handle, most).await?;
                        continue;
                    }
                    let least = options.frame_for(hub.listeners.load(Ordering::Relaxed));
                    if told_at.elapsed() >= least {
                        hub.tell_news(most);
                        (told_at, due) = (Instant::now(), None);
                        stale.get_or_insert_with(|| Instant::now() + keep);
                    } else {
                        due.get_or_insert(told_at + least);
                    }
                }
                // Each answer under way comes again from its beginning, which is heard as such.
                Ok(Some(Notice::Lagged)) => {}
                // Whether the database can be written, the store says.
                Ok(Some(Notice::Trouble(EngineError::Journal(JournalError::Unavailable { .. }))))
                    if storage.as_ref().is_some_and(|storage| storage.borrow().is_some()) => {}
                Ok(Some(Notice::Trouble(error))) => hub.tell_trouble(&error.into(), most),
                Ok(None) => return ended(server, hub, most).await,
                Err(error) => {
                    hub.tell_trouble(&error.into(), most);
                    sleep(RETRY_AFTER).await;
                    ear = Ear::open(hub, handle, most).await?;
                }
            },
            () = changed(&mut storage) => {
                let trouble = storage.as_ref().and_then(|storage| storage.borrow().clone());
                match trouble {
                    Some(error) => hub.tell_trouble(&error.into(), most),
                    None => hub.tell_relief(most),
                }
            }
            () = until(due) => {
                hub.tell_news(most);
                (told_at, due) = (Instant::now(), None);
                stale.get_or_insert_with(|| Instant::now() + keep);
            }
            () = until(stale) => {
                let mut state = hub.state();
                state.ring.trim(keep);
                stale = (!state.ring.is_empty()).then(|| Instant::now() + keep);
            }
            () = hub.bell.notified() => {
                if hub.is_left() {
                    return Err(Stage::Live);
                }
                if let stage @ Stage::Stopping = hub.stage() {
                    return Err(stage);
                }
                if ear.watches != hub.is_watched() {
                    ear = Ear::open(hub, handle, most).await?;
                }
            }
        }
    }
}

/// The hub's place among the engine's listeners.
struct Ear {
    listener: Subscription,
    watches: bool,
}

impl Ear {
    /// Listens from where the hub stands. A journal that cannot be read is asked again as long as
    /// somebody waits for it.
    async fn open(hub: &Hub, handle: &MeetingHandle, most: usize) -> Result<Self, Stage> {
        loop {
            let (seq, watches) = (hub.state().seq, hub.is_watched());
            match handle.subscribe(seq, watches).await {
                Ok(listener) => return Ok(Self { listener, watches }),
                // Nobody can listen to what was deleted, however long they wait.
                Err(
                    EngineError::Gone
                    | EngineError::Refused(_)
                    | EngineError::Journal(JournalError::NoSuchMeeting(_)),
                ) => return Err(Stage::Lost),
                Err(error) => hub.tell_trouble(&error.into(), most),
            }
            sleep(RETRY_AFTER).await;
            if hub.is_left() {
                return Err(Stage::Live);
            }
        }
    }
}

/// The engine tells no more: the meeting is over, or does not run here any more.
async fn ended(server: &ServerState, hub: &Hub, most: usize) -> Result<(), Stage> {
    hub.tell_news(most);
    match server.engine().load(&hub.meeting).await {
        Ok(meeting) if meeting.is_over() && meeting.seq == hub.state().seq => Ok(()),
        Ok(_) | Err(_) => Err(Stage::Lost),
    }
}

/// Waits until something changes; for ever when there is nothing that could.
async fn changed<T>(watched: &mut Option<watch::Receiver<T>>) {
    let gone = match watched {
        Some(watched) => watched.changed().await.is_err(),
        None => std::future::pending().await,
    };
    if gone {
        *watched = None;
    }
}

/// Waits until then; for ever when there is nothing to wait for.
async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
