//! The standing of webhooks: why one was stopped, and how often its address has failed in a row.
//!
//! A webhook acts in the name of whoever created it. When that token or account is gone, or the agent that it answers
//! for, it stops in the same transaction, and says why. It is not deleted: somebody may wonder why nothing comes.

use quorate_contract::{RunnerSpec, Timestamp, TurnDelivery};
use rusqlite::ToSql;
use serde_json::json;

use crate::audit_log::AuditEntry;
use crate::error::StoreError;
use crate::sql;
use crate::sql::Connection;
use crate::store::Store;

/// The action in the audit log.
const STOPPED: &str = "webhooks.stopped";

/// Who did it in the audit log: no person, but the program.
const SYSTEM: &str = "system";

/// The reason why the program itself disabled a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The receiver answered 410: it wants nothing more.
    Gone,
    /// A message could not be delivered for days.
    Failing,
    /// The token that created it was revoked.
    TokenRevoked,
    /// The token that created it has expired.
    TokenExpired,
    /// The account in whose name it acted was deleted.
    AccountDeleted,
    /// The agent that it answers for was deleted from the library.
    AgentDeleted,
}

impl StopReason {
    /// The word for it, as in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Failing => "failing",
            Self::TokenRevoked => "token_revoked",
            Self::TokenExpired => "token_expired",
            Self::AccountDeleted => "account_deleted",
            Self::AgentDeleted => "agent_deleted",
        }
    }

    /// The reason of this word; an unknown one is that of a failure.
    pub(crate) fn of(word: &str) -> Self {
        let others =
            [Self::Gone, Self::TokenRevoked, Self::TokenExpired, Self::AccountDeleted, Self::AgentDeleted];
        others.into_iter().find(|reason| reason.as_str() == word).unwrap_or(Self::Failing)
    }

    /// Whether nobody is left in whose name it acts: whoever enables it takes it over.
    pub fn leaves_no_owner(self) -> bool {
        match self {
            Self::TokenRevoked | Self::TokenExpired | Self::AccountDeleted => true,
            Self::Gone | Self::Failing | Self::AgentDeleted => false,
        }
    }
}

/// What is kept of the circuit breaker of a webhook over a restart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WebhookBreaker {
    /// The failures in a row.
    pub failures: u32,
    /// How often it has opened since a message was accepted.
    pub pauses: u32,
    /// Until when nothing is sent.
    pub until: Option<Timestamp>,
}

/// A webhook that was stopped.
pub(crate) struct Stopped {
    id: String,
    by: String,
    reason: StopReason,
}

impl Store {
    /// What is kept of the circuit breakers of webhooks whose address has failed.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn webhook_breakers(&self) -> Result<Vec<(String, WebhookBreaker)>, StoreError> {
        self.reading(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT id, failures, pauses, paused_until_ms FROM webhook WHERE failures > 0",
            )?;
            let rows = select.query_map([], |row| {
                let until = row.get::<_, Option<i64>>(3)?.map(Timestamp);
                Ok((row.get(0)?, WebhookBreaker { failures: row.get(1)?, pauses: row.get(2)?, until }))
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Disables a webhook for a reason; `false` when it is none that is enabled.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn disable_webhook(
        &self,
        id: &str,
        reason: StopReason,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let id = id.to_owned();
        let stopped =
            self.change(move |connection| Ok(stop(connection, "id = ?1", &id, reason, now)?)).await?;
        Ok(self.note_stopped(stopped, now) > 0)
    }

    /// Disables the webhooks whose token has expired, and says how many.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn stop_webhooks_of_expired_tokens(&self, now: Timestamp) -> Result<usize, StoreError> {
        let stopped = self.change(move |connection| {
            let expired = "token IN (SELECT id FROM token WHERE expires_ms <= ?1)";
            Ok(stop(connection, expired, &now.0, StopReason::TokenExpired, now)?)
        });
        let stopped = stopped.await?;
        Ok(self.note_stopped(stopped, now))
    }

    /// Leaves a line in the audit log for each webhook that was stopped, and gives their number.
    pub(crate) fn note_stopped(&self, stopped: Vec<Stopped>, now: Timestamp) -> usize {
        let count = stopped.len();
        for Stopped { id, by, reason } in stopped {
            self.audit(AuditEntry {
                ts_ms: now,
                by: SYSTEM.to_owned(),
                action: STOPPED.to_owned(),
                meeting: None,
                detail: json!({ "id": id, "by": by, "because": reason.as_str(), "status": 200 }),
                address: "local".to_owned(),
            });
        }
        count
    }
}

/// Stops the webhooks that a token created, within the caller's transaction.
pub(crate) fn stop_of_token(
    connection: &Connection,
    token: &str,
    now: Timestamp,
) -> sql::Result<Vec<Stopped>> {
    stop(connection, "token = ?1", &token, StopReason::TokenRevoked, now)
}

/// Stops the webhooks of an account, within the caller's transaction. Those that were disabled already have the same
/// reason from now on, so that a later account of this name does not see them.
pub(crate) fn stop_of_account(
    connection: &Connection,
    name: &str,
    now: Timestamp,
) -> sql::Result<Vec<Stopped>> {
    let reason = StopReason::AccountDeleted;
    let stopped = stop(connection, "by = ?1 COLLATE NOCASE", &name, reason, now)?;
    connection.execute(
        "UPDATE webhook SET disabled_because = ?2 WHERE by = ?1 COLLATE NOCASE",
        (name, reason.as_str()),
    )?;
    Ok(stopped)
}

/// Stops the webhooks that answer for an agent of the library, within the caller's transaction.
pub(crate) fn stop_of_agent(
    connection: &Connection,
    runner: &RunnerSpec,
    now: Timestamp,
) -> sql::Result<Vec<Stopped>> {
    match runner {
        RunnerSpec::External { via: TurnDelivery::Agent | TurnDelivery::Webhook, name } => {
            stop(connection, "agent = ?1", name, StopReason::AgentDeleted, now)
        }
        RunnerSpec::External { via: TurnDelivery::Person, .. }
        | RunnerSpec::Model { .. }
        | RunnerSpec::Simulated { .. }
        | RunnerSpec::Process { .. }
        | RunnerSpec::Acp { .. } => Ok(Vec::new()),
    }
}

/// Disables the enabled webhooks that a condition on `?1` selects.
fn stop(
    connection: &Connection,
    which: &str,
    parameter: &dyn ToSql,
    reason: StopReason,
    now: Timestamp,
) -> sql::Result<Vec<Stopped>> {
    let sql = format!(
        "UPDATE webhook SET enabled = FALSE, disabled_because = ?2, updated_ms = ?3 WHERE enabled AND {which}
         RETURNING id, by"
    );
    let mut update = connection.prepare_cached(&sql)?;
    let rows = update.query_map(sql::values![parameter, reason.as_str(), now.0], |row| {
        Ok(Stopped { id: row.get(0)?, by: row.get(1)?, reason })
    })?;
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_is_read_as_it_is_written() {
        use StopReason::{AccountDeleted, AgentDeleted, Failing, Gone, TokenExpired, TokenRevoked};
        for reason in [Gone, Failing, TokenRevoked, TokenExpired, AccountDeleted, AgentDeleted] {
            assert_eq!(StopReason::of(reason.as_str()), reason);
        }
        assert_eq!(StopReason::of("of a later version"), Failing);
    }
}
