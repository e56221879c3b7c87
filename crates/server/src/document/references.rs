//! The operations of a document, and the schemas that its parts refer to.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Where a reference to a schema points to.
pub(super) const SCHEMAS: &str = "#/components/schemas/";

/// The operations of all paths.
pub(super) fn operations(document: &Value) -> impl Iterator<Item = &Map<String, Value>> {
    let items = document["paths"].as_object().into_iter().flat_map(|paths| paths.values());
    items
        .flat_map(|item| item.as_object().into_iter().flat_map(|item| item.values()))
        .filter_map(Value::as_object)
}

/// The names of the schemas that a value refers to.
pub(super) fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            let name = fields
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|reference| reference.strip_prefix(SCHEMAS));
            found.extend(name.map(str::to_owned));
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

/// These schemas and all that they refer to.
pub(super) fn reachable(schemas: &Map<String, Value>, from: BTreeSet<String>) -> BTreeSet<String> {
    let mut found = from.clone();
    let mut open: Vec<String> = from.into_iter().collect();
    while let Some(name) = open.pop() {
        let mut named = BTreeSet::new();
        schemas.get(&name).into_iter().for_each(|schema| references(schema, &mut named));
        open.extend(named.difference(&found).cloned());
        found.extend(named);
    }
    found
}

/// Gives the schemas that a value refers to other names, where there is one.
pub(super) fn rename_references(value: &mut Value, name: &impl Fn(&str) -> Option<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let renamed = match value.as_str() {
                    Some(text) if key == "$ref" => text.strip_prefix(SCHEMAS).and_then(name),
                    _ => None,
                };
                match renamed {
                    Some(renamed) => *value = format!("{SCHEMAS}{renamed}").into(),
                    None => rename_references(value, name),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|value| rename_references(value, name)),
        _ => {}
    }
}
