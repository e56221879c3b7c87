//! A node that is killed, stands still or cannot reach the database: what the others do, what clients are told, and that it
//! comes back.

use std::net::ToSocketAddrs;

use rustix::process::Signal;

use super::link::Link;
use super::*;

/// A client that does not repeat anything waits no longer than this.
const ANSWERED_WITHIN: Duration = Duration::from_secs(15);
/// After so long without the database a node appends nothing, and says so.
const FENCED_WITHIN: Duration = Duration::from_secs(9);

fn meeting_of(nodes: &Nodes) -> (String, usize) {
    let new = json!({ "topic": "Should the museum open on Mondays?", "simulate": true, "lang": "en" });
    let meeting = nodes.begin(0, new);
    (meeting, nodes.owner())
}

/// How often something was said at a meeting.
fn said(nodes: &Nodes, node: usize, meeting: &str, words: &str) -> usize {
    let (_, log) = nodes.ask(node, Method::GET, &format!("/meetings/{meeting}/messages"), Value::Null);
    log.to_string().matches(words).count()
}

fn until(what: &str, within: Duration, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < within, "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The status and the answer, or 0 where there is none: a node that stood still ends connections that were kept.
fn ready(nodes: &Nodes, node: usize) -> (u16, String) {
    match nodes.client.get(format!("{}/readyz", nodes.urls[node])).send() {
        Ok(answer) => (answer.status().as_u16(), answer.text().expect("a body")),
        Err(error) => (0, error.to_string()),
    }
}

#[test]
#[ignore = "needs a PostgreSQL server; `cargo xtask test` starts one and runs it"]
fn a_request_waits_for_the_take_over_of_a_node_that_was_killed() {
    let mut nodes = Nodes::start(None);
    let (meeting, owner) = meeting_of(&nodes);
    let other = 1 - owner;
    let mut line = Line::open(&nodes, other);
    nodes.processes[owner].take().expect("it runs").kill();
    // Nothing is repeated here, and nothing carries a key.
    let began = Instant::now();
    let message = |words: &str| json!({ "content": words });
    let path = format!("/meetings/{meeting}/messages");
    line.say(json!({ "type": "say", "id": "say", "meeting": meeting, "content": "over a WebSocket" }));
    let (status, view) = nodes.ask(other, Method::GET, &format!("/meetings/{meeting}"), Value::Null);
    assert_eq!((status, &view["id"]), (200, &json!(meeting)), "{view}");
    let (status, answer) = nodes.ask(other, Method::POST, &path, message("over HTTP"));
    assert_eq!(status, 202, "{answer}");
    let answer = line.until(|told| told["id"] == "say");
    assert_eq!(answer["type"], "ack", "{answer}");
    assert!(began.elapsed() < ANSWERED_WITHIN, "{:?}", began.elapsed());
    for words in ["over a WebSocket", "over HTTP"] {
        assert_eq!(said(&nodes, other, &meeting, words), 1, "{words}");
    }
}

#[test]
#[ignore = "needs a PostgreSQL server; `cargo xtask test` starts one and runs it"]
fn a_node_that_stands_still_is_given_up_and_comes_back_as_a_stranger() {
    let nodes = Nodes::start(None);
    let (meeting, owner) = meeting_of(&nodes);
    let other = 1 - owner;
    let still = nodes.processes[owner].as_ref().expect("it runs");
    still.signal(Signal::STOP);
    let began = Instant::now();
    let path = format!("{}/api/v1/meetings/{meeting}", nodes.urls[other]);
    let by = |request: reqwest::blocking::RequestBuilder| {
        let answer = request.bearer_auth(&nodes.token).send().expect("an answer");
        (answer.status().as_u16(), answer.text().expect("a body"))
    };
    // What may be repeated is; of anything else nobody knows whether it was done.
    let message =
        |words: &str| nodes.client.post(format!("{path}/messages")).json(&json!({ "content": words }));
    let requests =
        [nodes.client.get(&path), message("with a key").header("idempotency-key", "k1"), message("without")];
    let [read, keyed, bare] = std::thread::scope(|scope| {
        requests.map(|request| scope.spawn(|| by(request))).map(|thread| thread.join().expect("answered"))
    });
    assert!(began.elapsed() < ANSWERED_WITHIN + Duration::from_secs(3), "{:?}", began.elapsed());
    assert_eq!((read.0, keyed.0, bare.0), (200, 202, 503), "{read:?} {keyed:?} {bare:?}");
    still.signal(Signal::CONT);
    until("it comes back", TAKEN_OVER_WITHIN, || ready(&nodes, owner).0 == 200);
    // At either node the meeting is the same one.
    for node in 0..2 {
        assert_eq!(said(&nodes, node, &meeting, "with a key"), 1);
        assert_eq!(said(&nodes, node, &meeting, "without"), 0, "it was never done");
    }
    let (_, log) = nodes.ask(0, Method::GET, "/nodes", Value::Null);
    let addresses: Vec<&Value> =
        log["items"].as_array().expect("nodes").iter().filter(|node| node["meetings"] == 1).collect();
    assert_eq!((addresses.len(), &addresses[0]["address"]), (1, &json!(nodes.urls[other])), "{log}");
}

#[test]
#[ignore = "needs a PostgreSQL server; `cargo xtask test` starts one and runs it"]
fn a_node_that_cannot_reach_the_database_fences_itself_and_comes_back() {
    let mut links = Vec::new();
    let nodes = Nodes::start_each(
        None,
        |app| {
            let key = app.write("nodes.key", "0123456789abcdef0123456789abcdef");
            app.set("QUORATE_KEY_FILE", key);
        },
        |app, _| {
            let database = app.variable("QUORATE_DB");
            let (before, host) = database.rsplit_once('@').expect("an address");
            let (host, name) = host.split_once('/').expect("an address");
            let server = host.to_socket_addrs().expect("an address").next().expect("one");
            let link = Link::to(server);
            let through = format!("{before}@127.0.0.1:{}/{name}", link.port);
            links.push(link);
            through
        },
    );
    let (meeting, owner) = meeting_of(&nodes);
    let other = 1 - owner;
    let mut line = Line::open(&nodes, other);
    line.ask(json!({ "type": "subscribe", "id": "follow", "meeting": meeting }));
    line.until_event("agent_message");
    links[owner].cut();
    let cut = Instant::now();
    until("the node says that it cannot go on", FENCED_WITHIN, || ready(&nodes, owner).0 == 503);
    let told = ready(&nodes, owner).1;
    assert!(told.contains("storage"), "{told}");
    let alive = nodes.client.get(format!("{}/healthz", nodes.urls[owner])).send().expect("an answer");
    assert_eq!(alive.status(), 200, "restarting it would not help");
    // Whoever asks it for something is told to come again.
    let path = format!("{}/api/v1/meetings/{meeting}/messages", nodes.urls[owner]);
    let refused = nodes.client.post(path).bearer_auth(&nodes.token).json(&json!({ "content": "lost?" }));
    let refused = refused.send().expect("an answer");
    assert_eq!(refused.status(), 503);
    assert!(refused.headers().contains_key("retry-after"));
    // The other one goes on with the meeting, and whoever listens there hears it without a hole.
    line.until_event("recovered");
    assert!(cut.elapsed() < TAKEN_OVER_WITHIN, "{:?}", cut.elapsed());
    line.until_event("agent_message");
    assert_eq!(ready(&nodes, owner).0, 503);
    links[owner].mend();
    until("the node comes back", TAKEN_OVER_WITHIN, || ready(&nodes, owner).0 == 200);
    let (_, changes) =
        nodes.ask(owner, Method::GET, &format!("/nodes/owner-changes?meeting={meeting}"), Value::Null);
    assert_eq!(changes["items"].as_array().map_or(0, Vec::len), 1, "it does not take it back: {changes}");
    let (status, answer) = nodes.ask(
        owner,
        Method::POST,
        &format!("/meetings/{meeting}/messages"),
        json!({ "content": "over the one that was cut off" }),
    );
    assert_eq!(status, 202, "{answer}");
    assert_eq!(said(&nodes, other, &meeting, "over the one that was cut off"), 1);
    assert!(said(&nodes, other, &meeting, "lost?") == 0, "what was refused was not done");
    let metrics = nodes.client.get(format!("{}/metrics", nodes.urls[owner])).bearer_auth(&nodes.token);
    let metrics = metrics.send().and_then(|answer| answer.text()).expect("metrics");
    let lapses = metrics.lines().find(|line| line.starts_with("quorate_node_lease_lapses"));
    assert!(lapses.is_some_and(|line| line.ends_with(" 1")), "{lapses:?}");
}
