//! Unions as generators of clients understand them: every alternative is a schema of its own with a name, and the
//! field that tells them apart is declared.
//!
//! A union together with further fields (`allOf` of a `oneOf` and an object) becomes a union whose alternatives have
//! these fields.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::references::SCHEMAS;

/// The union of all events. Its alternatives have names of their own: `VoteCastEvent`, with `VoteCastPayload`.
const EVENTS: &str = "Event";

/// The events whose whole payload is withheld from some readers; a test compares with the policy.
const WITHHELD: [&str; 5] =
    ["agent_action", "evaluation_written", "memory_written", "vote_abstained", "vote_cast"];

/// The events whose words are withheld from some readers for a time: their payload then says so.
const WITHOUT_WORDS: [&str; 3] = ["agent_message", "tool_called", "tool_returned"];

/// Rewrites all unions of the document.
pub(super) fn complete(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object().cloned() else { return };
    let mut plain: Map<String, Value> =
        schemas.iter().map(|(name, schema)| (name.clone(), flatten(schema, &schemas))).collect();
    // It was only there to be part of the events.
    plain.remove("EventBody");
    let mut named = BTreeMap::new();
    for (name, schema) in &mut plain {
        if name == EVENTS {
            name_events(schema, &mut named);
        }
        name_alternatives(name, schema, &mut named);
    }
    named.insert("WithheldPayload".to_owned(), withheld());
    for (name, schema) in named {
        assert!(plain.insert(name.clone(), schema).is_none(), "two schemas are called {name}");
    }
    document["components"]["schemas"] = Value::Object(plain);
}

/// A schema in which no union is part of an `allOf`.
fn flatten(schema: &Value, schemas: &Map<String, Value>) -> Value {
    match schema {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| (key.clone(), flatten(value, schemas)));
            let mut fields: Map<String, Value> = fields.collect();
            if let Some(alternatives) = fields.get_mut("oneOf").and_then(Value::as_array_mut) {
                one_enumeration(alternatives);
            }
            let whole = Value::Object(fields);
            let Some(parts) = whole["allOf"].as_array() else { return whole };
            let parts = parts.iter().map(|part| resolve(part, schemas));
            let merged = parts.reduce(|one, other| merge(&one, &other)).unwrap_or_default();
            if merged.get("oneOf").is_some() { described(merged, &whole) } else { whole }
        }
        Value::Array(items) => items.iter().map(|item| flatten(item, schemas)).collect(),
        other => other.clone(),
    }
}

/// A schema itself in the place of a reference to it.
fn resolve(schema: &Value, schemas: &Map<String, Value>) -> Value {
    match schema["$ref"].as_str().and_then(|reference| reference.strip_prefix(SCHEMAS)) {
        Some(name) => resolve(&schemas[name], schemas),
        None => flatten(schema, schemas),
    }
}

/// Makes of all alternatives that are plain names one enumeration.
fn one_enumeration(alternatives: &mut Vec<Value>) {
    let is_name = |one: &Value| one["type"] == "string" && one["enum"].is_array();
    let (names, others): (Vec<Value>, Vec<Value>) = alternatives.drain(..).partition(is_name);
    match names.as_slice() {
        [] | [_] => alternatives.extend(names),
        several => {
            let values: Vec<&Value> =
                several.iter().filter_map(|one| one["enum"].as_array()).flatten().collect();
            alternatives.push(json!({ "type": "string", "enum": values }));
        }
    }
    alternatives.extend(others);
}

/// One object with the fields of both; a union of such objects when one of them is a union.
fn merge(one: &Value, other: &Value) -> Value {
    for (union, merged) in [(one, 0), (other, 1)] {
        let Some(alternatives) = union["oneOf"].as_array() else { continue };
        let with = |own| if merged == 0 { merge(own, other) } else { merge(one, own) };
        return described(json!({ "oneOf": alternatives.iter().map(with).collect::<Vec<_>>() }), union);
    }
    let mut properties = one["properties"].as_object().cloned().unwrap_or_default();
    properties.extend(other["properties"].as_object().cloned().unwrap_or_default());
    let required: BTreeSet<&str> = required(one).chain(required(other)).collect();
    let mut merged = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        merged["required"] = json!(required);
    }
    for key in ["description", "additionalProperties"] {
        if let Some(value) = one.get(key).or(other.get(key)) {
            merged[key] = value.clone();
        }
    }
    merged
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// With the description of another schema, when it has one.
fn described(mut schema: Value, of: &Value) -> Value {
    if let Some(description) = of.get("description") {
        schema["description"] = description.clone();
    }
    schema
}

/// The field that tells the alternatives apart: each has another constant there.
fn tag(alternatives: &[Value]) -> Option<String> {
    let mut first = alternatives.first()?;
    while let Some(inner) = first["oneOf"].get(0) {
        first = inner;
    }
    let first = first["properties"].as_object()?;
    let is_tag = |name: &&String| {
        let values: BTreeSet<&str> = alternatives.iter().filter_map(|one| value_of(one, name)).collect();
        values.len() == alternatives.len()
    };
    first.keys().find(is_tag).cloned()
}

/// The constant that an alternative has in a field; of a union, when all of its own have the same.
fn value_of<'v>(alternative: &'v Value, field: &str) -> Option<&'v str> {
    match alternative["oneOf"].as_array() {
        Some(inner) => {
            let values: BTreeSet<Option<&str>> = inner.iter().map(|one| value_of(one, field)).collect();
            if values.len() == 1 { values.into_iter().next().flatten() } else { None }
        }
        None => constant(&alternative["properties"][field]),
    }
}

fn constant(schema: &Value) -> Option<&str> {
    match schema["enum"].as_array().map(Vec::as_slice) {
        Some([one]) => one.as_str(),
        Some(_) | None => schema["const"].as_str(),
    }
}

/// Gives every alternative of every union in a schema a name, and says what tells them apart.
fn name_alternatives(name: &str, schema: &mut Value, named: &mut BTreeMap<String, Value>) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields.iter_mut() {
                match (key.as_str(), value) {
                    ("properties", Value::Object(properties)) => {
                        for (field, value) in properties {
                            name_alternatives(&format!("{name}{}", pascal(field)), value, named);
                        }
                    }
                    ("oneOf" | "anyOf", Value::Array(_)) => {}
                    (_, value) => name_alternatives(name, value, named),
                }
            }
            if let Some(Value::Array(alternatives)) = fields.get_mut("oneOf") {
                let discriminator = name_union(name, alternatives, named);
                fields.extend(discriminator.map(|it| ("discriminator".to_owned(), it)));
            }
            if let Some(Value::Array(alternatives)) = fields.get_mut("anyOf") {
                alternatives.iter_mut().for_each(|one| name_alternatives(name, one, named));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| name_alternatives(name, item, named)),
        _ => {}
    }
}

/// Gives the alternatives of one union names; returns its discriminator, when it has one.
fn name_union(name: &str, alternatives: &mut [Value], named: &mut BTreeMap<String, Value>) -> Option<Value> {
    let tag = tag(alternatives);
    alternatives.iter_mut().for_each(state_constants);
    let mut mapping = Map::new();
    for alternative in alternatives.iter_mut() {
        if alternative.get("properties").or(alternative.get("oneOf")).is_none() {
            continue;
        }
        let is_object = alternative.get("properties").is_some();
        let value = tag.as_deref().and_then(|tag| value_of(alternative, tag)).map(str::to_owned);
        let own = value.clone().or_else(|| required(alternative).next().map(str::to_owned))?;
        let own = match name.strip_suffix("Input") {
            Some(base) => format!("{base}{}Input", pascal(&own)),
            None => format!("{name}{}", pascal(&own)),
        };
        let reference = format!("{SCHEMAS}{own}");
        mapping.extend(value.filter(|_| is_object).map(|value| (value, json!(reference))));
        let mut schema = std::mem::replace(alternative, json!({ "$ref": reference }));
        name_alternatives(&own, &mut schema, named);
        named.insert(own, schema);
    }
    tag.filter(|_| mapping.len() == alternatives.len())
        .map(|tag| json!({ "propertyName": tag, "mapping": mapping }))
}

/// Writes a field that has one value as a constant.
fn state_constants(alternative: &mut Value) {
    let fields = alternative.get_mut("properties").and_then(Value::as_object_mut);
    for field in fields.into_iter().flat_map(|fields| fields.values_mut()) {
        if let Some(value) = constant(field) {
            *field = described(json!({ "type": "string", "const": value }), field);
        }
    }
}

/// Names the events by their types, and their payloads.
fn name_events(schema: &mut Value, named: &mut BTreeMap<String, Value>) {
    let Some(alternatives) = schema["oneOf"].as_array_mut() else { return };
    let mut mapping = Map::new();
    for event in alternatives {
        let Some(kind) = constant(&event["properties"]["type"]).map(str::to_owned) else { continue };
        event["properties"]["type"] = json!({ "type": "string", "const": kind });
        let payload = format!("{}Payload", pascal(&kind));
        let reference = json!({ "$ref": format!("{SCHEMAS}{payload}") });
        if event["properties"]["payload"].is_object() {
            let of_payload = match WITHHELD.contains(&kind.as_str()) {
                true => json!({ "oneOf": [reference, { "$ref": format!("{SCHEMAS}WithheldPayload") }] }),
                false => reference,
            };
            let mut schema = std::mem::replace(&mut event["properties"]["payload"], of_payload);
            if WITHOUT_WORDS.contains(&kind.as_str()) {
                schema["properties"]["withheld"] = withheld_words();
            }
            name_alternatives(&payload, &mut schema, named);
            named.insert(payload, schema);
        }
        let name = format!("{}Event", pascal(&kind));
        let reference = format!("{SCHEMAS}{name}");
        mapping.insert(kind, json!(reference));
        named.insert(name, std::mem::replace(event, json!({ "$ref": reference })));
    }
    schema["discriminator"] = json!({ "propertyName": "type", "mapping": mapping });
}

/// What stands in the place of a payload for callers who may not see it.
fn withheld() -> Value {
    json!({
        "type": "object",
        "description": "The payload may not be seen by this reader; what it is about may.",
        "properties": {
            "withheld": { "type": "boolean", "const": true, "description": "Always `true`." },
            "ballot": { "$ref": format!("{SCHEMAS}BallotId") },
            "participant": { "$ref": format!("{SCHEMAS}ParticipantId") },
            "round": { "type": "integer", "format": "int32", "minimum": 0 },
            "task": { "$ref": format!("{SCHEMAS}TaskId") },
            "attempt": { "type": "integer", "format": "int32", "minimum": 0 },
        },
        "required": ["withheld"],
    })
}

/// The field that says that words are withheld.
fn withheld_words() -> Value {
    json!({
        "type": "boolean",
        "const": true,
        "description": "Whether the words are withheld from this reader until the blind round is over: its texts are \
            then `…`, and stance, mentions and sources are left out. Not there otherwise, and never in the stored log.",
    })
}

/// `vote_cast` as `VoteCast`.
pub(super) fn pascal(name: &str) -> String {
    let words = name.split(['_', '-']).map(|word| {
        let mut letters = word.chars();
        letters
            .next()
            .map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tagged(tag: &str, value: &str, fields: &[&str]) -> Value {
        let mut properties: Map<String, Value> =
            fields.iter().map(|field| ((*field).to_owned(), json!({ "type": "string" }))).collect();
        properties.insert(tag.to_owned(), json!({ "type": "string", "enum": [value] }));
        let required: Vec<&String> = properties.keys().collect();
        json!({ "type": "object", "required": required, "properties": properties })
    }

    #[test]
    fn a_union_with_further_fields_is_a_union_whose_alternatives_have_them() {
        let further =
            json!({ "type": "object", "required": ["by"], "properties": { "by": { "type": "string" } } });
        let mut document = json!({ "components": { "schemas": {
            "Reason": { "oneOf": [tagged("why", "asked", &["note"]), tagged("why", "late", &[])] },
            "End": { "oneOf": [
                tagged("outcome", "done", &[]),
                { "allOf": [{ "$ref": "#/components/schemas/Reason" }, tagged("outcome", "left", &[])] },
            ] },
            "Left": { "allOf": [{ "$ref": "#/components/schemas/Reason" }, further] },
        } } });
        complete(&mut document);
        let schemas = &document["components"]["schemas"];
        assert_eq!(schemas["Left"]["oneOf"][0]["$ref"], "#/components/schemas/LeftAsked");
        assert_eq!(schemas["Left"]["discriminator"]["propertyName"], "why");
        assert_eq!(schemas["LeftAsked"]["required"], json!(["by", "note", "why"]));
        assert_eq!(schemas["LeftAsked"]["properties"]["why"]["const"], "asked");
        let end = &schemas["End"];
        assert_eq!(end["oneOf"][1]["$ref"], "#/components/schemas/EndLeft");
        assert!(end.get("discriminator").is_none(), "one of them is a union itself");
        assert_eq!(schemas["EndLeft"]["oneOf"][0]["$ref"], "#/components/schemas/EndLeftAsked");
        assert_eq!(schemas["EndLeftAsked"]["required"], json!(["note", "outcome", "why"]));
        assert_eq!(schemas["EndLeft"]["discriminator"]["propertyName"], "why");
    }

    #[test]
    fn no_union_is_left_without_names() {
        fn walk(value: &Value, path: &str) {
            match value {
                Value::Object(fields) => {
                    for alternative in fields.get("oneOf").and_then(Value::as_array).into_iter().flatten() {
                        assert!(alternative.get("properties").is_none(), "{path}: {alternative}");
                    }
                    fields.iter().for_each(|(key, value)| walk(value, &format!("{path}/{key}")));
                }
                Value::Array(items) => items.iter().for_each(|item| walk(item, path)),
                _ => {}
            }
        }
        let document = crate::openapi();
        walk(&document["components"]["schemas"], "");
        let events = document["components"]["schemas"][EVENTS]["oneOf"].as_array().expect("the events");
        assert_eq!(events.len(), quorate_contract::EventBody::KINDS.len());
    }

    #[test]
    fn payloads_are_declared_as_they_are_told() {
        use quorate_contract::*;
        use quorate_views::{Moment, Viewer};

        let document = crate::openapi();
        let schemas = &document["components"]["schemas"];
        let fixture = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/events.jsonl"));
        let event = |line: &str| Event {
            version: ContractVersion,
            seq: 1,
            meeting_id: MeetingId::new("m"),
            run_id: RunId::new("r"),
            ts_ms: Timestamp(1),
            actor: Actor::System,
            cause: String::new(),
            body: serde_json::from_str(line).expect(line),
        };
        let events: Vec<Event> = fixture.lines().map(event).collect();
        // Everything that is open hides what it can: a ballot, and a blind round in which somebody reads to answer.
        let moment = events.iter().fold(Moment::default(), |moment, event| match &event.body {
            EventBody::BallotOpened { .. } => moment.after(&event.body),
            EventBody::RoundStarted { round, order, focus, context_from, .. } => {
                let (round, order, focus) = (*round, order.clone(), focus.clone());
                let context_from = *context_from;
                let kind = RoundKind::Blind;
                moment.after(&EventBody::RoundStarted { round, kind, order, focus, context_from })
            }
            _ => moment,
        });
        let reader = Viewer::public(moment).as_participant();
        for event in &events {
            let kind = event.body.kind();
            let whole: Value = serde_json::from_str(&event.to_json()).expect("JSON");
            let told = reader.line(event).map(|line| serde_json::from_str::<Value>(&line).expect("JSON"));
            let says_so = told.as_ref().is_some_and(|told| told["payload"]["withheld"] == true);
            assert_eq!(says_so, WITHHELD.contains(&kind) || WITHOUT_WORDS.contains(&kind), "{kind}");
            let Some(fields) = schemas[format!("{}Payload", pascal(kind))]["properties"].as_object() else {
                continue; // a union: its alternatives are schemas of their own
            };
            for field in fields.keys().filter(|field| *field != "withheld") {
                let is_there = whole["payload"].get(field).is_some();
                assert!(
                    is_there,
                    "fixtures/events.jsonl lacks {field} of {kind}: the tests of visibility go by it"
                );
            }
        }
    }
}
