//! Hidden contents stay hidden from callers with the scope `read`, over every route.

use quorate_contract::{Event, EventBody, MeetingId};
use quorate_engine::{Journal, Record};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access_server::App;

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
    let reason = marks["items"][0]["marks"][0]["reason"]["text"].as_str().expect("a reason").to_owned();
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
    let rig = crate::test_server::Rig::start().await;
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

#[tokio::test]
async fn whoever_may_not_see_all_of_a_log_gets_no_signature_of_it() {
    let app = App::open(crate::access::generous()).await;
    let owner = app.owner().await.text("access_token");
    let id = held(&app, &owner, "brainstorm").await;
    let reader = app.token(&owner, json!({"name": "r", "scope": "read"})).await.text("token");
    let exported = async |token: &str, id: &str, query: &str| {
        app.by(token, GET, &format!("/meetings/{id}/export?format={query}"), None).await
    };
    let chain = |document: &Value| {
        let chain = document["chain"].as_array().expect("a chain").clone();
        assert_eq!(chain.len(), document["events"].as_array().expect("events").len());
        let withheld = chain.iter().filter(|entry| entry.get("line").is_none()).count();
        (chain.iter().map(|entry| entry["hash"].clone()).collect::<Vec<_>>(), withheld)
    };
    let own = exported(&owner, &id, "json").await.body;
    let all = exported(&owner, &id, "json&with_marks=true").await.body;
    let read = exported(&reader, &id, "json").await.body;
    // The owner's signature holds for the export without marks, too.
    for document in [&own, &all] {
        assert_eq!(document["signature"]["meeting_id"], json!(id));
        assert_eq!(document["unsigned"], Value::Null);
    }
    assert_eq!((&read["signature"], &read["unsigned"]), (&Value::Null, &json!("withheld")));
    assert_eq!((chain(&all).1, chain(&own), chain(&own).0), (0, chain(&read), chain(&all).0));
    assert!(chain(&own).1 > 0);
    let page = exported(&reader, &id, "html").await.body.as_str().unwrap_or_default().to_owned();
    assert!(page.contains("\"signature\":null,\"unsigned\":\"withheld\""));
    assert_eq!(exported(&reader, &id, "jsonl").await.status, StatusCode::FORBIDDEN);
    let log = exported(&owner, &id, "jsonl").await;
    let lines: Vec<Value> = log
        .body
        .as_str()
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines[lines.len() - 1]["chain"], json!(chain(&all).0));
    assert_eq!(lines[lines.len() - 1]["signature"]["hash"], lines[lines.len() - 1]["chain"][lines.len() - 2]);

    // What hides nothing is signed for everybody, and what is off the record for nobody.
    let new = async |off_record: bool| {
        let body = json!({ "topic": "Is it?", "simulate": true, "off_record": off_record });
        app.by(&owner, POST, "/meetings", Some(body)).await.text("id")
    };
    let (plain, unwritten) = (new(false).await, new(true).await);
    assert_eq!(exported(&reader, &plain, "json").await.body["unsigned"], Value::Null);
    assert_eq!(exported(&owner, &unwritten, "json").await.body["unsigned"], "off_record");

    // The public key is public; to replace it is for the owner.
    let key = app.ask(GET, "/signing-key", &[], None).await;
    assert_eq!((key.status, &key.body["key_id"]), (StatusCode::OK, &own["signature"]["key_id"]));
    assert_eq!(app.by(&reader, POST, "/signing-key", None).await.status, StatusCode::FORBIDDEN);
}
