//! Changes that a command makes to accounts, tokens, agents and providers, each with its line in the audit log.

use quorate_contract::MeetingId;
use quorate_messages::message;
use quorate_store::{
    Account, Agent, Credential, KeepOwner, PasswordError, Removal, Store, Token, fingerprint, hash_password,
    new_secret,
};
use serde_json::{Value, json};

use super::LocalDatabase;
use crate::clock::now;
use crate::error::ServiceError;
use crate::language::InBoth;
use crate::operation::principal::Scope;
use crate::operation::use_case::UseCase;
use crate::planning::agents::{AgentRequest, SavedAgent, create_agent, update_agent};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
/// The beginning of every access token, by which it is told from other secrets.
pub const ACCESS_TOKEN_PREFIX: &str = "qt_";
/// The random bytes of a token for programs.
const TOKEN_BYTES: usize = 32;
/// The characters of a token that lists show.
const SHOWN_CHARS: usize = 9;

/// A token for a program, as a command asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    /// What it is for.
    pub name: String,
    /// The account that it acts for.
    pub by: String,
    /// Its scope.
    pub scope: String,
    /// The one meeting that it is for.
    pub meeting: Option<MeetingId>,
    /// The name of the agent of the library that answers for its seats with it.
    pub agent: Option<String>,
    /// After how many days it expires.
    pub days: Option<u32>,
}

impl LocalDatabase {
    /// Carries out a change as the owner, and notes it with `detail`.
    async fn change<T, F>(
        &self,
        use_case: UseCase,
        detail: Value,
        action: impl FnOnce(Store) -> F,
    ) -> Result<T, ServiceError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, ServiceError>> + Send + 'static,
    {
        self.perform(use_case, None, detail, action(self.store().clone())).await
    }

    /// Creates an account; `None` when its name is taken.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn create_account(
        &self,
        name: &str,
        scope: String,
        password: &str,
    ) -> Result<Option<Account>, ServiceError> {
        let at = now();
        let account = Account { name: name.to_owned(), scope, created_ms: at, updated_ms: at };
        let hash = hashed(password)?;
        self.change(UseCase::CreateAccount, json!({ "name": name }), |store| async move {
            Ok(store.add_account(account.clone(), hash).await?.then_some(account))
        })
        .await
    }

    /// Gives an account another password, and says how many sessions ended; `None` when there is no such account.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn change_password(&self, name: &str, password: &str) -> Result<Option<usize>, ServiceError> {
        let (name, hash) = (name.to_owned(), hashed(password)?);
        self.change(UseCase::ChangePassword, json!({ "name": name }), |store| async move {
            let ended = store.change_account_password(&name, hash, now()).await?;
            Ok(ended.map(|ended| ended.len()))
        })
        .await
    }

    /// Removes an account with its sessions. The last owner stays while there are other accounts.
    ///
    /// # Errors
    /// When it is that of the last owner, or the database cannot be written.
    pub async fn remove_account(&self, name: &str) -> Result<(), ServiceError> {
        let name = name.to_owned();
        self.change(UseCase::DeleteAccount, json!({ "name": name }), |store| async move {
            match store.remove_account(&name, KeepOwner::WhileOthers, now()).await? {
                Removal::Removed | Removal::Unknown => Ok(()),
                Removal::LastOne => {
                    let (message, hint) = (message!("app-last-owner"), message!("app-last-owner-hint"));
                    Err(ServiceError::usage(message, hint).with("field", "name"))
                }
            }
        })
        .await
    }

    /// Creates a token for a program, and gives it with the text that is shown once.
    ///
    /// # Errors
    /// When the database cannot be written, or this machine gives no random numbers.
    pub async fn create_token(&self, new: NewToken) -> Result<(Token, String), ServiceError> {
        let NewToken { name, by, scope, meeting, agent, days } = new;
        let shown = secret(ACCESS_TOKEN_PREFIX, TOKEN_BYTES)?;
        let at = now();
        let token = Token {
            id: secret("", 8)?,
            name,
            by,
            hash: fingerprint(&shown),
            prefix: shown.chars().take(SHOWN_CHARS).collect(),
            scope,
            meeting,
            agent,
            created_ms: at,
            expires_ms: days.map(|days| at.plus_ms(u64::from(days) * DAY_MS)),
            used_ms: None,
        };
        let detail = json!({ "token": token.id, "name": token.name, "scope": token.scope, "by": token.by });
        self.change(UseCase::CreateToken, detail, |store| async move {
            within_account(&store, &token).await?;
            store.add_token(token.clone()).await?;
            Ok((token, shown))
        })
        .await
    }

    /// Revokes a token.
    ///
    /// # Errors
    /// When there is none of this id, or the database cannot be written.
    pub async fn revoke_token(&self, id: &str) -> Result<(), ServiceError> {
        let id = id.to_owned();
        self.change(UseCase::RevokeToken, json!({ "token": id }), |store| async move {
            match store.remove_token(&id, now()).await? {
                true => Ok(()),
                false => {
                    let message = message!("app-no-token", %id);
                    let hint = message!("app-no-token-hint");
                    Err(ServiceError::new(message, hint).not_found("token", &id))
                }
            }
        })
        .await
    }

    /// Adds an agent to the library.
    ///
    /// # Errors
    /// When something about it is not right, or its name is taken.
    pub async fn create_agent(&self, request: AgentRequest) -> Result<SavedAgent, ServiceError> {
        self.change(UseCase::CreateAgent, json!({ "name": request.name }), |store| async move {
            create_agent(&store, &request).await
        })
        .await
    }

    /// Changes what is given about an agent; meetings stay as they are.
    ///
    /// # Errors
    /// When something about it is not right, or there is no such agent.
    pub async fn update_agent(
        &self,
        before: &Agent,
        request: AgentRequest,
    ) -> Result<SavedAgent, ServiceError> {
        let id = before.id.clone();
        self.change(UseCase::ChangeAgent, json!({ "name": before.name }), |store| async move {
            update_agent(&store, id.as_str(), &request).await
        })
        .await
    }

    /// Removes an agent from the library; meetings stay as they are.
    ///
    /// # Errors
    /// When it is not there any more, or the database cannot be written.
    pub async fn delete_agent(&self, agent: &Agent) -> Result<(), ServiceError> {
        let id = agent.id.clone();
        self.change(UseCase::DeleteAgent, json!({ "name": agent.name }), |store| async move {
            Ok(store.delete_agent(id.as_str(), now()).await?)
        })
        .await
    }

    /// Stores a provider, or changes what is given about it.
    ///
    /// # Errors
    /// When the database cannot be written, or the key cannot be sealed.
    pub async fn save_provider(&self, given: Credential) -> Result<Credential, ServiceError> {
        let detail = json!({ "name": given.provider });
        let use_case = match self.store().credential(&given.provider).await? {
            Some(_) => UseCase::UpdateProvider,
            None => UseCase::ReplaceProvider,
        };
        self.change(use_case, detail, |store| async move { Ok(store.save_credential(given, now()).await?) })
            .await
    }

    /// Deletes what is stored of a provider.
    ///
    /// # Errors
    /// When nothing is stored of it.
    pub async fn delete_provider(&self, name: &str) -> Result<(), ServiceError> {
        let name = name.to_owned();
        self.change(UseCase::DeleteProvider, json!({ "name": name }), |store| async move {
            Ok(store.delete_credential(&name).await?)
        })
        .await
    }

    /// Seals the stored keys with a new key file, and says of which providers.
    ///
    /// # Errors
    /// When the database or the key file cannot be written.
    pub async fn rotate_keys(&self) -> Result<Vec<String>, ServiceError> {
        let store = self.store().clone();
        let action = async move {
            let resealed = store.rotate_key_file(now()).await?;
            let detail = json!({ "resealed": resealed });
            Ok((resealed, detail))
        };
        self.idle_app().await?.perform_here_noting(UseCase::RotateKeys, None, Value::Null, action).await
    }
}

/// A token may do no more than the account in whose name it acts.
async fn within_account(store: &Store, token: &Token) -> Result<(), ServiceError> {
    let accounts = store.accounts().await?;
    let is_it = |account: &&Account| account.name.to_lowercase() == token.by.to_lowercase();
    let Some(account) = accounts.iter().find(is_it) else { return Ok(()) };
    let rank = |word: &str| Scope::ALL.iter().position(|scope| scope.as_str() == word);
    if rank(&token.scope) <= rank(&account.scope) {
        return Ok(());
    }
    let message = message!("app-token-beyond-account");
    let hint = message!("app-token-beyond-account-hint", scope = %account.scope);
    Err(ServiceError::usage(message, hint).with("field", "scope"))
}

fn without_dice(error: PasswordError) -> ServiceError {
    let (message, hint) = error.in_both();
    ServiceError::new(message, hint)
}

fn hashed(password: &str) -> Result<String, ServiceError> {
    hash_password(password).map_err(without_dice)
}

fn secret(prefix: &str, bytes: usize) -> Result<String, ServiceError> {
    new_secret(prefix, bytes).map_err(without_dice)
}
