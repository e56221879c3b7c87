//! Rounds and turns: who has the floor, who is next.

use std::sync::Arc;

use quorate_contract::{FailureKind, Floor, MessageId, ParticipantId, RoundKind, TaskId, TurnId, TurnReason};

use super::pause::forget_tries;
use super::with_round;
use crate::state::{Meeting, Phase, Round, Turn, TurnState};

pub(super) fn start_round(
    m: &mut Meeting,
    number: u32,
    kind: RoundKind,
    order: &[ParticipantId],
    focus: &[String],
) {
    forget_tries(m);
    let keep = m.rules().context.recent_messages as usize;
    let gathered = m.said.len() - m.window_from.min(m.said.len());
    // Older words give way in one step when twice as many have gathered, not one by one: what a
    // speaker reads then stays the same from the front for many turns.
    if keep > 0 && gathered > 2 * keep && !m.summaries.is_empty() {
        m.window_from = m.said.len() - keep;
    }
    m.round_from = m.said.len();
    m.rounds.push(Arc::new(Round {
        number,
        kind,
        order: order.to_vec(),
        focus: focus.to_vec(),
        queue: order.iter().map(|id| (*id, TurnReason::Rotation)).collect(),
        turns: Vec::new(),
        offered_again: 0,
        ended_seq: None,
    }));
    m.phase = Phase::Discussion;
}

/// Puts mentioned participants next in the queue, in the order of the mentions. A participant who has already
/// spoken in this round gets another turn, but agents can cause only a limited number of these: two of them
/// could otherwise thank each other for ever.
pub(super) fn call_up(
    m: &mut Meeting,
    mentions: &[ParticipantId],
    speaker: Option<ParticipantId>,
    by: MessageId,
) {
    if m.phase != Phase::Discussion {
        return;
    }
    if m.rules().turns.floor == Floor::Host {
        // Only the host's word gives the floor; a person who hosts begins another round with it.
        match (m.host(), speaker) {
            (None, None) => return with_round(m, |round| round.queue.clear()),
            (host, speaker) if host != speaker => return,
            (_, _) => {}
        }
    }
    let extra_turns = m.rules().turns.extra_turns as usize;
    let callable: Vec<ParticipantId> = mentions
        .iter()
        .copied()
        .filter(|id| Some(*id) != speaker && m.online().any(|seat| seat.participant.id == *id))
        .collect();
    with_round(m, |round| {
        if round.kind != RoundKind::Serial {
            return;
        }
        for id in callable.into_iter().rev() {
            let had = round.turns.iter().filter(|turn| turn.participant == id).count();
            let waiting = round.queue.iter().any(|(queued, _)| *queued == id);
            // A person may mention any participant again, also the current speaker: its turn was given before
            // this message, which it does not know.
            if waiting || speaker.is_none() || had <= extra_turns {
                put_first(round, id, TurnReason::Mentioned { by });
            }
        }
    });
}

pub(super) fn put_first(round: &mut Round, id: ParticipantId, reason: TurnReason) {
    round.queue.retain(|(queued, _)| *queued != id);
    round.queue.insert(0, (id, reason));
}

pub(super) fn end_turn(m: &mut Meeting, id: TurnId, state: TurnState) {
    m.tries.remove(&TaskId::Speak(id));
    let present: Vec<_> = m.online().map(|seat| seat.participant.id).collect();
    let mention_ends_round = m.rules().turns.mention_ends_round;
    with_round(m, |round| {
        if let Some(turn) = round.turns.iter_mut().find(|turn| turn.id == id) {
            turn.state = state;
            // A missing answer is no reason to skip all other participants.
            let answered = matches!(state, TurnState::Said(_));
            if mention_ends_round && answered && matches!(turn.reason, TurnReason::Mentioned { .. }) {
                // Other mentioned participants still answer; those in the rotation wait for the next round.
                round.queue.retain(|(_, reason)| *reason != TurnReason::Rotation);
            }
        }
        // All remaining participants failed: the turns are offered once more before the meeting pauses
        // because of it.
        let broke_down = |turn: &Turn| match turn.state {
            TurnState::Failed(kind) => kind != FailureKind::Budget,
            TurnState::Open | TurnState::Said(_) | TurnState::Skipped => false,
        };
        if round.queue.is_empty() && round.offered_again == 0 && round.turns.iter().all(broke_down) {
            offer_again(round, &present);
        }
    });
}

pub(super) fn offer_again(round: &mut Round, present: &[ParticipantId]) {
    round.offered_again += 1;
    let order = round.order.iter().filter(|id| present.contains(id));
    round.queue = order.map(|id| (*id, TurnReason::Rotation)).collect();
}
