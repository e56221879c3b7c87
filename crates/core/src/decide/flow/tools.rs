//! The host is asked about calls of tools with effects.

use quorate_contract::{PauseReason, Question, ToolDecision};
use quorate_messages::message;

use super::{course_runs, pause};
use crate::decide::transaction::Transaction;

/// Pauses for the host's decision about the calls that wait for it, when nothing else of the discussion is in
/// flight; whether it did. Of several calls of one tool the first is asked about: who allows the tool for the meeting
/// has decided on the others, too.
pub(super) fn ask_host(t: &mut Transaction) -> bool {
    let m = &t.meeting;
    if course_runs(m) {
        return false;
    }
    let waiting: Vec<_> =
        m.open_tool_calls().map(|(_, call)| call).filter(|call| call.awaits_person(m)).collect();
    let is_first = |place: &usize| waiting[..*place].iter().all(|before| before.tool != waiting[*place].tool);
    let questions: Vec<Question> = (0..waiting.len())
        .filter(is_first)
        .map(|place| {
            let call = waiting[place];
            let (name, tool) = (m.name_of(call.participant), &call.tool);
            let choices = ToolDecision::ALL.map(ToolDecision::as_str);
            let asked = message!("question-allow-tool", name, %tool);
            let arguments = &call.arguments[..];
            let why = match waiting[place + 1..].iter().filter(|other| other.tool == *tool).count() {
                0 => message!("question-tool-arguments", arguments),
                more => message!("question-tool-arguments-of-several", arguments, more),
            };
            let question = pause::choice(&call.id.to_string(), asked, &choices, "refused");
            Question { why: why.into(), ..question }
        })
        .collect();
    let waits = !questions.is_empty();
    if waits {
        pause::ask(t, PauseReason::ToolApproval, questions);
    }
    waits
}
