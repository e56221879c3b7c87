//! The message of a client: what it says, to which task, and with which settings for a new meeting.

use quorate_messages::{Language, text};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::error::{A2aError, ErrorKind};

/// The most parts of a message.
const PARTS_MAX: usize = 100;
/// The longest id, in bytes.
const ID_MAX: usize = 128;
/// The most tasks that a message refers to.
const REFERENCES_MAX: usize = 10;
/// The key of the metadata that holds settings of a meeting.
pub(crate) const SETTINGS: &str = "quorate";

/// A message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClientMessage {
    pub(crate) id: String,
    pub(crate) task: Option<String>,
    pub(crate) context: Option<String>,
    /// The text of all parts.
    pub(crate) text: String,
    /// The objects of all data parts, laid over each other.
    pub(crate) data: Map<String, Value>,
    /// Fields of `POST /api/v1/meetings`.
    pub(crate) settings: Map<String, Value>,
    /// Earlier tasks whose conclusions the meeting is to know.
    pub(crate) references: Vec<String>,
    /// The largest number of messages in the history of the task.
    pub(crate) history: Option<usize>,
    /// Whether the answer is sent at once, and not when the task is over.
    pub(crate) at_once: bool,
}

impl ClientMessage {
    /// Reads the parameters of a message, of either version.
    pub(crate) fn read(params: &Value, language: Language) -> Result<Self, A2aError> {
        let invalid = |message: &str| A2aError::new(ErrorKind::InvalidParams, message);
        let message = &params["message"];
        let Some(parts) = message["parts"].as_array().filter(|parts| !parts.is_empty()) else {
            return Err(invalid(text!(language, "a2a-no-parts")));
        };
        if !matches!(message["role"].as_str(), Some("user" | "ROLE_USER")) {
            return Err(invalid(text!(language, "a2a-role")));
        }
        if parts.len() > PARTS_MAX {
            return Err(invalid(&text!(language, "a2a-too-many-parts", most = PARTS_MAX as u64)));
        }
        let id = |field: &str| match &message[field] {
            Value::Null => Ok(None),
            Value::String(id) if id.is_empty() => Ok(None),
            Value::String(id) if id.len() <= ID_MAX && !id.chars().any(char::is_control) => {
                Ok(Some(id.clone()))
            }
            _ => Err(invalid(&text!(language, "a2a-id", field = field, most = ID_MAX as u64))),
        };
        let Some(message_id) = id("messageId")? else {
            return Err(invalid(&text!(language, "a2a-id", field = "messageId", most = ID_MAX as u64)));
        };
        let (mut said, mut data) = (Vec::new(), Map::new());
        for part in parts {
            match (&part["text"], &part["data"]) {
                (Value::String(words), _) => said.push(words.trim()),
                (_, Value::Object(fields)) => data.extend(fields.clone()),
                (_, Value::Null) => {
                    let told = text!(language, "a2a-content-type");
                    return Err(A2aError::new(ErrorKind::ContentTypeNotSupported, told));
                }
                _ => return Err(invalid(text!(language, "a2a-data"))),
            }
        }
        let mut settings = Map::new();
        for metadata in [&params["metadata"], &message["metadata"]] {
            match &metadata[SETTINGS] {
                Value::Null => {}
                Value::Object(fields) => settings.extend(fields.clone()),
                _ => return Err(invalid(text!(language, "a2a-settings"))),
            }
        }
        let references = message["referenceTaskIds"].as_array().into_iter().flatten();
        let references = references.filter_map(Value::as_str).filter(|id| id.len() <= ID_MAX);
        let configuration = &params["configuration"];
        if ["taskPushNotificationConfig", "pushNotificationConfig"]
            .iter()
            .any(|field| configuration[*field].as_object().is_some_and(|config| !config.is_empty()))
        {
            let told = text!(language, "a2a-no-push");
            return Err(A2aError::new(ErrorKind::PushNotificationNotSupported, told));
        }
        Ok(Self {
            id: message_id,
            task: id("taskId")?,
            context: id("contextId")?,
            text: said.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("\n\n"),
            data,
            settings,
            references: references.take(REFERENCES_MAX).map(str::to_owned).collect(),
            history: history(configuration),
            at_once: configuration["returnImmediately"] == true || configuration["blocking"] == false,
        })
    }

    /// The idempotency key of what follows from the message; `of` says what, and for which task or agent.
    pub(crate) fn key(&self, of: &[&str]) -> String {
        let mut hasher = Sha256::new();
        for part in of.iter().chain([&self.id.as_str()]) {
            hasher.update(part.len().to_be_bytes());
            hasher.update(part.as_bytes());
        }
        let digest: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("a2a-{digest}")
    }
}

/// The largest number of messages in a history, where it is asked for.
pub(crate) fn history(of: &Value) -> Option<usize> {
    of["historyLength"].as_u64().map(|length| usize::try_from(length).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(params: Value) -> Result<ClientMessage, ErrorKind> {
        ClientMessage::read(&params, Language::En).map_err(|error| error.kind)
    }

    #[test]
    fn a_message_of_either_version_is_read() {
        let now = json!({ "message": { "messageId": "m", "role": "ROLE_USER", "contextId": "c", "taskId": "",
            "parts": [{ "text": "SQLite?" }, { "data": { "a": 1 } }], "metadata": { "quorate": { "simulate": true } } },
            "configuration": { "returnImmediately": true, "historyLength": 3 } });
        let before = json!({ "message": { "kind": "message", "messageId": "m", "role": "user", "contextId": "c",
            "parts": [{ "kind": "text", "text": "SQLite?" }, { "kind": "data", "data": { "a": 1 } }], "metadata": { "quorate": { "simulate": true } } },
            "configuration": { "blocking": false, "historyLength": 3 } });
        let (now, before) = (read(now).expect("read"), read(before).expect("read"));
        assert_eq!(now, before);
        assert_eq!((now.text.as_str(), now.task, now.at_once, now.history), ("SQLite?", None, true, Some(3)));
    }

    #[test]
    fn garbage_is_told_apart() {
        let with = |field: &str, value: Value| {
            let mut message = json!({ "messageId": "m", "role": "user", "parts": [{ "text": "x" }] });
            message[field] = value;
            read(json!({ "message": message }))
        };
        for odd in [
            json!(null),
            json!({}),
            json!({ "message": 3 }),
            json!({ "message": { "parts": [] } }),
            json!([1]),
        ] {
            assert_eq!(read(odd), Err(ErrorKind::InvalidParams));
        }
        assert_eq!(with("messageId", json!(7)), Err(ErrorKind::InvalidParams));
        assert_eq!(with("messageId", json!("x".repeat(200))), Err(ErrorKind::InvalidParams));
        assert_eq!(with("role", json!("agent")), Err(ErrorKind::InvalidParams));
        assert_eq!(with("parts", json!([{ "data": 3 }])), Err(ErrorKind::InvalidParams));
        assert_eq!(
            with("parts", json!([{ "url": "https://x.example" }])),
            Err(ErrorKind::ContentTypeNotSupported)
        );
        assert_eq!(with("parts", vec![json!({ "text": "x" }); 101].into()), Err(ErrorKind::InvalidParams));
        assert_eq!(with("metadata", json!({ "quorate": "fast" })), Err(ErrorKind::InvalidParams));
    }

    #[test]
    fn a_key_is_another_for_each_message_and_purpose() {
        let mut message =
            read(json!({ "message": { "messageId": "m", "role": "user", "parts": [{ "text": "x" }] } }))
                .expect("read");
        let key = message.key(&["new", "consensus"]);
        assert_eq!(key, message.key(&["new", "consensus"]));
        assert_ne!(key, message.key(&["newc", "onsensus"]));
        message.id = "n".to_owned();
        assert_ne!(key, message.key(&["new", "consensus"]));
        assert!(key.len() <= 255 && key.is_ascii());
    }
}
