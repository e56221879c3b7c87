//! The loop that queues what webhooks are to be sent, and sends what is due.
//!
//! Everything that it knows is in the database and on the board of open turns. After a restart it goes on from there.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use quorate_contract::Timestamp;
use quorate_runners::BreakerState;
use quorate_store::{MessageSubject, StoreError, Webhook, WebhookBreaker, WebhookMessage};
use tokio::task::{Id, JoinSet};

use super::delivery::Delivery;
use super::message::{event_id, turn_id};
use super::{is_active, principal_of};
use crate::clock;
use crate::use_cases::App;

/// The most messages that are sent at a time, and to one webhook.
const AT_A_TIME: usize = 64;
const AT_A_TIME_TO_ONE: usize = 8;

/// After which time the loop goes on when the database failed.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// After which time the meetings that go on after a start have offered their turns.
const SETTLED_AFTER: Duration = Duration::from_secs(15);

/// How often webhooks are looked for that other nodes have changed.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// When a message is tried again whose attempt failed on this side, in milliseconds.
const AFTER_FAULT_MS: u64 = 5_000;

impl App {
    /// Sends turns and events to webhooks for as long as it is polled.
    pub async fn run_webhooks(&self) {
        Dispatcher {
            app: self.clone(),
            began: Instant::now(),
            running: JoinSet::new(),
            sent: HashMap::new(),
            queued: HashSet::new(),
            active: Vec::new(),
        }
        .run()
        .await;
    }
}

struct Dispatcher {
    app: App,
    began: Instant,
    running: JoinSet<()>,
    /// The messages that are being sent: the row, and the webhook.
    sent: HashMap<Id, (i64, String)>,
    /// The open turns that are queued: the webhook, and the ticket.
    queued: HashSet<(String, String)>,
    /// The webhooks that something was sent to when they were last read.
    active: Vec<Webhook>,
}

impl Dispatcher {
    async fn run(mut self) {
        let mut offers = self.app.turn_board().offers();
        let mut changes = self.app.webhook_changes();
        let appended = self.app.appended();
        let has_nodes = self.app.node_id().is_some();
        let mut read_at: Option<Instant> = None;
        self.restore_breakers().await;
        loop {
            offers.mark_unchanged();
            let is_stale = has_nodes && read_at.is_some_and(|read_at| read_at.elapsed() >= LOOK_EVERY);
            let is_over = self.active.iter().any(|webhook| !is_active(webhook, clock::now()));
            if read_at.is_none() || is_stale || is_over || changes.has_changed().unwrap_or(false) {
                changes.mark_unchanged();
                read_at = self.read_webhooks().await.then(Instant::now);
            }
            let step = match read_at {
                Some(_) => self.step().await,
                None => Ok(Some(AFTER_FAILURE)),
            };
            let wait = step.unwrap_or_else(|error| {
                tracing::warn!(%error, "webhooks wait for the database");
                Some(AFTER_FAILURE)
            });
            let wait = if has_nodes { Some(wait.unwrap_or(LOOK_EVERY).min(LOOK_EVERY)) } else { wait };
            let is_idle = read_at.is_some() && self.active.is_empty();
            tokio::select! {
                _ = offers.changed(), if !is_idle => {}
                () = appended.notified(), if !is_idle => {}
                _ = changes.changed() => changes.mark_changed(),
                Some(ended) = self.running.join_next_with_id() => self.ended(ended),
                () = sleep(wait) => {}
            }
        }
    }

    /// Reads which webhooks something is sent to, and ends the turns of those that were stopped; `false` when the database
    /// cannot be read.
    async fn read_webhooks(&mut self) -> bool {
        let active = match self.active().await {
            Ok(active) => active,
            Err(error) => {
                tracing::warn!(%error, "webhooks cannot be read");
                return false;
            }
        };
        let before = std::mem::replace(&mut self.active, active);
        if let Err(error) = self.app.fail_turns_of_stopped_webhooks(&before).await {
            tracing::warn!(%error, "turns of a webhook that was stopped wait until their time is over");
        }
        true
    }

    /// What was known of failing addresses when the server stopped: a restart sends them nothing earlier.
    async fn restore_breakers(&self) {
        match self.app.store().webhook_breakers().await {
            Ok(kept) => {
                for (webhook, WebhookBreaker { failures, pauses, until }) in kept {
                    let wait = until.map(|until| Duration::from_millis(until.since_ms(clock::now())));
                    let state = BreakerState { failures, pauses, wait };
                    self.app.webhook_sender().restore_breaker(&webhook, state);
                }
            }
            Err(error) => tracing::warn!(%error, "it is not known which webhooks were failing"),
        }
    }

    /// The webhooks that something is sent to. Those whose token has expired are stopped.
    async fn active(&self) -> Result<Vec<Webhook>, StoreError> {
        let now = clock::now();
        let mut all = self.app.store().webhooks().await?;
        if all.iter().any(|webhook| webhook.enabled && !is_active(webhook, now)) {
            self.app.store().stop_webhooks_of_expired_tokens(now).await?;
        }
        all.retain(|webhook| is_active(webhook, now));
        Ok(all)
    }

    fn ended(&mut self, ended: Result<(Id, ()), tokio::task::JoinError>) {
        let id = match ended {
            Ok((id, ())) => id,
            Err(error) => {
                tracing::error!(%error, "sending to a webhook was broken off");
                error.id()
            }
        };
        self.sent.remove(&id);
    }

    /// Queues and sends what there is; gives the time until something is due.
    async fn step(&mut self) -> Result<Option<Duration>, StoreError> {
        if self.active.is_empty() {
            return Ok(None);
        }
        let now = clock::now();
        self.queue_turns(now).await?;
        if self.active.iter().any(|webhook| !webhook.events.is_empty()) {
            while self.app.store().queue_webhook_events(now, event_id).await? {}
        }
        let limit = AT_A_TIME + self.sent.len();
        let due =
            self.app.store().due_webhook_messages(now, u32::try_from(limit).unwrap_or(u32::MAX)).await?;
        for message in due {
            self.start(message);
        }
        let next = self.app.store().next_webhook_message(now).await?;
        let end = self.active.iter().filter_map(|webhook| webhook.expires_ms).min();
        let next = next.into_iter().chain(end).min();
        Ok(next.map(|next| Duration::from_millis(next.since_ms(clock::now()))))
    }

    async fn queue_turns(&mut self, now: Timestamp) -> Result<(), StoreError> {
        let mut open = HashSet::new();
        for webhook in self.active.iter().filter(|webhook| webhook.turns) {
            for turn in self.app.open_turns(&principal_of(webhook), webhook.meeting.as_ref()) {
                let queued = (webhook.id.clone(), turn.ticket.clone());
                if !self.queued.contains(&queued) {
                    let is_off_record = self.app.is_off_record(&turn.meeting);
                    let meeting = (!is_off_record).then(|| turn.meeting.clone());
                    let subject = MessageSubject::Turn { ticket: turn.ticket.clone(), meeting };
                    let id = turn_id(&webhook.id, &turn.ticket);
                    self.app.store().queue_webhook_turn(&webhook.id, id, subject, now).await?;
                }
                open.insert(queued);
            }
        }
        self.queued = open;
        Ok(())
    }

    fn start(&mut self, message: WebhookMessage) {
        let is_sent = self.sent.values().any(|(key, _)| *key == message.key);
        let to_one = self.sent.values().filter(|(_, webhook)| *webhook == message.webhook).count();
        if is_sent || self.sent.len() >= AT_A_TIME || to_one >= AT_A_TIME_TO_ONE {
            return;
        }
        let is_settled = self.began.elapsed() > SETTLED_AFTER;
        let (app, known) = (self.app.clone(), (message.key, message.webhook.clone()));
        let handle = self.running.spawn(async move {
            if let Err(error) = Delivery::attempt(&app, &message, is_settled).await {
                tracing::warn!(webhook = %message.webhook, %error, "a message to a webhook waits");
                let due = clock::now().plus_ms(AFTER_FAULT_MS);
                if app.store().postpone_webhook_message(message.key, due).await.is_err() {
                    // Nothing can be written, so the message is still due. It keeps its place among those that are being
                    // sent: its receiver would get it again and again.
                    tokio::time::sleep(Duration::from_millis(AFTER_FAULT_MS)).await;
                }
            }
        });
        self.sent.insert(handle.id(), known);
    }
}

async fn sleep(wait: Option<Duration>) {
    match wait {
        Some(wait) => tokio::time::sleep(wait).await,
        None => std::future::pending().await,
    }
}
