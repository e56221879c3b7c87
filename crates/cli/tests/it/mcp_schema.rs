//! Checks a value against a JSON Schema as tools have them. A keyword that it does not know fails.

use serde_json::Value;

/// Panics when the value does not fit the schema.
pub(crate) fn check(root: &Value, value: &Value) {
    if let Err(wrong) = fits(root, root, value, "") {
        panic!("{wrong}\n{value:#}\n{root:#}");
    }
}

fn fits(root: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let fields = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Object(fields) => fields,
        other => return Err(format!("{place}: {other} is no schema")),
    };
    for (keyword, wanted) in fields {
        let holds = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "default" | "format" | "examples" => true,
            "$ref" => {
                let pointer = wanted.as_str().and_then(|text| text.strip_prefix('#')).expect("a local one");
                return fits(root, root.pointer(pointer).expect("it is there"), value, place);
            }
            "type" => match wanted {
                Value::Array(kinds) => kinds.iter().any(|kind| is_of(kind, value)),
                kind => is_of(kind, value),
            },
            "enum" => wanted.as_array().expect("values").contains(value),
            "const" => wanted == value,
            "anyOf" | "oneOf" => {
                let mut ways = wanted.as_array().expect("schemas").iter();
                ways.any(|way| fits(root, way, value, place).is_ok())
            }
            "required" => wanted
                .as_array()
                .expect("names")
                .iter()
                .all(|name| !value.is_object() || value.get(name.as_str().expect("a name")).is_some()),
            "properties" => {
                for (name, schema) in wanted.as_object().expect("properties") {
                    if let Some(value) = value.get(name) {
                        fits(root, schema, value, &format!("{place}/{name}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = fields.get("properties").and_then(Value::as_object);
                for (name, value) in value.as_object().into_iter().flatten() {
                    if !known.is_some_and(|known| known.contains_key(name)) {
                        fits(root, wanted, value, &format!("{place}/{name}"))?;
                    }
                }
                true
            }
            "items" => {
                for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                    fits(root, wanted, item, &format!("{place}/{at}"))?;
                }
                true
            }
            "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().expect("a number")),
            "maximum" => value.as_f64().is_none_or(|number| number <= wanted.as_f64().expect("a number")),
            "minLength" => value
                .as_str()
                .is_none_or(|text| text.chars().count() as u64 >= wanted.as_u64().expect("a number")),
            "maxLength" => value
                .as_str()
                .is_none_or(|text| text.chars().count() as u64 <= wanted.as_u64().expect("a number")),
            other => return Err(format!("{place}: the keyword {other} is not known here")),
        };
        if !holds {
            return Err(format!("{place}: {keyword} {wanted} does not hold of {value}"));
        }
    }
    Ok(())
}

fn is_of(kind: &Value, value: &Value) -> bool {
    match kind.as_str().expect("a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("{other} is no type"),
    }
}

#[test]
fn what_does_not_fit_is_found() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"],
        "properties": { "a": { "type": ["integer", "null"], "minimum": 0 }, "b": { "$ref": "#/$defs/B" } },
        "$defs": { "B": { "type": "array", "items": { "type": "string" } } },
    });
    for (value, holds) in [
        (serde_json::json!({ "a": 1, "b": ["x"] }), true),
        (serde_json::json!({ "a": null }), true),
        (serde_json::json!({ "a": -1 }), false),
        (serde_json::json!({ "b": [] }), false),
        (serde_json::json!({ "a": 1, "b": [1] }), false),
        (serde_json::json!([]), false),
    ] {
        assert_eq!(fits(&schema, &schema, &value, "").is_ok(), holds, "{value}");
    }
}
