//! People at the table: they come, go, are present, and hand over as host.

use futures::{SinkExt, StreamExt};
use quorate_contract::{Actor, EventBody, MeetingId};
use quorate_engine::Journal;
use quorate_server::{Access, AccessOptions, AccessSecrets, ServerState};
use quorate_store::AuditFilter;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::access::generous;
use crate::access_server::{Answer, App};

/// A room in host mode, as a draft, with the participants Ada and Ben.
pub async fn hosted(app: &App, by: &str) -> String {
    let new = json!({
        "topic": "Is SQLite enough?", "lang": "en", "format": "room", "rules": { "turns": { "floor": "host" } },
        "participants": [
            { "name": "Ada", "temperament": "balanced" }, { "name": "Ben", "temperament": "balanced" },
        ],
        "facilitator": { "enabled": false },
    });
    let made = app.by(by, Method::POST, "/meetings", Some(new)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    made.text("id")
}

/// A session of a new account.
pub async fn account(app: &App, owner: &str, name: &str, scope: &str) -> String {
    let password = "correct horse battery";
    let new = json!({ "name": name, "password": password, "scope": scope });
    let made = app.by(owner, Method::POST, "/accounts", Some(new)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    let signs_in = json!({ "name": name, "password": password, "tokens": true });
    app.ask(Method::POST, "/sessions", &[], Some(signs_in)).await.text("access_token")
}

/// A guest of a meeting, by invitation: what joining gave.
pub async fn guest(app: &App, owner: &str, id: &str, link: Value, name: &str) -> Answer {
    let invited = app.by(owner, Method::POST, &format!("/meetings/{id}/invitations"), Some(link)).await;
    assert_eq!(invited.status, StatusCode::CREATED, "{}", invited.body);
    let join = json!({ "code": invited.text("code"), "name": name, "tokens": true });
    let joined = app.ask(Method::POST, "/join", &[], Some(join)).await;
    assert_eq!(joined.status, StatusCode::CREATED, "{}", joined.body);
    joined
}

pub async fn arrives(app: &App, token: &str, id: &str) -> Value {
    let arrived = app.by(token, Method::PUT, &format!("/meetings/{id}/people/self"), None).await;
    assert_eq!(arrived.status, StatusCode::OK, "{}", arrived.body);
    arrived.body["person"].clone()
}

pub async fn says(app: &App, token: &str, id: &str, content: &str) -> Answer {
    app.by(token, Method::POST, &format!("/meetings/{id}/messages"), Some(json!({ "content": content })))
        .await
}

async fn people(app: &App, token: &str, id: &str) -> Value {
    let listed = app.by(token, Method::GET, &format!("/meetings/{id}/people"), None).await;
    assert_eq!(listed.status, StatusCode::OK, "{}", listed.body);
    listed.body
}

/// Name, kind and presence of everyone on the list.
fn told(people: &Value) -> Vec<(&str, &str, &str)> {
    let items = people["items"].as_array().expect("a list");
    items
        .iter()
        .map(|one| {
            let text = |field: &str| one[field].as_str().expect("a text");
            (text("name"), text("kind"), text("presence"))
        })
        .collect()
}

async fn log(app: &App, id: &str) -> Vec<EventBody> {
    let records = app.store.read(MeetingId::new(id), 0).await.expect("a log");
    records.into_iter().map(|record| record.event.body.clone()).collect()
}

#[tokio::test]
async fn people_come_are_listed_with_their_presence_and_go() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let id = hosted(&app, &owner).await;
    let before = people(&app, &owner, &id).await;
    assert_eq!(told(&before), [("Ada", "participant", "online"), ("Ben", "participant", "online")]);
    assert_eq!(before["host"], json!({ "id": "owner", "name": "User", "is_present": false }));
    let lin = guest(&app, &owner, &id, json!({ "scope": "speak" }), "Lin").await.text("access_token");
    let person = arrives(&app, &lin, &id).await;
    assert_eq!(person["name"], "Lin");
    assert_eq!(arrives(&app, &lin, &id).await, person, "once is enough");
    says(&app, &owner, &id, "Hello, @Lin.").await;
    let page = app.by(&lin, Method::GET, &format!("/meetings/{id}/messages"), None).await;
    assert_eq!(page.body["items"][0]["mentioned_people"], json!([person]), "{}", page.body);
    let here = people(&app, &lin, &id).await;
    assert_eq!(told(&here)[..2], [("Lin", "guest", "online"), ("User", "person", "online")]);
    assert_eq!((&here["items"][1]["is_host"], &here["host"]["is_present"]), (&json!(true), &json!(true)));
    assert!(
        here["items"][0]["last_seen_at"].is_string() && here["items"][0]["joined_at"].is_string(),
        "{here}"
    );
    for (presence, shown) in [("busy", "busy"), ("offline", "offline")] {
        let stated = app.by(&lin, Method::PUT, "/me/presence", Some(json!({ "presence": presence }))).await;
        assert_eq!((stated.status, stated.text("presence").as_str()), (StatusCode::OK, presence));
        assert_eq!(told(&people(&app, &owner, &id).await)[0].2, shown);
    }
    app.by(&lin, Method::GET, "/me", None).await;
    assert_eq!(told(&people(&app, &owner, &id).await)[0].2, "online", "who does something is back");
    // What only reads leaves no trace in the log.
    let length = log(&app, &id).await.len();
    let gone = app.by(&lin, Method::DELETE, &format!("/meetings/{id}/people/self"), None).await;
    assert_eq!(gone.status, StatusCode::OK, "{}", gone.body);
    let log = log(&app, &id).await;
    assert_eq!(log.len(), length + 1);
    assert!(matches!(&log[length], EventBody::PersonLeft { person, .. } if person.name == "Lin"), "{log:?}");
    assert_eq!(told(&people(&app, &owner, &id).await)[0].0, "User");
    app.store.audit_written().await.expect("written");
    for action in ["meetings.people.put", "meetings.people.delete"] {
        let filter = AuditFilter { action: Some(action.to_owned()), ..AuditFilter::default() };
        let lines = app.store.audit_page(filter, None, 50).await.expect("a page").items;
        assert!(lines.iter().all(|line| line.by.starts_with("guest:")) && !lines.is_empty(), "{lines:?}");
    }
}

#[tokio::test]
async fn only_the_host_gives_the_floor_and_hands_over() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let (mei, tao) =
        (account(&app, &owner, "mei", "speak").await, account(&app, &owner, "tao", "manage").await);
    let id = hosted(&app, &owner).await;
    app.by(&owner, Method::POST, &format!("/meetings/{id}/start"), None).await;
    let said = says(&app, &mei, &id, "@Ada what do you think?").await;
    assert_eq!(said.status, StatusCode::ACCEPTED, "{}", said.body);
    let path = format!("/meetings/{id}/speaker");
    let refused = app.by(&mei, Method::POST, &path, Some(json!({ "participant": "Ben" }))).await;
    assert_eq!((refused.status, refused.sort()), (StatusCode::FORBIDDEN, "not-the-host"), "{}", refused.body);
    assert!(refused.text("detail").contains("User"), "{}", refused.body);
    for body in [None, Some(json!({})), Some(json!({ "answers": { "message": "@Ada" } }))] {
        let refused = app.by(&mei, Method::POST, &format!("/meetings/{id}/resume"), body).await;
        assert_eq!(
            (refused.status, refused.sort()),
            (StatusCode::FORBIDDEN, "not-the-host"),
            "{}",
            refused.body
        );
    }
    let spoke = |log: &[EventBody]| log.iter().any(|body| matches!(body, EventBody::SpeakerSelected { .. }));
    assert!(!spoke(&log(&app, &id).await), "her word gave nobody the floor");
    let host = format!("/meetings/{id}/host");
    let to = |person: &str| Some(json!({ "person": person }));
    arrives(&app, &owner, &id).await;
    for token in [&mei, &tao] {
        let refused = app.by(token, Method::PUT, &host, to("mei")).await;
        assert_eq!((refused.status, refused.sort()), (StatusCode::FORBIDDEN, "not-the-host"));
    }
    let absent = app.by(&owner, Method::PUT, &host, to("tao")).await;
    assert_eq!((absent.status, absent.sort()), (StatusCode::NOT_FOUND, "no-such-person"), "{}", absent.body);
    let done = app.by(&owner, Method::PUT, &host, to("mei")).await;
    assert_eq!(done.status, StatusCode::OK, "{}", done.body);
    assert_eq!(
        people(&app, &tao, &id).await["host"],
        json!({ "id": "mei", "name": "mei", "is_present": true })
    );
    assert_eq!(says(&app, &mei, &id, "@Ben please").await.status, StatusCode::ACCEPTED);
    assert!(spoke(&log(&app, &id).await), "now her word gives the floor");
    // While the host is absent, who manages appoints another.
    app.by(&mei, Method::DELETE, &format!("/meetings/{id}/people/self"), None).await;
    arrives(&app, &tao, &id).await;
    let taken = app.by(&tao, Method::PUT, &host, to("tao")).await;
    assert_eq!(taken.status, StatusCode::OK, "{}", taken.body);
    // In the language of the reader.
    let bearer = format!("Bearer {mei}");
    let zh = [("authorization", bearer.as_str()), ("accept-language", "zh-CN")];
    let refused = app.ask(Method::PUT, &host, &zh, to("mei")).await;
    assert_eq!(refused.text("detail"), "只有主持人可以这样做；会议由 tao 主持");
}

#[tokio::test]
async fn a_guest_who_goes_is_at_the_table_no_longer_and_gives_up_the_seat() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let id = hosted(&app, &owner).await;
    let seat = json!({ "scope": "speak", "seat": { "role": "Architect" } });
    let seated = async || {
        let people = people(&app, &owner, &id).await;
        told(&people).iter().filter(|one| one.1 == "participant").count()
    };
    let lin = guest(&app, &owner, &id, seat.clone(), "Lin").await;
    let token = lin.text("access_token");
    arrives(&app, &token, &id).await;
    assert_eq!(people(&app, &owner, &id).await["items"][0]["seat"], "p3");
    assert_eq!(seated().await, 3);
    app.by(&token, Method::DELETE, &format!("/meetings/{id}/people/self"), None).await;
    assert_eq!(seated().await, 2, "the seat went with the guest");
    // Sent away, the same.
    let mei = guest(&app, &owner, &id, seat, "Mei").await;
    arrives(&app, &mei.text("access_token"), &id).await;
    let session = mei.body["session"]["id"].as_str().expect("an id");
    let gone = app.by(&owner, Method::DELETE, &format!("/meetings/{id}/guests/{session}"), None).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT, "{}", gone.body);
    let people = people(&app, &owner, &id).await;
    assert!(told(&people).iter().all(|one| one.0 != "Mei"), "{people}");
    let log = log(&app, &id).await;
    let sent_away = log.iter().rev().find_map(|body| match body {
        EventBody::PersonLeft { person, by } => Some((person.name.clone(), by.clone())),
        _ => None,
    });
    assert_eq!(sent_away, Some(("Mei".to_owned(), Actor::owner())));
}

#[tokio::test]
async fn a_guest_whose_session_expires_gives_up_the_seat() {
    // A session of no days is over as soon as it has begun.
    for (session_days, expected) in [(0, 2), (1, 3)] {
        let app = App::alone(AccessOptions { session_days, ..generous() }).await;
        let id = hosted(&app, "").await;
        let link = json!({ "scope": "speak", "seat": {} });
        let joined = guest(&app, "", &id, link, "Lin").await;
        assert_eq!(joined.body["seat"]["name"], "Lin", "{}", joined.body);
        assert_eq!(seats(&app, &id).await, 3);
        app.server.vacate_expired_guests().await;
        assert_eq!(seats(&app, &id).await, expected, "after {session_days} days");
    }
}

#[tokio::test]
async fn a_guest_whose_session_is_over_when_the_server_starts_gives_up_the_seat() {
    for (session_days, expected) in [(0, 2), (1, 3)] {
        let options = AccessOptions { session_days, no_token: true, ..generous() };
        let app = App::alone(options.clone()).await;
        let id = hosted(&app, "").await;
        let link = json!({ "scope": "speak", "seat": {} });
        guest(&app, "", &id, link, "Lin").await;
        // Another process knows only the sessions that are stored.
        let (here, secrets) = ([127, 0, 0, 1].into(), AccessSecrets::default());
        let access = Access::open(app.service.clone(), options, here, &secrets).await.expect("open access");
        ServerState::guarded(app.service.clone(), access).vacate_gone_guests().await;
        assert_eq!(seats(&app, &id).await, expected, "after {session_days} days");
    }
}

/// The number of participants at the table.
async fn seats(app: &App, id: &str) -> usize {
    let people = people(app, "", id).await;
    told(&people).iter().filter(|one| one.1 == "participant").count()
}

#[tokio::test]
async fn a_guest_who_may_only_read_is_not_at_the_table_and_one_with_the_password_is() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let id = hosted(&app, &owner).await;
    let reader = guest(&app, &owner, &id, json!({ "scope": "read" }), "Lin").await.text("access_token");
    let path = format!("/meetings/{id}/people/self");
    assert_eq!(app.by(&reader, Method::PUT, &path, None).await.status, StatusCode::FORBIDDEN);
    assert_eq!(people(&app, &reader, &id).await["items"].as_array().map(Vec::len), Some(2));
    let password = json!({ "password": "open sesame 7" });
    let locked = app.by(&owner, Method::PATCH, &format!("/meetings/{id}"), Some(password)).await;
    assert_eq!(locked.status, StatusCode::OK, "{}", locked.body);
    let stranger = account(&app, &owner, "mei", "speak").await;
    assert_ne!(app.by(&stranger, Method::PUT, &path, None).await.status, StatusCode::OK);
    let enter = json!({ "password": "open sesame 7", "name": "Tao", "tokens": true });
    let entered = app.ask(Method::POST, &format!("/meetings/{id}/enter"), &[], Some(enter)).await;
    assert_eq!(entered.status, StatusCode::CREATED, "{}", entered.body);
    assert_eq!(arrives(&app, &entered.text("access_token"), &id).await["name"], "Tao");
}

#[tokio::test]
async fn over_a_websocket_people_come_and_go_and_a_room_tells_it_by_its_own_names() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let mei = account(&app, &owner, "mei", "speak").await;
    let id = hosted(&app, &owner).await;
    let connect = async |token: &str| {
        let mut request = format!("ws://{}/api/v1/ws", app.address).into_client_request().expect("a request");
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().expect("a header"));
        tokio_tungstenite::connect_async(request).await.expect("a WebSocket").0
    };
    let (mut watching, mut acting) = (connect(&owner).await, connect(&mei).await);
    let subscribe = json!({ "type": "subscribe", "meeting": id, "view": "room" });
    watching.send(Message::text(subscribe.to_string())).await.expect("sent");
    for act in ["arrive", "depart"] {
        acting
            .send(Message::text(json!({ "type": act, "id": act, "meeting": id }).to_string()))
            .await
            .expect("sent");
        loop {
            let Message::Text(text) = acting.next().await.expect("an answer").expect("it is there") else {
                continue;
            };
            let answer: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!((&answer["type"], &answer["id"]), (&json!("ack"), &json!(act)), "{answer}");
            break;
        }
    }
    let mut told: Vec<(String, String)> = Vec::new();
    while told.last().is_none_or(|(kind, _)| kind != "member_leave") {
        let Message::Text(text) = watching.next().await.expect("a message").expect("it is there") else {
            continue;
        };
        let message: Value = serde_json::from_str(&text).expect("JSON");
        if let (Some(kind), Some(name)) = (message["type"].as_str(), message["data"]["name"].as_str()) {
            told.push((kind.to_owned(), name.to_owned()));
        }
    }
    let told: Vec<(&str, &str)> = told.iter().map(|(kind, name)| (kind.as_str(), name.as_str())).collect();
    assert_eq!(
        told,
        [("member_join", "Ada"), ("member_join", "Ben"), ("member_join", "mei"), ("member_leave", "mei")]
    );
}
