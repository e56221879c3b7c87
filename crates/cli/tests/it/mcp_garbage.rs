//! Whatever a model sends to a tool: it is told what to do next, and what a tool answers fits its schema.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::app::App;
use crate::client::started;
use crate::mcp_client::{Mcp, agent};
use crate::mcp_schema::check;

/// Values that fit nothing, or only by luck.
fn garbage() -> Vec<Value> {
    let mut deep = json!("deep");
    for _ in 0..100 {
        deep = json!([deep]);
    }
    vec![
        Value::Null,
        json!(true),
        json!(-1),
        json!(7),
        json!(1e300),
        json!(u64::MAX),
        json!(""),
        json!(" "),
        json!("x".repeat(300_000)),
        json!("../../accounts?x=1#y"),
        json!("\u{0}\u{7f}\u{202e}\u{feff}"),
        json!("'; DROP TABLE meeting; --"),
        json!("会议 सभा اجتماع 👩‍👩‍👧‍👦"),
        json!([]),
        json!(["a", 1, null]),
        json!({}),
        json!({ "meeting": { "id": [1] } }),
        deep,
    ]
}

/// The answer to a call, whatever it is; it comes soon, and is no fault of the server.
fn call(agent: &Mcp, name: &Value, arguments: &Value) -> Value {
    let params = json!({ "name": name, "arguments": arguments });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let begun = Instant::now();
    let response = agent.send(&message, &[]);
    assert_eq!(response.status().as_u16(), 200, "{name} {arguments}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{name} {arguments}");
    response.json().expect("JSON")
}

/// Checks that an answer is a result that fits, or says what to do next; gives whether it is an error.
fn check_answer(tool: &Value, arguments: &Value, answer: &Value) -> bool {
    let shown = format!("{} {}", tool["name"], arguments.to_string().chars().take(300).collect::<String>());
    assert!(
        answer["error"].is_null(),
        "arguments that do not fit are an error of the tool: {shown} {answer}"
    );
    let result = &answer["result"];
    if result["isError"] != true {
        check(&tool["outputSchema"], &result["structuredContent"]);
        return false;
    }
    let told: Vec<&str> = result["content"]
        .as_array()
        .expect("content")
        .iter()
        .filter_map(|block| block["text"].as_str())
        .collect();
    let told = told.join("\n");
    assert!(told.contains('\n') && told.len() > 30, "it says what to do next: {shown}: {told}");
    assert!(told.len() < 5000, "a refusal does not return what was sent: {shown}: {}", told.len());
    for fault in ["500", "panicked", "a fault of Quorate"] {
        assert!(!told.contains(fault), "{shown}: {told}");
    }
    true
}

fn tools(agent: &Mcp) -> Vec<Value> {
    agent.ask("tools/list", json!({}))["tools"].as_array().expect("tools").clone()
}

#[test]
fn arguments_are_refused_once_and_in_the_language_of_the_client() {
    let app = App::new();
    let (server, base) = started(&app);
    let agent = agent(&app, &base, "ada", "manage");
    let told = |language: &str, tool: &str, arguments: Value| {
        let params = json!({ "name": tool, "arguments": arguments });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let answer: Value = agent.send(&message, &[("accept-language", language)]).json().expect("JSON");
        let result = &answer["result"];
        assert_eq!(result["isError"], true, "{answer}");
        let content = result["content"].as_array().expect("content");
        assert_eq!(content.len(), 1, "one text says it all: {answer}");
        content[0]["text"].as_str().expect("a text").to_owned()
    };
    for (tool, arguments, en, zh) in [
        ("get_context", json!({}), "missing field `meeting`", "缺少字段 `meeting`"),
        (
            "get_context",
            json!({ "meeting": 7 }),
            "meeting: invalid type: number 7, expected a string",
            "meeting：类型不对：应当是文字，收到的是数字 7",
        ),
        (
            "list_meetings",
            json!({ "stat": "x" }),
            "unknown field `stat`",
            "没有字段 `stat`，可用的有：state、cursor",
        ),
        (
            "wait_for_turn",
            json!({ "wait_seconds": -1 }),
            "-1 is out of range",
            "wait_seconds：-1 超出范围：0 到 25",
        ),
        (
            "wait_for_turn",
            json!({ "wait_seconds": 0.5 }),
            "expected a whole number",
            "应当是整数，收到的是数字 0.5",
        ),
        (
            "cast_vote",
            json!({ "meeting": "m", "pass": true, "reason": "x" }),
            "missing field `score`",
            "缺少字段 `score`",
        ),
        (
            "cast_vote",
            json!({ "meeting": "m", "score": 256, "pass": true, "reason": "x" }),
            "score: 256 is out of range: 0 to 100",
            "score：256 超出范围：0 到 100",
        ),
        (
            "create_meeting",
            json!({ "topic": "x", "participants": [["Ada"]] }),
            "participants[0]: invalid type: an array, expected an object",
            "participants[0]：类型不对",
        ),
        ("get_context", json!({ "meeting": "" }), "meeting: it is empty", "meeting：不能为空"),
        ("search_messages", json!({ "query": "x", "limit": 101 }), "1 to 100", "1 到 100"),
        (
            "create_meeting",
            json!({ "topic": "x", "simulate": true, "rules": { "nothing": 1 } }),
            "create_meeting again",
            "请重新调用 create_meeting",
        ),
    ] {
        for (language, expected, hint) in [("en", en, "Call "), ("zh-CN", zh, "请重新调用 ")] {
            let told = told(language, tool, arguments.clone());
            assert!(told.contains(expected), "{told}");
            let last = told.lines().last().expect("what to do");
            assert!(last.starts_with(&format!("{hint}{tool}")), "the last line names the tool: {told}");
            let argument = arguments.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
            let argument =
                argument.chain(["score", "meeting"]).find(|name| last.contains(&format!("`{name}`")));
            assert!(argument.is_some(), "and the wrong argument: {told}");
            assert!(!told.contains("docs/"), "{told}");
            assert!(!told.contains("deserialize"), "{told}");
            assert!(language == "en" || !told.contains("expected"), "{told}");
        }
    }
    let state = told("en", "list_meetings", json!({ "state": "nowhere" }));
    assert_eq!(state.matches("nowhere").count(), 1, "{state}");
    // To JSON Schema, 0.0 is an integer.
    let params = json!({ "name": "wait_for_turn", "arguments": { "wait_seconds": 0.0 } });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let waited: Value = agent.send(&message, &[]).json().expect("JSON");
    assert_ne!(waited["result"]["isError"], true, "{waited}");
    server.kill();
}

#[test]
fn every_tool_answers_garbage_with_what_to_do_next() {
    let app = App::new();
    let (server, base) = started(&app);
    let agent = agent(&app, &base, "ada", "manage");
    let (mut errors, mut calls) = (0, 0);
    for tool in tools(&agent) {
        let schema = &tool["inputSchema"];
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        // Each argument in turn, and the required ones beside it as they could be.
        for name in properties.keys() {
            for value in garbage() {
                let mut arguments: Map<String, Value> = Map::new();
                for required in schema["required"].as_array().into_iter().flatten() {
                    let required = required.as_str().expect("a name");
                    let fitting = match properties[required]["type"].as_str() {
                        Some("integer") => json!(50),
                        Some("boolean") => json!(true),
                        _ => json!("nowhere"),
                    };
                    arguments.insert(required.to_owned(), fitting);
                }
                if tool["name"] == "wait_for_turn" {
                    arguments.insert("wait_seconds".to_owned(), json!(0));
                }
                arguments.insert(name.clone(), value);
                // What would wait is not what is tested.
                if arguments
                    .get("wait_seconds")
                    .is_some_and(|wait| wait.as_f64().is_some_and(|wait| wait >= 1.0) || wait.is_null())
                {
                    continue;
                }
                let arguments = Value::Object(arguments);
                calls += 1;
                errors +=
                    u32::from(check_answer(&tool, &arguments, &call(&agent, &tool["name"], &arguments)));
            }
        }
        // None at all, and others than it has.
        for arguments in [json!({}), json!({ "no_such_argument": 1 })] {
            if tool["name"] == "wait_for_turn" {
                continue;
            }
            check_answer(&tool, &arguments, &call(&agent, &tool["name"], &arguments));
        }
    }
    assert!(calls > 400 && errors * 2 > calls, "{errors} of {calls}");
    // What is no call of a tool at all is an error of the protocol that says what to send.
    for params in [
        json!({ "name": "no_such_tool", "arguments": {} }),
        json!({ "name": 7, "arguments": {} }),
        json!({ "name": "list_meetings", "arguments": [] }),
        json!({ "name": "list_meetings", "arguments": "{}" }),
        json!({ "arguments": {} }),
        json!([]),
        Value::Null,
    ] {
        let message = json!({ "jsonrpc": "2.0", "id": "x", "method": "tools/call", "params": params });
        let answer: Value = agent.send(&message, &[]).json().expect("JSON");
        let told = answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{params}: {answer}"));
        assert!(answer["error"]["code"] == -32602 && told.contains(". "), "{params}: {told}");
        assert_eq!(answer["id"], "x");
    }
    assert!(agent.tool("list_meetings", json!({})).is_ok(), "it still answers");
    server.kill();
}

/// Whether a schema states the bounds of texts, numbers and lists.
fn is_bounded(schema: &Value) -> bool {
    let has = |keyword: &str| schema.get(keyword).is_some();
    let is = |kind: &str| match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|one| one == kind),
        one => one == kind,
    };
    (!is("string") || has("minLength") || has("maxLength") || has("enum"))
        && (!is("integer") || has("minimum"))
        && (!is("array") || has("maxItems"))
}

#[test]
fn schemas_and_annotations_say_what_a_tool_does() {
    let app = App::new();
    let (server, base) = started(&app);
    let agent = agent(&app, &base, "ada", "manage");
    for tool in tools(&agent) {
        let name = tool["name"].as_str().expect("a name");
        let hint = |hint: &str| tool["annotations"][hint].as_bool();
        let reads = [
            "list_meetings",
            "get_context",
            "wait_for_turn",
            "search_messages",
            "get_full_message",
            "get_file",
            "export_chat_history",
            "get_result",
        ];
        assert_eq!(hint("readOnlyHint"), Some(reads.contains(&name)), "{name}");
        // A meeting that runs asks models elsewhere.
        assert_eq!(
            hint("openWorldHint"),
            Some(["start_meeting", "resume_meeting", "end_meeting"].contains(&name)),
            "{name}"
        );
        if !reads.contains(&name) {
            assert_eq!(hint("destructiveHint"), Some(false), "{name}: nothing that was said is lost");
            assert_eq!(
                hint("idempotentHint"),
                Some(["register_agent", "join_meeting"].contains(&name)),
                "{name}"
            );
        }
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object", "{name}");
            let text = tool[schema].to_string();
            assert!(!text.contains("uint"), "{name}: {text}");
        }
        // One type for each argument: clients that turn texts into values by it know no alternatives.
        let given = tool["inputSchema"].to_string();
        assert!(!given.contains("null") && !given.contains("anyOf"), "{name}: {given}");
        for (argument, schema) in tool["inputSchema"]["properties"].as_object().into_iter().flatten() {
            let told = schema["description"].as_str().unwrap_or_default();
            assert!(told.ends_with('.'), "{name}.{argument} says what it is: {told}");
            assert!(is_bounded(schema), "{name}.{argument} states its bounds: {schema}");
        }
        // The arguments that are objects, such as participants.
        for (part, schema) in tool["inputSchema"]["$defs"].as_object().into_iter().flatten() {
            for (field, schema) in schema["properties"].as_object().into_iter().flatten() {
                assert!(schema["description"].is_string(), "{name}, {part}.{field} says what it is");
                assert!(is_bounded(schema), "{name}, {part}.{field} states its bounds: {schema}");
            }
        }
        let told = tool["description"].as_str().expect("a description");
        assert!(told.ends_with('.') && told.len() > 40, "{name}: {told}");
        for odd in ["take home", "again and again", "in a while", "at the table", "your words"] {
            let all = tool.to_string().to_lowercase();
            assert!(!all.contains(odd), "{name} says {odd:?}");
        }
    }
    let listed = agent.tool("list_meetings", json!({ "cursor": null, "state": null }));
    assert!(listed.is_ok(), "null is an argument that is not given: {listed:?}");
    server.kill();
}
