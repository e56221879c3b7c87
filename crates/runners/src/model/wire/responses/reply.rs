//! Responses of OpenAI's Responses API: whole responses and the events of a stream.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::lenient::{Number, Text};
use crate::model::failure::AttemptFailure;
use crate::model::reply::{Counts, Finish};
use crate::model::response::ResponseDecoder;

/// A complete response, or an event of a stream: `type` says which, and a complete response has none.
#[derive(Deserialize)]
struct Reply<'a> {
    #[serde(borrow, default)]
    r#type: Text<'a>,
    /// A piece of a text.
    #[serde(borrow, default)]
    delta: Text<'a>,
    /// Which part of the reasoning's summary begins.
    #[serde(default)]
    summary_index: Number,
    /// The state of the response, in some events.
    #[serde(borrow, default)]
    response: Option<Response<'a>>,
    /// A complete item, in some events.
    #[serde(borrow, default)]
    item: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
    /// A citation, in some events.
    #[serde(borrow, default)]
    annotation: Option<&'a RawValue>,
}

/// A response, as far as it is known.
#[derive(Deserialize)]
struct Response<'a> {
    #[serde(borrow, default)]
    status: Text<'a>,
    #[serde(borrow, default)]
    incomplete_details: Option<Incomplete<'a>>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
    #[serde(borrow, default)]
    output: Option<&'a RawValue>,
    #[serde(borrow, default)]
    usage: Option<&'a RawValue>,
    #[serde(default)]
    tool_usage: Option<ToolUsage>,
}

#[derive(Deserialize)]
struct ToolUsage {
    #[serde(default)]
    web_search: Option<SearchUsage>,
}

#[derive(Deserialize)]
struct SearchUsage {
    #[serde(default)]
    num_requests: Number,
}

#[derive(Deserialize)]
struct Incomplete<'a> {
    #[serde(borrow, default)]
    reason: Text<'a>,
}

/// One item of the output.
#[derive(Deserialize)]
struct Item<'a> {
    #[serde(borrow, default)]
    r#type: Text<'a>,
    #[serde(borrow, default)]
    content: Option<Vec<Part<'a>>>,
    #[serde(borrow, default)]
    summary: Option<Vec<Part<'a>>>,
    /// Of a call.
    #[serde(borrow, default)]
    call_id: Text<'a>,
    #[serde(borrow, default)]
    name: Text<'a>,
    #[serde(borrow, default)]
    arguments: Text<'a>,
    /// Of a web search.
    #[serde(borrow, default)]
    id: Text<'a>,
    #[serde(borrow, default)]
    status: Text<'a>,
    /// What a web search did.
    #[serde(borrow, default)]
    action: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Part<'a> {
    /// What a text cites.
    #[serde(borrow, default)]
    annotations: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    text: Text<'a>,
    #[serde(borrow, default)]
    refusal: Text<'a>,
}

/// Takes one event, or a complete response.
pub(crate) fn take(data: &[u8], decoder: &mut ResponseDecoder<'_, '_>) -> Result<(), AttemptFailure> {
    let reply: Reply<'_> = read(data, decoder)?;
    match &*reply.r#type.0 {
        "response.output_text.delta" => decoder.answered(&reply.delta.0),
        // The end of the response repeats it, but gateways may leave that out.
        "response.output_item.done" => {
            let item = reply.item.and_then(|item| serde_json::from_str::<Item<'_>>(item.get()).ok());
            match item.as_ref().map(|item| &*item.r#type.0) {
                Some("function_call") => {
                    item.iter()
                        .for_each(|item| decoder.called(&item.call_id.0, &item.name.0, &item.arguments.0));
                }
                Some("web_search_call") => item.iter().for_each(|item| take_search(item, decoder)),
                Some(_) | None => {}
            }
        }
        "response.output_text.annotation.added" => {
            reply.annotation.into_iter().for_each(|one| cite(one, None, decoder));
        }
        "response.refusal.delta" => decoder.refused(&reply.delta.0),
        "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
            decoder.reasoned(&reply.delta.0);
        }
        "response.reasoning_summary_part.added" if reply.summary_index.0.is_some_and(|index| index > 0) => {
            decoder.reasoned("\n\n");
        }
        kind @ ("response.completed" | "response.incomplete" | "response.failed" | "response.cancelled") => {
            let said = kind.trim_start_matches("response.");
            let response = match reply.response {
                Some(response) => response,
                None => read(data, decoder)?,
            };
            take_response(&response, said, decoder)?;
            decoder.done();
        }
        "error" => {
            // The error is in a field of its own, or is the event itself.
            let error = reply.error.map(RawValue::get).or_else(|| std::str::from_utf8(data).ok());
            return Err(decoder.reported(error.unwrap_or_default()));
        }
        "" => take_response(&read(data, decoder)?, "", decoder)?,
        // Progress events, and events that are not known yet.
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

/// Takes a response at its end. Its words are taken only when no piece of them has come before.
/// `said` is the status by the event's name.
fn take_response(
    response: &Response<'_>,
    said: &str,
    decoder: &mut ResponseDecoder<'_, '_>,
) -> Result<(), AttemptFailure> {
    if let Some(usage) = response.usage {
        decoder.counted(counts(usage));
    }
    let searched = response.tool_usage.as_ref().and_then(|used| used.web_search.as_ref());
    if let Some(count) = searched.and_then(|used| used.num_requests.0) {
        decoder.web().counted(count);
    }
    if let Some(error) = response.error {
        return Err(decoder.reported(error.get()));
    }
    let (has_words, has_reasoned) = (decoder.has_words(), decoder.has_reasoned());
    let items = response.output.map(|output| serde_json::from_str::<Vec<Item<'_>>>(output.get()));
    let items = match items.transpose() {
        Ok(items) => items,
        Err(_) if has_words => None, // it has been heard already, piece by piece
        Err(error) => return Err(decoder.unreadable(&error)),
    };
    keep_thoughts(response.output, decoder);
    let searches = decoder.offers_search();
    for item in items.into_iter().flatten() {
        for part in item.content.iter().flatten().filter(|_| searches) {
            let annotations = part.annotations.iter().flatten();
            annotations.for_each(|one| cite(one, Some(&part.text.0), decoder));
        }
        match &*item.r#type.0 {
            "reasoning" if !has_reasoned => take_reasoning(item, decoder),
            "message" if !has_words => {
                for part in item.content.into_iter().flatten() {
                    decoder.answered(&part.text.0);
                    decoder.refused(&part.refusal.0);
                }
            }
            "function_call" => decoder.called(&item.call_id.0, &item.name.0, &item.arguments.0),
            "web_search_call" => take_search(&item, decoder),
            "custom_tool_call" => decoder.wanted_a_tool(),
            _ => {}
        }
    }
    let status = if response.status.0.is_empty() { said } else { &*response.status.0 };
    decoder.finished(finish(status, response.incomplete_details.as_ref()));
    Ok(())
}

/// Keeps reasoning that the vendor has sealed, to send it back with the results of tools.
fn keep_thoughts(output: Option<&RawValue>, decoder: &mut ResponseDecoder<'_, '_>) {
    if !decoder.offers_tools() {
        return;
    }
    let items = output.and_then(|output| serde_json::from_str::<Vec<Value>>(output.get()).ok());
    let searches = decoder.offers_search();
    // What was thought before a search goes with the search.
    let wanted = |item: &Value| match item["type"].as_str() {
        Some("reasoning") => item["encrypted_content"].is_string(),
        Some("web_search_call") => searches,
        Some(_) | None => false,
    };
    let kept = items.into_iter().flatten().filter(wanted).map(|item| {
        if item["type"] == "web_search_call" {
            return json!({ "type": "web_search_call", "id": item["id"], "status": item["status"], "action": item["action"] });
        }
        let summary = item.get("summary").cloned().unwrap_or_else(|| json!([]));
        json!({
            "type": "reasoning", "id": item["id"], "summary": summary,
            "encrypted_content": item["encrypted_content"],
        })
    });
    let kept: Vec<Value> = kept.collect();
    if !kept.is_empty() {
        decoder.keep(super::super::tools::keep(super::FORMAT, &kept.into()));
    }
}

/// Takes a web search of the vendor. Opening a page, or looking for words in one, is none.
fn take_search(item: &Item<'_>, decoder: &mut ResponseDecoder<'_, '_>) {
    #[derive(Deserialize, Default)]
    struct Action<'a> {
        #[serde(borrow, default)]
        r#type: Text<'a>,
        #[serde(borrow, default)]
        query: Text<'a>,
        #[serde(default)]
        queries: Option<Vec<String>>,
        #[serde(borrow, default)]
        url: Text<'a>,
        #[serde(borrow, default)]
        sources: Option<Vec<&'a RawValue>>,
    }
    #[derive(Deserialize)]
    struct Page<'a> {
        #[serde(borrow, default)]
        url: Text<'a>,
        #[serde(borrow, default)]
        title: Text<'a>,
    }
    let action = item.action.and_then(|action| serde_json::from_str::<Action<'_>>(action.get()).ok());
    let action = action.unwrap_or_default();
    if matches!(&*action.r#type.0, "open_page" | "find_in_page") {
        return decoder.web().found("", &action.url.0, "");
    }
    let id = &item.id.0;
    let query = match &action.queries {
        Some(queries) if !queries.is_empty() => queries.join("; "),
        Some(_) | None => action.query.0.to_string(),
    };
    decoder.web().searched(id, &query);
    let pages = action.sources.iter().flatten();
    for page in pages.filter_map(|page| serde_json::from_str::<Page<'_>>(page.get()).ok()) {
        decoder.web().found(id, &page.url.0, &page.title.0);
    }
    if item.status.0 == "failed" {
        decoder.web().failed(id, "failed");
    }
}

/// Takes a citation of a page of the web in a text, when the text is complete.
fn cite(annotation: &RawValue, text: Option<&str>, decoder: &mut ResponseDecoder<'_, '_>) {
    #[derive(Deserialize)]
    struct Annotation<'a> {
        #[serde(borrow, default)]
        r#type: Text<'a>,
        #[serde(borrow, default)]
        url: Text<'a>,
        #[serde(borrow, default)]
        title: Text<'a>,
        #[serde(default)]
        start_index: Number,
    }
    let Ok(one) = serde_json::from_str::<Annotation<'_>>(annotation.get()) else { return };
    if one.r#type.0 != "url_citation" {
        return;
    }
    match (text, one.start_index.0.and_then(|at| usize::try_from(at).ok())) {
        (Some(_), Some(at)) => decoder.web().cited_at(&one.url.0, &one.title.0, at),
        _ => decoder.web().cited(&one.url.0, &one.title.0, ""),
    }
}

/// Takes reasoning. With the reasoning itself, its summary is not needed.
fn take_reasoning(item: Item<'_>, decoder: &mut ResponseDecoder<'_, '_>) {
    let parts = item.content.filter(|parts| !parts.is_empty()).or(item.summary);
    for (place, part) in parts.into_iter().flatten().enumerate() {
        if place > 0 {
            decoder.reasoned("\n\n");
        }
        decoder.reasoned(&part.text.0);
    }
}

fn finish(status: &str, incomplete: Option<&Incomplete<'_>>) -> Finish {
    let reason = incomplete.map_or("", |incomplete| &*incomplete.reason.0);
    match (status, reason) {
        ("completed" | "", _) => Finish::Complete,
        ("incomplete", "max_output_tokens" | "max_tokens") => Finish::Length,
        ("incomplete", "content_filter") => Finish::Withheld,
        ("incomplete", reason) if !reason.is_empty() => Finish::Broken(reason.to_owned()),
        _ => Finish::Broken(status.to_owned()),
    }
}

/// Reads a `usage`. What is negative, broken or missing was not counted.
fn counts(usage: &RawValue) -> Counts {
    #[derive(Deserialize, Default)]
    struct Wire {
        #[serde(default)]
        input_tokens: Number,
        #[serde(default)]
        input_tokens_details: Option<Details>,
        #[serde(default)]
        output_tokens: Number,
        #[serde(default)]
        output_tokens_details: Option<Details>,
    }
    #[derive(Deserialize, Default)]
    struct Details {
        #[serde(default)]
        cached_tokens: Number,
        #[serde(default)]
        cache_write_tokens: Number,
        #[serde(default)]
        reasoning_tokens: Number,
    }
    let wire: Wire = serde_json::from_str(usage.get()).unwrap_or_default();
    let read = wire.input_tokens_details.unwrap_or_default();
    Counts {
        input: wire.input_tokens.0,
        output: wire.output_tokens.0,
        reasoning: wire.output_tokens_details.and_then(|details| details.reasoning_tokens.0),
        cached: read.cached_tokens.0,
        cache_write: read.cache_write_tokens.0,
    }
}
