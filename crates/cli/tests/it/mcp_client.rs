//! A client of the Model Context Protocol, for tests.

use reqwest::blocking::{Client, Response};
use serde_json::{Value, json};

use crate::app::App;
use crate::client::started;
use crate::terminal_session::TerminalSession;

/// A client that speaks the protocol with one token.
pub(crate) struct Mcp {
    pub(crate) base: String,
    pub(crate) token: String,
    pub(crate) client: Client,
}

impl Mcp {
    pub(crate) fn send(&self, message: &Value, headers: &[(&str, &str)]) -> Response {
        let mut request = self
            .client
            .post(format!("{}/mcp", self.base))
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-06-18")
            .json(message);
        if !self.token.is_empty() {
            request = request.bearer_auth(&self.token);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let again = request.try_clone();
        let answer = request.send().expect("an answer");
        match again {
            // Thousands of calls are more than a client may make in a minute.
            Some(again) if answer.status() == 429 => {
                std::thread::sleep(std::time::Duration::from_secs(2));
                again.send().expect("an answer")
            }
            _ => answer,
        }
    }

    /// What the HTTP API answers to the same caller.
    pub(crate) fn rest(&self, method: &str, path: &str, body: Value) -> Value {
        let method = method.parse().expect("a method");
        let mut request = self.client.request(method, format!("{}/api/v1{path}", self.base));
        if !self.token.is_empty() {
            request = request.bearer_auth(&self.token);
        }
        if !body.is_null() {
            request = request.json(&body);
        }
        request.send().and_then(Response::json).expect("JSON")
    }

    /// The result of a request.
    pub(crate) fn ask(&self, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let response = self.send(&message, &[]);
        let text = response.text().expect("a body");
        // A result comes as JSON, or as the one event of a stream.
        let data = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap_or(&text);
        let answer: Value = serde_json::from_str(data).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// What a tool answers.
    pub(crate) fn tool(&self, name: &str, arguments: Value) -> Result<Value, String> {
        let result = self.ask("tools/call", json!({ "name": name, "arguments": arguments }));
        let text = || result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        if result["isError"] == true { Err(text()) } else { Ok(result["structuredContent"].clone()) }
    }
}

/// The owner of the server.
pub(crate) fn owner(app: &App, base: &str) -> Mcp {
    let said: Value = serde_json::from_str(&app.quorate(&["url", "--json"]).ok().out).expect("JSON");
    let client = Client::builder().timeout(std::time::Duration::from_secs(60)).build().expect("a client");
    Mcp { base: base.to_owned(), token: said["token"].as_str().expect("a token").to_owned(), client }
}

/// An agent, with a token that the server's owner makes for it.
pub(crate) fn agent(app: &App, base: &str, name: &str, scope: &str) -> Mcp {
    let owner = owner(app, base);
    let made = owner.rest("POST", "/tokens", json!({ "name": name, "scope": scope, "agent": name }));
    let token = made["token"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
    Mcp { token, ..owner }
}

/// Kills the server and starts it again; the agents find it at its new address.
pub(crate) fn again(app: &App, server: TerminalSession, agents: &mut [&mut Mcp]) -> TerminalSession {
    server.kill();
    let (server, base) = started(app);
    agents.iter_mut().for_each(|agent| agent.base.clone_from(&base));
    server
}

/// Reads on from a cursor to the end: the messages by their ids, and the new cursor.
pub(crate) fn read_on(agent: &Mcp, meeting: &str, mut after: u64) -> (Vec<(String, String)>, u64) {
    let mut read = Vec::new();
    for _ in 0..1000 {
        let context =
            agent.tool("get_context", json!({ "meeting": meeting, "after": after })).expect("a context");
        for said in context["messages"].as_array().expect("messages") {
            let text = |field: &str| said[field].as_str().unwrap_or_default().to_owned();
            read.push((text("id"), text("content")));
        }
        let next = context["cursor"].as_u64().expect("a cursor");
        assert!(next >= after, "a cursor never goes back");
        after = next;
        if context["has_more"] == false {
            return (read, after);
        }
    }
    panic!("there is always more");
}
