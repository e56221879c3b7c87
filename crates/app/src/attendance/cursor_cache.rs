//! The cursors of agents in this process: those that the database does not know yet, and those of meetings off the record.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use quorate_contract::MeetingId;

/// An agent, and a meeting.
pub(crate) type AgentAtMeeting = (String, MeetingId);

/// The cursors that are not in the database yet, and those that are never written.
#[derive(Clone, Default)]
pub(crate) struct ContextCursors(Arc<Mutex<HashMap<AgentAtMeeting, u64>>>);

impl ContextCursors {
    pub(crate) fn of(&self, reader: &AgentAtMeeting) -> Option<u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(reader).copied()
    }

    pub(crate) fn advance(&self, reader: &AgentAtMeeting, seq: u64) {
        let mut cursors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let cursor = cursors.entry(reader.clone()).or_default();
        *cursor = (*cursor).max(seq);
    }

    /// Forgets what the database knows by now.
    pub(crate) fn forget(&self, reader: &AgentAtMeeting, seq: u64) {
        let mut cursors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cursors.get(reader).is_some_and(|known| *known <= seq) {
            cursors.remove(reader);
        }
    }
}
