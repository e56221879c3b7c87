//! Settings of a person: they follow an account, and go with it.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access::generous;
use crate::access_server::{App, PASSWORD};

const PATH: &str = "/me/settings";

/// The token of a new session of an account.
async fn session(app: &App, name: &str) -> String {
    let body = json!({ "name": name, "password": PASSWORD, "tokens": true });
    let answer = app.ask(Method::POST, "/sessions", &[], Some(body)).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    answer.text("access_token")
}

async fn add_account(app: &App, owner: &str, name: &str) {
    let body = json!({ "name": name, "password": PASSWORD, "scope": "manage" });
    let made = app.by(owner, Method::POST, "/accounts", Some(body)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
}

async fn kept(app: &App, token: &str) -> Value {
    let answer = app.by(token, Method::GET, PATH, None).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    answer.body
}

fn nothing() -> Value {
    json!({
        "language": null, "time_zone": null, "time_format": null, "date_format": null, "theme": null,
        "notifications": null, "enter_key": null, "density": null,
    })
}

#[tokio::test]
async fn settings_follow_an_account_to_every_session_and_go_with_it() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    add_account(&app, &owner, "Mia").await;
    let (desk, phone) = (session(&app, "Mia").await, session(&app, "mia").await);
    assert_eq!(kept(&app, &desk).await, nothing());

    let change = json!({ "time_zone": "europe/berlin", "time_format": "12h", "date_format": "d.M.yyyy", "theme": "dark" });
    let changed = app.by(&desk, Method::PATCH, PATH, Some(change)).await;
    assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);
    assert_eq!(changed.text("time_zone"), "Europe/Berlin");
    let change = json!({ "theme": null, "language": "en", "notifications": false });
    let changed = app.by(&phone, Method::PATCH, PATH, Some(change)).await.body;
    assert_eq!(changed, kept(&app, &desk).await, "the same on every device");
    let mut expected = nothing();
    expected["time_zone"] = json!("Europe/Berlin");
    expected["time_format"] = json!("12h");
    expected["date_format"] = json!("d.M.yyyy");
    expected["language"] = json!("en");
    expected["notifications"] = json!(false);
    assert_eq!(changed, expected);
    assert_eq!(kept(&app, &owner).await, nothing(), "nobody else's");

    let gone = app.by(&owner, Method::DELETE, "/accounts/Mia", None).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    assert_eq!(app.by(&desk, Method::GET, PATH, None).await.status, StatusCode::UNAUTHORIZED);
    add_account(&app, &owner, "Mia").await;
    let again = session(&app, "Mia").await;
    assert_eq!(kept(&app, &again).await, nothing(), "another Mia");
}

#[tokio::test]
async fn what_is_wrong_is_named_and_changes_nothing() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    for (field, value) in [
        ("time_zone", json!("Mars/Olympus")),
        ("time_zone", json!("../../etc/passwd")),
        ("time_format", json!("13h")),
        ("date_format", json!("yyyy-MM")),
        ("date_format", json!("yyyy-MM-dd".repeat(1000))),
        ("theme", json!("loud")),
        ("language", json!("fr")),
        ("notifications", json!("yes")),
        ("font", json!("large")),
    ] {
        let body = json!({ field: value, "density": "compact" });
        let refused = app.by(&owner, Method::PATCH, PATH, Some(body)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{field}: {}", refused.body);
        assert_eq!(refused.body["errors"][0]["pointer"], format!("/{field}"), "{}", refused.body);
        assert!(!refused.text("hint").is_empty());
    }
    assert_eq!(kept(&app, &owner).await, nothing());
}

#[tokio::test]
async fn guests_and_programs_have_none_on_the_server() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    app.meeting("m1").await;
    let link = Some(json!({ "scope": "speak" }));
    let code = app.by(&owner, Method::POST, "/meetings/m1/invitations", link).await.text("code");
    let join = json!({ "code": code, "name": "Lin", "tokens": true });
    let guest = app.ask(Method::POST, "/join", &[], Some(join)).await.text("access_token");
    let program = app.token(&owner, json!({ "name": "script", "scope": "owner" })).await.text("token");
    for token in [&guest, &program] {
        for (method, body) in [(Method::GET, None), (Method::PATCH, Some(json!({ "theme": "dark" })))] {
            let refused = app.by(token, method, PATH, body).await;
            assert_eq!(
                (refused.status, refused.sort()),
                (StatusCode::FORBIDDEN, "forbidden"),
                "{}",
                refused.body
            );
            assert!(refused.text("hint").contains("browser"), "{}", refused.body);
        }
    }
    assert_eq!(app.ask(Method::GET, PATH, &[], None).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(kept(&app, &owner).await, nothing());
}

#[tokio::test]
async fn the_person_at_this_machine_needs_no_account() {
    let app = App::alone(generous()).await;
    let changed = app.ask(Method::PATCH, PATH, &[], Some(json!({ "enter_key": "breaks" }))).await;
    assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);
    let mut expected = nothing();
    expected["enter_key"] = json!("breaks");
    assert_eq!(app.ask(Method::GET, PATH, &[], None).await.body, expected);
}
