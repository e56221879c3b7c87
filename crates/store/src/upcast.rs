//! Upcasts: lines of older versions of the contract, read as the present version would have written them.
//!
//! Stored lines stay as they were written, and the chain of checksums covers those bytes. All readers of the
//! store get the present version.

mod marks;
mod phrases;

use std::borrow::Cow;

use quorate_contract::{CONTRACT_VERSION, Event, UnreadableEvent};
use serde_json::Value;

/// Steps from each version to the next: the first from 1 to 2. A released step is never edited, and has its
/// golden log in `fixtures/contract`.
const STEPS: &[fn(&mut Value)] = &[name_reasons, keep, say_what_was_chosen, leave_words_to_readers];

/// 1 to 2: the reason of a skipped turn, and of the end of a wait for a provider, moves to `reason`, as in
/// all events.
fn name_reasons(line: &mut Value) {
    let named_otherwise = matches!(line["type"].as_str(), Some("turn_skipped" | "provider_wait_ended"));
    if let (true, Some(payload)) = (named_otherwise, line["payload"].as_object_mut())
        && let Some(reason) = payload.remove("because")
    {
        payload.insert("reason".to_owned(), reason);
    }
}

/// 2 to 3: what a mention, a request and a failure change in the queue of a round stands in `queue_changed`. A line
/// of an older log is read as it is: its rounds go on in the order in which they began.
fn keep(_: &mut Value) {}

/// 3 to 4: what was chosen while an event was read stands in the event, and what the program says in it is a code.
fn say_what_was_chosen(line: &mut Value) {
    say_what_a_call_meant(line);
    phrases::bring_up(line);
}

/// What the end of a call meant for its model and for the next attempt follows from its line; for the rest a line lacks
/// what the meeting was, and the fold asks the rules of that time (`core/src/state/fold/older.rs`).
fn say_what_a_call_meant(line: &mut Value) {
    if line["type"] != "call_ended" {
        return;
    }
    let Some(payload) = line["payload"].as_object_mut() else { return };
    let text = |field: &str| payload.get(field).and_then(Value::as_str).unwrap_or_default();
    let (ended, kind, then) = (text("ended"), text("kind"), text("then"));
    let unreachable = match kind {
        "overloaded" | "rate_limit" => "model_unreachable",
        _ => "provider_unreachable",
    };
    let reach = match (ended, kind) {
        ("answered", _) => Some("reached"),
        ("failed", _) if then == "wait" => Some(unreachable),
        ("failed", "network" | "overloaded" | "rate_limit") => Some(unreachable),
        ("failed", "timed_out" | "left" | "budget" | "not_configured") => None,
        ("failed", _) => Some("reached"),
        _ => None,
    };
    let (is_lost, shares_time) = (ended == "lost", matches!(then, "again" | "shorter"));
    if let Some(reach) = reach {
        payload.insert("reach".to_owned(), reach.into());
    }
    for (field, holds) in [("counts_as_repetition", is_lost), ("shares_time", shares_time)] {
        if holds {
            payload.insert(field.to_owned(), true.into());
        }
    }
}

/// 4 to 5: a message holds what was said alone, and the facilitator has no name in one language; whoever left or went
/// offline left the queue with that event.
fn leave_words_to_readers(line: &mut Value) {
    let kind = line["type"].as_str().unwrap_or_default().to_owned();
    let Some(payload) = line["payload"].as_object_mut() else { return };
    match kind.as_str() {
        "agent_message" => marks::take_off(payload),
        "facilitation_written" => {
            let name = payload.get_mut("message").and_then(|message| message.get_mut("name"));
            if let Some(name) = name.filter(|name| name.as_str().is_some_and(marks::is_facilitator)) {
                *name = "".into();
            }
        }
        "participant_left" => _ = payload.insert("leaves_queue".to_owned(), true.into()),
        "presence_changed" if payload.get("presence").is_some_and(|presence| presence == "offline") => {
            payload.insert("leaves_queue".to_owned(), true.into());
        }
        _ => {}
    }
}

const _: () = assert!(STEPS.len() + 1 == CONTRACT_VERSION as usize, "each version but the first has a step");

/// The line as the present version writes it.
///
/// # Errors
/// When it is no event, from a newer version, or from before lines said their version.
pub(crate) fn line(stored: &str) -> Result<Cow<'_, str>, UnreadableEvent> {
    match is_present(stored) {
        true => Ok(Cow::Borrowed(stored)),
        false => Ok(Cow::Owned(event(stored)?.to_json())),
    }
}

/// The event of a line as it is stored, also of one that an older version wrote.
///
/// # Errors
/// When it is no event, from a newer version, or from before lines said their version.
pub fn event(stored: &str) -> Result<Event, UnreadableEvent> {
    match Event::from_json(stored) {
        Err(UnreadableEvent::OtherVersion { written: Some(written) }) if written < CONTRACT_VERSION => {
            bring_up(stored, written)
        }
        read => read,
    }
}

fn bring_up(stored: &str, written: u32) -> Result<Event, UnreadableEvent> {
    let malformed = |error: serde_json::Error| UnreadableEvent::Malformed(error.to_string());
    let taken = written.checked_sub(1).ok_or(UnreadableEvent::OtherVersion { written: Some(written) })?;
    let mut value: Value = serde_json::from_str(stored).map_err(malformed)?;
    for step in &STEPS[taken as usize..] {
        step(&mut value);
    }
    value["version"] = CONTRACT_VERSION.into();
    serde_json::from_value(value).map_err(malformed)
}

/// The version that a line says it is written in; `None` for one from before lines did.
///
/// # Errors
/// When it is no event at all.
pub(crate) fn version_of(stored: &str) -> Result<Option<u32>, UnreadableEvent> {
    match Event::from_json(stored) {
        Ok(_) => Ok(Some(CONTRACT_VERSION)),
        Err(UnreadableEvent::OtherVersion { written }) => Ok(written),
        Err(malformed) => Err(malformed),
    }
}

/// Whether a line is of the present version, without parsing all of it: the version stands first.
fn is_present(stored: &str) -> bool {
    let rest = stored.strip_prefix("{\"version\":").unwrap_or_default();
    let (number, _) = rest.split_once(',').unwrap_or_default();
    number.parse() == Ok(CONTRACT_VERSION)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What a line of version 4 of this type is read as.
    fn brought_up(kind: &str, payload: Value) -> Value {
        let mut line = json!({ "version": 4, "type": kind, "payload": payload });
        leave_words_to_readers(&mut line);
        line["payload"].take()
    }

    #[test]
    fn a_line_of_version_4_names_no_facilitator_and_says_who_left_the_queue() {
        let name = |name: &str| {
            let read =
                brought_up("facilitation_written", json!({ "message": { "name": name, "content": "c" } }));
            read["message"]["name"].as_str().expect("a name").to_owned()
        };
        assert_eq!([name("Facilitator"), name("Chair")], ["", "Chair"]);
        let leaves = |kind: &str, payload: Value| brought_up(kind, payload)["leaves_queue"] == true;
        assert!(leaves("participant_left", json!({})));
        assert!(leaves("presence_changed", json!({ "presence": "offline" })));
        assert!(!leaves("presence_changed", json!({ "presence": "online" })));
    }
}
