//! The host is asked about calls of tools with effects.

use quorate_contract::{PauseReason, Question, ToolDecision};
use quorate_messages::message;

use super::{course_runs, pause};
use crate::decide::transaction::Transaction;

/// Pauses for the host's decision about the calls that wait for it, when nothing else of the discussion is in
/// flight; whether it did.
pub(super) fn ask_host(t: &mut Transaction) -> bool {
    let m = &t.meeting;
    if course_runs(m) {
        return false;
    }
    let waiting = m.open_tool_calls().filter(|(_, call)| call.awaits_person(m));
    let questions: Vec<Question> = waiting
        .map(|(_, call)| {
            let (name, tool) = (m.name_of(call.participant), &call.tool);
            let choices = ToolDecision::ALL.map(ToolDecision::as_str);
            let asked = message!("question-allow-tool", name, %tool);
            let why = message!("question-tool-arguments", arguments = &call.arguments[..]);
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
