//! A JSON schema in the part of OpenAPI that `responseSchema` takes: closed lists of words, no
//! `additionalProperties`, `nullable` instead of a type that may be null.

use serde_json::{Map, Value, json};

/// The schema as the older models take it; what they do not know is left out.
pub(crate) fn open_api(schema: &Value) -> Value {
    let Value::Object(fields) = schema else {
        return json!({});
    };
    let mut taken = Map::new();
    for (keyword, value) in fields {
        match keyword.as_str() {
            "type" => take_type(value, &mut taken),
            "anyOf" | "oneOf" => take_alternatives(value, &mut taken),
            "const" => take_words(std::slice::from_ref(value), &mut taken),
            "enum" => take_words(value.as_array().map_or(&[], Vec::as_slice), &mut taken),
            "items" => drop(taken.insert("items".to_owned(), open_api(value))),
            "properties" => {
                let named = value.as_object().into_iter().flatten();
                let named = named.map(|(name, value)| (name.clone(), open_api(value)));
                taken.insert("properties".to_owned(), named.collect());
            }
            "required" | "description" | "title" | "nullable" => {
                taken.insert(keyword.clone(), value.clone());
            }
            _ => {}
        }
    }
    Value::Object(taken)
}

fn take_type(value: &Value, taken: &mut Map<String, Value>) {
    let names: Vec<&str> = match value {
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        name => name.as_str().into_iter().collect(),
    };
    let (nulls, others): (Vec<&str>, Vec<&str>) = names.into_iter().partition(|name| *name == "null");
    if !nulls.is_empty() {
        taken.insert("nullable".to_owned(), json!(true));
    }
    match others.as_slice() {
        [] => {}
        [one] => drop(taken.insert("type".to_owned(), json!(one.to_uppercase()))),
        several => {
            let alternatives = several.iter().map(|one| json!({ "type": one.to_uppercase() }));
            taken.insert("anyOf".to_owned(), alternatives.collect());
        }
    }
}

/// Google accepts only strings in an enumeration, and requires their type.
fn take_words(values: &[Value], taken: &mut Map<String, Value>) {
    let words: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
    if values.iter().any(Value::is_null) {
        taken.insert("nullable".to_owned(), json!(true));
    }
    let others = values.iter().filter(|value| !value.is_null()).count();
    if others > 0 && words.len() == others {
        taken.insert("type".to_owned(), json!("STRING"));
        taken.insert("enum".to_owned(), json!(words));
    }
}

fn take_alternatives(value: &Value, taken: &mut Map<String, Value>) {
    let all = value.as_array().map_or(&[][..], Vec::as_slice);
    let is_null = |schema: &&Value| schema["type"] == "null";
    if all.iter().any(|schema| is_null(&schema)) {
        taken.insert("nullable".to_owned(), json!(true));
    }
    let others: Vec<Value> = all.iter().filter(|schema| !is_null(schema)).map(open_api).collect();
    match <[Value; 1]>::try_from(others) {
        Ok([Value::Object(one)]) => taken.extend(one),
        Ok([other]) => drop(taken.insert("anyOf".to_owned(), json!([other]))),
        Err(others) => drop(taken.insert("anyOf".to_owned(), Value::Array(others))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_keeps_its_shape_and_loses_what_google_does_not_know() {
        let schema = json!({
            "type": "object",
            "properties": {
                "type": { "type": "integer", "minimum": 0, "maximum": 100 },
                "who": { "type": ["string", "null"], "maxLength": 60 },
                "kind": { "enum": ["idea", "risk", null] },
                "one": { "const": "vote" },
                "pick": { "anyOf": [{ "type": "string", "enum": ["a"] }, { "type": "null" }] },
                "either": { "oneOf": [{ "type": "string" }, { "type": "boolean" }] },
                "mixed": { "type": ["string", "number"] },
                "tags": { "type": "array", "maxItems": 3, "items": { "type": "string" } },
                "level": { "type": "integer", "enum": [1, 2] },
                "any": true,
            },
            "required": ["type"],
            "additionalProperties": false,
            "$schema": "https://json-schema.org/draft/2020-12/schema",
        });
        let expected = json!({
            "type": "OBJECT",
            "properties": {
                "type": { "type": "INTEGER" },
                "who": { "type": "STRING", "nullable": true },
                "kind": { "type": "STRING", "enum": ["idea", "risk"], "nullable": true },
                "one": { "type": "STRING", "enum": ["vote"] },
                "pick": { "type": "STRING", "enum": ["a"], "nullable": true },
                "either": { "anyOf": [{ "type": "STRING" }, { "type": "BOOLEAN" }] },
                "mixed": { "anyOf": [{ "type": "STRING" }, { "type": "NUMBER" }] },
                "tags": { "type": "ARRAY", "items": { "type": "STRING" } },
                "level": { "type": "INTEGER" },
                "any": {},
            },
            "required": ["type"],
        });
        assert_eq!(open_api(&schema), expected);
    }
}
