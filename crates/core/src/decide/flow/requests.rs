//! Requests beside the discussion: minutes, artifacts, invited participants. The facilitator fulfils them
//! when there is one; otherwise the rules do.

use quorate_contract::{
    Actor, ArtifactKind, ArtifactVersion, EventBody, FailureKind, PARTICIPANTS_MAX, TaskId,
};
use quorate_messages::message;

use crate::decide::seats::seat;
use crate::decide::transaction::Transaction;
use crate::records::rule_based;
use crate::state::tasks::can_answer;
use crate::state::{Phase, closing};

/// Fulfils by rule the requests for which no participant can be asked.
pub(super) fn by_rules(t: &mut Transaction) {
    let m = &t.meeting;
    let is_closing = matches!(m.phase, Phase::Closing { .. });
    let invitation = m.invitations.iter().find(|one| !one.done && !can_answer(m, TaskId::Invite(one.number)));
    if let Some(invitation) = invitation.cloned().filter(|_| !is_closing) {
        if m.present().count() >= PARTICIPANTS_MAX {
            return no_seat_left(t, invitation.number);
        }
        let candidate = rule_based::candidate(m, &invitation.description);
        let (by, number) = (invitation.by.clone(), Some(invitation.number));
        return seat(t, candidate.newcomer, by, candidate.reason, number);
    }
    // When time is up, no call is made any more; what the end waits for is decided by the gate.
    let nobody_asked = |task: TaskId| closing::is_out_of_time(m) || !can_answer(m, task);
    let minutes = m.minutes_requests.iter().find(|(version, _)| nobody_asked(TaskId::Minutes(**version)));
    let minutes = minutes.filter(|_| !closing::waits_for(m, ArtifactKind::Minutes));
    if let Some((version, request)) = minutes.map(|(version, request)| (*version, request.clone())) {
        return write_minutes(t, version, request.covers);
    }
    let artifact = m.artifact_requests.iter().find(|(kind, version)| {
        nobody_asked(TaskId::Artifact(*kind, *version)) && !closing::waits_for(m, *kind)
    });
    if let Some((kind, version)) = artifact.copied() {
        write_artifact(t, kind, version);
    }
}

/// Closes an invitation when no seat is left for it.
pub(crate) fn no_seat_left(t: &mut Transaction, invitation: u32) {
    let detail = message!("failure-table-full").into();
    let hint = message!("remedy-free-a-seat").into();
    t.fail(TaskId::Invite(invitation), FailureKind::BadRequest, detail, hint);
}

/// Minutes from what was said, without a model.
pub(super) fn write_minutes(t: &mut Transaction, version: u32, covers: usize) {
    let minutes = rule_based::minutes(&t.meeting, covers);
    let covers = t.meeting.last_of(covers);
    t.emit(EventBody::MinutesWritten { version, author: Actor::System, covers, minutes });
}

/// An artifact from what can be read by all, without a model.
pub(super) fn write_artifact(t: &mut Transaction, artifact_type: ArtifactKind, version: ArtifactVersion) {
    let content = rule_based::artifact(&t.meeting, artifact_type);
    let covers = t.meeting.last_of(t.meeting.visible_messages());
    let author = Actor::System;
    t.emit(EventBody::ArtifactWritten { artifact_type, version, content, author, covers });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quorate_contract::{MeetingOutcome, Timestamp};

    use super::*;
    use crate::state::{Invitation, Meeting};
    use crate::tests::seated;

    /// The participants after an invitation has been seen to, and whether it was given up.
    fn invites(m: &mut Meeting) -> (usize, bool) {
        let (description, by) = ("somebody who counts".into(), Actor::owner());
        m.invitations.push(Arc::new(Invitation { number: 1, description, by, done: false }));
        let mut t = Transaction::begin(m, Timestamp(1));
        by_rules(&mut t);
        let present = t.meeting.present().count();
        (present, t.into_bodies().iter().any(|event| matches!(event, EventBody::Error { .. })))
    }

    #[test]
    fn without_a_facilitator_the_rules_describe_who_is_invited_while_a_seat_is_free() {
        assert_eq!(invites(&mut seated(1)), (2, false));
        assert_eq!(invites(&mut seated(PARTICIPANTS_MAX as u32 - 1)), (PARTICIPANTS_MAX, false));
        assert_eq!(invites(&mut seated(PARTICIPANTS_MAX as u32)), (PARTICIPANTS_MAX, true));
        let mut closing = seated(1);
        closing.phase = Phase::Closing { outcome: MeetingOutcome::Completed };
        assert_eq!(invites(&mut closing), (1, false), "nobody comes to an end");
    }
}
