//! Several nodes over one database on a server, with accounts: every one of them serves every meeting.

use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::Method;
use reqwest::blocking::Client;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};

use crate::app::App;
use crate::terminal_session::TerminalSession;

mod gone;
mod limits;
mod link;

const PASSWORD: &str = "correct horse battery";
/// A lease lasts 10 s, others look each second, and a meeting has to be opened.
const TAKEN_OVER_WITHIN: Duration = Duration::from_secs(20);

/// Two nodes, and the session of the owner.
struct Nodes {
    processes: Vec<Option<TerminalSession>>,
    urls: Vec<String>,
    client: Client,
    token: String,
    app: App,
}

impl Nodes {
    /// Starts both; `nats` is the address of a server over which they hear of each other.
    fn start(nats: Option<&str>) -> Self {
        Self::start_with(nats, |_| {})
    }

    /// The same, once their configuration is written.
    fn start_with(nats: Option<&str>, configure: impl FnOnce(&mut App)) -> Self {
        Self::start_each(nats, configure, |app, _| app.variable("QUORATE_DB"))
    }

    /// The same, where each node is given the address of its database.
    fn start_each(
        nats: Option<&str>,
        configure: impl FnOnce(&mut App),
        mut database_of: impl FnMut(&App, usize) -> String,
    ) -> Self {
        assert!(quorate_test_database::is_on_server(), "`cargo xtask test` starts a server for this");
        quorate_runners::install_tls();
        let app = App::new();
        let database = quorate_test_database::given(&app.path("meetings.db"));
        let mut app = app
            .with("QUORATE_DB", database.to_str().expect("an address"))
            .with("QUORATE_OWNER_PASSWORD", PASSWORD);
        if let Some(nats) = nats {
            app.set("QUORATE_NATS", nats);
        }
        configure(&mut app);
        let (mut processes, mut urls) = (Vec::new(), Vec::new());
        for node in 0..2 {
            let database = database_of(&app, node);
            let arguments = ["--db", &database, "serve", "--port", "0", "--log", "warning", "--pace", "live"];
            let mut process = app.start(&arguments);
            let line = process.notes("quorate is ready");
            let url = line.split_whitespace().find(|word| word.starts_with("http")).expect("its address");
            urls.push(url.split('?').next().expect("an address").trim_end_matches('/').to_owned());
            processes.push(Some(process));
        }
        let client = Client::builder().timeout(Duration::from_secs(60)).build().expect("a client");
        let mut this = Self { processes, urls, client, token: String::new(), app };
        let who = json!({ "name": "owner", "password": PASSWORD, "tokens": true });
        this.token = text(&this.ask(0, Method::POST, "/sessions", who).1["access_token"]);
        this
    }

    fn by(&self, token: &str, node: usize, method: Method, path: &str, body: Value) -> (u16, Value) {
        let mut request = self.client.request(method, format!("{}/api/v1{path}", self.urls[node]));
        if !token.is_empty() {
            request = request.bearer_auth(token);
        }
        if !body.is_null() {
            request = request.json(&body);
        }
        let answer = request.send().expect("an answer");
        let status = answer.status().as_u16();
        let words = answer.text().expect("a body");
        (status, serde_json::from_str(&words).unwrap_or(Value::String(words)))
    }

    fn ask(&self, node: usize, method: Method, path: &str, body: Value) -> (u16, Value) {
        self.by(&self.token, node, method, path, body)
    }

    /// Creates a meeting at one node, starts it over the other one, and gives its id.
    fn begin(&self, node: usize, body: Value) -> String {
        let (status, made) = self.ask(node, Method::POST, "/meetings", body);
        assert_eq!(status, 201, "{made}");
        let id = text(&made["id"]);
        let (status, started) = self.ask(1 - node, Method::POST, &format!("/meetings/{id}/start"), json!({}));
        assert_eq!(status, 200, "{started}");
        id
    }

    /// The node that runs the only meeting.
    fn owner(&self) -> usize {
        let (_, nodes) = self.ask(0, Method::GET, "/nodes", Value::Null);
        let running = nodes["items"].as_array().expect("nodes").iter().find(|node| node["meetings"] == 1);
        let address = text(&running.expect("one runs it")["address"]);
        self.urls.iter().position(|url| *url == address).expect("it is one of these")
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

/// A connection to one node, which follows one meeting.
struct Line {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    /// The last event that was heard.
    last: u64,
    /// How many pieces of answers were heard.
    pieces: usize,
    events: Vec<Value>,
}

impl Line {
    fn open(nodes: &Nodes, node: usize) -> Self {
        Self::open_by(nodes, node, &nodes.token)
    }

    fn open_by(nodes: &Nodes, node: usize, token: &str) -> Self {
        let (socket, _) =
            connect(format!("{}/api/v1/ws", nodes.urls[node].replace("http", "ws"))).expect("a connection");
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(TAKEN_OVER_WITHIN)).expect("a limit");
        }
        let mut line = Self { socket, last: 0, pieces: 0, events: Vec::new() };
        line.ask(json!({ "type": "sign_in", "id": "in", "token": token }));
        line
    }

    fn say(&mut self, message: Value) {
        self.socket.send(Message::text(message.to_string())).expect("sent");
    }

    fn ask(&mut self, message: Value) -> Value {
        let id = message["id"].clone();
        self.say(message);
        self.until(|told| told["id"] == id)
    }

    /// What comes next. Events come without a hole and without a double.
    fn hear(&mut self) -> Value {
        loop {
            let Message::Text(told) = self.socket.read().expect("something comes in time") else { continue };
            let told: Value = serde_json::from_str(&told).expect("JSON");
            match told["type"].as_str() {
                Some("event") => {
                    assert_eq!(told["event"]["seq"], self.last + 1, "{told}");
                    self.last += 1;
                    self.events.push(told["event"].clone());
                }
                Some("token") => self.pieces += 1,
                _ => {}
            }
            return told;
        }
    }

    fn until(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let told = self.hear();
            if holds(&told) {
                return told;
            }
        }
    }

    fn until_event(&mut self, kind: &str) -> Value {
        self.until(|told| told["event"]["type"] == kind)
    }
}

/// A NATS server. Dropping it kills it.
struct Nats {
    process: Child,
    port: u16,
    monitor: u16,
}

impl Nats {
    fn start() -> Self {
        let free = || {
            let socket = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
            socket.local_addr().expect("an address").port()
        };
        let (port, monitor) = (free(), free());
        let mut command = Command::new("nats-server");
        command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-m", &monitor.to_string()]);
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let this = Self { process: process.expect("Debian: nats-server"), port, monitor };
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(10), "it does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        this
    }

    /// The number of messages that it has passed on.
    fn passed_on(&self) -> u64 {
        self.told("out_msgs")
    }

    /// Waits until both nodes are connected. They are ready before, and ask each other over HTTP until then.
    fn wait_for_nodes(&self) {
        let until = std::time::Instant::now() + Duration::from_secs(20);
        while self.told("connections") < 2 {
            assert!(std::time::Instant::now() < until, "the nodes do not connect");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn told(&self, field: &str) -> u64 {
        let url = format!("http://127.0.0.1:{}/varz", self.monitor);
        let told: Value =
            reqwest::blocking::get(url).and_then(|answer| answer.json()).expect("it tells of itself");
        told[field].as_u64().expect("a number")
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

#[test]
#[ignore = "needs a PostgreSQL server; `cargo xtask test` starts one and runs it"]
fn whoever_listens_at_one_node_hears_and_steers_a_meeting_of_another_and_stays_when_that_one_is_killed() {
    hear_and_steer(Nodes::start(None));
}

#[test]
#[ignore = "needs a PostgreSQL server; `cargo xtask test` starts one and runs it"]
fn so_it_is_over_nats() {
    let nats = Nats::start();
    hear_and_steer(Nodes::start(Some(&format!("nats://127.0.0.1:{}", nats.port))));
    // More than what each node is told of who listens: the meeting itself. The server counts what it has passed on a
    // little later.
    let began = Instant::now();
    while nats.passed_on() <= 4 {
        assert!(began.elapsed() < Duration::from_secs(10), "{} messages", nats.passed_on());
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[ignore = "needs a PostgreSQL server; `cargo xtask test` starts one and runs it"]
fn losing_nats_loses_nothing() {
    let nats = Nats::start();
    let nodes = Nodes::start(Some(&format!("nats://127.0.0.1:{}", nats.port)));
    nats.wait_for_nodes();
    let new = json!({ "topic": "Should the museum open on Mondays?", "simulate": true, "lang": "en" });
    let meeting = nodes.begin(0, new);
    let mut line = Line::open(&nodes, 1 - nodes.owner());
    line.ask(json!({ "type": "subscribe", "id": "follow", "meeting": meeting }));
    line.until(|told| told["type"] == "token");
    assert!(nats.passed_on() > 0);
    drop(nats);
    line.until_event("agent_message");
    // The nodes ask each other over HTTP from here on.
    let before = line.pieces;
    line.until(|told| told["type"] == "token");
    line.until_event("agent_message");
    assert!(line.pieces > before);
    let ended = line.ask(json!({ "type": "end", "id": "end", "meeting": meeting, "note": "enough" }));
    assert_eq!(ended["type"], "ack", "{ended}");
    assert_eq!(line.until(|told| told["type"] == "finished")["last_seq"], line.last);
}

fn hear_and_steer(mut nodes: Nodes) {
    let new = json!({ "topic": "Should the museum open on Mondays?", "simulate": true, "lang": "en" });
    let meeting = nodes.begin(0, new);
    let owner = nodes.owner();
    let mut line = Line::open(&nodes, 1 - owner);
    line.ask(json!({ "type": "subscribe", "id": "follow", "meeting": meeting }));
    line.until_event("call_started");
    line.until(|told| told["type"] == "token");
    let said =
        line.ask(json!({ "type": "say", "id": "say", "meeting": meeting, "content": "你好, from afar" }));
    assert_eq!(said["type"], "ack", "{said}");
    let empty = line.ask(json!({ "type": "say", "id": "empty", "meeting": meeting, "content": "" }));
    assert_eq!(empty["problem"]["status"], 422, "{empty}");
    while line.last < said["seq"].as_u64().expect("a number") {
        line.hear();
    }
    assert!(line.events.iter().any(|event| event.to_string().contains("你好, from afar")));
    // A client that heard more elsewhere is not told that there is no such event.
    let (status, _) = nodes.ask(1 - owner, Method::GET, &format!("/meetings/{meeting}"), Value::Null);
    assert_eq!(status, 200);

    nodes.processes[owner].take().expect("it runs").kill();
    let (killed, before) = (Instant::now(), line.pieces);
    line.until_event("recovered");
    assert!(killed.elapsed() < TAKEN_OVER_WITHIN);
    let path = format!("/nodes/owner-changes?meeting={meeting}");
    let (_, changes) = nodes.ask(1 - owner, Method::GET, &path, Value::Null);
    assert_eq!(changes["items"].as_array().map_or(0, Vec::len), 1, "{changes}");
    let change = &changes["items"][0];
    assert_eq!((&change["meeting"], &change["epoch"]), (&json!(meeting), &json!(2)));
    assert_ne!(change["from"], change["to"]);
    let listed = nodes.app.quorate(&["nodes", "--changes", "--json"]).ok().json();
    assert_eq!(listed, changes["items"]);
    let words = [text(&change["from"]), text(&change["to"])];
    nodes.app.quorate(&["nodes", "--changes"]).ok().says_out(&[&words[0], &words[1], &meeting]);
    line.until(|told| told["type"] == "token");
    assert!(line.pieces > before, "the new owner's answers are heard as they are written");
    let ended = line.ask(json!({ "type": "end", "id": "end", "meeting": meeting, "note": "enough" }));
    assert_eq!(ended["type"], "ack", "{ended}");
    let over = line.until(|told| told["type"] == "finished");
    assert_eq!(over["last_seq"], line.last);
    let kinds: Vec<&str> = line.events.iter().filter_map(|event| event["type"].as_str()).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "user_message").count(), 1, "{kinds:?}");
}

#[test]
#[ignore = "needs a PostgreSQL server; `cargo xtask test` starts one and runs it"]
fn an_agent_is_given_its_turn_at_any_node_and_answers_there() {
    let nodes = Nodes::start(None);
    let agent = |name: &str| {
        let body = json!({ "name": name, "scope": "speak", "agent": name });
        text(&nodes.ask(0, Method::POST, "/tokens", body).1["token"])
    };
    let (ada, ben) = (agent("ada"), agent("林"));
    let new = json!({
        "topic": "Is SQLite enough?", "lang": "en", "format": "discussion", "rules": { "limits": { "max_rounds": 1 } },
        "participants": [{ "name": "Ada", "model": "agent/ada" }, { "name": "Lin", "model": "agent/林" }],
        "facilitator": { "enabled": false },
    });
    let meeting = nodes.begin(0, new);
    let other = 1 - nodes.owner();
    for (token, word) in [(&ada, "Yes, for one machine."), (&ben, "先用一台。")] {
        let (status, turns) = nodes.by(token, other, Method::GET, "/turns?wait_seconds=20", Value::Null);
        assert_eq!((status, turns["items"].as_array().map_or(0, Vec::len)), (200, 1), "{turns}");
        let turn = &turns["items"][0];
        assert_eq!(turn["meeting"], meeting.as_str());
        let path = format!("/turns/{}/answer", text(&turn["ticket"]));
        let of_meeting = format!("/turns?meeting={meeting}");
        let (_, same) = nodes.by(token, other, Method::GET, &of_meeting, Value::Null);
        assert_eq!(same["items"][0]["ticket"], turn["ticket"]);
        let (status, taken) = nodes.by(token, other, Method::POST, &path, json!({ "text": word }));
        assert_eq!(status, 200, "{taken}");
        for node in 0..2 {
            let (status, again) = nodes.by(token, node, Method::POST, &path, json!({ "text": "once more" }));
            assert_eq!(status, 409, "{again}");
        }
    }
    let (_, said) = nodes.ask(other, Method::GET, &format!("/meetings/{meeting}/messages"), Value::Null);
    for word in ["Yes, for one machine.", "先用一台。"] {
        assert_eq!(said.to_string().matches(word).count(), 1, "{said}");
    }
}

/// A meeting with two agents that is run by one node, and the number of the other one.
fn with_agents(nodes: &Nodes) -> (String, usize) {
    let new = json!({
        "topic": "Is SQLite enough?", "lang": "en", "format": "discussion", "rules": { "limits": { "max_rounds": 1 } },
        "participants": [{ "name": "Ada", "model": "agent/ada" }, { "name": "Lin", "model": "agent/林" }],
        "facilitator": { "enabled": false },
    });
    let meeting = nodes.begin(0, new);
    (meeting, 1 - nodes.owner())
}

#[test]
#[ignore = "needs a PostgreSQL server; `cargo xtask test` starts one and runs it"]
fn over_a_websocket_at_any_node_an_agent_is_told_of_its_turns_at_all_of_them() {
    let nodes = Nodes::start(None);
    let agent = |name: &str| {
        let body = json!({ "name": name, "scope": "speak", "agent": name });
        text(&nodes.ask(0, Method::POST, "/tokens", body).1["token"])
    };
    let (ada, ben) = (agent("ada"), agent("林"));
    // Whoever waits before there is a meeting is at both nodes.
    let mut lines: Vec<Line> = [(&ada, 0), (&ada, 1), (&ben, 0), (&ben, 1)]
        .map(|(token, node)| {
            let mut line = Line::open_by(&nodes, node, token);
            let none = line.ask(json!({ "type": "turns", "id": "turns" }));
            assert_eq!(none["items"], json!([]), "{none}");
            line
        })
        .into();
    let (meeting, other) = with_agents(&nodes);
    let told: Vec<Value> =
        lines[..2].iter_mut().map(|line| line.until(|told| told["type"] == "turn")).collect();
    assert_eq!(told[0]["turn"]["ticket"], told[1]["turn"]["ticket"]);
    // Who comes later asks for it at the node that does not run the meeting.
    let listed = Line::open_by(&nodes, other, &ada).ask(json!({ "type": "turns", "id": "turns" }));
    assert_eq!(listed["items"][0]["ticket"], told[0]["turn"]["ticket"], "{listed}");
    let answer =
        json!({ "type": "answer", "id": "a", "ticket": told[0]["turn"]["ticket"], "text": "One file." });
    let taken = lines[other].ask(answer);
    assert_eq!((&taken["type"], &taken["meeting"]), (&json!("answered"), &json!(meeting)), "{taken}");
    for line in &mut lines[2..] {
        assert_eq!(line.until(|told| told["type"] == "turn")["turn"]["participant"], "Lin");
    }
}

#[test]
#[ignore = "needs a PostgreSQL server; `cargo xtask test` starts one and runs it"]
fn a_webhook_that_one_node_made_is_sent_the_turns_of_a_meeting_of_another() {
    let nodes = Nodes::start(None);
    let (meeting, other) = with_agents(&nodes);
    // Nobody answers at such an address, and the attempt is in the log of deliveries.
    let (status, made) = nodes.ask(
        other,
        Method::POST,
        "/webhooks",
        json!({ "url": "https://hooks.invalid/turns", "agent": "ada" }),
    );
    assert_eq!(status, 201, "{made}");
    let deliveries = format!("/webhooks/{}/deliveries", text(&made["id"]));
    let began = Instant::now();
    loop {
        let (_, log) = nodes.ask(other, Method::GET, &deliveries, Value::Null);
        if log["items"][0]["meeting"] == meeting.as_str() {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "nothing is sent: {log}");
        std::thread::sleep(Duration::from_millis(100));
    }
}
