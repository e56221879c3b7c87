//! Requests that a fuzzer makes of the OpenAPI document: the server takes what it allows, and refuses what it does not.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::test_server::Rig;

#[tokio::test]
async fn a_whole_number_may_have_a_fraction_of_zero() {
    let rig = Rig::start().await;
    let new = r#"{"topic": "x", "simulate": true, "seats": 3.0, "rules": {"limits": {"max_rounds": 18.0}}}"#;
    let url = format!("{}/api/v1/meetings", rig.url);
    let request = rig.client.post(url).header("content-type", "application/json").body(new);
    let answer = request.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::CREATED);
    let made: serde_json::Value = answer.json().await.expect("JSON");
    let id = made["id"].as_str().expect("an id");
    let rules = rig.see(&format!("/meetings/{id}/rules")).await;
    assert_eq!(rules["limits"]["max_rounds"], 18, "{rules}");
}

#[tokio::test]
async fn an_empty_filter_and_a_place_after_the_end_are_refused() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let last = rig.see(&meeting).await["last_seq"].as_u64().expect("a number");
    for (path, field) in [
        ("/audit?meeting=".to_owned(), "/meeting"),
        ("/audit?cursor=".to_owned(), "/cursor"),
        (format!("{meeting}/context?after={}", last + 1), "/after"),
        (format!("{meeting}/context?after={}", i64::MAX), "/after"),
    ] {
        let refused = rig.send(Method::GET, &path, &[], None).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{path}: {}", refused.body);
        assert_eq!(refused.body["errors"][0]["pointer"], field, "{path}: {}", refused.body);
        assert!(refused.body["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{path}");
    }
    let read = rig.see(&format!("{meeting}/context?after={last}")).await;
    assert_eq!(read["cursor"], last, "{read}");
}

#[tokio::test]
async fn a_change_of_nothing_changes_nothing() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let agent = json!({"name": "Ada", "role": "r", "description": "d", "temperament": "stubborn"});
    rig.execute("/agents", agent).await;
    let before = (rig.see(&meeting).await["last_seq"].clone(), rig.see("/agents/Ada").await);
    for (path, body) in [
        (meeting.clone(), json!({ "topic": null, "rules": null, "announcement": null })),
        (format!("{meeting}/participants/p1"), json!({ "presence": null, "skip_list": null })),
        (format!("{meeting}/participants/p1"), json!({})),
        ("/agents/Ada".to_owned(), json!({ "name": null, "role": null, "model": null, "api_key": null })),
    ] {
        let answer = rig.send(Method::PATCH, &path, &[], Some(body.clone())).await;
        assert_eq!(answer.status, StatusCode::OK, "{path} {body}: {}", answer.body);
    }
    assert_eq!((rig.see(&meeting).await["last_seq"].clone(), rig.see("/agents/Ada").await), before);
    let nobody = rig.send(Method::PATCH, &format!("{meeting}/participants/p99"), &[], Some(json!({}))).await;
    assert_eq!(nobody.status, StatusCode::NOT_FOUND);
    // What is new has to have what it is made of.
    for (path, body) in [
        ("/agents", json!({ "name": null, "role": null, "description": null })),
        ("/webhooks", json!({ "url": null })),
        ("/import", json!({ "files": {} })),
        ("/import", json!({ "files": { "": "" } })),
    ] {
        let refused = rig.send(Method::POST, path, &[], Some(body.clone())).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{path} {body}: {}", refused.body);
    }
    // A version that is none is no version.
    let empty = [("if-match", "")];
    let refused = rig.send(Method::PATCH, &meeting, &empty, Some(json!({ "topic": "y" }))).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
}
