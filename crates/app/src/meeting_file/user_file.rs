//! The files that people write: a meeting (`--config`), and the user's own configuration. What is
//! misspelt is refused with its line and column.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quorate_contract::Rules;
use quorate_messages::{decoding_problem, io_problem, message};
use quorate_runners::{AcpConfig, ExporterConfig, ProcessConfig, ProviderSettings, ToolSourceConfig};
use serde::Deserialize;
use toml::de::{DeTable, DeValue};

use crate::error::ServiceError;
use crate::meeting_file::create_meeting::CreateMeetingRequest;
use crate::meeting_file::prices::OwnPrice;

/// The user's own configuration, which holds for all meetings.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UserFile {
    /// The models of a meeting that names none.
    pub models: Vec<String>,
    /// Providers, by name.
    pub providers: BTreeMap<String, ProviderSettings>,
    /// Programs that answer for participants, by name.
    pub processes: BTreeMap<String, ProcessConfig>,
    /// Coding agents that answer for participants, by name.
    pub acp: BTreeMap<String, AcpConfig>,
    /// Programs that make files of meetings, by name.
    pub exporters: BTreeMap<String, ExporterConfig>,
    /// Sources of tools that meetings can allow, by name.
    pub tools: BTreeMap<String, ToolSourceConfig>,
    /// Prices of models, by name or pattern.
    pub prices: BTreeMap<String, OwnPrice>,
    /// The settings of `quorate serve`; read by the server.
    pub server: Option<toml::Table>,
}

/// The file that a meeting was read from, to say where in it something is wrong.
#[derive(Debug, Clone, Default)]
pub(crate) struct Source {
    path: PathBuf,
    text: String,
    /// Whether the participants are given outside of the file.
    seats_nobody: bool,
}

impl Source {
    pub(crate) fn seats_nobody(&mut self) {
        self.seats_nobody = true;
    }

    /// The file's name, when there is a file.
    pub(crate) fn name(&self) -> Option<String> {
        (self.path != Path::new("")).then(|| self.path.display().to_string())
    }
}

/// The rules of a meeting's file, read once more for themselves: what is wrong then has its line.
#[derive(Deserialize)]
struct RulesOfFile {
    rules: Option<Rules>,
}

impl CreateMeetingRequest {
    /// Reads a meeting's file.
    ///
    /// # Errors
    /// When it cannot be read, or something in it is misspelt; the line and column are said.
    pub fn read(path: &Path) -> Result<Self, ServiceError> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            ServiceError::usage(
                message!("common-unreadable", path = %path.display(), error = io_problem(&error)),
                message!("app-file-path-hint"),
            )
        })?;
        let this = Self::from_toml(path, text)?;
        match (this.check_seats(), this.locate("seats")) {
            (Err(error), Some(at)) => Err(error.at(&at)),
            (checked, _) => checked.map(|()| this),
        }
    }

    fn from_toml(path: &Path, text: String) -> Result<Self, ServiceError> {
        let rules: Result<RulesOfFile, _> = toml::from_str(&text);
        let read: Result<Self, _> = toml::from_str(&text);
        let (rules, read) = match (rules, read) {
            (Ok(rules), Ok(read)) => (rules.rules, read),
            // The first error in the file is reported first.
            (Err(rules), Err(read)) => {
                let at = |error: &toml::de::Error| error.span().map_or(0, |span| span.start);
                let first = if at(&rules) < at(&read) { rules } else { read };
                return Err(misspelt(path, &text, &first));
            }
            (Err(error), Ok(_)) | (Ok(_), Err(error)) => return Err(misspelt(path, &text, &error)),
        };
        let processes = placed(read.processes, path, ProcessConfig::placed);
        let acp = placed(read.acp, path, AcpConfig::placed);
        let source = Source { path: path.to_owned(), text, seats_nobody: false };
        let this = Self { source, processes, acp, ..read };
        // TOML has non-finite numbers, and JSON does not.
        if let (Some(rules), Ok(read)) = (rules, this.rules.over_nothing())
            && rules != read
        {
            let error =
                ServiceError::usage(message!("app-file-no-number"), message!("app-file-no-number-hint"));
            return Err(error.at(&this.locate("rules").unwrap_or_else(|| path.display().to_string())));
        }
        Ok(this)
    }

    /// The position of a field in the file, as `meeting.toml:4:1`, for errors that only show when all parts
    /// are put together.
    pub fn locate(&self, field: &str) -> Option<String> {
        if self.source.seats_nobody && field.starts_with("participants") {
            return None;
        }
        let root = DeTable::parse(&self.source.text).ok()?;
        span_of(root.get_ref(), field).map(|at| {
            let (line, column) = line_and_column(&self.source.text, at);
            format!("{}:{line}:{column}", self.source.path.display())
        })
    }
}

impl UserFile {
    /// Reads the user's configuration; there may be none.
    pub fn read(path: &Path) -> Result<Self, ServiceError> {
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let file: Self = toml::from_str(&text).map_err(|error| misspelt(path, &text, &error))?;
                let processes = placed(file.processes, path, ProcessConfig::placed);
                let acp = placed(file.acp, path, AcpConfig::placed);
                let exporters = placed(file.exporters, path, ExporterConfig::placed);
                let tools = placed(file.tools, path, ToolSourceConfig::placed);
                Ok(Self { processes, acp, exporters, tools, ..file })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(ServiceError::usage(
                message!("common-unreadable", path = %path.display(), error = io_problem(&error)),
                message!("app-config-unreadable-hint"),
            )),
        }
    }
}

/// Programs with their names, and with the folder of their file to run in.
fn placed<T>(
    programs: BTreeMap<String, T>,
    path: &Path,
    place: fn(T, &str, &Path) -> T,
) -> BTreeMap<String, T> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(Path::new("/"));
    let placed = |(name, config): (String, T)| {
        let config = place(config, &name, folder);
        (name, config)
    };
    programs.into_iter().map(placed).collect()
}

fn misspelt(path: &Path, text: &str, error: &toml::de::Error) -> ServiceError {
    let place = match error.span() {
        Some(span) => {
            let (line, column) = line_and_column(text, span.start);
            format!("{}:{line}:{column}", path.display())
        }
        None => path.display().to_string(),
    };
    ServiceError::usage(decoding_problem(error.message()), message!("app-file-fields-hint")).at(&place)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        CreateMeetingRequest::from_toml(Path::new("m.toml"), text.to_owned()).expect_err("wrong").message()
    }

    #[test]
    fn what_is_wrong_first_is_said_with_its_line() {
        assert!(wrong("topic = 3\n[rules.turns]\ntimeout_ms = 'x'").starts_with("m.toml:1:9: "));
        assert!(wrong("topic = 'a'\n[rules.turns]\ntimeout_ms = 'x'").starts_with("m.toml:3:14: "));
        assert!(wrong("[rules.turns]\ntimeout_ms = 'x'\n[nonsense]").starts_with("m.toml:2:14: "));
        assert!(wrong("[rules.trns]\n").contains("trns"));
        let nan = wrong("topic = 'a'\n[rules.decision]\npass_ratio = nan");
        assert!(nan.starts_with("m.toml:2:") && nan.contains("cannot be counted with"), "{nan}");
    }

    #[test]
    fn whom_the_file_does_not_seat_has_no_line_in_it() {
        let text = "topic = 'a'\n[[participants]]\nname = 'Ada'".to_owned();
        let mut new = CreateMeetingRequest::from_toml(Path::new("m.toml"), text).expect("sound");
        assert_eq!(new.locate("participants[0].name").as_deref(), Some("m.toml:3:1"));
        new.seat(Vec::new());
        assert_eq!(new.locate("participants[0].name"), None);
        assert_eq!(new.locate("topic").as_deref(), Some("m.toml:1:1"));
    }
}
