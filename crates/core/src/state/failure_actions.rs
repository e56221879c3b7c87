//! What was done about a failed call, as its events tell it.

use quorate_contract::{CallEnd, FailureAction, TaskId};

use super::{FailureActions, Meeting};

impl FailureActions {
    /// This way is not open any more.
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
        m.failure_actions.remove(&task); // whoever comes back is asked as if for the first time
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
