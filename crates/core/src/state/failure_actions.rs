//! The actions of the failure policy that were taken for a task, as its events tell them.

use quorate_contract::FailureAction;

use super::FailureActions;

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
