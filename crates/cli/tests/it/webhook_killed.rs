//! Call-backs while the server is killed: an answer is in the log once, and whoever got no answer may send it again.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use quorate_runners::{Secret, sign_webhook};
use reqwest::blocking::Client;
use serde_json::{Value, json};

use crate::app::{App, events, of_type};
use crate::client::started;
use crate::mcp_client::{again, owner};
use crate::webhook_receiver::WebhookReceiver;

/// How often the server is killed in the middle of a call-back.
const KILLS: u32 = 12;

/// A signed message that can be sent again as it is.
#[derive(Clone)]
struct Message {
    webhook: String,
    headers: [(&'static str, String); 3],
    body: String,
}

impl Message {
    fn of(webhook: &str, secret: &str, id: &str, answer: &Value) -> Self {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
        let (at, body) = (since.as_secs() as i64, answer.to_string());
        let signature = sign_webhook(&[Secret::new(secret)], id, at, body.as_bytes());
        let headers = [
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", at.to_string()),
            ("webhook-signature", signature),
        ];
        Self { webhook: webhook.to_owned(), headers, body }
    }

    /// The status and the type of the answer; `None` when there is none.
    fn send(&self, base: &str) -> Option<(u16, String)> {
        let url = format!("{base}/api/v1/webhooks/{}/callback", self.webhook);
        let mut request =
            Client::new().post(url).header("content-type", "application/json").body(self.body.clone());
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let response = request.send().ok()?;
        let status = response.status().as_u16();
        let body: Value = response.json().ok()?;
        let sort = body["type"].as_str().and_then(|kind| kind.rsplit('#').next()).unwrap_or_default();
        Some((status, sort.to_owned()))
    }
}

#[test]
fn a_call_back_that_a_kill_cut_off_can_be_sent_again_and_is_carried_out_once() {
    let app = App::new();
    let (mut server, base) = started(&app);
    let mut host = owner(&app, &base);
    let receiver = WebhookReceiver::start(|_| (202, Value::Null));
    let hook = host.rest("POST", "/webhooks", json!({ "url": receiver.url, "agent": "ada" }));
    let text = |name: &str| hook[name].as_str().unwrap_or_else(|| panic!("{hook}")).to_owned();
    let (id, secret) = (text("id"), text("secret"));
    let new = json!({
        "topic": "SQLite or PostgreSQL?", "format": "discussion", "lang": "en", "facilitator": { "enabled": false },
        "participants": [{ "name": "Ada", "model": "agent/ada" }, { "name": "Sim", "temperament": "balanced" }],
        "rules": { "limits": { "max_rounds": KILLS }, "turns": { "pace": "instant" } },
    });
    let made = host.rest("POST", "/meetings", new);
    let meeting = made["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
    host.rest("POST", &format!("/meetings/{meeting}/start"), json!({}));
    let (mut outcomes, mut seen) = (Vec::new(), BTreeSet::new());
    for number in 0..KILLS {
        // A request whose receipt the kill cut off is sent once more: the same turn under the same ticket.
        let asked = loop {
            let asked = receiver.next("a turn");
            if seen.insert(asked.body["data"]["ticket"].to_string()) {
                break asked;
            }
        };
        let words = format!("The words of turn {number}.");
        let answer = json!({ "ticket": asked.body["data"]["ticket"], "text": words });
        let message = Message::of(&id, &secret, &format!("c{number}"), &answer);
        let (sent, to) = (message.clone(), host.base.clone());
        let call = std::thread::spawn(move || sent.send(&to));
        // From before the id is noted to after the answer.
        std::thread::sleep(Duration::from_micros(u64::from(number) * 1_500));
        server = again(&app, server, &mut [&mut host]);
        let first = call.join().expect("no panic");
        let began = Instant::now();
        let second = loop {
            match message.send(&host.base) {
                Some(answered) => break answered,
                None => assert!(began.elapsed() < Duration::from_secs(20), "an answer"),
            }
        };
        let log = app.quorate(&["replay", &meeting, "--json"]).ok().out;
        let said = events(&log);
        let said = of_type(&said, "agent_message");
        let said = said.iter().filter(|event| event.to_string().contains(&words)).count();
        assert_eq!(said, 1, "turn {number}: {first:?}, then {second:?}");
        outcomes.push((first, second));
    }
    server.kill();
    // Some were cut off and carried out by the second message: without it they would be lost.
    let rescued = outcomes.iter().filter(|(first, second)| first.is_none() && second.0 == 200).count();
    eprintln!("{rescued} of {KILLS} were carried out by the second message: {outcomes:?}");
}
