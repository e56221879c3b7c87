//! The document that describes the interface is the one that is checked in, and it is whole.

use std::path::PathBuf;

use quorate_server::{MATRIX, openapi};
use serde_json::Value;

fn checked_in() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json")
}

fn document() -> Value {
    serde_json::to_value(openapi()).expect("the document is JSON")
}

#[test]
fn the_document_in_the_repository_is_the_one_that_the_code_gives() {
    let text = serde_json::to_string_pretty(&document()).expect("text") + "\n";
    if std::env::var_os("QUORATE_BLESS").is_some() {
        std::fs::write(checked_in(), &text).expect("the document is written");
    }
    let there = std::fs::read_to_string(checked_in()).unwrap_or_default();
    let hint = "docs/openapi.json is stale: QUORATE_BLESS=1 cargo test -p quorate-server --test it openapi";
    assert!(there == text, "{hint}");
}

#[test]
fn it_is_openapi_3_1_and_every_reference_leads_somewhere() {
    fn walk<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str));
                fields.values().for_each(|value| walk(value, found));
            }
            Value::Array(items) => items.iter().for_each(|value| walk(value, found)),
            _ => {}
        }
    }
    let document = document();
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
    let mut references = Vec::new();
    walk(&document, &mut references);
    assert!(references.len() > 50, "{}", references.len());
    for reference in references {
        let pointer = reference.strip_prefix('#').expect("references stay within the document");
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
}

#[test]
fn every_operation_says_what_it_does_and_what_can_go_wrong() {
    let document = document();
    let mut names = std::collections::BTreeSet::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            let name = format!("{method} {path}");
            assert!(operation["summary"].as_str().is_some_and(|summary| summary.len() > 2), "{name}");
            assert!(operation["tags"].as_array().is_some_and(|tags| tags.len() == 1), "{name}");
            let id = operation["operationId"].as_str().expect("an id").to_owned();
            assert!(names.insert(id.clone()), "{name}: two operations are called {id}");
            let known = MATRIX.iter().any(|(m, p, _)| m.eq_ignore_ascii_case(method) && p == path);
            assert!(known, "{name} is not in the table of who may do what");
        }
    }
    for (method, path, _) in MATRIX {
        let operation = &document["paths"][path][method.to_ascii_lowercase()];
        assert!(operation.is_object(), "{method} {path} is in the table and nowhere else");
    }
}
