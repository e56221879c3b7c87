//! Signing in at this machine with the local token.

use std::net::IpAddr;

use quorate_store::TokenSubject;
use serde_json::json;

use super::Identity;
use super::error::IdentityError;
use crate::clock::now;
use crate::operation::audit::AuditNote;
use crate::operation::principal::Principal;

/// The status of a browser that is sent on to the page.
const SEE_OTHER: u16 = 303;

impl Identity {
    /// A cookie for a browser that shows the local token, good for `seconds`.
    ///
    /// # Errors
    /// When the token is not right, or people sign in with name and password here.
    pub async fn sign_in_locally(&self, shown: &str, seconds: u32) -> Result<String, IdentityError> {
        if !self.is_alone() {
            return Err(IdentityError::HasAccounts);
        }
        let local = self.local_token();
        if !local.is(shown) {
            return Err(IdentityError::WrongLocalToken);
        }
        self.issue(TokenSubject::Local(local.mark()), now().plus_ms(u64::from(seconds) * 1000), None).await
    }

    /// The same for a browser that was opened at the address that was printed, with a line in the audit log. `None` when the
    /// token opens nothing.
    ///
    /// # Errors
    /// When this machine gives no random numbers.
    pub async fn sign_in_by_address(
        &self,
        shown: &str,
        seconds: u32,
        address: IpAddr,
    ) -> Result<Option<String>, IdentityError> {
        let cookie = match self.sign_in_locally(shown, seconds).await {
            Err(IdentityError::HasAccounts | IdentityError::WrongLocalToken) => return Ok(None),
            issued => issued?,
        };
        self.app().note(AuditNote {
            who: Principal::owner().account(),
            action: "sign_in.local".to_owned(),
            meeting: None,
            address: Some(address),
            status: SEE_OTHER,
            detail: json!({}),
        });
        Ok(Some(cookie))
    }
}
