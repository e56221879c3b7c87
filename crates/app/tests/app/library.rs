//! Agents and providers, while meetings run.

use std::time::Duration;

use quorate_app::{AgentRequest, App, ParticipantEntry, ProviderRequest, Speech};
use quorate_contract::{Actor, RunnerSpec};
use quorate_vendor_emulators::{KEY, VendorServer};
use serde_json::{Value, json};

use crate::test_app::{TestApp, held, new_meeting};

fn vendors() -> VendorServer {
    VendorServer::open(0, Duration::ZERO).expect("a free port")
}

fn provider(fields: Value) -> ProviderRequest {
    let request = serde_json::from_value(fields).expect("a request");
    ProviderRequest { allow_local: true, ..request }
}

fn agent(fields: Value) -> AgentRequest {
    serde_json::from_value(fields).expect("a request")
}

async fn with_chat(app: &App, vendors: &VendorServer) {
    let request = provider(json!({ "base_url": vendors.url("/v1"), "api_key": KEY, "wire": "openai" }));
    let saved = app.replace_provider("chat", &request).await.expect("it is stored");
    assert!(saved.is_new && saved.changed.contains(&"key".to_owned()));
    let view = saved.provider.expect("it can be used");
    assert_eq!((view.key.as_str(), view.source.as_str()), ("stored", "stored"));
}

fn refused(vendors: &VendorServer) -> usize {
    vendors.heard().iter().filter(|heard| heard.status == 400).count()
}

#[tokio::test]
async fn a_provider_that_did_not_change_keeps_what_was_learned() {
    let (home, vendors) = (TestApp::new(), vendors());
    let app = home.open().await;
    with_chat(&app, &vendors).await;
    // This one refuses schemas, which is learned once.
    let new = new_meeting(json!({
        "simulate": null, "models": ["chat/deepseek-chat"], "format": "consensus",
    }));
    let handle = app.create(&Actor::person("mia", "mia"), &new).await.expect("a meeting");
    assert!(held(&app, &handle).await.is_over());
    let before = refused(&vendors);
    assert!(before > 0, "nothing was there to learn");

    let spec = RunnerSpec::Model {
        provider: "chat".to_owned(),
        model: "deepseek-chat".to_owned(),
        parameters: Default::default(),
        price: None,
        fallback: None,
    };
    use quorate_engine::RunnerDirectory;
    let known = app.directory().find(&spec);
    let other = provider(json!({ "base_url": vendors.url("/v1"), "api_key": KEY }));
    app.replace_provider("other", &other).await.expect("another is stored");
    assert!(std::sync::Arc::ptr_eq(&known, &app.directory().find(&spec)));
    let handle = app.create(&Actor::person("mia", "mia"), &new).await.expect("a meeting");
    assert!(held(&app, &handle).await.is_over());
    assert_eq!(refused(&vendors), before, "it was learned again");

    let slower = provider(json!({ "concurrency": 1 }));
    let saved = app.update_provider("chat", &slower).await.expect("it is changed");
    assert_eq!((saved.is_new, saved.changed), (false, vec!["concurrency".to_owned()]));
    assert!(!std::sync::Arc::ptr_eq(&known, &app.directory().find(&spec)), "what changed is new");
    app.remove_provider("chat").await.expect("it is forgotten");
    let error = app.create(&Actor::person("mia", "mia"), &new).await.err().expect("nobody answers");
    assert_eq!(error.details()["field"], "model");
}

#[tokio::test]
async fn from_afar_only_public_addresses_are_taken() {
    let home = TestApp::new();
    let app = home.open().await;
    let fields = |fields: Value| -> ProviderRequest { serde_json::from_value(fields).expect("a request") };
    for (field, wrong) in [
        ("base_url", json!({ "base_url": "http://169.254.169.254/v1" })),
        ("base_url", json!({ "base_url": "http://localhost:11434" })),
        ("base_url", json!({ "vendor": "vllm" })),
        ("proxy", json!({ "base_url": "https://api.example.com/v1", "proxy": "http://127.0.0.1:3128" })),
        ("public_only", json!({ "base_url": "https://api.example.com/v1", "public_only": false })),
        ("key_env", json!({ "base_url": "https://api.example.com/v1", "key_env": "HOME" })),
        ("key_file", json!({ "base_url": "https://api.example.com/v1", "key_file": "/etc/passwd" })),
    ] {
        let error = app.replace_provider("lab", &fields(wrong)).await.expect_err("refused");
        assert_eq!(error.details()["field"], field, "{error:?}");
    }
    let error = agent(json!({
        "name": "Ada", "role": "Eng", "description": "Looks.", "model": "lab/x", "base_url": "http://10.0.0.1/v1",
    }));
    let error = app.create_agent(&error).await.expect_err("refused");
    assert_eq!(error.details()["field"], "base_url");
    let sound =
        fields(json!({ "base_url": "https://api.example.com/v1", "api_key": "sk-planted-0123456789" }));
    let saved = app.replace_provider("lab", &sound).await.expect("a public address");
    assert!(saved.provider.is_some_and(|view| view.public_only));
    let shown = serde_json::to_string(&app.providers().await.expect("a list")).expect("plain");
    assert!(shown.contains("\"lab\"") && !shown.contains("planted"), "{shown}");
    assert!(!format!("{sound:?}").contains("planted"));
}

#[tokio::test]
async fn agents_are_described_tried_out_and_seated() {
    let (home, vendors) = (TestApp::new(), vendors());
    let app = home.open().await;
    with_chat(&app, &vendors).await;
    let ada = agent(json!({
        "name": "Ada", "role": "Architect", "description": "Looks at what lasts.", "model": "chat/gpt-4o-mini",
        "temperature": 0.5,
    }));
    let ada = app.create_agent(&ada).await.expect("she is in the library").agent;
    let probe = app.test_agent("Ada").await.expect("she answers").expect("a model answers for her");
    assert_eq!(probe.model, "gpt-4o-mini");
    let changed = agent(json!({ "role": "Builder", "temperature": null }));
    let changed = app.update_agent(ada.id.as_str(), &changed).await.expect("she is changed").agent;
    assert_eq!(changed.role.name, "Builder");
    assert!(
        matches!(changed.runner, RunnerSpec::Model { parameters, .. } if parameters.temperature.is_none())
    );
    let before = app.agent("Ada").await.expect("she is there");
    for nothing in [json!({}), json!({ "name": null, "role": null, "model": null })] {
        let saved = app.update_agent("Ada", &agent(nothing)).await.expect("nothing changes");
        assert_eq!(saved.agent, before, "nor does the version");
    }
    let both = agent(json!({ "model": "chat/gpt-4o-mini", "temperament": "slow" }));
    assert!(app.update_agent("Ada", &both).await.is_err());

    let handle = app.create(&Actor::person("mia", "mia"), &new_meeting(json!({}))).await.expect("a meeting");
    let meeting = app.load(handle.id()).await.expect("it is there");
    let joins = app.newcomer(ParticipantEntry::agent("Ada"), &meeting).await.expect("she comes");
    assert_eq!((joins.name.as_str(), joins.role.name.as_str()), ("Ada", "Builder"));
    app.delete_agent("Ada").await.expect("she goes");
    assert!(app.agents().await.expect("a list").is_empty());
}

#[tokio::test]
async fn a_provider_is_tried_out_and_its_models_are_listed() {
    let (home, vendors) = (TestApp::new(), vendors());
    let app = home.open().await;
    with_chat(&app, &vendors).await;
    let models = app.models("chat").await.expect("a list");
    assert!(models.reachable && models.models.iter().any(|model| model.model == "gpt-4o-mini"));
    let english = Speech(quorate_contract::Language::En);
    let report = app.test_provider("chat", Some("gpt-4o-mini"), english).await.expect("a report");
    let tried: Vec<(&str, bool)> = report.tried.iter().map(|tried| (tried.what, tried.ok)).collect();
    assert_eq!(tried, [("models", true), ("answer", true), ("stream", true), ("schema", true)]);
    let error = app.models("chta").await.expect_err("a slip");
    assert!(error.hint().contains("chat"), "{error:?}");
}
