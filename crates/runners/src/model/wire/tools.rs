//! What the formats have in common in how tools are written: ids, arguments, and what a vendor wants back.

use std::fmt::Write as _;

use quorate_contract::{ToolCallId, ToolStep};
use quorate_engine::ToolDefinition;
use serde_json::{Value, json};

use super::ModelRequest;

/// The id of a call as vendors take it: the strictest takes nine letters or digits.
pub(super) fn id(call: ToolCallId) -> String {
    format!("t{:08}", call.0)
}

/// Arguments as an object, as all formats need it. What a model wrote in another form is passed on as a text.
pub(super) fn arguments(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(object @ Value::Object(_)) => object,
        Ok(_) | Err(_) => json!({ "invalid": text }),
    }
}

/// What a format keeps for the vendor, as the text that the meeting stores.
pub(super) fn keep(format: &str, data: &Value) -> String {
    json!({ "format": format, "data": data }).to_string()
}

/// What this format has kept for the vendor; `None` when another one wrote it, or nothing was kept.
pub(super) fn kept(format: &str, step: &ToolStep) -> Option<Value> {
    let mut kept: Value = serde_json::from_str(&step.continuation).ok()?;
    (kept["format"] == format).then(|| kept["data"].take())
}

/// The tools as functions in OpenAI's form.
pub(super) fn functions(tools: &[ToolDefinition]) -> Vec<Value> {
    let function = |tool: &ToolDefinition| {
        json!({ "type": "function", "function": {
            "name": tool.name, "description": tool.description, "parameters": tool.parameters,
        } })
    };
    tools.iter().map(function).collect()
}

/// The list under a key of the body, made where there is none.
pub(super) fn list<'b>(body: &'b mut Value, key: &str) -> &'b mut Vec<Value> {
    let list = &mut body[key];
    if !list.is_array() {
        *list = Value::Array(Vec::new());
    }
    match list {
        Value::Array(items) => items,
        _ => unreachable!("it was just made a list"),
    }
}

/// Calls and results in words, for a model that takes no tools. The results are escaped where they come from, so that
/// none ends its own frame.
pub(crate) fn told(steps: &[ToolStep]) -> String {
    let mut told = String::new();
    for call in steps.iter().flat_map(|step| &step.calls) {
        if !told.is_empty() {
            told.push_str("\n\n");
        }
        let (tool, result) = (call.tool.replace(['"', '<', '>'], ""), &call.result);
        _ = write!(told, "<tool_result id=\"{}\" tool=\"{tool}\">\n{result}\n</tool_result>", call.id);
    }
    told
}

impl ModelRequest<'_> {
    /// Whether the request offers tools.
    pub(crate) fn offers_tools(&self) -> bool {
        !self.tools.is_empty() && !self.capabilities.no_tools
    }

    /// Whether the model may call one of them now.
    pub(crate) fn may_call(&self) -> bool {
        self.offers_tools() && self.prompt.tools.may_call
    }

    /// The body as it is sent, tools and web search included.
    pub(crate) fn body(&self) -> Vec<u8> {
        let wire = self.config.wire.wire();
        let bytes = wire.body(self);
        let search = self.search();
        if !self.offers_tools() && search.is_none() {
            return bytes;
        }
        let mut body: Value = serde_json::from_slice(&bytes).expect("it was just written");
        if self.offers_tools() {
            wire.add_tools(&mut body, self);
        }
        if let Some((form, count)) = search {
            wire.add_search(&mut body, form, count);
        }
        body.to_string().into_bytes()
    }
}
