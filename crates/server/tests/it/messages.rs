//! Messages: pages, and messages of people.

use quorate_runners::Pace;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::test_server::Rig;

fn ids(page: &Value) -> Vec<String> {
    let items = page["items"].as_array().expect("a list").iter();
    items.filter_map(|said| said["id"].as_str().map(str::to_owned)).collect()
}

#[tokio::test]
async fn a_word_is_taken_kept_and_answered() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let said = rig
        .send(Method::POST, &format!("{meeting}/messages"), &[], Some(json!({"content": "Mind the cost."})))
        .await;
    assert_eq!((said.status, &said.body["message_id"]), (StatusCode::ACCEPTED, &json!("m1")));
    let place = said.header("location").trim_start_matches("/api/v1").to_owned();
    let whole = rig.see(&place).await;
    assert_eq!(
        (&whole["content"], &whole["speaker"]),
        (&json!("Mind the cost."), &json!({"kind": "person", "id": "owner", "name": "owner"}))
    );
    let reply = json!({"content": "And the backups.", "reply_to": "m1"});
    let reply = rig.execute(&format!("{meeting}/messages"), reply).await;
    assert_eq!(rig.see(&format!("{meeting}/messages/m2")).await["reply_to"], "m1");
    assert_eq!(rig.see(&meeting).await["last_seq"], reply["seq"]);
    for (body, pointer) in [
        (json!({"content": "to nobody", "reply_to": "m9"}), "/reply_to"),
        (json!({"content": "to what?", "reply_to": "9"}), "/reply_to"),
        (json!({"content": " \u{1b} "}), "/content"),
        (json!({"content": "x".repeat(10_001)}), "/content"),
        (json!({"content": 3}), "/content"),
        (json!({"content": "x", "as": "Ada"}), "/as"),
    ] {
        let (status, problem) = rig.post(&format!("{meeting}/messages"), body.clone()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {problem}");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
    for message in ["m3", "3", "m0"] {
        assert_eq!(rig.get(&format!("{meeting}/messages/{message}")).await.0, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn people_may_be_kept_out() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({"rules": {"turns": {"people_may_speak": false}}})).await;
    let answer =
        rig.send(Method::POST, &format!("{meeting}/messages"), &[], Some(json!({"content": "hello"}))).await;
    assert_eq!((answer.status, answer.sort()), (StatusCode::FORBIDDEN, "people-may-not-speak"));
}

/// In both directions, while messages are being sent: every message once, in order.
#[tokio::test]
async fn pages_have_no_hole_and_no_double_while_somebody_writes() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let messages = format!("{meeting}/messages");
    for number in 1..=23 {
        rig.execute(&messages, json!({"content": format!("word {number}")})).await;
    }
    let all: Vec<String> = (1..=23).map(|number| format!("m{number}")).collect();
    let (mut back, mut path) = (Vec::new(), format!("{messages}?limit=5"));
    loop {
        let page = rig.see(&path).await;
        back.extend(ids(&page));
        let Some(next) = page["next_cursor"].as_str() else { break };
        path = format!("{messages}?limit=5&cursor={next}");
        rig.execute(&messages, json!({"content": "meanwhile"})).await;
    }
    back.reverse();
    assert_eq!(back, all);
    let written = rig.see(&meeting).await["messages_total"].as_u64().expect("a number");
    let (mut forth, mut path, mut more) = (Vec::new(), format!("{messages}?limit=4&order=oldest"), 3);
    let last_seq = loop {
        let page = rig.see(&path).await;
        forth.extend(ids(&page));
        if more > 0 {
            more -= 1;
            rig.execute(&messages, json!({"content": "meanwhile"})).await;
        }
        match page["next_cursor"].as_str() {
            Some(next) => path = format!("{messages}?limit=4&cursor={next}"),
            None => break page["last_seq"].as_u64().expect("a number"),
        }
    };
    assert_eq!(more, 0);
    assert_eq!(forth, (1..=written + 3).map(|number| format!("m{number}")).collect::<Vec<_>>());
    let later = rig.see(&format!("{messages}?after={last_seq}")).await;
    assert_eq!((ids(&later), &later["next_cursor"]), (Vec::new(), &Value::Null));
    assert_eq!(rig.see(&format!("{messages}?limit=2&order=oldest")).await["items"][0]["id"], "m1");
    let view = rig.see(&format!("{meeting}?messages=3")).await;
    assert_eq!(ids(&json!({"items": view["messages"]})), last(written + 3, 3));
    for query in
        ["?limit=0", "?limit=201", "?order=random", "?after=-1", "?from=3", "?cursor=x", "?cursor=newest-x"]
    {
        assert_eq!(
            rig.get(&format!("{messages}{query}")).await.0,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{query}"
        );
    }
}

/// The ids of the last few of so many messages.
fn last(of: u64, few: u64) -> Vec<String> {
    (of - few + 1..=of).map(|number| format!("m{number}")).collect()
}

#[tokio::test]
async fn two_clients_speak_at_once_and_both_are_heard_once() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let speak = async |who: usize| {
        let mut own = Vec::new();
        for word in 0..20 {
            let body = json!({"content": format!("client {who}, word {word}")});
            let said = rig.execute(&format!("{meeting}/messages"), body.clone()).await;
            own.push((said["message_id"].as_str().expect("an id").to_owned(), body["content"].clone()));
        }
        own
    };
    let (one, other) = tokio::join!(speak(1), speak(2));
    let page = rig.see(&format!("{meeting}/messages?limit=200")).await;
    assert_eq!(page["items"].as_array().map(Vec::len), Some(40));
    for (id, content) in one.into_iter().chain(other) {
        assert_eq!(
            rig.see(&format!("{meeting}/messages/{id}")).await["content"],
            content,
            "each got its own"
        );
    }
}

#[tokio::test]
async fn whoever_is_asked_for_speaks_next() {
    let rig = Rig::with_pace(Pace::Live { chars_per_second: 20 }).await;
    let meeting = rig.meeting(json!({"format": "discussion", "seats": 4})).await;
    let speaker = format!("{meeting}/speaker");
    let early = rig.send(Method::POST, &speaker, &[], Some(json!({"participant": "p4"}))).await;
    assert_eq!((early.status, early.sort()), (StatusCode::CONFLICT, "not-started"));
    rig.execute(&format!("{meeting}/start"), json!({})).await;
    rig.execute(&speaker, json!({"participant": "p4"})).await;
    let view = rig.see(&meeting).await;
    assert_eq!(view["round"]["queue"][0][0], "p4", "{}", view["round"]);
    assert_eq!(view["floor"].as_array().map(Vec::len), Some(1));
    let nobody = rig.send(Method::POST, &speaker, &[], Some(json!({"participant": "Zoe"}))).await;
    assert_eq!((nobody.status, nobody.sort()), (StatusCode::NOT_FOUND, "no-such-participant"));
}
