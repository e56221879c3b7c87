//! OpenAI's responses: what is asked, and what is made of the answers as the vendor writes them.

use quorate_contract::{Effort, FailureKind, ModelParameters, StopReason, Usage};
use quorate_runners::{ModelRunner, WireFormat};
use serde_json::{Value, json};

use crate::dialect::Dialect;
use crate::dialect::response::{Responses, beginning, end, frame, message, reasoning, response};
use crate::helpers::*;
use crate::server::{Server, Step, chunked, json as json_answer, stream};

fn lab(server: &Server) -> ModelRunner {
    let mut config = provider(&server.url());
    config.wire = WireFormat::Responses;
    ModelRunner::new(config).expect("a good configuration")
}

fn fine() -> Vec<Step> {
    Responses.answer(false, "Yes.")
}

fn refuses(words: &str) -> Vec<Step> {
    json_answer(400, json!({ "error": { "message": words, "type": "invalid_request_error", "code": null } }))
}

#[tokio::test]
async fn a_turn_is_sent_in_full_and_answered() {
    let server = Server::start([fine()]).await;
    let mut turn = request();
    turn.runner = model(ModelParameters {
        temperature: Some(0.5),
        top_p: Some(0.9),
        max_tokens: Some(9),
        effort: Some(Effort::High),
        thinking_tokens: None,
        context_tokens: None,
    });
    turn.prompt.messages = vec![user("Which one?"), assistant("SQLite."), user("Why?")];
    turn.prompt.schema = Some(vote_schema());

    let answer = answered(ask(&lab(&server), turn).await);

    assert_eq!((answer.text.as_str(), answer.stop), ("Yes.", StopReason::Stop));
    assert_eq!(answer.usage, Usage { input_tokens: 20, output_tokens: 5, ..Usage::default() });
    let seen = &server.seen()[0];
    assert_eq!(seen.line, "POST /v1/responses");
    assert_eq!(seen.headers["authorization"], format!("Bearer {KEY}"));
    let expected = json!({
        "model": "qwen3",
        "instructions": "You are Ada.",
        "input": [
            { "type": "message", "role": "user", "content": "Which one?" },
            { "type": "message", "role": "assistant", "content": "SQLite." },
            { "type": "message", "role": "user", "content": "Why?" },
        ],
        "max_output_tokens": 16_393,
        "temperature": 0.5,
        "top_p": 0.9,
        "reasoning": { "effort": "high" },
        "text": { "format": {
            "type": "json_schema", "name": "vote", "schema": *vote_schema().schema, "strict": true,
        } },
        "store": false,
    });
    assert_eq!(seen.body, expected);
}

#[tokio::test]
async fn what_is_refused_is_left_out_from_then_on() {
    let server = Server::start([
        refuses("Unsupported parameter: 'temperature' is not supported with this model."),
        refuses("Unsupported parameter: 'top_p' is not supported with this model."),
        refuses(
            "Unsupported value: 'reasoning.effort' does not support 'none' with this model. \
             Supported values are: 'minimal', 'low', 'medium', and 'high'.",
        ),
        refuses("Unsupported parameter: 'reasoning.effort' is not supported with this model."),
        refuses("Invalid schema for response_format 'vote': In context=(), 'maxLength' is not permitted."),
        refuses("Unsupported parameter: 'text.format' is not supported with this model."),
        refuses("Unsupported parameter: 'text.format' is not supported with this model."),
        Responses.answer(true, "Yes."),
        Responses.answer(true, "Yes."),
    ])
    .await;
    let lab = lab(&server);
    for _ in 0..2 {
        let mut turn = request();
        turn.prompt.schema = Some(vote_schema());
        turn.runner = model(ModelParameters {
            temperature: Some(0.5),
            top_p: Some(0.9),
            max_tokens: None,
            effort: Some(Effort::None),
            thinking_tokens: None,
            context_tokens: None,
        });
        answered(listen(&lab, turn).await.0);
    }
    let seen = server.seen();
    assert_eq!(seen[2].body["reasoning"], json!({ "effort": "none" }));
    assert_eq!(seen[3].body["reasoning"], json!({ "effort": "minimal" }));
    let schema = &seen[5].body["text"]["format"]["schema"];
    assert_eq!(schema["properties"]["reason"], json!({ "type": "string" }));
    assert_eq!(seen[6].body["text"], json!({ "format": { "type": "json_object" } }));
    let plain = json!({
        "model": "qwen3",
        "instructions": "You are Ada.",
        "input": [{ "type": "message", "role": "user", "content": "Which database?" }],
        "max_output_tokens": 300,
        "store": false,
        "stream": true,
    });
    assert_eq!((seen.len(), &seen[7].body, &seen[8].body), (9, &plain, &plain));
}

#[tokio::test]
async fn an_effort_is_told_in_chat_completions_too_as_long_as_it_is_taken() {
    let server = Server::start([
        refuses("Unrecognized request argument supplied: reasoning_effort"),
        good(false, "Yes."),
        good(false, "Yes."),
    ])
    .await;
    let lab = runner(&server);
    for _ in 0..2 {
        let mut turn = request();
        turn.runner = model(ModelParameters { effort: Some(Effort::Medium), ..Default::default() });
        answered(ask(&lab, turn).await);
    }
    let efforts: Vec<Value> =
        server.seen().iter().map(|seen| seen.body["reasoning_effort"].clone()).collect();
    assert_eq!(efforts, [json!("medium"), Value::Null, Value::Null]);
}

/// A stream as it was recorded: two parts of reasoning, words, and all of it once more at the end.
fn recorded() -> String {
    let mut output = json!([reasoning("想一想"), message("众议，yes 🙂")]);
    output[0]["summary"]
        .as_array_mut()
        .expect("a list")
        .push(json!({ "type": "summary_text", "text": "So." }));
    let thought = |part: u32, delta: &str| {
        [
            json!({ "type": "response.reasoning_summary_part.added", "item_id": "rs_01", "output_index": 0,
                "summary_index": part, "part": { "type": "summary_text", "text": "" } }),
            json!({ "type": "response.reasoning_summary_text.delta", "item_id": "rs_01", "output_index": 0,
                "summary_index": part, "delta": delta, "obfuscation": "k" }),
        ]
    };
    let delta = |text: &str| {
        json!({ "type": "response.output_text.delta", "item_id": "msg_01", "output_index": 1,
            "content_index": 0, "delta": text, "logprobs": [] })
    };
    let events = thought(0, "想一想").into_iter().chain(thought(1, "So.")).chain([
        json!({ "type": "response.output_item.done", "output_index": 0, "item": output[0] }),
        delta("众议，"),
        delta("yes 🙂"),
        json!({ "type": "response.output_text.done", "item_id": "msg_01", "output_index": 1,
            "content_index": 0, "text": "众议，yes 🙂", "logprobs": [] }),
        json!({ "type": "response.content_part.done", "item_id": "msg_01", "output_index": 1,
            "content_index": 0, "part": output[1]["content"][0] }),
        json!({ "type": "response.output_item.done", "output_index": 1, "item": output[1] }),
        json!({ "type": "response.something_new", "delta": { "a": 1 }, "item": 7 }),
    ]);
    let mut whole = response("completed", None, output);
    whole["usage"]["input_tokens_details"]["cached_tokens"] = json!(16);
    whole["usage"]["input_tokens_details"]["cache_write_tokens"] = json!(4);
    whole["usage"]["output_tokens_details"]["reasoning_tokens"] = json!(3);
    let end = frame(json!({ "type": "response.completed", "response": whole }));
    format!("{}{}{end}", beginning(), events.map(frame).collect::<String>())
}

#[tokio::test]
async fn a_recorded_stream_is_read_wherever_it_is_cut_and_nothing_twice() {
    for wire in [recorded(), recorded().replace('\n', "\r\n")] {
        for size in [1, 7, 64, 100_000] {
            let server = Server::start([chunked(wire.as_bytes().chunks(size))]).await;
            let (outcome, ear) = listen(&lab(&server), request()).await;
            let answer = answered(outcome);
            assert_eq!(answer.text, "众议，yes 🙂", "in pieces of {size}");
            assert_eq!(answer.reasoning.as_deref(), Some("想一想\n\nSo."));
            assert_eq!((ear.answer(), ear.reasoning()), (answer.text, "想一想\n\nSo.".to_owned()));
            let expected = Usage {
                input_tokens: 20,
                output_tokens: 5,
                reasoning_tokens: 3,
                cached_tokens: 16,
                cache_write_tokens: 4,
                ..Usage::default()
            };
            assert_eq!(answer.usage, expected);
        }
    }
}

#[tokio::test]
async fn a_stream_that_brings_everything_at_its_end_is_an_answer_too() {
    let output = json!([reasoning("Hm."), message("Yes.")]);
    let server = Server::start([stream([end("completed", None, output)])]).await;
    let (outcome, ear) = listen(&lab(&server), request()).await;
    let answer = answered(outcome);
    assert_eq!((answer.text.as_str(), answer.reasoning.as_deref()), ("Yes.", Some("Hm.")));
    assert_eq!(ear.answer(), "Yes.");
}

/// The outcome of a whole response with this output.
async fn whole(status: &str, reason: Option<&str>, output: Value) -> quorate_contract::Outcome {
    let server = Server::start([json_answer(200, response(status, reason, output))]).await;
    ask_once(&lab(&server), request()).await
}

#[tokio::test]
async fn every_end_of_a_response_is_known() {
    let half = || json!([message("Half")]);
    for (status, reason, stop) in [
        ("completed", None, StopReason::Stop),
        ("incomplete", Some("max_output_tokens"), StopReason::Length),
        ("incomplete", Some("content_filter"), StopReason::ContentFilter),
    ] {
        assert_eq!(answered(whole(status, reason, half()).await).stop, stop, "{reason:?}");
        let server = Server::start([stream([end(status, reason, half())])]).await;
        let streamed = answered(listen_once(&lab(&server), request()).await.0);
        assert_eq!((streamed.text.as_str(), streamed.stop), ("Half", stop));
    }
    let cancelled = failed(whole("cancelled", None, half()).await);
    assert_eq!((cancelled.kind, cancelled.doubtful), (FailureKind::Overloaded, true));
    let eaten = answered(whole("incomplete", Some("max_output_tokens"), json!([reasoning("Hm")])).await);
    assert_eq!((eaten.text.as_str(), eaten.stop), ("", StopReason::Length));
    let mut refusal = message("");
    refusal["content"] = json!([{ "type": "refusal", "refusal": "I can't help with that." }]);
    let refused = failed(whole("completed", None, json!([refusal])).await);
    assert_eq!(refused.detail.to_string(), "the model refused: I can't help with that.");
    let tool = json!([{ "type": "function_call", "name": "look", "arguments": "{}", "call_id": "call_1" }]);
    let wanted = failed(whole("completed", None, tool).await);
    assert_eq!(wanted.detail.to_string(), "the model asked for a tool, which nobody had offered");
}

#[tokio::test]
async fn a_refusal_comes_in_pieces_and_once() {
    let delta = |text: &str| {
        frame(json!({ "type": "response.refusal.delta", "item_id": "msg_01", "output_index": 0,
            "content_index": 0, "delta": text }))
    };
    let mut refusal = message("");
    refusal["content"] = json!([{ "type": "refusal", "refusal": "I can't." }]);
    let wire = [beginning(), delta("I "), delta("can't."), end("completed", None, json!([refusal]))];
    let server = Server::start([stream(wire)]).await;
    let failure = failed(listen_once(&lab(&server), request()).await.0);
    assert_eq!(failure.detail.to_string(), "the model refused: I can't.");
}

#[tokio::test]
async fn errors_come_in_three_shapes() {
    let quota = "You exceeded your current quota, please check your plan and billing details.";
    let mut failed_response = response("failed", None, json!([]));
    failed_response["error"] = json!({ "code": "insufficient_quota", "message": quota });
    let error = json!({ "type": "insufficient_quota", "code": "insufficient_quota", "message": quota });
    for event in [
        json!({ "type": "error", "sequence_number": 2, "error": error }),
        json!({ "type": "error", "sequence_number": 2, "code": "insufficient_quota", "message": quota }),
        json!({ "type": "response.failed", "sequence_number": 2, "response": failed_response }),
    ] {
        let server = Server::start([stream([beginning(), frame(event)])]).await;
        let failure = failed(listen_once(&lab(&server), request()).await.0);
        assert_eq!(failure.kind, FailureKind::Quota);
        assert_eq!(
            failure.detail.to_string(),
            format!("lab reported an error instead of an answer: {quota}")
        );
    }
    let server = Server::start([json_answer(200, failed_response)]).await;
    assert_eq!(failed(ask_once(&lab(&server), request()).await).kind, FailureKind::Quota);
}
