//! The actions of the failure policy that were taken for a task, as its events tell them.

use quorate_contract::{CallEnd, FailureAction, TaskId};

use super::{FailureActions, Meeting};

impl FailureActions {
    /// Marks an action as taken.
    pub(crate) fn take(&mut self, way: FailureAction) {
        match way {
            FailureAction::Again => self.again = true,
            FailureAction::Shorter => self.shorter += 1,
            FailureAction::Fallback => self.fallback = true,
            FailureAction::Wait => *self = Self::default(),
        }
    }
}

/// A call of this task has ended.
pub(crate) fn ended(
    m: &mut Meeting,
    task: TaskId,
    end: &CallEnd,
    then: Option<FailureAction>,
    latency_ms: u64,
) {
    if then == Some(FailureAction::Wait) {
        m.failure_actions.remove(&task); // a participant that returns starts afresh
        return;
    }
    let lost = *end == CallEnd::Lost;
    if then.is_none() && !lost && !m.failure_actions.contains_key(&task) {
        return;
    }
    let had = m.failure_actions.entry(task).or_default();
    then.into_iter().for_each(|way| had.take(way));
    had.again |= lost;
    had.took_ms = match then {
        // What is tried once more by the same model shares one time with what failed.
        Some(FailureAction::Again | FailureAction::Shorter) => had.took_ms.saturating_add(latency_ms),
        Some(FailureAction::Fallback | FailureAction::Wait) | None => 0,
    };
}
