//! What people put on meetings to find them again: tags, and a title that was given after the end.
//!
//! The log of a meeting ends with its end, and no participant reads any of this, so it stands beside the log.

use quorate_contract::MeetingId;

use crate::error::StoreError;
use crate::sql::OptionalExtension;
use crate::store::Store;
use crate::tags::{folded, tags_of};

/// What people put on a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MeetingLabels {
    /// The title that was given after the end.
    pub title: Option<String>,
    /// The tags, in the order in which they were given.
    pub tags: Vec<String>,
}

impl Store {
    /// What was put on a meeting.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn meeting_labels(&self, meeting: &MeetingId) -> Result<MeetingLabels, StoreError> {
        let meeting = meeting.clone();
        self.reading(move |connection| {
            let found = connection
                .prepare_cached("SELECT title, tags FROM meeting_label WHERE meeting = ?1")?
                .query_row([meeting.as_str()], |row| {
                    Ok(MeetingLabels { title: row.get(0)?, tags: tags_of(row, 1)? })
                })
                .optional()?;
            Ok(found.unwrap_or_default())
        })
        .await
    }

    /// Puts a title, tags, or both on a meeting, where there is one; what is `None` stays. Says whether there is.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn label_meeting(
        &self,
        meeting: &MeetingId,
        title: Option<String>,
        tags: Option<Vec<String>>,
    ) -> Result<bool, StoreError> {
        let meeting = meeting.clone();
        self.change(move |connection| {
            connection.execute(
                "INSERT INTO meeting_label (meeting, tags, folded)
                 SELECT meeting.id, '[]', '' FROM meeting WHERE meeting.id = ?1
                 ON CONFLICT (meeting) DO NOTHING",
                [meeting.as_str()],
            )?;
            if let Some(title) = &title {
                let update = "UPDATE meeting_label SET title = ?2 WHERE meeting = ?1";
                connection.execute(update, (meeting.as_str(), title))?;
            }
            if let Some(tags) = &tags {
                let update = "UPDATE meeting_label SET tags = ?2, folded = ?3 WHERE meeting = ?1";
                let text = serde_json::Value::from(tags.clone()).to_string();
                connection.execute(update, (meeting.as_str(), &text, &folded(tags)))?;
            }
            let known = "SELECT count(*) FROM meeting_label WHERE meeting = ?1";
            Ok(connection.query_row(known, [meeting.as_str()], |row| row.get::<_, u64>(0))? == 1)
        })
        .await
    }
}
