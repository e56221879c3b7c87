//! Several processes over one database: which of them runs a meeting, and what happens when one is gone.

use std::time::Duration;

use quorate_contract::MeetingId;
use quorate_engine::{JournalError, Record, Secret};
use quorate_store::{Node, NodeStats, OwnerElsewhere, StoreError};

use super::App;

/// How often it is looked for meetings that nobody runs.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// After how many looks it is found out among how many processes the limits of providers are shared.
const SHARE_EVERY: u32 = 3;
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
                Ok(0) => {}
                Ok(meetings) => tracing::info!(meetings, "meetings that nobody ran go on here"),
                Err(error) => tracing::warn!(%error, "meetings that nobody runs cannot be looked for"),
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Divides the limits of providers among the processes that serve.
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

    /// Takes over at most so many meetings that nobody runs, and says how many.
    pub(super) async fn take_over(&self, most: u32) -> Result<usize, StoreError> {
        let claimed = self.store().claim_free(most).await?;
        for id in &claimed {
            if let Err(error) = self.0.engine.take_up(id).await {
                tracing::error!(meeting = %id, %error, hint = error.hint(), "a meeting does not go on yet");
            }
        }
        Ok(claimed.len())
    }
}
