//! Webhooks: turns and events that are pushed to real servers, their answers and call-backs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode as Status};
use axum::response::{IntoResponse, Response};
use quorate_contract::Language;
use quorate_runners::{Secret, sign_webhook, verify_webhook};
use quorate_store::{AuditFilter, Disk, DiskFault, Store};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::access::generous;
use crate::access_server::{Answer, App};
use crate::turns::{meeting, said};

const GET: Method = Method::GET;
const POST: Method = Method::POST;
const PATCH: Method = Method::PATCH;

/// A message as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) id: String,
    timestamp: i64,
    signature: String,
    raw: Vec<u8>,
    pub(crate) body: Value,
}

impl Received {
    fn is_signed_with(&self, secret: &str) -> bool {
        verify_webhook(&[Secret::new(secret)], &self.id, self.timestamp, &self.raw, &self.signature)
    }

    pub(crate) fn kind(&self) -> &str {
        self.body["type"].as_str().expect("a type")
    }
}

/// A server that keeps what it is sent, and answers each message as it is told.
pub(crate) struct Receiver {
    pub(crate) url: String,
    received: Arc<Mutex<Vec<Received>>>,
    running: JoinHandle<()>,
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.running.abort();
    }
}

impl Receiver {
    pub(crate) async fn start(answer: impl Fn(usize, &Received) -> Response + Send + Sync + 'static) -> Self {
        let received: Arc<Mutex<Vec<Received>>> = Arc::default();
        let (kept, answer) = (Arc::clone(&received), Arc::new(answer));
        let take = move |headers: HeaderMap, raw: Bytes| {
            let (kept, answer) = (Arc::clone(&kept), Arc::clone(&answer));
            async move {
                let header = |name| headers[name].to_str().expect("text").to_owned();
                let message = Received {
                    id: header("webhook-id"),
                    timestamp: header("webhook-timestamp").parse().expect("seconds"),
                    signature: header("webhook-signature"),
                    raw: raw.to_vec(),
                    body: serde_json::from_slice(&raw).expect("JSON"),
                };
                let number = {
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.push(message.clone());
                    kept.len()
                };
                answer(number, &message)
            }
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
        let router: Router = Router::new().fallback(take);
        let running = tokio::spawn(async move { axum::serve(listener, router).await.expect("it serves") });
        Self { url, received, running }
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until something holds for what was received.
    pub(crate) async fn until(&self, what: &str, holds: impl Fn(&[Received]) -> bool) -> Vec<Received> {
        let began = Instant::now();
        loop {
            let received = self.received();
            if holds(&received) {
                return received;
            }
            assert!(began.elapsed() < Duration::from_secs(30), "{what}: {received:#?}");
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }
}

pub(crate) fn status(code: u16) -> Response {
    Status::from_u16(code).expect("a status").into_response()
}

pub(crate) fn reply(body: Value) -> Response {
    axum::Json(body).into_response()
}

/// A server of the person at this machine that sends to webhooks.
pub(crate) async fn pushing() -> (App, JoinHandle<()>) {
    let app = App::alone(generous()).await;
    let service = app.service.clone();
    (app, tokio::spawn(async move { service.run_webhooks().await }))
}

pub(crate) async fn hook(app: &App, body: Value) -> Answer {
    let made = app.by("", POST, "/webhooks", Some(body)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    made
}

pub(crate) async fn deliveries(app: &App, id: &str) -> Vec<Value> {
    let page = app.by("", GET, &format!("/webhooks/{id}/deliveries?limit=200"), None).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.body);
    page.body["items"].as_array().expect("a list").clone()
}

/// Waits until a webhook has a delivery for which something holds.
pub(crate) async fn delivered(app: &App, id: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let began = Instant::now();
    loop {
        let all = deliveries(app, id).await;
        if let Some(found) = all.iter().find(|delivery| holds(delivery)) {
            return found.clone();
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{all:#?}");
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}

/// A signed call-back.
pub(crate) async fn call_back(
    app: &App,
    hook: &str,
    secret: &str,
    id: &str,
    at: i64,
    body: &Value,
) -> Answer {
    let raw = body.to_string();
    let signature = sign_webhook(&[Secret::new(secret)], id, at, raw.as_bytes());
    let at = at.to_string();
    let headers =
        [("webhook-id", id), ("webhook-timestamp", at.as_str()), ("webhook-signature", signature.as_str())];
    app.ask(POST, &format!("/webhooks/{hook}/callback"), &headers, Some(body.clone())).await
}

pub(crate) fn seconds_now() -> i64 {
    quorate_app::now().0 / 1000
}

pub(crate) fn rounds(count: u32) -> Value {
    json!({ "limits": { "max_rounds": count } })
}

#[tokio::test]
async fn a_whole_meeting_is_held_by_answers_in_the_response_and_by_call_backs() {
    let (app, _running) = pushing().await;
    let ada = Receiver::start(|number, _| reply(json!({ "text": format!("Ada's word {number}") }))).await;
    let ben = Receiver::start(|_, _| status(202)).await;
    let ada_hook = hook(&app, json!({ "url": ada.url, "agent": "ada" })).await;
    let ben_hook = hook(&app, json!({ "url": ben.url, "agent": "ben" })).await;
    let (id, secret) = (ben_hook.text("id"), ben_hook.text("secret"));
    let seats = [("Ada", "agent/ada"), ("Ben", "webhook/ben")];
    let held = meeting(&app, "", "discussion", rounds(2), &seats).await;

    let asked = ben.until("Ben is asked", |all| all.len() == 1).await.remove(0);
    assert!(asked.is_signed_with(&secret) && !asked.is_signed_with(&ada_hook.text("secret")), "{asked:?}");
    assert_eq!(asked.kind(), "turn.requested");
    let turn = &asked.body["data"];
    assert_eq!((&turn["meeting"], &turn["participant"]), (&json!(held), &json!("Ben")), "{turn}");
    assert!(turn["messages"].to_string().contains("Ada's word 1"), "{turn}");
    assert!(turn["deadline_at"].is_string() && turn["can_skip"].is_boolean(), "{turn}");
    let ticket = turn["ticket"].clone();
    let answer = json!({ "ticket": ticket, "text": "Ben's word 1" });
    let now = seconds_now();

    // What is not signed, signed by another, or signed long ago is refused, and uses nothing up.
    let unsigned = app.by("", POST, &format!("/webhooks/{id}/callback"), Some(answer.clone())).await;
    assert_eq!((unsigned.status, unsigned.sort()), (StatusCode::UNAUTHORIZED, "bad-signature"));
    let other = call_back(&app, &id, &ada_hook.text("secret"), "c1", now, &answer).await;
    assert_eq!((other.status, other.sort()), (StatusCode::UNAUTHORIZED, "bad-signature"));
    let unknown = call_back(&app, "nobody", &secret, "c1", now, &answer).await;
    assert_eq!((unknown.status, unknown.sort()), (StatusCode::UNAUTHORIZED, "bad-signature"));
    for far in [now - 301, now + 310] {
        let old = call_back(&app, &id, &secret, "c1", far, &answer).await;
        assert_eq!((old.status, old.sort()), (StatusCode::UNAUTHORIZED, "bad-signature"), "{}", old.body);
        assert!(old.body["detail"].as_str().expect("a detail").contains("five minutes"), "{}", old.body);
    }
    // Ada's webhook cannot answer for Ben.
    let stolen = call_back(&app, &ada_hook.text("id"), &ada_hook.text("secret"), "c1", now, &answer).await;
    assert_eq!((stolen.status, stolen.sort()), (StatusCode::CONFLICT, "turn-is-over"), "{}", stolen.body);

    let taken = call_back(&app, &id, &secret, "c1", now, &answer).await;
    assert_eq!(taken.status, StatusCode::OK, "{}", taken.body);
    assert!(said(&app, "", &held).await.iter().any(|(_, text)| text == "Ben's word 1"));
    let again = call_back(&app, &id, &secret, "c1", now, &answer).await;
    assert_eq!((again.status, again.sort()), (StatusCode::CONFLICT, "replayed"), "{}", again.body);
    let late = call_back(&app, &id, &secret, "c2", now, &answer).await;
    assert_eq!((late.status, late.sort()), (StatusCode::CONFLICT, "turn-is-over"), "{}", late.body);
    let empty = call_back(&app, &id, &secret, "c3", now, &json!({ "ticket": ticket })).await;
    assert_eq!(empty.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", empty.body);

    let second = ben.until("Ben is asked again", |all| all.len() == 2).await.remove(1);
    let answer = json!({ "ticket": second.body["data"]["ticket"], "text": "Ben's word 2" });
    let taken = call_back(&app, &id, &secret, "c4", seconds_now(), &answer).await;
    assert_eq!(taken.status, StatusCode::OK, "{}", taken.body);
    let mut words: Vec<String> = said(&app, "", &held).await.into_iter().map(|(_, text)| text).collect();
    // The newest comes first.
    words.reverse();
    assert_eq!(words, ["Ada's word 1", "Ben's word 1", "Ada's word 2", "Ben's word 2"]);
    let state = app.by("", GET, &format!("/meetings/{held}"), None).await.text("state");
    assert_eq!(state, "ended");

    // The log says how each message went, and the audit log who answered.
    let log = deliveries(&app, &ada_hook.text("id")).await;
    assert_eq!(log.len(), 2, "{log:#?}");
    assert!(log.iter().all(|one| one["outcome"] == "answered" && one["status"] == 200), "{log:#?}");
    assert_eq!(log[0]["message"], json!(ada.received()[1].id), "the newest first");
    app.store.audit_written().await.expect("written");
    let filter = AuditFilter { action: Some("turns.answer.post".to_owned()), ..AuditFilter::default() };
    let noted = app.store.audit_page(filter, None, 50).await.expect("a page").items;
    let of_ben: Vec<_> = noted.iter().filter(|line| line.by == "webhook:ben").collect();
    assert!(of_ben.iter().filter(|line| line.detail["status"] == 200).count() == 2, "{noted:#?}");
    assert!(of_ben.iter().all(|line| line.detail["via"] == "webhook"), "{noted:#?}");
}

#[tokio::test]
async fn a_call_back_outside_of_a_turn_lets_a_waiting_room_go_on() {
    let (app, _running) = pushing().await;
    let ben = Receiver::start(|_, _| reply(json!({ "skip": true }))).await;
    let made = hook(&app, json!({ "url": ben.url, "agent": "ben" })).await;
    let (id, secret) = (made.text("id"), made.text("secret"));
    let held = meeting(&app, "", "room", json!({}), &[("Ben", "webhook/ben")]).await;
    let reason = async || {
        let view = app.by("", GET, &format!("/meetings/{held}"), None).await;
        view.body["pause"]["reason"].as_str().unwrap_or_default().to_owned()
    };
    let began = Instant::now();
    while reason().await != "nothing_new" {
        assert!(began.elapsed() < Duration::from_secs(30), "the room waits");
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    let stranger = json!({ "meeting": "nowhere", "text": "hello" });
    let unknown = call_back(&app, &id, &secret, "c1", seconds_now(), &stranger).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND, "{}", unknown.body);
    for wrong in
        [json!({ "meeting": held, "skip": true }), json!({ "meeting": held, "ticket": "t", "text": "a" })]
    {
        let refused = call_back(&app, &id, &secret, &format!("w{wrong}"), seconds_now(), &wrong).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
    }
    let word = json!({ "meeting": held, "text": "The build has failed." });
    let taken = call_back(&app, &id, &secret, "c2", seconds_now(), &word).await;
    assert_eq!(taken.status, StatusCode::OK, "{}", taken.body);
    let page = app.by("", GET, &format!("/meetings/{held}/messages?order=oldest"), None).await;
    let first = &page.body["items"][0];
    assert_eq!((&first["name"], &first["content"]), (&json!("Ben"), &word["text"]), "{first}");
    assert_eq!(first["speaker"], json!({ "kind": "participant", "id": "p1" }), "from its seat");
    let rounds = async || app.by("", GET, &format!("/meetings/{held}"), None).await.body["rounds"].clone();
    let began = Instant::now();
    while rounds().await.as_array().map_or(0, Vec::len) < 2 {
        assert!(began.elapsed() < Duration::from_secs(30), "the room goes on");
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}

#[tokio::test]
async fn a_turn_is_sent_again_under_the_same_id_until_it_is_accepted() {
    let (app, _running) = pushing().await;
    let ada = Receiver::start(|number, _| match number {
        1 => (Status::TEMPORARY_REDIRECT, [("location", "http://127.0.0.1:1/")]).into_response(),
        2 => (Status::SERVICE_UNAVAILABLE, [("retry-after", "3")]).into_response(),
        _ => reply(json!({ "text": "at last" })),
    })
    .await;
    let made = hook(&app, json!({ "url": ada.url, "agent": "ada" })).await;
    let seats = [("Ada", "agent/ada"), ("Ben", "simulated/balanced")];
    let began = Instant::now();
    let held = meeting(&app, "", "discussion", rounds(1), &seats).await;
    delivered(&app, &made.text("id"), |one| one["outcome"] == "answered").await;
    assert!(began.elapsed() > Duration::from_secs(4), "a second, and the three that were asked for");
    // Ben may ask Ada something in turn: another message, with an id of its own.
    let mut received = ada.received();
    let first = received[0].id.clone();
    received.retain(|one| one.id == first);
    assert_eq!(received.len(), 3, "{received:#?}");
    assert!(received.iter().all(|one| one.is_signed_with(&made.text("secret"))));
    assert!(received.iter().all(|one| one.raw == received[0].raw), "the body stays the same");
    let mut log = deliveries(&app, &made.text("id")).await;
    log.retain(|one| one["message"] == json!(first));
    log.reverse();
    let statuses: Vec<_> = log.iter().map(|one| (one["attempt"].clone(), one["status"].clone())).collect();
    let expected = [(json!(1), json!(307)), (json!(2), json!(503)), (json!(3), json!(200))];
    assert_eq!(statuses, expected, "{log:#?}");
    assert!(log[0]["error"].as_str().expect("an error").contains("redirects"), "{log:#?}");
    assert!(log[1]["next_attempt_at"].is_string() && log[2]["next_attempt_at"].is_null(), "{log:#?}");
    assert!(said(&app, "", &held).await.iter().any(|(_, text)| text == "at last"));
}

#[tokio::test]
async fn events_come_as_the_log_shows_them_and_blind_answers_when_their_round_is_over() {
    let (app, _running) = pushing().await;
    let all = Receiver::start(|_, _| status(204)).await;
    let seated = Receiver::start(|_, _| status(204)).await;
    let made = hook(&app, json!({ "url": all.url, "events": ["*"] })).await;
    let seated_hook =
        hook(&app, json!({ "url": seated.url, "events": ["agent_message"], "agent": "ada", "turns": false }))
            .await;
    let seats = [("Ada", "agent/ada"), ("Ben", "simulated/balanced")];
    let held = meeting(&app, "", "consensus", rounds(1), &seats).await;
    let is_message = |one: &Received| one.body["data"]["type"] == "agent_message";
    all.until("Ben's blind answer", |all| all.iter().any(is_message)).await;
    // Ada has not answered, so her webhook waits, as her other ways to read the meeting do.
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(seated.received().is_empty(), "{:#?}", seated.received());
    let token = app.token("", json!({ "name": "ada", "scope": "speak", "agent": "ada" })).await.text("token");
    let blind = json!({ "fields": {
        "position": "Yes", "claims": ["One file is enough"], "confidence": 80,
        "would_change_my_mind": "many writers", "unshared_facts": [],
    } });
    let began = Instant::now();
    loop {
        let open = app.by(&token, GET, "/turns?wait_seconds=1", None).await.body["items"].clone();
        for turn in open.as_array().expect("turns") {
            let body = match turn["kind"].as_str() {
                Some("blind") => blind.clone(),
                Some("vote") => {
                    json!({ "fields": { "score": 90, "pass": true, "reason": "it holds", "missing": [] } })
                }
                _ => json!({ "text": "I agree." }),
            };
            let path = format!("/turns/{}/answer", turn["ticket"].as_str().expect("a ticket"));
            let taken = app.by(&token, POST, &path, Some(body)).await;
            assert_eq!(taken.status, StatusCode::OK, "{}", taken.body);
        }
        if app.by("", GET, &format!("/meetings/{held}"), None).await.text("state") == "ended" {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "it ends");
    }
    let log = app.by("", GET, &format!("/meetings/{held}/log?limit=1000"), None).await.body;
    let lines: Vec<Value> =
        log.as_str().expect("lines").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let received = all.until("every event", |all| all.len() == lines.len()).await;
    let mut seqs: Vec<u64> =
        received.iter().map(|one| one.body["data"]["seq"].as_u64().expect("a number")).collect();
    seqs.sort_unstable();
    assert_eq!(seqs, (1..=lines.len() as u64).collect::<Vec<_>>(), "each once");
    assert!(received.iter().all(|one| one.kind() == "meeting.event"));
    assert!(received.iter().all(|one| one.is_signed_with(&made.text("secret"))));
    let visible = |one: &Received| {
        let text = one.body.to_string();
        one.body["data"]["type"] == "memory_written" && !text.contains("withheld")
    };
    assert!(!received.iter().any(visible), "private notes are kept from webhooks");
    let messages = lines.iter().filter(|line| line["type"] == "agent_message").count();
    let told = seated.until("all messages", |all| all.len() == messages).await;
    assert!(told.iter().all(is_message), "nothing but what was subscribed");
    assert!(told.iter().all(|one| one.is_signed_with(&seated_hook.text("secret"))));
}

/// A life of the server on a folder: the app, and what sends to webhooks.
pub(crate) async fn life(folder: &std::path::Path) -> (quorate_app::App, JoinHandle<()>) {
    quorate_runners::install_tls();
    // A process that ends lets go of its database at once; a life within this one does so when its last task has ended.
    let began = Instant::now();
    let store = loop {
        match Store::open(folder.join("meetings.db")) {
            Ok(store) => break store,
            Err(error) => assert!(began.elapsed() < Duration::from_secs(10), "a database: {error}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    over(store, folder).await
}

/// The same over a store that is open.
async fn over(store: Store, folder: &std::path::Path) -> (quorate_app::App, JoinHandle<()>) {
    let app = quorate_app::App::open(store, quorate_app::AppOptions::new(folder.join("config.toml"))).await;
    let app = app.expect("an app");
    let service = app.clone();
    (app, tokio::spawn(async move { service.run_webhooks().await }))
}

/// A disk that has no space left while it is told so.
#[derive(Default)]
pub(crate) struct FullDisk(pub(crate) AtomicBool);

impl Disk for FullDisk {
    fn before_commit(&self) -> Result<(), DiskFault> {
        if self.0.load(Ordering::Relaxed) { Err(DiskFault::Full) } else { Ok(()) }
    }
}

#[tokio::test]
async fn a_message_is_not_sent_again_and_again_while_the_disk_is_full() {
    quorate_runners::install_tls();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("meetings.db");
    drop(Store::open(&path).expect("a database"));
    let (disk, is_first) = (Arc::new(FullDisk::default()), AtomicBool::new(true));
    let fills = Arc::clone(&disk);
    // What comes of the first message can no longer be noted.
    let receiver = Receiver::start(move |_, _| {
        if is_first.swap(false, Ordering::Relaxed) {
            fills.0.store(true, Ordering::Relaxed);
        }
        status(204)
    })
    .await;
    let store = Store::open_in_line(&path, Arc::<FullDisk>::clone(&disk)).expect("the same database");
    let (app, _running) = over(store, folder.path()).await;
    let request = quorate_app::WebhookChange {
        url: Some(receiver.url.clone()),
        events: Some(vec!["meeting_created".to_owned()]),
        allow_local: true,
        ..Default::default()
    };
    app.create_webhook(&quorate_app::Principal::owner(), request).await.expect("a webhook");
    let mut new = quorate_app::CreateMeetingRequest::default();
    new.topic = Some("Is there space?".to_owned());
    new.simulate = Some(true);
    app.create(&quorate_contract::Actor::owner(), &new).await.expect("a meeting");
    receiver.until("a message", |all| !all.is_empty()).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(receiver.received().len(), 1, "it keeps its place");
    disk.0.store(false, Ordering::Relaxed);
    let both = receiver.until("once more", |all| all.len() == 2).await;
    assert_eq!(both[0].id, both[1].id, "it is the same message");
}

#[tokio::test]
async fn what_was_not_delivered_when_the_server_stopped_is_delivered_by_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let well = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let is_well = Arc::clone(&well);
    let receiver = Receiver::start(move |_, _| {
        status(if is_well.load(std::sync::atomic::Ordering::Relaxed) { 204 } else { 500 })
    })
    .await;
    let owner = quorate_app::Principal::owner();
    let (first, running) = life(folder.path()).await;
    let request = quorate_app::WebhookChange {
        url: Some(receiver.url.clone()),
        events: Some(vec!["*".to_owned()]),
        allow_local: true,
        ..Default::default()
    };
    let (view, _) = first.create_webhook(&owner, request).await.expect("a webhook");
    let mut new = quorate_app::CreateMeetingRequest::default();
    new.topic = Some("Is SQLite enough?".to_owned());
    new.simulate = Some(true);
    let held = first.create(&quorate_contract::Actor::owner(), &new).await.expect("a meeting");
    let id = held.id().clone();
    drop(held);
    let before = receiver.until("a first attempt", |all| !all.is_empty()).await;
    // The process is gone in the middle of it.
    running.abort();
    _ = running.await;
    first.shut_down(Duration::ZERO).await;
    drop(first);

    well.store(true, std::sync::atomic::Ordering::Relaxed);
    let (second, _running) = life(folder.path()).await;
    let events = second.records(&id, 0).await.expect("the log").len();
    let accepted = |all: &[Received]| {
        let mut ids: Vec<String> = all.iter().map(|one| one.body["data"]["seq"].to_string()).collect();
        ids.sort();
        ids.dedup();
        ids.len() == events
    };
    let after = receiver.until("every event", accepted).await;
    for one in &before {
        let same = |other: &&Received| other.body["data"]["seq"] == one.body["data"]["seq"];
        assert!(after.iter().filter(same).all(|other| other.id == one.id), "the id stays the same");
    }
    let began = Instant::now();
    loop {
        let log =
            second.webhook_deliveries(&owner, &view.id, None, 200, Language::En).await.expect("a log").items;
        let done = log.iter().filter(|one| one.outcome == quorate_app::WebhookOutcome::Delivered).count();
        if done == events {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{done} of {events}: {log:#?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_turn_that_was_open_when_the_server_stopped_is_sent_by_the_next_under_the_same_id() {
    let folder = tempfile::tempdir().expect("a folder");
    let well = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let is_well = Arc::clone(&well);
    let receiver = Receiver::start(move |_, _| match is_well.load(std::sync::atomic::Ordering::Relaxed) {
        true => reply(json!({ "text": "I am still here" })),
        false => status(500),
    })
    .await;
    let owner = quorate_app::Principal::owner();
    let (first, running) = life(folder.path()).await;
    let request = quorate_app::WebhookChange {
        url: Some(receiver.url.clone()),
        agent: Some(Some("ada".to_owned())),
        allow_local: true,
        ..Default::default()
    };
    let (view, _) = first.create_webhook(&owner, request).await.expect("a webhook");
    let new: quorate_app::CreateMeetingRequest = serde_json::from_value(json!({
        "topic": "Is SQLite enough?", "lang": "en", "format": "discussion", "rules": rounds(1),
        "participants": [{ "name": "Ada", "model": "agent/ada" }, { "name": "Ben", "temperament": "balanced" }],
        "facilitator": { "enabled": false },
    }))
    .expect("a request");
    let by = quorate_contract::Actor::owner();
    let held = first.create(&by, &new).await.expect("a meeting");
    let id = held.id().clone();
    held.execute(quorate_contract::Command::Start { by }).await.expect("it starts");
    drop(held);
    let before = receiver.until("a first attempt", |all| !all.is_empty()).await;
    running.abort();
    _ = running.await;
    first.shut_down(Duration::ZERO).await;
    drop(first);

    well.store(true, std::sync::atomic::Ordering::Relaxed);
    let (second, _running) = life(folder.path()).await;
    // The loop looks for the turn before the meeting goes on.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(second.recover().await.expect("it goes on").going, 1);
    let began = Instant::now();
    let is_said = || async {
        let records = second.records(&id, 0).await.expect("the log");
        records.iter().any(|record| record.line.contains("I am still here"))
    };
    while !is_said().await {
        assert!(began.elapsed() < Duration::from_secs(20), "it is answered");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let is_answered = |one: &quorate_app::WebhookDeliveryView| {
        one.outcome == quorate_app::WebhookOutcome::Answered && one.message == before[0].id
    };
    loop {
        let log =
            second.webhook_deliveries(&owner, &view.id, None, 200, Language::En).await.expect("a log").items;
        let expired = log.iter().any(|one| one.outcome == quorate_app::WebhookOutcome::Expired);
        assert!(!expired && began.elapsed() < Duration::from_secs(20), "{log:#?}");
        if log.iter().any(is_answered) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn an_address_that_keeps_failing_is_left_alone_for_a_while() {
    let (app, _running) = pushing().await;
    let receiver = Receiver::start(|_, _| status(500)).await;
    let made = hook(&app, json!({ "url": receiver.url, "events": ["*"] })).await;
    let new =
        json!({ "topic": "Is it?", "simulate": true, "seed": 7, "rules": { "limits": { "max_rounds": 1 } } });
    let held = app.by("", POST, "/meetings", Some(new)).await.text("id");
    let end = json!({ "until": "end", "take_defaults": true });
    app.by("", POST, &format!("/meetings/{held}/advance"), Some(end)).await;
    let path = format!("/webhooks/{}", made.text("id"));
    let began = Instant::now();
    while app.by("", GET, &path, None).await.body["resumes_at"].is_null() {
        assert!(began.elapsed() < Duration::from_secs(20), "it is paused");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let count = receiver.received().len();
    assert!((5..=13).contains(&count), "{count}: five failures, and those that were under way");
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(receiver.received().len(), count);
}

#[tokio::test]
async fn a_receiver_that_is_gone_disables_its_webhook_until_a_person_enables_it() {
    let (app, _running) = pushing().await;
    let receiver = Receiver::start(|number, _| status(if number == 1 { 410 } else { 204 })).await;
    let made = hook(&app, json!({ "url": receiver.url, "events": ["meeting_created"] })).await;
    let (id, secret) = (made.text("id"), made.text("secret"));
    let path = format!("/webhooks/{id}");
    let new = json!({ "topic": "Is it?", "simulate": true });
    app.by("", POST, "/meetings", Some(new.clone())).await;
    let gone = delivered(&app, &id, |one| one["status"] == 410).await;
    let view = app.by("", GET, &path, None).await.body;
    assert_eq!((&view["enabled"], &view["disabled_because"]), (&json!(false), &json!("gone")), "{view}");
    // A disabled webhook answers nothing, and misses what happens meanwhile.
    let refused =
        call_back(&app, &id, &secret, "c", seconds_now(), &json!({ "ticket": "x", "text": "y" })).await;
    assert_eq!((refused.status, refused.sort()), (StatusCode::FORBIDDEN, "forbidden"), "{}", refused.body);
    app.by("", POST, "/meetings", Some(new.clone())).await;
    let enabled = app.by("", PATCH, &path, Some(json!({ "enabled": true }))).await;
    assert_eq!((enabled.status, &enabled.body["disabled_because"]), (StatusCode::OK, &Value::Null));
    let third = app.by("", POST, "/meetings", Some(new)).await.text("id");
    let told = receiver.until("the third meeting", |all| all.len() == 2).await;
    assert_eq!(told[1].body["data"]["meeting_id"], json!(third), "{told:#?}");

    // A person may have the refused message delivered again, under its id.
    let message = gone["message"].as_str().expect("an id");
    let again = app.by("", POST, &format!("{path}/deliveries/{message}/redeliver"), None).await;
    assert_eq!(again.status, StatusCode::ACCEPTED, "{}", again.body);
    let told = receiver.until("the message again", |all| all.len() == 3).await;
    assert_eq!(told[2].id, message);
    let unknown = app.by("", POST, &format!("{path}/deliveries/msg_x/redeliver"), None).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND, "{}", unknown.body);
}

/// Begins a meeting in which Ada is asked first, and gives its id.
async fn asking_ada(app: &App) -> String {
    asking_ada_for(app, 180_000).await
}

/// The same with this time for each turn, in milliseconds.
async fn asking_ada_for(app: &App, timeout_ms: u64) -> String {
    let new = json!({
        "topic": "Is SQLite enough?", "lang": "en", "format": "discussion",
        "rules": { "limits": { "max_rounds": 1 }, "turns": { "timeout_ms": timeout_ms } },
        "facilitator": { "enabled": false },
        "participants": [
            { "name": "Ada", "model": "agent/ada" }, { "name": "Ben", "temperament": "balanced" },
        ],
    });
    let id = app.by("", POST, "/meetings", Some(new)).await.text("id");
    let started = app.by("", POST, &format!("/meetings/{id}/start"), None).await;
    assert_eq!(started.status, StatusCode::OK, "{}", started.body);
    id
}

/// The failure of the first turn that fails.
async fn failed_turn(app: &App, id: &str) -> Value {
    let began = Instant::now();
    loop {
        let log = app.by("", GET, &format!("/meetings/{id}/log"), None).await.body;
        let lines = log.as_str().expect("lines").lines();
        if let Some(failed) = lines
            .map(|line| serde_json::from_str::<Value>(line).expect("an event"))
            .find(|event| event["type"] == "turn_failed")
        {
            return failed["payload"].clone();
        }
        assert!(began.elapsed() < Duration::from_secs(20), "the turn still waits");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_turn_ends_when_the_receiver_that_is_asked_for_it_is_gone() {
    let (app, _running) = pushing().await;
    let receiver = Receiver::start(|_, _| status(410)).await;
    hook(&app, json!({ "url": receiver.url, "agent": "ada" })).await;
    let id = asking_ada(&app).await;
    let failed = failed_turn(&app, &id).await;
    assert_eq!(failed["kind"], "not_configured", "{failed}");
    assert!(failed["detail"].to_string().contains("webhook-gone"), "{failed}");
}

#[tokio::test]
async fn a_turn_without_an_answer_says_what_its_receiver_did_and_not_where_it_is() {
    let page = || ([("content-type", "text/html")], "<html>It works</html>").into_response();
    let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr();
    let closed = format!("http://{}/hook", nobody.expect("an address"));
    for (answer, detail, args) in [
        (Some(500), "failure-webhook-status", Some("500")),
        (Some(302), "failure-webhook-status", Some("302")),
        (Some(200), "failure-webhook-no-answer", None),
        (Some(202), "failure-no-answer-within", None),
        (None, "failure-webhook-unreachable", None),
    ] {
        let (app, _running) = pushing().await;
        let receiver = Receiver::start(move |_, _| match answer {
            Some(200) => page(),
            code => status(code.unwrap_or(204)),
        })
        .await;
        let url = answer.map_or(closed.as_str(), |_| receiver.url.as_str());
        hook(&app, json!({ "url": url, "agent": "ada" })).await;
        let id = asking_ada_for(&app, 1_500).await;
        let failed = failed_turn(&app, &id).await;
        assert_eq!(failed["kind"], "timed_out", "{failed}");
        assert_eq!(failed["detail"]["code"], detail, "{failed}");
        assert!(args.is_none_or(|status| failed["detail"]["args"]["status"] == status), "{failed}");
        assert!(!failed.to_string().contains("127.0.0.1"), "{failed}");
    }
}

#[tokio::test]
async fn a_turn_ends_when_its_webhook_is_disabled_or_deleted_while_it_is_open() {
    for (method, body, detail) in [
        (Method::PATCH, Some(json!({ "enabled": false })), "webhook-disabled"),
        (Method::PATCH, Some(json!({ "turns": false, "events": ["finished"] })), "webhook-disabled"),
        (Method::DELETE, None, "webhook-deleted"),
    ] {
        let (app, _running) = pushing().await;
        // Whoever takes a turn answers it later.
        let receiver = Receiver::start(|_, _| status(202)).await;
        let made = hook(&app, json!({ "url": receiver.url, "agent": "ada" })).await;
        let id = asking_ada(&app).await;
        receiver.until("Ada is asked", |all| all.len() == 1).await;
        let path = format!("/webhooks/{}", made.text("id"));
        let changed = app.by("", method, &path, body).await;
        assert!(changed.status.is_success(), "{}", changed.body);
        let failed = failed_turn(&app, &id).await;
        assert_eq!(failed["kind"], "not_configured", "{failed}");
        assert!(failed["detail"].to_string().contains(detail), "{failed}");
    }
}

#[tokio::test]
async fn a_turn_stays_open_when_its_webhook_is_deleted_and_another_one_takes_it() {
    let (app, _running) = pushing().await;
    let (first, second) =
        (Receiver::start(|_, _| status(202)).await, Receiver::start(|_, _| status(202)).await);
    let made = hook(&app, json!({ "url": first.url, "agent": "ada" })).await;
    hook(&app, json!({ "url": second.url, "agent": "ada" })).await;
    let id = asking_ada(&app).await;
    second.until("Ada is asked", |all| all.len() == 1).await;
    app.by("", Method::DELETE, &format!("/webhooks/{}", made.text("id")), None).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let log = app.by("", GET, &format!("/meetings/{id}/log"), None).await.body.to_string();
    assert!(!log.contains("turn_failed"), "{log}");
}

#[tokio::test]
async fn a_test_says_how_it_went_and_a_rotated_secret_stays_good_for_a_while() {
    let (app, _running) = pushing().await;
    let receiver = Receiver::start(|number, _| status(if number == 1 { 500 } else { 204 })).await;
    let made = hook(&app, json!({ "url": receiver.url, "agent": "ada" })).await;
    let (path, old) = (format!("/webhooks/{}", made.text("id")), made.text("secret"));
    let failed = app.by("", POST, &format!("{path}/test"), None).await;
    assert_eq!((failed.status, &failed.body["ok"]), (StatusCode::OK, &json!(false)), "{}", failed.body);
    assert_eq!((&failed.body["status"], &failed.body["error"]), (&json!(500), &json!("HTTP 500")));

    let rotated = app.by("", POST, &format!("{path}/secret"), Some(json!({}))).await;
    assert!(rotated.body["previous_expires_at"].is_string(), "{}", rotated.body);
    let worked = app.by("", POST, &format!("{path}/test"), None).await;
    assert_eq!(worked.body["ok"], json!(true), "{}", worked.body);
    let new = rotated.text("secret");
    let message = receiver.received().remove(1);
    assert_eq!(message.kind(), "webhook.test");
    assert!(message.is_signed_with(&old) && message.is_signed_with(&new) && old != new);
    let ended = app.by("", POST, &format!("{path}/secret"), Some(json!({ "grace_hours": 0 }))).await;
    app.by("", POST, &format!("{path}/test"), None).await;
    let message = receiver.received().remove(2);
    assert!(message.is_signed_with(&ended.text("secret")) && !message.is_signed_with(&new));
    let log = deliveries(&app, &made.text("id")).await;
    assert_eq!(log.iter().filter(|one| one["type"] == "webhook.test").count(), 3, "{log:#?}");
    // No secret shows anywhere else.
    for shown in [app.by("", GET, &path, None).await, app.by("", GET, "/providers", None).await] {
        assert!(!shown.body.to_string().contains("whsec_"), "{}", shown.body);
    }
}

#[tokio::test]
async fn an_address_of_this_machine_is_for_the_operator_and_a_webhook_for_its_creator() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let by = |token: String, body: Value| {
        let app = &app;
        async move { app.by(&token, POST, "/webhooks", Some(body)).await }
    };
    for url in [
        "https://127.0.0.1/x",
        "http://hooks.example.com/x",
        "https://user:pass@hooks.example.com/x",
        "ftp://hooks.example.com/x",
        "nonsense",
        "",
    ] {
        let refused = by(owner.clone(), json!({ "url": url, "agent": "ada" })).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{url}: {}", refused.body);
        assert_eq!(refused.body["errors"][0]["pointer"], "/url", "{url}: {}", refused.body);
    }
    let url = "https://hooks.example.com/x";
    for (wrong, pointer) in [
        (json!({ "url": url }), "/events"),
        (json!({ "url": url, "events": ["nothing"] }), "/events"),
        (json!({ "url": url, "turns": true }), "/agent"),
        (json!({ "url": url, "agent": " " }), "/agent"),
    ] {
        let refused = by(owner.clone(), wrong).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
        assert_eq!(refused.body["errors"][0]["pointer"], pointer, "{}", refused.body);
    }
    let account = json!({ "name": "mia", "scope": "manage", "password": "correct horse" });
    app.by(&owner, POST, "/accounts", Some(account)).await;
    let sign_in = json!({ "name": "mia", "password": "correct horse", "tokens": true });
    let mia = app.ask(POST, "/sessions", &[], Some(sign_in)).await.text("access_token");
    let own = by(mia.clone(), json!({ "url": url, "agent": "ada" })).await;
    let others = by(owner.clone(), json!({ "url": url, "events": ["*"] })).await.text("id");
    let listed = app.by(&mia, GET, "/webhooks", None).await.body;
    assert_eq!(listed["items"].as_array().expect("a list").len(), 1, "{listed}");
    assert_eq!(listed["items"][0]["by"], "mia");
    for (method, path) in [(GET, ""), (Method::DELETE, ""), (POST, "/test"), (GET, "/deliveries")] {
        let refused = app.by(&mia, method, &format!("/webhooks/{others}{path}"), None).await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND, "{path}: {}", refused.body);
    }
    assert_eq!(app.by(&owner, GET, "/webhooks", None).await.body["items"].as_array().expect("all").len(), 2);
    // The webhooks of an account stop with it, and a later account of its name does not see them.
    app.by(&owner, Method::DELETE, "/accounts/mia", None).await;
    let path = format!("/webhooks/{}", own.text("id"));
    let stopped = app.by(&owner, GET, &path, None).await.body;
    let standing = (&stopped["enabled"], &stopped["disabled_because"]);
    assert_eq!(standing, (&json!(false), &json!("account_deleted")), "{stopped}");
    let account = json!({ "name": "mia", "scope": "manage", "password": "another horse" });
    app.by(&owner, POST, "/accounts", Some(account)).await;
    let sign_in = json!({ "name": "mia", "password": "another horse", "tokens": true });
    let namesake = app.ask(POST, "/sessions", &[], Some(sign_in)).await.text("access_token");
    assert_eq!(app.by(&namesake, GET, &path, None).await.status, StatusCode::NOT_FOUND);
    assert_eq!(app.by(&namesake, GET, "/webhooks", None).await.body["items"], json!([]));
    // The owner takes it over by enabling it.
    let enabled = app.by(&owner, PATCH, &path, Some(json!({ "enabled": true }))).await.body;
    assert_eq!((&enabled["by"], &enabled["disabled_because"]), (&json!("owner"), &Value::Null), "{enabled}");
    let deleted = app.by(&owner, Method::DELETE, &format!("/webhooks/{others}"), None).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT);
}
