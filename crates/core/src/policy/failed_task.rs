//! What follows from the failure of a task of the meeting.

use quorate_contract::{FailureKind, PARTICIPANTS_MAX, TaskFailureConsequence, TaskId};

use crate::state::{Meeting, Phase};

/// What follows when this task has failed for good.
///
/// A failed request is not repeated by itself, and can be made again. Records for the end are asked for again, and
/// records that only the budget forbids are written by the rules. When no seat is left, the rules cannot add a
/// participant either.
pub(crate) fn after(m: &Meeting, task: TaskId, kind: FailureKind) -> TaskFailureConsequence {
    let kept = matches!(m.phase, Phase::Closing { .. }) || kind == FailureKind::Budget;
    match task {
        TaskId::Minutes(_) | TaskId::Artifact(..) if !kept => TaskFailureConsequence::Withdrawn,
        TaskId::Invite(_) if m.present().count() >= PARTICIPANTS_MAX => TaskFailureConsequence::Closed,
        TaskId::Minutes(_) | TaskId::Artifact(..) | TaskId::Invite(_) => TaskFailureConsequence::GivenUp,
        TaskId::Speak(_) | TaskId::Vote(..) | TaskId::Summarize(_) | TaskId::Facilitate(_) => {
            TaskFailureConsequence::GivenUp
        }
        TaskId::Conclude | TaskId::Intake(_) | TaskId::Team(_) | TaskId::Evaluate(_) => {
            TaskFailureConsequence::GivenUp
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quorate_contract::*;

    use super::*;
    use crate::state::Seat;

    fn meeting(phase: Phase) -> Meeting {
        Meeting { phase, ..Meeting::blank(MeetingId::new("m"), RunId::new("r")) }
    }

    #[test]
    fn a_failed_request_is_withdrawn_but_for_the_end_or_the_budget() {
        let closing = meeting(Phase::Closing { outcome: MeetingOutcome::Completed });
        for task in [TaskId::Minutes(1), TaskId::Artifact(ArtifactKind::Adr, ArtifactVersion(1))] {
            let running = meeting(Phase::Discussion);
            assert_eq!(after(&running, task, FailureKind::Malformed), TaskFailureConsequence::Withdrawn);
            assert_eq!(after(&running, task, FailureKind::Budget), TaskFailureConsequence::GivenUp);
            assert_eq!(after(&closing, task, FailureKind::Malformed), TaskFailureConsequence::GivenUp);
        }
        assert_eq!(after(&closing, TaskId::Conclude, FailureKind::Network), TaskFailureConsequence::GivenUp);
    }

    #[test]
    fn an_invitation_is_closed_when_no_seat_is_left() {
        let mut full = meeting(Phase::Discussion);
        let role = Role { name: "r".into(), description: "d".into(), system_prompt: String::new() };
        for number in 1..=PARTICIPANTS_MAX {
            let invited = after(&full, TaskId::Invite(1), FailureKind::BadRequest);
            assert_eq!(invited, TaskFailureConsequence::GivenUp, "{number} seats are taken");
            let participant = Participant {
                id: ParticipantId(number as u32),
                name: number.to_string(),
                role: role.clone(),
                runner: RunnerSpec::Simulated { temperament: Temperament::Balanced },
                skip_list: Vec::new(),
            };
            full.seats.push(Arc::new(Seat::taken_by(participant, 0)));
        }
        assert_eq!(after(&full, TaskId::Invite(1), FailureKind::BadRequest), TaskFailureConsequence::Closed);
        assert_eq!(after(&full, TaskId::Conclude, FailureKind::BadRequest), TaskFailureConsequence::GivenUp);
    }
}
