//! Agents, providers and templates over HTTP.

use std::time::Duration;

use quorate_vendor_emulators::{KEY, VendorServer};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access_server::App;
use crate::test_server::Rig;

const GET: Method = Method::GET;
const POST: Method = Method::POST;
const PUT: Method = Method::PUT;
const PATCH: Method = Method::PATCH;
const DELETE: Method = Method::DELETE;

fn ada() -> Value {
    json!({"name": "Ada", "role": "Architect", "description": "Looks at what lasts.", "temperament": "stubborn"})
}

#[tokio::test]
async fn an_agent_from_its_beginning_to_its_end() {
    let rig = Rig::start().await;
    let made = rig.send(POST, "/agents", &[], Some(ada())).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    let path = made.header("location").trim_start_matches("/api/v1").to_owned();
    assert_eq!(path, format!("/agents/{}", made.body["id"].as_str().expect("an id")));
    let twice = rig.send(POST, "/agents", &[], Some(ada())).await;
    assert_eq!((twice.status, twice.sort()), (StatusCode::CONFLICT, "name-taken"));
    assert_eq!(rig.see("/agents").await["items"].as_array().map(Vec::len), Some(1));
    let tested = rig.execute("/agents/Ada/test", json!({})).await;
    assert_eq!((&tested["ok"], &tested["simulated"]), (&json!(true), &json!(true)));

    // It is seated as it is at this moment.
    let meeting =
        rig.meeting(json!({"seats": null, "participants": [{"agent": "Ada"}, {"name": "Ben"}]})).await;
    let tag = rig.send(GET, "/agents/Ada", &[], None).await.header("etag").to_owned();
    let seen = [("if-match", tag.as_str())];
    let renamed = rig.send(PATCH, "/agents/Ada", &seen, Some(json!({"role": "Builder"}))).await;
    assert_eq!((renamed.status, &renamed.body["role"]["name"]), (StatusCode::OK, &json!("Builder")));
    assert_ne!(renamed.header("etag"), tag);
    for (method, body) in [(PATCH, Some(json!({"role": "Cook"}))), (DELETE, None)] {
        let late = rig.send(method, "/agents/Ada", &seen, body).await;
        assert_eq!((late.status, late.sort()), (StatusCode::PRECONDITION_FAILED, "changed-meanwhile"));
    }
    let known = [("if-none-match", renamed.header("etag"))];
    assert_eq!(rig.send(GET, &path, &known, None).await.status, StatusCode::NOT_MODIFIED);
    let nothing = rig.send(PATCH, "/agents/Ada", &[], Some(json!({}))).await;
    assert_eq!((nothing.status, nothing.header("etag")), (StatusCode::OK, renamed.header("etag")));
    let both = json!({"model": "openai/gpt", "temperament": "stubborn"});
    let both = rig.send(PATCH, "/agents/Ada", &[], Some(both)).await;
    assert_eq!(both.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", both.body);
    let fresh = [("if-match", renamed.header("etag"))];
    assert_eq!(rig.send(DELETE, &path, &fresh, None).await.status, StatusCode::NO_CONTENT);
    for method in [GET, PATCH, DELETE] {
        assert_eq!(rig.send(method, &path, &[], None).await.status, StatusCode::NOT_FOUND);
    }
    assert_eq!(rig.ask(POST, "/agents/Ada/test", None).await.0, StatusCode::NOT_FOUND);
    let seated = rig.see(&format!("{meeting}/participants/Ada")).await;
    assert_eq!(seated["participant"]["role"]["name"], "Architect", "meetings stay as they are");
}

#[tokio::test]
async fn of_many_editors_of_an_agent_one_comes_through() {
    let rig = Rig::start().await;
    rig.execute("/agents", ada()).await;
    let tag = rig.send(GET, "/agents/Ada", &[], None).await.header("etag").to_owned();
    let edits = (0..12).map(|number| {
        let (rig, tag) = (&rig, &tag);
        let body = json!({"description": format!("Editor {number} was here.")});
        async move { rig.send(PATCH, "/agents/Ada", &[("if-match", tag)], Some(body)).await }
    });
    let answers = futures::future::join_all(edits).await;
    let through: Vec<_> = answers.iter().filter(|answer| answer.status == StatusCode::OK).collect();
    assert_eq!(through.len(), 1);
    let now = rig.see("/agents/Ada").await;
    assert_eq!(now["role"]["description"], through[0].body["role"]["description"]);
}

/// A page looks for a local Ollama without being told that there is one.
#[tokio::test]
async fn a_server_without_a_key_that_does_not_run_has_no_models_and_is_no_error() {
    let rig = Rig::start().await;
    let closed =
        std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port");
    let url = format!("http://{closed}/v1");
    let body = json!({"base_url": url, "wire": "openai"});
    assert_eq!(rig.send(PUT, "/providers/desk", &[], Some(body)).await.status, StatusCode::CREATED);
    let listed = rig.send(GET, "/providers/desk/models", &[], None).await;
    assert_eq!(listed.status, StatusCode::OK, "{}", listed.body);
    assert_eq!(listed.body, json!({"items": [], "next_cursor": null, "reachable": false}));
    // With a key it was set up on purpose, and silence is an error.
    let body = json!({"base_url": url, "wire": "openai", "api_key": KEY});
    rig.send(PUT, "/providers/desk", &[], Some(body)).await;
    let listed = rig.send(GET, "/providers/desk/models", &[], None).await;
    assert_eq!(listed.status, StatusCode::BAD_GATEWAY, "{}", listed.body);
}

#[tokio::test]
async fn a_setting_that_cannot_have_its_value_is_named_and_the_value_is_not_told() {
    let rig = Rig::start().await;
    // Being reset, a field has no value to be refused.
    let sound = json!({"base_url": "http://127.0.0.1:9/v1", "retries": null});
    assert_eq!(rig.send(PUT, "/providers/lab", &[], Some(sound)).await.status, StatusCode::CREATED);
    for (setting, value) in [("streaming", json!(false)), ("retries", json!("sk-1")), ("timeouts", json!(5))]
    {
        let body = json!({"base_url": "http://127.0.0.1:9/v1", setting: value});
        for method in [PUT, PATCH] {
            let refused = rig.send(method, "/providers/lab", &[], Some(body.clone())).await;
            let said = refused.body.to_string();
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{said}");
            assert!(said.contains(setting) && !said.contains("sk-1"), "{said}");
        }
    }
}

#[tokio::test]
async fn a_key_comes_in_and_never_goes_out() {
    let rig = Rig::start().await;
    let vendors = VendorServer::open(0, Duration::ZERO).expect("a free port");
    let unknown = rig.send(PATCH, "/providers/lab", &[], Some(json!({"api_key": KEY}))).await;
    assert_eq!((unknown.status, &unknown.body["resource_type"]), (StatusCode::NOT_FOUND, &json!("provider")));
    let body = json!({
        "base_url": vendors.url("/v1"), "api_key": KEY, "wire": "openai", "extra_headers": {"x-team": "sk-hidden-1"},
    });
    let mut told = Vec::new();
    let mut tell = |answer: crate::test_server::Answered, status: u16| {
        assert_eq!(answer.status.as_u16(), status, "{}", answer.body);
        told.push(format!("{:?} {}", answer.headers, answer.body));
        answer.body
    };
    let saved = tell(rig.send(PUT, "/providers/lab", &[], Some(body.clone())).await, 201);
    assert_eq!(
        (&saved["provider"]["key"], &saved["provider"]["headers"]),
        (&json!("stored"), &json!(["x-team"]))
    );
    let models = tell(rig.send(GET, "/providers/lab/models", &[], None).await, 200);
    assert!(!models["items"].as_array().expect("models").is_empty());
    let model = json!({"model": models["items"][0]["model"]});
    tell(rig.send(POST, "/providers/lab/test", &[], Some(model)).await, 200);
    tell(rig.send(GET, "/providers", &[], None).await, 200);
    let agent =
        json!({"name": "Mia", "role": "x", "description": "y", "model": "lab/gpt-4o-mini", "api_key": KEY});
    tell(rig.send(POST, "/agents", &[], Some(agent)).await, 201);
    let said = tell(rig.send(POST, "/agents/Mia/test", &[], None).await, 200);
    assert_eq!(said["ok"], true);
    // Another key in its place; what else was given stays.
    let rotated = tell(
        rig.send(PATCH, "/providers/lab", &[], Some(json!({"api_key": "sk-second-key-000"}))).await,
        200,
    );
    assert_eq!(rotated["changed"], json!(["key"]));
    for (method, path) in [(POST, "/agents/Mia/test"), (GET, "/providers/lab/models")] {
        let refused = tell(rig.send(method, path, &[], None).await, 502);
        assert_eq!(refused["type"], "/api/v1/problems#key-refused", "{path}: {refused}");
    }
    let chinese = [("accept-language", "zh-CN")];
    let tried = tell(rig.send(POST, "/providers/lab/test", &chinese, Some(json!({}))).await, 200);
    let first = &tried["tried"][0];
    let (detail, hint) = (first["detail"].as_str().expect("a detail"), &first["hint"]);
    assert!(detail.starts_with("lab 返回 401"), "{tried}");
    assert!(hint.as_str().is_some_and(|hint| hint.contains("密钥") && hint.contains("lab")), "{hint}");
    // A key goes nowhere but where it was given for.
    let moved = tell(
        rig.send(PATCH, "/providers/lab", &[], Some(json!({"base_url": "https://evil.example/v1"}))).await,
        422,
    );
    assert_eq!(moved["errors"][0]["pointer"], "/api_key");
    for wrong in [
        json!({"api_key": 7}),
        json!({"api_key": "sk-second-key-000\nx: y"}),
        json!({"api_key": "sk-second-key-000", "key_file": "/etc/passwd"}),
        json!({"extra_headers": {"x": "sk-second-key-000\n"}}),
        json!({"wire": "sk"}),
        json!({"proxy": "http://sk-second-key-000@"}),
    ] {
        tell(rig.send(PATCH, "/providers/lab", &[], Some(wrong)).await, 422);
    }
    let same = tell(rig.send(PATCH, "/providers/lab", &[], Some(json!({}))).await, 200);
    assert_eq!(same["changed"], json!([]));
    // A replacement keeps nothing that it does not name.
    let address = json!({"base_url": vendors.url("/v1")});
    let replaced = tell(rig.send(PUT, "/providers/lab", &[], Some(address)).await, 200);
    assert_eq!(
        (&replaced["provider"]["key"], &replaced["provider"]["headers"]),
        (&json!("none"), &Value::Null),
        "{replaced}"
    );
    tell(rig.send(GET, "/audit", &[], None).await, 200);
    tell(rig.send(GET, "/agents", &[], None).await, 200);
    for text in &told {
        for secret in [KEY, "sk-hidden-1", "sk-second-key"] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
    }
    assert_eq!(rig.ask(DELETE, "/providers/lab", None).await.0, StatusCode::NO_CONTENT);
    for (method, path) in
        [(DELETE, "/providers/lab"), (GET, "/providers/lab/models"), (POST, "/providers/lab/test")]
    {
        let gone = rig.send(method, path, &[], None).await;
        assert_eq!((gone.status, gone.sort()), (StatusCode::NOT_FOUND, "not-found"), "{path}: {}", gone.body);
    }
}

#[tokio::test]
async fn from_afar_no_address_of_this_machine_is_taken_and_keys_are_the_owners() {
    let app = App::open(crate::access::generous()).await;
    let owner = app.owner().await.text("access_token");
    let manage = app.token(&owner, json!({"name": "m", "scope": "manage"})).await.text("token");
    for address in [
        "http://127.0.0.1:11434",
        "http://localhost/v1",
        "http://[::1]:80/",
        "http://[::ffff:127.0.0.1]/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://100.64.0.1/",
        "http://[fd00::1]/",
        "http://[fe80::1]/",
        "http://0.0.0.0/",
        "http://metadata.localhost/",
        "file:///etc/passwd",
        "gopher://evil.example/",
        "nonsense",
        "",
    ] {
        let body = Some(json!({"base_url": address, "api_key": "sk-planted-0123456789"}));
        let refused = app.by(&owner, PUT, "/providers/lab", body).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{address}: {}", refused.body);
        assert!(!refused.body.to_string().contains("planted"));
    }
    let sound = json!({"base_url": "https://api.example.com/v1", "api_key": "sk-planted-0123456789"});
    let refused = app.by(&manage, PUT, "/providers/lab", Some(sound.clone())).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let saved = app.by(&owner, PUT, "/providers/lab", Some(sound)).await;
    assert_eq!(saved.status, StatusCode::CREATED, "{}", saved.body);
    let seen = app.by(&manage, GET, "/providers", None).await;
    assert!(seen.body.to_string().contains("lab") && !seen.body.to_string().contains("planted"));
    // Not by way of an agent either.
    let agent = json!({"name": "Mia", "role": "x", "description": "y", "model": "lab/x"});
    let made = app.by(&manage, POST, "/agents", Some(agent.clone())).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    for own in [
        json!({"api_key": "sk-mine-0123"}),
        json!({"base_url": "https://evil.example/v1", "api_key": "sk-mine-0123"}),
    ] {
        let changed = app.by(&manage, PATCH, "/agents/Mia", Some(own.clone())).await;
        assert_eq!(changed.status, StatusCode::FORBIDDEN, "{}", changed.body);
        let mut with = agent.clone();
        with["name"] = json!("Zoe");
        with.as_object_mut()
            .zip(own.as_object())
            .map(|(with, own)| with.extend(own.clone()))
            .expect("objects");
        assert_eq!(app.by(&manage, POST, "/agents", Some(with)).await.status, StatusCode::FORBIDDEN);
    }
    let providers = app.by(&owner, GET, "/providers", None).await.body.to_string();
    assert!(providers.contains("https://api.example.com") && !providers.contains("evil"), "{providers}");
}

#[tokio::test]
async fn a_template_is_kept_changed_and_used() {
    let rig = Rig::start().await;
    let body = json!({"format": "discussion", "simulate": true, "rules": {"limits": {"max_rounds": 1}}});
    let made = rig.send(POST, "/templates", &[], Some(json!({"name": "short", "body": body}))).await;
    assert_eq!((made.status, made.header("etag")), (StatusCode::CREATED, "\"1\""), "{}", made.body);
    let path = made.header("location").trim_start_matches("/api/v1").to_owned();
    let taken = rig.send(POST, "/templates", &[], Some(json!({"name": "short", "body": body}))).await;
    assert_eq!((taken.status, taken.sort()), (StatusCode::CONFLICT, "name-taken"));
    for (wrong, pointer) in [
        (json!({"name": "x", "body": {"fromat": "consensus"}}), "/body/fromat"),
        (
            json!({"name": "x", "body": {"rules": {"limits": {"max_rounds": "two"}}}}),
            "/body/rules/limits/max_rounds",
        ),
        (
            json!({"name": "x", "body": {"providers": {"lab": {"base_url": "http://127.0.0.1"}}}}),
            "/providers",
        ),
        (json!({"name": "", "body": {}}), "/name"),
        (json!({"name": "x"}), ""),
        (json!({"name": "x", "body": {}, "more": 1}), "/more"),
    ] {
        let (status, problem) = rig.post("/templates", wrong.clone()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}: {problem}");
        assert!(
            problem["errors"][0]["pointer"].as_str().is_some_and(|own| own.contains(pointer)),
            "{wrong}: {problem}"
        );
    }
    let longer = json!({"name": "longer", "body": {"format": "consensus", "simulate": true}});
    let tag = [("if-match", "\"1\"")];
    let changed = rig.send(PUT, &path, &tag, Some(longer.clone())).await;
    assert_eq!((changed.status, changed.header("etag")), (StatusCode::OK, "\"2\""), "{}", changed.body);
    let late = rig.send(PUT, &path, &tag, Some(longer)).await;
    assert_eq!((late.status, late.sort()), (StatusCode::PRECONDITION_FAILED, "changed-meanwhile"));
    assert_eq!(rig.send(DELETE, &path, &tag, None).await.status, StatusCode::PRECONDITION_FAILED);
    // It is found by its name as well, and begins a meeting.
    let mut found = rig.see("/templates/longer").await["body"].clone();
    assert_eq!(rig.see("/templates").await["items"][0]["body"], found);
    found["topic"] = json!("SQLite or PostgreSQL?");
    let meeting = rig.send(POST, "/meetings", &[], Some(found)).await;
    assert_eq!(meeting.status, StatusCode::CREATED, "{}", meeting.body);
    let any = [("if-match", "*")];
    assert_eq!(rig.send(DELETE, &path, &any, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(rig.get(&path).await.0, StatusCode::NOT_FOUND);
}
