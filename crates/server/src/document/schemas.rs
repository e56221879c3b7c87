//! What every schema of the document says alike: names, required fields, and what requests take beside what answers give.
//!
//! A field of an answer is always there unless its type leaves it out when it is empty. Where
//! a type is read from requests and written to answers, requests have a schema of their own, in which what has a
//! default may be left out.

use std::collections::{BTreeMap, BTreeSet};

use quorate_contract::{RULE_FIELDS, RuleKind};
use serde_json::{Map, Value, json};

const SCHEMAS: &str = "#/components/schemas/";

/// The fields that a type leaves out of an answer when they are empty.
const OMITTED: &[(&str, &[&str])] = &[
    ("Action", &["by", "locations"]),
    ("ActionLocation", &["line"]),
    ("ActionItem", &["sources", "who"]),
    ("AgendaItem", &["description"]),
    ("Agent", &["profile", "skip_list"]),
    ("AgentTestResult", &["latency_ms", "said"]),
    ("AllowedTools", &["participants"]),
    ("Ballot", &["counted_by"]),
    ("CallInProgress", &["action_reports", "permissions"]),
    ("Candidate", &["focus", "reason"]),
    ("CatalogueMessage", &["args"]),
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
    ("MeetingListItem", &["damaged", "fault", "provider_wait"]),
    ("MeetingView", &["damage", "description", "display", "fault", "provider_wait"]),
    ("MessageView", &["withheld"]),
    ("MinutesItem", &["quote", "sources", "who"]),
    ("ModelOffer", &["good_at"]),
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
    ("Report", &["description", "evidence", "fork_text", "forked_from"]),
    ("Resumption", &["asked_again", "by_rules", "shared"]),
    ("Role", &["system_prompt"]),
    ("MeetingMessage", &["citations", "evidence", "mentioned_people", "reply_to"]),
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

/// Names for types whose own name says too little outside of their module.
const NAMES: &[(&str, &str)] = &[
    ("AccountView", "Account"),
    ("AuditEntryView", "AuditEntry"),
    ("BackupView", "Backup"),
    ("BackupsView", "BackupList"),
    ("BallotView", "MeetingBallot"),
    ("ClaimView", "MeetingClaim"),
    ("Damage", "LogDamage"),
    ("FaultView", "MeetingFault"),
    ("FloorView", "CurrentFloor"),
    ("InvitationView", "Invitation"),
    ("MeetingView", "Meeting"),
    ("Message", "MessageText"),
    ("ModelView", "ProviderModel"),
    ("ParticipantView", "MeetingParticipant"),
    ("PauseView", "MeetingPause"),
    ("ProviderView", "Provider"),
    ("PublicKeyView", "PublicKey"),
    ("SessionView", "Session"),
    ("SigningKeyView", "SigningKey"),
    ("TokenView", "AccessToken"),
    ("UsageView", "MeetingUsage"),
    ("VoterView", "Voter"),
    ("WebhookDeliveryView", "WebhookDelivery"),
    ("WebhookView", "Webhook"),
];

/// Completes all schemas.
pub(super) fn complete(document: &mut Value) {
    refer_to_items(document);
    refer_in_pairs(document);
    separate_requests(document);
    rename_all(document);
    plain_arrays(document);
    tell_defaults(document);
    bound_rules(document);
    bound_files(document);
    separate_new(document);
}

/// What creates something takes the type of its changes, of which each field may be left out: the path, the type, its name
/// here, and the fields that something new has to have.
const NEW: [(&str, &str, &str, &[&str]); 2] = [
    ("/api/v1/agents", "AgentRequest", "NewAgentRequest", &["description", "name", "role"]),
    ("/api/v1/webhooks", "WebhookChange", "NewWebhookRequest", &["url"]),
];

/// Gives requests that create something a schema of their own, with the fields that they have to have.
fn separate_new(document: &mut Value) {
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

/// An import has files, and each has a name and a content.
fn bound_files(document: &mut Value) {
    if let Some(files) = document.pointer_mut("/components/schemas/ImportRequest/properties/files") {
        let some = json!({ "type": "string", "minLength": 1 });
        (files["minProperties"], files["propertyNames"], files["additionalProperties"]) =
            (1.into(), some.clone(), some);
    }
}

/// States the bounds of the rules, which are checked in `contract`.
fn bound_rules(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for rules in
        ["Rules", "RulesInput"].into_iter().filter(|name| schemas.contains_key(*name)).collect::<Vec<_>>()
    {
        for field in RULE_FIELDS {
            match field.kind {
                RuleKind::Number(number) => {
                    bound(schemas, rules, field.path, &json!(number.min), &json!(number.max));
                }
                RuleKind::Share(_) => bound(schemas, rules, field.path, &json!(0), &json!(1)),
                RuleKind::Switch
                | RuleKind::Choice(_)
                | RuleKind::List(_)
                | RuleKind::PerParticipant(_)
                | RuleKind::Group => {}
            }
        }
    }
}

/// Bounds the property at a path.
fn bound(schemas: &mut Map<String, Value>, schema: &str, path: &str, min: &Value, max: &Value) {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let property = &mut schemas[schema]["properties"][first];
    assert!(property.is_object(), "{schema} has no field {first}");
    let Some(rest) = rest else {
        property["minimum"] = min.clone();
        property["maximum"] = max.clone();
        return;
    };
    let mut named = BTreeSet::new();
    references(property, &mut named);
    let next = named.into_iter().next().unwrap_or_else(|| panic!("{schema}.{first} refers to a schema"));
    bound(schemas, &next, rest, min, max);
}

/// Says in words what a field is when it is left out: generators of clients take a field with a `default` for one that
/// is always there. Defaults of rules are those of the format, which this document cannot know.
fn tell_defaults(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for (name, schema) in schemas {
        let depends_on_format = name.contains("Rules");
        without_defaults(schema, depends_on_format);
    }
}

fn without_defaults(schema: &mut Value, silently: bool) {
    match schema {
        Value::Object(fields) => {
            let required = fields.get("required").cloned().unwrap_or_default();
            let is_required =
                |name: &str| required.as_array().is_some_and(|all| all.iter().any(|it| it == name));
            let properties = fields.get_mut("properties").and_then(Value::as_object_mut);
            for (name, field) in properties.into_iter().flatten() {
                let Some(field) = field.as_object_mut() else { continue };
                let Some(default) = field.remove("default") else { continue };
                let is_telling = match &default {
                    Value::Number(_) => true,
                    Value::Bool(value) => *value,
                    Value::String(text) => !text.is_empty(),
                    Value::Null | Value::Array(_) | Value::Object(_) => false,
                };
                let own = field.get("description").and_then(Value::as_str).unwrap_or_default();
                if is_telling && !silently && !is_required(name) && !own.contains("left out") {
                    let value = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
                    let told = format!("{own} When left out: `{value}`.").trim_start().to_owned();
                    field.insert("description".to_owned(), told.into());
                }
            }
            fields.values_mut().for_each(|value| without_defaults(value, silently));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| without_defaults(item, silently)),
        _ => {}
    }
}

/// Writes a pair or a triple as an array of fixed length: generators of clients know few of `prefixItems`.
fn plain_arrays(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::Array(items)) = fields.remove("prefixItems") {
                let kinds: Vec<Value> = items
                    .iter()
                    .enumerate()
                    .filter(|(at, kind)| !items[..*at].contains(kind))
                    .map(|(_, kind)| kind.clone())
                    .collect();
                let kind = match kinds.as_slice() {
                    [one] => one.clone(),
                    several => json!({ "anyOf": several }),
                };
                fields.insert("items".to_owned(), kind);
                fields.insert("minItems".to_owned(), items.len().into());
                fields.insert("maxItems".to_owned(), items.len().into());
            }
            fields.values_mut().for_each(plain_arrays);
        }
        Value::Array(items) => items.iter_mut().for_each(plain_arrays),
        _ => {}
    }
}

/// Lists refer to the schema of their items instead of repeating it.
fn refer_to_items(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    let mut repeated = Vec::new();
    for (name, schema) in schemas.iter_mut() {
        let item = name.strip_prefix("ItemPage_").or_else(|| name.strip_prefix("MeetingItems_"));
        let Some(item) = item.map(str::to_owned) else { continue };
        let Some(items) = schema.pointer_mut("/properties/items/items") else { continue };
        if items.get("$ref").is_none() {
            let reference = json!({ "$ref": format!("{SCHEMAS}{item}") });
            repeated.push((item, std::mem::replace(items, reference)));
        }
    }
    for (item, schema) in repeated {
        schemas.entry(item).or_insert(schema);
    }
}

/// Pairs and triples refer to the schemas of their unions instead of repeating them.
fn refer_in_pairs(document: &mut Value) {
    fn walk(value: &mut Value, unions: &[(String, Value)]) {
        match value {
            Value::Object(fields) => {
                for part in fields.get_mut("prefixItems").and_then(Value::as_array_mut).into_iter().flatten()
                {
                    if let Some((name, _)) = unions.iter().find(|(_, union)| union == part) {
                        *part = json!({ "$ref": format!("{SCHEMAS}{name}") });
                    }
                }
                fields.values_mut().for_each(|value| walk(value, unions));
            }
            Value::Array(items) => items.iter_mut().for_each(|value| walk(value, unions)),
            _ => {}
        }
    }
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    let unions = schemas.iter().filter(|(_, schema)| schema.get("oneOf").is_some());
    let unions: Vec<(String, Value)> = unions.map(|(name, schema)| (name.clone(), schema.clone())).collect();
    schemas.values_mut().for_each(|schema| walk(schema, &unions));
}

/// Gives answers what is always there, and requests schemas of their own where the two differ.
fn separate_requests(document: &mut Value) {
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
    let mut all = Map::new();
    for (name, schema) in &schemas {
        if of_requests.contains(name) {
            let mut asked = schema.clone();
            rename_references(&mut asked, &input);
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

/// Gives types the names that they have in the document.
fn rename_all(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object() else { return };
    let names: BTreeMap<String, String> =
        schemas.keys().filter_map(|name| Some((name.clone(), public_name(name)?))).collect();
    let renamed = |name: &str| names.get(name).cloned();
    let mut all = Map::new();
    for (name, schema) in schemas {
        let public = renamed(name).unwrap_or_else(|| name.clone());
        assert!(all.insert(public.clone(), schema.clone()).is_none(), "two schemas are called {public}");
    }
    document["components"]["schemas"] = Value::Object(all);
    rename_references(document, &renamed);
}

/// The name of a type in the document, where it is not its own; that of its requests goes with it.
fn public_name(name: &str) -> Option<String> {
    let base = name.strip_suffix("Input");
    let known =
        |name: &str| NAMES.iter().find(|(own, _)| *own == name).map(|(_, public)| (*public).to_owned());
    let of_list = |name: &str| match name.split_once('_')? {
        ("ItemPage", item) => Some(format!("{}Page", known(item).unwrap_or_else(|| item.to_owned()))),
        ("MeetingItems", item) => Some(format!("{}List", known(item).unwrap_or_else(|| item.to_owned()))),
        _ => None,
    };
    known(name).or_else(|| of_list(name)).or_else(|| known(base?).map(|public| format!("{public}Input")))
}

fn operations(document: &Value) -> impl Iterator<Item = &Map<String, Value>> {
    let items = document["paths"].as_object().into_iter().flat_map(|paths| paths.values());
    items
        .flat_map(|item| item.as_object().into_iter().flat_map(|item| item.values()))
        .filter_map(Value::as_object)
}

/// The names of the schemas that a value refers to.
fn references(value: &Value, found: &mut BTreeSet<String>) {
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
fn reachable(schemas: &Map<String, Value>, from: BTreeSet<String>) -> BTreeSet<String> {
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

fn rename_references(value: &mut Value, name: &impl Fn(&str) -> Option<String>) {
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

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

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
            assert_eq!(in_source.get(*name), Some(&fields), "{name}: change OMITTED in document/schemas.rs");
        }
        for (name, fields) in in_source.iter().filter(|(name, _)| is_known(name)) {
            let is_request = schemas[&public_name(name).unwrap_or_else(|| name.clone())]
                .get("additionalProperties")
                .is_some();
            let listed = OMITTED.iter().any(|(known, _)| known == name);
            assert!(
                listed || is_request,
                "{name} leaves out {fields:?}: add them to OMITTED in document/schemas.rs"
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
        let files = &schemas["ImportRequest"]["properties"]["files"];
        assert_eq!((&files["minProperties"], &files["propertyNames"]["minLength"]), (&1.into(), &1.into()));
    }

    #[test]
    fn every_name_is_used() {
        let document = crate::openapi();
        for (own, public) in NAMES {
            let schemas = &document["components"]["schemas"];
            assert!(
                schemas.get(*own).is_none() && schemas.get(*public).is_some(),
                "{own} is called {public}"
            );
        }
    }

    #[test]
    fn pairs_refer_to_unions() {
        let union = json!({"oneOf": [{"type": "object", "properties": {"why": {"type": "string"}}}]});
        let mut document = json!({"components": {"schemas": {
            "Reason": union,
            "Queue": {"type": "array", "items": {"type": "array", "prefixItems": [{"type": "string"}, union]}},
        }}});
        refer_in_pairs(&mut document);
        let pair = &document["components"]["schemas"]["Queue"]["items"]["prefixItems"];
        assert_eq!(*pair, json!([{"type": "string"}, {"$ref": "#/components/schemas/Reason"}]));
    }

    #[test]
    fn a_pair_is_an_array_of_two() {
        let integer = json!({"type": "integer"});
        let mut pair = json!({"type": "array", "prefixItems": [integer, integer], "items": false});
        plain_arrays(&mut pair);
        assert_eq!(pair, json!({"type": "array", "items": integer, "minItems": 2, "maxItems": 2}));
        let mut document = crate::openapi();
        let complete = document.clone();
        plain_arrays(&mut document);
        assert_eq!(document, complete, "no tuple is left");
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
