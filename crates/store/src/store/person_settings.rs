//! Settings of a person: one object for each account, and for the person at this machine.

use quorate_contract::Timestamp;
use serde_json::{Map, Value};

use crate::error::StoreError;
use crate::sql;
use crate::sql::{Connection, OptionalExtension};
use crate::store::Store;
use crate::store::credentials::lay_over;

/// Whose settings are changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsOf {
    /// An account's: there must be one of this name.
    Account,
    /// The person's at this machine, who needs no account.
    Owner,
}

impl Store {
    /// The settings of a person; empty when none are stored.
    ///
    /// # Errors
    /// When the database cannot be read, or what is stored is no object.
    pub async fn person_settings(&self, name: &str) -> Result<Map<String, Value>, StoreError> {
        let name = name.to_owned();
        self.reading(move |connection| {
            let body: Option<String> = connection
                .prepare_cached("SELECT body FROM person_setting WHERE account = ?1")?
                .query_row([&name], |row| row.get(0))
                .optional()?;
            body.map_or_else(|| Ok(Map::new()), |body| read(&name, &body))
        })
        .await
    }

    /// Changes some settings of a person, and returns all of them; null takes one away. `None` when there is no such
    /// account.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn change_person_settings(
        &self,
        name: &str,
        of: SettingsOf,
        changes: Map<String, Value>,
        now: Timestamp,
    ) -> Result<Option<Map<String, Value>>, StoreError> {
        let name = name.to_owned();
        self.change(move |connection| {
            if of == SettingsOf::Account {
                let mut account = connection.prepare_cached("SELECT 1 FROM account WHERE name = ?1")?;
                if !account.exists([&name])? {
                    return Ok(None);
                }
            }
            let stored: Option<String> = connection
                .prepare_cached("SELECT body FROM person_setting WHERE account = ?1")?
                .query_row([&name], |row| row.get(0))
                .optional()?;
            // Two changes of different settings are both kept: each is laid over what is stored.
            let mut body = stored.map_or_else(|| Ok(Map::new()), |stored| read(&name, &stored))?;
            lay_over(&mut body, &changes);
            connection
                .prepare_cached(
                    "INSERT INTO person_setting (account, body, updated_ms) VALUES (?1, ?2, ?3)
                     ON CONFLICT (account) DO UPDATE SET body = excluded.body, updated_ms = excluded.updated_ms",
                )?
                .execute((&name, Value::Object(body.clone()).to_string(), now.0))?;
            Ok(Some(body))
        })
        .await
    }
}

/// Deletes the settings of an account that is removed.
pub(crate) fn delete_of_account(connection: &Connection, name: &str) -> sql::Result<()> {
    connection.execute("DELETE FROM person_setting WHERE account = ?1", [name])?;
    Ok(())
}

fn read(name: &str, body: &str) -> Result<Map<String, Value>, StoreError> {
    serde_json::from_str(body)
        .map_err(|error| StoreError::DamagedSetting { name: name.to_owned(), detail: error.to_string() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::store::accounts::{Account, Removal};

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().expect("an object").clone()
    }

    async fn add_account(store: &Store, name: &str) {
        let (name, now) = (name.to_owned(), Timestamp(1));
        let account = Account { name, scope: "manage".into(), created_ms: now, updated_ms: now };
        assert!(store.add_account(account, "hash".to_owned()).await.expect("written"));
    }

    #[tokio::test]
    async fn settings_are_laid_over_one_another_and_go_with_the_account() {
        let dir = tempfile::tempdir().expect("a folder");
        let store =
            Store::open(crate::testing::location(dir.path().join("meetings.db"))).expect("a database");
        add_account(&store, "Ada").await;
        let change = |name: &'static str, of, value| {
            let store = store.clone();
            async move { store.change_person_settings(name, of, map(value), Timestamp(2)).await.expect("written") }
        };
        let first = change("Ada", SettingsOf::Account, json!({ "theme": "dark", "language": null })).await;
        assert_eq!(first, Some(map(json!({ "theme": "dark" }))));
        let both = change("ada", SettingsOf::Account, json!({ "language": "en" })).await;
        assert_eq!(both, Some(map(json!({ "theme": "dark", "language": "en" }))));
        let less = change("Ada", SettingsOf::Account, json!({ "theme": null })).await;
        assert_eq!(less, Some(map(json!({ "language": "en" }))));
        assert_eq!(store.person_settings("Ada").await.expect("read"), map(json!({ "language": "en" })));

        assert_eq!(
            change("Ben", SettingsOf::Account, json!({ "theme": "dark" })).await,
            None,
            "no such account"
        );
        let own = change("owner", SettingsOf::Owner, json!({ "theme": "light" })).await;
        assert_eq!(own, Some(map(json!({ "theme": "light" }))));

        assert_eq!(
            store.remove_account("ADA", crate::KeepOwner::WhileOthers, Timestamp(1)).await.expect("written"),
            Removal::Removed
        );
        assert_eq!(store.person_settings("Ada").await.expect("read"), Map::new());
        add_account(&store, "Ada").await;
        assert_eq!(
            store.person_settings("Ada").await.expect("read"),
            Map::new(),
            "a new account begins anew"
        );
        assert!(!store.person_settings("owner").await.expect("read").is_empty());
    }
}
