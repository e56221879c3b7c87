//! Tools that participants may call: the folders and MCP servers that the operator has configured, by name.
//!
//! A meeting names sources; what a source is stands in the configuration alone. A tool that can change something runs
//! only for a call that a person has allowed, whatever the meeting's log says of it.

mod arguments;
mod attached;
mod config;
mod folder;
mod mcp;
mod names;
mod page;
mod program;

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use quorate_contract::{TOOL_NAME_MARK, ToolFailureKind, ToolOutcome, ToolRun, UnusableTools};
use quorate_engine::{OfferedTools, ToolDefinition};
use quorate_messages::{Message, message};
use serde_json::{Value, json};

pub use self::attached::{AttachedTexts, attached_file_tools, run_attached_file_tool};
pub use self::config::{ToolConfigError, ToolSourceConfig};
use self::folder::Folder;
use self::mcp::McpServer;

/// A source of tools.
trait ToolSource: Send + Sync {
    /// Its tools, or why there are none. The names are without that of the source.
    fn definitions(&self) -> BoxFuture<'_, Result<Vec<ToolDefinition>, Message>>;

    /// Runs one of them.
    fn run<'a>(&'a self, tool: &'a str, run: &'a ToolRun) -> BoxFuture<'a, ToolOutcome>;
}

/// The definition of a tool of our own, which changes nothing.
fn definition(name: &str, description: &str, properties: Value, required: &[&str]) -> ToolDefinition {
    let parameters = json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    });
    ToolDefinition { name: name.to_owned(), description: description.to_owned(), parameters, effects: false }
}

/// The sources of tools of this program, by their names. Cheap to clone.
#[derive(Clone, Default)]
pub struct ToolSet {
    sources: BTreeMap<String, Arc<dyn ToolSource>>,
}

impl ToolSet {
    /// Adds a source under its configured name.
    ///
    /// # Errors
    /// When it is configured so that no tool could run.
    pub fn add(&mut self, config: &ToolSourceConfig) -> Result<(), ToolConfigError> {
        let source = config.open()?;
        self.sources.insert(config.name.clone(), source);
        Ok(())
    }

    /// Adds a source that another set has opened, under the same name.
    pub fn share(&mut self, name: &str, other: &Self) {
        if let Some(source) = other.sources.get(name) {
            self.sources.insert(name.to_owned(), Arc::clone(source));
        }
    }

    /// The names of the sources.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.sources.keys().map(String::as_str)
    }

    /// The tools of these sources, and which of the sources cannot be used.
    pub(crate) async fn definitions(&self, names: &[String]) -> OfferedTools {
        let mut offered = OfferedTools::default();
        for name in names {
            let tools = match self.sources.get(name) {
                Some(source) => source.definitions().await,
                None => Err(message!("failure-tools-not-configured")),
            };
            match tools {
                Ok(tools) => offered.tools.extend(tools.into_iter().map(|tool| ToolDefinition {
                    name: format!("{name}{TOOL_NAME_MARK}{}", tool.name),
                    ..tool
                })),
                Err(reason) => {
                    offered.unusable.push(UnusableTools { source: name.clone(), reason: reason.into() })
                }
            }
        }
        offered
    }

    /// Runs a tool by its whole name.
    pub(crate) async fn run(&self, run: &ToolRun) -> ToolOutcome {
        let unknown = || ToolOutcome::failed(ToolFailureKind::UnknownTool, "");
        let Some((name, tool)) = run.tool.split_once(TOOL_NAME_MARK) else { return unknown() };
        let Some(source) = self.sources.get(name) else { return unknown() };
        let tools = match source.definitions().await {
            Ok(tools) => tools,
            Err(_) => {
                let detail = message!("failure-tool-server-unreachable", name);
                return ToolOutcome::failed(ToolFailureKind::Failed, detail);
            }
        };
        let Some(known) = tools.iter().find(|one| one.name == tool) else { return unknown() };
        // The configuration may have changed since the call: what has effects by now needs a person all the same.
        if known.effects && !run.approved {
            return ToolOutcome::failed(ToolFailureKind::Denied, "");
        }
        source.run(tool, run).await
    }
}
