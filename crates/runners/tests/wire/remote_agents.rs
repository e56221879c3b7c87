//! Remote agents of the Agent2Agent protocol, on good and on bad days. The real SDKs are in `clients/a2a`.

use std::time::Duration;

use quorate_contract::{FailureKind, RunnerSpec};
use quorate_engine::{FragmentSink, Request, Runner};
use quorate_runners::{A2A_AGENT, ModelRunner, ProviderConfig, Secret, Timeouts, WireFormat};
use serde_json::{Value, json};

use crate::helpers::{Ear, KEY, answered, failed, request};
use crate::server::{Server, Step, json as json_answer, status, stream, stream_head};

/// A card of version 1.0 that says where the agent is by a name that does not matter.
fn card(streaming: bool) -> Value {
    json!({
        "name": "Archivist", "description": "Knows\nthe archive", "version": "7",
        "supportedInterfaces": [{ "url": "/v1/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0" }],
        "capabilities": { "streaming": streaming }, "skills": [{ "id": "s", "name": "Looking up" }],
    })
}

fn config(server: &Server) -> ProviderConfig {
    let mut config = ProviderConfig::new("archive", server.url().parse().expect("a URL"));
    config.wire = WireFormat::A2a;
    config.key = Some(Secret::new(KEY));
    config.timeouts = Timeouts { backoff_ms: 0, ..Timeouts::default() };
    config.retries = 0;
    config
}

fn agent(server: &Server) -> ModelRunner {
    ModelRunner::new(config(server)).expect("a good configuration")
}

fn turn() -> Request {
    let RunnerSpec::Model { parameters, .. } = request().runner else { panic!("a model") };
    let runner = RunnerSpec::Model {
        provider: "archive".to_owned(),
        model: A2A_AGENT.to_owned(),
        parameters,
        price: None,
        fallback: None,
    };
    Request { runner, ..request() }
}

fn result(value: Value) -> Vec<Step> {
    json_answer(200, json!({ "jsonrpc": "2.0", "id": 1, "result": value }))
}

fn task(state: &str, more: Value) -> Value {
    let mut task = json!({ "id": "t1", "contextId": "c1", "status": { "state": state } });
    for (name, value) in more.as_object().into_iter().flatten() {
        task[name] = value.clone();
    }
    task
}

fn words(text: &str) -> Value {
    json!({ "artifacts": [{ "artifactId": "a", "parts": [{ "text": text }] }] })
}

fn event(value: Value) -> String {
    format!("data: {}\n\n", json!({ "jsonrpc": "2.0", "id": 1, "result": value }))
}

#[tokio::test]
async fn a_task_is_asked_for_until_it_is_over_and_its_context_is_kept() {
    let server = Server::start([
        json_answer(200, card(false)),
        result(json!({ "task": task("TASK_STATE_WORKING", json!({})) })),
        result(task("TASK_STATE_WORKING", json!({}))),
        result(task("TASK_STATE_COMPLETED", words("SQLite."))),
        result(json!({ "message": { "messageId": "m", "contextId": "c1", "parts": [{ "text": "Still SQLite." }] } })),
    ])
    .await;
    let agent = agent(&server);
    assert_eq!(answered(agent.run(turn(), FragmentSink::nobody()).await).text, "SQLite.");
    assert_eq!(answered(agent.run(turn(), FragmentSink::nobody()).await).text, "Still SQLite.");
    let seen = server.seen();
    let methods: Vec<&str> = seen.iter().filter_map(|seen| seen.body["method"].as_str()).collect();
    assert_eq!(methods, ["SendMessage", "GetTask", "GetTask", "SendMessage"]);
    let first = &seen[1].body["params"]["message"];
    assert!(first["contextId"].is_null() && seen[4].body["params"]["message"]["contextId"] == "c1");
    let text = first["parts"][0]["text"].as_str().expect("text");
    assert!(text.contains("You are Ada.") && text.contains("Which database?"), "{text}");
    assert_eq!(first["parts"][1]["data"]["speaker"], "Ada");
    assert_eq!(seen[1].headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(seen[1].headers["a2a-version"], "1.0");
    assert_eq!(seen[2].body["params"]["id"], "t1");
}

#[tokio::test]
async fn an_answer_is_streamed_without_the_key_and_a_stream_that_breaks_is_followed_up() {
    let piece = |text: &str, append: bool| {
        event(json!({ "artifactUpdate": { "taskId": "t1", "contextId": "c1", "append": append,
            "artifact": { "artifactId": "a", "parts": [{ "text": text }] } } }))
    };
    let begun = event(json!({ "task": task("TASK_STATE_SUBMITTED", json!({})) }));
    let over = event(
        json!({ "statusUpdate": { "taskId": "t1", "contextId": "c1", "status": { "state": "TASK_STATE_COMPLETED" } } }),
    );
    let said = format!("The key is {KEY}, ");
    let server = Server::start([
        json_answer(200, card(true)),
        stream([
            begun.clone(),
            piece(&said[..20], false),
            piece(&said[20..], true),
            piece("no more.", true),
            over,
        ]),
        stream([begun, piece("Half", false)]),
        result(task("TASK_STATE_COMPLETED", words("Half and whole."))),
    ])
    .await;
    let agent = agent(&server);
    let ear = Ear::default();
    let whole = answered(agent.run(turn(), ear.sink()).await).text;
    assert_eq!(
        (whole.as_str(), ear.answer().as_str()),
        ("The key is [key], no more.", "The key is [key], no more.")
    );
    assert_eq!(answered(agent.run(turn(), FragmentSink::nobody()).await).text, "Half and whole.");
    assert_eq!(server.seen()[1].body["method"], "SendStreamingMessage");
}

#[tokio::test]
async fn a_card_that_promises_a_stream_that_there_is_not_costs_no_answer() {
    let refused =
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32004, "message": "no streaming" } });
    let server = Server::start([
        json_answer(200, card(true)),
        json_answer(200, refused),
        result(json!({ "message": { "messageId": "m", "parts": [{ "text": "Whole." }] } })),
    ])
    .await;
    assert_eq!(answered(agent(&server).run(turn(), FragmentSink::nobody()).await).text, "Whole.");
}

#[tokio::test]
async fn what_is_no_answer_is_told_apart_with_what_to_do() {
    let status_said = |state: &str, text: &str| {
        let said = json!({ "role": "ROLE_AGENT", "parts": [{ "text": text }] });
        let mut of = task(state, json!({}));
        of["status"]["message"] = said;
        result(json!({ "task": of }))
    };
    let error =
        |code: i32| json_answer(200, json!({ "error": { "code": code, "message": format!("no, {KEY}") } }));
    let gone = || result(json!({}));
    for (name, script, kind) in [
        (
            "asks",
            vec![status_said("TASK_STATE_INPUT_REQUIRED", "Which city?"), gone()],
            FailureKind::BadRequest,
        ),
        (
            "signs in",
            vec![status_said("TASK_STATE_AUTH_REQUIRED", "Sign in."), gone()],
            FailureKind::Authentication,
        ),
        ("rejects", vec![status_said("TASK_STATE_REJECTED", "Not mine.")], FailureKind::ContentRefused),
        ("fails", vec![status_said("TASK_STATE_FAILED", "Broken.")], FailureKind::AgentFailed),
        ("cancels", vec![status_said("TASK_STATE_CANCELED", "Stopped.")], FailureKind::AgentFailed),
        (
            "is empty",
            vec![result(json!({ "task": task("TASK_STATE_COMPLETED", json!({})) }))],
            FailureKind::Empty,
        ),
        ("refuses the key", vec![status(401, &[], "no")], FailureKind::Authentication),
        ("is not there", vec![status(404, &[], "no")], FailureKind::BadRequest),
        (
            "redirects",
            vec![status(302, &[("location", "http://169.254.169.254/")], "")],
            FailureKind::BadRequest,
        ),
        ("knows no method", vec![error(-32601)], FailureKind::BadRequest),
        ("breaks", vec![error(-32603)], FailureKind::AgentFailed),
        ("is a page", vec![status(200, &[("content-type", "text/html")], "<html>")], FailureKind::Malformed),
        ("talks garbage", vec![json_answer(200, json!({ "result": 7 }))], FailureKind::Malformed),
        (
            "is another",
            vec![
                result(json!({ "task": task("TASK_STATE_WORKING", json!({})) })),
                result(json!({ "id": "t2", "status": { "state": "TASK_STATE_COMPLETED" } })),
                gone(),
            ],
            FailureKind::Malformed,
        ),
        (
            "knows no state",
            vec![result(json!({ "task": task("TASK_STATE_FLYING", json!({})) }))],
            FailureKind::Malformed,
        ),
        ("closes", vec![vec![Step::Close]], FailureKind::Network),
    ] {
        let server = Server::start([json_answer(200, card(false))].into_iter().chain(script)).await;
        let failure = failed(agent(&server).run(turn(), FragmentSink::nobody()).await);
        assert_eq!(failure.kind, kind, "{name}: {failure:?}");
        let told = format!(
            "{} {}",
            failure.detail.in_language(quorate_contract::Language::En),
            failure.hint.in_language(quorate_contract::Language::En)
        );
        assert!(!failure.hint.is_empty() && !told.contains(KEY), "{name}: {told}");
    }
}

#[tokio::test]
async fn a_giant_answer_and_a_stream_without_an_end_are_given_up() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n\"";
    let giant = vec![Step::Bytes(head.into()), Step::Flood(8 << 20), Step::Close];
    let server = Server::start([json_answer(200, card(false)), giant]).await;
    let failure = failed(agent(&server).run(turn(), FragmentSink::nobody()).await);
    assert_eq!(failure.kind, FailureKind::Malformed);
    let flood = vec![stream_head(), Step::Flood(8 << 20), Step::Close];
    let server = Server::start([json_answer(200, card(true)), flood]).await;
    assert_eq!(failed(agent(&server).run(turn(), FragmentSink::nobody()).await).kind, FailureKind::Malformed);
    let begun = event(json!({ "task": task("TASK_STATE_WORKING", json!({})) }));
    let endless = vec![stream_head(), Step::Bytes(begun.into_bytes()), Step::Hang];
    let server = Server::start([json_answer(200, card(true)), endless, result(json!({}))]).await;
    let short = Request { timeout_ms: 300, ..turn() };
    assert_eq!(failed(agent(&server).run(short, FragmentSink::nobody()).await).kind, FailureKind::TimedOut);
    until_cancelled(&server).await;
}

/// Waits until the task was cancelled at the agent.
async fn until_cancelled(server: &Server) {
    let cancelled = async {
        while !server
            .seen()
            .iter()
            .any(|seen| seen.body["method"] == "CancelTask" && seen.body["params"]["id"] == "t1")
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), cancelled).await.expect("the task is cancelled");
}

#[tokio::test]
async fn a_call_that_the_meeting_withdraws_is_cancelled_at_the_agent() {
    let working = || result(json!({ "task": task("TASK_STATE_WORKING", json!({})) }));
    let server =
        Server::start([json_answer(200, card(false)), working(), vec![Step::Hang], result(json!({}))]).await;
    let agent = agent(&server);
    let run = agent.run(turn(), FragmentSink::nobody());
    assert!(tokio::time::timeout(Duration::from_millis(600), run).await.is_err(), "it is withdrawn");
    until_cancelled(&server).await;
}

#[tokio::test]
async fn a_card_is_refused_with_what_helps_and_an_older_one_is_found() {
    let elsewhere = json!({ "name": "A", "url": "https://evil.example/rpc", "protocolVersion": "0.3.0" });
    let grpc = json!({ "name": "A", "url": "/x", "preferredTransport": "GRPC" });
    for (name, script, kind) in [
        ("elsewhere", vec![json_answer(200, elsewhere)], FailureKind::BadRequest),
        ("not spoken", vec![json_answer(200, grpc)], FailureKind::BadRequest),
        ("no card", vec![json_answer(200, json!([]))], FailureKind::BadRequest),
        ("a page", vec![status(200, &[("content-type", "text/html")], "<html>")], FailureKind::BadRequest),
        ("nothing", vec![status(404, &[], ""), status(404, &[], "")], FailureKind::BadRequest),
        ("no key", vec![status(401, &[], "")], FailureKind::Authentication),
    ] {
        let server = Server::start(script).await;
        let agent = agent(&server);
        let failure = agent.list_models().await.expect_err(name);
        assert_eq!(failure.kind, kind, "{name}: {failure:?}");
        assert!(!failure.hint.is_empty(), "{name}");
        assert!(
            server.seen().iter().all(|seen| seen.line.starts_with("GET ")),
            "{name}: nothing else was asked"
        );
    }
    let older = json!({ "name": "Elder", "url": "/v1/rpc", "capabilities": {} });
    let before = json!({ "kind": "message", "messageId": "m", "role": "agent", "parts": [{ "kind": "text", "text": "As before." }] });
    let server = Server::start([status(404, &[], ""), json_answer(200, older), result(before)]).await;
    let elder = agent(&server);
    assert_eq!(elder.list_models().await, Ok(vec![A2A_AGENT.to_owned()]));
    assert!(elder.shown_card().await.is_some_and(|card| card.contains("Elder") && card.contains("0.3")));
    assert_eq!(answered(elder.run(turn(), FragmentSink::nobody()).await).text, "As before.");
    let lines: Vec<String> = server.seen().into_iter().map(|seen| seen.line).collect();
    assert_eq!(
        lines,
        ["GET /v1/.well-known/agent-card.json", "GET /v1/.well-known/agent.json", "POST /v1/rpc"]
    );
    assert_eq!(server.seen()[2].body["method"], "message/send");
    assert_eq!(server.seen()[2].body["params"]["message"]["parts"][0]["kind"], "text");
}

#[tokio::test]
async fn images_are_parts_of_the_message_where_the_card_takes_them() {
    for (modes, sees) in [(json!(["text/plain", "image/*"]), true), (json!(["text/plain"]), false)] {
        let mut takes = card(false);
        takes["defaultInputModes"] = modes;
        let answer = result(json!({ "message": { "messageId": "m", "parts": [{ "text": "Yes." }] } }));
        let server = Server::start([json_answer(200, takes), answer]).await;
        let mut asked = turn();
        let offset = asked.prompt.messages[0].content.len();
        asked.prompt.messages[0].images.push(quorate_contract::PromptImage {
            offset,
            file: quorate_contract::FileId(1),
            name: "chart.png".to_owned(),
            media_type: "image/png".to_owned(),
            size: 9,
            sha256: "a1".to_owned(),
            width: 3,
            height: 2,
        });
        let loaded = quorate_engine::LoadedImage {
            sha256: "a1".to_owned(),
            media_type: "image/png",
            base64: "iVBORw0KGgo=".into(),
        };
        asked.images = std::sync::Arc::from([loaded]);
        answered(agent(&server).run(asked, FragmentSink::nobody()).await);
        let seen = server.seen();
        let parts = &seen.last().expect("asked").body["params"]["message"]["parts"];
        let told = parts[0]["text"].as_str().expect("a text").contains("You do not see this image");
        assert_eq!(told, !sees);
        let image = json!({ "raw": "iVBORw0KGgo=", "mediaType": "image/png", "filename": "chart.png" });
        assert_eq!(parts[1] == image, sees, "{parts}");
    }
}
