//! Search over HTTP: what is found, and by whom.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access_server::App;
use crate::test_server::Rig;

/// The hits once all events are in the index.
async fn found(rig: &Rig, query: &[(&str, &str)]) -> Value {
    let address =
        url::Url::parse_with_params(&format!("{}/api/v1/search", rig.url), query).expect("an address");
    let path = address.as_str().split_once("/api/v1").expect("ours").1.to_owned();
    for _ in 0..500 {
        let body = rig.see(&path).await;
        if body["lag"] == 0 {
            return body;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the index never caught up");
}

fn hits(body: &Value) -> Vec<(String, String)> {
    let hits = body["items"].as_array().expect("hits");
    let text = |hit: &Value, name: &str| hit[name].as_str().expect("text").to_owned();
    hits.iter().map(|hit| (text(hit, "kind"), text(hit, "by"))).collect()
}

#[tokio::test]
async fn words_are_found_in_both_languages_and_narrowed_down() {
    let rig = Rig::start().await;
    let chinese = rig.meeting(json!({"topic": "数据库选型：要不要缓存？"})).await;
    let english = rig.meeting(json!({"topic": "Backups every night?"})).await;
    let unwritten = rig.meeting(json!({"topic": "缓存 backups in secret", "off_record": true})).await;
    let moment = rig.see(&chinese).await["updated_at"].as_str().expect("a moment").to_owned();
    for (meeting, words) in [
        (&chinese, "先做缓存，再谈备份。"),
        (&chinese, "备份每天一次。"),
        (&english, "A backup that nobody restores is none."),
        (&unwritten, "缓存 backup"),
    ] {
        rig.execute(&format!("{meeting}/messages"), json!({"content": words})).await;
    }
    let id = chinese.trim_start_matches("/meetings/");
    let count = |body: &Value| hits(body).len();
    assert_eq!(count(&found(&rig, &[("q", "缓存")]).await), 2, "a topic and a message");
    let said = found(&rig, &[("q", "缓存"), ("kind", "message")]).await;
    let (kind, who) = hits(&said).pop().expect("one");
    assert_eq!((count(&said), kind.as_str()), (1, "message"));
    let marked: Vec<&Value> = said["items"][0]["snippet"].as_array().expect("pieces").iter().collect();
    assert!(marked.iter().any(|piece| piece.to_string().contains("缓存")), "{said}");
    assert_eq!(said["items"][0]["meeting"], id);
    assert_eq!(count(&found(&rig, &[("q", "backup")]).await), 2, "the beginning of a word");
    assert_eq!(count(&found(&rig, &[("q", "\"every night\"")]).await), 1);
    assert_eq!(count(&found(&rig, &[("q", "\"night every\"")]).await), 0);
    assert_eq!(count(&found(&rig, &[("q", "备份 缓存")]).await), 1, "all words");
    assert_eq!(count(&found(&rig, &[("q", "备份"), ("meeting", id)]).await), 2);
    assert_eq!(count(&found(&rig, &[("q", "backup"), ("meeting", id)]).await), 0);
    assert_eq!(count(&found(&rig, &[("q", "备份"), ("participant", &who)]).await), 2);
    assert_eq!(count(&found(&rig, &[("q", "备份"), ("participant", "Nobody")]).await), 0);
    assert_eq!(count(&found(&rig, &[("q", "备份"), ("happened_before", &moment)]).await), 0);
    assert_eq!(count(&found(&rig, &[("q", "备份"), ("happened_after", &moment)]).await), 2);
    assert_eq!(count(&found(&rig, &[("q", "缓存"), ("kind", "topic,message")]).await), 2);

    let (mut pages, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let mut query = vec![("q", "备份"), ("limit", "1")];
        query.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let page = found(&rig, &query).await;
        pages.extend(page["items"].as_array().expect("hits").iter().map(|hit| hit["seq"].clone()));
        match page["next_cursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => break,
        }
    }
    assert_eq!(pages.len(), 2);
    assert_ne!(pages[0], pages[1]);
    assert_eq!(rig.ask(Method::DELETE, &chinese, None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(count(&found(&rig, &[("q", "备份")]).await), 0, "what is deleted is found no more");
}

#[tokio::test]
async fn what_cannot_be_looked_for_is_said() {
    let rig = Rig::start().await;
    for (query, pointer) in [
        ("q=x&limit=0", "/limit"),
        ("q=x&limit=101", "/limit"),
        ("q=x&kind=poem", "/kind"),
        ("q=x&cursor=nonsense", "/cursor"),
        ("q=x&happened_after=soon", "/happened_after"),
        ("q=", "/q"),
        ("", ""),
        ("q=x&q=y", ""),
        ("q=x&more=1", "/more"),
    ] {
        let (status, problem) = rig.get(&format!("/search?{query}")).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{query}: {problem}");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{query}: {problem}");
    }
    let (status, problem) = rig.get("/search?q=x&meeting=nowhere").await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{problem}");
    // Operators of the index are plain words here.
    for words in [
        "NEAR(a b)",
        "a OR b",
        "*",
        "\"",
        "a\"b",
        "col:x",
        "-x",
        "^x",
        "'); DROP TABLE event; --",
        "(((",
        "\u{0}",
    ] {
        let address = url::Url::parse_with_params("http://x/search", [("q", words)]).expect("an address");
        let (status, body) = rig.get(&format!("/search?{}", address.query().expect("one"))).await;
        assert!(matches!(status.as_u16(), 200 | 422), "{words}: {status} {body}");
    }
}

#[tokio::test]
async fn nobody_finds_what_they_may_not_see() {
    let app = App::open(crate::access::generous()).await;
    let owner = app.owner().await.text("access_token");
    let mut meetings = Vec::new();
    for topic in ["aubergine one", "aubergine two"] {
        let body = json!({"topic": topic, "simulate": true});
        meetings.push(app.by(&owner, Method::POST, "/meetings", Some(body)).await.text("id"));
    }
    let reader = app.token(&owner, json!({"name": "r", "scope": "read"})).await.text("token");
    let bound =
        app.token(&owner, json!({"name": "b", "scope": "read", "meeting": meetings[0]})).await.text("token");
    let seen = |token: String, query: String| {
        let app = &app;
        async move {
            loop {
                let answer = app.by(&token, Method::GET, &format!("/search?q=aubergine{query}"), None).await;
                if answer.body["lag"].as_u64() == Some(0) || answer.status != StatusCode::OK {
                    return (answer.status, answer.body["items"].as_array().map_or(0, Vec::len));
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    };
    let named = |id: &str| format!("&meeting={id}");
    assert_eq!(seen(reader.clone(), String::new()).await, (StatusCode::OK, 2));
    assert_eq!(seen(bound.clone(), String::new()).await, (StatusCode::OK, 1), "their own meeting alone");
    assert_eq!(seen(bound.clone(), named(&meetings[0])).await, (StatusCode::OK, 1));
    assert_eq!(seen(bound.clone(), named(&meetings[1])).await, (StatusCode::NOT_FOUND, 0));

    let path = format!("/meetings/{}", meetings[1]);
    let locked = app.by(&owner, Method::PATCH, &path, Some(json!({"password": "open sesame"}))).await;
    assert_eq!(locked.status, StatusCode::OK, "{}", locked.body);
    assert_eq!(seen(reader.clone(), String::new()).await, (StatusCode::OK, 1), "the other one is locked");
    assert_eq!(seen(reader.clone(), named(&meetings[1])).await, (StatusCode::NOT_FOUND, 0));
    assert_eq!(seen(owner.clone(), String::new()).await, (StatusCode::OK, 2));
    let body = json!({"password": "open sesame", "name": "Eve", "tokens": true});
    let eve = app.ask(Method::POST, &format!("{path}/enter"), &[], Some(body)).await.text("access_token");
    assert_eq!(seen(eve.clone(), String::new()).await, (StatusCode::OK, 1), "whoever has entered finds");
    assert_eq!(seen(eve, named(&meetings[0])).await, (StatusCode::NOT_FOUND, 0));
    assert_eq!(seen(String::new(), String::new()).await, (StatusCode::UNAUTHORIZED, 0));
}
