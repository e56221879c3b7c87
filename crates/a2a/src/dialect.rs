//! The versions of the protocol: which methods each has, and how what is written for 1.0 is rewritten for 0.3.

use serde_json::{Map, Value, json};

/// A version of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    /// 1.0.
    One,
    /// 0.3, which is also what a client without a version speaks.
    Before,
}

/// An operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Send,
    Stream,
    Get,
    List,
    Cancel,
    Subscribe,
    /// Anything about push notifications.
    Push,
    ExtendedCard,
}

/// The methods of JSON-RPC.
const METHODS: [(&str, Version, Operation); 21] = [
    ("SendMessage", Version::One, Operation::Send),
    ("SendStreamingMessage", Version::One, Operation::Stream),
    ("GetTask", Version::One, Operation::Get),
    ("ListTasks", Version::One, Operation::List),
    ("CancelTask", Version::One, Operation::Cancel),
    ("SubscribeToTask", Version::One, Operation::Subscribe),
    ("CreateTaskPushNotificationConfig", Version::One, Operation::Push),
    ("GetTaskPushNotificationConfig", Version::One, Operation::Push),
    ("ListTaskPushNotificationConfigs", Version::One, Operation::Push),
    ("DeleteTaskPushNotificationConfig", Version::One, Operation::Push),
    ("GetExtendedAgentCard", Version::One, Operation::ExtendedCard),
    ("message/send", Version::Before, Operation::Send),
    ("message/stream", Version::Before, Operation::Stream),
    ("tasks/get", Version::Before, Operation::Get),
    ("tasks/cancel", Version::Before, Operation::Cancel),
    ("tasks/resubscribe", Version::Before, Operation::Subscribe),
    ("tasks/pushNotificationConfig/set", Version::Before, Operation::Push),
    ("tasks/pushNotificationConfig/get", Version::Before, Operation::Push),
    ("tasks/pushNotificationConfig/list", Version::Before, Operation::Push),
    ("tasks/pushNotificationConfig/delete", Version::Before, Operation::Push),
    ("agent/getAuthenticatedExtendedCard", Version::Before, Operation::ExtendedCard),
];

/// The operation behind a method, and the version that has it.
pub(crate) fn method(name: &str) -> Option<(Version, Operation)> {
    METHODS.iter().find(|(known, ..)| *known == name).map(|(_, version, operation)| (*version, *operation))
}

/// The names of all methods of JSON-RPC, of both versions.
pub fn method_names() -> impl Iterator<Item = &'static str> {
    METHODS.iter().map(|(name, ..)| *name)
}

/// The names of the methods that do something here, for an error.
pub(crate) fn methods(version: Version) -> String {
    let useful = METHODS.iter().filter(|(_, of, operation)| {
        *of == version && !matches!(operation, Operation::Push | Operation::ExtendedCard)
    });
    useful.map(|(name, ..)| *name).collect::<Vec<_>>().join(", ")
}

/// Whether a version of the header `A2A-Version` is spoken; the patch level does not count.
pub(crate) fn is_spoken(version: &str) -> bool {
    let mut numbers = version.trim().split('.');
    matches!((numbers.next(), numbers.next()), (Some("1"), Some("0") | None) | (Some("0"), Some("3")))
}

/// A state as version 1.0 writes it: `input-required` is `TASK_STATE_INPUT_REQUIRED`.
pub(crate) fn state(text: &str) -> String {
    match text.starts_with("TASK_STATE_") {
        true => text.to_owned(),
        false => format!("TASK_STATE_{}", text.to_ascii_uppercase().replace('-', "_")),
    }
}

/// A task as version 0.3 writes it.
pub(crate) fn task_before(task: &Value) -> Value {
    let mut task = task.clone();
    task["kind"] = "task".into();
    status_before(&mut task["status"]);
    if let Some(artifacts) = task["artifacts"].as_array_mut() {
        artifacts.iter_mut().for_each(|artifact| parts_before(&mut artifact["parts"]));
    }
    if let Some(history) = task["history"].as_array_mut() {
        history.iter_mut().for_each(message_before);
    }
    task
}

/// A piece of a stream as version 0.3 writes it.
pub(crate) fn event_before(event: &Value) -> Value {
    if event["task"].is_object() {
        return task_before(&event["task"]);
    }
    if event["statusUpdate"].is_object() {
        let mut update = event["statusUpdate"].clone();
        let is_final = is_over(&update["status"]["state"]);
        update["kind"] = "status-update".into();
        update["final"] = is_final.into();
        status_before(&mut update["status"]);
        return update;
    }
    let mut update = event["artifactUpdate"].clone();
    update["kind"] = "artifact-update".into();
    parts_before(&mut update["artifact"]["parts"]);
    update
}

/// Whether nothing more comes of a task in this state without a message.
pub(crate) fn is_over(state: &Value) -> bool {
    !matches!(state.as_str(), Some("TASK_STATE_SUBMITTED" | "TASK_STATE_WORKING"))
}

fn status_before(status: &mut Value) {
    let state = status["state"].as_str().unwrap_or_default();
    status["state"] = state.trim_start_matches("TASK_STATE_").to_ascii_lowercase().replace('_', "-").into();
    if status["message"].is_object() {
        message_before(&mut status["message"]);
    }
}

fn message_before(message: &mut Value) {
    message["kind"] = "message".into();
    message["role"] = if message["role"] == "ROLE_USER" { "user" } else { "agent" }.into();
    parts_before(&mut message["parts"]);
}

fn parts_before(parts: &mut Value) {
    for part in parts.as_array_mut().into_iter().flatten() {
        let (kind, field) = if part["text"].is_string() { ("text", "text") } else { ("data", "data") };
        let value = part[field].take();
        // Data is an object in this version.
        let value = if field == "data" && !value.is_object() { json!({ "value": value }) } else { value };
        let mut written = Map::new();
        written.insert("kind".to_owned(), kind.into());
        written.insert(field.to_owned(), value);
        *part = written.into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_of_one_version_is_rewritten_for_the_other() {
        let task = json!({
            "id": "t", "contextId": "c",
            "status": { "state": "TASK_STATE_INPUT_REQUIRED", "message": { "role": "ROLE_AGENT", "parts": [{ "text": "?" }] } },
            "artifacts": [{ "artifactId": "a", "parts": [{ "data": [1], "mediaType": "application/json" }] }],
        });
        let before = task_before(&task);
        assert_eq!(before["status"]["state"], "input-required");
        assert_eq!(before["status"]["message"]["role"], "agent");
        assert_eq!(before["status"]["message"]["parts"][0], json!({ "kind": "text", "text": "?" }));
        assert_eq!(before["artifacts"][0]["parts"][0], json!({ "kind": "data", "data": { "value": [1] } }));
        let update = event_before(
            &json!({ "statusUpdate": { "taskId": "t", "status": { "state": "TASK_STATE_WORKING" } } }),
        );
        assert_eq!((update["final"].clone(), update["kind"].clone()), (json!(false), json!("status-update")));
    }

    #[test]
    fn states_and_versions_are_read_as_clients_write_them() {
        assert_eq!(state("input-required"), "TASK_STATE_INPUT_REQUIRED");
        assert_eq!(state("TASK_STATE_WORKING"), "TASK_STATE_WORKING");
        assert!(["1.0", "1.0.3", "0.3", "0.3.0", "1"].into_iter().all(is_spoken));
        assert!(["", "2.0", "0.2", "1.1", "one"].into_iter().all(|version| !is_spoken(version)));
        assert_eq!(method("message/send"), Some((Version::Before, Operation::Send)));
        assert_eq!(method("messages/send"), None);
    }
}
