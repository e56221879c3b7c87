//! Tools: which a meeting allows, calls of them, a person's decision, and results.

use std::collections::BTreeMap;

use quorate_contract::{
    Actor, AllowedTools, EventBody, MeetingSpec, ParticipantId, Phrase, Refusal, TOOL_ARGUMENTS_MAX_CHARS,
    TOOL_CALLS_PER_ANSWER, TOOL_CONTINUATION_MAX_BYTES, TOOL_GRANTS_MAX, TOOL_SOURCES_MAX, TaskId,
    ToolCallId, ToolDecision, ToolFailureKind, ToolOutcome, ToolUse, TurnId, clean, invalid, is_same,
    is_tool_source_name, shorten,
};
use quorate_messages::message;
use serde_json::Value;

use crate::accounting::budget;
use crate::decide::transaction::Transaction;
use crate::state::{ToolCallRecord, number_after};

/// The longest text before calls, in characters.
const TEXT_MAX_CHARS: usize = 2000;
/// The longest path of a source, in characters.
const PATH_MAX_CHARS: usize = 500;
/// The longest name of a tool that is recorded, in characters.
const TOOL_NAME_MAX_CHARS: usize = 100;

/// The sources that a new meeting allows, with participants by their ids.
pub(super) fn granted(spec: &MeetingSpec) -> Result<Vec<AllowedTools>, Refusal> {
    if spec.tools.len() > TOOL_GRANTS_MAX {
        let problem = message!("refusal-tools-too-many", max = TOOL_GRANTS_MAX);
        return Err(invalid("tools", problem, message!("refusal-tools-too-many-hint")));
    }
    let mut allowed: Vec<AllowedTools> = Vec::new();
    for grant in &spec.tools {
        let name = &grant.name;
        if !is_tool_source_name(name) || allowed.iter().any(|other| other.name == *name) {
            let given = shorten(&clean(name), 40);
            let problem = message!("refusal-tools-name", %given);
            return Err(invalid("tools", problem, message!("refusal-tools-name-hint")));
        }
        let mut participants = Vec::new();
        for who in &grant.participants {
            let place = spec.participants.iter().position(|newcomer| is_same(&newcomer.name, who));
            let Some(place) = place else {
                let problem = message!("refusal-tools-participant", name = shorten(&clean(who), 50));
                let present: Vec<String> = spec.participants.iter().map(|one| one.name.clone()).collect();
                return Err(invalid(
                    "tools",
                    problem,
                    message!("refusal-tools-participant-hint", names = present),
                ));
            };
            let id = ParticipantId(number_after(place));
            if !participants.contains(&id) {
                participants.push(id);
            }
        }
        allowed.push(AllowedTools { name: name.clone(), participants });
    }
    Ok(allowed)
}

/// A participant calls tools. Calls that cannot be carried out return at once, and the participant reads why.
pub(super) fn called(t: &mut Transaction, turn: TurnId, used: ToolUse) {
    let Some(participant) = t.meeting.turn(turn).map(|turn| turn.participant) else { return };
    let step = number_after(t.meeting.tool_answers(turn).len());
    let ToolUse { text, requests } = used;
    let mut text = shorten(&clean(&text), TEXT_MAX_CHARS);
    let mut continuation =
        Some(requests.continuation).filter(|it| it.len() <= TOOL_CONTINUATION_MAX_BYTES).unwrap_or_default();
    let left = t.meeting.tool_calls_left(turn);
    let count = u32::try_from(requests.calls.len()).unwrap_or(u32::MAX).min(left);
    let room = budget::room_for_results(&t.meeting, TaskId::Speak(turn), count);
    for (place, request) in requests.calls.into_iter().take(TOOL_CALLS_PER_ANSWER).enumerate() {
        let call = ToolCallId(t.meeting.tools.called.saturating_add(1));
        let tool = shorten(&clean(&request.tool), TOOL_NAME_MAX_CHARS);
        let arguments = match clean(&request.arguments) {
            empty if empty.is_empty() => "{}".to_owned(),
            given => given,
        };
        let problem = match read_arguments(&arguments) {
            _ if number_after(place) > left => {
                Some(ToolOutcome::failed(ToolFailureKind::TooMany, Phrase::default()))
            }
            _ if room.is_none() => Some(ToolOutcome::failed(ToolFailureKind::Budget, Phrase::default())),
            _ if !t.meeting.may_call(participant, &tool) => {
                Some(ToolOutcome::failed(ToolFailureKind::UnknownTool, Phrase::default()))
            }
            Err(detail) => Some(ToolOutcome::failed(ToolFailureKind::InvalidArguments, detail.bounded())),
            Ok(()) => None,
        };
        let arguments = shorten(&arguments, TOOL_ARGUMENTS_MAX_CHARS);
        t.emit(EventBody::ToolCalled {
            call,
            turn,
            participant,
            step,
            tool,
            arguments,
            effects: request.effects,
            max_chars: room.unwrap_or(0),
            text: std::mem::take(&mut text),
            continuation: std::mem::take(&mut continuation),
        });
        if let Some(outcome) = problem {
            t.end_tool(turn, participant, call, outcome, 0);
        }
    }
}

/// Checks that arguments are a JSON object and not too long.
fn read_arguments(arguments: &str) -> Result<(), Phrase> {
    if arguments.chars().count() > TOOL_ARGUMENTS_MAX_CHARS {
        return Err(message!("failure-tool-arguments-long", max = TOOL_ARGUMENTS_MAX_CHARS).into());
    }
    match serde_json::from_str::<Value>(arguments) {
        Ok(Value::Object(_)) => Ok(()),
        Ok(_) => Err(message!("failure-tool-arguments-no-object").into()),
        Err(error) => Err(message!("failure-tool-arguments-no-json", problem = error.to_string()).into()),
    }
}

/// The host's answers to the questions of a pause.
pub(super) fn reviewed(t: &mut Transaction, by: &Actor, answers: &BTreeMap<String, Value>) {
    for (key, answer) in answers {
        let Ok(call) = key.parse::<ToolCallId>() else { continue };
        let open = t.meeting.open_tool_calls().find(|(_, open)| open.id == call);
        // The turn may have ended meanwhile.
        let Some((turn, participant)) = open.map(|(turn, open)| (turn, open.participant)) else { continue };
        let decision = ToolDecision::ALL.into_iter().find(|one| answer.as_str() == Some(one.as_str()));
        let decision = decision.unwrap_or(ToolDecision::Refused);
        t.emit(EventBody::ToolReviewed { call, decision, by: by.clone() });
        if decision == ToolDecision::Refused {
            let outcome = ToolOutcome::failed(ToolFailureKind::Denied, Phrase::default());
            t.end_tool(turn, participant, call, outcome, 0);
        }
    }
}

/// A tool has ended.
pub(super) fn returned(
    t: &mut Transaction,
    turn: TurnId,
    call: ToolCallId,
    outcome: ToolOutcome,
    latency_ms: u64,
) -> Result<(), Refusal> {
    let running = t.meeting.running_tool_calls().find(|(_, running)| running.id == call);
    let Some((participant, max_chars)) = running.map(|(_, call)| (call.participant, call.max_chars)) else {
        return Err(Refusal::TurnIsOver { task: TaskId::Speak(turn) });
    };
    t.end_tool(turn, participant, call, bounded(outcome, max_chars as usize), latency_ms);
    Ok(())
}

/// A result within its bounds, without what a terminal or a page would obey.
fn bounded(outcome: ToolOutcome, max_chars: usize) -> ToolOutcome {
    match outcome {
        ToolOutcome::Returned { text, truncated, mut sources } => {
            let text = clean(&text);
            let short = shorten(&text, max_chars);
            let truncated = truncated || short != text;
            if short != text {
                // Which lines are left is not known.
                sources.clear();
            }
            sources.truncate(TOOL_SOURCES_MAX);
            for source in &mut sources {
                source.path = shorten(&clean(&source.path), PATH_MAX_CHARS);
            }
            sources.retain(|source| source.first > 0 && source.first <= source.last);
            ToolOutcome::Returned { text: short, truncated, sources }
        }
        ToolOutcome::Failed { kind, detail } => ToolOutcome::Failed { kind, detail: detail.bounded() },
    }
}

/// The process that ran tools has stopped. A tool without effects is simply run again.
pub(super) fn lost(t: &mut Transaction) {
    let with_effects = |(_, call): &(TurnId, &ToolCallRecord)| call.effects;
    let lost: Vec<_> = t.meeting.running_tool_calls().filter(with_effects).map(key).collect();
    end_all(t, lost, ToolFailureKind::Lost);
}

/// A fork runs no tool that was called at the meeting it comes from.
pub(super) fn abandoned(t: &mut Transaction) {
    let open: Vec<_> = t.meeting.open_tool_calls().map(key).collect();
    end_all(t, open, ToolFailureKind::Cancelled);
}

fn key((turn, call): (TurnId, &ToolCallRecord)) -> (TurnId, ParticipantId, ToolCallId) {
    (turn, call.participant, call.id)
}

fn end_all(t: &mut Transaction, calls: Vec<(TurnId, ParticipantId, ToolCallId)>, kind: ToolFailureKind) {
    for (turn, participant, call) in calls {
        t.end_tool(turn, participant, call, ToolOutcome::failed(kind, Phrase::default()), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_an_object_of_bounded_length() {
        assert!(read_arguments("{}").is_ok());
        assert!(read_arguments("{\"path\":\"a\"}").is_ok());
        let long = |chars: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(chars - 8));
        assert!(read_arguments(&long(TOOL_ARGUMENTS_MAX_CHARS)).is_ok());
        assert!(read_arguments(&long(TOOL_ARGUMENTS_MAX_CHARS + 1)).is_err());
        for wrong in ["[]", "1", "{\"path\":", "path"] {
            assert!(read_arguments(wrong).is_err(), "{wrong:.20}");
        }
    }

    #[test]
    fn a_result_that_is_cut_again_proves_no_lines() {
        let source = quorate_contract::ToolSource::lines("a", 1, 2);
        let whole = ToolOutcome::Returned { text: "abcdef".into(), truncated: false, sources: vec![source] };
        let ToolOutcome::Returned { text, truncated, sources } = bounded(whole.clone(), 3) else { panic!() };
        assert_eq!((text.as_str(), truncated, sources.len()), ("ab…", true, 0));
        assert_eq!(bounded(whole.clone(), 6), whole);
    }

    #[test]
    fn a_result_shows_lines_that_there_are_and_says_what_its_tool_left_out() {
        let lines = quorate_contract::ToolSource::lines;
        let sources = vec![lines("a", 0, 2), lines("b", 3, 2), lines("c", 1, 1), lines("d", 2, 9)];
        let outcome = ToolOutcome::Returned { text: "abc".into(), truncated: true, sources };
        let ToolOutcome::Returned { truncated, sources, .. } = bounded(outcome, 9) else { panic!() };
        let paths: Vec<_> = sources.iter().map(|source| source.path.as_str()).collect();
        assert_eq!((truncated, paths), (true, vec!["c", "d"]));
    }
}
