//! Links to the results of meetings: who makes them, what they show, and when they show nothing.

use quorate_contract::{MeetingId, Timestamp, without_references};
use quorate_server::{AccessOptions, LimitOptions};
use quorate_store::{AuditFilter, ResultLink};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access::generous;
use crate::access_server::{Answer, App};

const GET: Method = Method::GET;
const POST: Method = Method::POST;
const DELETE: Method = Method::DELETE;

/// A meeting of simulated participants that has ended.
async fn ended(app: &App, owner: &str, more: Value) -> String {
    let mut new = json!({ "topic": "Which store do we take?", "format": "consensus", "simulate": true, "seed": 5,
        "rules": { "limits": { "max_rounds": 1 } } });
    for (field, value) in more.as_object().into_iter().flatten() {
        new[field] = value.clone();
    }
    let id = app.by(owner, POST, "/meetings", Some(new)).await.text("id");
    end(app, owner, &id).await;
    id
}

async fn end(app: &App, owner: &str, id: &str) {
    for _ in 0..20 {
        let on = Some(json!({ "until": "end", "take_defaults": true }));
        let on = app.by(owner, POST, &format!("/meetings/{id}/advance"), on).await;
        if on.body["stopped"] == "over" {
            return;
        }
    }
    panic!("the meeting does not end");
}

async fn linked(app: &App, owner: &str, id: &str, body: Value) -> Answer {
    let made = app.by(owner, POST, &format!("/meetings/{id}/result-links"), Some(body)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    made
}

async fn read(app: &App, code: &str) -> Answer {
    app.by("", GET, &format!("/shared/{code}"), None).await
}

#[tokio::test]
async fn whoever_has_the_link_reads_the_result_without_signing_in_until_it_is_revoked() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let id = ended(&app, &owner, json!({})).await;
    let links = format!("/meetings/{id}/result-links");
    let none = app.by(&owner, GET, &links, None).await;
    assert_eq!(none.body["items"], json!([]), "there is none before somebody makes one");
    let made = linked(&app, &owner, &id, json!({ "expires_in_days": 7 })).await;
    let code = made.text("code");
    assert_eq!(code.len(), 64, "256 random bits");
    assert_eq!(made.text("link"), format!("/shared/{code}"));

    let shown = read(&app, &code).await;
    assert_eq!(shown.status, StatusCode::OK, "{}", shown.body);
    for (name, value) in [
        ("referrer-policy", "no-referrer"),
        ("x-robots-tag", "noindex, nofollow"),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(shown.headers[name], value);
    }
    let report = app.by(&owner, GET, &format!("/meetings/{id}/report"), None).await.body;
    let without = |text: &Value| without_references(text.as_str().expect("a text"));
    assert!(report["conclusion"].as_str().is_some_and(|text| text.contains(" [m")), "it cites messages");
    assert_eq!(shown.body["conclusion"], without(&report["conclusion"]), "nobody can look them up there");
    assert_eq!(shown.body["headline"], report["headline"]);
    let votes = &shown.body["ballots"][0]["votes"];
    assert_eq!(votes.as_array().map(Vec::len), report["ballots"][0]["votes"].as_array().map(Vec::len));
    assert_eq!(votes[0]["reason"], without(&report["ballots"][0]["votes"][0]["reason"]));
    for internal in ["meeting_id", "costs", "total", "evaluations", "files", "minutes", "ended_by", "shifts"]
    {
        assert!(shown.body.get(internal).is_none(), "{internal}");
    }
    // The page of the link is no page that a cache or a search engine keeps.
    let page = app.client.get(format!("{}/shared/{code}", app.url)).send().await.expect("an answer");
    assert_eq!(page.headers()["cache-control"], "no-store");
    assert_eq!(page.headers()["x-robots-tag"], "noindex, nofollow");

    _ = read(&app, &code).await;
    let listed = app.by(&owner, GET, &links, None).await.body;
    let [link] = &listed["items"].as_array().expect("links")[..] else { panic!("{listed}") };
    assert_eq!((&link["reads"], link["last_read_at"].is_string()), (&json!(2), true), "{link}");
    assert!(!listed.to_string().contains(&code), "the code is shown once");

    let path = format!("{links}/{}", made.text("id"));
    assert_eq!(app.by(&owner, DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(app.by(&owner, DELETE, &path, None).await.status, StatusCode::NOT_FOUND);
    let revoked = read(&app, &code).await;
    let expired = ResultLink {
        id: "old".to_owned(),
        meeting: MeetingId::new(id.as_str()),
        by: "owner".to_owned(),
        created_ms: Timestamp(1),
        expires_ms: Some(Timestamp(2)),
        reads: 0,
        read_ms: None,
    };
    let old = "e".repeat(64);
    assert!(app.store.add_result_link(expired, quorate_store::fingerprint(&old)).await.expect("kept"));
    let (expired, unknown) = (read(&app, &old).await, read(&app, &"f".repeat(64)).await);
    assert_eq!(revoked.status, StatusCode::NOT_FOUND);
    for other in [expired, unknown, read(&app, "short").await] {
        assert_eq!((other.status, &other.body), (revoked.status, &revoked.body), "one and the same answer");
        assert_eq!(other.headers["x-robots-tag"], "noindex, nofollow");
    }

    app.store.audit_written().await.expect("written");
    let page = app.store.audit_page(AuditFilter::default(), None, 200).await.expect("a page");
    let of = |action: &str| page.items.iter().filter(|line| line.action == action).collect::<Vec<_>>();
    let (created, revoked) = (of("meetings.result-links.post"), of("meetings.result-links.delete"));
    assert_eq!((created.len(), revoked.len()), (1, 2), "{:?}", page.items);
    assert_eq!(created[0].detail["link"], json!(made.text("id")));
    let statuses = [&revoked[1].detail["status"], &revoked[0].detail["status"]];
    assert_eq!(statuses, [&json!(204), &json!(404)]);
    assert!(
        page.items.iter().all(|line| !line.detail.to_string().contains(&code)),
        "nor does the log say it"
    );
}

#[tokio::test]
async fn a_link_is_made_of_a_result_by_those_who_manage_and_goes_with_its_meeting() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let id = ended(&app, &owner, json!({})).await;
    let links = format!("/meetings/{id}/result-links");
    for scope in ["read", "speak"] {
        let token = app.token(&owner, json!({ "name": scope, "scope": scope })).await.text("token");
        for method in [GET, POST] {
            let body = (method == POST).then(|| json!({}));
            assert_eq!(app.by(&token, method, &links, body).await.status, StatusCode::FORBIDDEN, "{scope}");
        }
    }
    let new = json!({ "topic": "Is it?", "simulate": true });
    let draft = app.by(&owner, POST, "/meetings", Some(new)).await.text("id");
    let early = app.by(&owner, POST, &format!("/meetings/{draft}/result-links"), Some(json!({}))).await;
    assert_eq!((early.status, &early.body["current_state"]), (StatusCode::CONFLICT, &json!("not_ended")));
    let off = ended(&app, &owner, json!({ "off_record": true })).await;
    let refused = app.by(&owner, POST, &format!("/meetings/{off}/result-links"), Some(json!({}))).await;
    assert_eq!(
        (refused.status, &refused.body["current_state"]),
        (StatusCode::CONFLICT, &json!("off_record")),
        "{}",
        refused.body
    );
    for days in [0, 3651] {
        let body = json!({ "expires_in_days": days });
        let refused = app.by(&owner, POST, &links, Some(body)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{days}");
    }

    // A password keeps people out of the meeting, and whoever manages it may hand its result on.
    let locked = draft.clone();
    let password = json!({ "password": "swordfish" });
    let shut = app.by(&owner, Method::PATCH, &format!("/meetings/{locked}"), Some(password)).await;
    assert_eq!(shut.status, StatusCode::OK, "{}", shut.body);
    end(&app, &owner, &locked).await;
    let code = linked(&app, &owner, &locked, json!({})).await.text("code");
    assert_eq!(read(&app, &code).await.status, StatusCode::OK);
    let code = linked(&app, &owner, &id, json!({})).await.text("code");
    // The code opens the result and nothing else.
    for path in ["", "/report", "/log", "/messages", "/export"] {
        let other = app.by(&code, GET, &format!("/meetings/{id}{path}"), None).await;
        assert_eq!(other.status, StatusCode::UNAUTHORIZED, "{path}");
    }
    app.by(&owner, DELETE, &format!("/meetings/{id}"), None).await;
    assert_eq!(read(&app, &code).await.status, StatusCode::NOT_FOUND);
    let left = app.store.result_links(&MeetingId::new(id.as_str()), Timestamp(1)).await.expect("read");
    assert_eq!(left, [], "a deleted meeting takes its links with it");
}

#[tokio::test]
async fn readers_of_results_are_limited_and_keep_nobody_from_signing_in() {
    let limits = LimitOptions { attempts_per_minute: 5, ..generous().limits };
    let app = App::open(AccessOptions { limits, ..generous() }).await;
    let mut refused = None;
    for _ in 0..8 {
        let answer = read(&app, &"a".repeat(64)).await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(answer);
        }
    }
    let refused = refused.expect("a limit");
    assert!(refused.headers.contains_key("retry-after"));
    app.owner().await;
}
