//! Call-backs that somebody forged, repeated, bent or sent at the wrong moment.

use quorate_runners::{Secret, sign_webhook};
use quorate_store::ReceivedCall;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::access_server::App;
use crate::turns::{meeting, said};
use crate::webhooks::{Receiver, call_back, hook, pushing, rounds, seconds_now, status};

const GET: Method = Method::GET;

/// A webhook whose agent has a turn at a meeting.
struct Asked {
    id: String,
    secret: String,
    ticket: String,
    held: String,
    _receiver: Receiver,
}

async fn asked(app: &App, agent: &str) -> Asked {
    let receiver = Receiver::start(|_, _| status(202)).await;
    let made = hook(app, json!({ "url": receiver.url, "agent": agent })).await;
    let seat = format!("agent/{agent}");
    let seats = [(agent, seat.as_str()), ("Zoe", "simulated/balanced")];
    let held = meeting(app, "", "discussion", rounds(1), &seats).await;
    let told = receiver.until("it is asked", |all| !all.is_empty()).await;
    let ticket = told[0].body["data"]["ticket"].as_str().expect("a ticket").to_owned();
    Asked { id: made.text("id"), secret: made.text("secret"), ticket, held, _receiver: receiver }
}

impl Asked {
    fn signature(&self, id: &str, at: i64, body: &[u8]) -> String {
        sign_webhook(&[Secret::new(self.secret.clone())], id, at, body)
    }

    fn answer(&self, text: &str) -> Value {
        json!({ "ticket": self.ticket, "text": text })
    }
}

/// A request as it is, and the status and type of what is answered.
async fn send(app: &App, hook: &str, headers: &[(&str, String)], body: Vec<u8>) -> (StatusCode, String) {
    let url = format!("http://{}/api/v1/webhooks/{hook}/callback", app.address);
    let mut request = reqwest::Client::new().post(url).header("content-type", "application/json").body(body);
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let answer = request.send().await.expect("an answer");
    let status = answer.status();
    let body: Value = answer.json().await.unwrap_or_default();
    let sort = body["type"].as_str().unwrap_or_default();
    (status, sort.rsplit('#').next().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn headers_that_are_missing_doubled_or_bent_are_refused_and_use_nothing_up() {
    let (app, _running) = pushing().await;
    let ada = asked(&app, "ada").await;
    let (now, body) = (seconds_now(), ada.answer("I am Ada").to_string().into_bytes());
    let signature = ada.signature("c1", now, &body);
    let good = || {
        vec![
            ("webhook-id", "c1".to_owned()),
            ("webhook-timestamp", now.to_string()),
            ("webhook-signature", signature.clone()),
        ]
    };
    let mut bad: Vec<(String, Vec<(&str, String)>)> = Vec::new();
    for at in 0..3 {
        let mut without = good();
        let (name, value) = without.remove(at);
        bad.push((format!("no {name}"), without));
        // The first or the second of two: a proxy may read another one than the server.
        for other in [value.clone(), "0".to_owned()] {
            let mut doubled = good();
            doubled.push((name, other.clone()));
            bad.push((format!("{name} twice"), doubled));
            let mut doubled = good();
            doubled.insert(0, (name, other));
            bad.push((format!("{name} twice"), doubled));
        }
    }
    let with = |at: usize, value: String| {
        let mut headers = good();
        headers[at].1 = value;
        headers
    };
    for id in [String::new(), "c2".to_owned(), "C1".to_owned(), "x".repeat(256), "c1,c1".to_owned()] {
        bad.push((format!("id {id:?}"), with(0, id)));
    }
    for time in [
        "",
        "now",
        "1e9",
        "0x5f",
        "-1",
        "9223372036854775807",
        "-9223372036854775808",
        "99999999999999999999",
    ] {
        bad.push((format!("time {time:?}"), with(1, time.to_owned())));
    }
    for time in [now * 1000, now - 301, now + 301, now + 1] {
        bad.push((format!("time {time}"), with(1, time.to_string())));
    }
    let bare = signature.strip_prefix("v1,").expect("a version").to_owned();
    let others = vec![format!("v1,{}", "A".repeat(43) + "="); 10].join(" ");
    for forged in [
        String::new(),
        bare.clone(),
        format!("v2,{bare}"),
        format!("v1a,{bare}"),
        format!("V1,{bare}"),
        format!("v1 {bare}"),
        format!("v1,{}", &bare[..20]),
        "v1,".to_owned(),
        format!("v1,{}", bare.replace('=', "")),
        format!("sha256={bare}"),
        // Beyond the ten that are looked at.
        format!("{others} {signature}"),
    ] {
        bad.push((format!("signature {forged:?}"), with(2, forged)));
    }
    // Signed, but long ago or for later.
    for at in [now - 301, now + 310, 0, -1, i64::MAX, i64::MIN] {
        let signed = ada.signature("c1", at, &body);
        bad.push((
            format!("signed at {at}"),
            vec![
                ("webhook-id", "c1".to_owned()),
                ("webhook-timestamp", at.to_string()),
                ("webhook-signature", signed),
            ],
        ));
    }
    for (what, headers) in bad {
        let refused = send(&app, &ada.id, &headers, body.clone()).await;
        assert_eq!(refused, (StatusCode::UNAUTHORIZED, "bad-signature".to_owned()), "{what}");
    }
    // Another body under the same signature.
    let other = send(&app, &ada.id, &good(), ada.answer("I am not").to_string().into_bytes()).await;
    assert_eq!(other.0, StatusCode::UNAUTHORIZED);
    // While a secret is rotated a sender may sign with several.
    let several = with(2, format!("v1,AAAA v2,{bare} {signature}"));
    assert_eq!(send(&app, &ada.id, &several, body).await.0, StatusCode::OK);
    let words: Vec<String> = said(&app, "", &ada.held).await.into_iter().map(|(_, text)| text).collect();
    assert!(words.contains(&"I am Ada".to_owned()), "{words:?}");
}

#[tokio::test]
async fn bodies_that_hold_no_answer_are_refused() {
    let (app, _running) = pushing().await;
    let ada = asked(&app, "ada").await;
    let deep =
        format!("{{\"ticket\":\"{}\",\"fields\":{}1{}}}", ada.ticket, "{\"a\":".repeat(500), "}".repeat(500));
    let bodies: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", Vec::new()),
        ("no JSON", b"words".to_vec()),
        ("a list", format!("[\"{}\",\"words\"]", ada.ticket).into_bytes()),
        ("deep JSON", deep.into_bytes()),
        ("no UTF-8", [b"{\"ticket\":\"".as_slice(), &[0xff, 0xfe], b"\",\"text\":\"x\"}"].concat()),
        ("a ticket that is no text", b"{\"ticket\":7,\"text\":\"x\"}".to_vec()),
        (
            "two tickets",
            format!("{{\"ticket\":\"x\",\"ticket\":\"{}\",\"text\":\"x\"}}", ada.ticket).into_bytes(),
        ),
        ("no answer", ada.answer(" ").to_string().into_bytes()),
        ("two answers", json!({ "ticket": ada.ticket, "text": "x", "skip": true }).to_string().into_bytes()),
    ];
    let signed = |id: &str, body: &[u8]| {
        let now = seconds_now();
        vec![
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", now.to_string()),
            ("webhook-signature", ada.signature(id, now, body)),
        ]
    };
    for (number, (what, body)) in bodies.into_iter().enumerate() {
        let id = format!("b{number}");
        let refused = send(&app, &ada.id, &signed(&id, &body), body).await;
        assert_eq!(refused.0, StatusCode::UNPROCESSABLE_ENTITY, "{what}: {}", refused.1);
    }
    let large = vec![b' '; (1 << 20) + 1];
    let refused = send(&app, &ada.id, &signed("large", &large), large).await;
    assert_eq!(refused, (StatusCode::PAYLOAD_TOO_LARGE, "too-large".to_owned()));
    // None of it has ended the turn.
    let taken = call_back(&app, &ada.id, &ada.secret, "good", seconds_now(), &ada.answer("At last")).await;
    assert_eq!(taken.status, StatusCode::OK, "{}", taken.body);
}

#[tokio::test]
async fn a_ticket_is_good_for_its_agent_its_meeting_and_its_time() {
    let (app, _running) = pushing().await;
    let (ada, ben) = (asked(&app, "ada").await, asked(&app, "ben").await);
    let now = seconds_now();
    // Ben's webhook with Ada's ticket; Ada's at one meeting alone with her ticket of another.
    let stolen = call_back(&app, &ben.id, &ben.secret, "c1", now, &ada.answer("I am Ada")).await;
    assert_eq!((stolen.status, stolen.sort()), (StatusCode::CONFLICT, "turn-is-over"), "{}", stolen.body);
    assert_eq!(stolen.body["open_turns"], json!([]), "Ben has no turn at the meeting of the ticket");
    let bound = json!({ "url": "http://127.0.0.1:9/", "agent": "ada", "turns": false, "events": ["finished"],
        "meeting": ben.held });
    let bound = hook(&app, bound).await;
    let answer = ada.answer("from elsewhere");
    let elsewhere = call_back(&app, &bound.text("id"), &bound.text("secret"), "c1", now, &answer).await;
    assert_eq!((elsewhere.status, elsewhere.sort()), (StatusCode::CONFLICT, "turn-is-over"));
    for ticket in ["", "turn_", "turn_00000000000000000000000000000000", "../turns", "%00"] {
        let answer = json!({ "ticket": ticket, "text": "x" });
        let unknown = call_back(&app, &ada.id, &ada.secret, &format!("t{ticket}"), now, &answer).await;
        assert_eq!((unknown.status, unknown.sort()), (StatusCode::CONFLICT, "turn-is-over"), "{ticket:?}");
    }
    // Once the meeting is over, so is the turn.
    app.by("", Method::POST, &format!("/meetings/{}/end", ada.held), Some(json!({}))).await;
    let late = call_back(&app, &ada.id, &ada.secret, "late", now, &ada.answer("too late")).await;
    assert_eq!((late.status, late.sort()), (StatusCode::CONFLICT, "turn-is-over"), "{}", late.body);
}

#[tokio::test]
async fn of_call_backs_at_once_one_wins() {
    let (app, _running) = pushing().await;
    let (ada, ben) = (asked(&app, "ada").await, asked(&app, "ben").await);
    let now = seconds_now();
    // Copies of one message, and messages of their own.
    for (who, same_id, loser) in [(&ada, true, "replayed"), (&ben, false, "turn-is-over")] {
        let calls = (0..12).map(|number| {
            let id = if same_id { "same".to_owned() } else { format!("own{number}") };
            let answer = who.answer("exactly once");
            let app = &app;
            async move { call_back(app, &who.id, &who.secret, &id, now, &answer).await }
        });
        let answers = futures::future::join_all(calls).await;
        let won = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
        let lost =
            answers.iter().filter(|answer| answer.status == StatusCode::CONFLICT && answer.sort() == loser);
        let all: Vec<_> = answers.iter().map(|answer| (answer.status, answer.sort())).collect();
        assert_eq!((won, lost.count()), (1, 11), "{all:?}");
        let words = said(&app, "", &who.held).await;
        assert_eq!(words.iter().filter(|(_, text)| text == "exactly once").count(), 1, "{words:?}");
    }
}

#[tokio::test]
async fn an_id_is_carried_out_once_with_whatever_body_and_again_only_if_the_process_ended_before_it_was() {
    let (app, _running) = pushing().await;
    let ada = asked(&app, "ada").await;
    let (now, answer) = (seconds_now(), ada.answer("after the crash"));
    let call = |id: &'static str, answer: Value| {
        let (app, ada) = (&app, &ada);
        async move { call_back(app, &ada.id, &ada.secret, id, now, &answer).await }
    };
    // As a process leaves it that is killed after it has noted the id and before it has answered.
    let digest: [u8; 32] = Sha256::digest(answer.to_string()).into();
    let at = quorate_app::now();
    let noted = app.store.receive_webhook_call(&ada.id, "c1", digest, at, at.plus_ms(0)).await;
    assert_eq!(noted.expect("noted"), ReceivedCall::First);
    let other = call("c1", ada.answer("something else")).await;
    assert_eq!((other.status, other.sort()), (StatusCode::CONFLICT, "replayed"), "{}", other.body);
    let taken = call("c1", answer.clone()).await;
    assert_eq!(taken.status, StatusCode::OK, "{}", taken.body);
    for again in [answer, ada.answer("something else")] {
        let copy = call("c1", again).await;
        assert_eq!((copy.status, copy.sort()), (StatusCode::CONFLICT, "replayed"), "{}", copy.body);
    }
    let words = said(&app, "", &ada.held).await;
    assert_eq!(words.iter().filter(|(_, text)| text == "after the crash").count(), 1, "{words:?}");
    assert_eq!(app.by("", GET, "/webhooks", None).await.status, StatusCode::OK);
}
