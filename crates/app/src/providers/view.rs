//! Providers and their models for display. No key is shown, not even its beginning.

use std::collections::BTreeMap;
use std::time::Duration;

use quorate_contract::FailureKind;
use quorate_runners::{ProviderConfig, WireFormat, share_standings};
use quorate_store::Credential;
use serde::Serialize;

use crate::error::ServiceError;
use crate::meeting_file::prices::{OwnPrice, price};
use crate::providers::available::{FoundProvider, Source};
use crate::providers::chat_models::talks;
use crate::providers::discover::{list, variable};

/// The time limit for a server to list its models.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A provider of models.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProviderView {
    /// The provider's name, as in `PROVIDER/NAME`.
    pub provider: String,
    /// The source of its configuration: `preset`, `stored`, `environment:VARIABLE`, `config`, `meeting`.
    pub source: String,
    /// The vendor of the API, by the name of a preset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vendor: Option<String>,
    /// The wire format of the API; absent when no address is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub wire: Option<WireFormat>,
    /// The base URL of the API, without parts that may be secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The source of its key: `environment:VARIABLE`, `file`, `stored`, `none`.
    pub key: String,
    /// The environment variable for the key, when the provider needs a key and has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// The largest number of concurrent calls, where it is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<usize>,
    /// The number of calls that the provider is sent at once at present: the configured one, or what was found so far. Absent
    /// before the provider is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls_limit: Option<u32>,
    /// The largest number of requests per minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u32>,
    /// The largest number of tokens per minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<u32>,
    /// The names of the additional headers. Their values may be secret and are not returned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<String>,
    /// Whether requests to the provider go through its own proxy.
    pub proxy: bool,
    /// Whether addresses of the server and its network are refused.
    pub public_only: bool,
}

impl ProviderView {
    /// The view of a provider that was found.
    pub fn of(FoundProvider { config, source }: &FoundProvider) -> Self {
        let key_env = config.key_variable.clone().filter(|_| config.key.is_none());
        Self {
            provider: config.name.clone(),
            source: source_name(source),
            vendor: config.vendor.clone(),
            wire: Some(config.wire),
            base_url: Some(config.shown_url()),
            key: key_source(config),
            key_env,
            concurrency: config.concurrency,
            calls_limit: calls_limit(&config.name),
            requests_per_minute: config.requests_per_minute,
            tokens_per_minute: config.tokens_per_minute,
            headers: config.extra_headers.keys().cloned().collect(),
            proxy: config.proxy.as_ref().is_some_and(|proxy| proxy.expose() != "none"),
            public_only: config.public_only,
        }
    }

    /// The view of a stored provider without a known address.
    pub fn without_address(credential: &Credential) -> Self {
        Self {
            provider: credential.provider.clone(),
            source: source_name(&Source::Stored),
            vendor: None,
            wire: None,
            base_url: None,
            key: if credential.key.is_some() { "stored" } else { "none" }.to_owned(),
            key_env: None,
            concurrency: None,
            calls_limit: None,
            requests_per_minute: None,
            tokens_per_minute: None,
            headers: Vec::new(),
            proxy: false,
            public_only: false,
        }
    }
}

/// The number of concurrent calls to a provider at present.
fn calls_limit(provider: &str) -> Option<u32> {
    share_standings().into_iter().rfind(|share| share.provider == provider).map(|share| share.limit)
}

fn source_name(source: &Source) -> String {
    match source {
        Source::Preset => "preset".to_owned(),
        Source::Stored => "stored".to_owned(),
        Source::Environment(variable) => format!("environment:{variable}"),
        Source::UserFile => "config".to_owned(),
        Source::MeetingFile => "meeting".to_owned(),
    }
}

/// The source of a key: `environment:VARIABLE`, `file`, `stored`, `none`.
pub fn key_source(provider: &ProviderConfig) -> String {
    match (&provider.key, &provider.key_variable, &provider.key_file) {
        (None, _, _) => "none".to_owned(),
        (Some(_), Some(name), _) if variable(name).is_some() => format!("environment:{name}"),
        (Some(_), _, Some(_)) => "file".to_owned(),
        (Some(_), _, None) => "stored".to_owned(),
    }
}

/// A model that a provider serves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ModelView {
    /// The provider's name.
    pub provider: String,
    /// The name of the model at the provider.
    pub model: String,
    /// The price per million tokens; absent when it is not known, which is not a price of zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<ModelPrice>,
    /// Whether it can take part in a conversation, as far as its name tells: models for embeddings, speech and images
    /// cannot.
    pub can_chat: bool,
}

/// The price of a model, in units of the currency per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ModelPrice {
    /// The price of input.
    pub input: f64,
    /// The price of output.
    pub output: f64,
}

/// The models that a provider serves, or that nobody answers at its address.
#[derive(Debug, Clone, PartialEq)]
pub struct ServedModels {
    /// The models in the order of their names, with what they cost.
    pub models: Vec<ModelView>,
    /// Whether the provider answered. A server without a key, such as a local Ollama, may simply not run: that is an
    /// answer and no error.
    pub reachable: bool,
}

/// The models of a provider, or that no server runs there, where it needs no key.
///
/// # Errors
/// When it gives no list: a provider with a key could not be reached, or one that was reached failed.
pub async fn served_models(
    config: &ProviderConfig,
    prices: &BTreeMap<String, OwnPrice>,
) -> Result<ServedModels, ServiceError> {
    match list(config, TIMEOUT).await {
        Ok(models) => Ok(ServedModels { models: priced(config, prices, models), reachable: true }),
        Err(failure)
            if config.key.is_none()
                && matches!(failure.kind, FailureKind::Network | FailureKind::TimedOut) =>
        {
            Ok(ServedModels { models: Vec::new(), reachable: false })
        }
        Err(failure) => Err(ServiceError::failed(&config.name, None, failure)),
    }
}

/// The models of a provider in the order of their names, with what they cost.
///
/// # Errors
/// When it gives no list.
pub async fn models_of(
    config: &ProviderConfig,
    prices: &BTreeMap<String, OwnPrice>,
) -> Result<Vec<ModelView>, ServiceError> {
    let listed = list(config, TIMEOUT).await;
    let models = listed.map_err(|failure| ServiceError::failed(&config.name, None, failure))?;
    Ok(priced(config, prices, models))
}

fn priced(
    config: &ProviderConfig,
    prices: &BTreeMap<String, OwnPrice>,
    mut models: Vec<String>,
) -> Vec<ModelView> {
    models.sort();
    let view = |model: String| {
        let price = price(prices, Some(config), &config.name, &model).map(|price| {
            let whole = |micros: u64| micros as f64 / 1e6;
            ModelPrice { input: whole(price.input_micros), output: whole(price.output_micros) }
        });
        let can_chat = talks(&model);
        ModelView { provider: config.name.clone(), model, price, can_chat }
    };
    models.into_iter().map(view).collect()
}
