//! Full-text search over messages.

use quorate_contract::MeetingId;
use quorate_engine::JournalError;
use quorate_store::{EventFilter, EventLines, Page, SearchFilter, SearchHit, StoreError};

use super::App;

impl App {
    /// The messages that contain these words, and the number of events that are not indexed yet.
    ///
    /// # Errors
    /// When the words or the cursor cannot be used.
    pub async fn search(
        &self,
        filter: SearchFilter,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<(Page<SearchHit>, u64), StoreError> {
        // Asked first: what is not in the index by then may be missing among the hits.
        let lag = self.store().search_lag().await?;
        Ok((self.store().search(filter, cursor, limit).await?, lag))
    }

    /// The lines of a stored log that a filter asks for.
    ///
    /// # Errors
    /// When there is no such meeting, or its log is damaged.
    pub async fn events_page(&self, id: &MeetingId, filter: EventFilter) -> Result<EventLines, JournalError> {
        self.store().events_page(id, filter).await
    }

    /// The lines of a stored log after a sequence number, as they are streamed to a client.
    ///
    /// # Errors
    /// When the meeting does not exist.
    pub async fn event_lines(
        &self,
        id: &MeetingId,
        after: u64,
        limit: u32,
    ) -> Result<EventLines, JournalError> {
        self.store().event_lines(id, after, limit).await
    }

    /// Whether a request with this header has been answered for this meeting.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn is_answered(&self, meeting: &MeetingId, header: (&str, &str)) -> Result<bool, StoreError> {
        self.store().is_answered(meeting, header).await
    }
}
