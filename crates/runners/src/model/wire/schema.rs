//! A JSON schema as providers take it.
//!
//! Ours bounds every string and number. Some providers refuse those keywords, and one half of
//! the others enforces a schema only when it is closed: no further properties, none optional.
//! The trimmed form is written straight from the schema, without a copy of it.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

/// Keywords that restrict values and that not every provider supports.
const RESTRICTIONS: [&str; 18] = [
    "$id",
    "$schema",
    "default",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "uniqueItems",
];

/// The kind of a value inside a schema.
#[derive(Clone, Copy)]
enum SchemaPart {
    /// A schema, or a list of them.
    Schema,
    /// A map from names to schemas: a property may be called `minimum`.
    Names,
    /// Something to be left alone.
    Plain,
}

impl SchemaPart {
    fn under(keyword: &str) -> Self {
        match keyword {
            "properties" | "$defs" | "definitions" => Self::Names,
            "items" | "prefixItems" | "anyOf" | "allOf" | "oneOf" | "not" | "additionalProperties" => {
                Self::Schema
            }
            _ => Self::Plain,
        }
    }
}

/// A schema without the keywords that restrict values; every object in it is closed.
pub(crate) struct Trimmed<'a>(&'a Value, SchemaPart);

impl<'a> Trimmed<'a> {
    pub(crate) fn new(schema: &'a Value) -> Self {
        Self(schema, SchemaPart::Schema)
    }
}

impl Serialize for Trimmed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.0, self.1) {
            (value, SchemaPart::Plain) => value.serialize(serializer),
            (Value::Object(fields), SchemaPart::Names) => {
                let named = fields.iter();
                serializer.collect_map(named.map(|(name, value)| (name, Trimmed::new(value))))
            }
            (Value::Object(fields), SchemaPart::Schema) => {
                let mut map = serializer.serialize_map(None)?;
                for (keyword, value) in fields {
                    if !RESTRICTIONS.contains(&keyword.as_str()) {
                        map.serialize_entry(keyword, &Self(value, SchemaPart::under(keyword)))?;
                    }
                }
                if fields.contains_key("properties") && !fields.contains_key("additionalProperties") {
                    map.serialize_entry("additionalProperties", &false)?;
                }
                map.end()
            }
            (Value::Array(values), place) => {
                let mut list = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(&Self(value, place))?;
                }
                list.end()
            }
            (value, _) => value.serialize(serializer),
        }
    }
}

/// Whether `strict` may be set: every property of every object is required, and, unless the schema is going
/// to be trimmed, every object is closed.
pub(crate) fn can_be_strict(schema: &Value, trimmed: bool) -> bool {
    match schema {
        Value::Object(fields) => {
            let closed = match fields.get("additionalProperties") {
                Some(further) => further == &Value::Bool(false),
                None => trimmed,
            };
            let all_required = |properties: &serde_json::Map<String, Value>| {
                let required = fields.get("required").and_then(Value::as_array);
                properties.keys().all(|name| required.is_some_and(|names| names.iter().any(|n| n == name)))
            };
            let itself = match fields.get("properties").and_then(Value::as_object) {
                Some(properties) => closed && all_required(properties),
                None => true,
            };
            itself
                && fields.iter().all(|(keyword, value)| match SchemaPart::under(keyword) {
                    SchemaPart::Schema => can_be_strict(value, trimmed),
                    SchemaPart::Names => value
                        .as_object()
                        .is_none_or(|named| named.values().all(|v| can_be_strict(v, trimmed))),
                    SchemaPart::Plain => true,
                })
        }
        Value::Array(schemas) => schemas.iter().all(|schema| can_be_strict(schema, trimmed)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn restrictions_go_and_properties_of_the_same_name_stay() {
        let schema = json!({
            "type": "object",
            "properties": {
                "minimum": { "type": "integer", "minimum": 0, "maximum": 100 },
                "tags": { "type": "array", "maxItems": 3, "items": { "type": "string", "maxLength": 9 } },
                "kind": { "enum": ["format", "pattern"] },
            },
            "required": ["minimum", "tags", "kind"],
        });
        let trimmed = serde_json::to_value(Trimmed::new(&schema)).expect("a schema is JSON");
        let expected = json!({
            "type": "object",
            "properties": {
                "minimum": { "type": "integer" },
                "tags": { "type": "array", "items": { "type": "string" } },
                "kind": { "enum": ["format", "pattern"] },
            },
            "required": ["minimum", "tags", "kind"],
            "additionalProperties": false,
        });
        assert_eq!(trimmed, expected);
    }

    #[test]
    fn strict_wants_closed_objects_without_optional_properties() {
        let object = |inner: Value, required: Value, closed: bool| {
            let mut schema = json!({ "type": "object", "properties": { "a": inner }, "required": required });
            if closed {
                schema["additionalProperties"] = json!(false);
            }
            schema
        };
        let text = json!({ "type": "string" });
        let closed = object(text.clone(), json!(["a"]), true);
        let open = object(text.clone(), json!(["a"]), false);
        let optional = object(text, json!([]), true);
        assert!(can_be_strict(&closed, false));
        assert!(!can_be_strict(&open, false));
        assert!(can_be_strict(&open, true));
        assert!(!can_be_strict(&optional, true));
        assert!(!can_be_strict(&object(json!({ "items": optional }), json!(["a"]), true), false));
        assert!(!can_be_strict(&object(open, json!(["a"]), true), false));
    }
}
