//! Finds a model to use when nobody named one: what the environment points to, then a local Ollama.

use std::collections::BTreeMap;
use std::time::Duration;

use quorate_core::{Failure, FailureKind};
use quorate_runners::{ModelRunner, ProviderConfig};
use url::Url;

use crate::error::CliError;

/// How long to wait for a server on this machine that may not be there.
const LOCAL_PATIENCE: Duration = Duration::from_secs(2);
/// How long to wait for the list of models of a server that the user has named.
const NAMED_PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait for a server to say whether it is there at all.
const VERSION_PATIENCE: Duration = Duration::from_secs(5);
/// Models of the public API in the order in which one is taken when none was named.
const PREFERRED: [&str; 6] = ["gpt-5-mini", "gpt-5-nano", "gpt-5", "gpt-4.1-mini", "gpt-4o-mini", "gpt-4o"];

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

/// Finds a model among the providers that are configured, as `(provider, model)`: the one in the
/// environment, one of a file's, then a local Ollama. What the user has pointed to and does not work
/// is an error, not a reason to go on without; an Ollama that is not there is none.
pub(crate) async fn discover(
    providers: &BTreeMap<String, ProviderConfig>,
) -> Result<Option<(String, String)>, CliError> {
    let others = providers.values().filter(|provider| provider.name != "ollama");
    let pointed_to = providers.get("openai").or_else(|| others.into_iter().next());
    if let Some(provider) = pointed_to {
        let named = variable("OPENAI_MODEL").filter(|_| provider.name == "openai");
        let model = match named {
            Some(model) => model,
            None => first_model(provider).await?,
        };
        return Ok(Some((provider.name.clone(), model)));
    }
    let Some(ollama) = providers.get("ollama") else { return Ok(None) };
    let models = tokio::time::timeout(LOCAL_PATIENCE, ModelRunner::new(ollama.clone())?.list_models()).await;
    let chosen = match models {
        Ok(Ok(models)) => models.into_iter().find(|model| talks(model)),
        Ok(Err(_)) | Err(_) => None,
    };
    Ok(chosen.map(|model| (ollama.name.clone(), model)))
}

/// The provider `openai` as the environment describes it.
pub(crate) fn from_environment() -> Result<Option<ProviderConfig>, CliError> {
    let base_url = variable("OPENAI_BASE_URL").or_else(|| variable("OPENAI_API_BASE"));
    let key = variable("OPENAI_API_KEY");
    let text = match (&base_url, &key) {
        (None, None) => return Ok(None),
        (Some(base_url), _) => base_url.as_str(),
        (None, Some(_)) => "https://api.openai.com/v1",
    };
    let mut provider = ProviderConfig::new("openai", address("OPENAI_BASE_URL", text)?);
    // A server of one's own often wants no key; the public one always does.
    if key.is_some() || base_url.is_none() {
        provider.key_variable = Some("OPENAI_API_KEY".to_owned());
    }
    provider.find_key(variable)?;
    Ok(Some(provider))
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
pub(crate) fn ollama_url() -> Result<Url, CliError> {
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
    if !url.path().trim_end_matches('/').ends_with("/v1") {
        let path = format!("{}/v1", url.path().trim_end_matches('/'));
        url.set_path(&path);
    }
    Ok(url)
}

fn address(variable: &str, text: &str) -> Result<Url, CliError> {
    text.parse().map_err(|error| {
        CliError::usage(
            format!("{variable} is {text:?}: {error}"),
            "it looks like https://api.example.com/v1 or http://localhost:8080/v1",
        )
    })
}

/// Asks a server for its models and takes the first that can talk.
async fn first_model(provider: &ProviderConfig) -> Result<String, CliError> {
    let models = match list(provider, NAMED_PATIENCE).await {
        Ok(models) => models,
        Err(failure) => {
            let hint = match failure.kind {
                FailureKind::Authentication | FailureKind::Network | FailureKind::TimedOut => {
                    failure.hint.clone()
                }
                _ => "name the model: OPENAI_MODEL=…, or --model openai/NAME".to_owned(),
            };
            let place = provider.base_url.clone();
            let message = format!("no model could be chosen at {place}: {}", failure.detail);
            return Err(CliError::api(&provider.name, None, message, hint));
        }
    };
    let preferred = PREFERRED.iter().find(|name| models.iter().any(|model| model == *name));
    let chosen =
        preferred.map(|name| (*name).to_owned()).or_else(|| models.into_iter().find(|model| talks(model)));
    chosen.ok_or_else(|| {
        let message = format!("{} has no model that can talk", provider.base_url);
        CliError::api(&provider.name, None, message, "load one, or name it: OPENAI_MODEL=…")
    })
}

async fn list(provider: &ProviderConfig, patience: Duration) -> Result<Vec<String>, Failure> {
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
        Ok(listed) => listed,
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
}
