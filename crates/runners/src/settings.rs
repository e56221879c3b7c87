//! Settings of a provider, from a file or the command line. Settings that are not given come from the preset
//! of its vendor (see `vendor`), then from the default.

use std::collections::BTreeMap;
use std::path::PathBuf;

use quorate_engine::Secret;
use serde::Deserialize;
use url::Url;

use crate::provider::{ProviderConfig, Streaming, Structured, Timeouts};
use crate::vendor::{Vendor, vendor, vendors};
use crate::wire_format::WireFormat;

/// The body of `[providers.NAME]`. Nothing in it has to be there when a vendor's preset has it; what
/// each field means is said at [`ProviderConfig`].
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "they are those of `ProviderConfig`")]
pub struct ProviderSettings {
    pub wire: Option<WireFormat>,
    pub base_url: Option<Url>,
    pub key_env: Option<String>,
    pub key_file: Option<PathBuf>,
    pub vendor: Option<String>,
    pub requests_per_minute: Option<u32>,
    pub tokens_per_minute: Option<u32>,
    pub proxy: Option<Secret>,
    pub public_only: bool,
    pub concurrency: Option<usize>,
    pub timeouts: Option<Timeouts>,
    pub retries: Option<u32>,
    pub structured: Option<Structured>,
    pub streaming: Option<Streaming>,
    pub extra_headers: BTreeMap<String, Secret>,
}

/// The reason why settings make no provider.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// No preset has this name.
    #[error("provider {provider}: there is no vendor {vendor:?}")]
    UnknownVendor {
        /// The name of the provider.
        provider: String,
        /// The given vendor.
        vendor: String,
    },
    /// The base URL of the API is not given.
    #[error("provider {provider} has no base_url, and no vendor has that name")]
    NoAddress {
        /// The name of the provider.
        provider: String,
    },
    /// A variable that should hold an address holds none.
    #[error("{variable} is {text:?}: {problem}")]
    Variable {
        /// The variable.
        variable: String,
        /// Its value.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl SettingsError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        let names = || vendors().iter().map(|vendor| vendor.name.as_str()).collect::<Vec<_>>().join(", ");
        match self {
            Self::UnknownVendor { .. } => format!("the vendors are {}; or give a base_url instead", names()),
            Self::NoAddress { .. } => {
                format!("give its base_url, or the vendor whose API it is: {}", names())
            }
            Self::Variable { .. } => {
                "it looks like https://api.example.com/v1 or http://localhost:8080/v1".to_owned()
            }
        }
    }
}

impl ProviderSettings {
    /// The vendor: the one that was named, or the one of the provider's own name.
    ///
    /// # Errors
    /// When the named vendor is not known.
    pub fn vendor_of(&self, name: &str) -> Result<Option<&'static Vendor>, SettingsError> {
        match &self.vendor {
            None => Ok(vendor(name)),
            Some(wanted) => vendor(wanted).map(Some).ok_or_else(|| SettingsError::UnknownVendor {
                provider: name.to_owned(),
                vendor: wanted.clone(),
            }),
        }
    }

    /// The provider of this name that follows from them. Its key is still to be found. The key of a
    /// vendor's variable goes to the vendor's own address alone, or where the vendor's other variable
    /// points to: an address that was written down gets the key that was written down with it.
    ///
    /// # Errors
    /// When its vendor or its address is not known.
    pub fn complete(
        self,
        name: &str,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<ProviderConfig, SettingsError> {
        let vendor = self.vendor_of(name)?;
        let set = |variable: &String| environment(variable).filter(|text| !text.trim().is_empty());
        let pointed_to = match (&self.base_url, vendor) {
            (None, Some(vendor)) => address_in(&vendor.base_url_env, set)?,
            (Some(_), _) | (_, None) => None,
        };
        let own = |vendor: &Vendor| self.base_url.as_ref().is_none_or(|url| same(url, &vendor.base_url));
        let variables = vendor.filter(|vendor| own(vendor)).map_or(&[][..], |vendor| &vendor.key_env);
        let key_variable = match (&self.key_env, &self.key_file) {
            (Some(variable), _) => Some(variable.clone()),
            (None, Some(_)) => None,
            (None, None) => {
                let found = variables.iter().find(|variable| set(variable).is_some());
                // A self-hosted server often needs no key; the vendor's always does.
                found.or(variables.first().filter(|_| pointed_to.is_none())).cloned()
            }
        };
        let base_url = self.base_url.or(pointed_to).or(vendor.map(|vendor| vendor.base_url.clone()));
        let base_url = base_url.ok_or_else(|| SettingsError::NoAddress { provider: name.to_owned() })?;
        let usual = ProviderConfig::new(name, base_url);
        Ok(ProviderConfig {
            wire: self.wire.or(vendor.map(|vendor| vendor.wire)).unwrap_or(usual.wire),
            structured: self
                .structured
                .or(vendor.map(|vendor| vendor.structured))
                .unwrap_or(usual.structured),
            streaming: self.streaming.unwrap_or(usual.streaming),
            vendor: vendor.map(|vendor| vendor.name.clone()),
            key_variable,
            key_file: self.key_file,
            requests_per_minute: self.requests_per_minute,
            tokens_per_minute: self.tokens_per_minute,
            proxy: self.proxy,
            public_only: self.public_only,
            concurrency: self.concurrency,
            timeouts: self.timeouts.unwrap_or(usual.timeouts),
            retries: self.retries.unwrap_or(usual.retries),
            extra_headers: self.extra_headers,
            ..usual
        })
    }
}

/// The address in the first of these variables that is set.
fn address_in(
    variables: &[String],
    set: impl Fn(&String) -> Option<String>,
) -> Result<Option<Url>, SettingsError> {
    let found = variables.iter().find_map(|variable| set(variable).map(|text| (variable, text)));
    let Some((variable, text)) = found else { return Ok(None) };
    text.trim().parse().map(Some).map_err(|error: url::ParseError| SettingsError::Variable {
        variable: variable.clone(),
        text: text.clone(),
        problem: error.to_string(),
    })
}

/// Whether two addresses are the same except for a final slash.
fn same(one: &Url, other: &Url) -> bool {
    one.as_str().trim_end_matches('/') == other.as_str().trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(json: &str) -> ProviderSettings {
        serde_json::from_str(json).expect("good settings")
    }

    fn nothing(_: &str) -> Option<String> {
        None
    }

    #[test]
    fn what_is_not_said_is_the_vendors() {
        let glm = settings("{}").complete("glm", nothing).expect("a preset");
        let preset = vendor("glm").expect("it is known");
        assert_eq!((&glm.base_url, glm.wire), (&preset.base_url, preset.wire));
        assert_eq!(glm.structured, preset.structured);
        assert_eq!(glm.key_variable.as_ref(), preset.key_env.first());
        let mine = settings(r#"{ "vendor": "glm", "structured": "none", "retries": 1 }"#);
        let mine = mine.complete("mine", nothing).expect("a preset");
        assert_eq!((mine.name.as_str(), mine.retries), ("mine", 1));
        assert_eq!((mine.base_url, mine.structured), (glm.base_url, Structured::None));
    }

    #[test]
    fn the_variable_that_is_set_is_taken() {
        let second = vendor("glm").expect("it is known").key_env[1].clone();
        let set = |name: &str| (name == second).then(|| "sk".to_owned());
        let glm = settings("{}").complete("glm", set).expect("a preset");
        assert_eq!(glm.key_variable, Some(second.clone()));
    }

    #[test]
    fn a_vendors_key_goes_to_no_address_that_somebody_else_wrote() {
        let elsewhere = settings(r#"{ "base_url": "https://elsewhere.example/v1" }"#);
        let set = |name: &str| (name == "OPENAI_API_KEY").then(|| "sk".to_owned());
        let config = elsewhere.clone().complete("openai", set).expect("it has an address");
        assert_eq!(config.key_variable, None);
        let named = ProviderSettings { key_env: Some("OPENAI_API_KEY".to_owned()), ..elsewhere };
        let config = named.complete("openai", set).expect("it has an address");
        assert_eq!(config.key_variable.as_deref(), Some("OPENAI_API_KEY"));
        let own = settings(r#"{ "base_url": "https://api.openai.com/v1/" }"#);
        assert!(own.complete("openai", set).expect("it has an address").key_variable.is_some());
        let pointed = |name: &str| (name == "OPENAI_BASE_URL").then(|| " http://localhost:1/v1 ".to_owned());
        let config = settings("{}").complete("openai", pointed).expect("an address");
        assert_eq!((config.base_url.as_str(), config.key_variable), ("http://localhost:1/v1", None));
    }

    #[test]
    fn what_is_missing_is_said_with_what_there_is() {
        let error = settings("{}").complete("lab", nothing).expect_err("no address");
        assert!(error.hint().contains("openai, "), "{}", error.hint());
        let error = settings(r#"{ "vendor": "opena" }"#).complete("lab", nothing).expect_err("no vendor");
        assert!(error.to_string().contains("\"opena\""), "{error}");
        let wrong = |name: &str| (name == "OPENAI_BASE_URL").then(|| "nonsense".to_owned());
        let error = settings("{}").complete("openai", wrong).expect_err("no URL");
        assert!(error.to_string().starts_with("OPENAI_BASE_URL is"), "{error}");
    }

    #[test]
    fn whatever_a_provider_has_can_be_said_about_it() {
        let names = |error: serde_json::Error| {
            let text = error.to_string();
            let listed = text.split("expected one of ").nth(1).expect("a list of fields").to_owned();
            let mut names: Vec<String> = listed.split('`').skip(1).step_by(2).map(str::to_owned).collect();
            names.sort();
            names
        };
        let of_settings = serde_json::from_str::<ProviderSettings>(r#"{ "no such": 1 }"#);
        let of_config = serde_json::from_str::<ProviderConfig>(r#"{ "no such": 1 }"#);
        assert_eq!(names(of_settings.expect_err("unknown")), names(of_config.expect_err("unknown")));
    }
}
