//! A hub hears the engine: writes each frame once, and keeps the last seconds of them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use quorate_app::{EngineError, JournalError, MeetingHandle, Notice, ServiceError, Subscription};
use quorate_contract::MeetingId;
use quorate_core::Meeting;
use quorate_views::Moment;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

use super::meeting_stream::{MeetingStream, StreamStage};
use crate::nodes::RemoteSubscription;
use crate::problem::Problem;
use crate::state::ServerState;

/// How long to wait before a journal that could not be read is asked again.
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// How often it is looked whether another node runs a meeting by now.
const OWNER_EVERY: Duration = Duration::from_secs(2);

/// Where a meeting is heard.
enum Place {
    /// It runs here.
    Here(MeetingHandle),
    /// Another node runs it.
    Elsewhere,
}

/// The hub of a meeting, with one listener more.
pub(super) fn enter(
    server: &ServerState,
    meeting: &MeetingId,
    fragments: bool,
) -> Result<Arc<MeetingStream>, Problem> {
    server.live().enter(meeting, fragments, |hub| {
        tokio::spawn(run(server.clone(), hub));
    })
}

/// Hears a meeting for its listeners, until the last one has left or the meeting is over.
async fn run(server: ServerState, hub: Arc<MeetingStream>) {
    loop {
        let ended = match begin(&server, &hub).await {
            Ok(Some(place)) => follow(&server, &hub, &place).await,
            Ok(None) => Ok(()),
            Err(error) => Err(StreamStage::Failed(Box::new(error.into()))),
        };
        match ended {
            Ok(()) => return hub.ends(StreamStage::Over),
            // Nobody is there to hear it.
            Err(StreamStage::Live) => return,
            // Another node runs it by now, or will soon; its listeners stay.
            Err(stage @ (StreamStage::Lost | StreamStage::Failed(_)))
                if server.node_id().is_some()
                    && hub.stage().goes_on(&stage)
                    && exists(&server, &hub).await =>
            {
                sleep(RETRY_AFTER).await;
                if hub.is_left() {
                    return;
                }
            }
            Err(stage) => return hub.ends(stage),
        }
    }
}

/// Whether the meeting still is in the database; also when that cannot be found out.
async fn exists(server: &ServerState, hub: &MeetingStream) -> bool {
    let seq = hub.state().seq;
    let read = server.app().records_after(&hub.meeting, seq).await;
    !matches!(read, Err(JournalError::NoSuchMeeting(_)))
}

/// Finds out where the meeting runs and how it stands; no place when it is over.
async fn begin(server: &ServerState, hub: &MeetingStream) -> Result<Option<Place>, ServiceError> {
    let (place, meeting) = match server.app().owner_elsewhere(&hub.meeting).await? {
        Some(_) => (Place::Elsewhere, server.app().load_whole(&hub.meeting).await?),
        None => {
            let handle = match server.app().meeting(&hub.meeting).await {
                Ok(handle) => handle,
                // Another one was quicker.
                Err(error) => match server.app().owner_elsewhere(&hub.meeting).await? {
                    Some(_) => {
                        let meeting = server.app().load_whole(&hub.meeting).await?;
                        return Ok(standing(hub, Place::Elsewhere, &meeting));
                    }
                    None => return Err(error),
                },
            };
            let meeting = match handle.look().await {
                Ok(meeting) => meeting,
                // The loop of a meeting that is over ends at once.
                Err(_) => server.app().load_whole(&hub.meeting).await?,
            };
            (Place::Here(handle), meeting)
        }
    };
    Ok(standing(hub, place, &meeting))
}

/// Takes note of how a meeting stands that is heard from now on; no place when it is over.
fn standing(hub: &MeetingStream, place: Place, meeting: &Meeting) -> Option<Place> {
    let mut state = hub.state();
    // Whoever listens already is told what happened meanwhile.
    if matches!(state.stage, StreamStage::Starting) {
        state.seq = meeting.seq;
        state.moment = Moment::of(meeting);
    }
    if meeting.is_over() && state.seq == meeting.seq {
        return None;
    }
    if matches!(state.stage, StreamStage::Starting) {
        state.stage = StreamStage::Live;
    }
    drop(state);
    hub.wake();
    Some(place)
}

/// Tells what the engine tells, or the node that runs the meeting. `Err(Live)` when all listeners have left.
async fn follow(server: &ServerState, hub: &MeetingStream, place: &Place) -> Result<(), StreamStage> {
    let options = server.live().options();
    let (most, keep) = (options.behind_max, options.keep);
    // What is wrong with the database concerns a meeting that lies in it, whether or not it writes just now.
    let mut storage = (!server.app().is_off_record(&hub.meeting)).then(|| server.app().watch_storage());
    if let Some(storage) = &mut storage {
        storage.mark_changed();
    }
    let mut owner_at = is_shared(server, place).then(|| Instant::now() + OWNER_EVERY);
    let mut ear = HubSubscription::open(server, hub, place, most).await?;
    let mut told_at = Instant::now() - Duration::from_secs(1);
    // When the next pieces may be told, and when what is kept may be dropped.
    let (mut due, mut stale): (Option<Instant>, Option<Instant>) = (None, None);
    loop {
        tokio::select! {
            notice = ear.listener.next() => match notice {
                Ok(Some(Notice::Event(record))) => {
                    if !hub.tell(record, most) {
                        ear = HubSubscription::open(server, hub, place, most).await?;
                    }
                    due = None;
                    stale.get_or_insert_with(|| Instant::now() + keep);
                }
                Ok(Some(Notice::Fragment(piece))) => {
                    if !hub.take(&piece) {
                        ear = HubSubscription::open(server, hub, place, most).await?;
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
                Err(EngineError::Journal(JournalError::NoSuchMeeting(_))) => return Err(StreamStage::Lost),
                Err(error) => {
                    hub.tell_problem(&error.into(), most);
                    sleep(RETRY_AFTER).await;
                    ear = HubSubscription::open(server, hub, place, most).await?;
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
            () = until(owner_at) => {
                // Where the database cannot be read, nothing is known.
                if let Ok(Some(_)) = server.app().owner_elsewhere(&hub.meeting).await {
                    return Err(StreamStage::Lost);
                }
                owner_at = Some(Instant::now() + OWNER_EVERY);
            }
            () = hub.bell.notified() => {
                if hub.is_left() {
                    return Err(StreamStage::Live);
                }
                if let stage @ StreamStage::Stopping = hub.stage() {
                    return Err(stage);
                }
                if ear.watches != hub.is_watched() {
                    ear = HubSubscription::open(server, hub, place, most).await?;
                }
            }
        }
    }
}

/// Whether a meeting that runs here could go on at another node.
fn is_shared(server: &ServerState, place: &Place) -> bool {
    matches!(place, Place::Here(_)) && server.node_id().is_some()
}

/// The hub's place among the listeners of the engine, or of another node.
struct HubSubscription {
    listener: Source,
    watches: bool,
}

/// From where notices come.
enum Source {
    Here(Subscription),
    Elsewhere(RemoteSubscription),
}

impl Source {
    async fn next(&mut self) -> Result<Option<Notice>, EngineError> {
        match self {
            Self::Here(subscription) => subscription.next().await,
            Self::Elsewhere(subscription) => subscription.next().await,
        }
    }
}

impl HubSubscription {
    /// Listens from where the hub stands. A journal that cannot be read is asked again as long as
    /// a listener waits for it.
    async fn open(
        server: &ServerState,
        hub: &MeetingStream,
        place: &Place,
        most: usize,
    ) -> Result<Self, StreamStage> {
        loop {
            let (seq, watches) = (hub.state().seq, hub.is_watched());
            let handle = match place {
                Place::Here(handle) => handle,
                Place::Elsewhere => {
                    let listener = RemoteSubscription::open(server, &hub.meeting, seq, watches);
                    return Ok(Self { listener: Source::Elsewhere(listener), watches });
                }
            };
            match handle.subscribe(seq, watches).await {
                Ok(listener) => return Ok(Self { listener: Source::Here(listener), watches }),
                // Nobody can listen to what was deleted, however long they wait.
                Err(
                    EngineError::Gone
                    | EngineError::Refused(_)
                    | EngineError::Journal(JournalError::NoSuchMeeting(_) | JournalError::Elsewhere { .. }),
                ) => return Err(StreamStage::Lost),
                Err(error) => hub.tell_problem(&error.into(), most),
            }
            sleep(RETRY_AFTER).await;
            if hub.is_left() {
                return Err(StreamStage::Live);
            }
        }
    }
}

/// The engine tells no more: the meeting is over, or does not run here any more.
async fn ended(server: &ServerState, hub: &MeetingStream, most: usize) -> Result<(), StreamStage> {
    hub.tell_news(most);
    match server.app().load_whole(&hub.meeting).await {
        Ok(meeting) if meeting.is_over() && meeting.seq == hub.state().seq => Ok(()),
        Ok(_) | Err(_) => Err(StreamStage::Lost),
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
