//! How the server is set: what can change while it runs is changed here, and kept.

use axum::Json;
use axum::extract::State;
use quorate_engine::{Clock, SystemClock};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::body::Body;
use crate::limits::LimitOptions;
use crate::problem::Problem;

/// Under which name they lie in the database.
const NAME: &str = "server";

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show, change))
}

/// What can change while the server runs. What was changed here holds over the configuration file from then on,
/// also after a restart; flags and variables hold over both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Settings {
    /// What is logged: `debug`, `info`, `warning`, `error`, `critical`, or per part:
    /// `quorate_runners=debug,warning`.
    pub(crate) log: String,
    /// How much of everything.
    pub(crate) limits: LimitOptions,
}

/// What is to be otherwise; `null` takes a change back.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Changes {
    /// What is logged.
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<String>,
    /// Limits by name; those left out stay as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<LimitOptions>)]
    limits: Option<serde_json::Map<String, serde_json::Value>>,
}

/// How the server is set
#[utoipa::path(get, path = "/api/v1/settings", tag = "settings", responses((status = 200, body = Settings)))]
async fn show(State(app): State<App>) -> Json<Settings> {
    Json(app.settings())
}

/// Set the server otherwise, from this moment on
#[utoipa::path(
    patch, path = "/api/v1/settings", tag = "settings", request_body = Changes,
    responses((status = 200, body = Settings), (status = 422, body = Problem)),
)]
async fn change(State(app): State<App>, Body(changes): Body<Changes>) -> Result<Json<Settings>, Problem> {
    let settings = laid_over(app.settings(), &changes)?;
    app.set(settings.clone())?;
    let mut kept = kept(&app).await?;
    kept.log = changes.log.or(kept.log);
    if let Some(limits) = changes.limits {
        kept.limits.get_or_insert_default().extend(limits);
    }
    let value = serde_json::to_value(&kept).ok();
    app.store().set_setting(NAME, value, SystemClock.now()).await?;
    Ok(Json(settings))
}

/// What was changed here before, by this process or an earlier one.
async fn kept(app: &App) -> Result<Changes, Problem> {
    let value = app.store().setting(NAME).await?;
    Ok(value.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default())
}

/// Lets hold what was changed before the last stop.
pub(crate) async fn take_over(app: &App) -> Result<(), Problem> {
    let settings = laid_over(app.settings(), &kept(app).await?)?;
    app.set(settings)
}

fn laid_over(settings: Settings, changes: &Changes) -> Result<Settings, Problem> {
    let log = changes.log.clone().unwrap_or(settings.log);
    let Some(over) = &changes.limits else { return Ok(Settings { log, ..settings }) };
    let mut limits = serde_json::to_value(&settings.limits).unwrap_or_default();
    if let Some(below) = limits.as_object_mut() {
        below.extend(over.clone());
    }
    let limits = serde_path_to_error::deserialize(limits).map_err(|error| {
        let field = format!("limits.{}", error.path());
        Problem::invalid(
            &field,
            error.inner().to_string(),
            ("GET /api/v1/settings shows what there is", "GET /api/v1/settings 列出全部设置"),
        )
    })?;
    Ok(Settings { log, limits })
}
