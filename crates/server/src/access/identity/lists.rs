//! Accounts and tokens: who could come in.

use quorate_app::{Account, Removal, Token};

use super::Access;
use crate::problem::Problem;

impl Access {
    /// All tokens, newest first.
    pub(crate) fn tokens(&self) -> Vec<Token> {
        let mut tokens: Vec<Token> = self.known(|known| known.tokens.values().cloned().collect());
        tokens.sort_by(|a, b| (b.created_ms, &b.id).cmp(&(a.created_ms, &a.id)));
        tokens
    }

    pub(crate) async fn add_token(&self, token: Token) -> Result<(), Problem> {
        self.0.store.add_token(token.clone()).await?;
        self.know(|known| known.tokens.insert(token.hash, token));
        Ok(())
    }

    pub(crate) async fn remove_token(&self, id: &str) -> Result<bool, Problem> {
        let removed = self.0.store.remove_token(id).await?;
        self.know_out(|known| known.tokens.retain(|_, token| token.id != id));
        Ok(removed)
    }

    /// All accounts, by name.
    pub(crate) fn accounts(&self) -> Vec<Account> {
        let mut accounts: Vec<Account> = self.known(|known| known.accounts.values().cloned().collect());
        accounts.sort_by(|a, b| a.name.cmp(&b.name));
        accounts
    }

    pub(crate) async fn add_account(&self, account: Account, hash: String) -> Result<bool, Problem> {
        let added = self.0.store.add_account(account.clone(), hash).await?;
        if added {
            // Clients that were let in because there was no account are signed out.
            self.know(|known| known.accounts.insert(account.name.to_lowercase(), account));
            self.change_local_token();
            self.know_out(|_| ());
        }
        Ok(added)
    }

    /// Changes a password and ends the account's sessions.
    pub(crate) async fn change_password(&self, name: &str, hash: String) -> Result<bool, Problem> {
        let now = quorate_app::now();
        let Some(ended) = self.0.store.change_account_password(name, hash, now).await? else {
            return Ok(false);
        };
        self.know_out(|known| {
            known.sessions.retain(|id, _| !ended.contains(id));
            if let Some(account) = known.accounts.get_mut(&name.to_lowercase()) {
                account.updated_ms = now;
            }
        });
        Ok(true)
    }

    /// Takes an account away, with its sessions and tokens; the last owner stays.
    pub(crate) async fn remove_account(&self, name: &str) -> Result<Removal, Problem> {
        let removed = self.0.store.remove_account(name).await?;
        if removed != Removal::Removed {
            return Ok(removed);
        }
        let own = name.to_lowercase();
        self.know_out(|known| {
            known.accounts.remove(&own);
            known.sessions.retain(|_, session| session.guest || session.name.to_lowercase() != own);
            known.tokens.retain(|_, token| token.by.to_lowercase() != own);
        });
        Ok(removed)
    }
}
