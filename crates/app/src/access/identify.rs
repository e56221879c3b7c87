//! Who holds a credential, and whether it still is one.

use quorate_contract::Timestamp;
use quorate_contract::hex::from_hex;
use quorate_store::{Token, TokenSubject, fingerprint};
use tokio::sync::watch;

use super::credential::AccessCredential;
use super::{ACCESS_TOKEN_PREFIX, Identity};
use crate::clock::now;
use crate::operation::principal::{Principal, Scope};

/// The shortest time between two records of a token's use.
const NOTE_USE_MS: u64 = 5 * 60 * 1000;

impl Identity {
    /// Identifies the holder of a token of either kind; also for the first message of a WebSocket.
    pub fn by_token(&self, token: &str) -> Option<(Principal, AccessCredential)> {
        let local = self.local_token();
        if local.is(token) {
            return Some((Principal::owner(), AccessCredential::Local(local.hash())));
        }
        if !token.starts_with(ACCESS_TOKEN_PREFIX) {
            return self.by_session(token);
        }
        let hash = fingerprint(token);
        let (principal, id) = self.of_token(&hash, now())?;
        Some((principal, AccessCredential::Token(id, hash)))
    }

    fn of_token(&self, hash: &[u8; 32], now: Timestamp) -> Option<(Principal, String)> {
        let good = |token: &&Token| token.expires_ms.is_none_or(|end| end > now);
        let token = self.known(|known| known.tokens.get(hash).filter(good).cloned())?;
        if token.used_ms.is_none_or(|used| now.since_ms(used) >= NOTE_USE_MS) {
            self.note_use(&token, now);
        }
        let (name, scope, meeting) = (token.by, Scope::of_stored(&token.scope), token.meeting);
        let principal = match token.agent {
            Some(agent) => Principal::of_agent(&token.id, agent, name, scope, meeting),
            None => Principal::of_token(&token.id, name, scope, meeting),
        };
        Some((principal, token.id))
    }

    /// Identifies the holder of a token that the server issued by itself, as a cookie has it.
    pub fn by_session(&self, token: &str) -> Option<(Principal, AccessCredential)> {
        let at = now();
        let id = match self.issued_for(token)? {
            TokenSubject::Session(id) => id,
            TokenSubject::Local(mark) => {
                let is_in = self.is_alone() && self.local_token().mark() == mark;
                return is_in.then(|| (Principal::owner(), AccessCredential::Alone));
            }
            // This cookie grants no access.
            TokenSubject::KnownBrowser(_) => return None,
        };
        Some((self.of_session(&id, at)?, AccessCredential::Session(id)))
    }

    fn of_session(&self, id: &str, now: Timestamp) -> Option<Principal> {
        let session = self.known(|known| known.sessions.get(id).filter(|it| it.expires_ms > now).cloned())?;
        let (name, scope, meeting) = (session.name, Scope::of_stored(&session.scope), session.meeting);
        Some(Principal::of_session(id, name, scope, meeting, session.person))
    }

    /// The holder of what another node has let in, as its [`AccessCredential::name`] says; `None` when it holds no more.
    pub fn by_name(&self, name: &str) -> Option<Principal> {
        let at = now();
        match name.split_once(':')? {
            ("here", _) => Some(Principal::owner()),
            ("session", id) => self.of_session(id, at),
            ("token", hash) => Some(self.of_token(&from_hex(hash)?, at)?.0),
            _ => None,
        }
    }

    /// Whether a credential is still valid.
    pub fn is_in(&self, credential: &AccessCredential) -> bool {
        let at = now();
        match credential {
            AccessCredential::Alone => self.is_alone(),
            AccessCredential::Local(hash) => self.local_token().hash() == *hash,
            AccessCredential::Session(id) => {
                self.known(|known| known.sessions.get(id).is_some_and(|session| session.expires_ms > at))
            }
            AccessCredential::Token(_, hash) => self.known(|known| {
                known.tokens.get(hash).is_some_and(|token| token.expires_ms.is_none_or(|end| end > at))
            }),
        }
    }

    /// Changes when a credential may have become invalid; which one has to be asked.
    pub fn departures(&self) -> watch::Receiver<()> {
        self.0.departures.subscribe()
    }

    /// Completes when a credential is no longer valid: signed out, removed, or revoked. Expiry is seen when
    /// this is asked again.
    pub async fn out(&self, credential: &AccessCredential) {
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
        let (store, id) = (self.store().clone(), token.id.clone());
        tokio::spawn(async move {
            if let Err(error) = store.token_used(&id, now).await {
                tracing::warn!(%error, "it could not be noted that a token was used");
            }
        });
    }
}
