//! A provider's credential in a request: its key, its address, and its settings.

use quorate_contract::Wording;
use quorate_engine::Secret;
use quorate_messages::{Message, message};
use quorate_runners::{
    ModelRunner, ProviderConfig, ProviderSettings, Streaming, Structured, Vendor, WireFormat, check_public,
    vendor,
};
use quorate_store::Credential;
use serde_json::{Value, json};

use crate::error::ServiceError;
use crate::meeting_file::user_file::UserFile;
use crate::providers::available::{how_to_add, near_vendor, stored, unless_near};
use crate::providers::discover::variable;
use crate::providers::sources::Sources;
use crate::providers::stored::address_of;

/// The error for a request that holds nothing to store.
pub fn nothing_given() -> ServiceError {
    ServiceError::usage(
        message!("app-credential-unchanged"),
        Wording::from(message!("app-credential-unchanged-hint"))
            .at_terminal(message!("app-credential-unchanged-hint-terminal")),
    )
}

/// A provider's key and address, checked as far as possible without asking it; `None` when neither is given.
///
/// # Errors
/// When no request could be made with them.
pub fn credential(
    provider: &str,
    base_url: Option<&str>,
    key: Option<Secret>,
) -> Result<Option<Credential>, ServiceError> {
    if key.is_none() && base_url.is_none() {
        return Ok(None);
    }
    let credential = Credential { base_url: base_url.map(str::to_owned), key, ..Credential::blank(provider) };
    // A credential that no request could be made with is refused before it is stored.
    let url = match address_of(&credential)? {
        Some(url) => url,
        None => "https://localhost".parse().expect("this is an address"),
    };
    let mut config = ProviderConfig::new(provider, url);
    config.key.clone_from(&credential.key);
    ModelRunner::new(config)?;
    Ok(Some(credential))
}

/// Refuses addresses of this machine and its network, where the operator does not allow them. What passes
/// is held to it at each call, too: a name can lead elsewhere later.
///
/// # Errors
/// When an address is not public, or a proxy is set; `field` says which.
pub(crate) fn check_given(mut given: Credential, allow_local: bool) -> Result<Credential, ServiceError> {
    if allow_local {
        return Ok(given);
    }
    let refused = |field: &str, problem: Message| {
        Err(ServiceError::usage(problem, message!("app-operator-alone-hint")).with("field", field))
    };
    if given.settings.0.get("public_only").is_some_and(|only| *only != json!(true)) {
        return refused("public_only", message!("app-public-only-stays"));
    }
    // What passes through a proxy can be read there, where it is not sealed on the way.
    if given.settings.0.get("proxy").is_some_and(|proxy| *proxy != "none" && !proxy.is_null()) {
        return refused("proxy", message!("app-proxy-from-afar"));
    }
    let names_an_address = given.base_url.is_some() || given.settings.0.contains_key("vendor");
    if names_an_address || vendor(&given.provider).is_some_and(|vendor| vendor.local) {
        if let Some(url) = address_of(&given)?
            && let Err(problem) = check_public(&url)
        {
            let problem = problem.message();
            return refused("base_url", message!("app-in-field", field = "base_url", problem));
        }
        given.settings.0.insert("public_only".to_owned(), json!(true));
    }
    Ok(given)
}

/// Takes a provider of which nothing is given but its name: that of a preset says all but the key.
///
/// # Errors
/// When there is no such preset.
pub fn take_by_name(given: &mut Credential) -> Result<(), ServiceError> {
    let name = given.provider.clone();
    let Some(preset) = vendor(&name) else {
        return Err(ServiceError::usage(message!("app-provider-unknown", %name), how_to_add(&name)));
    };
    given.settings.0.insert("vendor".to_owned(), preset.name.as_str().into());
    Ok(())
}

/// Checks whether a preset can be stored by its name alone: one that needs no key, such as a server on this
/// machine.
///
/// # Errors
/// When there is nothing to store.
pub fn has_its_key(name: &str, preset: &Vendor) -> Result<(), ServiceError> {
    if preset.key_env.is_empty() {
        return Ok(());
    }
    let error = match preset.key_env.iter().find(|of| variable(of).is_some()) {
        Some(of) if preset.name == name => ServiceError::usage(
            message!("app-provider-needs-nothing", %of, %name),
            Wording::from(message!("app-provider-needs-nothing-hint"))
                .at_terminal(message!("app-provider-needs-nothing-hint-terminal", %name)),
        ),
        Some(_) | None => ServiceError::usage(message!("app-provider-without-key", %name), how_to_add(name)),
    };
    Err(error.with("field", "api_key"))
}

/// Lays the given settings over the stored ones, and checks them as far as possible without asking the provider.
///
/// # Errors
/// When no request could be made with them, or a key would be sent to an address that it was not given for.
pub fn check_provider(
    sources: &Sources<'_>,
    given: &Credential,
    before: Option<&Credential>,
) -> Result<(), ServiceError> {
    known_address(sources, given, before)?;
    let candidate = given.clone().over(before.cloned())?;
    if let Some(before) = before
        && address_of(before)? != address_of(&candidate)?
    {
        given.leaves_nothing_of(before)?;
    }
    // A credential that no request could be made with is refused before it is stored.
    match stored(&candidate)? {
        Some(config) => _ = ModelRunner::new(config)?,
        None => _ = credential(&given.provider, given.base_url.as_deref(), None)?,
    }
    Ok(())
}

/// A provider whose address nothing says is stored only for a table of the user's configuration.
fn known_address(
    sources: &Sources<'_>,
    given: &Credential,
    before: Option<&Credential>,
) -> Result<(), ServiceError> {
    let name = &given.provider;
    let candidate = given.clone().over(before.cloned()).unwrap_or_else(|_| given.clone());
    if address_of(&candidate)?.is_some() || UserFile::read(sources.config)?.providers.contains_key(name) {
        return Ok(());
    }
    let near = near_vendor(name);
    let config = sources.config.display();
    let terminal = message!("app-give-address-terminal", name, %config);
    let hint = Wording::from(unless_near(near, message!("app-give-address")));
    Err(ServiceError::usage(
        message!("app-provider-without-address", %name),
        hint.at_terminal(unless_near(near, terminal)),
    )
    .with("field", "base_url"))
}

/// Checks that a setting is one of its allowed words. The error lists them. `written` is the name of the
/// setting as people write it.
///
/// # Errors
/// When the word is not allowed.
pub fn check_word(name: &str, written: &str, value: Option<&Value>) -> Result<(), ServiceError> {
    let Some(Value::String(word)) = value else { return Ok(()) };
    let problem = match name {
        "wire" => serde_json::from_value::<WireFormat>(json!(word)).err(),
        "structured" => serde_json::from_value::<Structured>(json!(word)).err(),
        "streaming" => serde_json::from_value::<Streaming>(json!(word)).err(),
        _ if vendor(word).is_none() => {
            let near = near_vendor(word);
            let hint = Wording::from(unless_near(near, message!("app-no-vendor-hint")));
            let terminal = unless_near(near, message!("app-no-vendor-hint-terminal"));
            return Err(ServiceError::usage(message!("app-no-vendor", %word), hint.at_terminal(terminal))
                .with("field", "vendor"));
        }
        _ => None,
    };
    match problem {
        None => Ok(()),
        Some(error) => {
            let text = error.to_string();
            // `serde` writes each word that would be right between backticks.
            let list = text.rsplit_once("expected ").map_or("", |(_, list)| list);
            let list: Vec<String> = list.split('`').skip(1).step_by(2).map(str::to_owned).collect();
            let hint = match list.is_empty() {
                true => "".into(),
                false => Wording::from(message!("app-write-one-of", list)),
            };
            Err(ServiceError::usage(message!("app-cannot-be", written, word), hint).with("field", name))
        }
    }
}

/// Checks that a setting of a provider can have this value; `null` resets it.
///
/// # Errors
/// When it cannot. The value is not quoted: it may be a secret.
pub fn check_setting(setting: &str, value: &Value) -> Result<(), ServiceError> {
    if value.is_null() || serde_json::from_value::<ProviderSettings>(json!({ setting: value })).is_ok() {
        return Ok(());
    }
    let problem = message!("app-provider-bad-setting", setting);
    Err(ServiceError::usage(problem, message!("app-provider-bad-setting-hint")).with("field", setting))
}

/// The names of what is now otherwise than before.
pub fn changed(before: Option<&Credential>, now: &Credential) -> Vec<String> {
    let blank = Credential::blank(&now.provider);
    let before = before.unwrap_or(&blank);
    let mut changed = Vec::new();
    if before.key != now.key {
        changed.push("key".to_owned());
    }
    if before.base_url != now.base_url {
        changed.push("base_url".to_owned());
    }
    let names: std::collections::BTreeSet<&String> =
        before.settings.0.keys().chain(now.settings.0.keys()).collect();
    let differs = |name: &&&String| before.settings.0.get(**name) != now.settings.0.get(**name);
    changed.extend(names.iter().filter(differs).map(|name| (*name).clone()));
    changed
}
