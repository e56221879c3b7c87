//! Connections to the server.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use postgres::NoTls;
use quorate_engine::JournalError;
use quorate_messages::message;
use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::node::ThisNode;
use super::url::PostgresUrl;
use crate::error::{StoreError, unavailable};
use crate::sql::{self, Connection, PostgresConnection};

/// The number of connections that are kept while nobody needs them.
const KEPT: usize = 16;
/// What each connection is told first. A transaction that its client leaves open, because it was stopped in the middle of
/// it, is given up after some seconds: others wait for its locks.
const SESSION: &str = "SET idle_in_transaction_session_timeout = '8s'; SET lock_timeout = '10s'; \
    SET statement_timeout = '120s'; SET timezone = 'UTC'; SET client_min_messages = 'warning'; \
    SET synchronous_commit = on; SET standard_conforming_strings = on";

/// Connections to one database. They are made as they are needed, by threads that may wait.
pub(crate) struct Pool {
    url: PostgresUrl,
    config: postgres::Config,
    tls: Option<MakeRustlsConnect>,
    idle: Mutex<Vec<Connection>>,
    /// The process that the connections speak for. Rows that they write may name it (`idempotency.node`), and are taken as
    /// those of a process that is gone when its lease has passed.
    node: OnceLock<Arc<ThisNode>>,
}

impl Pool {
    pub(crate) fn of(url: &PostgresUrl) -> Result<Arc<Self>, StoreError> {
        let config = url.config()?;
        let tls = match config.get_ssl_mode() {
            postgres::config::SslMode::Disable => None,
            _ => Some(tls(url)?),
        };
        Ok(Arc::new(Self { url: url.clone(), config, tls, idle: Mutex::default(), node: OnceLock::new() }))
    }

    /// The address, as it may be shown.
    pub(crate) fn url(&self) -> &PostgresUrl {
        &self.url
    }

    /// Has all further connections say for which process they are.
    pub(crate) fn speak_for(&self, node: &Arc<ThisNode>) {
        // It is said once, when the database is opened.
        _ = self.node.set(Arc::clone(node));
    }

    /// Makes a connection.
    pub(crate) fn connect(&self) -> sql::Result<Connection> {
        let mut client = match &self.tls {
            Some(tls) => self.config.connect(tls.clone())?,
            None => self.config.connect(NoTls)?,
        };
        client.batch_execute(SESSION)?;
        let node = self.node.get().map(|node| node.token());
        if let Some(node) = &node {
            client.execute("SELECT set_config('quorate.node', $1, false)", &[&&**node])?;
        }
        Ok(Connection::Postgres(Box::new(PostgresConnection::new(client, node))))
    }

    /// Whether a connection can be used: it holds, and says for which process it is. That changes when a lease has passed.
    pub(crate) fn is_usable(&self, connection: &Connection) -> bool {
        let Connection::Postgres(postgres) = connection else { return false };
        let node = self.node.get().map(|node| node.token());
        postgres.is_sound() && postgres.speaks_for() == node.as_deref()
    }

    /// Does something with a connection, which is then kept for the next time.
    pub(crate) fn with<T, E: From<JournalError>>(
        &self,
        action: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let connection = self.take().map_err(|error| unavailable(&error))?;
        let result = action(&connection);
        self.put_back(connection);
        result
    }

    /// A connection that is idle, or a new one. One that broke while it was idle is not used.
    pub(crate) fn take(&self) -> sql::Result<Connection> {
        loop {
            let kept = self.idle().pop();
            match kept {
                Some(connection) if self.is_usable(&connection) => return Ok(connection),
                Some(_) => {}
                None => return self.connect(),
            }
        }
    }

    /// Keeps a connection for the next one who needs it.
    pub(crate) fn put_back(&self, connection: Connection) {
        if !self.is_usable(&connection) {
            return;
        }
        let mut idle = self.idle();
        if idle.len() < KEPT {
            idle.push(connection);
        }
    }

    /// Closes what is idle, on a thread that may wait.
    pub(crate) fn close(&self) {
        let closed = std::mem::take(&mut *self.idle());
        drop(closed);
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pool({})", self.url)
    }
}

/// What connections are encrypted with: the authorities of the system, and those of `sslrootcert`.
fn tls(url: &PostgresUrl) -> Result<MakeRustlsConnect, StoreError> {
    let bad = |detail| StoreError::BadDatabaseUrl { url: url.to_string(), detail };
    let mut roots = RootCertStore::empty();
    match &url.root_certificates {
        Some(path) => {
            let unreadable =
                |error: &dyn std::fmt::Display| bad(message!("store-postgres-certificates", path, %error));
            for certificate in CertificateDer::pem_file_iter(path).map_err(|error| unreadable(&error))? {
                let certificate = certificate.map_err(|error| unreadable(&error))?;
                roots.add(certificate).map_err(|error| unreadable(&error))?;
            }
        }
        // A certificate of the system that cannot be read is one authority less.
        None => _ = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs),
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| bad(message!("store-postgres-url", %error)))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}
