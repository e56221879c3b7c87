//! Access: accounts, sessions, access tokens and invitations, for every transport.
//!
//! Each use case is one method, which REST calls within [`App::perform`] and a command within
//! [`LocalDatabase::perform`](crate::LocalDatabase::perform): both have asked for the permission and counted the call before,
//! and leave the audit entry after it. What is noted beside the entry of a use case (`sign_in.accepted`, `guest.came`) is
//! noted here.
//!
//! Accounts, sessions and tokens are kept in memory as they are in the store. A change is first written and then applied
//! here; an account or token that was removed is refused from the next request on. Of a database file the server is the
//! only writer, so the copy in memory is complete. Where several processes share a database, each reads it anew every
//! second, so that what another one has changed holds here then.

mod accounts;
mod credential;
mod error;
mod expiry;
mod guest_names;
mod guests;
mod identify;
mod invitations;
mod issued;
mod issuing;
mod local_sign_in;
mod local_token;
mod passwords;
mod refresh_tokens;
mod result_links;
mod sessions;
mod sign_in;
mod tokens;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use quorate_store::{Account, KeepOwner, Session, Store, StoreError, Token, new_secret};
use tokio::sync::watch;

pub use self::accounts::{ChangedPassword, NewAccountRequest, NewPasswordRequest, check_new_password};
pub(crate) use self::accounts::{check_new_account, find_account};
pub use self::credential::AccessCredential;
pub use self::error::IdentityError;
pub use self::guests::{GuestSession, InvitationCode, InvitationPreview, MeetingPassword};
pub use self::invitations::{CreatedInvitation, NewInvitationRequest};
pub use self::local_token::LocalToken;
pub use self::passwords::HashingTurn;
pub use self::result_links::CreatedResultLink;
pub use self::sessions::IssuedSession;
pub use self::sign_in::PasswordSignIn;
pub(crate) use self::tokens::check_new_token;
pub use self::tokens::{ACCESS_TOKEN_PREFIX, CreatedToken, NewTokenRequest};

use self::issued::IssuedTokens;
use self::passwords::Hashing;
use self::refresh_tokens::RecentRefreshes;
use crate::clock::now;
use crate::use_cases::App;

/// Accounts, sessions, tokens and invitations of one app. Cheap to clone; all clones are the same.
#[derive(Clone)]
pub struct Identity(Arc<Inner>);

struct Inner {
    app: App,
    options: IdentityOptions,
    keep_owner: KeepOwner,
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

/// How long credentials hold, and who needs none.
#[derive(Debug, Clone)]
pub struct IdentityOptions {
    /// Whether the server can be reached from this machine alone.
    pub loopback: bool,
    /// Whether clients on this machine need no local token while there are no accounts.
    pub no_token: bool,
    /// The lifetime of an access token, in seconds.
    pub access_seconds: u32,
    /// The lifetime of an unused session, in days.
    pub session_days: u32,
    /// How long a used refresh token is accepted again from the same browser, in milliseconds.
    pub refresh_grace_ms: u64,
}

/// The program with which a session is begun or renewed.
#[derive(Debug, Clone)]
pub struct SessionClient {
    /// Its address.
    pub address: IpAddr,
    /// Its `User-Agent`, cut to length.
    pub agent: String,
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
    async fn read(store: &Store) -> Result<Self, StoreError> {
        let at = now();
        let (accounts, sessions) = (store.accounts().await?, store.sessions(at).await?);
        let (tokens, issued) = (store.tokens().await?, store.issued_tokens(at).await?);
        Ok(Self {
            accounts: accounts.into_iter().map(|account| (account.name.to_lowercase(), account)).collect(),
            sessions: sessions.into_iter().map(|session| (session.id.clone(), session)).collect(),
            tokens: tokens.into_iter().map(|token| (token.hash, token)).collect(),
            issued: IssuedTokens::of(issued),
        })
    }
}

impl Identity {
    fn with(
        app: App,
        options: IdentityOptions,
        keep_owner: KeepOwner,
        known: IdentityCache,
        local: LocalToken,
    ) -> Self {
        Self(Arc::new(Inner {
            app,
            options,
            keep_owner,
            known: RwLock::new(known),
            changes: AtomicU64::new(0),
            departures: watch::Sender::new(()),
            local: watch::Sender::new(local),
            hashing: Hashing::of_machine(),
            refresh_tokens: RecentRefreshes::default(),
        }))
    }

    /// For the person at this machine, over a database without accounts.
    ///
    /// # Panics
    /// When this machine gives no random numbers.
    pub fn alone(app: App, options: IdentityOptions) -> Self {
        let local = LocalToken::random().expect("this machine gives random numbers");
        Self::with(app, options, KeepOwner::Always, IdentityCache::default(), local)
    }

    /// For a server. With an `owner_password`, the account `owner` is created, or gets that password. A `local_token` that is
    /// set holds while there are no accounts.
    ///
    /// # Errors
    /// When the password or the token is not taken, or the database does not do its part.
    pub async fn open(
        app: App,
        options: IdentityOptions,
        owner_password: Option<&str>,
        local_token: Option<&str>,
    ) -> Result<Self, IdentityError> {
        if let Some(password) = owner_password {
            accounts::keep_owner(app.store(), password).await?;
        }
        let known = IdentityCache::read(app.store()).await?;
        // With accounts, a configured token grants nothing. The generated one is for programs that can read
        // the file beside the database.
        let local = match local_token {
            Some(token) if known.accounts.is_empty() => LocalToken::set(token)?,
            Some(_) | None => LocalToken::random()?,
        };
        Ok(Self::with(app, options, KeepOwner::Always, known, local))
    }

    /// For a command on a database that no server holds: it may remove the only account, after which nobody has to sign in.
    pub(crate) async fn of_command(app: App) -> Result<Self, IdentityError> {
        let options = IdentityOptions {
            loopback: true,
            no_token: true,
            access_seconds: 0,
            session_days: 0,
            refresh_grace_ms: 0,
        };
        let known = IdentityCache::read(app.store()).await?;
        Ok(Self::with(app, options, KeepOwner::WhileOthers, known, LocalToken::random()?))
    }

    /// The options.
    pub fn options(&self) -> &IdentityOptions {
        &self.0.options
    }

    fn app(&self) -> &App {
        &self.0.app
    }

    fn store(&self) -> &Store {
        self.0.app.store()
    }

    /// Reads accounts, sessions and tokens anew: another process that shares the database may have changed them.
    ///
    /// # Errors
    /// When the database cannot be read; what was known stays.
    pub async fn read_anew(&self) -> Result<(), StoreError> {
        let before = self.0.changes.load(Ordering::Acquire);
        let known = IdentityCache::read(self.store()).await?;
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
        self.0.options.loopback && self.known(|known| known.accounts.is_empty())
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

/// A secret of this many random bytes.
fn secret(prefix: &str, bytes: usize) -> Result<String, IdentityError> {
    new_secret(prefix, bytes).map_err(IdentityError::NoRandomNumbers)
}
