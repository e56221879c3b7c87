//! 3 to 4: texts that the program had written into events become words that somebody wrote.
//!
//! Version 4 holds a code with its fields in these places, or the words of a person, a model or a vendor. What an older
//! log says there cannot be turned back into a code, so it stays as it was said.

use serde_json::{Map, Value, json};

/// Brings up the texts of a line.
pub(super) fn bring_up(line: &mut Value) {
    let kind = line["type"].as_str().unwrap_or_default().to_owned();
    let Some(payload) = line.get_mut("payload").and_then(Value::as_object_mut) else { return };
    match kind.as_str() {
        "call_retried" | "turn_failed" | "vote_abstained" | "provider_wait_started" | "error" => {
            phrases(payload, &["detail", "hint"]);
        }
        "answer_malformed" => phrases(payload, &["problem"]),
        "participant_joined" | "participant_left" => phrases(payload, &["reason"]),
        "intake_written" | "pause" => each(payload, "questions", &["ask", "why"]),
        "team_proposed" => {
            each(payload, "candidates", &["reason"]);
            each(payload, "departures", &["reason"]);
        }
        "evaluation_written" => each(payload, "marks", &["reason"]),
        "conclusion_written" => {
            each(payload, "best", &["why"]);
            if let Some(wildcard) = payload.get_mut("wildcard").and_then(Value::as_object_mut) {
                phrases(wildcard, &["why"]);
            }
        }
        "meeting_imported" => {
            if let Some(note) = payload.remove("note") {
                payload.insert("notes".to_owned(), json!([{ "text": note }]));
            }
        }
        _ => {}
    }
}

fn phrases(object: &mut Map<String, Value>, fields: &[&str]) {
    for field in fields {
        if let Some(text) = object.get_mut(*field).filter(|text| text.is_string()) {
            *text = json!({ "text": text.take() });
        }
    }
}

fn each(payload: &mut Map<String, Value>, list: &str, fields: &[&str]) {
    let items = payload.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
    items.filter_map(Value::as_object_mut).for_each(|item| phrases(item, fields));
}
