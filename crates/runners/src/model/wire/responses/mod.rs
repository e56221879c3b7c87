//! OpenAI's responses, the only format for some of its models.

mod reply;
mod request;

use quorate_engine::ToolDefinition;
use reqwest::header::HeaderName;
use serde_json::{Value, json};
use url::Url;

use super::openai::ChatCompletions;
use super::search::SearchForm;
use super::{ModelPage, ModelRequest, Wire, search, tools};
use crate::model::capabilities::SentFeatures;
use crate::model::failure::AttemptFailure;
use crate::model::response::ResponseDecoder;
use crate::provider::ProviderConfig;

/// The mark of what is kept for a vendor of this format.
const FORMAT: &str = "responses";

/// `POST …/responses`.
pub(crate) struct Responses;

impl Wire for Responses {
    fn title(&self) -> &'static str {
        "OpenAI responses"
    }

    fn question_url(&self, config: &ProviderConfig, _: &ModelRequest<'_>) -> Url {
        config.endpoint(&["responses"])
    }

    fn models_url(&self, config: &ProviderConfig, page: Option<&str>) -> Url {
        ChatCompletions.models_url(config, page)
    }

    fn key_header(&self, key: &str) -> (HeaderName, String) {
        ChatCompletions.key_header(key)
    }

    fn body(&self, ask: &ModelRequest<'_>) -> Vec<u8> {
        request::body(ask)
    }

    fn add_tools(&self, body: &mut Value, ask: &ModelRequest<'_>) {
        // What a model has thought is kept by us, sealed; only models that are told to think have any.
        if !body["reasoning"].is_null() {
            body["include"] = json!(["reasoning.encrypted_content"]);
        }
        let input = tools::list(body, "input");
        for step in &ask.prompt.tools.steps {
            if let Some(Value::Array(thoughts)) = tools::kept(FORMAT, step) {
                input.extend(thoughts);
            }
            if !step.text.is_empty() {
                input.push(json!({ "type": "message", "role": "assistant", "content": step.text }));
            }
            for call in &step.calls {
                let (id, arguments) = (tools::id(call.id), tools::arguments(&call.arguments).to_string());
                let (name, kind) = (&call.tool, "function_call");
                input.push(json!({ "type": kind, "call_id": id, "name": name, "arguments": arguments }));
            }
            for call in &step.calls {
                let (id, kind) = (tools::id(call.id), "function_call_output");
                input.push(json!({ "type": kind, "call_id": id, "output": call.result }));
            }
        }
        let function = |tool: &ToolDefinition| {
            json!({
                "type": "function", "name": tool.name, "description": tool.description,
                "parameters": tool.parameters, "strict": false,
            })
        };
        body["tools"] = ask.tools.iter().map(function).collect();
        body["tool_choice"] = if ask.may_call() { "auto" } else { "none" }.into();
    }

    fn add_search(&self, body: &mut Value, _: SearchForm, count: u32) {
        search::add_tool(body, json!({ "type": "web_search" }));
        tools::list(body, "include").push("web_search_call.action.sources".into());
        body["max_tool_calls"] = count.into();
    }

    fn takes_tools_with_schema(&self) -> bool {
        true
    }

    fn sent(&self, ask: &ModelRequest<'_>) -> SentFeatures {
        SentFeatures { stream_options: false, max_tokens: false, ..ask.sent() }
    }

    /// Gateways end so what they have translated.
    fn ends_with_done(&self) -> bool {
        true
    }

    fn take(&self, data: &[u8], decoder: &mut ResponseDecoder<'_, '_>) -> Result<(), AttemptFailure> {
        reply::take(data, decoder)
    }

    fn models(&self, body: &[u8]) -> Result<ModelPage, serde_json::Error> {
        ChatCompletions.models(body)
    }
}
