//! Resources and prompts over the Model Context Protocol.

use serde_json::{Value, json};

use crate::app::App;
use crate::client::started;
use crate::mcp_client::{Mcp, agent, owner};

fn read(agent: &Mcp, uri: &str) -> Value {
    agent.ask("resources/read", json!({ "uri": uri }))["contents"][0].clone()
}

fn refused(agent: &Mcp, method: &str, params: Value) -> Value {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let answer: Value = agent.send(&message, &[]).json().expect("JSON");
    assert!(answer["error"]["message"].as_str().is_some_and(|told| !told.is_empty()), "{answer}");
    answer["error"].clone()
}

#[test]
fn the_papers_of_a_meeting_are_resources() {
    let app = App::new();
    let (server, base) = started(&app);
    let host = agent(&app, &base, "host", "manage");
    let new = json!({
        "topic": "SQLite or PostgreSQL?", "format": "discussion", "language": "en", "simulate": true,
        "rules": { "limits": { "max_rounds": 1 }, "closing": { "artifacts": ["ADR", "RISKS"] }, "turns": { "pace": "instant" } },
    });
    let meeting =
        host.tool("create_meeting", new).expect("a meeting")["meeting"].as_str().expect("an id").to_owned();
    let files = [
        ("notes.md", "# Notes\n会议".as_bytes(), "# Notes\n会议"),
        ("picture.png", &b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"[..], "iVBORw0KGgoAAAANSUhEUg=="),
    ];
    for (name, bytes, _) in files {
        let request = host.client.post(format!("{base}/api/v1/meetings/{meeting}/files?name={name}"));
        let sent = request.bearer_auth(&host.token).body(bytes.to_vec()).send().expect("an answer");
        assert_eq!(sent.status().as_u16(), 201);
    }
    host.tool("start_meeting", json!({ "meeting": meeting })).expect("it starts");
    for _ in 0..600 {
        let result = host.tool("get_result", json!({ "meeting": meeting })).expect("a result");
        if result["state"] == "ended" {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let listed = host.ask("resources/list", json!({}));
    let uris: Vec<&str> = listed["resources"]
        .as_array()
        .expect("resources")
        .iter()
        .filter_map(|one| one["uri"].as_str())
        .collect();
    let own = format!("quorate://meetings/{meeting}");
    assert_eq!(uris, [own.clone(), format!("{own}/record"), format!("{own}/report")]);
    let templates = host.ask("resources/templates/list", json!({}));
    assert_eq!(templates["resourceTemplates"].as_array().map(Vec::len), Some(6), "{templates}");

    let contents = read(&host, &own);
    assert_eq!(contents["mimeType"], "application/json");
    let contents: Value = serde_json::from_str(contents["text"].as_str().expect("a text")).expect("JSON");
    assert_eq!((&contents["topic"], &contents["state"]), (&json!("SQLite or PostgreSQL?"), &json!("ended")));
    let papers: Vec<&str> =
        contents["resources"].as_array().expect("resources").iter().filter_map(Value::as_str).collect();
    assert!(papers.iter().any(|uri| uri.contains("/artifacts/")), "{contents}");
    for uri in &papers {
        let paper = read(&host, uri);
        assert_eq!(paper["uri"], **uri);
        assert!(paper["text"].as_str().is_some_and(|text| text.len() > 20), "{uri}: {paper}");
    }
    assert!(
        read(&host, &format!("{own}/record"))["text"]
            .as_str()
            .expect("a text")
            .contains("SQLite or PostgreSQL?")
    );
    for (file, (_, _, held)) in contents["files"].as_array().expect("files").iter().zip(files) {
        let paper = read(&host, file["uri"].as_str().expect("an address"));
        let field = if file["name"] == "notes.md" { "text" } else { "blob" };
        assert_eq!(paper[field], held, "{paper}");
        assert_eq!(paper["mimeType"], file["mime_type"]);
    }

    for uri in ["quorate://meetings/nowhere/record", "quorate://meetings/nowhere", "file:///etc/passwd", ""] {
        assert_eq!(refused(&host, "resources/read", json!({ "uri": uri }))["code"], -32002, "{uri}");
    }
    for (below, code) in
        [("files/none", -32002), ("artifacts/none", -32002), ("files/..%2F..%2Ftokens", -32002)]
    {
        assert_eq!(
            refused(&host, "resources/read", json!({ "uri": format!("{own}/{below}") }))["code"],
            code,
            "{below}"
        );
    }
    assert_eq!(refused(&host, "resources/read", json!({}))["code"], -32602);
    refused(&host, "resources/list", json!({ "cursor": "garbage" }));
    server.kill();
}

#[test]
fn what_one_may_not_see_is_no_resource() {
    let app = App::new();
    let (server, base) = started(&app);
    let owner = owner(&app, &base);
    let meeting = owner.rest("POST", "/meetings", json!({ "topic": "Salaries", "simulate": true }));
    let id = meeting["id"].as_str().expect("an id");
    let shut =
        owner.rest("PATCH", &format!("/meetings/{id}"), json!({ "password": "correct horse battery" }));
    assert!(shut["status"].is_null() || shut["status"] == 200, "{shut}");
    let speaker = agent(&app, &base, "ada", "speak");
    for below in ["", "/record", "/report", "/minutes"] {
        let error =
            refused(&speaker, "resources/read", json!({ "uri": format!("quorate://meetings/{id}{below}") }));
        assert!(!error.to_string().contains("Salaries"), "{error}");
    }
    server.kill();
}

#[test]
fn prompts_convene_meetings_in_both_languages() {
    let app = App::new();
    let (server, base) = started(&app);
    let host = agent(&app, &base, "host", "manage");
    let listed = host.ask("prompts/list", json!({}));
    let names: Vec<&str> = listed["prompts"]
        .as_array()
        .expect("prompts")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(names, ["convene_decision", "review_plan", "collect_ideas", "take_part", "report_result"]);
    let chinese = json!({ "jsonrpc": "2.0", "id": 1, "method": "prompts/list", "params": {} });
    let chinese: Value = host.send(&chinese, &[("accept-language", "zh-CN,zh;q=0.9")]).json().expect("JSON");
    assert_eq!(chinese["result"]["prompts"][0]["title"], "召集决策会议", "{chinese}");
    let given = json!({ "question": "SQLite or PostgreSQL?", "language": "zh" });
    let prompt = host.ask("prompts/get", json!({ "name": "convene_decision", "arguments": given }));
    let text = prompt["messages"][0]["content"]["text"].as_str().expect("a text");
    assert!(text.contains("SQLite or PostgreSQL?") && text.contains("调用 create_meeting"), "{text}");
    for params in [
        json!({ "name": "none" }),
        json!({ "name": "take_part" }),
        json!({ "name": "take_part", "arguments": { "meeting": 7 } }),
        json!({ "name": "take_part", "arguments": "x" }),
        json!({}),
    ] {
        assert_eq!(refused(&host, "prompts/get", params)["code"], -32602);
    }
    let asked = json!({ "ref": { "type": "ref/prompt", "name": "take_part" }, "argument": { "name": "meeting", "value": "" } });
    let made =
        host.tool("create_meeting", json!({ "topic": "What next?", "simulate": true })).expect("a meeting");
    let completed = host.ask("completion/complete", asked);
    assert_eq!(completed["completion"]["values"], json!([made["meeting"]]), "{completed}");
    server.kill();
}
