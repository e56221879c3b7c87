//! The faults that every wire format knows, each made of the format's own parts.

use std::time::Duration;

use quorate_contract::{FailureKind, StopReason};

use super::{End, Fault, Place, TEXT, Ways};
use crate::dialect::Dialect;
use crate::helpers::KEY;
use crate::server::{Step, status};

type Scripts = Option<Vec<Vec<Step>>>;

fn fault(
    name: &'static str,
    ways: Ways,
    end: End,
    requests: usize,
    script: impl Fn(&dyn Dialect, bool) -> Scripts + 'static,
) -> Fault {
    let script = Box::new(move |d: &dyn Dialect, s: bool, _: &str| script(d, s));
    Fault { name, ways, place: Place::Server, script, end, requests }
}

/// A fault of the address; no request is made.
fn astray(name: &'static str, place: Place) -> Fault {
    let end = End::Fails(FailureKind::Network);
    Fault { place, ..fault(name, Ways::Both, end, 0, |_, _| Some(Vec::new())) }
}

/// The format's own error of this kind, and then a good answer that must not be requested.
fn refused(name: &'static str, kind: FailureKind) -> Fault {
    fault(name, Ways::Both, End::Fails(kind), 1, move |d, s| Some(vec![refusal(d, kind)?, fine(d, s)]))
}

fn refusal(dialect: &dyn Dialect, kind: FailureKind) -> Option<Vec<Step>> {
    let (code, body) = dialect.refusal(kind)?;
    Some(status(code, &[("content-type", "application/json")], &body))
}

fn fine(dialect: &dyn Dialect, streamed: bool) -> Vec<Step> {
    dialect.answer(streamed, TEXT)
}

/// A stream of these bytes, then the end of the connection.
fn stream(dialect: &dyn Dialect, text: &str) -> Vec<Step> {
    vec![dialect.stream_head(), Step::Bytes(text.as_bytes().to_vec()), Step::Close]
}

/// The same in chunks of so many bytes, however they cut the words.
fn chunks(dialect: &dyn Dialect, text: &str, size: usize) -> Vec<Step> {
    let Step::Bytes(head) = dialect.stream_head() else { panic!("a head is bytes") };
    let head = String::from_utf8(head).expect("heads are ASCII");
    assert!(head.contains("connection: close"), "{head}");
    let head = head.replace("connection: close", "transfer-encoding: chunked");
    let chunk = |bytes: &[u8]| {
        let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
        chunk.extend_from_slice(bytes);
        chunk.extend_from_slice(b"\r\n");
        Step::Bytes(chunk)
    };
    let head = [Step::Bytes(head.into_bytes())];
    let end = [Step::Bytes(b"0\r\n\r\n".to_vec())];
    head.into_iter().chain(text.as_bytes().chunks(size).map(chunk)).chain(end).collect()
}

/// All events of an answer, or its body.
fn words(dialect: &dyn Dialect, streamed: bool, text: &str) -> String {
    if streamed {
        return dialect.first_piece(text) + &dialect.last_pieces();
    }
    let steps = dialect.answer(false, text);
    let bytes = steps.into_iter().flat_map(|step| match step {
        Step::Bytes(bytes) => bytes,
        _ => Vec::new(),
    });
    let answer = String::from_utf8(bytes.collect()).expect("answers are UTF-8");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    body.to_owned()
}

/// An answer of these words, in either way.
fn sent(dialect: &dyn Dialect, streamed: bool, words: &str) -> Vec<Step> {
    match streamed {
        true => stream(dialect, words),
        false => status(200, &[("content-type", "application/json")], words),
    }
}

/// This text, and a connection that breaks before its end.
fn reset(dialect: &dyn Dialect, streamed: bool, text: &str) -> Vec<Step> {
    let mut steps = match streamed {
        true => chunks(dialect, text, 9_999),
        false => {
            let head =
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
            let chunk = format!("{:x}\r\n{text}\r\n", text.len());
            vec![Step::Bytes(head.into()), Step::Bytes(chunk.into()), Step::Close]
        }
    };
    steps.pop();
    steps.push(Step::Close);
    steps
}

/// The same with this wherever something was counted.
fn recounted(dialect: &dyn Dialect, streamed: bool, count: &str) -> Vec<Step> {
    let mut words = words(dialect, streamed, TEXT);
    for known in ["20", "5"] {
        for end in [',', '}'] {
            words = words.replace(&format!(":{known}{end}"), &format!(":{count}{end}"));
        }
    }
    sent(dialect, streamed, &words)
}

/// The beginning of an answer, and then something else.
fn begun(dialect: &dyn Dialect, streamed: bool, then: Step) -> Vec<Step> {
    match streamed {
        true => vec![dialect.stream_head(), Step::Bytes(dialect.first_piece("Use").into_bytes()), then],
        false => {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{\"";
            vec![Step::Bytes(head.into()), then]
        }
    }
}

/// The bytes of an answer, a few at a time.
fn trickled(dialect: &dyn Dialect, streamed: bool) -> Vec<Step> {
    let words = words(dialect, streamed, TEXT);
    let steps = match streamed {
        true => chunks(dialect, &words, words.len().div_ceil(20)),
        false => {
            let steps = sent(dialect, streamed, &words).into_iter().flat_map(|step| match step {
                Step::Bytes(bytes) => bytes,
                _ => Vec::new(),
            });
            let bytes: Vec<u8> = steps.collect();
            bytes.chunks(bytes.len().div_ceil(20)).map(|part| Step::Bytes(part.to_vec())).collect()
        }
    };
    steps.into_iter().flat_map(|step| [step, Step::Wait(Duration::from_millis(20))]).collect()
}

pub(super) fn all() -> Vec<Fault> {
    use End::{Fails, Says, Stops, Tells, Uncounted};
    use FailureKind::*;
    use Ways::{Both, Stream, Whole};
    let fine_end = Says(TEXT);
    let slow_down = || status(429, &[("retry-after", "0")], "");
    let shout = "The words are 众议🙂, no more.";
    let mut faults = vec![
        fault("no fault", Both, fine_end, 1, |d, s| Some(vec![fine(d, s)])),
        fault("429, then fine", Both, fine_end, 2, move |d, s| Some(vec![slow_down(), fine(d, s)])),
        fault("429 for ever", Both, Fails(RateLimit), 4, move |_, _| Some(vec![slow_down(); 9])),
        fault("rate limit in its words", Both, fine_end, 2, |d, s| {
            Some(vec![refusal(d, RateLimit)?, fine(d, s)])
        }),
        fault("503 without a word, then fine", Both, fine_end, 2, |d, s| {
            Some(vec![status(503, &[], ""), fine(d, s)])
        }),
        fault("504 in JSON, for ever", Both, Fails(Overloaded), 2, |_, _| {
            let body = r#"{"error":{"message":"The model is overloaded","code":504}}"#;
            Some(vec![status(504, &[("content-type", "application/json")], body); 9])
        }),
        fault("overload in its words, then fine", Both, fine_end, 2, |d, s| {
            Some(vec![refusal(d, Overloaded)?, fine(d, s)])
        }),
        fault("[DONE] after the end", Both, fine_end, 1, |d, s| {
            Some(vec![sent(d, s, &(words(d, s, TEXT) + "\n\ndata: [DONE]\n\n"))])
        }),
        fault("bare [DONE] after the end", Both, fine_end, 1, |d, s| {
            Some(vec![sent(d, s, &(words(d, s, TEXT) + "\n[DONE]\n"))])
        }),
        fault("garbage after the end", Both, fine_end, 1, |d, s| {
            let garbage = "\ndata: {\"choi%$\n\n{\"x\": \n\n<html>upstream timed out</html>\n";
            Some(vec![sent(d, s, &(words(d, s, TEXT) + garbage))])
        }),
        fault("garbage right behind the end", Both, fine_end, 1, |d, s| {
            let words = words(d, s, TEXT);
            Some(vec![sent(d, s, &format!("{}}}}}garbage\n\n", words.trim_end()))])
        }),
        fault("a line without end after the end", Stream, fine_end, 1, |d, s| {
            Some(vec![stream(d, &(words(d, s, TEXT) + "\ndata: " + &"x".repeat(2 << 20)))])
        }),
        fault("an error after the end", Both, fine_end, 1, |d, s| {
            Some(vec![sent(d, s, &(words(d, s, TEXT) + "\n" + &d.error_event(Overloaded)?))])
        }),
        fault("reset after the end", Both, fine_end, 1, |d, s| Some(vec![reset(d, s, &words(d, s, TEXT))])),
        fault("reset before the end of the last line", Both, fine_end, 1, |d, s| {
            Some(vec![reset(d, s, words(d, s, TEXT).trim_end())])
        }),
        fault("open after the end", Whole, fine_end, 1, |d, s| {
            let mut steps = reset(d, s, &words(d, s, TEXT));
            steps.pop();
            steps.push(Step::Hang);
            Some(vec![steps])
        }),
        fault("overload in its words, for ever", Both, Fails(Overloaded), 4, |d, _| {
            Some(vec![refusal(d, Overloaded)?; 9])
        }),
        fault("402", Both, Fails(Quota), 1, |d, s| Some(vec![status(402, &[], ""), fine(d, s)])),
        fault("model unknown", Both, Tells(ModelUnknown, "qwen3:8b"), 2, |d, _| {
            Some(vec![refusal(d, ModelUnknown)?, d.models(&["llama3", "qwen3:8b"])])
        }),
        refused("401", Authentication),
        refused("no credit", Quota),
        refused("context too long", ContextTooLong),
        refused("content refused", ContentRefused),
        refused("bad request", BadRequest),
        fault("HTML with 200", Both, Fails(Malformed), 1, |d, s| {
            let page = status(200, &[("content-type", "text/html")], "<html>Welcome</html>");
            Some(vec![page, fine(d, s)])
        }),
        fault("HTML 502 for ever", Both, Fails(Overloaded), 2, |_, _| {
            Some(vec![status(502, &[("content-type", "text/html")], "<html>Bad gateway</html>"); 9])
        }),
        astray("https to a plain server", Place::Plain),
        astray("connection refused", Place::Nobody),
        fault("closed without a byte, once", Both, fine_end, 2, |d, s| {
            Some(vec![vec![Step::Close], fine(d, s)])
        }),
        fault("closed without a byte, for ever", Both, Fails(Network), 2, |_, _| {
            Some(vec![vec![Step::Close]; 9])
        }),
        fault("garbage, then fine", Both, fine_end, 2, |d, s| {
            let garbage = if s { d.first_piece("Use") + "{\"choi%$\n\n" } else { "{\"choi%$".to_owned() };
            Some(vec![sent(d, s, &garbage), fine(d, s)])
        }),
        fault("clean end without a reason", Stream, fine_end, 2, |d, s| {
            Some(vec![chunks(d, &d.first_piece("Use"), 9_999), fine(d, s)])
        }),
        fault("stopped by length", Both, Stops(StopReason::Length), 1, |d, s| {
            Some(vec![d.cut_by_length(s, "Use SQ")])
        }),
        fault("stopped for safety", Both, Fails(ContentRefused), 1, |d, s| Some(vec![d.withheld(s)])),
        fault("empty answer", Both, Fails(Empty), 2, |d, s| Some(vec![d.empty(s); 9])),
        fault("error midway, then fine", Stream, fine_end, 2, |d, s| {
            let error = d.first_piece("Use") + &d.error_event(Overloaded)?;
            Some(vec![stream(d, &error), fine(d, s)])
        }),
        fault("error at once, then fine", Stream, fine_end, 2, |d, s| {
            Some(vec![stream(d, &d.error_event(Overloaded)?), fine(d, s)])
        }),
        fault("end marks twice", Stream, fine_end, 1, |d, s| {
            Some(vec![stream(d, &(words(d, s, TEXT) + &d.last_pieces()))])
        }),
        fault("10 MB without a line end", Both, Fails(Malformed), 1, |d, s| {
            let head = match s {
                true => d.stream_head(),
                false => Step::Bytes(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n".into()),
            };
            Some(vec![vec![head, Step::Bytes(b"data: ".into()), Step::Flood(10 << 20)]])
        }),
        fault("bytes cut inside of characters", Stream, Says(shout), 1, move |d, s| {
            Some(vec![chunks(d, &words(d, s, shout), 1)])
        }),
        fault("CRLF", Stream, fine_end, 1, |d, s| {
            Some(vec![chunks(d, &words(d, s, TEXT).replace('\n', "\r\n"), 7)])
        }),
        fault("slow trickle", Both, fine_end, 1, |d, s| Some(vec![trickled(d, s)])),
        fault("reasoning apart", Both, fine_end, 1, |d, s| Some(vec![d.reasoned(s, "Hm, 众议.", TEXT)])),
        fault("key in an error", Both, Tells(Authentication, "[key]"), 1, |_, _| {
            let body = serde_json::json!({ "error": { "message": format!("no entry for {KEY}") } });
            Some(vec![status(401, &[("content-type", "application/json")], &body.to_string())])
        }),
        fault("key in the answer", Both, Says("It is [key]."), 1, |d, s| {
            let text = format!("It is {KEY}.");
            Some(vec![sent(d, s, &words(d, s, &text))])
        }),
        fault("key in pieces", Stream, Says("It is [key]."), 1, |d, _| {
            let (one, other) = KEY.split_at(5);
            let pieces = [d.first_piece(&format!("It is {one}")), d.next_piece(other), d.next_piece(".")];
            Some(vec![stream(d, &(pieces.concat() + &d.last_pieces()))])
        }),
        fault("key in the reasoning", Both, fine_end, 1, |d, s| {
            Some(vec![d.reasoned(s, &format!("I read {KEY}."), TEXT)])
        }),
    ];
    for (name, count) in
        [("usage below zero", "-5"), ("usage beyond all measure", "99999999999"), ("usage missing", "null")]
    {
        faults.push(fault(name, Both, Uncounted(TEXT), 1, move |d, s| Some(vec![recounted(d, s, count)])));
    }
    for (once, forever, kind, script) in breaks() {
        faults.push(fault(once, Both, fine_end, 2, move |d, s| Some(vec![script(d, s), fine(d, s)])));
        faults.push(fault(forever, Both, Fails(kind), 2, move |d, s| Some(vec![script(d, s); 9])));
    }
    let away =
        |_: &dyn Dialect, _: bool, elsewhere: &str| Some(vec![status(307, &[("location", elsewhere)], "")]);
    let end = Tells(BadRequest, "redirections are not followed");
    let redirection = Fault {
        name: "redirection",
        ways: Both,
        place: Place::Server,
        script: Box::new(away),
        end,
        requests: 1,
    };
    faults.push(redirection);
    faults
}

type Break = fn(&dyn Dialect, bool) -> Vec<Step>;

/// Faults of a connection in use: its name when it happens once, and when it always happens.
fn breaks() -> [(&'static str, &'static str, FailureKind, Break); 3] {
    use FailureKind::{Network, TimedOut};
    [
        ("silence, then fine", "silence for ever", TimedOut, |_, _| vec![Step::Hang]),
        ("stall midway, then fine", "stall midway for ever", TimedOut, |d, s| begun(d, s, Step::Hang)),
        ("cut midway, then fine", "cut midway for ever", Network, |d, s| begun(d, s, Step::Close)),
    ]
}
