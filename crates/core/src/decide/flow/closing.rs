//! The end: the conclusion, the artifacts through the gate, the last event.

use quorate_contract::{Actor, ArtifactKind, EventBody, FailureKind, PauseReason, Question, TaskId};
use quorate_messages::message;

use super::{pause, requests};
use crate::decide::transaction::Transaction;
use crate::policy::pending::wanted;
use crate::policy::resumption::ALL_BY_RULES;
use crate::records::rule_based;
use crate::state::TaskFailure;
use crate::state::closing::{is_out_of_time, missing_records, next_record};

pub(super) fn step(t: &mut Transaction) {
    give_up_when_late(t);
    let m = &t.meeting;
    if m.conclusion.is_none() {
        if !wanted(m).contains(&TaskId::Conclude) {
            let form = rule_based::conclusion(m);
            let by = m.accepted_draft().map_or(Actor::System, |draft| draft.by.clone());
            t.emit(EventBody::ConclusionWritten {
                by,
                conclusion: form.conclusion,
                reasons: String::new(),
                disagreements: form.disagreements,
                actions: form.actions,
                best: form.best,
                wildcard: form.wildcard,
            });
        }
        return;
    }
    if let Some(task) = next_record(m) {
        return gate(t, task);
    }
    if !wanted(m).is_empty() {
        return; // a requested record is still being written
    }
    let Some(outcome) = m.outcome().cloned() else { return };
    let finished = EventBody::Finished {
        outcome,
        rounds: m.rounds_held(),
        usage: m.spent.usage,
        cost_micros: m.spent.known_cost_micros(),
    };
    t.emit(finished);
}

/// Handles an artifact that does not pass the gate: it is requested, repaired once, and then the meeting
/// pauses with the reason. The rules write only what no participant can be asked for.
fn gate(t: &mut Transaction, task: TaskId) {
    if wanted(&t.meeting).contains(&task) {
        return;
    }
    match t.meeting.given_up.get(&task).cloned() {
        Some(trouble) if trouble.kind != FailureKind::Budget => rest_at_gate(t, task, &trouble),
        Some(_) | None => write_by_rules(t, task),
    }
}

fn write_by_rules(t: &mut Transaction, task: TaskId) {
    match task {
        TaskId::Minutes(version) => {
            let covers = t.meeting.said.len();
            requests::write_minutes(t, version, covers);
        }
        TaskId::Artifact(artifact_type, version) => {
            requests::write_artifact(t, artifact_type, version);
        }
        _ => {}
    }
}

fn rest_at_gate(t: &mut Transaction, task: TaskId, trouble: &TaskFailure) {
    let name = |task: TaskId| match task {
        TaskId::Artifact(kind, _) => kind.as_str(),
        _ => ArtifactKind::Minutes.as_str(),
    };
    let record = name(task);
    let others: Vec<&str> = missing_records(&t.meeting).filter(|other| *other != task).map(name).collect();
    let question = match others.is_empty() {
        true => pause::choice("gate", message!("question-gate", record), &["retry", "by_rules"], "by_rules"),
        false => {
            let asked = message!("question-gate-of-several", record, others = &others[..]);
            pause::choice("gate", asked, &["retry", "by_rules", ALL_BY_RULES], "by_rules")
        }
    };
    let question = Question { why: trouble.detail.clone(), required: false, ..question };
    pause::ask(t, PauseReason::GateFailed, vec![question]);
}

/// Once the budget of time is used up, the conclusion is not waited for any longer.
fn give_up_when_late(t: &mut Transaction) {
    let m = &t.meeting;
    let late = m.wall_deadline().is_some_and(|deadline| t.now >= deadline);
    if !late || !is_out_of_time(m) || !wanted(m).contains(&TaskId::Conclude) {
        return;
    }
    t.cancel(|_, task| task == TaskId::Conclude);
    let detail = message!("failure-out-of-time-to-conclude").into();
    t.fail(TaskId::Conclude, FailureKind::Budget, detail, message!("remedy-more-time").into());
}
