//! Ollama's chat API.

use serde_json::{Value, json};

use crate::http::{Received, Reply};
use crate::images;
use crate::question::{ModelBehaviour, Question, pieces, temper, text_of, thoughts, tokens};
use crate::tools;

const MODELS: [&str; 4] = ["qwen3:8b", "reasoner:8b", "dumb:1b", "down:8b"];

pub(crate) fn models() -> Reply {
    let models: Vec<Value> =
        MODELS.iter().map(|name| json!({ "name": name, "model": name, "size": 5_000_000_000u64 })).collect();
    Reply::json(200, &json!({ "models": models }))
}

pub(crate) fn answer(received: &Received<'_>, number: u64) -> Reply {
    let body = &received.body;
    let refused = |status: u16, message: String| Reply::json(status, &json!({ "error": message }));
    let model = body["model"].as_str().unwrap_or_default();
    if !MODELS.contains(&model) {
        return refused(404, format!("model \"{model}\" not found, try pulling it first"));
    }
    if temper(model, number) == ModelBehaviour::Down {
        return refused(503, "server busy, please try again.  maximum pending requests exceeded".to_owned());
    }
    if body["think"] == json!(true) && !model.starts_with("reasoner") {
        return refused(400, format!("\"{model}\" does not support thinking"));
    }
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of = |system: bool| {
        let chosen = messages.iter().filter(|message| (message["role"] == "system") == system);
        chosen.map(|message| text_of(&message["content"])).collect::<Vec<_>>().join("\n")
    };
    let question = Question {
        model: model.to_owned(),
        system: of(true),
        words: of(false),
        schema: body["format"].is_object().then(|| body["format"].clone()),
        // What is not said is streamed.
        streamed: body["stream"] != json!(false),
        max_tokens: body["options"]["num_predict"].as_u64().unwrap_or(u64::MAX),
    };
    let window = body["options"]["num_ctx"].as_u64().unwrap_or(4096);
    let images = match images::in_ollama(body) {
        Ok(images) => images,
        Err(problem) => return refused(400, problem),
    };
    let talk = match tools::in_chat(body, false) {
        Ok(talk) => talk,
        Err(problem) => return refused(400, problem),
    };
    if !talk.offered.is_empty() && model.starts_with("dumb") {
        return refused(400, format!("registry.ollama.ai/library/{model} does not support tools"));
    }
    let call = tools::next_call(&talk.offered, &talk.results).filter(|_| body["format"].is_null());
    let text = match &call {
        Some(_) => String::new(),
        None => {
            let text = received.say(&question, number);
            let text = images::seen(text, images, question.schema.is_none());
            tools::with_evidence(text, &talk.results, question.schema.is_none())
        }
    };
    let call = call.map(|call| json!({ "function": { "name": call.name, "arguments": call.arguments } }));
    let thoughts = thoughts(model);
    // A prompt that does not fit the window is cut off silently.
    let (read, written) = (question.tokens().min(window), tokens(&text) + thoughts.map_or(0, tokens));
    let reason = if received.is_cut(&question, written) { "length" } else { "stop" };
    let line = |message: Value, done: bool| {
        let mut line = json!({ "model": model, "created_at": "2026-01-01T00:00:00.000000Z",
            "message": message, "done": done });
        if done {
            line["done_reason"] = reason.into();
            line["total_duration"] = 1_000_000u64.into();
            line["prompt_eval_count"] = read.into();
            line["eval_count"] = written.into();
        }
        line
    };
    if !question.streamed {
        let mut message = json!({ "role": "assistant", "content": text });
        if let Some(thoughts) = thoughts {
            message["thinking"] = thoughts.into();
        }
        if let Some(call) = call {
            message["tool_calls"] = json!([call]);
        }
        return Reply::json(200, &line(message, true));
    }
    let said = |name: &str, piece: &str| {
        let mut message = json!({ "role": "assistant", "content": "" });
        message[name] = piece.into();
        format!("{}\n", line(message, false))
    };
    let mut lines: Vec<String> =
        pieces(thoughts.unwrap_or_default(), 12).iter().map(|piece| said("thinking", piece)).collect();
    lines.extend(pieces(&text, 6).iter().map(|piece| said("content", piece)));
    if let Some(call) = call {
        let message = json!({ "role": "assistant", "content": "", "tool_calls": [call] });
        lines.push(format!("{}\n", line(message, false)));
    }
    lines.push(format!("{}\n", line(json!({ "role": "assistant", "content": "" }), true)));
    Reply::Pieces { kind: "application/x-ndjson", pieces: lines }
}
