//! The configuration of a source of tools: `[tools.NAME]` in the user's file, never in a meeting's log.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use quorate_contract::{MEETING_FILES, WEB_SEARCH, is_tool_source_name};
use quorate_messages::{Language, Message, message};
use serde::Deserialize;
use url::Url;

use super::{Folder, McpServer, ToolSource};
use crate::process::ProcessConfig;
use crate::process::config::working_folder;

/// One source of tools: the body of `[tools.NAME]` and its name. It is a folder, or an MCP server that is started as a
/// program or reached at an address.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToolSourceConfig {
    /// The name that meetings use for it; the table's key in a file.
    #[serde(skip)]
    pub name: String,
    /// A folder whose files can be listed, read and searched; a relative path is resolved from the folder of its file.
    pub folder: Option<PathBuf>,
    /// An MCP server: the program that speaks the protocol over standard input and output, and its arguments. No shell
    /// reads them.
    pub command: Vec<String>,
    /// The variables of our environment that the program may see, beside `PATH`, `HOME` and `LANG`.
    pub env: Vec<String>,
    /// The working directory of the program; a relative path is resolved from the folder of its file.
    pub cwd: Option<PathBuf>,
    /// An MCP server: its address, for the transport of streamable HTTP.
    pub url: Option<Url>,
    /// The variable of our environment that holds the bearer token for the address.
    pub token_env: Option<String>,
    /// The tools of the MCP server that may be called; all of them when empty.
    pub allow: Vec<String>,
    /// The tools of the MCP server that change nothing. Every other one asks a person before it runs.
    pub without_effects: Vec<String>,
}

/// The reason why a source of tools cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}", self.told().text(Language::En))]
pub struct ToolConfigError {
    /// The name of the source.
    pub name: String,
    /// What is wrong.
    pub problem: Message,
    /// What to do about it.
    pub hint: Message,
}

impl ToolConfigError {
    /// What is wrong, and with what.
    pub fn told(&self) -> Message {
        message!("runners-tool-source", name = &self.name, problem = self.problem.clone())
    }
}

impl ToolSourceConfig {
    /// The tools of a folder, under a name.
    pub fn of_folder(name: impl Into<String>, folder: impl Into<PathBuf>) -> Self {
        Self { name: name.into(), folder: Some(folder.into()), ..Self::default() }
    }

    /// The same configuration with its name, and paths resolved from the folder of the configuring file.
    pub fn placed(mut self, name: &str, folder: &Path) -> Self {
        name.clone_into(&mut self.name);
        self.folder = self.folder.map(|path| folder.join(path));
        self.cwd = Some(working_folder(self.cwd, folder));
        self
    }

    /// Checks it.
    ///
    /// # Errors
    /// When no tool of it could run.
    pub fn check(&self) -> Result<(), ToolConfigError> {
        self.open().map(|_| ())
    }

    /// Its program as a process; `None` when it has none.
    pub fn process(&self) -> Option<ProcessConfig> {
        (!self.command.is_empty()).then(|| ProcessConfig {
            env: self.env.clone(),
            cwd: self.cwd.clone(),
            ..ProcessConfig::new(self.name.clone(), self.command.clone())
        })
    }

    /// The variable for the bearer token of its address, when it is not set here.
    pub fn unset_token(&self) -> Option<&str> {
        self.token_env.as_deref().filter(|name| std::env::var_os(name).is_none())
    }

    /// Opens the source. A server is connected to when its tools are first needed.
    pub(super) fn open(&self) -> Result<Arc<dyn ToolSource>, ToolConfigError> {
        let wrong = |problem, hint| ToolConfigError { name: self.name.clone(), problem, hint };
        if !is_tool_source_name(&self.name) {
            return Err(wrong(message!("runners-tools-name"), message!("runners-tools-name-hint")));
        }
        if self.name == WEB_SEARCH {
            return Err(wrong(
                message!("runners-tools-web-search"),
                message!("runners-tools-web-search-hint"),
            ));
        }
        if self.name == MEETING_FILES {
            return Err(wrong(message!("runners-tools-files"), message!("runners-tools-web-search-hint")));
        }
        let is_server = !self.command.is_empty() || self.url.is_some();
        match (&self.folder, is_server) {
            (Some(_), false) if !self.allow.is_empty() || !self.without_effects.is_empty() => {
                let problem = message!("runners-tools-folder-alone");
                Err(wrong(problem, message!("runners-tools-folder-alone-hint")))
            }
            (Some(path), false) => {
                let folder = Folder::open(path).map_err(|error| {
                    let folder = path.display();
                    let problem = message!("runners-tools-folder-unreadable", %folder, %error);
                    wrong(problem, message!("runners-tools-folder-unreadable-hint"))
                })?;
                Ok(Arc::new(folder))
            }
            (None, true) if self.command.is_empty() || self.url.is_none() => {
                if self.url.as_ref().is_some_and(|url| !matches!(url.scheme(), "http" | "https")) {
                    let problem = message!("runners-tools-address");
                    return Err(wrong(problem, message!("runners-tools-address-hint")));
                }
                Ok(Arc::new(McpServer::new(self.clone())))
            }
            (Some(_), true) | (None, _) => {
                Err(wrong(message!("runners-tools-what"), message!("runners-tools-what-hint")))
            }
        }
    }
}
