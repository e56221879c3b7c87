//! Two clients at one meeting over HTTP.

use serde_json::{Value, json};

use crate::app::{App, check_whole, events, of_type};
use crate::served::{Caller, Served};
use crate::vendor::{Answer, Vendor, sensible};

/// The number of granted commands of each kind for one client.
#[derive(Default)]
struct Granted {
    said: Vec<String>,
    paused: usize,
    resumed: usize,
    called_up: usize,
}

/// Sends messages, requests speakers, pauses and resumes in turn; a command that is not possible now is
/// refused as such.
fn takes_part(caller: &Caller, meeting: &str, name: &str, other: &str) -> Granted {
    let mut granted = Granted::default();
    let execute = |path: &str, body: Value, refusals: &[&str]| {
        let answered = caller.post(&format!("{meeting}/{path}"), &[], &body);
        let refused = answered.status == 409 && refusals.contains(&answered.sort());
        assert!(answered.is_success() || refused, "{path}: {} {}", answered.status, answered.body);
        usize::from(answered.is_success())
    };
    for n in 0..15 {
        let content = format!("{name} says {n}");
        assert_eq!(execute("messages", json!({ "content": content }), &[]), 1);
        granted.said.push(content);
        match n % 3 {
            0 => granted.paused += execute("pause", json!({ "at_once": true }), &["is-paused"]),
            1 => granted.resumed += execute("resume", json!({}), &["not-paused"]),
            _ => {
                let refusals = ["is-paused", "cannot-call-up"];
                granted.called_up += execute("speaker", json!({ "participant": other }), &refusals);
            }
        }
    }
    granted
}

#[test]
fn two_clients_lose_nothing_and_hear_the_same() {
    let vendor = Vendor::of(|heard| match heard.purpose() {
        "prose" => Answer::Thinking(Box::new(Answer::Whole(sensible(heard)))),
        _ => Answer::Whole(sensible(heard)),
    });
    let app = App::new().with("OPENAI_BASE_URL", vendor.url("/v1"));
    let served = Served::start(&app, &[]);
    let meeting = served.begin(json!({
        "topic": "Should our service use SQLite or PostgreSQL?",
        "participants": [{ "name": "Ada" }, { "name": "Ben" }, { "name": "Cid" }],
        "rules": { "limits": { "max_rounds": 2 } },
    }));
    let mut ears = [served.listen(&meeting, None), served.listen(&meeting, None)];
    for ear in &mut ears {
        ear.until("the first turn", |event| event["payload"]["task"] == "speak:r1t1");
    }
    let (one, other) = (served.caller(), served.caller());
    let granted = std::thread::scope(|scope| {
        let one = scope.spawn(|| takes_part(&one, &meeting, "one", "Ben"));
        let other = scope.spawn(|| takes_part(&other, &meeting, "other", "Cid"));
        [one.join().expect("it takes part"), other.join().expect("it takes part")]
    });
    vendor.goes_on();
    if served.see(&meeting)["state"] == "paused" {
        served.execute(&format!("{meeting}/resume"), json!({}));
    }
    for ear in &mut ears {
        ear.rest();
    }
    let log = served.log(&meeting);
    check_whole(&log);
    assert_eq!(ears[0].lines, log);
    assert_eq!(ears[1].lines, log, "both have heard the same");
    let log = events(&log);
    let said = of_type(&log, "user_message");
    let said: Vec<&str> =
        said.iter().filter_map(|event| event["payload"]["message"]["content"].as_str()).collect();
    assert_eq!(said.len(), 30, "each word once");
    for client in &granted {
        let own: Vec<&&str> = said.iter().filter(|word| client.said.iter().any(|own| own == *word)).collect();
        assert_eq!(own.len(), 15);
        assert!(own.iter().zip(&client.said).all(|(in_log, said)| **in_log == said), "in its own order");
    }
    let sum = |of: fn(&Granted) -> usize| granted.iter().map(of).sum::<usize>();
    assert_eq!(of_type(&log, "pause").len(), sum(|client| client.paused), "each pause that was granted");
    let resumed = of_type(&log, "resume").len();
    let by_us = sum(|client| client.resumed);
    assert!(resumed == by_us || resumed == by_us + 1, "{resumed} of {by_us}, and one to go on at last");
    assert_eq!(of_type(&log, "speaker_requested").len(), sum(|client| client.called_up));
    assert!(by_us > 0 && sum(|client| client.called_up) > 0, "something was granted");
    served.stop().ok();
}
