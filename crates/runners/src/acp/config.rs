//! The configuration of a coding agent: its command, and the folders in which it may work.
//!
//! It comes from a file that people edit (`[acp.NAME]`), never from a meeting's log: a log of foreign origin can name an
//! agent and a folder of this machine, but neither a command nor a path.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quorate_contract::{FOLDER_MAX_CHARS, NAME_MAX_CHARS};
use quorate_messages::{Message, message};
use serde::Deserialize;

use crate::model::redact::Secrets;
use crate::process::config::{are_variables, holds_zero_byte, names_program, working_folder};
use crate::process::{ProcessConfig, ProcessMode};

/// The most folders of one agent.
const FOLDERS_MAX: usize = 100;

/// One agent: the body of `[acp.NAME]` and its name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcpConfig {
    /// The name that participants use for it; the table's key in a file.
    #[serde(skip)]
    pub name: String,
    /// Whether the command line gives it (`--acp`), so that hints name its flags and not a file.
    #[serde(skip)]
    pub of_command_line: bool,
    /// The program and its arguments. No shell reads them.
    pub command: Vec<String>,
    /// The variables of our environment that it may see, beside `PATH`, `HOME` and `LANG`.
    #[serde(default)]
    pub env: Vec<String>,
    /// The folder in which the program is started; a relative path is resolved from the folder of its file. The agent
    /// works in one of `folders`.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
    /// The folders in which it may work, by the names that participants use for them.
    pub folders: BTreeMap<String, PathBuf>,
    /// Whether it may write files in its folder through Quorate.
    #[serde(default)]
    pub writable: bool,
    /// The mode of the agent's sessions, by the agent's own id for it, such as `plan`.
    #[serde(default)]
    pub mode: Option<String>,
    /// How it signs in, by the agent's own id for it; left out where it needs no sign-in, or has one already.
    #[serde(default)]
    pub auth: Option<String>,
    /// What it is, for those who choose it.
    #[serde(default)]
    pub description: String,
    /// Servers of the Model Context Protocol that it starts, by name.
    #[serde(default)]
    pub mcp_servers: BTreeMap<String, McpServerConfig>,
    /// The time limit of one answer, 1 to 86,400,000 (a day); the meeting's own limit holds when it is shorter.
    #[serde(default = "one_hour")]
    pub timeout_ms: u64,
    /// The time in which a person can answer what it asks for, 1 to 3,600,000.
    #[serde(default = "two_minutes")]
    pub permission_ms: u64,
    /// The largest number of calls in flight, 1 to 64.
    #[serde(default = "four")]
    pub concurrency: usize,
}

/// A server of the Model Context Protocol that an agent starts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct McpServerConfig {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The variables of our environment that it may see.
    #[serde(default)]
    pub env: Vec<String>,
}

fn one_hour() -> u64 {
    3_600_000
}

fn two_minutes() -> u64 {
    120_000
}

fn four() -> usize {
    4
}

/// The reason why the configuration of an agent is invalid.
#[derive(Debug, Clone, thiserror::Error)]
#[error("acp {agent}: {}", problem.text(quorate_messages::Language::En))]
pub struct AcpConfigError {
    /// The name of the agent.
    pub agent: String,
    /// What is wrong.
    pub problem: Message,
    /// What to do about it.
    pub hint: Message,
}

impl AcpConfig {
    /// An agent with the defaults, in one folder.
    pub fn new(name: &str, command: impl IntoIterator<Item = impl Into<String>>, folder: &Path) -> Self {
        let named = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let named = named.filter(|name| is_folder_name(name)).unwrap_or_else(|| "folder".to_owned());
        Self {
            name: name.to_owned(),
            of_command_line: false,
            command: command.into_iter().map(Into::into).collect(),
            env: Vec::new(),
            cwd: None,
            folders: BTreeMap::from([(named, folder.to_owned())]),
            writable: false,
            mode: None,
            auth: None,
            description: String::new(),
            mcp_servers: BTreeMap::new(),
            timeout_ms: one_hour(),
            permission_ms: two_minutes(),
            concurrency: four(),
        }
    }

    /// The same configuration with its name, and with its paths resolved from the folder of the configuring file.
    pub fn placed(mut self, name: &str, folder: &Path) -> Self {
        name.clone_into(&mut self.name);
        self.cwd = Some(working_folder(self.cwd, folder));
        self.folders.values_mut().for_each(|place| *place = folder.join(&*place));
        self
    }

    /// The program alone, as processes are started.
    pub fn program(&self) -> ProcessConfig {
        ProcessConfig {
            env: self.env.clone(),
            cwd: self.cwd.clone(),
            mode: ProcessMode::Persistent,
            ..ProcessConfig::new(self.name.clone(), self.command.clone())
        }
    }

    pub(super) fn secrets(&self) -> Secrets {
        self.program().secrets()
    }

    pub(super) fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }

    /// The name of a seat's folder, and what lies in it: the only folder where the seat names none.
    ///
    /// # Errors
    /// When there is no such folder, or several and none is named.
    pub fn folder(&self, seat: &str) -> Result<(&Path, PathBuf), AcpConfigError> {
        let known: Vec<&str> = self.folders.keys().map(String::as_str).collect();
        let name = &self.name;
        let (first, rest) = seat.split_once('/').unwrap_or((seat, ""));
        let wrong = |problem, hint| Err(AcpConfigError { agent: name.clone(), problem, hint });
        let root = match (first, &known[..]) {
            ("", [only]) => &self.folders[*only],
            ("", _) => {
                let first = known.first().copied().unwrap_or_default();
                let hint = message!("remedy-acp-name-folder", name, folder = first);
                return wrong(message!("failure-acp-folder-unnamed", known = &known[..]), hint);
            }
            (folder, _) => match self.folders.get(folder) {
                Some(root) => root,
                None => {
                    let hint = message!("remedy-acp-add-folder", name, known = &known[..]);
                    return wrong(message!("failure-acp-no-folder", folder), hint);
                }
            },
        };
        let rest = PathBuf::from(rest);
        let plain = rest.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        match plain {
            true => Ok((root, rest)),
            false => wrong(
                message!("failure-acp-no-folder", folder = seat),
                message!("remedy-acp-add-folder", name, known = &known[..]),
            ),
        }
    }

    /// Refuses settings that cannot work on any machine.
    ///
    /// # Errors
    /// Says what is wrong, and what would be right.
    pub fn check(&self) -> Result<(), AcpConfigError> {
        let wrong = |problem, hint| Err(AcpConfigError { agent: self.name.clone(), problem, hint });
        let name = &self.name;
        let is_name = |name: &str, most| {
            (1..=most).contains(&name.chars().count())
                && !name.chars().any(|c| c.is_control() || c == '/' || c == '\\')
        };
        if !is_name(name, NAME_MAX_CHARS) {
            return wrong(message!("failure-acp-name"), message!("remedy-acp-name"));
        }
        let servers = || self.mcp_servers.values();
        if !names_program(&self.command)
            || holds_zero_byte(&self.command)
            || servers().any(|server| !names_program(&server.command))
        {
            return wrong(message!("failure-acp-no-command"), message!("remedy-acp-command"));
        }
        if !are_variables(&self.env) || servers().any(|server| !are_variables(&server.env)) {
            let hint = match self.of_command_line {
                true => message!("remedy-acp-flag-env"),
                false => message!("remedy-acp-env"),
            };
            return wrong(message!("failure-acp-env"), hint);
        }
        if self.folders.is_empty() || self.folders.len() > FOLDERS_MAX {
            return wrong(message!("failure-acp-no-folders"), message!("remedy-acp-folders", name));
        }
        if let Some(folder) = self.folders.keys().find(|folder| !is_folder_name(folder)) {
            return wrong(message!("failure-acp-folder-name", folder), message!("remedy-acp-folders", name));
        }
        let within = (1..=86_400_000).contains(&self.timeout_ms)
            && (1..=3_600_000).contains(&self.permission_ms)
            && (1..=64).contains(&self.concurrency);
        match within {
            true => Ok(()),
            false => wrong(message!("failure-acp-bounds"), message!("remedy-acp-bounds")),
        }
    }
}

/// Whether a folder can be called so: the name stands within the name of a seat.
fn is_folder_name(name: &str) -> bool {
    (1..=FOLDER_MAX_CHARS / 2).contains(&name.chars().count())
        && !name.chars().any(|c| c.is_control() || c == '/' || c == '\\')
        && name != "."
        && name != ".."
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent() -> AcpConfig {
        let table = r#"{ "command": ["agent"], "folders": { "a": "src/a", "b": "/srv/b" } }"#;
        let config: AcpConfig = serde_json::from_str(table).expect("a good table");
        config.placed("coder", Path::new("/etc/quorate"))
    }

    #[test]
    fn a_seat_names_a_folder_of_the_configuration_and_what_lies_in_it() {
        let agent = agent();
        agent.check().expect("nothing is wrong with it");
        let (root, rest) = agent.folder("a/crates/core").expect("configured");
        assert_eq!((root, rest.as_path()), (Path::new("/etc/quorate/src/a"), Path::new("crates/core")));
        assert_eq!(agent.folder("b").expect("configured").0, Path::new("/srv/b"));
        for wrong in ["", "c", "a/../b", "a//etc", "/etc", ".."] {
            agent.folder(wrong).expect_err(wrong);
        }
        let mut alone = agent;
        alone.folders.remove("b");
        assert_eq!(alone.folder("").expect("the only one").0, Path::new("/etc/quorate/src/a"));
    }

    #[test]
    fn settings_that_cannot_work_are_refused_with_what_would_be_right() {
        let wrong = |change: &dyn Fn(&mut AcpConfig)| {
            let mut agent = agent();
            change(&mut agent);
            let error = agent.check().expect_err("refused");
            assert!(!error.hint.text(quorate_messages::Language::Zh).is_empty(), "{error}");
        };
        wrong(&|agent| agent.name = "a/b".to_owned());
        wrong(&|agent| agent.command.clear());
        wrong(&|agent| agent.env = vec!["A_KEY=sk-12345678".to_owned()]);
        wrong(&|agent| agent.folders.clear());
        wrong(&|agent| _ = agent.folders.insert("..".to_owned(), PathBuf::from("/")));
        wrong(&|agent| agent.concurrency = 0);
        serde_json::from_str::<AcpConfig>(r#"{ "command": ["a"] }"#).expect_err("a folder is needed");
    }
}
