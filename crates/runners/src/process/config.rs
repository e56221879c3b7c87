//! The configuration of a process: its command, its environment, and its time limits.
//!
//! The settings come from a file that people edit (`[processes.NAME]`), never from a meeting's log: a log of
//! foreign origin can name a process of this machine, but not a command.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use quorate_engine::Secret;
use quorate_messages::{Language, Message, message};

use crate::model::redact::Secrets;

/// The most characters of a process's name; the core's rules say the same of a seat.
const NAME_MAX_CHARS: usize = 50;

/// The environment variables that every process gets.
const ALWAYS: [&str; 3] = ["PATH", "HOME", "LANG"];

/// How many calls a process answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessMode {
    /// A new process for each call.
    #[default]
    PerCall,
    /// One process that stays alive and answers many calls.
    Persistent,
}

/// One process: the body of `[processes.NAME]` and its name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessConfig {
    /// The name that participants use for it; the table's key in a file.
    #[serde(skip)]
    pub name: String,
    /// The program and its arguments. No shell reads them.
    pub command: Vec<String>,
    /// The variables of our environment that it may see, beside `PATH`, `HOME` and `LANG`.
    #[serde(default)]
    pub env: Vec<String>,
    /// The working directory; a relative path is resolved from the folder of its file.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
    /// One process for each call, or one for many.
    #[serde(default)]
    pub mode: ProcessMode,
    /// Whether it is sent the content of images, in base64.
    #[serde(default)]
    pub images: bool,
    /// What it is, for those who choose it.
    #[serde(default)]
    pub description: String,
    /// The time limit of one answer, 1 to 86,400,000 (a day); the meeting's own limit holds when it is
    /// shorter.
    #[serde(default = "three_minutes")]
    pub timeout_ms: u64,
    /// How long a persistent process has, once it is started, to write the event `ready` before its first call is sent, at
    /// most 600,000; that time is no part of the call's. 0, the default, does not wait.
    #[serde(default)]
    pub ready_ms: u64,
    /// The largest number of calls in flight, 1 to 64; when not given 4, and 1 for a persistent process.
    #[serde(default)]
    pub concurrency: Option<usize>,
}

fn three_minutes() -> u64 {
    180_000
}

/// The reason why a process configuration is invalid.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}", self.told().text(Language::En))]
pub struct ProcessConfigError {
    /// Whether an exporter is configured, or else a process.
    is_exporter: bool,
    /// The name of the process.
    pub process: String,
    /// What is wrong, as the end of a sentence.
    pub problem: Message,
    /// What to do about it.
    pub hint: Message,
}

impl ProcessConfigError {
    /// What is wrong with an exporter.
    pub(super) fn of_exporter(name: &str, problem: Message, hint: Message) -> Self {
        Self { is_exporter: true, process: name.to_owned(), problem, hint }
    }

    /// The same of the program of an exporter.
    pub(super) fn in_exporters(self) -> Self {
        Self { is_exporter: true, ..self }
    }

    /// What is wrong, and with what.
    pub fn told(&self) -> Message {
        let (name, problem) = (&self.process, self.problem.clone());
        match self.is_exporter {
            true => message!("runners-exporter", name, problem),
            false => message!("runners-process", name, problem),
        }
    }
}

impl ProcessConfig {
    /// A process with the defaults.
    pub fn new(name: impl Into<String>, command: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            name: name.into(),
            command: command.into_iter().map(Into::into).collect(),
            env: Vec::new(),
            cwd: None,
            mode: ProcessMode::default(),
            images: false,
            description: String::new(),
            timeout_ms: three_minutes(),
            ready_ms: 0,
            concurrency: None,
        }
    }

    /// The same configuration with its name and a working directory: its own, relative to the folder of the
    /// configuring file, or else that folder.
    pub fn placed(mut self, name: &str, folder: &Path) -> Self {
        name.clone_into(&mut self.name);
        self.cwd = Some(working_folder(self.cwd, folder));
        self
    }

    /// The path of its program: as given when it is a path, otherwise the first in `PATH`.
    pub fn find_program(&self) -> Option<PathBuf> {
        let program = Path::new(self.command.first()?);
        if program.components().count() > 1 || program.is_absolute() {
            let place = self.cwd.as_deref().unwrap_or(Path::new("")).join(program);
            return is_program(&place).then_some(place);
        }
        let folders = std::env::var_os("PATH")?;
        std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|place| is_program(place))
    }

    /// The variables it asks for that are not set here.
    pub fn unset_variables(&self) -> Vec<&str> {
        let unset = |name: &&str| std::env::var_os(name).is_none();
        self.env.iter().map(String::as_str).filter(unset).collect()
    }

    /// All that it sees of our environment.
    pub(crate) fn environment(&self) -> impl Iterator<Item = (&str, std::ffi::OsString)> {
        let names = ALWAYS.into_iter().chain(self.env.iter().map(String::as_str));
        names.filter_map(|name| Some((name, std::env::var_os(name)?)))
    }

    /// The values that are secret by the names of their variables, and must not be stored or shown.
    pub(crate) fn secrets(&self) -> Secrets {
        let keeps = |name: &&String| {
            let name = name.to_ascii_uppercase();
            ["KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL"].iter().any(|word| name.contains(word))
        };
        let values = self.env.iter().filter(keeps).filter_map(|name| std::env::var(name).ok());
        Secrets::of_all(&values.map(Secret::new).collect::<Vec<_>>())
    }

    /// The largest number of calls in flight.
    pub(super) fn permits(&self) -> usize {
        self.concurrency.unwrap_or(match self.mode {
            ProcessMode::PerCall => 4,
            ProcessMode::Persistent => 1,
        })
    }

    pub(super) fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }

    /// Refuses settings that cannot work on any machine.
    pub fn check(&self) -> Result<(), ProcessConfigError> {
        let wrong = |problem, hint| {
            let process = self.name.clone();
            Err(ProcessConfigError { is_exporter: false, process, problem, hint })
        };
        let chars = self.name.chars().count();
        if !(1..=NAME_MAX_CHARS).contains(&chars) || self.name.chars().any(char::is_control) {
            return wrong(message!("runners-name-length"), message!("runners-name-length-hint"));
        }
        if !names_program(&self.command) {
            return wrong(message!("runners-no-command"), message!("runners-no-command-hint"));
        }
        if !are_variables(&self.env) {
            return wrong(message!("runners-no-variable"), message!("runners-no-variable-hint"));
        }
        if holds_zero_byte(&self.command) {
            return wrong(message!("runners-zero-byte"), message!("runners-zero-byte-hint"));
        }
        let permits = self.permits() as u64;
        for (setting, value, least, most) in [
            ("timeout_ms", self.timeout_ms, 1, 86_400_000),
            ("ready_ms", self.ready_ms, 0, 600_000),
            ("concurrency", permits, 1, 64),
        ] {
            if !(least..=most).contains(&value) {
                let (problem, hint) = out_of_bounds(setting, least, most);
                return wrong(problem, hint);
            }
        }
        Ok(())
    }
}

/// What is said of a number that is not within its bounds.
pub(super) fn out_of_bounds(setting: &str, least: u64, most: u64) -> (Message, Message) {
    (message!("runners-bounds", setting, %least, %most), message!("runners-bounds-hint", setting))
}

/// Whether a command names a program.
pub(crate) fn names_program(command: &[String]) -> bool {
    command.first().is_some_and(|program| !program.trim().is_empty())
}

/// Whether no program could be started with a command, because it holds a zero byte.
pub(crate) fn holds_zero_byte(command: &[String]) -> bool {
    command.iter().any(|part| part.contains('\0'))
}

/// Whether these are names of variables, not their values.
pub(crate) fn are_variables(names: &[String]) -> bool {
    names.iter().all(|name| !name.is_empty() && !name.contains(['=', '\0']))
}

/// The working folder of a program: its own, from the folder of the configuring file, or else that folder.
pub(crate) fn working_folder(own: Option<PathBuf>, folder: &Path) -> PathBuf {
    own.map_or_else(|| folder.to_owned(), |own| folder.join(own))
}

#[cfg(unix)]
fn is_program(place: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(place).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(place: &Path) -> bool {
    place.is_file() || place.with_extension("exe").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_and_a_misspelt_setting_or_a_value_of_a_variable_is_refused() {
        let table = r#"{ "command": ["sh", "-c", "true"], "mode": "persistent", "env": ["A_KEY"] }"#;
        let config: ProcessConfig = serde_json::from_str(table).expect("a good table");
        assert_eq!((config.mode, config.permits(), config.timeout_ms), (ProcessMode::Persistent, 1, 180_000));
        let config = config.placed("reviewer", Path::new("/srv"));
        config.check().expect("nothing is wrong with it");
        assert_eq!(config.cwd.as_deref(), Some(Path::new("/srv")));
        for wrong in [r#""shell": true"#, r#""mode": "forever""#, r#""env": { "A": "b" }"#] {
            let table = format!(r#"{{ "command": ["sh"], {wrong} }}"#);
            serde_json::from_str::<ProcessConfig>(&table).expect_err(wrong);
        }
        let mut config = config;
        config.env = vec!["A_KEY=sk-12345678".to_owned()];
        let error = config.check().expect_err("a value");
        let hint = error.hint.text(Language::En);
        assert!(hint.contains("names alone") && !error.to_string().contains("sk-1"), "{error}");
        let chinese = error.told().text(Language::Zh);
        assert_eq!(chinese, "进程 reviewer：env 中有不是变量名的内容");
    }

    #[test]
    fn a_program_is_found_in_the_path_or_from_its_folder() {
        assert!(ProcessConfig::new("a", ["sh"]).find_program().is_some());
        assert!(ProcessConfig::new("a", ["no-such-program-here"]).find_program().is_none());
        let here = ProcessConfig::new("a", ["./Cargo.toml"]);
        let here = here.placed("a", Path::new(env!("CARGO_MANIFEST_DIR")));
        assert!(here.find_program().is_none(), "a file that nobody may execute is no program");
    }
}
