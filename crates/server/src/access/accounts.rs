//! Accounts: who may sign in, and with which password.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use quorate_app::{Account, Attempt, Removal, check_account_name, check_account_password};
use quorate_contract::Timestamp;
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::client::Client;
use super::guests::not_free;
use super::identity::{Credential, scope_of};
use super::{Detail, Scope, SignedIn};
use crate::body::{Body, Path};
use crate::problem::Problem;
use crate::rest::ItemPage;
use crate::state::ServerState;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(list, add)).routes(routes!(remove)).routes(routes!(password))
}

/// An account with which a person signs in.
#[derive(Debug, Serialize, ToSchema)]
struct AccountView {
    /// The name.
    name: String,
    /// The permissions of the account.
    scope: Scope,
    /// When the account was created.
    created_at: Timestamp,
    /// When its password was last changed.
    updated_at: Timestamp,
}

impl AccountView {
    fn of(account: Account) -> Self {
        let Account { name, scope, created_ms, updated_ms } = account;
        Self { name, scope: scope_of(&scope), created_at: created_ms, updated_at: updated_ms }
    }
}

/// List accounts
///
/// Accounts are sorted by name.
#[utoipa::path(
    get, path = "/api/v1/accounts", tag = "access", operation_id = "list_accounts",
    responses((status = 200, body = ItemPage<AccountView>), (status = 401, body = Problem), (status = 403, body = Problem)),
)]
async fn list(State(server): State<ServerState>) -> Json<ItemPage<AccountView>> {
    Json(ItemPage::whole(server.access().accounts().into_iter().map(AccountView::of)))
}

/// A request for a new account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewAccount {
    /// The name, unique without regard to case.
    #[schema(min_length = 1, max_length = 50)]
    name: String,
    /// The password.
    #[schema(min_length = 8)]
    password: String,
    /// The permissions. The first account must have the scope `owner`.
    scope: Scope,
}

/// Create an account
#[utoipa::path(
    post, path = "/api/v1/accounts", tag = "access", operation_id = "create_account", request_body = NewAccount,
    responses((status = 201, body = AccountView), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem)),
)]
async fn add(State(server): State<ServerState>, Body(asked): Body<NewAccount>) -> Result<Response, Problem> {
    let accounts = server.access().accounts();
    let name = check_account_name("name", &asked.name, accounts.iter().map(|account| account.name.as_str()))
        .map_err(not_free)?;
    good_enough(&name, &asked.password)?;
    if accounts.is_empty() && asked.scope != Scope::Owner {
        // From the first account on people have to sign in; without an owner, no account could manage the
        // server.
        let detail = message!("server-first-account-is-owner");
        return Err(Problem::invalid("scope", detail, message!("server-first-account-is-owner-hint")));
    }
    let hash = server.access().hashed(asked.password).await?;
    let now = quorate_app::now();
    let scope = asked.scope.as_str().to_owned();
    let account = Account { name: name.clone(), scope, created_ms: now, updated_ms: now };
    if !server.access().add_account(account.clone(), hash).await? {
        let detail = message!("server-account-exists", %name);
        return Err(Problem::new(StatusCode::CONFLICT, "name-taken", detail.clone())
            .hint(message!("server-account-exists-hint"))
            .field("name", detail));
    }
    let place = [(header::LOCATION, "/api/v1/accounts")];
    let detail = Extension(Detail(json!({ "name": account.name })));
    Ok((StatusCode::CREATED, place, detail, Json(AccountView::of(account))).into_response())
}

/// Delete an account
///
/// The account's sessions and access tokens are revoked, and its webhooks are disabled.
#[utoipa::path(
    delete, path = "/api/v1/accounts/{name}", tag = "access", operation_id = "delete_account",
    params(("name" = String, Path, description = "The account, by name")),
    responses((status = 204, description = "The account was deleted"), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)),
)]
async fn remove(State(server): State<ServerState>, Path(name): Path<String>) -> Result<StatusCode, Problem> {
    let is_it = |account: &&Account| account.name.to_lowercase() == name.to_lowercase();
    let accounts = server.access().accounts();
    let found = accounts.iter().find(is_it).ok_or_else(|| Problem::not_found("account", &name))?;
    let removed = server.access().remove_account(&found.name).await?;
    if removed == Removal::LastOne {
        let detail = message!("server-last-owner", name = %found.name);
        return Err(
            Problem::new(StatusCode::CONFLICT, "last-owner", detail).hint(message!("server-last-owner-hint"))
        );
    }
    server.app().webhooks_changed();
    match removed {
        Removal::Removed | Removal::LastOne => Ok(StatusCode::NO_CONTENT),
        // Another request removed it first.
        Removal::Unknown => Err(Problem::not_found("account", &name)),
    }
}

/// A request to change a password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewPassword {
    /// The current password; the owner can leave it out for other accounts.
    #[serde(default)]
    current: Option<String>,
    /// The password.
    #[schema(min_length = 8)]
    password: String,
}

/// Change an account's password
///
/// All sessions of the account end.
#[utoipa::path(
    put, path = "/api/v1/accounts/{name}/password", tag = "access", operation_id = "set_account_password", request_body = NewPassword,
    params(("name" = String, Path, description = "The account, by name")),
    responses((status = 204, description = "The password was changed"), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem),
        (status = 429, body = Problem)),
)]
async fn password(
    State(server): State<ServerState>,
    client: Client,
    SignedIn(principal): SignedIn,
    Extension(credential): Extension<Credential>,
    Path(name): Path<String>,
    Body(asked): Body<NewPassword>,
) -> Result<StatusCode, Problem> {
    let own = matches!(credential, Credential::Session(_))
        && principal.meeting.is_none()
        && principal.name.to_lowercase() == name.to_lowercase();
    let owner = principal.scope == Scope::Owner && principal.meeting.is_none();
    if !own && !owner {
        return Err(Problem::not_found("account", &name));
    }
    good_enough(&name, &asked.password)?;
    if own {
        // Asks for the present password, so that a person at an unwatched screen cannot take over the
        // account.
        let counted = server.app().attempt(client.address, Attempt::Account(&name))?;
        let kept = server.app().account_password(&counted, &name).await?.map(|(_, kept)| kept);
        if !server.access().is_right(asked.current.unwrap_or_default(), kept).await? {
            let detail = message!("server-not-current-password");
            let hint = message!("server-not-current-password-hint");
            return Err(Problem::invalid("current", detail, hint));
        }
    }
    let hash = server.access().hashed(asked.password).await?;
    match server.access().change_password(&name, hash).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Problem::not_found("account", &name)),
    }
}

fn good_enough(name: &str, password: &str) -> Result<(), Problem> {
    check_account_password(name, password).map_err(Problem::from)
}
