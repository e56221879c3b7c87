//! OpenAI's Responses API.

use serde_json::{Value, json};

use crate::http::{Received, Reply};
use crate::images;
use crate::llama;
use crate::openai::{indisposed, not_strict, refused, unauthorized};
use crate::question::{Question, pieces, text_of, thoughts, tokens};
use crate::{tools, web};

pub(crate) fn answer(received: &Received<'_>, number: u64) -> Reply {
    if let Some(refused) = unauthorized(received) {
        return refused;
    }
    let question = match read(&received.body) {
        Ok(question) => question,
        Err(refused) => return refused,
    };
    let fault = indisposed(&question.model, number).or_else(|| llama::untyped(&received.body));
    if let Some(fault) = fault.or_else(|| llama::too_long(&question)) {
        return fault;
    }
    let images = match images::in_responses(&received.body) {
        Ok(images) => images,
        Err(refused) => return refused,
    };
    let talk = match tools::in_responses(&received.body) {
        Ok(talk) => talk,
        Err(problem) => return refused(400, "invalid_request_error", Value::Null, "input".into(), &problem),
    };
    let search = match web::in_responses(&received.body, &question.model) {
        Ok(search) => search,
        Err(problem) => return refused(400, "invalid_request_error", Value::Null, "tools".into(), &problem),
    };
    let call = tools::next_call(&talk.offered, &talk.results);
    if let Some(call) = call {
        return called(&question, number, &call);
    }
    let text = images::seen(received.say(&question, number), images, question.schema.is_none());
    let text = tools::with_evidence(text, &talk.results, question.schema.is_none());
    let search = search.filter(|_| question.schema.is_none());
    let (text, citation) = match search {
        Some(_) => web::linked(&text),
        None => (text, Value::Null),
    };
    let searches: Vec<Value> = match search {
        Some(sources) if web::is_flaky(&question.model) => {
            vec![web::search_call(1, sources, false), web::search_call(2, sources, true)]
        }
        Some(sources) => vec![web::search_call(1, sources, false)],
        None => Vec::new(),
    };
    let annotation = (!citation.is_null()).then(|| {
        let mut annotation = citation.clone();
        annotation["type"] = "url_citation".into();
        annotation
    });
    let thoughts = thoughts(&question.model);
    let (read, written) = (question.tokens(), tokens(&text) + thoughts.map_or(0, tokens));
    let cut = received.is_cut(&question, written);
    let id = format!("resp_{number}");
    let part =
        json!({ "type": "output_text", "text": text, "annotations": annotation.iter().collect::<Vec<_>>() });
    let message = json!({ "type": "message", "id": "msg_1", "status": "completed", "role": "assistant",
        "content": [part] });
    let summary = thoughts.map(|text| json!({ "type": "summary_text", "text": text }));
    let reasoning =
        json!({ "type": "reasoning", "id": "rs_1", "summary": summary.iter().collect::<Vec<_>>() });
    let response = |status: &str, output: Value, usage: Value| {
        json!({ "id": id, "object": "response", "created_at": 1, "status": status, "model": question.model,
            "output": output, "usage": usage, "error": null,
            "incomplete_details": if cut && status != "in_progress" {
                json!({ "reason": "max_output_tokens" })
            } else { Value::Null } })
    };
    let usage = json!({
        "input_tokens": read, "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": written,
        "output_tokens_details": { "reasoning_tokens": thoughts.map_or(0, tokens) },
        "total_tokens": read + written,
    });
    let end = if cut { "incomplete" } else { "completed" };
    let whole = response(
        end,
        [vec![reasoning.clone()], searches.clone(), vec![message.clone()]].concat().into(),
        usage,
    );
    if !question.streamed {
        return Reply::json(200, &whole).with("x-request-id", "req_vendor");
    }
    let mut at = 0;
    let mut event = |kind: &str, mut body: Value| {
        body["type"] = kind.into();
        body["sequence_number"] = at.into();
        at += 1;
        format!("event: {kind}\ndata: {body}\n\n")
    };
    let begun = response("in_progress", json!([]), Value::Null);
    let mut events = vec![
        event("response.created", json!({ "response": begun })),
        event("response.in_progress", json!({ "response": begun })),
    ];
    let begun = json!({ "type": "reasoning", "id": "rs_1", "summary": [] });
    events.push(event("response.output_item.added", json!({ "output_index": 0, "item": begun })));
    if let Some(thoughts) = thoughts {
        let at = json!({ "item_id": "rs_1", "output_index": 0, "summary_index": 0 });
        let with = |name: &str, value: Value| {
            let mut body = at.clone();
            body[name] = value;
            body
        };
        let part = json!({ "type": "summary_text", "text": "" });
        events.push(event("response.reasoning_summary_part.added", with("part", part)));
        for piece in pieces(thoughts, 12) {
            events.push(event("response.reasoning_summary_text.delta", with("delta", piece.into())));
        }
        events.push(event("response.reasoning_summary_text.done", with("text", thoughts.into())));
    }
    events.push(event("response.output_item.done", json!({ "output_index": 0, "item": reasoning })));
    for (search, at) in searches.iter().zip(1..) {
        let begun = json!({ "type": "web_search_call", "id": search["id"], "status": "in_progress" });
        events.push(event("response.output_item.added", json!({ "output_index": at, "item": begun })));
        let at_search = json!({ "item_id": search["id"], "output_index": at });
        for kind in ["in_progress", "searching", "completed"] {
            events.push(event(&format!("response.web_search_call.{kind}"), at_search.clone()));
        }
        events.push(event("response.output_item.done", json!({ "output_index": at, "item": search })));
    }
    let begun = json!({ "type": "message", "id": "msg_1", "status": "in_progress", "role": "assistant",
        "content": [] });
    events.push(event("response.output_item.added", json!({ "output_index": 1, "item": begun })));
    let part = json!({ "type": "output_text", "text": "", "annotations": [] });
    let body = json!({ "item_id": "msg_1", "output_index": 1, "content_index": 0, "part": part });
    events.push(event("response.content_part.added", body));
    for piece in pieces(&text, 6) {
        let body = json!({ "item_id": "msg_1", "output_index": 1, "content_index": 0, "delta": piece });
        events.push(event("response.output_text.delta", body));
    }
    if let Some(annotation) = annotation {
        events.push(event(
            "response.output_text.annotation.added",
            json!({ "item_id": "msg_1", "output_index": 1, "content_index": 0, "annotation_index": 0,
                "annotation": annotation }),
        ));
    }
    events.push(event(
        "response.output_text.done",
        json!({ "item_id": "msg_1", "output_index": 1, "content_index": 0, "text": text, "logprobs": [] }),
    ));
    events.push(event("response.output_item.done", json!({ "output_index": 1, "item": message })));
    events.push(event(&format!("response.{end}"), json!({ "response": whole })));
    Reply::events(events)
}

/// A response that calls a tool.
fn called(question: &Question, number: u64, call: &tools::ModelCall) -> Reply {
    let item = json!({
        "type": "function_call", "id": format!("fc_{number}"), "call_id": format!("call_{number}"),
        "status": "completed", "name": call.name, "arguments": call.arguments.to_string(),
    });
    let usage = json!({ "input_tokens": question.tokens(), "output_tokens": 12, "total_tokens": question.tokens() + 12 });
    let whole = json!({
        "id": format!("resp_{number}"), "object": "response", "status": "completed", "model": question.model,
        "output": [item], "usage": usage, "error": null, "incomplete_details": null,
    });
    if !question.streamed {
        return Reply::json(200, &whole).with("x-request-id", "req_vendor");
    }
    let event = |kind: &str, mut body: Value| {
        body["type"] = kind.into();
        format!("event: {kind}\ndata: {body}\n\n")
    };
    Reply::events(vec![
        event(
            "response.output_item.added",
            json!({ "output_index": 0, "item": { "type": "function_call" } }),
        ),
        event(
            "response.function_call_arguments.delta",
            json!({ "output_index": 0, "delta": item["arguments"] }),
        ),
        event("response.output_item.done", json!({ "output_index": 0, "item": item })),
        event("response.completed", json!({ "response": whole })),
    ])
}

fn read(body: &Value) -> Result<Question, Reply> {
    let invalid = |param: &str, code: &str, message: &str| {
        Err(refused(400, "invalid_request_error", code.into(), param.into(), message))
    };
    for unknown in ["messages", "max_tokens", "max_completion_tokens", "response_format"] {
        if !body[unknown].is_null() {
            let message = format!("Unknown parameter: '{unknown}'.");
            return invalid(unknown, "unknown_parameter", &message);
        }
    }
    let model = body["model"].as_str().unwrap_or_default().to_owned();
    if model.starts_with("gpt-5") && !body["temperature"].is_null() {
        let message = "Unsupported parameter: 'temperature' is not supported with this model.";
        return invalid("temperature", "unsupported_parameter", message);
    }
    let words = match &body["input"] {
        Value::String(text) => text.clone(),
        Value::Array(items) if !items.is_empty() => {
            items.iter().map(|item| text_of(&item["content"])).collect::<Vec<_>>().join("\n")
        }
        _ => return invalid("input", "missing_required_parameter", "Missing required parameter: 'input'."),
    };
    let format = &body["text"]["format"];
    if format["strict"] == json!(true)
        && let Some(problem) = not_strict(&format["schema"])
    {
        let message = format!("Invalid schema for response_format: {problem}");
        return invalid("text.format.schema", "invalid_json_schema", &message);
    }
    Ok(Question {
        model,
        system: body["instructions"].as_str().unwrap_or_default().to_owned(),
        words,
        schema: (!format["schema"].is_null()).then(|| format["schema"].clone()),
        streamed: body["stream"] == json!(true),
        max_tokens: body["max_output_tokens"].as_u64().unwrap_or(u64::MAX),
    })
}
