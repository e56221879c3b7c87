//! Anthropic's messages as the vendor writes them.

use quorate_contract::FailureKind;
use quorate_runners::WireFormat;
use serde_json::{Value, json};

use super::Dialect;
use crate::server::{Step, chunked, json as json_answer};

/// Anthropic's Messages API.
pub struct Messages;

/// One event of a stream, named twice as the vendor does.
pub fn frame(event: Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
}

/// A complete answer of these blocks.
pub fn said(streamed: bool, content: Value, reason: &str, usage: Value) -> Vec<Step> {
    if !streamed {
        return json_answer(
            200,
            json!({
                "id": "msg_01", "type": "message", "role": "assistant", "model": "qwen3",
                "content": content, "stop_reason": reason, "stop_sequence": null, "usage": usage,
            }),
        );
    }
    let mut events = vec![start(&usage)];
    for (index, block) in content.as_array().into_iter().flatten().enumerate() {
        let kind = block["type"].as_str().unwrap_or_default();
        let (empty, delta) = match kind {
            "thinking" => (json!({ "type": kind, "thinking": "", "signature": "" }), "thinking"),
            _ => (json!({ "type": kind, "text": "" }), "text"),
        };
        let delta = json!({ "type": format!("{delta}_delta"), delta: block[delta] });
        events.push(frame(json!({ "type": "content_block_start", "index": index, "content_block": empty })));
        events.push(frame(json!({ "type": "content_block_delta", "index": index, "delta": delta })));
        events.push(frame(json!({ "type": "content_block_stop", "index": index })));
    }
    events.push(end(reason, &usage));
    chunked(events)
}

fn start(usage: &Value) -> String {
    let message = json!({
        "id": "msg_01", "type": "message", "role": "assistant", "model": "qwen3", "content": [],
        "stop_reason": null, "stop_sequence": null,
        "usage": { "input_tokens": usage["input_tokens"], "output_tokens": 1 },
    });
    frame(json!({ "type": "message_start", "message": message }))
}

fn end(reason: &str, usage: &Value) -> String {
    let delta = json!({ "stop_reason": reason, "stop_sequence": null });
    let usage = json!({ "output_tokens": usage["output_tokens"] });
    let delta = frame(json!({ "type": "message_delta", "delta": delta, "usage": usage }));
    format!("{delta}{}", frame(json!({ "type": "message_stop" })))
}

fn usage() -> Value {
    json!({ "input_tokens": 20, "output_tokens": 5 })
}

fn words(text: &str) -> Value {
    json!([{ "type": "text", "text": text }])
}

impl Dialect for Messages {
    fn format(&self) -> WireFormat {
        WireFormat::Anthropic
    }
    fn base_path(&self) -> &'static str {
        "/v1"
    }
    fn question_line(&self, _: bool) -> &'static str {
        "POST /v1/messages"
    }
    fn answer(&self, streamed: bool, text: &str) -> Vec<Step> {
        said(streamed, words(text), "end_turn", usage())
    }
    fn first_piece(&self, text: &str) -> String {
        let block = json!({ "type": "content_block_start", "index": 0,
            "content_block": { "type": "text", "text": "" } });
        let delta = json!({ "type": "content_block_delta", "index": 0,
            "delta": { "type": "text_delta", "text": text } });
        [start(&usage()), frame(block), frame(json!({ "type": "ping" })), frame(delta)].concat()
    }
    fn last_pieces(&self) -> String {
        let stop = frame(json!({ "type": "content_block_stop", "index": 0 }));
        format!("{stop}{}", end("end_turn", &usage()))
    }
    fn cut_by_length(&self, streamed: bool, text: &str) -> Vec<Step> {
        said(streamed, words(text), "max_tokens", usage())
    }
    fn withheld(&self, streamed: bool) -> Vec<Step> {
        said(streamed, json!([]), "refusal", usage())
    }
    fn empty(&self, streamed: bool) -> Vec<Step> {
        said(streamed, json!([]), "end_turn", usage())
    }
    fn reasoned(&self, streamed: bool, reasoning: &str, text: &str) -> Vec<Step> {
        let thinking = json!({ "type": "thinking", "thinking": reasoning, "signature": "Es==" });
        let content = json!([thinking, { "type": "text", "text": text }]);
        said(streamed, content, "end_turn", usage())
    }
    fn refusal(&self, kind: FailureKind) -> Option<(u16, String)> {
        let (status, kind, message) = match kind {
            FailureKind::Authentication => (401, "authentication_error", "invalid x-api-key"),
            FailureKind::RateLimit => (429, "rate_limit_error", "This request would exceed your rate limit"),
            FailureKind::Quota => (
                400,
                "invalid_request_error",
                "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.",
            ),
            FailureKind::Overloaded => (529, "overloaded_error", "Overloaded"),
            FailureKind::ContextTooLong => {
                (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")
            }
            FailureKind::ModelUnknown => (404, "not_found_error", "model: qwen3"),
            FailureKind::BadRequest => {
                (400, "invalid_request_error", "messages: at least one message is required")
            }
            _ => return None,
        };
        let error = json!({ "type": kind, "message": message });
        Some((status, json!({ "type": "error", "error": error, "request_id": "req_011CQ" }).to_string()))
    }
    fn error_event(&self, kind: FailureKind) -> Option<String> {
        let (_, body) = self.refusal(kind)?;
        Some(format!("event: error\ndata: {body}\n\n"))
    }
}
