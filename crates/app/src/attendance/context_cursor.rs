//! Up to where an agent has been given what was said at a meeting, so that it misses nothing while it is away and reads
//! nothing twice.
//!
//! A cursor advances when a page has been handed to the connection of the agent. It is known here at once, and durable a
//! moment later: if the process dies in between, the page is given once more. Cursors at meetings off the record are never
//! written.

use quorate_contract::MeetingId;

use crate::attendance::cursor_cache::AgentAtMeeting;
use crate::error::ServiceError;
use crate::operation::principal::{Principal, PrincipalKind};
use crate::use_cases::App;

/// Whose cursor is kept: that of an agent.
fn reader(principal: &Principal, meeting: &MeetingId) -> Option<AgentAtMeeting> {
    let is_agent = matches!(principal.kind, PrincipalKind::Agent | PrincipalKind::Webhook);
    is_agent.then(|| (principal.name.clone(), meeting.clone()))
}

impl App {
    /// The last event of which a caller has been given a message at this meeting: 0 when it has been given nothing, `None`
    /// when it is no agent.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn context_cursor(
        &self,
        principal: &Principal,
        meeting: &MeetingId,
    ) -> Result<Option<u64>, ServiceError> {
        let Some(reader) = reader(principal, meeting) else { return Ok(None) };
        // Read first: what is written meanwhile is forgotten only afterwards.
        let noted = self.context_cursors().of(&reader);
        let stored = match self.is_off_record(meeting) {
            true => None,
            false => self.store().context_cursor(&reader.0, meeting).await?,
        };
        Ok(Some(noted.max(stored).unwrap_or_default()))
    }

    /// Notes that an agent has been given what was said up to an event.
    pub fn advance_context_cursor(&self, principal: &Principal, meeting: &MeetingId, seq: u64) {
        let Some(reader) = reader(principal, meeting) else { return };
        let cursors = self.context_cursors().clone();
        cursors.advance(&reader, seq);
        if self.is_off_record(meeting) {
            return;
        }
        let (store, now) = (self.store().clone(), self.now());
        tokio::spawn(async move {
            match store.advance_context_cursor(&reader.0, &reader.1, seq, now).await {
                Ok(()) => cursors.forget(&reader, seq),
                Err(error) => {
                    tracing::warn!(meeting = %reader.1, %error, "how far an agent has read is not stored")
                }
            }
        });
    }
}
