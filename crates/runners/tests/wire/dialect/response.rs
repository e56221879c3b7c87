//! OpenAI's responses as the vendor writes them.

use quorate_contract::FailureKind;
use quorate_runners::WireFormat;
use serde_json::{Value, json};

use super::{ChatCompletions, Dialect};
use crate::server::{Step, chunked, json as json_answer};

/// OpenAI's Responses API.
pub struct Responses;

/// One event of a stream, named twice as the vendor does.
pub fn frame(event: Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
}

/// A response that stands at `status`, for the reason that an incomplete one has.
pub fn response(status: &str, reason: Option<&str>, output: Value) -> Value {
    let usage = json!({
        "input_tokens": 20, "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": 5, "output_tokens_details": { "reasoning_tokens": 0 },
        "total_tokens": 25,
    });
    json!({
        "id": "resp_01", "object": "response", "created_at": 1, "status": status, "error": null,
        "incomplete_details": reason.map(|reason| json!({ "reason": reason })),
        "instructions": "You are Ada.", "max_output_tokens": 300, "model": "qwen3", "output": output,
        "parallel_tool_calls": true, "previous_response_id": null,
        "reasoning": { "effort": null, "summary": null }, "store": false, "temperature": 1.0,
        "text": { "format": { "type": "text" } }, "tool_choice": "auto", "tools": [], "top_p": 1.0,
        "truncation": "disabled", "usage": if status == "in_progress" { Value::Null } else { usage },
        "user": null, "metadata": {},
    })
}

/// A message of one text.
pub fn message(text: &str) -> Value {
    let content = json!([{ "type": "output_text", "text": text, "annotations": [], "logprobs": [] }]);
    json!({ "id": "msg_01", "type": "message", "status": "completed", "role": "assistant", "content": content })
}

/// A summary of what was thought.
pub fn reasoning(text: &str) -> Value {
    json!({ "id": "rs_01", "type": "reasoning", "summary": [{ "type": "summary_text", "text": text }] })
}

/// The events before the first piece.
pub fn beginning() -> String {
    let begun = response("in_progress", None, json!([]));
    let created = json!({ "type": "response.created", "sequence_number": 0, "response": begun });
    let in_progress = json!({ "type": "response.in_progress", "sequence_number": 1, "response": begun });
    format!("{}{}", frame(created), frame(in_progress))
}

/// The events of a message up to and including this text.
fn piece(text: &str) -> String {
    let item = json!({ "id": "msg_01", "type": "message", "status": "in_progress", "role": "assistant",
        "content": [] });
    let part = json!({ "type": "output_text", "text": "", "annotations": [], "logprobs": [] });
    [
        json!({ "type": "response.output_item.added", "sequence_number": 2, "output_index": 0, "item": item }),
        json!({ "type": "response.content_part.added", "sequence_number": 3, "item_id": "msg_01",
            "output_index": 0, "content_index": 0, "part": part }),
        json!({ "type": "response.output_text.delta", "sequence_number": 4, "item_id": "msg_01",
            "output_index": 0, "content_index": 0, "delta": text, "logprobs": [], "obfuscation": "xyz" }),
    ]
    .map(frame)
    .concat()
}

/// The event with which a stream ends; it repeats the whole response.
pub fn end(status: &str, reason: Option<&str>, output: Value) -> String {
    let response = response(status, reason, output);
    let kind = format!("response.{status}");
    frame(json!({ "type": kind, "sequence_number": 9, "response": response }))
}

fn said(streamed: bool, status: &str, reason: Option<&str>, text: &str) -> Vec<Step> {
    let output = if text.is_empty() { json!([]) } else { json!([message(text)]) };
    match streamed {
        true if text.is_empty() => chunked([beginning(), end(status, reason, output)]),
        true => chunked([beginning(), piece(text), end(status, reason, output)]),
        false => json_answer(200, response(status, reason, output)),
    }
}

impl Dialect for Responses {
    fn format(&self) -> WireFormat {
        WireFormat::Responses
    }
    fn base_path(&self) -> &'static str {
        "/v1"
    }
    fn question_line(&self, _: bool) -> &'static str {
        "POST /v1/responses"
    }
    fn answer(&self, streamed: bool, text: &str) -> Vec<Step> {
        said(streamed, "completed", None, text)
    }
    fn first_piece(&self, text: &str) -> String {
        format!("{}{}", beginning(), piece(text))
    }
    fn last_pieces(&self) -> String {
        let output = json!([message("All of it once more, which nobody reads.")]);
        let done = json!({ "type": "response.output_text.done", "sequence_number": 5, "item_id": "msg_01",
            "output_index": 0, "content_index": 0, "text": "All of it once more, which nobody reads." });
        format!("{}{}", frame(done), end("completed", None, output))
    }
    fn cut_by_length(&self, streamed: bool, text: &str) -> Vec<Step> {
        said(streamed, "incomplete", Some("max_output_tokens"), text)
    }
    fn withheld(&self, streamed: bool) -> Vec<Step> {
        said(streamed, "incomplete", Some("content_filter"), "")
    }
    fn empty(&self, streamed: bool) -> Vec<Step> {
        said(streamed, "completed", None, "")
    }
    fn reasoned(&self, streamed: bool, thought: &str, text: &str) -> Vec<Step> {
        let output = json!([reasoning(thought), message(text)]);
        if !streamed {
            return json_answer(200, response("completed", None, output));
        }
        let delta = json!({ "type": "response.reasoning_summary_text.delta", "sequence_number": 2,
            "item_id": "rs_01", "output_index": 0, "summary_index": 0, "delta": thought });
        chunked([beginning(), frame(delta), piece(text), end("completed", None, output)])
    }
    fn refusal(&self, kind: FailureKind) -> Option<(u16, String)> {
        ChatCompletions.refusal(kind)
    }
    fn error_event(&self, kind: FailureKind) -> Option<String> {
        let (_, body) = self.refusal(kind)?;
        let body: Value = serde_json::from_str(&body).ok()?;
        let event = json!({ "type": "error", "sequence_number": 5, "error": body["error"] });
        Some(frame(event))
    }
}
