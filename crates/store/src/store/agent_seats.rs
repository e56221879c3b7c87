//! At which meetings an agent may have a seat.

use quorate_contract::MeetingId;
use quorate_core::MeetingState;

use crate::error::StoreError;
use crate::store::Store;

impl Store {
    /// The meetings that have not ended and that a participant joined for which this name answers, newest first. Whether
    /// it is the agent's own seat, and still held, the meeting says.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn meetings_joined_by(&self, name: &str) -> Result<Vec<MeetingId>, StoreError> {
        let name = serde_json::Value::from(name).to_string();
        self.reading(move |connection| {
            let has_name = connection.dialect().contains("line", "?2");
            let mut select = connection.prepare_cached(&format!(
                "SELECT id FROM meeting
                 WHERE phase <> ?1 AND EXISTS (
                     SELECT 1 FROM event
                     WHERE event.meeting = meeting.key AND kind = 'participant_joined' AND {has_name}
                 )
                 ORDER BY created_ms DESC, key DESC",
            ))?;
            let ids =
                select.query_map((MeetingState::Ended.as_str(), name), |row| row.get::<_, String>(0))?;
            ids.map(|id| id.map(MeetingId::new).map_err(StoreError::of_catalogue)).collect()
        })
        .await
    }
}
