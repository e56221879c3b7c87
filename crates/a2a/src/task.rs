//! A meeting as a task.

use quorate_contract::{facilitator_name, marks_of_missing_parts};
use quorate_messages::{Language, text};
use serde_json::{Value, json};

use crate::answers;
use crate::result::{artifacts, why_no_consensus};

/// Begins the description of a meeting that was made over the protocol; the client's context follows.
pub(crate) const MARK: &str = "A2A";
/// Stands between the mark and the context.
const BETWEEN: &str = " · ";

/// The most messages of a history.
pub(crate) const HISTORY_MAX: usize = 100;

/// The description of a meeting that is made in this context.
pub(crate) fn description(context: Option<&str>) -> String {
    context.map_or_else(|| MARK.to_owned(), |context| format!("{MARK}{BETWEEN}{context}"))
}

/// The context of a meeting: the client's own, or the meeting's id.
pub(crate) fn context_of(meeting: &Value) -> &str {
    let description = meeting["description"].as_str().unwrap_or_default();
    let own = description.strip_prefix(MARK).and_then(|rest| rest.strip_prefix(BETWEEN));
    own.unwrap_or_else(|| id_of(meeting))
}

/// The id of a meeting, which is that of the task.
pub(crate) fn id_of(meeting: &Value) -> &str {
    meeting["id"].as_str().unwrap_or_default()
}

/// Whether the task of a meeting was cancelled: the note of who ended it says so. Some formats end by hand as a rule, so their
/// outcome does not tell; and lists do not show the note.
fn is_cancelled(meeting: &Value) -> bool {
    let note = meeting["ended_by"]["note"].as_str().unwrap_or_default();
    Language::ALL.into_iter().any(|language| note == text!(language, "a2a-canceled-note"))
}

/// Whether the state of a meeting in a list can be another than it seems there.
pub(crate) fn is_unsure(meeting: &Value) -> bool {
    meeting["state"] == "ended" && outcome(meeting) == "completed" && meeting.get("ended_by").is_none()
}

/// The state of the task of a meeting, as the view or the list shows it.
pub(crate) fn state_of(meeting: &Value) -> &'static str {
    if meeting["fault"].is_object() {
        return "TASK_STATE_FAILED";
    }
    match meeting["state"].as_str().unwrap_or_default() {
        "draft" => "TASK_STATE_SUBMITTED",
        "paused" => "TASK_STATE_INPUT_REQUIRED",
        "ended" if is_cancelled(meeting) => "TASK_STATE_CANCELED",
        "ended" => match outcome(meeting).as_str() {
            "aborted(user)" => "TASK_STATE_CANCELED",
            // No conclusion was reached for want of means or of participants.
            "aborted(budget)" | "aborted(nobody_left)" => "TASK_STATE_FAILED",
            // The table has deliberated to its end: an agreement, or the best conclusion and why there is none.
            _ => "TASK_STATE_COMPLETED",
        },
        _ => "TASK_STATE_WORKING",
    }
}

/// The outcome in one word, as lists have it: `accepted`, `aborted(round_limit)`.
fn outcome(meeting: &Value) -> String {
    match &meeting["outcome"] {
        Value::String(outcome) => outcome.clone(),
        Value::Object(outcome) => {
            let word = |field: &str| outcome.get(field).and_then(Value::as_str);
            match (word("outcome"), word("reason")) {
                (Some(outcome), Some(reason)) => format!("{outcome}({reason})"),
                (Some(outcome), None) => outcome.to_owned(),
                (None, _) => String::new(),
            }
        }
        _ => String::new(),
    }
}

/// A meeting as a task. The report makes its artifacts, once the meeting has ended.
pub(crate) fn task(
    meeting: &Value,
    report: Option<&Value>,
    language: Language,
    history_length: Option<usize>,
) -> Value {
    let mut task = json!({
        "id": id_of(meeting), "contextId": context_of(meeting), "status": status(meeting, report, language),
        "metadata": metadata(meeting),
    });
    if let Some(report) = report {
        task["artifacts"] = artifacts(report, language).into();
    }
    let history = history(meeting, history_length.unwrap_or(HISTORY_MAX).min(HISTORY_MAX), language);
    if !history.is_empty() {
        task["history"] = history.into();
    }
    task
}

/// The status of a task, with what a client has to know of it.
pub(crate) fn status(meeting: &Value, report: Option<&Value>, language: Language) -> Value {
    let state = state_of(meeting);
    let mut status = json!({ "state": state });
    if meeting["updated_at"].is_string() {
        status["timestamp"] = meeting["updated_at"].clone();
    }
    let parts = match state {
        "TASK_STATE_INPUT_REQUIRED" if meeting["pause"].is_object() => Some(json!([
            { "text": answers::told(&meeting["pause"], language), "mediaType": "text/markdown" },
            { "data": answers::data(&meeting["pause"], language), "mediaType": "application/json" },
        ])),
        "TASK_STATE_FAILED" if meeting["fault"].is_object() => {
            Some(json!([{ "text": text!(language, "a2a-fault"), "mediaType": "text/plain" }]))
        }
        "TASK_STATE_SUBMITTED" | "TASK_STATE_WORKING" => None,
        _ => report.map(|report| {
            let told = report["outcome_text"].as_str().unwrap_or_default();
            let why = why_no_consensus(report).filter(|why| *why != told);
            let told = std::iter::once(told).chain(why).collect::<Vec<_>>().join("\n");
            json!([{ "text": told, "mediaType": "text/plain" }])
        }),
    };
    if let Some(parts) = parts {
        status["message"] = message(meeting, &format!("status-{}", meeting["last_seq"]), parts);
    }
    status
}

/// A message of the agent about a task.
pub(crate) fn message(meeting: &Value, id: &str, parts: Value) -> Value {
    json!({
        "messageId": format!("{}-{id}", id_of(meeting)), "role": "ROLE_AGENT", "taskId": id_of(meeting),
        "contextId": context_of(meeting), "parts": parts,
    })
}

/// Where the meeting stands.
fn metadata(meeting: &Value) -> Value {
    let mut stands =
        json!({ "state": meeting["state"], "format": meeting["format"], "outcome": outcome(meeting) });
    if meeting["round"]["number"].is_u64() {
        stands["round"] = meeting["round"]["number"].clone();
    }
    if meeting["simulated"] == true {
        stands["simulated"] = true.into();
    }
    json!({ "quorate": stands })
}

/// The name of the speaker of a message.
pub(crate) fn speaker<'a>(message: &'a Value, actor: &Value, language: Language) -> &'a str {
    match message["name"].as_str().unwrap_or_default() {
        "" if actor["kind"] == "facilitator" => facilitator_name(language),
        name => name,
    }
}

/// The marks that follow a message of which a part is missing.
pub(crate) fn marks(said: &Value, language: Language) -> String {
    let cut = said["cut_from_chars"].as_u64().and_then(|chars| u32::try_from(chars).ok());
    let early = serde_json::from_value(said["ended_early"].clone()).ok();
    marks_of_missing_parts(language, cut, early)
}

/// The latest messages, after the question that began the meeting.
fn history(meeting: &Value, most: usize, language: Language) -> Vec<Value> {
    if most == 0 || !meeting["messages"].is_array() {
        return Vec::new();
    }
    let mut question =
        message(meeting, "question", json!([{ "text": meeting["topic"], "mediaType": "text/plain" }]));
    question["role"] = "ROLE_USER".into();
    let said = meeting["messages"].as_array().into_iter().flatten().map(|said| {
        let name = speaker(said, &said["speaker"], language);
        let content = said["content"].as_str().unwrap_or_default();
        let content = format!("{content}{}", marks(said, language));
        let parts = json!([{ "text": content, "mediaType": "text/markdown" }]);
        let mut of = message(meeting, said["id"].as_str().unwrap_or_default(), parts);
        if said["speaker"]["kind"] == "person" {
            of["role"] = "ROLE_USER".into();
        }
        of["metadata"] =
            json!({ "quorate": { "speaker": name, "round": said["round"], "seq": said["seq"] } });
        of
    });
    let all: Vec<Value> = [question].into_iter().chain(said).collect();
    all[all.len().saturating_sub(most)..].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_told_as_they_are() {
        let of = |state: &str, outcome: Value| state_of(&json!({ "state": state, "outcome": outcome }));
        assert_eq!(of("draft", json!(null)), "TASK_STATE_SUBMITTED");
        assert_eq!(of("ballot", json!(null)), "TASK_STATE_WORKING");
        assert_eq!(of("paused", json!(null)), "TASK_STATE_INPUT_REQUIRED");
        for (outcome, reason, state) in [
            ("accepted", json!(null), "TASK_STATE_COMPLETED"),
            ("aborted", json!("round_limit"), "TASK_STATE_COMPLETED"),
            ("aborted", json!("user"), "TASK_STATE_CANCELED"),
            ("aborted", json!("budget"), "TASK_STATE_FAILED"),
            ("aborted", json!("nobody_left"), "TASK_STATE_FAILED"),
        ] {
            assert_eq!(of("ended", json!({ "outcome": outcome, "reason": reason })), state);
        }
        assert_eq!(of("ended", json!("aborted(user)")), "TASK_STATE_CANCELED");
        let by_hand =
            |note: &str| json!({ "state": "ended", "outcome": "completed", "ended_by": { "note": note } });
        assert_eq!(state_of(&by_hand("Canceled over A2A")), "TASK_STATE_CANCELED");
        assert_eq!(state_of(&by_hand("Enough.")), "TASK_STATE_COMPLETED");
        assert_eq!(state_of(&json!({ "state": "discussion", "fault": {} })), "TASK_STATE_FAILED");
    }

    #[test]
    fn the_context_is_the_clients_or_the_meetings() {
        let of =
            |description: String| context_of(&json!({ "id": "m1", "description": description })).to_owned();
        assert_eq!(of(description(Some("c · 7"))), "c · 7");
        assert_eq!(of(description(None)), "m1");
        assert_eq!(of("Our weekly round".to_owned()), "m1");
    }

    #[test]
    fn a_history_begins_with_the_question_and_keeps_the_latest() {
        let meeting = json!({ "id": "m", "topic": "?", "messages": [
            { "id": "m1", "name": "Ada", "content": "A", "speaker": { "kind": "participant" } },
            { "id": "m2", "name": "Li", "content": "B", "speaker": { "kind": "person" } },
        ] });
        let roles = |most| {
            let all = history(&meeting, most, Language::En);
            all.iter()
                .map(|message| message["role"].as_str().unwrap_or_default().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(roles(9), ["ROLE_USER", "ROLE_AGENT", "ROLE_USER"]);
        assert_eq!(roles(1), ["ROLE_USER"]);
        assert!(roles(0).is_empty());
    }
}
