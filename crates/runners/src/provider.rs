//! The configuration of a provider: its address, its key, its limits and time limits.
//!
//! The settings come from a file that people edit (`[providers.NAME]`), so a misspelt one is refused. The key
//! is never among them: the file names an environment variable or another file, and
//! [`ProviderConfig::find_key`] looks there.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use quorate_engine::Secret;
use quorate_messages::{Language, Message, message};
use serde::Deserialize;
use url::{Host, Url};

use crate::address::NotPublic;
use crate::wire_format::WireFormat;

/// How answers are constrained to a JSON schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structured {
    /// Begin with `json_schema`, and step down for a model that refuses it.
    #[default]
    Auto,
    /// Always `json_schema`.
    JsonSchema,
    /// Always `json_object`; the schema is only in the prompt's own words.
    JsonObject,
    /// No `response_format`; the schema is only described in the prompt.
    None,
}

/// Whether answers are streamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Streaming {
    /// When there are subscribers, and until the model turns out to stream badly.
    #[default]
    Auto,
    /// Whenever there are subscribers.
    On,
    /// Never: answers come complete.
    Off,
}

/// Time limits in milliseconds. All must be above 0, except `backoff_ms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Timeouts {
    /// For a connection, TLS included.
    pub connect_ms: u64,
    /// From sending a request to the first event of a stream, or to the first byte of a body.
    pub first_byte_ms: u64,
    /// Between two events of a stream. Keep-alive comments are not events.
    pub idle_ms: u64,
    /// For one answer with all its retries; the request's own limit holds when it is shorter.
    pub total_ms: u64,
    /// The first wait before a retry is random up to this; the bound doubles up to 16 times it.
    pub backoff_ms: u64,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect_ms: 10_000,
            first_byte_ms: 150_000,
            idle_ms: 60_000,
            total_ms: 180_000,
            backoff_ms: 500,
        }
    }
}

impl Timeouts {
    pub(crate) fn connect(&self) -> Duration {
        Duration::from_millis(self.connect_ms)
    }
    pub(crate) fn first_byte(&self) -> Duration {
        Duration::from_millis(self.first_byte_ms)
    }
    pub(crate) fn idle(&self) -> Duration {
        Duration::from_millis(self.idle_ms)
    }
}

/// One provider: the body of `[providers.NAME]`, its name, and its key once it has been found.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderConfig {
    /// The name that participants use for it; the table's key in a file.
    #[serde(skip)]
    pub name: String,
    /// The format in which its API speaks.
    #[serde(default)]
    pub wire: WireFormat,
    /// The base URL of its API, such as `http://localhost:11434/v1`; a final `/` changes nothing.
    pub base_url: Url,
    /// The key, never read from the settings themselves.
    #[serde(skip)]
    pub key: Option<Secret>,
    /// The environment variable that holds the key.
    #[serde(default, rename = "key_env")]
    pub key_variable: Option<String>,
    /// A file that holds the key and nothing else.
    #[serde(default)]
    pub key_file: Option<PathBuf>,
    /// The vendor, by the name of a preset (see `vendors.toml`): settings that are not given are the
    /// preset's. When not given: the preset of the provider's own name, if there is one.
    #[serde(default)]
    pub vendor: Option<String>,
    /// The limit of requests per minute, 1 to 1,000,000; when not given, there is none of our own.
    #[serde(default)]
    pub requests_per_minute: Option<u32>,
    /// The most tokens in a minute, as estimated before each call; not given: no limit of our own.
    #[serde(default)]
    pub tokens_per_minute: Option<u32>,
    /// The proxy that requests go through, such as `http://proxy:3128`, or `none`; not given: what
    /// `HTTPS_PROXY` and its kin say. A user and password in it are secrets.
    #[serde(default)]
    pub proxy: Option<Secret>,
    /// Whether the address must lie outside this machine and its network: for addresses of foreign origin.
    #[serde(default)]
    pub public_only: bool,
    /// The largest number of concurrent calls; when not given, it follows from how the calls go: from 2 on this machine, 4
    /// for plain http and 16 elsewhere up to 256, or 64 elsewhere.
    #[serde(default)]
    pub concurrency: Option<usize>,
    /// The time limits.
    #[serde(default)]
    pub timeouts: Timeouts,
    /// The number of retries of a call that certainly was not carried out, 0-10.
    #[serde(default = "three")]
    pub retries: u32,
    /// How answers are constrained to a schema.
    #[serde(default)]
    pub structured: Structured,
    /// Whether answers are streamed.
    #[serde(default)]
    pub streaming: Streaming,
    /// Further headers for each request; their values are treated as secrets.
    #[serde(default)]
    pub extra_headers: BTreeMap<String, Secret>,
}

fn three() -> u32 {
    3
}

/// The reason why a provider configuration is invalid.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.told().text(Language::En))]
pub enum RunnerConfigError {
    /// The base URL is not one that requests can be sent to.
    BaseUrl {
        /// The name of the provider.
        provider: String,
        /// What is wrong, as the end of a sentence.
        problem: Message,
    },
    /// The key has characters that no header can carry.
    Key {
        /// The name of the provider.
        provider: String,
    },
    /// The file that should hold the key cannot be read.
    KeyFile {
        /// The name of the provider.
        provider: String,
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        #[source]
        source: std::io::Error,
    },
    /// The proxy is not one that requests can be sent through.
    Proxy {
        /// The name of the provider.
        provider: String,
        /// What is wrong, as the end of a sentence; shows nothing of a user and password.
        problem: Message,
    },
    /// The address leads into this machine or its network, and must not.
    NotPublic {
        /// The name of the provider.
        provider: String,
        /// The reason.
        #[source]
        source: NotPublic,
    },
    /// A further header cannot be sent.
    Header {
        /// The name of the provider.
        provider: String,
        /// The name of the header.
        header: String,
    },
    /// A number is out of its range.
    OutOfRange {
        /// The name of the provider.
        provider: String,
        /// The setting.
        setting: &'static str,
        /// Its least value.
        least: u64,
        /// Its largest value, when it has one.
        most: Option<u64>,
    },
    /// The HTTP client could not be made: no certificates on this machine, say.
    Client {
        /// The name of the provider.
        provider: String,
        /// The error.
        #[source]
        source: reqwest::Error,
    },
}

impl RunnerConfigError {
    /// What is wrong. A call that fails because of it says this in the log of its meeting.
    pub fn told(&self) -> Message {
        match self {
            Self::BaseUrl { provider, problem } => {
                message!("failure-setting-base-url", provider, problem = problem.clone())
            }
            Self::Key { provider } => message!("failure-setting-key", provider),
            Self::KeyFile { provider, file, source } => {
                message!("failure-setting-key-file", provider, file = %file.display(), error = %source)
            }
            Self::Proxy { provider, problem } => {
                message!("failure-setting-proxy", provider, problem = problem.clone())
            }
            Self::NotPublic { provider, source } => {
                message!("failure-setting-not-public", provider, reason = source.message())
            }
            Self::Header { provider, header } => message!("failure-setting-header", provider, header),
            Self::OutOfRange { provider, setting, least, most } => {
                let range = match most {
                    Some(most) => message!("failure-setting-between", %least, %most),
                    None => message!("failure-setting-least", %least),
                };
                message!("failure-setting-range", provider, setting = *setting, range)
            }
            Self::Client { provider, source } => {
                message!("failure-setting-client", provider, error = with_causes(source))
            }
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Message {
        match self {
            Self::BaseUrl { .. } => message!("remedy-setting-base-url"),
            Self::Proxy { .. } => message!("remedy-setting-proxy"),
            Self::NotPublic { .. } => message!("remedy-setting-not-public"),
            Self::Key { .. } => message!("remedy-setting-key"),
            Self::KeyFile { file, .. } => message!("remedy-setting-key-file", file = %file.display()),
            Self::Header { .. } => message!("remedy-setting-header"),
            Self::OutOfRange { setting, .. } => message!("remedy-setting-range", setting = *setting),
            Self::Client { .. } => message!("remedy-setting-client"),
        }
    }
}

/// An error with its causes, in the words of the library.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

impl ProviderConfig {
    /// A provider with the defaults and without a key.
    pub fn new(name: impl Into<String>, base_url: Url) -> Self {
        Self {
            name: name.into(),
            wire: WireFormat::default(),
            base_url,
            key: None,
            key_variable: None,
            key_file: None,
            vendor: None,
            requests_per_minute: None,
            tokens_per_minute: None,
            proxy: None,
            public_only: false,
            concurrency: None,
            timeouts: Timeouts::default(),
            retries: three(),
            structured: Structured::default(),
            streaming: Streaming::default(),
            extra_headers: BTreeMap::new(),
        }
    }

    /// Looks for the key: first in the environment, which the caller hands over as a function,
    /// then in the key file. A variable that is not set is no error here: the first call will
    /// say which one to set.
    pub fn find_key(
        &mut self,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<(), RunnerConfigError> {
        let variable = self.key_variable.as_deref().and_then(environment);
        if let Some(text) = variable.filter(|text| !text.trim().is_empty()) {
            self.key = Some(Secret::new(text));
        } else if let Some(file) = &self.key_file {
            let text = std::fs::read_to_string(file).map_err(|source| RunnerConfigError::KeyFile {
                provider: self.name.clone(),
                file: file.clone(),
                source,
            })?;
            self.key = Some(Secret::new(text)).filter(|key| !key.expose().is_empty());
        }
        Ok(())
    }

    /// Whether the provider runs on this machine.
    pub fn is_loopback(&self) -> bool {
        match self.base_url.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
            None => false,
        }
    }

    /// The number of concurrent calls that is configured, or with which it begins. A server on this machine often answers one
    /// after the other; the time limit covers the wait there, but not the wait here.
    pub(crate) fn permits(&self) -> usize {
        let first = match (self.is_loopback(), self.base_url.scheme()) {
            (true, _) => 2,
            (false, "http") => 4,
            (false, _) => 16,
        };
        self.concurrency.unwrap_or(first)
    }

    /// The largest number of concurrent calls that is found where none is configured.
    pub(crate) fn most_permits(&self) -> usize {
        if self.has_queue() { 256 } else { 64 }
    }

    /// Whether the server is one of somebody's own, which lets calls wait; a provider on the internet refuses them.
    pub(crate) fn has_queue(&self) -> bool {
        self.is_loopback() || self.base_url.scheme() == "http"
    }

    /// The address of one resource of the API. A query in the base URL (an API version) stays.
    pub(crate) fn endpoint(&self, segments: &[&str]) -> Url {
        let mut url = self.base_url.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }

    /// The base URL for display: a query can hold secrets.
    pub fn shown_url(&self) -> String {
        let mut url = self.base_url.clone();
        url.set_query(None);
        url.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provider(base_url: &str) -> ProviderConfig {
        ProviderConfig::new("lab", base_url.parse().expect("a URL"))
    }

    #[test]
    fn endpoints_are_the_same_with_and_without_a_final_slash() {
        for base in ["http://h:1/v1", "http://h:1/v1/"] {
            let url = provider(base).endpoint(&["chat", "completions"]);
            assert_eq!(url.as_str(), "http://h:1/v1/chat/completions");
        }
        let url = provider("http://h:1").endpoint(&["models"]);
        assert_eq!(url.as_str(), "http://h:1/models");
        let url = provider("https://h/openai/v1?api-version=3").endpoint(&["models"]);
        assert_eq!(url.as_str(), "https://h/openai/v1/models?api-version=3");
    }

    #[test]
    fn a_table_is_read_and_a_misspelt_setting_or_a_key_in_it_is_refused() {
        let table = r#"{ "base_url": "http://localhost:1/v1", "key_env": "LAB_KEY",
            "timeouts": { "idle_ms": 5 }, "structured": "json_object",
            "extra_headers": { "x-team": "founders" } }"#;
        let config: ProviderConfig = serde_json::from_str(table).expect("a good table");
        assert_eq!(config.key_variable.as_deref(), Some("LAB_KEY"));
        assert_eq!(config.timeouts.idle_ms, 5);
        assert_eq!(config.timeouts.connect_ms, 10_000);
        assert_eq!((config.permits(), config.retries), (2, 3));
        for wrong in [r#""kee_env": "K""#, r#""key": "sk-1""#, r#""name": "lab""#] {
            let table = format!(r#"{{ "base_url": "http://localhost:1/v1", {wrong} }}"#);
            serde_json::from_str::<ProviderConfig>(&table).expect_err(wrong);
        }
    }

    #[test]
    fn the_environment_wins_over_the_key_file_and_nothing_shows_the_key() {
        let file = std::env::temp_dir().join(format!("quorate-key-{}", std::process::id()));
        std::fs::write(&file, "from-the-file\n").expect("a temporary file");
        let mut config = provider("https://h/v1");
        config.key_variable = Some("LAB_KEY".to_owned());
        config.key_file = Some(file.clone());
        config.find_key(|_| None).expect("the file is there");
        assert_eq!(config.key, Some(Secret::new("from-the-file")));
        config.find_key(|name| Some(format!("from-{name}"))).expect("the variable is set");
        assert_eq!(config.key, Some(Secret::new("from-LAB_KEY")));
        assert!(!format!("{config:?}").contains("from-"), "{config:?}");
        std::fs::remove_file(&file).expect("the temporary file is still there");
        let error = config.find_key(|_| None).expect_err("the file is gone");
        assert!(error.hint().text(Language::En).contains("key_env"), "{error}");
    }
}
