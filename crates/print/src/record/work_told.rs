//! Where the record tells what participants did beside speaking.

use std::collections::BTreeSet;

use quorate_contract::{Event, EventBody, TaskId};
use quorate_views::WorkEntry;

use super::{EntryContent, Recorder};

/// What participants did, each told where it began.
pub(super) struct WorkSoFar {
    /// What is not told yet, in the order of the log.
    left: std::vec::IntoIter<WorkEntry>,
    /// The actions that were reported before.
    actions: BTreeSet<(TaskId, u32, u32)>,
}

impl WorkSoFar {
    pub(super) fn of(work: Vec<WorkEntry>) -> Self {
        Self { left: work.into_iter(), actions: BTreeSet::new() }
    }
}

impl Recorder<'_> {
    /// Adds the call or the action that begins with this event.
    pub(super) fn see_work(&mut self, event: &Event) {
        let begins = match &event.body {
            EventBody::ToolCalled { .. } => !self.reader.withholds_words(event),
            EventBody::AgentAction { task, attempt, action, .. } => {
                !self.reader.hides(event) && self.work.actions.insert((*task, *attempt, action.number))
            }
            _ => false,
        };
        if let Some(WorkEntry { by, work, said_before: _ }) = begins.then(|| self.work.left.next()).flatten()
        {
            self.put(EntryContent::Work { by, work });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::told;
    use super::*;

    #[test]
    fn each_call_and_each_action_is_told_where_it_began() {
        for fixture in ["en/tools", "en/actions"] {
            let entries = told(fixture, false);
            let is_work = |content: &EntryContent| matches!(content, EntryContent::Work { .. });
            let count = entries.iter().filter(|entry| is_work(&entry.content)).count();
            assert!(count > 0 && entries.is_sorted_by_key(|entry| entry.said_before), "{entries:?}");
        }
    }
}
