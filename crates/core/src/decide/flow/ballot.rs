//! Ballots; when one fails, the facilitator explains why.

use quorate_contract::{AbortReason, BallotId, EventBody, MeetingOutcome, PauseReason, SteeringRule, TaskId};

use super::pause;
use crate::decide::transaction::Transaction;
use crate::policy::tally::tally;
use crate::state::tasks::can_facilitate;
use crate::state::{BallotChoice, Phase, number_after};

pub(super) fn open(t: &mut Transaction) {
    let m = &t.meeting;
    if m.online().next().is_none() {
        return pause::ask(t, PauseReason::NobodyAnswered, Vec::new());
    }
    let opened = EventBody::BallotOpened {
        ballot: BallotId(number_after(m.ballots.len())),
        round: m.round_number(),
        draft_version: m.draft().map_or(0, |draft| draft.version),
        voters: m.online().map(|seat| seat.participant.id).collect(),
    };
    t.emit(opened);
}

pub(super) fn count(t: &mut Transaction) {
    let Some(ballot) = t.meeting.ballots.last() else { return };
    if ballot.cast.len() < ballot.voters.len() {
        return;
    }
    // Another round would be paid for, and end in the same.
    let all_failed = ballot.cast.values().all(|cast| matches!(cast, BallotChoice::Failed(_)));
    let verdict = tally(&t.meeting.rules().decision, ballot);
    let (id, round, passed) = (ballot.id, ballot.round, verdict.passed);
    t.emit(EventBody::BallotClosed { ballot: id, verdict });
    if passed {
        t.close(MeetingOutcome::Accepted { ballot: id });
    } else if round >= t.meeting.rules().limits.max_rounds {
        t.close(MeetingOutcome::Aborted(AbortReason::RoundLimit));
    } else if all_failed {
        pause::ask(t, PauseReason::NobodyAnswered, Vec::new());
    }
}

pub(super) fn facilitate(t: &mut Transaction) {
    let m = &t.meeting;
    let Some(ballot) = m.ballots.last() else { return };
    let written = m.facilitations.last().is_some_and(|f| f.ballot == ballot.id);
    if written || !can_facilitate(m, TaskId::Facilitate(ballot.id)) {
        let next = m.round_number() + 1;
        super::next_round(t, next);
    }
}

/// Handles a person's message during a ballot: by the rules it interrupts the ballot or waits.
pub(crate) fn steer(t: &mut Transaction, by: quorate_contract::MessageId) {
    let voting = t.meeting.phase == Phase::Ballot;
    if !voting || t.meeting.rules().decision.on_steering == SteeringRule::Queue {
        return;
    }
    let Some(ballot) = t.meeting.ballots.last().map(|ballot| ballot.id) else { return };
    // A message does not invalidate requests beside the ballot.
    t.cancel(|_, task| matches!(task, TaskId::Vote(of, _) if of == ballot));
    t.emit(EventBody::BallotInterrupted { ballot, by });
}
