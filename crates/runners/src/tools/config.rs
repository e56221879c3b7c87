//! The configuration of a source of tools: `[tools.NAME]` in the user's file, never in a meeting's log.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use quorate_contract::is_tool_source_name;
use serde::Deserialize;

use super::{Folder, ToolSource};

/// One source of tools: the body of `[tools.NAME]` and its name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolSourceConfig {
    /// The name that meetings use for it; the table's key in a file.
    #[serde(skip)]
    pub name: String,
    /// A folder whose files can be listed, read and searched; a relative path is resolved from the folder of its file.
    pub folder: PathBuf,
}

/// The reason why a source of tools cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("tools {name}: {problem}")]
pub struct ToolConfigError {
    /// The name of the source.
    pub name: String,
    /// What is wrong, as the end of a sentence.
    pub problem: String,
    hint: &'static str,
}

impl ToolConfigError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        self.hint
    }
}

impl ToolSourceConfig {
    /// The tools of a folder, under a name.
    pub fn folder(name: impl Into<String>, folder: impl Into<PathBuf>) -> Self {
        Self { name: name.into(), folder: folder.into() }
    }

    /// The same configuration with its name, and paths resolved from the folder of the configuring file.
    pub fn placed(mut self, name: &str, folder: &Path) -> Self {
        name.clone_into(&mut self.name);
        self.folder = folder.join(&self.folder);
        self
    }

    /// Checks it.
    ///
    /// # Errors
    /// When no tool of it could run.
    pub fn check(&self) -> Result<(), ToolConfigError> {
        self.open().map(|_| ())
    }

    /// Opens the source.
    pub(super) fn open(&self) -> Result<Arc<dyn ToolSource>, ToolConfigError> {
        let wrong = |problem: String, hint| ToolConfigError { name: self.name.clone(), problem, hint };
        if !is_tool_source_name(&self.name) {
            let hint = "use lower-case letters, digits and hyphens, at most 30";
            return Err(wrong("this is no name of a source of tools".to_owned(), hint));
        }
        let folder = Folder::open(&self.folder).map_err(|error| {
            let problem = format!("{} cannot be read: {error}", self.folder.display());
            wrong(problem, "name a folder that is there and may be read")
        })?;
        Ok(Arc::new(folder))
    }
}
