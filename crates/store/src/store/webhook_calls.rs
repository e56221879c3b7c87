//! The call-backs that came in: each id is carried out once.
//!
//! An id is noted before its answer is carried out, and marked as done afterwards. One that was noted and not done when
//! the process ended may come again, with the same body.

use quorate_contract::Timestamp;

use crate::error::StoreError;
use crate::sql::OptionalExtension;
use crate::store::Store;
use crate::store::webhooks::key_of;

/// What is known of a call-back that comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceivedCall {
    /// Its id is new.
    First,
    /// It came before, with the same body, and was not carried out: the process ended meanwhile.
    Unfinished,
    /// It was carried out, or its id came with another body.
    Replayed,
}

impl Store {
    /// Notes the id of a call-back with the digest of its body. Those from before `forget` are forgotten.
    ///
    /// # Errors
    /// When the database cannot be written; so in all that follows.
    pub async fn receive_webhook_call(
        &self,
        webhook: &str,
        id: &str,
        body: [u8; 32],
        now: Timestamp,
        forget: Timestamp,
    ) -> Result<ReceivedCall, StoreError> {
        let (webhook, id) = (webhook.to_owned(), id.to_owned());
        self.change(move |connection| {
            let Some(key) = key_of(connection, &webhook)? else { return Ok(ReceivedCall::Replayed) };
            connection.execute("DELETE FROM webhook_received WHERE at_ms < ?1", [forget.0])?;
            let added = connection.execute(
                "INSERT INTO webhook_received (webhook, id, at_ms, body, done) VALUES (?1, ?2, ?3, ?4, 0)
                 ON CONFLICT DO NOTHING",
                (key, &id, now.0, &body[..]),
            )?;
            if added == 1 {
                return Ok(ReceivedCall::First);
            }
            let same =
                "SELECT 1 FROM webhook_received WHERE webhook = ?1 AND id = ?2 AND NOT done AND body = ?3";
            let unfinished: Option<i64> =
                connection.query_row(same, (key, &id, &body[..]), |row| row.get(0)).optional()?;
            Ok(match unfinished {
                Some(_) => ReceivedCall::Unfinished,
                None => ReceivedCall::Replayed,
            })
        })
        .await
    }

    /// Notes that a call-back was carried out.
    ///
    /// # Errors
    /// As above.
    pub async fn finish_webhook_call(&self, webhook: &str, id: &str) -> Result<(), StoreError> {
        self.received(
            webhook,
            id,
            "UPDATE webhook_received SET done = 1
             WHERE id = ?2 AND webhook = (SELECT key FROM webhook WHERE id = ?1)",
        )
        .await
    }

    /// Forgets the id of a call-back that could not be carried out, so that it may come again.
    ///
    /// # Errors
    /// As above.
    pub async fn forget_webhook_call(&self, webhook: &str, id: &str) -> Result<(), StoreError> {
        self.received(
            webhook,
            id,
            "DELETE FROM webhook_received WHERE id = ?2 AND webhook = (SELECT key FROM webhook WHERE id = ?1)",
        )
        .await
    }

    async fn received(&self, webhook: &str, id: &str, sql: &'static str) -> Result<(), StoreError> {
        let (webhook, id) = (webhook.to_owned(), id.to_owned());
        self.change(move |connection| {
            connection.execute(sql, (&webhook, &id))?;
            Ok(())
        })
        .await
    }
}
