//! The meeting rests, goes on, or is ended by a person.

use std::collections::BTreeMap;

use crate::event::{AbortReason, EventBody, MeetingOutcome, PauseReason};
use crate::flow;
use crate::meeting::{Phase, Rest};
use crate::refusal::Refusal;
use crate::table::Table;

/// Rests after whoever has the floor (004), or at once; then nobody speaks until it goes on (P17).
pub(super) fn pause(t: &mut Table, by: String, at_once: bool) -> Result<(), Refusal> {
    super::under_way(&t.meeting).or_else(|refusal| match t.meeting.phase {
        // The conclusion is being written; to rest before it is as good as anywhere else.
        Phase::Closing { .. } => Ok(()),
        _ => Err(refusal),
    })?;
    if t.meeting.is_paused() {
        return Err(Refusal::IsPaused);
    }
    if at_once {
        t.cancel_calls();
        flow::pause(t, PauseReason::UserRequest, by);
    } else if t.meeting.rest == Rest::Running {
        t.state(EventBody::PauseRequested { by });
    }
    Ok(())
}

pub(super) fn resume(
    t: &mut Table,
    by: String,
    token: Option<String>,
    answers: BTreeMap<String, serde_json::Value>,
) -> Result<(), Refusal> {
    match (&t.meeting.phase, &t.meeting.rest) {
        (Phase::Ended { .. }, _) => return Err(Refusal::MeetingIsOver),
        (_, Rest::Running) => return Err(Refusal::NotPaused),
        // Whoever takes back a request for a pause brings no token.
        (_, Rest::PauseRequested { .. }) => {}
        (_, Rest::Paused { token: wanted, .. }) => {
            if token.is_some_and(|token| token != *wanted) {
                return Err(Refusal::WrongResumeToken);
            }
        }
    }
    t.state(EventBody::Resume { by, answers });
    Ok(())
}

/// Ends with the best available conclusion; what is under way is cancelled.
pub(super) fn end(t: &mut Table, by: String, note: String) -> Result<(), Refusal> {
    match t.meeting.phase {
        Phase::Blank => return Err(Refusal::NotCreated),
        Phase::Closing { .. } | Phase::Ended { .. } => return Err(Refusal::MeetingIsOver),
        Phase::Draft | Phase::Discussion | Phase::Summary => {}
        Phase::Ballot | Phase::Facilitation => {}
    }
    t.state(EventBody::EndRequested { by, note: note.clone() });
    // A discussion that votes on nothing is complete when its people say so.
    let outcome = match t.meeting.rules().decision.ballots {
        true => MeetingOutcome::Aborted(AbortReason::User { note }),
        false => MeetingOutcome::Completed,
    };
    t.close(outcome);
    Ok(())
}
