//! Webhooks: the addresses to which turns and events are pushed, and the secrets that sign them.
//!
//! A secret is sealed as credentials are, under a name that no provider can have.

use quorate_contract::{MeetingId, Timestamp};
use quorate_engine::Secret;
use serde_json::Value;

use crate::error::StoreError;
use crate::sql;
use crate::sql::{Connection, OptionalExtension, Row};
use crate::store::Store;
use crate::store::credentials::{self, Credential};
use crate::store::webhook_standing::StopReason;

/// Begins the name under which a secret is sealed; no provider's name holds a slash.
pub(crate) const SEALED_AS: &str = "webhook/";

/// An address to which turns and events are pushed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Its id; nothing secret.
    pub id: String,
    /// The address.
    pub url: String,
    /// The agent that it answers for.
    pub agent: Option<String>,
    /// Whether turns of the agent are pushed.
    pub turns: bool,
    /// The kinds of events that are pushed; `*` for all.
    pub events: Vec<String>,
    /// The one meeting that it is about; all meetings when `None`.
    pub meeting: Option<MeetingId>,
    /// Whether anything is pushed.
    pub enabled: bool,
    /// The reason why the program itself disabled it.
    pub disabled_because: Option<StopReason>,
    /// Whether its address may not lead into this machine or its network.
    pub public_only: bool,
    /// The person who created it and in whose name it acts.
    pub by: String,
    /// The token by which it was created, and with which it ends; `None` when a person created it.
    pub token: Option<String>,
    /// When that token expires; only read, as long as there is such a token.
    pub expires_ms: Option<Timestamp>,
    /// When it was created.
    pub created_ms: Timestamp,
    /// When it was last changed.
    pub updated_ms: Timestamp,
}

/// The secrets of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookSecrets {
    /// The present one.
    pub current: Secret,
    /// The one before it, until it expires.
    pub previous: Option<(Secret, Timestamp)>,
}

impl Store {
    /// All webhooks, the newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn webhooks(&self) -> Result<Vec<Webhook>, StoreError> {
        self.reading(|connection| select(connection, "ORDER BY key DESC", &[])).await
    }

    /// The webhook of this id.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn webhook(&self, id: &str) -> Result<Option<Webhook>, StoreError> {
        let id = id.to_owned();
        self.reading(move |connection| Ok(select(connection, "WHERE id = ?1", &[&id])?.pop())).await
    }

    /// Stores a new webhook with its secret. It is told of events from now on.
    ///
    /// # Errors
    /// When the key file cannot be used, or the database cannot be written.
    pub async fn create_webhook(&self, webhook: Webhook, secret: Secret) -> Result<(), StoreError> {
        let path = self.path().to_owned();
        self.change(move |connection| {
            let row = sql::values![
                webhook.id,
                webhook.url,
                webhook.agent,
                webhook.turns,
                events_text(&webhook.events),
                webhook.meeting.as_ref().map(MeetingId::as_str),
                webhook.enabled,
                webhook.disabled_because.map(StopReason::as_str),
                webhook.public_only,
                webhook.by,
                webhook.token,
                webhook.created_ms.0,
                webhook.updated_ms.0,
            ];
            connection.execute(
                "INSERT INTO webhook (id, url, agent, turns, events, meeting, enabled, disabled_because,
                 public_only, by, token, place, created_ms, updated_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
                 ?11, (SELECT COALESCE(MAX(place), 0) FROM event), ?12, ?13)",
                row,
            )?;
            let sealed = sealed(&webhook.id, &WebhookSecrets { current: secret.clone(), previous: None });
            credentials::seal(connection, &path, &sealed, webhook.updated_ms)
        })
        .await
    }

    /// Puts a webhook in the place of the one that has its id; `false` when there is none. One that is enabled again
    /// is told of events from now on. Another address, or enabling it, begins without failures.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn update_webhook(&self, webhook: Webhook) -> Result<bool, StoreError> {
        self.change(move |connection| {
            let row = sql::values![
                webhook.id,
                webhook.url,
                webhook.agent,
                webhook.turns,
                events_text(&webhook.events),
                webhook.meeting.as_ref().map(MeetingId::as_str),
                webhook.enabled,
                webhook.disabled_because.map(StopReason::as_str),
                webhook.public_only,
                webhook.by,
                webhook.token,
                webhook.updated_ms.0,
            ];
            let changed = connection.execute(
                "UPDATE webhook SET url = ?2, agent = ?3, turns = ?4, events = ?5, meeting = ?6,
                 place = CASE WHEN ?7 AND NOT enabled THEN (SELECT COALESCE(MAX(place), 0) FROM event) ELSE place END,
                 failures = CASE WHEN url = ?2 AND enabled = ?7 THEN failures ELSE 0 END,
                 pauses = CASE WHEN url = ?2 AND enabled = ?7 THEN pauses ELSE 0 END,
                 paused_until_ms = CASE WHEN url = ?2 AND enabled = ?7 THEN paused_until_ms END,
                 enabled = ?7, disabled_because = ?8, public_only = ?9, by = ?10, token = ?11, updated_ms = ?12
                 WHERE id = ?1",
                row,
            )?;
            Ok(changed == 1)
        })
        .await
    }

    /// Deletes a webhook with its secret, its outbox and its log; `false` when there is none of this id.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete_webhook(&self, id: &str) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.change(move |connection| {
            connection.execute("DELETE FROM credential WHERE provider = ?1", [format!("{SEALED_AS}{id}")])?;
            Ok(connection.execute("DELETE FROM webhook WHERE id = ?1", [&id])? == 1)
        })
        .await
    }

    /// The secrets of a webhook; `None` when there is none of this id.
    ///
    /// # Errors
    /// When the key file cannot be used.
    pub async fn webhook_secrets(&self, id: &str) -> Result<Option<WebhookSecrets>, StoreError> {
        let credential = self.credential(&format!("{SEALED_AS}{id}")).await?;
        Ok(credential.and_then(opened))
    }

    /// Gives a webhook another secret. The one before it stays good until `previous_until`. `false` when there is no
    /// such webhook.
    ///
    /// # Errors
    /// When the key file cannot be used, or the database cannot be written.
    pub async fn rotate_webhook_secret(
        &self,
        id: &str,
        secret: Secret,
        previous_until: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let Some(before) = self.webhook_secrets(id).await? else { return Ok(false) };
        let secrets = WebhookSecrets { current: secret, previous: Some((before.current, previous_until)) };
        let (path, id) = (self.path().to_owned(), id.to_owned());
        self.change(move |connection| {
            let changed =
                connection.execute("UPDATE webhook SET updated_ms = ?2 WHERE id = ?1", (&id, now.0))?;
            if changed == 1 {
                credentials::seal(connection, &path, &sealed(&id, &secrets), now)?;
            }
            Ok(changed == 1)
        })
        .await
    }
}

/// The name of a setting of a sealed secret.
const PREVIOUS: &str = "previous";
const PREVIOUS_UNTIL: &str = "previous_until_ms";

fn sealed(id: &str, secrets: &WebhookSecrets) -> Credential {
    let mut credential = Credential::blank(format!("{SEALED_AS}{id}"));
    credential.key = Some(secrets.current.clone());
    if let Some((previous, until)) = &secrets.previous {
        credential.settings.0.insert(PREVIOUS.to_owned(), previous.expose().into());
        credential.settings.0.insert(PREVIOUS_UNTIL.to_owned(), until.0.into());
    }
    credential
}

fn opened(credential: Credential) -> Option<WebhookSecrets> {
    let settings = &credential.settings.0;
    let previous = settings.get(PREVIOUS).and_then(Value::as_str).map(Secret::new);
    let until = settings.get(PREVIOUS_UNTIL).and_then(Value::as_i64).map(Timestamp);
    Some(WebhookSecrets { current: credential.key?, previous: previous.zip(until) })
}

fn events_text(events: &[String]) -> String {
    events.join(",")
}

/// The webhooks that a condition selects.
pub(crate) fn select(
    connection: &Connection,
    which: &str,
    parameters: &[&dyn rusqlite::ToSql],
) -> Result<Vec<Webhook>, StoreError> {
    let sql = format!(
        "SELECT id, url, agent, turns, events, meeting, enabled, disabled_because, public_only, by, created_ms,
         updated_ms, token, (SELECT expires_ms FROM token WHERE token.id = webhook.token) FROM webhook {which}"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let rows = select.query_map(parameters, webhook_in)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn webhook_in(row: &Row<'_>) -> sql::Result<Webhook> {
    let events: String = row.get(4)?;
    Ok(Webhook {
        id: row.get(0)?,
        url: row.get(1)?,
        agent: row.get(2)?,
        turns: row.get(3)?,
        events: events.split(',').filter(|kind| !kind.is_empty()).map(str::to_owned).collect(),
        meeting: row.get::<_, Option<String>>(5)?.map(MeetingId::new),
        enabled: row.get(6)?,
        disabled_because: row.get::<_, Option<String>>(7)?.map(|word| StopReason::of(&word)),
        public_only: row.get(8)?,
        by: row.get(9)?,
        created_ms: Timestamp(row.get(10)?),
        updated_ms: Timestamp(row.get(11)?),
        token: row.get(12)?,
        expires_ms: row.get::<_, Option<i64>>(13)?.map(Timestamp),
    })
}

/// The key of a webhook's row.
pub(crate) fn key_of(connection: &Connection, id: &str) -> sql::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT key FROM webhook WHERE id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()
}
