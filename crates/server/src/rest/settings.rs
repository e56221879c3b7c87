//! How the server is set: what can change while it runs is changed here, and kept.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use tokio::sync::Mutex;
use utoipa::ToSchema;

use crate::api_router::{ApiRouter, routes};
use crate::limits::rates::LimitOptions;
use crate::problem::Problem;
use crate::requests::extract::Body;
use crate::settings::{NAME, ServerSettings, kept, laid_over};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(show, change))
}

/// Changes of the settings; `null` undoes an earlier change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SettingsChange {
    /// The log filter.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, min_length = 1)]
    log: Option<Option<String>>,
    /// Changes of the limits. Limits that are left out keep their value.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<LimitOptions>)]
    limits: Option<Option<Map<String, Value>>>,
}

/// Tells what is null from what is not there.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// Get the server settings
#[utoipa::path(get, path = "/api/v1/settings", tag = "settings", operation_id = "get_settings", responses((status = 200, body = ServerSettings)))]
async fn show(State(server): State<ServerState>) -> Json<ServerSettings> {
    Json(server.settings())
}

/// Update the server settings
///
/// Changes take effect at once.
#[utoipa::path(
    patch, path = "/api/v1/settings", tag = "settings", operation_id = "update_settings", request_body = SettingsChange,
    responses((status = 200, body = ServerSettings), (status = 422, body = Problem)),
)]
async fn change(
    State(server): State<ServerState>,
    Body(changes): Body<SettingsChange>,
) -> Result<Json<ServerSettings>, Problem> {
    // One at a time, so that none takes back another's.
    static CHANGES: Mutex<()> = Mutex::const_new(());
    let _turn = CHANGES.lock().await;
    let SettingsChange { log, limits } = changes;
    let (first, kept) = (server.first_settings(), kept(server.app()).await?.with(log.clone(), limits));
    let log = match log {
        None => server.settings().log,
        Some(log) => log.unwrap_or(first.log),
    };
    let settings = ServerSettings { log, limits: laid_over(&first.limits, &kept.limits)? };
    server.set(settings.clone())?;
    let value = serde_json::to_value(&kept).ok();
    server.app().set_setting(NAME, value, quorate_app::now()).await?;
    Ok(Json(settings))
}
