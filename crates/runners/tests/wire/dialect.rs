//! Sample messages of each wire format, as its vendor writes them, for the tests that cover all formats.

pub mod messages;
pub mod response;

use quorate_contract::FailureKind;
use quorate_runners::WireFormat;
use serde_json::json;

use crate::helpers::{completion, ending, event, piece};
use crate::server::{Step, chunked, json as json_answer, stream_head};

/// One wire format. `streamed` says whether a stream was requested.
pub trait Dialect: Sync {
    fn format(&self) -> WireFormat;

    /// The path of the server's base URL, such as `/v1`.
    fn base_path(&self) -> &'static str;

    /// The request line of a question about the model `qwen3`.
    fn question_line(&self, streamed: bool) -> &'static str;

    /// A complete answer of 20 tokens read and 5 written.
    fn answer(&self, streamed: bool, text: &str) -> Vec<Step>;

    /// The first piece of a stream, after its head: all events up to and including this text.
    fn first_piece(&self, text: &str) -> String;

    /// The events that end a stream properly after `first_piece`.
    fn last_pieces(&self) -> String;

    /// A complete answer that reached the limit of tokens.
    fn cut_by_length(&self, streamed: bool, text: &str) -> Vec<Step>;

    /// The response when the vendor withholds the answer for its content.
    fn withheld(&self, streamed: bool) -> Vec<Step>;

    /// A complete answer without a word in it.
    fn empty(&self, streamed: bool) -> Vec<Step>;

    /// An answer with reasoning that the vendor keeps apart from the text.
    fn reasoned(&self, streamed: bool, reasoning: &str, text: &str) -> Vec<Step>;

    /// Status and body of an error of this kind as the vendor words it; `None` when it has no word for
    /// it.
    fn refusal(&self, kind: FailureKind) -> Option<(u16, String)>;

    /// An error of this kind as an event in the midst of a stream, framed as the format frames events.
    fn error_event(&self, kind: FailureKind) -> Option<String>;

    /// A further piece of a stream that `first_piece` began.
    fn next_piece(&self, text: &str) -> String {
        self.first_piece(text)
    }

    /// A list of these models, in the shapes of all formats at once.
    fn models(&self, names: &[&str]) -> Vec<Step> {
        let data: Vec<_> = names.iter().map(|name| json!({ "id": name, "type": "model" })).collect();
        let models: Vec<_> = names
            .iter()
            .map(|name| json!({ "name": name, "supportedGenerationMethods": ["generateContent"] }))
            .collect();
        json_answer(200, json!({ "object": "list", "data": data, "models": models, "has_more": false }))
    }

    /// The head of a stream whose end is the end of the connection.
    fn stream_head(&self) -> Step {
        stream_head()
    }
}

/// All formats.
pub fn dialects() -> Vec<&'static dyn Dialect> {
    vec![
        &ChatCompletions,
        &messages::Messages,
        &response::Responses,
        &crate::gemini::GenerateContent,
        &crate::ollama::Chat,
    ]
}

/// OpenAI's Chat Completions API.
pub struct ChatCompletions;

impl ChatCompletions {
    fn said(streamed: bool, message: serde_json::Value, finish: &str) -> Vec<Step> {
        let usage = json!({ "prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25 });
        match streamed {
            true => {
                let usage = format!("data: {}\n\n", json!({ "choices": [], "usage": usage }));
                let events = [event(message, None), event(json!({}), Some(finish)), usage];
                chunked(events.into_iter().chain(["data: [DONE]\n\n".to_owned()]))
            }
            false => {
                let choice = json!({ "index": 0, "message": message, "finish_reason": finish });
                json_answer(200, json!({ "choices": [choice], "usage": usage }))
            }
        }
    }
}

impl Dialect for ChatCompletions {
    fn format(&self) -> WireFormat {
        WireFormat::Openai
    }
    fn base_path(&self) -> &'static str {
        "/v1"
    }
    fn question_line(&self, _: bool) -> &'static str {
        "POST /v1/chat/completions"
    }
    fn answer(&self, streamed: bool, text: &str) -> Vec<Step> {
        match streamed {
            true => chunked([piece(text), ending()]),
            false => json_answer(200, completion(text)),
        }
    }
    fn first_piece(&self, text: &str) -> String {
        piece(text)
    }
    fn last_pieces(&self) -> String {
        ending()
    }
    fn cut_by_length(&self, streamed: bool, text: &str) -> Vec<Step> {
        Self::said(streamed, json!({ "content": text }), "length")
    }
    fn withheld(&self, streamed: bool) -> Vec<Step> {
        Self::said(streamed, json!({ "content": null }), "content_filter")
    }
    fn empty(&self, streamed: bool) -> Vec<Step> {
        Self::said(streamed, json!({ "content": "" }), "stop")
    }
    fn reasoned(&self, streamed: bool, reasoning: &str, text: &str) -> Vec<Step> {
        Self::said(streamed, json!({ "reasoning_content": reasoning, "content": text }), "stop")
    }
    fn refusal(&self, kind: FailureKind) -> Option<(u16, String)> {
        let (status, kind, code, message) = match kind {
            FailureKind::Authentication => {
                (401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided: sk-***.")
            }
            FailureKind::RateLimit => {
                (429, "requests", "rate_limit_exceeded", "Rate limit reached for qwen3")
            }
            FailureKind::Quota => {
                (429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota")
            }
            FailureKind::Overloaded => (503, "server_error", "", "The server is overloaded"),
            FailureKind::ContextTooLong => (
                400,
                "invalid_request_error",
                "context_length_exceeded",
                "This model's maximum context length is 8192 tokens.",
            ),
            FailureKind::ContentRefused => {
                (400, "invalid_request_error", "content_policy_violation", "Your request was rejected")
            }
            FailureKind::ModelUnknown => (
                404,
                "invalid_request_error",
                "model_not_found",
                "The model `qwen3` does not exist or you do not have access to it.",
            ),
            FailureKind::BadRequest => (400, "invalid_request_error", "", "messages must not be empty"),
            _ => return None,
        };
        let error = json!({ "message": message, "type": kind, "param": null, "code": code });
        Some((status, json!({ "error": error }).to_string()))
    }
    fn error_event(&self, kind: FailureKind) -> Option<String> {
        let (_, body) = self.refusal(kind)?;
        Some(format!("data: {body}\n\n"))
    }
}
