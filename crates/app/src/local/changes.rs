//! What a command does with accounts, tokens, agents and providers: each change with its line in the audit log.

use quorate_contract::MeetingId;
use quorate_messages::message;
use quorate_store::{Account, Agent, Credential, ResultLink, Store, Token};
use serde_json::{Value, json};

use super::LocalDatabase;
use crate::access::{
    ChangedPassword, CreatedResultLink, CreatedToken, Identity, IdentityError, NewAccountRequest,
    NewPasswordRequest, NewTokenRequest, check_new_account, check_new_token, find_account,
};
use crate::clock::now;
use crate::error::ServiceError;
use crate::operation::principal::{Principal, Scope};
use crate::operation::use_case::UseCase;
use crate::planning::agents::{AgentRequest, SavedAgent, create_agent, update_agent};
use crate::use_cases::{EditError, MeetingChange};

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

    /// Carries out a use case of access as the owner, and notes it with `detail`, or with what the outcome tells of itself.
    async fn perform_access<T, F>(
        &self,
        use_case: UseCase,
        detail: Value,
        action: impl FnOnce(Identity, Principal) -> F + Send + 'static,
    ) -> Result<T, ServiceError>
    where
        T: Send + 'static,
        F: Future<Output = Result<(T, Value), IdentityError>> + Send + 'static,
    {
        self.perform_access_about(None, use_case, detail, action).await
    }

    /// The same about a meeting.
    async fn perform_access_at<T, F>(
        &self,
        meeting: &MeetingId,
        use_case: UseCase,
        detail: Value,
        action: impl FnOnce(Identity, Principal) -> F + Send + 'static,
    ) -> Result<T, ServiceError>
    where
        T: Send + 'static,
        F: Future<Output = Result<(T, Value), IdentityError>> + Send + 'static,
    {
        self.perform_access_about(Some(meeting.clone()), use_case, detail, action).await
    }

    async fn perform_access_about<T, F>(
        &self,
        meeting: Option<MeetingId>,
        use_case: UseCase,
        detail: Value,
        action: impl FnOnce(Identity, Principal) -> F + Send + 'static,
    ) -> Result<T, ServiceError>
    where
        T: Send + 'static,
        F: Future<Output = Result<(T, Value), IdentityError>> + Send + 'static,
    {
        let app = self.idle_app().await?;
        let identity = Identity::of_command(app.clone()).await?;
        let action = async move { Ok(action(identity, Principal::owner()).await?) };
        app.perform_here_noting(use_case, meeting, detail, action).await
    }

    /// The accounts, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn accounts(&self) -> Result<Vec<Account>, ServiceError> {
        self.perform_access(UseCase::ListAccounts, Value::Null, |identity, _| async move {
            Ok((identity.accounts(), Value::Null))
        })
        .await
    }

    /// The access tokens of all, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn tokens(&self) -> Result<Vec<Token>, ServiceError> {
        self.perform_access(UseCase::ListTokens, Value::Null, |identity, owner| async move {
            Ok((identity.tokens_of(&owner), Value::Null))
        })
        .await
    }

    /// The name and the scope of a new account, before a password is asked for.
    ///
    /// # Errors
    /// When it could not be created.
    pub async fn check_new_account(
        &self,
        name: &str,
        scope: Option<Scope>,
    ) -> Result<(String, Scope), IdentityError> {
        check_new_account(&self.store().accounts().await?, name, scope)
    }

    /// The account of this name, without regard to case.
    ///
    /// # Errors
    /// When there is none.
    pub async fn find_account(&self, name: &str) -> Result<Account, IdentityError> {
        let accounts = self.store().accounts().await?;
        let unknown = || IdentityError::NotFound { what: "account", id: name.to_owned() };
        find_account(&accounts, name).cloned().ok_or_else(unknown)
    }

    /// Creates an account.
    ///
    /// # Errors
    /// When the name is taken, the password is too weak, or the first account would be no owner.
    pub async fn create_account(&self, request: NewAccountRequest) -> Result<Account, ServiceError> {
        let detail = json!({ "name": request.name });
        self.perform_access(UseCase::CreateAccount, detail.clone(), |identity, _| async move {
            Ok((identity.create_account(request).await?, detail))
        })
        .await
    }

    /// Gives an account another password.
    ///
    /// # Errors
    /// When there is no such account, or the password is too weak.
    pub async fn change_password(
        &self,
        name: &str,
        password: String,
    ) -> Result<ChangedPassword, ServiceError> {
        let request = NewPasswordRequest { name: name.to_owned(), current: None, password, address: None };
        let detail = json!({ "name": name });
        self.perform_access(UseCase::ChangePassword, detail.clone(), |identity, owner| async move {
            Ok((identity.change_password(&owner, request).await?, detail))
        })
        .await
    }

    /// Deletes an account with its sessions and tokens. The last owner stays while there are other accounts.
    ///
    /// # Errors
    /// When there is no such account, or it is that of the last owner.
    pub async fn delete_account(&self, name: &str) -> Result<(), ServiceError> {
        let (name, detail) = (name.to_owned(), json!({ "name": name }));
        self.perform_access(UseCase::DeleteAccount, detail.clone(), |identity, _| async move {
            Ok((identity.delete_account(&name).await?, detail))
        })
        .await
    }

    /// The account that a token acts for, as the owner asks for it.
    ///
    /// # Errors
    /// When it could not be created.
    pub async fn check_new_token(&self, request: &NewTokenRequest) -> Result<String, IdentityError> {
        let accounts = self.store().accounts().await?;
        Ok(check_new_token(&accounts, &Principal::owner(), request)?.by)
    }

    /// Creates an access token.
    ///
    /// # Errors
    /// When a part of the request is not right, or the token could do more than its account.
    pub async fn create_token(&self, request: NewTokenRequest) -> Result<CreatedToken, ServiceError> {
        self.perform_access(UseCase::CreateToken, Value::Null, |identity, owner| async move {
            let created = identity.create_token(&owner, None, request).await?;
            let detail = created.audit_detail();
            Ok((created, detail))
        })
        .await
    }

    /// Revokes an access token.
    ///
    /// # Errors
    /// When there is none of this id, or the database cannot be written.
    pub async fn revoke_token(&self, id: &str) -> Result<(), ServiceError> {
        let (id, detail) = (id.to_owned(), json!({ "token": id }));
        self.perform_access(UseCase::RevokeToken, detail.clone(), |identity, owner| async move {
            Ok((identity.revoke_token(&owner, &id).await?, detail))
        })
        .await
    }

    /// Changes a meeting as the owner; it is not resumed.
    ///
    /// # Errors
    /// When a change is refused, or there is no such meeting.
    pub async fn change_meeting(&self, id: &MeetingId, change: MeetingChange) -> Result<(), ServiceError> {
        let (app, which) = (self.idle_app().await?, id.clone());
        let action = async move {
            let changed = app.change_meeting(&Principal::owner(), &which, change, None).await;
            changed.map(drop).map_err(|error| match error {
                EditError::Service(error) => error,
                EditError::Outdated { what, .. } => ServiceError::new(what, message!("app-try-again")),
            })
        };
        self.perform(UseCase::ChangeMeeting, Some(id.clone()), Value::Null, action).await
    }

    /// The links to the result of a meeting, newest first.
    ///
    /// # Errors
    /// When there is no such meeting.
    pub async fn result_links(&self, meeting: &MeetingId) -> Result<Vec<ResultLink>, ServiceError> {
        let id = meeting.clone();
        self.perform_access_at(meeting, UseCase::ListResultLinks, Value::Null, |identity, _| async move {
            Ok((identity.result_links(&id).await?, Value::Null))
        })
        .await
    }

    /// Creates a link to the result of a meeting, which holds for `days` or until it is revoked.
    ///
    /// # Errors
    /// When the meeting has not ended, or there are too many links.
    pub async fn create_result_link(
        &self,
        meeting: &MeetingId,
        days: Option<u32>,
    ) -> Result<CreatedResultLink, ServiceError> {
        let id = meeting.clone();
        self.perform_access_at(
            meeting,
            UseCase::CreateResultLink,
            Value::Null,
            move |identity, owner| async move {
                let created = identity.create_result_link(&owner, &id, days).await?;
                let detail = created.audit_detail();
                Ok((created, detail))
            },
        )
        .await
    }

    /// Revokes a link to the result of a meeting.
    ///
    /// # Errors
    /// When the meeting has no such link.
    pub async fn revoke_result_link(&self, meeting: &MeetingId, link: &str) -> Result<(), ServiceError> {
        let (id, link, detail) = (meeting.clone(), link.to_owned(), json!({ "link": link }));
        self.perform_access_at(meeting, UseCase::RevokeResultLink, detail.clone(), |identity, _| async move {
            Ok((identity.revoke_result_link(&id, &link).await?, detail))
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
