//! Links to the results of meetings: whoever has one reads a result without signing in.

use quorate_contract::{MeetingId, Timestamp};

use crate::error::StoreError;
use crate::sql;
use crate::sql::{OptionalExtension, Row};
use crate::store::Store;

/// A link to the result of a meeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultLink {
    /// Its id; nothing secret.
    pub id: String,
    /// The meeting.
    pub meeting: MeetingId,
    /// The person who created it.
    pub by: String,
    /// When it was created.
    pub created_ms: Timestamp,
    /// When it expires, if it does.
    pub expires_ms: Option<Timestamp>,
    /// How often the result was read with it.
    pub reads: u64,
    /// When it was last read.
    pub read_ms: Option<Timestamp>,
}

impl Store {
    /// The links to the result of a meeting that are good at `now`, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn result_links(
        &self,
        meeting: &MeetingId,
        now: Timestamp,
    ) -> Result<Vec<ResultLink>, StoreError> {
        let meeting = meeting.clone();
        self.reading(move |connection| {
            let mut select = connection.prepare_cached(
                "SELECT id, meeting, by, created_ms, expires_ms, reads, read_ms FROM result_link
                 WHERE meeting = ?1 AND (expires_ms IS NULL OR expires_ms > ?2)
                 ORDER BY created_ms DESC, id",
            )?;
            let rows = select.query_map((meeting.as_str(), now.0), link_of)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Keeps a new link under the fingerprint of its code, unless the meeting is gone; says whether it did.
    ///
    /// # Errors
    /// When the database cannot be written; so in all that follows.
    pub async fn add_result_link(&self, link: ResultLink, hash: [u8; 32]) -> Result<bool, StoreError> {
        self.change(move |connection| {
            connection.execute("DELETE FROM result_link WHERE expires_ms <= ?1", [link.created_ms.0])?;
            let kept = connection.execute(
                "INSERT INTO result_link (id, meeting, hash, by, created_ms, expires_ms, reads)
                 SELECT ?1, meeting.id, ?3, ?4, ?5, ?6, 0 FROM meeting WHERE meeting.id = ?2",
                (
                    &link.id,
                    link.meeting.as_str(),
                    &hash[..],
                    &link.by,
                    link.created_ms.0,
                    link.expires_ms.map(|moment| moment.0),
                ),
            )?;
            Ok(kept == 1)
        })
        .await
    }

    /// The link of that code, when it is good at `now`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn result_link(
        &self,
        hash: [u8; 32],
        now: Timestamp,
    ) -> Result<Option<ResultLink>, StoreError> {
        self.reading(move |connection| {
            let select = "SELECT id, meeting, by, created_ms, expires_ms, reads, read_ms FROM result_link
                          WHERE hash = ?1 AND (expires_ms IS NULL OR expires_ms > ?2)";
            Ok(connection.query_row(select, (&hash[..], now.0), link_of).optional()?)
        })
        .await
    }

    /// Counts one more reading of a result by a link.
    ///
    /// # Errors
    /// As above.
    pub async fn count_result_read(&self, id: &str, now: Timestamp) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.change(move |connection| {
            let update = "UPDATE result_link SET reads = reads + 1, read_ms = ?2 WHERE id = ?1";
            connection.execute(update, (&id, now.0))?;
            Ok(())
        })
        .await
    }

    /// Revokes a link to the result of a meeting; `false` when none has this id.
    ///
    /// # Errors
    /// As above.
    pub async fn remove_result_link(&self, meeting: &MeetingId, id: &str) -> Result<bool, StoreError> {
        let (meeting, id) = (meeting.clone(), id.to_owned());
        self.change(move |connection| {
            let delete = "DELETE FROM result_link WHERE id = ?1 AND meeting = ?2";
            Ok(connection.execute(delete, (&id, meeting.as_str()))? == 1)
        })
        .await
    }
}

fn link_of(row: &Row<'_>) -> sql::Result<ResultLink> {
    Ok(ResultLink {
        id: row.get(0)?,
        meeting: MeetingId::new(row.get::<_, String>(1)?),
        by: row.get(2)?,
        created_ms: Timestamp(row.get(3)?),
        expires_ms: row.get::<_, Option<i64>>(4)?.map(Timestamp),
        reads: row.get(5)?,
        read_ms: row.get::<_, Option<i64>>(6)?.map(Timestamp),
    })
}
