//! The tools of an MCP server, over standard input and output or over streamable HTTP.
//!
//! A server is connected to when its tools are first needed, and again when the connection was lost. A call is sent
//! once: whether a lost one took effect is not known.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use quorate_contract::{Phrase, TOOL_NAME_MARK, ToolFailureKind, ToolOutcome, ToolRun};
use quorate_engine::ToolDefinition;
use quorate_messages::message;
use rmcp::model::{CallToolRequestParams, CallToolResult, JsonObject, Tool};
use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{RoleClient, ServiceExt};
use serde_json::Value;
use tokio::process::{Child, Command};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::{ToolSource, ToolSourceConfig};
use crate::process::ProcessConfig;

/// How long a connection may take to come about, and a list of tools to come.
const CONNECT_TIME: Duration = Duration::from_secs(15);
/// How long a list of tools is good for.
const LIST_TIME: Duration = Duration::from_secs(300);
/// How long a server that could not be reached is left alone.
const REST_TIME: Duration = Duration::from_secs(30);
/// The most tools of one server that are offered.
const TOOLS_MAX: usize = 20;
/// The largest definitions of one server's tools together, in bytes.
const DEFINITIONS_MAX_BYTES: usize = 8000;
/// The longest description of a tool, in characters.
const DESCRIPTION_MAX_CHARS: usize = 500;
/// The longest whole name of a tool that vendors take.
const NAME_MAX_CHARS: usize = 64;

/// An MCP server.
pub(super) struct McpServer {
    config: ToolSourceConfig,
    connection: Mutex<ConnectionState>,
}

#[derive(Default)]
struct ConnectionState {
    open: Option<Arc<Connection>>,
    /// When it could not be reached.
    failed: Option<Instant>,
}

struct Connection {
    service: RunningService<RoleClient, ()>,
    tools: Vec<ToolDefinition>,
    listed: Instant,
    /// Killed when the connection is dropped.
    _child: Option<Child>,
}

impl McpServer {
    pub(super) fn new(config: ToolSourceConfig) -> Self {
        Self { config, connection: Mutex::default() }
    }

    /// The connection; `None` when the server cannot be reached.
    async fn connection(&self) -> Option<Arc<Connection>> {
        let mut state = self.connection.lock().await;
        if let Some(open) = &state.open
            && !open.service.is_transport_closed()
            && open.listed.elapsed() < LIST_TIME
        {
            return Some(Arc::clone(open));
        }
        if state.failed.is_some_and(|at| at.elapsed() < REST_TIME) {
            return None;
        }
        state.open = None;
        match timeout(CONNECT_TIME, self.connect()).await {
            Ok(Ok(connection)) => {
                let connection = Arc::new(connection);
                *state = ConnectionState { open: Some(Arc::clone(&connection)), failed: None };
                Some(connection)
            }
            Ok(Err(error)) => {
                tracing::warn!(tools = self.config.name, error, "an MCP server cannot be used");
                state.failed = Some(Instant::now());
                None
            }
            Err(_) => {
                tracing::warn!(tools = self.config.name, "an MCP server does not answer");
                state.failed = Some(Instant::now());
                None
            }
        }
    }

    async fn connect(&self) -> Result<Connection, String> {
        let (service, child) = match &self.config.url {
            Some(url) => {
                crate::install_tls();
                let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
                if let Some(variable) = &self.config.token_env {
                    let token = std::env::var(variable).map_err(|_| format!("{variable} is not set"))?;
                    config = config.auth_header(token);
                }
                let transport = StreamableHttpClientTransport::from_config(config);
                (().serve(transport).await.map_err(|error| error.to_string())?, None)
            }
            None => {
                let mut child = self.start().map_err(|error| error.to_string())?;
                let (stdout, stdin) =
                    child.stdout.take().zip(child.stdin.take()).ok_or("it has no streams")?;
                (().serve((stdout, stdin)).await.map_err(|error| error.to_string())?, Some(child))
            }
        };
        let tools = service.list_all_tools().await.map_err(|error| error.to_string())?;
        let tools = self.offered(tools);
        Ok(Connection { service, tools, listed: Instant::now(), _child: child })
    }

    fn start(&self) -> std::io::Result<Child> {
        let process = ProcessConfig {
            env: self.config.env.clone(),
            ..ProcessConfig::new(self.config.name.clone(), self.config.command.clone())
        };
        let (program, arguments) = process.command.split_first().ok_or(std::io::ErrorKind::NotFound)?;
        let mut command = Command::new(program);
        command.args(arguments).env_clear().envs(process.environment());
        if let Some(folder) = &self.config.cwd {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        command.spawn()
    }

    /// The tools that the operator allows, within the bounds of what is offered.
    fn offered(&self, tools: Vec<Tool>) -> Vec<ToolDefinition> {
        let allow = &self.config.allow;
        let has_effects = |name: &str| !self.config.without_effects.iter().any(|known| *known == name);
        let mut bytes = 0;
        let mut offered = Vec::new();
        // Where there is no room for all, those that are called without asking come first.
        let (asked, free): (Vec<_>, Vec<_>) = tools.into_iter().partition(|tool| has_effects(&tool.name));
        for tool in free.into_iter().chain(asked) {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            let length = self.config.name.len() + TOOL_NAME_MARK.len() + tool.name.len();
            let is_callable =
                tool.name.chars().all(plain) && length <= NAME_MAX_CHARS && !tool.name.is_empty();
            if !is_callable || !(allow.is_empty() || allow.iter().any(|name| *name == tool.name)) {
                continue;
            }
            let mut parameters = Value::Object((*tool.input_schema).clone());
            parameters["type"] = "object".into();
            let description = tool.description.as_deref().unwrap_or_default();
            let description: String = description.chars().take(DESCRIPTION_MAX_CHARS).collect();
            let size = parameters.to_string().len() + description.len() + length;
            if offered.len() == TOOLS_MAX || bytes + size > DEFINITIONS_MAX_BYTES {
                let name = &*tool.name;
                tracing::warn!(
                    tools = self.config.name,
                    name,
                    "not offered: there is no room; name fewer in `allow`"
                );
                continue;
            }
            bytes += size;
            let effects = has_effects(&tool.name);
            offered.push(ToolDefinition { name: tool.name.into_owned(), description, parameters, effects });
        }
        offered
    }

    async fn call(&self, tool: &str, run: &ToolRun) -> ToolOutcome {
        let failed = |detail: Phrase| ToolOutcome::Failed { kind: ToolFailureKind::Failed, detail };
        let Some(connection) = self.connection().await else {
            return failed(message!("failure-tool-server-unreachable", name = &self.config.name).into());
        };
        let arguments: JsonObject = match serde_json::from_str(&run.arguments) {
            Ok(arguments) => arguments,
            Err(error) => {
                let detail = message!("failure-tool-arguments", problem = error.to_string());
                return ToolOutcome::failed(ToolFailureKind::InvalidArguments, detail);
            }
        };
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        match connection.service.call_tool(params).await {
            Ok(result) => outcome(&result, run.max_chars as usize),
            Err(error) => failed(error.to_string().into()),
        }
    }
}

impl ToolSource for McpServer {
    fn definitions(&self) -> BoxFuture<'_, Vec<ToolDefinition>> {
        Box::pin(async { self.connection().await.map(|open| open.tools.clone()).unwrap_or_default() })
    }

    fn run<'a>(&'a self, tool: &'a str, run: &'a ToolRun) -> BoxFuture<'a, ToolOutcome> {
        Box::pin(self.call(tool, run))
    }
}

/// The texts of a result.
fn outcome(result: &CallToolResult, max_chars: usize) -> ToolOutcome {
    let blocks = serde_json::to_value(&result.content).unwrap_or_default();
    let blocks = blocks.as_array().cloned().unwrap_or_default();
    let mut texts: Vec<String> = blocks
        .iter()
        .map(|block| match block["text"].as_str().or_else(|| block["resource"]["text"].as_str()) {
            Some(text) => text.to_owned(),
            None => format!("[{}]", block["type"].as_str().unwrap_or("content")),
        })
        .collect();
    if texts.is_empty()
        && let Some(structured) = &result.structured_content
    {
        texts.push(structured.to_string());
    }
    let text = texts.join("\n");
    if result.is_error == Some(true) {
        return ToolOutcome::failed(ToolFailureKind::Failed, text);
    }
    let end = text.char_indices().nth(max_chars).map(|(end, _)| end);
    let truncated = end.is_some();
    let text = text[..end.unwrap_or(text.len())].to_owned();
    ToolOutcome::Returned { text, truncated, sources: Vec::new() }
}
