//! Random bodies: the server answers each with a result or with a problem that says what is wrong, never with
//! a fault of its own.

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use quorate_server::openapi;
use reqwest::{Method, StatusCode};
use serde_json::{Map, Value, json};

use crate::test_server::Rig;

/// The number of bodies for each operation.
const BODIES: usize = 9;

/// A change of a valid body.
#[derive(Debug, Clone)]
enum Harm {
    /// One of its values is replaced.
    Replaced(Index, Value),
    /// One of its objects has an unknown field.
    Unknown(Index, String, Value),
    /// One of its fields is removed.
    Removed(Index),
    /// It is cut short.
    Cut(Index),
    /// It contains bytes that are no text.
    NoText(Index, Vec<u8>),
    /// One of its fields occurs twice.
    Twice,
    /// It consists of random bytes.
    Bytes(Vec<u8>),
    /// It is larger than the limit.
    Huge,
}

fn value() -> impl Strategy<Value = Value> {
    let deep = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!([inner]));
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        prop_oneof![Just(0), Just(-1), Just(i64::MAX), Just(1 << 53)].prop_map(Value::from),
        Just(json!(1e308)),
        Just(json!("")),
        ".{0,40}".prop_map(Value::from),
        "[\\u{0}-\\u{1f}\\u{202e}\\u{feff}\\u{1f600}]{1,9}".prop_map(Value::from),
        (1_000usize..60_000).prop_map(|length| Value::from("x".repeat(length))),
        prop_oneof![Just(3usize), Just(63), Just(64), Just(200)].prop_map(deep),
        Just(json!([])),
        Just(json!({})),
        Just(json!([{"name": "Ada"}, 1, null])),
    ]
}

fn harm() -> impl Strategy<Value = Harm> {
    prop_oneof![
        8 => (any::<Index>(), value()).prop_map(|(at, value)| Harm::Replaced(at, value)),
        2 => (any::<Index>(), "[a-z_]{0,12}", value()).prop_map(|(at, name, value)| Harm::Unknown(at, name, value)),
        2 => any::<Index>().prop_map(Harm::Removed),
        1 => any::<Index>().prop_map(Harm::Cut),
        1 => (any::<Index>(), vec(128u8..=255, 1..4)).prop_map(|(at, bytes)| Harm::NoText(at, bytes)),
        1 => Just(Harm::Twice),
        1 => vec(any::<u8>(), 0..200).prop_map(Harm::Bytes),
    ]
}

/// The pointers to all values of a body, the body itself among them.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    let step = |name: &str| format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| places(value, &step(name), found)),
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(place, value)| places(value, &step(&place.to_string()), found));
        }
        _ => {}
    }
}

fn harmed(sound: &Value, harm: &Harm) -> Vec<u8> {
    let (mut body, mut all) = (sound.clone(), Vec::new());
    places(sound, "", &mut all);
    let objects: Vec<&String> =
        all.iter().filter(|at| sound.pointer(at).is_some_and(Value::is_object)).collect();
    let text = || sound.to_string().into_bytes();
    match harm {
        Harm::Replaced(at, value) => {
            if let Some(place) = body.pointer_mut(&all[at.index(all.len())]) {
                *place = value.clone();
            }
        }
        Harm::Unknown(_, name, value) if objects.is_empty() => body = json!({ name: value }),
        Harm::Unknown(at, name, value) => {
            if let Some(Value::Object(fields)) = body.pointer_mut(objects[at.index(objects.len())]) {
                fields.insert(name.clone(), value.clone());
            }
        }
        Harm::Removed(at) => {
            if let Some((of, name)) = all[at.index(all.len())].rsplit_once('/')
                && let Some(Value::Object(fields)) = body.pointer_mut(of)
            {
                fields.remove(name);
            }
        }
        Harm::Cut(at) => {
            let mut text = text();
            text.truncate(at.index(text.len().max(1)));
            return text;
        }
        Harm::NoText(at, bytes) => {
            let mut text = text();
            let at = at.index(text.len() + 1);
            text.splice(at..at, bytes.iter().copied());
            return text;
        }
        Harm::Twice => return format!("{{\"topic\":1,\"topic\":{sound}}}").into_bytes(),
        Harm::Bytes(bytes) => return bytes.clone(),
        Harm::Huge => return format!("{{\"topic\":\"{}\"}}", "x".repeat(1 << 20)).into_bytes(),
    }
    body.to_string().into_bytes()
}

/// Something that fits a schema, with every field that it names.
fn sample(document: &Value, schema: &Value, depth: usize) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let named = document.pointer(reference.trim_start_matches('#')).unwrap_or(&Value::Null);
        return sample(document, named, depth + 1);
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(some) = schema[choice].as_array() {
            let some = some.iter().find(|one| one["type"] != "null").unwrap_or(&Value::Null);
            return sample(document, some, depth + 1);
        }
    }
    if let Some(all) = schema["allOf"].as_array() {
        let parts = all.iter().filter_map(|one| sample(document, one, depth + 1).as_object().cloned());
        return Value::Object(parts.flatten().collect());
    }
    if let Some(first) = schema["enum"].as_array().and_then(|known| known.first()) {
        return first.clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null").cloned().unwrap_or_default(),
        kind => kind.clone(),
    };
    match kind.as_str() {
        Some("string") => json!("x"),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("array") if depth < 6 => json!([sample(document, &schema["items"], depth + 1)]),
        Some("array") => json!([]),
        _ if depth > 6 => json!({}),
        _ => {
            let fields = schema["properties"].as_object().into_iter().flatten();
            let fields = fields.map(|(name, of)| (name.clone(), sample(document, of, depth + 1)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
    }
}

/// An operation that takes a body of JSON.
struct Operation {
    method: Method,
    path: String,
    /// Bodies to begin with.
    sound: Vec<Value>,
    /// The statuses that it is said to answer with.
    known: Vec<u16>,
}

fn operations(document: &Value) -> Vec<Operation> {
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("operations") {
            let body = &operation["requestBody"]["content"]["application/json"];
            if body.is_null() {
                continue;
            }
            let mut sound = vec![sample(document, &body["schema"], 0)];
            sound.extend(body.get("example").cloned());
            let known = operation["responses"].as_object().expect("responses").keys();
            found.push(Operation {
                method: method.to_uppercase().parse().expect("a method"),
                path: path.clone(),
                sound,
                known: known.filter_map(|status| status.parse().ok()).collect(),
            });
        }
    }
    found
}

#[tokio::test]
async fn no_body_leads_to_a_fault_of_the_server() {
    let document = openapi();
    let mut operations = operations(&document);
    assert!(operations.len() > 30, "{}", operations.len());
    // What sets limits comes last: it may set them so low that nothing else is answered.
    operations.sort_by_key(|operation| operation.path.ends_with("/settings"));
    let rig = Rig::start().await;
    rig.execute(
        "/agents",
        json!({"name": "Ada", "role": "r", "description": "d", "temperament": "stubborn"}),
    )
    .await;
    let template = rig.execute("/templates", json!({"name": "t", "body": {"topic": "x"}})).await;
    let mut runner = TestRunner::deterministic();
    let (mut sent, mut taken) = (0, 0);
    for operation in &operations {
        let meeting = rig.meeting(json!({"agenda": [{"title": "Costs"}]})).await;
        let path = operation.path.trim_start_matches("/api/v1").replace("/meetings/{id}", &meeting);
        let path = path
            .replace("{id}", template["id"].as_str().expect("an id"))
            .replace("/agents/{name}", "/agents/Ada");
        let path = path
            .replace("{ticket}", "none")
            .replace("{item}", "a1")
            .replace("{participant}", "p1")
            .replace("{name}", "nobody");
        assert!(!path.contains('{'), "{path}");
        let mut harms: Vec<Harm> =
            (0..BODIES).map(|_| harm().new_tree(&mut runner).expect("a harm").current()).collect();
        harms.extend((sent % 5 == 0).then_some(Harm::Huge));
        for (number, harm) in harms.iter().enumerate() {
            let body = harmed(&operation.sound[number % operation.sound.len()], harm);
            let told = String::from_utf8_lossy(&body[..body.len().min(300)]).into_owned();
            let request = rig
                .client
                .request(operation.method.clone(), format!("{}/api/v1{path}", rig.url))
                .header("content-type", "application/json")
                .timeout(Duration::from_secs(40))
                .body(body);
            let answer = request.send().await.unwrap_or_else(|error| panic!("{path}: {error}: {told}"));
            let (status, headers) = (answer.status(), answer.headers().clone());
            let text = answer.text().await.expect("a body");
            let what = format!("{} {path}: {status} {text} to {told}", operation.method);
            let expected =
                status == StatusCode::SERVICE_UNAVAILABLE || operation.known.contains(&status.as_u16());
            assert!(!status.is_server_error() || expected, "{what}");
            if !status.is_success() {
                let problem: Value = serde_json::from_str(&text).unwrap_or_default();
                assert_eq!(headers["content-type"], "application/problem+json", "{what}");
                let sort = problem["type"].as_str().unwrap_or_default();
                assert!(sort.starts_with("/api/v1/problems#"), "{what}");
                assert_ne!(sort, "/api/v1/problems#bug", "{what}");
                assert_eq!(problem["status"], status.as_u16(), "{what}");
            }
            sent += 1;
            taken += usize::from(status.is_success());
        }
        if !operation.path.ends_with("/settings") {
            rig.see("/meetings?limit=1").await;
        }
    }
    assert!(sent > 300 && taken > 5, "{taken} of {sent} were taken");
    let health = rig.client.get(format!("{}/healthz", rig.url)).send().await.expect("an answer");
    assert!(!health.status().is_server_error(), "{}", health.status());
}
