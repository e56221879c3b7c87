//! Every fault of the wire that is known, with and without a stream, in one table.
//!
//! `cargo nextest run -p quorate-runners --no-capture every_fault` prints it.

use futures::future::join_all;
use quorate_core::{FailureKind, Outcome};
use quorate_runners::ModelRunner;
use serde_json::json;

use crate::asking::*;
use crate::server::{Server, Step, chunked, json as json_answer, status, stream, stream_head};

/// In which of the two ways a fault can happen.
#[derive(Clone, Copy, PartialEq)]
enum Ways {
    Both,
    Stream,
    Whole,
}

/// How it has to end.
#[derive(Clone, Copy, PartialEq, Debug)]
enum End {
    /// With the good answer.
    Fine,
    Fails(FailureKind),
}

struct Fault {
    name: &'static str,
    ways: Ways,
    /// What the server does; it is asked for a stream or not.
    script: Box<dyn Fn(bool) -> Vec<Vec<Step>>>,
    end: End,
    /// How many requests are made.
    requests: usize,
}

fn fault(
    name: &'static str,
    ways: Ways,
    end: End,
    requests: usize,
    script: impl Fn(bool) -> Vec<Vec<Step>> + 'static,
) -> Fault {
    Fault { name, ways, script: Box::new(script), end, requests }
}

const TEXT: &str = "Use SQLite.";

fn fine(streamed: bool) -> Vec<Step> {
    good(streamed, TEXT)
}

/// The beginning of an answer in either way, and then something else.
fn begun(streamed: bool, then: Vec<Step>) -> Vec<Step> {
    let beginning = match streamed {
        true => vec![stream_head(), Step::Bytes(piece("Use").into_bytes())],
        false => {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\
                        content-length: 500\r\n\r\n{\"choices\":[";
            vec![Step::Bytes(head.into())]
        }
    };
    beginning.into_iter().chain(then).collect()
}

/// An answer whose message is this.
fn message(streamed: bool, message: serde_json::Value, finish: &str) -> Vec<Step> {
    match streamed {
        true => chunked([event(message, Some(finish)), "data: [DONE]\n\n".to_owned()]),
        false => json_answer(200, json!({ "choices": [{ "message": message, "finish_reason": finish }] })),
    }
}

fn all_faults() -> Vec<Fault> {
    use End::{Fails, Fine};
    use FailureKind::*;
    use Ways::{Both, Stream, Whole};
    let page = "<!doctype html><html><body>Bad gateway</body></html>";
    let html = move || status(502, &[("content-type", "text/html")], page);
    let slow_down = || status(429, &[("retry-after", "0")], "");
    vec![
        fault("no fault", Both, Fine, 1, |s| vec![fine(s)]),
        fault("429, then fine", Both, Fine, 2, move |s| vec![slow_down(), fine(s)]),
        fault("429 for ever", Both, Fails(RateLimit), 4, move |_| vec![slow_down(); 9]),
        fault("500, then fine", Both, Fine, 2, |s| vec![status(500, &[], ""), fine(s)]),
        fault("503, 529, 500, then fine", Both, Fine, 4, |s| {
            vec![status(503, &[], ""), status(529, &[], ""), status(500, &[], ""), fine(s)]
        }),
        fault("HTML 502 for ever", Both, Fails(Overloaded), 4, move |_| vec![html(); 9]),
        fault("401", Both, Fails(Authentication), 1, |s| vec![status(401, &[], ""), fine(s)]),
        fault("402", Both, Fails(Quota), 1, |s| vec![status(402, &[], ""), fine(s)]),
        fault("redirection", Both, Fails(BadRequest), 1, |s| {
            vec![status(307, &[("location", "/v2")], ""), fine(s)]
        }),
        fault("context too long", Both, Fails(ContextTooLong), 1, |s| {
            let error = json!({ "error": { "type": "exceed_context_size_error", "code": 400 } });
            vec![json_answer(400, error), fine(s)]
        }),
        fault("silence, then fine", Both, Fine, 2, |s| vec![vec![Step::Hang], fine(s)]),
        fault("silence for ever", Both, Fails(TimedOut), 2, |_| vec![vec![Step::Hang]; 9]),
        fault("stall midway, then fine", Both, Fine, 2, |s| vec![begun(s, vec![Step::Hang]), fine(s)]),
        fault("stall midway for ever", Both, Fails(TimedOut), 2, |s| vec![begun(s, vec![Step::Hang]); 9]),
        fault("cut midway, then fine", Both, Fine, 2, |s| vec![begun(s, vec![Step::Close]), fine(s)]),
        fault("cut midway for ever", Both, Fails(Network), 2, |s| vec![begun(s, vec![Step::Close]); 9]),
        fault("closed without a byte, once", Both, Fine, 2, |s| vec![vec![Step::Close], fine(s)]),
        fault("closed without a byte, for ever", Both, Fails(Network), 2, |_| vec![vec![Step::Close]; 9]),
        fault("clean end without a reason", Stream, Fine, 2, |s| vec![chunked([piece("Use")]), fine(s)]),
        fault("garbage, then fine", Both, Fine, 2, |s| {
            let garbage = match s {
                true => stream([piece("Use"), "data: {\"choi%$\n\n".to_owned()]),
                false => status(200, &[("content-type", "application/json")], "{\"choi%$"),
            };
            vec![garbage, fine(s)]
        }),
        fault("garbage for ever", Both, Fails(Malformed), 2, |s| {
            let garbage = match s {
                true => stream(["data: nonsense\n\n"]),
                false => status(200, &[("content-type", "application/json")], "nonsense"),
            };
            vec![garbage; 9]
        }),
        fault("split UTF-8", Stream, Fine, 1, |_| {
            let wire = [event(json!({ "reasoning": "众议🙂" }), None), piece(TEXT), ending()];
            vec![chunked(wire.concat().as_bytes().chunks(1))]
        }),
        fault("usage from another world", Both, Fine, 1, |s| {
            let mut body = completion(TEXT);
            body["usage"] = json!({ "prompt_tokens": -1, "completion_tokens": "many" });
            let usage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":-9}}\n\n".to_owned();
            match s {
                true => vec![stream([piece(TEXT), event(json!({}), Some("stop")), usage])],
                false => vec![json_answer(200, body)],
            }
        }),
        fault("[DONE] twice", Stream, Fine, 1, |_| vec![stream([piece(TEXT), ending(), ending()])]),
        fault("no [DONE]", Stream, Fine, 1, |_| vec![stream([piece(TEXT), event(json!({}), Some("stop"))])]),
        fault("reset after the last word", Stream, Fine, 1, |_| {
            let head = chunked([piece(TEXT), event(json!({}), Some("stop"))]);
            let but_end = head.len() - 1;
            vec![head.into_iter().take(but_end).chain([Step::Close]).collect()]
        }),
        fault("open after the last word", Stream, Fine, 1, |_| {
            let end = event(json!({}), Some("stop"));
            vec![vec![stream_head(), Step::Bytes((piece(TEXT) + &end).into()), Step::Hang]]
        }),
        fault("10 MB line", Stream, Fails(Malformed), 1, |_| {
            vec![vec![stream_head(), Step::Bytes(b"data: ".into()), Step::Flood(10 << 20)]]
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
        fault("plain JSON on a stream", Stream, Fine, 1, |_| vec![fine(false)]),
        fault("plain JSON without a type", Stream, Fine, 1, |_| {
            vec![status(200, &[], &completion(TEXT).to_string())]
        }),
        fault("null content", Both, Fails(Empty), 2, |s| {
            vec![message(s, json!({ "content": null }), "stop"); 9]
        }),
        fault("content in parts", Both, Fine, 1, |s| {
            let parts = json!([{ "type": "text", "text": "Use " }, { "text": "SQLite." }]);
            vec![message(s, json!({ "content": parts }), "stop")]
        }),
        fault("a tool instead of an answer", Both, Fails(Empty), 2, |s| {
            let call = json!([{ "id": "1", "type": "function", "function": { "name": "f" } }]);
            vec![message(s, json!({ "content": null, "tool_calls": call }), "tool_calls"); 9]
        }),
        fault("error under 200, then fine", Both, Fine, 2, |s| {
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
        fault("broken off by the provider", Both, Fine, 2, |s| {
            let broken = message(s, json!({ "content": "Use" }), "insufficient_system_resource");
            vec![broken, fine(s)]
        }),
    ]
}

/// A fault in one of its two ways, ready to be played.
struct Cell<'a> {
    fault: &'a Fault,
    streamed: bool,
    server: Server,
    lab: ModelRunner,
}

async fn cell(fault: &Fault, streamed: bool) -> Cell<'_> {
    let script = (fault.script)(streamed);
    let stalls = script.iter().flatten().any(|step| matches!(step, Step::Hang));
    let server = Server::start(script).await;
    let mut config = provider(&server.url());
    if stalls {
        // Long enough for an answer on a busy machine.
        (config.timeouts.first_byte_ms, config.timeouts.idle_ms) = (1_000, 800);
    }
    let lab = ModelRunner::new(config).expect("a good configuration");
    Cell { fault, streamed, server, lab }
}

/// Plays one cell; returns its line in the table, and whether it ended as it has to.
async fn play(cell: Cell<'_>) -> (String, bool) {
    let Cell { fault, streamed, server, lab } = cell;
    let outcome = match streamed {
        true => listen(&lab, request()).await.0,
        false => ask(&lab, request()).await,
    };
    let (end, detail) = match outcome {
        Outcome::Answered(answer) if answer.text == TEXT => (Some(End::Fine), String::new()),
        Outcome::Answered(answer) => (None, format!("answered {:?}", answer.text)),
        Outcome::Failed(failure) => (Some(End::Fails(failure.kind)), failure.detail),
    };
    let requests = server.seen().len();
    let right = end == Some(fault.end) && requests == fault.requests;
    let way = if streamed { "stream" } else { "whole" };
    let mark = if right { "ok " } else { "BAD" };
    let name = fault.name;
    (format!("{mark} {name:<32} {way:<6} {requests} asked  {:?} {detail}", fault.end), right)
}

#[tokio::test]
async fn every_fault_of_the_wire_ends_as_it_has_to() {
    let faults = all_faults();
    let mut cells = Vec::new();
    for fault in &faults {
        for (streamed, other) in [(true, Ways::Whole), (false, Ways::Stream)] {
            if fault.ways != other {
                cells.push(cell(fault, streamed).await);
            }
        }
    }
    // All at once, so that those which have to wait do it together.
    let cells = join_all(cells.into_iter().map(play)).await;
    for (line, _) in &cells {
        eprintln!("{line}");
    }
    eprintln!("{} cells", cells.len());
    let bad: Vec<&str> = cells.iter().filter(|(_, right)| !right).map(|(line, _)| line.as_str()).collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

#[tokio::test]
async fn a_kept_connection_that_the_server_gave_up_is_replaced_at_once() {
    for streamed in [true, false] {
        // The server reads the second request on the kept connection, and closes it.
        let server = Server::start([fine(streamed), vec![Step::Close], fine(streamed)]).await;
        let mut config = provider(&server.url());
        config.retries = 0; // It is not a retry.
        config.timeouts.backoff_ms = 60_000;
        let lab = ModelRunner::new(config).expect("a good configuration");
        for _ in 0..2 {
            answered(match streamed {
                true => listen(&lab, request()).await.0,
                false => ask(&lab, request()).await,
            });
        }
        let connections: Vec<_> = server.seen().iter().map(|seen| seen.connection).collect();
        assert_eq!(connections, [0, 0, 1]);
    }
}

#[tokio::test]
async fn the_replacement_is_no_other_kept_connection() {
    let slowly = || {
        let wait = Step::Wait(std::time::Duration::from_millis(100));
        [wait].into_iter().chain(fine(false)).collect()
    };
    let server = Server::start([slowly(), slowly(), vec![Step::Close], fine(false)]).await;
    let lab = ModelRunner::new(provider(&server.url())).expect("a good configuration");
    // Two at once leave two connections behind, of which one proves to be stale.
    let (one, other) = futures::join!(ask(&lab, request()), ask(&lab, request()));
    answered(one);
    answered(other);
    answered(ask(&lab, request()).await);
    let last = server.seen().last().map(|seen| seen.connection);
    assert_eq!(last, Some(2), "a third connection");
}
