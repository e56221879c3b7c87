//! The tools of an MCP server, over standard input and output or over streamable HTTP.
//!
//! A server is connected to when its tools are first needed, and again when the connection was lost. A call is sent
//! once: whether a lost one took effect is not known.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use quorate_contract::{Phrase, TOOL_NAME_MARK, ToolFailureKind, ToolOutcome, ToolRun};
use quorate_engine::ToolDefinition;
use quorate_messages::{Language, Message, message};
use rmcp::model::{CallToolRequestParams, CallToolResult, JsonObject, Tool};
use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{RoleClient, ServiceExt};
use serde_json::Value;
use tokio::process::Child;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::names::offered_names;
use super::program::Program;
use super::{ToolSource, ToolSourceConfig};
use crate::process::failure::last_of;

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
/// The longest error that a reason names, in characters.
const REASON_MAX_CHARS: usize = 200;

/// An MCP server.
pub(super) struct McpServer {
    config: ToolSourceConfig,
    connection: Mutex<ConnectionState>,
}

#[derive(Default)]
struct ConnectionState {
    open: Option<Arc<Connection>>,
    /// When it could not be used, and why.
    failed: Option<(Instant, Message)>,
}

struct Connection {
    service: RunningService<RoleClient, ()>,
    tools: Vec<ToolDefinition>,
    /// The names that the server has for them, by those under which they are offered.
    names: HashMap<String, String>,
    listed: Instant,
    /// Killed when the connection is dropped.
    _child: Option<Child>,
}

impl McpServer {
    pub(super) fn new(config: ToolSourceConfig) -> Self {
        Self { config, connection: Mutex::default() }
    }

    /// The connection, or why there is none.
    async fn connection(&self) -> Result<Arc<Connection>, Message> {
        let mut state = self.connection.lock().await;
        if let Some(open) = &state.open
            && !open.service.is_transport_closed()
            && open.listed.elapsed() < LIST_TIME
        {
            return Ok(Arc::clone(open));
        }
        if let Some((at, reason)) = &state.failed
            && at.elapsed() < REST_TIME
        {
            return Err(reason.clone());
        }
        state.open = None;
        let mut program = Program::default();
        let reason = match timeout(CONNECT_TIME, self.connect(&mut program)).await {
            Ok(Ok(connection)) => {
                let connection = Arc::new(connection);
                *state = ConnectionState { open: Some(Arc::clone(&connection)), failed: None };
                return Ok(connection);
            }
            Ok(Err(reason)) => reason,
            Err(_) => message!("failure-tools-silent", seconds = CONNECT_TIME.as_secs()),
        };
        let reason = match program.last_words(&self.config).await {
            said if said.is_empty() => reason,
            said => message!("failure-tools-said", problem = reason, %said),
        };
        let told = reason.text(Language::En);
        tracing::warn!(tools = self.config.name, reason = told, "an MCP server cannot be used");
        state.failed = Some((Instant::now(), reason.clone()));
        Err(reason)
    }

    async fn connect(&self, program: &mut Program) -> Result<Connection, Message> {
        // No address stands in a log.
        let unreachable = |error: &dyn std::fmt::Display| {
            let error = error.to_string();
            // The library names its own types before the cause.
            let error = error.rsplit_once("] error: ").map_or(error.as_str(), |(_, cause)| cause);
            let error = match &self.config.url {
                Some(url) => error.replace(url.as_str(), "…"),
                None => error.to_owned(),
            };
            message!("failure-tools-unreachable", error = last_of(&error, REASON_MAX_CHARS))
        };
        let (service, child) = match &self.config.url {
            Some(url) => {
                crate::install_tls();
                let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
                if let Some(variable) = &self.config.token_env {
                    let token =
                        std::env::var(variable).map_err(|_| message!("failure-tools-no-token", %variable))?;
                    config = config.auth_header(token);
                }
                let transport = StreamableHttpClientTransport::from_config(config);
                (().serve(transport).await.map_err(|error| unreachable(&error))?, None)
            }
            None => {
                let started = program.start(&self.config);
                let (child, stdout, stdin) = started.map_err(|error| match self.config.process() {
                    Some(process) if error.kind() == ErrorKind::NotFound => {
                        // Its folder is left out: no path stands in a log.
                        let name = Path::new(&process.command[0]).file_name().unwrap_or_default();
                        message!("failure-no-program", program = name.to_string_lossy())
                    }
                    _ => message!("failure-tools-not-started", error = error.to_string()),
                })?;
                (().serve((stdout, stdin)).await.map_err(|error| unreachable(&error))?, Some(child))
            }
        };
        let tools = service.list_all_tools().await.map_err(|error| unreachable(&error))?;
        let (tools, names) = self.offered(tools);
        if tools.is_empty() {
            return Err(message!("failure-tools-none"));
        }
        Ok(Connection { service, tools, names, listed: Instant::now(), _child: child })
    }

    /// The tools that the operator allows, within the bounds of what is offered, and the names that the server has for them
    /// by those under which they are offered.
    fn offered(&self, tools: Vec<Tool>) -> (Vec<ToolDefinition>, HashMap<String, String>) {
        let allow = &self.config.allow;
        let has_effects = |name: &str| !self.config.without_effects.iter().any(|known| *known == name);
        let all: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
        let offered_names = offered_names(&self.config.name, &all);
        let mut bytes = 0;
        let (mut offered, mut names) = (Vec::new(), HashMap::new());
        // Where there is no room for all, those that are called without asking come first.
        let named = tools.into_iter().zip(offered_names);
        let (asked, free): (Vec<_>, Vec<_>) = named.partition(|(tool, _)| has_effects(&tool.name));
        for (tool, name) in free.into_iter().chain(asked) {
            let is_allowed = allow.is_empty() || allow.iter().any(|name| *name == tool.name);
            if tool.name.is_empty() || !is_allowed || names.contains_key(&name) {
                continue;
            }
            let mut parameters = Value::Object((*tool.input_schema).clone());
            parameters["type"] = "object".into();
            let description = tool.description.as_deref().unwrap_or_default();
            let description: String = description.chars().take(DESCRIPTION_MAX_CHARS).collect();
            let length = self.config.name.len() + TOOL_NAME_MARK.len() + name.len();
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
            names.insert(name.clone(), tool.name.into_owned());
            offered.push(ToolDefinition { name, description, parameters, effects });
        }
        (offered, names)
    }

    async fn call(&self, tool: &str, run: &ToolRun) -> ToolOutcome {
        let failed = |detail: Phrase| ToolOutcome::Failed { kind: ToolFailureKind::Failed, detail };
        let Ok(connection) = self.connection().await else {
            return failed(message!("failure-tool-server-unreachable", name = &self.config.name).into());
        };
        let arguments: JsonObject = match serde_json::from_str(&run.arguments) {
            Ok(arguments) => arguments,
            Err(error) => {
                let detail = message!("failure-tool-arguments", problem = error.to_string());
                return ToolOutcome::failed(ToolFailureKind::InvalidArguments, detail);
            }
        };
        let Some(name) = connection.names.get(tool) else {
            return ToolOutcome::failed(ToolFailureKind::UnknownTool, "");
        };
        let params = CallToolRequestParams::new(name.clone()).with_arguments(arguments);
        match connection.service.call_tool(params).await {
            Ok(result) => outcome(&result, run.max_chars as usize),
            Err(error) => failed(error.to_string().into()),
        }
    }
}

impl ToolSource for McpServer {
    fn definitions(&self) -> BoxFuture<'_, Result<Vec<ToolDefinition>, Message>> {
        Box::pin(async { Ok(self.connection().await?.tools.clone()) })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::ToolSet;

    /// Why the tools of a program cannot be used.
    fn reason(command: &[&str]) -> String {
        let command = command.iter().map(|part| (*part).to_owned()).collect();
        let config = ToolSourceConfig { name: "gone".to_owned(), command, ..ToolSourceConfig::default() };
        let mut set = ToolSet::default();
        set.add(&config).expect("it may be there later");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let offered = runtime.block_on(async { set.definitions(&["gone".to_owned()]).await });
        assert!(offered.tools.is_empty());
        assert_eq!(offered.unusable.len(), 1);
        assert_eq!(offered.unusable[0].source, "gone");
        offered.unusable[0].reason.in_language(Language::En).into_owned()
    }

    #[test]
    fn a_program_that_is_not_there_is_told() {
        let told = reason(&["/nonexistent/mcp"]);
        assert!(told == "the program \"mcp\" was not found", "{told}");
        assert!(!told.contains("/nonexistent"), "no path stands in a log: {told}");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_program_says_before_it_ends_is_told_in_one_line() {
        let told =
            reason(&["sh", "-c", r"printf '\033[31mno token\033[0m\007\nset TRACKER_TOKEN\n' >&2; exit 3"]);
        assert!(told.starts_with("the server cannot be used: "), "{told}");
        assert!(told.ends_with(". It said: no token set TRACKER_TOKEN"), "{told}");
        let long = reason(&["sh", "-c", "yes 'a long complaint' | head -c 100000 >&2; echo the end >&2"]);
        assert!(long.ends_with("the end") && long.chars().count() < 500, "{long}");
    }

    /// A server with a tool whose name has a dot, and one with a long name; both return the name by which they were called.
    #[cfg(unix)]
    const SERVER: &str = r#"
import json, sys
long = "list_all_the_issues_of_a_project_that_are_open_and_were_changed_lately"
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    if asked["method"] == "initialize":
        result = {"protocolVersion": asked["params"]["protocolVersion"], "capabilities": {"tools": {}},
                  "serverInfo": {"name": "issues", "version": "1"}}
    elif asked["method"] == "tools/list":
        result = {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in ("issues.find", long)]}
    else:
        result = {"content": [{"type": "text", "text": asked["params"]["name"]}]}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"#;

    #[cfg(unix)]
    #[test]
    fn a_tool_whose_name_no_vendor_takes_is_offered_under_another_and_called_by_its_own() {
        let config = ToolSourceConfig {
            name: "tracker".to_owned(),
            command: ["python3", "-c", SERVER].map(str::to_owned).to_vec(),
            without_effects: vec!["issues.find".to_owned()],
            ..ToolSourceConfig::default()
        };
        let mut set = ToolSet::default();
        set.add(&config).expect("it can be used");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let offered = set.definitions(&["tracker".to_owned()]).await;
            assert!(offered.unusable.is_empty(), "{:?}", offered.unusable);
            let (find, list) = (&offered.tools[0], &offered.tools[1]);
            assert_eq!((find.name.as_str(), find.effects), ("tracker__issues_find", false));
            assert!(list.effects && list.name.len() == 64, "{}", list.name);
            for (tool, own) in [
                (find, "issues.find"),
                (list, "list_all_the_issues_of_a_project_that_are_open_and_were_changed_lately"),
            ] {
                let run = ToolRun {
                    meeting: quorate_contract::MeetingId::new("meeting"),
                    call: quorate_contract::ToolCallId(1),
                    turn: quorate_contract::TurnId { round: 1, place: 1 },
                    participant: quorate_contract::ParticipantId(1),
                    tool: tool.name.clone(),
                    arguments: "{}".to_owned(),
                    approved: true,
                    timeout_ms: 10_000,
                    max_chars: 1000,
                    files: Vec::new(),
                };
                let outcome = set.run(&run).await;
                let text = own.to_owned();
                assert_eq!(outcome, ToolOutcome::Returned { text, truncated: false, sources: Vec::new() });
            }
        });
    }
}
