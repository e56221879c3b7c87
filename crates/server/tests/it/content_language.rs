//! Problems are in the client's language.

use quorate_server::AccessOptions;
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::access_server::App;
use crate::test_server::Rig;

const CHINESE: (&str, &str) = ("accept-language", "zh-CN,zh;q=0.9,en;q=0.5");

fn is_chinese(text: &serde_json::Value) -> bool {
    text.as_str().is_some_and(|text| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)))
}

#[tokio::test]
async fn a_problem_is_told_in_the_readers_language() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let long = json!({"topic": "x".repeat(201), "simulate": true});
    for (method, path, body, sort) in [
        (Method::GET, "/meetings/nowhere".to_owned(), None, "not-found"),
        (Method::GET, "/nothing".to_owned(), None, "not-found"),
        (Method::PUT, "/meetings".to_owned(), None, "method-not-allowed"),
        (Method::POST, "/meetings".to_owned(), Some(long), "invalid"),
        (Method::POST, "/meetings".to_owned(), Some(json!({})), "invalid"),
        (Method::POST, "/meetings".to_owned(), Some(json!([])), "invalid"),
        (Method::POST, format!("{meeting}/pause"), None, "not-started"),
        (Method::POST, format!("{meeting}/messages"), Some(json!({"content": ""})), "invalid"),
        (Method::GET, "/meetings?limit=0".to_owned(), None, "invalid"),
        (Method::GET, "/meetings?cursor=x".to_owned(), None, "invalid"),
        (Method::POST, "/agents".to_owned(), Some(json!({"name": "Ada"})), "invalid"),
        (Method::GET, "/agents/nobody".to_owned(), None, "not-found"),
        (Method::PUT, "/providers/x".to_owned(), Some(json!({})), "invalid"),
        (Method::PATCH, meeting.clone(), Some(json!({"password": ""})), "invalid"),
    ] {
        let chinese = rig.send(method.clone(), &path, &[CHINESE], body.clone()).await;
        let english = rig.send(method, &path, &[("accept-language", "fr, en;q=0.1")], body).await;
        let headers = |answer: &crate::test_server::Answered| {
            let has = |value: &str| answer.headers.get_all("vary").iter().any(|vary| vary == value);
            (answer.header("content-language").to_owned(), has("accept-language"))
        };
        assert_eq!((english.sort(), chinese.sort()), (sort, sort), "{path}: {}", chinese.body);
        assert_eq!(chinese.status, english.status);
        assert_eq!(headers(&chinese), ("zh-CN".to_owned(), true), "{path}");
        assert_eq!(headers(&english), ("en".to_owned(), true), "{path}");
        assert_eq!(chinese.header("content-type"), "application/problem+json");
        for part in ["title", "detail", "hint"] {
            assert!(is_chinese(&chinese.body[part]), "{path}: {part}: {}", chinese.body);
            assert!(!is_chinese(&english.body[part]), "{path}: {part}: {}", english.body);
        }
        let pointer = |answer: &crate::test_server::Answered| answer.body["errors"][0]["pointer"].clone();
        assert_eq!(pointer(&chinese), pointer(&english), "{path}");
    }
    let fine = rig.send(Method::GET, &meeting, &[CHINESE], None).await;
    assert_eq!((fine.status, fine.header("content-language")), (StatusCode::OK, ""));
}

#[tokio::test]
async fn a_mistake_in_what_was_sent_is_told_without_words_of_the_decoder() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    for (method, path, body, told) in [
        (
            Method::POST,
            "/meetings".to_owned(),
            json!({ "topik": "x" }),
            "topik：没有字段 `topik`，可用的有：",
        ),
        (
            Method::POST,
            "/meetings".to_owned(),
            json!({ "topic": 7 }),
            "topic：类型不对：应当是文字，收到的是数字 7",
        ),
        (
            Method::POST,
            "/meetings".to_owned(),
            json!({ "topic": "x", "seats": -1 }),
            "seats：-1 超出范围：0 到 ",
        ),
        (
            Method::POST,
            "/meetings".to_owned(),
            json!({ "topic": "x", "format": "duel" }),
            "没有 `duel` 这个值，可用的有：",
        ),
        (
            Method::POST,
            "/meetings".to_owned(),
            json!({ "topic": "x", "simulate": true, "rules": { "limits": { "max_rounds": "3" } } }),
            "rules.limits.max_rounds：类型不对：应当是整数，收到的是文字",
        ),
        (Method::POST, format!("{meeting}/messages"), json!({}), "缺少字段 `content`"),
        (Method::PATCH, meeting.clone(), json!({ "rules": { "limit": 1 } }), "没有字段 `limit`，可用的有："),
        (Method::PATCH, "/settings".to_owned(), json!({ "limits": { "nothing": 1 } }), "没有字段 `nothing`"),
    ] {
        let answer = rig.send(method, &path, &[CHINESE], Some(body.clone())).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {}", answer.body);
        let detail = answer.body["detail"].as_str().expect("a detail");
        assert!(detail.contains(told), "{body}: {detail}");
        for word in ["expected", "invalid", "unknown", "missing"] {
            assert!(!detail.contains(word), "{body}: {detail}");
        }
    }
    for (query, told) in [("limit=x", "limit：值不对：应当是整数"), ("nothing=1", "没有字段 `nothing`")]
    {
        let answer = rig.send(Method::GET, &format!("/meetings?{query}"), &[CHINESE], None).await;
        let detail = answer.body["detail"].as_str().expect("a detail");
        assert!(detail.contains(told), "{query}: {detail}");
    }
}

#[tokio::test]
async fn what_else_an_answer_says_stays_with_it() {
    let app = App::open(AccessOptions::default()).await;
    let answer = app.ask(Method::GET, "/meetings", &[CHINESE], None).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert!(is_chinese(&answer.body["detail"]), "{}", answer.body);
    for header in ["www-authenticate", "x-request-id", "content-security-policy"] {
        assert!(answer.headers.contains_key(header), "{header}: {:?}", answer.headers);
    }
    let body = json!({ "name": "owner", "password": "wrong wrong" });
    let mut last = app.ask(Method::POST, "/sessions", &[CHINESE], Some(body.clone())).await;
    for _ in 0..11 {
        last = app.ask(Method::POST, "/sessions", &[CHINESE], Some(body.clone())).await;
    }
    assert_eq!(last.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(is_chinese(&last.body["detail"]) && last.headers.contains_key("retry-after"), "{}", last.body);
}
