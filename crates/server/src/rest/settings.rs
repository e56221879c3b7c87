//! How the server is set: what can change while it runs is changed here, and kept.

use axum::Json;
use axum::extract::State;
use quorate_engine::{Clock, SystemClock};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use tokio::sync::Mutex;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::body::Body;
use crate::limits::{LimitOptions, LimitOutOfBounds};
use crate::problem::Problem;
use crate::state::ServerState;

/// Under which name they lie in the database.
const NAME: &str = "server";

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
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
pub(crate) struct SettingsChange {
    /// What is logged.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    log: Option<Option<String>>,
    /// Limits by name; those left out stay as they are.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<LimitOptions>)]
    limits: Option<Option<Map<String, Value>>>,
}

/// Tells what is null from what is not there.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// What was changed here, and was not taken back.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    limits: Map<String, Value>,
}

impl Kept {
    fn with(mut self, changes: &SettingsChange) -> Self {
        if let Some(log) = &changes.log {
            self.log.clone_from(log);
        }
        match &changes.limits {
            None => {}
            Some(None) => self.limits.clear(),
            Some(Some(limits)) => {
                self.limits.extend(limits.clone());
                self.limits.retain(|_, value| !value.is_null());
            }
        }
        self
    }
}

/// How the server is set
#[utoipa::path(get, path = "/api/v1/settings", tag = "settings", responses((status = 200, body = Settings)))]
async fn show(State(server): State<ServerState>) -> Json<Settings> {
    Json(server.settings())
}

/// Set the server otherwise, from this moment on
#[utoipa::path(
    patch, path = "/api/v1/settings", tag = "settings", request_body = SettingsChange,
    responses((status = 200, body = Settings), (status = 422, body = Problem)),
)]
async fn change(
    State(server): State<ServerState>,
    Body(changes): Body<SettingsChange>,
) -> Result<Json<Settings>, Problem> {
    // One at a time, so that none takes back another's.
    static CHANGES: Mutex<()> = Mutex::const_new(());
    let _turn = CHANGES.lock().await;
    let (first, kept) = (server.first_settings(), kept(&server).await?.with(&changes));
    let log = match changes.log {
        None => server.settings().log,
        Some(log) => log.unwrap_or(first.log),
    };
    let settings = Settings { log, limits: laid_over(&first.limits, &kept.limits)? };
    server.set(settings.clone())?;
    let value = serde_json::to_value(&kept).ok();
    server.store().set_setting(NAME, value, SystemClock.now()).await?;
    Ok(Json(settings))
}

/// What was changed here before, by this process or an earlier one.
async fn kept(server: &ServerState) -> Result<Kept, Problem> {
    let value = server.store().setting(NAME).await?;
    Ok(value.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default())
}

/// Lets hold what was changed before the last stop, but for what whoever started the server says.
pub(crate) async fn take_over(server: &ServerState) -> Result<(), Problem> {
    let (first, kept) = (server.first_settings(), kept(server).await?);
    let log = kept.log.filter(|_| !server.log_is_fixed()).unwrap_or(first.log.clone());
    let mut limits = first.limits;
    for (name, value) in kept.limits {
        // What another version knew, or took, keeps nobody from starting this one.
        match laid_over(&limits, &Map::from_iter([(name.clone(), value)])) {
            Ok(with) => limits = with,
            Err(problem) => tracing::warn!(%problem, "the setting limits.{name} is left out"),
        }
    }
    let first = first.log;
    server.set(Settings { log, limits: limits.clone() }).or_else(|problem| {
        tracing::warn!(%problem, "the setting log is left out");
        server.set(Settings { log: first, limits })
    })
}

fn laid_over(limits: &LimitOptions, over: &Map<String, Value>) -> Result<LimitOptions, Problem> {
    let hint = ("GET /api/v1/settings shows what there is", "GET /api/v1/settings 列出全部设置");
    let mut all = serde_json::to_value(limits).unwrap_or_default();
    if let Some(below) = all.as_object_mut() {
        below.extend(over.clone());
    }
    let limits: LimitOptions = serde_path_to_error::deserialize(all).map_err(|error| {
        let field = format!("limits.{}", error.path());
        Problem::invalid(&field, error.inner().to_string(), hint)
    })?;
    limits.check().map_err(|out| out_of_bounds(&out))?;
    Ok(limits)
}

/// With such a limit whoever sets it could not come back to set it otherwise.
fn out_of_bounds(out: &LimitOutOfBounds) -> Problem {
    let LimitOutOfBounds { name, given, least, most } = out;
    let detail =
        (format!("{given} is not within {least} to {most}"), format!("{given} 不在 {least} 到 {most} 之间"));
    let hint = match given < least {
        true => (
            format!(
                "with so little you could be locked out yourself; give at least {least}, or null for the default"
            ),
            format!("这样小会把你自己也挡在外面；至少写 {least}，或写 null 恢复默认"),
        ),
        false => (
            format!("give at most {most}, or null for the default"),
            format!("最多写 {most}，或写 null 恢复默认"),
        ),
    };
    Problem::invalid(&format!("limits.{name}"), detail, hint)
}
