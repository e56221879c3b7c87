//! Accounts: who may sign in, and with which password.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use quorate_app::{Account, NewAccountRequest, NewPasswordRequest};
use quorate_contract::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::client::Client;
use super::{Detail, Scope, SignedIn};
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path};
use crate::rest::ItemPage;
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(list, add)).routes(routes!(remove)).routes(routes!(password))
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
        Self { name, scope: Scope::of_stored(&scope), created_at: created_ms, updated_at: updated_ms }
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
    Json(ItemPage::whole(server.access().identity().accounts().into_iter().map(AccountView::of)))
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
    let NewAccount { name, password, scope } = asked;
    let request = NewAccountRequest { name, password, scope: Some(scope) };
    let account = server.access().identity().create_account(request).await?;
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
    server.access().identity().delete_account(&name).await?;
    Ok(StatusCode::NO_CONTENT)
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
    Path(name): Path<String>,
    Body(asked): Body<NewPassword>,
) -> Result<StatusCode, Problem> {
    let NewPassword { current, password } = asked;
    let request = NewPasswordRequest { name, current, password, address: Some(client.address) };
    server.access().identity().change_password(&principal, request).await?;
    Ok(StatusCode::NO_CONTENT)
}
