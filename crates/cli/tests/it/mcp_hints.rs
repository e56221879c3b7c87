//! What a client of the Model Context Protocol is told names tools: it has no commands to type, and sends no requests of
//! its own to the HTTP API.

use serde_json::{Value, json};

use crate::app::App;
use crate::client::started;
use crate::mcp_client::{Mcp, agent, owner};

/// What an address or a command begins with.
const ELSEWHERE: [&str; 11] = [
    "/api/v1",
    "GET /",
    "POST /",
    "PUT /",
    "`quorate ",
    "quorate serve",
    "--server",
    " --",
    "…/",
    "fork",
    "分叉",
];

fn check(told: &str, of: &str) {
    for name in ELSEWHERE {
        assert!(!told.contains(name), "{of} names {name}: {told}");
    }
}

/// What a tool is refused with, in a language.
fn refusal(agent: &Mcp, language: &str, tool: &str, arguments: &Value) -> Option<String> {
    let params = json!({ "name": tool, "arguments": arguments });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let answer: Value = agent.send(&message, &[("accept-language", language)]).json().expect("JSON");
    let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    let is_refused = answer["result"]["isError"] == true;
    let told = if is_refused { Some(text) } else { answer["error"]["message"].as_str().map(str::to_owned) };
    if let Some(told) = &told {
        assert!(told.chars().count() > 10, "{tool} {arguments}: {told}");
        check(told, tool);
    }
    told
}

/// The turn that an agent is offered next.
fn turn(agent: &Mcp, meeting: &str) -> Value {
    for _ in 0..60 {
        let waited = agent.tool("wait_for_turn", json!({ "meeting": meeting, "wait_seconds": 1 }));
        let turn = waited.expect("an answer")["turn"].clone();
        if !turn.is_null() {
            return turn;
        }
    }
    panic!("no turn came");
}

#[test]
fn no_refusal_of_a_tool_names_an_address_or_a_command() {
    let app = App::new();
    let (server, base) = started(&app);
    let owner = owner(&app, &base);
    let host = agent(&app, &base, "host", "manage");
    let (ada, stranger) = (agent(&app, &base, "ada", "speak"), agent(&app, &base, "zoe", "speak"));
    let reader = agent(&app, &base, "eve", "read");
    let create = |rules: Value| {
        let new = json!({
            "topic": "SQLite or PostgreSQL?", "format": "consensus", "language": "en", "simulate": true,
            "participants": [{ "name": "Sim" }], "rules": rules,
        });
        let made = host.tool("create_meeting", new).expect("a meeting");
        made["meeting"].as_str().expect("an id").to_owned()
    };
    ada.tool("register_agent", json!({ "introduction": "I look at costs." })).expect("registered");
    let blind = create(json!({ "turns": { "blind_round": true } }));
    ada.tool("join_meeting", json!({ "meeting": blind })).expect("a seat");
    host.tool("start_meeting", json!({ "meeting": blind })).expect("it starts");
    let ticket = turn(&ada, &blind)["ticket"].clone();

    // A seat that a reader has not: while the blind round is open, the meeting is closed to it.
    let withheld =
        refusal(&ada, "en", "export_chat_history", &json!({ "meeting": blind })).expect("withheld");
    assert!(withheld.contains("get_context"), "{withheld}");

    ada.tool("send_message", json!({ "meeting": blind, "ticket": ticket, "content": "SQLite." }))
        .expect("taken");
    for (language, tool) in [("en", "wait_for_turn"), ("zh-CN", "wait_for_turn")] {
        let late = json!({ "meeting": blind, "ticket": ticket, "content": "PostgreSQL." });
        let told = refusal(&ada, language, "send_message", &late).expect("the turn is over");
        assert!(told.contains(tool) || told.contains("turn_"), "{told}");
    }
    host.tool("end_meeting", json!({ "meeting": blind })).expect("it ends");
    let other = owner.rest("POST", "/turns/turn_0/answer", json!({ "text": "x" }));
    assert!(!other["hint"].as_str().unwrap_or_default().is_empty(), "{other}");

    let nobody = "0192aaaa-0000-7000-8000-000000000000";
    let every = |meeting: &str| {
        vec![
            ("join_meeting", json!({ "meeting": meeting })),
            ("get_context", json!({ "meeting": meeting })),
            ("get_result", json!({ "meeting": meeting })),
            ("export_chat_history", json!({ "meeting": meeting, "format": "pdf" })),
            ("export_chat_history", json!({ "meeting": meeting })),
            ("get_full_message", json!({ "meeting": meeting, "message_id": "m999" })),
            ("search_messages", json!({ "meeting": meeting, "query": "x", "cursor": "garbage" })),
            ("start_meeting", json!({ "meeting": meeting })),
            ("end_meeting", json!({ "meeting": meeting })),
            ("wait_for_turn", json!({ "meeting": meeting, "wait_seconds": 0 })),
            ("send_message", json!({ "meeting": meeting, "content": "x" })),
            ("send_message", json!({ "meeting": meeting, "content": "x", "ticket": "turn_0" })),
            ("send_message", json!({ "meeting": meeting, "content": "" , "ticket": ticket })),
            ("skip_response", json!({ "meeting": meeting, "ticket": ticket })),
            (
                "cast_vote",
                json!({ "meeting": meeting, "ticket": ticket, "score": 5, "pass": true, "reason": "x" }),
            ),
        ]
    };
    let draft = create(json!({}));
    let locked = create(json!({}));
    let shut = host.rest("PATCH", &format!("/meetings/{locked}"), json!({ "password": "a long password" }));
    assert!(shut["status"].is_null(), "{shut}");
    let mut calls = vec![
        ("register_agent", json!({ "introduction": "" })),
        ("register_agent", json!({ "introduction": "x", "time_zone": "Nowhere" })),
        ("list_meetings", json!({ "state": "nowhere" })),
        ("list_meetings", json!({ "cursor": "garbage" })),
        ("create_meeting", json!({ "topic": "" })),
        ("create_meeting", json!({ "topic": "x", "participants": [{ "model": "openai/gpt-5" }] })),
        ("create_meeting", json!({ "topic": "x", "participants": [{ "model": "opnai/gpt-5" }] })),
        ("create_meeting", json!({ "topic": "x", "participants": [{ "model": "x" }] })),
        ("create_meeting", json!({ "topic": "x", "participants": [{ "model": "agent/nobody" }] })),
        ("create_meeting", json!({ "topic": "x", "participants": [{ "agent": "Zoe" }] })),
        (
            "create_meeting",
            json!({ "topic": "x", "simulate": true, "rules": { "limits": { "max_rounds": -1 } } }),
        ),
        ("create_meeting", json!({ "topic": "x", "simulate": true, "rules": { "nothing": 1 } })),
        ("no_such_tool", json!({})),
    ];
    for meeting in [nobody, "nowhere", "last", "", "../../accounts", &draft, &locked, &blind] {
        calls.extend(every(meeting));
    }
    let mut told = std::collections::BTreeSet::new();
    for (tool, arguments) in &calls {
        for caller in [&stranger, &reader, &ada, &host, &owner] {
            for language in ["en", "zh-CN"] {
                told.extend(refusal(caller, language, tool, arguments));
            }
        }
    }
    assert!(told.len() >= 40, "{}: {told:#?}", told.len());

    // Resources and completions are refused in the same words.
    for below in ["", "/record", "/report", "/minutes", "/artifacts/adr", "/files/none"] {
        for meeting in [nobody, &locked] {
            let params = json!({ "uri": format!("quorate://meetings/{meeting}{below}") });
            let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params });
            let answer: Value = stranger.send(&message, &[]).json().expect("JSON");
            check(answer["error"]["message"].as_str().expect("a refusal"), below);
        }
    }
    // What the meeting has not: no tool makes it.
    for below in ["/minutes", "/artifacts/adr", "/files/none"] {
        for language in ["en", "zh-CN"] {
            let params = json!({ "uri": format!("quorate://meetings/{blind}{below}") });
            let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params });
            let answer: Value = host.send(&message, &[("accept-language", language)]).json().expect("JSON");
            check(answer["error"]["message"].as_str().expect("a refusal"), below);
        }
    }
    let over = refusal(&host, "en", "start_meeting", &json!({ "meeting": blind })).expect("it is over");
    assert!(over.contains("get_result") && over.contains("create_meeting"), "{over}");
    // Whoever has no token, or a wrong one, is told of the header.
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    for token in ["", "qt_wrong"] {
        let nobody =
            Mcp { token: token.to_owned(), base: base.clone(), client: reqwest::blocking::Client::new() };
        let refused = nobody.send(&list, &[]);
        assert_eq!(refused.status().as_u16(), 401);
        let problem: Value = refused.json().expect("a problem");
        check(problem["hint"].as_str().expect("a hint"), "401");
    }
    server.kill();
}
