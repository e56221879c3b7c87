//! Requests that a fuzzer makes of the OpenAPI document: the server takes what it allows, and refuses what it does not.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::test_server::Rig;

#[tokio::test]
async fn a_whole_number_may_have_a_fraction_of_zero() {
    let rig = Rig::start().await;
    let new = r#"{"topic": "x", "simulate": true, "seats": 3.0, "rules": {"limits": {"max_rounds": 18.0}}}"#;
    let url = format!("{}/api/v1/meetings", rig.url);
    let request = rig.client.post(url).header("content-type", "application/json").body(new);
    let answer = request.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::CREATED);
    let made: serde_json::Value = answer.json().await.expect("JSON");
    let id = made["id"].as_str().expect("an id");
    let rules = rig.see(&format!("/meetings/{id}/rules")).await;
    assert_eq!(rules["limits"]["max_rounds"], 18, "{rules}");
}

#[tokio::test]
async fn a_text_in_a_query_is_no_longer_than_the_document_says() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let id = meeting.rsplit('/').next().expect("an id");
    let document = rig.see("/openapi.json").await;
    let mut refused = 0;
    for (path, item) in document["paths"].as_object().expect("the paths") {
        let Some(parameters) = item["get"]["parameters"].as_array() else { continue };
        for parameter in parameters.iter().filter(|parameter| parameter["in"] == "query") {
            let (name, schema) = (parameter["name"].as_str().expect("a name"), &parameter["schema"]);
            let is_text = schema["type"] == "string" && schema["enum"].is_null();
            let Some(most) = schema["maxLength"].as_u64() else {
                assert!(
                    !is_text || !schema["format"].is_null() || !schema["pattern"].is_null(),
                    "{path} {name}"
                );
                continue;
            };
            let path = path.trim_start_matches("/api/v1").replace("{id}", id);
            let asked = format!("{path}?{name}={}", "x".repeat(usize::try_from(most).expect("a length") + 1));
            let answer = rig.send(Method::GET, &asked, &[], None).await;
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{path} {name}: {}", answer.body);
            assert_eq!(answer.body["errors"][0]["pointer"], format!("/{name}"), "{path}: {}", answer.body);
            refused += 1;
        }
    }
    assert!(refused > 12, "{refused}");
    // All types of events at once are a value that is allowed.
    let types = quorate_contract::EventBody::KINDS.join(",");
    let answer = rig.send(Method::GET, &format!("{meeting}/log?types={types}"), &[], None).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
}

#[tokio::test]
async fn a_path_that_no_route_matches_is_named_as_such() {
    let rig = Rig::start().await;
    let missing = rig.send(Method::GET, "/meetingz", &[], None).await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    assert_eq!(
        (&missing.body["resource_type"], &missing.body["resource_id"]),
        (&json!("route"), &json!("/api/v1/meetingz")),
        "{}",
        missing.body
    );
}

#[tokio::test]
async fn an_empty_filter_and_a_place_after_the_end_are_refused() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let last = rig.see(&meeting).await["last_seq"].as_u64().expect("a number");
    for (path, field) in [
        ("/audit?meeting=".to_owned(), "/meeting"),
        ("/audit?cursor=".to_owned(), "/cursor"),
        (format!("{meeting}/context?after={}", last + 1), "/after"),
        (format!("{meeting}/context?after={}", i64::MAX), "/after"),
    ] {
        let refused = rig.send(Method::GET, &path, &[], None).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{path}: {}", refused.body);
        assert_eq!(refused.body["errors"][0]["pointer"], field, "{path}: {}", refused.body);
        assert!(refused.body["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{path}");
    }
    let read = rig.see(&format!("{meeting}/context?after={last}")).await;
    assert_eq!(read["cursor"], last, "{read}");
}

#[tokio::test]
async fn a_change_of_nothing_changes_nothing() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let agent = json!({"name": "Ada", "role": "r", "description": "d", "temperament": "stubborn"});
    rig.execute("/agents", agent).await;
    let before = (rig.see(&meeting).await["last_seq"].clone(), rig.see("/agents/Ada").await);
    for (path, body) in [
        (meeting.clone(), json!({ "topic": null, "rules": null, "announcement": null })),
        (format!("{meeting}/participants/p1"), json!({ "presence": null, "skip_list": null })),
        (format!("{meeting}/participants/p1"), json!({})),
        ("/agents/Ada".to_owned(), json!({ "name": null, "role": null, "model": null, "api_key": null })),
    ] {
        let answer = rig.send(Method::PATCH, &path, &[], Some(body.clone())).await;
        assert_eq!(answer.status, StatusCode::OK, "{path} {body}: {}", answer.body);
    }
    assert_eq!((rig.see(&meeting).await["last_seq"].clone(), rig.see("/agents/Ada").await), before);
    let nobody = rig.send(Method::PATCH, &format!("{meeting}/participants/p99"), &[], Some(json!({}))).await;
    assert_eq!(nobody.status, StatusCode::NOT_FOUND);
    // What is new has to have what it is made of.
    for (path, body) in [
        ("/agents", json!({ "name": null, "role": null, "description": null })),
        ("/webhooks", json!({ "url": null })),
        ("/import", json!({ "files": {} })),
        ("/import", json!({ "files": { "": "" } })),
    ] {
        let refused = rig.send(Method::POST, path, &[], Some(body.clone())).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{path} {body}: {}", refused.body);
    }
    // A version that is none is no version.
    let empty = [("if-match", "")];
    let refused = rig.send(Method::PATCH, &meeting, &empty, Some(json!({ "topic": "y" }))).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
}

/// Whether a body fulfils a condition of the document. Of JSON Schema, only what conditions are written in.
fn fulfils(schema: &Value, body: &Value, document: &Value) -> bool {
    let Some(keywords) = schema.as_object() else { return true };
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    keywords.iter().all(|(keyword, value)| match keyword.as_str() {
        "$ref" => {
            let pointer = value.as_str().expect("a reference").trim_start_matches('#');
            fulfils(document.pointer(pointer).expect("leads somewhere"), body, document)
        }
        "properties" => value
            .as_object()
            .into_iter()
            .flatten()
            .all(|(field, schema)| body.get(field).is_none_or(|given| fulfils(schema, given, document))),
        "required" => list(value).iter().all(|field| body.get(field.as_str().expect("a name")).is_some()),
        "type" => {
            let kinds = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
            let kind = match body {
                Value::Null => "null",
                Value::Bool(_) => "boolean",
                Value::Number(_) => "number",
                Value::String(_) => "string",
                Value::Array(_) => "array",
                Value::Object(_) => "object",
            };
            kinds.iter().any(|one| one == kind || (one == "integer" && body.is_u64()))
        }
        "enum" => list(value).contains(body),
        "const" => value == body,
        "oneOf" | "anyOf" => list(value).iter().any(|one| fulfils(one, body, document)),
        "allOf" => list(value).iter().all(|one| fulfils(one, body, document)),
        "if" => {
            let next = if fulfils(value, body, document) { "then" } else { "else" };
            keywords.get(next).is_none_or(|next| fulfils(next, body, document))
        }
        "minItems" => {
            body.as_array().is_none_or(|items| items.len() as u64 >= value.as_u64().expect("a number"))
        }
        "maxItems" => {
            body.as_array().is_none_or(|items| items.len() as u64 <= value.as_u64().expect("a number"))
        }
        "minLength" => {
            body.as_str().is_none_or(|text| text.chars().count() as u64 >= value.as_u64().expect("one"))
        }
        "maxLength" => {
            body.as_str().is_none_or(|text| text.chars().count() as u64 <= value.as_u64().expect("one"))
        }
        // The one pattern that is here says that a text is not blank.
        "pattern" => body
            .as_str()
            .is_none_or(|text| !value.as_str().expect("text").contains(r"\S") || !text.trim().is_empty()),
        _ => true,
    })
}

#[tokio::test]
async fn what_a_body_has_to_have_stands_in_the_document() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let document = quorate_server::openapi();
    let sound = json!({ "name": "Ada", "role": "r", "description": "d" });
    let agent = |more: Value| {
        let mut agent = sound.clone();
        agent.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        agent
    };
    let long = " ".repeat(20) + &"a".repeat(40);
    let participants = format!("{meeting}/participants");
    let minutes = format!("{meeting}/minutes");
    for (path, place, bodies) in [
        (
            "/agents",
            "/api/v1/agents",
            vec![
                agent(json!({})),
                agent(json!({ "model": null, "temperament": null })),
                agent(json!({ "temperament": "stubborn", "model": "openai/m" })),
                agent(json!({ "temperament": "stubborn", "temperature": 1 })),
                agent(json!({ "temperament": "stubborn", "fallback": "none" })),
                agent(json!({ "temperament": "stubborn", "api_key": "k" })),
                agent(json!({ "temperament": "stubborn", "name": " " })),
                agent(
                    json!({ "temperament": "stubborn", "temperature": null, "model": null, "api_key": null }),
                ),
                agent(json!({ "temperament": "stubborn", "name": "Ben" })),
            ],
        ),
        (
            participants.as_str(),
            "/api/v1/meetings/{id}/participants",
            vec![
                json!({}),
                json!({ "role": { "name": "r", "description": "d" } }),
                json!({ "agent": "Ada", "name": "Ada" }),
                json!({ "agent": "Ada", "description": "d" }),
                json!({ "agent": "Ada", "skip_list": ["ok"] }),
                json!({ "description": "d", "temperament": "stubborn" }),
                json!({ "agent": null, "name": null, "description": null }),
                json!({ "name": "Dora", "agent": null, "temperament": "stubborn" }),
            ],
        ),
        (
            "/meetings",
            "/api/v1/meetings",
            vec![
                json!({}),
                json!({ "topic": null }),
                json!({ "topic": "  " }),
                json!({ "topic": "x", "simulate": true, "seats": 3 }),
            ],
        ),
        (
            "/meetings/estimate",
            "/api/v1/meetings/estimate",
            vec![json!({}), json!({ "topic": "x", "simulate": true })],
        ),
        (
            "/templates",
            "/api/v1/templates",
            vec![json!({ "name": " ", "body": {} }), json!({ "name": "t", "body": {} })],
        ),
        (
            "/webhooks",
            "/api/v1/webhooks",
            vec![
                json!({ "url": "https://example.com/" }),
                json!({ "url": "https://example.com/", "events": [] }),
                json!({ "url": "https://example.com/", "events": null, "agent": null }),
                json!({ "url": "https://example.com/", "events": ["*"], "turns": true }),
                json!({ "url": "https://example.com/", "agent": "ada", "turns": false }),
                json!({ "url": "https://example.com/", "agent": " ", "events": ["*"] }),
                json!({ "url": "https://example.com/", "agent": long, "events": ["*"] }),
                json!({ "url": "https://example.com/", "agent": "ada" }),
                json!({ "url": "https://example.com/", "events": ["*"], "agent": null }),
            ],
        ),
        (
            "/me/mentions/read",
            "/api/v1/me/mentions/read",
            vec![json!({ "seq": 3 }), json!({ "seq": null }), json!({})],
        ),
        (
            "/tokens",
            "/api/v1/tokens",
            vec![
                json!({ "name": "\t", "scope": "read" }),
                json!({ "name": " ".repeat(100) + "a", "scope": "read" }),
                json!({ "name": "t", "scope": "speak", "agent": long }),
                json!({ "name": "t", "scope": "read" }),
            ],
        ),
        (minutes.as_str(), "/api/v1/meetings/{id}/minutes", vec![json!({}), json!({ "content": " " })]),
        // Last: with an account, everybody has to sign in.
        (
            "/accounts",
            "/api/v1/accounts",
            vec![
                json!({ "name": long, "password": "long enough", "scope": "owner" }),
                json!({ "name": "  ", "password": "long enough", "scope": "owner" }),
                json!({ "name": " mia ", "password": "long enough", "scope": "owner" }),
            ],
        ),
    ] {
        let method =
            if place.contains("minutes") || place.contains("mentions") { Method::PUT } else { Method::POST };
        let operation = &document["paths"][place][method.as_str().to_lowercase()];
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let mut refused = Vec::new();
        for body in bodies {
            let answer = rig.send(method.clone(), path, &[], Some(body.clone())).await;
            let is_sound = answer.status != StatusCode::UNPROCESSABLE_ENTITY;
            assert_eq!(fulfils(schema, &body, &document), is_sound, "{path} {body}: {}", answer.body);
            refused.push(!is_sound);
        }
        assert!(refused.contains(&true), "{path} refuses something");
        if refused[0] && operation["requestBody"]["content"]["application/json"].get("example").is_none() {
            assert_eq!(operation["requestBody"]["required"], true, "{path}");
        }
    }
}

#[tokio::test]
async fn an_unknown_language_in_a_query_is_refused() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    for path in [
        "/formats?lang=".to_owned(),
        format!("{meeting}/report?lang="),
        format!("{meeting}/report/markdown?lang="),
        format!("{meeting}/export?lang="),
        format!("{meeting}/events?lang="),
    ] {
        for wrong in ["fr", "", "EN", "zh-CN"] {
            let refused = rig.send(Method::GET, &format!("{path}{wrong}"), &[], None).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{path}{wrong}: {}", refused.body);
            assert_eq!(refused.body["errors"][0]["pointer"], "/lang", "{path}{wrong}");
        }
    }
}
