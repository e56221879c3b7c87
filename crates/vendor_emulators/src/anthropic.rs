//! Anthropic's Messages API.

use serde_json::{Value, json};

use crate::http::{Received, Reply};
use crate::images;
use crate::question::{ModelBehaviour, Question, pieces, temper, text_of, thoughts, tokens};
use crate::{tools, web};

const MODELS: [&str; 7] = [
    "claude-sonnet",
    "claude-haiku",
    "reasoner-claude",
    "busy-claude",
    "down-claude",
    "offline-claude",
    "flaky-claude",
];

pub(crate) fn models(received: &Received<'_>) -> Reply {
    if let Some(refused) = unauthorized(received) {
        return refused;
    }
    // Two pages, as a list that is too long for one.
    let second = received.path.contains("after_id=");
    let (names, more) = if second { (&MODELS[2..], false) } else { (&MODELS[..2], true) };
    let data: Vec<Value> =
        names.iter().map(|id| json!({ "type": "model", "id": id, "display_name": id })).collect();
    Reply::json(
        200,
        &json!({ "data": data, "has_more": more, "first_id": names[0], "last_id": names[names.len() - 1] }),
    )
}

fn refused(status: u16, kind: &str, message: &str) -> Reply {
    let body =
        json!({ "type": "error", "error": { "type": kind, "message": message }, "request_id": "req_vendor" });
    Reply::json(status, &body).with("request-id", "req_vendor")
}

fn unauthorized(received: &Received<'_>) -> Option<Reply> {
    if received.header("anthropic-version").is_none() {
        return Some(refused(400, "invalid_request_error", "anthropic-version: header is required"));
    }
    // The newer of the vendor's own clients send the key as a bearer's.
    let bearer = received.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    match received.header("x-api-key").or(bearer) {
        Some(crate::KEY) => None,
        Some(_) => Some(refused(401, "authentication_error", "invalid x-api-key")),
        None => Some(refused(401, "authentication_error", "x-api-key header is required")),
    }
}

pub(crate) fn answer(received: &Received<'_>, number: u64) -> Reply {
    if let Some(refused) = unauthorized(received) {
        return refused;
    }
    let body = &received.body;
    let question = match read(body) {
        Ok(question) => question,
        Err(problem) => return refused(400, "invalid_request_error", &problem),
    };
    match temper(&question.model, number) {
        ModelBehaviour::Busy => {
            let message = "This request would exceed your organization's rate limit.";
            return refused(429, "rate_limit_error", message).with("retry-after", "0");
        }
        ModelBehaviour::Down => return refused(529, "overloaded_error", "Overloaded"),
        ModelBehaviour::Sound | ModelBehaviour::Dumb if MODELS.contains(&question.model.as_str()) => {}
        ModelBehaviour::Sound | ModelBehaviour::Dumb => {
            return refused(404, "not_found_error", &format!("model: {}", question.model));
        }
    }
    let images = match images::in_messages(body) {
        Ok(images) => images,
        Err(problem) => return refused(400, "invalid_request_error", &problem),
    };
    let talk = match tools::in_messages(body) {
        Ok(talk) => talk,
        Err(problem) => return refused(400, "invalid_request_error", &problem),
    };
    let offers_search = match web::in_messages(body, &question.model) {
        Ok(offers) => offers,
        Err(problem) => return refused(400, "invalid_request_error", &problem),
    };
    let call = tools::next_call(&talk.offered, &talk.results);
    let searches = match offers_search && call.is_none() && question.schema.is_none() {
        true if web::is_flaky(&question.model) => 2,
        true => 1,
        false => 0,
    };
    // Where any tool will do and nothing is left to look up, the answer's own is used.
    let is_any = body["tool_choice"]["type"] == "any";
    let tool = call.is_some() || is_any || body["tool_choice"]["type"] == "tool";
    let text = match &call {
        Some(call) => call.arguments.to_string(),
        None => {
            let text = received.say(&question, number);
            let text = images::seen(text, images, question.schema.is_none());
            tools::with_evidence(text, &talk.results, question.schema.is_none())
        }
    };
    let thoughts =
        thoughts(&question.model).or((body["thinking"]["type"] == "enabled").then_some("Let me see."));
    let written = tokens(&text) + thoughts.map_or(0, tokens);
    let cut = received.is_cut(&question, written);
    let stop = if cut {
        "max_tokens"
    } else if tool {
        "tool_use"
    } else {
        "end_turn"
    };
    // The prompt before the last breakpoint is cached: written the first time, read from then on.
    let read = question.tokens();
    let cached = if breakpoints(body) > 0 { read * 3 / 4 } else { 0 };
    let (from, into) = if number.is_multiple_of(2) { (0, cached) } else { (cached, 0) };
    let usage = |output: u64| {
        let mut usage = json!({ "input_tokens": read - cached, "cache_creation_input_tokens": into,
            "cache_read_input_tokens": from, "output_tokens": output });
        if searches > 0 {
            usage["server_tool_use"] = json!({ "web_search_requests": 1 });
        }
        usage
    };
    // An answer after a search comes in blocks, of which one rests on a page.
    let found: Vec<Value> = (0..searches).flat_map(|search| web::blocks(search, search > 0)).collect();
    let (before, after) = web::around_cited(&text);
    let texts = match searches {
        0 => vec![(text.clone(), false)],
        _ => vec![(before, false), (web::CITED.to_owned(), true), (after, false)],
    };
    let name = match &call {
        Some(call) => Value::from(call.name.as_str()),
        None if is_any => body["tools"][0]["name"].clone(),
        None => body["tool_choice"]["name"].clone(),
    };
    let head = |content: Value, stop: Value, usage: Value| {
        json!({ "id": format!("msg_{number}"), "type": "message", "role": "assistant",
            "model": question.model, "content": content, "stop_reason": stop, "stop_sequence": null,
            "usage": usage })
    };
    if !question.streamed {
        let thought =
            thoughts.map(|text| json!({ "type": "thinking", "thinking": text, "signature": "EqQB" }));
        let said = match tool {
            true => {
                let input: Value = serde_json::from_str(&text).unwrap_or_else(|_| json!({}));
                vec![json!({ "type": "tool_use", "id": "toolu_1", "name": name, "input": input })]
            }
            false => {
                let block = |(text, cites): &(String, bool)| match cites {
                    true => json!({ "type": "text", "text": text, "citations": [web::location()] }),
                    false => json!({ "type": "text", "text": text }),
                };
                found.iter().cloned().chain(texts.iter().map(block)).collect()
            }
        };
        let content: Vec<Value> = thought.into_iter().chain(said).collect();
        let whole = head(content.into(), stop.into(), usage(written));
        return Reply::json(200, &whole).with("request-id", "req_vendor");
    }
    let event = |kind: &str, mut body: Value| {
        body["type"] = kind.into();
        format!("event: {kind}\ndata: {body}\n\n")
    };
    let mut events =
        vec![event("message_start", json!({ "message": head(json!([]), Value::Null, usage(1)) }))];
    let mut block = |index: u64, start: Value, deltas: Vec<Value>| {
        events.push(event("content_block_start", json!({ "index": index, "content_block": start })));
        events.push("event: ping\ndata: {\"type\": \"ping\"}\n\n".to_owned());
        let deltas = deltas.into_iter();
        events.extend(
            deltas.map(|delta| event("content_block_delta", json!({ "index": index, "delta": delta }))),
        );
        events.push(event("content_block_stop", json!({ "index": index })));
    };
    if let Some(thoughts) = thoughts {
        let mut deltas: Vec<Value> = pieces(thoughts, 12)
            .into_iter()
            .map(|piece| json!({ "type": "thinking_delta", "thinking": piece }))
            .collect();
        deltas.push(json!({ "type": "signature_delta", "signature": "EqQBCgIYAhIM" }));
        block(0, json!({ "type": "thinking", "thinking": "", "signature": "" }), deltas);
    }
    let mut index = u64::from(thoughts.is_some());
    let said = pieces(&text, 6).into_iter();
    match tool {
        true => {
            let start = json!({ "type": "tool_use", "id": "toolu_1", "name": name, "input": {} });
            let deltas = said.map(|piece| json!({ "type": "input_json_delta", "partial_json": piece }));
            block(index, start, deltas.collect());
        }
        false => {
            for mut start in found {
                let mut deltas = Vec::new();
                if start["type"] == "server_tool_use" {
                    let arguments = std::mem::replace(&mut start["input"], json!({})).to_string();
                    deltas.push(json!({ "type": "input_json_delta", "partial_json": "" }));
                    deltas.extend(
                        pieces(&arguments, 6)
                            .into_iter()
                            .map(|piece| json!({ "type": "input_json_delta", "partial_json": piece })),
                    );
                }
                block(index, start, deltas);
                index += 1;
            }
            for (text, cites) in texts {
                let said = pieces(&text, 6).into_iter();
                let mut deltas: Vec<Value> =
                    said.map(|piece| json!({ "type": "text_delta", "text": piece })).collect();
                let mut start = json!({ "type": "text", "text": "" });
                if cites {
                    start["citations"] = json!([]);
                    deltas.insert(0, json!({ "type": "citations_delta", "citation": web::location() }));
                }
                block(index, start, deltas);
                index += 1;
            }
        }
    }
    let mut ended = json!({ "output_tokens": written });
    if searches > 0 {
        ended["server_tool_use"] = json!({ "web_search_requests": 1 });
    }
    let delta = json!({ "stop_reason": stop, "stop_sequence": null });
    events.push(event("message_delta", json!({ "delta": delta, "usage": ended })));
    events.push(event("message_stop", json!({})));
    Reply::events(events)
}

/// The number of blocks that are marked as cache breakpoints.
fn breakpoints(body: &Value) -> usize {
    body.to_string().matches("\"cache_control\"").count()
}

fn read(body: &Value) -> Result<Question, String> {
    let max_tokens = body["max_tokens"].as_u64().ok_or("max_tokens: Field required")?;
    for unknown in ["response_format", "max_completion_tokens", "stream_options"] {
        if !body[unknown].is_null() {
            return Err(format!("{unknown}: Extra inputs are not permitted"));
        }
    }
    if !body["temperature"].is_null() && !body["top_p"].is_null() {
        return Err("`temperature` and `top_p` cannot both be specified for this model.".to_owned());
    }
    if body["temperature"].as_f64().is_some_and(|given| given > 1.0) {
        return Err("temperature: range: 0..1".to_owned());
    }
    if breakpoints(body) > 4 {
        return Err("A maximum of 4 blocks with cache_control may be provided.".to_owned());
    }
    if let Some(budget) = body["thinking"]["budget_tokens"].as_u64() {
        if budget < 1024 {
            return Err(
                "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024".to_owned()
            );
        }
        if budget >= max_tokens {
            return Err("`max_tokens` must be greater than `thinking.budget_tokens`.".to_owned());
        }
        if body["temperature"].as_f64().is_some_and(|given| given != 1.0) {
            return Err("`temperature` may only be set to 1 when thinking is enabled.".to_owned());
        }
        if matches!(body["tool_choice"]["type"].as_str(), Some("tool" | "any")) {
            return Err("Thinking may not be enabled when tool_choice forces tool use.".to_owned());
        }
    }
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    if messages.first().is_none_or(|first| first["role"] != "user") {
        return Err("messages: at least one message is required, and the first is the user's".to_owned());
    }
    if messages.iter().any(|message| !matches!(message["role"].as_str(), Some("user" | "assistant"))) {
        return Err("messages.0.role: Input should be 'user' or 'assistant'".to_owned());
    }
    let blocks = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
    let blocks = blocks.chain(body["system"].as_array().into_iter().flatten());
    if blocks.clone().any(|block| block["type"] == "text" && block["text"].as_str().is_none_or(str::is_empty))
    {
        return Err("messages: text content blocks must be non-empty".to_owned());
    }
    let words: Vec<String> = messages.iter().map(|message| text_of(&message["content"])).collect();
    // The tool that takes the answer has a plain name.
    let offered = body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let own = offered
        .iter()
        .filter(|tool| !tools::is_server_tool(tool))
        .find(|tool| tool["name"].as_str().is_some_and(|name| !name.contains("__")));
    let schema = [&own.unwrap_or(&Value::Null)["input_schema"], &body["output_config"]["format"]["schema"]];
    Ok(Question {
        model: body["model"].as_str().unwrap_or_default().to_owned(),
        system: text_of(&body["system"]),
        words: words.join("\n"),
        schema: schema.into_iter().find(|schema| !schema.is_null()).cloned(),
        streamed: body["stream"] == json!(true),
        max_tokens,
    })
}
