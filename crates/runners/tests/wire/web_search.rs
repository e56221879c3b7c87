//! The web search of each vendor: how it is asked for, what an answer says of it, and what goes back with the results of tools.
//! The stand-ins of `crates/vendor_emulators` refuse what the vendors refuse; here the answers are as they are written down.

use std::sync::Arc;

use quorate_contract::{PromptTools, ToolCallId, ToolFailureKind, ToolStep, ToolStepCall};
use quorate_engine::{Request, ToolDefinition};
use quorate_runners::{ModelRunner, WireFormat};
use serde_json::{Value, json};

use crate::helpers::*;
use crate::server::{Server, chunked, json as json_answer};

const PAGE: &str = "https://stats.example/rents";

fn searching(searches: u32) -> Request {
    let mut request = request();
    request.prompt.tools = PromptTools { web_searches: searches, ..PromptTools::default() };
    request
}

fn of(server: &Server, name: &str, wire: WireFormat) -> ModelRunner {
    let mut config = provider(&server.url());
    (config.name, config.wire, config.retries) = (name.to_owned(), wire, 0);
    ModelRunner::new(config).expect("a good configuration")
}

/// What is sent by a provider of this name to a server that refuses it.
async fn sent(name: &str, wire: WireFormat, request: Request) -> Value {
    let server = Server::start([json_answer(400, json!({ "error": { "message": "enough" } }))]).await;
    _ = ask_once(&of(&server, name, wire), request).await;
    server.seen()[0].body.clone()
}

#[tokio::test]
async fn each_vendor_is_asked_in_its_own_way_and_only_where_it_may() {
    let claude = sent("lab", WireFormat::Anthropic, searching(2)).await;
    let tool = json!([{ "type": "web_search_20250305", "name": "web_search", "max_uses": 2 }]);
    assert_eq!(claude["tools"], tool);
    let openai = sent("lab", WireFormat::Responses, searching(3)).await;
    assert_eq!(
        (&openai["tools"], &openai["max_tool_calls"]),
        (&json!([{ "type": "web_search" }]), &json!(3))
    );
    assert_eq!(openai["include"], json!(["web_search_call.action.sources"]));
    let google = sent("lab", WireFormat::Gemini, searching(1)).await;
    assert_eq!(google["tools"], json!([{ "google_search": {} }]));
    let glm = sent("glm", WireFormat::Openai, searching(1)).await;
    let options = &glm["tools"][0]["web_search"];
    assert_eq!(
        (&options["search_engine"], &options["search_result"]),
        (&json!("search_pro_quark"), &json!(true))
    );
    for (name, wire) in [
        ("deepseek", WireFormat::Openai),
        ("lab", WireFormat::Openai),
        ("ollama", WireFormat::Ollama),
        ("deepseek", WireFormat::Anthropic),
    ] {
        let body = sent(name, wire, searching(3)).await;
        assert!(body["tools"].is_null() && body["web_search_options"].is_null(), "{name}: {body}");
    }
    let none = sent("lab", WireFormat::Anthropic, searching(0)).await;
    assert!(none["tools"].is_null(), "{none}");
    // A search and a shape of the answer exclude each other.
    let mut shaped = searching(1);
    shaped.prompt.schema = Some(vote_schema());
    for wire in [WireFormat::Anthropic, WireFormat::Responses, WireFormat::Gemini] {
        let body = sent("lab", wire, shaped.clone()).await.to_string();
        assert!(!body.contains("maxLength") && body.contains("search"), "{body}");
    }
    // Google takes functions or the search.
    let mut both = searching(1);
    both.prompt.tools.may_call = true;
    both.prompt.tools.sources = vec!["repo".to_owned()];
    both.tools = Arc::from([definition()]);
    let body = sent("lab", WireFormat::Gemini, both).await;
    assert!(!body["tools"].to_string().contains("google_search"), "{body}");
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "repo__read_file".to_owned(),
        description: "Reads.".to_owned(),
        parameters: json!({ "type": "object", "properties": {} }),
        effects: false,
    }
}

/// A search that found a page, one that failed, and then a call of a tool.
fn blocks() -> Vec<Value> {
    let found = json!([{ "type": "web_search_result", "url": PAGE, "title": "Rents", "encrypted_content": "sealed",
        "page_age": null }]);
    let error = json!({ "type": "web_search_tool_result_error", "error_code": "max_uses_exceeded" });
    let uses = |id: &str, query: &str| json!({ "type": "server_tool_use", "id": id, "name": "web_search", "input": { "query": query } });
    let result = |id: &str, content: Value| json!({ "type": "web_search_tool_result", "tool_use_id": id, "content": content });
    let cited = json!([{ "type": "web_search_result_location", "url": PAGE, "title": "Rents",
        "encrypted_index": "x", "cited_text": "…" }]);
    vec![
        json!({ "type": "text", "text": "I will search." }),
        uses("s1", "rents"),
        result("s1", found),
        uses("s2", "more"),
        result("s2", error),
        json!({ "type": "text", "text": "Rents fell." , "citations": cited }),
        json!({ "type": "tool_use", "id": "toolu_a", "name": "repo__read_file", "input": {} }),
    ]
}

fn whole() -> Value {
    let usage =
        json!({ "input_tokens": 20, "output_tokens": 5, "server_tool_use": { "web_search_requests": 1 } });
    json!({ "id": "msg_1", "type": "message", "role": "assistant", "content": blocks(),
        "stop_reason": "tool_use", "usage": usage })
}

fn streamed() -> Vec<String> {
    let event = |kind: &str, mut data: Value| {
        data["type"] = kind.into();
        format!("event: {kind}\ndata: {data}\n\n")
    };
    let usage = json!({ "input_tokens": 20, "output_tokens": 1 });
    let mut events = vec![event("message_start", json!({ "message": { "content": [], "usage": usage } }))];
    for (index, mut block) in blocks().into_iter().enumerate() {
        let mut deltas = Vec::new();
        match block["type"].as_str() {
            Some("text") => {
                for citation in block["citations"].as_array().into_iter().flatten() {
                    deltas.push(json!({ "type": "citations_delta", "citation": citation }));
                }
                deltas.push(json!({ "type": "text_delta", "text": block["text"] }));
                (block["text"], block["citations"]) = ("".into(), json!([]));
            }
            Some("server_tool_use") => {
                let input = block["input"].to_string();
                let (first, rest) = input.split_at(5);
                for piece in ["", first, rest] {
                    deltas.push(json!({ "type": "input_json_delta", "partial_json": piece }));
                }
                block["input"] = json!({});
            }
            _ => {}
        }
        events.push(event("content_block_start", json!({ "index": index, "content_block": block })));
        for delta in deltas {
            events.push(event("content_block_delta", json!({ "index": index, "delta": delta })));
        }
        events.push(event("content_block_stop", json!({ "index": index })));
    }
    let usage = json!({ "output_tokens": 5, "server_tool_use": { "web_search_requests": 1 } });
    events.push(event("message_delta", json!({ "delta": { "stop_reason": "tool_use" }, "usage": usage })));
    events.push(event("message_stop", json!({})));
    events
}

#[tokio::test]
async fn a_search_before_a_call_comes_back_with_its_results() {
    for is_streamed in [false, true] {
        let first = if is_streamed { chunked(streamed()) } else { json_answer(200, whole()) };
        let enough = json_answer(400, json!({ "error": { "message": "enough" } }));
        let server = Server::start([first, enough]).await;
        let lab = of(&server, "lab", WireFormat::Anthropic);
        let mut turn = searching(3);
        turn.prompt.tools.may_call = true;
        turn.prompt.tools.sources = vec!["repo".to_owned()];
        turn.tools = Arc::from([definition()]);
        let outcome = match is_streamed {
            true => listen_once(&lab, turn.clone()).await.0,
            false => ask_once(&lab, turn.clone()).await,
        };
        let (answer, requests) = called(outcome);
        assert_eq!(answer.text, "I will search.\n\nRents fell.", "streamed: {is_streamed}");
        assert_eq!(answer.usage.searches, 1);
        let searches = &answer.web.searches;
        assert_eq!((searches[0].query.as_str(), searches[1].query.as_str()), ("rents", "more"));
        assert_eq!(searches[0].pages[0].address(), PAGE);
        assert_eq!(searches[1].problem, Some((ToolFailureKind::TooMany, "max_uses_exceeded".to_owned())));
        assert_eq!(answer.web.cited[0].passages, ["Rents fell."]);
        turn.prompt.tools.steps = vec![ToolStep {
            text: answer.text,
            continuation: requests.continuation,
            calls: vec![ToolStepCall {
                id: ToolCallId(3),
                tool: requests.calls[0].tool.clone(),
                arguments: "{}".to_owned(),
                result: "[t3]\nx".to_owned(),
                failed: false,
            }],
        }];
        _ = ask_once(&lab, turn).await;
        let messages = server.seen()[1].body["messages"].clone();
        let said = messages.as_array().and_then(|all| all.iter().rev().nth(1)).expect("the answer");
        let kinds: Vec<&str> =
            said["content"].as_array().into_iter().flatten().filter_map(|one| one["type"].as_str()).collect();
        let (used, result) = ("server_tool_use", "web_search_tool_result");
        assert_eq!(kinds, [used, result, used, result, "text", "tool_use"], "{said}");
        assert_eq!(said["content"][0]["input"]["query"], "rents");
        assert_eq!(said["content"][1]["content"][0]["encrypted_content"], "sealed");
    }
}

#[tokio::test]
async fn what_a_vendor_writes_into_its_citations_becomes_no_link_and_no_secret() {
    let annotation = |url: &str, start: u64| json!({ "type": "url_citation", "url": url, "title": format!("T {KEY}"), "start_index": start, "end_index": 99 });
    let annotations = json!([
        annotation(PAGE, 12),
        annotation("javascript:alert(1)", 12),
        annotation(&format!("https://a.example/{KEY}"), 100_000),
        { "type": "file_citation", "url": "https://b.example" }, "garbage", null,
    ]);
    let message = json!({ "type": "message", "role": "assistant", "content": [
        { "type": "output_text", "text": "It is. Yes. (link)", "annotations": annotations }] });
    let search = json!({ "type": "web_search_call", "id": "ws_1", "status": "completed",
        "action": { "type": "search", "query": "rents", "sources": [{ "type": "url", "url": PAGE }, 7] } });
    let opened = json!({ "type": "web_search_call", "id": "ws_2", "status": "completed",
        "action": { "type": "open_page", "url": "https://c.example" } });
    let usage = json!({ "input_tokens": 20, "output_tokens": 5 });
    let whole = json!({ "id": "r", "object": "response", "status": "completed", "usage": usage,
        "output": [search, opened, message] });
    let server = Server::start([json_answer(200, whole)]).await;
    let answer = answered(ask_once(&of(&server, "lab", WireFormat::Responses), searching(3)).await);
    assert_eq!(answer.usage.searches, 1, "opening a page is no search");
    let cited: Vec<&str> = answer.web.cited.iter().map(|one| one.page.address()).collect();
    assert_eq!(cited.len(), 2, "{cited:?}");
    assert_eq!((cited[0], answer.web.cited[0].passages[0].as_str()), (PAGE, "Yes."));
    assert!(!format!("{:?}", answer.web).contains(KEY));
}
