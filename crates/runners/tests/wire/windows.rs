//! The sizes that a server names when a prompt does not fit, and in its list of models.

use quorate_contract::{ContextWindow, FailureKind, ModelParameters, RunnerSpec};
use quorate_engine::Request;
use quorate_runners::{ModelRunner, known_window};
use serde_json::json;

use crate::helpers::*;
use crate::server::{Server, json as json_answer};

/// A turn for a model that no other test asks for: what is learned of one holds for the whole program.
fn turn(model: &str) -> Request {
    let runner = RunnerSpec::Model {
        provider: "lab".to_owned(),
        model: model.to_owned(),
        parameters: ModelParameters::default(),
        price: None,
        fallback: None,
    };
    Request { runner, ..request() }
}

fn exceeds(read: u64) -> serde_json::Value {
    json!({ "error": { "code": 400, "type": "exceed_context_size_error", "n_prompt_tokens": read, "n_ctx": 2048,
        "message": format!("request ({read} tokens) exceeds the available context size (2048 tokens)") } })
}

#[tokio::test]
async fn a_refusal_tells_the_window_and_how_long_the_prompt_was() {
    let server = Server::start([json_answer(400, exceeds(2065))]).await;
    let config = provider(&server.url());
    let lab = ModelRunner::new(config.clone()).expect("a good configuration");
    assert_eq!(known_window(&config, "windows-a"), None);
    let failure = failed(ask(&lab, turn("windows-a")).await);
    assert_eq!(failure.kind, FailureKind::ContextTooLong);
    assert_eq!(failure.window, Some(ContextWindow { tokens: 2048, prompt_tokens: Some(2065) }));
    assert_eq!((known_window(&config, "windows-a"), server.seen().len()), (Some(2048), 1));
}

#[tokio::test]
async fn an_answer_that_finds_too_little_room_is_asked_for_with_less_at_once() {
    let refusal = json!({ "object": "error", "message": "'max_tokens' or 'max_completion_tokens' is too large: \
        1500. This model's maximum context length is 2048 tokens and your request has 1000 input tokens \
        (1500 > 2048 - 1000).", "type": "BadRequestError", "code": 400 });
    let server = Server::start([json_answer(400, refusal), good(false, "Yes."), good(false, "Yes.")]).await;
    let lab = runner(&server);
    let mut long = turn("windows-b");
    long.prompt.max_tokens = 1500;
    answered(ask_once(&lab, long.clone()).await);
    long.prompt.max_tokens = 2500;
    answered(ask_once(&lab, long).await);
    let asked: Vec<_> = server.seen().iter().map(|seen| seen.body["max_tokens"].as_u64()).collect();
    assert_eq!(asked[..2], [Some(1500), Some(1032)]);
    assert!(asked[2] < Some(2048), "the window is known by now: {asked:?}");
}

#[tokio::test]
async fn a_list_of_models_tells_their_windows() {
    let list = json!({ "object": "list", "data": [
        { "id": "windows-llama", "meta": { "n_ctx": 2048, "n_ctx_train": 4096 } },
        { "id": "windows-older", "meta": { "n_ctx_train": 4096 } },
        { "id": "windows-vllm", "max_model_len": 8192 },
        { "id": "windows-router", "context_length": 131_072 },
        { "id": "windows-mute", "meta": "none", "context_length": null },
    ] });
    let server = Server::start([json_answer(200, list)]).await;
    let config = provider(&server.url());
    let lab = ModelRunner::new(config.clone()).expect("a good configuration");
    assert_eq!(lab.list_models().await.expect("a list").len(), 5);
    let known = ["llama", "older", "vllm", "router", "mute"]
        .map(|of| known_window(&config, &format!("windows-{of}")));
    assert_eq!(known, [Some(2048), Some(4096), Some(8192), Some(131_072), None]);
}
