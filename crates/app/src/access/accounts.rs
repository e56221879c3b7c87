//! Accounts: who may sign in, and with which password.

use std::net::{IpAddr, Ipv4Addr};

use quorate_store::{
    Account, Removal, Store, check_account_name, check_account_password, check_name, hash_password,
    matches_hash,
};

use super::Identity;
use super::error::IdentityError;
use crate::clock::now;
use crate::operation::principal::{Principal, PrincipalKind, Scope};
use crate::operation::rate_limits::Attempt;

/// A name that only the person at this machine has.
pub(super) const OWNER: &str = "owner";

/// A new account.
#[derive(Debug)]
pub struct NewAccountRequest {
    /// The name, unique without regard to case.
    pub name: String,
    /// The password.
    pub password: String,
    /// The scope; when `None`, that of an owner for the first account and to speak for others.
    pub scope: Option<Scope>,
}

/// Another password for an account.
#[derive(Debug)]
pub struct NewPasswordRequest {
    /// The account, by name.
    pub name: String,
    /// The current password. Whoever changes that of the own account has to give it.
    pub current: Option<String>,
    /// The new password.
    pub password: String,
    /// From where it is asked for; `None` at this machine, without a network.
    pub address: Option<IpAddr>,
}

/// An account with another password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPassword {
    /// The number of sessions that ended with the old one.
    pub sessions_ended: usize,
}

/// The name and the scope of a new account beside those that there are.
///
/// # Errors
/// When the name is none, or taken, or the first account would be no owner.
pub(crate) fn check_new_account(
    accounts: &[Account],
    name: &str,
    scope: Option<Scope>,
) -> Result<(String, Scope), IdentityError> {
    let name = free_name(accounts, name)?;
    Ok((name, first_scope(accounts, scope)?))
}

/// Checks that a password is strong enough for the account of that name.
///
/// # Errors
/// When it is not.
pub fn check_new_password(name: &str, password: &str) -> Result<(), IdentityError> {
    check_account_password(name, password).map_err(IdentityError::Password)
}

fn free_name(accounts: &[Account], name: &str) -> Result<String, IdentityError> {
    let name = check_name("name", name).map_err(IdentityError::Name)?;
    let is_same = find_account(accounts, &name).is_some();
    check_account_name("name", &name, accounts.iter().map(|account| account.name.as_str()))
        .map_err(|refusal| IdentityError::of_name(&name, is_same, refusal))
}

/// From the first account on people have to sign in; without an owner, no account could manage the server.
fn first_scope(accounts: &[Account], scope: Option<Scope>) -> Result<Scope, IdentityError> {
    match (accounts.is_empty(), scope) {
        (true, None | Some(Scope::Owner)) => Ok(Scope::Owner),
        (true, Some(_)) => Err(IdentityError::FirstIsOwner),
        (false, scope) => Ok(scope.unwrap_or(Scope::Speak)),
    }
}

/// The account of this name, without regard to case.
pub(crate) fn find_account<'a>(accounts: &'a [Account], name: &str) -> Option<&'a Account> {
    accounts.iter().find(|account| account.name.to_lowercase() == name.to_lowercase())
}

impl Identity {
    /// All accounts, by name.
    pub fn accounts(&self) -> Vec<Account> {
        let mut accounts: Vec<Account> = self.known(|known| known.accounts.values().cloned().collect());
        accounts.sort_by(|a, b| a.name.cmp(&b.name));
        accounts
    }

    /// Whether there is an account with full permissions.
    pub fn has_owner(&self) -> bool {
        let is_owner = |account: &Account| Scope::of_stored(&account.scope) == Scope::Owner;
        self.known(|known| known.accounts.values().any(is_owner))
    }

    /// Creates an account. Clients that were let in because there was none are signed out.
    ///
    /// # Errors
    /// When the name is taken, the password is too weak, or the first account would be no owner.
    pub async fn create_account(&self, request: NewAccountRequest) -> Result<Account, IdentityError> {
        let accounts = self.accounts();
        let name = free_name(&accounts, &request.name)?;
        check_new_password(&name, &request.password)?;
        let scope = first_scope(&accounts, request.scope)?.as_str().to_owned();
        let hash = self.hashed(request.password).await?;
        let at = now();
        let account = Account { name, scope, created_ms: at, updated_ms: at };
        if !self.store().add_account(account.clone(), hash).await? {
            return Err(IdentityError::AccountExists { name: account.name });
        }
        self.know(|known| known.accounts.insert(account.name.to_lowercase(), account.clone()));
        self.change_local_token();
        self.know_out(|_| ());
        Ok(account)
    }

    /// Gives an account another password, and ends its sessions. Owners may change that of every account; others only their
    /// own, with the current one: a person at an unwatched screen cannot take over the account.
    ///
    /// # Errors
    /// When there is no such account for the caller, or one of the passwords is not right.
    pub async fn change_password(
        &self,
        principal: &Principal,
        request: NewPasswordRequest,
    ) -> Result<ChangedPassword, IdentityError> {
        let NewPasswordRequest { name, current, password, address } = request;
        let is_own = principal.kind == PrincipalKind::Account
            && principal.meeting.is_none()
            && principal.name.to_lowercase() == name.to_lowercase();
        let is_owner = principal.scope == Scope::Owner && principal.meeting.is_none();
        let unknown = || IdentityError::not_found("account", &name);
        if !is_own && !is_owner {
            return Err(unknown());
        }
        check_new_password(&name, &password)?;
        if is_own {
            let address = address.unwrap_or(Ipv4Addr::LOCALHOST.into());
            let counted = self.app().attempt(address, Attempt::Account(&name))?;
            let kept = self.app().account_password(&counted, &name).await?.map(|(_, kept)| kept);
            if !self.is_right(current.unwrap_or_default(), kept).await? {
                return Err(IdentityError::NotCurrentPassword);
            }
        }
        let hash = self.hashed(password).await?;
        let at = now();
        let ended = self.store().change_account_password(&name, hash, at).await?.ok_or_else(unknown)?;
        self.know_out(|known| {
            known.sessions.retain(|id, _| !ended.contains(id));
            if let Some(account) = known.accounts.get_mut(&name.to_lowercase()) {
                account.updated_ms = at;
            }
        });
        Ok(ChangedPassword { sessions_ended: ended.len() })
    }

    /// Removes an account with its sessions and tokens; the webhooks that rest on it stop. The last owner stays; for a
    /// command, to which no server answers, while there are other accounts.
    ///
    /// # Errors
    /// When there is no such account, or it is that of the last owner.
    pub async fn delete_account(&self, name: &str) -> Result<(), IdentityError> {
        let accounts = self.accounts();
        let unknown = || IdentityError::not_found("account", name);
        let found = find_account(&accounts, name).ok_or_else(unknown)?;
        let keep = self.0.keep_owner;
        match self.store().remove_account(&found.name, keep, now()).await? {
            Removal::LastOne => return Err(IdentityError::LastOwner { name: found.name.clone(), keep }),
            // Another call removed it first.
            Removal::Unknown => {
                self.app().webhooks_changed();
                return Err(unknown());
            }
            Removal::Removed => {}
        }
        let own = found.name.to_lowercase();
        self.know_out(|known| {
            known.accounts.remove(&own);
            known.sessions.retain(|_, session| session.guest || session.name.to_lowercase() != own);
            known.tokens.retain(|_, token| token.by.to_lowercase() != own);
        });
        self.app().webhooks_changed();
        Ok(())
    }
}

/// Makes the owner's account, or gives it the password that the environment has now.
pub(super) async fn keep_owner(store: &Store, password: &str) -> Result<(), IdentityError> {
    let refused = IdentityError::Password;
    check_new_password(OWNER, password)?;
    let at = now();
    match store.account_password(OWNER).await? {
        Some((_, kept)) if matches_hash(password, &kept) == Some(true) => {}
        Some(_) => {
            let hash = hash_password(password).map_err(refused)?;
            store.change_account_password(OWNER, hash, at).await?;
        }
        None => {
            let (name, scope) = (OWNER.to_owned(), Scope::Owner.as_str().to_owned());
            let account = Account { name, scope, created_ms: at, updated_ms: at };
            store.add_account(account, hash_password(password).map_err(refused)?).await?;
        }
    }
    Ok(())
}
