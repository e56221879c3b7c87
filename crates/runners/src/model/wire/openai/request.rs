//! The body of a chat-completions request.
//!
//! It is written straight from the prompt: the text of a long meeting is not copied into a tree first. The
//! order of its parts is fixed, so that the same meeting begins with the same bytes at each call and a
//! provider's prompt cache can hit.

use quorate_contract::{AnswerSchema, Effort, PromptRole};
use serde_json::Value;

use super::super::ModelRequest;
use super::super::images::{Block, DataUri};
use super::super::schema::{Trimmed, can_be_strict};
use super::super::text_parts::TextParts;
use crate::model::capabilities::{EffortStep, FormatStep, SentFeatures};
use crate::vendor::vendor_of;

/// The body as it is sent.
pub(crate) fn body(ask: &ModelRequest<'_>, sent: SentFeatures) -> Vec<u8> {
    let limit = ask.max_tokens();
    let body = Body {
        model: ask.model,
        messages: messages(ask),
        max_tokens: (!ask.capabilities.completion_tokens).then_some(limit),
        max_completion_tokens: ask.capabilities.completion_tokens.then_some(limit),
        temperature: ask.parameters.temperature.filter(|_| sent.temperature),
        top_p: ask.parameters.top_p.filter(|_| sent.top_p),
        reasoning_effort: sent.effort.and_then(|effort| ask.capabilities.effort.word(effort)),
        stream: ask.streamed,
        stream_options: sent.stream_options.then_some(StreamOptions { include_usage: true }),
        response_format: ask.schema().and_then(|schema| format(ask, schema)),
        thinking: thinking(ask),
    };
    let mut bytes = ask.buffer();
    serde_json::to_writer(&mut bytes, &body)
        .expect("a request has only text keys, and JSON has all its types");
    bytes
}

/// Whether the model is to think, for vendors with a parameter of yes or no only.
fn thinking(ask: &ModelRequest<'_>) -> Option<Thinking> {
    ask.switch()?;
    Some(if switched_on(ask) { Thinking::Enabled } else { Thinking::Disabled })
}

/// Whether thinking is switched on: always with a model that needs some effort.
pub(super) fn switched_on(ask: &ModelRequest<'_>) -> bool {
    let has_least = matches!(ask.capabilities.effort, EffortStep::Minimal | EffortStep::Low);
    ask.parameters.effort.is_some_and(|effort| effort != Effort::None) || has_least
}

fn format<'a>(ask: &ModelRequest<'a>, wanted: &'a AnswerSchema) -> Option<ResponseFormat<'a>> {
    let (schema, trimmed) = match ask.capabilities.format {
        FormatStep::Schema => (SchemaBody::Whole(&wanted.schema), false),
        FormatStep::TrimmedSchema => (SchemaBody::Trimmed(Trimmed::new(&wanted.schema)), true),
        FormatStep::Object => return Some(ResponseFormat::JsonObject),
        FormatStep::Nothing => return None,
    };
    let strict = can_be_strict(&wanted.schema, trimmed);
    let json_schema = NamedSchema { name: wanted.name, schema, strict };
    Some(ResponseFormat::JsonSchema { json_schema })
}

fn messages<'a>(ask: &ModelRequest<'a>) -> Vec<WireMessage<'a>> {
    let system = ask
        .system()
        .map(|text| WireMessage { role: Role::System, content: Content::Text(TextParts(vec![text])) });
    let detail = vendor_of(ask.config)
        .and_then(|vendor| vendor.note(ask.model))
        .is_some_and(|note| note.small_images)
        .then_some("low");
    let turns = ask.turns().into_iter().map(|turn| {
        let role = match turn.role {
            PromptRole::User => Role::User,
            PromptRole::Assistant => Role::Assistant,
        };
        let content = match turn.joined() {
            // Some servers take no parts.
            Some(text) => Content::Text(text),
            None => Content::Parts(turn.blocks().into_iter().map(|block| part(block, detail)).collect()),
        };
        WireMessage { role, content }
    });
    system.into_iter().chain(turns).collect()
}

fn part<'a>(block: Block<'a>, detail: Option<&'static str>) -> Part<'a> {
    match block {
        Block::Text(text) => Part::Text { text },
        Block::Image(image) => Part::ImageUrl { image_url: ImageUrl { url: DataUri(image), detail } },
    }
}

#[derive(serde::Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<WireMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Thinking>,
}

/// `{"type": "enabled"}`
#[derive(serde::Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Thinking {
    Enabled,
    Disabled,
}

#[derive(serde::Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(serde::Serialize)]
struct WireMessage<'a> {
    role: Role,
    content: Content<'a>,
}

#[derive(serde::Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(TextParts<'a>),
    Parts(Vec<Part<'a>>),
}

#[derive(serde::Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part<'a> {
    Text { text: TextParts<'a> },
    ImageUrl { image_url: ImageUrl<'a> },
}

#[derive(serde::Serialize)]
struct ImageUrl<'a> {
    url: DataUri<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
enum Role {
    System,
    User,
    Assistant,
}

#[derive(serde::Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ResponseFormat<'a> {
    JsonSchema { json_schema: NamedSchema<'a> },
    JsonObject,
}

#[derive(serde::Serialize)]
struct NamedSchema<'a> {
    name: &'a str,
    schema: SchemaBody<'a>,
    strict: bool,
}

/// A schema, as it is or trimmed.
#[derive(serde::Serialize)]
#[serde(untagged)]
pub(crate) enum SchemaBody<'a> {
    Whole(&'a Value),
    Trimmed(Trimmed<'a>),
}
