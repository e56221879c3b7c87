//! The shapes of answers as JSON Schema. Every string is bounded: small models that are held to a
//! schema otherwise write on without end. No bound is above 2000, where servers that turn a schema
//! into a grammar begin to refuse it.

use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use crate::task::{AnswerSchema, BriefKind};

/// The shape of an answer of this kind; a turn in a discussion is prose and has none.
pub(super) fn of(kind: BriefKind) -> Option<AnswerSchema> {
    static SCHEMAS: OnceLock<[Arc<Value>; 5]> = OnceLock::new();
    let all =
        SCHEMAS.get_or_init(|| [blind(), vote(), summary(), facilitation(), conclusion()].map(Arc::new));
    let (name, place) = match kind {
        BriefKind::Speak => return None,
        BriefKind::Blind => ("position", 0),
        BriefKind::Vote => ("vote", 1),
        BriefKind::Summarize => ("summary", 2),
        BriefKind::Facilitate => ("facilitation", 3),
        BriefKind::Conclude => ("conclusion", 4),
    };
    Some(AnswerSchema { name, schema: all[place].clone() })
}

fn text(max: u32) -> Value {
    json!({ "type": "string", "maxLength": max })
}

fn list(items: Value, min: u32, max: u32) -> Value {
    json!({ "type": "array", "items": items, "minItems": min, "maxItems": max })
}

fn points() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": 100 })
}

/// An object with exactly these fields, all of them required, as strict servers want it.
fn object(fields: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> =
        fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
}

fn blind() -> Value {
    object(&[
        ("position", text(400)),
        ("claims", list(text(300), 1, 3)),
        ("confidence", points()),
        ("would_change_my_mind", text(300)),
        ("unshared_facts", list(text(300), 0, 2)),
    ])
}

fn vote() -> Value {
    object(&[
        ("score", points()),
        ("pass", json!({ "type": "boolean" })),
        ("reason", text(300)),
        ("missing", list(text(200), 0, 3)),
    ])
}

fn summary() -> Value {
    let position = object(&[("text", text(300)), ("holders", list(text(60), 1, 16))]);
    object(&[("summary", text(1200)), ("positions", list(position, 0, 16)), ("draft", text(1500))])
}

fn facilitation() -> Value {
    object(&[
        ("disagreements", list(text(300), 1, 3)),
        ("proposed_patch", text(600)),
        ("next_focus", list(text(300), 1, 2)),
    ])
}

fn conclusion() -> Value {
    let side = object(&[("view", text(300)), ("why", text(300)), ("holders", list(text(60), 0, 16))]);
    let disagreement = object(&[("issue", text(300)), ("sides", list(side, 1, 6))]);
    let who = json!({ "type": ["string", "null"], "maxLength": 60 });
    let action = object(&[("what", text(300)), ("who", who), ("sources", list(text(12), 0, 6))]);
    object(&[
        ("conclusion", text(1800)),
        ("disagreements", list(disagreement, 0, 5)),
        ("actions", list(action, 0, 10)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unbounded(schema: &Value, path: &str, found: &mut Vec<String>) {
        let is_text = |kind: &Value| {
            kind == "string" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("string")))
        };
        if let Some(object) = schema.as_object() {
            if object.get("type").is_some_and(is_text) && !object.contains_key("maxLength") {
                found.push(path.to_owned());
            }
            for (key, value) in object {
                unbounded(value, &format!("{path}/{key}"), found);
            }
        }
    }

    #[test]
    fn every_string_is_bounded() {
        let mut found = Vec::new();
        for kind in [
            BriefKind::Blind,
            BriefKind::Vote,
            BriefKind::Summarize,
            BriefKind::Facilitate,
            BriefKind::Conclude,
        ] {
            let schema = of(kind).expect("structured kinds have a schema");
            unbounded(&schema.schema, schema.name, &mut found);
        }
        assert_eq!(found, Vec::<String>::new());
        unbounded(&json!({ "properties": { "x": { "type": "string" } } }), "", &mut found);
        assert_eq!(found.len(), 1, "the check itself finds an unbounded string");
    }
}
