//! The body of a chat-completions request.
//!
//! It is written straight from the prompt: the text of a long meeting is not copied into a tree first. The
//! order of its parts is fixed, so that the same meeting begins with the same bytes at each call and a
//! provider's prompt cache can hit.

use std::fmt;

use quorate_contract::{AnswerSchema, Effort, PromptRole};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

use super::super::schema::{Trimmed, can_be_strict};
use super::super::{ModelRequest, Turn};
use crate::model::capabilities::{EffortStep, FormatStep, SentFeatures};

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
    let system = ask.system().map(|text| WireMessage { role: Role::System, content: Joined(vec![text]) });
    let turns = ask.turns().into_iter().map(|Turn { role, texts }| {
        let role = match role {
            PromptRole::User => Role::User,
            PromptRole::Assistant => Role::Assistant,
        };
        WireMessage { role, content: Joined(texts) }
    });
    system.into_iter().chain(turns).collect()
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
    content: Joined<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
enum Role {
    System,
    User,
    Assistant,
}

/// Texts with a blank line between them, joined only while they are written.
pub(crate) struct Joined<'a>(pub(crate) Vec<&'a str>);

impl fmt::Display for Joined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, text) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str("\n\n")?;
            }
            f.write_str(text)?;
        }
        Ok(())
    }
}

impl Serialize for Joined<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [text] => serializer.serialize_str(text),
            _ => serializer.collect_str(self),
        }
    }
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
