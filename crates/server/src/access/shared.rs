//! Accounts, sessions and tokens that several nodes share: what one of them issues or takes back holds at all.

use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};
use quorate_app::Principal;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::{AccessCredential, Client};
use crate::problem::Problem;
use crate::state::ServerState;

/// How often it is read what other nodes have changed.
const FOLLOW_EVERY: Duration = Duration::from_secs(1);
/// How often it is read at most because somebody is unknown.
const READ_EVERY: Duration = Duration::from_millis(100);

/// How long somebody unknown waits for that.
const WAIT_AT_MOST: Duration = Duration::from_secs(2);

impl ServerState {
    /// Reads accounts, sessions and tokens anew every second for as long as it is polled, where other nodes may change
    /// them.
    pub(crate) async fn follow_identity(self) {
        if self.forwarder().is_none() {
            return;
        }
        let mut due = interval(FOLLOW_EVERY);
        due.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            due.tick().await;
            // One after the other, so that what is older never replaces what is newer.
            let mut read_at = self.identity_read().lock().await;
            *read_at = Some(Instant::now());
            if let Err(error) = self.access().identity().read_anew().await {
                tracing::debug!(%error, "accounts, sessions and tokens cannot be read anew");
            }
        }
    }

    /// Who sends a request with these headers, also when another node has let them in just now.
    ///
    /// # Errors
    /// When what is shown is unknown, or has expired.
    pub(crate) async fn identify(
        &self,
        headers: &HeaderMap,
        client: &Client,
    ) -> Result<Option<(Principal, AccessCredential)>, Problem> {
        let known = self.access().identify(headers, client);
        let shows_something =
            headers.contains_key(header::AUTHORIZATION) || headers.contains_key(header::COOKIE);
        if matches!(known, Ok(Some(_))) || !shows_something || !self.read_identity_anew().await {
            return known;
        }
        self.access().identify(headers, client)
    }

    /// Whose token this is, also when another node has issued it just now.
    pub(crate) async fn identify_by_token(&self, token: &str) -> Option<(Principal, AccessCredential)> {
        if let Some(known) = self.access().identity().by_token(token) {
            return Some(known);
        }
        if !self.read_identity_anew().await {
            return None;
        }
        self.access().identity().by_token(token)
    }

    /// The holder of what another node has let in, by its [`AccessCredential::name`].
    pub(crate) async fn identify_by_name(&self, name: &str) -> Option<Principal> {
        if let Some(known) = self.access().identity().by_name(name) {
            return Some(known);
        }
        if !self.read_identity_anew().await {
            return None;
        }
        self.access().identity().by_name(name)
    }

    /// Reads at once what other nodes have changed; false where there are none. Whoever comes meanwhile waits for the same
    /// reading, and strangers have it read ten times a second at most.
    async fn read_identity_anew(&self) -> bool {
        if self.forwarder().is_none() {
            return false;
        }
        let came = Instant::now();
        let Ok(mut read_at) = timeout(WAIT_AT_MOST, self.identity_read().lock()).await else { return false };
        if read_at.is_some_and(|at| at > came) {
            return true;
        }
        if let Some(at) = *read_at {
            tokio::time::sleep(READ_EVERY.saturating_sub(at.elapsed())).await;
        }
        *read_at = Some(Instant::now());
        timeout(WAIT_AT_MOST, self.access().identity().read_anew()).await.is_ok_and(|read| read.is_ok())
    }
}
