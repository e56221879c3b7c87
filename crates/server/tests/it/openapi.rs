//! The document that describes the interface is the one that is checked in, and it is whole.

use std::collections::BTreeMap;
use std::path::PathBuf;

use quorate_app::Permission;
use quorate_server::{ROUTES, openapi};
use serde_json::Value;
use sha2::{Digest, Sha256};

fn checked_in() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json")
}

fn document() -> Value {
    openapi()
}

#[test]
fn the_document_in_the_repository_is_the_one_that_the_code_gives() {
    let text = serde_json::to_string_pretty(&document()).expect("text") + "\n";
    if std::env::var_os("QUORATE_BLESS").is_some() {
        std::fs::write(checked_in(), &text).expect("the document is written");
    }
    let there = std::fs::read_to_string(checked_in()).unwrap_or_default();
    let hint = "docs/openapi.json is stale: QUORATE_BLESS=1 cargo test -p quorate-server --test it openapi";
    assert!(there == text, "{hint}");
}

#[test]
fn the_asyncapi_document_in_the_repository_is_the_one_that_the_code_gives() {
    let (path, document) = (checked_in().with_file_name("asyncapi.json"), quorate_server::asyncapi());
    let text = serde_json::to_string_pretty(&document).expect("text") + "\n";
    if std::env::var_os("QUORATE_BLESS").is_some() {
        std::fs::write(&path, &text).expect("the document is written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == text,
        "docs/asyncapi.json is stale: QUORATE_BLESS=1 cargo test --workspace --test it openapi"
    );
    let mut references = Vec::new();
    references_in(&document, &mut references);
    assert!(references.len() > 100, "{}", references.len());
    for reference in references {
        assert!(document.pointer(&reference[1..]).is_some(), "{reference} leads nowhere");
    }
    let is_message = |kind: &str| document["components"]["messages"].get(kind).is_some();
    for kind in
        ["client_sign_in", "client_subscribe", "client_resume", "ack", "problem", "event", "agent_turn"]
    {
        assert!(is_message(kind), "{kind}");
    }
}

fn references_in<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|value| references_in(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references_in(value, found)),
        _ => {}
    }
}

#[test]
fn it_is_openapi_3_1_and_every_reference_leads_somewhere() {
    let document = document();
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
    let mut references = Vec::new();
    references_in(&document, &mut references);
    assert!(references.len() > 50, "{}", references.len());
    for reference in references {
        let pointer = reference.strip_prefix('#').expect("references stay within the document");
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
}

#[test]
fn every_operation_says_what_it_does_and_what_can_go_wrong() {
    let document = document();
    let mut names = std::collections::BTreeSet::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            let name = format!("{method} {path}");
            // Generators of clients print it as the first line of a comment.
            let summary = operation["summary"].as_str().expect("a summary");
            let is_line = (7..=60).contains(&summary.len()) && !summary.contains(['\n', ';', ':', '.']);
            assert!(is_line, "{name}: {summary}");
            assert!(operation["tags"].as_array().is_some_and(|tags| tags.len() == 1), "{name}");
            let id = operation["operationId"].as_str().expect("an id").to_owned();
            assert!(names.insert(id.clone()), "{name}: two operations are called {id}");
            let plain = |id: &str| id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
            assert!(plain(&id) && id.len() <= 30, "{name}: {id} is not a short name in snake case");
            let known = ROUTES.iter().any(|(m, p, _)| m.eq_ignore_ascii_case(method) && p == path);
            assert!(known, "{name} is not in the table of who may do what");
        }
    }
    // The Model Context Protocol and the Agent2Agent protocol describe themselves.
    for (method, path, _) in
        ROUTES.iter().filter(|(_, path, _)| *path != "/mcp" && !quorate_server::is_a2a(path))
    {
        let operation = &document["paths"][path][method.to_ascii_lowercase()];
        assert!(operation.is_object(), "{method} {path} is in the table and nowhere else");
    }
}

#[test]
fn every_operation_declares_its_security_and_describes_its_responses() {
    let document = document();
    // The Model Context Protocol and the Agent2Agent protocol describe themselves.
    for (method, path, use_case) in
        ROUTES.iter().filter(|(_, path, _)| *path != "/mcp" && !quorate_server::is_a2a(path))
    {
        let name = format!("{method} {path}");
        let operation = &document["paths"][path][method.to_ascii_lowercase()];
        let schemes =
            operation["security"].as_array().unwrap_or_else(|| panic!("{name} declares no security"));
        assert_eq!(schemes.is_empty(), use_case.definition().permission == Permission::Open, "{name}");
        let responses = operation["responses"].as_object().expect("responses");
        for status in ["401", "403", "429", "503"] {
            assert!(responses.contains_key(status), "{name} can answer {status}");
        }
        assert!(!path.contains('{') || responses.contains_key("404"), "{name}");
        let takes_body = operation.get("requestBody").is_some();
        assert!(!takes_body || ["400", "413", "422"].iter().all(|s| responses.contains_key(*s)), "{name}");
        for (status, response) in responses {
            let response = match response["$ref"].as_str() {
                Some(reference) => document.pointer(&reference[1..]).expect("a shared response"),
                None => response,
            };
            assert!(response["description"].as_str().is_some_and(|text| text.len() > 3), "{name} {status}");
            let media = response["content"].as_object().into_iter().flat_map(|content| content.keys());
            let is_problem = status.starts_with(['4', '5']);
            for media in media {
                assert_eq!(media == "application/problem+json", is_problem, "{name} {status}: {media}");
            }
        }
    }
    let tags = document["tags"].as_array().expect("tags");
    assert!(tags.iter().all(|tag| tag["description"].as_str().is_some_and(|text| text.len() > 10)));
    let declared = |name: &Value| tags.iter().any(|tag| tag["name"] == *name);
    let operations = document["paths"].as_object().expect("paths").values();
    let used = operations.flat_map(|item| item.as_object().expect("operations").values());
    for operation in used {
        assert!(declared(&operation["tags"][0]), "the tag {} is not described", operation["tags"][0]);
    }
}

/// What a fuzzer found: requests that the document allowed and the server refused, and the other way round.
#[test]
fn bounds_of_requests_are_stated() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    for (schema, field, min, max) in [
        ("TurnRulesInput", "cross_reply_targets", 0, 3),
        ("RosterRulesInput", "leave_below", 0, 10),
        ("ConvergenceInput", "stable_rounds", 2, 20),
        ("LimitRulesInput", "max_rounds", 1, 1000),
    ] {
        let field = &schemas[schema]["properties"][field];
        assert_eq!(
            (field["minimum"].as_u64(), field["maximum"].as_u64()),
            (Some(min), Some(max)),
            "{schema}"
        );
    }
    let mut headers = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        for operation in item.as_object().expect("operations").values() {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let (name, schema) = (parameter["name"].as_str().expect("a name"), &parameter["schema"]);
                match name {
                    "If-Match" | "If-None-Match" => {
                        headers += 1;
                        assert!(schema["pattern"].is_string(), "{path} {name}");
                        assert!(operation["responses"].get("400").is_some(), "{path} {name}");
                    }
                    "cursor" => assert_eq!(schema["minLength"], 1, "{path} {name}"),
                    "types" => assert!(schema["items"]["enum"].is_array(), "{path} {name}"),
                    _ => {}
                }
            }
        }
    }
    assert!(headers >= 5, "{headers}");
    let body = |path: &str, method: &str| document["paths"][path][method]["requestBody"]["required"].clone();
    assert_eq!(body("/api/v1/meetings/{id}/what-if", "post"), false, "every field of it may be left out");
    assert_eq!(body("/api/v1/accounts", "post"), true);
}

/// Generators of clients take a field with a default for one that is always there.
#[test]
fn no_field_of_a_schema_has_a_default() {
    fn walk(value: &Value, path: &str) {
        match value {
            Value::Object(fields) => {
                let properties = fields.get("properties").and_then(Value::as_object);
                for (name, property) in properties.into_iter().flatten() {
                    assert!(property.get("default").is_none(), "{path}.{name}");
                }
                fields.iter().for_each(|(key, value)| walk(value, &format!("{path}/{key}")));
            }
            Value::Array(items) => items.iter().for_each(|item| walk(item, path)),
            _ => {}
        }
    }
    walk(&document()["components"]["schemas"], "");
}

#[test]
fn bytes_are_binary() {
    let document = document();
    let upload = &document["paths"]["/api/v1/meetings/{id}/files"]["post"]["requestBody"]["content"];
    let file = &document["paths"]["/api/v1/meetings/{id}/files/{file}"]["get"]["responses"]["200"]["content"];
    let pdf = &document["paths"]["/api/v1/meetings/{id}/export"]["get"]["responses"]["200"]["content"];
    for (content, media) in
        [(upload, "application/octet-stream"), (file, "application/octet-stream"), (pdf, "application/pdf")]
    {
        assert_eq!(content[media]["schema"]["format"], "binary", "{content}");
    }
}

/// The document knows a shape by the name of its type alone: of two with one name, one would be told for both.
#[test]
fn no_two_shapes_have_one_name() {
    assert!(shapes().len() > 100, "{} shapes", shapes().len());
}

/// The names of all types with a schema, each of one file.
fn shapes() -> BTreeMap<String, PathBuf> {
    fn files(folder: &std::path::Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            match entry.path() {
                path if path.is_dir() => files(&path, found),
                path => found.extend(path.extension().is_some_and(|is| is == "rs").then_some(path)),
            }
        }
    }
    let mut found = Vec::new();
    for part in ["contract", "core", "views", "engine", "store", "runners", "app", "server"] {
        files(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(part).join("src"), &mut found);
    }
    let mut names = BTreeMap::new();
    for file in found {
        let text = std::fs::read_to_string(&file).expect("a file");
        let mut is_shape = false;
        for line in text.lines().map(str::trim) {
            is_shape |= line.starts_with("#[") && line.contains("ToSchema");
            let words: Vec<&str> = line.split([' ', '<', '(', ';']).collect();
            let Some(place) = words.iter().position(|word| ["struct", "enum"].contains(word)) else {
                continue;
            };
            if line.starts_with("//") || !std::mem::take(&mut is_shape) {
                continue;
            }
            if let Some(other) = names.insert(words[place + 1].to_owned(), file.clone()) {
                panic!("{} stands in {} and in {}", words[place + 1], other.display(), file.display());
            }
        }
    }
    names
}

/// Readers of the document know neither our source nor rustdoc.
#[test]
fn no_text_of_the_documents_names_a_type_of_rust() {
    fn walk(value: &Value, path: &str, shapes: &BTreeMap<String, PathBuf>) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    let path = format!("{path}/{key}");
                    if let (Some(text), "description" | "summary") = (value.as_str(), key.as_str()) {
                        assert!(!text.contains("[`"), "{path} has a link of rustdoc: {text}");
                        // What stands in backticks is literal.
                        for word in text
                            .split('`')
                            .step_by(2)
                            .flat_map(|part| part.split(|c: char| !c.is_alphanumeric()))
                        {
                            let is_compound = word.chars().skip(1).any(|c| c.is_ascii_uppercase())
                                && word.chars().any(|c| c.is_ascii_lowercase());
                            assert!(
                                !(is_compound && shapes.contains_key(word)),
                                "{path} names {word}: {text}"
                            );
                        }
                    }
                    walk(value, &path, shapes);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| walk(item, path, shapes)),
            _ => {}
        }
    }
    let shapes = shapes();
    walk(&document(), "openapi", &shapes);
    walk(&quorate_server::asyncapi(), "asyncapi", &shapes);
}

/// Clients of every language read all lists alike.
#[test]
fn every_list_has_one_shape() {
    let document = document();
    let mut lists = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        let schema = &item["get"]["responses"]["200"]["content"]["application/json"]["schema"];
        assert_ne!(schema["type"], "array", "{path}");
        let Some(reference) = schema["$ref"].as_str() else { continue };
        let schema = document.pointer(&reference[1..]).expect("a schema");
        if schema["properties"]["items"]["type"] == "array" {
            lists += 1;
            let required = schema["required"].as_array().expect("fields");
            assert!(required.contains(&"items".into()) && required.contains(&"next_cursor".into()), "{path}");
        }
    }
    assert!(lists > 20, "{lists} lists");
}

/// The types that the page is checked with name the document that they come from.
#[test]
fn the_types_of_the_page_come_from_this_document() {
    let document = std::fs::read_to_string(checked_in()).expect("the document");
    let hash = Sha256::digest(document.replace("\r\n", "\n").as_bytes());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let types = checked_in().with_file_name("../web/app/src/api/schema.d.ts");
    let types = std::fs::read_to_string(types).expect("the types");
    let first = types.lines().next().unwrap_or_default();
    let hint = "web/app/src/api/schema.d.ts is stale: npm ci && npm run generate (in web/)";
    assert_eq!(first, format!("// From docs/openapi.json with the SHA-256 {hash}."), "{hint}");
}
