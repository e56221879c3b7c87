//! Access: sign-in, tokens, guests, forged requests, limits, the audit log.

use quorate_app::InBoth;
use quorate_server::{Access, AccessError, AccessOptions, AccessSecrets, LimitOptions};
use quorate_store::{Store, hash_password};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::access_server::{App, PASSWORD, password};

const GET: Method = Method::GET;
const POST: Method = Method::POST;
const DELETE: Method = Method::DELETE;
const PATCH: Method = Method::PATCH;

/// A server that never says "too many".
pub fn generous() -> AccessOptions {
    let limits = LimitOptions {
        attempts_per_minute: 10_000,
        attempts_per_name_per_minute: 10_000,
        requests_per_minute: 100_000,
        ..LimitOptions::default()
    };
    AccessOptions { limits, refresh_grace_ms: 0, ..AccessOptions::default() }
}

#[tokio::test]
async fn nothing_is_open_to_elsewhere_without_an_owner() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path().join("meetings.db")).expect("a database");
    let config = quorate_app::AppOptions::new(folder.path().join("config.toml"));
    let app = quorate_app::App::open(store, config).await.expect("an app");
    let public =
        AccessOptions { public_url: Some("https://meet.example".to_owned()), ..AccessOptions::default() };
    let proxied = AccessOptions { trust_proxy: vec!["127.0.0.1".to_owned()], ..AccessOptions::default() };
    for (address, options) in [
        ([0, 0, 0, 0], AccessOptions::default()),
        ([192, 168, 1, 2], AccessOptions::default()),
        ([127, 0, 0, 1], public),
        ([127, 0, 0, 1], proxied),
    ] {
        let refused = Access::open(app.clone(), options, address.into(), &AccessSecrets::default())
            .await
            .err()
            .expect("refused");
        assert!(matches!(refused, AccessError::NoOwner(_)), "{refused}");
        let hint = refused.in_both().1;
        assert!(hint.english().contains("quorate accounts add"), "{hint}");
    }
    let weak = Access::open(
        app.clone(),
        AccessOptions::default(),
        [0, 0, 0, 0].into(),
        &AccessSecrets { owner_password: Some("password".to_owned()), ..AccessSecrets::default() },
    )
    .await;
    assert!(matches!(weak, Err(AccessError::Password(_))));
    let alone =
        Access::open(app.clone(), AccessOptions::default(), [127, 0, 0, 1].into(), &AccessSecrets::default())
            .await;
    assert!(alone.expect("open").identity().is_alone());
    let open = Access::open(app, AccessOptions::default(), [0, 0, 0, 0].into(), &password()).await;
    assert!(!open.expect("open").identity().is_alone());
}

#[tokio::test]
async fn alone_no_other_name_no_other_page_and_no_proxy_is_answered() {
    let app = App::alone(AccessOptions::default()).await;
    assert_eq!(app.ask(GET, "/me", &[], None).await.body["signed_in_by"], "local");
    let rebound = app.ask(GET, "/me", &[("host", "evil.example")], None).await;
    assert_eq!(rebound.status, StatusCode::MISDIRECTED_REQUEST);
    assert!(rebound.text("hint").contains("--allow-host"));
    let body = || Some(json!({ "name": "build", "scope": "owner" }));
    for forged in [("origin", "http://evil.example"), ("origin", "null"), ("sec-fetch-site", "cross-site")] {
        let answer = app.ask(POST, "/tokens", &[forged], body()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{forged:?}");
        assert_eq!(answer.body["type"], "/api/v1/problems#wrong-origin");
    }
    let own = app.url.clone();
    assert_eq!(app.ask(POST, "/tokens", &[("origin", &own)], body()).await.status, StatusCode::CREATED);
    assert_eq!(app.ask(POST, "/tokens", &[], body()).await.status, StatusCode::CREATED);
    let proxied = app.ask(GET, "/me", &[("x-forwarded-for", "1.2.3.4")], None).await;
    assert_eq!(proxied.body["type"], "/api/v1/problems#through-a-proxy");
    let stranger = app.by("qt_nonsense", GET, "/me", None).await;
    assert_eq!(stranger.status, StatusCode::UNAUTHORIZED, "who shows a token wants to be known by it");
}

#[tokio::test]
async fn a_session_from_its_beginning_to_its_end() {
    let app = App::open(generous()).await;
    let nobody = app.ask(GET, "/me", &[], None).await;
    assert_eq!(nobody.status, StatusCode::UNAUTHORIZED);
    assert!(nobody.headers.contains_key("www-authenticate"));
    let wrong = |name: &str| json!({ "name": name, "password": "not this one" });
    let unknown = app.ask(POST, "/sessions", &[], Some(wrong("nobody"))).await;
    let known = app.ask(POST, "/sessions", &[], Some(wrong("owner"))).await;
    assert_eq!((unknown.status, unknown.body), (known.status, known.body), "the same words");

    let owner = app.owner().await;
    let (access, refresh) = (owner.text("access_token"), owner.text("refresh_token"));
    assert!(owner.headers.get("set-cookie").is_none(), "a program has no cookies");
    assert_eq!(app.by(&access, GET, "/me", None).await.body["scope"], "owner");
    let next = app.ask(POST, "/sessions/refresh", &[], Some(json!({ "refresh_token": refresh }))).await;
    assert_eq!(next.status, StatusCode::OK, "{}", next.body);
    let newer = next.text("access_token");
    assert_eq!(app.by(&newer, GET, "/me", None).await.status, StatusCode::OK);
    let stolen = app.ask(POST, "/sessions/refresh", &[], Some(json!({ "refresh_token": refresh }))).await;
    assert_eq!(stolen.status, StatusCode::UNAUTHORIZED);
    for (what, token) in [("first", &access), ("second", &newer)] {
        let after = app.by(token, GET, "/me", None).await.status;
        assert_eq!(after, StatusCode::UNAUTHORIZED, "the {what} token is good for nothing after the theft");
    }

    let again = app.owner().await.text("access_token");
    let other = app.owner().await;
    let listed = app.by(&again, GET, "/sessions", None).await;
    assert_eq!(listed.body["items"].as_array().map(Vec::len), Some(2), "{}", listed.body);
    let path = format!("/sessions/{}", other.body["session"]["id"].as_str().expect("an id"));
    assert_eq!(app.by(&again, DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(app.by(&other.text("access_token"), GET, "/me", None).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(app.by(&again, DELETE, "/sessions", None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(app.by(&again, GET, "/me", None).await.status, StatusCode::UNAUTHORIZED, "signed out at once");
}

#[tokio::test]
async fn a_browser_carries_cookies_and_no_other_site_can_use_them() {
    let app = App::open(generous()).await;
    let body = json!({ "name": "owner", "password": PASSWORD });
    let begun = app.ask(POST, "/sessions", &[("origin", &app.url)], Some(body.clone())).await;
    assert!(begun.body.get("access_token").is_none(), "no script reads it");
    let cookies: Vec<String> = begun
        .headers
        .get_all("set-cookie")
        .iter()
        .filter_map(|c| c.to_str().ok())
        .map(str::to_owned)
        .collect();
    assert_eq!(cookies.len(), 3);
    for cookie in &cookies {
        assert!(cookie.contains("HttpOnly; SameSite=Strict") && !cookie.contains("Secure"), "{cookie}");
    }
    let pair = |name: &str| {
        let found = cookies.iter().find(|cookie| cookie.starts_with(name)).expect("a cookie");
        found.split(';').next().expect("a pair").to_owned()
    };
    let (access, refresh) = (pair("quorate_access"), pair("quorate_refresh"));
    assert_eq!(app.ask(GET, "/me", &[("cookie", &access)], None).await.body["name"], "owner");
    let token = || Some(json!({ "name": "x", "scope": "read" }));
    let forged = [("cookie", access.as_str()), ("origin", "https://evil.example")];
    assert_eq!(app.ask(POST, "/tokens", &forged, token()).await.status, StatusCode::FORBIDDEN);
    let own = [("cookie", access.as_str()), ("origin", app.url.as_str())];
    assert_eq!(app.ask(POST, "/tokens", &own, token()).await.status, StatusCode::CREATED);
    let renewed = app.ask(POST, "/sessions/refresh", &[("cookie", &refresh)], Some(json!({}))).await;
    assert_eq!(renewed.status, StatusCode::OK, "{}", renewed.body);
    assert!(renewed.body.get("refresh_token").is_none() && renewed.headers.contains_key("set-cookie"));
    let sign_in_elsewhere =
        app.ask(POST, "/sessions", &[("origin", "https://evil.example")], Some(body)).await;
    assert_eq!(sign_in_elsewhere.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_refresh_token_comes_twice_only_from_two_windows_of_one_browser() {
    let options = AccessOptions { refresh_grace_ms: 60_000, ..generous() };
    let app = App::open(options).await;
    let begun = async || {
        let body = json!({ "name": "owner", "password": PASSWORD });
        let begun = app.ask(POST, "/sessions", &[("user-agent", "Firefox")], Some(body)).await;
        let cookies: Vec<String> = begun
            .headers
            .get_all("set-cookie")
            .iter()
            .filter_map(|cookie| cookie.to_str().ok()?.split(';').next().map(str::to_owned))
            .collect();
        (cookies[0].clone(), cookies[1].clone())
    };
    let renew = async |agent: &str, refresh: &str| {
        let headers = [("user-agent", agent), ("cookie", refresh)];
        app.ask(POST, "/sessions/refresh", &headers, Some(json!({}))).await.status
    };
    let is_in =
        async |access: &str| app.ask(GET, "/me", &[("cookie", access)], None).await.status == StatusCode::OK;
    let (access, refresh) = begun().await;
    let port = app.address.port().to_string();
    assert!(access.starts_with(&format!("quorate_access_{port}=")), "the port is part of the name: {access}");
    assert_eq!(renew("Firefox", &refresh).await, StatusCode::OK);
    assert_eq!(renew("Firefox", &refresh).await, StatusCode::OK, "its other window");
    assert!(is_in(&access).await);
    assert_eq!(renew("curl", &refresh).await, StatusCode::UNAUTHORIZED, "a copy");
    assert!(!is_in(&access).await, "the session is over");
    // A program has one window: a second time is a copy at once.
    let refresh = app.owner().await.text("refresh_token");
    let by_program = async || {
        let body = json!({ "refresh_token": refresh });
        app.ask(POST, "/sessions/refresh", &[], Some(body)).await.status
    };
    assert_eq!(by_program().await, StatusCode::OK);
    assert_eq!(by_program().await, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_token_does_what_it_is_for_until_it_is_taken_back() {
    let app = App::open(generous()).await;
    app.meeting("m1").await;
    app.meeting("m2").await;
    let owner = app.owner().await.text("access_token");
    let bound = app.token(&owner, json!({ "name": "one", "scope": "read", "meeting": "m1" })).await;
    let shown = bound.text("token");
    assert_eq!(app.by(&shown, GET, "/meetings/m1", None).await.status, StatusCode::OK);
    let other = app.by(&shown, GET, "/meetings/m2", None).await;
    let nowhere = app.by(&shown, GET, "/meetings/m3", None).await;
    assert_eq!((other.status, nowhere.status), (StatusCode::NOT_FOUND, StatusCode::NOT_FOUND));
    assert_eq!(other.text("detail").replace("m2", ""), nowhere.text("detail").replace("m3", ""));
    let keeps = json!({ "name": "host", "scope": "manage", "meeting": "m1" });
    let bound_host = app.token(&owner, keeps).await.text("token");
    for (path, body) in [("/meetings/m1/fork", json!({})), ("/meetings", json!({ "topic": "Another?" }))] {
        let refused = app.by(&bound_host, POST, path, Some(body)).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "access to one meeting makes no other: {path}");
    }
    let list = app.by(&owner, GET, "/tokens", None).await.body.to_string();
    assert!(!list.contains(&shown) && list.contains(&bound.text("prefix")), "{list}");

    let manage = app.token(&owner, json!({ "name": "all", "scope": "manage" })).await.text("token");
    let more = app.by(&manage, POST, "/tokens", Some(json!({ "name": "x", "scope": "read" }))).await;
    assert_eq!(more.status, StatusCode::FORBIDDEN, "a token makes no tokens");
    let path = format!("/tokens/{}", bound.text("id"));
    assert_eq!(app.by(&manage, DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(app.by(&shown, GET, "/meetings/m1", None).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn guests_come_by_invitation_and_with_the_password() {
    let app = App::open(generous()).await;
    app.meeting("m1").await;
    let owner = app.owner().await.text("access_token");
    let invite = |body| app.by(&owner, POST, "/meetings/m1/invitations", Some(body));
    let too_much = invite(json!({ "scope": "manage" })).await;
    assert_eq!(too_much.status, StatusCode::UNPROCESSABLE_ENTITY);
    let invited = invite(json!({ "scope": "speak", "uses": 1 })).await;
    assert_eq!(invited.status, StatusCode::CREATED, "{}", invited.body);
    let code = invited.text("code");
    assert_eq!(invited.text("link"), format!("/join/{code}"));
    let join = |name: &str| {
        let body = json!({ "code": code, "name": name, "tokens": true });
        app.ask(POST, "/join", &[], Some(body))
    };
    for taken in ["Ben", "ben", "B e n"] {
        assert_eq!(join(taken).await.status, StatusCode::CONFLICT, "{taken}");
    }
    let preview = || app.ask(POST, "/join/preview", &[], Some(json!({ "code": code })));
    let shown = preview().await;
    assert_eq!(shown.status, StatusCode::OK, "{}", shown.body);
    let is_to =
        ["title", "topic", "is_over", "by", "name", "scope", "seat"].map(|key| shown.body[key].clone());
    let title = app.by(&owner, GET, "/meetings/m1", None).await.text("title");
    assert_eq!(is_to[0], json!(title));
    assert_eq!(is_to[2..], [json!(false), json!("owner"), Value::Null, json!("speak"), Value::Null]);
    let cid = join("Cid").await;
    assert_eq!(cid.status, StatusCode::CREATED, "{}", cid.body);
    assert_eq!(join("Dan").await.status, StatusCode::NOT_FOUND, "it was for one");
    assert_eq!(preview().await.status, StatusCode::NOT_FOUND, "and is used up");
    let token = cid.text("access_token");
    let me = app.by(&token, GET, "/me", None).await.body;
    assert_eq!((me["name"].clone(), me["meeting"].clone()), (json!("Cid"), json!("m1")));
    assert_eq!(app.by(&token, GET, "/meetings/m1", None).await.status, StatusCode::OK);
    assert_eq!(app.by(&token, GET, "/meetings/m1/guests", None).await.status, StatusCode::FORBIDDEN);
    let guests = app.by(&owner, GET, "/meetings/m1/guests", None).await.body;
    let path = format!("/meetings/m1/guests/{}", guests["items"][0]["id"].as_str().expect("a guest"));
    assert_eq!(app.by(&owner, DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(app.by(&token, GET, "/meetings/m1", None).await.status, StatusCode::UNAUTHORIZED);

    let enter = |meeting: &str, password: &str, name: &str| {
        let body = json!({ "password": password, "name": name, "tokens": true });
        let path = format!("/meetings/{meeting}/enter");
        let app = &app;
        async move { app.ask(POST, &path, &[], Some(body)).await }
    };
    let reader = app.token(&owner, json!({ "name": "r", "scope": "read" })).await.text("token");
    assert_eq!(app.by(&reader, GET, "/meetings/m1", None).await.status, StatusCode::OK);
    let hash = hash_password("open sesame").expect("a hash");
    app.store.set_password_hash(&quorate_contract::MeetingId::new("m1"), Some(hash)).await.expect("kept");
    let shut = app.by(&reader, GET, "/meetings/m1", None).await;
    assert_eq!((shut.status, shut.sort()), (StatusCode::FORBIDDEN, "locked"), "{}", shut.body);
    assert_eq!(app.by(&owner, GET, "/meetings/m1", None).await.status, StatusCode::OK);
    let (wrong, none) = (enter("m1", "wrong", "Eve").await, enter("m9", "open sesame", "Eve").await);
    assert_eq!((wrong.status, wrong.body), (none.status, none.body), "nothing is learnt");
    let eve = enter("m1", "open sesame", "Eve").await;
    assert_eq!(eve.status, StatusCode::CREATED, "{}", eve.body);
    assert_eq!(app.by(&eve.text("access_token"), GET, "/meetings/m1", None).await.status, StatusCode::OK);
    assert_eq!(enter("m1", "open sesame", "EVE").await.status, StatusCode::CONFLICT);
}

/// Names that imitate others: what the meeting speaks as, a role, invisible marks, other scripts.
const MASKS: [&str; 15] = [
    "system",
    "ѕystem",
    "Rules",
    "facilitator",
    "Moderator",
    "host",
    "p1",
    "Ｐ１",
    "系统",
    "协调员",
    "主持人",
    "B\u{200b}en",
    "\u{3164}",
    "Bеn",
    "...",
];

#[tokio::test]
async fn nobody_comes_under_a_name_that_looks_like_somebodys() {
    let app = App::open(generous()).await;
    app.meeting("m1").await;
    let owner = app.owner().await.text("access_token");
    let invite = |name: Option<&str>| {
        let body = json!({ "scope": "speak", "name": name });
        app.by(&owner, POST, "/meetings/m1/invitations", Some(body))
    };
    let join = |code: String, name: &str| {
        let body = json!({ "code": code, "name": name, "tokens": true });
        app.ask(POST, "/join", &[], Some(body))
    };
    let hash = hash_password("open sesame").expect("a hash");
    app.store.set_password_hash(&quorate_contract::MeetingId::new("m1"), Some(hash)).await.expect("kept");
    let code = invite(None).await.text("code");
    for name in MASKS {
        let joined = join(code.clone(), name).await;
        assert_eq!(joined.status, StatusCode::UNPROCESSABLE_ENTITY, "{name:?}: {}", joined.body);
        assert_eq!(joined.body["errors"][0]["pointer"], "/name", "{name:?}");
        assert!(!joined.text("hint").is_empty());
        // An invitation with an invalid name is not created.
        assert_eq!(invite(Some(name)).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{name:?}");
        let body = json!({ "password": "open sesame", "name": name });
        let entered = app.ask(POST, "/meetings/m1/enter", &[], Some(body)).await;
        assert_eq!(entered.status, StatusCode::UNPROCESSABLE_ENTITY, "{name:?}");
    }
    let in_chinese = app
        .ask(POST, "/join", &[("accept-language", "zh")], Some(json!({ "code": code, "name": "p1" })))
        .await;
    assert!(in_chinese.text("detail").contains("保留名"), "{}", in_chinese.body);
    // Seats, accounts, guests who are here and those who are invited by name.
    assert_eq!(invite(Some("BÉN")).await.sort(), "name-taken", "a seat");
    let named = invite(Some("Zoë Miller")).await;
    assert_eq!(named.status, StatusCode::CREATED, "{}", named.body);
    assert_eq!(join(code.clone(), "Zoe Miller").await.sort(), "name-taken", "somebody who is invited");
    assert_eq!(join(named.text("code"), "").await.status, StatusCode::CREATED, "the invitation has the name");
    assert_eq!(
        invite(Some("Zoë Miller")).await.status,
        StatusCode::CREATED,
        "the same person may come again"
    );
    let cid = join(code.clone(), "Cid").await;
    assert_eq!(cid.status, StatusCode::CREATED, "{}", cid.body);
    for like in ["Cid", "cid.", "Cıd", "СID"] {
        let second = join(code.clone(), like).await;
        assert!(matches!(second.status.as_u16(), 409 | 422), "{like}: {}", second.body);
    }
    let add = |name: &str| {
        let body = json!({ "name": name, "password": "correct horse battery", "scope": "read" });
        app.by(&owner, POST, "/accounts", Some(body))
    };
    for name in ["system", "p1", "协调员", "0wner", "ow\u{200d}ner", "Ａda\u{200b}", "Zоe"] {
        let made = add(name).await;
        assert!(matches!(made.status.as_u16(), 409 | 422), "{name:?}: {}", made.body);
    }
    assert_eq!(add("林晚").await.status, StatusCode::CREATED);
    assert_eq!(add("林 晚").await.sort(), "name-taken");
    assert_eq!(join(code, "林晚。").await.sort(), "name-taken", "an account");
}

#[tokio::test]
async fn who_may_only_speak_answers_and_changes_no_topic_by_it() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let rules = json!({ "intake": { "when": "each_round" }, "limits": { "max_rounds": 2 } });
    let new =
        json!({ "topic": "Is SQLite enough?", "format": "brainstorm", "simulate": true, "rules": rules });
    let id = app.by(&owner, POST, "/meetings", Some(new)).await.text("id");
    let path = format!("/meetings/{id}");
    let asked = app.by(&owner, POST, &format!("{path}/advance"), Some(json!({}))).await;
    assert_eq!(asked.body["stopped"], "asked", "{}", asked.body);
    let invite = json!({ "scope": "speak" });
    let code = app.by(&owner, POST, &format!("{path}/invitations"), Some(invite)).await.text("code");
    let join = json!({ "code": code, "name": "Cid", "tokens": true });
    let guest = app.ask(POST, "/join", &[], Some(join)).await.text("access_token");
    let resume = async |answers: serde_json::Value| {
        let body = json!({ "answers": answers, "take_defaults": true });
        app.by(&guest, POST, &format!("{path}/resume"), Some(body)).await
    };
    for no_text in [json!(5), json!(["Is paper enough?"])] {
        let refused = resume(json!({ "topic": no_text, "more": "It runs on a phone." })).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    }
    let refused = resume(json!({ "topic": "Is paper enough?", "more": "It runs on a phone." })).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    assert_eq!(refused.body["errors"][0]["pointer"], "/answers/topic");
    assert!(refused.text("hint").contains("other answers"), "{}", refused.body);
    let view = app.by(&owner, GET, &path, None).await.body;
    assert_eq!((&view["topic"], &view["state"]), (&json!("Is SQLite enough?"), &json!("paused")));
    let taken = resume(json!({ "topic": "Is SQLite enough?", "more": "It runs on a phone." })).await;
    assert_eq!(taken.status, StatusCode::OK, "{}", taken.body);
    let log = app.by(&owner, GET, &format!("{path}/log?types=resume"), None).await.body;
    assert!(log.to_string().contains("It runs on a phone."), "{log}");
    assert_eq!(app.by(&owner, GET, &path, None).await.body["topic"], "Is SQLite enough?");
}

#[tokio::test]
async fn a_meeting_under_a_password_is_not_told_about() {
    let app = App::open(generous()).await;
    app.meeting("m1").await;
    let owner = app.owner().await.text("access_token");
    let token =
        async |scope: &str| app.token(&owner, json!({ "name": scope, "scope": scope })).await.text("token");
    let (reader, speaker, manager) = (token("read").await, token("speak").await, token("manage").await);
    let new = json!({ "topic": "The merger", "simulate": true, "off_record": true });
    let secret = app.by(&manager, POST, "/meetings", Some(new)).await.text("id");
    let listed = async |token: &str| {
        let rows = app.by(token, GET, "/meetings", None).await.body["items"].clone();
        let ids = rows
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| row["id"].as_str().unwrap_or_default().to_owned());
        ids.collect::<Vec<_>>()
    };
    let both = vec![secret.clone(), "m1".to_owned()];
    for token in [&reader, &speaker, &manager, &owner] {
        assert_eq!(listed(token).await, both);
    }
    for id in &both {
        let path = format!("/meetings/{id}");
        let locked = app.by(&manager, PATCH, &path, Some(json!({ "password": "open sesame" }))).await;
        assert_eq!(locked.status, StatusCode::OK, "{}", locked.body);
        for token in [&reader, &speaker] {
            assert_eq!(app.by(token, GET, &path, None).await.sort(), "locked", "{id}");
        }
        assert_eq!(app.by(&manager, GET, &path, None).await.status, StatusCode::OK);
        let body = json!({ "password": "open sesame", "name": "Eve", "tokens": true });
        let eve = app.ask(POST, &format!("{path}/enter"), &[], Some(body)).await;
        assert_eq!(eve.status, StatusCode::CREATED, "{id}: {}", eve.body);
    }
    for token in [&reader, &speaker] {
        assert!(listed(token).await.is_empty());
    }
    assert_eq!(listed(&manager).await, both);
}

#[tokio::test]
async fn an_account_is_made_changed_and_taken_away() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let add = |name: &str, password: &str| {
        let body = json!({ "name": name, "password": password, "scope": "speak" });
        app.by(&owner, POST, "/accounts", Some(body))
    };
    assert_eq!(add("ada", "short").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(add("ada", "first password of ada").await.status, StatusCode::CREATED);
    assert_eq!(add("ADA", "first password of ada").await.status, StatusCode::CONFLICT);
    let sign_in = |password: &str| {
        let body = json!({ "name": "ada", "password": password, "tokens": true });
        app.ask(POST, "/sessions", &[], Some(body))
    };
    let ada = sign_in("first password of ada").await.text("access_token");
    let change = |current: &str| {
        let body = json!({ "current": current, "password": "second password of ada" });
        app.by(&ada, Method::PUT, "/accounts/ada/password", Some(body))
    };
    assert_eq!(change("guessed").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(change("first password of ada").await.status, StatusCode::NO_CONTENT);
    assert_eq!(
        app.by(&ada, GET, "/me", None).await.status,
        StatusCode::UNAUTHORIZED,
        "its sessions are over"
    );
    assert_eq!(sign_in("first password of ada").await.status, StatusCode::UNAUTHORIZED);
    let ada = sign_in("second password of ada").await.text("access_token");
    assert_eq!(app.by(&owner, DELETE, "/accounts/ada", None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(app.by(&ada, GET, "/me", None).await.status, StatusCode::UNAUTHORIZED);
    let last = app.by(&owner, DELETE, "/accounts/owner", None).await;
    assert_eq!(last.body["type"], "/api/v1/problems#last-owner");
}

#[tokio::test]
async fn whoever_guesses_behind_the_same_address_keeps_no_known_browser_out() {
    let limits = LimitOptions { attempts_per_name_per_minute: 3, ..LimitOptions::default() };
    let app = App::open(AccessOptions { limits, ..AccessOptions::default() }).await;
    let sign_in = async |password: &str, cookie: &str| {
        let body = json!({ "name": "Owner", "password": password });
        app.ask(POST, "/sessions", &[("cookie", cookie)], Some(body)).await
    };
    let first = sign_in(PASSWORD, "").await;
    let cookies = first.headers.get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok());
    let known = cookies.into_iter().find(|cookie| cookie.starts_with("quorate_known")).expect("a cookie");
    let known = known.split(';').next().expect("a pair").to_owned();
    while sign_in("a guess", "").await.status != StatusCode::TOO_MANY_REQUESTS {}
    assert_eq!(sign_in(PASSWORD, "").await.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(sign_in(PASSWORD, &known).await.status, StatusCode::CREATED);
    // The cookie grants no access, is valid for its own account alone, and has a limit of its own.
    let me = app.ask(GET, "/me", &[("cookie", &known.replace("known", "access"))], None).await;
    assert_eq!(me.status, StatusCode::UNAUTHORIZED);
    let body = json!({ "name": "ada", "password": "a guess" });
    app.ask(POST, "/sessions", &[("cookie", &known)], Some(body)).await;
    let mut last = StatusCode::OK;
    for _ in 0..4 {
        last = sign_in("a guess", &known).await.status;
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn who_signs_in_again_and_again_ends_their_oldest_session() {
    let app = App::open(generous()).await;
    let first = app.owner().await.text("access_token");
    let mut last = String::new();
    for _ in 0..100 {
        last = app.owner().await.text("access_token");
    }
    assert_eq!(app.by(&first, GET, "/me", None).await.status, StatusCode::UNAUTHORIZED);
    let sessions = app.by(&last, GET, "/sessions", None).await.body;
    assert_eq!(sessions["items"].as_array().map(Vec::len), Some(100));
}

#[tokio::test]
async fn of_owners_who_take_each_other_away_one_stays() {
    let app = App::open(generous()).await;
    let first = app.owner().await.text("access_token");
    for _ in 0..10 {
        let body = json!({ "name": "ada", "password": PASSWORD, "scope": "owner" });
        let made = app.by(&first, POST, "/accounts", Some(body)).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
        let body = json!({ "name": "ada", "password": PASSWORD, "tokens": true });
        let second = app.ask(POST, "/sessions", &[], Some(body)).await.text("access_token");
        let (by_first, by_second) = tokio::join!(
            app.by(&first, DELETE, "/accounts/ada", None),
            app.by(&second, DELETE, "/accounts/owner", None)
        );
        let gone = [&by_first, &by_second].iter().filter(|it| it.status == StatusCode::NO_CONTENT).count();
        assert_eq!(gone, 1, "{} {}", by_first.body, by_second.body);
        assert_eq!(app.store.accounts().await.expect("accounts").len(), 1);
        if by_second.status == StatusCode::NO_CONTENT {
            return;
        }
    }
}

#[tokio::test]
async fn too_many_attempts_and_too_many_requests_are_told_when_to_come_again() {
    let limits = LimitOptions { attempts_per_minute: 3, requests_per_minute: 20, ..LimitOptions::default() };
    let app = App::open(AccessOptions { limits, ..AccessOptions::default() }).await;
    let attempt = || app.ask(POST, "/sessions", &[], Some(json!({ "name": "owner", "password": "guess" })));
    for _ in 0..3 {
        assert_eq!(attempt().await.status, StatusCode::UNAUTHORIZED);
    }
    let fourth = attempt().await;
    assert_eq!(fourth.status, StatusCode::TOO_MANY_REQUESTS);
    let wait: u64 = fourth.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
    assert!((1..=21).contains(&wait), "{wait}");
    let right = app.ask(POST, "/sessions", &[], Some(json!({ "name": "owner", "password": PASSWORD }))).await;
    assert_eq!(right.status, StatusCode::TOO_MANY_REQUESTS, "the right password would be learnt otherwise");
    let mut answers = Vec::new();
    for _ in 0..25 {
        answers.push(app.ask(GET, "/openapi.json", &[], None).await);
    }
    let refused =
        answers.iter().find(|answer| answer.status == StatusCode::TOO_MANY_REQUESTS).expect("too many");
    assert_ne!(refused.headers["retry-after"], "0");
}

#[tokio::test]
async fn the_log_says_who_did_what_from_where() {
    let options = AccessOptions { trust_proxy: vec!["127.0.0.0/8".to_owned()], ..generous() };
    let app = App::open(options).await;
    let from = [("x-forwarded-for", "6.6.6.6, 203.0.113.9")];
    app.ask(POST, "/sessions", &from, Some(json!({ "name": "owner", "password": "guess" }))).await;
    let owner = app.owner().await.text("access_token");
    app.token(&owner, json!({ "name": "build", "scope": "read" })).await;
    app.store.audit_written().await.expect("written");
    let all = app.by(&owner, GET, "/audit", None).await.body;
    let actions: Vec<&str> =
        all["items"].as_array().expect("items").iter().filter_map(|item| item["action"].as_str()).collect();
    assert_eq!(actions, ["tokens.post", "sign_in.accepted", "sign_in.refused"]);
    assert_eq!(all["items"][2]["address"], "203.0.113.9", "what the client wrote itself does not count");
    assert_eq!(all["items"][0]["by"], "user:owner");
    assert_eq!(all["items"][0]["detail"]["name"], "build");
    assert!(!all.to_string().contains("guess"), "no password is noted");
    let refused = app.by(&owner, GET, "/audit?action=sign_in.&limit=1", None).await.body;
    let next = refused["next_cursor"].as_str().expect("another page");
    let rest = app.by(&owner, GET, &format!("/audit?action=sign_in.&limit=1&cursor={next}"), None).await.body;
    assert_eq!(rest["items"][0]["action"], "sign_in.refused");
    assert_eq!(app.by(&owner, GET, "/audit?cursor=x", None).await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_page_of_another_site_is_answered_when_it_is_allowed() {
    let options = AccessOptions { allow_origin: vec!["https://tools.example".to_owned()], ..generous() };
    let app = App::open(options).await;
    let preflight = |origin: &'static str| {
        let app = &app;
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", "content-type, idempotency-key"),
        ];
        async move { app.ask(Method::OPTIONS, "/sessions", &headers, None).await }
    };
    let allowed = preflight("https://tools.example").await;
    assert_eq!(allowed.headers["access-control-allow-origin"], "https://tools.example");
    assert_eq!(allowed.headers["access-control-allow-credentials"], "true");
    assert!(preflight("https://evil.example").await.headers.get("access-control-allow-origin").is_none());
    let answer = app.ask(GET, "/openapi.json", &[("origin", "https://tools.example")], None).await;
    assert!(answer.headers["access-control-expose-headers"].to_str().expect("text").contains("retry-after"));
    for name in ["content-security-policy", "x-content-type-options", "referrer-policy", "x-frame-options"] {
        assert!(answer.headers.contains_key(name), "{name}");
    }
    assert!(!answer.headers.contains_key("strict-transport-security"), "it is not encrypted");
}

#[tokio::test]
async fn at_this_machine_nothing_is_done_without_the_token() {
    const TOKEN: &str = "a-token-of-sixteen-or-more";
    let app = App::at_this_machine(AccessOptions::default(), Some(TOKEN)).await;
    // As a reverse proxy with default settings hands a stranger's request on: nothing tells it from one of this machine.
    for (method, path) in
        [(GET, "/me"), (GET, "/meetings"), (GET, "/metrics"), (POST, "/meetings"), (GET, "/accounts")]
    {
        let refused =
            app.ask(method, path, &[], (path == "/meetings").then(|| json!({ "topic": "x" }))).await;
        assert_eq!((refused.status, refused.sort()), (StatusCode::UNAUTHORIZED, "token-needed"), "{path}");
        assert!(refused.text("hint").contains("authorization: Bearer"), "{}", refused.text("hint"));
    }
    for wrong in ["Bearer ", "Bearer a-token-of-sixteen-or-mor", "Basic YTpi"] {
        let refused = app.ask(GET, "/me", &[("authorization", wrong)], None).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{wrong}");
    }
    assert_eq!(app.ask(GET, "/healthz", &[], None).await.status, StatusCode::OK);
    let bearer = format!("Bearer {TOKEN}");
    let me = app.ask(GET, "/me", &[("authorization", &bearer)], None).await;
    assert_eq!((me.body["signed_in_by"].as_str(), me.body["scope"].as_str()), (Some("local"), Some("owner")));

    // The address that is printed: a cookie, and the token is gone from the address.
    let browser = Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let open = async |path: &str| browser.get(format!("{}{path}", app.url)).send().await.expect("an answer");
    let opened = open(&format!("/m/x?token={TOKEN}&at=3")).await;
    assert_eq!(
        (opened.status(), &opened.headers()["location"]),
        (StatusCode::SEE_OTHER, &"/m/x?at=3".parse().unwrap())
    );
    let cookie = opened.headers()["set-cookie"].to_str().expect("plain").to_owned();
    assert!(cookie.contains("HttpOnly; SameSite=Strict") && !cookie.contains(TOKEN), "{cookie}");
    let cookie = cookie.split(';').next().expect("a pair");
    let with_cookie = [("cookie", cookie)];
    assert_eq!(app.ask(GET, "/me", &with_cookie, None).await.status, StatusCode::OK);
    let forged = [("cookie", cookie), ("origin", "http://evil.example")];
    let refused = app.ask(POST, "/meetings", &forged, Some(json!({ "topic": "x" }))).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "a page elsewhere");
    for wrong in ["/?token=wrong", "//evil.example/?token=wrong", "/?token="] {
        let opened = open(wrong).await;
        assert_eq!(opened.status(), StatusCode::SEE_OTHER, "{wrong}");
        assert!(!opened.headers()["location"].to_str().expect("plain").starts_with("//"), "{wrong}");
        assert!(!opened.headers().contains_key("set-cookie"), "{wrong}");
    }

    // Typed into the page.
    let typed = |token: &str| Some(json!({ "token": token }));
    assert_eq!(app.ask(POST, "/sessions/local", &[], typed("wrong")).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(app.ask(POST, "/sessions/local", &[], typed(TOKEN)).await.status, StatusCode::NO_CONTENT);

    // From the first account on all users have to sign in.
    let account = json!({ "name": "ada", "password": "correct horse battery", "scope": "owner" });
    let made = app.ask(POST, "/accounts", &[("authorization", &bearer)], Some(account)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    for shown in [("authorization", bearer.as_str()), ("cookie", cookie)] {
        assert_eq!(app.ask(GET, "/me", &[shown], None).await.status, StatusCode::UNAUTHORIZED, "{}", shown.0);
    }
    assert_eq!(app.ask(POST, "/sessions/local", &[], typed(TOKEN)).await.sort(), "sign-in");
    assert!(!open(&format!("/?token={TOKEN}")).await.headers().contains_key("set-cookie"));
}
