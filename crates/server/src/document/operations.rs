//! What every operation of the document says alike: its security, the problems it can answer with, its media types.
//!
//! The permission table decides: a route that needs a credential declares the security schemes and 401, 403 and 429.
//! What an attribute says itself is kept, so that a handler describes only what is particular about it.

use std::collections::BTreeSet;

use quorate_app::{IDEMPOTENCY_KEY_BYTES, Permission};
use serde_json::{Map, Value, json};

use crate::access::use_case;
use crate::requests::extract::QUERY_VALUE_MAX_CHARS;

/// The methods that an operation can have.
const METHODS: [&str; 5] = ["get", "put", "post", "patch", "delete"];

/// A problem that operations share: its status, its name among the components, and what it means.
type Shared = (&'static str, &'static str, &'static str);

const BAD_REQUEST: Shared =
    ("400", "BadRequest", "The request is malformed: the body is not JSON, or a header is not valid");
const UNAUTHORIZED: Shared = ("401", "Unauthorized", "The credential is missing, unknown or expired");
const FORBIDDEN: Shared = (
    "403",
    "Forbidden",
    "The scope does not allow the request, the meeting requires its password, or the request comes from another site",
);
const NOT_FOUND: Shared = ("404", "NotFound", "The resource does not exist or is not visible to the caller");
const TIMEOUT: Shared = ("408", "RequestTimeout", "The request body did not arrive in time");
const CONFLICT: Shared = ("409", "Conflict", "The current state does not allow the request");
const OUTDATED: Shared =
    ("412", "PreconditionFailed", "The resource was changed since the version in `If-Match`");
const TOO_LARGE: Shared = ("413", "ContentTooLarge", "The request body is too large");
const MEDIA_TYPE: Shared =
    ("415", "UnsupportedMediaType", "The request body is not declared as `application/json`");
const WRONG_HOST: Shared = ("421", "MisdirectedRequest", "The header `Host` names another server");
const INVALID: Shared =
    ("422", "UnprocessableContent", "A field or parameter is not valid; `errors` names it");
const TOO_MANY: Shared = (
    "429",
    "TooManyRequests",
    "Too many requests, attempts or connections; retry after the time in `Retry-After`",
);
const INTERNAL: Shared = ("500", "InternalServerError", "Internal error; acknowledged changes are not lost");
const NOT_MADE: Shared = ("501", "NotImplemented", "This server cannot produce the format");
const PROVIDER: Shared = ("502", "BadGateway", "A provider did not respond as expected");
const UNAVAILABLE: Shared =
    ("503", "ServiceUnavailable", "The database is not available, or the server is at capacity; retry later");
const NO_SPACE: Shared = ("507", "InsufficientStorage", "There is not enough disk space");

const ALL: [Shared; 17] = [
    BAD_REQUEST,
    UNAUTHORIZED,
    FORBIDDEN,
    NOT_FOUND,
    TIMEOUT,
    CONFLICT,
    OUTDATED,
    TOO_LARGE,
    MEDIA_TYPE,
    WRONG_HOST,
    INVALID,
    TOO_MANY,
    INTERNAL,
    NOT_MADE,
    PROVIDER,
    UNAVAILABLE,
    NO_SPACE,
];

/// Completes all operations, and adds the responses that they share to the components.
pub(super) fn complete(document: &mut Value) {
    let schemas = document["components"]["schemas"].clone();
    let shared = ALL.map(|(_, name, description)| (name.to_owned(), problem(name, description)));
    document["components"]["responses"] = Value::Object(shared.into_iter().collect());
    let Some(paths) = document["paths"].as_object_mut() else { return };
    for (path, item) in paths {
        for method in METHODS {
            if let Some(operation) = item.get_mut(method).and_then(Value::as_object_mut) {
                complete_operation(operation, method, path, &schemas);
            }
        }
    }
}

fn complete_operation(operation: &mut Map<String, Value>, method: &str, path: &str, schemas: &Value) {
    let use_case = use_case(&method.to_ascii_uppercase(), path);
    bound_parameters(operation);
    make_optional(operation, schemas);
    declare_permission(operation, use_case.map(|use_case| use_case.definition().permission));
    let expected = expected(operation, method, path);
    let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) else { return };
    for (status, name, _) in ALL {
        let reference = json!({ "$ref": format!("#/components/responses/{name}") });
        match responses.get_mut(status) {
            // A description that was written for this operation says more.
            Some(own) if is_described(own) => {
                let description = own["description"].as_str().unwrap_or_default().to_owned();
                *own = problem(name, &description);
            }
            Some(own) => *own = reference,
            None if expected.contains(status) => _ = responses.insert(status.to_owned(), reference),
            None => {}
        }
    }
    for (status, response) in responses {
        describe_success(status, response, schemas);
        make_binary(response.get_mut("content"));
    }
    make_binary(operation.get_mut("requestBody").and_then(|body| body.get_mut("content")));
}

/// One or several tags in quotes, or `*` (RFC 9110).
const TAGS: &str = r#"^(\*|(W/)?"[^",]*"(, *(W/)?"[^",]*")*)$"#;

/// Says of parameters that several operations have what their values look like.
fn bound_parameters(operation: &mut Map<String, Value>) {
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let bounds = match parameter["name"].as_str().unwrap_or_default() {
            "If-Match" | "If-None-Match" => json!({ "type": "string", "pattern": TAGS }),
            "Idempotency-Key" => {
                json!({ "type": "string", "pattern": "^[!-~]+$", "minLength": 1, "maxLength": IDEMPOTENCY_KEY_BYTES })
            }
            "Last-Event-ID" => {
                json!({ "type": "integer", "format": "int64", "minimum": 0, "maximum": i64::MAX })
            }
            "cursor" | "meeting" if parameter["in"] == "query" => {
                json!({ "type": "string", "minLength": 1 })
            }
            "types" => {
                let kinds = quorate_contract::EventBody::KINDS;
                let items = json!({ "type": "string", "enum": kinds });
                json!({ "type": "array", "items": items, "minItems": 1 })
            }
            _ => {
                bound_length(parameter);
                continue;
            }
        };
        parameter["schema"] = bounds;
        bound_length(parameter);
    }
}

/// A text in a query has the longest length that the server accepts, where it has no shorter one.
fn bound_length(parameter: &mut Value) {
    if parameter["in"] != "query" {
        return;
    }
    let schema = &mut parameter["schema"];
    let is_text = schema["type"] == "string"
        || schema["type"].as_array().is_some_and(|all| all.contains(&json!("string")));
    let bounds = ["enum", "format", "pattern", "maxLength"];
    if is_text && bounds.into_iter().all(|bound| schema[bound].is_null()) {
        schema["maxLength"] = QUERY_VALUE_MAX_CHARS.into();
    }
}

/// A body of which every field may be left out may be left out as a whole.
fn make_optional(operation: &mut Map<String, Value>, schemas: &Value) {
    let Some(body) = operation.get_mut("requestBody") else { return };
    let schema = &body["content"]["application/json"]["schema"];
    let schema = match schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
        Some(name) => &schemas[name],
        None => schema,
    };
    let required = schema["required"].as_array().is_some_and(|fields| !fields.is_empty());
    if schema["type"] == "object" && !required {
        body["required"] = false.into();
    }
}

/// Says who may call it: in `security` for programs, and in a sentence for people.
fn declare_permission(operation: &mut Map<String, Value>, permission: Option<Permission>) {
    let (security, sentence) = match permission {
        Some(Permission::Open) => (json!([]), "Requires no credential."),
        Some(Permission::SignedIn) => (guarded(), "Requires a credential of any scope."),
        Some(Permission::Read) => (guarded(), "Requires the scope `read`."),
        Some(Permission::Speak) => (guarded(), "Requires the scope `speak`."),
        Some(Permission::Manage) => (guarded(), "Requires the scope `manage`."),
        Some(Permission::Owner) | None => (guarded(), "Requires the scope `owner`."),
    };
    operation.insert("security".to_owned(), security);
    let description = match operation.get("description").and_then(Value::as_str) {
        Some(own) if !own.is_empty() => format!("{own}\n\n{sentence}"),
        Some(_) | None => sentence.to_owned(),
    };
    operation.insert("description".to_owned(), description.into());
}

fn guarded() -> Value {
    json!([{ "token": [] }, { "session": [] }])
}

/// The statuses that follow from what the operation takes.
fn expected(operation: &Map<String, Value>, method: &str, path: &str) -> BTreeSet<&'static str> {
    let parameters = operation.get("parameters").and_then(Value::as_array);
    let has = |place: &str| parameters.is_some_and(|all| all.iter().any(|one| one["in"] == place));
    let names = |name: &str| parameters.is_some_and(|all| all.iter().any(|one| one["name"] == name));
    let mut expected = BTreeSet::from(["401", "403", "421", "429", "500", "503"]);
    if operation.contains_key("requestBody") {
        expected.extend(["400", "408", "413", "415", "422"]);
    }
    if has("path") {
        expected.insert("404");
    }
    if has("query") {
        expected.insert("422");
    }
    if names("If-None-Match") {
        expected.insert("400");
    }
    if names("If-Match") {
        expected.extend(["400", "412"]);
    }
    if names("Idempotency-Key") {
        expected.extend(["400", "409", "422"]);
    }
    if method != "get" && path.starts_with("/api/") {
        expected.insert("507");
    }
    expected
}

/// A response with a problem.
fn problem(name: &str, description: &str) -> Value {
    let mut response = json!({
        "description": description,
        "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } },
    });
    let header = if name == UNAUTHORIZED.1 {
        Some(("WWW-Authenticate", "How to authenticate: `Bearer`", json!({ "type": "string" })))
    } else if name == TOO_MANY.1 || name == UNAVAILABLE.1 {
        let seconds = json!({ "type": "integer", "minimum": 1 });
        Some(("Retry-After", "Seconds to wait before the next try", seconds))
    } else {
        None
    };
    if let Some((name, description, schema)) = header {
        response["headers"] = json!({ name: { "description": description, "schema": schema } });
    }
    response
}

fn is_described(response: &Value) -> bool {
    response["description"].as_str().is_some_and(|text| !text.is_empty())
}

/// A success says what comes: in its own words, in those of the schema of its body, or that there is no body.
fn describe_success(status: &str, response: &mut Value, schemas: &Value) {
    if response.get("$ref").is_some() || is_described(response) {
        return;
    }
    let reference = response["content"]
        .as_object()
        .and_then(|content| content.values().find_map(|media| media["schema"]["$ref"].as_str()));
    let name = reference.and_then(|reference| reference.rsplit('/').next());
    let of_schema = name.and_then(|name| schemas[name]["description"].as_str());
    let description = match (of_schema, status) {
        (Some(text), _) => text.split("\n\n").next().unwrap_or(text).trim_end_matches('.'),
        (None, "204") => "The request succeeded; the response has no body",
        (None, "304") => "Not modified since the version in `If-None-Match`",
        (None, _) => "The request succeeded",
    };
    response["description"] = description.into();
}

/// Bytes are bytes, not a list of numbers.
fn make_binary(content: Option<&mut Value>) {
    let Some(content) = content.and_then(Value::as_object_mut) else { return };
    for (media, body) in content {
        if media.starts_with("image/")
            || ["application/octet-stream", "application/pdf", "application/zip"].contains(&media.as_str())
        {
            body["schema"] = json!({ "type": "string", "format": "binary", "contentMediaType": media });
        }
    }
}
