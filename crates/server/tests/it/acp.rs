//! Coding agents and processes of the operator's configuration: listed, seated, and asked about.
#![cfg(unix)]

use std::time::{Duration, Instant};

use quorate_contract::MeetingId;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access::generous;
use crate::access_server::App;
use crate::turns::{meeting, said};

/// An agent that asks whether it may run something, and says what it was told.
const AGENT: &str = r#"
import json, sys
def put(message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    method, id = message.get("method"), message.get("id")
    if method == "initialize": put({"id": id, "result": {"protocolVersion": 1}})
    elif method == "session/new": put({"id": id, "result": {"sessionId": "s"}})
    elif method == "session/prompt":
        turn = id
        call = {"toolCallId": "t", "kind": "execute", "title": "cargo test"}
        options = [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}, {"optionId": "no", "name": "No", "kind": "reject_once"}]
        put({"id": 900, "method": "session/request_permission", "params": {"sessionId": "s", "toolCall": call, "options": options}})
    elif id == 900:
        told = message["result"]["outcome"].get("optionId", "cancelled")
        update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": f"I was told {told}."}}
        put({"method": "session/update", "params": {"sessionId": "s", "update": update}})
        put({"id": turn, "result": {"stopReason": "end_turn"}})
"#;

fn config(folder: &std::path::Path) -> String {
    let program = folder.join("agent.py");
    std::fs::write(&program, AGENT).expect("written");
    format!(
        "[acp.coder]\ncommand = ['python3', '{}']\ndescription = 'Reads the shop'\n\
         folders = {{ shop = '{}', docs = '/tmp' }}\n\
         [processes.echo]\ncommand = ['cat']\ndescription = 'Says it again'\n",
        program.display(),
        folder.display()
    )
}

/// The events of a meeting of one type, once there are so many.
async fn events(app: &App, id: &str, kind: &str, count: usize) -> Vec<Value> {
    let begun = Instant::now();
    loop {
        let records = app.service.records(&MeetingId::new(id), 0).await.expect("a log");
        let all = records.iter().map(|record| serde_json::to_value(&record.event).expect("an event is JSON"));
        let found: Vec<Value> = all.filter(|event| event["type"] == kind).collect();
        if found.len() >= count {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "{kind} does not come: {found:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn programs_are_listed_without_their_commands() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = App::configured(generous(), &config(folder.path())).await;
    let owner = app.owner().await.text("access_token");
    let listed = app.by(&owner, Method::GET, "/processes", None).await;
    assert_eq!(
        listed.body["items"],
        json!([
            { "kind": "process", "name": "echo", "model": "process/echo", "description": "Says it again",
              "folders": [], "writable": false },
            { "kind": "acp", "name": "coder", "model": "acp/coder", "description": "Reads the shop",
              "folders": ["docs", "shop"], "writable": false },
        ])
    );
}

#[tokio::test]
async fn a_person_permits_what_an_agent_asks_and_both_are_in_the_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = App::configured(generous(), &config(folder.path())).await;
    let owner = app.owner().await.text("access_token");
    let rules = json!({ "limits": { "max_rounds": 2 } });
    let id = meeting(&app, &owner, "discussion", rules, &[("Rev", "acp/coder/shop")]).await;
    let path = format!("/meetings/{id}/permissions");
    for (round, allow) in [(1, true), (2, false)] {
        let asked = events(&app, &id, "agent_action", 2 * round - 1).await;
        let Some(last) = asked.last() else { panic!("nothing was asked") };
        let payload = &last["payload"];
        assert_eq!(
            (&payload["action"]["permission"], &payload["action"]["kind"]),
            (&json!("asked"), &json!("execute"))
        );
        let mut body = json!({
            "task": payload["task"], "attempt": payload["attempt"], "number": payload["action"]["number"], "allow": allow,
        });
        // A program that takes part permits nothing.
        let agent = app
            .token(&owner, json!({ "name": format!("a{round}"), "scope": "manage", "agent": "other" }))
            .await
            .text("token");
        let refused = app.by(&agent, Method::POST, &path, Some(body.clone())).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
        let answered = app.by(&owner, Method::POST, &path, Some(body.clone())).await;
        assert_eq!(answered.status, StatusCode::OK, "{}", answered.body);
        let late = app.by(&owner, Method::POST, &path, Some(body.clone())).await;
        assert_eq!((late.status, late.sort()), (StatusCode::CONFLICT, "turn-is-over"), "{}", late.body);
        body["number"] = json!(0);
        let never = app.by(&owner, Method::POST, &path, Some(body)).await;
        assert!(never.status.is_client_error(), "{}", never.body);
        let told = events(&app, &id, "agent_action", 2 * round).await;
        let told = &told[2 * round - 1];
        let permission = if allow { "allowed" } else { "refused" };
        assert_eq!(told["payload"]["action"]["permission"], permission);
        assert_eq!(told["payload"]["action"]["by"]["name"], told["actor"]["name"]);
        assert_eq!(told["actor"]["kind"], "person");
    }
    events(&app, &id, "finished", 1).await;
    let said: Vec<String> = said(&app, &owner, &id).await.into_iter().map(|(_, text)| text).collect();
    assert_eq!(said, ["I was told no.", "I was told yes."], "the newest first");
    let audit = app.by(&owner, Method::GET, "/audit?action=meetings.permissions.post", None).await;
    let statuses: Vec<u64> = audit.body["items"]
        .as_array()
        .expect("lines")
        .iter()
        .filter_map(|line| line["detail"]["status"].as_u64())
        .filter(|status| *status == 200)
        .collect();
    assert_eq!(statuses.len(), 2, "{}", audit.body);
}

#[tokio::test]
async fn an_agent_of_the_library_is_answered_by_a_program_of_the_configuration() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = App::configured(generous(), &config(folder.path())).await;
    let owner = app.owner().await.text("access_token");
    let new = |name: &str, model: &str| json!({ "name": name, "role": "Reviewer", "description": "Reads.", "model": model });
    for (name, model, runner) in [
        ("Rev", "acp/coder/docs", json!({ "kind": "acp", "name": "coder", "folder": "docs" })),
        ("Echo", "process/echo", json!({ "kind": "process", "name": "echo" })),
        ("Lost", "process/none", json!({ "kind": "process", "name": "none" })),
    ] {
        let made = app.by(&owner, Method::POST, "/agents", Some(new(name, model))).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
        assert_eq!(made.body["runner"], runner, "{}", made.body);
    }
    let hold = |agents: &[&str]| {
        let participants: Vec<Value> = agents.iter().map(|agent| json!({ "agent": agent })).collect();
        json!({ "topic": "Is it?", "participants": participants, "facilitator": { "enabled": false } })
    };
    let made = app.by(&owner, Method::POST, "/meetings", Some(hold(&["Rev", "Echo"]))).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    let lost = app.by(&owner, Method::POST, "/meetings", Some(hold(&["Lost"]))).await;
    assert_eq!(lost.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", lost.body);
    for model in ["process/none", "acp/none", "acp/coder", "acp/coder/none"] {
        let participants = json!([{ "name": "Rev", "model": model }]);
        let new = json!({ "topic": "Is it?", "lang": "zh", "participants": participants });
        let refused = app.by(&owner, Method::POST, "/meetings", Some(new)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{model}: {}", refused.body);
        let pointer = refused.body["errors"][0]["pointer"].as_str().unwrap_or_default();
        assert!(!pointer.is_empty(), "{}", refused.body);
    }
    let sampled = json!({ "name": "Hot", "role": "R", "description": "D", "model": "acp/coder/docs", "temperature": 1.0 });
    assert!(app.by(&owner, Method::POST, "/agents", Some(sampled)).await.status.is_client_error());
}
