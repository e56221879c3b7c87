//! Versions of the protocol, headers, batches, and what is left when the server restarts.

use serde_json::{Value, json};

use crate::app::App;
use crate::client::started;
use crate::mcp_client::{Mcp, agent};

const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const NEWEST: &str = "2026-07-28";

/// A request with these headers, and no others of the protocol.
fn post(agent: &Mcp, message: &Value, headers: &[(&str, &str)]) -> (u16, Value) {
    let mut request = agent.client.post(format!("{}/mcp", agent.base)).bearer_auth(&agent.token);
    request = request.header("content-type", "application/json").body(message.to_string());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().expect("an answer");
    let status = response.status().as_u16();
    let text = response.text().expect("a body");
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

fn request(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

fn initialize(version: &str) -> Value {
    let client = json!({ "name": "t", "version": "1" });
    request("initialize", json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client }))
}

const BOTH: (&str, &str) = ("accept", "application/json, text/event-stream");

#[test]
fn every_version_of_the_protocol_is_spoken() {
    let app = App::new();
    let (server, base) = started(&app);
    let agent = agent(&app, &base, "ada", "speak");
    for version in VERSIONS {
        let (status, answer) = post(&agent, &initialize(version), &[BOTH]);
        assert_eq!((status, &answer["result"]["protocolVersion"]), (200, &json!(version)), "{answer}");
        for offered in ["tools", "resources", "prompts", "completions"] {
            assert!(answer["result"]["capabilities"][offered].is_object(), "{answer}");
        }
        let noted = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let headers = [BOTH, ("mcp-protocol-version", version)];
        assert_eq!(post(&agent, &noted, &headers).0, 202);
        let (status, listed) = post(&agent, &request("tools/list", json!({})), &headers);
        assert_eq!(status, 200);
        assert!(listed["result"]["tools"].as_array().is_some_and(|tools| tools.len() >= 14), "{listed}");
        assert_eq!(post(&agent, &request("ping", json!({})), &headers).1["result"], json!({}));
    }
    // Since 2026-07-28 each request names its version, and nothing is initialized.
    let own = json!({
        "io.modelcontextprotocol/protocolVersion": NEWEST,
        "io.modelcontextprotocol/clientInfo": { "name": "t", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let newest = |method: &str, mut params: Value, name: Option<&str>| {
        params["_meta"] = own.clone();
        let mut headers = vec![BOTH, ("mcp-protocol-version", NEWEST), ("mcp-method", method)];
        headers.extend(name.map(|name| ("mcp-name", name)));
        post(&agent, &request(method, params), &headers)
    };
    let (status, found) = newest("server/discover", json!({}), None);
    assert_eq!(status, 200, "{found}");
    assert!(found["result"]["supportedVersions"].as_array().is_some_and(|known| known.len() == 5), "{found}");
    let call = json!({ "name": "list_meetings", "arguments": {} });
    let (status, listed) = newest("tools/call", call, Some("list_meetings"));
    assert_eq!((status, &listed["result"]["structuredContent"]["items"]), (200, &json!([])), "{listed}");

    // What this version does not have, and what this server does not, is told with what to call instead.
    let (_, refused) = newest("ping", json!({}), None);
    assert_eq!(refused["error"]["code"], -32601, "{refused}");
    let headers = [BOTH, ("mcp-protocol-version", "2025-06-18"), ("accept-language", "zh-CN")];
    let (_, in_chinese) = post(&agent, &request("logging/setLevel", json!({ "level": "info" })), &headers);
    assert_eq!(in_chinese["error"]["code"], -32601, "{in_chinese}");
    for (refused, method) in [(&refused, "ping"), (&in_chinese, "logging/setLevel")] {
        let told = refused["error"]["message"].as_str().expect("a message");
        assert!(told.contains(method) && told.contains("tools/list"), "{told}");
    }
    assert!(
        in_chinese["error"]["message"].as_str().is_some_and(|told| told.contains("没有方法")),
        "{in_chinese}"
    );

    // An unknown version is answered with one that is known; without the header, the oldest with HTTP is meant.
    let (status, answer) = post(&agent, &initialize("2099-01-01"), &[BOTH]);
    assert_eq!((status, &answer["result"]["protocolVersion"]), (200, &json!("2025-11-25")), "{answer}");
    assert_eq!(post(&agent, &request("tools/list", json!({})), &[BOTH]).0, 200);
    let unknown = [BOTH, ("mcp-protocol-version", "1999-12-31")];
    let (status, told) = post(&agent, &request("tools/list", json!({})), &unknown);
    assert_eq!(status, 400);
    let told = told["error"]["message"].as_str().expect("what to do");
    assert!(VERSIONS.iter().all(|version| told.contains(version)), "{told}");
    server.kill();
}

#[test]
fn headers_and_bodies_of_all_kinds_are_answered() {
    let app = App::new();
    let (server, base) = started(&app);
    let agent = agent(&app, &base, "ada", "speak");
    let list = request("tools/list", json!({}));
    for (accept, status) in [
        (None, 200),
        (Some("*/*"), 200),
        (Some("application/*"), 200),
        (Some("application/json"), 200),
        (Some("text/event-stream, application/json;q=0.5"), 200),
        (Some("text/html, */*;q=0.1"), 200),
        (Some("text/html"), 406),
        (Some("text/event-stream"), 406),
        (Some("application/json;q=0"), 406),
    ] {
        let headers: Vec<(&str, &str)> = accept.into_iter().map(|accept| ("accept", accept)).collect();
        let (answered, body) = post(&agent, &list, &headers);
        assert_eq!(answered, status, "{accept:?}");
        if status == 406 {
            let told = body["error"]["message"].as_str().expect("what to send");
            assert!(told.contains("application/json alone will do"), "{told}");
        }
    }
    for (body, content, status, code) in [
        ("{", "application/json", 400, -32700),
        ("\u{0}", "application/json", 400, -32700),
        ("7", "application/json", 400, -32600),
        ("{}", "application/json", 400, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, "application/json", 400, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, "application/json", 400, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, "application/json", 400, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, "application/json", 200, -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "text/plain", 415, 0),
    ] {
        let request = agent.client.post(format!("{base}/mcp")).bearer_auth(&agent.token);
        let request = request.header("accept", "*/*").header("content-type", content).body(body);
        let response = request.send().expect("an answer");
        assert_eq!(response.status().as_u16(), status, "{body}");
        if code != 0 {
            let told: Value = response.json().expect("JSON");
            assert_eq!(told["error"]["code"], code, "{body}: {told}");
            assert!(told["error"]["message"].as_str().is_some_and(|text| text.contains(". ")), "{told}");
        }
    }
    // Deeper than any reader follows, and larger than any message is, which may end while it is sent.
    for (body, status) in [
        ("[".repeat(100_000), 400),
        (format!(r#"{{"a":{}}}"#, "[".repeat(5000)), 400),
        ("x".repeat(5 << 20), 413),
    ] {
        // A connection of its own: the server closes it with what it did not read.
        let request = reqwest::blocking::Client::new().post(format!("{base}/mcp")).bearer_auth(&agent.token);
        match request.header("content-type", "application/json").body(body).send() {
            Ok(response) => assert_eq!(response.status().as_u16(), status),
            Err(error) => assert!(status == 413, "{error}"),
        }
    }
    assert_eq!(post(&agent, &list, &[BOTH]).0, 200, "it still answers");
    // There are no sessions to follow or to end: a client that has one from elsewhere is served without it.
    for method in [reqwest::Method::GET, reqwest::Method::DELETE] {
        let request = agent.client.request(method, format!("{base}/mcp")).bearer_auth(&agent.token);
        let refused = request.header("accept", "text/event-stream").send().expect("an answer");
        assert_eq!(refused.status().as_u16(), 405);
        assert_eq!(refused.headers()["allow"], "POST");
    }
    let elsewhere = [BOTH, ("mcp-session-id", "a-session-of-another-server")];
    assert_eq!(post(&agent, &list, &elsewhere).0, 200);
    // A page elsewhere calls nothing, also not with a token.
    for origin in ["https://evil.example", "null"] {
        assert_eq!(post(&agent, &list, &[BOTH, ("origin", origin)]).0, 403, "{origin}");
    }
    assert_eq!(post(&agent, &list, &[BOTH, ("origin", &base)]).0, 200);
    server.kill();
}

#[test]
fn batches_are_answered_where_the_version_has_them() {
    let app = App::new();
    let (server, base) = started(&app);
    let agent = agent(&app, &base, "ada", "speak");
    let call = |id: Value, name: &str, arguments: Value| {
        let params = json!({ "name": name, "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
    };
    let batch = json!([
        call(json!("a"), "register_agent", json!({ "introduction": "I look at costs." })),
        { "jsonrpc": "2.0", "method": "notifications/initialized" },
        call(json!(2), "list_meetings", json!({})),
        { "jsonrpc": "2.0", "id": 3 },
    ]);
    for version in [None, Some("2025-03-26")] {
        let headers: Vec<_> =
            version.into_iter().map(|version| ("mcp-protocol-version", version)).chain([BOTH]).collect();
        let (status, answers) = post(&agent, &batch, &headers);
        assert_eq!(status, 200, "{answers}");
        let ids: Vec<&Value> =
            answers.as_array().expect("answers").iter().map(|answer| &answer["id"]).collect();
        assert_eq!(ids, [&json!("a"), &json!(2), &json!(3)]);
        assert_eq!(answers[0]["result"]["structuredContent"]["name"], "ada", "{answers}");
        assert_eq!(answers[2]["error"]["code"], -32600, "{answers}");
    }
    let notes = json!([{ "jsonrpc": "2.0", "method": "notifications/initialized" }]);
    assert_eq!(post(&agent, &notes, &[BOTH]).0, 202);
    let many: Vec<Value> = (0..21).map(|id| call(json!(id), "list_meetings", json!({}))).collect();
    for (refused, version) in [
        (batch, "2025-06-18"),
        (json!([]), "2025-03-26"),
        (json!([initialize("2025-03-26")]), "2025-03-26"),
        (json!(many), "2025-03-26"),
    ] {
        let (status, told) = post(&agent, &refused, &[BOTH, ("mcp-protocol-version", version)]);
        assert_eq!((status, &told["error"]["code"]), (400, &json!(-32600)), "{told}");
    }
    server.kill();
}
