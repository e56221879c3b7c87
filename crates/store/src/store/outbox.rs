//! The outbox of webhooks: what is still to be sent, and the log of attempts.
//!
//! A message holds no contents. It names an event of the log, or the ticket of a turn, and its body is made when it is
//! sent. The log of meetings is itself the durable source: each webhook has a place in it, which moves on in the same
//! transaction that queues its messages. So nothing is lost between an event and its message, and nothing is queued
//! twice.

use quorate_contract::{MeetingId, Timestamp};

use crate::cursor::{self, Page};
use crate::error::StoreError;
use crate::sql;
use crate::sql::{Connection, Dialect, OptionalExtension};
use crate::store::Store;
use crate::store::webhook_events::{LOOKED_AT, followers};
use crate::store::webhook_message::{
    MessageState, MessageSubject, WebhookDelivery, WebhookMessage, delivery_in, message_in,
};
use crate::store::webhook_standing::WebhookBreaker;
use crate::store::webhooks::key_of;

/// The most log entries of one webhook, and the most finished messages.
const KEPT: u32 = 500;

/// The list of deliveries that a cursor belongs to.
const DELIVERIES: char = 'w';

impl Store {
    /// Queues a message about a turn that is open, unless it waits or was accepted already. One that was given up waits
    /// again: after a restart, or a second time, the same question is asked under the same ticket.
    ///
    /// # Errors
    /// When the database cannot be written; so in all that follows.
    pub async fn queue_webhook_turn(
        &self,
        webhook: &str,
        id: String,
        subject: MessageSubject,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let webhook = webhook.to_owned();
        self.change(move |connection| {
            let Some(key) = key_of(connection, &webhook)? else { return Ok(()) };
            queue(connection, key, &id, &subject, now)?;
            connection.execute(
                "UPDATE webhook_message SET state = 'waiting', attempts = 0, due_ms = ?2
                 WHERE id = ?1 AND state IN ('expired', 'failed')",
                (&id, now.0),
            )?;
            if connection.dialect() == Dialect::Postgres {
                // The meeting may have moved here: only the process that runs it knows the turn.
                let here =
                    "UPDATE webhook_message SET node = current_setting('quorate.node', true) WHERE id = ?1";
                connection.execute(here, [&id])?;
            }
            Ok(())
        })
        .await
    }

    /// Queues messages about the events that enabled webhooks have not been told of; `true` when there may be more.
    /// `name` makes the id of a message.
    ///
    /// # Errors
    /// As above.
    pub async fn queue_webhook_events(
        &self,
        now: Timestamp,
        name: fn(webhook: &str, meeting: &str, seq: u64) -> String,
    ) -> Result<bool, StoreError> {
        let is_due = self.reading(|connection| {
            let mut is_due = false;
            for follower in followers(connection)? {
                let step = follower.step(connection)?;
                is_due |= !step.found.is_empty() || step.looked_at == LOOKED_AT;
            }
            Ok::<_, StoreError>(is_due)
        });
        if !is_due.await? {
            return Ok(false);
        }
        self.change(move |connection| {
            let mut is_more = false;
            for follower in followers(connection)? {
                let step = follower.step(connection)?;
                is_more |= step.looked_at == LOOKED_AT;
                for (meeting, seq) in step.found {
                    let id = name(&follower.id, &meeting, seq);
                    let subject = MessageSubject::Event { meeting: MeetingId::new(meeting), seq };
                    queue(connection, follower.key, &id, &subject, now)?;
                }
                connection
                    .prepare_cached("UPDATE webhook SET place = ?2 WHERE key = ?1")?
                    .execute((follower.key, step.place))?;
            }
            Ok(is_more)
        })
        .await
    }

    /// The messages of enabled webhooks that are due, the oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn due_webhook_messages(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<WebhookMessage>, StoreError> {
        self.reading(move |connection| {
            // On a server each process sends what it queued, and one of them what is left of those that are gone.
            let own = match connection.dialect() {
                Dialect::Sqlite => "",
                Dialect::Postgres => {
                    "AND (message.node = current_setting('quorate.node', true)
                          OR (current_setting('quorate.node', true) = (
                                  SELECT token FROM node WHERE lease_until > clock_timestamp() AND NOT draining
                                  ORDER BY address IS NULL, started_at, token LIMIT 1)
                              AND NOT EXISTS (SELECT 1 FROM node WHERE node.token = message.node
                                              AND node.lease_until > clock_timestamp())))"
                }
            };
            let mut select = connection.prepare_cached(&format!(
                "SELECT message.key, webhook.id, message.id, message.meeting, message.seq, message.ticket,
                 message.attempts, message.created_ms
                 FROM webhook_message AS message JOIN webhook ON webhook.key = message.webhook
                 WHERE message.state = 'waiting' AND message.due_ms <= ?1 AND webhook.enabled {own}
                 ORDER BY message.due_ms, message.key LIMIT ?2",
            ))?;
            let rows = select.query_map((now.0, limit), message_in)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// When the next message is due after `now`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn next_webhook_message(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        self.reading(move |connection| {
            let due: Option<i64> = connection
                .prepare_cached(
                    "SELECT MIN(message.due_ms) FROM webhook_message AS message
                     JOIN webhook ON webhook.key = message.webhook
                     WHERE message.state = 'waiting' AND message.due_ms > ?1 AND webhook.enabled",
                )?
                .query_row([now.0], |row| row.get(0))?;
            Ok(due.map(Timestamp))
        })
        .await
    }

    /// Sets the next moment of a message without an attempt.
    ///
    /// # Errors
    /// As above.
    pub async fn postpone_webhook_message(&self, key: i64, due: Timestamp) -> Result<(), StoreError> {
        self.change(move |connection| {
            connection.execute("UPDATE webhook_message SET due_ms = ?2 WHERE key = ?1", (key, due.0))?;
            Ok(())
        })
        .await
    }

    /// Notes an attempt, what follows for its message, and what the circuit breaker makes of it. Old entries are pruned.
    ///
    /// # Errors
    /// As above.
    pub async fn note_webhook_delivery(
        &self,
        webhook: &str,
        message: Option<(i64, MessageState)>,
        delivery: WebhookDelivery,
        breaker: WebhookBreaker,
    ) -> Result<(), StoreError> {
        let webhook = webhook.to_owned();
        self.change(move |connection| {
            let Some(owner) = key_of(connection, &webhook)? else { return Ok(()) };
            if let Some((key, state)) = message {
                connection.execute(
                    "UPDATE webhook_message SET state = ?2, attempts = ?3, due_ms = COALESCE(?4, due_ms)
                     WHERE key = ?1",
                    (key, state.as_str(), delivery.attempt, delivery.next_ms.map(|next| next.0)),
                )?;
            }
            connection
                .prepare_cached(
                    "UPDATE webhook SET failures = ?2, pauses = ?3, paused_until_ms = ?4
                     WHERE key = ?1 AND (failures <> ?2 OR pauses <> ?3)",
                )?
                .execute((owner, breaker.failures, breaker.pauses, breaker.until.map(|until| until.0)))?;
            log(connection, owner, &delivery)?;
            prune(connection, owner)?;
            Ok(())
        })
        .await
    }

    /// A page of the attempts of a webhook, the newest first.
    ///
    /// # Errors
    /// When the cursor is none of this list.
    pub async fn webhook_deliveries(
        &self,
        webhook: &str,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<WebhookDelivery>, StoreError> {
        let before = match cursor.map(|cursor| cursor::read::<1>(DELIVERIES, cursor)).transpose()? {
            Some([key]) => key,
            None => i64::MAX,
        };
        let webhook = webhook.to_owned();
        self.reading(move |connection| {
            let mut select = connection.prepare_cached(
                "SELECT delivery.key, message, kind, delivery.meeting, seq, attempt, at_ms, latency_ms, outcome,
                 status, error, next_ms FROM webhook_delivery AS delivery
                 JOIN webhook ON webhook.key = delivery.webhook
                 WHERE webhook.id = ?1 AND delivery.key < ?2 ORDER BY delivery.key DESC LIMIT ?3",
            )?;
            let rows = select.query_map((&webhook, before, limit + 1), delivery_in)?;
            let rows: Vec<(i64, WebhookDelivery)> = rows.collect::<Result<_, _>>()?;
            let page = Page::of(rows, limit, |(key, _)| cursor::write(DELIVERIES, [*key]));
            Ok(page.map(|(_, delivery)| delivery))
        })
        .await
    }

    /// Queues a message once more; `false` when there is none of this id.
    ///
    /// # Errors
    /// As above.
    pub async fn redeliver_webhook_message(
        &self,
        webhook: &str,
        message: &str,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let (webhook, message) = (webhook.to_owned(), message.to_owned());
        self.change(move |connection| {
            let changed = connection.execute(
                "UPDATE webhook_message SET state = 'waiting', attempts = 0, due_ms = ?3
                 WHERE id = ?2 AND webhook = (SELECT key FROM webhook WHERE id = ?1)",
                (&webhook, &message, now.0),
            )?;
            Ok(changed == 1)
        })
        .await
    }
}

/// Forgets what is stored about a meeting, within the caller's transaction. The events with the highest places may be
/// gone now, and their places be given again.
pub(crate) fn forget_meeting(connection: &Connection, meeting: &MeetingId) -> sql::Result<()> {
    for table in ["webhook_message", "webhook_delivery"] {
        connection.execute(&format!("DELETE FROM {table} WHERE meeting = ?1"), [meeting.as_str()])?;
    }
    let last: i64 =
        connection.query_row("SELECT COALESCE(MAX(place), 0) FROM event", [], |row| row.get(0))?;
    connection.execute("UPDATE webhook SET place = ?1 WHERE place > ?1", [last])?;
    // One that was about this meeting has nothing left to do.
    let only_here = "SELECT id FROM webhook WHERE meeting = ?1";
    connection.execute(
        &format!("DELETE FROM credential WHERE provider IN (SELECT CAST(?2 AS TEXT) || id FROM ({only_here}) AS webhooks)"),
        (meeting.as_str(), crate::store::webhooks::SEALED_AS),
    )?;
    connection.execute("DELETE FROM webhook WHERE meeting = ?1", [meeting.as_str()])?;
    Ok(())
}

fn queue(
    connection: &Connection,
    webhook: i64,
    id: &str,
    subject: &MessageSubject,
    now: Timestamp,
) -> sql::Result<()> {
    let (meeting, seq, ticket) = subject.columns();
    connection
        .prepare_cached(
            "INSERT INTO webhook_message (webhook, id, kind, meeting, seq, ticket, state, attempts, due_ms, created_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'waiting', 0, ?7, ?7) ON CONFLICT (id) DO NOTHING",
        )?
        .execute((webhook, id, subject.kind(), meeting, seq, ticket, now.0))?;
    Ok(())
}

fn log(connection: &Connection, webhook: i64, delivery: &WebhookDelivery) -> sql::Result<()> {
    connection.execute(
        "INSERT INTO webhook_delivery (webhook, message, kind, meeting, seq, attempt, at_ms, latency_ms, outcome,
         status, error, next_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        sql::values![
            webhook,
            delivery.message,
            delivery.kind,
            delivery.meeting.as_ref().map(MeetingId::as_str),
            delivery.seq,
            delivery.attempt,
            delivery.at_ms.0,
            delivery.latency_ms,
            delivery.outcome,
            delivery.status,
            delivery.error,
            delivery.next_ms.map(|next| next.0),
        ],
    )?;
    Ok(())
}

/// Keeps the newest entries of the log, and the newest messages that are finished.
fn prune(connection: &Connection, webhook: i64) -> sql::Result<()> {
    let oldest: Option<i64> = connection
        .prepare_cached(
            "SELECT key FROM webhook_delivery WHERE webhook = ?1 ORDER BY key DESC LIMIT 1 OFFSET ?2",
        )?
        .query_row((webhook, KEPT), |row| row.get(0))
        .optional()?;
    if let Some(oldest) = oldest {
        connection
            .execute("DELETE FROM webhook_delivery WHERE webhook = ?1 AND key <= ?2", (webhook, oldest))?;
    }
    let oldest: Option<i64> = connection
        .prepare_cached(
            "SELECT key FROM webhook_message WHERE webhook = ?1 AND state <> 'waiting'
             ORDER BY key DESC LIMIT 1 OFFSET ?2",
        )?
        .query_row((webhook, KEPT), |row| row.get(0))
        .optional()?;
    if let Some(oldest) = oldest {
        connection.execute(
            "DELETE FROM webhook_message WHERE webhook = ?1 AND state <> 'waiting' AND key <= ?2",
            (webhook, oldest),
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use quorate_contract::{Actor, ContractVersion, Event, EventBody, RunId};
    use quorate_engine::{Journal, Record, Secret};

    use super::*;
    use crate::store::webhooks::Webhook;

    async fn with_webhook() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let store =
            Store::open(crate::testing::location(folder.path().join("meetings.db"))).expect("a database");
        let webhook = Webhook {
            id: "w".to_owned(),
            url: "https://example.com/".to_owned(),
            agent: Some("ada".to_owned()),
            turns: true,
            events: vec!["*".to_owned()],
            meeting: None,
            enabled: true,
            disabled_because: None,
            public_only: true,
            by: "owner".to_owned(),
            token: None,
            expires_ms: None,
            created_ms: Timestamp(1),
            updated_ms: Timestamp(1),
        };
        store.create_webhook(webhook, Secret::new("whsec_AAAA")).await.expect("stored");
        (folder, store)
    }

    async fn due(store: &Store) -> Vec<WebhookMessage> {
        store.due_webhook_messages(Timestamp(100), 100).await.expect("a list")
    }

    async fn end(store: &Store, message: &WebhookMessage, state: MessageState) {
        let delivery = WebhookDelivery {
            message: message.id.clone(),
            kind: message.subject.kind().to_owned(),
            meeting: None,
            seq: None,
            attempt: 1,
            at_ms: Timestamp(3),
            latency_ms: 1,
            outcome: state.as_str().to_owned(),
            status: None,
            error: None,
            next_ms: None,
        };
        let breaker = WebhookBreaker::default();
        store.note_webhook_delivery("w", Some((message.key, state)), delivery, breaker).await.expect("noted");
    }

    #[tokio::test]
    async fn a_turn_that_was_given_up_waits_again_when_it_is_asked_again_and_an_accepted_one_does_not() {
        let (_folder, store) = with_webhook().await;
        let turn = || MessageSubject::Turn { ticket: "t".to_owned(), meeting: None };
        let ask = || store.queue_webhook_turn("w", "msg_1".to_owned(), turn(), Timestamp(2));
        for state in [MessageState::Expired, MessageState::Failed, MessageState::Delivered] {
            ask().await.expect("queued");
            ask().await.expect("queued once");
            let waiting = due(&store).await;
            assert_eq!(waiting.len(), 1, "{state:?}");
            end(&store, &waiting[0], state).await;
            assert!(due(&store).await.is_empty());
        }
        ask().await.expect("known");
        assert!(due(&store).await.is_empty(), "it was accepted");
    }

    #[tokio::test]
    async fn no_event_is_missed_when_places_are_given_again_after_a_deletion() {
        let (_folder, store) = with_webhook().await;
        let name = |webhook: &str, meeting: &str, seq: u64| format!("{webhook}-{meeting}-{seq}");
        for (meeting, next) in [("m1", "m2"), ("m2", "m3")] {
            for id in [meeting, next] {
                let id = MeetingId::new(id);
                if store.read(id.clone(), 0).await.is_ok_and(|records| !records.is_empty()) {
                    continue;
                }
                let event = Event {
                    version: ContractVersion,
                    seq: 1,
                    meeting_id: id.clone(),
                    run_id: RunId::new("r"),
                    ts_ms: Timestamp(1),
                    actor: Actor::owner(),
                    cause: "test".to_owned(),
                    body: EventBody::Recovered { idle_ms: None },
                };
                store.append(id, 0, vec![Record::of(event)]).await.expect("appended");
            }
            while store.queue_webhook_events(Timestamp(2), name).await.expect("queued") {}
            let told: Vec<String> = due(&store).await.into_iter().map(|message| message.id).collect();
            assert!(told.contains(&format!("w-{next}-1")), "{told:?}");
            store.delete_meeting(&MeetingId::new(next)).await.expect("deleted");
        }
    }
}
