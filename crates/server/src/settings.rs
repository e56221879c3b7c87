//! Settings of the server that can be changed over the interface, and their storage.

use quorate_app::App;
use quorate_messages::{decoding_problem, message};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::limits::rates::{LimitOptions, LimitOutOfBounds};
use crate::problem::Problem;

/// Under which name the changes lie in the database.
pub(crate) const NAME: &str = "server";

/// Server settings that can be changed while the server runs. A change takes precedence over the
/// configuration file, also after a restart; command-line flags and environment variables take precedence
/// over both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ServerSettings {
    /// The log filter: `debug`, `info`, `warning`, `error`, `critical`, or per part:
    /// `quorate_runners=debug,warning`.
    pub(crate) log: String,
    /// The limits.
    pub(crate) limits: LimitOptions,
}

/// The changes that are stored.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct StoredSettings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) log: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(crate) limits: Map<String, Value>,
}

impl StoredSettings {
    /// With further changes; `None` within takes one back.
    pub(crate) fn with(
        mut self,
        log: Option<Option<String>>,
        limits: Option<Option<Map<String, Value>>>,
    ) -> Self {
        if let Some(log) = log {
            self.log = log;
        }
        match limits {
            None => {}
            Some(None) => self.limits.clear(),
            Some(Some(limits)) => {
                self.limits.extend(limits);
                self.limits.retain(|_, value| !value.is_null());
            }
        }
        self
    }

    /// Lays the changes over the settings of the start. A change that this version does not know or accept is
    /// ignored, so that the server can start.
    pub(crate) fn over(self, first: ServerSettings, log_is_fixed: bool) -> ServerSettings {
        let ServerSettings { log, mut limits } = first;
        for (name, value) in self.limits {
            match laid_over(&limits, &Map::from_iter([(name.clone(), value)])) {
                Ok(with) => limits = with,
                Err(problem) => tracing::warn!(%problem, "the setting limits.{name} is left out"),
            }
        }
        ServerSettings { log: self.log.filter(|_| !log_is_fixed).unwrap_or(log), limits }
    }
}

/// The changes that this process or an earlier one has stored.
pub(crate) async fn kept(app: &App) -> Result<StoredSettings, Problem> {
    let value = app.setting(NAME).await?;
    Ok(value.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default())
}

/// The limits with some of them given otherwise.
///
/// # Errors
/// When one is unknown, or out of its bounds.
pub(crate) fn laid_over(limits: &LimitOptions, over: &Map<String, Value>) -> Result<LimitOptions, Problem> {
    let hint = message!("server-settings-hint");
    let mut all = serde_json::to_value(limits).unwrap_or_default();
    if let Some(below) = all.as_object_mut() {
        below.extend(over.clone());
    }
    let limits: LimitOptions = serde_path_to_error::deserialize(all).map_err(|error| {
        let field = format!("limits.{}", error.path());
        Problem::invalid(&field, decoding_problem(&error.inner().to_string()), hint)
    })?;
    limits.check().map_err(|out| out_of_bounds(&out))?;
    Ok(limits)
}

/// The error for a limit that would keep its owner from changing it again.
fn out_of_bounds(out: &LimitOutOfBounds) -> Problem {
    let LimitOutOfBounds { name, given, least, most } = out;
    let detail = message!("server-setting-range", %given, %least, %most);
    let hint = match given < least {
        true => message!("server-setting-too-small", %least),
        false => message!("server-setting-too-large", %most),
    };
    Problem::invalid(&format!("limits.{name}"), detail, hint)
}
