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

/// Whoever was mentioned speaks next (P57), in the order of the mentions. Somebody who has already
/// spoken in this round is given another turn, but agents can only do that to each other so often:
/// two of them could otherwise thank each other for ever.
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
            // A person may ask anybody again, also whoever has the floor: it was given its turn
            // before these words, and does not know them.
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
            // No answer is no reason to pass over everybody else.
            let answered = matches!(state, TurnState::Said(_));
            if mention_ends_round && answered && matches!(turn.reason, TurnReason::Mentioned { .. }) {
                // Others who were mentioned still answer; whoever has not been asked waits (002).
                round.queue.retain(|(_, reason)| *reason != TurnReason::Rotation);
            }
        }
        // Everybody who stayed failed: the turns are offered once more before the meeting rests for
        // it.
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
