//! Several processes over one database: which of them runs a meeting, and what happens when one is gone.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use quorate_contract::MeetingId;
use quorate_engine::{JournalError, Record, Secret};
use quorate_runners::{AllowanceNeed, ShareGrant, ShareNeed, ShareStanding};
use quorate_store::{
    KeyNeed, Node, NodeStats, OwnerChange, OwnerElsewhere, RATE_HOLD_MS, RateNeed, StoreError,
};
use tokio::time::Instant;

use super::App;
use super::recovery::{TakeUpResult, Which};

/// How often it is looked for meetings that nobody runs.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// After how many looks it is found out how many processes serve.
const SHARE_EVERY: u32 = 3;
/// How often it is said what is needed of the limits of providers.
const EXCHANGE_EVERY: Duration = Duration::from_secs(1);
/// How often while calls wait.
const EXCHANGE_WHILE_WAITING: Duration = Duration::from_millis(250);
/// How long it is waited at least from one time to the next.
const EXCHANGE_PAUSE: Duration = Duration::from_millis(50);
/// How long what was said last holds while the database cannot be reached: as long as a lease.
const SHARES_HOLD: Duration = Duration::from_secs(10);
/// The number of meetings that are taken over at once, so that several processes share those of one that is gone.
const BATCH: u32 = 100;

impl App {
    /// The name of this process among those that share the database; `None` for a database file.
    pub fn node_id(&self) -> Option<&str> {
        self.store().node_id()
    }

    /// What this process has seen of its lease; `None` for a database file.
    pub fn node_stats(&self) -> Option<NodeStats> {
        self.store().node_stats()
    }

    /// Whether this process has lost its lease, or is about to.
    pub fn is_fenced(&self) -> bool {
        self.store().is_fenced()
    }

    /// The processes that share the database; none for a database file.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn nodes(&self) -> Result<Vec<Node>, StoreError> {
        self.store().nodes().await
    }

    /// Which meetings have gone over from one process to another, the newest first; those of one meeting when it is given.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn owner_changes(
        &self,
        meeting: Option<MeetingId>,
        most: u32,
    ) -> Result<Vec<OwnerChange>, StoreError> {
        self.store().owner_changes(meeting, most).await
    }

    /// The process that runs a meeting, when it is another one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn owner_elsewhere(&self, meeting: &MeetingId) -> Result<Option<OwnerElsewhere>, StoreError> {
        match self.store().node_id() {
            None => Ok(None),
            Some(_) if self.0.journal.is_off_record(meeting) => Ok(None),
            Some(_) => self.store().owner_elsewhere(meeting).await,
        }
    }

    /// The process that runs a meeting, or ran it to its end, when it is another one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn last_owner(&self, meeting: &MeetingId) -> Result<Option<OwnerElsewhere>, StoreError> {
        self.store().last_owner(meeting).await
    }

    /// The events of a meeting after number `after`, wherever it runs.
    ///
    /// # Errors
    /// When the database cannot be read, or the log is damaged.
    pub async fn records_after(&self, id: &MeetingId, after: u64) -> Result<Vec<Record>, JournalError> {
        quorate_engine::Journal::read(&*self.0.journal, id.clone(), after).await
    }

    /// The secret by which the processes that share the database know each other; `None` for a database file.
    ///
    /// # Errors
    /// When the key file is not the one of the others, or the database cannot be written.
    pub async fn node_secret(&self) -> Result<Option<Secret>, StoreError> {
        self.store().node_secret(crate::clock::now()).await
    }

    /// Says where the other processes reach this one over HTTP.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn announce(&self, address: &str) -> Result<(), StoreError> {
        self.store().announce(address).await
    }

    /// Takes over meetings of processes that are gone, for as long as it is polled. Of a database file there are none.
    pub async fn run_takeovers(&self) {
        if self.node_id().is_none() {
            return;
        }
        let mut lapses = self.lapses();
        for look in 0u32.. {
            if look % SHARE_EVERY == 0 {
                self.share_limits().await;
            }
            if std::mem::replace(&mut lapses, self.lapses()) != lapses {
                self.unload_lapsed().await;
            }
            if let Err(error) = self.unload_others().await {
                tracing::debug!(%error, "it cannot be looked for meetings that others run");
            }
            match self.take_over(BATCH).await {
                Ok(results) if results.is_empty() => {}
                Ok(results) => {
                    let failed = results.iter().filter(|result| **result == TakeUpResult::Failed).count();
                    tracing::info!(meetings = results.len(), failed, "meetings that nobody ran go on here");
                }
                Err(error) => tracing::warn!(%error, "meetings that nobody runs cannot be looked for"),
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// What this process has of the limits of providers that it shares with others, by provider; nothing for a database file.
    pub fn provider_shares(&self) -> Vec<ShareStanding> {
        quorate_runners::share_standings()
    }

    /// Shares the limits of providers with the processes that use the same keys, for as long as it is polled: says what is
    /// needed here, and takes what may be used. With a database file there is nobody to share them with.
    pub async fn run_provider_shares(&self) {
        if self.node_id().is_none() {
            return;
        }
        let mut exchange = ShareExchange::begin();
        loop {
            let needs = exchange.needs().await;
            exchange.settle(self, needs).await;
        }
    }

    /// The same in the background, for as long as this app is used otherwise: for a command that runs meetings itself.
    pub fn begin_provider_shares(&self) {
        if self.node_id().is_none() {
            return;
        }
        let (mut exchange, app) = (ShareExchange::begin(), Arc::downgrade(&self.0));
        tokio::spawn(async move {
            loop {
                let needs = exchange.needs().await;
                let Some(app) = app.upgrade().map(App) else { return };
                exchange.settle(&app, needs).await;
            }
        });
    }

    /// Whether it was said what may be used: not while the lease of this process has passed.
    async fn exchange_shares(&self, needs: Vec<ShareNeed>) -> Result<bool, StoreError> {
        let until = Instant::now() + Duration::from_millis(RATE_HOLD_MS.unsigned_abs());
        let rate = |need: AllowanceNeed| RateNeed {
            per_minute: need.per_minute,
            wanted: need.wanted,
            unused: need.unused,
        };
        let needs = needs.into_iter().map(|need| KeyNeed {
            key: need.key,
            limit: need.limit,
            held: need.held,
            wanted: need.wanted,
            requests: need.requests.map(rate),
            tokens: need.tokens.map(rate),
        });
        let shares = self.store().exchange_shares(needs.collect()).await?;
        let grants = shares.into_iter().map(|share| ShareGrant {
            key: share.key,
            places: share.places,
            requests: share.requests,
            tokens: share.tokens,
        });
        let grants: Vec<ShareGrant> = grants.collect();
        quorate_runners::grant_shares(&grants, until);
        Ok(!grants.is_empty())
    }

    /// Says among how many processes that serve the limits of providers are divided while it cannot be said exactly.
    async fn share_limits(&self) {
        // While the database cannot be read, what was true last holds.
        if let Ok(nodes) = self.nodes().await {
            let serving = nodes.iter().filter(|node| node.alive && node.address.is_some()).count();
            quorate_runners::share_limits(u32::try_from(serving).unwrap_or(u32::MAX));
        }
    }

    fn lapses(&self) -> u64 {
        self.node_stats().map_or(0, |stats| stats.lapses)
    }

    /// Lets go of what runs here, because the lease of this process had passed: others may have moved it on. A loop that
    /// waits for a person would not find out, and whoever listens to it here would hear nothing more.
    async fn unload_lapsed(&self) {
        for id in self.0.engine.live() {
            if self.0.journal.is_off_record(&id) {
                continue;
            }
            self.0.engine.unload(&id);
            // It goes on here unless it does elsewhere.
            if let Err(error) = self.0.engine.take_up(&id).await {
                tracing::debug!(meeting = %id, %error, "a meeting goes on elsewhere");
            }
        }
    }

    /// Lets go of meetings that another process runs: their events are told there. Whoever listens here comes again, and is
    /// sent on. A request may come here for such a meeting when a process has just begun at the address of one that is gone.
    async fn unload_others(&self) -> Result<(), StoreError> {
        let known = self.0.engine.known();
        if known.is_empty() {
            return Ok(());
        }
        for id in self.store().owned_elsewhere(known).await? {
            tracing::debug!(meeting = %id, "another process runs this meeting");
            self.0.engine.unload(&id);
        }
        Ok(())
    }

    /// Takes over at most so many meetings that nobody runs, and says what became of each.
    pub(super) async fn take_over(&self, most: u32) -> Result<Vec<TakeUpResult>, StoreError> {
        let claimed = self.store().claim_free(most).await?;
        Ok(self.take_up_all(claimed, Which::All).collect().await)
    }
}

/// What is said to the database again and again of what this process needs of the limits of providers.
struct ShareExchange {
    pause: Duration,
    failing_since: Option<Instant>,
}

impl ShareExchange {
    fn begin() -> Self {
        quorate_runners::begin_leases();
        Self { pause: EXCHANGE_EVERY, failing_since: None }
    }

    /// What is needed, once it is time to say so.
    async fn needs(&mut self) -> Vec<ShareNeed> {
        tokio::time::sleep(EXCHANGE_PAUSE).await;
        // Whoever wants something does not wait for the next time.
        _ = tokio::time::timeout(self.pause, quorate_runners::share_wanted()).await;
        let needs = quorate_runners::share_needs();
        self.pause = match needs.iter().any(is_waiting) {
            true => EXCHANGE_WHILE_WAITING,
            false => EXCHANGE_EVERY,
        };
        needs
    }

    /// Takes what may be used.
    async fn settle(&mut self, app: &App, needs: Vec<ShareNeed>) {
        if needs.is_empty() {
            return;
        }
        let exchanged = app.exchange_shares(needs).await.unwrap_or_else(|error| {
            tracing::debug!(%error, "what may be used of the limits of providers is not known");
            false
        });
        if exchanged {
            self.failing_since = None;
        } else if self.failing_since.get_or_insert_with(Instant::now).elapsed() > SHARES_HOLD {
            quorate_runners::lapse_leases();
        }
    }
}

/// Whether calls wait for a share.
fn is_waiting(need: &ShareNeed) -> bool {
    let waits = |need: Option<AllowanceNeed>| need.is_some_and(|need| need.wanted > 0);
    need.wanted > need.held || waits(need.requests) || waits(need.tokens)
}
