//! Rounds and turns: who has the floor, who is next.

use std::sync::Arc;

use quorate_contract::{ParticipantId, RoundKind, TaskId, TurnId, TurnReason};

use super::calls::forget_tries;
use super::with_round;
use crate::state::{Meeting, Phase, Round, TurnState};

pub(super) fn start_round(
    m: &mut Meeting,
    number: u32,
    kind: RoundKind,
    order: &[ParticipantId],
    focus: &[String],
) {
    forget_tries(m);
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

pub(super) fn end_turn(m: &mut Meeting, id: TurnId, state: TurnState) {
    m.tries.remove(&TaskId::Speak(id));
    super::tools::turn_ended(m, id);
    with_round(m, |round| {
        if let Some(turn) = round.turns.iter_mut().find(|turn| turn.id == id) {
            turn.state = state;
        }
    });
}
