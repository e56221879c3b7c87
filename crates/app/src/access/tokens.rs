//! Access tokens: what programs and agents show to be let in.

use quorate_contract::{MeetingId, NAME_MAX_CHARS, clean_within};
use quorate_messages::message;
use quorate_store::{Account, Token, check_name, fingerprint};
use serde_json::{Value, json};

use super::accounts::{OWNER, find_account};
use super::credential::AccessCredential;
use super::error::IdentityError;
use super::{Identity, secret};
use crate::clock::now;
use crate::operation::principal::{Principal, PrincipalKind, Scope};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
/// The longest lifetime of a token in days; ten years.
const DAYS_MAX: u32 = 3650;
/// The most characters of what a token is for.
const PURPOSE_MAX_CHARS: usize = 100;
/// The beginning of every access token, by which it is told from other secrets.
pub const ACCESS_TOKEN_PREFIX: &str = "qt_";
/// The random bytes of a token.
const TOKEN_BYTES: usize = 32;
/// The characters of a token that lists show.
const SHOWN_CHARS: usize = ACCESS_TOKEN_PREFIX.len() + 6;
/// The largest number of tokens that one person may have.
const TOKENS_OF_ONE: usize = 1_000;

/// A new access token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTokenRequest {
    /// What it is for.
    pub name: String,
    /// Its scope; no more than that of the caller, and of the account that it acts for.
    pub scope: Scope,
    /// The one meeting that it is for.
    pub meeting: Option<MeetingId>,
    /// The agent that answers for its seats with it; without one, the token acts for the person.
    pub agent: Option<String>,
    /// After how many days it expires.
    pub expires_in_days: Option<u32>,
    /// The account that it acts for; that of the caller when `None`.
    pub by: Option<String>,
}

/// A new access token, and its text, which is shown once.
pub struct CreatedToken {
    /// What is stored of it.
    pub token: Token,
    /// The token itself.
    pub shown: String,
}

impl CreatedToken {
    /// What the audit log tells of it.
    pub fn audit_detail(&self) -> Value {
        let Token { id, name, scope, by, .. } = &self.token;
        json!({ "token": id, "name": name, "scope": scope, "by": by })
    }
}

/// The parts of a request for a token, once they have been found right.
pub(crate) struct CheckedToken {
    name: String,
    pub(crate) by: String,
    agent: Option<String>,
}

/// Checks what a token is asked for with, and says for which account it acts.
///
/// # Errors
/// When a part is not right, or the token could do more than the caller or the account.
pub(crate) fn check_new_token(
    accounts: &[Account],
    principal: &Principal,
    request: &NewTokenRequest,
) -> Result<CheckedToken, IdentityError> {
    let invalid = |field, problem, hint| Err(IdentityError::Invalid { field, problem, hint });
    if matches!(principal.kind, PrincipalKind::Token | PrincipalKind::Agent | PrincipalKind::Webhook) {
        return Err(IdentityError::TokenMakesNone);
    }
    if request.scope > principal.scope {
        let own = principal.scope.as_str();
        let hint = message!("app-token-beyond-you-hint", %own);
        return invalid("scope", message!("app-token-beyond-you"), hint);
    }
    let by = holder(accounts, principal, request.by.as_deref(), request.scope)?;
    let Some(name) = clean_within(&request.name, 1, PURPOSE_MAX_CHARS) else {
        return invalid("name", message!("app-token-name-length"), message!("app-token-name-length-hint"));
    };
    if !request.expires_in_days.is_none_or(|days| (1..=DAYS_MAX).contains(&days)) {
        return invalid("expires_in_days", message!("app-token-days"), message!("app-token-days-hint"));
    }
    let agent = match &request.agent {
        None => None,
        Some(agent) if clean_within(agent, 1, NAME_MAX_CHARS).is_none() => {
            return invalid(
                "agent",
                message!("app-token-agent-length"),
                message!("app-token-agent-length-hint"),
            );
        }
        Some(agent) => Some(check_name("agent", agent).map_err(IdentityError::Name)?),
    };
    Ok(CheckedToken { name, by, agent })
}

/// The account in whose name a token of this scope is made.
fn holder(
    accounts: &[Account],
    principal: &Principal,
    named: Option<&str>,
    scope: Scope,
) -> Result<String, IdentityError> {
    let is_here = principal.kind == PrincipalKind::Owner;
    let is_own = |name: &str| name.to_lowercase() == principal.name.to_lowercase();
    let account = match named {
        None if is_here => match owner_of(accounts)? {
            Some(account) => account,
            None => return Ok(OWNER.to_owned()),
        },
        Some(name) if is_here && is_own(name) && accounts.is_empty() => return Ok(OWNER.to_owned()),
        None => return Ok(principal.name.clone()),
        Some(name) if !is_here && is_own(name) => return Ok(principal.name.clone()),
        Some(_) if principal.scope != Scope::Owner => {
            let problem = message!("app-token-for-others");
            let hint = message!("app-token-for-others-hint");
            return Err(IdentityError::Invalid { field: "by", problem, hint });
        }
        Some(name) => {
            find_account(accounts, name).ok_or_else(|| IdentityError::not_found("account", name))?
        }
    };
    let own = Scope::of_stored(&account.scope);
    if scope > own {
        let problem = message!("app-token-beyond-account");
        let hint = message!("app-token-beyond-account-hint", scope = %own.as_str());
        return Err(IdentityError::Invalid { field: "scope", problem, hint });
    }
    Ok(account.name.clone())
}

/// The account of the person at this machine: the only owner's, or that of the name `owner`. `None` without accounts.
fn owner_of(accounts: &[Account]) -> Result<Option<&Account>, IdentityError> {
    if accounts.is_empty() {
        return Ok(None);
    }
    let owners: Vec<&Account> =
        accounts.iter().filter(|account| Scope::of_stored(&account.scope) == Scope::Owner).collect();
    if let [only] = owners.as_slice() {
        return Ok(Some(only));
    }
    match owners.iter().find(|account| account.name == OWNER) {
        Some(owner) => Ok(Some(owner)),
        None => {
            let owners = owners.iter().map(|account| account.name.clone()).collect();
            Err(IdentityError::TokenForWhom { owners })
        }
    }
}

/// Whether a principal may see and revoke a token: its own, or as the owner any.
fn is_theirs(token: &Token, principal: &Principal) -> bool {
    principal.scope == Scope::Owner || token.by == principal.name
}

impl Identity {
    /// The tokens of the caller, for the owner those of all, newest first.
    pub fn tokens_of(&self, principal: &Principal) -> Vec<Token> {
        self.tokens().into_iter().filter(|token| is_theirs(token, principal)).collect()
    }

    fn tokens(&self) -> Vec<Token> {
        let mut tokens: Vec<Token> = self.known(|known| known.tokens.values().cloned().collect());
        tokens.sort_by(|a, b| (b.created_ms, &b.id).cmp(&(a.created_ms, &a.id)));
        tokens
    }

    /// Creates an access token. `credential` is that of the caller; `None` for a command, which shows none.
    ///
    /// # Errors
    /// When it may not be created like this, there are too many, or the caller was signed out in the meantime.
    pub async fn create_token(
        &self,
        principal: &Principal,
        credential: Option<&AccessCredential>,
        request: NewTokenRequest,
    ) -> Result<CreatedToken, IdentityError> {
        let accounts = self.store().accounts().await?;
        let CheckedToken { name, by, agent } = check_new_token(&accounts, principal, &request)?;
        if let Some(meeting) = &request.meeting {
            self.app().load_whole(meeting).await?;
        }
        let own = self.tokens().iter().filter(|token| token.by == by).count();
        if own >= TOKENS_OF_ONE {
            let problem = message!("app-too-many-tokens", %by, %own);
            return Err(IdentityError::TooMany {
                problem,
                hint: message!("app-too-many-tokens-hint").into(),
            });
        }
        let at = now();
        let shown = secret(ACCESS_TOKEN_PREFIX, TOKEN_BYTES)?;
        let token = Token {
            id: secret("", 8)?,
            name,
            by,
            hash: fingerprint(&shown),
            prefix: shown.chars().take(SHOWN_CHARS).collect(),
            scope: request.scope.as_str().to_owned(),
            meeting: request.meeting,
            agent,
            created_ms: at,
            expires_ms: request.expires_in_days.map(|days| at.plus_ms(u64::from(days) * DAY_MS)),
            used_ms: None,
        };
        self.store().add_token(token.clone()).await?;
        self.know(|known| known.tokens.insert(token.hash, token.clone()));
        if credential.is_some_and(|credential| !self.is_in(credential)) {
            // The creator's account was removed in the meantime, so its new token must not stay.
            self.remove_token(&token.id).await?;
            return Err(IdentityError::NotSignedIn);
        }
        Ok(CreatedToken { token, shown })
    }

    /// Revokes a token of the caller, as the owner any; the webhooks that it created stop.
    ///
    /// # Errors
    /// When there is none of this id for the caller.
    pub async fn revoke_token(&self, principal: &Principal, id: &str) -> Result<(), IdentityError> {
        let found = self.tokens().into_iter().find(|token| token.id == id);
        if !found.is_some_and(|token| is_theirs(&token, principal)) {
            return Err(IdentityError::not_found("token", id));
        }
        self.remove_token(id).await?;
        self.app().webhooks_changed();
        Ok(())
    }

    async fn remove_token(&self, id: &str) -> Result<(), IdentityError> {
        self.store().remove_token(id, now()).await?;
        self.know_out(|known| known.tokens.retain(|_, token| token.id != id));
        Ok(())
    }
}
