//! A hub hears the engine: writes each frame once, and keeps the last seconds of them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use quorate_app::{EngineError, JournalError, MeetingHandle, Notice, ServiceError, Subscription};
use quorate_contract::MeetingId;
use quorate_views::Moment;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

use super::hub::{Hub, HubStage};
use crate::problem::Problem;
use crate::state::ServerState;

/// How long to wait before a journal that could not be read is asked again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The hub of a meeting, with one listener more.
pub(super) fn enter(server: &ServerState, meeting: &MeetingId, fragments: bool) -> Result<Arc<Hub>, Problem> {
    server.live().enter(meeting, fragments, |hub| {
        tokio::spawn(run(server.clone(), hub));
    })
}

/// Hears a meeting for its listeners, until the last one has left or the meeting is over.
async fn run(server: ServerState, hub: Arc<Hub>) {
    let ended = match begin(&server, &hub).await {
        Ok(Some(handle)) => follow(&server, &hub, &handle).await,
        Ok(None) => Ok(()),
        Err(error) => Err(HubStage::Failed(Box::new(error.into()))),
    };
    match ended {
        Ok(()) => hub.ends(HubStage::Over),
        // Nobody is there to hear it.
        Err(HubStage::Live) => {}
        Err(stage) => hub.ends(stage),
    }
}

/// Finds out where the meeting stands; no handle when it is over.
async fn begin(server: &ServerState, hub: &Hub) -> Result<Option<MeetingHandle>, ServiceError> {
    let handle = server.app().meeting(&hub.meeting).await?;
    let meeting = match handle.look().await {
        Ok(meeting) => meeting,
        // The loop of a meeting that is over ends at once.
        Err(_) => server.app().load_whole(&hub.meeting).await?,
    };
    let mut state = hub.state();
    state.seq = meeting.seq;
    state.moment = Moment::of(&meeting);
    if meeting.is_over() {
        return Ok(None);
    }
    if matches!(state.stage, HubStage::Starting) {
        state.stage = HubStage::Live;
    }
    drop(state);
    hub.wake();
    Ok(Some(handle))
}

/// Tells what the engine tells. `Err(Live)` when all listeners have left.
async fn follow(server: &ServerState, hub: &Hub, handle: &MeetingHandle) -> Result<(), HubStage> {
    let options = server.live().options();
    let (most, keep) = (options.behind_max, options.keep);
    // What is wrong with the database concerns a meeting that lies in it, whether or not it writes just now.
    let mut storage = (!server.app().is_off_record(&hub.meeting)).then(|| server.app().watch_storage());
    if let Some(storage) = &mut storage {
        storage.mark_changed();
    }
    let mut ear = HubSubscription::open(hub, handle, most).await?;
    let mut told_at = Instant::now() - Duration::from_secs(1);
    // When the next pieces may be told, and when what is kept may be dropped.
    let (mut due, mut stale): (Option<Instant>, Option<Instant>) = (None, None);
    loop {
        tokio::select! {
            notice = ear.listener.next() => match notice {
                Ok(Some(Notice::Event(record))) => {
                    if !hub.tell(record, most) {
                        ear = HubSubscription::open(hub, handle, most).await?;
                    }
                    due = None;
                    stale.get_or_insert_with(|| Instant::now() + keep);
                }
                Ok(Some(Notice::Fragment(piece))) => {
                    if !hub.take(&piece) {
                        ear = HubSubscription::open(hub, handle, most).await?;
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
                Ok(Some(Notice::Problem(EngineError::Journal(JournalError::Unavailable { .. }))))
                    if storage.as_ref().is_some_and(|storage| storage.borrow().is_some()) => {}
                Ok(Some(Notice::Problem(error))) => hub.tell_problem(&error.into(), most),
                Ok(None) => return ended(server, hub, most).await,
                Err(error) => {
                    hub.tell_problem(&error.into(), most);
                    sleep(RETRY_AFTER).await;
                    ear = HubSubscription::open(hub, handle, most).await?;
                }
            },
            () = changed(&mut storage) => {
                let problem = storage.as_ref().and_then(|storage| storage.borrow().clone());
                match problem {
                    Some(error) => hub.tell_problem(&error.into(), most),
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
                    return Err(HubStage::Live);
                }
                if let stage @ HubStage::Stopping = hub.stage() {
                    return Err(stage);
                }
                if ear.watches != hub.is_watched() {
                    ear = HubSubscription::open(hub, handle, most).await?;
                }
            }
        }
    }
}

/// The hub's place among the engine's listeners.
struct HubSubscription {
    listener: Subscription,
    watches: bool,
}

impl HubSubscription {
    /// Listens from where the hub stands. A journal that cannot be read is asked again as long as
    /// a listener waits for it.
    async fn open(hub: &Hub, handle: &MeetingHandle, most: usize) -> Result<Self, HubStage> {
        loop {
            let (seq, watches) = (hub.state().seq, hub.is_watched());
            match handle.subscribe(seq, watches).await {
                Ok(listener) => return Ok(Self { listener, watches }),
                // Nobody can listen to what was deleted, however long they wait.
                Err(
                    EngineError::Gone
                    | EngineError::Refused(_)
                    | EngineError::Journal(JournalError::NoSuchMeeting(_)),
                ) => return Err(HubStage::Lost),
                Err(error) => hub.tell_problem(&error.into(), most),
            }
            sleep(RETRY_AFTER).await;
            if hub.is_left() {
                return Err(HubStage::Live);
            }
        }
    }
}

/// The engine tells no more: the meeting is over, or does not run here any more.
async fn ended(server: &ServerState, hub: &Hub, most: usize) -> Result<(), HubStage> {
    hub.tell_news(most);
    match server.app().load_whole(&hub.meeting).await {
        Ok(meeting) if meeting.is_over() && meeting.seq == hub.state().seq => Ok(()),
        Ok(_) | Err(_) => Err(HubStage::Lost),
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
