//! Lookups in the database for a meeting before it begins: agents of the library, and credentials.

use std::collections::BTreeMap;

use quorate_contract::{RunnerSpec, TurnDelivery, Wording};
use quorate_messages::message;
use quorate_runners::{ProviderConfig, ProviderSettings};
use quorate_store::{Agent, Credential};
use url::Url;

use crate::error::ServiceError;
use crate::meeting_file::create_meeting::CreateMeetingRequest;
use crate::providers::available::{how_to_add, trimmed};
use crate::providers::sources::StoreSource;

/// The credentials that are stored; none where there is no database yet.
///
/// # Errors
/// When they cannot be read, such as without the key file.
pub async fn stored_credentials(store_source: &dyn StoreSource) -> Result<Vec<Credential>, ServiceError> {
    match store_source.is_there() {
        true => Ok(store_source.read()?.store().credentials().await?),
        false => Ok(Vec::new()),
    }
}

/// The agents that a meeting file seats, by the names that it calls them by.
pub(crate) async fn agents_of(
    store_source: &dyn StoreSource,
    new: &CreateMeetingRequest,
) -> Result<BTreeMap<String, Agent>, ServiceError> {
    let mut agents = BTreeMap::new();
    for (at, entry) in new.participants.iter().enumerate() {
        let Some(name) = &entry.agent else {
            // An agent that has registered brings its role and its skip list along; one that has not may do so later.
            let connecting = entry.model.as_deref().and_then(|model| model.strip_prefix("agent/"));
            if let Some(name) = connecting.filter(|name| !agents.contains_key(*name))
                && let Ok(source) = store_source.read()
                && let Ok(agent) = source.store().agent(name).await
                && matches!(&agent.runner, RunnerSpec::External { via: TurnDelivery::Agent, name: own } if own == name)
            {
                agents.insert(name.to_owned(), agent);
            }
            continue;
        };
        if entry.contradicts_itself() {
            let error = ServiceError::usage(
                message!("app-library-own", %at, %name),
                Wording::from(message!("app-library-own-hint"))
                    .at_terminal(message!("app-library-own-hint-terminal")),
            )
            .with("field", format!("participants[{at}].agent"));
            return Err(match new.locate(&format!("participants[{at}]")) {
                Some(place) => error.at(&place),
                None => error,
            });
        }
        if !agents.contains_key(name) {
            agents.insert(name.clone(), store_source.read()?.store().agent(name).await?);
        }
    }
    Ok(agents)
}

/// The provider and model that an agent speaks through; nothing for a simulated one.
pub(crate) fn model_of(agent: &Agent) -> Option<(String, String)> {
    match &agent.runner {
        RunnerSpec::Model { provider, model, .. } => Some((provider.clone(), model.clone())),
        RunnerSpec::Simulated { .. }
        | RunnerSpec::Process { .. }
        | RunnerSpec::Acp { .. }
        | RunnerSpec::External { .. } => None,
    }
}

/// The error for an agent whose provider is not configured.
pub fn not_configured(agent: &str, provider: &str) -> ServiceError {
    ServiceError::usage(message!("app-provider-not-configured", %agent, %provider), how_to_add(provider))
        .with("field", "provider")
}

/// The settings of a provider, as stored with its credential.
///
/// # Errors
/// When a setting is unknown or has an invalid value. The value is not quoted: it may be a secret.
pub fn settings_of(credential: &Credential) -> Result<ProviderSettings, ServiceError> {
    serde_json::from_value(credential.settings.0.clone().into()).map_err(|_| {
        let provider = &credential.provider;
        ServiceError::usage(
            message!("app-provider-settings", %provider),
            Wording::from(message!("app-provider-settings-hint", %provider))
                .at_terminal(message!("app-provider-settings-hint-terminal", %provider)),
        )
        .with("field", "providers")
    })
}

/// The address that was stored with a credential, or its vendor's.
///
/// # Errors
/// When it is none, or a setting beside it cannot be used.
pub fn address_of(credential: &Credential) -> Result<Option<Url>, ServiceError> {
    let Some(text) = credential.base_url.as_deref() else {
        let vendor = settings_of(credential)?.vendor_of(&credential.provider)?;
        return Ok(vendor.map(|vendor| vendor.base_url.clone()));
    };
    text.parse().map(Some).map_err(|error| {
        let problem = message!("app-value-is", name = "base_url", text, %error);
        ServiceError::usage(problem, message!("app-base-url-like")).with("field", "base_url")
    })
}

/// Gives a configured provider without a key the stored key, if the key was stored for that address. A key
/// that was stored without an address is used only for the user's own configuration (`own`): a meeting file
/// may come from another person.
pub(crate) fn lend_key(
    provider: &mut ProviderConfig,
    credentials: &[Credential],
    own: bool,
) -> Result<(), ServiceError> {
    let stored = credentials.iter().find(|credential| credential.provider == provider.name);
    let Some(credential) = stored.filter(|_| provider.key.is_none()) else { return Ok(()) };
    let fits = match address_of(credential)? {
        Some(url) => trimmed(&url) == trimmed(&provider.base_url),
        None => own,
    };
    if let (true, Some(key)) = (fits, &credential.key) {
        (provider.key, provider.key_variable) = (Some(key.clone()), None);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use quorate_runners::Secret;

    use super::*;

    fn credential(provider: &str, base_url: Option<&str>) -> Credential {
        let key = Some(Secret::new("sk-planted-0123456789"));
        Credential { base_url: base_url.map(str::to_owned), key, ..Credential::blank(provider) }
    }

    fn gets_it(provider: &str, url: &str, stored: Credential, own: bool) -> bool {
        let mut config = ProviderConfig::new(provider, url.parse().expect("a URL"));
        lend_key(&mut config, &[stored], own).expect("a sound address");
        config.key.is_some()
    }

    #[test]
    fn a_stored_key_goes_only_where_it_was_stored_for() {
        let lab = || credential("lab", Some("https://lab.example/v1"));
        for own in [true, false] {
            assert!(gets_it("lab", "https://lab.example/v1/", lab(), own));
            assert!(!gets_it("lab", "https://elsewhere.example/v1", lab(), own));
            assert!(!gets_it("other", "https://lab.example/v1", lab(), own));
            assert!(gets_it("openai", "https://api.openai.com/v1", credential("openai", None), own));
            assert!(!gets_it("openai", "http://localhost:1/v1", credential("openai", None), own));
        }
        assert!(gets_it("lab", "https://lab.example/v1", credential("lab", None), true));
        assert!(!gets_it("lab", "https://lab.example/v1", credential("lab", None), false));
    }

    #[test]
    fn a_vendors_name_says_its_address() {
        let of = |name| address_of(&credential(name, None)).expect("a sound address");
        assert_eq!(of("openai"), quorate_runners::vendor("openai").map(|vendor| vendor.base_url.clone()));
        assert_eq!(of("lab"), None);
        let mut mine = credential("mine", None);
        mine.settings.0.insert("vendor".to_owned(), "openai".into());
        assert_eq!(address_of(&mine).expect("a sound address"), of("openai"));
    }
}
