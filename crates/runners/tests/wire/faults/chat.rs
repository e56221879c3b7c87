//! Faults of the format that most servers speak, each in its own way.

use quorate_contract::FailureKind;
use serde_json::json;

use super::{End, Fault, Place, TEXT, Ways};
use crate::dialect::Dialect;
use crate::helpers::*;
use crate::server::{Step, chunked, json as json_answer, status, stream, stream_head};

fn fault(
    name: &'static str,
    ways: Ways,
    end: End,
    requests: usize,
    script: impl Fn(bool) -> Vec<Vec<Step>> + 'static,
) -> Fault {
    let script = Box::new(move |_: &dyn Dialect, s: bool, _: &str| Some(script(s)));
    Fault { name, ways, place: Place::Server, script, end, requests }
}

fn fine(streamed: bool) -> Vec<Step> {
    good(streamed, TEXT)
}

/// An answer whose message is this.
fn message(streamed: bool, message: serde_json::Value, finish: &str) -> Vec<Step> {
    match streamed {
        true => chunked([event(message, Some(finish)), "data: [DONE]\n\n".to_owned()]),
        false => json_answer(200, json!({ "choices": [{ "message": message, "finish_reason": finish }] })),
    }
}

pub(super) fn all() -> Vec<Fault> {
    use End::Fails;
    use FailureKind::*;
    use Ways::{Both, Stream, Whole};
    let ok = End::Says(TEXT);
    vec![
        fault("garbage for ever", Both, Fails(Malformed), 2, |s| {
            let garbage = match s {
                true => stream(["data: nonsense\n\n"]),
                false => status(200, &[("content-type", "application/json")], "nonsense"),
            };
            vec![garbage; 9]
        }),
        fault("usage from another world", Both, ok, 1, |s| {
            let mut body = completion(TEXT);
            body["usage"] = json!({ "prompt_tokens": -1, "completion_tokens": "many" });
            let usage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":-9}}\n\n".to_owned();
            match s {
                true => vec![stream([piece(TEXT), event(json!({}), Some("stop")), usage])],
                false => vec![json_answer(200, body)],
            }
        }),
        fault("no [DONE]", Stream, ok, 1, |_| vec![stream([piece(TEXT), event(json!({}), Some("stop"))])]),
        fault("reset after the last word", Stream, ok, 1, |_| {
            let head = chunked([piece(TEXT), event(json!({}), Some("stop"))]);
            let but_end = head.len() - 1;
            vec![head.into_iter().take(but_end).chain([Step::Close]).collect()]
        }),
        fault("open after the last word", Stream, ok, 1, |_| {
            let end = event(json!({}), Some("stop"));
            vec![vec![stream_head(), Step::Bytes((piece(TEXT) + &end).into()), Step::Hang]]
        }),
        fault("64 MB body", Whole, Fails(Malformed), 1, |_| {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";
            vec![vec![Step::Bytes(head.into()), Step::Flood(64 << 20)]]
        }),
        fault("64 MB error", Both, Fails(Authentication), 1, |_| {
            vec![vec![Step::Bytes(b"HTTP/1.1 401 No\r\n\r\n".into()), Step::Flood(64 << 20)]]
        }),
        fault("6 MB answer in small pieces", Stream, Fails(Malformed), 1, |_| {
            let pieces = std::iter::repeat_with(|| piece(&"word ".repeat(2_000)));
            vec![stream(pieces.take(630))]
        }),
        fault("plain JSON on a stream", Stream, ok, 1, |_| vec![fine(false)]),
        fault("plain JSON without a type", Stream, ok, 1, |_| {
            vec![status(200, &[], &completion(TEXT).to_string())]
        }),
        fault("null content", Both, Fails(Empty), 2, |s| {
            vec![message(s, json!({ "content": null }), "stop"); 9]
        }),
        fault("content in parts", Both, ok, 1, |s| {
            let parts = json!([{ "type": "text", "text": "Use " }, { "text": "SQLite." }]);
            vec![message(s, json!({ "content": parts }), "stop")]
        }),
        fault("a tool instead of an answer", Both, Fails(Empty), 2, |s| {
            let call = json!([{ "id": "1", "type": "function", "function": { "name": "f" } }]);
            vec![message(s, json!({ "content": null, "tool_calls": call }), "tool_calls"); 9]
        }),
        fault("error under 200, then fine", Both, ok, 2, |s| {
            let error = json!({ "error": { "message": "engine overloaded", "code": 503 } });
            let error = match s {
                true => stream([format!("data: {error}\n\n")]),
                false => json_answer(200, error),
            };
            vec![error, fine(s)]
        }),
        fault("content filter", Both, Fails(ContentRefused), 1, |s| {
            vec![message(s, json!({ "content": "" }), "content_filter")]
        }),
        fault("broken off by the provider", Both, ok, 2, |s| {
            let broken = message(s, json!({ "content": "Use" }), "insufficient_system_resource");
            vec![broken, fine(s)]
        }),
    ]
}
