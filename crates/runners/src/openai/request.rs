//! The body of a chat-completions request.
//!
//! It is written straight from the prompt: the words of a long meeting are not copied into a
//! tree first. The order of its parts is fixed, so that the same meeting begins with the same
//! bytes at each call and a provider's prompt cache can hit.

use std::fmt;

use quorate_core::{AnswerSchema, Language, ModelParameters, Prompt, PromptRole};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

use super::quirks::{FormatStep, Quirks, Sent};
use super::schema::{Trimmed, can_be_strict};

/// What is asked of a model, and how.
pub(crate) struct Ask<'a> {
    pub(crate) model: &'a str,
    pub(crate) parameters: ModelParameters,
    pub(crate) prompt: &'a Prompt,
    pub(crate) streamed: bool,
    pub(crate) quirks: Quirks,
}

impl<'a> Ask<'a> {
    /// The body as it is sent.
    pub(crate) fn body(&self) -> Vec<u8> {
        let limit = self.parameters.max_tokens.unwrap_or(self.prompt.max_tokens);
        let sent = self.sent();
        let body = Body {
            model: self.model,
            messages: self.messages(),
            max_tokens: (!self.quirks.completion_tokens).then_some(limit),
            max_completion_tokens: self.quirks.completion_tokens.then_some(limit),
            temperature: self.parameters.temperature.filter(|_| sent.temperature),
            top_p: self.parameters.top_p.filter(|_| sent.top_p),
            stream: self.streamed,
            stream_options: sent.stream_options.then_some(StreamOptions { include_usage: true }),
            response_format: self.prompt.schema.as_ref().and_then(|schema| self.format(schema)),
        };
        // Grown by doubling, a long meeting would be copied several times over.
        let prompt = self.prompt;
        let words = prompt.messages.iter().map(|message| message.content.len()).sum::<usize>();
        let mut bytes = Vec::with_capacity((prompt.system.len() + words) * 9 / 8 + 4096);
        serde_json::to_writer(&mut bytes, &body)
            .expect("a request has only text keys, and JSON has all its types");
        bytes
    }

    /// Which of the parts that a server may refuse are in the body.
    pub(crate) fn sent(&self) -> Sent {
        Sent {
            format: self.prompt.schema.is_some() && self.quirks.format != FormatStep::Nothing,
            temperature: self.parameters.temperature.is_some() && !self.quirks.no_temperature,
            top_p: self.parameters.top_p.is_some() && !self.quirks.no_top_p,
            stream_options: self.streamed && !self.quirks.no_stream_options,
            system: !self.prompt.system.is_empty() && !self.quirks.no_system_role,
        }
    }

    fn format(&self, wanted: &'a AnswerSchema) -> Option<ResponseFormat<'a>> {
        let (schema, trimmed) = match self.quirks.format {
            FormatStep::Schema => (SchemaBody::Whole(&wanted.schema), false),
            FormatStep::TrimmedSchema => (SchemaBody::Trimmed(Trimmed::new(&wanted.schema)), true),
            FormatStep::Object => return Some(ResponseFormat::JsonObject),
            FormatStep::Nothing => return None,
        };
        let strict = can_be_strict(&wanted.schema, trimmed);
        let json_schema = NamedSchema { name: wanted.name, schema, strict };
        Some(ResponseFormat::JsonSchema { json_schema })
    }

    /// The messages as servers take them: neighbours of the same role are one message, and the
    /// last is a user's (a server that finds an assistant's there continues that or refuses).
    fn messages(&self) -> Vec<WireMessage<'a>> {
        let mut messages = Vec::with_capacity(self.prompt.messages.len() + 2);
        let instruction = if self.quirks.no_system_role { Role::User } else { Role::System };
        add(&mut messages, instruction, &self.prompt.system);
        for message in &self.prompt.messages {
            let role = match message.role {
                PromptRole::User => Role::User,
                PromptRole::Assistant => Role::Assistant,
            };
            add(&mut messages, role, &message.content);
        }
        if messages.last().is_none_or(|last| last.role != Role::User) {
            add(&mut messages, Role::User, go_on(self.prompt.brief.language));
        }
        messages
    }
}

fn go_on(language: Language) -> &'static str {
    match language {
        Language::Zh => "请继续。",
        Language::En => "Please go on.",
    }
}

fn add<'a>(messages: &mut Vec<WireMessage<'a>>, role: Role, text: &'a str) {
    if text.is_empty() {
        return;
    }
    match messages.last_mut() {
        Some(last) if last.role == role => last.content.0.push(text),
        _ => messages.push(WireMessage { role, content: Joined(vec![text]) }),
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
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
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
struct Joined<'a>(Vec<&'a str>);

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

#[derive(serde::Serialize)]
#[serde(untagged)]
enum SchemaBody<'a> {
    Whole(&'a Value),
    Trimmed(Trimmed<'a>),
}
