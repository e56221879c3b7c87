//! How an agent reads a long meeting over the Model Context Protocol: in pages that a client takes, each message once.

use std::time::Duration;

use serde_json::{Value, json};

use crate::app::App;
use crate::client::started;
use crate::mcp_client::{Mcp, again, agent, owner};

/// The most characters of a page that clients are known to take.
const TAKEN: usize = 60_000;

/// A room with one agent, which has started.
fn room(host: &Mcp, agent: &Mcp) -> String {
    agent.tool("register_agent", json!({ "introduction": "I look at costs." })).expect("registered");
    let participants = json!([{ "name": "ada", "model": "agent/ada" }]);
    let new =
        json!({ "topic": "What next?", "format": "room", "language": "en", "participants": participants });
    let made = host.tool("create_meeting", new).expect("a meeting");
    let meeting = made["meeting"].as_str().expect("an id").to_owned();
    host.tool("start_meeting", json!({ "meeting": meeting })).expect("it starts");
    meeting
}

/// Says so many words of this length.
fn say(host: &Mcp, meeting: &str, numbers: std::ops::Range<usize>, length: usize) {
    for number in numbers {
        let content = format!("Word {number}: {}", "字".repeat(length));
        let said = host.rest("POST", &format!("/meetings/{meeting}/messages"), json!({ "content": content }));
        assert!(said["seq"].is_u64(), "{said}");
    }
}

/// A page, as the client gets it: the ids of its messages, and whether there are more.
fn page(agent: &Mcp, arguments: Value) -> (Vec<String>, bool) {
    let result = agent.ask("tools/call", json!({ "name": "get_context", "arguments": arguments }));
    assert_ne!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(text.chars().count() < TAKEN, "{} characters", text.chars().count());
    let read = &result["structuredContent"];
    let more = read["has_more"] == true;
    let next = read["next"].as_str().expect("what to do next");
    assert!(next.contains("get_context"), "{next}");
    assert_eq!(more, next.contains("more messages"), "{next}");
    let ids = read["messages"].as_array().expect("messages").iter();
    (ids.map(|said| said["id"].as_str().expect("an id").to_owned()).collect(), more)
}

#[test]
fn a_long_meeting_is_read_in_whole_messages_each_once_also_after_the_server_was_killed() {
    let app = App::new();
    let (server, base) = started(&app);
    let mut ada = agent(&app, &base, "ada", "speak");
    let mut host = agent(&app, &base, "host", "manage");
    let meeting = room(&host, &ada);
    say(&host, &meeting, 1..31, 9_000);
    let all: Vec<String> = (1..31).map(|number| format!("m{number}")).collect();

    // The first pages, and then the server is killed.
    let mut read = Vec::new();
    let (first, more) = page(&ada, json!({ "meeting": meeting }));
    assert!(more && (2..6).contains(&first.len()), "{first:?}");
    read.extend(first);
    let (few, more) = page(&ada, json!({ "meeting": meeting, "limit": 1 }));
    assert!(more && few.len() == 1, "{few:?}");
    read.extend(few);
    std::thread::sleep(Duration::from_millis(500));
    let server = again(&app, server, &mut [&mut ada, &mut host]);
    loop {
        let (ids, more) = page(&ada, json!({ "meeting": meeting }));
        read.extend(ids);
        if !more {
            break;
        }
    }
    assert_eq!(read, all, "nothing is missing, nothing comes twice");
    assert_eq!(page(&ada, json!({ "meeting": meeting })), (Vec::new(), false));

    // From the beginning once more, as often as it likes; what counts as given stays.
    for arguments in [json!({ "from_start": true, "limit": 2 }), json!({ "after": 0, "limit": 2 })] {
        let mut arguments = arguments;
        arguments["meeting"] = json!(meeting);
        assert_eq!(page(&ada, arguments), (all[..2].to_vec(), true));
    }
    say(&host, &meeting, 31..32, 10);
    assert_eq!(page(&ada, json!({ "meeting": meeting })), (vec!["m31".to_owned()], false));

    // The turn is bounded as well: the newest messages, and how many older ones there are.
    let result =
        ada.ask("tools/call", json!({ "name": "wait_for_turn", "arguments": { "meeting": meeting } }));
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(text.chars().count() < TAKEN, "{} characters", text.chars().count());
    let turn = &result["structuredContent"]["turn"];
    let left_out = turn["messages_left_out"].as_u64().unwrap_or_default();
    assert!(turn["ticket"].is_string(), "{result}");
    if left_out > 0 {
        let next = result["structuredContent"]["next"].as_str().expect("what to do next");
        assert!(next.contains(&left_out.to_string()) && next.contains("get_context"), "{next}");
    }
    server.kill();
}

#[test]
fn a_turn_of_a_long_meeting_has_its_newest_messages() {
    let app = App::new();
    let (server, base) = started(&app);
    let ada = agent(&app, &base, "ada", "speak");
    let host = owner(&app, &base);
    ada.tool("register_agent", json!({ "introduction": "I look at costs." })).expect("registered");
    let participants = json!([{ "name": "ada", "model": "agent/ada" }]);
    let new =
        json!({ "topic": "What next?", "format": "room", "language": "en", "participants": participants });
    let made = host.tool("create_meeting", new).expect("a meeting");
    let meeting = made["meeting"].as_str().expect("an id").to_owned();
    host.tool("start_meeting", json!({ "meeting": meeting })).expect("it starts");
    let wait = |meeting: &str| {
        let arguments = json!({ "meeting": meeting, "wait_seconds": 20 });
        let result = ada.ask("tools/call", json!({ "name": "wait_for_turn", "arguments": arguments }));
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert!(text.chars().count() < TAKEN, "{} characters", text.chars().count());
        result["structuredContent"].clone()
    };
    // What is said while its turn is open is read in the next one.
    let ticket = wait(&meeting)["turn"]["ticket"].clone();
    say(&host, &meeting, 1..41, 9_000);
    let answer = json!({ "meeting": meeting, "ticket": ticket, "content": "I have seen it." });
    ada.tool("send_message", answer).expect("it is taken");
    say(&host, &meeting, 41..42, 9_000);
    let waited = wait(&meeting);
    let turn = &waited["turn"];
    let prompt = turn["messages"].to_string();
    assert!(prompt.contains("Word 40:") && prompt.contains("What next?"), "the newest, and what it is about");
    let left_out = turn["messages_left_out"].as_u64().expect("older ones are left out");
    assert!(left_out > 30, "{left_out}");
    assert!(waited["next"].as_str().is_some_and(|next| next.contains("get_context")), "{waited}");
    server.kill();
}
