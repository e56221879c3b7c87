//! Every route with every kind of caller: the table of routes agrees with the responses.

use quorate_app::{Permission, UseCaseDefinition};
use quorate_server::{AccessOptions, LimitOptions, ROUTES, WITH_QUERY, openapi};
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::access_server::{Answer, App};

fn operations() -> Vec<(String, String)> {
    let document = openapi();
    let paths = document["paths"].as_object().expect("paths").clone();
    let methods = ["get", "post", "put", "patch", "delete"];
    let of = |(path, item): (String, serde_json::Value)| {
        let present = methods.into_iter().filter(|method| item.get(method).is_some()).collect::<Vec<_>>();
        present.into_iter().map(move |method| (method.to_uppercase(), path.clone())).collect::<Vec<_>>()
    };
    paths.into_iter().flat_map(of).collect()
}

#[test]
fn every_operation_has_a_row_and_every_row_an_operation() {
    let operations = operations();
    for (method, path) in &operations {
        let rows = ROUTES.iter().filter(|(m, p, _)| m == method && p == path).count();
        assert_eq!(rows, 1, "{method} {path} in access/routes.rs");
    }
    // The Model Context Protocol and the Agent2Agent protocol describe themselves.
    for (method, path, _) in
        ROUTES.iter().filter(|(_, path, _)| *path != "/mcp" && !quorate_server::is_a2a(path))
    {
        let described = operations.iter().any(|(m, p)| m == method && p == path);
        assert!(described, "{method} {path} is in access/routes.rs, and nowhere else");
    }
}

#[tokio::test]
async fn routes_that_take_no_parameters_refuse_them_and_the_others_are_listed() {
    let document = openapi();
    for (method, path) in operations() {
        let operation = &document["paths"][&path][method.to_lowercase()];
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let takes_query = parameters.into_iter().any(|parameter| parameter["in"] == "query");
        let is_listed = WITH_QUERY.contains(&(method.as_str(), path.as_str()));
        assert_eq!(is_listed, takes_query, "{method} {path} in WITH_QUERY of access/routes.rs");
    }
    assert!(WITH_QUERY.iter().all(|row| ROUTES.iter().any(|(method, path, _)| (*method, *path) == *row)));
    let app = App::alone(AccessOptions::default()).await;
    assert_eq!(app.ask(Method::GET, "/agents", &[], None).await.status, StatusCode::OK);
    let refused = app.ask(Method::GET, "/agents?limt=1", &[], None).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        refused.body["detail"].as_str().is_some_and(|detail| detail.contains("limt")),
        "{}",
        refused.body
    );
    // Whether the caller may is said first.
    let shared = App::open(AccessOptions::default()).await;
    let stranger = shared.ask(Method::GET, "/agents?limt=1", &[], None).await;
    assert_eq!(stranger.status, StatusCode::UNAUTHORIZED, "{}", stranger.body);
}

#[tokio::test]
async fn a_field_that_nothing_knows_is_refused_wherever_it_stands() {
    let app = App::alone(AccessOptions::default()).await;
    let role = json!({ "name": "critic", "description": "", "descripton": "doubts" });
    let body =
        json!({ "topic": "Is it?", "simulate": true, "participants": [{ "name": "Ada", "role": role }] });
    let refused = app.ask(Method::POST, "/meetings", &[], Some(body)).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
    let place = refused.body["errors"][0]["pointer"].as_str().unwrap_or_default();
    assert_eq!(place, "/participants/0/role/descripton", "{}", refused.body);
    app.meeting("m1").await;
    let body = json!({ "content": "a", "desicions": [{ "text": "x" }] });
    let refused = app.ask(Method::PUT, "/meetings/m1/minutes", &[], Some(body)).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
}

/// The kind of caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Nobody,
    Read,
    Speak,
    Manage,
    Owner,
    ReadElsewhere,
    Guest,
    Expired,
    Revoked,
}

const EVERYBODY: [Who; 9] = [
    Who::Nobody,
    Who::Read,
    Who::Speak,
    Who::Manage,
    Who::Owner,
    Who::ReadElsewhere,
    Who::Guest,
    Who::Expired,
    Who::Revoked,
];

/// The refusal by the table: `None` when the caller may.
fn expected(who: Who, need: Permission, at_meeting: bool, own: bool) -> Option<StatusCode> {
    use Who::*;
    let rank = |need| match need {
        Permission::Open | Permission::SignedIn => 0,
        Permission::Read => 1,
        Permission::Speak => 2,
        Permission::Manage => 3,
        Permission::Owner => 4,
    };
    match who {
        // A caller with an invalid token is refused also where no token is needed.
        Expired | Revoked => Some(StatusCode::UNAUTHORIZED),
        Nobody if need == Permission::Open => None,
        Nobody => Some(StatusCode::UNAUTHORIZED),
        Read | Speak | Manage | Owner => {
            let own =
                [Read, Speak, Manage, Owner].iter().position(|it| *it == who).map_or(0, |place| place + 1);
            (own < rank(need)).then_some(StatusCode::FORBIDDEN)
        }
        // What is their own is at their meeting.
        ReadElsewhere if own => (rank(need) > 1).then_some(StatusCode::FORBIDDEN),
        Guest if own => (rank(need) > 2).then_some(StatusCode::FORBIDDEN),
        ReadElsewhere if at_meeting => Some(StatusCode::NOT_FOUND),
        ReadElsewhere | Guest if !at_meeting => (rank(need) > 0).then_some(StatusCode::FORBIDDEN),
        ReadElsewhere | Guest => (rank(need) > 2).then_some(StatusCode::FORBIDDEN),
    }
}

/// Whether access was refused, and not the request itself.
fn refused_before_it_runs(answer: &Answer) -> bool {
    let detail = answer.body["detail"].as_str().unwrap_or_default();
    match answer.status {
        StatusCode::UNAUTHORIZED => {
            detail == "nobody has signed in" || detail.starts_with("the token is unknown")
        }
        StatusCode::FORBIDDEN => detail == "you may not do this",
        StatusCode::NOT_FOUND => detail.starts_with("there is no meeting \"m1\""),
        _ => false,
    }
}

#[tokio::test]
async fn everybody_is_answered_as_the_table_says() {
    let limits = LimitOptions {
        requests_per_minute: 1_000_000,
        attempts_per_minute: 1_000_000,
        attempts_per_name_per_minute: 1_000_000,
        ..LimitOptions::default()
    };
    let app = App::open(AccessOptions { limits, ..AccessOptions::default() }).await;
    app.meeting("m1").await;
    app.meeting("m2").await;
    let owner = app.owner().await.text("access_token");
    let token = |scope: &str, meeting: Option<&str>| {
        let body = json!({ "name": "matrix", "scope": scope, "meeting": meeting });
        let (app, owner) = (&app, &owner);
        async move { app.token(owner, body).await.text("token") }
    };
    let revoked = app.token(&owner, json!({ "name": "gone", "scope": "owner" })).await;
    app.by(&owner, Method::DELETE, &format!("/tokens/{}", revoked.text("id")), None).await;
    let tokens = [
        token("read", None).await,
        token("speak", None).await,
        token("manage", None).await,
        token("owner", None).await,
        token("read", Some("m2")).await,
    ];
    let mut guests = 0;
    let mut wrong = Vec::new();
    for (method, path) in operations() {
        let (_, _, use_case) = *ROUTES.iter().find(|(m, p, _)| *m == method && *p == path).expect("a row");
        let UseCaseDefinition { permission: need, own, .. } = use_case.definition();
        let at_meeting = path == "/api/v1/meetings/{id}" || path.starts_with("/api/v1/meetings/{id}/");
        let asked = if at_meeting { path.replacen("{id}", "m1", 1) } else { path.clone() };
        let asked: Vec<&str> =
            asked.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect();
        let asked = asked.join("/").replace("/api/v1", "");
        for who in EVERYBODY {
            app.meeting("m1").await;
            let shown = match who {
                Who::Nobody => String::new(),
                Who::Read => tokens[0].clone(),
                Who::Speak => tokens[1].clone(),
                Who::Manage => tokens[2].clone(),
                Who::Owner => tokens[3].clone(),
                Who::ReadElsewhere => tokens[4].clone(),
                Who::Guest => {
                    guests += 1;
                    // What was asked before may have taken the meeting and its invitations away.
                    let invite = Some(json!({ "scope": "speak" }));
                    let invited = app.by(&owner, Method::POST, "/meetings/m1/invitations", invite).await;
                    let body = json!({ "code": invited.text("code"), "name": format!("Guest {guests}"), "tokens": true });
                    app.ask(Method::POST, "/join", &[], Some(body)).await.text("access_token")
                }
                // Signed with an unknown key, as an old token is.
                Who::Expired => "eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2lnbmVk".to_owned(),
                Who::Revoked => revoked.text("token"),
            };
            let asks: Method = method.parse().expect("a method");
            let body = (asks != Method::GET && asks != Method::DELETE).then(|| json!({}));
            let answer = app.by(&shown, asks, &asked, body).await;
            let right = match expected(who, need, at_meeting, own) {
                Some(status) => answer.status == status && refused_before_it_runs(&answer),
                None => !refused_before_it_runs(&answer),
            };
            if !right {
                wrong.push(format!("{method} {path} as {who:?}: {} {}", answer.status, answer.body));
            }
        }
    }
    assert!(guests > 0 && wrong.is_empty(), "{wrong:#?}");
}
