//! The tools of a turn: which may be called, the calls so far and their results, as the participant reads them.

use std::sync::Arc;

use quorate_contract::{
    Language, MEETING_FILES, PromptTools, TaskId, ToolFailureKind, ToolOutcome, ToolStep, ToolStepCall,
    TurnId, WEB_SEARCH, WEB_SEARCH_TOOL, WEB_SEARCHES_PER_REQUEST,
};
use quorate_messages::text;

use super::{files, frame, windows};
use crate::prompt::tokens::estimate_tokens;
use crate::state::{Meeting, ToolAnswer, ToolCallRecord};

/// The tools in the prompt of a task. Only turns have any.
pub(super) fn of(m: &Meeting, task: TaskId) -> PromptTools {
    let TaskId::Speak(turn) = task else { return PromptTools::default() };
    let Some(participant) = m.turn(turn).map(|turn| turn.participant) else { return PromptTools::default() };
    let allowed = m.tools_of(participant).filter(|name| !matches!(*name, WEB_SEARCH | MEETING_FILES));
    let files = files::can_be_read_on(m, task).then_some(MEETING_FILES);
    let sources: Vec<String> = allowed.chain(files).map(str::to_owned).collect();
    let left = m.tool_calls_left(turn);
    let may_call = !sources.is_empty() && left > 0;
    let web_searches = match m.may_search_web(task, participant) {
        true => left.min(WEB_SEARCHES_PER_REQUEST),
        false => 0,
    };
    PromptTools { sources, may_call, steps: steps(m, task, turn), web_searches }
}

/// About how many tokens the calls and results of a turn have.
pub(super) fn size(m: &Meeting, task: TaskId) -> u64 {
    let TaskId::Speak(turn) = task else { return 0 };
    let calls = steps(m, task, turn).into_iter().flat_map(|step| step.calls);
    calls.map(|call| estimate_tokens(&call.arguments) + estimate_tokens(&call.result) + 16).sum()
}

fn steps(m: &Meeting, task: TaskId, turn: TurnId) -> Vec<ToolStep> {
    // Searches of a provider were made within an answer, and are none of its calls.
    let is_call = |call: &&Arc<ToolCallRecord>| call.tool != WEB_SEARCH_TOOL;
    let answers: Vec<_> =
        m.tool_answers(turn).iter().filter(|answer| answer.calls.iter().any(|call| is_call(&call))).collect();
    let count = answers.iter().map(|answer| answer.calls.len()).sum::<usize>();
    // In a small window, all results together have a third of it.
    let room =
        windows::of(m, task).map(|window| window.tokens / 3 / u64::try_from(count.max(1)).unwrap_or(1));
    let step = |answer: &ToolAnswer| ToolStep {
        text: frame::data(&answer.text),
        continuation: answer.continuation.clone(),
        calls: answer.calls.iter().filter(is_call).map(|call| step_call(m.language(), call, room)).collect(),
    };
    answers.into_iter().map(step).collect()
}

fn step_call(language: Language, call: &ToolCallRecord, room: Option<u64>) -> ToolStepCall {
    let (result, failed) = match &call.outcome {
        Some(ToolOutcome::Returned { text, truncated, .. }) => {
            let (shown, cut) = within(text, room);
            let mut result = format!("[{}]\n{}", call.id, frame::data(shown));
            if *truncated || cut {
                result.push('\n');
                result.push_str(text!(language, "records-tool-result-cut"));
            }
            (result, false)
        }
        Some(ToolOutcome::Failed { kind, detail }) => {
            let mut result = failure(language, *kind).to_owned();
            let detail = detail.in_language(language);
            if !detail.is_empty() {
                result.push(' ');
                result.push_str(&frame::data(&detail));
            }
            (result, true)
        }
        None => (failure(language, ToolFailureKind::Lost).to_owned(), true),
    };
    let (id, tool, arguments) = (call.id, call.tool.clone(), call.arguments.clone());
    ToolStepCall { id, tool, arguments, result, failed }
}

/// As many of the first lines of a result as there is room for, and whether that is less than all.
fn within(text: &str, room: Option<u64>) -> (&str, bool) {
    let Some(mut room) = room else { return (text, false) };
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let cost = estimate_tokens(line);
        if cost > room {
            return (&text[..end], true);
        }
        room -= cost;
        end += line.len();
    }
    (text, false)
}

/// Why a call has no result, for the model that made it.
fn failure(language: Language, kind: ToolFailureKind) -> &'static str {
    match kind {
        ToolFailureKind::Denied => text!(language, "records-tool-denied"),
        ToolFailureKind::UnknownTool => text!(language, "records-tool-unknown"),
        ToolFailureKind::InvalidArguments => text!(language, "records-tool-invalid-arguments"),
        ToolFailureKind::Failed => text!(language, "records-tool-failed"),
        ToolFailureKind::TimedOut => text!(language, "records-tool-timed-out"),
        ToolFailureKind::TooMany => text!(language, "records-tool-too-many"),
        ToolFailureKind::Budget => text!(language, "records-tool-budget"),
        ToolFailureKind::Lost => text!(language, "records-tool-lost"),
        ToolFailureKind::Cancelled => text!(language, "records-tool-cancelled"),
    }
}
