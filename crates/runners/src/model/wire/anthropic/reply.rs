//! Responses of Anthropic's servers: messages, the events of a stream, lists of models.

use quorate_contract::{TOOL_CONTINUATION_MAX_BYTES, TOOL_NAME_MARK};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::lenient::{Number, Text};
use super::super::{ModelPage, tools};
use super::request::FORMAT;
use crate::model::failure::AttemptFailure;
use crate::model::reply::{Counts, Finish};
use crate::model::response::ResponseDecoder;

/// A complete message, or an event of a stream, by its `type`.
#[derive(Deserialize)]
struct Reply<'a> {
    #[serde(borrow, default)]
    r#type: Text<'a>,
    /// In the event `message_start`.
    #[serde(borrow, default)]
    message: Option<&'a RawValue>,
    /// In the event `content_block_start`.
    #[serde(borrow, default)]
    content_block: Option<&'a RawValue>,
    /// In `content_block_delta` and `message_delta`.
    #[serde(borrow, default)]
    delta: Option<Delta<'a>>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

/// A message, as far as it is known. `message_delta` has its usage in the same place, which is why the
/// same bytes may be read as both.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    stop_reason: Text<'a>,
    #[serde(borrow, default)]
    stop_details: Option<StopDetails<'a>>,
    #[serde(borrow, default)]
    usage: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow, default)]
    r#type: Text<'a>,
    #[serde(borrow, default)]
    text: Text<'a>,
    #[serde(borrow, default)]
    thinking: Text<'a>,
    /// The arguments of a tool call.
    #[serde(borrow, default)]
    input: Option<&'a RawValue>,
    #[serde(borrow, default)]
    name: Text<'a>,
    /// The vendor's seal of thinking.
    #[serde(borrow, default)]
    signature: Text<'a>,
    /// Thinking that is not shown.
    #[serde(borrow, default)]
    data: Text<'a>,
    /// Of a web search of the vendor.
    #[serde(borrow, default)]
    id: Text<'a>,
    /// The web search of which this is the result.
    #[serde(borrow, default)]
    tool_use_id: Text<'a>,
    /// The pages that a web search found, or its error.
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    /// The pages that a text cites.
    #[serde(borrow, default)]
    citations: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow, default)]
    text: Text<'a>,
    #[serde(borrow, default)]
    thinking: Text<'a>,
    #[serde(borrow, default)]
    partial_json: Text<'a>,
    #[serde(borrow, default)]
    signature: Text<'a>,
    /// A page that the text cites.
    #[serde(borrow, default)]
    citation: Option<&'a RawValue>,
    #[serde(borrow, default)]
    stop_reason: Text<'a>,
    #[serde(borrow, default)]
    stop_details: Option<StopDetails<'a>>,
}

/// The reason of a refusal.
#[derive(Deserialize)]
struct StopDetails<'a> {
    /// Which of the vendor's rules it fell under.
    #[serde(borrow, default)]
    category: Text<'a>,
    #[serde(borrow, default)]
    explanation: Text<'a>,
}

/// Takes one event, or a complete message.
pub(crate) fn take(data: &[u8], decoder: &mut ResponseDecoder<'_, '_>) -> Result<(), AttemptFailure> {
    let reply: Reply<'_> = read(data, decoder)?;
    if let Some(error) = reply.error {
        return Err(decoder.reported(error.get()));
    }
    match &*reply.r#type.0 {
        "message_start" => {
            if let Some(message) = reply.message {
                take_message(&read(message.get().as_bytes(), decoder)?, decoder);
            }
        }
        "content_block_start" => {
            if let Some(block) = reply.content_block {
                take_block(block, false, decoder);
            }
        }
        "content_block_delta" => {
            if let Some(delta) = &reply.delta {
                decoder.reasoned(&delta.thinking.0);
                decoder.answered(&delta.text.0);
                thought_piece(decoder, "thinking", &delta.thinking.0);
                thought_piece(decoder, "signature", &delta.signature.0);
                if !decoder.web().takes_argument(&delta.partial_json.0)
                    && !decoder.takes_argument(&delta.partial_json.0)
                {
                    decoder.takes_answer(&delta.partial_json.0);
                }
                if decoder.offers_search() {
                    decoder.web().block_piece(&delta.text.0);
                    delta.citation.into_iter().for_each(|one| cite(one, decoder));
                }
            }
        }
        "message_delta" => {
            if let Message { usage: Some(usage), .. } = read(data, decoder)? {
                count(usage, decoder);
            }
            if let Some(delta) = &reply.delta {
                stop(&delta.stop_reason.0, delta.stop_details.as_ref(), decoder);
            }
        }
        "content_block_stop" => {
            decoder.end_call();
            decoder.web().end_block();
            if let Some(arguments) = decoder.web().end_arguments() {
                end_search(&arguments, decoder);
            }
        }
        "message_stop" => decoder.done(),
        "message" | "" => take_message(&read(data, decoder)?, decoder),
        // Pings, ends of blocks, and events that are not known yet.
        _ => {}
    }
    Ok(())
}

fn read<'a, T: Deserialize<'a>>(
    data: &'a [u8],
    decoder: &ResponseDecoder<'_, '_>,
) -> Result<T, AttemptFailure> {
    serde_json::from_slice(data).map_err(|error| decoder.unreadable(&error))
}

/// Takes a complete message, or the empty one with which a stream begins.
fn take_message(message: &Message<'_>, decoder: &mut ResponseDecoder<'_, '_>) {
    if let Some(usage) = message.usage {
        count(usage, decoder);
    }
    let blocks = message.content.map(|content| serde_json::from_str::<Vec<&RawValue>>(content.get()));
    for block in blocks.into_iter().flatten().flatten() {
        take_block(block, true, decoder);
    }
    stop(&message.stop_reason.0, message.stop_details.as_ref(), decoder);
}

/// Takes a block, `whole` or followed by fragments. The tool is our own, so its arguments are the answer,
/// separated by a line from text that a model may have written before it.
fn take_block(raw: &RawValue, whole: bool, decoder: &mut ResponseDecoder<'_, '_>) {
    let Ok(block) = serde_json::from_str::<Block<'_>>(raw.get()) else { return };
    match &*block.r#type.0 {
        "text" => take_text(&block, whole, decoder),
        "server_tool_use" if block.name.0 == "web_search" => {
            decoder.web().searched(&block.id.0, "");
            keep_block(raw, decoder);
            match whole {
                true => end_search(block.input.map_or("{}", RawValue::get), decoder),
                false => decoder.web().begin_arguments(),
            }
        }
        "web_search_tool_result" => {
            keep_block(raw, decoder);
            decoder.web().end_paragraph();
            take_results(&block.tool_use_id.0, block.content, decoder);
        }
        "thinking" => {
            decoder.reasoned(&block.thinking.0);
            let (thinking, signature) = (&*block.thinking.0, &*block.signature.0);
            decoder
                .thoughts()
                .push(json!({ "type": "thinking", "thinking": thinking, "signature": signature }));
        }
        "redacted_thinking" => {
            let data = &*block.data.0;
            decoder.thoughts().push(json!({ "type": "redacted_thinking", "data": data }));
        }
        // The answer's own tool has a plain name.
        "tool_use" if block.name.0.contains(TOOL_NAME_MARK) => {
            decoder.begin_call(&block.name.0);
            if whole {
                decoder.takes_argument(block.input.map_or("", RawValue::get));
                decoder.end_call();
            }
            let mut thoughts = std::mem::take(decoder.thoughts());
            if decoder.calls() == 1 {
                let mut kept = tools::keep(FORMAT, &thoughts.clone().into());
                if kept.len() > TOOL_CONTINUATION_MAX_BYTES {
                    // Without the pages that were found, what was thought still fits.
                    thoughts.retain(is_thought);
                    kept = tools::keep(FORMAT, &thoughts.into());
                }
                decoder.keep(kept);
            }
        }
        "tool_use" if decoder.is_answer_tool(&block.name.0) => {
            if decoder.has_words() {
                decoder.answered("\n");
            }
            match block.input {
                Some(input) if whole => decoder.answered(input.get()),
                _ => decoder.begin_answer_tool(),
            }
        }
        // A tool that nobody offered.
        "tool_use" => decoder.wanted_a_tool(),
        _ => {}
    }
}

/// Takes a block of text with its citations, or its beginning.
fn take_text(block: &Block<'_>, whole: bool, decoder: &mut ResponseDecoder<'_, '_>) {
    // What was said before a search is a paragraph of its own.
    if decoder.web().ends_paragraph() && decoder.has_words() {
        decoder.answered("\n\n");
    }
    decoder.answered(&block.text.0);
    if !decoder.offers_search() {
        return;
    }
    decoder.web().begin_block();
    decoder.web().block_piece(&block.text.0);
    let citations = block.citations.map(|all| serde_json::from_str::<Vec<&RawValue>>(all.get()));
    citations.into_iter().flatten().flatten().for_each(|one| cite(one, decoder));
    if whole {
        decoder.web().end_block();
    }
}

/// Takes a citation of a page of the web.
fn cite(citation: &RawValue, decoder: &mut ResponseDecoder<'_, '_>) {
    #[derive(Deserialize)]
    struct Citation<'a> {
        #[serde(borrow, default)]
        r#type: Text<'a>,
        #[serde(borrow, default)]
        url: Text<'a>,
        #[serde(borrow, default)]
        title: Text<'a>,
    }
    let citation = serde_json::from_str::<Citation<'_>>(citation.get());
    if let Ok(page) = citation
        && page.r#type.0 == "web_search_result_location"
    {
        decoder.web().cited(&page.url.0, &page.title.0, "");
    }
}

/// The arguments of a web search are complete.
fn end_search(arguments: &str, decoder: &mut ResponseDecoder<'_, '_>) {
    let arguments: Value = serde_json::from_str(arguments).unwrap_or_else(|_| json!({}));
    let last = decoder.thoughts().iter_mut().rev().find(|block| block["type"] == "server_tool_use");
    let Some(block) = last else { return };
    let id = block["id"].as_str().unwrap_or_default().to_owned();
    block["input"] = arguments.clone();
    decoder.web().searched(&id, arguments["query"].as_str().unwrap_or_default());
}

/// The pages that a web search found, or its error.
fn take_results(id: &str, content: Option<&RawValue>, decoder: &mut ResponseDecoder<'_, '_>) {
    #[derive(Deserialize)]
    struct Page<'a> {
        #[serde(borrow, default)]
        url: Text<'a>,
        #[serde(borrow, default)]
        title: Text<'a>,
    }
    #[derive(Deserialize)]
    struct Problem<'a> {
        #[serde(borrow, default)]
        error_code: Text<'a>,
    }
    let Some(content) = content.map(RawValue::get) else { return };
    if let Ok(pages) = serde_json::from_str::<Vec<Page<'_>>>(content) {
        pages.iter().for_each(|page| decoder.web().found(id, &page.url.0, &page.title.0));
    } else if let Ok(problem) = serde_json::from_str::<Problem<'_>>(content) {
        let word = if problem.error_code.0.is_empty() { "unavailable" } else { &*problem.error_code.0 };
        decoder.web().failed(id, word);
    }
}

/// Keeps a block that the vendor wants back with the results of calls.
fn keep_block(raw: &RawValue, decoder: &mut ResponseDecoder<'_, '_>) {
    if let Ok(block) = serde_json::from_str(raw.get()) {
        decoder.thoughts().push(block);
    }
}

/// Whether a kept block is thinking.
fn is_thought(block: &Value) -> bool {
    matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"))
}

/// Adds a piece to the last part of the thinking.
fn thought_piece(decoder: &mut ResponseDecoder<'_, '_>, field: &str, piece: &str) {
    if piece.is_empty() {
        return;
    }
    if let Some(thought) = decoder.thoughts().last_mut()
        && let Some(before) = thought.get(field).and_then(Value::as_str)
    {
        thought[field] = format!("{before}{piece}").into();
    }
}

fn stop(reason: &str, details: Option<&StopDetails<'_>>, decoder: &mut ResponseDecoder<'_, '_>) {
    let finish = match reason {
        "" => return,
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "refusal" | "sensitive" => Finish::Withheld,
        "error" | "network_error" => Finish::Broken(reason.to_owned()),
        // `pause_turn` comes after more searches than are allowed; what was said until then holds.
        _ => Finish::Complete,
    };
    if let (Finish::Withheld, Some(details)) = (&finish, details) {
        match (&*details.category.0, &*details.explanation.0) {
            ("", explanation) => decoder.refused(explanation),
            (category, "") => decoder.refused(category),
            (category, explanation) => decoder.refused(&format!("{category}: {explanation}")),
        }
    }
    decoder.finished(finish);
}

/// Reads a `usage`. What came from the cache and what went into it are counted beside
/// `input_tokens`; a later count may name some of the three only.
fn count(usage: &RawValue, decoder: &mut ResponseDecoder<'_, '_>) {
    #[derive(Deserialize, Default)]
    struct Wire {
        #[serde(default)]
        input_tokens: Number,
        #[serde(default)]
        cache_read_input_tokens: Number,
        #[serde(default)]
        cache_creation_input_tokens: Number,
        #[serde(default)]
        output_tokens: Number,
        #[serde(default)]
        output_tokens_details: Option<Details>,
        #[serde(default)]
        server_tool_use: Option<ServerTools>,
    }
    #[derive(Deserialize, Default)]
    struct ServerTools {
        #[serde(default)]
        web_search_requests: Number,
    }
    #[derive(Deserialize, Default)]
    struct Details {
        #[serde(default)]
        thinking_tokens: Number,
    }
    let wire: Wire = serde_json::from_str(usage.get()).unwrap_or_default();
    if let Some(count) = wire.server_tool_use.and_then(|used| used.web_search_requests.0) {
        decoder.web().counted(count);
    }
    let before = decoder.counts();
    let cached = wire.cache_read_input_tokens.0.or(before.cached);
    let cache_write = wire.cache_creation_input_tokens.0.or(before.cache_write);
    let beside = cached.unwrap_or(0).saturating_add(cache_write.unwrap_or(0));
    decoder.counted(Counts {
        input: wire.input_tokens.0.map(|fresh| fresh.saturating_add(beside)),
        output: wire.output_tokens.0,
        reasoning: wire.output_tokens_details.and_then(|details| details.thinking_tokens.0),
        cached,
        cache_write,
    });
}

/// The names in a page of the list of models, and the last of them when others follow.
pub(crate) fn models(body: &[u8]) -> Result<ModelPage, serde_json::Error> {
    #[derive(Deserialize)]
    struct Page {
        data: Vec<Model>,
        #[serde(default)]
        has_more: Option<bool>,
        #[serde(default)]
        last_id: Option<String>,
    }
    #[derive(Deserialize)]
    struct Model {
        id: String,
        #[serde(default)]
        max_input_tokens: Number,
    }
    let page: Page = serde_json::from_slice(body)?;
    let next = page.last_id.filter(|_| page.has_more == Some(true));
    let window = |model: &Model| Some((model.id.clone(), model.max_input_tokens.0?));
    let windows = page.data.iter().filter_map(window).collect();
    Ok(ModelPage { names: page.data.into_iter().map(|model| model.id).collect(), next, windows })
}
