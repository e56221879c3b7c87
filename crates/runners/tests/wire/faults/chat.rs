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
        fault("a byte order mark before the answer", Whole, ok, 1, |_| {
            let body = format!("\u{feff}{}", completion(TEXT));
            vec![status(200, &[("content-type", "application/json")], &body)]
        }),
        fault("an event over several data lines", Stream, ok, 1, |_| {
            let chunk = json!({ "choices": [{ "index": 0, "delta": { "content": TEXT } }] });
            let lines = serde_json::to_string_pretty(&chunk).expect("JSON").replace('\n', "\ndata: ");
            vec![stream([format!("data: {lines}\n\n"), event(json!({}), Some("stop"))])]
        }),
        fault("a character in two pieces", Stream, End::Says("Use 🐘."), 1, |_| {
            let pieces = ["Use \\ud83d", "\\udc18."]
                .map(|text| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n"));
            vec![stream([pieces.concat(), event(json!({}), Some("stop"))])]
        }),
        fault("half of a character", Whole, End::Says("Use \u{fffd}."), 1, |_| {
            let body = completion("Use @.").to_string().replace('@', "\\ud83d");
            vec![status(200, &[("content-type", "application/json")], &body)]
        }),
        fault("an alternative that was not asked for", Both, ok, 1, |s| {
            let choice = |index: u32, text: &str| {
                let said = json!({ "content": text });
                json!({ "index": index, "delta": said, "message": said, "finish_reason": null })
            };
            let both = |first: &str, second: &str| json!([choice(0, first), choice(1, second)]);
            vec![match s {
                true => {
                    let [one, two, three] =
                        [both("Use ", "Never"), json!([choice(1, " mind")]), both("SQLite.", ".")].map(
                            |choices| {
                                let delta_only = choices.to_string().replace("\"message\"", "\"x\"");
                                format!("data: {{\"choices\":{delta_only}}}\n\n")
                            },
                        );
                    stream([one, two, three, event(json!({}), Some("stop"))])
                }
                false => {
                    let mut choices = both(TEXT, "Never mind.");
                    for choice in choices.as_array_mut().into_iter().flatten() {
                        choice["finish_reason"] = json!("stop");
                        choice["delta"].take();
                    }
                    json_answer(200, json!({ "choices": choices }))
                }
            }]
        }),
        fault("the whole answer once more at its end", Stream, End::Says("Use SQLite, for now."), 1, |_| {
            let whole = "Use SQLite, for now.";
            let mut last = serde_json::json!({ "choices": [{ "index": 0, "finish_reason": "stop" }] });
            last["choices"][0]["message"] = json!({ "content": whole });
            vec![stream([piece("Use SQLite, "), piece("for now."), format!("data: {last}\n\n")])]
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
