//! Discovery of models for a meeting that names none: all configured providers, then a local Ollama.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use quorate_contract::{Failure, FailureKind, Wording};
use quorate_messages::message;
use quorate_runners::{ModelRunner, ProviderConfig, Secret, WireFormat, vendor, vendors, was_refused};
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::error::ServiceError;
use crate::providers::available::{FoundProvider, OLLAMA, Source};
use crate::providers::chat_models::talks;
use crate::providers::choose;
use crate::providers::choose::{ChosenModel, ModelChoice, ModelChoiceReason, Offer};

/// The largest number of providers that are asked.
const MOST_PROVIDERS: usize = 12;
/// The time limit for a server on this machine that may not be there.
const LOCAL_TIMEOUT: Duration = Duration::from_secs(2);
/// The time limit for listing the models of a server that the user has named.
const NAMED_TIMEOUT: Duration = Duration::from_secs(20);
/// How long the others are waited for when one provider has told its models: one that hangs would keep every meeting waiting.
const OTHERS_TIMEOUT: Duration = Duration::from_secs(2);
/// The same where the first model was named by a variable, and asked of nobody.
const OTHERS_TIMEOUT_UNASKED: Duration = Duration::from_secs(5);
/// The time limit for finding out whether a server is there at all.
const VERSION_TIMEOUT: Duration = Duration::from_secs(5);

/// A variable that is set to something.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

/// Finds models among the configured providers: OpenAI's, those of a file and stored ones, those of the
/// environment; when there are none, a local Ollama's. Takes the usual model of each, and of a gateway to
/// several vendors one of each family. `None` when there is none.
///
/// # Errors
/// When the user has configured providers and none of them works. One that does not work among others is left
/// out with a warning.
pub(crate) async fn discover(
    providers: &BTreeMap<String, FoundProvider>,
) -> Result<Option<ModelChoice>, ServiceError> {
    // Remote agents take a seat when somebody names them.
    let meant = |found: &&FoundProvider| {
        found.config.name != OLLAMA && found.source != Source::Preset && found.config.wire != WireFormat::A2a
    };
    let written = |found: &&FoundProvider| meant(found) && !matches!(found.source, Source::Environment(_));
    let by_vendor = vendors().iter().filter_map(|vendor| providers.get(&vendor.name));
    let all = providers.get("openai").into_iter().chain(providers.values().filter(written));
    let mut pointed_to: Vec<&ProviderConfig> = Vec::new();
    for FoundProvider { config, .. } in all.chain(by_vendor.filter(meant)).take(MOST_PROVIDERS) {
        if pointed_to.iter().all(|other| other.name != config.name) {
            pointed_to.push(config);
        }
    }
    if pointed_to.is_empty() {
        return discover_ollama(providers).await;
    }
    let asked = all_offers(&pointed_to).await;
    let mut choice = ModelChoice::default();
    let (mut offers, mut first_error) = (Vec::new(), None);
    for (config, offered) in pointed_to.into_iter().zip(asked) {
        match offered {
            Some(Ok(offer)) => offers.push((config, offer)),
            other => {
                choice.left_out.push(config.name.clone());
                first_error = first_error.or(other.and_then(Result::err));
            }
        }
    }
    if let (true, Some(error)) = (offers.is_empty(), first_error) {
        return Err(error);
    }
    choice.lead = choose::lead(&offers);
    // Alternates between providers, so that neighbours in the speaking order think differently.
    let most = offers.iter().map(|(_, offer)| offer.usual.len()).max().unwrap_or(0);
    for place in 0..most {
        for (config, offer) in &offers {
            let chosen = offer.usual.get(place);
            choice.in_turn.extend(chosen.map(|(model, why)| ChosenModel::of(&config.name, model, *why)));
        }
    }
    Ok(Some(choice))
}

/// What each of these offers, in their order; `None` of one that has not answered soon after another one did.
async fn all_offers(providers: &[&ProviderConfig]) -> Vec<Option<Result<Offer, ServiceError>>> {
    let asked =
        providers.iter().enumerate().map(|(place, config)| async move { (place, offered(config).await) });
    let mut asked: FuturesUnordered<_> = asked.collect();
    let mut offers: Vec<_> = providers.iter().map(|_| None).collect();
    let mut until: Option<Instant> = None;
    loop {
        let next = match until {
            Some(until) => timeout_at(until, asked.next()).await.unwrap_or_default(),
            None => asked.next().await,
        };
        let Some((place, offer)) = next else { return offers };
        if offer.is_ok() {
            let was_asked = variable(&model_variable(&providers[place].name)).is_none();
            let longest = Instant::now() + if was_asked { OTHERS_TIMEOUT } else { OTHERS_TIMEOUT_UNASKED };
            until = Some(until.map_or(longest, |until| until.min(longest)));
        }
        offers[place] = Some(offer);
    }
}

async fn discover_ollama(
    providers: &BTreeMap<String, FoundProvider>,
) -> Result<Option<ModelChoice>, ServiceError> {
    let Some(FoundProvider { config: ollama, .. }) = providers.get(OLLAMA) else { return Ok(None) };
    let models = tokio::time::timeout(LOCAL_TIMEOUT, ModelRunner::new(ollama.clone())?.list_models()).await;
    let chosen = match models {
        Ok(Ok(models)) => models.into_iter().find(|model| talks(model)),
        Ok(Err(_)) | Err(_) => None,
    };
    let choice = |model: String| {
        let chosen = ChosenModel::of(&ollama.name, &model, ModelChoiceReason::First);
        ModelChoice { in_turn: vec![chosen], ..ModelChoice::default() }
    };
    Ok(chosen.map(choice))
}

/// The models of a provider that can be taken.
async fn offered(config: &ProviderConfig) -> Result<Offer, ServiceError> {
    if let Some(model) = variable(&model_variable(&config.name)) {
        return Ok(Offer { usual: vec![(model, ModelChoiceReason::Variable)], ..Offer::default() });
    }
    let mut models = listed(config).await?;
    // What the server has just refused, in a test or a meeting, is not chosen again while there is another.
    if models.iter().any(|model| talks(model) && !was_refused(config, model)) {
        models.retain(|model| !was_refused(config, model));
    }
    let usual = fitting(config, &models).ok_or_else(|| {
        let url = config.shown_url();
        let message = message!("app-no-model-can-talk", %url);
        ServiceError::api(&config.name, None, message, name_it(&config.name))
    })?;
    Ok(choose::offer(config, usual, models.into_iter().filter(|model| talks(model)).collect()))
}

/// The variable in which the model of a provider can be named, such as `OPENAI_MODEL`.
fn model_variable(provider: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    format!("{}_MODEL", provider.chars().map(plain).collect::<String>())
}

/// The model that is taken when none was named: one that is preferred at its vendor, or the first
/// that can talk.
pub fn fitting(provider: &ProviderConfig, models: &[String]) -> Option<String> {
    fitting_in_order(provider, models).next().cloned()
}

/// All models that can talk, those first that are preferred at their vendor: a list can begin with one that the
/// account may not use.
pub(super) fn fitting_in_order<'m>(
    provider: &ProviderConfig,
    models: &'m [String],
) -> impl Iterator<Item = &'m String> {
    let named = provider.vendor.as_deref().unwrap_or(&provider.name);
    let preferred = vendor(named).map_or(&[][..], |vendor| vendor.preferred.as_slice());
    let exact = preferred.iter().find_map(|name| models.iter().find(|model| *model == name));
    let dated = || {
        let begins = |name: &String| models.iter().find(|model| model.starts_with(name) && talks(model));
        preferred.iter().find_map(begins)
    };
    let first = exact.or_else(dated);
    first.into_iter().chain(models.iter().filter(move |model| Some(*model) != first && talks(model)))
}

/// Asks a server whose base URL has no path whether its API is under `/v1`, as nearly all are.
pub(crate) async fn find_version(provider: &mut ProviderConfig) {
    if !matches!(provider.base_url.path(), "" | "/") {
        return;
    }
    let mut with_v1 = provider.clone();
    with_v1.base_url.set_path("/v1");
    let there = match list(&with_v1, VERSION_TIMEOUT).await {
        Ok(_) => true,
        // A server that asks for a key is there.
        Err(failure) => failure.kind == FailureKind::Authentication,
    };
    if there {
        *provider = with_v1;
    }
}

/// The URL of Ollama: `OLLAMA_HOST` in any of the forms that Ollama itself reads.
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
            message!("app-value-is", name = variable, text, %error),
            message!("app-base-url-like"),
        )
    })
}

/// The models that a server lists.
async fn listed(provider: &ProviderConfig) -> Result<Vec<String>, ServiceError> {
    list(provider, NAMED_TIMEOUT).await.map_err(|failure| {
        let hint = match failure.kind {
            FailureKind::Authentication | FailureKind::Network | FailureKind::TimedOut => failure.hint.into(),
            _ => name_it(&provider.name),
        };
        let place = provider.shown_url();
        let message = message!("app-no-model-chosen", %place, detail = failure.detail);
        ServiceError::api(&provider.name, None, message, hint)
    })
}

fn name_it(provider: &str) -> Wording {
    let variable = model_variable(provider);
    let general = message!("app-name-model", %provider, %variable);
    let terminal = message!("app-name-model-terminal", %variable, %provider);
    Wording::from(general).at_terminal(terminal)
}

/// The models of a provider, within `timeout`.
///
/// # Errors
/// When it gives no list in that time.
pub async fn list(provider: &ProviderConfig, timeout: Duration) -> Result<Vec<String>, Failure> {
    let runner = ModelRunner::new(provider.clone()).map_err(|error| Failure {
        kind: FailureKind::BadRequest,
        detail: message!("failure-misconfigured", problem = error.told()).into(),
        hint: error.hint().into(),
        usage: None,
        latency_ms: 0,
        doubtful: false,
        window: None,
        request_id: None,
    })?;
    match tokio::time::timeout(timeout, runner.list_models()).await {
        Ok(listed) => listed.map(|names| redacted(provider, names)),
        Err(_) => Err(Failure {
            kind: FailureKind::TimedOut,
            detail: message!("failure-no-model-list-within", seconds = timeout.as_secs()).into(),
            hint: message!("remedy-is-server-running").into(),
            usage: None,
            latency_ms: 0,
            doubtful: false,
            window: None,
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

#[cfg(test)]
mod tests {
    use super::*;

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

    #[tokio::test]
    async fn a_provider_that_hangs_is_left_out_soon_after_another_has_answered() {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let listener = async || {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let url: Url =
                format!("http://{}/v1", listener.local_addr().expect("an address")).parse().expect("a URL");
            (listener, url)
        };
        let ((hanging, at_hanging), (answering, at_answering)) = (listener().await, listener().await);
        let hangs = tokio::spawn(async move {
            let mut open = Vec::new();
            while let Ok((socket, _)) = hanging.accept().await {
                open.push(socket);
            }
        });
        let answers = tokio::spawn(async move {
            while let Ok((mut socket, _)) = answering.accept().await {
                _ = socket.read(&mut [0; 4096]).await;
                let body = r#"{"object":"list","data":[{"id":"talker","object":"model"}]}"#;
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                _ = socket.write_all(format!("{head}{body}").as_bytes()).await;
            }
        });
        let found = [("hangs", at_hanging), ("answers", at_answering)].map(|(name, url)| {
            let config = ProviderConfig::new(name, url);
            (name.to_owned(), FoundProvider { config, source: Source::Stored })
        });
        let since = Instant::now();
        let choice = discover(&found.into()).await.expect("a choice").expect("some model");
        assert!(since.elapsed() < Duration::from_secs(10), "{:?}", since.elapsed());
        assert_eq!(choice.left_out, ["hangs"]);
        assert_eq!(
            choice.in_turn.iter().map(ChosenModel::named).collect::<Vec<_>>(),
            [("answers".to_owned(), "talker".to_owned())]
        );
        hangs.abort();
        answers.abort();
    }
}
