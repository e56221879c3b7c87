//! OpenAI's chat completions, with the habits of some who are compatible.

use serde_json::{Value, json};

use crate::http::{Received, Reply};
use crate::images;
use crate::llama;
use crate::question::{ModelBehaviour, Question, pieces, temper, text_of, thoughts, tokens};
use crate::web::ChatSearch;
use crate::{tools, web};

const MODELS: [&str; 13] = [
    "gpt-5-mini",
    "gpt-4o-mini",
    "deepseek-chat",
    "reasoner-chat",
    "busy-chat",
    "down-chat",
    "dumb-chat",
    "llama-2048-tiny",
    "glm-4.6",
    "offline-glm",
    "offline-gpt",
    "flaky-gpt",
    "gpt-4o-search-preview",
];

pub(crate) fn models(received: &Received<'_>) -> Reply {
    if let Some(refused) = unauthorized(received) {
        return refused;
    }
    let plain = |id: &str| json!({ "id": id, "object": "model", "owned_by": "vendor" });
    let models: Vec<Value> = MODELS.iter().map(|id| llama::listed(id).unwrap_or_else(|| plain(id))).collect();
    Reply::json(200, &json!({ "object": "list", "data": models }))
}

pub(crate) fn refused(status: u16, kind: &str, code: Value, param: Value, message: &str) -> Reply {
    let error = json!({ "message": message, "type": kind, "param": param, "code": code });
    Reply::json(status, &json!({ "error": error })).with("x-request-id", "req_vendor")
}

pub(crate) fn unauthorized(received: &Received<'_>) -> Option<Reply> {
    let given = received.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    let problem = match given {
        Some(crate::KEY) => return None,
        Some(other) => {
            let shown: String = other.chars().take(5).collect();
            format!("Incorrect API key provided: {shown}***.")
        }
        None => "You didn't provide an API key.".to_owned(),
    };
    Some(refused(401, "invalid_request_error", "invalid_api_key".into(), Value::Null, &problem))
}

/// The faults that both of OpenAI's formats share: busy, down, or unknown models.
pub(crate) fn indisposed(model: &str, number: u64) -> Option<Reply> {
    let invalid = "invalid_request_error";
    match temper(model, number) {
        ModelBehaviour::Busy => {
            let message = format!("Rate limit reached for {model}. Please try again in 50ms.");
            let reply = refused(429, "requests", "rate_limit_exceeded".into(), Value::Null, &message);
            Some(reply.with("retry-after-ms", "50"))
        }
        ModelBehaviour::Down => {
            Some(refused(503, "server_error", Value::Null, Value::Null, "That model is overloaded."))
        }
        ModelBehaviour::Sound | ModelBehaviour::Dumb
            if MODELS.contains(&model) || llama::context_of(model).is_some() =>
        {
            None
        }
        ModelBehaviour::Sound | ModelBehaviour::Dumb => {
            let message = format!("The model `{model}` does not exist or you do not have access to it.");
            Some(refused(404, invalid, "model_not_found".into(), Value::Null, &message))
        }
    }
}

pub(crate) fn answer(received: &Received<'_>, number: u64) -> Reply {
    if let Some(refused) = unauthorized(received) {
        return refused;
    }
    let question = match read(&received.body) {
        Ok(question) => question,
        Err(refused) => return refused,
    };
    if let Some(refused) = indisposed(&question.model, number).or_else(|| llama::too_long(&question)) {
        return refused;
    }
    let images = match images::in_chat(&received.body) {
        Ok(images) => images,
        Err(refused) => return refused,
    };
    let talk = match tools::in_chat(&received.body, true) {
        Ok(talk) => talk,
        Err(problem) => {
            return refused(400, "invalid_request_error", Value::Null, "messages".into(), &problem);
        }
    };
    if !talk.offered.is_empty() && temper(&question.model, number) == ModelBehaviour::Dumb {
        let message = format!("{} does not support tools", question.model);
        return refused(400, "invalid_request_error", Value::Null, "tools".into(), &message);
    }
    let search = match web::in_chat(&received.body, &question.model) {
        Ok(search) => search,
        Err(problem) => return refused(400, "invalid_request_error", Value::Null, "tools".into(), &problem),
    };
    let call = tools::next_call(&talk.offered, &talk.results);
    let search = match call.is_none() && question.schema.is_none() {
        true => search,
        false => ChatSearch::None,
    };
    let text = match &call {
        Some(_) => String::new(),
        None => {
            let text = received.say(&question, number);
            let text = images::seen(text, images, question.schema.is_none());
            tools::with_evidence(text, &talk.results, question.schema.is_none())
        }
    };
    let (text, annotations) = match search {
        ChatSearch::None => (text, None),
        ChatSearch::Glm { .. } => (web::marked(&text), None),
        ChatSearch::Always => {
            let (text, citation) = web::linked(&text);
            (text, Some(json!([{ "type": "url_citation", "url_citation": citation }])))
        }
    };
    let pages = match search {
        ChatSearch::Glm { named: true, linked } => Some(web::glm_pages(linked)),
        ChatSearch::Glm { .. } | ChatSearch::None | ChatSearch::Always => None,
    };
    let call = call.map(|call| {
        let function = json!({ "name": call.name, "arguments": call.arguments.to_string() });
        json!({ "index": 0, "id": format!("call_{number}"), "type": "function", "function": function })
    });
    let thoughts = thoughts(&question.model);
    let (read, written) =
        (question.tokens() + 255 * images as u64, tokens(&text) + thoughts.map_or(0, tokens));
    let cut = received.is_cut(&question, written);
    let finish = match (cut, &call) {
        (true, _) => "length",
        (false, Some(_)) => "tool_calls",
        (false, None) => "stop",
    };
    let usage = json!({
        "prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written,
        "prompt_tokens_details": { "cached_tokens": read / 1024 * 1024 },
        "completion_tokens_details": { "reasoning_tokens": thoughts.map_or(0, tokens) },
    });
    let head = |object: &str, choices: Value, usage: Value| {
        json!({ "id": format!("chatcmpl-{number}"), "object": object, "created": 1, "model": question.model,
            "choices": choices, "usage": usage })
    };
    if !question.streamed {
        let mut message = json!({ "role": "assistant", "content": text, "refusal": null });
        if let Some(thoughts) = thoughts {
            message["reasoning_content"] = thoughts.into();
        }
        if let Some(call) = &call {
            message["tool_calls"] = json!([call]);
        }
        if let Some(annotations) = annotations {
            message["annotations"] = annotations;
        }
        let choice = json!([{ "index": 0, "message": message, "logprobs": null, "finish_reason": finish }]);
        let mut whole = head("chat.completion", choice, usage);
        if let Some(pages) = pages {
            whole["web_search"] = pages;
        }
        return Reply::json(200, &whole).with("x-request-id", "req_vendor");
    }
    let event = |delta: Value, finish: Value| {
        let choice = json!([{ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish }]);
        format!("data: {}\n\n", head("chat.completion.chunk", choice, Value::Null))
    };
    let mut events = vec![event(json!({ "role": "assistant", "content": "" }), Value::Null)];
    let think = pieces(thoughts.unwrap_or_default(), 12);
    events.extend(think.iter().map(|piece| event(json!({ "reasoning_content": piece }), Value::Null)));
    events.extend(pieces(&text, 6).iter().map(|piece| event(json!({ "content": piece }), Value::Null)));
    if let Some(mut call) = call {
        // The arguments come in pieces after the name.
        let arguments = call["function"]["arguments"].as_str().unwrap_or_default().to_owned();
        call["function"]["arguments"] = "".into();
        events.push(event(json!({ "tool_calls": [call] }), Value::Null));
        events.extend(pieces(&arguments, 6).iter().map(|piece| {
            event(json!({ "tool_calls": [{ "index": 0, "function": { "arguments": piece } }] }), Value::Null)
        }));
    }
    if let Some(annotations) = annotations {
        events.push(event(json!({ "annotations": annotations }), Value::Null));
    }
    if let Some(pages) = pages {
        let mut chunk = head("chat.completion.chunk", json!([{ "index": 0, "delta": {} }]), Value::Null);
        chunk["web_search"] = pages;
        events.push(format!("data: {chunk}\n\n"));
    }
    events.push(event(json!({}), finish.into()));
    if received.body["stream_options"]["include_usage"] == json!(true) {
        events.push(format!("data: {}\n\n", head("chat.completion.chunk", json!([]), usage)));
    }
    events.push("data: [DONE]\n\n".to_owned());
    Reply::events(events)
}

fn read(body: &Value) -> Result<Question, Reply> {
    let invalid = |param: &str, code: Value, message: &str| {
        Err(refused(400, "invalid_request_error", code, param.into(), message))
    };
    let model = body["model"].as_str().unwrap_or_default().to_owned();
    let thinks = model.starts_with("gpt-5") || model.starts_with('o');
    if thinks && !body["max_tokens"].is_null() {
        let message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use \
                       'max_completion_tokens' instead.";
        return invalid("max_tokens", "unsupported_parameter".into(), message);
    }
    if thinks && body["temperature"].as_f64().is_some_and(|given| given != 1.0) {
        let message = "Unsupported value: 'temperature' does not support this value with this model. Only the \
                       default (1) value is supported.";
        return invalid("temperature", "unsupported_value".into(), message);
    }
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    if messages.is_empty() {
        return invalid("messages", Value::Null, "Invalid 'messages': empty array.");
    }
    let of = |system: bool| {
        let chosen = messages.iter().filter(|message| (message["role"] == "system") == system);
        chosen.map(|message| text_of(&message["content"])).collect::<Vec<_>>().join("\n")
    };
    let format = &body["response_format"];
    let compatible = model.starts_with("deepseek") || model.starts_with("glm");
    match format["type"].as_str() {
        Some("json_schema") if compatible => {
            return invalid("response_format", Value::Null, "This response_format type is unavailable now");
        }
        Some("json_object") if !(of(true) + &of(false)).to_lowercase().contains("json") => {
            let message = "Prompt must contain the word 'json' in some form to use 'response_format' of type \
                           'json_object'.";
            return invalid("response_format", Value::Null, message);
        }
        _ => {}
    }
    let schema = &format["json_schema"]["schema"];
    if format["json_schema"]["strict"] == json!(true)
        && let Some(problem) = not_strict(schema)
    {
        let name = format["json_schema"]["name"].as_str().unwrap_or_default();
        let message = format!("Invalid schema for response_format '{name}': {problem}");
        return invalid("response_format", Value::Null, &message);
    }
    let most = [&body["max_completion_tokens"], &body["max_tokens"]];
    Ok(Question {
        model,
        system: of(true),
        words: of(false),
        schema: (!schema.is_null()).then(|| schema.clone()),
        streamed: body["stream"] == json!(true),
        max_tokens: most.iter().find_map(|most| most.as_u64()).unwrap_or(u64::MAX),
    })
}

/// The reason why a schema cannot be strict, if there is one.
pub(crate) fn not_strict(schema: &Value) -> Option<&'static str> {
    let fields = schema.as_object()?;
    if let Some(properties) = fields.get("properties").and_then(Value::as_object) {
        if fields.get("additionalProperties") != Some(&json!(false)) {
            return Some("'additionalProperties' is required to be supplied and to be false.");
        }
        let required = fields.get("required").and_then(Value::as_array);
        if !properties.keys().all(|name| required.is_some_and(|all| all.iter().any(|one| one == name))) {
            return Some("'required' is required to be supplied and to be an array including every key.");
        }
        if let Some(problem) = properties.values().find_map(not_strict) {
            return Some(problem);
        }
    }
    fields.get("items").and_then(not_strict)
}
