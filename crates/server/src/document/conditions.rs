//! What a body has to have that no field says alone: one of two fields, one field without another, a text that is not blank.
//!
//! Such a condition is written as `if`, `then` and `else`. Validators and fuzzers follow these, and generators of clients
//! pass them over: of `anyOf` beside `properties` they make a union of nameless types, and one of them ends at `not`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::references::{SCHEMAS, operations, reachable, references};

/// At least one character that is no space, whichever end a matcher begins at.
const NOT_BLANK: &str = r"^\s*\S";

/// Passwords are taken as they are, spaces and all.
const TAKEN_AS_THEY_ARE: [&str; 1] = ["password"];

/// The requests of which a field may not be left out, although the type has it as optional: several requests share the type,
/// or the check of the field tells more than that it is missing.
const NEEDED: [(&str, &str, &[&str]); 6] = [
    ("/api/v1/meetings", "post", &["topic"]),
    ("/api/v1/meetings/estimate", "post", &["topic"]),
    ("/api/v1/meetings/{id}/minutes", "put", &["content"]),
    // Of these, one of several fields has to be there.
    ("/api/v1/meetings/{id}/participants", "post", &[]),
    ("/api/v1/turns/{ticket}/answer", "post", &[]),
    ("/api/v1/webhooks", "post", &[]),
];

/// A meeting as a template holds it: a request for one whose topic may be left out.
const MEETING_OF_TEMPLATE: &str = "TemplateMeeting";

/// Adds the conditions to a document that is complete otherwise.
pub(super) fn complete(document: &mut Value) {
    separate_template(document);
    for (path, method, fields) in NEEDED {
        need(document, path, method, fields);
    }
    tell_blank(document);
    let asked = |name: &str| format!("/components/schemas/{name}");
    let mut add = |name: &str, condition: &dyn Fn(&Fields) -> Value| {
        let schema = document.pointer_mut(&asked(name)).unwrap_or_else(|| panic!("{name} is a schema"));
        let condition = condition(&Fields::of(schema));
        let object = schema.as_object_mut().expect("a schema is an object");
        object.extend(condition.as_object().cloned().unwrap_or_default());
    };
    // A simulated agent has neither a model nor what belongs to one.
    add("NewAgentRequest", &|body| {
        let of_models = ["api_key", "base_url", "effort", "fallback", "max_tokens", "temperature", "top_p"];
        if_absent("model", with(body.given(&["temperament"]), &absent(&of_models)), absent(&["temperament"]))
    });
    // An agent of the library, or one sentence, stands alone.
    add("NewParticipant", &|body| {
        let own = ["name", "role", "model", "fallback", "temperament"];
        let alone = with(absent(&own), &json!({ "properties": { "skip_list": { "maxItems": 0 } } }));
        let described = if_absent("description", body.given(&["name"]), alone.clone());
        if_absent("agent", described, with(absent(&["description"]), &alone))
    });
    add("TurnAnswerRequest", &|body| if_absent("text", body.given(&["fields"]), absent(&["fields"])));
    add("WebhookCallBack", &|body| {
        let skips = |is: bool| json!({ "properties": { "skip": { "const": is } } });
        let skipped = with(json!({ "required": ["skip"] }), &skips(true));
        let without_text = if_absent("fields", skipped, skips(false));
        let of_turn = if_absent("text", without_text, with(absent(&["fields"]), &skips(false)));
        let message = with(body.given(&["meeting", "text"]), &with(absent(&["fields"]), &skips(false)));
        if_absent("ticket", message, with(absent(&["meeting"]), &of_turn))
    });
    // A webhook is told of turns, which are those of its agent, or of events.
    add("NewWebhookRequest", &|body| {
        let some_events =
            with(body.given(&["events"]), &json!({ "properties": { "events": { "minItems": 1 } } }));
        let no_turns = json!({ "properties": { "turns": { "enum": [false, null] } } });
        let told_of_turns = json!({ "if": { "properties": { "turns": { "const": false } }, "required": ["turns"] },
            "then": some_events });
        if_absent("agent", with(some_events.clone(), &no_turns), told_of_turns)
    });
    add("ReadMentionsRequest", &|body| if_absent("seq", json!({}), body.given(&["meeting"])));
}

/// Gives templates a schema of their own, before requests for a meeting need a topic.
fn separate_template(document: &mut Value) {
    let schemas = &mut document["components"]["schemas"];
    let mut meeting = schemas["CreateMeetingRequest"].clone();
    meeting["description"] = "A meeting of a template. All fields are optional.".into();
    schemas[MEETING_OF_TEMPLATE] = meeting;
    let body = &mut schemas["TemplateRequest"]["properties"]["body"];
    assert!(body["$ref"].is_string(), "a template refers to its meeting");
    body["$ref"] = format!("{SCHEMAS}{MEETING_OF_TEMPLATE}").into();
}

/// Says of a request that it has a body, in which these fields are not `null`.
fn need(document: &mut Value, path: &str, method: &str, fields: &[&str]) {
    let body = &mut document["paths"][path][method]["requestBody"];
    assert!(body.is_object(), "{method} {path} has a body");
    body["required"] = true.into();
    let name = body["content"]["application/json"]["schema"]["$ref"].as_str().unwrap_or_default();
    let name = name.trim_start_matches(SCHEMAS).to_owned();
    let schema = &mut document["components"]["schemas"][name];
    for field in fields {
        let property = &mut schema["properties"][*field];
        assert!(property.is_object(), "{method} {path}: {field}");
        property["type"] = "string".into();
    }
    if !fields.is_empty() {
        schema["required"] = json!(fields);
    }
}

/// What `then` holds of a body without a field, and `else` of one with it.
fn if_absent(field: &str, then: Value, otherwise: Value) -> Value {
    json!({ "if": absent(&[field]), "then": then, "else": otherwise })
}

/// That fields are left out, or `null`.
fn absent(fields: &[&str]) -> Value {
    let none: Map<String, Value> =
        fields.iter().map(|field| ((*field).to_owned(), json!({ "type": "null" }))).collect();
    json!({ "properties": none })
}

/// Two conditions at once.
fn with(mut one: Value, other: &Value) -> Value {
    for (key, value) in other.as_object().into_iter().flatten() {
        match (one.get_mut(key), value) {
            (Some(Value::Object(there)), Value::Object(further)) => {
                for (field, value) in further {
                    match there.get_mut(field).and_then(Value::as_object_mut) {
                        Some(known) => known.extend(value.as_object().cloned().unwrap_or_default()),
                        None => drop(there.insert(field.clone(), value.clone())),
                    }
                }
            }
            _ => one[key] = value.clone(),
        }
    }
    one
}

/// The fields of a body.
struct Fields(Map<String, Value>);

impl Fields {
    fn of(schema: &Value) -> Self {
        let parts = schema["allOf"].as_array().into_iter().flatten().chain([schema]);
        let fields = parts.filter_map(|part| part["properties"].as_object()).flatten();
        Self(fields.map(|(name, schema)| (name.clone(), schema.clone())).collect())
    }

    /// That fields are given, and not `null`.
    fn given(&self, fields: &[&str]) -> Value {
        let some: Map<String, Value> =
            fields.iter().map(|field| ((*field).to_owned(), self.some(field))).collect();
        json!({ "required": fields, "properties": some })
    }

    /// What a field takes besides `null`.
    fn some(&self, field: &str) -> Value {
        let schema = self.0.get(field).cloned().unwrap_or_else(|| json!({ "type": "string" }));
        let mut alternatives = schema["oneOf"].as_array().into_iter().flatten();
        if let Some(reference) = alternatives.find_map(|one| one["$ref"].as_str()) {
            return json!({ "$ref": reference });
        }
        let mut kinds = schema["type"].as_array().into_iter().flatten();
        let kind = kinds.find(|kind| *kind != "null").unwrap_or(&schema["type"]);
        json!({ "type": kind })
    }
}

/// Says of the texts of requests that need a character that it is no space.
fn tell_blank(document: &mut Value) {
    let mut asked = BTreeSet::new();
    for operation in operations(document) {
        operation.get("requestBody").into_iter().for_each(|body| references(body, &mut asked));
    }
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for name in reachable(schemas, asked) {
        let Some(schema) = schemas.get_mut(&name) else { continue };
        let (own, parts) = match schema.get_mut("allOf").and_then(Value::as_array_mut) {
            Some(parts) => (None, parts.iter_mut().collect()),
            None => (Some(schema), Vec::new()),
        };
        for part in own.into_iter().chain(parts) {
            let properties = part.get_mut("properties").and_then(Value::as_object_mut);
            for (field, property) in properties.into_iter().flatten() {
                let is_text = property["minLength"] == 1 && !TAKEN_AS_THEY_ARE.contains(&field.as_str());
                if is_text && property.get("pattern").is_none() {
                    property["pattern"] = NOT_BLANK.into();
                }
            }
        }
    }
}
