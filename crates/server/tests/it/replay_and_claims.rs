//! A meeting as it stood, its log from either end, what was raised at it, and how sound it is.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::test_server::{Answered, Rig};

/// The events on a page of the log.
fn events(page: &Answered) -> Vec<Value> {
    match &page.body {
        Value::String(text) => text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect(),
        one => vec![one.clone()],
    }
}

fn numbers(events: &[Value]) -> Vec<u64> {
    events.iter().filter_map(|event| event["seq"].as_u64()).collect()
}

/// All pages of the log from a path on, and how many there were.
async fn pages(rig: &Rig, path: &str) -> (Vec<Value>, usize) {
    let (mut all, mut count, mut next) = (Vec::new(), 0, Some(path.to_owned()));
    while let Some(path) = next {
        let page = rig.send(Method::GET, &path, &[], None).await;
        assert_eq!(page.status, StatusCode::OK, "{path}: {}", page.body);
        let found = events(&page);
        assert_eq!(page.header("quorate-last-seq"), found.last().expect("an event")["seq"].to_string());
        all.extend(found);
        count += 1;
        let link = page.header("link").to_owned();
        next = link.split_once('>').map(|(path, _)| path.trim_start_matches("</api/v1").to_owned());
    }
    (all, count)
}

async fn held(more: Value) -> (Rig, String) {
    let rig = Rig::start().await;
    let mut body = json!({"format": "consensus", "rules": {"limits": {"max_rounds": 2}}});
    body.as_object_mut().zip(more.as_object()).map(|(all, own)| all.extend(own.clone())).expect("objects");
    let meeting = rig.meeting(body).await;
    rig.to_the_end(&meeting).await;
    (rig, meeting)
}

#[tokio::test]
async fn a_meeting_is_shown_as_it_stood() {
    for off_record in [false, true] {
        let (rig, meeting) = held(json!({ "off_record": off_record })).await;
        let now = rig.see(&format!("{meeting}?messages=500")).await;
        let last = now["last_seq"].as_u64().expect("a number");
        assert_eq!(rig.see(&format!("{meeting}?messages=500&at={last}")).await, now);
        let (log, _) = pages(&rig, &format!("{meeting}/log?limit=1000")).await;
        let (mut said, mut concluded) = (0, false);
        for event in &log {
            said += u64::from(event["payload"].get("message_id").is_some());
            concluded |= event["type"] == "conclusion_written";
            let seq = event["seq"].as_u64().expect("a number");
            if seq % 7 != 0 {
                continue;
            }
            let at = rig.send(Method::GET, &format!("{meeting}?at={seq}"), &[], None).await;
            assert_eq!(at.status, StatusCode::OK, "{}", at.body);
            assert_eq!(at.header("etag"), format!("\"{seq}\""));
            assert_eq!((&at.body["last_seq"], &at.body["messages_total"]), (&json!(seq), &json!(said)));
            assert_eq!(at.body["off_record"], off_record);
            assert_eq!(at.body["conclusion"].is_object(), concluded);
        }
        let rounds = now["rounds"].as_array().expect("rounds");
        assert_eq!(rounds[0]["kind"], "blind");
        for round in rounds {
            let first = round["seq"].as_u64().expect("a turn was given");
            assert_eq!(log[first as usize - 1]["type"], "speaker_selected", "{round}");
            let end = round["ended_seq"].as_u64().expect("it is over");
            assert_eq!(log[end as usize - 1]["type"], "round_ended", "{round}");
        }
        for beyond in [0, last + 1, u64::MAX] {
            let (status, problem) = rig.get(&format!("{meeting}?at={beyond}")).await;
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
            assert!(problem["hint"].as_str().is_some_and(|hint| hint.contains(&last.to_string())));
            assert_eq!(problem["errors"][0]["pointer"], "/at", "{problem}");
        }
    }
    let rig = Rig::start().await;
    assert_eq!(rig.get("/meetings/nowhere?at=1").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_log_is_read_from_either_end() {
    for off_record in [false, true] {
        let (rig, meeting) = held(json!({ "off_record": off_record })).await;
        let (whole, _) = pages(&rig, &format!("{meeting}/log?limit=1000")).await;
        let (back, count) = pages(&rig, &format!("{meeting}/log?order=desc&limit=17")).await;
        assert_eq!(count, whole.len().div_ceil(17));
        assert_eq!(back.iter().rev().collect::<Vec<_>>(), whole.iter().collect::<Vec<_>>());
        let (part, _) = pages(&rig, &format!("{meeting}/log?after=5&before=12&limit=2")).await;
        assert_eq!(numbers(&part), (6..12).collect::<Vec<_>>());
        let (part, _) = pages(&rig, &format!("{meeting}/log?after=5&before=12&limit=4&order=desc")).await;
        assert_eq!(numbers(&part), (6..12).rev().collect::<Vec<_>>());

        let types = "agent_message,ballot_closed";
        let wanted: Vec<&Value> =
            whole.iter().filter(|one| types.split(',').any(|kind| one["type"] == kind)).collect();
        assert!(wanted.len() > 4);
        for order in ["asc", "desc"] {
            let path = format!("{meeting}/log?types={types}&order={order}&limit=3");
            let (mut found, count) = pages(&rig, &path).await;
            if order == "desc" {
                found.reverse();
            }
            assert_eq!((count, found.iter().collect::<Vec<_>>()), (wanted.len().div_ceil(3), wanted.clone()));
        }
        let nothing =
            rig.send(Method::GET, &format!("{meeting}/log?types=meeting_forked&after=3"), &[], None).await;
        assert_eq!((nothing.status, &nothing.body), (StatusCode::OK, &json!("")));
        assert_eq!((nothing.header("quorate-last-seq"), nothing.header("link")), ("3", ""));
        for (query, pointer) in [
            ("types=message", "/types"),
            ("types=", "/types"),
            ("order=up", "/order"),
            ("before=18446744073709551615", "/before"),
        ] {
            let (status, problem) = rig.get(&format!("{meeting}/log?{query}")).await;
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{query}: {problem}");
            assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
        }
    }
}

#[tokio::test]
async fn what_was_raised_is_told_with_where_it_stands() {
    let (rig, meeting) = held(json!({})).await;
    let (log, _) = pages(&rig, &format!("{meeting}/log?limit=1000")).await;
    let all = rig.see(&format!("{meeting}/claims?limit=500")).await;
    let claims = all["items"].as_array().expect("a list");
    assert!(claims.len() > 4 && all["next_cursor"].is_null(), "{all}");
    for claim in claims {
        let event = &log[claim["seq"].as_u64().expect("an event") as usize - 1];
        assert!(event.to_string().contains(claim["text"].as_str().expect("words")), "{claim}: {event}");
        assert_eq!(event["payload"]["participant"], claim["owner"]);
        let kind = if claim["message"].is_null() { "vote_cast" } else { "agent_message" };
        assert_eq!(event["type"], kind);
    }
    let (mut gathered, mut path) = (Vec::new(), Some(format!("{meeting}/claims?limit=3")));
    while let Some(next) = path {
        let page = rig.see(&next).await;
        gathered.extend(page["items"].as_array().expect("a list").clone());
        path = page["next_cursor"].as_str().map(|next| format!("{meeting}/claims?limit=3&cursor={next}"));
    }
    assert_eq!(&gathered, claims);
    let open = rig.see(&format!("{meeting}/claims?open=true&limit=500")).await;
    let answered = rig.see(&format!("{meeting}/claims?open=false&limit=500")).await;
    let count = |page: &Value| page["items"].as_array().map_or(0, Vec::len);
    assert_eq!(count(&open) + count(&answered), claims.len());
    let named = rig.see(&format!("{meeting}/claims?ids=c4, c1,c999")).await;
    assert_eq!(named["items"], json!([claims[0], claims[3]]));
    for (query, pointer) in [("ids=m1", "/ids"), ("cursor=x", "/cursor"), ("limit=0", "/limit")] {
        let (status, problem) = rig.get(&format!("{meeting}/claims?{query}")).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
}

#[tokio::test]
async fn how_sound_a_deliberation_is_is_told_of_any_moment() {
    let (rig, meeting) = held(json!({})).await;
    let now = rig.send(Method::GET, &format!("{meeting}/deliberation-health"), &[], None).await;
    let last = now.body["last_seq"].as_u64().expect("a number");
    assert_eq!((now.status, now.header("etag")), (StatusCode::OK, format!("\"{last}\"").as_str()));
    assert_eq!(
        (&now.body["simulated"], &now.body["independence"]["simulated"]),
        (&json!(true), &json!(true))
    );
    assert!(!now.body["verdict"]["because"].as_array().expect("reasons").is_empty());
    let known = [("if-none-match", now.header("etag"))];
    let again = rig.send(Method::GET, &format!("{meeting}/deliberation-health"), &known, None).await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    assert_eq!(rig.see(&format!("{meeting}/deliberation-health?at={last}")).await, now.body);
    let first = rig.see(&format!("{meeting}/deliberation-health?at=1")).await;
    assert_eq!((&first["verdict"]["standing"], &first["last_seq"]), (&json!("open"), &json!(1)));
    let (status, problem) = rig.get(&format!("{meeting}/deliberation-health?at={}", last + 1)).await;
    assert_eq!((status, &problem["errors"][0]["pointer"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("/at")));
}
