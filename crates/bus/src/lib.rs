//! What nodes tell each other over NATS: told once to whoever listens, and kept nowhere.
//!
//! Correctness does not depend on it: what is lost on the way is read from the database a moment later, so neither streams of
//! JetStream nor acknowledgements are used. Every message carries an HMAC of the nodes' common secret: who can write to the NATS server
//! cannot make a node tell anybody anything. It is not encrypted; the connection can be (`tls://`).

use std::path::Path;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{Client, ConnectOptions, Event, ServerAddr, Subscriber};
use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use ring::hmac;

/// How long an attempt to reach the server may take.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// How often the server is asked whether it still is there.
const PING_EVERY: Duration = Duration::from_secs(5);
/// The longest pause between two attempts to reach it.
const AGAIN_WITHIN: Duration = Duration::from_secs(2);
/// How many messages wait for a slow listener; more are lost for it.
const QUEUE: usize = 1024;
/// How far the clocks of two nodes may be apart, in milliseconds. What was told earlier is heard no more.
const SKEW_MS: u64 = 60_000;
/// The length of the HMAC in front of a message, in bytes.
const TAG: usize = 32;

/// Why there is no connection to a NATS server.
#[derive(Debug, thiserror::Error)]
pub enum BusError {
    /// The address is none.
    #[error("{0}")]
    Connect(#[from] async_nats::ConnectError),
    /// The file with the credentials cannot be read.
    #[error("{0}")]
    Credentials(#[from] std::io::Error),
    /// Nothing can be heard over the connection.
    #[error("{0}")]
    Subscribe(#[from] async_nats::SubscribeError),
}

/// A connection to a NATS server, which is made again whenever it is lost. Cheap to clone.
#[derive(Clone)]
pub struct Bus {
    client: Client,
    key: hmac::Key,
    /// What the subjects of nodes of one database begin with.
    prefix: String,
}

impl std::fmt::Debug for Bus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bus").field("is_connected", &self.is_connected()).finish_non_exhaustive()
    }
}

impl Bus {
    /// Connects to a server such as `nats://10.0.0.9:4222` or `tls://USER:PASSWORD@nats.internal`; several are separated by
    /// commas. `secret` is common to all nodes of one database and to nobody else. A server that cannot be reached yet is
    /// tried again in the background.
    ///
    /// # Errors
    /// When the address is none, or the credentials cannot be read.
    pub async fn connect(
        servers: &str,
        credentials: Option<&Path>,
        name: &str,
        secret: &[u8],
    ) -> Result<Self, BusError> {
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(CONNECT_WITHIN)
            .ping_interval(PING_EVERY)
            .subscription_capacity(QUEUE)
            .reconnect_delay_callback(|attempts| {
                AGAIN_WITHIN.min(Duration::from_millis(100 << attempts.min(5)))
            })
            .retry_on_initial_connect()
            .event_callback(async |event| match event {
                Event::SlowConsumer(_) => tracing::debug!("a listener was too slow for NATS"),
                Event::Connected | Event::Disconnected => tracing::info!(%event, "NATS"),
                event => tracing::warn!(%event, "NATS"),
            });
        if let Some(path) = credentials {
            options = options.credentials_file(path).await?;
        }
        let servers: Vec<&str> = servers.split(',').map(str::trim).filter(|one| !one.is_empty()).collect();
        if let Some((user, password)) = servers.iter().find_map(|server| user_of(server)) {
            options = match password {
                Some(password) => options.user_and_password(user, password),
                None => options.token(user),
            };
        }
        let client = options.connect(servers).await?;
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
        let cluster = hmac::sign(&key, b"quorate nats subjects 1");
        let cluster: String = cluster.as_ref()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { client, key, prefix: format!("quorate.{cluster}") })
    }

    /// Whether the server can be reached just now.
    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Tells something to whoever listens to a subject just now. Without a connection it is told to nobody.
    pub async fn tell(&self, subject: &str, message: &[u8]) {
        if !self.is_connected() {
            return;
        }
        let subject = format!("{}.{subject}", self.prefix);
        let at = now_ms().to_be_bytes();
        let mut signed = BytesMut::with_capacity(TAG + at.len() + message.len());
        signed.extend_from_slice(hmac::sign(&self.key, &covered(&subject, at, message)).as_ref());
        signed.extend_from_slice(&at);
        signed.extend_from_slice(message);
        if let Err(error) = self.client.publish(subject, signed.freeze()).await {
            tracing::debug!(%error, "something could not be told over NATS");
        }
    }

    /// Listens to a subject from now on.
    ///
    /// # Errors
    /// When the connection has been closed for good.
    pub async fn listen(&self, subject: &str) -> Result<BusListener, BusError> {
        let subject = format!("{}.{subject}", self.prefix);
        let from = self.client.subscribe(subject.clone()).await?;
        Ok(BusListener { bus: self.clone(), subject, from })
    }
}

/// Hears what is told about one subject, for as long as it is kept.
pub struct BusListener {
    bus: Bus,
    subject: String,
    from: Subscriber,
}

impl BusListener {
    /// What is told next by another node; `None` when the connection has been closed for good. What nobody of them signed is
    /// passed over.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            let payload = self.from.next().await?.payload;
            let Some((tag, rest)) = payload.split_at_checked(TAG) else { continue };
            let Some((at, message)) = rest.split_first_chunk::<8>() else { continue };
            let is_fresh = now_ms().abs_diff(u64::from_be_bytes(*at)) <= SKEW_MS;
            if is_fresh && hmac::verify(&self.bus.key, &covered(&self.subject, *at, message), tag).is_ok() {
                return Some(payload.slice(TAG + at.len()..));
            }
            tracing::debug!(
                subject = self.subject,
                "a message over NATS was no fresh one of a node of this database"
            );
        }
    }
}

/// What the HMAC of a message is about: no message holds for another subject, or at another time.
fn covered(subject: &str, at: [u8; 8], message: &[u8]) -> Vec<u8> {
    [subject.as_bytes(), &[0], &at, message].concat()
}

/// The time in milliseconds since 1970.
fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The user that an address names, or the token that stands in the place of one, and the password.
fn user_of(server: &str) -> Option<(String, Option<String>)> {
    let server: ServerAddr = server.parse().ok()?;
    let user = server.username().map(str::to_owned)?;
    Some((user, server.password().map(str::to_owned)))
}

/// A name as one part of a subject, whatever is in it.
pub fn subject_part(name: &str) -> String {
    name.bytes().map(|byte| format!("{byte:02x}")).collect()
}
