//! The available providers: those of files, of the environment, of the database and of the presets that ship
//! with the program, each with its source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quorate_contract::Wording;
use quorate_messages::{Message, message, text};
use quorate_runners::{
    Directory, Pace, Programs, ProviderConfig, ProviderSettings, SettingsError, SimulatedRunner, ToolSet,
    ToolSourceConfig, Vendor, WireFormat, vendor, vendors,
};
use quorate_store::Credential;

use crate::error::ServiceError;
use crate::language::Speech;
use crate::meeting_file::create_meeting::CreateMeetingRequest;
use crate::meeting_file::rules::nearest;
use crate::meeting_file::user_file::UserFile;
use crate::providers::discover::{find_version, ollama_url, variable};
use crate::providers::stored::{address_of, lend_key, settings_of};

/// The provider that is looked for on this machine without having been named.
pub const OLLAMA: &str = "ollama";

/// The source of a provider's configuration; later ones take precedence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A vendor's preset that needs no key, such as a server on this machine.
    Preset,
    /// The database.
    Stored,
    /// An environment variable.
    Environment(String),
    /// The user's configuration.
    UserFile,
    /// The meeting's file.
    MeetingFile,
}

impl Source {
    /// The source in words.
    pub fn in_words(&self, speech: Speech) -> String {
        match self {
            Self::Preset => text!(speech, "app-providers-looked-machine").to_owned(),
            Self::Stored => text!(speech, "app-providers-stored").to_owned(),
            Self::Environment(name) => text!(speech, "app-providers-variable", %name),
            Self::UserFile => text!(speech, "app-providers-configuration-file").to_owned(),
            Self::MeetingFile => text!(speech, "app-providers-meeting-file").to_owned(),
        }
    }
}

/// A provider that can be used.
#[derive(Debug, Clone)]
pub struct FoundProvider {
    /// The configuration.
    pub config: ProviderConfig,
    /// The source of the configuration.
    pub source: Source,
}

impl From<SettingsError> for ServiceError {
    fn from(error: SettingsError) -> Self {
        let names: Vec<&str> = vendors().iter().map(|vendor| vendor.name.as_str()).collect();
        let names = names.as_slice();
        let (near, problem, hint) = match &error {
            SettingsError::UnknownVendor { provider, vendor } => (
                near_vendor(vendor),
                message!("app-provider-no-vendor", provider, vendor),
                message!("app-provider-no-vendor-hint", names),
            ),
            SettingsError::NoAddress { provider } => (
                near_vendor(provider),
                message!("app-provider-no-address", provider),
                message!("app-provider-no-address-hint", names),
            ),
            SettingsError::Variable { variable, text, problem } => (
                None,
                message!("app-value-is", name = variable, text, error = problem),
                message!("app-base-url-like"),
            ),
        };
        ServiceError::usage(problem, unless_near(near, hint)).with("field", "providers")
    }
}

/// The vendor whose name is nearest to what was written, when one is near.
pub fn near_vendor(written: &str) -> Option<&'static str> {
    let lower = written.to_lowercase();
    nearest(&lower, vendors().iter().map(|vendor| vendor.name.as_str()))
        .into_iter()
        .find(|name| strsim::jaro_winkler(&lower, name) > 0.85)
}

/// Providers that are configured: in the meeting's file, in the user's, in the environment, among
/// the stored `credentials`, and presets that want no key; what comes first here wins. With `ask`, a
/// server whose base URL may lack its `/v1` is asked.
///
/// # Errors
/// When something that is configured cannot be used.
pub async fn found_providers(
    file: &CreateMeetingRequest,
    user: &UserFile,
    credentials: &[Credential],
    ask: bool,
) -> Result<BTreeMap<String, FoundProvider>, ServiceError> {
    let mut found = BTreeMap::new();
    let mut add = |config: ProviderConfig, source| {
        found.insert(config.name.clone(), FoundProvider { config, source });
    };
    for vendor in vendors().iter().filter(|vendor| vendor.key_env.is_empty() && vendor.name != OLLAMA) {
        add(ProviderSettings::default().complete(&vendor.name, |_| None)?, Source::Preset);
    }
    let host = std::env::var_os("OLLAMA_HOST").map(|_| "OLLAMA_HOST".to_owned());
    let ollama = ProviderSettings { base_url: Some(ollama_url()?), ..ProviderSettings::default() };
    add(ollama.complete(OLLAMA, |_| None)?, host.map_or(Source::Preset, Source::Environment));
    for credential in credentials {
        if let Some(config) = stored(credential)? {
            add(config, Source::Stored);
        }
    }
    for vendor in vendors().iter().filter(|vendor| vendor.name != OLLAMA) {
        if let Some((config, named)) = from_environment(vendor, credentials)? {
            add(config, Source::Environment(named));
        }
    }
    let own = user.providers.iter().map(|provider| (provider, Source::UserFile));
    for ((name, settings), source) in
        own.chain(file.providers.iter().map(|provider| (provider, Source::MeetingFile)))
    {
        let mut settings = settings.clone();
        if settings.base_url.is_none() && settings.vendor.as_deref().unwrap_or(name) == OLLAMA {
            let mut url = ollama_url()?;
            // Only its own format begins at the address itself.
            if settings.wire.is_some_and(|wire| wire != WireFormat::Ollama) {
                url.set_path(&format!("{}/v1", url.path().trim_end_matches('/')));
            }
            settings.base_url = Some(url);
        }
        let mut config = settings.complete(name, variable)?;
        config.find_key(variable)?;
        lend_key(&mut config, credentials, source == Source::UserFile)?;
        add(config, source);
    }
    if ask {
        for found in found.values_mut() {
            settle_address(found).await;
        }
    }
    Ok(found)
}

/// Asks a server whose base URL may lack its `/v1` for the path of its API.
pub(crate) async fn settle_address(FoundProvider { config, source }: &mut FoundProvider) {
    // What is written in a file is meant as it is written.
    let asked = matches!(source, Source::Stored | Source::Environment(_));
    let preset = config.vendor.as_deref().and_then(vendor);
    if asked
        && config.wire == WireFormat::default()
        && preset.is_none_or(|preset| preset.base_url != config.base_url)
    {
        find_version(config).await;
    }
}

/// The same, without where each comes from.
///
/// # Errors
/// As [`found_providers`].
pub async fn providers_of(
    file: &CreateMeetingRequest,
    user: &UserFile,
    credentials: &[Credential],
    ask: bool,
) -> Result<BTreeMap<String, ProviderConfig>, ServiceError> {
    let found = found_providers(file, user, credentials, ask).await?;
    Ok(found.into_iter().map(|(name, found)| (name, found.config)).collect())
}

/// A provider as what is stored for it describes it, when that says where it is. The address does
/// not follow the environment: the key was given for the one that held then.
///
/// # Errors
/// When a setting that is stored cannot be used.
pub fn stored(credential: &Credential) -> Result<Option<ProviderConfig>, ServiceError> {
    let Some(url) = address_of(credential)? else { return Ok(None) };
    let settings = settings_of(credential)?;
    let preset = settings.vendor_of(&credential.provider)?;
    let of_address =
        |name: &str| preset.is_some_and(|preset| preset.base_url_env.iter().any(|of| of == name));
    let base_url = credential.base_url.is_some().then_some(url);
    let settings = ProviderSettings { base_url, ..settings };
    let mut config =
        settings.complete(&credential.provider, |name| variable(name).filter(|_| !of_address(name)))?;
    match &credential.key {
        Some(key) => (config.key, config.key_variable) = (Some(key.clone()), None),
        None => config.find_key(variable)?,
    }
    Ok(Some(config))
}

/// The provider of a vendor's name as the environment describes it, and the variable that does. What
/// else is stored for it holds too, where it is stored for the same address.
fn from_environment(
    vendor: &Vendor,
    credentials: &[Credential],
) -> Result<Option<(ProviderConfig, String)>, ServiceError> {
    let named = vendor.base_url_env.iter().chain(&vendor.key_env).find(|name| variable(name).is_some());
    let Some(named) = named else { return Ok(None) };
    let mut config = ProviderSettings::default().complete(&vendor.name, variable)?;
    let credential = credentials.iter().find(|credential| credential.provider == vendor.name);
    if let Some(credential) = credential
        && address_of(credential)?.is_some_and(|url| trimmed(&url) == trimmed(&config.base_url))
    {
        let base_url = Some(config.base_url.clone());
        let settings = ProviderSettings { base_url, ..settings_of(credential)? };
        let key_variable = config.key_variable;
        config = ProviderConfig { key_variable, ..settings.complete(&vendor.name, variable)? };
    }
    config.find_key(variable)?;
    lend_key(&mut config, credentials, true)?;
    Ok(Some((config, named.clone())))
}

pub(crate) fn trimmed(url: &url::Url) -> String {
    url.as_str().trim_end_matches('/').to_owned()
}

/// Processes and coding agents that are configured, in the meeting's file and in the user's.
pub fn programs_of(file: &CreateMeetingRequest, user: &UserFile) -> Programs {
    let processes = user.processes.iter().chain(&file.processes);
    let acp = user.acp.iter().chain(&file.acp);
    Programs {
        processes: processes.map(|(name, config)| (name.clone(), config.clone())).collect(),
        acp: acp.map(|(name, config)| (name.clone(), config.clone())).collect(),
    }
}

/// Sources of tools that are configured: in the user's file, and on the command line.
pub fn tools_of(new: &CreateMeetingRequest, user: &UserFile) -> BTreeMap<String, ToolSourceConfig> {
    let given = new.folders.iter().map(|config| (config.name.clone(), config.clone()));
    user.tools.clone().into_iter().chain(given).collect()
}

/// Where sessions of coding agents are remembered: beside the database.
pub fn agent_sessions(database: &Path) -> PathBuf {
    database.with_extension("acp")
}

/// Makes the directory of all runners: the providers, the programs, and the simulation. `sessions` is the folder in which
/// those of coding agents are remembered.
///
/// # Errors
/// When one of them is configured so that no request could be made.
pub fn runners(
    providers: impl IntoIterator<Item = ProviderConfig>,
    programs: Programs,
    sessions: Option<PathBuf>,
    tools: impl IntoIterator<Item = ToolSourceConfig>,
    pace: Pace,
) -> Result<Arc<Directory>, ServiceError> {
    quorate_runners::install_tls();
    let mut directory = Directory::open(providers, Arc::new(SimulatedRunner::new(pace)))?;
    for process in programs.processes.into_values() {
        directory.add_process(process)?;
    }
    for agent in programs.acp.into_values() {
        directory.add_acp(agent, sessions.clone())?;
    }
    let mut offered = ToolSet::default();
    for source in tools {
        offered.add(&source)?;
    }
    directory.offer_tools(offered);
    Ok(Arc::new(directory))
}

/// How to add a provider that is not configured. It names both the store and the file, so that the reader can
/// choose.
pub fn how_to_add(provider: &str) -> Wording {
    match vendor(provider).and_then(|vendor| vendor.key_env.first()) {
        Some(variable) => {
            let general = message!("app-add-preset", %provider, %variable);
            let terminal = message!("app-add-preset-terminal", %variable, %provider);
            Wording::from(general).at_terminal(terminal)
        }
        None => {
            let near = near_vendor(provider).filter(|near| *near != provider);
            let general = unless_near(near, message!("app-add-provider", provider));
            let command = format!("quorate providers add {provider} --base-url URL --api-key-stdin");
            let terminal = unless_near(near, message!("app-add-provider-terminal", command));
            Wording::from(general).at_terminal(terminal)
        }
    }
}

/// A hint, after the name that may be meant.
pub(crate) fn unless_near(near: Option<&str>, hint: Message) -> Message {
    match near {
        Some(near) => message!("app-otherwise", near, hint),
        None => hint,
    }
}

/// The name that may be meant, where the list of providers shows them.
pub(crate) fn near_provider(near: &str) -> Wording {
    Wording::from(message!("app-near-provider", %near))
        .at_terminal(message!("app-near-provider-terminal", %near))
}
