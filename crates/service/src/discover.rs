//! Finds a model to use when nobody named one: what the environment points to, then a local Ollama.

use std::collections::BTreeMap;
use std::time::Duration;

use quorate_core::{Failure, FailureKind};
use quorate_runners::{ModelRunner, ProviderConfig, Secret, vendor, vendors};
use url::Url;

use crate::error::ServiceError;
use crate::providers::{Found, OLLAMA, Source};

/// How long to wait for a server on this machine that may not be there.
const LOCAL_PATIENCE: Duration = Duration::from_secs(2);
/// How long to wait for the list of models of a server that the user has named.
const NAMED_PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait for a server to say whether it is there at all.
const VERSION_PATIENCE: Duration = Duration::from_secs(5);

/// A variable that is set to something.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

/// Finds a model among the providers that are configured, as `(provider, model)`: OpenAI's, one of a
/// file's or a stored one, one of the environment's, then a local Ollama. What the user has pointed
/// to and does not work is an error, not a reason to go on without; an Ollama that is not there is
/// none.
pub(crate) async fn discover(
    providers: &BTreeMap<String, Found>,
) -> Result<Option<(String, String)>, ServiceError> {
    let meant = |found: &&Found| found.config.name != OLLAMA && found.source != Source::Preset;
    let written = |found: &&Found| meant(found) && !matches!(found.source, Source::Environment(_));
    let by_vendor = vendors().iter().filter_map(|vendor| providers.get(&vendor.name));
    let pointed_to = providers
        .get("openai")
        .or_else(|| providers.values().find(written))
        .or_else(|| by_vendor.into_iter().find(meant));
    if let Some(Found { config, .. }) = pointed_to {
        let model = match variable(&model_variable(&config.name)) {
            Some(model) => model,
            None => first_model(config).await?,
        };
        return Ok(Some((config.name.clone(), model)));
    }
    let Some(Found { config: ollama, .. }) = providers.get(OLLAMA) else { return Ok(None) };
    let models = tokio::time::timeout(LOCAL_PATIENCE, ModelRunner::new(ollama.clone())?.list_models()).await;
    let chosen = match models {
        Ok(Ok(models)) => models.into_iter().find(|model| talks(model)),
        Ok(Err(_)) | Err(_) => None,
    };
    Ok(chosen.map(|model| (ollama.name.clone(), model)))
}

/// The variable in which the model of a provider can be named, such as `OPENAI_MODEL`.
fn model_variable(provider: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    format!("{}_MODEL", provider.chars().map(plain).collect::<String>())
}

/// The model that is taken when none was named: one that is preferred at its vendor, or the first
/// that can talk.
pub fn fitting(provider: &ProviderConfig, models: &[String]) -> Option<String> {
    let named = provider.vendor.as_deref().unwrap_or(&provider.name);
    let preferred = vendor(named).map_or(&[][..], |vendor| vendor.preferred.as_slice());
    let exact = preferred.iter().find_map(|name| models.iter().find(|model| *model == name));
    let dated = || {
        let begins = |name: &String| models.iter().find(|model| model.starts_with(name) && talks(model));
        preferred.iter().find_map(begins)
    };
    exact.or_else(dated).or_else(|| models.iter().find(|model| talks(model))).cloned()
}

/// Asks a server whose base URL has no path whether its API lies under `/v1`, as nearly all do.
pub(crate) async fn find_version(provider: &mut ProviderConfig) {
    if !matches!(provider.base_url.path(), "" | "/") {
        return;
    }
    let mut with_v1 = provider.clone();
    with_v1.base_url.set_path("/v1");
    let there = match list(&with_v1, VERSION_PATIENCE).await {
        Ok(_) => true,
        // Whoever asks for a key is there.
        Err(failure) => failure.kind == FailureKind::Authentication,
    };
    if there {
        *provider = with_v1;
    }
}

/// Where Ollama listens: `OLLAMA_HOST` in any of the ways in which Ollama itself reads it.
pub(crate) fn ollama_url() -> Result<Url, ServiceError> {
    let host = variable("OLLAMA_HOST").unwrap_or_else(|| "127.0.0.1:11434".to_owned());
    let text = if host.contains("://") { host } else { format!("http://{host}") };
    let mut url = address("OLLAMA_HOST", &text)?;
    // What a server binds to is not always what a client can call.
    if url.host_str() == Some("0.0.0.0") {
        _ = url.set_host(Some("127.0.0.1"));
    }
    if url.port().is_none() && url.scheme() == "http" && !text.ends_with(":80") {
        _ = url.set_port(Some(11434));
    }
    Ok(url)
}

fn address(variable: &str, text: &str) -> Result<Url, ServiceError> {
    text.parse().map_err(|error| {
        ServiceError::usage(
            format!("{variable} is {text:?}: {error}"),
            "it looks like https://api.example.com/v1 or http://localhost:8080/v1",
        )
    })
}

/// Asks a server for its models and takes the first that can talk.
async fn first_model(provider: &ProviderConfig) -> Result<String, ServiceError> {
    let models = match list(provider, NAMED_PATIENCE).await {
        Ok(models) => models,
        Err(failure) => {
            let hint = match failure.kind {
                FailureKind::Authentication | FailureKind::Network | FailureKind::TimedOut => {
                    failure.hint.clone()
                }
                _ => name_it(&provider.name),
            };
            let place = provider.shown_url();
            let message = format!("no model could be chosen at {place}: {}", failure.detail);
            return Err(ServiceError::api(&provider.name, None, message, hint));
        }
    };
    fitting(provider, &models).ok_or_else(|| {
        let message = format!("{} has no model that can talk", provider.shown_url());
        ServiceError::api(&provider.name, None, message, format!("load one, or {}", name_it(&provider.name)))
    })
}

fn name_it(provider: &str) -> String {
    format!("name the model: {}=…, or --model {provider}/NAME", model_variable(provider))
}

/// The models of a provider, within `patience`.
///
/// # Errors
/// When it gives no list in that time.
pub async fn list(provider: &ProviderConfig, patience: Duration) -> Result<Vec<String>, Failure> {
    let runner = ModelRunner::new(provider.clone()).map_err(|error| Failure {
        kind: FailureKind::BadRequest,
        detail: error.to_string(),
        hint: error.hint(),
        usage: None,
        latency_ms: 0,
        doubtful: false,
        request_id: None,
    })?;
    match tokio::time::timeout(patience, runner.list_models()).await {
        Ok(listed) => listed.map(|names| redacted(provider, names)),
        Err(_) => Err(Failure {
            kind: FailureKind::TimedOut,
            detail: format!("no list of models within {} s", patience.as_secs()),
            hint: "is the server running? check its base URL".to_owned(),
            usage: None,
            latency_ms: 0,
            doubtful: false,
            request_id: None,
        }),
    }
}

/// The names of models without the provider's secrets: a server can call its models anything.
pub fn redacted(provider: &ProviderConfig, names: Vec<String>) -> Vec<String> {
    let secrets: Vec<&Secret> = provider.key.iter().chain(provider.extra_headers.values()).collect();
    let redact = |name| secrets.iter().fold(name, |name, secret: &&Secret| secret.redact(name));
    names.into_iter().map(redact).collect()
}

/// Whether a model is one to talk to, as far as its name tells.
fn talks(model: &str) -> bool {
    let name = model.to_ascii_lowercase();
    let other = ["embed", "whisper", "tts", "rerank", "moderation", "dall-e", "image", "bge-", "clip"];
    !other.iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_embeds_is_not_asked_to_talk() {
        assert!(talks("qwen3:4b") && talks("gpt-5-mini"));
        assert!(!talks("nomic-embed-text") && !talks("whisper-1"));
    }

    #[test]
    fn a_vendors_preferred_model_is_taken_whatever_its_date() {
        let of = |vendor: &str, models: &[&str]| {
            let mut provider = ProviderConfig::new("mine", "https://h.example/v1".parse().expect("a URL"));
            provider.vendor = Some(vendor.to_owned());
            fitting(&provider, &models.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(of("openai", &["gpt-4o", "gpt-5-mini", "gpt-5"]).as_deref(), Some("gpt-5-mini"));
        let ending = ["gpt-5-mini", "gpt-6-luna", "gpt-6-astra"];
        assert_eq!(of("openai", &ending).as_deref(), Some("gpt-6-luna"), "what stays goes before what ends");
        assert_eq!(of("deepseek", &["deepseek-v4-pro", "deepseek-flash"]).as_deref(), Some("deepseek-flash"));
        let dated = ["claude-3-opus", "claude-haiku-4-5-20251001"];
        assert_eq!(of("anthropic", &dated).as_deref(), Some("claude-haiku-4-5-20251001"));
        assert_eq!(of("lab", &["embed-small", "talker"]).as_deref(), Some("talker"));
        assert_eq!(of("lab", &["embed-small"]), None);
        assert_eq!(model_variable("my-lab"), "MY_LAB_MODEL");
    }
}
