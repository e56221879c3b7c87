//! Settings of this installation: values under names, for the server.

use quorate_contract::Timestamp;
use serde_json::Value;

use crate::error::StoreError;
use crate::sql::OptionalExtension;
use crate::store::Store;

impl Store {
    /// Keeps a value under a name, or forgets it with `None`. No secret belongs here: keys of
    /// providers are sealed as credentials.
    pub async fn set_setting(
        &self,
        name: &str,
        value: Option<Value>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.change(move |connection| {
            match &value {
                Some(value) => connection.execute(
                    "INSERT INTO setting (name, value, updated_ms) VALUES (?1, ?2, ?3)
                     ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_ms = excluded.updated_ms",
                    (&name, value.to_string(), now.0),
                )?,
                None => connection.execute("DELETE FROM setting WHERE name = ?1", [&name])?,
            };
            Ok(())
        })
        .await
    }

    /// The value under a name, `None` when nothing is kept there.
    ///
    /// # Errors
    /// When what is stored is no JSON.
    pub async fn setting(&self, name: &str) -> Result<Option<Value>, StoreError> {
        let name = name.to_owned();
        self.reading(move |connection| {
            let value: Option<String> = connection
                .prepare_cached("SELECT value FROM setting WHERE name = ?1")?
                .query_row([&name], |row| row.get(0))
                .optional()?;
            value.map(|text| read(&name, &text)).transpose()
        })
        .await
    }

    /// All names and values, by name.
    ///
    /// # Errors
    /// When what is stored is no JSON.
    pub async fn settings(&self) -> Result<Vec<(String, Value)>, StoreError> {
        self.reading(|connection| {
            let mut select = connection.prepare_cached("SELECT name, value FROM setting ORDER BY name")?;
            let mut rows = select.query([])?;
            let mut settings = Vec::new();
            while let Some(row) = rows.next()? {
                let name: String = row.get(0)?;
                let value = read(&name, &row.get::<_, String>(1)?)?;
                settings.push((name, value));
            }
            Ok(settings)
        })
        .await
    }
}

fn read(name: &str, text: &str) -> Result<Value, StoreError> {
    serde_json::from_str(text)
        .map_err(|error| StoreError::DamagedSetting { name: name.to_owned(), detail: error.to_string() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn a_setting_is_kept_replaced_and_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(crate::testing::location(dir.path().join("meetings.db"))).unwrap();
        assert_eq!(store.setting("retention").await.unwrap(), None);
        for value in [json!({ "days": 30 }), json!(null)] {
            store.set_setting("retention", Some(value.clone()), Timestamp(1)).await.unwrap();
            assert_eq!(store.setting("retention").await.unwrap(), Some(value));
        }
        store.set_setting("a", Some(json!("b")), Timestamp(1)).await.unwrap();
        let names: Vec<_> = store.settings().await.unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "retention"]);
        store.set_setting("retention", None, Timestamp(2)).await.unwrap();
        assert_eq!(store.setting("retention").await.unwrap(), None);
    }
}
