//! Accounts, sessions and tokens, kept in memory as they are in the store.
//!
//! A change is first written and then applied here; an account or token that was removed is refused from the next request
//! on. Of a database file the server is the only writer, so the copy in memory is complete. Where several processes share
//! a database, each reads it anew every second, so that what another one has changed holds here then.

mod issuing;
mod lists;
mod passwords;
mod refresh_tokens;
mod sessions_store;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use axum::http::{HeaderMap, StatusCode, header};
use ipnet::IpNet;
use quorate_app::{
    Account, IdentityStore, InBoth, Session, StoreError, Token, TokenSubject, check_account_password,
    fingerprint, hash_password, matches_hash, new_secret,
};
use quorate_contract::chain::{from_hex, to_hex};
use quorate_contract::{Timestamp, Wording};
use quorate_messages::{Message, message};
use tokio::sync::watch;

use self::passwords::Hashing;
pub(crate) use self::refresh_tokens::Browser;
use self::refresh_tokens::RecentRefreshes;
use super::client::{self, Client};
use super::issued::IssuedTokens;
use super::local::{LocalToken, token_needed};
use super::options::{AccessError, AccessOptions, AccessSecrets};
use super::origin::{Origins, is_loopback};
use super::{Principal, Scope, cookies};
use crate::problem::Problem;
use crate::rate_limits::{LimitOptions, Limits};

/// The shortest time between two records of a token's use.
const NOTE_USE_MS: u64 = 5 * 60 * 1000;
/// A name that only the person at this machine has.
const OWNER: &str = "owner";

/// Accounts, sessions, tokens and limits. Cheap to clone.
#[derive(Clone)]
pub struct Access(Arc<Inner>);

struct Inner {
    store: IdentityStore,
    options: AccessOptions,
    origins: Origins,
    proxies: Vec<IpNet>,
    limits: RwLock<Arc<Limits>>,
    /// Whether the server listens on loopback addresses only.
    loopback: bool,
    known: RwLock<IdentityCache>,
    /// How often it was changed here.
    changes: AtomicU64,
    /// Changes whenever a credential may have become invalid.
    departures: watch::Sender<()>,
    /// The local token of the person at this machine.
    local: watch::Sender<LocalToken>,
    hashing: Hashing,
    refresh_tokens: RecentRefreshes,
}

#[derive(Default)]
struct IdentityCache {
    /// Accounts by name in lower case.
    accounts: HashMap<String, Account>,
    sessions: HashMap<String, Session>,
    /// Tokens by fingerprint.
    tokens: HashMap<[u8; 32], Token>,
    /// Tokens that the server issued by itself.
    issued: IssuedTokens,
}

impl IdentityCache {
    /// What the database says.
    async fn read(store: &IdentityStore) -> Result<Self, StoreError> {
        let now = quorate_app::now();
        let (accounts, sessions) = (store.accounts().await?, store.sessions(now).await?);
        let (tokens, issued) = (store.tokens().await?, store.issued_tokens(now).await?);
        Ok(Self {
            accounts: accounts.into_iter().map(|account| (account.name.to_lowercase(), account)).collect(),
            sessions: sessions.into_iter().map(|session| (session.id.clone(), session)).collect(),
            tokens: tokens.into_iter().map(|token| (token.hash, token)).collect(),
            issued: IssuedTokens::of(issued),
        })
    }
}

/// The credential by which a principal was identified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Credential {
    /// The person at this machine while there are no accounts: without a token if none is needed, or with its
    /// cookie.
    Alone,
    /// The local token, by its fingerprint.
    Local([u8; 32]),
    /// A session: its id.
    Session(String),
    /// A token: its id, and the fingerprint under which it is known.
    Token(String, [u8; 32]),
}

impl Credential {
    /// Whether it is the person at this machine, for whom fewer limits apply.
    pub(crate) fn is_here(&self) -> bool {
        matches!(self, Self::Alone | Self::Local(_))
    }

    /// By what other nodes know it. It is no secret, and of no use to anybody but a node.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Alone | Self::Local(_) => "here:".to_owned(),
            Self::Session(id) => format!("session:{id}"),
            Self::Token(_, hash) => format!("token:{}", to_hex(hash)),
        }
    }

    /// Under which name their requests and lines are counted.
    pub(crate) fn key(&self) -> &str {
        match self {
            Self::Alone | Self::Local(_) => "",
            Self::Session(id) | Self::Token(id, _) => id,
        }
    }
}

/// The tokens of a session that was started or renewed.
pub(crate) struct Issued {
    pub(crate) session: Session,
    pub(crate) access: String,
    pub(crate) refresh: String,
}

impl Access {
    /// Access on this machine alone, with no account and no token: every client is the person at this
    /// machine.
    ///
    /// # Panics
    /// When this machine gives no random numbers.
    pub fn alone(store: impl Into<IdentityStore>) -> Self {
        let token = LocalToken::random().expect("this machine gives random numbers");
        Self(Arc::new(Inner {
            store: store.into(),
            origins: Origins::default(),
            proxies: Vec::new(),
            limits: RwLock::new(Arc::new(Limits::new(LimitOptions::default()))),
            loopback: true,
            known: RwLock::default(),
            changes: AtomicU64::new(0),
            departures: watch::Sender::new(()),
            local: watch::Sender::new(token),
            hashing: Hashing::of_machine(),
            refresh_tokens: RecentRefreshes::default(),
            options: AccessOptions { no_token: true, ..AccessOptions::default() },
        }))
    }

    /// Opens access as the options and accounts say. `address` is where the server listens.
    ///
    /// # Errors
    /// When the server could be reached from elsewhere and no account has full permissions; when an option is
    /// invalid, or the store fails.
    pub async fn open(
        store: impl Into<IdentityStore>,
        options: AccessOptions,
        address: IpAddr,
        secrets: &AccessSecrets,
    ) -> Result<Self, AccessError> {
        let store = store.into();
        let origins = Origins::of(&options)?;
        let proxies = client::networks(&options.trust_proxy)?;
        if let Some(password) = &secrets.owner_password {
            keep_owner(&store, password).await?;
        }
        let accounts = store.accounts().await?;
        let loopback = address.to_canonical().is_loopback();
        let outside = reached_from_outside(&options, loopback);
        if let Some(what) = outside.clone()
            && !accounts.iter().any(|account| scope_of(&account.scope) == Scope::Owner)
        {
            return Err(AccessError::NoOwner(what));
        }
        // With accounts, a configured token grants nothing. The generated one is for programs that can read
        // the file beside the database.
        let local = match &secrets.token {
            Some(token) if accounts.is_empty() => LocalToken::set(token)?,
            Some(_) | None => LocalToken::random()?,
        };
        let known = IdentityCache::read(&store).await?;
        // Made before a client can measure how long it takes.
        _ = tokio::task::spawn_blocking(|| std::sync::LazyLock::force(&passwords::NOBODY).len()).await;
        Ok(Self(Arc::new(Inner {
            store,
            origins,
            proxies,
            limits: RwLock::new(Arc::new(Limits::new(options.limits.clone()))),
            loopback: outside.is_none(),
            known: RwLock::new(known),
            changes: AtomicU64::new(0),
            departures: watch::Sender::new(()),
            local: watch::Sender::new(local),
            hashing: Hashing::of_machine(),
            refresh_tokens: RecentRefreshes::default(),
            options,
        })))
    }

    /// Reads accounts, sessions and tokens anew: another process that shares the database may have changed them.
    ///
    /// # Errors
    /// When the database cannot be read; what was known stays.
    pub(crate) async fn read_anew(&self) -> Result<(), StoreError> {
        let before = self.0.changes.load(Ordering::Acquire);
        let known = IdentityCache::read(&self.0.store).await?;
        let lost = {
            let mut now = self.0.known.write().unwrap_or_else(PoisonError::into_inner);
            if self.0.changes.load(Ordering::Acquire) != before {
                // Something was changed here meanwhile that was perhaps not read. The next time comes soon.
                return Ok(());
            }
            let lost = now.sessions.keys().any(|id| !known.sessions.contains_key(id))
                || now.tokens.keys().any(|hash| !known.tokens.contains_key(hash))
                || now.accounts.keys().any(|name| !known.accounts.contains_key(name));
            *now = known;
            lost
        };
        if lost {
            // Whoever listens with a credential that is gone is to be asked for another one.
            _ = self.0.departures.send(());
        }
        Ok(())
    }

    /// Whether there are no accounts, and only this machine can reach the server: every permitted client is
    /// its owner.
    pub fn is_alone(&self) -> bool {
        self.0.loopback && self.known(|known| known.accounts.is_empty())
    }

    /// Whether every client that reaches the server may do everything, without a credential.
    pub fn is_open(&self) -> bool {
        self.0.options.no_token && self.is_alone()
    }

    /// The local token of the person at this machine.
    pub fn local_token(&self) -> LocalToken {
        self.0.local.borrow().clone()
    }

    /// The same, as it changes.
    pub fn local_tokens(&self) -> watch::Receiver<LocalToken> {
        self.0.local.subscribe()
    }

    /// Replaces the local token: a client that knew the old one has to sign in from now on.
    fn change_local_token(&self) {
        match LocalToken::random() {
            Ok(token) => _ = self.0.local.send_replace(token),
            Err(error) => tracing::error!(%error, "the local token could not be changed"),
        }
    }

    /// The error for a client without a credential.
    pub(crate) fn who_are_you(&self) -> Problem {
        if self.is_alone() {
            return token_needed();
        }
        sign_in(message!("server-not-signed-in")).hint(message!("server-not-signed-in-hint"))
    }

    /// The options of access.
    pub fn options(&self) -> &AccessOptions {
        &self.0.options
    }

    pub(crate) fn limits(&self) -> Arc<Limits> {
        self.0.limits.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on these limits hold.
    pub(crate) fn set_limits(&self, options: LimitOptions) {
        let mut limits = self.0.limits.write().unwrap_or_else(PoisonError::into_inner);
        *limits = Arc::new(limits.otherwise(options));
    }

    pub(crate) fn origins(&self) -> &Origins {
        &self.0.origins
    }

    /// The trusted proxies.
    pub(crate) fn proxies(&self) -> &[IpNet] {
        &self.0.proxies
    }

    /// From where a request comes.
    pub(crate) fn client(&self, parts: &axum::http::request::Parts) -> Client {
        client::client(parts, &self.0.proxies)
    }

    /// Identifies the sender of a request; `None` when the request carries no valid credential.
    ///
    /// # Errors
    /// When the request carries a token that is no longer valid. It is not treated as anonymous, because its
    /// sender expects an identity.
    pub(crate) fn identify(
        &self,
        headers: &HeaderMap,
        client: &Client,
    ) -> Result<Option<(Principal, Credential)>, Problem> {
        if let Some(shown) = headers.get(header::AUTHORIZATION) {
            let shown = shown.to_str().unwrap_or_default();
            let token = shown.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
            let token = token.map(|(_, token)| token.trim()).unwrap_or_default();
            return self.by_token(token).map(Some).ok_or_else(|| {
                sign_in(message!("server-token-unknown")).hint(message!("server-token-unknown-hint"))
            });
        }
        let by_cookie =
            cookies::read(headers, cookies::ACCESS, client).and_then(|token| self.by_session(&token));
        Ok(by_cookie.or_else(|| self.is_open().then(|| (Principal::owner(), Credential::Alone))))
    }

    /// Identifies the holder of a token of either kind; also for the first message of a WebSocket.
    pub(crate) fn by_token(&self, token: &str) -> Option<(Principal, Credential)> {
        let local = self.local_token();
        if local.is(token) {
            return Some((Principal::owner(), Credential::Local(local.hash())));
        }
        if !token.starts_with(quorate_app::ACCESS_TOKEN_PREFIX) {
            return self.by_session(token);
        }
        let hash = fingerprint(token);
        let (principal, id) = self.of_token(&hash, quorate_app::now())?;
        Some((principal, Credential::Token(id, hash)))
    }

    fn of_token(&self, hash: &[u8; 32], now: Timestamp) -> Option<(Principal, String)> {
        let good = |token: &&Token| token.expires_ms.is_none_or(|end| end > now);
        let token = self.known(|known| known.tokens.get(hash).filter(good).cloned())?;
        if token.used_ms.is_none_or(|used| now.since_ms(used) >= NOTE_USE_MS) {
            self.note_use(&token, now);
        }
        let (name, scope, meeting) = (token.by, scope_of(&token.scope), token.meeting);
        let principal = match token.agent {
            Some(agent) => Principal::of_agent(&token.id, agent, name, scope, meeting),
            None => Principal::of_token(&token.id, name, scope, meeting),
        };
        Some((principal, token.id))
    }

    fn by_session(&self, token: &str) -> Option<(Principal, Credential)> {
        let now = quorate_app::now();
        let id = match self.issued_for(token)? {
            TokenSubject::Session(id) => id,
            TokenSubject::Local(mark) => {
                let is_in = self.is_alone() && self.local_token().mark() == mark;
                return is_in.then(|| (Principal::owner(), Credential::Alone));
            }
            // This cookie grants no access.
            TokenSubject::KnownBrowser(_) => return None,
        };
        Some((self.of_session(&id, now)?, Credential::Session(id)))
    }

    fn of_session(&self, id: &str, now: Timestamp) -> Option<Principal> {
        let session = self.known(|known| known.sessions.get(id).filter(|it| it.expires_ms > now).cloned())?;
        let (name, scope, meeting) = (session.name, scope_of(&session.scope), session.meeting);
        Some(Principal::of_session(id, name, scope, meeting, session.person))
    }

    /// The holder of what another node has let in, as its [`Credential::name`] says; `None` when it holds no more.
    pub(crate) fn by_name(&self, name: &str) -> Option<Principal> {
        let now = quorate_app::now();
        match name.split_once(':')? {
            ("here", _) => Some(Principal::owner()),
            ("session", id) => self.of_session(id, now),
            ("token", hash) => Some(self.of_token(&from_hex(hash)?, now)?.0),
            _ => None,
        }
    }

    /// Whether a credential is still valid.
    pub(crate) fn is_in(&self, credential: &Credential) -> bool {
        let now = quorate_app::now();
        match credential {
            Credential::Alone => self.is_alone(),
            Credential::Local(hash) => self.local_token().hash() == *hash,
            Credential::Session(id) => {
                self.known(|known| known.sessions.get(id).is_some_and(|session| session.expires_ms > now))
            }
            Credential::Token(_, hash) => self.known(|known| {
                known.tokens.get(hash).is_some_and(|token| token.expires_ms.is_none_or(|end| end > now))
            }),
        }
    }

    /// Changes when a credential may have become invalid; which one has to be asked.
    pub(crate) fn departures(&self) -> watch::Receiver<()> {
        self.0.departures.subscribe()
    }

    /// Completes when a credential is no longer valid: signed out, removed, or revoked. Expiry is seen when
    /// this is asked again.
    pub(crate) async fn out(&self, credential: &Credential) {
        let mut departures = self.departures();
        while self.is_in(credential) {
            // The sender is a field of this struct, so it lives as long.
            _ = departures.changed().await;
        }
    }

    fn note_use(&self, token: &Token, now: Timestamp) {
        self.know(|known| {
            if let Some(token) = known.tokens.get_mut(&token.hash) {
                token.used_ms = Some(now);
            }
        });
        let (store, id) = (self.0.store.clone(), token.id.clone());
        tokio::spawn(async move {
            if let Err(error) = store.token_used(&id, now).await {
                tracing::warn!(%error, "it could not be noted that a token was used");
            }
        });
    }

    fn known<T>(&self, look: impl FnOnce(&IdentityCache) -> T) -> T {
        look(&self.0.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn know<T>(&self, change: impl FnOnce(&mut IdentityCache) -> T) -> T {
        let mut known = self.0.known.write().unwrap_or_else(PoisonError::into_inner);
        self.0.changes.fetch_add(1, Ordering::Release);
        change(&mut known)
    }

    /// Changes the known credentials in a way that may make some invalid.
    fn know_out<T>(&self, change: impl FnOnce(&mut IdentityCache) -> T) -> T {
        let changed = self.know(change);
        self.0.departures.send_replace(());
        changed
    }
}

/// How the server could be reached from elsewhere; `None` if it could not.
fn reached_from_outside(options: &AccessOptions, loopback: bool) -> Option<Message> {
    if !loopback {
        return Some(message!("server-start-reached"));
    }
    if !options.trust_proxy.is_empty() {
        return Some(message!("server-start-behind-proxy"));
    }
    let named = options.public_url.as_deref().and_then(|url| url::Url::parse(url).ok());
    let outside = named.is_some_and(|url| !url.host_str().is_some_and(is_loopback));
    outside.then(|| message!("server-start-public-url"))
}

/// Makes the owner's account, or gives it the password that the environment has now.
async fn keep_owner(store: &IdentityStore, password: &str) -> Result<(), AccessError> {
    check_account_password(OWNER, password)?;
    let now = quorate_app::now();
    match store.account_password(OWNER).await? {
        Some((_, kept)) if matches_hash(password, &kept) == Some(true) => {}
        Some(_) => _ = store.change_account_password(OWNER, hash_password(password)?, now).await?,
        None => {
            let (name, scope) = (OWNER.to_owned(), Scope::Owner.as_str().to_owned());
            let account = Account { name, scope, created_ms: now, updated_ms: now };
            store.add_account(account, hash_password(password)?).await?;
        }
    }
    Ok(())
}

/// The scope that a stored word means; the smallest one for an unknown word.
pub(crate) fn scope_of(word: &str) -> Scope {
    Scope::ALL.into_iter().find(|scope| scope.as_str() == word).unwrap_or(Scope::Read)
}

/// The error for a request that needs a sign-in.
pub(crate) fn sign_in(detail: Message) -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "sign-in", detail)
}

/// A secret of this many random bytes.
pub(crate) fn secret(prefix: &str, bytes: usize) -> Result<String, Problem> {
    new_secret(prefix, bytes).map_err(|error| random_failed(error.in_both().0))
}

fn random_failed(detail: impl Into<Wording>) -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "no-random-numbers", detail)
        .hint(message!("server-no-random-numbers-hint"))
        .retry_after(1)
}
