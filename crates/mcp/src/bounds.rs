//! What the input schema of a tool says of its arguments and Rust's types do not: bounds, and that a list is no object.
//!
//! The schemas are made from our own types, and have few keywords; those that are not named here are checked when the
//! arguments are decoded.

use quorate_messages::{Message, message};
use serde_json::{Map, Value};

/// An argument that does not fit.
pub(crate) struct Misfit {
    /// Where it is: `participants[0].name`.
    pub(crate) path: String,
    /// What is wrong with it.
    pub(crate) problem: Message,
}

/// The first argument that does not fit the schema; `None` when there is none.
pub(crate) fn misfit(schema: &Map<String, Value>, arguments: &Value) -> Option<Misfit> {
    fields_of(schema, schema, arguments, "")
}

/// The first field that does not fit.
fn fields_of(
    root: &Map<String, Value>,
    schema: &Map<String, Value>,
    value: &Value,
    path: &str,
) -> Option<Misfit> {
    let fields = value.as_object()?;
    let properties = schema.get("properties")?.as_object()?;
    fields.iter().find_map(|(name, value)| {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        check(root, properties.get(name)?, value, &path)
    })
}

fn check(root: &Map<String, Value>, schema: &Value, value: &Value, path: &str) -> Option<Misfit> {
    let schema = schema.as_object()?;
    if let Some(there) = schema.get("$ref").and_then(Value::as_str) {
        let definition = root.get("$defs")?.get(there.strip_prefix("#/$defs/")?)?;
        return check(root, definition, value, path);
    }
    if let Some(ways) = schema.get("anyOf").and_then(Value::as_array) {
        // A value, or null.
        let way = ways.iter().find(|way| way["type"] != "null")?;
        return if value.is_null() { None } else { check(root, way, value, path) };
    }
    let misfit = |problem| Some(Misfit { path: path.to_owned(), problem });
    match value {
        Value::Number(number) => {
            let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
            let given = number.as_f64()?;
            let (min, max) = (bound("minimum"), bound("maximum"));
            let is_outside = min.is_some_and(|min| given < min) || max.is_some_and(|max| given > max);
            match (is_outside, min, max) {
                (true, Some(min), Some(max)) => {
                    misfit(message!("common-decode-range", number = %number, min = %min, max = %max))
                }
                (true, _, _) => misfit(
                    message!("mcp-argument-at-least", number = %number, min = %min.unwrap_or_default()),
                ),
                (false, _, _) => None,
            }
        }
        Value::String(text) => {
            let characters = text.chars().count() as u64;
            let (min, max) = limits(schema, "minLength", "maxLength");
            if min.is_some_and(|min| characters < min) {
                return misfit(message!("mcp-argument-empty"));
            }
            let most = max.filter(|max| characters > *max)?;
            misfit(message!("mcp-argument-too-long", characters = %characters, most = %most))
        }
        Value::Array(items) => {
            if schema.get("properties").is_some() {
                return misfit(message!(
                    "common-decode-type",
                    given = message!("common-decode-array"),
                    wanted = message!("common-decode-object")
                ));
            }
            let (_, max) = limits(schema, "minItems", "maxItems");
            if let Some(most) = max.filter(|max| items.len() as u64 > *max) {
                return misfit(message!("mcp-argument-too-many", count = %items.len(), most = %most));
            }
            let of_items = schema.get("items")?;
            items
                .iter()
                .enumerate()
                .find_map(|(at, item)| check(root, of_items, item, &format!("{path}[{at}]")))
        }
        Value::Object(_) => fields_of(root, schema, value, path),
        Value::Null | Value::Bool(_) => None,
    }
}

fn limits(schema: &Map<String, Value>, least: &str, most: &str) -> (Option<u64>, Option<u64>) {
    let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    (limit(least), limit(most))
}

#[cfg(test)]
mod tests {
    use quorate_messages::Language;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_schema_bounds_is_said_with_the_bounds_of_the_schema() {
        let schema = json!({
            "properties": {
                "score": { "type": "integer", "minimum": 0, "maximum": 100 },
                "after": { "type": ["integer", "null"], "minimum": 0 },
                "reason": { "type": "string", "minLength": 1, "maxLength": 5 },
                "missing": { "type": "array", "maxItems": 2, "items": { "type": "string", "maxLength": 3 } },
                "participants": { "type": "array", "items": { "$ref": "#/$defs/Seat" } },
                "seat": { "anyOf": [{ "$ref": "#/$defs/Seat" }, { "type": "null" }] },
            },
            "$defs": { "Seat": { "type": "object", "properties": { "name": { "type": "string", "maxLength": 4 } } } },
        });
        let schema = schema.as_object().expect("an object");
        for (given, path, told) in [
            (json!({ "score": 256 }), "score", "256 is out of range: 0 to 100"),
            (json!({ "score": -1 }), "score", "0 to 100"),
            (json!({ "after": -1 }), "after", "at least 0"),
            (json!({ "reason": "" }), "reason", "empty"),
            (json!({ "reason": "会会会会会会" }), "reason", "at most 5"),
            (json!({ "missing": ["a", "b", "c"] }), "missing", "at most 2"),
            (json!({ "missing": ["a", "long"] }), "missing[1]", "at most 3"),
            (json!({ "participants": [["Ada"]] }), "participants[0]", "expected an object"),
            (json!({ "participants": [{ "name": "Grace" }] }), "participants[0].name", "at most 4"),
            (json!({ "seat": ["Ada"] }), "seat", "expected an object"),
        ] {
            let misfit = misfit(schema, &given).unwrap_or_else(|| panic!("{given}"));
            let problem = misfit.problem.text(Language::En);
            assert_eq!(misfit.path, path, "{given}");
            assert!(problem.contains(told), "{given}: {problem}");
        }
        for fits in [
            json!({ "score": 100, "after": null, "reason": "会会会会会", "missing": [], "seat": null }),
            json!({ "participants": [{ "name": "Ada" }], "other": 7, "score": "9" }),
        ] {
            assert!(misfit(schema, &fits).is_none(), "{fits}");
        }
    }
}
