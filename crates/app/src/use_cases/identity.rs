//! Accounts, sessions and tokens, as the database has them.

use quorate_contract::Timestamp;
use quorate_store::{Account, IssuedToken, KeepOwner, Removal, Renewal, Session, Store, StoreError, Token};

use super::App;

/// Accounts, sessions and tokens. A server writes them here before it changes its copy in memory. Cheap to
/// clone.
#[derive(Clone)]
pub struct IdentityStore(Store);

impl App {
    /// Accounts, sessions and tokens of the database.
    pub fn identity(&self) -> IdentityStore {
        IdentityStore(self.store().clone())
    }
}

impl From<Store> for IdentityStore {
    fn from(store: Store) -> Self {
        Self(store)
    }
}

impl IdentityStore {
    /// All accounts.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        self.0.accounts().await
    }

    /// An account and the hash of its password; `None` when there is none of this name.
    ///
    /// # Errors
    /// When the database does not do its part.
    pub async fn account_password(&self, name: &str) -> Result<Option<(Account, String)>, StoreError> {
        self.0.account_password(name).await
    }

    /// Adds an account with the hash of its password; says whether its name was free.
    ///
    /// # Errors
    /// When the database does not do its part.
    pub async fn add_account(&self, account: Account, hash: String) -> Result<bool, StoreError> {
        self.0.add_account(account, hash).await
    }

    /// Gives an account another password, and says which sessions ended with the old one; `None` when there is no such account.
    ///
    /// # Errors
    /// When the database does not do its part.
    pub async fn change_account_password(
        &self,
        name: &str,
        hash: String,
        now: Timestamp,
    ) -> Result<Option<Vec<String>>, StoreError> {
        self.0.change_account_password(name, hash, now).await
    }

    /// Removes an account with its sessions; the last owner stays.
    ///
    /// # Errors
    /// When the database does not do its part.
    pub async fn remove_account(&self, name: &str) -> Result<Removal, StoreError> {
        self.0.remove_account(name, KeepOwner::Always, crate::clock::now()).await
    }

    /// The sessions that have not ended by `now`.
    ///
    /// # Errors
    /// When the database does not do its part.
    pub async fn sessions(&self, now: Timestamp) -> Result<Vec<Session>, StoreError> {
        self.0.sessions(now).await
    }

    /// Begins a session that is renewed with the token of this fingerprint; says whether its account or invitation still is there.
    ///
    /// # Errors
    /// When the database does not do its part.
    pub async fn begin_session(&self, session: Session, refresh: [u8; 32]) -> Result<bool, StoreError> {
        self.0.begin_session(session, refresh).await
    }

    /// Renews the session that the token `shown` belongs to, once; `next` is the token of the next time.
    ///
    /// # Errors
    /// When the database does not do its part.
    pub async fn renew_session(
        &self,
        shown: [u8; 32],
        next: [u8; 32],
        now: Timestamp,
        expires: Timestamp,
        grace_ms: u64,
    ) -> Result<Renewal, StoreError> {
        self.0.renew_session(shown, next, now, expires, grace_ms).await
    }

    /// Ends a session; says whether there was one.
    ///
    /// # Errors
    /// When the database does not do its part.
    pub async fn end_session(&self, id: &str) -> Result<bool, StoreError> {
        self.0.end_session(id).await
    }

    /// The tokens of programs.
    ///
    /// # Errors
    /// When the database does not do its part.
    pub async fn tokens(&self) -> Result<Vec<Token>, StoreError> {
        self.0.tokens().await
    }

    /// Adds a token for a program.
    ///
    /// # Errors
    /// When the database does not do its part.
    pub async fn add_token(&self, token: Token) -> Result<(), StoreError> {
        self.0.add_token(token).await
    }

    /// Revokes a token; says whether there was one.
    ///
    /// # Errors
    /// When the database does not do its part.
    pub async fn remove_token(&self, id: &str) -> Result<bool, StoreError> {
        self.0.remove_token(id, crate::clock::now()).await
    }

    /// Notes when a token was last used.
    ///
    /// # Errors
    /// When the database does not do its part.
    pub async fn token_used(&self, id: &str, now: Timestamp) -> Result<(), StoreError> {
        self.0.token_used(id, now).await
    }

    /// The tokens that the server issued by itself and that hold at `now`.
    ///
    /// # Errors
    /// When the database does not do its part.
    pub async fn issued_tokens(&self, now: Timestamp) -> Result<Vec<IssuedToken>, StoreError> {
        self.0.issued_tokens(now).await
    }

    /// Stores a token that the server issued, in the place of another where it replaces one; says which of its subject are too many and gone.
    ///
    /// # Errors
    /// When the database does not do its part.
    pub async fn issue_token(
        &self,
        token: IssuedToken,
        replaces: Option<[u8; 32]>,
        most: u32,
        now: Timestamp,
    ) -> Result<Vec<[u8; 32]>, StoreError> {
        self.0.issue_token(token, replaces, most, now).await
    }
}
