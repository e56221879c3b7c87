//! `quorate serve`: how it starts, what it refuses to start with, and how it stops.

use std::net::TcpListener;
use std::time::Instant;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::app::{App, check_whole, events, of_type};
use crate::served::Served;
use crate::vendor::{Answer, Vendor, sensible};

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";

#[test]
fn it_says_where_it_is_and_the_shortest_way_in_leads_to_the_end() {
    let app = App::new();
    let served = Served::start(&app, &["--pace", "instant"]);
    for (path, says) in [
        ("/healthz", r#""status":"ok""#),
        ("/", "众议 Quorate"),
        ("/readyz", r#""status":"ready""#),
        ("/metrics", "# EOF"),
        ("/api/v1/openapi.json", r#""openapi":"3.1"#),
    ] {
        let (status, text) = served.text(path);
        assert!(status == 200 && text.contains(says), "{path}: {status} {text}");
    }
    let new = json!({ "topic": TOPIC, "format": "consensus", "simulate": true, "seed": 5 });
    let meeting = served.begin(new);
    let told = served.follow_to_the_end(&meeting, 0);
    check_whole(&told);
    assert_eq!(told, served.log(&meeting));
    // The terminal reads beside it, and sees the same.
    assert_eq!(app.quorate(&["replay", "last", "--json"]).ok().out, told);
    app.quorate(&["import", "."]).ends(2);
    let stopped = served.stop().ok();
    assert!(stopped.err.ends_with("stopped\n") && stopped.out.is_empty(), "{stopped}");
}

#[test]
fn what_it_cannot_start_with_is_said_with_what_helps() {
    let app = App::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("an address").port().to_string();
    app.quorate(&["serve", "--port", &port]).fails(1, &[&port, "cannot listen on", "--port 0"]);
    let elsewhere = ["serve", "--host", "0.0.0.0", "--port", "0"];
    app.quorate(&elsewhere).fails(1, &["no account that could sign in", "quorate accounts add owner"]);
    app.quorate(&["serve", "--port", "99999"]).ends(2);
    app.quorate(&["serve", "--port", "0", "--log", "quorate=loud"])
        .fails(2, &["is not a level", "choose debug"]);
    app.quorate(&["serve", "--port", "0", "--telemetry-url", "nowhere"])
        .fails(2, &["address of a collector"]);

    let mut set = App::new();
    let file = set.write("server.toml", "[server]\nporte = 1\n");
    set.set("QUORATE_CONFIG", file);
    set.quorate(&["serve", "--port", "0"]).fails(2, &["unknown field `porte`", "docs/server.md"]);

    let served = Served::start(&app, &[]);
    app.quorate(&["serve", "--port", "0"]).fails(1, &["is in use by"]);
    served.stop().ok();
}

/// A service with a model that hangs before the first turn of a round.
fn thinking(more: &str) -> (Vendor, App, Served, String) {
    let vendor = Vendor::of(|heard| match heard.purpose() {
        "prose" => Answer::Thinking(Box::new(Answer::Whole(sensible(heard)))),
        _ => Answer::Whole(sensible(heard)),
    });
    let mut app = App::new().with("OPENAI_BASE_URL", vendor.url("/v1"));
    let file = app.write("server.toml", more);
    app.set("QUORATE_CONFIG", file);
    let served = Served::start(&app, &[]);
    let names = json!([{ "name": "Ada" }, { "name": "Ben" }]);
    let rules = json!({ "limits": { "max_rounds": 1 } });
    let meeting = served.begin(json!({ "topic": TOPIC, "participants": names, "rules": rules }));
    served.listen(&meeting, None).until("the first turn", |event| event["payload"]["task"] == "speak:r1t1");
    vendor.is_asked_for("prose");
    (vendor, app, served, meeting)
}

/// Starts it again and follows the meeting to its end; returns its events.
fn goes_on(app: &App, meeting: &str) -> Vec<Value> {
    let served = Served::start(app, &[]);
    served.follow_to_the_end(meeting, 0);
    let log = served.log(meeting);
    check_whole(&log);
    served.stop().ok();
    app.quorate(&["verify"]).ok();
    events(&log)
}

#[test]
fn to_stop_is_to_let_whoever_speaks_finish_and_those_who_listen_know() {
    let (vendor, app, mut served, meeting) = thinking("");
    let mut ear = served.listen(&meeting, None);
    served.signal(Signal::TERM);
    served.notes("stopping; once more stops at once");
    ear.rest();
    vendor.goes_on();
    let stopped = served.end().ok();
    assert!(stopped.err.ends_with("stopped\n"), "{stopped}");
    let log = goes_on(&app, &meeting);
    assert!(of_type(&log, "recovered").is_empty(), "nothing was lost");
}

#[test]
fn whoever_speaks_for_too_long_is_cut_off_and_asked_again_at_the_next_start() {
    let (vendor, app, served, meeting) = thinking("[server]\nstop_seconds = 1\n");
    let stopped = served.stop().ok();
    assert!(stopped.err.contains("stopped; 1 call was interrupted and is made again"), "{stopped}");
    vendor.goes_on();
    let log = goes_on(&app, &meeting);
    assert_eq!(of_type(&log, "recovered").len(), 1);
}

#[test]
fn a_second_signal_stops_it_at_once() {
    let (vendor, app, mut served, meeting) = thinking("");
    served.signal(Signal::TERM);
    served.notes("once more stops at once");
    let began = Instant::now();
    served.signal(Signal::INT);
    served.end().ends(130);
    assert!(began.elapsed().as_secs() < 10, "it did not wait for whoever speaks");
    vendor.goes_on();
    goes_on(&app, &meeting);
}

#[test]
fn a_server_stops_at_once_while_somebody_waits_for_a_turn() {
    let app = App::new();
    let served = Served::start(&app, &[]);
    let caller = (*served).clone();
    let waits = std::thread::spawn(move || {
        caller.try_send(reqwest::Method::GET, "/turns?wait_seconds=25", &[], None)
    });
    // Long enough for the request to be under way; a later one would find that the server is gone.
    std::thread::sleep(std::time::Duration::from_millis(500));
    let began = Instant::now();
    served.stop().ok();
    assert!(began.elapsed() < std::time::Duration::from_secs(5), "{:?}", began.elapsed());
    let answered = waits.join().expect("it ends").expect("an answer");
    assert_eq!((answered.status, &answered.body["items"]), (200, &json!([])));
}
