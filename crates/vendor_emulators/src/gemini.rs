//! Google's generateContent.

use serde_json::{Value, json};

use crate::http::{Received, Reply};
use crate::images;
use crate::question::{ModelBehaviour, Question, pieces, temper, thoughts, tokens};
use crate::{tools, web};

const MODELS: [&str; 5] = ["gemini-flash", "reasoner-gemini", "busy-gemini", "down-gemini", "offline-gemini"];

/// The accepted generation settings.
const SETTINGS: [&str; 9] = [
    "temperature",
    "topP",
    "topK",
    "maxOutputTokens",
    "stopSequences",
    "responseMimeType",
    "responseSchema",
    "responseJsonSchema",
    "thinkingConfig",
];

pub(crate) fn models(received: &Received<'_>) -> Reply {
    if let Some(refused) = unauthorized(received) {
        return refused;
    }
    let second = received.path.contains("pageToken=second");
    let names: &[&str] = if second { &MODELS[2..] } else { &MODELS[..2] };
    let mut models: Vec<Value> = names
        .iter()
        .map(|name| {
            json!({ "name": format!("models/{name}"), "inputTokenLimit": 1_048_576,
                "supportedGenerationMethods": ["generateContent", "countTokens"] })
        })
        .collect();
    if second {
        let embeds = ["embedContent"];
        models.push(json!({ "name": "models/embedding-001", "supportedGenerationMethods": embeds }));
    }
    let mut list = json!({ "models": models });
    if !second {
        list["nextPageToken"] = "second".into();
    }
    Reply::json(200, &list)
}

fn refused(code: u16, status: &str, message: &str, details: Value) -> Reply {
    let error = json!({ "code": code, "message": message, "status": status, "details": details });
    Reply::json(code, &json!({ "error": error }))
}

fn unauthorized(received: &Received<'_>) -> Option<Reply> {
    match received.header("x-goog-api-key") {
        Some(crate::KEY) => None,
        Some(_) => {
            let why =
                json!([{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID" }]);
            let message = "API key not valid. Please pass a valid API key.";
            Some(refused(400, "INVALID_ARGUMENT", message, why))
        }
        None => {
            let message = "Method doesn't allow unregistered callers.";
            Some(refused(403, "PERMISSION_DENIED", message, json!([])))
        }
    }
}

/// The model and the method in a path, under either version of the API.
pub(crate) fn model_of(path: &str) -> Option<(&str, &str)> {
    let rest = path.strip_prefix("/v1beta/models/").or_else(|| path.strip_prefix("/v1/models/"))?;
    rest.split_once(':')
}

pub(crate) fn answer(received: &Received<'_>, number: u64) -> Reply {
    if let Some(refused) = unauthorized(received) {
        return refused;
    }
    let (path, query) = received.path.split_once('?').unwrap_or((&received.path, ""));
    let Some((model, method)) = model_of(path) else {
        return refused(404, "NOT_FOUND", "Requested entity was not found.", json!([]));
    };
    let streamed = method == "streamGenerateContent";
    let question = match read(&received.body, model, streamed) {
        Ok(question) => question,
        Err(problem) => return refused(400, "INVALID_ARGUMENT", &problem, json!([])),
    };
    match temper(model, number) {
        ModelBehaviour::Busy => {
            let wait =
                json!([{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.05s" }]);
            let message = "Resource has been exhausted (e.g. check quota).";
            return refused(429, "RESOURCE_EXHAUSTED", message, wait);
        }
        ModelBehaviour::Down => return refused(503, "UNAVAILABLE", "The model is overloaded.", json!([])),
        ModelBehaviour::Sound | ModelBehaviour::Dumb if MODELS.contains(&model) => {}
        ModelBehaviour::Sound | ModelBehaviour::Dumb => {
            let message = format!("models/{model} is not found for API version v1beta");
            return refused(404, "NOT_FOUND", &message, json!([]));
        }
    }
    let images = match images::in_contents(&received.body, model) {
        Ok(images) => images,
        Err(problem) => return refused(400, "INVALID_ARGUMENT", &problem, json!([])),
    };
    let talk = match tools::in_contents(&received.body, model) {
        Ok(talk) => talk,
        Err(problem) => return refused(400, "INVALID_ARGUMENT", &problem, json!([])),
    };
    let searches = match web::in_contents(&received.body, model) {
        Ok(offers) => offers && question.schema.is_none(),
        Err(problem) => return refused(400, "INVALID_ARGUMENT", &problem, json!([])),
    };
    let call = tools::next_call(&talk.offered, &talk.results);
    let text = match &call {
        Some(_) => String::new(),
        None => {
            let text = received.say(&question, number);
            let text = images::seen(text, images, question.schema.is_none());
            tools::with_evidence(text, &talk.results, question.schema.is_none())
        }
    };
    let text = match searches {
        true => {
            let (before, after) = web::around_cited(&text);
            format!("{before}{}{after}", web::CITED)
        }
        false => text,
    };
    let call = call.map(|call| {
        let function = json!({ "name": call.name, "args": call.arguments });
        json!({ "functionCall": function, "thoughtSignature": format!("c2lnbmVk{number}") })
    });
    let thoughts = thoughts(model);
    let (read, written, thought) = (question.tokens(), tokens(&text), thoughts.map_or(0, tokens));
    let cut = received.is_cut(&question, written + thought);
    let finish = if cut { "MAX_TOKENS" } else { "STOP" };
    let usage = json!({ "promptTokenCount": read, "candidatesTokenCount": written,
        "thoughtsTokenCount": thought, "cachedContentTokenCount": read / 2048 * 2048,
        "totalTokenCount": read + written + thought });
    let chunk = |parts: Value, finish: Value| {
        let mut candidate = json!({ "content": { "role": "model", "parts": parts }, "index": 0 });
        if !finish.is_null() {
            candidate["finishReason"] = finish;
            if searches {
                candidate["groundingMetadata"] = web::grounding(&text);
            }
        }
        json!({ "candidates": [candidate], "usageMetadata": usage, "modelVersion": model,
            "responseId": format!("response-{number}") })
    };
    let thought = thoughts.map(|text| json!({ "text": text, "thought": true }));
    if !streamed {
        let said = call.unwrap_or_else(|| json!({ "text": text }));
        let parts: Vec<Value> = thought.into_iter().chain([said]).collect();
        return Reply::json(200, &chunk(parts.into(), finish.into()));
    }
    let mut chunks: Vec<Value> = thought.into_iter().map(|part| chunk(json!([part]), Value::Null)).collect();
    let mut said = pieces(&text, 24);
    let last = said.pop().unwrap_or_default();
    chunks.extend(said.iter().map(|piece| chunk(json!([{ "text": piece }]), Value::Null)));
    let last = call.unwrap_or_else(|| json!({ "text": last }));
    chunks.push(chunk(json!([last]), finish.into()));
    match query.contains("alt=sse") {
        true => Reply::events(chunks.iter().map(|chunk| format!("data: {chunk}\r\n\r\n")).collect()),
        // Without it, the stream is one array of JSON.
        false => Reply::json(200, &chunks.into()),
    }
}

fn read(body: &Value, model: &str, streamed: bool) -> Result<Question, String> {
    let unknown =
        |name: &str| format!("Invalid JSON payload received. Unknown name \"{name}\": Cannot find field.");
    let known =
        ["contents", "systemInstruction", "generationConfig", "safetySettings", "tools", "toolConfig"];
    if let Some(name) = body
        .as_object()
        .into_iter()
        .flat_map(|fields| fields.keys())
        .find(|name| !known.contains(&name.as_str()))
    {
        return Err(unknown(name));
    }
    let settings = &body["generationConfig"];
    if let Some(name) = settings
        .as_object()
        .into_iter()
        .flat_map(|fields| fields.keys())
        .find(|name| !SETTINGS.contains(&name.as_str()))
    {
        return Err(unknown(&format!("{name}\" at 'generation_config")));
    }
    if settings["responseSchema"].to_string().contains("\"additionalProperties\"") {
        return Err(unknown("additionalProperties\" at 'generation_config.response_schema"));
    }
    let contents = body["contents"].as_array().map(Vec::as_slice).unwrap_or_default();
    if contents.is_empty() {
        return Err("* GenerateContentRequest.contents: contents is not specified".to_owned());
    }
    if contents.iter().any(|content| !matches!(content["role"].as_str(), Some("user" | "model"))) {
        return Err("Please use a valid role: user, model.".to_owned());
    }
    let text_of = |content: &Value| {
        let parts = content["parts"].as_array().into_iter().flatten();
        parts.map(|part| part["text"].as_str().unwrap_or_default()).collect::<Vec<_>>().join("\n")
    };
    let schema = [&settings["responseJsonSchema"], &settings["responseSchema"]];
    let schema = schema.into_iter().find(|schema| !schema.is_null());
    if schema.is_some() && settings["responseMimeType"] != "application/json" {
        return Err("Response schema is only supported with application/json.".to_owned());
    }
    Ok(Question {
        model: model.to_owned(),
        system: text_of(&body["systemInstruction"]),
        words: contents.iter().map(text_of).collect::<Vec<_>>().join("\n"),
        schema: schema.cloned(),
        streamed,
        max_tokens: settings["maxOutputTokens"].as_u64().unwrap_or(u64::MAX),
    })
}
