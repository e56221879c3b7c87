//! Mentions of a person at all meetings, how far they have read, and when agents were last seen.

use std::time::{Duration, Instant};

use quorate_app::AppOptions;
use quorate_contract::MeetingId;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access::generous;
use crate::access_server::App;
use crate::attendance::{account, arrives, guest, hosted, says};
use crate::turns::{agent, answer, meeting, turns};

/// The first page of a caller's mentions.
async fn mentions(app: &App, token: &str) -> Value {
    let page = app.by(token, Method::GET, "/me/mentions", None).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.body);
    page.body
}

/// Meeting, speaker and whether it is unread, of each mention.
fn told(page: &Value) -> Vec<(&str, &str, bool)> {
    let items = page["items"].as_array().expect("a list");
    items
        .iter()
        .map(|item| {
            let field = |name: &str| item[name].as_str().expect("a text");
            (field("meeting"), field("by"), item["is_unread"].as_bool().expect("a flag"))
        })
        .collect()
}

async fn read(app: &App, token: &str, body: Value) -> crate::access_server::Answer {
    app.by(token, Method::PUT, "/me/mentions/read", Some(body)).await
}

#[tokio::test]
async fn who_is_mentioned_finds_it_at_all_meetings_and_reads_it_once() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let mei = account(&app, &owner, "mei", "speak").await;
    let (one, other) = (hosted(&app, &owner).await, hosted(&app, &owner).await);
    for id in [&one, &other] {
        arrives(&app, &mei, id).await;
        says(&app, &owner, id, "Good morning, @mei, please look.").await;
    }
    says(&app, &mei, &one, "I am @mei.").await;
    let page = mentions(&app, &mei).await;
    let (one, other) = (one.as_str(), other.as_str());
    assert_eq!(told(&page), [(other, "User", true), (one, "User", true)], "{page}");
    assert_eq!(page["unread"], 2);
    let newest = &page["items"][0];
    assert_eq!(newest["excerpt"], "Good morning, @mei, please look.");
    assert_eq!((&newest["topic"], &newest["message_id"]), (&json!("Is SQLite enough?"), &json!("m1")));
    let message = app.by(&mei, Method::GET, &format!("/meetings/{other}/messages/m1"), None).await;
    assert_eq!(message.body["seq"], newest["seq"], "{}", message.body);
    let first = app.by(&mei, Method::GET, "/me/mentions?limit=1", None).await.body;
    let cursor = first["next_cursor"].as_str().expect("a cursor");
    let second = app.by(&mei, Method::GET, &format!("/me/mentions?limit=1&cursor={cursor}"), None).await.body;
    assert_eq!((told(&second)[0].0, &second["next_cursor"]), (one, &Value::Null));
    assert_eq!(mentions(&app, &owner).await["items"], json!([]), "others have their own");
    let marked = read(&app, &mei, json!({ "meeting": one, "seq": 1 })).await;
    assert_eq!(marked.body, json!({ "unread": 2 }), "it was said after event 1");
    let marked = read(&app, &mei, json!({ "meeting": other, "seq": newest["seq"] })).await;
    assert_eq!((marked.status, marked.body), (StatusCode::OK, json!({ "unread": 1 })));
    assert_eq!(told(&mentions(&app, &mei).await), [(other, "User", false), (one, "User", true)]);
    says(&app, &owner, other, "And @mei once more.").await;
    assert_eq!(mentions(&app, &mei).await["unread"], 2);
    assert_eq!(read(&app, &mei, json!({})).await.body, json!({ "unread": 0 }));
    let deleted = app.by(&owner, Method::DELETE, &format!("/meetings/{other}"), None).await;
    assert!(deleted.status.is_success(), "{}", deleted.body);
    assert_eq!(told(&mentions(&app, &mei).await), [(one, "User", false)]);
}

#[tokio::test]
async fn what_one_may_not_see_is_not_among_them() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let mei = account(&app, &owner, "mei", "speak").await;
    let (one, other) = (hosted(&app, &owner).await, hosted(&app, &owner).await);
    let lin = guest(&app, &owner, &one, json!({ "scope": "speak" }), "Lin").await.text("access_token");
    arrives(&app, &lin, &one).await;
    arrives(&app, &mei, &one).await;
    says(&app, &owner, &one, "@Lin and @mei, please.").await;
    assert_eq!(told(&mentions(&app, &lin).await), [(one.as_str(), "User", true)]);
    let elsewhere = read(&app, &lin, json!({ "meeting": other })).await;
    assert_eq!(elsewhere.status, StatusCode::NOT_FOUND, "{}", elsewhere.body);
    assert_eq!(read(&app, &lin, json!({})).await.body, json!({ "unread": 0 }));
    let password = json!({ "password": "open sesame 7" });
    app.by(&owner, Method::PATCH, &format!("/meetings/{one}"), Some(password)).await;
    let shut = mentions(&app, &mei).await;
    assert_eq!((&shut["items"], &shut["unread"]), (&json!([]), &json!(0)), "she has not entered");
    assert_eq!(read(&app, &mei, json!({ "meeting": one })).await.status, StatusCode::NOT_FOUND);
    let wrong = read(&app, &mei, json!({ "seq": 3 })).await;
    assert_eq!((wrong.status, wrong.sort()), (StatusCode::UNPROCESSABLE_ENTITY, "invalid"), "{}", wrong.body);
    let cursor = app.by(&mei, Method::GET, "/me/mentions?cursor=elsewhere", None).await;
    assert_eq!(cursor.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", cursor.body);
    let scout = agent(&app, &owner, "scout").await;
    for (method, path) in [(Method::GET, "/me/mentions"), (Method::PUT, "/me/mentions/read")] {
        let body = (method == Method::PUT).then(|| json!({}));
        let refused = app.by(&scout, method, path, body).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "an agent is not the person who made its token");
        assert!(refused.text("hint").contains("/context"), "{}", refused.body);
    }
}

#[tokio::test]
async fn what_a_blind_round_withholds_mentions_nobody_until_it_is_over() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let (ada, ben) = (agent(&app, &owner, "ada").await, agent(&app, &owner, "ben").await);
    let rules = json!({ "turns": { "blind_round": true }, "limits": { "max_rounds": 1 } });
    let seats = [("Lin", "person/owner"), ("Ada", "agent/ada"), ("Ben", "agent/ben")];
    meeting(&app, &owner, "consensus", rules, &seats).await;
    let blind = |position: &str| {
        json!({ "fields": {
            "position": position, "claims": ["One file is enough."], "confidence": 60,
            "would_change_my_mind": "A measurement.", "unshared_facts": [],
        } })
    };
    for (token, position) in [(&ada, "What does @Lin say?"), (&owner, "I, @Lin, say yes.")] {
        let open = turns(&app, token, 20).await;
        let taken = answer(&app, token, &open[0], blind(position)).await;
        assert_eq!(taken.status, StatusCode::OK, "{}", taken.body);
    }
    let page = mentions(&app, &owner).await;
    assert_eq!((&page["items"], &page["unread"]), (&json!([]), &json!(0)));
    assert_eq!(read(&app, &owner, json!({})).await.status, StatusCode::OK);
    let open = turns(&app, &ben, 20).await;
    answer(&app, &ben, &open[0], blind("Yes.")).await;
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let page = mentions(&app, &owner).await;
        if page["unread"] == 1 {
            assert_eq!(told(&page)[0].1, "Ada", "what was withheld was not read");
            break;
        }
        assert!(Instant::now() < deadline, "{page}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn an_agent_that_connects_itself_is_listed_with_its_presence_and_known_after_a_restart() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let model =
        json!({ "name": "Ada", "role": "Keeper", "description": "Keeps.", "temperament": "balanced" });
    app.by(&owner, Method::POST, "/agents", Some(model)).await;
    let scout = agent(&app, &owner, "scout").await;
    let registered =
        app.by(&scout, Method::PUT, "/agents/self", Some(json!({ "introduction": "Looks around." }))).await;
    assert_eq!(registered.status, StatusCode::OK, "{}", registered.body);
    let listed = app.by(&owner, Method::GET, "/agents", None).await.body;
    let of = |name: &str| {
        let items = listed["items"].as_array().expect("a list");
        items.iter().find(|one| one["name"] == name).expect("it is listed").clone()
    };
    assert_eq!((&of("scout")["presence"], of("scout")["last_seen_at"].is_string()), (&json!("online"), true));
    assert_eq!((&of("Ada")["presence"], &of("Ada")["last_seen_at"]), (&Value::Null, &Value::Null));
    let id = hosted(&app, &owner).await;
    let joined = app.by(&scout, Method::POST, &format!("/meetings/{id}/join"), Some(json!({}))).await;
    assert_eq!(joined.status, StatusCode::OK, "{}", joined.body);
    let stated = app.by(&scout, Method::PUT, "/me/presence", Some(json!({ "presence": "busy" }))).await;
    assert_eq!(stated.status, StatusCode::OK);
    app.service.keep_presence().await;
    // The next process has seen nobody, and knows from the database when the agent was there.
    let next = quorate_app::App::open(app.store.clone(), AppOptions::new("nowhere.toml".into()))
        .await
        .expect("an app");
    let known =
        next.agents().await.expect("agents").into_iter().find(|one| one.name == "scout").expect("scout");
    let entry = serde_json::to_value(next.agent_entry(known)).expect("JSON");
    assert_eq!((&entry["presence"], entry["last_seen_at"].is_string()), (&json!("offline"), true), "{entry}");
    let people = next
        .people(&next.load(&MeetingId::new(id.as_str())).await.expect("the meeting"))
        .await
        .expect("people");
    let seat = people.iter().find(|one| one.name == "scout").expect("its seat");
    assert!(seat.last_seen_at.is_some(), "at the table, too: {seat:?}");
}
