//! Anthropic's messages: what is asked, and what is made of the answers as the vendor writes them.

use quorate_contract::{Effort, FailureKind, ModelParameters, RunnerSpec, StopReason, Usage};
use quorate_engine::Request;
use quorate_runners::{ModelRunner, WireFormat};
use serde_json::{Value, json};

use crate::dialect::Dialect;
use crate::dialect::messages::{Messages, frame, said};
use crate::helpers::*;
use crate::server::{Server, Step, chunked, json as json_answer, stream};

fn claude(server: &Server) -> ModelRunner {
    let mut config = provider(&server.url());
    config.wire = WireFormat::Anthropic;
    ModelRunner::new(config).expect("a good configuration")
}

fn fine() -> Vec<Step> {
    Messages.answer(false, "Yes.")
}

fn refuses(words: &str) -> Vec<Step> {
    let error = json!({ "type": "invalid_request_error", "message": words });
    json_answer(400, json!({ "type": "error", "error": error, "request_id": "req_011CQ" }))
}

fn thinking(effort: Effort) -> ModelParameters {
    ModelParameters { effort: Some(effort), temperature: Some(0.5), top_p: Some(0.9), ..Default::default() }
}

#[tokio::test]
async fn a_turn_is_sent_in_blocks_that_end_where_the_cache_shall() {
    let server = Server::start([fine()]).await;
    let mut turn = request();
    let parameters = ModelParameters {
        temperature: Some(1.5),
        top_p: Some(0.9),
        max_tokens: Some(99),
        effort: None,
        thinking_tokens: None,
        context_tokens: None,
    };
    turn.runner = model(parameters);
    turn.prompt.messages = vec![user("Which one?"), assistant("SQLite."), user("Ben: 为何?\n\nNow vote.")];
    turn.prompt.task_at = "Ben: 为何?\n\n".len();
    turn.prompt.schema = Some(vote_schema());

    let answer = answered(ask(&claude(&server), turn).await);

    assert_eq!((answer.text.as_str(), answer.stop), ("Yes.", StopReason::Stop));
    assert_eq!(answer.usage, Usage { input_tokens: 20, output_tokens: 5, ..Usage::default() });
    let seen = &server.seen()[0];
    assert_eq!(seen.line, "POST /v1/messages");
    assert_eq!(seen.headers["x-api-key"], KEY);
    assert_eq!(seen.headers["anthropic-version"], "2023-06-01");
    assert!(!seen.headers.contains_key("authorization"));
    let mark = json!({ "type": "ephemeral" });
    let expected = json!({
        "model": "qwen3",
        "system": [{ "type": "text", "text": "You are Ada.", "cache_control": mark }],
        "messages": [
            { "role": "user", "content": [{ "type": "text", "text": "Which one?" }] },
            { "role": "assistant", "content": [{ "type": "text", "text": "SQLite." }] },
            { "role": "user", "content": [
                { "type": "text", "text": "Ben: 为何?\n\n", "cache_control": mark },
                { "type": "text", "text": "Now vote." },
            ] },
        ],
        "max_tokens": 99,
        "temperature": 1.0,
        "tools": [{
            "name": "vote",
            "description": "Hands in your answer.",
            "input_schema": *vote_schema().schema,
        }],
        "tool_choice": { "type": "tool", "name": "vote" },
    });
    assert_eq!(seen.body, expected);
}

#[tokio::test]
async fn the_mark_stands_before_the_task_wherever_that_begins_and_no_block_is_blank() {
    let sent = async |messages: Vec<quorate_contract::PromptMessage>, task_at: usize| {
        let server = Server::start([fine()]).await;
        let mut turn = request();
        (turn.prompt.messages, turn.prompt.task_at, turn.prompt.system) = (messages, task_at, String::new());
        answered(ask(&claude(&server), turn).await);
        let body = server.seen()[0].body.clone();
        assert_eq!(body.get("system"), None, "an empty instruction is refused");
        body["messages"].clone()
    };
    let text = |text: &str| json!({ "type": "text", "text": text });
    let marked =
        |text: &str| json!({ "type": "text", "text": text, "cache_control": { "type": "ephemeral" } });
    let told = |role: &str, content: Value| json!({ "role": role, "content": content });

    let repair = sent(vec![user("a"), assistant("b"), user("Again.")], 0).await;
    let expected = json!([
        told("user", json!([text("a")])),
        told("assistant", json!([marked("b")])),
        told("user", json!([text("Again.")]))
    ]);
    assert_eq!(repair, expected, "the task is the whole message");
    let only = sent(vec![user("Go.")], 0).await;
    assert_eq!(only, json!([told("user", json!([text("Go.")]))]));
    let blank = sent(vec![user("\n\nGo.")], 2).await;
    assert_eq!(blank, json!([told("user", json!([text("\n\nGo.")]))]), "nothing before the task");
    let joined = sent(vec![user("a"), user("bGo.")], 1).await;
    assert_eq!(joined, json!([told("user", json!([marked("a\n\nb"), text("Go.")]))]));
    let amid = sent(vec![user("众Go.")], 1).await;
    assert_eq!(amid, json!([told("user", json!([text("众Go.")]))]), "never amid a character");
    let closed = sent(vec![user("a"), assistant("b")], 0).await;
    assert_eq!(closed[2], told("user", json!([text("Please go on.")])));
}

#[tokio::test]
async fn a_model_that_thinks_has_its_budget_on_top_of_the_answers_tokens() {
    let server = Server::start([fine(), fine(), fine()]).await;
    let lab = claude(&server);
    for effort in [Effort::Medium, Effort::None] {
        let mut turn = request();
        turn.runner = model(thinking(effort));
        answered(ask(&lab, turn).await);
    }
    let mut turn = request();
    (turn.runner, turn.prompt.schema) = (model(thinking(Effort::Low)), Some(vote_schema()));
    answered(ask(&lab, turn).await);

    let seen = server.seen();
    let body = &seen[0].body;
    assert_eq!(body["thinking"], json!({ "type": "enabled", "budget_tokens": 4096 }));
    assert_eq!(body["max_tokens"], 4096 + 300);
    assert_eq!((body.get("temperature"), body.get("top_p")), (None, None));
    assert_eq!(seen[1].body.get("thinking"), None);
    assert_eq!((&seen[1].body["temperature"], seen[1].body.get("top_p")), (&json!(0.5), None));
    let format = &seen[2].body["output_config"]["format"];
    assert_eq!(format["type"], "json_schema");
    assert_eq!(format["schema"]["properties"]["score"], json!({ "type": "integer" }));
    assert_eq!((seen[2].body.get("tools"), seen[2].body.get("tool_choice")), (None, None));
}

#[tokio::test]
async fn newer_models_think_as_they_see_fit_and_some_not_at_all() {
    let server = Server::start([
        refuses(
            "\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \
             \"output_config.effort\" to control thinking behavior.",
        ),
        fine(),
        refuses("adaptive thinking is not supported on this model"),
        fine(),
        fine(),
    ])
    .await;
    let lab = claude(&server);
    for _ in 0..3 {
        let mut turn = request();
        turn.runner = model(thinking(Effort::High));
        answered(ask(&lab, turn).await);
    }
    let seen = server.seen();
    assert_eq!(seen[1].body["thinking"], json!({ "type": "adaptive", "display": "summarized" }));
    assert_eq!(seen[1].body["output_config"], json!({ "effort": "high" }));
    assert_eq!(seen[1].body["max_tokens"], 16_384 + 300);
    for plain in [&seen[3].body, &seen[4].body] {
        assert_eq!((plain.get("thinking"), plain.get("output_config")), (None, None));
        assert_eq!((&plain["max_tokens"], &plain["temperature"]), (&json!(300), &json!(0.5)));
    }
}

/// The body of the first request to a model of the vendor's own table.
async fn first_body(name: &str, effort: Option<Effort>, schema: bool) -> Value {
    let server = Server::start([fine()]).await;
    let mut config = provider(&server.url());
    (config.wire, config.vendor) = (WireFormat::Anthropic, Some("anthropic".to_owned()));
    let mut turn = request();
    turn.prompt.schema = schema.then(vote_schema);
    let parameters = ModelParameters { temperature: Some(0.5), effort, ..ModelParameters::default() };
    turn.runner = model(parameters);
    let RunnerSpec::Model { model, .. } = &mut turn.runner else { panic!("a model") };
    name.clone_into(model);
    answered(ask(&ModelRunner::new(config).expect("a good configuration"), turn).await);
    server.seen()[0].body.clone()
}

#[tokio::test]
async fn what_is_known_of_the_newer_models_needs_no_refusal() {
    let plain = first_body("claude-opus-5-5", None, true).await;
    let absent = |body: &Value, names: &[&str]| names.iter().all(|name| body.get(name).is_none());
    assert!(absent(&plain, &["temperature", "top_p", "thinking", "tools", "tool_choice"]), "{plain}");
    assert_eq!(plain["output_config"]["format"]["type"], "json_schema", "no tool can be forced");
    let thinks = first_body("claude-sonnet-5-5", Some(Effort::High), false).await;
    assert_eq!(thinks["thinking"], json!({ "type": "adaptive", "display": "summarized" }));
    assert_eq!(thinks["output_config"], json!({ "effort": "high" }));
    let forced = first_body("claude-haiku-5-5", None, true).await;
    assert_eq!(forced["tool_choice"]["type"], "tool");
    let older = first_body("claude-haiku-4-5", Some(Effort::Medium), false).await;
    assert_eq!(older["thinking"], json!({ "type": "enabled", "budget_tokens": 4096 }));
    let older = first_body("claude-haiku-4-5", None, true).await;
    assert_eq!((&older["temperature"], &older["tool_choice"]["type"]), (&json!(0.5), &json!("tool")));
}

#[tokio::test]
async fn a_model_that_thinks_unasked_is_told_not_to_as_far_as_it_can_be() {
    for (name, thinking, config) in [
        ("claude-haiku-5-5", json!({ "type": "disabled" }), Value::Null),
        ("claude-sonnet-5-5", json!({ "type": "between_tools" }), Value::Null),
        ("claude-opus-5-5", Value::Null, json!({ "effort": "low" })),
        ("claude-opus-4-6", Value::Null, Value::Null),
        ("claude-haiku-4-5", Value::Null, Value::Null),
    ] {
        let body = first_body(name, Some(Effort::None), false).await;
        assert_eq!((&body["thinking"], &body["output_config"]), (&thinking, &config), "{name}");
    }
}

#[tokio::test]
async fn what_is_refused_is_left_out_from_then_on() {
    let server = Server::start([
        refuses("system.0.cache_control: Extra inputs are not permitted"),
        refuses("`temperature` is deprecated for this model."),
        refuses("`top_p` is deprecated for this model."),
        refuses("tools.0.custom: For 'integer' type, properties maximum, minimum are not supported"),
        refuses("Thinking may not be enabled when tool_choice forces tool use."),
        refuses("output_config: Extra inputs are not permitted"),
        fine(),
        fine(),
    ])
    .await;
    let mut config = provider(&server.url());
    (config.wire, config.retries) = (WireFormat::Anthropic, 0); // None of this counts as one.
    let lab = ModelRunner::new(config).expect("a good configuration");
    for _ in 0..2 {
        let mut turn = request();
        let parameters = ModelParameters { effort: None, ..thinking(Effort::None) };
        (turn.runner, turn.prompt.schema) = (model(parameters), Some(vote_schema()));
        answered(ask(&lab, turn).await);
    }
    let seen = server.seen();
    assert_eq!(seen[2].body["top_p"], 0.9, "what is left of the two");
    assert_eq!(seen[4].body["tools"][0]["input_schema"]["properties"]["score"], json!({ "type": "integer" }));
    assert_eq!(seen[5].body["output_config"]["format"]["type"], "json_schema");
    let plain = json!({
        "model": "qwen3",
        "system": [{ "type": "text", "text": "You are Ada." }],
        "messages": [{ "role": "user", "content": [{ "type": "text", "text": "Which database?" }] }],
        "max_tokens": 300,
    });
    assert_eq!((seen.len(), &seen[6].body, &seen[7].body), (8, &plain, &plain));
}

/// A stream as it was recorded: thinking with its signature, a ping, words, a tool and its input.
fn recorded() -> String {
    let delta = |index: u32, delta: Value| {
        frame(json!({ "type": "content_block_delta", "index": index, "delta": delta }))
    };
    let start = |index: u32, block: Value| {
        frame(json!({ "type": "content_block_start", "index": index, "content_block": block }))
    };
    let stop = |index: u32| frame(json!({ "type": "content_block_stop", "index": index }));
    [
        frame(json!({ "type": "message_start", "message": {
            "model": "claude-sonnet-4-5", "id": "msg_011C", "type": "message", "role": "assistant",
            "content": [], "stop_reason": null, "stop_sequence": null,
            "usage": { "input_tokens": 7, "cache_creation_input_tokens": 200, "cache_read_input_tokens": 3000,
                "cache_creation": { "ephemeral_5m_input_tokens": 200, "ephemeral_1h_input_tokens": 0 },
                "output_tokens": 2, "service_tier": "standard" },
        } })),
        start(0, json!({ "type": "thinking", "thinking": "", "signature": "" })),
        frame(json!({ "type": "ping" })),
        delta(0, json!({ "type": "thinking_delta", "thinking": "想" })),
        delta(0, json!({ "type": "thinking_delta", "thinking": "一想" })),
        delta(0, json!({ "type": "signature_delta", "signature": "EsECCokBCBAYAg==" })),
        stop(0),
        start(1, json!({ "type": "redacted_thinking", "data": "EmwKAhgBEgy3va3pzix" })),
        stop(1),
        start(2, json!({ "type": "text", "text": "" })),
        delta(2, json!({ "type": "text_delta", "text": "My vote:" })),
        stop(2),
        start(3, json!({ "type": "tool_use", "id": "toolu_01", "name": "vote", "input": {} })),
        delta(3, json!({ "type": "input_json_delta", "partial_json": "" })),
        delta(3, json!({ "type": "input_json_delta", "partial_json": "{\"score\": 7" })),
        frame(json!({ "type": "something_new", "content": 3 })),
        delta(3, json!({ "type": "input_json_delta", "partial_json": "0, \"reason\": \"众议\"}" })),
        stop(3),
        frame(json!({ "type": "message_delta",
            "delta": { "stop_reason": "tool_use", "stop_sequence": null },
            "usage": { "output_tokens": 89, "output_tokens_details": { "thinking_tokens": 60 } } })),
        frame(json!({ "type": "message_stop" })),
    ]
    .concat()
}

#[tokio::test]
async fn a_recorded_stream_is_read_wherever_it_is_cut() {
    for wire in [recorded(), recorded().replace('\n', "\r\n")] {
        for size in [1, 7, 64, 100_000] {
            let server = Server::start([chunked(wire.as_bytes().chunks(size))]).await;
            let (outcome, ear) = listen(&claude(&server), votes()).await;
            let answer = answered(outcome);
            assert_eq!(answer.text, "My vote:\n{\"score\": 70, \"reason\": \"众议\"}");
            assert_eq!(answer.reasoning.as_deref(), Some("想一想"));
            assert_eq!((ear.answer(), ear.reasoning()), (answer.text, "想一想".to_owned()));
            let expected = Usage {
                input_tokens: 3207,
                output_tokens: 89,
                reasoning_tokens: 60,
                cached_tokens: 3000,
                cache_write_tokens: 200,
                searches: 0,
                estimated: false,
            };
            assert_eq!((answer.usage, answer.stop), (expected, StopReason::Stop));
            assert_eq!(server.seen()[0].body["stream"], true);
        }
    }
}

/// A request for a vote, which the model hands in through a tool.
fn votes() -> Request {
    let mut request = request();
    request.prompt.schema = Some(vote_schema());
    request
}

#[tokio::test]
async fn arguments_of_a_tool_that_nobody_offered_are_no_answer() {
    let recorded = recorded().replace("\"name\":\"vote\"", "\"name\":\"look_up\"");
    let server = Server::start([chunked(recorded.as_bytes().chunks(64))]).await;
    let (outcome, ear) = listen(&claude(&server), votes()).await;
    assert_eq!((answered(outcome).text, ear.answer()), ("My vote:".to_owned(), "My vote:".to_owned()));
    let content = json!([
        { "type": "text", "text": "SQLite." },
        { "type": "tool_use", "id": "toolu_01", "name": "look_up", "input": { "place": "Paris" } },
    ]);
    let server = Server::start([said(false, content, "tool_use", json!({ "output_tokens": 5 }))]).await;
    assert_eq!(answered(ask(&claude(&server), request()).await).text, "SQLite.");
}

#[tokio::test]
async fn a_whole_message_is_read_block_by_block() {
    let content = json!([
        { "type": "thinking", "thinking": "Hm.", "signature": "Es==" },
        { "type": "redacted_thinking", "data": "Em==" },
        { "type": "tool_use", "id": "toolu_01", "name": "vote", "input": { "score": 70, "reason": "x" } },
    ]);
    let usage = json!({ "input_tokens": 7, "cache_creation_input_tokens": null,
        "cache_read_input_tokens": 13, "output_tokens": 5 });
    let server = Server::start([said(false, content, "tool_use", usage)]).await;
    let answer = answered(ask(&claude(&server), votes()).await);
    let vote: Value = serde_json::from_str(&answer.text).expect("the tool's input");
    assert_eq!(vote, json!({ "score": 70, "reason": "x" }));
    assert_eq!(answer.reasoning.as_deref(), Some("Hm."));
    assert_eq!((answer.usage.input_tokens, answer.usage.cached_tokens), (20, 13));
}

#[tokio::test]
async fn a_later_count_holds_even_when_it_names_less() {
    let start = json!({ "type": "message_start", "message": { "content": [],
        "usage": { "input_tokens": 0, "cache_read_input_tokens": 16, "output_tokens": 0 } } });
    let text = json!({ "type": "content_block_delta", "index": 0,
        "delta": { "type": "text_delta", "text": "Yes." } });
    let end = json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" },
        "usage": { "input_tokens": 4, "output_tokens": 5 } });
    // No `message_stop`: the answer is complete all the same.
    let server = Server::start([stream([start, text, end].map(frame))]).await;
    let answer = answered(listen(&claude(&server), request()).await.0);
    let usage = answer.usage;
    assert_eq!((usage.input_tokens, usage.cached_tokens, usage.output_tokens), (20, 16, 5));
}

#[tokio::test]
async fn every_reason_to_stop_is_known() {
    for (reason, stop) in [
        ("end_turn", StopReason::Stop),
        ("stop_sequence", StopReason::Stop),
        ("pause_turn", StopReason::Stop),
        ("tool_use", StopReason::Stop),
        ("max_tokens", StopReason::Length),
        ("model_context_window_exceeded", StopReason::Length),
        ("refusal", StopReason::ContentFilter),
    ] {
        for streamed in [true, false] {
            let content = json!([{ "type": "text", "text": "Half" }]);
            let usage = json!({ "input_tokens": 20, "output_tokens": 5 });
            let server = Server::start([said(streamed, content, reason, usage)]).await;
            let lab = claude(&server);
            let outcome = if streamed { listen(&lab, request()).await.0 } else { ask(&lab, request()).await };
            assert_eq!(answered(outcome).stop, stop, "{reason}");
        }
    }
    let explained = [
        json!({ "type": "message_start", "message": { "content": [], "usage": { "input_tokens": 20 } } }),
        json!({ "type": "message_delta", "usage": { "output_tokens": 5 }, "delta": {
            "stop_reason": "refusal",
            "stop_details": { "type": "refusal", "category": "cyber", "explanation": "It was blocked." } } }),
        json!({ "type": "message_stop" }),
    ];
    let server = Server::start([chunked(explained.map(frame))]).await;
    let failure = failed(listen(&claude(&server), request()).await.0);
    assert_eq!(failure.kind, FailureKind::ContentRefused);
    assert_eq!(failure.detail.to_string(), "the model refused: cyber: It was blocked.");
}

#[tokio::test]
async fn errors_are_sorted_by_the_vendors_words() {
    use FailureKind::*;
    for (status, kind, message, expected) in [
        (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", ContextTooLong),
        (
            400,
            "invalid_request_error",
            "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000",
            ContextTooLong,
        ),
        (400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API.", Quota),
        (401, "authentication_error", "invalid x-api-key", Authentication),
        (403, "permission_error", "Your API key does not have permission", Authentication),
        (404, "not_found_error", "model: claude-9", ModelUnknown),
        (413, "request_too_large", "Request exceeds the maximum size", ContextTooLong),
        (429, "rate_limit_error", "This request would exceed your rate limit", RateLimit),
        (500, "api_error", "Internal server error", Overloaded),
        (529, "overloaded_error", "Overloaded", Overloaded),
    ] {
        let error = json!({ "type": kind, "message": message });
        let body = json!({ "type": "error", "error": error, "request_id": "req_011CQ" });
        let server = Server::start((0..4).map(|_| json_answer(status, body.clone()))).await;
        let failure = failed(ask(&claude(&server), request()).await);
        assert_eq!(failure.kind, expected, "{message}");
        if (status, kind) != (404, "not_found_error") {
            let server = Server::start((0..4).map(|_| stream([frame(body.clone())]))).await;
            let failure = failed(listen_once(&claude(&server), request()).await.0);
            assert_eq!(failure.kind, expected, "as an event: {message}");
        }
    }
}

#[tokio::test]
async fn all_pages_of_the_list_of_models_are_read() {
    let page = |id: &str, more: bool| {
        let model = json!({ "type": "model", "id": id, "display_name": id, "created_at": "2025-01-01" });
        json_answer(200, json!({ "data": [model], "has_more": more, "first_id": id, "last_id": id }))
    };
    let server = Server::start([page("claude-b", true), page("claude-a", false)]).await;
    assert_eq!(claude(&server).list_models().await.expect("a list"), ["claude-a", "claude-b"]);
    let lines: Vec<String> = server.seen().into_iter().map(|seen| seen.line).collect();
    assert_eq!(lines, ["GET /v1/models?limit=1000", "GET /v1/models?limit=1000&after_id=claude-b"]);
}
