//! Hidden contents stay hidden from callers with the scope `read`, over every route.

use quorate_contract::{Event, EventBody, MeetingId};
use quorate_engine::{Journal, Record};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access_rig::App;

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// Everything of a meeting that can be read, as text.
async fn all_that_is_read(app: &App, token: &str, meeting: &str) -> Vec<(String, String)> {
    let mut read = Vec::new();
    for part in [
        "?messages=500",
        "/report",
        "/report/markdown",
        "/log?limit=1000",
        "/log?limit=1000&order=desc",
        "/claims?limit=500",
        "/deliberation-health",
        "/messages?limit=200",
        "/participants",
        "/agenda",
        "/ballots",
        "/ballots/b1",
        "/ballots/b1/votes",
        "/minutes/versions",
        "/artifacts",
        "/usage",
        "/export",
        "/export?format=json",
        "/export?format=html",
    ] {
        let answer = app.by(token, GET, &format!("/meetings/{meeting}{part}"), None).await;
        assert!(
            answer.status.is_success() || answer.status == StatusCode::NOT_FOUND,
            "{part}: {}",
            answer.status
        );
        let text = answer.body.as_str().map_or_else(|| answer.body.to_string(), str::to_owned);
        read.push((part.to_owned(), text));
    }
    read
}

/// A meeting of simulated participants that was held to its end.
async fn held(app: &App, owner: &str, format: &str) -> String {
    let rules = json!({"limits": {"max_rounds": 1}, "intake": {"when": "never"}});
    let body =
        json!({"topic": "Is SQLite enough?", "simulate": true, "seed": 7, "format": format, "rules": rules});
    let id = app.by(owner, POST, "/meetings", Some(body)).await.text("id");
    for _ in 0..50 {
        let go = Some(json!({"until": "end", "take_defaults": true}));
        let advanced = app.by(owner, POST, &format!("/meetings/{id}/advance"), go).await;
        assert!(advanced.status.is_success(), "{}", advanced.body);
        if advanced.body["stopped"] == "over" {
            return id;
        }
    }
    panic!("it does not end");
}

#[tokio::test]
async fn marks_are_for_those_who_manage() {
    let app = App::open(crate::access::generous()).await;
    let owner = app.owner().await.text("access_token");
    let id = held(&app, &owner, "brainstorm").await;
    let reader = app.token(&owner, json!({"name": "r", "scope": "read"})).await.text("token");
    let marks = app.by(&owner, GET, &format!("/meetings/{id}/evaluations"), None).await.body;
    let reason = marks["items"][0]["marks"][0]["reason"].as_str().expect("a reason").to_owned();
    assert!(reason.len() > 3, "{reason}");
    let whole = app.by(&owner, GET, &format!("/meetings/{id}/log?limit=1000"), None).await.body;
    assert!(whole.as_str().is_some_and(|log| log.contains(&reason)));
    for (part, text) in all_that_is_read(&app, &reader, &id).await {
        assert!(!text.contains(&reason), "{part} tells a mark");
    }
    let forbidden =
        ["/evaluations", "/export?format=json&with_marks=true", "/export?format=html&with_marks=true"];
    for part in forbidden {
        let refused = app.by(&reader, GET, &format!("/meetings/{id}{part}"), None).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{part}");
    }
    for format in ["markdown", "json", "html"] {
        let path = format!("/meetings/{id}/export?format={format}");
        let plain = app.by(&owner, GET, &path, None).await.body.to_string();
        assert!(!plain.contains(&reason), "{format}: nobody has asked for marks");
        let with = app.by(&owner, GET, &format!("{path}&with_marks=true"), None).await.body.to_string();
        assert!(with.contains(&reason), "{format}");
    }
}

#[tokio::test]
async fn votes_are_hidden_while_others_still_vote() {
    let app = App::open(crate::access::generous()).await;
    let owner = app.owner().await.text("access_token");
    let id = held(&app, &owner, "consensus").await;
    let log = app.by(&owner, GET, &format!("/meetings/{id}/log?limit=1000"), None).await.body;
    let mut events: Vec<Event> =
        log.as_str().expect("lines").lines().map(|line| Event::from_json(line).expect("an event")).collect();
    let first = events.iter().position(|event| matches!(event.body, EventBody::VoteCast { .. }));
    events.truncate(first.expect("a vote") + 1);
    let vote: Value = serde_json::from_str(&events.last().expect("a vote").to_json()).expect("JSON");
    // The same meeting at a moment before the other votes; the fork is not resumed.
    let fork = "in-between";
    let records =
        events.into_iter().map(|event| Record::of(Event { meeting_id: MeetingId::new(fork), ..event }));
    app.store.append(MeetingId::new(fork), 0, records.collect()).await.expect("written");
    let ballots = app.by(&owner, GET, &format!("/meetings/{fork}/ballots"), None).await.body;
    assert_eq!(ballots["items"][0]["state"], "open", "{ballots}");
    let cast = ballots["items"][0]["cast_count"].as_u64().expect("a number") as usize;
    assert!((1..4).contains(&cast), "{ballots}");
    let reason = vote["payload"]["vote"]["reason"].as_str().expect("a reason");
    let reader = app.token(&owner, json!({"name": "r", "scope": "read"})).await.text("token");
    for (part, text) in all_that_is_read(&app, &reader, fork).await {
        let place = text.find(reason);
        let around = place.map(|at| text[..at].chars().rev().take(300).collect::<Vec<_>>());
        let around: Option<String> = around.map(|letters| letters.into_iter().rev().collect());
        assert!(place.is_none(), "{part} tells a vote: {around:?} {reason}");
    }
    let votes = app.by(&reader, GET, &format!("/meetings/{fork}/ballots/b1/votes"), None).await.body;
    assert_eq!(votes["withheld"], true);
    let has =
        votes["items"].as_array().expect("voters").iter().filter(|voter| voter["has_cast"] == true).count();
    assert_eq!(has, cast, "who has voted is no secret");
    assert!(votes["items"].as_array().expect("voters").iter().all(|voter| voter["cast"].is_null()));
    let seen = app.by(&owner, GET, &format!("/meetings/{fork}/ballots/b1/votes"), None).await.body;
    assert!(seen.to_string().contains(reason), "whoever manages sees it");
    // Once it is counted, it is told.
    let told = app.by(&reader, GET, &format!("/meetings/{id}/ballots/b1/votes"), None).await.body;
    assert!(told.to_string().contains(reason));
}

#[tokio::test]
async fn what_was_kept_for_one_is_not_shown_to_another() {
    let app = App::open(crate::access::generous()).await;
    let owner = app.owner().await.text("access_token");
    app.meeting("m1").await;
    for path in ["/meetings/m1", "/meetings/m1/report", "/meetings/m1/rules"] {
        let answer = app.by(&owner, GET, path, None).await;
        let header = |name: &str| {
            let values = answer.headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
            values.collect::<Vec<_>>().join(", ")
        };
        assert!(header("cache-control").contains("private"), "{path}: {}", header("cache-control"));
        for name in ["authorization", "cookie"] {
            assert!(header("vary").contains(name), "{path}: {}", header("vary"));
        }
    }
}

#[tokio::test]
async fn minutes_have_versions_and_what_differs_is_told() {
    let rig = crate::rig::Rig::start().await;
    let meeting = rig.meeting(json!({"format": "discussion"})).await;
    rig.execute(&format!("{meeting}/advance"), json!({})).await;
    let minutes = format!("{meeting}/minutes");
    assert_eq!(rig.get(&minutes).await.0, StatusCode::NOT_FOUND, "there are none yet");
    rig.execute(&minutes, json!({})).await;
    let mut first = rig.send(GET, &minutes, &[], None).await;
    for _ in 0..500 {
        if first.status == StatusCode::OK {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        first = rig.send(GET, &minutes, &[], None).await;
    }
    assert_eq!(first.header("etag"), "\"1\"", "{}", first.body);
    let mut edited = first.body["minutes"].clone();
    edited["content"] = json!("We keep SQLite.");
    let seen = [("if-match", "\"1\"")];
    let second = rig.send(Method::PUT, &minutes, &seen, Some(edited.clone())).await;
    assert_eq!((second.status, second.header("etag")), (StatusCode::OK, "\"2\""), "{}", second.body);
    assert_eq!(second.body["minutes"]["content"], "We keep SQLite.");
    let late = rig.send(Method::PUT, &minutes, &seen, Some(edited)).await;
    assert_eq!((late.status, late.sort()), (StatusCode::PRECONDITION_FAILED, "changed-meanwhile"));
    let known = [("if-none-match", "\"2\"")];
    assert_eq!(rig.send(GET, &minutes, &known, None).await.status, StatusCode::NOT_MODIFIED);
    let all = rig.see(&format!("{minutes}/versions")).await;
    assert_eq!(all["items"].as_array().map(Vec::len), Some(2));
    let old = rig.see(&format!("{minutes}/versions/1")).await;
    assert_eq!(old, first.body, "what was written stays");
    let diff = rig.see(&format!("{minutes}/diff?from=1")).await;
    assert_eq!((&diff["from"], &diff["to"]), (&json!(1), &json!(2)));
    assert!(diff["changes"].to_string().contains("We keep SQLite."), "{diff}");
    assert_eq!(rig.see(&format!("{minutes}/diff?from=2&to=2")).await["changes"], json!([]));
    for (path, status) in [
        ("/versions/3", StatusCode::NOT_FOUND),
        ("/versions/0", StatusCode::NOT_FOUND),
        ("/versions/-1", StatusCode::NOT_FOUND),
        ("/versions/x", StatusCode::NOT_FOUND),
        ("/diff?from=9", StatusCode::NOT_FOUND),
        ("/diff", StatusCode::UNPROCESSABLE_ENTITY),
        ("/diff?from=x", StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let (found, problem) = rig.get(&format!("{minutes}{path}")).await;
        assert_eq!(found, status, "{path}: {problem}");
    }
}
