//! The WebSocket as an AsyncAPI 3 document, made of the types that it is written from.

use serde_json::{Map, Value, json};
use utoipa::OpenApi;

use super::references::SCHEMAS;
use super::{schemas, unions};
use crate::live::{ClientMessage, MESSAGE_ID_MAX, ServerMessage};

const CHANNEL: &str = "#/channels/websocket";

/// The types of the messages, with all that they contain.
#[derive(OpenApi)]
#[openapi(components(schemas(ClientMessage, ServerMessage)))]
struct Messages;

/// The messages of the view `room`: name, and what it says.
const ROOM: [(&str, &str); 8] = [
    ("message_new", "A message, a skipped turn, or a turn that timed out."),
    ("message_update", "A piece of a message in progress; without `seq` and `timestamp`."),
    ("member_join", "A member joined."),
    ("member_leave", "A member left."),
    ("member_status_change", "The presence of a member changed: online, offline or busy."),
    ("round_start", "A round started."),
    ("round_end", "A round ended."),
    ("agent_turn", "A member was given the floor."),
];

/// The messages that the server answers with.
const ANSWERS: [&str; 6] = ["ack", "problem", "pong", "turns", "answered", "context"];

/// The document that describes the WebSocket (AsyncAPI 3).
pub fn asyncapi() -> Value {
    let mut document = serde_json::to_value(Messages::openapi()).expect("the types are plain data");
    document["paths"] = json!({});
    schemas::complete(&mut document);
    unions::complete(&mut document);
    let mut schemas = document["components"]["schemas"].take();
    let received = alternatives(&schemas, "ClientMessage");
    let mut sent = alternatives(&schemas, "ServerMessage");
    for (name, _) in &received {
        add_envelope(&mut schemas[format!("ClientMessage{}", unions::pascal(name))]);
    }
    for name in ANSWERS {
        schemas[format!("ServerMessage{}", unions::pascal(name))]["properties"]["id"] = id();
    }
    for (name, description) in ROOM {
        let schema = format!("RoomMessage{}", unions::pascal(name));
        schemas[&schema] = room(name, description);
        sent.push((name.to_owned(), schema));
    }
    plain_discriminators(&mut schemas);
    let message = |(name, schema): &(String, String)| {
        let summary = schemas[schema]["description"].as_str().unwrap_or_default();
        let payload = json!({ "$ref": format!("{SCHEMAS}{schema}") });
        (key(name, schema), json!({ "name": name, "summary": summary, "payload": payload }))
    };
    let messages: Map<String, Value> = received.iter().chain(&sent).map(message).collect();
    let in_channel: Map<String, Value> = messages
        .keys()
        .map(|key| (key.clone(), json!({ "$ref": format!("#/components/messages/{key}") })))
        .collect();
    let refer = |(name, schema): &(String, String)| json!({ "$ref": format!("{CHANNEL}/messages/{}", key(name, schema)) });
    let answers: Vec<Value> =
        sent.iter().filter(|(name, _)| ANSWERS.contains(&name.as_str())).map(refer).collect();
    let mut operations = Map::new();
    for one in &received {
        let summary = schemas[&one.1]["description"].as_str().unwrap_or_default();
        let operation = json!({
            "action": "receive",
            "channel": { "$ref": CHANNEL },
            "summary": summary,
            "messages": [refer(one)],
            "reply": { "channel": { "$ref": CHANNEL }, "messages": answers },
        });
        operations.insert(one.0.clone(), operation);
    }
    let told: Vec<Value> =
        sent.iter().filter(|(name, _)| !ANSWERS.contains(&name.as_str())).map(refer).collect();
    let operation = json!({
        "action": "send",
        "channel": { "$ref": CHANNEL },
        "summary": "Sends the events of the meetings that the client is subscribed to.",
        "messages": told,
    });
    operations.insert("tell".to_owned(), operation);
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Quorate live events",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Follow, speak in and control many meetings over one WebSocket. Messages are JSON texts of at \
                most 64 KiB. Each may carry an `id` and is answered with `ack`, `pong` or `problem` and that `id`. The \
                connection is closed with 1001 (the server stops, or the client sent nothing for 60 seconds), 1002 (a \
                frame violates the protocol), 1007 (a text is not UTF-8), 1008 (the client did not sign in within 10 \
                seconds, or its credential was revoked) or 1009 (a message is too large). The events of one meeting \
                are also available as server-sent events; see the OpenAPI document.",
            "license": { "name": "MIT", "url": "https://spdx.org/licenses/MIT.html" },
        },
        "defaultContentType": "application/json",
        "servers": {
            "local": {
                "host": "127.0.0.1:7420",
                "protocol": "ws",
                "description": "A server on this machine",
                "security": [{ "$ref": "#/components/securitySchemes/token" }],
            },
        },
        "channels": {
            "websocket": {
                "address": "/api/v1/ws",
                "title": "Meetings",
                "description": "A client that cannot set headers sends `sign_in` as its first message.",
                "messages": in_channel,
                "bindings": { "ws": {
                    "method": "GET",
                    "query": { "type": "object", "properties": { "lang": {
                        "type": "string", "enum": ["zh", "en"],
                        "description": "The language of errors; the one that `Accept-Language` prefers when left out.",
                    } } },
                    "headers": { "type": "object", "properties": {
                        "Authorization": { "type": "string", "description": "`Bearer TOKEN`" },
                        "Accept-Language": { "type": "string", "description": "The language of errors" },
                    } },
                    "bindingVersion": "0.1.0",
                } },
            },
        },
        "operations": operations,
        "components": {
            "messages": messages,
            "schemas": schemas,
            "securitySchemes": { "token": {
                "type": "http", "scheme": "bearer",
                "description": "An access token from `POST /api/v1/tokens`, the local token, or the access token of a session",
            } },
        },
    })
}

/// The messages of a union: the constant of each in `type`, and its schema.
fn alternatives(schemas: &Value, union: &str) -> Vec<(String, String)> {
    let all = schemas[union]["oneOf"].as_array().into_iter().flatten();
    let one = all.filter_map(|one| {
        let schema = one["$ref"].as_str()?.strip_prefix(SCHEMAS)?;
        let name = schemas[schema]["properties"]["type"]["const"].as_str()?;
        Some((name.to_owned(), schema.to_owned()))
    });
    one.collect()
}

/// The key of a message; both sides know a `problem`-like name, so that the schema decides.
fn key(name: &str, schema: &str) -> String {
    if schema.starts_with("ClientMessage") { format!("client_{name}") } else { name.to_owned() }
}

/// What each message of the client may carry beside its own fields.
fn add_envelope(schema: &mut Value) {
    let idempotency_key = json!({
        "type": "string", "minLength": 1, "maxLength": quorate_app::IDEMPOTENCY_KEY_BYTES, "pattern": "^[!-~]+$",
        "description": "A key chosen by the client. A message that changes the meeting is carried out once per key.",
    });
    schema["properties"]["id"] = id();
    schema["properties"]["idempotency_key"] = idempotency_key;
}

fn id() -> Value {
    json!({
        "type": ["string", "number"], "maxLength": MESSAGE_ID_MAX,
        "description": "An id chosen by the client; the reply has the same.",
    })
}

fn room(name: &str, description: &str) -> Value {
    let mut schema = json!({
        "type": "object",
        "description": format!("In the view `room`: {description}"),
        "properties": {
            "type": { "type": "string", "const": name },
            "meeting": { "type": "string", "description": "The meeting." },
            "data": { "type": "object", "description": "The fields of the message; docs/live.md lists them." },
        },
        "required": ["type", "meeting", "data"],
    });
    if name != "message_update" {
        schema["properties"]["seq"] = json!({ "type": "integer", "minimum": 1, "description": "The sequence number of the event that the message is made of." });
        schema["properties"]["timestamp"] =
            json!({ "type": "string", "description": "The time of the event." });
        schema["required"] = json!(["type", "meeting", "seq", "timestamp", "data"]);
    }
    schema
}

/// AsyncAPI names the field that tells alternatives apart and no more.
fn plain_discriminators(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if let Some(name) = fields.get("discriminator").and_then(|it| it["propertyName"].as_str()) {
                let name = name.to_owned();
                fields.insert("discriminator".to_owned(), name.into());
            }
            fields.values_mut().for_each(plain_discriminators);
        }
        Value::Array(items) => items.iter_mut().for_each(plain_discriminators),
        _ => {}
    }
}
