//! Tools in every format: what is offered, what is called, and how the results come back. The server behind the second
//! request is as strict as the vendors: `judge` refuses what they refuse.

use std::sync::Arc;

use quorate_contract::{
    Effort, ModelParameters, PromptTools, ToolCallId, ToolRequests, ToolStep, ToolStepCall,
};
use quorate_engine::{Request, ToolDefinition};
use quorate_runners::{ModelRunner, WireFormat};
use serde_json::{Value, json};

use crate::dialect::{Dialect, dialects};
use crate::helpers::*;
use crate::server::{Server, Step, chunked, json as json_answer, status};

const READ: &str = "repo__read_file";
const LIST: &str = "repo__list_files";

fn definition(name: &str) -> ToolDefinition {
    ToolDefinition {
        name: name.to_owned(),
        description: "Reads.".to_owned(),
        parameters: json!({
            "type": "object", "properties": { "path": { "type": "string" } }, "required": ["path"],
            "additionalProperties": false,
        }),
        effects: false,
    }
}

/// A question that offers tools, after these steps.
fn asked(steps: Vec<ToolStep>, may_call: bool) -> Request {
    let mut request = request();
    request.prompt.tools = PromptTools { sources: vec!["repo".to_owned()], may_call, steps, web_searches: 0 };
    request.tools = Arc::from([definition(READ), definition(LIST)]);
    request
}

/// The step that follows from calls: the first has a result, further ones have failed.
fn step(text: &str, requests: &ToolRequests) -> ToolStep {
    let calls = requests.calls.iter().zip(1u32..).map(|(call, number)| ToolStepCall {
        id: ToolCallId(number),
        tool: call.tool.clone(),
        arguments: call.arguments.clone(),
        result: format!("[t{number}]\nfn main() {{}}"),
        failed: number > 1,
    });
    ToolStep { text: text.to_owned(), continuation: requests.continuation.clone(), calls: calls.collect() }
}

fn event_of(kind: &str, mut data: Value) -> String {
    data["type"] = kind.into();
    format!("event: {kind}\ndata: {data}\n\n")
}

/// An answer of the vendor that says a word and calls two tools at once.
fn two_calls(format: WireFormat, streamed: bool) -> Vec<Step> {
    let (first, second) = (r#"{"path":"src/main.rs"}"#, r#"{"path":"."}"#);
    match format {
        WireFormat::A2a => unreachable!("a remote agent calls no tools"),
        WireFormat::Openai => {
            let call = |index: u64, id: &str, name: &str, arguments: &str| json!({ "index": index, "id": id, "type": "function", "function": { "name": name, "arguments": arguments } });
            if streamed {
                let more = |index: u64, arguments: &str| json!({ "tool_calls": [{ "index": index, "function": { "arguments": arguments } }] });
                return chunked([
                    event(json!({ "role": "assistant", "reasoning_content": "Look first." }), None),
                    event(json!({ "content": "Let me look." }), None),
                    event(json!({ "tool_calls": [call(0, "call_a", READ, "")] }), None),
                    event(more(0, r#"{"path":"#), None),
                    event(more(0, r#""src/main.rs"}"#), None),
                    event(json!({ "tool_calls": [call(1, "call_b", LIST, second)] }), None),
                    event(json!({}), Some("tool_calls")),
                    "data: [DONE]\n\n".to_owned(),
                ]);
            }
            let mut whole = completion("Let me look.");
            let message = &mut whole["choices"][0]["message"];
            message["reasoning_content"] = "Look first.".into();
            message["tool_calls"] = json!([call(0, "call_a", READ, first), call(1, "call_b", LIST, second)]);
            whole["choices"][0]["finish_reason"] = "tool_calls".into();
            json_answer(200, whole)
        }
        WireFormat::Anthropic => {
            let usage = json!({ "input_tokens": 20, "output_tokens": 5 });
            let uses = |id: &str, name: &str, input: &str| {
                let input: Value = serde_json::from_str(input).expect("JSON");
                json!({ "type": "tool_use", "id": id, "name": name, "input": input })
            };
            if !streamed {
                let thought =
                    json!({ "type": "thinking", "thinking": "Look first.", "signature": "sealed-1" });
                let hidden = json!({ "type": "redacted_thinking", "data": "sealed-2" });
                let said = json!({ "type": "text", "text": "Let me look." });
                let content = json!([
                    thought,
                    hidden,
                    said,
                    uses("toolu_a", READ, first),
                    uses("toolu_b", LIST, second)
                ]);
                return json_answer(
                    200,
                    json!({
                        "id": "msg_1", "type": "message", "role": "assistant", "content": content,
                        "stop_reason": "tool_use", "usage": usage,
                    }),
                );
            }
            let block = |index: u64, start: Value, deltas: Vec<Value>| {
                let mut all =
                    event_of("content_block_start", json!({ "index": index, "content_block": start }));
                for delta in deltas {
                    all.push_str(&event_of("content_block_delta", json!({ "index": index, "delta": delta })));
                }
                all + &event_of("content_block_stop", json!({ "index": index }))
            };
            let empty =
                |id: &str, name: &str| json!({ "type": "tool_use", "id": id, "name": name, "input": {} });
            let json_piece = |piece: &str| json!({ "type": "input_json_delta", "partial_json": piece });
            chunked([
                event_of(
                    "message_start",
                    json!({ "message": { "role": "assistant", "content": [], "usage": usage } }),
                ),
                block(
                    0,
                    json!({ "type": "thinking", "thinking": "", "signature": "" }),
                    vec![
                        json!({ "type": "thinking_delta", "thinking": "Look " }),
                        json!({ "type": "thinking_delta", "thinking": "first." }),
                        json!({ "type": "signature_delta", "signature": "sealed-1" }),
                    ],
                ),
                block(1, json!({ "type": "redacted_thinking", "data": "sealed-2" }), vec![]),
                block(
                    2,
                    json!({ "type": "text", "text": "" }),
                    vec![json!({ "type": "text_delta", "text": "Let me look." })],
                ),
                block(
                    3,
                    empty("toolu_a", READ),
                    vec![json_piece(""), json_piece(r#"{"path":"#), json_piece(r#""src/main.rs"}"#)],
                ),
                block(4, empty("toolu_b", LIST), vec![json_piece(second)]),
                event_of(
                    "message_delta",
                    json!({ "delta": { "stop_reason": "tool_use" }, "usage": { "output_tokens": 5 } }),
                ),
                event_of("message_stop", json!({})),
            ])
        }
        WireFormat::Gemini => {
            let call = |name: &str, args: &str| {
                let args: Value = serde_json::from_str(args).expect("JSON");
                json!({ "functionCall": { "name": name, "args": args } })
            };
            let mut signed = call(READ, first);
            signed["thoughtSignature"] = "sealed".into();
            let said = |parts: Value, finish: Option<&str>| {
                let mut candidate = json!({ "content": { "role": "model", "parts": parts }, "index": 0 });
                if let Some(finish) = finish {
                    candidate["finishReason"] = finish.into();
                }
                json!({ "candidates": [candidate], "usageMetadata": { "promptTokenCount": 20, "candidatesTokenCount": 5 } })
            };
            let word = json!({ "text": "Let me look." });
            match streamed {
                true => chunked([
                    format!("data: {}\n\n", said(json!([word]), None)),
                    format!("data: {}\n\n", said(json!([signed]), None)),
                    format!("data: {}\n\n", said(json!([call(LIST, second)]), Some("STOP"))),
                ]),
                false => json_answer(200, said(json!([word, signed, call(LIST, second)]), Some("STOP"))),
            }
        }
        WireFormat::Responses => {
            let call = |id: &str, name: &str, arguments: &str| json!({ "type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name, "arguments": arguments, "status": "completed" });
            let thought =
                json!({ "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed" });
            let message = json!({ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "Let me look." }] });
            let output = json!([thought, message, call("call_a", READ, first), call("call_b", LIST, second)]);
            let response = json!({
                "id": "resp_1", "status": "completed", "output": output,
                "usage": { "input_tokens": 20, "output_tokens": 5 },
            });
            match streamed {
                true => chunked([
                    event_of("response.output_text.delta", json!({ "delta": "Let me look." })),
                    event_of(
                        "response.output_item.added",
                        json!({ "item": { "type": "function_call", "call_id": "call_a", "name": READ, "arguments": "" } }),
                    ),
                    event_of("response.function_call_arguments.delta", json!({ "delta": r#"{"path":"# })),
                    event_of("response.output_item.done", json!({ "item": call("call_a", READ, first) })),
                    event_of("response.output_item.done", json!({ "item": call("call_b", LIST, second) })),
                    event_of("response.completed", json!({ "response": response })),
                ]),
                false => json_answer(200, response),
            }
        }
        WireFormat::Ollama => {
            let call = |name: &str, arguments: &str| {
                let arguments: Value = serde_json::from_str(arguments).expect("JSON");
                json!({ "function": { "name": name, "arguments": arguments } })
            };
            let (one, two) = (call(READ, first), call(LIST, second));
            let line = |message: Value, done: bool| {
                let mut line = json!({ "model": "qwen3", "message": message, "done": done });
                if done {
                    line["done_reason"] = "stop".into();
                    (line["prompt_eval_count"], line["eval_count"]) = (20.into(), 5.into());
                }
                line
            };
            let role = "assistant";
            match streamed {
                true => chunked([
                    format!(
                        "{}\n",
                        line(json!({ "role": role, "content": "", "thinking": "Look first." }), false)
                    ),
                    format!("{}\n", line(json!({ "role": role, "content": "Let me look." }), false)),
                    format!("{}\n", line(json!({ "role": role, "content": "", "tool_calls": [one] }), false)),
                    format!("{}\n", line(json!({ "role": role, "content": "", "tool_calls": [two] }), false)),
                    format!("{}\n", line(json!({ "role": role, "content": "" }), true)),
                ]),
                false => {
                    let message = json!({ "role": role, "content": "Let me look.", "thinking": "Look first.", "tool_calls": [one, two] });
                    json_answer(200, line(message, true))
                }
            }
        }
    }
}

/// What the vendor refuses about tools in a request, as its API does.
fn judge(format: WireFormat, body: &Value) -> Result<(), String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let ensure = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
    match format {
        WireFormat::A2a => Err("a remote agent is offered no tools".to_owned()),
        WireFormat::Openai => {
            for tool in list(&body["tools"]) {
                ensure(
                    tool["type"] == "function" && tool["function"]["parameters"]["type"] == "object",
                    "tools",
                )?;
            }
            ensure(body["tools"].is_null() || body["response_format"].is_null(), "a schema beside tools")?;
            let messages = list(&body["messages"]);
            let mut open: Vec<String> = Vec::new();
            for message in &messages {
                if message["role"] == "tool" {
                    let id = message["tool_call_id"].as_str().unwrap_or_default();
                    let place = open.iter().position(|known| known == id);
                    let place = place.ok_or("a tool message must follow a message with its tool_calls")?;
                    open.remove(place);
                    ensure(message["content"].is_string(), "content of a tool message")?;
                } else {
                    ensure(open.is_empty(), "tool_calls must be followed by tool messages")?;
                    for call in list(&message["tool_calls"]) {
                        let arguments =
                            call["function"]["arguments"].as_str().ok_or("arguments are a text")?;
                        let read: Result<Value, _> = serde_json::from_str(arguments);
                        ensure(read.is_ok_and(|read| read.is_object()), "arguments are JSON")?;
                        let id =
                            call["id"].as_str().filter(|id| id.len() == 9).ok_or("an id of nine letters")?;
                        open.push(id.to_owned());
                        ensure(
                            message["reasoning_content"] == "Look first.",
                            "reasoning_content must be passed back",
                        )?;
                    }
                }
            }
            ensure(open.is_empty(), "a call without its result")
        }
        WireFormat::Anthropic => {
            for tool in list(&body["tools"]) {
                ensure(tool["input_schema"]["type"] == "object", "tools.input_schema")?;
            }
            let thinks = body["thinking"]["type"] == "enabled";
            let messages = list(&body["messages"]);
            let mut open: Vec<Value> = Vec::new();
            let mut before = Value::Null;
            for message in &messages {
                ensure(message["role"] != before, "roles must alternate")?;
                before = message["role"].clone();
                let blocks = list(&message["content"]);
                let results: Vec<Value> = blocks
                    .iter()
                    .filter(|block| block["type"] == "tool_result")
                    .map(|block| block["tool_use_id"].clone())
                    .collect();
                ensure(
                    results == open,
                    "tool_use ids were found without tool_result blocks immediately after",
                )?;
                open = blocks
                    .iter()
                    .filter(|block| block["type"] == "tool_use")
                    .map(|block| block["id"].clone())
                    .collect();
                ensure(
                    blocks.iter().all(|block| block["type"] != "tool_use" || block["input"].is_object()),
                    "input",
                )?;
                if !open.is_empty() && thinks {
                    let first = &blocks[0];
                    ensure(
                        first["type"] == "thinking"
                            && first["signature"] == "sealed-1"
                            && first["thinking"] == "Look first.",
                        "Expected `thinking`, but found `tool_use`",
                    )?;
                    ensure(blocks[1]["data"] == "sealed-2", "redacted thinking")?;
                }
                ensure(
                    open.is_empty() || !list(&body["tools"]).is_empty(),
                    "tools: required with tool_use blocks",
                )?;
            }
            ensure(open.is_empty(), "a call without its result")
        }
        WireFormat::Gemini => {
            ensure(
                body["tools"].is_null() || body["generationConfig"]["responseMimeType"].is_null(),
                "Function calling with a response mime type is unsupported",
            )?;
            for declared in list(&body["tools"][0]["functionDeclarations"]) {
                ensure(
                    declared["parameters"]["additionalProperties"].is_null(),
                    "Unknown name additionalProperties",
                )?;
            }
            let mut open: Vec<Value> = Vec::new();
            for content in list(&body["contents"]) {
                let parts = list(&content["parts"]);
                let answered: Vec<Value> = parts
                    .iter()
                    .filter_map(|part| part.get("functionResponse"))
                    .map(|one| one["name"].clone())
                    .collect();
                ensure(
                    answered == open,
                    "the number of function response parts must equal that of the call parts",
                )?;
                let called: Vec<&Value> =
                    parts.iter().filter(|part| part.get("functionCall").is_some()).collect();
                ensure(
                    called.is_empty() || called[0]["thoughtSignature"] == "sealed",
                    "Function call is missing a thought_signature",
                )?;
                open = called.iter().map(|part| part["functionCall"]["name"].clone()).collect();
            }
            ensure(open.is_empty(), "a call without its result")
        }
        WireFormat::Responses => {
            for tool in list(&body["tools"]) {
                ensure(tool["type"] == "function" && tool["name"].is_string(), "tools")?;
            }
            let input = list(&body["input"]);
            let of = |kind: &str| -> Vec<Value> {
                input.iter().filter(|item| item["type"] == kind).map(|item| item["call_id"].clone()).collect()
            };
            ensure(
                of("function_call") == of("function_call_output"),
                "No tool output found for function call",
            )?;
            let thought = input.iter().position(|item| item["type"] == "reasoning");
            let call = input.iter().position(|item| item["type"] == "function_call");
            ensure(
                call.is_none() || thought.is_some_and(|at| Some(at) < call),
                "function_call without its reasoning item",
            )?;
            let sealed = thought.is_none_or(|at| input[at]["encrypted_content"] == "sealed");
            ensure(sealed, "items are not persisted when store is false")?;
            let asks = body["include"][0] == "reasoning.encrypted_content";
            ensure(asks || body["reasoning"].is_null(), "reasoning that cannot come back")
        }
        WireFormat::Ollama => {
            ensure(body["tools"].is_null() || body["format"].is_null(), "a format beside tools")?;
            let mut open: Vec<Value> = Vec::new();
            for message in list(&body["messages"]) {
                if message["role"] == "tool" {
                    ensure(
                        !open.is_empty() && open.remove(0) == message["tool_name"],
                        "a result without its call",
                    )?;
                } else {
                    ensure(open.is_empty(), "a call without its result")?;
                    let calls = list(&message["tool_calls"]);
                    ensure(calls.iter().all(|call| call["function"]["arguments"].is_object()), "arguments")?;
                    open = calls.iter().map(|call| call["function"]["name"].clone()).collect();
                }
            }
            ensure(open.is_empty(), "a call without its result")
        }
    }
}

fn runner(dialect: &dyn Dialect, server: &Server) -> ModelRunner {
    let mut config = provider(&server.url().replace("/v1", dialect.base_path()));
    (config.wire, config.retries) = (dialect.format(), 0);
    ModelRunner::new(config).expect("a good configuration")
}

/// A question to a model that is told to think.
fn thinking(request: Request) -> Request {
    let parameters = ModelParameters { effort: Some(Effort::Low), ..ModelParameters::default() };
    Request { runner: model(parameters), ..request }
}

async fn heard(lab: &ModelRunner, request: Request, streamed: bool) -> quorate_contract::Outcome {
    match streamed {
        true => listen_once(lab, request).await.0,
        false => ask_once(lab, request).await,
    }
}

#[tokio::test]
async fn every_format_calls_tools_and_gets_their_results_in_its_own_way() {
    for dialect in dialects() {
        for streamed in [true, false] {
            let format = dialect.format();
            let server =
                Server::start([two_calls(format, streamed), dialect.answer(streamed, "It is so.")]).await;
            let lab = runner(dialect, &server);
            let (answer, requests) = called(heard(&lab, thinking(asked(Vec::new(), true)), streamed).await);
            assert_eq!(answer.text, "Let me look.", "{format:?} {streamed}");
            let calls: Vec<(&str, Value)> = requests
                .calls
                .iter()
                .map(|call| (call.tool.as_str(), serde_json::from_str(&call.arguments).expect("JSON")))
                .collect();
            let expected = [(READ, json!({ "path": "src/main.rs" })), (LIST, json!({ "path": "." }))];
            assert_eq!(calls, expected, "{format:?} {streamed}");
            assert_eq!((answer.usage.input_tokens > 0, answer.usage.output_tokens > 0), (true, true));
            let steps = vec![step(&answer.text, &requests)];
            let last = answered(heard(&lab, thinking(asked(steps, true)), streamed).await);
            assert_eq!(last.text, "It is so.", "{format:?} {streamed}");
            let seen = server.seen();
            for seen in &seen {
                judge(format, &seen.body)
                    .unwrap_or_else(|problem| panic!("{format:?} {streamed}: {problem}\n{}", seen.text));
            }
            let second = &seen[1].text;
            assert!(second.contains(READ) && second.contains("fn main() {}"), "{format:?}: {second}");
            assert!(seen[0].text.contains("Reads."), "{format:?}: the tools are offered");
        }
    }
}

#[tokio::test]
async fn the_stand_ins_refuse_what_the_vendors_refuse() {
    for dialect in dialects() {
        let format = dialect.format();
        let server = Server::start([two_calls(format, false), dialect.answer(false, "Yes.")]).await;
        let lab = runner(dialect, &server);
        let (answer, requests) = called(ask_once(&lab, thinking(asked(Vec::new(), true))).await);
        answered(ask_once(&lab, thinking(asked(vec![step(&answer.text, &requests)], true))).await);
        let good = server.seen()[1].body.clone();
        let key = ["contents", "input", "messages"]
            .into_iter()
            .find(|key| good[*key].is_array())
            .expect("one of them");
        let mut without_result = good.clone();
        without_result[key].as_array_mut().expect("a list").pop();
        assert!(judge(format, &without_result).is_err(), "{format:?}: a call without its result");
        let mut reversed = good.clone();
        let items = reversed[key].as_array_mut().expect("a list");
        let call =
            items.len() - if matches!(format, WireFormat::Anthropic | WireFormat::Gemini) { 2 } else { 3 };
        items.remove(call);
        assert!(judge(format, &reversed).is_err(), "{format:?}: a result without its call");
        let unsealed: Value =
            serde_json::from_str(&good.to_string().replace("sealed", "forged").replace("Look first.", ""))
                .expect("JSON");
        let seals = !matches!(format, WireFormat::Ollama);
        assert_eq!(judge(format, &unsealed).is_err(), seals, "{format:?}: what the vendor has signed");
    }
}

#[tokio::test]
async fn when_no_calls_are_left_the_answer_is_asked_for_in_its_shape() {
    for dialect in dialects() {
        let format = dialect.format();
        let server =
            Server::start([two_calls(format, false), dialect.answer(false, r#"{"score":80,"reason":"x"}"#)])
                .await;
        let lab = runner(dialect, &server);
        let shaped = |request: Request| {
            let mut request = request;
            request.prompt.schema = Some(vote_schema());
            request
        };
        let (answer, requests) = called(ask_once(&lab, shaped(asked(Vec::new(), true))).await);
        let steps = vec![step(&answer.text, &requests)];
        answered(ask_once(&lab, shaped(asked(steps, false))).await);
        let seen = server.seen();
        let has_shape =
            |body: &Value| body.to_string().contains("maxLength") || body.to_string().contains("\"score\"");
        assert!(has_shape(&seen[1].body), "{format:?}: {}", seen[1].text);
        let both = matches!(format, WireFormat::Anthropic | WireFormat::Responses);
        assert_eq!(has_shape(&seen[0].body), both, "{format:?}: tools come first where they exclude a shape");
        let choice = &seen[1].body["tool_choice"];
        match format {
            WireFormat::Anthropic => assert_eq!(choice["type"], "tool", "the answer's own"),
            WireFormat::Responses => assert_eq!(choice, "none"),
            WireFormat::Openai | WireFormat::Gemini | WireFormat::Ollama | WireFormat::A2a => {
                assert!(seen[1].body["tools"].is_null())
            }
        }
    }
}

#[tokio::test]
async fn a_model_that_takes_no_tools_is_asked_without_and_told_the_results() {
    for dialect in dialects() {
        let format = dialect.format();
        let refusal = |message: &str| match format {
            WireFormat::Ollama => json!({ "error": message }),
            _ => {
                json!({ "error": { "message": message, "type": "invalid_request_error", "code": 400, "status": "INVALID_ARGUMENT" } })
            }
        };
        let refused = status(
            400,
            &[("content-type", "application/json")],
            &refusal("qwen3 does not support tools").to_string(),
        );
        let server =
            Server::start([refused, dialect.answer(false, "Without."), dialect.answer(false, "Again.")])
                .await;
        let lab = runner(dialect, &server);
        let requests = ToolRequests {
            continuation: String::new(),
            calls: vec![quorate_contract::ToolRequest {
                tool: READ.into(),
                arguments: "{}".into(),
                effects: false,
            }],
        };
        let steps = || vec![step("", &requests)];
        assert_eq!(answered(ask_once(&lab, asked(steps(), true)).await).text, "Without.", "{format:?}");
        assert_eq!(answered(ask_once(&lab, asked(steps(), true)).await).text, "Again.", "{format:?}");
        let seen = server.seen();
        assert_eq!(seen.len(), 3, "{format:?}: it was learned");
        for seen in &seen[1..] {
            assert!(seen.body["tools"].is_null(), "{format:?}: {}", seen.text);
            assert!(seen.text.contains("<tool_result id=\\\"t1\\\""), "{format:?}: {}", seen.text);
        }
    }
}

#[tokio::test]
async fn calls_of_another_vendors_model_are_passed_on_without_its_seals() {
    let requests = ToolRequests {
        continuation: json!({ "format": "anthropic", "data": [{ "type": "thinking", "thinking": "x", "signature": "s" }] }).to_string(),
        calls: vec![quorate_contract::ToolRequest { tool: READ.into(), arguments: "{\"path\":".into(), effects: false }],
    };
    for dialect in dialects() {
        let format = dialect.format();
        let server = Server::start([dialect.answer(false, "Yes.")]).await;
        let lab = runner(dialect, &server);
        answered(ask_once(&lab, asked(vec![step("", &requests)], true)).await);
        let seen = &server.seen()[0];
        let passes = format == WireFormat::Anthropic;
        // A model that does not think is not sent thinking either.
        assert!(!seen.text.contains("signature") || !passes, "{format:?}: {}", seen.text);
        assert!(seen.text.contains("fn main() {}"), "{format:?}: {}", seen.text);
        assert!(serde_json::from_str::<Value>(&seen.text).is_ok());
    }
}

#[tokio::test]
async fn a_call_that_nobody_offered_is_no_answer() {
    for dialect in dialects() {
        if dialect.format() == WireFormat::Anthropic {
            continue; // there, every tool but the answer's own is known by its name
        }
        let server = Server::start([two_calls(dialect.format(), false)]).await;
        let answer = ask_once(&runner(dialect, &server), request()).await;
        assert_eq!(answered(answer).text, "Let me look.", "what was said beside it counts");
    }
}
