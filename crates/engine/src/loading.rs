//! Loading of a meeting into memory.

use std::sync::Arc;

use quorate_contract::MeetingId;
use quorate_core::{Meeting, apply};
use tokio::sync::mpsc;
use tokio::time::sleep_until;

use crate::compute::weight;
use crate::engine::Shared;
use crate::error::EngineError;
use crate::failing_loops::{AfterFailure, Failure};
use crate::meeting_loop::{MeetingLoop, Request};
use crate::ports::{JournalError, Record};
use crate::registry::Registered;
use crate::stats::Stats;
use crate::supervisor::quarantine;

/// The state behind a registration.
pub(crate) enum Occupancy {
    /// A loop, and the way into it.
    MeetingLoop(mpsc::Sender<Request>),
    /// A meeting that is over; it needs no loop.
    Over(Box<Meeting>),
    /// The registration was taken away meanwhile; there is another one.
    Nothing,
}

/// Finds what is behind a registration, and takes the meeting up from its log when it is not in memory. Where its loop has
/// just failed, that waits a little; where it is quarantined, it does not happen.
pub(crate) async fn enter(shared: &Arc<Shared>, visit: &Registered) -> Result<Occupancy, EngineError> {
    let registration = &visit.registration;
    if let Some(requests) = registration.requests() {
        return Ok(Occupancy::MeetingLoop(requests));
    }
    let _alone = registration.opening.lock().await;
    if let Some(requests) = registration.requests() {
        return Ok(Occupancy::MeetingLoop(requests));
    }
    if let Some(fault) = shared.faults.of(&registration.id) {
        return Err(EngineError::Quarantined(fault));
    }
    if let Some(moment) = shared.faults.not_before(&registration.id) {
        sleep_until(moment).await;
    }
    shared.journal.claim(&registration.id).await?;
    let (meeting, kept) = match resume(shared, &registration.id).await {
        Ok(resumed) => resumed,
        Err(error) => {
            note(shared, visit, &error).await;
            return Err(error);
        }
    };
    if meeting.is_over() {
        registration.subscribers.close();
        return Ok(Occupancy::Over(Box::new(meeting)));
    }
    Ok(match begin(shared, visit, meeting, kept)? {
        Some(requests) => Occupancy::MeetingLoop(requests),
        None => Occupancy::Nothing,
    })
}

/// Records that a meeting could not be loaded. A permanent error quarantines it; other errors are left to the
/// caller.
async fn note(shared: &Shared, visit: &Registered, error: &EngineError) {
    let lasts = match error {
        EngineError::Broken(..) | EngineError::Journal(JournalError::Damaged { .. }) => true,
        EngineError::Journal(_) | EngineError::Refused(_) => false,
        EngineError::Gone | EngineError::Quarantined(_) => false,
    };
    if lasts {
        let failure = Failure::Error(error.clone());
        if let AfterFailure::Quarantined(fault) =
            shared.faults.note(&visit.registration.id, &failure, shared.clock.now())
        {
            quarantine(shared, visit, fault).await;
        }
    }
}

/// Runs a meeting that is in memory already, unless it runs here.
pub(crate) async fn settle_in(
    shared: &Arc<Shared>,
    visit: &Registered,
    meeting: Meeting,
) -> Result<bool, EngineError> {
    let _alone = visit.registration.opening.lock().await;
    Ok(visit.registration.requests().is_none() && begin(shared, visit, meeting, 0)?.is_some())
}

/// Begins a loop behind the registration, with a snapshot at event `kept`; the caller holds `opening`.
fn begin(
    shared: &Arc<Shared>,
    visit: &Registered,
    meeting: Meeting,
    kept: u64,
) -> Result<Option<mpsc::Sender<Request>>, EngineError> {
    if shared.closing.get().is_some() {
        return Err(EngineError::Gone);
    }
    let (requests, mailbox) = mpsc::channel(Stats::MAILBOX);
    if !shared.registry.load(&visit.registration, requests.clone()) {
        return Ok(None);
    }
    let meeting_loop =
        MeetingLoop::new(meeting, kept, Arc::clone(shared), Arc::clone(&visit.registration), mailbox);
    tokio::spawn(meeting_loop.run());
    Ok(Some(requests))
}

/// A meeting as its log says.
pub(crate) async fn load(shared: &Shared, id: &MeetingId) -> Result<Meeting, EngineError> {
    Ok(resume(shared, id).await?.0)
}

/// A meeting as its log says, and up to which event there is a snapshot; 0 when there is none that
/// can be relied on.
async fn resume(shared: &Shared, id: &MeetingId) -> Result<(Meeting, u64), EngineError> {
    let (snapshot, mut records) = match shared.faults.not_before(id) {
        None => shared.journal.resume(id.clone()).await?,
        // After a failure nothing is relied on but the log.
        Some(_) => (None, shared.journal.read(id.clone(), 0).await?),
    };
    let (had_one, named) = (snapshot.is_some(), id.clone());
    let taken_up = match snapshot {
        Some(snapshot) => {
            let weight = weight(0, snapshot.size());
            shared.compute.weighed(weight, move || snapshot.meeting(&named)).await?
        }
        None => None,
    };
    if had_one && taken_up.is_none() {
        records = shared.journal.read(id.clone(), 0).await?;
    }
    let kept = taken_up.as_ref().map_or(0, |meeting| meeting.seq);
    let blank = match (taken_up, records.first()) {
        (Some(meeting), _) => meeting,
        (None, Some(first)) => Meeting::blank(id.clone(), first.event.run_id.clone()),
        (None, None) => return Err(JournalError::NoSuchMeeting(id.clone()).into()),
    };
    let weight = weight(records.len() as u64, records.iter().map(|record| record.line.len()).sum());
    let meeting = shared.compute.weighed(weight, move || fold(blank, &records)).await?;
    shared.counters.opened(kept > 0);
    Ok((meeting, kept))
}

/// The meeting that a whole log comes to; `None` without an event.
pub(crate) fn folded(records: &[Record]) -> Option<Meeting> {
    let first = &records.first()?.event;
    Some(fold(Meeting::blank(first.meeting_id.clone(), first.run_id.clone()), records))
}

/// Folds what comes next.
fn fold(mut meeting: Meeting, records: &[Record]) -> Meeting {
    for record in records {
        apply(&mut meeting, &record.event);
    }
    meeting
}
