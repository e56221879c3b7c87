//! Images in prompts: each format's own way, and models that see none.

use std::sync::Arc;

use quorate_contract::{FileId, PromptImage};
use quorate_engine::{LoadedImage, Request};
use quorate_runners::{ModelRunner, WireFormat};
use serde_json::{Value, json};

use crate::helpers::*;
use crate::server::{Server, Step, json as json_answer};

const PNG: &str = "iVBORw0KGgo=";

/// A turn that shows one image between two texts.
fn showing() -> Request {
    let mut turn = request();
    let (before, after) = ("<image file=\"f1\"></image>", "\n\n<task>Speak.</task>");
    turn.prompt.messages = vec![user(&format!("{before}{after}"))];
    turn.prompt.task_at = before.len() + 2;
    turn.prompt.messages[0].images.push(PromptImage {
        offset: before.len(),
        file: FileId(1),
        name: "chart.png".to_owned(),
        media_type: "image/webp".to_owned(),
        size: 4711,
        sha256: "a1".to_owned(),
        width: 1200,
        height: 800,
    });
    let loaded = LoadedImage { sha256: "a1".to_owned(), media_type: "image/png", base64: PNG.into() };
    turn.images = Arc::from([loaded]);
    turn
}

/// The runner of a format, for a model that the tables do not know.
fn of(server: &Server, wire: WireFormat) -> ModelRunner {
    let mut config = provider(&server.url());
    config.wire = wire;
    ModelRunner::new(config).expect("a good configuration")
}

/// What is sent to a server of this format, which refuses nothing.
async fn sent(wire: WireFormat) -> Value {
    let server = Server::start([json_answer(400, json!({ "error": { "message": "enough" } }))]).await;
    _ = ask_once(&of(&server, wire), showing()).await;
    server.seen()[0].body.clone()
}

#[tokio::test]
async fn an_image_stands_behind_the_text_that_names_it_in_each_formats_own_form() {
    let (named, task) = ("<image file=\"f1\"></image>", "<task>Speak.</task>");
    let uri = format!("data:image/png;base64,{PNG}");
    let chat = sent(WireFormat::Openai).await;
    let parts = json!([
        { "type": "text", "text": named },
        { "type": "image_url", "image_url": { "url": uri } },
        { "type": "text", "text": task },
    ]);
    assert_eq!(chat["messages"][1]["content"], parts);
    assert_eq!(chat["messages"][0]["content"], "You are Ada.", "texts alone stay a text");
    let responses = sent(WireFormat::Responses).await;
    let parts = json!([
        { "type": "input_text", "text": named },
        { "type": "input_image", "image_url": uri, "detail": "auto" },
        { "type": "input_text", "text": task },
    ]);
    assert_eq!(responses["input"][0]["content"], parts);
    let anthropic = sent(WireFormat::Anthropic).await;
    let cached = json!({ "type": "ephemeral" });
    let blocks = json!([
        { "type": "text", "text": named },
        { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": PNG },
          "cache_control": cached },
        { "type": "text", "text": task },
    ]);
    assert_eq!(anthropic["messages"][0]["content"], blocks);
    let gemini = sent(WireFormat::Gemini).await;
    let parts = json!([
        { "text": named },
        { "inlineData": { "mimeType": "image/png", "data": PNG } },
        { "text": task },
    ]);
    assert_eq!(gemini["contents"][0]["parts"], parts);
    let ollama = sent(WireFormat::Ollama).await;
    let message = json!({ "role": "user", "content": format!("{named}\n\n{task}"), "images": [PNG] });
    assert_eq!(ollama["messages"][1], message);
}

#[tokio::test]
async fn a_model_that_sees_nothing_is_told_so_at_once_and_from_then_on() {
    let refuse = |words: &str| -> Vec<Step> { json_answer(400, json!({ "error": { "message": words } })) };
    let server = Server::start([
        refuse("Invalid content type. image_url is only supported by certain models."),
        good(false, "I cannot see it."),
        good(false, "Still not."),
    ])
    .await;
    let lab = of(&server, WireFormat::Openai);
    for _ in 0..2 {
        answered(ask_once(&lab, showing()).await);
    }
    let seen = server.seen();
    assert_eq!(seen.len(), 3, "asked once more, and not bothered again");
    for body in [&seen[1].body, &seen[2].body] {
        let told = body["messages"][1]["content"].as_str().expect("a text");
        assert!(!body.to_string().contains(PNG));
        let (named, rest) = told.split_once("</image>").expect("the image is named");
        assert!(named.contains("f1") && rest.contains("You do not see this image"), "{told}");
        assert!(told.ends_with("<task>Speak.</task>"));
    }
    // Another program of the same address and model knows it as well.
    let server_knows = of(&server, WireFormat::Openai);
    _ = ask_once(&server_knows, showing()).await;
    assert!(!server.seen()[3].body.to_string().contains(PNG));
}

#[tokio::test]
async fn one_bad_image_is_left_out_of_one_call() {
    let server = Server::start([
        json_answer(400, json!({ "error": { "message": "Could not process image" } })),
        good(false, "Yes."),
        good(false, "Yes."),
    ])
    .await;
    let lab = of(&server, WireFormat::Openai);
    for _ in 0..2 {
        answered(ask_once(&lab, showing()).await);
    }
    let shows: Vec<bool> = server.seen().iter().map(|seen| seen.body.to_string().contains(PNG)).collect();
    assert_eq!(shows, [true, false, true]);
}

#[tokio::test]
async fn a_vendor_whose_models_are_known_to_see_nothing_is_not_sent_any() {
    let server = Server::start([good(false, "Yes.")]).await;
    let mut config = provider(&server.url());
    config.vendor = Some("deepseek".to_owned());
    answered(ask_once(&ModelRunner::new(config).expect("good"), showing()).await);
    assert!(!server.seen()[0].body.to_string().contains(PNG));
}

#[tokio::test]
async fn an_image_whose_content_is_not_here_is_named_only() {
    let server = Server::start([good(false, "Yes.")]).await;
    let turn = Request { images: Arc::from([]), ..showing() };
    answered(ask_once(&of(&server, WireFormat::Openai), turn).await);
    let body = server.seen()[0].body.to_string();
    assert!(body.contains("You do not see this image"), "{body}");
}
