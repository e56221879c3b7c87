//! Agents and providers of the app. What changes about a provider holds from the next call on.

use quorate_engine::{Clock, Secret, SystemClock};
use quorate_messages::message;
use quorate_runners::{Health, vendor};
use quorate_store::{Agent, Credential, Settings};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::App;
use crate::error::ServiceError;
use crate::language::Speech;
use crate::meeting_file::create_meeting::CreateMeetingRequest;
use crate::meeting_file::rules::nearest;
use crate::meeting_file::user_file::UserFile;
use crate::planning::agents::{AgentRequest, SavedAgent, create_agent, test_agent, update_agent};
use crate::providers::available::{
    FoundProvider, OLLAMA, Source, found_providers, how_to_add, near_provider,
};
use crate::providers::credential::{
    changed, check_given, check_provider, check_setting, check_word, has_its_key, take_by_name,
};
use crate::providers::stored::stored_credentials;
use crate::providers::trial::{ProviderTestReport, try_out};
use crate::providers::view::{ProviderView, ServedModels, served_models};

/// The settings of a provider. `null` resets a field. A field that is left out keeps its value when the provider is
/// updated, and is reset when it is replaced.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProviderRequest {
    /// The base URL of the API.
    pub base_url: Option<String>,
    /// The API key; stored encrypted and never returned.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, write_only))]
    pub api_key: Option<Secret>,
    /// Settings for requests: `vendor`, `wire`, `concurrency`, `requests_per_minute`, `tokens_per_minute`,
    /// `proxy`, `structured`, `streaming`, `retries`, `public_only`, `extra_headers`, `timeouts`.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub settings: GivenSettings,
    /// Whether addresses may lie on this machine or its network. Only the operator may allow it.
    #[serde(skip)]
    pub allow_local: bool,
}

/// Settings from a request. Some may be secret, so `Debug` shows only their names.
#[derive(Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct GivenSettings(pub Map<String, Value>);

impl std::fmt::Debug for GivenSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// The settings that a remote client may set. Variables and files of this machine are not among them.
const SETTINGS: [&str; 12] = [
    "vendor",
    "wire",
    "concurrency",
    "requests_per_minute",
    "tokens_per_minute",
    "proxy",
    "structured",
    "streaming",
    "retries",
    "public_only",
    "extra_headers",
    "timeouts",
];

/// A provider as it is now stored.
#[derive(Debug, Clone)]
pub struct SavedProvider {
    /// The provider with its new settings; `null` when its base URL is set only in a configuration file.
    pub provider: Option<ProviderView>,
    /// Whether the provider had no stored settings before.
    pub is_new: bool,
    /// The names of the changed settings.
    pub changed: Vec<String>,
}

/// What becomes of the settings that a request leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SaveMode {
    /// They stay as they are.
    Update,
    /// They are reset.
    Replace,
}

impl App {
    /// The agents, in the order in which they were created.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn agents(&self) -> Result<Vec<Agent>, ServiceError> {
        Ok(self.store().agents().await?)
    }

    /// The agent of this name or id.
    ///
    /// # Errors
    /// When there is none.
    pub async fn agent(&self, name: &str) -> Result<Agent, ServiceError> {
        Ok(self.store().agent(name).await?)
    }

    /// Takes an agent into the library.
    ///
    /// # Errors
    /// When something about it is not right, or its name is taken.
    pub async fn create_agent(&self, request: &AgentRequest) -> Result<SavedAgent, ServiceError> {
        let saved = create_agent(self.store(), request).await?;
        self.reload_for(request.base_url.is_some() || request.api_key.is_some()).await?;
        Ok(saved)
    }

    /// Changes what is given about an agent; meetings stay as they are.
    ///
    /// # Errors
    /// When something about it is not right, or there is no such agent.
    pub async fn update_agent(&self, name: &str, request: &AgentRequest) -> Result<SavedAgent, ServiceError> {
        let saved = update_agent(self.store(), name, request).await?;
        self.reload_for(request.base_url.is_some() || request.api_key.is_some()).await?;
        Ok(saved)
    }

    /// Takes an agent out of the library; meetings stay as they are.
    ///
    /// # Errors
    /// When there is none of this name or id.
    pub async fn delete_agent(&self, name: &str) -> Result<Agent, ServiceError> {
        let agent = self.agent(name).await?;
        self.store().delete_agent(agent.id.as_str(), crate::clock::now()).await?;
        self.webhooks_changed();
        Ok(agent)
    }

    /// Asks an agent's model for one word; nothing for an agent that no model answers for.
    ///
    /// # Errors
    /// When there is no such agent, or its provider does not do its part.
    pub async fn test_agent(&self, name: &str) -> Result<Option<quorate_runners::Probe>, ServiceError> {
        let agent = self.agent(name).await?;
        test_agent(&self.sources(), &CreateMeetingRequest::default(), &agent).await
    }

    /// The providers that can be used, and those of which something is stored that cannot be used alone.
    ///
    /// # Errors
    /// When something that is configured or stored cannot be used.
    pub async fn providers(&self) -> Result<Vec<ProviderView>, ServiceError> {
        let credentials = stored_credentials(self.store()).await?;
        let found = self.configured(&credentials, false).await?;
        // A preset without a key can be used at any time; it is listed among the presets.
        let used =
            found.values().filter(|found| found.source != Source::Preset || found.config.name == OLLAMA);
        let mut views: Vec<ProviderView> = used.map(ProviderView::of).collect();
        let lost = credentials.iter().filter(|credential| !found.contains_key(&credential.provider));
        views.extend(lost.map(ProviderView::without_address));
        Ok(views)
    }

    /// The health of a provider as observed by its calls; `None` when it is not configured.
    pub async fn health(&self, name: &str) -> Option<Health> {
        self.0.runners.provider(name).await.map(|runner| runner.health())
    }

    /// Changes what is given about a provider. A field that is left out stays as it is.
    ///
    /// # Errors
    /// When there is no such provider, no request could be made with what is given, or its address is not
    /// allowed.
    pub async fn update_provider(
        &self,
        name: &str,
        request: &ProviderRequest,
    ) -> Result<SavedProvider, ServiceError> {
        let credentials = stored_credentials(self.store()).await?;
        let known = self.configured(&credentials, false).await?;
        let is_stored = credentials.iter().any(|credential| credential.provider == name);
        if !is_stored && !known.contains_key(name) {
            return Err(no_such_provider(name, known.keys().map(String::as_str)));
        }
        self.save_provider(name, request, SaveMode::Update).await
    }

    /// Creates a provider, or replaces all that is stored about one.
    ///
    /// # Errors
    /// When no request could be made with what is given, or its address is not allowed.
    pub async fn replace_provider(
        &self,
        name: &str,
        request: &ProviderRequest,
    ) -> Result<SavedProvider, ServiceError> {
        self.save_provider(name, request, SaveMode::Replace).await
    }

    async fn save_provider(
        &self,
        name: &str,
        request: &ProviderRequest,
        mode: SaveMode,
    ) -> Result<SavedProvider, ServiceError> {
        let settings = &request.settings.0;
        if let Some(unknown) = settings.keys().find(|name| !SETTINGS.contains(&name.as_str())) {
            let hint = match nearest(unknown, SETTINGS.into_iter()).first() {
                Some(near) => message!("app-near-setting", near = *near),
                None => message!("app-provider-known-settings", settings = SETTINGS.join(", ")),
            };
            let error =
                ServiceError::usage(message!("app-provider-no-setting", setting = unknown.as_str()), hint);
            return Err(error.with("field", unknown.as_str()));
        }
        for word in ["wire", "structured", "streaming", "vendor"] {
            check_word(word, word, settings.get(word))?;
        }
        for (setting, value) in settings {
            check_setting(setting, value)?;
        }
        let before = self.store().credential(name).await?;
        let mut given = Credential {
            base_url: request.base_url.clone(),
            key: request.api_key.clone(),
            settings: Settings(settings.clone()),
            ..Credential::blank(name)
        };
        if given == Credential::blank(name) {
            if before.is_some() && mode == SaveMode::Update {
                return Ok(SavedProvider {
                    provider: self.used_provider(name).await?,
                    is_new: false,
                    changed: Vec::new(),
                });
            }
            take_by_name(&mut given)?;
            if let Some(preset) = vendor(name) {
                has_its_key(name, preset)?;
            }
        }
        let given = check_given(given, request.allow_local)?;
        let saved = match mode {
            SaveMode::Update => {
                check_provider(&self.sources(), &given, before.as_ref())?;
                self.store().save_credential(given, SystemClock.now()).await?
            }
            SaveMode::Replace => {
                check_provider(&self.sources(), &given, None)?;
                self.store().replace_credential(given, SystemClock.now()).await?
            }
        };
        self.reload().await?;
        Ok(SavedProvider {
            provider: self.used_provider(name).await?,
            is_new: before.is_none(),
            changed: changed(before.as_ref(), &saved),
        })
    }

    /// A provider as it is used: what is stored over what files and the environment say.
    async fn used_provider(&self, name: &str) -> Result<Option<ProviderView>, ServiceError> {
        let used = self.configured(&stored_credentials(self.store()).await?, false).await?;
        Ok(used.get(name).map(ProviderView::of))
    }

    /// Forgets what is stored for a provider. What files and the environment say of it still holds: that is
    /// what comes back.
    ///
    /// # Errors
    /// When nothing is stored for it.
    pub async fn remove_provider(&self, name: &str) -> Result<Option<ProviderView>, ServiceError> {
        self.store().delete_credential(name).await?;
        self.reload().await?;
        let left = self.configured(&stored_credentials(self.store()).await?, false).await?.remove(name);
        Ok(left.filter(|found| found.source != Source::Preset).map(|found| ProviderView::of(&found)))
    }

    /// The models of a provider, with their prices as far as they are known; none where no key is needed and no server
    /// answers.
    ///
    /// # Errors
    /// When there is no such provider, or it gives no list.
    pub async fn models(&self, name: &str) -> Result<ServedModels, ServiceError> {
        let FoundProvider { config, .. } = self.provider(name).await?;
        served_models(&config, &UserFile::read(self.config())?.prices).await
    }

    /// Tries out what a provider can do, which costs a few tokens. `model` is its own choice when left out.
    ///
    /// # Errors
    /// When there is no such provider. What does not work is in the report.
    pub async fn test_provider(
        &self,
        name: &str,
        model: Option<&str>,
        speech: Speech,
    ) -> Result<ProviderTestReport, ServiceError> {
        let FoundProvider { config, .. } = self.provider(name).await?;
        try_out(config, model, &UserFile::read(self.config())?.prices, speech).await
    }

    async fn configured(
        &self,
        credentials: &[Credential],
        ask: bool,
    ) -> Result<std::collections::BTreeMap<String, FoundProvider>, ServiceError> {
        found_providers(&CreateMeetingRequest::default(), &UserFile::read(self.config())?, credentials, ask)
            .await
    }

    /// The provider of this name, ready to be asked.
    async fn provider(&self, name: &str) -> Result<FoundProvider, ServiceError> {
        let mut all = self.configured(&stored_credentials(self.store()).await?, true).await?;
        all.remove(name).ok_or_else(|| no_such_provider(name, all.keys().map(String::as_str)))
    }

    async fn reload_for(&self, provider_changed: bool) -> Result<(), ServiceError> {
        if provider_changed { self.reload().await } else { Ok(()) }
    }
}

/// The error for a name under which no provider is configured.
pub fn no_such_provider<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> ServiceError {
    let hint = match nearest(name, known).first() {
        Some(near) => near_provider(near),
        None => how_to_add(name),
    };
    ServiceError::usage(message!("app-no-provider", %name), hint)
        .not_found("provider", name)
        .with("field", "provider")
}
