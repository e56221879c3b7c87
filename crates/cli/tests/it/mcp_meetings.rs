//! Meetings over the Model Context Protocol from the beginning to the record: what an agent is told when none of its turns
//! will come, and how an assistant answers what a meeting asks.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::app::App;
use crate::client::started;
use crate::mcp_client::{Mcp, agent, owner};

/// A meeting with these participants, which has started.
fn meeting(host: &Mcp, format: &str, names: &[&str]) -> String {
    let seat = |name: &&str| json!({ "name": name, "model": format!("agent/{name}") });
    let participants: Vec<Value> = names.iter().map(seat).collect();
    let new = json!({ "topic": "SQLite or PostgreSQL?", "format": format, "language": "en", "participants": participants });
    let made = host.tool("create_meeting", new).expect("a meeting");
    let meeting = made["meeting"].as_str().expect("an id").to_owned();
    host.tool("start_meeting", json!({ "meeting": meeting })).expect("it starts");
    meeting
}

fn wait(agent: &Mcp, meeting: &str, seconds: u32) -> Value {
    let waited = agent.tool("wait_for_turn", json!({ "meeting": meeting, "wait_seconds": seconds }));
    waited.expect("an answer")
}

/// Ends a meeting, and waits until it has ended.
fn end(host: &Mcp, meeting: &str) {
    host.tool("end_meeting", json!({ "meeting": meeting })).expect("it ends");
    for _ in 0..400 {
        if host.tool("get_result", json!({ "meeting": meeting })).expect("a result")["state"] == "ended" {
            return;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    panic!("the meeting does not end");
}

#[test]
fn a_ticket_of_another_meeting_is_refused_with_both_ids() {
    let app = App::new();
    let (server, base) = started(&app);
    let (ada, host) = (agent(&app, &base, "ada", "speak"), agent(&app, &base, "host", "manage"));
    ada.tool("register_agent", json!({ "introduction": "I look at costs." })).expect("registered");
    let (one, other) = (meeting(&host, "room", &["ada"]), meeting(&host, "room", &["ada"]));
    let ticket = wait(&ada, &one, 20)["turn"]["ticket"].as_str().expect("a ticket").to_owned();
    let calls = [
        ("send_message", json!({ "meeting": other, "ticket": ticket, "content": "Meant for the other." })),
        ("skip_response", json!({ "meeting": other, "ticket": ticket })),
        (
            "cast_vote",
            json!({ "meeting": other, "ticket": ticket, "score": 5, "pass": false, "reason": "no" }),
        ),
    ];
    for (tool, arguments) in calls {
        let told = ada.tool(tool, arguments).expect_err("the ticket is of another meeting");
        assert!(told.contains(&one) && told.contains(&other), "{tool}: {told}");
    }
    let log = app.quorate(&["replay", &one, "--json"]).ok().out;
    assert!(!log.contains("Meant for the other"), "nothing was said at the meeting of the ticket");
    assert_eq!(wait(&ada, &one, 20)["turn"]["ticket"], ticket.as_str(), "the turn is as open as before");
    // What is no ticket at all is said to be none.
    for ticket in ["turn_0", "turn_7", "x"] {
        let given = json!({ "meeting": one, "ticket": ticket, "content": "x" });
        let told = ada.tool("send_message", given).expect_err("no ticket");
        assert!(told.contains("not the ticket of a turn"), "{told}");
    }
    let taken = json!({ "meeting": one, "ticket": ticket, "content": "Meant for this one." });
    ada.tool("send_message", taken).expect("it is taken");
    server.kill();
}

#[test]
fn an_agent_that_waits_is_told_when_no_turn_will_come() {
    let app = App::new();
    let (server, base) = started(&app);
    let (ada, zoe) = (agent(&app, &base, "ada", "speak"), agent(&app, &base, "zoe", "speak"));
    let host = agent(&app, &base, "host", "manage");
    for agent in [&ada, &zoe] {
        agent.tool("register_agent", json!({ "introduction": "I look at costs." })).expect("registered");
    }
    let next = |waited: &Value| waited["next"].as_str().expect("what to do next").to_owned();
    let unknown = ada.tool("wait_for_turn", json!({ "meeting": "nope", "wait_seconds": 1 }));
    let unknown = unknown.expect_err("there is no such meeting");
    assert!(unknown.contains("nope") && unknown.contains("list_meetings"), "{unknown}");

    let held = meeting(&host, "room", &["ada"]);
    let begun = Instant::now();
    let stranger = wait(&zoe, &held, 20);
    assert!(stranger["turn"].is_null() && next(&stranger).contains("join_meeting"), "{stranger}");

    // All have skipped: the room waits for a person, or for a message.
    let ticket = wait(&ada, &held, 20)["turn"]["ticket"].clone();
    ada.tool("skip_response", json!({ "meeting": held, "ticket": ticket })).expect("skipped");
    let paused = wait(&ada, &held, 1);
    assert_eq!(paused["state"], "paused", "{paused}");
    let told = next(&paused);
    assert!(told.contains("paused") && told.contains("resume") && told.contains("nothing new"), "{told}");

    end(&host, &held);
    let ended = wait(&ada, &held, 20);
    assert!(ended["turn"].is_null() && ended["state"] == "ended", "{ended}");
    let told = next(&ended);
    assert!(told.contains("has ended") && told.contains("get_result"), "{told}");
    assert!(!told.contains("wait_for_turn"), "{told}");
    assert!(begun.elapsed() < Duration::from_secs(20), "nothing is waited for in vain");
    for (tool, more) in [
        ("send_message", json!({ "content": "x" })),
        ("send_message", json!({ "content": "x", "ticket": ticket })),
        ("skip_response", json!({})),
        ("skip_response", json!({ "ticket": ticket })),
        ("cast_vote", json!({ "score": 5, "pass": true, "reason": "x" })),
        ("cast_vote", json!({ "score": 5, "pass": true, "reason": "x", "ticket": ticket })),
    ] {
        let mut arguments = more;
        arguments["meeting"] = json!(held);
        let told = ada.tool(tool, arguments).expect_err("the meeting has ended");
        assert!(told.contains("ended") && told.contains("get_result"), "{tool}: {told}");
        assert!(!told.contains("wait_for_turn"), "{tool}: {told}");
    }
    server.kill();
}

#[test]
fn an_agent_that_waits_is_told_at_once_that_the_meeting_ends() {
    let app = App::new();
    let (server, base) = started(&app);
    let (ada, host) = (agent(&app, &base, "ada", "speak"), agent(&app, &base, "host", "manage"));
    ada.tool("register_agent", json!({ "introduction": "I look at costs." })).expect("registered");
    let seats = json!([{ "name": "ada", "model": "agent/ada" }]);
    let new = json!({ "topic": "SQLite or PostgreSQL?", "format": "room", "language": "en", "participants": seats });
    let made = host.tool("create_meeting", new).expect("a meeting, which nobody starts");
    let held = made["meeting"].as_str().expect("an id").to_owned();
    let begun = Instant::now();
    let ended = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| wait(&ada, &held, 25));
        std::thread::sleep(Duration::from_millis(500));
        host.tool("end_meeting", json!({ "meeting": held })).expect("it ends");
        waiting.join().expect("an answer")
    });
    assert!(ended["turn"].is_null() && ended["state"] == "ended", "{ended}");
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    let unknown =
        host.tool("end_meeting", json!({ "meeting": held, "bogus": 1 })).expect_err("no such argument");
    assert!(unknown.contains("without `bogus`"), "{unknown}");
    server.kill();
}

/// Holds a meeting of this format to its record, and gives the pauses that it made.
fn take_home(host: &Mcp, format: &str) -> (String, Vec<Value>) {
    let new = json!({
        "topic": "Which database fits us?", "format": format, "language": "en", "simulate": true,
        "rules": { "limits": { "max_rounds": 2 } },
    });
    let made = host.tool("create_meeting", new).expect("a meeting");
    let meeting = made["meeting"].as_str().expect("an id").to_owned();
    host.tool("start_meeting", json!({ "meeting": meeting })).expect("it starts");
    let mut pauses: Vec<Value> = Vec::new();
    for _ in 0..2000 {
        let result = host.tool("get_result", json!({ "meeting": meeting })).expect("a result");
        match result["state"].as_str() {
            Some("ended") => return (meeting, pauses),
            Some("paused") => {
                let pause = result["pause"].clone();
                assert!(
                    result["next"].as_str().is_some_and(|next| next.contains("resume_meeting")),
                    "{result}"
                );
                let mut arguments =
                    json!({ "meeting": meeting, "take_defaults": true, "token": pause["token"] });
                if pauses.is_empty() {
                    // What the participants should know: the last question that takes any text, or else a number.
                    let questions = pause["questions"].as_array().expect("questions");
                    let of_kind =
                        |kind: &str| questions.iter().rev().find(|question| question["kind"] == kind);
                    let key = |question: &Value| question["key"].as_str().expect("a key").to_owned();
                    arguments["answers"] = match (of_kind("text"), of_kind("number")) {
                        (Some(text), _) => json!({ key(text): "The data is 40 GB." }),
                        (None, Some(number)) => json!({ key(number): 40 }),
                        (None, None) => panic!("no question takes an answer: {pause}"),
                    };
                }
                if pause["reason"] == "need_approval" {
                    arguments["answers"] = json!({ "team": "accept" });
                }
                pauses.push(pause);
                let resumed = host.tool("resume_meeting", arguments.clone()).expect("it goes on");
                assert!(resumed["next"].is_string(), "{resumed}");
                let again = host.tool("resume_meeting", arguments);
                assert!(again.is_err(), "the answers are for one pause");
            }
            _ => std::thread::sleep(Duration::from_millis(10)),
        }
    }
    panic!("the meeting does not end: {pauses:?}");
}

#[test]
fn an_assistant_takes_home_a_decision_and_a_brainstorm() {
    let app = App::new();
    let (server, base) = started(&app);
    let host = agent(&app, &base, "host", "manage");
    for format in ["decision", "brainstorm"] {
        let (meeting, pauses) = take_home(&host, format);
        assert!(!pauses.is_empty(), "{format} asks something");
        for question in pauses.iter().flat_map(|pause| pause["questions"].as_array().expect("questions")) {
            assert!(question["key"].is_string(), "{question}");
            assert!(question["question"].as_str().is_some_and(|text| text.len() > 5), "{question}");
        }
        if format == "brainstorm" {
            let approval = pauses.iter().find(|pause| pause["reason"] == "need_approval");
            let approval = approval.unwrap_or_else(|| panic!("a team is proposed: {pauses:?}"));
            assert!(
                !approval["proposal"]["candidates"].as_array().expect("candidates").is_empty(),
                "{approval}"
            );
            let choices = &approval["questions"][0]["choices"];
            assert_eq!(choices, &json!(["accept", "reject", "again"]), "{approval}");
        }
        let record = host.tool("export_chat_history", json!({ "meeting": meeting })).expect("the record");
        assert!(record["content"].as_str().is_some_and(|text| text.contains("Which database")), "{record}");
        let log = app.quorate(&["replay", &meeting, "--json"]).ok().out;
        let is_answered = log.contains("The data is 40 GB.") || log.contains(r#"":40"#);
        assert!(is_answered, "{format}: the answer is in the log");
    }
    server.kill();
}

#[test]
fn questions_are_read_and_answered_within_the_permissions_of_the_caller() {
    let app = App::new();
    let (server, base) = started(&app);
    let (host, ada) = (agent(&app, &base, "host", "manage"), agent(&app, &base, "ada", "speak"));
    let new = json!({ "topic": "Which database fits us?", "format": "brainstorm", "language": "en", "simulate": true });
    let made = host.tool("create_meeting", new).expect("a meeting");
    let meeting = made["meeting"].as_str().expect("an id").to_owned();
    host.tool("start_meeting", json!({ "meeting": meeting })).expect("it starts");
    let pause = (0..400).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        let result = host.tool("get_result", json!({ "meeting": meeting })).expect("a result");
        Some(result["pause"].clone()).filter(Value::is_object)
    });
    let pause = pause.expect("a brainstorm asks before its first round");
    assert_eq!(pause["reason"], "check_in", "{pause}");
    // In the language of the reader, whatever that of the meeting is.
    let params = json!({ "name": "get_result", "arguments": { "meeting": meeting } });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let shown: Value = host.send(&call, &[("accept-language", "zh-CN")]).json().expect("JSON");
    let asked = &shown["result"]["structuredContent"]["pause"]["questions"][0]["question"];
    assert!(asked.as_str().is_some_and(|text| text.contains("主题")), "{shown}");
    let wrong = json!({ "meeting": meeting, "answers": { "nothing_of_the_kind": "x" } });
    let refused = host.tool("resume_meeting", wrong).expect_err("there is no such question");
    assert!(refused.contains("nothing_of_the_kind"), "{refused}");
    let defaults = json!({ "meeting": meeting, "take_defaults": true });
    let refused = ada.tool("resume_meeting", defaults.clone()).expect_err("this is what a person does");
    assert!(refused.contains("manage"), "{refused}");
    let other = json!({ "meeting": meeting, "take_defaults": true, "token": "of another pause" });
    host.tool("resume_meeting", other).expect_err("the token is of another pause");
    host.tool("resume_meeting", defaults).expect("it goes on");
    end(&owner(&app, &base), &meeting);
    let late = host.tool("resume_meeting", json!({ "meeting": meeting })).expect_err("it has ended");
    assert!(late.contains("get_result"), "{late}");
    server.kill();
}
