//! What participants did beside speaking: calls of tools with their results, and what coding agents read and ran.

use quorate_contract::{
    ActionPermission, ActionStatus, Event, EventBody, Language, TaskId, ToolCallId, ToolOutcome,
    tool_failure_text,
};
use quorate_core::Meeting;
use quorate_messages::text;
use serde::{Deserialize, Serialize};

use crate::Viewer;

/// The longest arguments and the longest result of a call that are shown, in characters.
const SHOWN_MAX_CHARS: usize = 2000;

/// Something that a participant did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkEntry {
    /// The number of messages that had been said before.
    pub said_before: usize,
    /// The name of who did it.
    pub by: String,
    /// What it was.
    pub work: Work,
}

/// What a participant did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Work {
    /// It called a tool.
    Call {
        /// The call.
        call: ToolCallId,
        /// The name of the tool.
        tool: String,
        /// The arguments, shortened.
        arguments: String,
        /// The result, shortened, or why there is none.
        result: String,
        /// Whether there is a result.
        returned: bool,
    },
    /// A coding agent reported an action, in a line.
    Action {
        /// What it is, and who permitted it.
        line: String,
    },
}

/// What a reader may see of what participants did, in the order of the log. An action that was reported more than once is
/// told once, as it ended.
pub fn work<'a>(
    m: &Meeting,
    events: impl IntoIterator<Item = &'a Event>,
    reader: Viewer,
    language: Language,
) -> Vec<WorkEntry> {
    let mut all: Vec<WorkEntry> = Vec::new();
    let mut calls: Vec<(ToolCallId, usize)> = Vec::new();
    let mut actions: Vec<((TaskId, u32, u32), usize)> = Vec::new();
    let mut said_before = 0;
    for event in events {
        match &event.body {
            EventBody::AgentMessage { .. }
            | EventBody::UserMessage { .. }
            | EventBody::FacilitationWritten { .. } => said_before += 1,
            // What a vendor wants back with the results is hidden from most readers; the call is not.
            EventBody::ToolCalled { .. } | EventBody::ToolReturned { .. }
                if reader.withholds_words(event) => {}
            EventBody::AgentAction { .. } if reader.hides(event) => {}
            EventBody::ToolCalled { call, participant, tool, arguments, .. } => {
                calls.push((*call, all.len()));
                let (arguments, result) =
                    (shown(arguments), text!(language, "views-work-no-result").to_owned());
                let work = Work::Call { call: *call, tool: tool.clone(), arguments, result, returned: false };
                all.push(WorkEntry { said_before, by: m.name_of(*participant), work });
            }
            EventBody::ToolReturned { call, outcome, .. } => {
                let entry = calls.iter().find(|(known, _)| known == call).map(|(_, place)| *place);
                if let Some(Work::Call { result, returned, .. }) = entry.map(|place| &mut all[place].work) {
                    (*result, *returned) = ended(outcome, language);
                }
            }
            EventBody::AgentAction { participant, task, attempt, action } => {
                let key = (*task, *attempt, action.number);
                let work = Work::Action { line: action_line(action, language) };
                match actions.iter().find(|(known, _)| *known == key) {
                    Some((_, place)) => all[*place].work = work,
                    None => {
                        actions.push((key, all.len()));
                        let by = participant.map_or_else(
                            || text!(language, "views-work-facilitator").to_owned(),
                            |id| m.name_of(id),
                        );
                        all.push(WorkEntry { said_before, by, work });
                    }
                }
            }
            _ => {}
        }
    }
    all
}

fn ended(outcome: &ToolOutcome, language: Language) -> (String, bool) {
    match outcome {
        ToolOutcome::Returned { text, .. } => (shown(text), true),
        ToolOutcome::Failed { kind, detail } => {
            let why = tool_failure_text(language, *kind);
            let detail = detail.in_language(language);
            let colon = if detail.is_empty() { "" } else { text!(language, "common-colon") };
            (shown(&format!("{why}{colon}{detail}")), false)
        }
    }
}

fn action_line(action: &quorate_contract::Action, language: Language) -> String {
    let told = action.told(language);
    let by = action.by.as_ref().map(|person| person.name.as_str()).unwrap_or_default();
    match (action.permission, action.status) {
        (ActionPermission::Asked, _) => text!(language, "views-work-asked", %told),
        (ActionPermission::Allowed, _) if !by.is_empty() => text!(language, "views-work-allowed", %told, %by),
        (ActionPermission::Refused, _) if !by.is_empty() => text!(language, "views-work-refused", %told, %by),
        (ActionPermission::Refused, _) => text!(language, "views-work-unanswered", %told),
        (_, ActionStatus::Failed) => text!(language, "views-work-failed", %told),
        _ => told,
    }
}

/// A text within bounds; it says when it is cut.
fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN_MAX_CHARS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use quorate_core::apply;

    use super::*;

    fn told(fixture: &str, hidden: bool) -> Vec<WorkEntry> {
        let path = format!("{}/../../fixtures/meetings/en/{fixture}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("it is there");
        let log: Vec<Event> = text.lines().map(|line| Event::from_json(line).expect("an event")).collect();
        let mut meeting = Meeting::blank(log[0].meeting_id.clone(), log[0].run_id.clone());
        log.iter().for_each(|event| apply(&mut meeting, event));
        work(&meeting, &log, Viewer::of_export(&meeting, hidden), Language::En)
    }

    #[test]
    fn each_call_is_told_once_with_its_result() {
        let entries = told("tools", false);
        let mut calls: Vec<ToolCallId> = entries
            .iter()
            .filter_map(|entry| match &entry.work {
                Work::Call { call, .. } => Some(*call),
                Work::Action { .. } => None,
            })
            .collect();
        let all = calls.len();
        calls.sort();
        calls.dedup();
        assert!(all > 0 && calls.len() == all, "{entries:?}");
        assert!(entries.iter().any(|entry| matches!(&entry.work, Work::Call { returned: true, .. })));
        assert!(entries.is_sorted_by_key(|entry| entry.said_before));
    }

    #[test]
    fn an_action_is_told_once_as_it_ended() {
        let entries = told("actions", false);
        let lines: Vec<&str> = entries
            .iter()
            .filter_map(|entry| match &entry.work {
                Work::Action { line } => Some(line.as_str()),
                Work::Call { .. } => None,
            })
            .collect();
        assert!(!lines.is_empty(), "{entries:?}");
        assert!(lines.iter().all(|line| !line.contains("waits for permission")), "{lines:?}");
    }

    #[test]
    fn a_long_text_says_that_it_is_cut() {
        assert_eq!(shown("short"), "short");
        assert_eq!(shown(&"é".repeat(3000)).chars().count(), SHOWN_MAX_CHARS + 1);
    }
}
