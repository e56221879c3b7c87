//! Meetings: lists, views, and refusals.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::test_server::Rig;

#[tokio::test]
async fn what_is_not_there_is_a_problem_with_a_hint() {
    let rig = Rig::start().await;
    for (method, path) in [
        (Method::GET, "/meetings/nowhere"),
        (Method::DELETE, "/meetings/nowhere"),
        (Method::POST, "/meetings/nowhere/start"),
        (Method::GET, "/meetings/nowhere/messages"),
        (Method::GET, "/meetings/nowhere/log"),
        (Method::GET, "/meetings/nowhere/report"),
        (Method::POST, "/meetings/nowhere/advance"),
        (Method::GET, "/meetings/nowhere/minutes"),
    ] {
        let answer = rig.send(method, path, &[], None).await;
        assert_eq!((answer.status, answer.sort()), (StatusCode::NOT_FOUND, "not-found"), "{path}");
        assert!(!answer.body["hint"].as_str().unwrap_or_default().is_empty(), "{path}");
        assert_eq!(answer.header("content-type"), "application/problem+json");
    }
}

#[tokio::test]
async fn the_shortest_way_in() {
    let rig = Rig::start().await;
    let body = json!({"topic": "SQLite or PostgreSQL?", "format": "consensus", "simulate": true, "seed": 5});
    let created = rig.send(Method::POST, "/meetings", &[], Some(body)).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    assert_eq!(
        (&created.body["state"], created.body["last_seq"].as_u64() > Some(0)),
        (&json!("draft"), true)
    );
    let place = created.header("location").trim_start_matches("/api/v1").to_owned();
    let standing = rig.execute(&format!("{place}/start"), json!({})).await;
    assert!(standing["last_seq"].as_u64() > created.body["last_seq"].as_u64());
    rig.until(&place, "ended").await;
    let again = rig.send(Method::POST, &format!("{place}/start"), &[], None).await;
    assert_eq!(again.status, StatusCode::CONFLICT, "{}", again.body);
}

#[tokio::test]
async fn what_is_wrong_with_a_new_meeting_is_pointed_at() {
    let rig = Rig::start().await;
    for (body, pointer) in [
        (json!({}), "/topic"),
        (json!({"topic": ""}), "/topic"),
        (json!({"topic": "x".repeat(201)}), "/topic"),
        (json!({"topic": "x", "tpoic": "y"}), "/tpoic"),
        (json!({"topic": "x", "format": "chat"}), "/format"),
        (json!({"topic": "x", "participants": [{"name": 3}]}), "/participants/0/name"),
        (
            json!({"topic": "x", "simulate": true, "rules": {"limits": {"max_rounds": "two"}}}),
            "/rules/limits/max_rounds",
        ),
        (json!({"topic": "x", "providers": {"lab": {"base_url": "http://169.254.169.254"}}}), "/providers"),
        (
            json!({"topic": "x", "simulate": true, "rules": {"limits": {"max_rounds": 0}}}),
            "/rules/limits/max_rounds",
        ),
        (
            json!({"topic": "x", "simulate": true, "rules": {"turns": {"extra_turns": 11}}}),
            "/rules/turns/extra_turns",
        ),
        (
            json!({"topic": "x", "simulate": true, "rules": {"talk": {"lengths": {"Nobody": "brief"}}}}),
            "/rules/talk/lengths",
        ),
        (
            json!({"topic": "x", "simulate": true, "participants": [{"name": "Ada"}, {"name": "@"}]}),
            "/participants/1/name",
        ),
        (
            json!({"topic": "x", "simulate": true, "agenda": [{"title": "Costs"}, {"title": ""}]}),
            "/agenda/1/title",
        ),
        (json!({"topic": "x", "simulate": true, "announce": "!".repeat(2001)}), "/announce"),
        (json!({"topic": "x", "simulate": true, "seats": 13}), "/seats"),
    ] {
        let (status, problem) = rig.post("/meetings", body.clone()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {problem}");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{body}: {problem}");
        assert!(!problem["hint"].as_str().unwrap_or_default().is_empty(), "{problem}");
    }
    let twice = json!({"topic": "x", "simulate": true, "participants": [{"name": "Ada"}, {"name": "Ada"}]});
    let (status, problem) = rig.post("/meetings", twice).await;
    assert_eq!(
        (status, &problem["errors"][0]["pointer"]),
        (StatusCode::CONFLICT, &json!("/participants/1/name"))
    );
    let headers = [("content-type", "text/plain")];
    let plain =
        rig.client.post(format!("{}/api/v1/meetings", rig.url)).body("{}").header(headers[0].0, headers[0].1);
    assert_eq!(plain.send().await.expect("an answer").status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(rig.see("/meetings").await["items"], json!([]));
}

#[tokio::test]
async fn what_is_wrong_with_a_part_of_a_meeting_is_pointed_at_in_its_own_body() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    for (method, path, body, pointer) in [
        (Method::POST, "/agenda", json!({"title": " "}), "/title"),
        (Method::POST, "/participants", json!({"name": "@Ben"}), "/name"),
        (Method::PUT, "/minutes", json!({"content": "", "summary": "s"}), "/content"),
        (Method::PUT, "/rules", json!({"limits": {"max_rounds": 0}}), "/limits/max_rounds"),
        (Method::PATCH, "", json!({"rules": {"limits": {"max_rounds": 0}}}), "/rules/limits/max_rounds"),
        (Method::PATCH, "", json!({"announcement": ""}), "/announcement"),
        (Method::PATCH, "", json!({"password": ""}), "/password"),
    ] {
        let (status, problem) = rig.ask(method, &format!("{meeting}{path}"), Some(body)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{path}: {problem}");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{path}: {problem}");
    }
    let template = json!({"name": "x", "body": {"topic": "x", "prices": {"a/b": {"input": 1, "output": 1}}}});
    let (_, problem) = rig.post("/templates", template).await;
    assert_eq!(problem["errors"][0]["pointer"], "/body/prices", "{problem}");
    let agent = json!({"name": "Ada", "role": "", "description": "asks", "temperament": "stubborn"});
    let (_, problem) = rig.post("/agents", agent).await;
    assert_eq!(problem["errors"][0]["pointer"], "/role", "{problem}");
    let (_, problem) = rig.get("/search?q=%20").await;
    assert_eq!(problem["errors"][0]["pointer"], "/q", "{problem}");
}

#[tokio::test]
async fn a_list_is_narrowed_and_paged_while_meetings_come() {
    let rig = Rig::start().await;
    let mut ids = Vec::new();
    for number in 0..7 {
        let format = if number % 2 == 0 { "consensus" } else { "discussion" };
        let meeting = rig.meeting(json!({"topic": format!("Question {number}"), "format": format})).await;
        ids.insert(0, meeting.trim_start_matches("/meetings/").to_owned());
    }
    let (mut seen, mut path) = (Vec::new(), "/meetings?limit=3".to_owned());
    loop {
        let page = rig.see(&path).await;
        let rows = page["items"].as_array().expect("rows").iter();
        seen.extend(rows.filter_map(|row| row["id"].as_str().map(str::to_owned)));
        let Some(next) = page["next_cursor"].as_str() else { break };
        path = format!("/meetings?limit=3&cursor={next}");
        rig.meeting(json!({"topic": "One that comes meanwhile"})).await;
    }
    assert_eq!(seen, ids, "newest first, each once");
    let count = async |query: &str| rig.see(query).await["items"].as_array().map_or(0, Vec::len);
    assert_eq!(count("/meetings?format=discussion&q=question").await, 3);
    assert_eq!(count("/meetings?state=ended,paused").await, 0);
    assert_eq!(count("/meetings?simulated=false").await, 0);
    assert_eq!(count("/meetings?created_before=1970-01-01T00:00:00.001Z").await, 0);
    for query in [
        "?state=asleep",
        "?limit=0",
        "?limit=201",
        "?cursor=x",
        "?page=2",
        "?q=",
        "?simulated=perhaps",
        "?created_before=1",
    ] {
        let (status, problem) = rig.get(&format!("/meetings{query}")).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{query}: {problem}");
    }
}

#[tokio::test]
async fn meetings_off_the_record_stand_in_the_list_in_their_place() {
    let rig = Rig::start().await;
    let mut ids = Vec::new();
    for number in 0..9 {
        let off_record = number % 3 != 1;
        let body = json!({"topic": format!("Question {number}"), "off_record": off_record});
        let meeting = rig.meeting(body).await;
        ids.insert(0, (meeting.trim_start_matches("/meetings/").to_owned(), off_record));
        // Of one moment, those off the record come first: here each has its own.
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    for limit in [1, 2, 3, 4, 9, 10] {
        let (mut seen, mut path) = (Vec::new(), format!("/meetings?limit={limit}"));
        loop {
            let page = rig.see(&path).await;
            let rows = page["items"].as_array().expect("rows");
            assert!(rows.len() <= limit && !rows.is_empty());
            seen.extend(
                rows.iter().map(|row| {
                    (row["id"].as_str().unwrap_or_default().to_owned(), row["off_record"] == true)
                }),
            );
            let Some(next) = page["next_cursor"].as_str() else { break };
            path = format!("/meetings?limit={limit}&cursor={next}");
        }
        assert_eq!(seen, ids, "in pages of {limit}");
    }
    let count = async |query: &str| rig.see(query).await["items"].as_array().map_or(0, Vec::len);
    assert_eq!(count("/meetings?q=QUESTION%202").await, 1);
    assert_eq!(count("/meetings?state=ended").await, 0);
    assert_eq!(count("/meetings?simulated=true").await, 9);
    let (off, on) = (format!("/meetings/{}", ids[0].0), format!("/meetings/{}", ids[1].0));
    assert_eq!(
        (&rig.see(&off).await["off_record"], &rig.see(&on).await["off_record"]),
        (&json!(true), &json!(false))
    );
    rig.to_the_end(&off).await;
    assert_eq!(rig.see("/meetings?state=ended").await["items"][0]["id"], ids[0].0.as_str());
    assert_eq!(rig.ask(Method::DELETE, &off, None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(count("/meetings").await, 8);
    assert_eq!(rig.get("/meetings?cursor=o00000000000000zz").await.0, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn what_is_known_already_is_not_sent_again() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let first = rig.send(Method::GET, &meeting, &[], None).await;
    let tag = first.header("etag").to_owned();
    assert_eq!(tag, format!("\"{}\"", first.body["last_seq"]));
    let known = [("if-none-match", tag.as_str())];
    let second = rig.send(Method::GET, &meeting, &known, None).await;
    assert_eq!((second.status, second.body), (StatusCode::NOT_MODIFIED, Value::String(String::new())));
    rig.execute(&format!("{meeting}/messages"), json!({"content": "hello"})).await;
    assert_eq!(rig.send(Method::GET, &meeting, &known, None).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_deleted_meeting_is_gone_also_while_it_runs() {
    let rig = Rig::with_pace(quorate_runners::Pace::Live { chars_per_second: 40 }).await;
    let meeting = rig.meeting(json!({})).await;
    rig.execute(&format!("{meeting}/start"), json!({})).await;
    assert_eq!(rig.ask(Method::DELETE, &meeting, None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(rig.get(&meeting).await.0, StatusCode::NOT_FOUND);
    assert_eq!(rig.see("/meetings").await["items"], json!([]));
    assert_eq!(rig.ask(Method::DELETE, &meeting, None).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_meeting_that_has_not_begun_refuses_what_needs_a_beginning() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    for (path, sort) in [("pause", "not-started"), ("resume", "not-paused"), ("minutes", "not-started")] {
        let answer = rig.send(Method::POST, &format!("{meeting}/{path}"), &[], None).await;
        assert_eq!((answer.status, answer.sort()), (StatusCode::CONFLICT, sort), "{path}: {}", answer.body);
    }
    let judged = rig.send(Method::POST, &format!("{meeting}/what-if"), &[], None).await;
    assert_eq!(judged.status, StatusCode::CONFLICT, "{}", judged.body);
    let (status, problem) = rig.post(&format!("{meeting}/what-if"), json!({"mode": "dictator"})).await;
    assert_eq!(
        (status, &problem["errors"][0]["pointer"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("/mode"))
    );
}

#[tokio::test]
async fn a_created_meeting_says_who_answers_in_each_seat() {
    let rig = Rig::start().await;
    let asked = json!({"topic": "SQLite or PostgreSQL?", "simulate": true, "seed": 5});
    let (status, made) = rig.post("/meetings", asked).await;
    assert_eq!(status, StatusCode::CREATED);
    let seats = made["participants"].as_array().expect("the seats");
    assert_eq!(seats.len(), 4, "{made}");
    assert!(seats.iter().all(|seat| seat["runner"].as_str().is_some_and(|it| it.starts_with("simulated"))));
    assert!(made.get("chosen").is_none(), "no model was to be chosen: {made}");
}
