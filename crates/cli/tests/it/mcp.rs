//! The Model Context Protocol at `/mcp`, and over standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use reqwest::blocking::Client;
use serde_json::{Value, json};

use crate::app::App;
use crate::client::started;
use crate::mcp_client::{Mcp, agent, owner};

/// Answers every turn of an agent until the meeting is over; gives how many there were.
fn take_part(agent: &Mcp, meeting: &str, name: &str) -> usize {
    let mut turns = 0;
    for _ in 0..200 {
        let waited =
            agent.tool("wait_for_turn", json!({ "meeting": meeting, "wait_seconds": 1 })).expect("an answer");
        let turn = &waited["turn"];
        if turn.is_null() {
            let result = agent.tool("get_result", json!({ "meeting": meeting })).expect("a result");
            if result["state"] == "ended" {
                return turns;
            }
            continue;
        }
        turns += 1;
        let taken = match turn["kind"].as_str() {
            Some("vote") => agent.tool(
                "cast_vote",
                json!({ "meeting": meeting, "score": 90, "pass": true, "reason": format!("{name} agrees") }),
            ),
            _ => agent.tool(
                "send_message",
                json!({ "meeting": meeting, "content": format!("{name} says {turns}") }),
            ),
        };
        taken.unwrap_or_else(|error| panic!("{turn}: {error}"));
    }
    panic!("the meeting does not end");
}

#[test]
fn an_agent_that_speaks_outside_of_its_turn_wakes_a_waiting_room() {
    let app = App::new();
    let (_server, base) = started(&app);
    let ada = agent(&app, &base, "ada", "speak");
    let host = agent(&app, &base, "host", "manage");
    let meeting = host
        .tool("create_meeting", json!({ "topic": "What next?", "format": "room", "participants": [{ "name": "ada", "model": "agent/ada" }] }))
        .expect("a meeting");
    let meeting = meeting["meeting"].as_str().expect("an id").to_owned();
    let introduced = |list: Value| json!({ "introduction": "I watch the build.", "skip_list": list });
    ada.tool("register_agent", introduced(json!(["ok"]))).expect("registered");
    host.tool("start_meeting", json!({ "meeting": meeting })).expect("it starts");
    let waited =
        ada.tool("wait_for_turn", json!({ "meeting": meeting, "wait_seconds": 20 })).expect("a turn");
    assert_eq!(waited["turn"]["can_skip"], true, "{waited}");
    // Its seat takes over another skip list while the meeting runs.
    ada.tool("register_agent", introduced(json!(["ok", "/status"]))).expect("registered");
    let context = ada.tool("get_context", json!({ "meeting": meeting })).expect("a context");
    assert!(context["participants"].is_array(), "{context}");
    ada.tool("skip_response", json!({ "meeting": meeting })).expect("skipped");
    let said = ada.tool("send_message", json!({ "meeting": meeting, "content": "The build has failed." }));
    let said = said.expect("it is said outside of a turn");
    assert!(said["next"].as_str().expect("a text").contains("outside of a turn"), "{said}");
    let waited =
        ada.tool("wait_for_turn", json!({ "meeting": meeting, "wait_seconds": 20 })).expect("a turn");
    assert!(waited["turn"]["ticket"].is_string(), "the room goes on: {waited}");
    let log = app.quorate(&["replay", &meeting, "--json"]).ok().events();
    let message = log.iter().find(|event| event["type"] == "user_message").expect("the message");
    assert_eq!(message["payload"]["by"], json!({ "kind": "participant", "id": "p1" }), "{message}");
    let changed = log.iter().find(|event| event["type"] == "participant_changed").expect("the change");
    assert_eq!(changed["payload"]["skip_list"], json!(["ok", "/status"]));
    let path = app.path("chart.png");
    std::fs::write(&path, crate::vendors::PNG).expect("written");
    app.quorate(&["attach", &meeting, &path.to_string_lossy()]).ok();
    let read = json!({ "name": "get_file", "arguments": { "meeting": meeting, "file": "f1" } });
    let shown = ada.ask("tools/call", read);
    assert_eq!(
        (&shown["content"][0]["type"], &shown["content"][0]["mimeType"]),
        (&json!("image"), &json!("image/png"))
    );
    assert_eq!(shown["structuredContent"]["lines"], 0, "{shown}");
    let none = ada.tool("get_file", json!({ "meeting": meeting, "file": "f9" })).expect_err("there is none");
    assert!(none.contains("f9"), "{none}");
}

#[test]
fn agents_hold_a_whole_meeting_that_an_assistant_convenes() {
    let app = App::new();
    let (server, base) = started(&app);
    let (ada, lin) = (agent(&app, &base, "ada", "speak"), agent(&app, &base, "林", "speak"));
    let host = agent(&app, &base, "host", "manage");
    let info = host.ask(
        "initialize",
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } }),
    );
    assert_eq!(info["serverInfo"]["name"], "quorate", "{info}");
    let tools = host.ask("tools/list", json!({}));
    let tools = tools["tools"].as_array().expect("tools");
    let asked = [
        "register_agent",
        "get_context",
        "send_message",
        "skip_response",
        "search_messages",
        "get_file",
        "get_full_message",
        "export_chat_history",
        "wait_for_turn",
        "join_meeting",
        "list_meetings",
        "cast_vote",
        "create_meeting",
        "start_meeting",
        "resume_meeting",
        "get_result",
    ];
    for name in asked {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("{name}"));
        assert!(tool["inputSchema"].is_object() && tool["outputSchema"].is_object(), "{tool}");
        assert!(tool["annotations"]["readOnlyHint"].is_boolean(), "{tool}");
    }
    let new = json!({
        "topic": "SQLite or PostgreSQL?", "format": "consensus", "language": "en", "simulate": true,
        "participants": [{ "name": "Sim" }], "rules": { "limits": { "max_rounds": 1 } },
    });
    let refused = ada.tool("create_meeting", new.clone()).expect_err("an agent that speaks convenes nothing");
    assert!(refused.contains("manage"), "{refused}");
    let meeting =
        host.tool("create_meeting", new).expect("a meeting")["meeting"].as_str().expect("an id").to_owned();
    let unknown = ada.tool("join_meeting", json!({ "meeting": meeting })).expect_err("it is not registered");
    assert!(unknown.contains("register_agent"), "{unknown}");
    for (agent, name) in [(&ada, "ada"), (&lin, "林")] {
        let introduced = json!({ "introduction": "I look at costs.", "capabilities": ["review"], "language": "zh-CN", "time_zone": "Asia/Shanghai", "skip_list": ["收到", "/status"] });
        assert_eq!(agent.tool("register_agent", introduced).expect("registered")["name"], name);
        for _ in 0..2 {
            let joined = agent.tool("join_meeting", json!({ "meeting": meeting })).expect("a seat");
            assert_eq!(joined["participant"], name);
        }
    }
    let early =
        ada.tool("send_message", json!({ "meeting": meeting, "content": "Hello" })).expect_err("no turn");
    assert!(early.contains("wait_for_turn"), "{early}");
    host.tool("start_meeting", json!({ "meeting": meeting })).expect("it starts");
    let turns = std::thread::scope(|scope| {
        let ada = scope.spawn(|| take_part(&ada, &meeting, "ada"));
        let lin = take_part(&lin, &meeting, "林");
        (ada.join().expect("Ada's turns"), lin)
    });
    assert!(turns.0 >= 3 && turns.1 >= 3, "{turns:?}");
    let result = host.tool("get_result", json!({ "meeting": meeting })).expect("a result");
    assert_eq!(result["state"], "ended");
    let again = ada.tool("join_meeting", json!({ "meeting": meeting })).expect("the seat that it has");
    assert!(
        again["next"].as_str().expect("a text").contains("ended"),
        "no turn is to be waited for: {again}"
    );
    let export = host.tool("export_chat_history", json!({ "meeting": meeting })).expect("an export");
    let export = export["content"].as_str().expect("Markdown");
    assert!(export.contains("ada agrees") && export.contains("林 says 2"), "{export}");
    let found = ada.tool("search_messages", json!({ "query": "says", "meeting": meeting })).expect("hits");
    assert!(!found["items"].as_array().expect("hits").is_empty(), "{found}");
    // A first answer without the fields that are asked for was not taken. What was said is read once.
    let context = ada.tool("get_context", json!({ "meeting": meeting })).expect("a context");
    let after = json!({ "meeting": meeting, "after": context["cursor"] });
    assert_eq!(ada.tool("get_context", after).expect("a context")["messages"], json!([]));
    let all = ada.tool("get_context", json!({ "meeting": meeting, "after": 0 })).expect("a context");
    let all: Vec<&str> = all["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .filter_map(|said| said["content"].as_str())
        .collect();
    assert_eq!(all.iter().filter(|said| said.contains("ada says 2")).count(), 1, "{all:?}");
    let message =
        ada.tool("get_full_message", json!({ "meeting": meeting, "message_id": "m1" })).expect("a message");
    assert_eq!(message["message"]["id"], "m1");
    server.kill();
}

#[test]
fn strangers_other_pages_and_garbage_are_refused() {
    let app = App::new();
    let (server, base) = started(&app);
    let ada = agent(&app, &base, "ada", "speak");
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    let stranger = Mcp { token: String::new(), base: base.clone(), client: Client::new() };
    let refused = stranger.send(&list, &[]);
    assert_eq!(refused.status().as_u16(), 401);
    assert!(refused.headers().contains_key("www-authenticate"));
    assert_eq!(ada.send(&list, &[("origin", "https://evil.example")]).status().as_u16(), 403);
    assert_eq!(ada.send(&list, &[]).status().as_u16(), 200);
    for (tool, arguments) in [
        ("get_full_message", json!({ "meeting": "../../accounts", "message_id": "?x=1#" })),
        ("get_context", json!({ "meeting": "nowhere", "after": 7 })),
        ("send_message", json!({ "meeting": "", "content": "" })),
        ("skip_response", json!({ "meeting": "a", "ticket": "turn_\u{0}" })),
        ("cast_vote", json!({ "meeting": "a", "score": 50, "pass": false, "reason": "x".repeat(100_000) })),
        ("register_agent", json!({ "introduction": "" })),
        ("list_meetings", json!({ "state": "'; DROP TABLE meeting" })),
        ("search_messages", json!({ "query": "\"", "limit": 0 })),
    ] {
        let told = ada.tool(tool, arguments.clone()).expect_err(&format!("{tool} {arguments}"));
        assert!(told.len() > 10, "{tool}: {told}");
    }
    server.kill();
}

#[test]
fn an_editor_starts_it_as_a_program() {
    let app = App::new();
    let alone = app.quorate(&["mcp"]).fails(2, &["no server", "quorate serve"]);
    drop(alone);
    let (server, _) = started(&app);
    let mut child = Command::new(env!("CARGO_BIN_EXE_quorate"))
        .arg("--db")
        .arg(app.db())
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let (mut to, mut from) =
        (child.stdin.take().expect("stdin"), BufReader::new(child.stdout.take().expect("stdout")));
    let mut ask = |message: Value| {
        match message.as_str() {
            Some(line) => writeln!(to, "{line}").expect("sent"),
            None => writeln!(to, "{message}").expect("sent"),
        }
        let mut line = String::new();
        from.read_line(&mut line).expect("an answer");
        serde_json::from_str::<Value>(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    };
    // A line that is no JSON is answered, also before all else, and changes nothing.
    let garbled = ask(json!("{\"jsonrpc\": "));
    assert_eq!((&garbled["error"]["code"], &garbled["id"]), (&json!(-32700), &Value::Null), "{garbled}");
    let info = ask(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } }));
    assert_eq!(info["result"]["serverInfo"]["name"], "quorate", "{info}");
    let listed = ask(
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "list_meetings", "arguments": {} } }),
    );
    assert_eq!(listed["result"]["structuredContent"]["items"], json!([]), "{listed}");
    let refused = ask(
        json!({ "jsonrpc": "2.0", "id": 3, "method": "logging/setLevel", "params": { "level": "info" } }),
    );
    let told = refused["error"]["message"].as_str().expect("a message");
    assert!(refused["error"]["code"] == -32601 && told.contains("tools/list"), "{refused}");
    drop(to);
    assert!(child.wait().expect("it ends").success());
    server.kill();
}

#[test]
fn a_tool_s_requests_are_its_own_and_only_they_are_noted_as_such() {
    let app = App::new();
    let (server, base) = started(&app);
    let owner = owner(&app, &base);
    let host = agent(&app, &base, "host", "manage");
    // Headers of the request that brings a tool call say nothing about the requests of the tool.
    let brought = [
        ("idempotency-key", "once"),
        ("if-none-match", "*"),
        ("if-match", "\"0\""),
        ("range", "bytes=0-1"),
        ("if-modified-since", "Sun, 06 Nov 2044 08:49:37 GMT"),
        ("last-event-id", "7"),
    ];
    let call = |name: &str, arguments: Value| {
        let params = json!({ "name": name, "arguments": arguments });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let answer: Value = host.send(&message, &brought).json().expect("JSON");
        assert_ne!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["structuredContent"].clone()
    };
    let new = json!({ "topic": "SQLite or PostgreSQL?", "simulate": true });
    let (first, second) = (call("create_meeting", new.clone()), call("create_meeting", new.clone()));
    assert_ne!(first["meeting"], second["meeting"], "two calls of a tool are two meetings");
    for _ in 0..2 {
        assert_eq!(call("get_result", json!({ "meeting": first["meeting"] }))["state"], "draft");
    }

    // No header makes a request one of a tool.
    let claims = ["via", "x-via", "transport", "x-transport", "x-quorate-transport", "x-quorate-via"];
    let mut claimed = host.client.post(format!("{base}/api/v1/meetings")).bearer_auth(&host.token).json(&new);
    for name in claims {
        claimed = claimed.header(name, "mcp");
    }
    let claimed: Value = claimed.send().and_then(reqwest::blocking::Response::json).expect("a meeting");
    assert!(claimed["id"].is_string(), "{claimed}");
    // The log is written behind the calls.
    let mut via = Vec::new();
    for _ in 0..200 {
        let noted = owner.rest("GET", "/audit?action=meetings.post", Value::Null);
        let entries = noted["items"].as_array().expect("entries");
        via = entries.iter().map(|entry| entry["detail"]["via"].clone()).collect();
        if via.len() == 3 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(via, [json!("rest"), json!("mcp"), json!("mcp")], "the latest first");
    server.kill();
}
