//! Limits of models that servers have reported, kept for the next run among the settings, for a limited time.

use quorate_contract::Timestamp;
use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::store::Store;

/// The prefix of these settings; provider, address and model follow.
const PREFIX: &str = "learned_model/";
/// How long an entry is valid, in milliseconds: the server may be configured otherwise later, and is asked
/// again.
const BELIEVED_MS: i64 = 7 * 24 * 3_600_000;
/// The number of models that are remembered; the oldest go first.
const MODELS_MAX: i64 = 1_000;

/// The learned properties of a provider's model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LearnedModel {
    /// The provider's name.
    pub provider: String,
    /// The address of the provider.
    pub address: String,
    /// The model's name.
    pub model: String,
    /// Its context window in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// Whether the model streams badly.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole: bool,
    /// Whether the model sees no images.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blind: bool,
    /// When that was learned.
    pub since: Timestamp,
}

impl Store {
    /// The recently learned properties of models. An unreadable entry is left out: it is learned again.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn learned_models(&self, now: Timestamp) -> Result<Vec<LearnedModel>, StoreError> {
        let lines: Vec<String> = self
            .reading(|connection| {
                let mut select = connection.prepare_cached(
                    "SELECT value FROM setting WHERE substr(name, 1, ?1) = ?2 ORDER BY name",
                )?;
                let rows = select.query_map((PREFIX.len(), PREFIX), |row| row.get(0))?;
                Ok::<_, StoreError>(rows.collect::<Result<_, _>>()?)
            })
            .await?;
        let models = lines.iter().filter_map(|line| serde_json::from_str::<LearnedModel>(line).ok());
        Ok(models.filter(|model| now.0.saturating_sub(model.since.0) < BELIEVED_MS).collect())
    }

    /// Keeps what was learned of a model.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn keep_learned_model(&self, learned: LearnedModel) -> Result<(), StoreError> {
        let LearnedModel { provider, address, model, since, .. } = &learned;
        let (name, since) = (format!("{PREFIX}{provider} {address} {model}"), *since);
        let value = serde_json::to_value(&learned).expect("it has only text keys");
        self.set_setting(&name, Some(value), since).await?;
        self.change(|connection| {
            connection.execute(
                "DELETE FROM setting WHERE name IN (SELECT name FROM setting WHERE substr(name, 1, ?1) = ?2
                 ORDER BY updated_ms DESC, name LIMIT 9223372036854775807 OFFSET ?3)",
                (PREFIX.len(), PREFIX, MODELS_MAX),
            )?;
            Ok(())
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_was_learned_is_there_for_the_next_run_and_believed_for_a_week() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("meetings.db");
        let learned = LearnedModel {
            provider: "lab".into(),
            address: "http://localhost:8080/v1".into(),
            model: "qwen3".into(),
            window: Some(2048),
            whole: false,
            blind: false,
            since: Timestamp(1_000),
        };
        let store = Store::open(crate::testing::location(&path)).unwrap();
        store.set_setting("retention", Some(serde_json::json!(30)), Timestamp(1)).await.unwrap();
        store.keep_learned_model(learned.clone()).await.unwrap();
        let later = LearnedModel { whole: true, since: Timestamp(2_000), ..learned };
        store.keep_learned_model(later.clone()).await.unwrap();
        drop(store);
        let store = Store::open_read_only(crate::testing::location(&path)).unwrap();
        assert_eq!(store.learned_models(Timestamp(3_000)).await.unwrap(), [later]);
        assert_eq!(store.learned_models(Timestamp(2_000 + BELIEVED_MS)).await.unwrap(), []);
        assert!(store.setting("retention").await.unwrap().is_some());
    }
}
