//! Guests: a guest is nobody else, whatever its name.

use quorate_contract::{Actor, EventBody, MeetingId};
use quorate_engine::Journal;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access::generous;
use crate::access_server::App;

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

/// What came of joining by a link made with these fields.
async fn joins(app: &App, owner: &str, id: &str, link: Value, name: &str) -> Value {
    let invited = app.by(owner, Method::POST, &format!("/meetings/{id}/invitations"), Some(link)).await;
    assert_eq!(invited.status, StatusCode::CREATED, "{}", invited.body);
    let join = json!({ "code": invited.text("code"), "name": name, "tokens": true });
    let joined = app.ask(Method::POST, "/join", &[], Some(join)).await;
    assert_eq!(joined.status, StatusCode::CREATED, "{}", joined.body);
    joined.body
}

fn token(joined: &Value) -> String {
    joined["access_token"].as_str().expect("a token").to_owned()
}

/// The participants who are at the table: name, role and who answers.
async fn table(app: &App, owner: &str, id: &str) -> Vec<(String, String, Value)> {
    let page = app.by(owner, Method::GET, &format!("/meetings/{id}/participants"), None).await;
    let items = page.body["items"].as_array().expect("a list").clone();
    let here = items.iter().filter(|seat| seat["present"] == true).map(|seat| &seat["participant"]);
    here.map(|one| {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        (text(&one["name"]), text(&one["role"]["name"]), one["runner"].clone())
    })
    .collect()
}

fn seat(role: &str) -> Value {
    json!({ "scope": "speak", "seat": { "role": role } })
}

#[tokio::test]
async fn a_guest_with_a_seat_answers_a_whole_meeting() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let new = json!({
        "topic": "Is SQLite enough?", "lang": "en", "format": "consensus", "facilitator": { "enabled": false },
        "participants": [{ "name": "Ben", "temperament": "agreeable" }],
        "rules": { "turns": { "blind_round": true }, "limits": { "max_rounds": 1 } },
    });
    let id = app.by(&owner, Method::POST, "/meetings", Some(new)).await.text("id");
    let joined = joins(&app, &owner, &id, seat("Architect"), "Lin").await;
    assert_eq!(joined["seat"], json!({ "name": "Lin", "problem": null }));
    let lin = token(&joined);
    let me = app.by(&lin, Method::GET, "/me", None).await;
    let at_table = table(&app, &owner, &id).await;
    let runner = json!({ "kind": "external", "via": "person", "name": me.text("person") });
    assert_eq!(at_table[1], ("Lin".to_owned(), "Architect".to_owned(), runner));
    // One who only watches is at the same meeting, and has no turn.
    let watcher = token(&joins(&app, &owner, &id, json!({ "scope": "speak" }), "Mei").await);
    let started = app.by(&owner, Method::POST, &format!("/meetings/{id}/start"), None).await;
    assert_eq!(started.status, StatusCode::OK, "{}", started.body);
    let mut kinds = Vec::new();
    for _ in 0..20 {
        let open = app.by(&lin, Method::GET, "/turns?wait_seconds=5", None).await;
        assert_eq!(open.status, StatusCode::OK, "{}", open.body);
        let Some(turn) = open.body["items"].get(0) else { break };
        let kind = turn["kind"].as_str().expect("a kind").to_owned();
        let ticket = turn["ticket"].as_str().expect("a ticket");
        let answer = match kind.as_str() {
            "blind" => json!({ "fields": {
                "position": "Yes", "claims": ["One file is enough"], "confidence": 80,
                "would_change_my_mind": "many writers", "unshared_facts": [],
            } }),
            "vote" => json!({ "fields": { "score": 95, "pass": true, "reason": "it holds", "missing": [] } }),
            _ => json!({ "text": "I agree with Ben." }),
        };
        let path = format!("/turns/{ticket}/answer");
        let stolen = app.by(&watcher, Method::POST, &path, Some(answer.clone())).await;
        assert_eq!((stolen.status, stolen.sort()), (StatusCode::CONFLICT, "turn-is-over"));
        let taken = app.by(&lin, Method::POST, &path, Some(answer)).await;
        assert_eq!(taken.status, StatusCode::OK, "{}", taken.body);
        kinds.push(kind);
    }
    let watched = app.by(&watcher, Method::GET, "/turns", None).await;
    assert_eq!((watched.status, &watched.body["items"]), (StatusCode::OK, &json!([])));
    assert_eq!(kinds, ["blind", "speak", "vote"]);
    let state = app.by(&owner, Method::GET, &format!("/meetings/{id}"), None).await.text("state");
    assert_eq!(state, "ended");
    // Who comes when the meeting is over is told, and watches.
    let late = joins(&app, &owner, &id, seat(""), "Tao").await;
    assert_eq!(late["seat"]["name"], Value::Null);
    assert_eq!(late["seat"]["problem"]["type"], "/api/v1/problems#meeting-is-over");
    assert_eq!(
        app.by(&token(&late), Method::GET, &format!("/meetings/{id}"), None).await.status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn a_seat_is_offered_to_a_guest_who_may_speak_and_is_given_up_by_one_who_goes() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let id = meeting(&app, &owner, json!([{ "name": "Ada", "temperament": "balanced" }])).await;
    let path = format!("/meetings/{id}/invitations");
    for (link, field) in [
        (json!({ "scope": "read", "seat": {} }), "/seat"),
        (json!({ "scope": "speak", "seat": { "role": "x".repeat(51) } }), "/seat/role"),
    ] {
        let refused = app.by(&owner, Method::POST, &path, Some(link)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
        assert_eq!(refused.body["errors"][0]["pointer"], field, "{}", refused.body);
    }
    let link = json!({ "scope": "speak", "name": "Lin", "seat": {}, "uses": 2 });
    let invited = app.by(&owner, Method::POST, &path, Some(link)).await;
    assert_eq!(invited.body["seat"], json!({ "role": "" }), "{}", invited.body);
    let join = json!({ "code": invited.text("code"), "tokens": true });
    let first = app.ask(Method::POST, "/join", &[], Some(join.clone())).await;
    assert_eq!(first.body["seat"]["name"], "Lin", "{}", first.body);
    // Who comes again has the seat that they had.
    let second = app.ask(Method::POST, "/join", &[], Some(join)).await;
    assert_eq!(second.body["seat"]["name"], "Lin", "{}", second.body);
    let here = table(&app, &owner, &id).await;
    assert_eq!(
        here.iter().map(|seat| (&seat.0[..], &seat.1[..])).collect::<Vec<_>>()[1..],
        [("Lin", "Person")]
    );
    // A guest without such an invitation takes none.
    let mei = guest(&app, &owner, &id, json!({ "scope": "speak" }), Some("Mei")).await;
    let refused = app.by(&mei, Method::POST, &format!("/meetings/{id}/join"), None).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    let session = second.body["session"]["id"].as_str().expect("an id");
    let gone = app.by(&owner, Method::DELETE, &format!("/meetings/{id}/guests/{session}"), None).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT, "{}", gone.body);
    assert_eq!(table(&app, &owner, &id).await.len(), 1, "the seat went with the guest");
    let tao = token(&joins(&app, &owner, &id, seat(""), "Tao").await);
    assert_eq!(table(&app, &owner, &id).await.len(), 2);
    assert_eq!(app.by(&tao, Method::DELETE, "/sessions", None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(table(&app, &owner, &id).await.len(), 1, "the seat went with the guest");
}

#[tokio::test]
async fn a_person_with_an_account_takes_a_seat_and_gives_it_up() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let id = meeting(&app, &owner, json!([{ "name": "Ada", "temperament": "balanced" }])).await;
    let path = format!("/meetings/{id}/join");
    says(&app, &owner, &id, "I said something before.").await;
    let wanted = json!({ "role": "Chair" });
    for _ in 0..2 {
        let taken = app.by(&owner, Method::POST, &path, Some(wanted.clone())).await;
        assert_eq!((taken.status, taken.text("name").as_str()), (StatusCode::OK, "owner"), "{}", taken.body);
    }
    assert_eq!(table(&app, &owner, &id).await[1].1, "Chair");
    let left = app.by(&owner, Method::DELETE, &path, None).await;
    assert_eq!(left.status, StatusCode::OK, "{}", left.body);
    assert_eq!(app.by(&owner, Method::DELETE, &path, None).await.status, StatusCode::CONFLICT);
    assert_eq!(table(&app, &owner, &id).await.len(), 1);
    // Back again, and under another name.
    for name in ["owner", "Grace"] {
        let taken = app.by(&owner, Method::POST, &path, Some(json!({ "name": name }))).await;
        assert_eq!((taken.status, taken.text("name").as_str()), (StatusCode::OK, name), "{}", taken.body);
        app.by(&owner, Method::DELETE, &path, None).await;
    }
    let refused = app.by(&owner, Method::POST, &path, Some(json!({ "name": "Ada" }))).await;
    assert_eq!((refused.status, refused.sort()), (StatusCode::CONFLICT, "name-taken"), "{}", refused.body);
    let others = (1..16).map(|number| json!({ "name": format!("S{number}"), "temperament": "balanced" }));
    for newcomer in others {
        let added =
            app.by(&owner, Method::POST, &format!("/meetings/{id}/participants"), Some(newcomer)).await;
        assert_eq!(added.status, StatusCode::CREATED, "{}", added.body);
    }
    let full = app.by(&owner, Method::POST, &path, None).await;
    assert_eq!(full.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", full.body);
    app.store.audit_written().await.expect("written");
    for action in ["meetings.join.post", "meetings.join.delete"] {
        let filter = quorate_store::AuditFilter { action: Some(action.to_owned()), ..Default::default() };
        let lines = app.store.audit_page(filter, None, 50).await.expect("a page").items;
        assert!(lines.iter().any(|line| line.by == "user:owner"), "{action}: {lines:?}");
    }
}
