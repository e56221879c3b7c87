//! The body of a request for a message.
//!
//! A structured answer is requested by a forced tool. A model that thinks cannot be forced to use a tool, so
//! for it the format of the answer is set instead.

use quorate_contract::{AnswerSchema, Effort, Language, PromptRole};
use quorate_engine::LoadedImage;
use serde_json::{Value, json};

use super::super::images::{self, Piece};
use super::super::openai::SchemaBody;
use super::super::schema::Trimmed;
use super::super::text_parts::TextParts;
use super::super::{ModelRequest, Turn, tools};
use crate::model::capabilities::{FormatStep, SentFeatures, ThinkStep};
use crate::vendor::ThinkingOff;

/// The body as it is sent.
pub(crate) fn body(ask: &ModelRequest<'_>) -> Vec<u8> {
    let (sent, parameters, thinking) = (sent(ask), &ask.parameters, thinking(ask));
    let shape = ask.schema().and_then(|schema| shape(ask, schema));
    let (told, effort) = told(ask, thinking);
    let (tool, format) = match shape {
        Some(Shape::Tool { tool, forced }) => (Some((tool, forced)), None),
        Some(Shape::Format(format)) => (None, Some(format)),
        None => (None, None),
    };
    let body = Body {
        model: ask.model,
        system: system(ask),
        messages: messages(ask),
        // Thinking tokens count, and the answer has to have its tokens all the same.
        max_tokens: limit(ask, thinking),
        temperature: parameters.temperature.filter(|_| sent.temperature).map(|t| t.clamp(0.0, 1.0)),
        top_p: parameters.top_p.filter(|_| sent.top_p),
        thinking: told,
        output_config: (effort.is_some() || format.is_some()).then_some(OutputConfig { effort, format }),
        tool_choice: tool.as_ref().map(|(tool, forced)| match forced {
            true => ToolChoice::Tool { name: tool.name },
            false => ToolChoice::Auto,
        }),
        tools: tool.map(|(tool, _)| [tool]),
        stream: ask.streamed,
    };
    let mut bytes = ask.buffer();
    serde_json::to_writer(&mut bytes, &body)
        .expect("a request has only text keys, and JSON has all its types");
    bytes
}

/// The mark of what is kept for the vendor.
pub(super) const FORMAT: &str = "anthropic";

/// Adds the tools, their calls and the results.
pub(crate) fn add_tools(body: &mut Value, ask: &ModelRequest<'_>) {
    let steps = &ask.prompt.tools.steps;
    let kept: Vec<Option<Value>> = steps.iter().map(|step| tools::kept(FORMAT, step)).collect();
    let messages = tools::list(body, "messages");
    let has_thoughts = |kept: &Option<Value>| {
        let blocks = kept.as_ref().and_then(Value::as_array);
        blocks.is_some_and(|blocks| blocks.is_empty() || blocks.iter().any(|block| !is_of_search(block)))
    };
    if thinking(ask).is_some() && !kept.iter().all(has_thoughts) {
        // While a model thinks, calls without its signed thinking are refused: another one made them.
        if let Some(Value::Array(last)) = messages.last_mut().map(|last| &mut last["content"])
            && !ask.told.is_empty()
        {
            last.push(json!({ "type": "text", "text": ask.told }));
        }
    } else {
        for (step, kept) in steps.iter().zip(kept) {
            let mut said: Vec<Value> = match kept {
                Some(Value::Array(kept)) => kept,
                Some(_) | None => Vec::new(),
            };
            // Searches go with the tool that made them, and signed thinking with thinking.
            let (thinks, searches) = (thinking(ask).is_some(), ask.search().is_some());
            said.retain(|block| match is_of_search(block) {
                true => searches,
                false => thinks,
            });
            if !step.text.trim().is_empty() {
                said.push(json!({ "type": "text", "text": step.text }));
            }
            said.extend(step.calls.iter().map(|call| {
                let (id, input) = (tools::id(call.id), tools::arguments(&call.arguments));
                json!({ "type": "tool_use", "id": id, "name": call.tool, "input": input })
            }));
            let results = step.calls.iter().map(|call| {
                let (id, kind) = (tools::id(call.id), "tool_result");
                match call.failed {
                    true => {
                        json!({ "type": kind, "tool_use_id": id, "content": call.result, "is_error": true })
                    }
                    false => json!({ "type": kind, "tool_use_id": id, "content": call.result }),
                }
            });
            let results: Vec<Value> = results.collect();
            messages.push(json!({ "role": "assistant", "content": said }));
            messages.push(json!({ "role": "user", "content": results }));
        }
    }
    let forced = body["tool_choice"]["type"] == "tool";
    let offered = tools::list(body, "tools");
    let has_answer_tool = !offered.is_empty();
    offered.extend(ask.tools.iter().map(
        |tool| json!({ "name": tool.name, "description": tool.description, "input_schema": tool.parameters }),
    ));
    match (ask.may_call(), has_answer_tool) {
        // The answer, or another tool before it.
        (true, true) if forced => body["tool_choice"] = json!({ "type": "any" }),
        (false, false) => body["tool_choice"] = json!({ "type": "none" }),
        (true, _) | (false, true) => {}
    }
}

/// Whether a block is a web search of the vendor, or its result.
fn is_of_search(block: &Value) -> bool {
    matches!(block["type"].as_str(), Some("server_tool_use" | "web_search_tool_result"))
}

/// Which of the parts that a server may refuse are in the request.
pub(crate) fn sent(ask: &ModelRequest<'_>) -> SentFeatures {
    let (parameters, capabilities, thinks) = (&ask.parameters, ask.capabilities, thinking(ask).is_some());
    let temperature = parameters.temperature.is_some() && !capabilities.no_temperature && !thinks;
    let wanted = ask.schema().is_some();
    SentFeatures {
        format: wanted && form(ask) != Form::Words,
        tool: wanted && matches!(form(ask), Form::Tool { .. }),
        temperature,
        // One of the two: newer models refuse them together.
        top_p: parameters.top_p.is_some() && !capabilities.no_top_p && !thinks && !temperature,
        think: thinks || off(ask).is_some(),
        display: thinks && capabilities.think == ThinkStep::Second && !capabilities.no_display,
        cache: !capabilities.no_cache,
        tools: ask.offers_tools(),
        images: ask.shows_images(),
        search: ask.search().is_some(),
        ..SentFeatures::default()
    }
}

/// The limits of thinking.
#[derive(Clone, Copy)]
struct ThinkingBudget {
    /// In tokens; the least that is taken is 1024.
    budget: u32,
    word: &'static str,
}

fn thinking(ask: &ModelRequest<'_>) -> Option<ThinkingBudget> {
    if ask.capabilities.think == ThinkStep::Nothing {
        return None;
    }
    let word = match ask.parameters.effort? {
        Effort::None => return None,
        Effort::Low => "low",
        Effort::Medium => "medium",
        Effort::High => "high",
    };
    // Less is refused.
    Some(ThinkingBudget { budget: ask.parameters.thinking_room().max(1024), word })
}

/// How a model that thinks by default is told not to.
fn off(ask: &ModelRequest<'_>) -> Option<ThinkingOff> {
    let unwanted =
        ask.parameters.effort == Some(Effort::None) && ask.capabilities.think != ThinkStep::Nothing;
    ask.capabilities.off.filter(|_| unwanted)
}

/// The parameters of thinking and effort.
fn told(
    ask: &ModelRequest<'_>,
    thinking: Option<ThinkingBudget>,
) -> (Option<Thinking>, Option<&'static str>) {
    let Some(thought) = thinking else {
        return match off(ask) {
            None => (None, None),
            Some(ThinkingOff::Disabled) => (Some(Thinking::Disabled), None),
            Some(ThinkingOff::BetweenTools) => (Some(Thinking::BetweenTools), None),
            Some(ThinkingOff::LeastEffort) => (None, Some("low")),
        };
    };
    match ask.capabilities.think {
        // Newer models hide their reasoning unless its display is requested.
        ThinkStep::Second => {
            let display = (!ask.capabilities.no_display).then_some("summarized");
            (Some(Thinking::Adaptive { display }), Some(thought.word))
        }
        ThinkStep::First | ThinkStep::Nothing => {
            (Some(Thinking::Enabled { budget_tokens: thought.budget }), None)
        }
    }
}

/// The token limit of the answer; the vendor requires it to exceed that of thinking.
fn limit(ask: &ModelRequest<'_>, thinking: Option<ThinkingBudget>) -> u32 {
    match thinking {
        Some(thought) => ask.max_tokens().max(thought.budget.saturating_add(1)),
        // It refused to think, perhaps because of the token limit for it.
        None if ask.capabilities.think == ThinkStep::Nothing => ask.answer_tokens(),
        None => ask.max_tokens(),
    }
}

/// In which form an answer is asked for when it has a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Tool {
        forced: bool,
        trimmed: bool,
    },
    /// By `output_config.format`, whose schemas bound no values.
    Output,
    /// By the prompt's own words alone.
    Words,
}

fn form(ask: &ModelRequest<'_>) -> Form {
    // Neither a model that is told to think nor one of the newest can be forced to use a tool.
    match (ask.capabilities.format, thinking(ask).is_some() || ask.capabilities.no_forced_tool) {
        (FormatStep::Schema, false) => Form::Tool { forced: true, trimmed: false },
        (FormatStep::TrimmedSchema, false) => Form::Tool { forced: true, trimmed: true },
        (FormatStep::Object, false) | (FormatStep::Schema, true) => Form::Output,
        (FormatStep::TrimmedSchema, true) => Form::Tool { forced: false, trimmed: true },
        (FormatStep::Object, true) | (FormatStep::Nothing, _) => Form::Words,
    }
}

enum Shape<'a> {
    Tool { tool: Tool<'a>, forced: bool },
    Format(Format<'a>),
}

fn shape<'a>(ask: &ModelRequest<'a>, wanted: &'a AnswerSchema) -> Option<Shape<'a>> {
    let trimmed = || SchemaBody::Trimmed(Trimmed::new(&wanted.schema));
    match form(ask) {
        Form::Tool { forced, trimmed: is_trimmed } => {
            let description = match ask.prompt.brief.language {
                Language::Zh => "提交你的回答。",
                Language::En => "Hands in your answer.",
            };
            let input_schema = if is_trimmed { trimmed() } else { SchemaBody::Whole(&wanted.schema) };
            Some(Shape::Tool { tool: Tool { name: wanted.name, description, input_schema }, forced })
        }
        Form::Output => Some(Shape::Format(Format::JsonSchema { schema: trimmed() })),
        Form::Words => None,
    }
}

fn system<'a>(ask: &ModelRequest<'a>) -> Option<[Block<'a>; 1]> {
    let text = ask.system().filter(|text| !text.trim().is_empty())?;
    Some([Block::text(TextParts(vec![text]), !ask.capabilities.no_cache)])
}

/// The messages. What the reader will read again at its next call ends with a mark, so that it is
/// read from the cache then: in the last message, or at the end of the one before.
fn messages<'a>(ask: &ModelRequest<'a>) -> Vec<Message<'a>> {
    let mut turns = ask.turns();
    let last = turns.pop();
    let marks = !ask.capabilities.no_cache;
    let mut messages: Vec<Message<'a>> = turns.into_iter().map(Message::whole).collect();
    let Some(mut last) = last else { return messages };
    let (role, task) = (last.role, split(ask, &mut last));
    let mut content = blocks(last);
    if content.is_empty() {
        if marks && let Some(block) = messages.last_mut().and_then(|message| message.content.last_mut()) {
            block.cache_control = Some(CacheControl::EPHEMERAL);
        }
        messages.push(Message { role, content: vec![Block::text(TextParts(vec![task]), false)] });
    } else if task.trim().is_empty() {
        messages.push(Message { role, content });
    } else {
        if marks && let Some(block) = content.last_mut() {
            block.cache_control = Some(CacheControl::EPHEMERAL);
        }
        content.push(Block::text(TextParts(vec![task]), false));
        messages.push(Message { role, content });
    }
    messages
}

/// The blocks of a message; blank texts are refused.
fn blocks(turn: Turn<'_>) -> Vec<Block<'_>> {
    let block = |block| match block {
        images::Block::Text(text) if is_blank(&text.0) => None,
        images::Block::Text(text) => Some(Block::text(text, false)),
        images::Block::Image(image) => Some(Block::image(image)),
    };
    turn.blocks().into_iter().filter_map(block).collect()
}

/// Removes the task from the last message and leaves in it the text before.
fn split<'a>(ask: &ModelRequest<'a>, last: &mut Turn<'a>) -> &'a str {
    let text = match last.pieces.pop() {
        Some(Piece::Text(text)) => text,
        Some(image @ Piece::Image(_)) => {
            last.pieces.push(image);
            return "";
        }
        None => return "",
    };
    // Behind an image, it is the rest of the message.
    let begins = ask.prompt.messages.last().and_then(|message| {
        let begins = message.content.len().checked_sub(text.len())?;
        (message.content.get(begins..) == Some(text)).then_some(begins)
    });
    let at = begins.and_then(|begins| ask.prompt.task_at.checked_sub(begins)).unwrap_or(0);
    match text.split_at_checked(at) {
        Some((before, task)) if !before.trim().is_empty() && !task.trim().is_empty() => {
            last.pieces.push(Piece::Text(before));
            task
        }
        _ => text,
    }
}

fn is_blank(texts: &[&str]) -> bool {
    texts.iter().all(|text| text.trim().is_empty())
}

#[derive(serde::Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<[Block<'a>; 1]>,
    messages: Vec<Message<'a>>,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Thinking>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[Tool<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoice<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
}

#[derive(serde::Serialize)]
struct Message<'a> {
    role: PromptRole,
    content: Vec<Block<'a>>,
}

impl<'a> Message<'a> {
    fn whole(turn: Turn<'a>) -> Self {
        Self { role: turn.role, content: blocks(turn) }
    }
}

#[derive(serde::Serialize)]
struct Block<'a> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<TextParts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Source<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

impl<'a> Block<'a> {
    fn text(text: TextParts<'a>, marked: bool) -> Self {
        let cache_control = marked.then_some(CacheControl::EPHEMERAL);
        Self { r#type: "text", text: Some(text), source: None, cache_control }
    }

    fn image(image: &'a LoadedImage) -> Self {
        let source = Source { r#type: "base64", media_type: image.media_type, data: &image.base64 };
        Self { r#type: "image", text: None, source: Some(source), cache_control: None }
    }
}

#[derive(serde::Serialize)]
struct Source<'a> {
    r#type: &'static str,
    media_type: &'static str,
    data: &'a str,
}

#[derive(serde::Serialize)]
struct CacheControl {
    r#type: &'static str,
}

impl CacheControl {
    const EPHEMERAL: Self = Self { r#type: "ephemeral" };
}

#[derive(serde::Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Thinking {
    Enabled {
        budget_tokens: u32,
    },
    Adaptive {
        #[serde(skip_serializing_if = "Option::is_none")]
        display: Option<&'static str>,
    },
    Disabled,
    BetweenTools,
}

#[derive(serde::Serialize)]
struct OutputConfig<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format<'a>>,
}

#[derive(serde::Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Format<'a> {
    JsonSchema { schema: SchemaBody<'a> },
}

#[derive(serde::Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'static str,
    input_schema: SchemaBody<'a>,
}

#[derive(serde::Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ToolChoice<'a> {
    Tool { name: &'a str },
    Auto,
}
