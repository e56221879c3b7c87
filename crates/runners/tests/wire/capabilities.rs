//! Servers that refuse a part of the request are asked without it, and not bothered again.

use quorate_contract::{FailureKind, ModelParameters};
use quorate_runners::{ModelRunner, Structured};
use serde_json::{Value, json};

use crate::helpers::*;
use crate::server::{Server, Step, json as json_answer};

fn refuses(words: &str) -> Vec<Step> {
    json_answer(400, json!({ "error": { "message": words, "type": "invalid_request_error" } }))
}

#[tokio::test]
async fn the_format_steps_down_and_the_step_is_remembered() {
    let server = Server::start([
        refuses("Invalid schema for response_format 'vote': 'maxLength' is not permitted."),
        refuses("This response_format type is unavailable now"),
        json_answer(422, json!({ "detail": [{ "loc": ["body", "response_format"], "msg": "bad" }] })),
        good(false, "{}"),
        good(false, "{}"),
    ])
    .await;
    let lab = runner(&server);
    for _ in 0..2 {
        let mut turn = request();
        turn.prompt.schema = Some(vote_schema());
        answered(ask(&lab, turn).await);
    }
    let formats: Vec<Value> = server.seen().iter().map(|seen| seen.body["response_format"].clone()).collect();
    assert_eq!(formats[0]["json_schema"]["schema"], *vote_schema().schema);
    let trimmed = json!({
        "type": "json_schema",
        "json_schema": {
            "name": "vote",
            "schema": {
                "type": "object",
                "properties": { "score": { "type": "integer" }, "reason": { "type": "string" } },
                "required": ["score", "reason"],
                "additionalProperties": false,
            },
            "strict": true,
        },
    });
    assert_eq!(formats[1], trimmed);
    assert_eq!(formats[2], json!({ "type": "json_object" }));
    assert_eq!(formats[3], Value::Null);
    assert_eq!(formats[4], Value::Null, "remembered");
    assert_eq!(server.seen()[3].headers["idempotency-key"], "m-1/speak:r1t2#1~3");
}

#[tokio::test]
async fn a_server_that_breaks_on_its_template_or_grammar_is_asked_otherwise() {
    let breaks = |words: &str| json_answer(500, json!({ "error": { "code": 500, "message": words } }));
    let server = Server::start([
        breaks("System role not supported"),
        breaks("Failed to parse grammar: number of repetitions exceeds sane defaults"),
        good(false, "{}"),
    ])
    .await;
    let mut turn = request();
    turn.prompt.schema = Some(vote_schema());
    answered(ask(&runner(&server), turn).await);
    let seen = server.seen();
    assert_eq!(seen.len(), 3, "no retry is spent on what would break again");
    assert_eq!(seen[1].body["messages"][0]["role"], "user");
    let reason = &seen[2].body["response_format"]["json_schema"]["schema"]["properties"]["reason"];
    assert_eq!(*reason, json!({ "type": "string" }));
}

#[tokio::test]
async fn each_parameter_that_is_refused_is_left_out_from_then_on() {
    let server = Server::start([
        refuses("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        refuses("Unsupported value: 'temperature' does not support 0.2 with this model."),
        refuses("'top_p' is not supported with this model."),
        refuses("Unrecognized request argument supplied: stream_options"),
        refuses("Conversation roles must alternate user/assistant/user/assistant/..."),
        good(true, "Yes."),
        good(true, "Yes."),
    ])
    .await;
    let mut config = provider(&server.url());
    config.retries = 0; // None of this counts as one.
    let lab = ModelRunner::new(config).expect("a good configuration");
    let parameters = ModelParameters {
        temperature: Some(0.2),
        top_p: Some(0.5),
        max_tokens: None,
        effort: None,
        thinking_tokens: None,
        context_tokens: None,
    };
    for _ in 0..2 {
        let mut turn = request();
        turn.runner = model(parameters);
        answered(listen(&lab, turn).await.0);
    }
    let plain = json!({
        "model": "qwen3",
        "messages": [{ "role": "user", "content": "You are Ada.\n\nWhich database?" }],
        "max_completion_tokens": 300,
        "stream": true,
    });
    let seen = server.seen();
    assert_eq!((seen.len(), &seen[5].body, &seen[6].body), (7, &plain, &plain));
    assert_eq!(seen[1].body["temperature"], 0.2, "one thing at a time");
}

#[tokio::test]
async fn a_refusal_that_stays_is_reported_and_nothing_is_learned_from_it() {
    let script = [
        refuses("response_format is not supported"),
        refuses("response_format is not supported"),
        refuses("response_format is not supported"),
        refuses("response_format is not supported"),
        good(false, "{}"),
    ];
    let server = Server::start(script).await;
    let lab = runner(&server);
    let mut turn = request();
    turn.prompt.schema = Some(vote_schema());
    let failure = failed(ask(&lab, turn.clone()).await);
    assert_eq!((failure.kind, server.seen().len()), (FailureKind::BadRequest, 4));
    answered(ask(&lab, turn).await);
    let format = &server.seen()[4].body["response_format"];
    assert_eq!(format["json_schema"]["strict"], true, "the refusal was about something else");
}

#[tokio::test]
async fn a_fixed_format_is_kept() {
    for (structured, expected) in
        [(Structured::JsonObject, json!({ "type": "json_object" })), (Structured::None, Value::Null)]
    {
        let server = Server::start([refuses("no response_format here"), good(false, "{}")]).await;
        let mut config = provider(&server.url());
        config.structured = structured;
        let lab = ModelRunner::new(config).expect("a good configuration");
        let mut turn = request();
        turn.prompt.schema = Some(vote_schema());
        assert_eq!(failed(ask(&lab, turn).await).kind, FailureKind::BadRequest);
        assert_eq!(server.seen()[0].body["response_format"], expected);
    }
}
