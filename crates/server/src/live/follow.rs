//! How a stream follows its meeting: each frame is written once, and those of the last seconds are kept.

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
use super::options::SCREEN_FRAME;
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

/// The stream of a meeting, with one listener more.
pub(super) fn enter(
    server: &ServerState,
    meeting: &MeetingId,
    fragments: bool,
) -> Result<Arc<MeetingStream>, Problem> {
    server.live().enter(meeting, fragments, |stream| {
        tokio::spawn(run(server.clone(), stream));
    })
}

/// Hears a meeting for its listeners, until the last one has left or the meeting is over.
async fn run(server: ServerState, stream: Arc<MeetingStream>) {
    loop {
        let ended = match begin(&server, &stream).await {
            Ok(Some(place)) => follow(&server, &stream, &place).await,
            Ok(None) => Ok(()),
            Err(error) => Err(StreamStage::Failed(Box::new(error.into()))),
        };
        match ended {
            Ok(()) => return stream.ends(StreamStage::Over),
            // Nobody is there to hear it.
            Err(StreamStage::Live) => return,
            // Another node runs it by now, or will soon; its listeners stay.
            Err(stage @ (StreamStage::Lost | StreamStage::Failed(_)))
                if server.node_id().is_some()
                    && stream.stage().goes_on(&stage)
                    && exists(&server, &stream).await =>
            {
                sleep(RETRY_AFTER).await;
                if stream.is_left() {
                    return;
                }
            }
            Err(stage) => return stream.ends(stage),
        }
    }
}

/// Whether the meeting still is in the database; also when that cannot be found out.
async fn exists(server: &ServerState, stream: &MeetingStream) -> bool {
    let seq = stream.state().seq;
    let read = server.app().records_after(&stream.meeting, seq).await;
    !matches!(read, Err(JournalError::NoSuchMeeting(_)))
}

/// Finds out where the meeting runs and how it stands; no place when it is over.
async fn begin(server: &ServerState, stream: &MeetingStream) -> Result<Option<Place>, ServiceError> {
    let (place, meeting) = match server.app().owner_elsewhere(&stream.meeting).await? {
        Some(_) => (Place::Elsewhere, server.app().load_whole(&stream.meeting).await?),
        None => {
            let handle = match server.app().meeting(&stream.meeting).await {
                Ok(handle) => handle,
                // Another one was quicker.
                Err(error) => match server.app().owner_elsewhere(&stream.meeting).await? {
                    Some(_) => {
                        let meeting = server.app().load_whole(&stream.meeting).await?;
                        return Ok(standing(stream, Place::Elsewhere, &meeting));
                    }
                    None => return Err(error),
                },
            };
            let meeting = match handle.look().await {
                Ok(meeting) => meeting,
                // The loop of a meeting that is over ends at once.
                Err(_) => server.app().load_whole(&stream.meeting).await?,
            };
            (Place::Here(handle), meeting)
        }
    };
    Ok(standing(stream, place, &meeting))
}

/// Takes note of how a meeting stands that is heard from now on; no place when it is over.
fn standing(stream: &MeetingStream, place: Place, meeting: &Meeting) -> Option<Place> {
    let mut state = stream.state();
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
    stream.wake();
    Some(place)
}

/// Tells what the engine tells, or the node that runs the meeting. `Err(Live)` when all listeners have left.
async fn follow(server: &ServerState, stream: &MeetingStream, place: &Place) -> Result<(), StreamStage> {
    let options = server.live().options();
    let (most, keep) = (options.behind_max, options.keep);
    // What is wrong with the database concerns a meeting that lies in it, whether or not it writes just now.
    let mut storage = (!server.app().is_off_record(&stream.meeting)).then(|| server.app().watch_storage());
    if let Some(storage) = &mut storage {
        storage.mark_changed();
    }
    let mut owner_at = is_shared(server, place).then(|| Instant::now() + OWNER_EVERY);
    let mut subscription = StreamSubscription::open(server, stream, place, most).await?;
    let mut told_at = Instant::now() - Duration::from_secs(1);
    // When the next pieces may be told, and when what is kept may be dropped.
    let (mut due, mut stale): (Option<Instant>, Option<Instant>) = (None, None);
    // Whether pieces gather until then where they are, and wake nobody; and whether they are taken now, to be told together.
    let (mut rests, mut gathers) = (false, false);
    loop {
        tokio::select! {
            biased;
            () = stream.bell.notified() => {
                if stream.is_left() {
                    return Err(StreamStage::Live);
                }
                if let stage @ StreamStage::Stopping = stream.stage() {
                    return Err(stage);
                }
                if subscription.watches != stream.is_watched() {
                    subscription = StreamSubscription::open(server, stream, place, most).await?;
                }
            }
            () = changed(&mut storage) => {
                let problem = storage.as_ref().and_then(|storage| storage.borrow().clone());
                match problem {
                    Some(error) => stream.tell_problem(&error.into(), most),
                    None => stream.tell_relief(most),
                }
            }
            notice = subscription.listener.next(), if !rests => match notice {
                Ok(Some(Notice::Event(record))) => {
                    if !stream.tell(record, most) {
                        subscription = StreamSubscription::open(server, stream, place, most).await?;
                    }
                    due = None;
                    stale.get_or_insert_with(|| Instant::now() + keep);
                }
                Ok(Some(Notice::Fragment(piece))) => {
                    if !stream.take(&piece) {
                        subscription = StreamSubscription::open(server, stream, place, most).await?;
                        continue;
                    }
                    let least = server.live().frame_after_piece(stream.listeners.load(Ordering::Relaxed));
                    if gathers {
                        continue;
                    }
                    if told_at.elapsed() >= least {
                        stream.tell_news(most);
                        (told_at, due) = (Instant::now(), None);
                        stale.get_or_insert_with(|| Instant::now() + keep);
                    } else {
                        due.get_or_insert(told_at + least);
                        rests = least <= SCREEN_FRAME;
                    }
                }
                // Each answer under way comes again from its beginning, which is heard as such.
                Ok(Some(Notice::Lagged)) => {}
                // Whether the database can be written, the store says.
                Ok(Some(Notice::Problem(EngineError::Journal(JournalError::Unavailable { .. }))))
                    if storage.as_ref().is_some_and(|storage| storage.borrow().is_some()) => {}
                Ok(Some(Notice::Problem(error))) => stream.tell_problem(&error.into(), most),
                Ok(None) => return ended(server, stream, most).await,
                Err(EngineError::Journal(JournalError::NoSuchMeeting(_))) => return Err(StreamStage::Lost),
                Err(error) => {
                    stream.tell_problem(&error.into(), most);
                    sleep(RETRY_AFTER).await;
                    subscription = StreamSubscription::open(server, stream, place, most).await?;
                }
            },
            () = std::future::ready(()), if gathers => {
                stream.tell_news(most);
                (told_at, gathers) = (Instant::now(), false);
                stale.get_or_insert_with(|| Instant::now() + keep);
            }
            () = until(due) => (due, rests, gathers) = (None, false, true),
            () = until(stale) => {
                let mut state = stream.state();
                state.ring.trim(keep);
                stale = (!state.ring.is_empty()).then(|| Instant::now() + keep);
            }
            () = until(owner_at) => {
                // Where the database cannot be read, nothing is known.
                if let Ok(Some(_)) = server.app().owner_elsewhere(&stream.meeting).await {
                    return Err(StreamStage::Lost);
                }
                owner_at = Some(Instant::now() + OWNER_EVERY);
            }
        }
    }
}

/// Whether a meeting that runs here could go on at another node.
fn is_shared(server: &ServerState, place: &Place) -> bool {
    matches!(place, Place::Here(_)) && server.node_id().is_some()
}

/// The stream's place among the listeners of the engine, or of another node.
struct StreamSubscription {
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

impl StreamSubscription {
    /// Listens from where the stream stands. A journal that cannot be read is asked again as long as
    /// a listener waits for it.
    async fn open(
        server: &ServerState,
        stream: &MeetingStream,
        place: &Place,
        most: usize,
    ) -> Result<Self, StreamStage> {
        loop {
            let (seq, watches) = (stream.state().seq, stream.is_watched());
            let handle = match place {
                Place::Here(handle) => handle,
                Place::Elsewhere => {
                    let listener = RemoteSubscription::open(server, &stream.meeting, seq, watches);
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
                Err(error) => stream.tell_problem(&error.into(), most),
            }
            sleep(RETRY_AFTER).await;
            if stream.is_left() {
                return Err(StreamStage::Live);
            }
        }
    }
}

/// The engine tells no more: the meeting is over, or does not run here any more.
async fn ended(server: &ServerState, stream: &MeetingStream, most: usize) -> Result<(), StreamStage> {
    stream.tell_news(most);
    match server.app().load_whole(&stream.meeting).await {
        Ok(meeting) if meeting.is_over() && meeting.seq == stream.state().seq => Ok(()),
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
