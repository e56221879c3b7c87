//! Tokens that the server issues by itself: made, stored, and known in memory.

use quorate_contract::Timestamp;
use quorate_store::{IssuedToken, TokenSubject, fingerprint};

use super::error::IdentityError;
use super::{Identity, issued, secret};
use crate::clock::now;

impl Identity {
    /// The subject of a valid issued token.
    pub(super) fn issued_for(&self, token: &str) -> Option<TokenSubject> {
        self.known(|known| known.issued.subject(token, now()))
    }

    /// A new token, good until `end`, in the place of the one that it `replaces`.
    ///
    /// # Errors
    /// When this machine gives no random numbers.
    pub(super) async fn issue(
        &self,
        subject: TokenSubject,
        end: Timestamp,
        replaces: Option<&str>,
    ) -> Result<String, IdentityError> {
        let shown = secret(issued::PREFIX, 32)?;
        let (at, most) = (now(), issued::most(&subject));
        let token = IssuedToken { hash: fingerprint(&shown), subject, expires_ms: end };
        let issued = self.store().issue_token(token.clone(), replaces.map(fingerprint), most, at).await;
        let gone = issued.unwrap_or_else(|error| {
            // A client that may read is let in even when the disk is full.
            tracing::warn!(%error, "a token could not be stored; it is good until the server ends");
            Vec::new()
        });
        self.know(|known| known.issued.add(token, &gone, at));
        Ok(shown)
    }
}
