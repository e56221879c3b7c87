//! The body of a `generateContent` request, written straight from the prompt in a fixed order.

use quorate_contract::{Effort, PromptRole, ToolStepCall};
use serde::Serialize;
use serde_json::{Value, json};

use super::super::images::Block;
use super::super::text_parts::TextParts;
use super::super::{ModelRequest, tools};
use super::schema::open_api;
use crate::model::capabilities::{EffortStep, FormatStep, ThinkStep};

/// The body as it is sent.
pub(crate) fn body(ask: &ModelRequest<'_>) -> Vec<u8> {
    let system =
        ask.system().map(|text| Content { role: None, parts: vec![Part::Text(TextParts(vec![text]))] });
    let contents = ask.turns().into_iter().map(|turn| {
        let role = match turn.role {
            PromptRole::User => "user",
            PromptRole::Assistant => "model",
        };
        let parts = turn.blocks().into_iter().map(|block| match block {
            Block::Text(text) => Part::Text(text),
            Block::Image(image) => {
                Part::InlineData(InlineData { mime_type: image.media_type, data: &image.base64 })
            }
        });
        Content { role: Some(role), parts: parts.collect() }
    });
    let body =
        Body { system_instruction: system, contents: contents.collect(), generation_config: config(ask) };
    let mut bytes = ask.buffer();
    serde_json::to_writer(&mut bytes, &body)
        .expect("a request has only text keys, and JSON has all its types");
    bytes
}

/// The mark of what is kept for the vendor.
pub(super) const FORMAT: &str = "gemini";

/// What Google takes in place of the signature of a call that another vendor's model has made.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

/// Adds the tools, their calls and the results. A schema and tools exclude each other, so none are offered when the
/// answer is due.
pub(crate) fn add_tools(body: &mut Value, ask: &ModelRequest<'_>) {
    let contents = tools::list(body, "contents");
    for step in &ask.prompt.tools.steps {
        let kept = tools::kept(FORMAT, step);
        let mut said: Vec<Value> = Vec::new();
        if !step.text.is_empty() {
            said.push(json!({ "text": step.text }));
        }
        for (place, call) in step.calls.iter().enumerate() {
            let args = tools::arguments(&call.arguments);
            let mut part = json!({ "functionCall": { "name": call.tool, "args": args } });
            let signature = match &kept {
                Some(signatures) => signatures[place].as_str().unwrap_or_default(),
                // Only the newer models ask for one, at the first of several calls.
                None if place == 0 && ask.model.contains("gemini-3") => NO_SIGNATURE,
                None => "",
            };
            if !signature.is_empty() {
                part["thoughtSignature"] = signature.into();
            }
            said.push(part);
        }
        let result = |call: &ToolStepCall| {
            let key = if call.failed { "error" } else { "output" };
            json!({ "functionResponse": { "name": call.tool, "response": { key: call.result } } })
        };
        let results: Vec<Value> = step.calls.iter().map(result).collect();
        contents.push(json!({ "role": "model", "parts": said }));
        contents.push(json!({ "role": "user", "parts": results }));
    }
    if ask.may_call() {
        let declared = ask.tools.iter().map(|tool| {
            json!({
                "name": tool.name, "description": tool.description, "parameters": open_api(&tool.parameters),
            })
        });
        let declared: Vec<Value> = declared.collect();
        body["tools"] = json!([{ "functionDeclarations": declared }]);
        body["toolConfig"] = json!({ "functionCallingConfig": { "mode": "AUTO" } });
    }
}

fn config<'a>(ask: &ModelRequest<'a>) -> Config<'a> {
    let sent = ask.sent();
    let wanted = ask.schema().map(|wanted| &*wanted.schema);
    let step = ask.capabilities.format;
    Config {
        temperature: ask.parameters.temperature.filter(|_| sent.temperature),
        top_p: ask.parameters.top_p.filter(|_| sent.top_p),
        max_output_tokens: ask.max_tokens(),
        response_mime_type: sent.format.then_some("application/json"),
        response_json_schema: wanted.filter(|_| step == FormatStep::Schema),
        response_schema: wanted.filter(|_| step == FormatStep::TrimmedSchema).map(open_api),
        thinking_config: ask
            .parameters
            .effort
            .filter(|_| ask.has_think())
            .map(|effort| thinking(ask, effort)),
    }
}

/// How much to think. Older models take a number of tokens, and all of them accept these; newer ones take a
/// level. A model that does not accept one is sent the other.
fn thinking(ask: &ModelRequest<'_>, effort: Effort) -> Thinking {
    let is_first = ask.capabilities.think == ThinkStep::First;
    let is_older = ["gemini-1", "gemini-2"].iter().any(|family| ask.model.contains(family));
    let room = ask.parameters.thinking_room();
    let (budget, level) = match effort {
        // Thoughts cannot be asked for where there are none.
        Effort::None if is_first && is_older => {
            return Thinking { thinking_budget: Some(0), ..Thinking::default() };
        }
        Effort::None if is_first && ask.capabilities.effort == EffortStep::Asked => {
            return Thinking { thinking_level: Some("MINIMAL"), ..Thinking::default() };
        }
        // It only works in thinking mode: 128 tokens are the least that any such model takes.
        Effort::None if is_older => {
            return Thinking { thinking_budget: Some(128), ..Thinking::default() };
        }
        Effort::None => return Thinking { thinking_level: Some("LOW"), ..Thinking::default() },
        Effort::Low => (room, "LOW"),
        Effort::Medium => (room, "MEDIUM"),
        Effort::High => (room, "HIGH"),
    };
    let thinking = Thinking { include_thoughts: true, ..Thinking::default() };
    match is_older == is_first {
        true => Thinking { thinking_budget: Some(budget), ..thinking },
        false => Thinking { thinking_level: Some(level), ..thinking },
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Content<'a>>,
    contents: Vec<Content<'a>>,
    generation_config: Config<'a>,
}

#[derive(Serialize)]
struct Content<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    parts: Vec<Part<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Part<'a> {
    Text(TextParts<'a>),
    InlineData(InlineData<'a>),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InlineData<'a> {
    mime_type: &'static str,
    data: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Config<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_json_schema: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_schema: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_config: Option<Thinking>,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Thinking {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    include_thoughts: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_budget: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_level: Option<&'static str>,
}
