//! The files that people write: a meeting (`--config`), and the user's own configuration. What is
//! misspelt is refused with its line and column.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quorate_core::{Format, Language, ModelParameters, Role, Rules, Temperament};
use quorate_runners::{ProcessConfig, ProviderSettings};
use serde::Deserialize;
use toml::de::{DeTable, DeValue};

use crate::error::{CliError, ErrorKind};

/// Prices as people write them, per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PriceEntry {
    pub(crate) input: f64,
    pub(crate) output: f64,
    /// For what comes from the provider's cache; otherwise as any other input.
    #[serde(default)]
    pub(crate) cached_input: Option<f64>,
    /// For what the provider puts into its cache; otherwise as any other input.
    #[serde(default)]
    pub(crate) cache_write: Option<f64>,
}

/// One participant.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ParticipantEntry {
    #[serde(default)]
    pub(crate) name: String,
    /// Seats an agent of the library, as it is; nothing else is then given.
    #[serde(default)]
    pub(crate) agent: Option<String>,
    #[serde(default)]
    pub(crate) role: Option<Role>,
    /// `provider/name`; otherwise one of the meeting's models in turn.
    #[serde(default)]
    pub(crate) model: Option<String>,
    /// The model that answers when its own cannot, `provider/name`; `none` for no other.
    #[serde(default)]
    pub(crate) fallback: Option<String>,
    /// A process of `[processes]` that answers for it.
    #[serde(default)]
    pub(crate) process: Option<String>,
    #[serde(default)]
    pub(crate) parameters: ModelParameters,
    /// Makes this participant a simulated one.
    #[serde(default)]
    pub(crate) temperament: Option<Temperament>,
}

impl ParticipantEntry {
    /// Somebody of whom only this is known.
    pub(crate) fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            agent: None,
            role: None,
            model: None,
            fallback: None,
            process: None,
            parameters: ModelParameters::default(),
            temperament: None,
        }
    }

    /// An agent of the library.
    pub(crate) fn agent(name: &str) -> Self {
        Self { agent: Some(name.to_owned()), ..Self::named("") }
    }

    /// Whether it needs none of the meeting's models.
    pub(crate) fn says_who_answers(&self) -> bool {
        let own = self.model.is_some() || self.temperament.is_some() || self.process.is_some();
        own || self.agent.is_some()
    }

    /// Whether an agent is given together with what is the agent's own.
    pub(crate) fn contradicts_itself(&self) -> bool {
        let Self { name, agent, role, model, fallback, process, parameters, temperament } = self;
        let own = !name.is_empty() || role.is_some() || model.is_some() || temperament.is_some();
        let own = own || process.is_some() || fallback.is_some() || *parameters != ModelParameters::default();
        agent.is_some() && own
    }
}

/// One point of the agenda.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AgendaEntry {
    pub(crate) title: String,
    #[serde(default)]
    pub(crate) description: String,
}

/// A model that a team can be given.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfferEntry {
    /// The name by which it is chosen; otherwise the model's.
    #[serde(default)]
    pub(crate) name: Option<String>,
    pub(crate) model: String,
    #[serde(default)]
    pub(crate) parameters: ModelParameters,
    #[serde(default)]
    pub(crate) good_at: String,
}

/// The facilitator.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct FacilitatorEntry {
    pub(crate) enabled: bool,
    pub(crate) model: Option<String>,
    /// The model that answers when that cannot; `none` for no other.
    pub(crate) fallback: Option<String>,
    pub(crate) parameters: ModelParameters,
    pub(crate) system_prompt: String,
}

impl Default for FacilitatorEntry {
    fn default() -> Self {
        Self {
            enabled: true,
            model: None,
            fallback: None,
            parameters: ModelParameters::default(),
            system_prompt: String::new(),
        }
    }
}

/// A meeting as a file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct MeetingFile {
    pub(crate) topic: Option<String>,
    pub(crate) background: Option<String>,
    pub(crate) format: Option<Format>,
    pub(crate) lang: Option<Language>,
    pub(crate) seed: Option<u64>,
    pub(crate) simulate: Option<bool>,
    pub(crate) models: Vec<String>,
    pub(crate) participants: Vec<ParticipantEntry>,
    pub(crate) facilitator: FacilitatorEntry,
    /// Who leads the meeting, by name.
    pub(crate) moderator: Option<String>,
    pub(crate) agenda: Vec<AgendaEntry>,
    /// The models that a team can be given; otherwise `models`.
    pub(crate) offers: Vec<OfferEntry>,
    /// Only checked here: they are laid over the format's preset, see [`MeetingFile::rules`].
    rules: Option<Rules>,
    pub(crate) providers: BTreeMap<String, ProviderSettings>,
    pub(crate) processes: BTreeMap<String, ProcessConfig>,
    pub(crate) prices: BTreeMap<String, PriceEntry>,
    #[serde(skip)]
    source: Source,
}

/// The user's own configuration, which holds for all meetings.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct UserFile {
    /// The models of a meeting that names none.
    pub(crate) models: Vec<String>,
    pub(crate) providers: BTreeMap<String, ProviderSettings>,
    pub(crate) processes: BTreeMap<String, ProcessConfig>,
    pub(crate) prices: BTreeMap<String, PriceEntry>,
}

#[derive(Debug, Default)]
struct Source {
    path: PathBuf,
    text: String,
}

impl MeetingFile {
    pub(crate) fn read(path: &Path) -> Result<Self, CliError> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            CliError::usage(
                format!("{} cannot be read: {error}", path.display()),
                "give the path of a meeting file",
            )
        })?;
        let file: Self = parse(path, &text)?;
        let processes = placed(file.processes, path);
        Ok(Self { source: Source { path: path.to_owned(), text }, processes, ..file })
    }

    /// The rules of the file over the preset of a format.
    pub(crate) fn rules(&self, format: Format) -> Result<Rules, CliError> {
        let Some(rules) = &self.rules else { return Ok(format.rules()) };
        let given: toml::Table = toml::from_str(&self.source.text).unwrap_or_default();
        let Some(toml::Value::Table(over)) = given.get("rules") else { return Ok(rules.clone()) };
        let mut all = toml::Table::try_from(format.rules()).map_err(|error| {
            CliError::new(error.to_string(), "this is a fault of Quorate").of(ErrorKind::Internal)
        })?;
        lay_over(&mut all, over);
        all.try_into().map_err(|error: toml::de::Error| {
            CliError::usage(
                format!("{}: {}", self.source.path.display(), error.message()),
                "see docs/meeting-file.md",
            )
        })
    }

    /// Where in the file a field stands, as `meeting.toml:4:1`, to say where something is wrong that
    /// only shows when all is put together.
    pub(crate) fn locate(&self, field: &str) -> Option<String> {
        let root = DeTable::parse(&self.source.text).ok()?;
        let parts = ["intake.", "turns.", "talk.", "context.", "decision.", "roster.", "closing.", "limits."];
        let rules = parts.iter().any(|part| field.starts_with(part));
        let field = if rules { format!("rules.{field}") } else { field.to_owned() };
        span_of(root.get_ref(), &field).map(|at| {
            let (line, column) = line_and_column(&self.source.text, at);
            format!("{}:{line}:{column}", self.source.path.display())
        })
    }
}

impl UserFile {
    /// Reads the user's configuration; there may be none.
    pub(crate) fn read(path: &Path) -> Result<Self, CliError> {
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let file: Self = parse(path, &text)?;
                Ok(Self { processes: placed(file.processes, path), ..file })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(CliError::usage(
                format!("{} cannot be read: {error}", path.display()),
                "mend its permissions, or name another file in QUORATE_CONFIG",
            )),
        }
    }
}

/// Processes with their names, and with the folder of their file to run in.
fn placed(processes: BTreeMap<String, ProcessConfig>, path: &Path) -> BTreeMap<String, ProcessConfig> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(Path::new("/"));
    let placed = |(name, config): (String, ProcessConfig)| (name.clone(), config.placed(&name, folder));
    processes.into_iter().map(placed).collect()
}

fn parse<T: for<'de> Deserialize<'de>>(path: &Path, text: &str) -> Result<T, CliError> {
    toml::from_str(text).map_err(|error| {
        let place = match error.span() {
            Some(span) => {
                let (line, column) = line_and_column(text, span.start);
                format!("{}:{line}:{column}", path.display())
            }
            None => path.display().to_string(),
        };
        CliError::usage(format!("{place}: {}", error.message()), "docs/meeting-file.md lists every field")
    })
}

/// Puts every value of `over` in place of the one below it.
fn lay_over(below: &mut toml::Table, over: &toml::Table) {
    for (key, value) in over {
        match (below.get_mut(key), value) {
            (Some(toml::Value::Table(below)), toml::Value::Table(over)) => lay_over(below, over),
            _ => _ = below.insert(key.clone(), value.clone()),
        }
    }
}

/// Lines and columns count from 1, columns in characters.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |feed| feed + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The byte at which a field such as `participants[1].role.name` begins, or the nearest table that
/// holds it.
fn span_of(table: &DeTable<'_>, field: &str) -> Option<usize> {
    let (first, rest) = field.split_once('.').unwrap_or((field, ""));
    let (name, place) = match first.split_once('[') {
        Some((name, place)) => (name, place.trim_end_matches(']').parse::<usize>().ok()),
        None => (first, None),
    };
    let (key, value) = table.iter().find(|(key, _)| key.get_ref() == name)?;
    let at = key.span().start;
    let deeper = match (value.get_ref(), place) {
        (DeValue::Array(items), Some(place)) => {
            match items.get(place).map(|item| (item.span().start, item.get_ref())) {
                Some((start, DeValue::Table(table))) => span_of(table, rest).or(Some(start)),
                Some((start, _)) => Some(start),
                None => None,
            }
        }
        (DeValue::Table(table), _) => span_of(table, rest),
        _ => None,
    };
    Some(deeper.unwrap_or(at))
}
