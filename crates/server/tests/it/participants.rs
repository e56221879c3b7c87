//! Participants and the agenda.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::test_server::Rig;

#[tokio::test]
async fn people_come_and_go() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({"format": "discussion", "seats": 2})).await;
    let table = format!("{meeting}/participants");
    let body = json!({"name": "Dora", "temperament": "stubborn"});
    let joined = rig.send(Method::POST, &table, &[], Some(body.clone())).await;
    assert_eq!(joined.status, StatusCode::CREATED, "{}", joined.body);
    let dora = &joined.body["participant"];
    assert_eq!((&dora["participant"]["id"], &dora["simulated"]), (&json!("p3"), &json!(true)));
    assert!(joined.header("location").ends_with("/participants/p3"));
    let twice = rig.send(Method::POST, &table, &[], Some(body)).await;
    assert_eq!((twice.status, twice.sort()), (StatusCode::CONFLICT, "name-taken"), "{}", twice.body);
    rig.ask(Method::PATCH, &format!("{table}/Dora"), Some(json!({"presence": "offline"}))).await;
    assert_eq!(rig.see(&format!("{table}/p3")).await["presence"], "offline");
    let left = rig.ask(Method::DELETE, &format!("{table}/Dora"), None).await;
    assert_eq!(left.0, StatusCode::OK, "{}", left.1);
    let all = rig.see(&table).await;
    assert_eq!(
        (all["items"].as_array().map(Vec::len), &all["items"][2]["present"]),
        (Some(3), &json!(false))
    );
    for (body, pointer) in [
        (json!({}), "/name"),
        (json!({"agent": "Ada", "name": "Ben"}), "/agent"),
        (json!({"description": "somebody", "name": "Ben"}), "/description"),
        (json!({"agent": "Ada", "description": "somebody"}), "/description"),
        (json!({"name": "Eve", "process": "sh"}), "/process"),
        (json!({"name": "Eve", "temperament": "angry"}), "/temperament"),
    ] {
        let (status, problem) = rig.post(&table, body.clone()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {problem}");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
    let (status, _) = rig.post(&table, json!({"agent": "Nobody"})).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(rig.get(&format!("{table}/p9")).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_skip_list_comes_to_the_table_with_whoever_has_it() {
    let rig = Rig::start().await;
    let meeting = rig
        .meeting(json!({
            "format": "room",
            "participants": [{"name": "Ada", "temperament": "balanced", "skip_list": ["ok"]}],
        }))
        .await;
    let table = format!("{meeting}/participants");
    assert_eq!(rig.see(&format!("{table}/p1")).await["participant"]["skip_list"], json!(["ok"]));
    let agent = json!({
        "name": "Lin", "role": "Reviewer", "description": "reads twice", "temperament": "balanced",
        "skip_list": ["收到"],
    });
    let (status, saved) = rig.post("/agents", agent).await;
    assert_eq!((status, &saved["skip_list"]), (StatusCode::CREATED, &json!(["收到"])), "{saved}");
    let list = json!({"skip_list": ["收到", "/status"]});
    rig.ask(Method::PATCH, "/agents/Lin", Some(list.clone())).await;
    let (status, joined) = rig.post(&table, json!({"agent": "Lin"})).await;
    assert_eq!(status, StatusCode::CREATED, "{joined}");
    assert_eq!(joined["participant"]["participant"]["skip_list"], list["skip_list"]);
    for list in [json!(vec!["ok"; 51]), json!(["x".repeat(201)]), json!([" "])] {
        let (status, problem) = rig.post(&table, json!({"name": "Eve", "skip_list": list})).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        let pointer = problem["errors"][0]["pointer"].as_str().unwrap_or_default();
        assert!(pointer.starts_with("/skip_list"), "{problem}");
    }
}

#[tokio::test]
async fn a_skip_list_changes_while_its_participant_is_at_the_table() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({"format": "room", "seats": 2})).await;
    let ada = format!("{meeting}/participants/p1");
    let patch = async |body| rig.ask(Method::PATCH, &ada, Some(body)).await;
    let (status, done) = patch(json!({"skip_list": [" ok ", "/status"]})).await;
    assert_eq!(status, StatusCode::OK, "{done}");
    let seen = rig.see(&ada).await;
    assert_eq!(
        (&seen["participant"]["skip_list"], &seen["presence"]),
        (&json!(["ok", "/status"]), &json!("online"))
    );
    patch(json!({"presence": "offline", "skip_list": []})).await;
    let seen = rig.see(&ada).await;
    assert_eq!(
        (seen["participant"].get("skip_list"), &seen["presence"]),
        (None, &json!("offline")),
        "both in one request"
    );
    let (status, done) = patch(json!({})).await;
    assert_eq!(status, StatusCode::OK, "a change of nothing: {done}");
    for list in [json!(vec!["ok"; 51]), json!(["x".repeat(201)]), json!([" "])] {
        let (status, problem) = patch(json!({"skip_list": list, "presence": "online"})).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        let pointer = problem["errors"][0]["pointer"].as_str().unwrap_or_default();
        assert!(pointer.starts_with("/skip_list"), "{problem}");
    }
    assert_eq!(rig.see(&ada).await["presence"], "offline", "nothing of a wrong request holds");
}

#[tokio::test]
async fn somebody_is_made_of_a_sentence() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({"format": "discussion", "seats": 2})).await;
    rig.execute(&format!("{meeting}/advance"), json!({"until": "turn"})).await;
    let body = json!({"description": "somebody who has run databases for twenty years"});
    let invited = rig.send(Method::POST, &format!("{meeting}/participants"), &[], Some(body)).await;
    assert_eq!((invited.status, &invited.body["invitation"]), (StatusCode::ACCEPTED, &json!(1)));
    for _ in 0..500 {
        let all = rig.see(&format!("{meeting}/participants")).await;
        if all["items"].as_array().map(Vec::len) == Some(3) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("nobody came");
}

#[tokio::test]
async fn the_agenda_is_kept() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let agenda = format!("{meeting}/agenda");
    let added = rig
        .send(Method::POST, &agenda, &[], Some(json!({"title": "Backups", "description": "daily?"})))
        .await;
    assert_eq!((added.status, &added.body["item"]["id"]), (StatusCode::CREATED, &json!("a1")));
    rig.execute(&agenda, json!({"title": "Cost"})).await;
    assert_eq!(
        rig.ask(Method::PATCH, &format!("{agenda}/a1"), Some(json!({"completed": true}))).await.0,
        StatusCode::OK
    );
    assert_eq!(rig.ask(Method::DELETE, &format!("{agenda}/Cost"), None).await.0, StatusCode::OK);
    let left = rig.see(&agenda).await;
    assert_eq!(
        (left["items"].as_array().map(Vec::len), &left["items"][0]["completed"]),
        (Some(1), &json!(true))
    );
    let gone = rig.send(Method::DELETE, &format!("{agenda}/a2"), &[], None).await;
    assert_eq!((gone.status, gone.sort()), (StatusCode::NOT_FOUND, "no-such-agenda-item"));
    let (status, problem) = rig.post(&agenda, json!({"title": ""})).await;
    assert_eq!(
        (status, problem["errors"][0]["pointer"].as_str()),
        (StatusCode::UNPROCESSABLE_ENTITY, Some("/title"))
    );
}

#[test]
fn whoever_reads_the_document_learns_of_the_key() {
    let document = quorate_server::openapi();
    for path in ["/api/v1/meetings", "/api/v1/meetings/{id}/messages", "/api/v1/meetings/{id}/advance"] {
        let post = &document["paths"][path]["post"];
        let named = |parameter: &serde_json::Value| parameter["name"] == "Idempotency-Key";
        assert!(post["parameters"].as_array().is_some_and(|all| all.iter().any(named)), "{path}");
    }
}
