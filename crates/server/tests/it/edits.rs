//! Concurrent edits of two users.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::test_server::Rig;

#[tokio::test]
async fn whoever_looked_before_somebody_elses_edit_is_told() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let tag = rig.send(Method::GET, &meeting, &[], None).await.header("etag").to_owned();
    let seen = [("if-match", tag.as_str())];
    // What they do not edit may change.
    rig.execute(&format!("{meeting}/messages"), json!({"content": "hello"})).await;
    let first = rig.send(Method::PATCH, &meeting, &seen, Some(json!({"topic": "SQLite or files?"}))).await;
    assert_eq!(first.status, StatusCode::OK, "{}", first.body);
    let second = rig.send(Method::PATCH, &meeting, &seen, Some(json!({"topic": "Files?"}))).await;
    assert_eq!((second.status, second.sort()), (StatusCode::PRECONDITION_FAILED, "changed-meanwhile"));
    let rules =
        rig.send(Method::PATCH, &meeting, &seen, Some(json!({"rules": {"limits": {"max_rounds": 3}}}))).await;
    assert_eq!(rules.status, StatusCode::OK, "nobody else has changed the rules: {}", rules.body);
    let view = rig.see(&meeting).await;
    assert_eq!(
        (&view["topic"], &view["rules"]["limits"]["max_rounds"]),
        (&json!("SQLite or files?"), &json!(3))
    );
    for tag in ["\"999\"", "\"other\"", "\"0\""] {
        let answer =
            rig.send(Method::PATCH, &meeting, &[("if-match", tag)], Some(json!({"topic": "x"}))).await;
        assert_eq!(answer.status, StatusCode::PRECONDITION_FAILED, "{tag}");
    }
    let any = rig.send(Method::PATCH, &meeting, &[("if-match", "*")], Some(json!({"topic": "x"}))).await;
    assert_eq!(any.status, StatusCode::OK);
    assert_eq!(
        rig.send(Method::PATCH, &meeting, &[("if-match", "7")], None).await.status,
        StatusCode::BAD_REQUEST
    );
}

#[tokio::test]
async fn of_many_editors_with_one_tag_one_comes_through() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let tag = rig.send(Method::GET, &format!("{meeting}/rules"), &[], None).await.header("etag").to_owned();
    let rules = rig.see(&format!("{meeting}/rules")).await;
    let edits = (2..12).map(|rounds| {
        let (mut rules, tag, rig, meeting) = (rules.clone(), tag.clone(), &rig, &meeting);
        rules["limits"]["max_rounds"] = json!(rounds);
        async move {
            let headers = [("if-match", tag.as_str())];
            rig.send(Method::PUT, &format!("{meeting}/rules"), &headers, Some(rules)).await
        }
    });
    let answers = futures::future::join_all(edits).await;
    let through: Vec<_> = answers.iter().filter(|answer| answer.status == StatusCode::OK).collect();
    assert_eq!(through.len(), 1);
    assert!(
        answers.iter().all(|a| a.status == StatusCode::OK || a.status == StatusCode::PRECONDITION_FAILED)
    );
    assert_eq!(rig.see(&format!("{meeting}/rules")).await, through[0].body["rules"]);
}

#[tokio::test]
async fn nothing_is_changed_when_one_change_is_refused() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let before = rig.see(&meeting).await;
    for (body, pointer) in [
        (json!({"topic": "another", "rules": {"limits": {"max_rounds": 0}}}), "/rules/limits/max_rounds"),
        (json!({"topic": "another", "rules": {"turns": {"tymeout": 3}}}), "/rules/turns/tymeout"),
        (json!({"topic": "another", "announcement": ""}), "/announcement"),
        (json!({"topic": "another", "password": ""}), "/password"),
        (json!({"tittle": "another"}), "/tittle"),
    ] {
        let (status, problem) = rig.ask(Method::PATCH, &meeting, Some(body.clone())).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {problem}");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
    assert_eq!(rig.see(&meeting).await, before);
    let all =
        json!({"topic": "another", "announcement": "Be brief.", "rules": {"limits": {"max_rounds": 4}}});
    assert_eq!(rig.ask(Method::PATCH, &meeting, Some(all)).await.0, StatusCode::OK);
    let after = rig.see(&meeting).await;
    assert_eq!(
        (&after["topic"], &after["announcements"][0]["text"]),
        (&json!("another"), &json!("Be brief."))
    );
    assert_eq!(after["last_seq"].as_u64(), before["last_seq"].as_u64().map(|seq| seq + 3));
    let log = rig.see(&format!("{meeting}/log?after={}", before["last_seq"])).await;
    let log = log.as_str().expect("lines");
    let causes = log.matches("\"cause\":\"change_meeting\"").count();
    assert_eq!((log.lines().count(), causes), (3, 3), "one command, one append: {log}");
    let whole = json!({"limits": {"max_rounds": "many"}});
    let (status, problem) = rig.ask(Method::PUT, &format!("{meeting}/rules"), Some(whole)).await;
    assert_eq!(
        (status, &problem["errors"][0]["pointer"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("/limits/max_rounds"))
    );
}

#[tokio::test]
async fn a_meeting_is_locked_and_opened_again() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    assert_eq!(rig.ask(Method::PATCH, &meeting, Some(json!({"password": "sesame"}))).await.0, StatusCode::OK);
    assert_eq!(rig.see(&meeting).await["locked"], true);
    let id = quorate_contract::MeetingId::new(meeting.trim_start_matches("/meetings/"));
    let store = rig.store();
    assert!(store.password_hash(&id).await.expect("a store").is_some_and(|hash| !hash.contains("sesame")));
    assert_eq!(rig.ask(Method::PATCH, &meeting, Some(json!({"password": null}))).await.0, StatusCode::OK);
    assert_eq!(rig.see(&meeting).await["locked"], false);
    assert_eq!(store.password_hash(&id).await.expect("a store"), None);
    let both = json!({"topic": "another", "password": "sesame"});
    assert_eq!(rig.ask(Method::PATCH, &meeting, Some(both)).await.0, StatusCode::OK);
    let view = rig.see(&meeting).await;
    assert_eq!((&view["topic"], &view["locked"]), (&json!("another"), &json!(true)));
    assert!(store.password_hash(&id).await.expect("a store").is_some());
}

#[tokio::test]
async fn a_meeting_that_is_over_keeps_its_access_as_it_is() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({"format": "discussion"})).await;
    rig.to_the_end(&meeting).await;
    let both = json!({"topic": "another", "password": "sesame"});
    let answer = rig.send(Method::PATCH, &meeting, &[], Some(both)).await;
    assert_eq!((answer.status, answer.sort()), (StatusCode::CONFLICT, "meeting-is-over"));
    let id = quorate_contract::MeetingId::new(meeting.trim_start_matches("/meetings/"));
    assert_eq!(rig.store().password_hash(&id).await.expect("a store"), None);
}

#[tokio::test]
async fn minutes_are_edited_by_the_version_that_was_seen() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({"format": "discussion"})).await;
    let minutes = format!("{meeting}/minutes");
    assert_eq!(rig.get(&minutes).await.0, StatusCode::NOT_FOUND);
    rig.execute(&format!("{meeting}/advance"), json!({"until": "turn"})).await;
    let first = rig
        .send(Method::PUT, &minutes, &[], Some(json!({"content": "They met.", "summary": "So far."})))
        .await;
    assert_eq!((first.status, first.header("etag")), (StatusCode::OK, "\"1\""), "{}", first.body);
    let body = json!({"content": "They met and talked.", "summary": "So far."});
    let second = rig.send(Method::PUT, &minutes, &[("if-match", "\"1\"")], Some(body.clone())).await;
    assert_eq!((second.status, &second.body["version"]), (StatusCode::OK, &json!(2)), "{}", second.body);
    let late = rig.send(Method::PUT, &minutes, &[("if-match", "\"1\"")], Some(body)).await;
    assert_eq!((late.status, late.sort()), (StatusCode::PRECONDITION_FAILED, "changed-meanwhile"));
    let diff = rig.see(&format!("{minutes}/diff?from=1")).await;
    assert_eq!((&diff["to"], &diff["changes"][0]["section"]), (&json!(2), &json!("content")));
    assert_eq!(diff["changes"][0]["added"], json!(["They met and talked."]));
    assert_eq!(rig.see(&format!("{minutes}/versions/1")).await["minutes"]["content"], "They met.");
    assert_eq!(rig.see(&format!("{minutes}/versions")).await["items"].as_array().map(Vec::len), Some(2));
    assert_eq!(rig.get(&format!("{minutes}/versions/3")).await.0, StatusCode::NOT_FOUND);
    let same = rig.send(Method::GET, &minutes, &[("if-none-match", "\"2\"")], None).await;
    assert_eq!(same.status, StatusCode::NOT_MODIFIED);
    let invented =
        json!({"content": "x", "decisions": [{"text": "Use it", "sources": ["m1"], "quote": "never said"}]});
    assert_eq!(rig.ask(Method::PUT, &minutes, Some(invented)).await.0, StatusCode::UNPROCESSABLE_ENTITY);
}
