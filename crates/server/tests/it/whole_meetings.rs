//! The whole life of a meeting over HTTP, in every format.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::test_server::Rig;

/// Every event of a meeting, a page at a time.
async fn log(rig: &Rig, meeting: &str, limit: u32) -> Vec<Value> {
    let (mut events, mut next) = (Vec::new(), Some(format!("{meeting}/log?after=0&limit={limit}")));
    while let Some(path) = next {
        let page = rig.send(Method::GET, &path, &[], None).await;
        assert_eq!(page.status, StatusCode::OK);
        assert_eq!(page.header("content-type"), "application/x-ndjson");
        // A page of one line is read as JSON already.
        let lines = match &page.body {
            Value::String(text) => {
                text.lines().map(|line| serde_json::from_str(line).expect("an event")).collect()
            }
            one => vec![one.clone()],
        };
        events.extend(lines);
        let link = page.header("link").to_owned();
        next = link.split_once('>').map(|(path, _)| path.trim_start_matches("</api/v1").to_owned());
    }
    events
}

async fn lives(format: &str, more: Value) -> (Rig, String, Value) {
    let rig = Rig::start().await;
    let mut body = json!({"format": format, "rules": {"limits": {"max_rounds": 2}}});
    if let (Some(body), Some(more)) = (body.as_object_mut(), more.as_object()) {
        body.extend(more.clone());
    }
    let meeting = rig.meeting(body).await;
    let draft = rig.see(&meeting).await;
    assert_eq!((&draft["state"], &draft["format"]), (&json!("draft"), &json!(format)));
    assert_eq!(draft["simulated"], true);
    let view = rig.to_the_end(&meeting).await;
    assert_eq!(view["state"], "ended");
    assert!(view["outcome"].is_object(), "{}", view["outcome"]);
    let events = log(&rig, &meeting, 37).await;
    let numbers: Vec<u64> = events.iter().filter_map(|event| event["seq"].as_u64()).collect();
    assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>(), "no hole and no double");
    assert_eq!(view["last_seq"], events.len());
    assert_eq!(events.last().expect("events")["type"], "finished");
    let said = events.iter().filter(|event| event["payload"].get("message_id").is_some()).count();
    assert_eq!(view["messages_total"], said);
    (rig, meeting, view)
}

#[tokio::test]
async fn a_consensus_from_draft_to_verdict() {
    let (rig, meeting, view) = lives("consensus", json!({})).await;
    let ballots = rig.see(&format!("{meeting}/ballots")).await;
    assert!(!ballots["items"].as_array().expect("a list").is_empty());
    let votes = rig.see(&format!("{meeting}/ballots/b1/votes")).await;
    assert_eq!(votes["items"].as_array().map(Vec::len), view["participants"].as_array().map(Vec::len));
    assert!(votes["items"].as_array().expect("a list").iter().all(|voter| voter["has_cast"] == true));
    let ballot = rig.see(&format!("{meeting}/ballots/b1")).await;
    assert_eq!(ballot["draft"]["version"], ballot["draft_version"]);
    let change = json!({"mean_score": 1, "pass_ratio": 0.0, "min_score": 0});
    let judged = rig.execute(&format!("{meeting}/what-if"), change.clone()).await;
    assert_eq!(judged["language"], "en", "that of the meeting");
    let in_chinese = rig.execute(&format!("{meeting}/what-if?lang=zh"), change).await;
    assert_eq!(in_chinese["language"], "zh");
    assert_ne!(in_chinese["course_text"], judged["course_text"]);
    assert_eq!(judged["ballots"].as_array().map(Vec::len), ballots["items"].as_array().map(Vec::len));
    let report = rig.see(&format!("{meeting}/report")).await;
    assert_eq!(report["meeting_id"], view["id"]);
    let markdown = rig.send(Method::GET, &format!("{meeting}/report/markdown"), &[], None).await;
    assert!(markdown.header("content-type").starts_with("text/markdown"));
    assert!(markdown.body.as_str().is_some_and(|text| text.contains("Is SQLite enough?")));
}

#[tokio::test]
async fn a_discussion_ends_with_its_minutes() {
    let (rig, meeting, view) = lives("discussion", json!({})).await;
    assert!(view["minutes"]["version"].as_u64().is_some_and(|version| version >= 1), "{}", view["minutes"]);
    let usage = rig.see(&format!("{meeting}/usage")).await;
    let by: u64 = usage["by"].as_array().expect("rows").iter().filter_map(|row| row["calls"].as_u64()).sum();
    assert_eq!(usage["total"]["calls"], by);
    assert_eq!(view["spent"]["calls"], by);
}

#[tokio::test]
async fn a_decision_delivers_artifacts() {
    let (rig, meeting, _) = lives("decision", json!({})).await;
    let artifacts = rig.see(&format!("{meeting}/artifacts")).await;
    let first = artifacts["items"][0].clone();
    let kind = first["kind"].as_str().expect("at least one").to_owned();
    let latest = rig.see(&format!("{meeting}/artifacts/{}/latest", kind.to_lowercase())).await;
    assert_eq!(latest, first);
    let versions = rig.see(&format!("{meeting}/artifacts/{kind}")).await;
    assert_eq!(versions["items"].as_array().and_then(|all| all.last()), Some(&first));
    let (status, problem) = rig.get(&format!("{meeting}/artifacts/{kind}/v99")).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{problem}");
    assert_eq!(rig.get(&format!("{meeting}/artifacts/POEM")).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_room_is_ended_by_hand() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({"format": "room"})).await;
    let advanced = rig.execute(&format!("{meeting}/advance"), json!({"until": "round"})).await;
    assert!(["made", "asked"].contains(&advanced["stopped"].as_str().unwrap_or_default()), "{advanced}");
    rig.execute(&format!("{meeting}/end"), json!({"note": "enough"})).await;
    let view = rig.until(&meeting, "ended").await;
    assert!(view["conclusion"].is_object());
    let end = rig.send(Method::POST, &format!("{meeting}/end"), &[], None).await;
    assert_eq!((end.status, end.sort()), (StatusCode::CONFLICT, "meeting-is-over"));
}

#[tokio::test]
async fn a_brainstorm_asks_before_each_round() {
    let rig = Rig::start().await;
    let rules = json!({"limits": {"max_rounds": 2}, "intake": {"when": "each_round"}});
    let meeting = rig.meeting(json!({"format": "brainstorm", "rules": rules})).await;
    let asked = rig.execute(&format!("{meeting}/advance"), json!({})).await;
    assert_eq!(asked["stopped"], "asked", "{asked}");
    let pause = &asked["meeting"]["pause"];
    assert_eq!(
        (&pause["reason"], &pause["suggested_next"]),
        (&json!("check_in"), &json!("answer_questions"))
    );
    let wrong = json!({"answers": {"colour": "blue"}});
    let refused = rig.send(Method::POST, &format!("{meeting}/resume"), &[], Some(wrong)).await;
    assert_eq!((refused.status, refused.sort()), (StatusCode::UNPROCESSABLE_ENTITY, "not-asked"));
    assert_eq!(refused.body["errors"][0]["pointer"], "/answers/colour");
    let body = json!({"token": "other"});
    let refused = rig.send(Method::POST, &format!("{meeting}/resume"), &[], Some(body)).await;
    assert_eq!((refused.status, refused.sort()), (StatusCode::CONFLICT, "wrong-resume-token"));
    let body = json!({"token": pause["resume_token"], "answers": {"topic": "SQLite or files?"}, "take_defaults": true});
    rig.execute(&format!("{meeting}/resume"), body).await;
    assert_eq!(rig.until(&meeting, "paused").await["topic"], "SQLite or files?");
    let view = rig.to_the_end(&meeting).await;
    assert_eq!(view["state"], "ended");
}

#[tokio::test]
async fn what_a_meeting_would_take_is_known_before() {
    let rig = Rig::start().await;
    let estimate = rig.execute("/meetings/estimate", json!({"topic": "SQLite?", "simulate": true})).await;
    let calls = |course: &str| estimate[course]["calls"].as_u64().unwrap_or_default();
    assert!(0 < calls("least") && calls("least") <= calls("most"), "{estimate}");
    assert_eq!(rig.see("/meetings").await["items"], json!([]), "nothing is written");
}

#[tokio::test]
async fn a_fork_goes_another_way_and_leaves_the_first_as_it_was() {
    let (rig, meeting, view) = lives("consensus", json!({})).await;
    let last = view["last_seq"].as_u64().expect("a number");
    let forked =
        rig.send(Method::POST, &format!("{meeting}/fork"), &[], Some(json!({"seq": last / 2}))).await;
    assert_eq!(forked.status, StatusCode::CREATED, "{}", forked.body);
    let other = forked.header("location").trim_start_matches("/api/v1").to_owned();
    let begun = rig.see(&other).await;
    assert_eq!((&begun["state"], &begun["calls"]), (&json!("paused"), &json!({})), "nobody is asked");
    assert_eq!(begun["forked_from"]["seq"], last / 2);
    assert_eq!(begun["forked_from"]["carried"]["calls"], begun["spent"]["calls"], "nothing is charged");
    assert_eq!(begun["title"], format!("{} (fork)", view["topic"].as_str().unwrap_or_default()));
    let listed = rig.see("/meetings").await["items"][0].clone();
    assert_eq!((&listed["title"], &listed["forked_from"]["seq"]), (&begun["title"], &json!(last / 2)));
    assert_eq!(listed["created_at"], begun["forked_from"]["forked_at"]);
    rig.to_the_end(&other).await;
    let command = json!({"title": "The other way", "limits": {"max_rounds": 9, "tokens": 900_000}});
    let at_the_end = rig.send(Method::POST, &format!("{meeting}/fork"), &[], Some(command)).await;
    assert_eq!(at_the_end.status, StatusCode::CREATED, "{}", at_the_end.body);
    let longer = at_the_end.header("location").trim_start_matches("/api/v1").to_owned();
    let begun = rig.see(&longer).await;
    assert_eq!((&begun["state"], &begun["title"]), (&json!("paused"), &json!("The other way")));
    assert_eq!(
        (&begun["rules"]["limits"]["max_rounds"], &begun["budget"]["tokens"]["limit"]),
        (&json!(9), &json!(900_000))
    );
    assert!(
        rig.to_the_end(&longer).await["rounds"].as_array().map(Vec::len)
            > view["rounds"].as_array().map(Vec::len)
    );
    let exported = rig.send(Method::GET, &format!("{longer}/export?format=md"), &[], None).await;
    assert!(exported.body.to_string().contains("The other way"), "{}", exported.body);
    assert_eq!(rig.see(&format!("{meeting}?messages=500")).await, view);
    let over = rig.send(Method::POST, &format!("{meeting}/fork"), &[], Some(json!({"seq": last}))).await;
    assert_eq!(over.status, StatusCode::CONFLICT, "{}", over.body);
    let (status, problem) = rig.post(&format!("{meeting}/fork"), json!({"seq": last + 1})).await;
    assert_eq!((status, &problem["errors"][0]["pointer"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("/at")));
}
