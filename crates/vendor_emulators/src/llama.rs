//! llama-server, as strict as llama.cpp's own: a small context that refuses longer prompts and says how long
//! they were, items of the responses that must name their type, and connections that are closed after a
//! stream although the head of the answer promised to keep them.
//!
//! The name of its models says how many tokens they take: `llama-2048-tiny`.

use serde_json::{Value, json};

use crate::http::{Received, Reply};
use crate::question::Question;

/// The context window of a model, prompt and answer together; `None` for another server's.
pub(crate) fn context_of(model: &str) -> Option<u64> {
    model.strip_prefix("llama-")?.split_once('-')?.0.parse().ok()
}

/// Refuses a prompt that does not fit.
pub(crate) fn too_long(question: &Question) -> Option<Reply> {
    let (context, tokens) = (context_of(&question.model)?, question.tokens());
    let message = format!(
        "request ({tokens} tokens) exceeds the available context size ({context} tokens), try increasing it"
    );
    let error = json!({ "code": 400, "message": message, "type": "exceed_context_size_error",
        "n_prompt_tokens": tokens, "n_ctx": context });
    (tokens >= context).then(|| Reply::json(400, &json!({ "error": error })))
}

/// Refuses items of the responses' input that do not say what they are.
pub(crate) fn untyped(body: &Value) -> Option<Reply> {
    context_of(body["model"].as_str()?)?;
    let untyped = |item: &Value| item["type"].is_null() && item["role"] == "assistant";
    let refused = body["input"].as_array()?.iter().any(untyped);
    let error =
        json!({ "code": 400, "message": "Cannot determine type of 'item'", "type": "invalid_request_error" });
    refused.then(|| Reply::json(400, &json!({ "error": error })))
}

/// The entry of a model in the list.
pub(crate) fn listed(model: &str) -> Option<Value> {
    let context = context_of(model)?;
    Some(json!({ "id": model, "object": "model", "created": 1, "owned_by": "llamacpp",
        "meta": { "vocab_type": 2, "n_vocab": 1181, "n_ctx": context, "n_ctx_train": context * 2 } }))
}

/// Whether the connection is closed after the answer.
pub(crate) fn closes(received: &Received<'_>) -> bool {
    let model = received.body["model"].as_str().unwrap_or_default();
    context_of(model).is_some() && received.body["stream"] == json!(true)
}
