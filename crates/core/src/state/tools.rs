//! Tools: what the meeting allows, the calls of turns in progress, and what results have shown.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quorate_contract::{
    AllowedTools, ParticipantId, TOOL_CALLS_PER_MEETING, TOOL_CALLS_PER_TURN, ToolCallId, ToolDecision,
    ToolFailureKind, ToolOutcome, ToolSource, TurnId, source_of_tool,
};
use serde::{Deserialize, Serialize};

use super::Meeting;

/// The tools of a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MeetingTools {
    /// The sources that participants may call.
    pub allowed: Vec<AllowedTools>,
    /// The tools with effects that a person has allowed for the whole meeting.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) approved: BTreeSet<String>,
    /// The number of calls so far.
    pub called: u32,
    /// The calls of turns in progress: the answers that made them, in their order.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) turns: BTreeMap<TurnId, Vec<ToolAnswer>>,
    /// What results have shown, in the order of the calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<Arc<ToolResultRecord>>,
}

impl MeetingTools {
    /// Whether no tool was ever allowed or called.
    pub fn is_unused(&self) -> bool {
        *self == Self::default()
    }

    /// Takes out the calls of turns in progress, in which reasoning can stand.
    pub fn take_open_calls(&mut self) {
        self.turns.clear();
    }
}

/// An answer that called tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolAnswer {
    /// What was said before the calls.
    pub text: String,
    /// What the vendor wants back verbatim.
    pub continuation: String,
    /// The calls.
    pub calls: Vec<Arc<ToolCallRecord>>,
}

/// A call of a turn in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolCallRecord {
    /// The id.
    pub id: ToolCallId,
    /// The participant.
    pub participant: ParticipantId,
    /// The name of the tool.
    pub tool: String,
    /// The arguments.
    pub arguments: String,
    /// Whether it can change something.
    pub effects: bool,
    /// The longest result, in characters.
    pub max_chars: u32,
    /// What a person has answered, when it has effects.
    pub decision: Option<ToolDecision>,
    /// How it ended; `None` while it runs or waits for a person.
    pub outcome: Option<ToolOutcome>,
}

/// What the result of a call has shown, for those who cite it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolResultRecord {
    /// The call.
    pub call: ToolCallId,
    /// The sequence number of its event.
    pub seq: u64,
    /// Its turn.
    pub turn: TurnId,
    /// The participant who called.
    pub participant: ParticipantId,
    /// The name of the tool.
    pub tool: String,
    /// The number of lines of the result.
    pub lines: u32,
    /// The lines of files that it shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<ToolSource>,
}

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

    /// Whether a participant may call a tool of this name.
    pub(crate) fn may_call(&self, id: ParticipantId, tool: &str) -> bool {
        source_of_tool(tool).is_some_and(|source| self.tools_of(id).any(|name| name == source))
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
        if self.tool_calls(turn).any(stops) {
            return 0;
        }
        let used = u32::try_from(self.tool_calls(turn).count()).unwrap_or(u32::MAX);
        let in_meeting = TOOL_CALLS_PER_MEETING.saturating_sub(self.tools.called);
        TOOL_CALLS_PER_TURN.saturating_sub(used).min(in_meeting)
    }
}
