//! Requests beside the discussion: minutes, artifacts.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::test_server::Rig;

/// Waits until a list has so many items.
async fn until_there(rig: &Rig, path: &str, count: usize) -> Value {
    for _ in 0..500 {
        let body = rig.see(path).await;
        if body["items"].as_array().is_some_and(|items| items.len() >= count) {
            return body;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{path} never had {count}");
}

#[tokio::test]
async fn minutes_and_artifacts_are_written_while_the_meeting_rests() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({"format": "discussion"})).await;
    rig.execute(&format!("{meeting}/advance"), json!({})).await;
    let asked = rig
        .send(
            Method::POST,
            &format!("{meeting}/minutes"),
            &[],
            Some(json!({"note": "the risks", "writer": "p1"})),
        )
        .await;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.body);
    let versions = until_there(&rig, &format!("{meeting}/minutes/versions"), 1).await;
    assert_eq!(versions["items"][0]["version"], asked.body["version"]);
    assert_eq!(versions["items"][0]["author"], json!({"kind": "participant", "id": "p1"}));
    let asked = rig.execute(&format!("{meeting}/artifacts"), json!({"kind": "RISKS"})).await;
    assert_eq!((&asked["kind"], &asked["version"]), (&json!("RISKS"), &json!("v1")));
    let artifacts = until_there(&rig, &format!("{meeting}/artifacts/RISKS"), 1).await;
    assert_eq!(artifacts["items"][0]["version"], "v1");
    let (status, problem) = rig.post(&format!("{meeting}/artifacts"), json!({"kind": "POEM"})).await;
    assert_eq!(
        (status, &problem["errors"][0]["pointer"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("/kind"))
    );
    let nobody =
        rig.send(Method::POST, &format!("{meeting}/minutes"), &[], Some(json!({"writer": "Zoe"}))).await;
    assert_eq!((nobody.status, nobody.sort()), (StatusCode::NOT_FOUND, "no-such-participant"));
}

#[tokio::test]
async fn a_diagnostic_report_counts_the_events_and_quotes_none() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({"topic": "Should Zanzibar keep its xylophones?"})).await;
    rig.to_the_end(&meeting).await;
    let report = rig.see(&format!("{meeting}/diagnostics")).await;
    let view = rig.see(&meeting).await;
    assert_eq!(report["event_count"], view["last_seq"]);
    assert!(
        view.to_string().contains("xylophones") && !report.to_string().contains("xylophones"),
        "{report}"
    );
    assert_eq!(report["fault"], Value::Null);
}

#[tokio::test]
async fn marks_are_there_for_whoever_may_see_them() {
    let rig = Rig::start().await;
    let rules = json!({"limits": {"max_rounds": 1}, "intake": {"when": "never"}});
    let meeting = rig.meeting(json!({"format": "brainstorm", "rules": rules})).await;
    rig.to_the_end(&meeting).await;
    let marks = rig.see(&format!("{meeting}/evaluations")).await;
    assert!(marks["items"][0]["marks"][0]["score"].as_u64().is_some_and(|score| score <= 10), "{marks}");
}
