//! Credentials of providers: a key each, the address that it is for, and the settings of requests.
//!
//! All of it is sealed together (see `vault`), so that a person who can write to the database cannot make the
//! program send a key to another address, or through another proxy.

use std::fmt;
use std::path::Path;

use quorate_contract::{Refusal, Timestamp};
use quorate_engine::Secret;
use quorate_messages::{Message, message};
use serde_json::{Map, Value};

use crate::error::StoreError;
use crate::sql::{Connection, OptionalExtension};
use crate::store::Store;
use crate::store::vault::Vault;

/// The stored credential of one provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    /// The provider's name, as in `PROVIDER/MODEL`: 1-50 letters, digits, `.`, `_`, `-`.
    pub provider: String,
    /// The base URL of its API; `None` when the provider is a preset, or another configuration gives it.
    pub base_url: Option<String>,
    /// The key; `None` for a server that needs none.
    pub key: Option<Secret>,
    /// The settings of requests.
    pub settings: Settings,
}

/// Settings of requests to a provider, as the table that a configuration file has for it. Some of it is as
/// secret as a key (headers, the password of a proxy), so it is sealed, and `Debug` shows only names.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Settings(pub Map<String, Value>);

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Settings {
    /// These settings with `changes` laid over them: tables are merged, and `null` removes a setting.
    pub fn with(mut self, changes: &Self) -> Self {
        lay_over(&mut self.0, &changes.0);
        self
    }
}

/// Lays changes over an object: members are merged, and `null` removes one; a member that becomes empty goes, too.
pub(crate) fn lay_over(below: &mut Map<String, Value>, over: &Map<String, Value>) {
    for (name, value) in over {
        match value {
            Value::Null => _ = below.remove(name),
            Value::Object(over) => {
                let table = below.entry(name).or_insert_with(|| Map::new().into());
                if !table.is_object() {
                    *table = Map::new().into();
                }
                if let Value::Object(table) = table {
                    lay_over(table, over);
                }
                if table.as_object().is_some_and(Map::is_empty) {
                    below.remove(name);
                }
            }
            value => _ = below.insert(name.clone(), value.clone()),
        }
    }
}

impl Credential {
    /// An empty credential for a provider.
    pub fn blank(provider: impl Into<String>) -> Self {
        Self { provider: provider.into(), base_url: None, key: None, settings: Settings::default() }
    }

    fn check(&self) -> Result<(), StoreError> {
        check_provider("provider", &self.provider)?;
        let invalid = |field: &str, problem: Message, hint: Message| {
            let (problem, hint) = (problem.into(), hint.into());
            Err(Refusal::Invalid { field: field.to_owned(), problem, hint }.into())
        };
        if self.key.as_ref().is_some_and(|key| key.expose().is_empty()) {
            return invalid("api_key", message!("store-is-empty"), message!("store-credentials-key-hint"));
        }
        match &self.base_url {
            Some(url) if url.trim().is_empty() => {
                invalid("base_url", message!("store-is-empty"), message!("store-credentials-address-hint"))
            }
            None if self.key.is_none() && self.settings.0.is_empty() => invalid(
                "api_key",
                message!("store-credentials-missing"),
                message!("store-credentials-missing-hint"),
            ),
            Some(_) | None => Ok(()),
        }
    }

    /// Lays this credential over the stored one: only fields that are given change.
    ///
    /// # Errors
    /// When a key, or headers that may hold one, would be sent to an address that they were not given for.
    pub fn over(self, before: Option<Self>) -> Result<Self, StoreError> {
        let before = before.unwrap_or_else(|| Self::blank(&self.provider));
        let moves = self.base_url.is_some() && self.base_url != before.base_url;
        if moves {
            self.leaves_nothing_of(&before)?;
        }
        Ok(Self {
            provider: self.provider,
            base_url: self.base_url.or(before.base_url),
            key: self.key.or(before.key),
            settings: before.settings.with(&self.settings),
        })
    }

    /// Refuses to take secrets to another address that are not given once more with it.
    ///
    /// # Errors
    /// When `before` has a key, or a header, of which this says nothing.
    pub fn leaves_nothing_of(&self, before: &Self) -> Result<(), StoreError> {
        let headers = |of: &Self| of.settings.0.get("extra_headers").and_then(Value::as_object).cloned();
        let given = headers(self).unwrap_or_default();
        let header_stays =
            headers(before).is_some_and(|headers| headers.keys().any(|name| !given.contains_key(name)));
        match (self.key.is_none() && before.key.is_some()) || header_stays {
            true => Err(StoreError::KeyOfAnotherAddress { provider: self.provider.clone() }),
            false => Ok(()),
        }
    }
}

/// Checks that a name can be a provider's, before the slash of `PROVIDER/MODEL`.
pub(crate) fn check_provider(field: &str, name: &str) -> Result<(), StoreError> {
    let sound = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if (1..=50).contains(&name.len()) && name.chars().all(sound) {
        return Ok(());
    }
    Err(StoreError::Invalid(Refusal::Invalid {
        field: field.to_owned(),
        problem: message!("store-credentials-provider-name", %name).into(),
        hint: message!("store-credentials-provider-name-hint").into(),
    }))
}

impl Store {
    /// Stores what is given about a provider; what is not given stays as it was. The key file is
    /// made when there is none yet.
    ///
    /// # Errors
    /// When something about it is not right, a key would go to an address it was not given for, or
    /// the key file cannot be used.
    pub async fn save_credential(&self, given: Credential, now: Timestamp) -> Result<Credential, StoreError> {
        let path = self.path().to_owned();
        self.change(move |connection| save(connection, &path, given.clone(), now)).await
    }

    /// Stores a credential in place of the one before: what is not given is not stored any more.
    ///
    /// # Errors
    /// When the credential is not valid, or the key file cannot be used.
    pub async fn replace_credential(
        &self,
        given: Credential,
        now: Timestamp,
    ) -> Result<Credential, StoreError> {
        let path = self.path().to_owned();
        self.change(move |connection| replace(connection, &path, given.clone(), now)).await
    }

    /// The stored credential of a provider.
    pub async fn credential(&self, provider: &str) -> Result<Option<Credential>, StoreError> {
        let (path, provider) = (self.path().to_owned(), provider.to_owned());
        self.reading(move |connection| unhurried(|| load(connection, &path, &provider))).await
    }

    /// All that is stored, by provider.
    pub async fn credentials(&self) -> Result<Vec<Credential>, StoreError> {
        let path = self.path().to_owned();
        self.reading(move |connection| {
            unhurried(|| {
                let of = |provider: &String| load(connection, &path, provider).transpose();
                providers(connection)?.iter().filter(|name| is_provider(name)).filter_map(of).collect()
            })
        })
        .await
    }

    /// Seals everything again under a new key file, which replaces the old one. At every moment of it, one of
    /// the two files opens everything. Returns the names of the providers.
    ///
    /// # Errors
    /// When a stored credential cannot be opened, or the key file cannot be written. Then nothing has
    /// changed.
    pub async fn rotate_key_file(&self, now: Timestamp) -> Result<Vec<String>, StoreError> {
        let path = self.path().to_owned();
        let sealed = self.change(move |connection| reseal(connection, &path, now)).await?;
        if !sealed.is_empty() {
            let path = self.path().to_owned();
            // Only now that all of it is on the disk.
            self.change(move |_| Vault::promote(&path)).await?;
        }
        Ok(sealed.into_iter().filter(|name| is_provider(name)).collect())
    }

    /// The providers with stored credentials, and the time of storing; needs no key file.
    pub async fn credential_names(&self) -> Result<Vec<(String, Timestamp)>, StoreError> {
        self.reading(|connection| {
            let mut select =
                connection.prepare_cached("SELECT provider, updated_ms FROM credential ORDER BY provider")?;
            let rows = select.query_map([], |row| Ok((row.get(0)?, Timestamp(row.get(1)?))))?;
            let mut names: Vec<(String, Timestamp)> = rows.collect::<Result<_, _>>()?;
            names.retain(|(name, _)| is_provider(name));
            Ok(names)
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
            let sql = "DELETE FROM credential WHERE provider = ?1 AND provider NOT LIKE '%/%'";
            match connection.execute(sql, [&provider])? {
                0 => Err(StoreError::NoSuchCredential { provider: provider.clone() }),
                _ => Ok(()),
            }
        })
        .await
    }
}

/// Seals a credential within the caller's transaction, in the place of what was sealed under its name.
pub(crate) fn seal(
    connection: &Connection,
    database: &Path,
    credential: &Credential,
    now: Timestamp,
) -> Result<(), StoreError> {
    put(connection, &writers_vault(connection, database)?, credential, now)
}

/// Stores what is given within the caller's transaction.
pub(crate) fn save(
    connection: &Connection,
    database: &Path,
    given: Credential,
    now: Timestamp,
) -> Result<Credential, StoreError> {
    given.check()?;
    let vault = writers_vault(connection, database)?;
    let before = sealed(connection, &given.provider)?;
    let before = before.map(|sealed| vault.unseal(&given.provider, &sealed)).transpose()?;
    let credential = given.over(before)?;
    put(connection, &vault, &credential, now)?;
    Ok(credential)
}

fn replace(
    connection: &Connection,
    database: &Path,
    given: Credential,
    now: Timestamp,
) -> Result<Credential, StoreError> {
    given.check()?;
    let vault = writers_vault(connection, database)?;
    let credential = given.over(None)?;
    put(connection, &vault, &credential, now)?;
    Ok(credential)
}

fn put(
    connection: &Connection,
    vault: &Vault,
    credential: &Credential,
    now: Timestamp,
) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO credential (provider, sealed, updated_ms) VALUES (?1, ?2, ?3)
         ON CONFLICT (provider) DO UPDATE SET sealed = excluded.sealed, updated_ms = excluded.updated_ms",
        (&credential.provider, vault.seal(credential)?, now.0),
    )?;
    Ok(())
}

/// The vault of the one who writes, who also finishes what a writer before left undone.
fn writers_vault(connection: &Connection, database: &Path) -> Result<Vault, StoreError> {
    let stored = providers(connection)?;
    let Some(first) = stored.first().cloned() else { return Vault::open_or_make(database) };
    let any = sealed(connection, &first)?.unwrap_or_default();
    Vault::open(database, stored)?.interpret(database, &first, &any)
}

/// Whether a sealed credential is that of a provider, and not the secret of a webhook or the key that signs logs: no
/// provider's name holds a slash.
fn is_provider(name: &str) -> bool {
    !name.contains('/')
}

/// Seals everything with the key file that is to come.
fn reseal(connection: &Connection, database: &Path, now: Timestamp) -> Result<Vec<String>, StoreError> {
    let providers = providers(connection)?;
    if providers.is_empty() {
        return Ok(providers);
    }
    let old = writers_vault(connection, database)?;
    let open = |provider: &String| old.unseal(provider, &sealed(connection, provider)?.unwrap_or_default());
    let credentials: Vec<Credential> = providers.iter().map(open).collect::<Result<_, _>>()?;
    let new = Vault::make_next(database)?;
    for credential in &credentials {
        put(connection, &new, credential, now)?;
    }
    Ok(providers)
}

/// Reads once more when what was read does not fit the key file: it may just have been changed.
fn unhurried<T>(read: impl Fn() -> Result<T, StoreError>) -> Result<T, StoreError> {
    match read() {
        Err(StoreError::SealedOtherwise { .. }) => read(),
        read => read,
    }
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
