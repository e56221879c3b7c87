//! Signing in with name and password.

use quorate_store::{TokenSubject, fingerprint};
use serde_json::json;

use super::error::IdentityError;
use super::sessions::IssuedSession;
use super::{Identity, SessionClient};
use crate::clock::now;
use crate::operation::audit::AuditNote;
use crate::operation::rate_limits::Attempt;

/// The most characters of a name that are looked at.
const NAME_MAX_CHARS: usize = 100;
/// The status of a session that was begun.
const CREATED: u16 = 201;

/// A name and a password.
pub struct PasswordSignIn {
    /// The account's name.
    pub name: String,
    /// Its password.
    pub password: String,
    /// The cookie by which a browser shows that its account signed in there before.
    pub known: Option<String>,
}

impl Identity {
    /// Begins a session of an account, and notes that or the refusal. Also gives the name as it was taken.
    ///
    /// # Errors
    /// When the password is not right, in the same words and after the same time as for an unknown name; when there were too
    /// many attempts.
    pub async fn sign_in(
        &self,
        given: PasswordSignIn,
        client: &SessionClient,
    ) -> Result<(IssuedSession, String), IdentityError> {
        let PasswordSignIn { name, password, known } = given;
        let name: String = name.chars().take(NAME_MAX_CHARS).collect();
        let signed_in = self.sign_in_as(&name, password, known, client).await;
        self.app().note(AuditNote {
            who: if signed_in.is_ok() { format!("user:{name}") } else { String::new() },
            action: format!("sign_in.{}", if signed_in.is_ok() { "accepted" } else { "refused" }),
            meeting: None,
            address: Some(client.address),
            status: signed_in.as_ref().map_or_else(IdentityError::status, |_| CREATED),
            detail: json!({ "name": name }),
        });
        Ok((signed_in?, name))
    }

    async fn sign_in_as(
        &self,
        name: &str,
        password: String,
        known: Option<String>,
        client: &SessionClient,
    ) -> Result<IssuedSession, IdentityError> {
        let known = known.filter(|cookie| self.issued_for(cookie) == Some(known_browser(name)));
        let attempt = match &known {
            Some(cookie) => Attempt::KnownBrowser(fingerprint(cookie)),
            None => Attempt::Account(name),
        };
        let counted = self.app().attempt(client.address, attempt)?;
        let found = self.app().account_password(&counted, name).await?;
        let kept = found.as_ref().map(|(_, kept)| kept.clone());
        match (self.is_right(password, kept).await?, found) {
            (true, Some((account, kept))) => {
                let issued = self.begin(account.name, None, None, &account.scope, client).await?;
                // Another password, or none, ends all sessions that there are; this one may have come just after.
                if self.app().account_password(&counted, name).await?.is_some_and(|(_, now)| now == kept) {
                    return Ok(issued);
                }
                self.end(&issued.session.id).await?;
                Err(IdentityError::WrongSignIn)
            }
            (true | false, _) => Err(IdentityError::WrongSignIn),
        }
    }

    /// Issues the cookie of a browser in which an account has signed in: attempts with it are counted apart
    /// from those of other clients behind the same address. It replaces the cookie that the browser `showed`.
    ///
    /// # Errors
    /// When this machine gives no random numbers.
    pub async fn known_browser(
        &self,
        name: &str,
        seconds: u64,
        showed: Option<&str>,
    ) -> Result<String, IdentityError> {
        let subject = known_browser(name);
        let showed = showed.filter(|cookie| self.issued_for(cookie).as_ref() == Some(&subject));
        self.issue(subject, now().plus_ms(seconds * 1000), showed).await
    }
}

fn known_browser(name: &str) -> TokenSubject {
    TokenSubject::KnownBrowser(name.to_lowercase())
}
