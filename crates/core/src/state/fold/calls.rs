//! The fold of calls: what was tried for a task, what was learned about its model, and tasks that failed.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate_contract::{
    Action, ActionPermission, CallEnd, ContextWindowObservation, FailureAction, FailureKind,
    ModelReachability, Phrase, Reserve, TaskFailureConsequence, TaskId, Timestamp,
};

use super::older;
use crate::state::tasks::{is_record, runner, unreachable_name};
use crate::state::{CallInProgress, CallRetry, Meeting, TaskFailure};

/// A call was made.
pub(super) fn started(m: &mut Meeting, at: Timestamp, task: TaskId, attempt: u32, reserved: Reserve) {
    m.tries.insert(task, attempt);
    m.calls.insert(
        task,
        CallInProgress {
            attempt,
            reserved,
            since: at,
            retry: None,
            permissions: BTreeMap::new(),
            action_reports: 0,
        },
    );
}

/// A request within a call brought no answer, and another one is sent after a wait.
pub(super) fn retried(m: &mut Meeting, at: Timestamp, task: TaskId, kind: FailureKind, wait_ms: u64) {
    if let Some(call) = m.calls.get_mut(&task) {
        call.retry = Some(CallRetry { kind, since: at, next_try_at: at.plus_ms(wait_ms) });
    }
}

/// An agent reported an action, or a person answered it.
pub(super) fn acted(m: &mut Meeting, task: TaskId, action: &Action) {
    let Some(call) = m.calls.get_mut(&task) else { return };
    call.action_reports += 1;
    match action.permission {
        ActionPermission::NotNeeded => {}
        ActionPermission::Asked | ActionPermission::Allowed | ActionPermission::Refused => {
            call.permissions.insert(action.number, action.clone());
        }
    }
}

/// How a call ended, as far as its task and its model are concerned.
pub(super) struct CallEnding<'e> {
    pub(super) end: &'e CallEnd,
    pub(super) then: Option<FailureAction>,
    pub(super) latency_ms: u64,
    pub(super) window: Option<&'e ContextWindowObservation>,
    pub(super) reach: Option<ModelReachability>,
    pub(super) counts_as_repetition: bool,
    pub(super) shares_time: bool,
    pub(super) repair_open: bool,
}

/// A call is over.
pub(super) fn ended(m: &mut Meeting, task: TaskId, call: &CallEnding) {
    if let Some(window) = call.window {
        let per_mille = window.per_mille.unwrap_or_else(|| older::per_mille(m, task, window));
        m.remember_window(task, window.tokens, per_mille);
    }
    note_reach(m, task, call);
    m.calls.remove(&task);
    if !call.repair_open {
        m.repairs.remove(&task);
    }
    if *call.end == CallEnd::Lost {
        m.lost_calls += 1;
    }
}

/// Notes what the call has shown about its model.
fn note_reach(m: &mut Meeting, task: TaskId, call: &CallEnding) {
    let Some(asked) = runner(m, task).cloned() else { return };
    if *call.end == CallEnd::Answered {
        m.waited_in_vain = false;
    }
    let Some(reach) = call.reach else { return };
    let name = |reach| unreachable_name(&asked, reach);
    let names = [name(ModelReachability::ProviderUnreachable), name(ModelReachability::ModelUnreachable)];
    match reach {
        ModelReachability::Reached => names.iter().flatten().for_each(|name| _ = m.unreachable.remove(name)),
        ModelReachability::ProviderUnreachable | ModelReachability::ModelUnreachable => {
            m.unreachable.extend(name(reach))
        }
    }
}

/// What the next attempt at a task begins with, after a call that has ended.
pub(super) fn tried(m: &mut Meeting, task: TaskId, call: &CallEnding) {
    if call.then == Some(FailureAction::Wait) {
        m.failure_actions.remove(&task); // a participant that returns starts afresh
        return;
    }
    if call.then.is_none() && !call.counts_as_repetition && !m.failure_actions.contains_key(&task) {
        return;
    }
    let had = m.failure_actions.entry(task).or_default();
    if let Some(way) = call.then {
        had.take(way);
    }
    had.again |= call.counts_as_repetition;
    had.took_ms = if call.shares_time { had.took_ms.saturating_add(call.latency_ms) } else { 0 };
}

/// A task has failed for good.
pub(super) fn failed(
    m: &mut Meeting,
    task: TaskId,
    then: TaskFailureConsequence,
    kind: FailureKind,
    detail: &Phrase,
) {
    // A new command for the task starts with an unused failure policy.
    m.failure_actions.remove(&task);
    match (then, task) {
        (TaskFailureConsequence::Withdrawn, TaskId::Minutes(version)) => {
            m.minutes_requests.remove(&version);
            return;
        }
        (TaskFailureConsequence::Withdrawn, TaskId::Artifact(kind, version)) => {
            m.artifact_requests.remove(&(kind, version));
            return;
        }
        (TaskFailureConsequence::Closed, TaskId::Invite(number)) => {
            let one = m.invitations.iter_mut().find(|one| one.number == number);
            if let Some(one) = one {
                Arc::make_mut(one).done = true;
            }
        }
        (
            TaskFailureConsequence::GivenUp
            | TaskFailureConsequence::Withdrawn
            | TaskFailureConsequence::Closed,
            _,
        ) => {}
    }
    m.given_up.insert(task, TaskFailure { kind, detail: detail.clone() });
}

/// Clears the counts of attempts of the previous step. Requests of people run beside the steps, and keep theirs. A call in
/// flight keeps them until it ends, too: an invitation can begin a round while a team is still being chosen, and the cost
/// of that call belongs to the model that was asked, which may be the fallback.
pub(super) fn forget_tries(m: &mut Meeting) {
    let Meeting { calls, tries, repairs, failure_actions, .. } = m;
    let keeps =
        |task: &TaskId| is_record(*task) || matches!(task, TaskId::Invite(_)) || calls.contains_key(task);
    tries.retain(|task, _| keeps(task));
    repairs.retain(|task, _| keeps(task));
    failure_actions.retain(|task, _| keeps(task));
}
