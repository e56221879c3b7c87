//! The required fields of answers, and what requests take beside them.
//!
//! A field of an answer is always there unless its type leaves it out when it is empty. Where a type is read from requests and
//! written to answers, requests have a schema of their own, in which what has a default may be left out.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::references::{SCHEMAS, operations, reachable, references, rename_references};

/// The fields that a type leaves out of an answer when they are empty.
const OMITTED: &[(&str, &[&str])] = &[
    ("Action", &["by", "locations", "unusable"]),
    ("ActionLocation", &["line"]),
    ("ActionItem", &["sources", "who"]),
    ("AgendaItem", &["description"]),
    ("Agent", &["profile", "skip_list"]),
    ("AgentTestResult", &["latency_ms", "said"]),
    ("AllowedTools", &["participants"]),
    ("Ballot", &["counted_by"]),
    ("CallInProgress", &["action_reports", "permissions", "retry"]),
    ("Candidate", &["focus", "reason"]),
    ("CatalogueMessage", &["args"]),
    ("DiagnosticFault", &["event", "invariant"]),
    ("CarriedSpending", &["asked_anew"]),
    ("ChainEntry", &["line"]),
    ("ModelChoice", &["lead", "left_out"]),
    ("Claim", &["builds_on", "citations", "evidence"]),
    ("Conclusion", &["reasons"]),
    ("CreatedMeeting", &["chosen"]),
    ("Evidence", &["first", "last", "path", "title"]),
    ("Facilitator", &["system_prompt"]),
    ("FaultView", &["detail"]),
    ("DoctorFinding", &["hint"]),
    (
        "ListedPrice",
        &["as_of", "cache_write", "cached_input", "note", "overridden_by", "search", "source", "up_to"],
    ),
    ("ListedSearchPrice", &["note"]),
    ("MeetingDetails", &["description", "display", "title"]),
    ("MeetingListItem", &["damaged", "fault", "provider_wait", "waiting_for"]),
    ("MeetingView", &["damage", "description", "display", "fault", "provider_wait", "tags"]),
    ("MessageView", &["withheld"]),
    ("MinutesItem", &["quote", "sources", "who"]),
    ("ModelOffer", &["good_at"]),
    ("NodeReadiness", &["nats_connected"]),
    ("PauseView", &["proposal"]),
    ("Readiness", &["node"]),
    (
        "ModelParameters",
        &["context_tokens", "effort", "max_tokens", "temperature", "thinking_tokens", "top_p"],
    ),
    ("ModelView", &["price"]),
    ("Newcomer", &["skip_list"]),
    ("Participant", &["skip_list"]),
    ("Price", &["cache_write_micros", "cached_micros", "search_micros"]),
    ("PrivateMemory", &["assumptions", "notes", "preferences", "risks", "to_verify"]),
    (
        "Problem",
        &[
            "current_state",
            "errors",
            "hint",
            "open_turns",
            "provider",
            "provider_status",
            "required_role",
            "resource_id",
            "resource_type",
            "retry_after",
        ],
    ),
    ("ProviderTestResult", &["cost_micros", "hint", "usage"]),
    (
        "ProviderView",
        &[
            "base_url",
            "calls_limit",
            "concurrency",
            "headers",
            "key_env",
            "requests_per_minute",
            "tokens_per_minute",
            "vendor",
            "wire",
        ],
    ),
    ("Question", &["default", "why"]),
    ("Report", &["description", "evidence", "fork_text", "forked_from", "suspicion"]),
    ("Resumption", &["asked_again", "by_rules", "shared"]),
    ("Role", &["system_prompt"]),
    ("SharedResult", &["suspicion"]),
    (
        "MeetingMessage",
        &["citations", "cut_from_chars", "ended_early", "evidence", "mentioned_people", "reply_to"],
    ),
    ("Message", &["citations", "evidence"]),
    ("UnsharedClaim", &["citations", "evidence"]),
    ("Citation", &["first", "last"]),
    ("AttachedFile", &["image", "text"]),
    ("FileText", &["excerpt"]),
    ("SavedAgent", &["shared_with"]),
    ("Seat", &["failure", "joined_after"]),
    ("SeatFailure", &["hint", "kind"]),
    ("DisagreementSide", &["why"]),
    (
        "Stance",
        &[
            "answered",
            "changed",
            "changed_by",
            "claims",
            "confidence",
            "open_questions",
            "would_change_my_mind",
        ],
    ),
    ("StartedSession", &["access_token", "refresh_token", "seat"]),
    ("TalkRules", &["style"]),
    ("TimeDisplay", &["date_format", "time_format", "time_zone"]),
    ("TokenFrame", &["turn"]),
    ("ReportEvidence", &["address"]),
    ("ReportFile", &["path"]),
    ("ToolGrant", &["participants"]),
    ("ToolSource", &["title"]),
    ("TurnRules", &["pace"]),
    ("Usage", &["cache_write_tokens", "cached_tokens", "estimated", "reasoning_tokens", "searches"]),
    ("Vote", &["missing"]),
    ("WhatIfReport", &["sensitivity"]),
    ("ContextWindowObservation", &["per_mille", "prompt_tokens"]),
    ("PromptMessage", &["images"]),
];

/// What creates something takes the type of its changes, of which each field may be left out: the path, the type, its name
/// here, and the fields that something new has to have.
const NEW: [(&str, &str, &str, &[&str]); 2] = [
    ("/api/v1/agents", "AgentRequest", "NewAgentRequest", &["description", "name", "role"]),
    ("/api/v1/webhooks", "WebhookChange", "NewWebhookRequest", &["url"]),
];

/// Gives requests that create something a schema of their own, with the fields that they have to have.
pub(super) fn separate_new(document: &mut Value) {
    for (path, change, name, required) in NEW {
        let Some(schema) = document["components"]["schemas"].get(change) else { continue };
        let mut new = schema.clone();
        new["description"] = format!("The settings of a new {}.", name_of_new(name)).into();
        new["required"] = json!(required);
        for field in required {
            new["properties"][field]["type"] = "string".into();
        }
        document["components"]["schemas"][name] = new;
        let body = &mut document["paths"][path]["post"]["requestBody"];
        body["content"]["application/json"]["schema"] = json!({ "$ref": format!("{SCHEMAS}{name}") });
        body["required"] = true.into();
    }
}

fn name_of_new(name: &str) -> String {
    name.trim_start_matches("New").trim_end_matches("Request").to_lowercase()
}

/// Gives answers what is always there, and requests schemas of their own where the two differ.
pub(super) fn separate(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object().cloned() else { return };
    // Messages of the WebSocket are no operations.
    let known = |names: &[&str]| -> BTreeSet<String> {
        names.iter().filter(|name| schemas.contains_key(**name)).map(|name| (*name).to_owned()).collect()
    };
    let (mut of_requests, mut of_answers) = (known(&["ClientMessage"]), known(&["Event", "ServerMessage"]));
    for operation in operations(document) {
        for part in ["requestBody", "parameters"] {
            operation.get(part).into_iter().for_each(|part| references(part, &mut of_requests));
        }
        operation.get("responses").into_iter().for_each(|part| references(part, &mut of_answers));
    }
    let (of_requests, of_answers) = (reachable(&schemas, of_requests), reachable(&schemas, of_answers));
    let mut split: BTreeSet<String> = of_requests
        .intersection(&of_answers)
        .filter(|name| as_answered(name, &schemas[*name]) != schemas[*name])
        .cloned()
        .collect();
    // What holds a type that differs differs, too.
    loop {
        let holds = |name: &String| {
            let mut named = BTreeSet::new();
            references(&schemas[name], &mut named);
            !named.is_disjoint(&split)
        };
        let more: Vec<String> = of_requests
            .intersection(&of_answers)
            .filter(|name| !split.contains(*name) && holds(name))
            .cloned()
            .collect();
        if more.is_empty() {
            break;
        }
        split.extend(more);
    }
    let input = |name: &str| split.contains(name).then(|| format!("{name}Input"));
    let is_part_of_another = |name: &str| {
        let reference = format!("{SCHEMAS}{name}");
        let parts = schemas.values().filter_map(|schema| schema["allOf"].as_array()).flatten();
        parts.into_iter().any(|part| part["$ref"] == reference)
    };
    let mut all = Map::new();
    for (name, schema) in &schemas {
        if of_requests.contains(name) {
            let mut asked = schema.clone();
            rename_references(&mut asked, &input);
            if !is_part_of_another(name) {
                close(&mut asked);
            }
            all.insert(input(name).unwrap_or_else(|| name.clone()), asked);
        }
        if of_answers.contains(name) && (split.contains(name) || !of_requests.contains(name)) {
            all.insert(name.clone(), as_answered(name, schema));
        }
        if !of_requests.contains(name) && !of_answers.contains(name) {
            all.insert(name.clone(), schema.clone());
        }
    }
    document["components"]["schemas"] = Value::Object(all);
    for item in document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut()) {
        for operation in item.as_object_mut().into_iter().flat_map(|item| item.values_mut()) {
            for part in ["requestBody", "parameters"] {
                operation.get_mut(part).into_iter().for_each(|part| rename_references(part, &input));
            }
        }
    }
}

/// Says of an object in a request that it has no other fields: others are refused.
fn close(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut().filter(|fields| fields.contains_key("properties")) else {
        return;
    };
    fields.entry("additionalProperties").or_insert(false.into());
}

/// A schema as answers have it.
fn as_answered(name: &str, schema: &Value) -> Value {
    let omitted = OMITTED.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, fields)| fields);
    let mut schema = schema.clone();
    let parts = match schema.get_mut("allOf").and_then(Value::as_array_mut) {
        Some(parts) => parts.iter_mut().collect(),
        None => vec![&mut schema],
    };
    for part in parts {
        let Some(part) = part.as_object_mut().filter(|part| part.contains_key("properties")) else {
            continue;
        };
        part.remove("additionalProperties")
            .filter(Value::is_object)
            .map(|open| part.insert("additionalProperties".to_owned(), open));
        let Some(properties) = part.get("properties").and_then(Value::as_object) else { continue };
        let required: Vec<String> =
            properties.keys().filter(|field| !omitted.contains(&field.as_str())).cloned().collect();
        if !required.is_empty() {
            part.insert("required".to_owned(), json!(required));
        }
    }
    schema
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use super::super::schemas::{NAMES, public_name};
    use super::*;

    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            match entry.path() {
                path if path.is_dir() => sources(&path, found),
                path => found.extend(path.extension().is_some_and(|is| is == "rs").then_some(path)),
            }
        }
    }

    /// The fields that each struct with a schema leaves out when they are empty, as its source says.
    fn omitted_in_source() -> BTreeMap<String, BTreeSet<String>> {
        let mut files = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut files);
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for file in files.iter().filter(|file| file.components().any(|part| part.as_os_str() == "src")) {
            let text = std::fs::read_to_string(file).expect("a source");
            let (mut has_schema, mut current, mut omits, mut renamed) = (false, None, false, None);
            for line in text.lines().map(str::trim) {
                if line.starts_with("#[") {
                    has_schema |= line.contains("ToSchema");
                    omits |= line.contains("skip_serializing_if");
                    let name = line.split_once("rename = \"").and_then(|(_, rest)| rest.split('"').next());
                    renamed = name.map(str::to_owned).or(renamed);
                    continue;
                }
                let words: Vec<&str> =
                    line.split([' ', '<', '(', '{', ':']).filter(|word| !word.is_empty()).collect();
                if let Some(place) = words.iter().position(|word| *word == "struct") {
                    current =
                        has_schema.then(|| words.get(place + 1).map(|name| (*name).to_owned())).flatten();
                } else if words.contains(&"enum") || line.starts_with("impl") || line == "}" {
                    current = None;
                } else if let (Some(name), true, false) =
                    (&current, line.contains(':'), line.starts_with("//"))
                {
                    let field = words
                        .iter()
                        .find(|word| !word.starts_with("pub") && **word != "crate)" && **word != "super)");
                    if omits {
                        let field = renamed.clone().unwrap_or_else(|| field.expect("a field").to_string());
                        found.entry(name.clone()).or_default().insert(field);
                    }
                }
                if !line.starts_with("//") {
                    (has_schema, omits, renamed) = (false, false, None);
                }
            }
        }
        found
    }

    #[test]
    fn fields_that_may_be_missing_are_those_that_types_leave_out() {
        let document = crate::openapi();
        let schemas = document["components"]["schemas"].as_object().expect("schemas");
        // A type of the source that is called like another one in the document is not in it.
        let is_known = |name: &str| {
            !NAMES.iter().any(|(_, public)| *public == name)
                && schemas.contains_key(&public_name(name).unwrap_or_else(|| name.to_owned()))
        };
        let in_source = omitted_in_source();
        // A message of the catalogue writes its fields itself; its own test holds that none are left out.
        for (name, fields) in OMITTED.iter().filter(|(name, _)| *name != "CatalogueMessage") {
            let fields: BTreeSet<String> = fields.iter().map(|field| (*field).to_owned()).collect();
            assert_eq!(in_source.get(*name), Some(&fields), "{name}: change OMITTED in document/requests.rs");
        }
        for (name, fields) in in_source.iter().filter(|(name, _)| is_known(name)) {
            let is_request = schemas[&public_name(name).unwrap_or_else(|| name.clone())]
                .get("additionalProperties")
                .is_some();
            let listed = OMITTED.iter().any(|(known, _)| known == name);
            assert!(
                listed || is_request,
                "{name} leaves out {fields:?}: add them to OMITTED in document/requests.rs"
            );
        }
    }

    #[test]
    fn a_request_that_creates_something_says_what_it_has_to_have() {
        let document = crate::openapi();
        let schemas = &document["components"]["schemas"];
        for (path, change, name, required) in NEW {
            let body = &document["paths"][path]["post"]["requestBody"];
            assert_eq!(body["required"], true, "{path}");
            assert_eq!(body["content"]["application/json"]["schema"]["$ref"], format!("{SCHEMAS}{name}"));
            assert_eq!(schemas[name]["required"], json!(required));
            for field in required {
                assert_eq!(schemas[name]["properties"][field]["type"], "string", "{name}.{field}");
                assert_eq!(schemas[change]["properties"][field]["type"], json!(["string", "null"]));
            }
        }
    }

    #[test]
    fn only_what_is_left_out_may_be_missing() {
        let schema = json!({"type": "object", "required": [], "properties": {
            "status": {"type": "integer"}, "retry_after": {"type": ["integer", "null"]}, "title": {"type": "string"},
        }});
        let answered = as_answered("Problem", &schema);
        assert_eq!(answered["required"], json!(["status", "title"]));
    }
}
