//! Passwords of meetings: a hash for each, beside the log and never in it.

use quorate_contract::MeetingId;

use crate::error::StoreError;
use crate::sql::OptionalExtension;
use crate::store::Store;

impl Store {
    /// Stores the hash of a meeting's password, or deletes it with `None`. The caller hashes the password;
    /// the password itself never comes here.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_password_hash(
        &self,
        meeting: &MeetingId,
        hash: Option<String>,
    ) -> Result<(), StoreError> {
        let meeting = meeting.clone();
        self.change(move |connection| {
            match &hash {
                Some(hash) => connection.execute(
                    "INSERT INTO password (meeting, hash) VALUES (?1, ?2)
                     ON CONFLICT (meeting) DO UPDATE SET hash = excluded.hash",
                    (meeting.as_str(), hash),
                )?,
                None => connection.execute("DELETE FROM password WHERE meeting = ?1", [meeting.as_str()])?,
            };
            Ok(())
        })
        .await
    }

    /// The hash of a meeting's password; `None` when it asks for none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn password_hash(&self, meeting: &MeetingId) -> Result<Option<String>, StoreError> {
        let meeting = meeting.clone();
        self.reading(move |connection| {
            let hash = connection
                .prepare_cached("SELECT hash FROM password WHERE meeting = ?1")?
                .query_row([meeting.as_str()], |row| row.get::<_, String>(0))
                .optional()?;
            Ok(hash)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_is_kept_replaced_and_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(crate::testing::location(dir.path().join("meetings.db"))).unwrap();
        let (one, other) = (MeetingId::new("one"), MeetingId::new("other"));
        assert_eq!(store.password_hash(&one).await.unwrap(), None);
        for hash in ["first", "second"] {
            store.set_password_hash(&one, Some(hash.to_owned())).await.unwrap();
            assert_eq!(store.password_hash(&one).await.unwrap().as_deref(), Some(hash));
        }
        assert_eq!(store.password_hash(&other).await.unwrap(), None);
        store.set_password_hash(&one, None).await.unwrap();
        assert_eq!(store.password_hash(&one).await.unwrap(), None);
    }
}
