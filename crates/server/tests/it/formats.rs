//! The formats and the rules, as an editor is given them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use quorate_server::{AccessOptions, openapi};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access_server::App;
use crate::test_server::Rig;

/// What the tests of the page are given in a language.
fn kept(language: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../fixtures/formats/{language}.json"))
}

#[tokio::test]
async fn they_are_served_to_everybody_in_the_language_that_is_asked_for() {
    let app = App::open(AccessOptions::default()).await;
    for (language, tag, label) in [("zh", "zh-CN", "共识"), ("en", "en", "Consensus")] {
        let answer = app.ask(Method::GET, "/formats", &[("accept-language", tag)], None).await;
        assert_eq!((answer.status, &answer.body["formats"][0]["label"]), (StatusCode::OK, &json!(label)));
        assert_eq!(answer.headers["content-language"], tag);
        assert!(answer.headers.get_all("vary").iter().any(|vary| vary == "accept-language"));
        let query = app.ask(Method::GET, &format!("/formats?lang={language}"), &[], None).await;
        assert_eq!(query.body, answer.body, "the query goes before the header");
        let text = serde_json::to_string_pretty(&answer.body).expect("text") + "\n";
        if std::env::var_os("QUORATE_BLESS").is_some() {
            std::fs::create_dir_all(kept(language).parent().expect("a folder")).expect("a folder");
            std::fs::write(kept(language), &text).expect("it is written");
        }
        let there = std::fs::read_to_string(kept(language)).unwrap_or_default();
        assert!(
            there == text,
            "fixtures/formats is stale: QUORATE_BLESS=1 cargo test -p quorate-server --test it formats"
        );
    }
}

#[tokio::test]
async fn a_language_that_there_is_not_is_refused_with_those_that_there_are() {
    let app = App::open(AccessOptions::default()).await;
    for query in ["lang=fr", "lang=", "lang=zh&lang=en", "language=zh"] {
        let refused = app.ask(Method::GET, &format!("/formats?{query}"), &[], None).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{query}: {}", refused.body);
    }
    let refused = app.ask(Method::GET, "/formats?lang=fr", &[], None).await;
    let detail = refused.text("detail");
    assert!(detail.contains("`fr`") && detail.contains("zh") && detail.contains("en"), "{detail}");
}

/// Each field of a schema with its path; of those that hold further fields, these as well.
fn paths(document: &Value, schema: &str, at: &str, found: &mut Vec<String>) {
    let fields = document["components"]["schemas"][schema]["properties"].as_object().expect("an object");
    for (name, field) in fields {
        let path = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
        let text = field.to_string();
        let named = text.split("#/components/schemas/").nth(1).and_then(|rest| rest.split('"').next());
        let inner = named.filter(|name| document["components"]["schemas"][*name]["properties"].is_object());
        if inner.is_none() || text.contains("null") {
            found.push(path.clone());
        }
        if let Some(inner) = inner {
            paths(document, inner, &path, found);
        }
    }
}

#[tokio::test]
async fn each_field_of_the_rules_is_there_once_with_what_a_format_has_for_it() {
    let rig = Rig::start().await;
    let list = rig.see("/formats").await;
    let fields = list["fields"].as_array().expect("fields");
    let mut served: Vec<String> =
        fields.iter().map(|field| field["path"].as_str().expect("a path").to_owned()).collect();
    let mut known = Vec::new();
    paths(&openapi(), "Rules", "", &mut known);
    served.sort();
    known.sort();
    assert_eq!(served, known);
    let groups: BTreeSet<&str> = list["groups"]
        .as_array()
        .expect("groups")
        .iter()
        .filter_map(|group| group["name"].as_str())
        .collect();
    for field in fields {
        let path = field["path"].as_str().expect("a path");
        assert!(groups.contains(field["group"].as_str().expect("a group")), "{path}");
        for text in ["label", "help"] {
            assert!(field[text].as_str().is_some_and(|text| !text.is_empty()), "{path} has no {text}");
        }
        for format in list["formats"].as_array().expect("formats") {
            let rules = &format["rules"];
            let value = path.split('.').fold(rules, |at, name| &at[name]);
            assert_eq!(value, &field["defaults"][format["name"].as_str().expect("a name")], "{path}");
        }
        for choice in field["choices"].as_array().into_iter().flatten() {
            assert!(choice["label"].as_str().is_some_and(|label| !label.is_empty()), "{path}: {choice}");
        }
    }
}

#[tokio::test]
async fn a_meeting_takes_each_value_at_its_bounds_and_none_beyond() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({"format": "consensus"})).await;
    let list = rig.see("/formats").await;
    let numbers = list["fields"].as_array().expect("fields").iter().filter(|field| field["type"] == "number");
    let mut tried = 0;
    for field in numbers {
        let path = field["path"].as_str().expect("a path");
        let (min, max) =
            (field["minimum"].as_i64().expect("a least"), field["maximum"].as_i64().expect("a most"));
        // What another number bounds is tried where that one is at its most.
        let other = field["at_most"].as_str();
        for (value, is_taken) in [(min - 1, false), (min, true), (max, true), (max + 1, false)] {
            let with =
                |path: &str, value: Value| path.rsplit('.').fold(value, |inner, name| json!({ name: inner }));
            let mut rules = with(path, value.into());
            if let Some(other) = other {
                let (group, name) = other.split_once('.').expect("a path");
                rules[group][name] = list["fields"]
                    .as_array()
                    .expect("fields")
                    .iter()
                    .find(|field| field["path"] == other)
                    .expect("it is there")["maximum"]
                    .clone();
            }
            let answer = rig.send(Method::PUT, &format!("{meeting}/rules"), &[], Some(rules)).await;
            assert_eq!(answer.status == StatusCode::OK, is_taken, "{path} = {value}: {}", answer.body);
            assert!(is_taken || answer.status == StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.body);
            tried += 1;
        }
    }
    assert_eq!(tried, 30 * 4);
}
