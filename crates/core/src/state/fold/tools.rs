//! The fold of calls of tools.

use std::sync::Arc;

use quorate_contract::{ToolCallId, ToolDecision, ToolOutcome, TurnId};

use crate::state::{Meeting, MeetingTools, ToolAnswer, ToolCallRecord, ToolResultRecord};

/// A tool was called.
pub(super) fn called(m: &mut Meeting, turn: TurnId, step: u32, answer: ToolAnswer, call: ToolCallRecord) {
    let tools = Arc::make_mut(&mut m.tools);
    tools.called = tools.called.saturating_add(1);
    let answers = tools.turns.entry(turn).or_default();
    if answers.len() < step as usize {
        answers.push(answer);
    }
    if let Some(answer) = answers.last_mut() {
        answer.calls.push(Arc::new(call));
    }
}

/// A person has answered.
pub(super) fn reviewed(m: &mut Meeting, id: ToolCallId, decision: ToolDecision) {
    let tools = Arc::make_mut(&mut m.tools);
    let Some((_, call)) = find(tools, id) else { return };
    call.decision = Some(decision);
    let tool = call.tool.clone();
    if decision == ToolDecision::Meeting {
        tools.approved.insert(tool);
    }
}

/// A call has ended.
pub(super) fn returned(m: &mut Meeting, seq: u64, id: ToolCallId, outcome: &ToolOutcome) {
    let tools = Arc::make_mut(&mut m.tools);
    let Some((turn, call)) = find(tools, id) else { return };
    call.outcome = Some(outcome.clone());
    let (participant, tool) = (call.participant, call.tool.clone());
    if let ToolOutcome::Returned { text, sources, truncated: _ } = outcome {
        let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        let sources = sources.clone();
        tools.results.push(Arc::new(ToolResultRecord {
            call: id,
            seq,
            turn,
            participant,
            tool,
            lines,
            sources,
        }));
    }
}

/// A turn has ended: nobody needs its calls any more.
pub(super) fn turn_ended(m: &mut Meeting, turn: TurnId) {
    if m.tools.turns.contains_key(&turn) {
        Arc::make_mut(&mut m.tools).turns.remove(&turn);
    }
}

/// What was allowed for another meeting does not hold for this one.
pub(super) fn forked(m: &mut Meeting) {
    if !m.tools.approved.is_empty() {
        Arc::make_mut(&mut m.tools).approved.clear();
    }
}

/// The discussion has ended.
pub(super) fn course_ended(m: &mut Meeting) {
    if !m.tools.turns.is_empty() {
        Arc::make_mut(&mut m.tools).turns.clear();
    }
}

fn find(tools: &mut MeetingTools, id: ToolCallId) -> Option<(TurnId, &mut ToolCallRecord)> {
    let mut all = tools.turns.iter_mut().flat_map(|(turn, answers)| {
        answers.iter_mut().flat_map(|answer| &mut answer.calls).map(|call| (*turn, call))
    });
    all.find(|(_, call)| call.id == id).map(|(turn, call)| (turn, Arc::make_mut(call)))
}
