//! The limit of a provider holds for all nodes together, and a node that is alone in wanting it has it all.

use std::collections::BTreeMap;
use std::net::{IpAddr, UdpSocket};
use std::sync::{Arc, Mutex};

use reqwest::blocking::RequestBuilder;

use super::*;
use crate::vendor::{Answer, Vendor, sensible, vote};

const LIMIT: u32 = 4;
const HERE: &str = "Should the museum open on Mondays?";
const THERE: &str = "Should the library close on Sundays?";

/// How many calls are under way, in all and by topic, and how many there were at most.
#[derive(Default)]
struct Calls {
    now: BTreeMap<&'static str, u32>,
    most: BTreeMap<&'static str, u32>,
    most_of_all: u32,
}

impl Calls {
    fn begin(&mut self, topic: &'static str) {
        let of_topic = self.now.entry(topic).or_default();
        *of_topic += 1;
        let most = self.most.entry(topic).or_default();
        *most = (*most).max(*of_topic);
        self.most_of_all = self.most_of_all.max(self.now.values().sum());
    }

    fn end(&mut self, topic: &'static str) {
        *self.now.entry(topic).or_default() -= 1;
    }
}

/// An address of this machine that others could use: what runs on loopback is shared with nobody.
fn address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // Nothing is sent.
    socket.connect("192.0.2.1:9").ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_loopback())
}

fn vendor(at: IpAddr, calls: &Arc<Mutex<Calls>>) -> Vendor {
    let calls = Arc::clone(calls);
    Vendor::at(at, move |heard| {
        let topic = if heard.words().contains(THERE) { THERE } else { HERE };
        calls.lock().expect("no panic").begin(topic);
        std::thread::sleep(Duration::from_millis(400));
        calls.lock().expect("no panic").end(topic);
        // Nobody agrees, so that there is a further round.
        Answer::Whole(if heard.purpose() == "vote" { vote(40) } else { sensible(heard) })
    })
}

fn meeting(topic: &str) -> Value {
    let names = ["Ada", "Ben", "Cid", "Dan", "Eve", "Fay", "Gil", "Hal"];
    let seats = names.map(|name| json!({ "name": name, "model": "lab/talker" }));
    json!({
        "topic": topic, "lang": "en", "format": "consensus", "participants": seats,
        "rules": { "limits": { "max_rounds": 12 } },
    })
}

/// A number of a node's metrics.
fn metric(nodes: &Nodes, node: usize, name: &str) -> u32 {
    let request = nodes.client.get(format!("{}/metrics", nodes.urls[node])).bearer_auth(&nodes.token);
    let text = request.send().and_then(|answer| answer.text()).expect("metrics");
    let line = format!("quorate_{name}{{provider=\"lab\"}} ");
    let value = text.lines().find_map(|found| found.strip_prefix(&line));
    value.unwrap_or_else(|| panic!("no {line} in {text}")).parse().expect("a number")
}

fn until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(40), "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
#[ignore = "needs a PostgreSQL server; `cargo xtask test` starts one and runs it"]
fn a_lone_busy_node_has_the_whole_limit_and_all_together_never_more() {
    let Some(address) = address() else { return };
    let calls = Arc::default();
    let vendor = vendor(address, &calls);
    let nodes = Nodes::start_with(None, |app| {
        let config =
            format!("[providers.lab]\nbase_url = \"{}\"\nconcurrency = {LIMIT}\n", vendor.url("/v1"));
        let config = app.write("config.toml", &config);
        app.set("QUORATE_CONFIG", config);
    });
    let most = |topic| calls.lock().expect("no panic").most.get(topic).copied().unwrap_or(0);
    let here = nodes.begin(0, meeting(HERE));
    until("one node makes all calls", || most(HERE) == LIMIT);
    assert_eq!(metric(&nodes, 0, "provider_calls_limit"), LIMIT);
    until("it holds all places", || metric(&nodes, 0, "provider_calls_held") == LIMIT);
    assert_eq!(metric(&nodes, 1, "provider_calls_held"), 0);
    nodes.begin(1, meeting(THERE));
    until("the other one makes calls too", || most(THERE) >= LIMIT / 2);
    // Both go on for a while.
    std::thread::sleep(Duration::from_secs(4));
    let most_of_all = calls.lock().expect("no panic").most_of_all;
    assert_eq!(most_of_all, LIMIT, "never more, and none left unused");
    // What a node needs no more, the other one has. Calls that are broken off here go on at the vendor for a moment.
    let ended = nodes.ask(0, Method::POST, &format!("/meetings/{here}/end"), json!({ "note": "enough" }));
    assert!(ended.0 < 300, "{ended:?}");
    calls.lock().expect("no panic").most.clear();
    until("the other one has the whole limit", || most(THERE) == LIMIT);
}

#[test]
#[ignore = "needs a PostgreSQL server; `cargo xtask test` starts one and runs it"]
fn what_a_killed_node_held_of_a_limit_goes_to_the_others() {
    let Some(address) = address() else { return };
    let calls = Arc::default();
    let vendor = vendor(address, &calls);
    let mut nodes = Nodes::start_with(None, |app| {
        let config =
            format!("[providers.lab]\nbase_url = \"{}\"\nconcurrency = {LIMIT}\n", vendor.url("/v1"));
        let config = app.write("config.toml", &config);
        app.set("QUORATE_CONFIG", config);
    });
    nodes.begin(0, meeting(HERE));
    let (owner, held) = (nodes.owner(), "provider_calls_held");
    until("its node holds all places", || metric(&nodes, owner, held) == LIMIT);
    nodes.processes[owner].take().expect("it runs").kill();
    let other = 1 - owner;
    // The meeting goes on there, and what the other one held is free when its lease has passed.
    until("the other one holds all places", || metric(&nodes, other, held) == LIMIT);
    calls.lock().expect("no panic").most.clear();
    let most = |topic| calls.lock().expect("no panic").most.get(topic).copied().unwrap_or(0);
    until("the other one makes all calls", || most(HERE) == LIMIT);
    assert_eq!(calls.lock().expect("no panic").most_of_all, LIMIT, "never more");
}

#[test]
#[ignore = "needs a PostgreSQL server; `cargo xtask test` starts one and runs it"]
fn a_command_that_runs_a_meeting_shares_a_limit_with_the_nodes() {
    let Some(address) = address() else { return };
    let calls = Arc::default();
    let vendor = vendor(address, &calls);
    let nodes = Nodes::start_with(None, |app| {
        let config =
            format!("[providers.lab]\nbase_url = \"{}\"\nconcurrency = {LIMIT}\n", vendor.url("/v1"));
        let config = app.write("config.toml", &config);
        app.set("QUORATE_CONFIG", config);
    });
    let most = |topic| calls.lock().expect("no panic").most.get(topic).copied().unwrap_or(0);
    nodes.begin(0, meeting(HERE));
    until("the node makes all calls", || most(HERE) == LIMIT);
    let arguments = ["run", THERE, "--format", "consensus", "-p", "Ada,Ben,Cid,Dan", "-m", "lab/talker"];
    let mut command = nodes.app.start(&[&arguments[..], &["--rounds", "3", "--yes", "--json"]].concat());
    command.hears("call_started");
    until("both make calls", || most(THERE) >= LIMIT / 2);
    std::thread::sleep(Duration::from_secs(4));
    assert_eq!(calls.lock().expect("no panic").most_of_all, LIMIT, "never more, and none left unused");
    // It pauses its meeting and ends. What it held, the node has again.
    command.signal(rustix::process::Signal::INT);
    command.end();
    calls.lock().expect("no panic").most.clear();
    until("the node has the whole limit", || most(HERE) == LIMIT);
}

#[test]
#[ignore = "needs a PostgreSQL server; `cargo xtask test` starts one and runs it"]
fn of_meetings_that_two_nodes_start_at_once_as_many_run_as_may() {
    let nodes = Nodes::start_with(None, |app| {
        let config = app.write("config.toml", "[server.access.limits]\nrunning_meetings = 2\n");
        app.set("QUORATE_CONFIG", config);
    });
    let new = json!({ "topic": HERE, "simulate": true, "lang": "en" });
    let made: Vec<(usize, String)> = (0..8)
        .map(|number| {
            (number % 2, text(&nodes.ask(number % 2, Method::POST, "/meetings", new.clone()).1["id"]))
        })
        .collect();
    // What is asked is made beforehand: the nodes' terminals belong to one thread.
    let starting = |(node, id): &(usize, String)| {
        let url = format!("{}/api/v1/meetings/{id}/start", nodes.urls[*node]);
        nodes.client.post(url).bearer_auth(&nodes.token).json(&json!({}))
    };
    let answered = |request: RequestBuilder| {
        let answer = request.send().expect("an answer");
        (answer.status().as_u16(), answer.json::<Value>().expect("JSON"))
    };
    let requests: Vec<RequestBuilder> = made.iter().map(starting).collect();
    let started: Vec<(u16, Value)> = std::thread::scope(|scope| {
        let threads = requests.into_iter().map(|request| scope.spawn(move || answered(request)));
        threads.collect::<Vec<_>>().into_iter().map(|thread| thread.join().expect("it is answered")).collect()
    });
    let (run, refused): (Vec<_>, Vec<_>) = started.iter().partition(|(status, _)| *status == 200);
    assert_eq!(run.len(), 2, "{started:?}");
    for (status, body) in refused {
        assert_eq!((*status, body["type"].as_str()), (503, Some("/api/v1/problems#too-many-meetings")));
    }
    // When one ends, another one may run, at either node.
    let running = started.iter().position(|(status, _)| *status == 200).expect("one runs");
    let end = format!("/meetings/{}/end", made[running].1);
    let ended = nodes.ask(0, Method::POST, &end, json!({ "note": "enough" }));
    assert!(ended.0 < 300, "{ended:?}");
    let waiting = started.iter().position(|(status, _)| *status == 503).expect("one waits");
    assert_eq!(answered(starting(&made[waiting])).0, 200);
}
