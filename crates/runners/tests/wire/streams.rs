//! Streams: any split of their bytes, and anything between events.

use quorate_contract::{FailureKind, StopReason};
use quorate_runners::{ModelRunner, Streaming};
use serde_json::json;

use crate::helpers::*;
use crate::server::{Server, Step, chunked, json as json_answer, status, stream};

#[tokio::test]
async fn it_does_not_matter_where_a_stream_is_cut() {
    let wire = [
        ": keep-alive\r\n\r\n".to_owned(),
        event(json!({ "role": "assistant", "content": "" }), None).replace('\n', "\r\n"),
        event(json!({ "reasoning_content": "想一想" }), None),
        piece("众议，").replace("data: ", "data:"),
        "event: ping\nid: 3\n\n".to_owned(),
        piece("yes 🙂"),
        ending(),
        "data: [DONE]\n\n".to_owned(),
    ]
    .concat();
    for size in [1, 2, 3, 5, 7, 64, 1000] {
        let server = Server::start([chunked(wire.as_bytes().chunks(size))]).await;
        let (outcome, ear) = listen(&runner(&server), request()).await;
        let answer = answered(outcome);
        assert_eq!(answer.text, "众议，yes 🙂", "in pieces of {size}");
        assert_eq!(answer.reasoning.as_deref(), Some("想一想"));
        assert_eq!((ear.answer(), ear.reasoning()), (answer.text, "想一想".to_owned()));
        assert_eq!((answer.usage.input_tokens, answer.usage.output_tokens), (20, 5));
        assert!(!answer.usage.estimated);
    }
}

#[tokio::test]
async fn inline_thinking_is_heard_as_reasoning_even_when_its_tags_are_cut() {
    let pieces = ["<th", "ink>", "Hm", ".</", "think>", "\n\n", "Yes", "."];
    let mut wire: Vec<String> = pieces.map(piece).to_vec();
    wire.push(ending());
    let server = Server::start([stream(wire)]).await;
    let (outcome, ear) = listen(&runner(&server), request()).await;
    assert_eq!(answered(outcome).text, "Yes.");
    assert_eq!((ear.answer(), ear.reasoning()), ("Yes.".to_owned(), "Hm.".to_owned()));
}

/// The answer to a stream of these events, after which the connection ends cleanly.
async fn streamed(events: &[String]) -> quorate_contract::Answer {
    let server = Server::start([stream(events)]).await;
    let (outcome, _) = listen(&runner(&server), request()).await;
    assert_eq!(server.seen().len(), 1);
    answered(outcome)
}

#[tokio::test]
async fn a_stream_may_end_in_any_of_the_known_ways() {
    let stop = |reason| event(json!({}), Some(reason));
    let done = || "data: [DONE]\n\n".to_owned();
    let usage = |counts| format!("data: {{\"choices\":[],\"usage\":{counts}}}\n\n");
    let twenty = || usage(r#"{"prompt_tokens":20,"completion_tokens":5}"#);
    let yes = || piece("Yes.");

    let no_done = streamed(&[yes(), stop("stop"), twenty()]).await;
    assert_eq!((no_done.text.as_str(), no_done.usage.estimated), ("Yes.", false));
    let unended_line = streamed(&[yes(), stop("stop"), "data: [DONE]".to_owned()]).await;
    assert!(unended_line.usage.estimated);
    let only_done = streamed(&[yes(), done()]).await;
    assert_eq!(only_done.stop, StopReason::Stop);
    let cut = streamed(&[yes(), stop("length"), twenty(), done(), done()]).await;
    assert_eq!((cut.stop, cut.usage.input_tokens), (StopReason::Length, 20));
    let withheld = streamed(&[yes(), stop("content_filter"), done()]).await;
    assert_eq!(withheld.stop, StopReason::ContentFilter);
    let tool = streamed(&[yes(), stop("tool_calls"), done()]).await;
    assert_eq!(tool.stop, StopReason::Stop);
    let counted_along = streamed(&[
        usage(r#"{"prompt_tokens":20,"completion_tokens":1}"#),
        yes(),
        usage(r#"{"prompt_tokens":20,"completion_tokens":2}"#),
        stop("stop"),
    ])
    .await;
    assert_eq!(counted_along.usage.output_tokens, 2, "the last count holds");
}

#[tokio::test]
async fn an_answer_that_was_cut_off_may_have_been_paid_for() {
    let server = Server::start([stream([piece("Use SQ")])]).await;
    let (outcome, ear) = listen_once(&runner(&server), request()).await;
    let failure = failed(outcome);
    assert_eq!((failure.kind, failure.doubtful), (FailureKind::Network, true));
    assert_eq!(ear.answer(), "Use SQ");
    let usage = failure.usage.expect("an estimate");
    assert!(usage.estimated, "nobody counted it");
    assert!(usage.input_tokens > 5 && usage.output_tokens > 0, "{usage:?}");
}

#[tokio::test]
async fn an_error_in_the_midst_of_a_stream_is_no_answer() {
    let error =
        |code: u16| format!("data: {{\"error\":{{\"message\":\"engine died\",\"code\":{code}}}}}\n\n");
    let server = Server::start([stream([piece("Use"), error(503)]), good(true, "Yes.")]).await;
    assert_eq!(answered(listen(&runner(&server), request()).await.0).text, "Yes.");

    let server = Server::start([stream([piece("Use"), error(400)]), good(true, "late")]).await;
    let failure = failed(listen(&runner(&server), request()).await.0);
    assert_eq!((failure.kind, server.seen().len()), (FailureKind::BadRequest, 1));
    assert_eq!(failure.detail.to_string(), "lab reported an error instead of an answer: engine died");

    let unwrapped = r#"{"object":"error","message":"prompt is too long","code":400}"#;
    let server = Server::start([stream([format!("data: {unwrapped}\n\n")])]).await;
    let failure = failed(listen(&runner(&server), request()).await.0);
    assert_eq!(failure.kind, FailureKind::ContextTooLong);

    let bare = "{\"error\":\"rate limit reached\"}\n".to_owned();
    let script = (0..4).map(|_| stream([bare.clone()]));
    let server = Server::start(script).await;
    let failure = failed(listen(&runner(&server), request()).await.0);
    assert_eq!((failure.kind, server.seen().len()), (FailureKind::RateLimit, 4));
    assert_eq!(failure.usage.map(|usage| usage.total()), Some(0));
}

#[tokio::test]
async fn a_plain_answer_to_a_request_for_a_stream_is_read_and_shown() {
    let server = Server::start([json_answer(200, completion("<think>Hm.</think>Yes."))]).await;
    let (outcome, ear) = listen(&runner(&server), request()).await;
    assert_eq!(answered(outcome).text, "Yes.");
    assert_eq!((ear.answer(), ear.reasoning()), ("Yes.".to_owned(), "Hm.".to_owned()));
}

/// A stream as llama-server sends it: it promises to keep the connection, and closes it.
fn closing(text: &str) -> Vec<Step> {
    let head = "HTTP/1.1 200 OK\r\nServer: llama.cpp\r\nContent-Type: text/event-stream\r\n\
                Transfer-Encoding: chunked\r\nKeep-Alive: timeout=5, max=100\r\n\r\n";
    let [_, chunks @ ..] = &chunked([piece(text), ending()])[..] else { panic!("a head and chunks") };
    let mut steps = vec![Step::Bytes(head.into())];
    steps.extend_from_slice(chunks);
    steps.push(Step::Close);
    steps
}

#[tokio::test]
async fn no_request_meets_a_connection_that_was_closed_after_a_stream() {
    let script = (0..12).map(|number| if number % 3 == 2 { good(false, "Whole.") } else { closing("Yes.") });
    let server = Server::start(script).await;
    let lab = runner(&server);
    for number in 0..12 {
        answered(match number % 3 {
            2 => ask_once(&lab, request()).await,
            _ => listen_once(&lab, request()).await.0,
        });
    }
    let seen = server.seen();
    assert_eq!(seen.len(), 12);
    for pair in seen.windows(2).filter(|pair| pair[0].body["stream"] == true) {
        assert_ne!(pair[0].connection, pair[1].connection);
    }
}

/// Whether a stream was requested, request by request.
fn asked_to_stream(server: &Server) -> Vec<bool> {
    server.seen().iter().map(|seen| seen.body["stream"] == true).collect()
}

#[tokio::test]
async fn a_model_whose_streams_cannot_be_read_is_asked_for_whole_answers_from_then_on() {
    let garbage = || chunked(["data: {\"choices\":[{\"delta\":\n\n", "data: oops\n\n"]);
    let script = [garbage(), good(false, "Yes."), good(false, "Yes.")];
    let server = Server::start(script).await;
    let lab = runner(&server);
    for _ in 0..2 {
        let (outcome, ear) = listen(&lab, request()).await;
        assert_eq!((answered(outcome).text.as_str(), ear.answer().as_str()), ("Yes.", "Yes."));
    }
    assert_eq!(asked_to_stream(&server), [true, false, false]);
}

#[tokio::test]
async fn a_stream_that_breaks_off_once_may_have_been_the_network() {
    let broken = || stream([piece("Ye")]);
    let script = [broken(), good(false, "Yes."), broken(), good(false, "Yes."), good(false, "Yes.")];
    let server = Server::start(script).await;
    let lab = runner(&server);
    for _ in 0..3 {
        answered(listen(&lab, request()).await.0);
    }
    assert_eq!(asked_to_stream(&server), [true, false, true, false, false], "twice is no accident");
}

#[tokio::test]
async fn a_refusal_to_stream_is_answered_at_once_and_remembered() {
    let refusal = json!({ "error": { "type": "invalid_request_error", "param": "stream",
        "message": "Your organization must be verified to stream this model.", "code": "unsupported_value" } });
    let server = Server::start([json_answer(400, refusal), good(false, "Yes."), good(false, "Yes.")]).await;
    let lab = runner(&server);
    for _ in 0..2 {
        answered(listen_once(&lab, request()).await.0);
    }
    assert_eq!(asked_to_stream(&server), [true, false, false]);
    let server = Server::start([status(502, &[], "upstream connect error: unsupported protocol")]).await;
    failed(listen_once(&runner(&server), request()).await.0);
    assert_eq!(asked_to_stream(&server), [true], "whoever stands before a server speaks of its upstream");
}

#[tokio::test]
async fn settings_say_whether_answers_are_streamed() {
    let broken = || stream([piece("Ye")]);
    for (streaming, script, expected) in [
        (Streaming::Off, vec![good(false, "Yes.")], vec![false]),
        (Streaming::On, vec![broken(), broken(), broken()], vec![true; 3]),
    ] {
        let server = Server::start(script).await;
        let mut config = provider(&server.url());
        config.streaming = streaming;
        let lab = ModelRunner::new(config).expect("a good configuration");
        for _ in 0..expected.len() {
            let _ = listen_once(&lab, request()).await;
        }
        assert_eq!(asked_to_stream(&server), expected, "{streaming:?}");
    }
}
