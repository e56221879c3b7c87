//! Guests: a guest is nobody else, whatever its name.

use quorate_contract::{Actor, EventBody, MeetingId};
use quorate_engine::Journal;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access::generous;
use crate::access_rig::App;

/// A room with these participants, as a draft.
async fn meeting(app: &App, owner: &str, participants: Value) -> String {
    let new = json!({
        "topic": "Is SQLite enough?", "lang": "en", "format": "room",
        "participants": participants, "facilitator": { "enabled": false },
    });
    let made = app.by(owner, Method::POST, "/meetings", Some(new)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    made.text("id")
}

/// A guest by a link made with these fields: the session's token.
async fn guest(app: &App, owner: &str, id: &str, link: Value, name: Option<&str>) -> String {
    let invited = app.by(owner, Method::POST, &format!("/meetings/{id}/invitations"), Some(link)).await;
    assert_eq!(invited.status, StatusCode::CREATED, "{}", invited.body);
    let join = json!({ "code": invited.text("code"), "name": name, "tokens": true });
    let joined = app.ask(Method::POST, "/join", &[], Some(join)).await;
    assert_eq!(joined.status, StatusCode::CREATED, "{}", joined.body);
    joined.text("access_token")
}

async fn says(app: &App, token: &str, id: &str, content: &str) {
    let body = Some(json!({ "content": content }));
    let said = app.by(token, Method::POST, &format!("/meetings/{id}/messages"), body).await;
    assert_eq!(said.status, StatusCode::ACCEPTED, "{}", said.body);
}

#[tokio::test]
async fn a_guest_is_nobody_else_whatever_its_name() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let id = meeting(&app, &owner, json!([{ "name": "Ada", "temperament": "balanced" }])).await;
    let open = json!({ "scope": "speak" });
    let lin_token = guest(&app, &owner, &id, open.clone(), Some("Lin")).await;
    let mei_token = guest(&app, &owner, &id, open, Some("Mei")).await;
    says(&app, &lin_token, &id, "first").await;
    says(&app, &mei_token, &id, "second").await;
    let records = app.store.read(MeetingId::new(id.as_str()), 0).await.expect("a log");
    let people: Vec<(&str, &str)> = records
        .iter()
        .filter_map(|record| match &record.event.body {
            EventBody::UserMessage { by: Actor::Person { id, name }, .. } => {
                Some((id.as_str(), name.as_str()))
            }
            _ => None,
        })
        .collect();
    let [(lin, "Lin"), (mei, "Mei")] = people.as_slice() else { panic!("two people spoke: {people:?}") };
    assert!(lin.starts_with("guest:") && mei.starts_with("guest:") && lin != mei, "{people:?}");
    // An account of the guest's name is somebody else, also when it is made later.
    let account = json!({ "name": "lin", "password": "correct horse battery", "scope": "manage" });
    let made = app.by(&owner, Method::POST, "/accounts", Some(account)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    for named in ["guest:7"] {
        let account = json!({ "name": named, "password": "correct horse battery", "scope": "read" });
        let refused = app.by(&owner, Method::POST, "/accounts", Some(account)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{named}: {}", refused.body);
    }
}
