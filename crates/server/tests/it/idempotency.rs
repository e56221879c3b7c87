//! A request that is sent twice is done once.

use quorate_contract::Timestamp;
use quorate_engine::{Clock, SystemClock};
use quorate_store::KeyState;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::test_server::{Answered, Rig};

/// A request during which the service died, begun at this moment.
async fn cut_off(rig: &Rig, path: &str, key: &str, body: &Value, since: Timestamp) {
    let mut request = Sha256::new();
    request.update(format!("/api/v1{path}\0{body}"));
    let (store, who) = (rig.store(), "user:owner");
    let ticket = store.ticket(who, key, since);
    let begun = store.begin_request(ticket, who, key, request.finalize().into(), since).await;
    let Ok(KeyState::Fresh(ticket)) = begun else { panic!("{begun:?}") };
    rig.store().abandon_request(ticket).await.expect("it is left");
}

async fn with_key(rig: &Rig, path: &str, key: &str, body: &Value) -> Answered {
    rig.send(Method::POST, path, &[("idempotency-key", key)], Some(body.clone())).await
}

#[tokio::test]
async fn the_same_request_gets_the_first_answer_again() {
    let rig = Rig::start().await;
    let body = json!({"topic": "SQLite?", "simulate": true});
    let key = [("idempotency-key", "one")];
    let first = rig.send(Method::POST, "/meetings", &key, Some(body.clone())).await;
    let second = rig.send(Method::POST, "/meetings", &key, Some(body.clone())).await;
    assert_eq!(first.status, StatusCode::CREATED);
    assert_eq!((second.status, &second.body), (first.status, &first.body));
    assert_eq!(second.header("location"), first.header("location"));
    assert_eq!((first.header("idempotent-replayed"), second.header("idempotent-replayed")), ("", "true"));
    assert_eq!(rig.see("/meetings").await["items"].as_array().map(Vec::len), Some(1));
    let other = json!({"topic": "PostgreSQL?", "simulate": true});
    let reused = rig.send(Method::POST, "/meetings", &key, Some(other)).await;
    assert_eq!((reused.status, reused.sort()), (StatusCode::UNPROCESSABLE_ENTITY, "idempotency-key-reused"));
}

#[tokio::test]
async fn an_import_that_is_sent_again_is_imported_once() {
    let rig = Rig::start().await;
    let meeting = include_str!("../../../views/tests/layout/fixtures/meeting-1.json");
    // Longer than any other request may be.
    let file = format!("{meeting}{}", " ".repeat(2 << 20));
    let body = json!({"files": {"meetings/m1.json": file}});
    let first = with_key(&rig, "/import", "one", &body).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.body);
    let second = with_key(&rig, "/import", "one", &body).await;
    assert_eq!((second.status, &second.body), (first.status, &first.body));
    assert_eq!(second.header("idempotent-replayed"), "true");
    assert_eq!(rig.see("/meetings").await["items"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_message_that_is_sent_again_is_said_once_also_where_nothing_is_kept() {
    let rig = Rig::start().await;
    for off_record in [false, true] {
        let meeting = rig.meeting(json!({ "off_record": off_record })).await;
        let messages = format!("{meeting}/messages");
        let said = json!({"content": "hello"});
        for repeated in [false, true, true] {
            let answer = with_key(&rig, &messages, "two", &said).await;
            assert_eq!(answer.body["message_id"], "m1", "{off_record}: {}", answer.body);
            assert_eq!(answer.header("idempotent-replayed"), if repeated { "true" } else { "" });
        }
        assert_eq!(rig.see(&meeting).await["messages_total"], 1);
        let other = with_key(&rig, &messages, "two", &json!({"content": "goodbye"})).await;
        assert_eq!(other.sort(), "idempotency-key-reused", "{off_record}");
        let refused = with_key(&rig, &messages, "three", &json!({"content": ""})).await;
        assert!(refused.status.is_client_error(), "{}", refused.body);
        let mended = with_key(&rig, &messages, "three", &json!({"content": "and hello"})).await;
        assert_eq!(mended.body["message_id"], "m2", "{off_record}: what was refused is not kept");
    }
}

#[tokio::test]
async fn twenty_messages_at_once_with_one_key_are_one_where_nothing_is_kept() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({ "off_record": true })).await;
    let (messages, said) = (format!("{meeting}/messages"), json!({"content": "hello"}));
    let answers = (0..20).map(|_| with_key(&rig, &messages, "all-at-once", &said));
    for answer in futures::future::join_all(answers).await {
        match answer.status {
            StatusCode::CONFLICT => assert_eq!(answer.sort(), "still-running"),
            status => assert!(status.is_success(), "{status}: {}", answer.body),
        }
    }
    assert_eq!(rig.see(&meeting).await["messages_total"], 1);
}

#[tokio::test]
async fn twenty_at_once_with_one_key_make_one_meeting() {
    let rig = Rig::start().await;
    let body = json!({"topic": "SQLite?", "simulate": true});
    let key = [("idempotency-key", "all-at-once")];
    let asking = (0..20).map(|_| rig.send(Method::POST, "/meetings", &key, Some(body.clone())));
    let answers = futures::future::join_all(asking).await;
    let mut created = Vec::new();
    for answer in answers {
        match answer.status {
            StatusCode::CREATED => created.push(answer.body["id"].clone()),
            StatusCode::CONFLICT => {
                assert_eq!((answer.sort(), answer.header("retry-after")), ("still-running", "1"));
            }
            status => panic!("{status}: {}", answer.body),
        }
    }
    created.dedup();
    assert_eq!(created.len(), 1, "{created:?}");
    assert_eq!(rig.see("/meetings").await["items"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn what_was_refused_may_be_asked_again() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let pause = format!("{meeting}/pause");
    let key = [("idempotency-key", "rest")];
    let early = rig.send(Method::POST, &pause, &key, None).await;
    assert_eq!((early.status, early.sort()), (StatusCode::CONFLICT, "not-started"));
    rig.execute(&format!("{meeting}/advance"), json!({"until": "turn"})).await;
    let late = rig.send(Method::POST, &pause, &key, None).await;
    assert_eq!((late.status, late.sort()), (StatusCode::CONFLICT, "is-paused"), "it was asked anew");
}

#[tokio::test]
async fn what_a_crash_left_in_doubt_is_explained_and_then_done() {
    let folder = tempfile::tempdir().expect("a folder");
    let body = json!({"topic": "SQLite?", "simulate": true});
    // A process died during the request: it had begun, and its answer was never stored.
    let store = quorate_store::Store::open(folder.path().join("meetings.db")).expect("a database");
    let mut checksum = Sha256::new();
    checksum.update(b"/api/v1/meetings\0");
    checksum.update(body.to_string());
    let now = quorate_engine::Clock::now(&quorate_engine::SystemClock);
    let (who, key) = ("user:owner", "one");
    let ticket = store.ticket(who, key, now);
    store.begin_request(ticket, who, key, checksum.finalize().into(), now).await.expect("it begins");
    drop(store);

    let rig = Rig::over(folder, quorate_runners::Pace::Instant).await;
    let key = [("idempotency-key", "one")];
    let first = rig.send(Method::POST, "/meetings", &key, Some(body.clone())).await;
    assert_eq!((first.status, first.sort()), (StatusCode::CONFLICT, "interrupted"), "{}", first.body);
    let text = |field: &str| first.body[field].as_str().unwrap_or_default().to_owned();
    assert!(text("detail").contains("may have been created"), "{}", first.body);
    assert!(text("hint").starts_with("GET /api/v1/meetings "), "{}", first.body);
    assert_eq!(rig.see("/meetings").await["items"], json!([]), "it had not come about");
    let second = rig.send(Method::POST, "/meetings", &key, Some(body.clone())).await;
    assert_eq!(second.status, StatusCode::CREATED, "{}", second.body);
    let third = rig.send(Method::POST, "/meetings", &key, Some(body)).await;
    assert_eq!((third.status, third.header("idempotent-replayed")), (StatusCode::CREATED, "true"));
}

#[tokio::test]
async fn a_message_over_which_the_service_died_is_said_once() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let path = format!("{meeting}/messages");
    let body = json!({"content": "  What of backups? "});
    let earlier = rig.execute(&path, body.clone()).await;
    assert_eq!(earlier["message_id"], "m1", "this was said before");
    tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    let since = SystemClock.now();

    cut_off(&rig, &path, "not-done", &body, since).await;
    let said = with_key(&rig, &path, "not-done", &body).await;
    assert_eq!((said.status, &said.body["message_id"]), (StatusCode::ACCEPTED, &json!("m2")));

    cut_off(&rig, &path, "done", &body, since).await;
    // The result of the first attempt, whose response was lost.
    let first = rig.execute(&path, body.clone()).await;
    let other = json!({"content": "What of backups?", "reply_to": "m1"});
    assert_eq!(rig.execute(&path, other).await["message_id"], "m4", "it answers something, so it is another");
    let again = with_key(&rig, &path, "done", &body).await;
    assert_eq!((again.status, &again.body["message_id"]), (StatusCode::ACCEPTED, &first["message_id"]));
    assert!(again.header("location").ends_with("/messages/m3"));
    let third = with_key(&rig, &path, "done", &body).await;
    assert_eq!((&third.body, third.header("idempotent-replayed")), (&again.body, "true"));
    assert_eq!(rig.see(&meeting).await["messages_total"], 4, "nothing is said twice");

    let unreadable = json!({"content": 7});
    cut_off(&rig, &path, "wrong", &unreadable, since).await;
    assert_eq!(with_key(&rig, &path, "wrong", &unreadable).await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_key_is_a_key() {
    let rig = Rig::start().await;
    let long = "k".repeat(256);
    for key in ["", "two words", &long] {
        let answer = rig
            .send(
                Method::POST,
                "/meetings",
                &[("idempotency-key", key)],
                Some(json!({"topic": "x", "simulate": true})),
            )
            .await;
        assert_eq!((answer.status, answer.sort()), (StatusCode::BAD_REQUEST, "unreadable"), "{key:?}");
        assert!(!answer.body["hint"].as_str().unwrap_or_default().is_empty());
    }
    let longest = "k".repeat(255);
    let answer = rig
        .send(
            Method::POST,
            "/meetings",
            &[("idempotency-key", &longest)],
            Some(json!({"topic": "x", "simulate": true})),
        )
        .await;
    assert_eq!(answer.status, StatusCode::CREATED);
}
