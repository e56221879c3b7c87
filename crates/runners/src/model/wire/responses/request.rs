//! The body of a request for a response.

use quorate_contract::{AnswerSchema, PromptRole};

use super::super::ModelRequest;
use super::super::images::{Block, DataUri};
use super::super::openai::SchemaBody;
use super::super::schema::{Trimmed, can_be_strict};
use super::super::text_parts::TextParts;
use crate::model::capabilities::FormatStep;

/// The least limit of tokens that is taken.
const LEAST_TOKENS: u32 = 16;

/// The body as it is sent. Nothing of it is to be kept by the vendor.
pub(crate) fn body(ask: &ModelRequest<'_>) -> Vec<u8> {
    let sent = ask.sent();
    let effort = sent.effort.and_then(|effort| ask.capabilities.effort.word(effort));
    let format = ask.schema().and_then(|schema| format(ask, schema));
    let turns = ask.turns().into_iter();
    let body = Body {
        model: ask.model,
        instructions: ask.system(),
        input: turns
            .map(|turn| Message {
                r#type: "message",
                role: turn.role,
                content: match turn.joined() {
                    Some(text) => Content::Text(text),
                    None => Content::Parts(turn.blocks().into_iter().map(part).collect()),
                },
            })
            .collect(),
        max_output_tokens: ask.max_tokens().max(LEAST_TOKENS),
        temperature: ask.parameters.temperature.filter(|_| sent.temperature),
        top_p: ask.parameters.top_p.filter(|_| sent.top_p),
        reasoning: effort.map(|effort| Reasoning { effort }),
        text: format.map(|format| TextOptions { format }),
        store: false,
        stream: ask.streamed,
    };
    let mut bytes = ask.buffer();
    serde_json::to_writer(&mut bytes, &body)
        .expect("a request has only text keys, and JSON has all its types");
    bytes
}

fn format<'a>(ask: &ModelRequest<'a>, wanted: &'a AnswerSchema) -> Option<Format<'a>> {
    let (schema, trimmed) = match ask.capabilities.format {
        FormatStep::Schema => (SchemaBody::Whole(&wanted.schema), false),
        FormatStep::TrimmedSchema => (SchemaBody::Trimmed(Trimmed::new(&wanted.schema)), true),
        FormatStep::Object => return Some(Format::JsonObject),
        FormatStep::Nothing => return None,
    };
    let strict = can_be_strict(&wanted.schema, trimmed);
    Some(Format::JsonSchema { name: wanted.name, schema, strict })
}

fn part(block: Block<'_>) -> Part<'_> {
    match block {
        Block::Text(text) => Part::InputText { text },
        Block::Image(image) => Part::InputImage { image_url: DataUri(image), detail: "auto" },
    }
}

#[derive(serde::Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
    input: Vec<Message<'a>>,
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Reasoning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<TextOptions<'a>>,
    store: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
}

#[derive(serde::Serialize)]
struct Message<'a> {
    /// OpenAI can do without it; others tell items apart by it alone.
    r#type: &'static str,
    role: PromptRole,
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
    InputText { text: TextParts<'a> },
    InputImage { image_url: DataUri<'a>, detail: &'static str },
}

#[derive(serde::Serialize)]
struct Reasoning {
    effort: &'static str,
}

#[derive(serde::Serialize)]
struct TextOptions<'a> {
    format: Format<'a>,
}

#[derive(serde::Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Format<'a> {
    JsonSchema { name: &'a str, schema: SchemaBody<'a>, strict: bool },
    JsonObject,
}
