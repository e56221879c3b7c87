//! The fold of stances, claims, the agenda, and the usage of calls.

use std::sync::Arc;

use quorate_contract::{AgendaChange, AgendaId, Claim, MessageId, ParticipantId, Stance, TaskId, Usage};

use super::{with_claim, with_seat};
use crate::state::{ClaimRecord, Meeting, Shift, Spending};

pub(super) fn change_agenda(m: &mut Meeting, change: &AgendaChange) {
    let complete = |m: &mut Meeting, id: AgendaId, completed: bool| {
        if let Some(item) = m.agenda.iter_mut().find(|item| item.id == id) {
            Arc::make_mut(item).completed = completed;
        }
    };
    match change {
        AgendaChange::Added { item } => {
            m.agenda_count += 1;
            m.agenda.push(Arc::new(item.clone()));
        }
        AgendaChange::Completed { item } => complete(m, *item, true),
        AgendaChange::Reopened { item } => complete(m, *item, false),
        AgendaChange::Removed { item } => m.agenda.retain(|other| other.id != *item),
    }
}

/// A call is over, and this is what it used.
pub(super) fn spend(m: &mut Meeting, task: TaskId, usage: &Usage, cost_micros: Option<u64>) {
    each_spent(m, task, |spent| {
        add(spent, usage, cost_micros);
        spent.calls += 1;
    });
}

/// Adds the usage of a failed request within a call.
pub(super) fn spend_retry(m: &mut Meeting, task: TaskId, usage: &Usage, cost_micros: Option<u64>) {
    each_spent(m, task, |spent| {
        spent.retries += 1;
        if usage.total() > 0 {
            add(spent, usage, cost_micros);
        }
    });
}

/// A fallback model is asked.
pub(super) fn count_fallback(m: &mut Meeting, task: TaskId) {
    each_spent(m, task, |spent| spent.fallbacks += 1);
}

fn add(spent: &mut Spending, usage: &Usage, cost_micros: Option<u64>) {
    let total = &mut spent.usage;
    total.input_tokens = total.input_tokens.saturating_add(usage.input_tokens);
    total.output_tokens = total.output_tokens.saturating_add(usage.output_tokens);
    total.reasoning_tokens = total.reasoning_tokens.saturating_add(usage.reasoning_tokens);
    total.cached_tokens = total.cached_tokens.saturating_add(usage.cached_tokens);
    total.cache_write_tokens = total.cache_write_tokens.saturating_add(usage.cache_write_tokens);
    total.searches = total.searches.saturating_add(usage.searches);
    total.estimated |= usage.estimated;
    match cost_micros {
        Some(cost) => spent.cost_micros = spent.cost_micros.saturating_add(cost),
        None => spent.unpriced_calls += 1,
    }
}

/// Applies a change to the usage of the meeting, and of the participant or facilitator behind the task.
fn each_spent(m: &mut Meeting, task: TaskId, change: impl Fn(&mut Spending)) {
    change(&mut m.spent);
    m.spend_of_model(task, &change);
    let participant = match task {
        TaskId::Speak(turn) => m.turn(turn).map(|turn| turn.participant),
        TaskId::Vote(_, voter) => Some(voter),
        TaskId::Minutes(version) => m.minutes_requests.get(&version).and_then(|request| request.writer),
        TaskId::Summarize(_) | TaskId::Facilitate(_) | TaskId::Conclude => None,
        TaskId::Intake(_) | TaskId::Team(_) | TaskId::Evaluate(_) | TaskId::Invite(_) => None,
        TaskId::Artifact(..) => None,
    };
    match participant {
        Some(id) => with_seat(m, id, |seat| change(&mut seat.spent)),
        None => change(&mut m.facilitator_spent),
    }
}

pub(super) fn take_stance(
    m: &mut Meeting,
    id: ParticipantId,
    round: u32,
    message: MessageId,
    stance: &Stance,
) {
    for claim in &stance.claims {
        raise(m, claim, id, round, Some(message));
    }
    for answered in &stance.answered {
        with_claim(m, *answered, |claim| {
            if !claim.answered_by.contains(&id) {
                claim.answered_by.push(id);
            }
        });
    }
    let seq = m.seq;
    let mut shift = None;
    with_seat(m, id, |seat| {
        if stance.changed {
            shift = Some(Shift {
                participant: id,
                round,
                seq,
                from: seat.stance.as_ref().map(|before| before.position.clone()).unwrap_or_default(),
                to: stance.position.clone(),
                by: stance.changed_by,
            });
            seat.changed_in = Some(round);
            match stance.changed_by {
                Some(_) => seat.changes.evidenced += 1,
                None => seat.changes.unevidenced += 1,
            }
        }
        if seat.first.is_none() {
            seat.first = Some(stance.clone());
        }
        seat.stance = Some(stance.clone());
    });
    m.shifts.extend(shift.map(Arc::new));
}

pub(super) fn raise(
    m: &mut Meeting,
    claim: &Claim,
    owner: ParticipantId,
    round: u32,
    message: Option<MessageId>,
) {
    m.claims.push(Arc::new(ClaimRecord {
        claim: claim.clone(),
        owner,
        round,
        message,
        seq: m.seq,
        answered_by: Vec::new(),
        targeted: 0,
    }));
}
