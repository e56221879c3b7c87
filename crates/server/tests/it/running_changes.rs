//! A meeting that is changed while it is under way, in every format.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::test_server::Rig;

const FORMATS: [&str; 5] = ["consensus", "discussion", "decision", "brainstorm", "room"];

/// The events of a meeting, by their types.
async fn types(rig: &Rig, meeting: &str) -> Vec<String> {
    let log = rig.send(Method::GET, &format!("{meeting}/log?limit=1000"), &[], None).await.body;
    let lines = log.as_str().expect("lines").lines();
    let kind =
        |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["type"].as_str().map(str::to_owned);
    lines.map(|line| kind(line).expect("a type")).collect()
}

/// Everything of it is changed at its first rest; then it goes on to its end.
async fn changed_under_way(format: &str) {
    let rig = Rig::start().await;
    let rules = json!({"limits": {"max_rounds": 2}});
    let meeting = rig.meeting(json!({"format": format, "seats": 3, "rules": rules})).await;
    let first =
        rig.execute(&format!("{meeting}/advance"), json!({"until": "turn", "take_defaults": true})).await;
    assert!(["made", "asked"].contains(&first["stopped"].as_str().unwrap_or_default()), "{format}: {first}");

    let change = json!({"topic": "SQLite or files?", "rules": {"limits": {"max_rounds": 3}}, "announcement": "The budget is fixed."});
    let changed = rig.send(Method::PATCH, &meeting, &[], Some(change)).await;
    assert_eq!(changed.status, StatusCode::OK, "{format}: {}", changed.body);
    let item =
        rig.execute(&format!("{meeting}/agenda"), json!({"title": "Backups"})).await["item"]["id"].clone();
    let item = format!("{meeting}/agenda/{}", item.as_str().expect("an id"));
    assert_eq!(rig.ask(Method::PATCH, &item, Some(json!({"completed": true}))).await.0, StatusCode::OK);
    rig.execute(&format!("{meeting}/participants"), json!({"name": "Dora", "temperament": "stubborn"})).await;
    let leaver = rig.see(&format!("{meeting}/participants")).await["items"][0]["participant"]["name"].clone();
    let leaver = format!("{meeting}/participants/{}", leaver.as_str().expect("a name"));
    let left = rig.ask(Method::DELETE, &leaver, None).await;
    assert_eq!(left.0, StatusCode::OK, "{format}: {}", left.1);
    rig.execute(&format!("{meeting}/messages"), json!({"content": "@Dora, what of backups?"})).await;

    let view = rig.see(&meeting).await;
    assert_eq!(
        (&view["topic"], &view["rules"]["limits"]["max_rounds"]),
        (&json!("SQLite or files?"), &json!(3))
    );
    assert_eq!(
        (&view["announcements"][0]["text"], &view["agenda"][0]["completed"]),
        (&json!("The budget is fixed."), &json!(true))
    );
    let present =
        view["participants"].as_array().expect("a table").iter().filter(|seat| seat["present"] == true);
    assert_eq!(present.count(), 3, "{format}: one came, one left");

    if format == "room" {
        rig.execute(&format!("{meeting}/advance"), json!({"until": "round", "take_defaults": true})).await;
        rig.execute(&format!("{meeting}/end"), json!({"note": "enough"})).await;
        rig.until(&meeting, "ended").await;
    }
    let end = if format == "room" { rig.see(&meeting).await } else { rig.to_the_end(&meeting).await };
    let dora = rig.see(&format!("{meeting}/participants/Dora")).await["participant"]["id"].clone();
    let said = rig.see(&format!("{meeting}/messages?limit=200")).await;
    let of_dora =
        said["items"].as_array().expect("messages").iter().filter(|said| said["name"] == "Dora").count();
    assert!(of_dora > 0, "{format}: {dora} has a voice from then on: {said}");
    let kinds = types(&rig, &meeting).await;
    for kind in [
        "topic_changed",
        "rules_changed",
        "announcement_published",
        "agenda_changed",
        "participant_joined",
        "participant_left",
        "pause",
        "resume",
        "finished",
    ] {
        assert!(kinds.iter().any(|one| one == kind), "{format}: no {kind} in {kinds:?}");
    }

    let (last, half) =
        (end["last_seq"].as_u64().expect("a number"), end["last_seq"].as_u64().expect("a number") / 2);
    let forked = rig.send(Method::POST, &format!("{meeting}/fork"), &[], Some(json!({"seq": half}))).await;
    assert_eq!(forked.status, StatusCode::CREATED, "{format}: {}", forked.body);
    let fork = forked.header("location").trim_start_matches("/api/v1").to_owned();
    assert_eq!(rig.ask(Method::DELETE, &fork, None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(rig.see(&meeting).await["last_seq"], last, "the first stays as it was");
    let what_if = rig.post(&format!("{meeting}/what-if"), json!({"mean_score": 1, "pass_ratio": 0.0})).await;
    let without = what_if.1["type"] == "/api/v1/problems#no-ballot";
    assert!(what_if.0 == StatusCode::OK || (without && format != "consensus"), "{format}: {}", what_if.1);

    exported(&rig, &meeting, format).await;
    assert_eq!(rig.ask(Method::DELETE, &meeting, None).await.0, StatusCode::NO_CONTENT);
    for part in ["", "/log", "/report", "/export", "/messages", "/files"] {
        let gone = rig.get(&format!("{meeting}{part}")).await.0;
        assert!(gone == StatusCode::NOT_FOUND || part == "/files", "{format}: {part} {gone}");
    }
}

/// Exports the meeting in a form, under a valid file name.
async fn exported(rig: &Rig, meeting: &str, format: &str) {
    let id = meeting.trim_start_matches("/meetings/");
    for (form, media, ending) in [
        ("markdown", "text/markdown; charset=utf-8", "md"),
        ("json", "application/json", "json"),
        ("html", "text/html; charset=utf-8", "html"),
    ] {
        let export = rig.send(Method::GET, &format!("{meeting}/export?format={form}"), &[], None).await;
        assert_eq!((export.status, export.header("content-type")), (StatusCode::OK, media), "{format}");
        assert_eq!(export.header("content-disposition"), format!("attachment; filename=\"{id}.{ending}\""));
        assert!(export.body.to_string().contains("SQLite or files?"), "{format} as {form}");
    }
    let whole = rig.see(&format!("{meeting}/export?format=json")).await;
    let last = whole["events"].as_array().expect("events").last().expect("one")["type"].clone();
    assert_eq!((&last, &whole["report"]["topic"]), (&json!("finished"), &json!("SQLite or files?")));
    let (status, problem) = rig.get(&format!("{meeting}/export?format=pdf")).await;
    // Pages are another program's, which is not here; `exports.rs` has one.
    assert_eq!((status, &problem["type"]), (StatusCode::NOT_IMPLEMENTED, &json!("/api/v1/problems#no-pdf")));
    let (status, problem) = rig.get(&format!("{meeting}/export?format=docx")).await;
    assert_eq!(
        (status, &problem["errors"][0]["pointer"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("/format"))
    );
}

#[tokio::test]
async fn every_format_takes_changes_and_comes_to_its_end() {
    futures::future::join_all(FORMATS.map(changed_under_way)).await;
}

#[tokio::test]
async fn a_pause_asks_and_takes_answers_before_it_goes_on() {
    let rig = Rig::start().await;
    let rules = json!({"limits": {"max_rounds": 2}, "intake": {"when": "each_round"}});
    let meeting = rig.meeting(json!({"format": "brainstorm", "rules": rules})).await;
    rig.execute(&format!("{meeting}/start"), json!({})).await;
    let asked = rig.until(&meeting, "paused").await;
    let questions = asked["pause"]["questions"].as_array().expect("questions").clone();
    assert!(!questions.is_empty(), "{asked}");
    let token = asked["pause"]["resume_token"].clone();
    let resume = format!("{meeting}/resume");
    for (body, status, sort) in [
        (json!({"answers": {"nobody": "asked"}}), 422, "not-asked"),
        (json!({"token": "stale", "take_defaults": true}), 409, "wrong-resume-token"),
        (json!({"answers": {"topic": "x".repeat(201)}, "take_defaults": true}), 422, "invalid"),
        (json!({"answers": "none"}), 422, "invalid"),
    ] {
        let refused = rig.send(Method::POST, &resume, &[], Some(body.clone())).await;
        assert_eq!((refused.status.as_u16(), refused.sort()), (status, sort), "{body}: {}", refused.body);
    }
    assert_eq!(rig.see(&meeting).await["last_seq"], asked["last_seq"], "what is refused changes nothing");
    let answers = json!({"token": token, "answers": {"topic": "SQLite or files?"}, "take_defaults": true});
    rig.execute(&resume, answers.clone()).await;
    let late = rig.send(Method::POST, &resume, &[], Some(answers)).await;
    assert_eq!(late.status, StatusCode::CONFLICT, "the pause that it answers is over: {}", late.body);
    assert_eq!(rig.to_the_end(&meeting).await["topic"], "SQLite or files?");
}
