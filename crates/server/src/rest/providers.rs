//! Providers of models. Their keys come in and never go out.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use quorate_app::{
    ModelView, ProviderRequest, ProviderTestReport, ProviderView, ServedModels, Speech, vendors,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::pagination::ItemPage;
use crate::access::AccessCredential;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::content_language::preferred;
use crate::requests::extract::{Body, Path};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(presets))
        .routes(routes!(replace, update, remove))
        .routes(routes!(models))
        .routes(routes!(test))
}

/// A vendor whose API address is built in.
#[derive(Debug, Serialize, ToSchema)]
struct ProviderPreset {
    /// The name of the provider.
    name: String,
    /// The base URL of the API.
    base_url: String,
    /// The environment variables that may hold the key.
    key_env: Vec<String>,
    /// The models that are tried first.
    models: Vec<String>,
}

/// The saved provider.
#[derive(Debug, Serialize, ToSchema)]
struct SavedProvider {
    /// The provider with its new settings; `null` when its base URL is set only in a configuration file.
    provider: Option<ProviderView>,
    /// The names of the changed settings.
    changed: Vec<String>,
}

/// A request to test a provider.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct ProviderTestRequest {
    /// The model; when left out, one is chosen from the provider's models.
    model: Option<String>,
}

/// List providers
#[utoipa::path(get, path = "/api/v1/providers", tag = "providers", operation_id = "list_providers", responses((status = 200, body = ItemPage<ProviderView>)))]
async fn list(State(server): State<ServerState>) -> Result<Json<ItemPage<ProviderView>>, Problem> {
    Ok(Json(ItemPage::whole(server.app().providers().await?)))
}

/// List known vendors
///
/// The vendors whose API addresses are built in, with the environment variables of their keys.
#[utoipa::path(get, path = "/api/v1/provider-presets", tag = "providers", operation_id = "list_provider_presets", responses((status = 200, body = ItemPage<ProviderPreset>)))]
async fn presets() -> Json<ItemPage<ProviderPreset>> {
    let preset = |vendor: &quorate_app::Vendor| ProviderPreset {
        name: vendor.name.clone(),
        base_url: vendor.base_url.to_string(),
        key_env: vendor.key_env.clone(),
        models: vendor.preferred.clone(),
    };
    Json(ItemPage::whole(vendors().iter().map(preset)))
}

/// Create or replace a provider
///
/// Fields that are left out are reset, the key included. Running meetings use the new settings from their next call.
/// The base URL must be a public address unless the operator allows others.
#[utoipa::path(
    put, path = "/api/v1/providers/{name}", tag = "providers", operation_id = "replace_provider", request_body = ProviderRequest,
    params(("name" = String, Path, description = "The provider's name, as in the names of its models: `openai`")),
    responses((status = 200, body = SavedProvider), (status = 201, body = SavedProvider), (status = 422, body = Problem)),
)]
async fn replace(
    State(server): State<ServerState>,
    Extension(credential): Extension<AccessCredential>,
    Path(name): Path<String>,
    Body(request): Body<ProviderRequest>,
) -> Result<Response, Problem> {
    let request = ProviderRequest { allow_local: server.allows_local(&credential), ..request };
    let saved = server.app().replace_provider(&name, &request).await?;
    let status = if saved.is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(SavedProvider { provider: saved.provider, changed: saved.changed })).into_response())
}

/// Update a provider
///
/// Fields that are left out keep their value. Running meetings use the new settings from their next call. The
/// base URL must be a public address unless the operator allows others.
#[utoipa::path(
    patch, path = "/api/v1/providers/{name}", tag = "providers", operation_id = "update_provider", request_body = ProviderRequest,
    params(("name" = String, Path, description = "The provider, by name")),
    responses((status = 200, body = SavedProvider), (status = 404, body = Problem), (status = 422, body = Problem)),
)]
async fn update(
    State(server): State<ServerState>,
    Extension(credential): Extension<AccessCredential>,
    Path(name): Path<String>,
    Body(request): Body<ProviderRequest>,
) -> Result<Json<SavedProvider>, Problem> {
    let request = ProviderRequest { allow_local: server.allows_local(&credential), ..request };
    let saved = server.app().update_provider(&name, &request).await?;
    Ok(Json(SavedProvider { provider: saved.provider, changed: saved.changed }))
}

/// Delete the stored settings of a provider
///
/// The stored key is deleted, too.
#[utoipa::path(
    delete, path = "/api/v1/providers/{name}", tag = "providers", operation_id = "delete_provider",
    params(("name" = String, Path, description = "The provider, by name")),
    responses((status = 204), (status = 404, body = Problem)),
)]
async fn remove(State(server): State<ServerState>, Path(name): Path<String>) -> Result<StatusCode, Problem> {
    server.app().remove_provider(&name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The models of a provider.
#[derive(Debug, Serialize, ToSchema)]
struct ProviderModelList {
    /// The models in the order of their names.
    items: Vec<ModelView>,
    /// Always `null`: the list has one page.
    next_cursor: Option<String>,
    /// Whether the provider answered. `false` only for a server that needs no key, such as a local Ollama that is not
    /// running; any other provider that does not answer is an error.
    reachable: bool,
}

/// List the models of a provider
///
/// A server that needs no key and does not run has no models, and `reachable` is `false`.
#[utoipa::path(
    get, path = "/api/v1/providers/{name}/models", tag = "providers", operation_id = "list_provider_models",
    params(("name" = String, Path, description = "The provider, by name")),
    responses((status = 200, body = ProviderModelList), (status = 404, body = Problem), (status = 502, body = Problem)),
)]
async fn models(
    State(server): State<ServerState>,
    Path(name): Path<String>,
) -> Result<Json<ProviderModelList>, Problem> {
    let ServedModels { models, reachable } = server.app().models(&name).await?;
    Ok(Json(ProviderModelList { items: models, next_cursor: None, reachable }))
}

/// Test a provider
///
/// Checks answers, streaming and structured output, which costs a few tokens. Texts are in the language that
/// `Accept-Language` prefers.
#[utoipa::path(
    post, path = "/api/v1/providers/{name}/test", tag = "providers", operation_id = "test_provider", request_body = ProviderTestRequest,
    params(("name" = String, Path, description = "The provider, by name")),
    responses((status = 200, body = ProviderTestReport), (status = 404, body = Problem)),
)]
async fn test(
    State(server): State<ServerState>,
    Path(name): Path<String>,
    headers: HeaderMap,
    Body(trial): Body<ProviderTestRequest>,
) -> Result<Json<ProviderTestReport>, Problem> {
    let speech = Speech(preferred(&headers));
    Ok(Json(server.app().test_provider(&name, trial.model.as_deref(), speech).await?))
}
