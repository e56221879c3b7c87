//! The messages of the Agent Client Protocol, version 1: JSON-RPC, one message a line.
//!
//! Only the part that a meeting needs. What is unknown is left out, so that an agent of a later minor version is understood.

use quorate_contract::{ActionKind, ActionStatus};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

/// The version of the protocol that is spoken here.
pub(super) const PROTOCOL: u64 = 1;

/// The agent wants a sign-in first.
pub(super) const AUTH_REQUIRED: i64 = -32000;
/// There is no such method, or it is not offered to this agent.
pub(super) const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters cannot be read.
pub(super) const INVALID_PARAMS: i64 = -32602;
/// The request was understood, and is refused.
pub(super) const REFUSED: i64 = -32603;
/// The code of a file that does not exist.
pub(super) const NOT_FOUND: i64 = -32002;

/// An error in the words of the agent.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct RpcError {
    pub(super) code: i64,
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    data: Value,
}

impl RpcError {
    /// What it says, with the detail that some agents put beside the message.
    pub(super) fn said(&self) -> String {
        let detail = ["details", "detail", "message"].iter().find_map(|name| self.data.get(name)?.as_str());
        let detail = detail.or(self.data.as_str());
        match detail.filter(|detail| !detail.is_empty() && *detail != self.message) {
            Some(detail) if self.message.is_empty() => detail.to_owned(),
            Some(detail) => format!("{}: {detail}", self.message),
            None => self.message.clone(),
        }
    }

    /// All that it says, for what it is about.
    pub(super) fn words(&self) -> String {
        format!("{} {}", self.message, self.data)
    }
}

/// A message of an agent.
#[derive(Debug)]
pub(super) enum Incoming {
    /// The answer to a request of ours.
    Response { id: u64, result: Result<Value, RpcError> },
    /// A request to us.
    Request { id: Value, method: String, params: Value },
    /// News, which need no answer.
    Notification { method: String, params: Value },
    /// The line is no message.
    Garbage,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    id: Option<Value>,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    params: Value,
    #[serde(default)]
    result: Option<Value>,
    #[serde(default)]
    error: Option<RpcError>,
}

/// Parses one line.
pub(super) fn read(line: &[u8]) -> Incoming {
    let Ok(message) = serde_json::from_slice::<Message>(line) else { return Incoming::Garbage };
    let Message { id, method, params, result, error } = message;
    match (method, id, error) {
        (Some(method), Some(id), _) => Incoming::Request { id, method, params },
        (Some(method), None, _) => Incoming::Notification { method, params },
        (None, Some(id), error) => match (id.as_u64(), error) {
            (Some(id), Some(error)) => Incoming::Response { id, result: Err(error) },
            (Some(id), None) => Incoming::Response { id, result: Ok(result.unwrap_or_default()) },
            (None, _) => Incoming::Garbage,
        },
        (None, None, _) => Incoming::Garbage,
    }
}

pub(super) fn request(id: u64, method: &str, params: &Value) -> Vec<u8> {
    line(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}

pub(super) fn notification(method: &str, params: &Value) -> Vec<u8> {
    line(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
}

pub(super) fn response(id: &Value, result: Result<Value, (i64, String)>) -> Vec<u8> {
    line(&match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err((code, message)) => {
            json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
        }
    })
}

fn line(what: &Value) -> Vec<u8> {
    let mut line = what.to_string().into_bytes();
    line.push(b'\n');
    line
}

/// Something that cannot be read is as good as left out: an agent may say more than this version knows.
fn lenient<'de, D: Deserializer<'de>, T: serde::de::DeserializeOwned + Default>(
    value: D,
) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(value)?).unwrap_or_default())
}

/// What an agent says of itself.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Initialized {
    pub(super) protocol_version: u64,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) agent_capabilities: AgentCapabilities,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) auth_methods: Vec<AuthMethod>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct AgentCapabilities {
    pub(super) load_session: bool,
    #[serde(deserialize_with = "lenient")]
    pub(super) prompt_capabilities: PromptCapabilities,
}

/// What the prompts of an agent may hold beside text.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PromptCapabilities {
    pub(super) image: bool,
}

/// A way to sign in.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct AuthMethod {
    pub(super) id: String,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) description: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewSession {
    pub(super) session_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Prompted {
    pub(super) stop_reason: TurnEnd,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) usage: TokenCounts,
}

/// Why a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TurnEnd {
    EndTurn,
    MaxTokens,
    MaxTurnRequests,
    Refusal,
    Cancelled,
    #[serde(other)]
    Other,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct TokenCounts {
    pub(super) input_tokens: Option<u64>,
    pub(super) output_tokens: Option<u64>,
    pub(super) thought_tokens: Option<u64>,
    pub(super) cached_read_tokens: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionNews {
    pub(super) session_id: String,
    pub(super) update: Update,
}

/// What happens in a session.
#[derive(Debug, Deserialize)]
#[serde(tag = "sessionUpdate", rename_all = "snake_case")]
pub(super) enum Update {
    AgentMessageChunk {
        content: Content,
    },
    AgentThoughtChunk {
        content: Content,
    },
    ToolCall(ToolCall),
    #[serde(rename = "tool_call_update")]
    ToolCallChange(ToolCall),
    Plan {
        #[serde(default, deserialize_with = "lenient")]
        entries: Vec<PlanEntry>,
    },
    #[serde(other)]
    Other,
}

/// A part of a message; only text is read.
#[derive(Debug, Deserialize)]
pub(super) struct Content {
    #[serde(default)]
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct PlanEntry {
    pub(super) content: String,
}

/// What an agent does, or the part of it that has changed.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolCall {
    pub(super) tool_call_id: String,
    #[serde(default)]
    pub(super) title: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) kind: Option<ToolKind>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) status: Option<ToolStatus>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) locations: Option<Vec<Location>>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ToolKind {
    Read,
    Edit,
    Delete,
    Move,
    Search,
    Execute,
    Think,
    Fetch,
    #[serde(other)]
    Other,
}

impl From<ToolKind> for ActionKind {
    fn from(kind: ToolKind) -> Self {
        match kind {
            ToolKind::Read => Self::Read,
            ToolKind::Edit => Self::Edit,
            ToolKind::Delete => Self::Delete,
            ToolKind::Move => Self::Move,
            ToolKind::Search => Self::Search,
            ToolKind::Execute => Self::Execute,
            ToolKind::Think => Self::Think,
            ToolKind::Fetch => Self::Fetch,
            ToolKind::Other => Self::Other,
        }
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ToolStatus {
    Pending,
    InProgress,
    Completed,
    Failed,
}

impl From<ToolStatus> for ActionStatus {
    fn from(status: ToolStatus) -> Self {
        match status {
            ToolStatus::Pending => Self::Pending,
            ToolStatus::InProgress => Self::Running,
            ToolStatus::Completed => Self::Completed,
            ToolStatus::Failed => Self::Failed,
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Location {
    pub(super) path: String,
    #[serde(default)]
    pub(super) line: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AskPermission {
    pub(super) session_id: String,
    pub(super) tool_call: ToolCall,
    pub(super) options: Vec<PermissionOption>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PermissionOption {
    pub(super) option_id: String,
    pub(super) kind: OptionKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OptionKind {
    AllowOnce,
    AllowAlways,
    RejectOnce,
    RejectAlways,
    #[serde(other)]
    Other,
}

/// The answer to a question for permission: what is allowed is allowed once, where the agent knows the difference.
pub(super) fn decision(options: &[PermissionOption], allowed: bool) -> Value {
    let wanted = match allowed {
        true => [OptionKind::AllowOnce, OptionKind::AllowAlways],
        false => [OptionKind::RejectOnce, OptionKind::RejectAlways],
    };
    let find = |kind: OptionKind| options.iter().find(|option| option.kind == kind);
    match wanted.into_iter().find_map(find) {
        Some(option) => json!({ "outcome": { "outcome": "selected", "optionId": option.option_id } }),
        None => cancelled(),
    }
}

/// The answer to a question of a turn that was cancelled.
pub(super) fn cancelled() -> Value {
    json!({ "outcome": { "outcome": "cancelled" } })
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReadFile {
    pub(super) session_id: String,
    pub(super) path: String,
    #[serde(default)]
    pub(super) line: Option<u32>,
    #[serde(default)]
    pub(super) limit: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WriteFile {
    pub(super) session_id: String,
    pub(super) path: String,
    pub(super) content: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_in_a_message_does_not_make_it_unreadable() {
        let update = json!({
            "sessionId": "s", "later": 1,
            "update": {
                "sessionUpdate": "tool_call", "toolCallId": "t", "title": "Look", "kind": "teleport",
                "status": 7, "locations": [{ "path": "/a", "line": 3, "new": {} }],
            },
        });
        let news: SessionNews = serde_json::from_value(update).expect("it can be read");
        let Update::ToolCall(call) = news.update else { panic!("no call: {news:?}") };
        assert!(matches!(call.kind, Some(ToolKind::Other)) && call.status.is_none());
        assert_eq!(call.locations.expect("one").len(), 1);
        let other = json!({ "sessionId": "s", "update": { "sessionUpdate": "mood", "of": "sea" } });
        let news: SessionNews = serde_json::from_value(other).expect("it can be read");
        assert!(matches!(news.update, Update::Other));
        assert!(matches!(read(b"Debugger listening"), Incoming::Garbage));
        assert!(matches!(read(b"{\"level\":\"info\"}"), Incoming::Garbage));
    }

    #[test]
    fn what_a_person_allows_is_allowed_once_where_that_can_be_said() {
        let option = |id: &str, kind| PermissionOption { option_id: id.to_owned(), kind };
        let always = option("always", OptionKind::AllowAlways);
        let options = [always.clone(), option("once", OptionKind::AllowOnce)];
        assert_eq!(decision(&options, true)["outcome"]["optionId"], "once");
        assert_eq!(decision(&[always], true)["outcome"]["optionId"], "always");
        assert_eq!(decision(&options, false)["outcome"]["outcome"], "cancelled", "no way to say no but this");
    }
}
