//! What providers want to see before they answer: a key each, and the address it is for.
//!
//! Both are sealed together (see `vault`), so that nobody who can write to the database can send a
//! key to another address.

use std::path::Path;

use quorate_core::{Moment, Refusal};
use quorate_engine::Secret;
use rusqlite::{Connection, OptionalExtension};

use crate::error::StoreError;
use crate::store::SqliteStore;
use crate::vault::Vault;

/// What is stored for one provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    /// The provider's name, as in `PROVIDER/MODEL`: 1-50 letters, digits, `.`, `_`, `-`.
    pub provider: String,
    /// Where its API begins; `None` when its name says it, or another configuration does.
    pub base_url: Option<String>,
    /// The key; `None` for a server that wants none.
    pub key: Option<Secret>,
}

impl Credential {
    fn check(&self) -> Result<(), StoreError> {
        check_provider("provider", &self.provider)?;
        let invalid = |field: &str, problem: &str, hint: &str| {
            let (problem, hint) = (problem.to_owned(), hint.to_owned());
            Err(Refusal::Invalid { field: field.to_owned(), problem, hint }.into())
        };
        if self.key.as_ref().is_some_and(|key| key.expose().is_empty()) {
            return invalid("api_key", "is empty", "give the key that the provider issued");
        }
        match &self.base_url {
            Some(url) if url.trim().is_empty() => {
                invalid("base_url", "is empty", "it looks like https://api.example.com/v1")
            }
            None if self.key.is_none() => invalid("api_key", "is missing", "give a key, a base_url, or both"),
            Some(_) | None => Ok(()),
        }
    }

    /// What this changes about what was stored before: only what is given.
    fn over(self, before: Option<Self>) -> Result<Self, StoreError> {
        let Some(before) = before else { return Ok(self) };
        let moves = self.base_url.is_some() && self.base_url != before.base_url;
        if moves && self.key.is_none() && before.key.is_some() {
            return Err(StoreError::KeyOfAnotherAddress { provider: self.provider });
        }
        Ok(Self {
            provider: self.provider,
            base_url: self.base_url.or(before.base_url),
            key: self.key.or(before.key),
        })
    }
}

/// Whether this can be a provider's name: it stands before the slash of `PROVIDER/MODEL`.
pub(crate) fn check_provider(field: &str, name: &str) -> Result<(), StoreError> {
    let sound = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if (1..=50).contains(&name.len()) && name.chars().all(sound) {
        return Ok(());
    }
    Err(StoreError::Invalid(Refusal::Invalid {
        field: field.to_owned(),
        problem: format!("{name:?} is not a provider's name"),
        hint: "write 1 to 50 of a-z, A-Z, 0-9, dot, dash and underscore, such as openai".to_owned(),
    }))
}

impl SqliteStore {
    /// Stores what is given about a provider; what is not given stays as it was. The key file is
    /// made when there is none yet.
    ///
    /// # Errors
    /// When something about it is not right, a key would go to an address it was not given for, or
    /// the key file cannot be used.
    pub async fn save_credential(&self, given: Credential, now: Moment) -> Result<Credential, StoreError> {
        let path = self.path().to_owned();
        self.change(move |connection| save(connection, &path, given, now)).await
    }

    /// What is stored for a provider.
    pub async fn credential(&self, provider: &str) -> Result<Option<Credential>, StoreError> {
        let (path, provider) = (self.path().to_owned(), provider.to_owned());
        self.reading(move |connection| load(connection, &path, &provider)).await
    }

    /// All that is stored, by provider.
    pub async fn credentials(&self) -> Result<Vec<Credential>, StoreError> {
        let path = self.path().to_owned();
        self.reading(move |connection| {
            let providers = providers(connection)?;
            providers.iter().filter_map(|provider| load(connection, &path, provider).transpose()).collect()
        })
        .await
    }

    /// Whose credentials are stored, and since when; the key file is not needed for that.
    pub async fn credential_names(&self) -> Result<Vec<(String, Moment)>, StoreError> {
        self.reading(|connection| {
            let mut select =
                connection.prepare_cached("SELECT provider, updated_ms FROM credential ORDER BY provider")?;
            let rows = select.query_map([], |row| Ok((row.get(0)?, Moment(row.get(1)?))))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Forgets what is stored for a provider. This needs no key file.
    ///
    /// # Errors
    /// When nothing is stored for it.
    pub async fn delete_credential(&self, provider: &str) -> Result<(), StoreError> {
        let provider = provider.to_owned();
        self.change(move |connection| {
            match connection.execute("DELETE FROM credential WHERE provider = ?1", [&provider])? {
                0 => Err(StoreError::NoSuchCredential { provider }),
                _ => Ok(()),
            }
        })
        .await
    }
}

/// Stores what is given within the caller's transaction.
pub(crate) fn save(
    connection: &Connection,
    database: &Path,
    given: Credential,
    now: Moment,
) -> Result<Credential, StoreError> {
    given.check()?;
    let stored = providers(connection)?;
    let vault = match stored.is_empty() {
        true => Vault::open_or_make(database)?,
        false => Vault::open(database, stored)?,
    };
    let before = sealed(connection, &given.provider)?;
    let before = before.map(|sealed| vault.unseal(&given.provider, &sealed)).transpose()?;
    let credential = given.over(before)?;
    connection.execute(
        "INSERT INTO credential (provider, sealed, updated_ms) VALUES (?1, ?2, ?3)
         ON CONFLICT (provider) DO UPDATE SET sealed = excluded.sealed, updated_ms = excluded.updated_ms",
        (&credential.provider, vault.seal(&credential)?, now.0),
    )?;
    Ok(credential)
}

fn load(connection: &Connection, database: &Path, provider: &str) -> Result<Option<Credential>, StoreError> {
    let Some(sealed) = sealed(connection, provider)? else { return Ok(None) };
    let vault = Vault::open(database, providers(connection)?)?;
    vault.unseal(provider, &sealed).map(Some)
}

fn sealed(connection: &Connection, provider: &str) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(connection
        .prepare_cached("SELECT sealed FROM credential WHERE provider = ?1")?
        .query_row([provider], |row| row.get(0))
        .optional()?)
}

fn providers(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut select = connection.prepare_cached("SELECT provider FROM credential ORDER BY provider")?;
    let rows = select.query_map([], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
