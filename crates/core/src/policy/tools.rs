//! Who may call which tools, which calls run or wait, and how many are left.

use std::sync::Arc;

use quorate_contract::{
    AllowedTools, MEETING_FILES, ParticipantId, TaskId, ToolDecision, ToolFailureKind, ToolOutcome, TurnId,
    WEB_SEARCH, WEB_SEARCH_TOOL, source_of_tool,
};

use crate::state::{Meeting, ToolAnswer, ToolCallRecord, tasks};

impl ToolCallRecord {
    /// Whether it waits for a person.
    pub(crate) fn awaits_person(&self, m: &Meeting) -> bool {
        self.outcome.is_none() && self.effects && !self.is_approved(m)
    }

    /// Whether a person has allowed it.
    pub(crate) fn is_approved(&self, m: &Meeting) -> bool {
        match self.decision {
            Some(ToolDecision::Once | ToolDecision::Meeting) => true,
            Some(ToolDecision::Refused) => false,
            None => m.tools.approved.contains(&self.tool),
        }
    }
}

impl Meeting {
    /// The sources whose tools a participant may call.
    pub fn tools_of(&self, id: ParticipantId) -> impl Iterator<Item = &str> {
        let may = move |one: &&AllowedTools| one.participants.is_empty() || one.participants.contains(&id);
        self.tools.allowed.iter().filter(may).map(|one| one.name.as_str())
    }

    /// Whether a participant may call a tool of this name. The files of the meeting may be read by everybody: nobody has to
    /// allow it.
    pub(crate) fn may_call(&self, id: ParticipantId, tool: &str) -> bool {
        source_of_tool(tool).is_some_and(|source| match source {
            MEETING_FILES => self.has_texts(),
            source => self.tools_of(id).any(|name| name == source),
        })
    }

    /// Whether a file of the meeting has text.
    pub fn has_texts(&self) -> bool {
        self.files.iter().any(|record| record.file.text.is_some())
    }

    /// Whether a participant may use the web search of its provider for a task. Where money is limited, a search whose
    /// price is not known is not made.
    pub(crate) fn may_search_web(&self, task: TaskId, id: ParticipantId) -> bool {
        let is_allowed = self.tools_of(id).any(|name| name == WEB_SEARCH);
        let is_priced = || {
            let price = tasks::runner(self, task).and_then(|runner| runner.price());
            self.rules().limits.cost_micros.is_none()
                || price.is_some_and(|price| price.search_micros.is_some())
        };
        is_allowed && is_priced()
    }

    /// The answers of a turn that called tools.
    pub(crate) fn tool_answers(&self, turn: TurnId) -> &[ToolAnswer] {
        self.tools.turns.get(&turn).map(Vec::as_slice).unwrap_or_default()
    }

    /// The calls of a turn.
    pub(crate) fn tool_calls(&self, turn: TurnId) -> impl Iterator<Item = &ToolCallRecord> {
        self.tool_answers(turn).iter().flat_map(|answer| answer.calls.iter().map(Arc::as_ref))
    }

    /// The calls that have not ended, with their turns.
    pub(crate) fn open_tool_calls(&self) -> impl Iterator<Item = (TurnId, &ToolCallRecord)> {
        let turns = self.tools.turns.keys();
        let all = turns.flat_map(|turn| self.tool_calls(*turn).map(|call| (*turn, call)));
        all.filter(|(_, call)| call.outcome.is_none())
    }

    /// The calls that run, with their turns: neither ended nor waiting for a person.
    pub(crate) fn running_tool_calls(&self) -> impl Iterator<Item = (TurnId, &ToolCallRecord)> {
        self.open_tool_calls().filter(|(_, call)| !call.awaits_person(self))
    }

    /// Whether a turn waits for results.
    pub(crate) fn waits_for_tools(&self, turn: TurnId) -> bool {
        self.tool_calls(turn).any(|call| call.outcome.is_none())
    }

    /// How many tools a turn may still call.
    pub(crate) fn tool_calls_left(&self, turn: TurnId) -> u32 {
        let stops = |call: &ToolCallRecord| match &call.outcome {
            Some(ToolOutcome::Failed { kind, .. }) => {
                matches!(kind, ToolFailureKind::TooMany | ToolFailureKind::Budget)
            }
            Some(ToolOutcome::Returned { .. }) | None => false,
        };
        if self.tool_calls(turn).any(|call| call.tool != WEB_SEARCH_TOOL && stops(call)) {
            return 0;
        }
        let used = u32::try_from(self.tool_calls(turn).count()).unwrap_or(u32::MAX);
        let limits = &self.rules().limits;
        let in_meeting = limits.tool_calls.saturating_sub(self.tools.called);
        limits.tool_calls_per_turn.saturating_sub(used).min(in_meeting)
    }
}
