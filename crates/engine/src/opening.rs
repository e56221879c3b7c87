//! How a meeting comes into memory.

use std::sync::Arc;

use quorate_core::{Meeting, MeetingId, apply};
use tokio::sync::mpsc;

use crate::doors::Visit;
use crate::engine::Shared;
use crate::error::EngineError;
use crate::ports::JournalError;
use crate::room::{Letter, Room};
use crate::stats::Stats;

/// What is behind a door.
pub(crate) enum Behind {
    /// A room, and the way into it.
    Room(mpsc::Sender<Letter>),
    /// A meeting that is over; it needs no room.
    Over(Box<Meeting>),
    /// The door was taken away meanwhile; there is another one.
    Nothing,
}

/// Finds what is behind a door, and takes the meeting up from its log when it is not in memory.
pub(crate) async fn enter(shared: &Arc<Shared>, visit: &Visit) -> Result<Behind, EngineError> {
    let door = &visit.door;
    if let Some(letters) = door.letters() {
        return Ok(Behind::Room(letters));
    }
    let _alone = door.opening.lock().await;
    if let Some(letters) = door.letters() {
        return Ok(Behind::Room(letters));
    }
    let (meeting, kept) = resume(shared, &door.id).await?;
    if meeting.is_over() {
        door.audience.close();
        return Ok(Behind::Over(Box::new(meeting)));
    }
    Ok(match begin(shared, visit, meeting, kept)? {
        Some(letters) => Behind::Room(letters),
        None => Behind::Nothing,
    })
}

/// Has a meeting run that is in memory already. Not when it runs here: then it is left alone.
pub(crate) async fn settle_in(
    shared: &Arc<Shared>,
    visit: &Visit,
    meeting: Meeting,
) -> Result<bool, EngineError> {
    let _alone = visit.door.opening.lock().await;
    Ok(visit.door.letters().is_none() && begin(shared, visit, meeting, 0)?.is_some())
}

/// Begins a room behind the door, with a snapshot at event `kept`; the caller holds `opening`.
fn begin(
    shared: &Arc<Shared>,
    visit: &Visit,
    meeting: Meeting,
    kept: u64,
) -> Result<Option<mpsc::Sender<Letter>>, EngineError> {
    if shared.closing.get().is_some() {
        return Err(EngineError::Gone);
    }
    let (letters, mailbox) = mpsc::channel(Stats::MAILBOX);
    if !shared.doors.move_in(&visit.door, letters.clone()) {
        return Ok(None);
    }
    let room = Room::new(meeting, kept, Arc::clone(shared), Arc::clone(&visit.door), mailbox);
    tokio::spawn(room.run());
    Ok(Some(letters))
}

/// A meeting as its log says.
pub(crate) async fn load(shared: &Shared, id: &MeetingId) -> Result<Meeting, EngineError> {
    Ok(resume(shared, id).await?.0)
}

/// A meeting as its log says, and up to which event there is a snapshot; 0 when there is none that
/// can be relied on.
async fn resume(shared: &Shared, id: &MeetingId) -> Result<(Meeting, u64), EngineError> {
    let (snapshot, mut records) = shared.journal.resume(id.clone()).await?;
    let taken_up = snapshot.as_ref().and_then(|snapshot| snapshot.meeting(id));
    if snapshot.is_some() && taken_up.is_none() {
        records = shared.journal.read(id.clone(), 0).await?;
    }
    let kept = taken_up.as_ref().map_or(0, |meeting| meeting.seq);
    let mut meeting = match (taken_up, records.first()) {
        (Some(meeting), _) => meeting,
        (None, Some(first)) => Meeting::blank(id.clone(), first.event.run_id.clone()),
        (None, None) => return Err(JournalError::NoSuchMeeting(id.clone()).into()),
    };
    for record in &records {
        apply(&mut meeting, &record.event);
    }
    shared.counters.opened(kept > 0);
    Ok((meeting, kept))
}
