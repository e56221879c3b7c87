//! Who waits for a turn in the present round, and in which order: what a mention, a request, a failure and a
//! person who hosts change in it.

use quorate_contract::{
    Actor, EventBody, FailureKind, FloorMode, MessageId, ParticipantId, Presence, QueueReason, QueuedTurn,
    RoundKind, TurnId, TurnReason,
};

use crate::state::{Meeting, Phase, Round, Turn, TurnState};

/// What an event that has just been folded changes in the queue, if anything.
pub(crate) fn change_after(m: &Meeting, body: &EventBody) -> Option<EventBody> {
    let round = m.round()?;
    let (queue, reason) = match body {
        EventBody::AgentMessage { turn, participant, mentions, message_id, .. } => {
            let queue = after_answer(m, round, *turn);
            let speaker = Actor::participant(*participant);
            let called = call_up(m, round, queue.clone(), mentions, &speaker, *message_id);
            called.unwrap_or((queue, QueueReason::MentionAnswered))
        }
        EventBody::UserMessage { mentions, message_id, by, .. } => {
            call_up(m, round, round.queue.clone(), mentions, by, *message_id)?
        }
        EventBody::SpeakerRequested { participant, .. } => {
            let mut queue = round.queue.clone();
            put_first(&mut queue, *participant, TurnReason::Requested);
            (queue, QueueReason::Requested)
        }
        EventBody::ParticipantLeft { participant, .. } => (without(round, *participant), QueueReason::Left),
        EventBody::PresenceChanged { participant, presence: Presence::Offline, .. } => {
            (without(round, *participant), QueueReason::WentOffline)
        }
        EventBody::TurnFailed { .. } if broke_down(round) => offered_again(m, round)?,
        _ => return None,
    };
    (queue != round.queue).then(|| changed(queue, reason))
}

/// Offers the turns of the round again, after the meeting paused because nobody answered. A turn that is open is
/// asked again by itself.
pub(crate) fn offer_again(m: &Meeting) -> Option<EventBody> {
    let round = m.round().filter(|_| m.phase == Phase::Discussion)?;
    if round.turns.iter().any(|turn| turn.state == TurnState::Open) {
        return None;
    }
    let (queue, reason) = offered_again(m, round)?;
    Some(changed(queue, reason))
}

/// Takes out of the queue who is not there; `None` when everybody in it is.
pub(crate) fn without_absent(m: &Meeting) -> Option<EventBody> {
    let round = m.round()?;
    let is_online = |id: ParticipantId| m.online().any(|seat| seat.participant.id == id);
    let absent = round.queue.iter().map(|(id, _)| *id).find(|id| !is_online(*id))?;
    let queue = round.queue.iter().filter(|(id, _)| is_online(*id)).cloned().collect();
    let has_left = m.seat(absent).is_none_or(|seat| !seat.present);
    Some(changed(queue, if has_left { QueueReason::Left } else { QueueReason::WentOffline }))
}

type Queue = Vec<(ParticipantId, TurnReason)>;

fn changed(queue: Queue, reason: QueueReason) -> EventBody {
    let queue = queue.into_iter().map(|(participant, reason)| QueuedTurn { participant, reason });
    EventBody::QueueChanged { queue: queue.collect(), reason }
}

/// Who waits after a participant has left or gone offline.
fn without(round: &Round, participant: ParticipantId) -> Queue {
    round.queue.iter().filter(|(queued, _)| *queued != participant).cloned().collect()
}

/// Who waits after an answer.
fn after_answer(m: &Meeting, round: &Round, id: TurnId) -> Queue {
    let mut queue = round.queue.clone();
    // A missing answer is no reason to skip all other participants.
    let answered = |turn: &&Turn| turn.id == id && matches!(turn.state, TurnState::Said(_));
    let mentioned = |turn: &Turn| matches!(turn.reason, TurnReason::Mentioned { .. });
    let ends = m.rules().turns.mention_ends_round && round.turns.iter().find(answered).is_some_and(mentioned);
    if ends {
        // Other mentioned participants still answer; those in the rotation wait for the next round.
        queue.retain(|(_, reason)| *reason != TurnReason::Rotation);
    }
    queue
}

/// Puts mentioned participants next in the queue, in the order of the mentions. A participant who has already
/// spoken in this round gets another turn, but agents can cause only a limited number of these: two of them
/// could otherwise thank each other for ever.
fn call_up(
    m: &Meeting,
    round: &Round,
    mut queue: Queue,
    mentions: &[ParticipantId],
    speaker: &Actor,
    by: MessageId,
) -> Option<(Queue, QueueReason)> {
    if m.phase != Phase::Discussion {
        return None;
    }
    if m.rules().turns.floor == FloorMode::Host {
        // Only the host's word gives the floor; a person who hosts begins another round with it.
        if !m.is_host(speaker) {
            return None;
        }
        if speaker.is_person() && (m.host().is_none() || m.awaits_host()) {
            return Some((Vec::new(), QueueReason::HostSpoke));
        }
    }
    if round.kind != RoundKind::Serial {
        return None;
    }
    let speaker = speaker.as_participant();
    let extra_turns = m.rules().turns.extra_turns as usize;
    let online = |id: ParticipantId| m.online().any(|seat| seat.participant.id == id);
    let mut called = false;
    for id in mentions.iter().rev().copied().filter(|id| Some(*id) != speaker && online(*id)) {
        let had = round.turns.iter().filter(|turn| turn.participant == id).count();
        let waiting = queue.iter().any(|(queued, _)| *queued == id);
        // A person may mention any participant again, also the current speaker: its turn was given before
        // this message, which it does not know.
        if waiting || speaker.is_none() || had <= extra_turns {
            put_first(&mut queue, id, TurnReason::Mentioned { by });
            called = true;
        }
    }
    called.then_some((queue, QueueReason::Mentioned))
}

fn put_first(queue: &mut Queue, id: ParticipantId, reason: TurnReason) {
    queue.retain(|(queued, _)| *queued != id);
    queue.insert(0, (id, reason));
}

/// Whether all remaining participants failed: then the turns are offered once more before the meeting pauses
/// because of it.
fn broke_down(round: &Round) -> bool {
    let failed = |turn: &Turn| match turn.state {
        TurnState::Failed(kind) => kind != FailureKind::Budget,
        TurnState::Open | TurnState::Said(_) | TurnState::Skipped => false,
    };
    round.queue.is_empty() && round.offered_again == 0 && round.turns.iter().all(failed)
}

fn offered_again(m: &Meeting, round: &Round) -> Option<(Queue, QueueReason)> {
    let online = |id: &ParticipantId| m.online().any(|seat| seat.participant.id == *id);
    let order = round.order.iter().copied().filter(online);
    let queue: Queue = order.map(|id| (id, TurnReason::Rotation)).collect();
    (!queue.is_empty()).then_some((queue, QueueReason::OfferedAgain))
}
