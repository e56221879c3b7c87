//! Tokens that the server issues by itself: made, stored, and known in memory.

use quorate_app::{IssuedToken, TokenSubject, fingerprint};
use quorate_contract::Timestamp;

use super::{Access, secret};
use crate::access::issued;
use crate::problem::Problem;

impl Access {
    /// The subject of a valid issued token.
    pub(in crate::access) fn issued_for(&self, token: &str) -> Option<TokenSubject> {
        self.known(|known| known.issued.subject(token, quorate_app::now()))
    }

    /// A new token, good until `end`, in the place of the one that it `replaces`.
    ///
    /// # Errors
    /// When this machine gives no random numbers.
    pub(in crate::access) async fn issue(
        &self,
        subject: TokenSubject,
        end: Timestamp,
        replaces: Option<&str>,
    ) -> Result<String, Problem> {
        let shown = secret(issued::PREFIX, 32)?;
        let (now, most) = (quorate_app::now(), issued::most(&subject));
        let token = IssuedToken { hash: fingerprint(&shown), subject, expires_ms: end };
        let issued = self.0.store.issue_token(token.clone(), replaces.map(fingerprint), most, now).await;
        let gone = issued.unwrap_or_else(|error| {
            // A client that may read is let in even when the disk is full.
            tracing::warn!(%error, "a token could not be stored; it is good until the server ends");
            Vec::new()
        });
        self.know(|known| known.issued.add(token, &gone, now));
        Ok(shown)
    }
}
