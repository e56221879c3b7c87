//! What a webhook rests on: the token, the account and the agent behind it, and its address over a restart.

use std::time::{Duration, Instant};

use quorate_app::{Principal, Scope};
use quorate_contract::Language;
use quorate_store::{AuditFilter, Token};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access::generous;
use crate::access_server::App;
use crate::turns::meeting;
use crate::webhooks::{Receiver, call_back, hook, life, pushing, rounds, seconds_now, status};

const GET: Method = Method::GET;
const POST: Method = Method::POST;
const PATCH: Method = Method::PATCH;
const DELETE: Method = Method::DELETE;

/// Why the program disabled a webhook, as an owner reads it.
async fn standing(app: &App, owner: &str, id: &str) -> (Value, Value) {
    let view = app.by(owner, GET, &format!("/webhooks/{id}"), None).await.body;
    (view["enabled"].clone(), view["disabled_because"].clone())
}

/// The reasons in the audit log for which webhooks were stopped, the newest first.
async fn noted(app: &App) -> Vec<(String, String)> {
    app.store.audit_written().await.expect("written");
    let filter = AuditFilter { action: Some("webhooks.stopped".to_owned()), ..AuditFilter::default() };
    let lines = app.store.audit_page(filter, None, 50).await.expect("a page").items;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    assert!(lines.iter().all(|line| line.by == "system"), "{lines:#?}");
    lines.iter().map(|line| (text(&line.detail["id"]), text(&line.detail["because"]))).collect()
}

#[tokio::test]
async fn a_webhook_stops_with_the_token_that_created_it() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let token = app.token(&owner, json!({ "name": "deployment", "scope": "manage" })).await;
    let made = json!({ "url": "https://hooks.example.com/x", "agent": "ada", "events": ["*"] });
    let made = app.by(&token.text("token"), POST, "/webhooks", Some(made)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    let (id, secret) = (made.text("id"), made.text("secret"));
    let path = format!("/webhooks/{id}");
    // One that a person created stays.
    let other = json!({ "url": "https://hooks.example.com/y", "events": ["*"] });
    let other = app.by(&owner, POST, "/webhooks", Some(other)).await.text("id");

    app.by(&owner, DELETE, &format!("/tokens/{}", token.text("id")), None).await;
    assert_eq!(standing(&app, &owner, &id).await, (json!(false), json!("token_revoked")));
    assert_eq!(standing(&app, &owner, &other).await, (json!(true), Value::Null));
    assert_eq!(noted(&app).await, [(id.clone(), "token_revoked".to_owned())]);
    let answer = json!({ "ticket": "turn_x", "text": "still here" });
    let refused = call_back(&app, &id, &secret, "c1", seconds_now(), &answer).await;
    assert_eq!((refused.status, refused.sort()), (StatusCode::FORBIDDEN, "forbidden"), "{}", refused.body);

    // Whoever enables it takes it over: it rests on no token any more.
    let enabled = app.by(&owner, PATCH, &path, Some(json!({ "enabled": true }))).await.body;
    assert_eq!(
        (&enabled["enabled"], &enabled["disabled_because"]),
        (&json!(true), &Value::Null),
        "{enabled}"
    );
    let again = call_back(&app, &id, &secret, "c2", seconds_now(), &answer).await;
    assert_eq!((again.status, again.sort()), (StatusCode::CONFLICT, "turn-is-over"), "{}", again.body);
}

#[tokio::test]
async fn a_webhook_stops_when_its_token_expires() {
    let (app, _running) = pushing().await;
    let receiver = Receiver::start(|_, _| status(204)).await;
    let now = quorate_app::now();
    let token = Token {
        id: "short".to_owned(),
        name: "a short one".to_owned(),
        by: "owner".to_owned(),
        hash: [7; 32],
        prefix: "qt_".to_owned(),
        scope: "manage".to_owned(),
        meeting: None,
        agent: None,
        created_ms: now,
        expires_ms: Some(now.plus_ms(2_000)),
        used_ms: None,
    };
    app.store.add_token(token).await.expect("stored");
    let principal = Principal::of_token("short", "owner".to_owned(), Scope::Manage, None);
    let request = quorate_app::WebhookChange {
        url: Some(receiver.url.clone()),
        events: Some(vec!["meeting_created".to_owned()]),
        allow_local: true,
        ..Default::default()
    };
    let (view, made) = app.service.create_webhook(&principal, request).await.expect("a webhook");
    let new = || Some(json!({ "topic": "Is it?", "simulate": true }));
    app.by("", POST, "/meetings", new()).await;
    receiver.until("the first meeting", |all| all.len() == 1).await;
    let began = Instant::now();
    while standing(&app, "", &view.id).await != (json!(false), json!("token_expired")) {
        assert!(began.elapsed() < Duration::from_secs(20), "it stops");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(noted(&app).await, [(view.id.clone(), "token_expired".to_owned())]);
    app.by("", POST, "/meetings", new()).await;
    let answer = json!({ "ticket": "turn_x", "text": "still here" });
    let refused = call_back(&app, &view.id, made.secret.expose(), "c1", seconds_now(), &answer).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    assert_eq!(receiver.received().len(), 1, "nothing more is sent");
}

#[tokio::test]
async fn a_webhook_stops_with_the_agent_that_it_answers_for() {
    let (app, _running) = pushing().await;
    let receiver = Receiver::start(|_, _| status(202)).await;
    let made = hook(&app, json!({ "url": receiver.url, "agent": "ada" })).await;
    let other =
        hook(&app, json!({ "url": receiver.url, "agent": "ben", "turns": false, "events": ["finished"] }))
            .await;
    let token = app.token("", json!({ "name": "ada", "scope": "speak", "agent": "ada" })).await.text("token");
    let words = json!({ "introduction": "I read contracts." });
    let known = app.by(&token, Method::PUT, "/agents/self", Some(words)).await;
    assert!(known.status.is_success(), "{}", known.body);
    app.by("", DELETE, "/agents/ada", None).await;
    assert_eq!(standing(&app, "", &made.text("id")).await, (json!(false), json!("agent_deleted")));
    assert_eq!(standing(&app, "", &other.text("id")).await, (json!(true), Value::Null));
    assert_eq!(noted(&app).await, [(made.text("id"), "agent_deleted".to_owned())]);
    // Its seat is asked and nothing is sent; a person who enables it again has it sent.
    meeting(&app, "", "discussion", rounds(1), &[("Ada", "agent/ada"), ("Ben", "simulated/balanced")]).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(receiver.received().is_empty());
    app.by("", PATCH, &format!("/webhooks/{}", made.text("id")), Some(json!({ "enabled": true }))).await;
    receiver.until("Ada is asked", |all| all.len() == 1).await;
}

#[tokio::test]
async fn a_failing_address_is_left_alone_after_a_restart_as_before_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let receiver = Receiver::start(|_, _| status(500)).await;
    let owner = Principal::owner();
    let (first, running) = life(folder.path()).await;
    let request = quorate_app::WebhookChange {
        url: Some(receiver.url.clone()),
        events: Some(vec!["*".to_owned()]),
        allow_local: true,
        ..Default::default()
    };
    let (view, _) = first.create_webhook(&owner, request).await.expect("a webhook");
    let mut new = quorate_app::CreateMeetingRequest::default();
    new.topic = Some("Is it?".to_owned());
    new.simulate = Some(true);
    for _ in 0..8 {
        first.create(&quorate_contract::Actor::owner(), &new).await.expect("a meeting");
    }
    let began = Instant::now();
    let paused = loop {
        let shown = first.webhook(&owner, &view.id).await.expect("a webhook").resumes_at;
        let noted = first
            .webhook_deliveries(&owner, &view.id, None, 200, Language::En)
            .await
            .expect("a log")
            .items
            .len();
        match shown {
            // What was under way when it opened is noted as well.
            Some(until) if noted == receiver.received().len() => break until,
            _ => assert!(began.elapsed() < Duration::from_secs(20), "it is paused"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let sent = receiver.received().len();
    running.abort();
    _ = running.await;
    first.shut_down(Duration::ZERO).await;
    drop(first);

    let (second, _running) = life(folder.path()).await;
    for _ in 0..8 {
        second.create(&quorate_contract::Actor::owner(), &new).await.expect("a meeting");
    }
    let began = Instant::now();
    let after = loop {
        match second.webhook(&owner, &view.id).await.expect("a webhook").resumes_at {
            Some(until) => break until,
            None => assert!(began.elapsed() < Duration::from_secs(5), "it is still paused"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert!(after.0.abs_diff(paused.0) < 1_000, "until the same moment: {paused:?}, {after:?}");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(receiver.received().len(), sent, "no storm after a restart");
}

#[tokio::test]
async fn of_a_meeting_off_the_record_turns_are_sent_and_it_is_said_that_events_are_not() {
    let (app, _running) = pushing().await;
    let receiver = Receiver::start(|_, _| status(202)).await;
    let new = json!({
        "topic": "The merger", "lang": "en", "format": "discussion", "off_record": true, "rules": rounds(1),
        "participants": [{ "name": "Ada", "model": "agent/ada" }, { "name": "Ben", "temperament": "balanced" }],
        "facilitator": { "enabled": false },
    });
    let held = app.by("", POST, "/meetings", Some(new)).await;
    let held = held.text("id");
    let events = json!({ "url": receiver.url, "events": ["*"], "meeting": held });
    let refused = app.by("", POST, "/webhooks", Some(events)).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
    assert_eq!(refused.body["errors"][0]["pointer"], "/events", "{}", refused.body);
    assert!(refused.body.to_string().contains("off the record"), "{}", refused.body);
    let both =
        hook(&app, json!({ "url": receiver.url, "events": ["*"], "agent": "ada", "meeting": held })).await;
    assert_eq!(both.body["off_record"], json!(true), "{}", both.body);
    let all = hook(&app, json!({ "url": receiver.url, "events": ["*"] })).await;
    assert_eq!(all.body["off_record"], json!(false), "{}", all.body);
    app.by("", POST, &format!("/meetings/{held}/start"), None).await;
    let told = receiver.until("Ada is asked", |all| !all.is_empty()).await;
    assert!(told.iter().all(|one| one.kind() == "turn.requested"), "{told:#?}");
}
