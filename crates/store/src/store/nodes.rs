//! The processes that share a database on a server.

use quorate_contract::{MeetingId, Timestamp};
use quorate_engine::{JournalError, Secret};

use crate::error::StoreError;
use crate::key_shares::{KeyNeed, KeyShare};
use crate::passwords::new_secret;
use crate::postgres::{Node, NodeStats, OwnerChange};
use crate::store::credentials::{self, Credential};
use crate::store::{Database, Store};

/// Under what name the secret of the nodes is sealed. No provider's name holds a slash.
const NODE_SECRET: &str = "node/secret";
/// Its random bytes.
const SECRET_BYTES: usize = 32;

/// The process that runs a meeting, when it is another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerElsewhere {
    /// Its name.
    pub node: String,
    /// Where it is reached over HTTP; `None` when it serves nobody.
    pub address: Option<String>,
}

impl Store {
    /// The name of this process among those that share the database; `None` for a database file, which has one writer.
    pub fn node_id(&self) -> Option<&str> {
        match self.database() {
            Database::Sqlite(_) => None,
            Database::Postgres(database) => database.node().map(|node| node.id()),
        }
    }

    /// What this process has seen of its lease; `None` for a database file.
    pub fn node_stats(&self) -> Option<NodeStats> {
        match self.database() {
            Database::Sqlite(_) => None,
            Database::Postgres(database) => database.node().map(|node| node.stats()),
        }
    }

    /// Whether this process has lost its lease, or is about to: it then appends nothing.
    pub fn is_fenced(&self) -> bool {
        match self.database() {
            Database::Sqlite(_) => false,
            Database::Postgres(database) => database.node().is_some_and(|node| node.is_fenced()),
        }
    }

    /// The processes that share the database, those that are gone for less than an hour too; none for a database file.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn nodes(&self) -> Result<Vec<Node>, StoreError> {
        self.on_server(|database| database.nodes()).await
    }

    /// Which meetings have gone over from one process to another within 30 days, the newest first; those of one meeting
    /// when it is given. None for a database file.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn owner_changes(
        &self,
        meeting: Option<MeetingId>,
        most: u32,
    ) -> Result<Vec<OwnerChange>, StoreError> {
        self.on_server(move |database| database.owner_changes(meeting.as_ref(), most)).await
    }

    /// Whether this process does what has to be done once for all that share the database, such as scheduled backups: the
    /// only writer of a file, else the one that has served longest. Two may think so for a moment when it changes.
    pub async fn is_leader(&self) -> bool {
        if let Database::Sqlite(_) = self.database() {
            return true;
        }
        self.on_server(|database| database.is_leader()).await.unwrap_or_else(|error: StoreError| {
            tracing::debug!(%error, "which node leads cannot be read");
            false
        })
    }

    /// The secret by which the processes that share the database know each other; `None` for a database file. It is sealed
    /// with the key file, which all of them need.
    ///
    /// # Errors
    /// When the key file is another one, or the database cannot be written.
    pub async fn node_secret(&self, now: Timestamp) -> Result<Option<Secret>, StoreError> {
        if let Database::Sqlite(_) = self.database() {
            return Ok(None);
        }
        if let Some(sealed) = self.credential(NODE_SECRET).await? {
            return Ok(sealed.key);
        }
        let path = self.path().to_owned();
        self.change(move |connection| {
            let stored = "SELECT 1 FROM credential WHERE provider = ?1";
            if connection.prepare_cached(stored)?.exists([NODE_SECRET])? {
                return Ok(());
            }
            let secret = new_secret("", SECRET_BYTES).map_err(|error| StoreError::Unreachable {
                path: path.clone(),
                source: std::io::Error::other(error.to_string()),
            })?;
            let mut sealed = Credential::blank(NODE_SECRET);
            sealed.key = Some(Secret::new(secret));
            credentials::seal(connection, &path, &sealed, now)
        })
        .await?;
        Ok(self.credential(NODE_SECRET).await?.and_then(|sealed| sealed.key))
    }

    /// Says where other nodes reach this one over HTTP.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn announce(&self, address: &str) -> Result<(), StoreError> {
        let address = address.to_owned();
        self.on_server(move |database| match database.node() {
            Some(node) => database.read(|connection| Ok(node.announce(connection, &address)?)),
            None => Ok(()),
        })
        .await
    }

    /// Takes nothing over any more: this process is about to end.
    pub fn drain(&self) {
        if let Database::Postgres(database) = self.database()
            && let Some(node) = database.node()
        {
            node.drain();
        }
    }

    /// Takes over meetings that nobody runs and that are to go on, at most so many, and says which.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn claim_free(&self, most: u32) -> Result<Vec<MeetingId>, StoreError> {
        self.on_server(move |database| {
            // What the processes that are gone had begun may be asked for again.
            database.read(|connection| Ok::<_, StoreError>(super::idempotency::abandon(connection)?))?;
            database.claim_free(most)
        })
        .await
    }

    /// Says what this process needs of the limits of providers that several processes share, and what it may use from now
    /// on. Nothing for a database file, and while the lease of this process has passed.
    ///
    /// # Errors
    /// When the database cannot be written; the answer may then be lost, and what was handed out with it.
    pub async fn exchange_shares(&self, needs: Vec<KeyNeed>) -> Result<Vec<KeyShare>, StoreError> {
        self.on_server(move |database| database.exchange_shares(&needs)).await
    }

    /// The process that runs a meeting, when it is another one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn owner_elsewhere(&self, meeting: &MeetingId) -> Result<Option<OwnerElsewhere>, StoreError> {
        self.owner(meeting, false).await
    }

    /// The same, also when the meeting has ended.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn last_owner(&self, meeting: &MeetingId) -> Result<Option<OwnerElsewhere>, StoreError> {
        self.owner(meeting, true).await
    }

    async fn owner(
        &self,
        meeting: &MeetingId,
        ended_too: bool,
    ) -> Result<Option<OwnerElsewhere>, StoreError> {
        let meeting = meeting.clone();
        let owner = self.on_server(move |database| database.owner_elsewhere(&meeting, ended_too)).await?;
        Ok(owner.map(|(node, address)| OwnerElsewhere { node, address }))
    }

    /// Those of these meetings that another process owns.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn owned_elsewhere(&self, ids: Vec<MeetingId>) -> Result<Vec<MeetingId>, StoreError> {
        self.on_server(move |database| database.owned_elsewhere(&ids)).await
    }

    pub(crate) async fn claim_to_run(self, meeting: MeetingId) -> Result<(), JournalError> {
        self.on_server(move |database| database.claim_to_run(&meeting)).await
    }

    /// Does something with a database on a server, on a thread that may wait; nothing with a file.
    pub(crate) async fn on_server<T, E>(
        &self,
        action: impl FnOnce(&crate::postgres::PostgresDatabase) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Default + Send + 'static,
        E: From<JournalError> + Send + 'static,
    {
        if let Database::Sqlite(_) = self.database() {
            return Ok(T::default());
        }
        let store = self.clone();
        let done = tokio::task::spawn_blocking(move || match store.database() {
            Database::Postgres(database) => action(database),
            Database::Sqlite(_) => Ok(T::default()),
        });
        done.await.unwrap_or_else(|stopped| {
            let detail = quorate_messages::message!("app-broken-off", %stopped);
            Err(crate::error::contract_broken(detail).into())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::location;

    #[test]
    fn several_processes_may_begin_at_once_in_an_empty_database() {
        // A file has one writer.
        if !quorate_test_database::is_on_server() {
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("meetings.db");
        let place = location(&path);
        let opened: Vec<_> = std::thread::scope(|scope| {
            let begun: Vec<_> = (0..6).map(|_| scope.spawn(|| Store::open(place.clone()))).collect();
            begun.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for one in opened {
            one.unwrap();
        }
    }
}
