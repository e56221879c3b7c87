//! Joining and leaving of participants, with their open turns and votes.

use quorate_contract::{
    AbstentionKind, Actor, CallEnd, EventBody, FailureKind, Newcomer, Participant, ParticipantId, Phrase,
    clean,
};
use quorate_messages::message;

use super::transaction::{CallResult, Transaction};
use crate::state::tasks::answerer;
use crate::state::{Phase, TurnState, number_after};

/// Adds a participant at the next place.
pub(crate) fn seat(
    t: &mut Transaction,
    newcomer: Newcomer,
    by: Actor,
    reason: Phrase,
    invitation: Option<u32>,
) {
    let Newcomer { name, role, runner, skip_list } = newcomer;
    let skip_list = phrases(&skip_list);
    let id = ParticipantId(number_after(t.meeting.seats.len()));
    let participant = Participant { id, name, role, runner, skip_list };
    t.emit(EventBody::ParticipantJoined { participant, by, reason, invitation });
}

/// The phrases of a skip list as they are kept.
pub(crate) fn phrases(given: &[String]) -> Vec<String> {
    given.iter().map(|phrase| clean(phrase).trim().to_owned()).collect()
}

/// Cancels the calls of a participant.
pub(crate) fn cancel_own(t: &mut Transaction, id: ParticipantId) {
    let own = t.meeting.calls.keys().copied().filter(|task| answerer(&t.meeting, *task) == Some(id));
    for task in own.collect::<Vec<_>>() {
        t.end_call(task, CallResult::without_answer(CallEnd::Cancelled, 0));
    }
}

/// Removes a participant and cancels its calls.
pub(crate) fn depart(t: &mut Transaction, id: ParticipantId, by: Actor, reason: Phrase) {
    cancel_own(t, id);
    t.emit(EventBody::ParticipantLeft { participant: id, by, reason, leaves_queue: false });
    give_up(t, id);
}

/// Gives up the floor and the vote of a participant that is absent.
pub(crate) fn give_up(t: &mut Transaction, id: ParticipantId) {
    let detail = Phrase::from(message!("failure-left"));
    let open = t.meeting.round().and_then(|round| {
        round.turns.iter().find(|turn| turn.participant == id && turn.state == TurnState::Open)
    });
    if let Some(turn) = open.map(|turn| turn.id) {
        t.emit(EventBody::TurnFailed {
            turn,
            participant: id,
            kind: FailureKind::Left,
            detail: detail.clone(),
            hint: Phrase::default(),
        });
    }
    let owes_vote = t.meeting.phase == Phase::Ballot
        && t.meeting.ballots.last().is_some_and(|b| b.voters.contains(&id) && !b.cast.contains_key(&id));
    if let Some(ballot) = t.meeting.ballots.last().map(|ballot| ballot.id).filter(|_| owes_vote) {
        let (kind, failure, hint) = (AbstentionKind::Failed, Some(FailureKind::Left), Phrase::default());
        t.emit(EventBody::VoteAbstained { ballot, participant: id, kind, detail, failure, hint });
    }
}
