//! The service from its start to its stop.

use std::future::Future;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use quorate_app::{App, BackupOptions, InBoth};
use quorate_bus::{Bus, BusError};
use quorate_contract::Wording;
use quorate_messages::message;
use tokio::net::TcpListener;

use crate::access::{Access, AccessError, AccessSecrets, LocalToken};
use crate::connections::serve::{ServeOptions, serve_with};
use crate::connections::tls::{Tls, TlsError};
use crate::nodes::{follow_turns, tell_others};
use crate::ops::Metrics;
use crate::ops::log_levels::LogLevels;
use crate::options::Options;
use crate::problem::Problem;
use crate::router::{McpEndpoint, Protocols, router_with};
use crate::state::ServerState;

/// The reason why the server could not start or broke off.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The address cannot be listened on.
    #[error("{}", self.in_both().0)]
    Address {
        /// The address.
        address: SocketAddr,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The access options lock out all clients, or admit all.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The certificate or its key cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The stored settings cannot be read.
    #[error("{0}")]
    Settings(Problem),
    /// The address of the NATS server is none, or its credentials cannot be read.
    #[error("{}", self.in_both().0)]
    Nats(#[from] BusError),
    /// Accepting connections failed.
    #[error("{}", self.in_both().0)]
    Broken(#[from] std::io::Error),
}

impl InBoth for ServerError {
    fn in_both(&self) -> (Wording, Wording) {
        match self {
            Self::Address { address, source } => {
                let hint = match source.kind() {
                    std::io::ErrorKind::AddrInUse => message!("server-start-address-in-use-hint"),
                    _ => message!("server-start-address-hint"),
                };
                (message!("server-start-address", %address, %source).into(), hint.into())
            }
            Self::Access(error) => error.in_both(),
            Self::Tls(error) => error.in_both(),
            Self::Settings(problem) => problem.in_both(),
            Self::Nats(error) => {
                (message!("server-start-nats", %error).into(), message!("server-start-nats-hint").into())
            }
            Self::Broken(source) => {
                (message!("server-start-broken", %source).into(), message!("server-start-broken-hint").into())
            }
        }
    }
}

/// A listening service.
pub struct Server {
    server: ServerState,
    listener: TcpListener,
    tls: Option<Tls>,
    address: SocketAddr,
    public_url: Option<String>,
    audit_days: Option<u32>,
    backup: BackupOptions,
    write_timeout: Duration,
    protocols: Protocols,
}

impl Server {
    /// Listens on the address of the options; no request is answered before [`run`](Self::run).
    ///
    /// # Errors
    /// When the address is taken, an option is invalid, or the access options would admit clients that should
    /// have no access.
    pub async fn bind(
        app: App,
        options: Options,
        metrics: Arc<Metrics>,
        log: LogLevels,
    ) -> Result<Self, ServerError> {
        let wanted = options.address();
        let unusable = |source| ServerError::Address { address: wanted, source };
        let secrets = AccessSecrets::of_environment();
        let access = Access::open(app.clone(), options.access.clone(), options.host, &secrets).await?;
        let tls = match (&options.access.tls_cert, &options.access.tls_key) {
            (Some(certificate), Some(key)) => Some(Tls::open(certificate, key)?),
            _ => None,
        };
        let listener = TcpListener::bind(wanted).await.map_err(unusable)?;
        let address = listener.local_addr().map_err(unusable)?;
        let write_timeout = Duration::from_secs(options.stop_seconds);
        let (audit_days, backup) = (options.audit_days, options.backup.clone());
        let public_url = options.access.public_url.clone();
        let node_url = options.node_url.clone();
        let (nats_url, nats_credentials) = (options.nats_url.clone(), options.nats_credentials.clone());
        let server =
            ServerState::new(app, access, options, metrics, log).await.map_err(ServerError::Settings)?;
        let node_url = node_url.unwrap_or_else(|| url_here(address, tls.is_some()));
        server.join_nodes(&node_url).await.map_err(ServerError::Settings)?;
        if let Some(url) = nats_url {
            join_bus(&server, &url, nats_credentials.as_deref()).await?;
        }
        Ok(Self {
            server,
            listener,
            tls,
            address,
            public_url,
            audit_days,
            backup,
            write_timeout,
            protocols: Protocols::default(),
        })
    }

    /// The same server, with the Model Context Protocol at `/mcp`.
    pub fn with_mcp(self, endpoint: McpEndpoint) -> Self {
        let protocols = Protocols { mcp: Some(endpoint), ..self.protocols };
        Self { protocols, ..self }
    }

    /// The same server, with the Agent2Agent protocol at `/a2a`.
    pub fn with_a2a(self, endpoint: McpEndpoint) -> Self {
        let protocols = Protocols { a2a: Some(endpoint), ..self.protocols };
        Self { protocols, ..self }
    }

    /// The operator's public URL, where there is one.
    pub fn public_url(&self) -> Option<&str> {
        self.public_url.as_deref()
    }

    /// The scheme in which clients reach the listening address.
    pub fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }

    /// The address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The public URL: the operator's, or else one that a browser on this machine can open.
    pub fn url(&self) -> String {
        match &self.public_url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => url_here(self.address, self.tls.is_some()),
        }
    }

    /// The local token, as it changes.
    pub fn local_tokens(&self) -> tokio::sync::watch::Receiver<LocalToken> {
        self.server.access().identity().local_tokens()
    }

    /// The URL from this machine, whatever URL is used elsewhere.
    pub fn local_url(&self) -> String {
        url_here(self.address, self.tls.is_some())
    }

    /// The URL that signs a browser in: with the local token while there are no accounts and a token is
    /// needed.
    pub fn page_url(&self) -> String {
        let identity = self.server.access().identity();
        match identity.is_alone() && !identity.is_open() {
            true => format!("{}/?token={}", self.url(), identity.local_token().text()),
            false => self.url(),
        }
    }

    /// Whether this build contains the page.
    pub fn has_page(&self) -> bool {
        !self.server.page().is_fallback()
    }

    /// The state that all routes share.
    pub fn state(&self) -> &ServerState {
        &self.server
    }

    /// Resumes the meetings that were running, and serves requests until `stop` completes. Then no new
    /// request is accepted, and calls in flight may end; unfinished calls are made again at the next start.
    /// Returns the number of unfinished calls.
    ///
    /// # Errors
    /// When accepting connections fails.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<usize, ServerError> {
        let Self { server, listener, tls, audit_days, backup, write_timeout, protocols, .. } = self;
        let app = server.app().clone();
        let taking_up = tokio::spawn({
            let (app, server) = (app.clone(), server.clone());
            async move {
                match app.recover().await {
                    Ok(taken) => {
                        tracing::info!(
                            going = taken.going,
                            skipped = taken.skipped,
                            quarantined = taken.quarantined,
                            "meetings go on"
                        )
                    }
                    Err(error) => tracing::error!(%error, hint = error.hint(), "no meeting goes on"),
                }
                server.vacate_gone_guests().await;
            }
        });
        let stopping = {
            let server = server.clone();
            async move {
                stop.await;
                server.stop();
            }
        };
        if let Some(tls) = &tls {
            tokio::spawn(tls.clone().keep_fresh());
        }
        let keeping = tokio::spawn({
            let app = app.clone();
            async move { app.run_maintenance(audit_days).await }
        });
        let backing_up = tokio::spawn({
            let app = app.clone();
            async move { app.run_backups(backup).await }
        });
        let keeping_presence = tokio::spawn({
            let app = app.clone();
            async move { app.run_presence().await }
        });
        let taking_over = tokio::spawn({
            let app = app.clone();
            async move { app.run_takeovers().await }
        });
        let sharing = tokio::spawn({
            let app = app.clone();
            async move { app.run_provider_shares().await }
        });
        let telling = server.bus().cloned().map(|bus| tokio::spawn(tell_others(server.clone(), bus)));
        let asking_others = server.node_id().is_some().then(|| tokio::spawn(follow_turns(server.clone())));
        let following = tokio::spawn(server.clone().follow_identity());
        let expiring = tokio::spawn(server.clone().run_expiry());
        let pushing = tokio::spawn({
            let app = app.clone();
            async move { app.run_webhooks().await }
        });
        let trusted = server.access().proxies().to_vec();
        let options = ServeOptions { tls, limits: server.settings().limits, trusted };
        let router = router_with(server.clone(), protocols);
        let served = serve_with(listener, router, options, stopping).await;
        keeping.abort();
        keeping_presence.abort();
        expiring.abort();
        taking_over.abort();
        telling.inspect(tokio::task::JoinHandle::abort);
        asking_others.inspect(tokio::task::JoinHandle::abort);
        following.abort();
        pushing.abort();
        backing_up.abort();
        taking_up.abort();
        served?;
        let left = app.shut_down(write_timeout).await;
        sharing.abort();
        app.close().await;
        Ok(left.iter().map(|left| left.calls).sum())
    }
}

/// Connects to NATS, where several nodes share a database.
async fn join_bus(server: &ServerState, url: &str, credentials: Option<&Path>) -> Result<(), ServerError> {
    let secret = server.app().node_secret().await.map_err(|error| ServerError::Settings(error.into()))?;
    let Some(secret) = secret else {
        tracing::warn!("nodes need a database on a server (--db postgres://…); NATS is left out");
        return Ok(());
    };
    let name = server.node_id().unwrap_or("quorate");
    server.join_bus(Bus::connect(url, credentials, name, secret.expose().as_bytes()).await?);
    Ok(())
}

/// The URL of a listening address, from this machine. A server that listens on all addresses is reachable
/// under each of them, but not under the one that stands for all.
fn url_here(address: SocketAddr, tls: bool) -> String {
    let scheme = if tls { "https" } else { "http" };
    match address.ip().to_canonical() {
        ip if ip.is_unspecified() => format!("{scheme}://localhost:{}", address.port()),
        // Formatted again: brackets around IPv6, and no zone, which is not allowed in a URL.
        ip => format!("{scheme}://{}", SocketAddr::new(ip, address.port())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_can_be_opened() {
        let url = |address: &str, tls| url_here(address.parse().expect("an address"), tls);
        assert_eq!(url("127.0.0.1:7420", false), "http://127.0.0.1:7420");
        assert_eq!(url("0.0.0.0:7420", false), "http://localhost:7420");
        assert_eq!(url("[::]:7420", true), "https://localhost:7420");
        assert_eq!(url("[::1]:80", false), "http://[::1]:80");
        assert_eq!(url("[fe80::1%3]:7420", false), "http://[fe80::1]:7420");
        assert_eq!(url("[::ffff:0.0.0.0]:7420", false), "http://localhost:7420");
    }
}
