//! A meeting step by step, over HTTP.

use quorate_runners::Pace;
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::test_server::Rig;

#[tokio::test]
async fn each_call_is_one_round_and_tells_what_happened() {
    let rig = Rig::start().await;
    let rules = json!({"limits": {"max_rounds": 3}});
    let meeting = rig.meeting(json!({"format": "discussion", "rules": rules})).await;
    let mut last = rig.see(&meeting).await["last_seq"].as_u64().expect("a number");
    for round in 1..=3 {
        let advanced = rig.execute(&format!("{meeting}/advance"), json!({})).await;
        assert_eq!(advanced["stopped"], "made", "{advanced}");
        assert_eq!(advanced["meeting"]["round"]["number"], round);
        let events = advanced["events"].as_array().expect("events");
        let numbers: Vec<_> = events.iter().filter_map(|event| event["seq"].as_u64()).collect();
        let now = advanced["last_seq"].as_u64().expect("a number");
        assert_eq!(numbers, (last + 1..=now).collect::<Vec<_>>());
        let ended = events.iter().filter(|event| event["type"] == "round_ended").count();
        assert_eq!((ended, &events.last().expect("events")["type"]), (1, &json!("pause")));
        last = now;
    }
    let end = rig.execute(&format!("{meeting}/advance"), json!({})).await;
    assert_eq!((&end["stopped"], &end["meeting"]["state"]), (&json!("over"), &json!("ended")));
    let more = rig.send(Method::POST, &format!("{meeting}/advance"), &[], None).await;
    assert_eq!((more.status, more.sort()), (StatusCode::CONFLICT, "meeting-is-over"));
}

#[tokio::test]
async fn a_ballot_and_a_turn_are_strides_too() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({"format": "consensus"})).await;
    let turn = rig.execute(&format!("{meeting}/advance"), json!({"until": "turn"})).await;
    assert_eq!((&turn["stopped"], &turn["meeting"]["state"]), (&json!("made"), &json!("paused")));
    let ballot = rig.execute(&format!("{meeting}/advance"), json!({"until": "ballot"})).await;
    let ballots = ballot["meeting"]["ballots"].as_array().expect("ballots");
    assert_eq!(ballots.len(), 1);
    assert!(ballots[0]["state"]["closed"].is_object(), "{}", ballots[0]["state"]);
}

#[tokio::test]
async fn what_takes_long_goes_on_by_itself_and_can_be_taken_back() {
    let rig = Rig::with_pace(Pace::Live { chars_per_second: 200 }).await;
    let meeting = rig.meeting(json!({"format": "discussion", "seats": 2})).await;
    let body = json!({"until": "turn", "wait_seconds": 0});
    let waited = rig.send(Method::POST, &format!("{meeting}/advance"), &[], Some(body.clone())).await;
    assert_eq!((waited.status, &waited.body["stopped"]), (StatusCode::ACCEPTED, &json!("waited")));
    assert_eq!(waited.body["meeting"]["planned_pause"]["after"], "turn");
    let rests = rig.until(&meeting, "paused").await;
    assert_eq!((rests["messages_total"].as_u64(), rests["planned_pause"].is_null()), (Some(1), true));
    rig.execute(&format!("{meeting}/advance"), body).await;
    rig.execute(&format!("{meeting}/resume"), json!({})).await;
    assert_eq!(rig.see(&meeting).await["planned_pause"], json!(null), "it goes on and on");
    let (status, problem) = rig.post(&format!("{meeting}/advance"), json!({"wait_seconds": 31})).await;
    assert_eq!(
        (status, &problem["errors"][0]["pointer"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("/wait_seconds"))
    );
}
