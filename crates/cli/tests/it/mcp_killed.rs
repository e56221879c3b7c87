//! Agents over the Model Context Protocol while the server is killed and started again, and while they are away.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::app::App;
use crate::client::started;
use crate::mcp_client::{Mcp, again, agent, read_on};

/// The turn that is open, when one comes before the meeting is over.
fn turn(agent: &Mcp, meeting: &str) -> Option<Value> {
    for _ in 0..100 {
        let waited =
            agent.tool("wait_for_turn", json!({ "meeting": meeting, "wait_seconds": 2 })).expect("an answer");
        if !waited["turn"].is_null() {
            return Some(waited["turn"].clone());
        }
        let result = agent.tool("get_result", json!({ "meeting": meeting })).expect("a result");
        if result["state"] == "ended" {
            return None;
        }
    }
    panic!("no turn, and no end");
}

fn answer(agent: &Mcp, meeting: &str, ticket: &Value, words: &str) -> Result<Value, String> {
    agent.tool("send_message", json!({ "meeting": meeting, "ticket": ticket, "content": words }))
}

/// An answer that fits the schema of a turn; the words alone where it has none.
fn fitting(turn: &Value, words: &str) -> String {
    fn filled(schema: &Value, words: &str) -> Value {
        match schema["type"].as_str() {
            Some("object") => {
                let fields = schema["properties"].as_object().into_iter().flatten();
                fields
                    .map(|(name, schema)| (name.clone(), filled(schema, words)))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            }
            Some("array") => {
                let least = schema["minItems"].as_u64().unwrap_or_default() as usize;
                vec![filled(&schema["items"], words); least].into()
            }
            Some("integer" | "number") => json!(60),
            Some("boolean") => json!(false),
            _ => schema["enum"].get(0).cloned().unwrap_or_else(|| json!(words)),
        }
    }
    let schema = &turn["answer_schema"];
    if schema.is_null() { words.to_owned() } else { filled(schema, words).to_string() }
}

/// A meeting of this agent and simulated ones that talk for some rounds.
fn convened(host: &Mcp, agent: &Mcp, format: &str, rounds: u32) -> String {
    let new = json!({
        "topic": "SQLite or PostgreSQL?", "format": format, "language": "en", "simulate": true,
        "participants": [{ "name": "Sim" }, { "name": "Sam" }],
        "rules": { "limits": { "max_rounds": rounds }, "turns": { "pace": "instant" } },
    });
    let made = host.tool("create_meeting", new).expect("a meeting");
    let meeting = made["meeting"].as_str().expect("an id").to_owned();
    agent.tool("register_agent", json!({ "introduction": "I look at costs." })).expect("registered");
    agent.tool("join_meeting", json!({ "meeting": meeting })).expect("a seat");
    host.tool("start_meeting", json!({ "meeting": meeting })).expect("it starts");
    meeting
}

#[test]
fn an_open_turn_outlives_the_server_and_takes_one_answer() {
    let app = App::new();
    let (mut server, base) = started(&app);
    let mut ada = agent(&app, &base, "ada", "speak");
    let mut host = agent(&app, &base, "host", "manage");
    let meeting = convened(&host, &ada, "discussion", 8);
    let mut acknowledged = Vec::new();
    let mut number = 0;
    while let Some(open) = turn(&ada, &meeting) {
        number += 1;
        let words = format!("answer number {number} of ada");
        let ticket = &open["ticket"];
        match number % 3 {
            // Killed while the agent works: the same turn waits for it afterwards.
            0 => {
                server = again(&app, server, &mut [&mut ada, &mut host]);
                let offered = turn(&ada, &meeting).expect("it is still open");
                assert_eq!(&offered["ticket"], ticket, "the ticket still stands");
                answer(&ada, &meeting, ticket, &words).expect("it is taken");
            }
            // Killed as soon as the answer is acknowledged.
            1 => {
                answer(&ada, &meeting, ticket, &words).expect("it is taken");
                server = again(&app, server, &mut [&mut ada, &mut host]);
            }
            // Killed while the answer is under way: it is taken, or the turn is still open.
            _ => {
                let sent = std::thread::scope(|scope| {
                    let sending = scope.spawn(|| {
                        let params = json!({ "name": "send_message", "arguments": { "meeting": meeting, "ticket": ticket, "content": words } });
                        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
                        let request = ada.client.post(format!("{}/mcp", ada.base)).bearer_auth(&ada.token);
                        request.header("accept", "*/*").json(&message).send().is_ok_and(|sent| sent.status() == 200)
                    });
                    std::thread::sleep(Duration::from_millis(number % 7));
                    server.kill();
                    sending.join().expect("it was sent")
                });
                let (restarted, base) = started(&app);
                server = restarted;
                [&mut ada, &mut host].into_iter().for_each(|agent| agent.base.clone_from(&base));
                let second = answer(&ada, &meeting, ticket, &words);
                if let Err(refused) = &second {
                    assert!(refused.contains("over"), "{refused}");
                }
                assert!(!(sent && second.is_ok()), "an acknowledged answer is taken once");
            }
        }
        let refused = answer(&ada, &meeting, ticket, "once more").expect_err("a turn takes one answer");
        assert!(refused.contains("over"), "{refused}");
        acknowledged.push(words);
    }
    assert!(number >= 6, "{number} turns");
    let (all, _) = read_on(&ada, &meeting, 0);
    let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, content) in all.iter().filter(|(_, content)| content.contains("of ada")) {
        *counted.entry(content).or_default() += 1;
    }
    let expected: BTreeMap<&str, usize> = acknowledged.iter().map(|words| (words.as_str(), 1)).collect();
    assert_eq!(counted, expected, "nothing lost, nothing twice");
    assert!(!all.iter().any(|(_, content)| content == "once more"));
    server.kill();
}

#[test]
fn an_agent_that_was_away_reads_on_where_it_was() {
    let app = App::new();
    let (mut server, base) = started(&app);
    let mut ada = agent(&app, &base, "ada", "speak");
    let mut host = agent(&app, &base, "host", "manage");
    // With a blind round first: what is withheld in it is read later, once.
    let meeting = convened(&host, &ada, "consensus", 3);
    // A reader that comes and goes without a seat, with its own cursor.
    let mut reader = agent(&app, &base, "reader", "speak");
    let (mut held, mut cursor) = (Vec::new(), 0);
    let mut turns = 0;
    while let Some(open) = turn(&ada, &meeting) {
        turns += 1;
        if turns % 3 != 0 {
            let (read, next) = read_on(&reader, &meeting, cursor);
            held.extend(read);
            cursor = next;
        }
        if turns % 4 == 2 {
            server = again(&app, server, &mut [&mut ada, &mut host, &mut reader]);
        }
        let taken = match open["kind"].as_str() {
            Some("vote") => {
                let vote = json!({ "meeting": meeting, "ticket": open["ticket"], "score": 60, "pass": false, "reason": "Costs are open." });
                ada.tool("cast_vote", vote)
            }
            _ => answer(&ada, &meeting, &open["ticket"], &fitting(&open, &format!("ada says {turns}"))),
        };
        taken.unwrap_or_else(|error| panic!("{open}: {error}"));
    }
    let (read, last) = read_on(&reader, &meeting, cursor);
    held.extend(read);
    assert_eq!(read_on(&reader, &meeting, last).0, [], "there is no more");
    let mut ids: Vec<&str> = held.iter().map(|(id, _)| id.as_str()).collect();
    let (all, _) = read_on(&reader, &meeting, 0);
    let whole: Vec<&str> = all.iter().map(|(id, _)| id.as_str()).collect();
    ids.sort_unstable();
    let mut sorted = whole.clone();
    sorted.sort_unstable();
    assert_eq!(ids, sorted, "nothing missed, nothing twice");
    assert!(all.len() >= 6, "{all:?}");
    server.kill();
}

/// The skip list of the agent's seat, as the server shows it.
fn skip_list(host: &Mcp, meeting: &str) -> Value {
    host.rest("GET", &format!("/meetings/{meeting}/participants/ada"), Value::Null)["participant"]["skip_list"]
        .clone()
}

#[test]
fn a_new_skip_list_reaches_the_seats_at_meetings_that_the_server_has_not_opened() {
    let app = App::new();
    let (server, base) = started(&app);
    let mut ada = agent(&app, &base, "ada", "speak");
    let mut host = agent(&app, &base, "host", "manage");
    let introduced =
        |list: Value| json!({ "introduction": "I watch the build.", "role": "Builder", "skip_list": list });
    ada.tool("register_agent", introduced(json!(["ok"]))).expect("registered");
    let new = json!({ "topic": "What next?", "format": "room", "language": "en", "simulate": true, "participants": [{ "name": "Sim" }] });
    let meetings: Vec<String> = (0..2)
        .map(|_| {
            let made = host.tool("create_meeting", new.clone()).expect("a meeting");
            let meeting = made["meeting"].as_str().expect("an id").to_owned();
            ada.tool("join_meeting", json!({ "meeting": meeting })).expect("a seat");
            meeting
        })
        .collect();
    // A draft, a meeting that is paused, and one that is over.
    host.tool("start_meeting", json!({ "meeting": meetings[1] })).expect("it starts");
    host.rest("POST", &format!("/meetings/{}/pause", meetings[1]), json!({ "at_once": true }));
    let over =
        host.tool("create_meeting", new).expect("a meeting")["meeting"].as_str().expect("an id").to_owned();
    ada.tool("join_meeting", json!({ "meeting": over })).expect("a seat");
    host.tool("start_meeting", json!({ "meeting": over })).expect("it starts");
    host.tool("end_meeting", json!({ "meeting": over })).expect("it ends");
    assert_eq!(turn(&ada, &over), None, "it is over");
    let _server = again(&app, server, &mut [&mut ada, &mut host]);
    ada.tool("register_agent", introduced(json!(["ok", "/status"]))).expect("registered");
    for meeting in &meetings {
        assert_eq!(skip_list(&host, meeting), json!(["ok", "/status"]), "{meeting}");
    }
    assert_eq!(skip_list(&host, &over), json!(["ok"]), "a meeting that is over keeps what held");
    let log = app.quorate(&["replay", &meetings[0], "--json"]).ok().events();
    let changed: Vec<&Value> = log.iter().filter(|event| event["type"] == "participant_changed").collect();
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert_eq!(changed[0]["payload"]["skip_list"], json!(["ok", "/status"]));
}
