//! Who the people at a meeting are, for those who are not to know it.
//!
//! A person's seat is shown under a number. The names of models and agents stay, and so do names within longer texts that
//! somebody wrote.

use std::sync::Arc;

use quorate_contract::{Actor, RunnerSpec, TurnDelivery};
use quorate_core::Meeting;
use quorate_messages::text;
use serde_json::Value;

/// Takes out of a meeting who its people are.
pub(super) fn hide(meeting: &mut Meeting) {
    let language = meeting.language();
    let somebody = || Actor::person("", text!(language, "views-people-somebody"));
    let mut renamed: Vec<(String, String)> = Vec::new();
    for seat in &mut meeting.seats {
        let RunnerSpec::External { via: TurnDelivery::Person, .. } = seat.participant.runner else {
            continue;
        };
        let number = renamed.len() + 1;
        let name = text!(language, "views-people-numbered", number);
        let seat = Arc::make_mut(seat);
        renamed.push((std::mem::replace(&mut seat.participant.name, name.clone()), name));
        let name = String::new();
        seat.participant.runner = RunnerSpec::External { via: TurnDelivery::Person, name };
    }
    if let Some(conclusion) = &mut meeting.conclusion {
        let owners = Arc::make_mut(conclusion).actions.iter_mut().filter_map(|action| action.who.as_mut());
        owners.for_each(|owner| rename(owner, &renamed));
    }
    for artifact in meeting.artifacts.iter_mut() {
        rename_in(&mut Arc::make_mut(artifact).content, &renamed);
    }
    meeting.people.clear();
    meeting.host_person = None;
    meeting.announcements.clear();
    meeting.answers.clear();
    meeting.files.clear();
    if let Some(ended) = meeting.ended_by.as_mut().filter(|ended| ended.by.is_person()) {
        ended.by = somebody();
    }
    for said in meeting.said.iter_mut().filter(|said| said.speaker.is_person()) {
        let said = Arc::make_mut(said);
        (said.speaker, said.name) = (somebody(), String::new());
    }
    for minutes in meeting.minutes.iter_mut().filter(|minutes| minutes.author.is_person()) {
        Arc::make_mut(minutes).author = somebody();
    }
    for artifact in meeting.artifacts.iter_mut().filter(|artifact| artifact.author.is_person()) {
        Arc::make_mut(artifact).author = somebody();
    }
}

/// Puts the shown name in the place of the one that a field holds.
fn rename(field: &mut String, renamed: &[(String, String)]) {
    if let Some((_, shown)) = renamed.iter().find(|(name, _)| name == field) {
        field.clone_from(shown);
    }
}

/// The same in every field of an artifact.
fn rename_in(value: &mut Value, renamed: &[(String, String)]) {
    match value {
        Value::String(field) => rename(field, renamed),
        Value::Array(items) => items.iter_mut().for_each(|item| rename_in(item, renamed)),
        Value::Object(fields) => fields.values_mut().for_each(|field| rename_in(field, renamed)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
